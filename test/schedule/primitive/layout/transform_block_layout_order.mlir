// RUN: lw-opt %s --sched-transform-block-layout='block=B index_map="(i, j) -> (i * 6 + j)"' | FileCheck %s

// Which element an instance writes depends on data. The map keeps the order of the instances.
// CHECK-LABEL: func.func @in_order
// CHECK:         loop.for serial %ax0 in 24 {
// CHECK-NEXT:      loop.block "B" [%v0: spatial 24] = (%ax0)
func.func @in_order(%I: memref<4x6xi32>, %O: memref<24xi32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "B" [%v: spatial 4, %w: spatial 6] = (%i, %j) reads(%I[%v : 1, %w : 1]) writes(%O[0 : 24]) {
        %a = memref.load %I[%v, %w] : memref<4x6xi32>
        %at = arith.index_cast %a : i32 to index
        %n = arith.index_cast %w : index to i32
        memref.store %n, %O[%at] : memref<24xi32>
      }
    }
  }
  return
}
