// RUN: lw-opt %s --sched-split='loop=B:j factors=4,16' | FileCheck %s

// The example of the source document.
// CHECK:      loop.for serial %i in 32 {
// CHECK-NEXT:   loop.for serial %j.0 in 4 axis(tile_outer from "j" pair "j.1") {
// CHECK-NEXT:     loop.for serial %j.1 in 16 axis(tile_inner from "j" pair "j.0") {
// CHECK-NEXT:       loop.block "B" [%i0: spatial 32, %i1: spatial 64] = (%i, %j.0 * 16 + %j.1)
// CHECK-NOT:        where
func.func @exact(%A: memref<32x64xf32>, %B: memref<32x64xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "B" [%i0: spatial 32, %i1: spatial 64] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %0 = memref.load %A[%i0, %i1] : memref<32x64xf32>
        memref.store %0, %B[%i0, %i1] : memref<32x64xf32>
      }
    }
  }
  return
}
