// RUN: lw-run %s --entry barrier --input iota --output %t.barrier.npy
// RUN: lw-run %s --entry barrier --input iota --no-schedule --target sm_80 --device emulator \
// RUN:   --check %t.barrier.npy | FileCheck %s
// RUN: lw-run %s --entry barrier --input iota --no-schedule --target sm_80 --device emulator --without lower-vthread \
// RUN:   --check %t.barrier.npy | FileCheck %s
// RUN: lw-run %s --entry sums --input iota --output %t.sums.npy
// RUN: lw-run %s --entry sums --input iota --no-schedule --target sm_80 --device emulator \
// RUN:   --check %t.sums.npy | FileCheck %s
// RUN: lw-run %s --entry sums --input iota --no-schedule --target sm_80 --device emulator --without lower-vthread \
// RUN:   --check %t.sums.npy | FileCheck %s
// RUN: lw-run %s --entry main --input random:1 --input random:2 --output %t.npy
// RUN: lw-run %s --entry main --input random:1 --input random:2 --schedule %S/Inputs/vthread_outside.schedule.mlir \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --entry main --input random:1 --input random:2 --schedule %S/Inputs/vthread_outside.schedule.mlir --target sm_80 --device emulator \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --entry main --input random:1 --input random:2 --schedule %S/Inputs/vthread_outside.schedule.mlir --target sm_80 --device emulator --without lower-vthread \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --entry main --input random:1 --input random:2 --schedule %S/Inputs/vthread_inside.schedule.mlir \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --entry main --input random:1 --input random:2 --schedule %S/Inputs/vthread_inside.schedule.mlir --target sm_80 --device emulator \
// RUN:   --check %t.npy | FileCheck %s
// RUN: lw-run %s --entry main --input random:1 --input random:2 --schedule %S/Inputs/vthread_inside.schedule.mlir --target sm_80 --device emulator --without lower-vthread \
// RUN:   --check %t.npy | FileCheck %s

// Two loops of virtual threads: the results are those of the matrix product on all executors, interleaved or not.
// CHECK: passed
func.func @main(%A: tensor<32x32xf32>, %B: tensor<32x32xf32>) -> tensor<32x32xf32>
    attributes {loop.fp = "fast"} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %C = linalg.matmul ins(%A, %B : tensor<32x32xf32>, tensor<32x32xf32>)
                     outs(%start : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %C : tensor<32x32xf32>
}

// A barrier in the loop orders the threads in each virtual thread.
func.func @barrier(%A: memref<2x8xf32>, %B: memref<2x8xf32> {loop.result}) {
  %T = loop.buffer "T" scope(shared) : memref<2x8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[vthread] %i in 2 {
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "T" [%u: spatial 2, %v: spatial 8] = (%i, %t) reads(%A[%u : 1, %v : 1]) writes(%T[%u : 1, %v : 1]) {
          %a = memref.load %A[%u, %v] : memref<2x8xf32>
          memref.store %a, %T[%u, %v] : memref<2x8xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "B" [%u: spatial 2, %v: spatial 8] = (%i, %t) reads(%T[%u : 1, -%v + 7 : 1]) writes(%B[%u : 1, %v : 1]) {
          %p = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
          %a = memref.load %T[%u, %p] : memref<2x8xf32>
          memref.store %a, %B[%u, %v] : memref<2x8xf32>
        }
      }
    }
  }
  return
}

// Each virtual thread takes part in a sum over all threads.
func.func @sums(%A: memref<8x16xf32>, %C: memref<8xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[vthread] %y in 8 {
    loop.for thread_bind[threadIdx.x] %k in 16 {
      loop.block "S" [%u: spatial 8, %v: reduce 16] = (%y, %k) reads(%A[%u : 1, %v : 1]) writes(%C[%u : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %C[%u] : memref<8xf32>
        }
        %a = memref.load %A[%u, %v] : memref<8x16xf32>
        %c = memref.load %C[%u] : memref<8xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%u] : memref<8xf32>
      }
    }
  }
  return
}
