// RUN: lw-opt %s --sched-decompose-padding='block=plain loop=plain:i' --sched-decompose-padding='block=dynamic loop=dynamic:j' \
// RUN:   --sched-decompose-padding='block=two loop=two:i' --sched-split='loop=tiles:i factors=-1,4' --sched-vectorize=loop=tiles:j \
// RUN:   --sched-decompose-padding='block=tiles loop=tiles:i.1' --sched-decompose-padding='block=after loop=after:i' \
// RUN:   --sched-decompose-padding='block=ends loop=ends:i' --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-decompose-padding='block=plain loop=plain:i' \
// RUN:   --sched-decompose-padding='block=dynamic loop=dynamic:j' --sched-decompose-padding='block=two loop=two:i' \
// RUN:   --sched-split='loop=tiles:i factors=-1,4' --sched-vectorize=loop=tiles:j --sched-decompose-padding='block=tiles loop=tiles:i.1' \
// RUN:   --sched-decompose-padding='block=after loop=after:i' --sched-decompose-padding='block=ends loop=ends:i' -o /dev/null 2>&1 | count 0

// CHECK-LABEL: func.func @plain(
// CHECK:         loop.for parallel %i in 35 {
// CHECK-NEXT:      loop.block "plain__fill" [%v: spatial 35] = (%i)
// CHECK-NEXT:          writes(%[[B:.*]][%v : 1]) {
// CHECK-NEXT:        %[[C:.*]] = arith.constant 2.0
// CHECK-NEXT:        memref.store %[[C]], %[[B]][%v]
// CHECK:         loop.for parallel %i in 32 {
// CHECK-NEXT:      loop.block "plain" [%v: spatial 35] = (%i + 1)
// CHECK-NEXT:          reads(%{{.*}}[%v - 1 : 1]) writes(%[[B]][%v : 1]) {
// CHECK-NOT:         loop.if
func.func @plain(%A: memref<32xf32>, %B: memref<35xf32>) {
  loop.for parallel %i in 35 {
    loop.block "plain" [%v: spatial 35] = (%i) reads(%A[%v - 1 : 1]) writes(%B[%v : 1]) {
      %x = loop.if (%v - 1 >= 0, -%v + 32 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<32xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 2.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<35xf32>
    }
  }
  return
}

// An inner loop, the end of which is a size.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         loop.for serial %i in 6 {
// CHECK-NEXT:      loop.for serial %j in affine_map<()[s0] -> (s0 + 3)>()[%[[N:.*]]] {
// CHECK-NEXT:        loop.block "dynamic__fill" {{.*}} = (%i, %j)
// CHECK-NEXT:            where(-%j + symbol(%[[M:.*]]) - 1 >= 0)
// CHECK:           loop.for serial %j in %[[N]] {
// CHECK-NEXT:        loop.block "dynamic" {{.*}} = (%i, %j + 3)
// CHECK-NEXT:            where(-%j + symbol(%[[M]]) - 4 >= 0, %i - 1 >= 0, -%i + 4 >= 0)
func.func @dynamic(%A: memref<4x?xf32>, %B: memref<6x?xf32>) {
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c1 : memref<4x?xf32>
  %m = memref.dim %B, %c1 : memref<6x?xf32>
  loop.for serial %i in 6 {
    loop.for serial %j in affine_map<()[s0] -> (s0 + 3)>()[%n] {
      loop.block "dynamic" [%v: spatial 6, %w: spatial symbol(%n) + 3] = (%i, %j) where(-%j + symbol(%m) - 1 >= 0)
          reads(%A[%v - 1 : 1, %w - 3 : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = loop.if (%v - 1 >= 0, -%v + 4 >= 0, %w - 3 >= 0) -> f32 {
          %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
          %t = affine.apply affine_map<(d0) -> (d0 - 3)>(%w)
          %a = memref.load %A[%u, %t] : memref<4x?xf32>
          loop.yield %a : f32
        } else {
          %c = arith.constant 0.0 : f32
          loop.yield %c : f32
        }
        memref.store %x, %B[%v, %w] : memref<6x?xf32>
      }
    }
  }
  return
}

// Ops after the branch are applied to both values. A condition on two loops is kept as one.
// CHECK-LABEL: func.func @two(
// CHECK:         loop.block "two__fill"
// CHECK:           %[[I:.*]] = arith.index_cast %w
// CHECK-NEXT:      %[[S:.*]] = arith.addi %[[I]]
// CHECK-NEXT:      memref.store %[[S]]
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.for serial %j in 6 {
// CHECK-NEXT:        loop.block "two" {{.*}} = (%i, %j)
// CHECK-NEXT:            where(%i - %j >= 0)
// CHECK:               %[[A:.*]] = memref.load
// CHECK-NEXT:          %[[P:.*]] = arith.muli %[[A]]
// CHECK-NEXT:          %[[Q:.*]] = arith.addi %[[P]]
// CHECK-NEXT:          memref.store %[[Q]]
func.func @two(%A: memref<8x8xi32>, %B: memref<8x8xi32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.block "two" [%v: spatial 8, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %seven = arith.constant 7 : i32
        %x = loop.if (%v - %w >= 0, -%w + 5 >= 0) -> i32 {
          %a = memref.load %A[%v, %w] : memref<8x8xi32>
          %b = arith.muli %a, %seven : i32
          loop.yield %b : i32
        } else {
          %k = arith.index_cast %w : index to i32
          loop.yield %k : i32
        }
        %y = arith.addi %x, %seven : i32
        memref.store %y, %B[%v, %w] : memref<8x8xi32>
      }
    }
  }
  return
}

// Tiles and lanes: the block's predicate gives the range with data.
// CHECK-LABEL: func.func @tiles(
// CHECK:         loop.for serial %i.0 in 4
// CHECK-NEXT:      loop.for serial %i.1 in 4
// CHECK-NEXT:        loop.for vectorize %j in 8 {
// CHECK-NEXT:          loop.block "tiles__fill"
// CHECK:           loop.for serial %i.1 in 4
// CHECK-NEXT:        loop.for vectorize %j in 8 {
// CHECK-NEXT:          loop.block "tiles"
// CHECK-NEXT:              where(%i.0 * 4 + %i.1 - 1 >= 0, %i.0 * -4 - %i.1 + 14 >= 0, %j - 2 >= 0)
func.func @tiles(%A: memref<14x8xf32>, %B: memref<16x8xf32>) {
  loop.for serial %i in 16 {
    loop.for serial %j in 8 {
      loop.block "tiles" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v - 1 : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = loop.if (%v - 1 >= 0, -%v + 14 >= 0, %w - 2 >= 0) -> f32 {
          %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
          %a = memref.load %A[%u, %w] : memref<14x8xf32>
          loop.yield %a : f32
        } else {
          %c = arith.constant 0.0 : f32
          loop.yield %c : f32
        }
        memref.store %x, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

// Another statement in the loop keeps it unchanged.
// CHECK-LABEL: func.func @after(
// CHECK:         loop.for serial %i in 6 {
// CHECK-NEXT:      loop.block "after__fill"
// CHECK:         loop.for serial %i in 6 {
// CHECK-NEXT:      loop.block "after" {{.*}} = (%i)
// CHECK-NEXT:          where(%i - 2 >= 0)
// CHECK:           loop.block "other"
func.func @after(%A: memref<4xf32>, %B: memref<6xf32>, %C: memref<6xf32>) {
  loop.for serial %i in 6 {
    loop.block "after" [%v: spatial 6] = (%i) reads(%A[%v - 2 : 1]) writes(%B[%v : 1]) {
      %x = loop.if (%v - 2 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 2)>(%v)
        %a = memref.load %A[%u] : memref<4xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
    loop.block "other" [%v: spatial 6] = (%i) writes(%C[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %C[%v] : memref<6xf32>
    }
  }
  return
}

// Only padding.
// CHECK-LABEL: func.func @ends(
// CHECK:         loop.block "ends__fill"
// CHECK:         loop.for serial %i in 0 {
// CHECK-NEXT:      loop.block "ends"
func.func @ends(%A: memref<4xf32>, %B: memref<6xf32>) {
  loop.for serial %i in 6 {
    loop.block "ends" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[%v : 1]) {
      %x = loop.if (%v - 7 >= 0) -> f32 {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%c0] : memref<4xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  return
}
