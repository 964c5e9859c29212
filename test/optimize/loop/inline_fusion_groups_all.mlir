// RUN: lw-opt %s --inline-fusion-groups=all=true | FileCheck %s
// RUN: lw-run %s --compile-from loop --entry main --target sm_80 --device emulator --input iota --output %t.npy
// RUN: lw-run %s --compile-from loop --entry main --input iota --check %t.npy

// All calls between nests are inlined, but those that the host executes. A buffer that is passed twice has one region, which covers
// the accesses of both arguments.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: call
// CHECK: loop.block "sum" [%[[v:.*]]: spatial 4]
// CHECK-NEXT: reads(%arg0[*]) writes(%{{.*}}[%[[v]] : 1])
// CHECK: call @sum(%{{.*}}, %{{.*}}, %arg1) {no_inline}
// CHECK-NEXT: return
func.func private @sum(%x: memref<4xf32> {loop.name = "x"}, %y: memref<4xf32> {loop.name = "y"}, %z: memref<4xf32> {loop.name = "z"}) {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "sum" [%v: spatial 4] = (%i) reads(%x[%v : 1], %y[3 - %v : 1]) writes(%z[%v : 1]) {
      %at = affine.apply affine_map<(d0) -> (3 - d0)>(%v)
      %a = memref.load %x[%v] : memref<4xf32>
      %b = memref.load %y[%at] : memref<4xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %z[%v] : memref<4xf32>
    }
  }
  return
}
func.func private @twice(%x: memref<4xf32> {loop.name = "x"}, %z: memref<4xf32> {loop.name = "z"}) {
  func.call @sum(%x, %x, %z) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
func.func @main(%A: memref<4xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B", loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  func.call @twice(%A, %T) : (memref<4xf32>, memref<4xf32>) -> ()
  func.call @sum(%T, %T, %B) {no_inline} : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  return
}
