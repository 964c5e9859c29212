// RUN: lw-opt %s --sched-parallel=loop=S0:i --sched-parallel=loop=sum:i --sched-parallel=loop=tiles:i.0 \
// RUN:   --sched-parallel=loop=fused:f --sched-parallel=loop=dynamic:f --sched-parallel=loop=gather:i \
// RUN:   --sched-parallel=loop=in_place:i --sched-parallel=loop=cell:i --sched-parallel=loop=row:i \
// RUN:   --sched-parallel=loop=both:j --sched-parallel=loop=both:i --sched-parallel=loop=tail:i \
// RUN:   --sched-parallel=loop=reads:i | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<()[s0] -> (s0 * 4)>

// The example of the source document.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for parallel %i in 32 {
// CHECK-NEXT:     loop.for serial %j in 32 {
// CHECK-NEXT:       loop.block "S0" [%i0: spatial 32, %i1: spatial 32] = (%i, %j)
func.func @s0(%A: memref<32x32xf32>, %B: memref<32x32xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.block "S0" [%i0: spatial 32, %i1: spatial 32] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %0 = memref.load %A[%i0, %i1] : memref<32x32xf32>
        memref.store %0, %B[%i0, %i1] : memref<32x32xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @parallel_around_reduction
// CHECK:        loop.for parallel %i in 8 {
// CHECK-NEXT:     loop.for serial %k in 6 {
// CHECK-NEXT:       loop.block "sum" [%v: spatial 8, %vk: reduce 6] = (%i, %k)
func.func @parallel_around_reduction(%A: memref<8x6xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %k in 6 {
      loop.block "sum" [%v: spatial 8, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(ordered) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<8xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<8x6xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %s = arith.subf %b, %a : f32
        memref.store %s, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// The outer part of a split, with a predicate for the last.
// CHECK-LABEL: func.func @parallel_tiles
// CHECK:        loop.for parallel %i.0 in 4 {
// CHECK-NEXT:     loop.for serial %i.1 in 8 {
// CHECK-NEXT:       loop.block "tiles" [%v: spatial 30] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:           where(-(%i.0 * 8 + %i.1) + 29 >= 0) {
func.func @parallel_tiles() {
  loop.for serial %i.0 in 4 {
    loop.for serial %i.1 in 8 {
      loop.block "tiles" [%v: spatial 30] = (%i.0 * 8 + %i.1) where(%i.0 * 8 + %i.1 < 30) {}
    }
  }
  return
}

// Quotient and remainder together are injective.
// CHECK-LABEL: func.func @parallel_fused
// CHECK:        loop.for parallel %f in 32 {
// CHECK-NEXT:     loop.block "fused" [%v: spatial 4, %w: spatial 8] = (%f floordiv 8, %f mod 8) {
func.func @parallel_fused() {
  loop.for serial %f in 32 {
    loop.block "fused" [%v: spatial 4, %w: spatial 8] = (%f floordiv 8, %f mod 8) {}
  }
  return
}

// CHECK-LABEL: func.func @parallel_fused_dynamic
// CHECK:        loop.for parallel %f in #[[MAP0]]()[%arg0] {
// CHECK-NEXT:     loop.block "dynamic" [%v: spatial 4, %w: spatial %arg0] = (%f floordiv symbol(%arg0), %f mod symbol(%arg0)) {
func.func @parallel_fused_dynamic(%n: index) {
  loop.for serial %f in affine_map<()[s0] -> (s0 * 4)>()[%n] {
    loop.block "dynamic" [%v: spatial 4, %w: spatial %n] = (%f floordiv symbol(%n), %f mod symbol(%n)) {}
  }
  return
}

// The read may be at any index.
// CHECK-LABEL: func.func @parallel_gather
// CHECK:        loop.for parallel %i in 8 {
// CHECK-NEXT:     loop.block "gather" [%v: spatial 8] = (%i)
func.func @parallel_gather(%I: memref<8xi32>, %A: memref<16xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "gather" [%v: spatial 8] = (%i) reads(%I[%v : 1], %A[*]) writes(%B[%v : 1]) {
      %i32 = memref.load %I[%v] : memref<8xi32>
      %at = arith.index_cast %i32 : i32 to index
      %a = memref.load %A[%at] : memref<16xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @parallel_update_in_place
// CHECK:        loop.for parallel %i in 8 {
// CHECK-NEXT:     loop.block "in_place" [%v: spatial 8] = (-%i + 7)
func.func @parallel_update_in_place(%A: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "in_place" [%v: spatial 8] = (7 - %i) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %A[%v] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @parallel_inside_nested_block
// CHECK:        loop.for serial %o in 4 {
// CHECK-NEXT:     loop.block "outer" [%vo: spatial 4] = (%o)
// CHECK:            loop.for parallel %i in 8 {
// CHECK-NEXT:         loop.block "cell" [%v: spatial 32] = (%vo * 8 + %i)
func.func @parallel_inside_nested_block(%B: memref<32xf32>) {
  loop.for serial %o in 4 {
    loop.block "outer" [%vo: spatial 4] = (%o) writes(%B[0 : 32]) {
      loop.for serial %i in 8 {
        loop.block "cell" [%v: spatial 32] = (%vo * 8 + %i) writes(%B[%v : 1]) {
          %c = arith.constant 1.0 : f32
          memref.store %c, %B[%v] : memref<32xf32>
        }
      }
    }
  }
  return
}

// A column is one element if its dimension has size 1.
// CHECK-LABEL: func.func @parallel_dimension_of_one
// CHECK:        loop.for parallel %i in 8 {
// CHECK-NEXT:     loop.block "row" [%v: spatial 8, %w: spatial 1] = (%i, 0)
func.func @parallel_dimension_of_one(%B: memref<8x1xf32>) {
  loop.for serial %i in 8 {
    loop.block "row" [%v: spatial 8, %w: spatial 1] = (%i, 0) writes(%B[%v : 1, 0 : 1]) {
      %c0 = arith.constant 0 : index
      %c = arith.constant 1.0 : f32
      memref.store %c, %B[%v, %c0] : memref<8x1xf32>
    }
  }
  return
}

// Inside and outside another parallel loop: the threads share the outer one, whose iterations run the inner one.
// CHECK-LABEL: func.func @parallel_in_parallel
// CHECK:        loop.for parallel %i in 8 {
// CHECK-NEXT:     loop.for parallel %j in 6 {
// CHECK-NEXT:       loop.block "both" [%v: spatial 8, %w: spatial 6] = (%i, %j) {
func.func @parallel_in_parallel() {
  loop.for serial %i in 8 {
    loop.for serial %j in 6 { loop.block "both" [%v: spatial 8, %w: spatial 6] = (%i, %j) {} }
  }
  return
}

// Overlapping tiles, one after the other, in each iteration.
// CHECK-LABEL: func.func @parallel_around_shifted_tiles
// CHECK:        loop.for parallel %i in 8 {
// CHECK-NEXT:     loop.for serial %j.0 in 2 {
func.func @parallel_around_shifted_tiles(%B: memref<8x6xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j.0 in 2 {
      loop.for serial %j.1 in 4 {
        loop.block "tail" [%v: spatial 8, %w: spatial 6] = (%i, %j.0 * 2 + %j.1) writes(%B[%v : 1, %w : 1]) {
          %c = arith.constant 1.0 : f32
          memref.store %c, %B[%v, %w] : memref<8x6xf32>
        }
      }
    }
  }
  return
}

// Iterations of %i overlap in %T, but each iteration has its own instance.
// CHECK-LABEL: func.func @own_parts_overlap
// CHECK:        loop.for parallel %i in 4 {
func.func @own_parts_overlap(%A: memref<10xf32>, %B: memref<4x2xf32>) {
  %T = loop.buffer "T" scope(local) : memref<10xf32>
  loop.for serial %i in 4 {
    loop.for serial %w in 4 {
      loop.block "fills" [%v: spatial 10] = (%i * 2 + %w) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.for serial %r in 2 {
      loop.block "reads" [%v: spatial 4, %u: spatial 2] = (%i, %r)
          reads(%T[%v * 2 + %u * 2 : 1]) writes(%B[%v : 1, %u : 1]) {
        %p = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 * 2)>(%v, %u)
        %t = memref.load %T[%p] : memref<10xf32>
        memref.store %t, %B[%v, %u] : memref<4x2xf32>
      }
    }
  }
  return
}
