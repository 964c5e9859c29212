// The body of a called function replaces the call in the kernel, also for calls in it, and for shared memory.
// RUN: lw-opt %s --convert-loop-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK:         gpu.launch_func @kernels::@main_0 {{.*}} args(%{{.+}} : memref<4xf32>, %{{.+}} : memref<4xf32>)
// CHECK-LABEL: gpu.func @main_0(
// CHECK-SAME:      %[[X:arg0]]: memref<4xf32> {llvm.noalias, llvm.readonly}, %[[Y:arg1]]: memref<4xf32>
// CHECK-SAME:      workgroup(%[[S:.+]] : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     call
// CHECK:         gpu.barrier
// CHECK-NOT:     call
// CHECK:         memref.load %[[S]][%{{.+}}] : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[SUM:.+]] = scf.for
// CHECK:           memref.load %[[X]]
// CHECK:           arith.mulf
// CHECK:         memref.store %[[SUM]], %[[Y]]
// CHECK-NOT:     call
// CHECK:         gpu.return
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}

func.func private @sum_of_squares(%first: index, %x: memref<4xf32>, %start: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.load %start[%first] : memref<4xf32>
  %sum = scf.for %i = %c0 to %first step %c1 iter_args(%a = %s) -> f32 {
    %v = memref.load %x[%i] : memref<4xf32>
    %q = func.call @square(%v) : (f32) -> f32
    %b = arith.addf %a, %q : f32
    scf.yield %b : f32
  }
  return %sum : f32
}

func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {loop.result}) {
  %s = loop.buffer "s" scope(shared) : memref<4xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %i in 4 {
      loop.block "copy" [%v: spatial 4] = (%i) reads(%x[%v : 1]) writes(%s[%v : 1]) {
        %a = memref.load %x[%v] : memref<4xf32>
        memref.store %a, %s[%v] : memref<4xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %i in 4 {
      loop.block "sum" [%v: spatial 4] = (%i) reads(%x[*], %s[*]) writes(%y[%v : 1]) {
        %r = func.call @sum_of_squares(%v, %x, %s) {no_inline} : (index, memref<4xf32>, memref<4xf32>) -> f32
        memref.store %r, %y[%v] : memref<4xf32>
      }
    }
  }
  return
}
