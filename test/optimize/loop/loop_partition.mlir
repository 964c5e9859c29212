// RUN: lw-opt %s --loop-partition --split-input-file --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --loop-partition=most-copies=1 --split-input-file --mlir-print-local-scope | FileCheck %s --check-prefix=ONCE

// ONCE-LABEL: func.func @tiles(
// ONCE:         loop.for serial %i in 7 {
// ONCE:             where(
// ONCE-NOT:     .tail"
// ONCE:         return
// CHECK-LABEL: func.func @tiles(
// CHECK:         loop.for serial %i in 6 {
// CHECK-NEXT:      loop.for serial %j in 16 {
// CHECK-NEXT:        loop.block "B" [%v: spatial 100] = (%i * 16 + %j)
// CHECK-NOT:             where
// CHECK:         loop.for serial %i.tail in 1 axis(tail from "i") {
// CHECK-NEXT:      loop.for serial %j in min
// CHECK-NEXT:        loop.block "B.tail" [%v: spatial 100] = (%j + %i.tail * 16 + 96)
// CHECK-NOT:             where
func.func @tiles(%A: memref<100xf32>, %B: memref<100xf32>) {
  loop.for serial %i in 7 {
    loop.for serial %j in 16 {
      loop.block "B" [%v: spatial 100] = (%i * 16 + %j) where(-%i * 16 - %j + 99 >= 0)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<100xf32>
        memref.store %a, %B[%v] : memref<100xf32>
      }
    }
  }
  return
}

// -----

// The extent and the bound of the guard are sizes; the tiles are vectors, and so is the rest.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         loop.for serial %i in min affine_map<()[s0] -> (s0 ceildiv 16, s0 floordiv 16)>()[%[[N:.*]]] {
// CHECK-NEXT:      loop.for vectorize %j in 16 {
// CHECK-NEXT:        loop.block "B" [%v: spatial %[[N]]] = (%i * 16 + %j)
// CHECK-NOT:             where
// CHECK:         loop.for serial %i.tail in affine_map<()[s0] -> (-(s0 floordiv 16) + s0 ceildiv 16)>()[%[[N]]]
// CHECK-NEXT:      loop.for vectorize %j in 16 {
// CHECK-NEXT:        loop.block "B.tail"
// CHECK-NEXT:            where(
func.func @dynamic(%A: memref<?xf32>, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in affine_map<()[s0] -> (s0 ceildiv 16)>()[%n] {
    loop.for vectorize %j in 16 {
      loop.block "B" [%v: spatial %n] = (%i * 16 + %j) where(-%i * 16 - %j + %n - 1 >= 0)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// An extent is a guard too. The iterations of a parallel loop stay together.
// CHECK-LABEL: func.func @parallel(
// CHECK:         loop.for parallel %i in affine_map<()[s0] -> (s0 ceildiv 16)>()[%[[N:.*]]] {
// CHECK-NEXT:      loop.if (-%i + symbol(%[[N]]) floordiv 16 - 1 >= 0) {
// CHECK-NEXT:        loop.for serial %j in 16 {
// CHECK-NEXT:          loop.block "B"
// CHECK:           } else {
// CHECK-NEXT:        loop.for serial %j in min affine_map<(d0)[s0] -> (16, d0 * -16 + s0)>(%i)[%[[N]]] {
// CHECK-NEXT:          loop.block "B.tail"
func.func @parallel(%A: memref<?xf32>, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for parallel %i in affine_map<()[s0] -> (s0 ceildiv 16)>()[%n] {
    loop.for serial %j in min affine_map<(d0)[s0] -> (16, -d0 * 16 + s0)>(%i)[%n] {
      loop.block "B" [%v: spatial %n] = (%i * 16 + %j) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// A padded window.
// CHECK-LABEL: func.func @window(
// CHECK:         loop.for serial %i in 1 axis(tail from "i") {
// CHECK:             loop.block "B" [
// CHECK:               loop.if (%v + %vk - 1 >= 0) -> f32 {
// CHECK:         loop.for serial %i.tail in 54 {
// CHECK:             loop.block "B.tail" [
// CHECK-SAME:            = (%i.tail + 1, %k, %c)
// CHECK-NOT:           loop.if
// CHECK:         loop.for serial %i.tail.tail in 1 axis(tail from "i.tail") {
// CHECK:             loop.block "B.tail.tail" [
// CHECK:               loop.if (-%v - %vk + 56 >= 0) -> f32 {
func.func @window(%A: memref<56x8xf32>, %B: memref<56x8xf32>) {
  loop.for serial %i in 56 {
    loop.for serial %k in 3 {
      loop.for vectorize %c in 8 {
        loop.block "B" [%v: spatial 56, %vk: reduce 3, %vc: spatial 8] = (%i, %k, %c)
            reads(%A[%v + %vk - 1 : 1, %vc : 1]) writes(%B[%v : 1, %vc : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v, %vc] : memref<56x8xf32>
          }
          %zero = arith.constant 0.0 : f32
          %x = loop.if (%v + %vk - 1 >= 0, -%v - %vk + 56 >= 0) -> (f32) {
            %at = affine.apply affine_map<(d0, d1) -> (d0 + d1 - 1)>(%v, %vk)
            %a = memref.load %A[%at, %vc] : memref<56x8xf32>
            loop.yield %a : f32
          } else {
            loop.yield %zero : f32
          }
          %old = memref.load %B[%v, %vc] : memref<56x8xf32>
          %new = arith.addf %old, %x : f32
          memref.store %new, %B[%v, %vc] : memref<56x8xf32>
        }
      }
    }
  }
  return
}

// -----

// A reduction loop: its second part continues the reduction.
// CHECK-LABEL: func.func @reduction(
// CHECK:         loop.for serial %k.0 in 6 {
// CHECK-NEXT:      loop.for serial %k.1 in 16 {
// CHECK-NEXT:        loop.block "S" [%vk: reduce 100] = (%k.0 * 16 + %k.1)
// CHECK-NOT:             where
// CHECK:               loop.init
// CHECK:         loop.for serial %k.0.tail in 1
// CHECK:             loop.block "S.tail"
// CHECK-NEXT:            reads(%{{.*}}[%vk : 1], %{{.*}}[])
// CHECK-NOT:           loop.init
// CHECK:         return
func.func @reduction(%A: memref<100xi32>, %S: memref<i32>) {
  loop.for serial %k.0 in 7 {
    loop.for serial %k.1 in 16 {
      loop.block "S" [%vk: reduce 100] = (%k.0 * 16 + %k.1) where(-%k.0 * 16 - %k.1 + 99 >= 0)
          reads(%A[%vk : 1]) writes(%S[]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[] : memref<i32>
        }
        %a = memref.load %A[%vk] : memref<100xi32>
        %s = memref.load %S[] : memref<i32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %S[] : memref<i32>
      }
    }
  }
  return
}

// -----

// A thread evaluates the guard four times; only one thread block needs it. A guard evaluated once is not hoisted.
// CHECK-LABEL: func.func @bound(
// CHECK:         loop.for thread_bind[blockIdx.x] %b in 4 {
// CHECK-NEXT:      loop.if (-%b + 2 >= 0) {
// CHECK-NEXT:        loop.for thread_bind[threadIdx.x] %t in 64 {
// CHECK-NEXT:          loop.for serial %u in 4 {
// CHECK-NEXT:            loop.block "B" [%v: spatial 1000] = (%b * 256 + %u * 64 + %t)
// CHECK-NOT:                 where
// CHECK:           } else {
// CHECK-NEXT:        loop.for thread_bind[threadIdx.x] %t in 64 {
// CHECK-NEXT:          loop.for serial %u in 3 {
// CHECK-NEXT:            loop.block "B.tail" [%v: spatial 1000] = (%u * 64 + %t + 768)
// CHECK-NOT:                 where
// CHECK:               loop.for serial %u.tail in 1 axis(tail from "u") {
// CHECK-NEXT:            loop.block "B.tail.tail" [%v: spatial 1000] = (%t + %u.tail * 64 + 960)
// CHECK-NEXT:                where(-%t - %u.tail * 64 + 39 >= 0)
// CHECK:         loop.for thread_bind[blockIdx.x] %b in 4 {
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %t in 256 {
// CHECK-NEXT:        loop.block "C"
// CHECK-NEXT:            where(
func.func @bound(%A: memref<1000xf32>, %B: memref<1000xf32>) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.for serial %u in 4 {
        loop.block "B" [%v: spatial 1000] = (%b * 256 + %u * 64 + %t) where(-%b * 256 - %u * 64 - %t + 999 >= 0)
            reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<1000xf32>
          memref.store %a, %B[%v] : memref<1000xf32>
        }
      }
    }
  }
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.block "C" [%v: spatial 1000] = (%b * 256 + %t) where(-%b * 256 - %t + 999 >= 0)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<1000xf32>
        memref.store %a, %B[%v] : memref<1000xf32>
      }
    }
  }
  return
}

// -----

// Only the iterations that satisfy the guard remain: the triangle needs no second part.
// ONCE-LABEL: func.func @triangle(
// ONCE:         loop.for serial %j in min
// CHECK-LABEL: func.func @triangle(
// CHECK:         loop.for serial %i in 8 {
// CHECK-NEXT:      loop.for serial %j in min affine_map<(d0) -> (d0 + 1, 8)>(%i) {
// CHECK-NEXT:        loop.block "B"
// CHECK-NOT:     loop.for
// CHECK:         return
func.func @triangle(%A: memref<8x8xf32>, %B: memref<8x8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.if (%i - %j >= 0) {
        loop.block "B" [%v: spatial 8, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<8x8xf32>
          memref.store %a, %B[%v, %w] : memref<8x8xf32>
        }
      }
    }
  }
  return
}

// -----

// (C1) equality, a remainder; (C2) a bound that may be negative; (C5) annotations, a rest; (C6) the larger part has
// the guard, or the bound differs: unchanged.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-6: where(
// CHECK-NOT:     .tail"
// CHECK:         return
func.func @others(%A: memref<100xf32>, %B: memref<100xf32>, %n: index) {
  loop.for serial %i in 100 {
    loop.block "C1" [%v: spatial 100] = (%i) where(%i - 5 == 0)
        reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
  }
  loop.for serial %i in 100 {
    loop.block "C1_1" [%v: spatial 100] = (%i) where(-(%i mod 8) + 5 >= 0)
        reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
  }
  loop.for serial %i in 100 {
    loop.block "C2" [%v: spatial 100] = (%i) where(-%i + %n - 5 >= 0)
        reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
  }
  loop.for serial %i in 100 attributes {loop.annotations = {keep = true}} {
    loop.block "C5" [%v: spatial 100] = (%i) where(-%i + 90 >= 0)
        reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
  }
  loop.for serial %i in 100 axis(tail from "k") {
    loop.block "C5_1" [%v: spatial 100] = (%i) where(-%i + 90 >= 0)
        reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
  }
  loop.for serial %i in 100 {
    loop.block "C6" [%v: spatial 100] = (%i) where(-%i + 20 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
    loop.block "C6_1" [%v: spatial 100] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
  }
  return
}

// -----

// (C3) The start is in the part with the guard, which may be empty; the loop also distinguishes points.
// CHECK-LABEL: func.func @starts(
// CHECK-COUNT-2: where(
// CHECK-NOT:     .tail"
// CHECK:         return
func.func @starts(%A: memref<200xi32>, %S: memref<200xi32>, %n: index) {
  loop.for serial %k in 100 {
    loop.for serial %l in 2 {
      loop.block "S" [%vk: reduce 100, %vl: reduce 2] = (%k, %l) where(-%k - %l + %n >= 0)
          reads(%A[%vk + %vl : 1]) writes(%S[0 : 1]) reducer(add, 0) {
        loop.init {
          %c0 = arith.constant 0 : index
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[%c0] : memref<200xi32>
        }
        %c0 = arith.constant 0 : index
        %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%vk, %vl)
        %a = memref.load %A[%at] : memref<200xi32>
        %s = memref.load %S[%c0] : memref<200xi32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %S[%c0] : memref<200xi32>
      }
    }
  }
  loop.for serial %f in 200 {
    loop.for serial %l in 2 {
      loop.block "T" [%v: spatial 20, %vk: reduce 10] = (%f floordiv 10, %f mod 10) where(-%f - %l + 190 >= 0)
          reads(%A[%vk : 1]) writes(%S[%v : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[%v] : memref<200xi32>
        }
        %a = memref.load %A[%vk] : memref<200xi32>
        %s = memref.load %S[%v] : memref<200xi32>
        %r = arith.addi %s, %a : i32
        memref.store %r, %S[%v] : memref<200xi32>
      }
    }
  }
  return
}

// -----

// (C4) The threads of a block; (C5) a kernel.
// CHECK-LABEL: func.func @threads(
// CHECK-COUNT-2: where(
// CHECK-NOT:     .tail"
// CHECK:         return
func.func @threads(%A: memref<100xf32>, %B: memref<100xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 100 {
    loop.block "C4" [%v: spatial 100] = (%i) where(-%i + 90 >= 0)
        reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
  }
  loop.for serial %i in 100 {
    loop.block "C5" [%v: spatial 100] = (%i) where(-%i + 90 >= 0)
        reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xf32>
      memref.store %a, %B[%v] : memref<100xf32>
    }
  }
  return
}

// -----

// Two guards; the one that is evaluated for the whole loop holds for more iterations: the rest is unchanged.
// CHECK-LABEL: func.func @two_guards(
// CHECK:         loop.for serial %i in 1
// CHECK:         loop.for serial %i.tail in
// CHECK:           loop.block "B.tail"
func.func @two_guards(%A: memref<13xf32>, %B: memref<13xf32>) {
  loop.for serial %i in 16 {
    loop.for serial %j in 10 {
      loop.block "B" [%v: spatial 13] = (%i * 10 + %j) where(%i * -10 - %j + 12 >= 0, -%i + 1 >= 0)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<13xf32>
        memref.store %a, %B[%v] : memref<13xf32>
      }
    }
  }
  return
}

// -----

// (C5) Nothing in a vectorized loop is partitioned.
// CHECK-LABEL: func.func @in_lanes(
// CHECK:         loop.for vectorize %v
// CHECK-NEXT:      loop.for serial %i in 4
// CHECK-NOT:     tail
func.func @in_lanes(%A: memref<8x100xf32>, %B: memref<8x100xf32>) {
  loop.for vectorize %v in 8 {
    loop.for serial %i in 4 {
      loop.for serial %j in 32 {
        loop.block "B" [%w: spatial 8, %u: spatial 100] = (%v, %i * 32 + %j) where(%i * -32 - %j + 99 >= 0)
            reads(%A[%w : 1, %u : 1]) writes(%B[%w : 1, %u : 1]) {
          %a = memref.load %A[%w, %u] : memref<8x100xf32>
          memref.store %a, %B[%w, %u] : memref<8x100xf32>
        }
      }
    }
  }
  return
}

// -----

// (C3) If no iteration may remain, no part has the start values; a sum over other points would have other start values.
// CHECK-LABEL: func.func @c3_start(
// CHECK:         loop.for serial %k in %arg0 {
// CHECK-LABEL: func.func @c3_places(
// CHECK:         loop.for serial %k in 12 {
func.func @c3_start(%n: index, %m: index, %A: memref<?xi32>, %S: memref<1xi32> {loop.result}) {
  loop.for serial %k in %n {
    loop.block "S" [%v: spatial 1, %r: reduce %n] = (0, %k) where(-%k + symbol(%m) - 1 >= 0)
        reads(%A[%r : 1]) writes(%S[%v : 1]) reducer(add, 0) {
      loop.init {
        %z = arith.constant 0 : i32
        memref.store %z, %S[%v] : memref<1xi32>
      }
      %a = memref.load %A[%r] : memref<?xi32>
      %s = memref.load %S[%v] : memref<1xi32>
      %t = arith.addi %a, %s : i32
      memref.store %t, %S[%v] : memref<1xi32>
    }
  }
  return
}
func.func @c3_places(%A: memref<12xi32>, %S: memref<3xi32> {loop.result}) {
  loop.for serial %k in 12 {
    loop.block "S" [%v: spatial 3, %r: reduce 4] = (%k floordiv 4, %k mod 4) where(-%k + 9 >= 0)
        reads(%A[%v * 4 + %r : 1]) writes(%S[%v : 1]) reducer(add, 0) {
      loop.init {
        %z = arith.constant 0 : i32
        memref.store %z, %S[%v] : memref<3xi32>
      }
      %at = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%v, %r)
      %a = memref.load %A[%at] : memref<12xi32>
      %s = memref.load %S[%v] : memref<3xi32>
      %t = arith.addi %a, %s : i32
      memref.store %t, %S[%v] : memref<3xi32>
    }
  }
  return
}

// -----

// (C1) The rest of a guard also depends on the loop.
// CHECK-LABEL: func.func @c1_twice(
// CHECK-NOT:     .tail
func.func @c1_twice(%B: memref<12xf32> {loop.result}) {
  loop.for serial %i in 12 {
    loop.for serial %j in 2 {
      loop.if (-%i - %i floordiv 2 + 9 >= 0) {
        loop.block "B" [%v: spatial 12] = (%i) writes(%B[%v : 1]) {
          %a = arith.constant 1.0 : f32
          memref.store %a, %B[%v] : memref<12xf32>
        }
      }
    }
  }
  return
}

// -----

// (C2) Sizes determine where it begins to hold, perhaps below 0.
// CHECK-LABEL: func.func @c2_from(
// CHECK-NOT:     .tail
func.func @c2_from(%n: index, %m: index, %p: index, %B: memref<?xf32> {loop.result}) {
  loop.for serial %i in %n {
    loop.for serial %j in 2 {
      loop.if (%i - symbol(%m) + symbol(%p) >= 0) {
        loop.block "B" [%v: spatial %n] = (%i) writes(%B[%v : 1]) {
          %a = arith.constant 1.0 : f32
          memref.store %a, %B[%v] : memref<?xf32>
        }
      }
    }
  }
  return
}

// -----

// (C5) Threads in lanes, in the loop.
// CHECK-LABEL: func.func @c5_threads_in_lanes(
// CHECK-NOT:     .tail
func.func @c5_threads_in_lanes(%B: memref<100xf32> {loop.result}) {
  loop.for serial %i in 7 {
    loop.for vectorize %l in 4 {
      loop.for parallel %t in 4 {
        loop.block "B" [%v: spatial 100] = (%i * 16 + %l * 4 + %t) where(-%i * 16 - %l * 4 - %t + 99 >= 0) writes(%B[%v : 1]) {
          %a = arith.constant 1.0 : f32
          memref.store %a, %B[%v] : memref<100xf32>
        }
      }
    }
  }
  return
}

// -----

// (C7) Guards with different bounds create four copies of a schedule block, and not more.
// CHECK-LABEL: func.func @c7_most(
// CHECK-COUNT-4: loop.block "B
// CHECK-NOT:     loop.block "B
func.func @c7_most(%B: memref<64xf32> {loop.result}) {
  loop.for serial %i in 64 {
    loop.block "B" [%v: spatial 64] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      %two = arith.constant 2.0 : f32
      %a = loop.if (-%v + 50 >= 0) -> (f32) { loop.yield %one : f32 } else { loop.yield %two : f32 }
      %b = loop.if (-%v + 53 >= 0) -> (f32) { loop.yield %a : f32 } else { loop.yield %two : f32 }
      %c = loop.if (-%v + 56 >= 0) -> (f32) { loop.yield %b : f32 } else { loop.yield %one : f32 }
      %d = loop.if (%v - 8 >= 0) -> (f32) { loop.yield %c : f32 } else { loop.yield %two : f32 }
      %e = loop.if (%v - 5 >= 0) -> (f32) { loop.yield %d : f32 } else { loop.yield %one : f32 }
      memref.store %e, %B[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// (C3) The sum starts in the last iteration, which would be in the other part.
// CHECK-LABEL: func.func @c3_starts_late(
// CHECK-NOT:     .tail
func.func @c3_starts_late(%A: memref<30xi32>, %B: memref<i32> {loop.result}) {
  loop.for serial %k in 4 {
    loop.for serial %l in 8 {
      loop.block "R" [%v: reduce 30] = (-%k * 8 - %l + 29) where(-%k * 8 - %l + 29 >= 0) reads(%A[%v : 1]) writes(%B[]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %B[] : memref<i32>
        }
        %x = memref.load %A[%v] : memref<30xi32>
        %y = memref.load %B[] : memref<i32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %B[] : memref<i32>
      }
    }
  }
  return
}

// -----

// A guard in a body is not evaluated again inside the branch that it controls.
// CHECK-LABEL: func.func @guard_in_a_body_of_a_branch(
// CHECK:         loop.for parallel %j.0 in 7 {
// CHECK-NEXT:      loop.if (%j.0 - 1 >= 0) {
// CHECK-NEXT:        loop.if (-%j.0 + 5 >= 0) {
// CHECK:               loop.block "gb" [
// CHECK-NOT:             loop.if
// CHECK:             } else {
// CHECK:               loop.block "gb.tail" [
// CHECK:                 loop.if (-%v + 17 >= 0) -> i8 {
// CHECK:             loop.if (5 >= 0) {
// CHECK:               loop.block "gb.tail_1" [
// CHECK:                 loop.if (%v - 1 >= 0) -> i8 {
// CHECK:             } else {
// CHECK:               loop.block "gb.tail.tail" [
func.func @guard_in_a_body_of_a_branch(%A: memref<17xi8>, %B: memref<20xi8>) {
  loop.for parallel %j.0 in 7 {
    loop.for serial %j.1 in 3 {
      loop.block "gb" [%v: spatial 20] = (%j.0 * 3 + %j.1) where(%j.0 * -3 - %j.1 + 19 >= 0) reads(%A[%v - 1 : 1]) writes(%B[%v : 1]) {
        %x = loop.if (%v - 1 >= 0, -%v + 17 >= 0) -> i8 {
          %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
          %a = memref.load %A[%u] : memref<17xi8>
          loop.yield %a : i8
        } else {
          %c = arith.constant 0 : i8
          loop.yield %c : i8
        }
        memref.store %x, %B[%v] : memref<20xi8>
      }
    }
  }
  return
}
