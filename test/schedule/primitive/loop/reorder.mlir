// RUN: lw-opt %s --sched-reorder=loops=S0:j,S0:i --sched-reorder=loops=ends:k,ends:i \
// RUN:   --sched-reorder=loops=all:k,all:i,all:j \
// RUN:   --sched-reorder=loops=two:j,one:i --sched-reorder=loops=sum:k,sum:i \
// RUN:   --sched-reorder=loops=tiled:k.0,tiled:i,tiled:k.1 --sched-reorder=loops=in_order:j,in_order:i \
// RUN:   --sched-reorder=loops=kept:j,kept:i --sched-reorder=loops=accumulate:j,accumulate:i \
// RUN:   --sched-reorder=loops=dynamic:j,dynamic:i --sched-reorder=loops=cell:j,cell:i \
// RUN:   --sched-reorder=loops=quotient:f.1,quotient:f.0 --sched-reorder=loops=kinds:p,kinds:i \
// RUN:   --sched-reorder=loops=guarded:j,guarded:i \
// RUN:   --sched-reorder=loops=middle:j,middle:i --sched-reorder=loops=deep:k,deep:j,deep:i \
// RUN:   --sched-reorder=loops=tile:j,tile:i | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<(d0) -> (d0 + 1)>

// The example of the source document.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for serial %j in 64 {
// CHECK-NEXT:     loop.for serial %i in 32 {
// CHECK-NEXT:       loop.block "S0" [%i0: spatial 32, %i1: spatial 64] = (%i, %j)
func.func @s0(%A: memref<32x64xf32>, %B: memref<32x64xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "S0" [%i0: spatial 32, %i1: spatial 64] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %0 = memref.load %A[%i0, %i1] : memref<32x64xf32>
        memref.store %0, %B[%i0, %i1] : memref<32x64xf32>
      }
    }
  }
  return
}

// Loops that are not given keep their position.
// CHECK-LABEL: func.func @reorder_keeps_others
// CHECK:        loop.for serial %k in 4 {
// CHECK-NEXT:     loop.for serial %j in 3 {
// CHECK-NEXT:       loop.for serial %i in 2 {
// CHECK-NEXT:         loop.block "ends" [%u: spatial 2, %v: spatial 3, %w: spatial 4] = (%i, %j, %k) {
func.func @reorder_keeps_others() {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.for serial %k in 4 {
        loop.block "ends" [%u: spatial 2, %v: spatial 3, %w: spatial 4] = (%i, %j, %k) {}
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @reorder_three
// CHECK:        loop.for serial %k in 4 {
// CHECK-NEXT:     loop.for serial %i in 2 {
// CHECK-NEXT:       loop.for serial %j in 3 {
// CHECK-NEXT:         loop.block "all" [%u: spatial 2, %v: spatial 3, %w: spatial 4] = (%i, %j, %k) {
func.func @reorder_three() {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.for serial %k in 4 {
        loop.block "all" [%u: spatial 2, %v: spatial 3, %w: spatial 4] = (%i, %j, %k) {}
      }
    }
  }
  return
}

// Two blocks that share only buffers that they read.
// CHECK-LABEL: func.func @reorder_independent_blocks
// CHECK:        loop.for serial %j in 3 {
// CHECK-NEXT:     loop.for serial %i in 2 {
// CHECK-NEXT:       loop.block "one" [%v: spatial 2, %w: spatial 3] = (%i, %j)
// CHECK:            loop.block "two" [%v: spatial 2, %w: spatial 3] = (%i, %j)
func.func @reorder_independent_blocks(%A: memref<2x3xf32>, %B: memref<2x3xf32>, %C: memref<2x3xf32>) {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.block "one" [%v: spatial 2, %w: spatial 3] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<2x3xf32>
        memref.store %a, %B[%v, %w] : memref<2x3xf32>
      }
      loop.block "two" [%v: spatial 2, %w: spatial 3] = (%i, %j)
          reads(%A[0 : 1, 0 : 3]) writes(%C[%v : 1, %w : 1]) {
        %c0 = arith.constant 0 : index
        %last = affine.apply affine_map<(d0) -> (2 - d0)>(%w)
        %a = memref.load %A[%c0, %last] : memref<2x3xf32>
        memref.store %a, %C[%v, %w] : memref<2x3xf32>
      }
    }
  }
  return
}

// If the reduction loop moves outwards, the instances of one sum keep their order.
// CHECK-LABEL: func.func @reorder_reduction_outward
// CHECK:        loop.for serial %k in 6 {
// CHECK-NEXT:     loop.for serial %i in 4 {
// CHECK-NEXT:       loop.block "sum" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
func.func @reorder_reduction_outward(%A: memref<4x6xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      loop.block "sum" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<4xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @reorder_tiles
// CHECK:        loop.for serial %k.0 in 3 {
// CHECK-NEXT:     loop.for serial %i in 4 {
// CHECK-NEXT:       loop.for serial %k.1 in 2 {
// CHECK-NEXT:         loop.block "tiled" [%v: spatial 4, %vk: reduce 6] = (%i, %k.0 * 2 + %k.1)
func.func @reorder_tiles(%A: memref<4x6xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k.0 in 3 {
      loop.for serial %k.1 in 2 {
        loop.block "tiled" [%v: spatial 4, %vk: reduce 6] = (%i, %k.0 * 2 + %k.1)
            reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<4xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<4x6xf32>
          %b = memref.load %B[%v] : memref<4xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

// An ordered reducer permits any order of the spatial loops.
// CHECK-LABEL: func.func @reorder_around_ordered_reduction
// CHECK:        loop.for serial %j in 4 {
// CHECK-NEXT:     loop.for serial %i in 4 {
// CHECK-NEXT:       loop.for serial %k in 6 {
// CHECK-NEXT:         loop.block "in_order" [%v: spatial 4, %w: spatial 4, %vk: reduce 6] = (%i, %j, %k)
func.func @reorder_around_ordered_reduction(%A: memref<4x4x6xf32>, %B: memref<4x4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      loop.for serial %k in 6 {
        loop.block "in_order" [%v: spatial 4, %w: spatial 4, %vk: reduce 6] = (%i, %j, %k)
            reads(%A[%v : 1, %w : 1, %vk : 1], %B[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) reducer(ordered) {
          %a = memref.load %A[%v, %w, %vk] : memref<4x4x6xf32>
          %b = memref.load %B[%v, %w] : memref<4x4xf32>
          %s = arith.subf %a, %b : f32
          memref.store %s, %B[%v, %w] : memref<4x4xf32>
        }
      }
    }
  }
  return
}

// And of its own loop, as long as it keeps its position among the loops that it reduces over.
// CHECK-LABEL: func.func @reorder_ordered_reduction_outward
// CHECK:        loop.for serial %j in 6 {
// CHECK-NEXT:     loop.for serial %i in 4 {
// CHECK-NEXT:       loop.block "kept" [%v: spatial 4, %vk: reduce 6] = (%i, %j)
func.func @reorder_ordered_reduction_outward(%A: memref<4x6xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "kept" [%v: spatial 4, %vk: reduce 6] = (%i, %j)
          reads(%A[%v : 1, %vk : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(ordered) {
        %a = memref.load %A[%v, %vk] : memref<4x6xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.subf %a, %b : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// An in-place update of the element that is read.
// CHECK-LABEL: func.func @reorder_update_in_place
// CHECK:        loop.for serial %j in 6 {
// CHECK-NEXT:     loop.for serial %i in 4 {
// CHECK-NEXT:       loop.block "accumulate" [%v: spatial 4, %w: spatial 6] = (%i, %j)
func.func @reorder_update_in_place(%A: memref<4x6xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "accumulate" [%v: spatial 4, %w: spatial 6] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%A[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x6xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %A[%v, %w] : memref<4x6xf32>
      }
    }
  }
  return
}

// Extents of outer loops and of sizes are moved along.
// CHECK-LABEL: func.func @reorder_dynamic
// CHECK:        loop.for serial %o in %arg0 {
// CHECK-NEXT:     loop.for serial %j in %arg0 {
// CHECK-NEXT:       loop.for serial %i in #[[MAP0]](%o) {
// CHECK-NEXT:         loop.block "dynamic" [%u: spatial %arg0, %v: spatial %arg0, %w: spatial %arg0] = (%o, %i, %j) {
func.func @reorder_dynamic(%n: index) {
  loop.for serial %o in %n {
    loop.for serial %i in affine_map<(d0) -> (d0 + 1)>(%o) {
      loop.for serial %j in %n {
        loop.block "dynamic" [%u: spatial %n, %v: spatial %n, %w: spatial %n] = (%o, %i, %j) {}
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @reorder_inside_nested_block
// CHECK:        loop.for serial %o in 4 {
// CHECK-NEXT:     loop.block "outer" [%vo: spatial 4] = (%o) {
// CHECK-NEXT:       loop.for serial %j in 3 {
// CHECK-NEXT:         loop.for serial %i in 2 {
// CHECK-NEXT:           loop.block "cell" [%v: spatial 8, %w: spatial 3] = (%vo * 2 + %i, %j) {
func.func @reorder_inside_nested_block() {
  loop.for serial %o in 4 {
    loop.block "outer" [%vo: spatial 4] = (%o) {
      loop.for serial %i in 2 {
        loop.for serial %j in 3 {
          loop.block "cell" [%v: spatial 8, %w: spatial 3] = (%vo * 2 + %i, %j) {}
        }
      }
    }
  }
  return
}

// The parts of a fused and split loop: the start of each sum is still its first instance.
// CHECK-LABEL: func.func @reorder_parts_of_fused
// CHECK:        loop.for serial %f.1 in 8 {
// CHECK-NEXT:     loop.for serial %f.0 in 2 {
// CHECK-NEXT:       loop.block "quotient" [%v: spatial 4, %k: reduce 4] = (%f.0 * 2 + %f.1 floordiv 4, %f.1 mod 4)
func.func @reorder_parts_of_fused(%A: memref<4x4xf32>, %B: memref<4xf32>)
    attributes {loop.fp = "reassoc"} {
  loop.for serial %f.0 in 2 {
    loop.for serial %f.1 in 8 {
      loop.block "quotient" [%v: spatial 4, %k: reduce 4] = (%f.0 * 2 + %f.1 floordiv 4, %f.1 mod 4)
          reads(%A[%v : 1, %k : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<4xf32>
        }
        %a = memref.load %A[%v, %k] : memref<4x4xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// A non-serial loop whose iterations are independent at any position.
// CHECK-LABEL: func.func @reorder_parallel_outward
// CHECK:        loop.for parallel %p in 6 {
// CHECK-NEXT:     loop.for serial %i in 4 {
// CHECK-NEXT:       loop.block "kinds" [%v: spatial 4, %w: spatial 6] = (%i, %p) {
func.func @reorder_parallel_outward() {
  loop.for serial %i in 4 {
    loop.for parallel %p in 6 {
      loop.block "kinds" [%v: spatial 4, %w: spatial 6] = (%i, %p) {}
    }
  }
  return
}

// CHECK-LABEL: func.func @reorder_with_predicate
// CHECK:        loop.for serial %j in 8 {
// CHECK-NEXT:     loop.for serial %i in 4 {
// CHECK-NEXT:       loop.block "guarded" [%v: spatial 30] = (%i * 8 + %j)
// CHECK-NEXT:           where(-(%i * 8 + %j) + 29 >= 0) {
func.func @reorder_with_predicate() {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      loop.block "guarded" [%v: spatial 30] = (%i * 8 + %j) where(%i * 8 + %j < 30) {}
    }
  }
  return
}

// Statements between the loops run in the first or last iteration of the loop that they were beside.
// CHECK-LABEL: func.func @reorder_sinks(
// CHECK:        loop.for serial %j in 64 {
// CHECK-NEXT:     loop.for serial %i in 32 {
// CHECK-NEXT:       loop.block "before" [%v: spatial 32] = (%i)
// CHECK-NEXT:           where(%j == 0)
// CHECK:            loop.block "middle" [%v: spatial 32, %w: spatial 64] = (%i, %j)
// CHECK-NEXT:           reads(%arg0[%v : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK:            loop.for serial %m in 3 {
// CHECK-NEXT:         loop.block "after" [%v: spatial 32, %w: spatial 3] = (%i, %m)
// CHECK-NEXT:             where(-%j + 63 == 0)
func.func @reorder_sinks(%A: memref<32x64xf32>, %B: memref<32x64xf32>, %P: memref<32xf32>,
                         %Q: memref<32x3xf32>) {
  loop.for serial %i in 32 {
    loop.block "before" [%v: spatial 32] = (%i) writes(%P[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %P[%v] : memref<32xf32>
    }
    loop.for serial %j in 64 {
      loop.block "middle" [%v: spatial 32, %w: spatial 64] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<32x64xf32>
        memref.store %a, %B[%v, %w] : memref<32x64xf32>
      }
    }
    loop.for serial %m in 3 {
      loop.block "after" [%v: spatial 32, %w: spatial 3] = (%i, %m)
          reads(%A[%v : 1, %w : 1]) writes(%Q[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<32x64xf32>
        memref.store %a, %Q[%v, %w] : memref<32x3xf32>
      }
    }
  }
  return
}

// Through two loops, from two positions; a size that is not 0; an existing predicate is kept.
// CHECK-LABEL: func.func @reorder_sinks_twice
// CHECK:        loop.for serial %k in #{{.*}}()[%arg0] {
// CHECK-NEXT:     loop.for serial %j in 3 {
// CHECK-NEXT:       loop.for serial %i in 2 {
// CHECK-NEXT:         loop.block "outside" [%u: spatial 2] = (%i)
// CHECK-NEXT:             where(%i - 1 >= 0, %j == 0, %k == 0) {
// CHECK:              loop.block "inside" [%u: spatial 2, %v: spatial 3] = (%i, %j)
// CHECK-NEXT:             where(%k == 0) {
// CHECK:              loop.block "deep" [%u: spatial 2, %v: spatial 3, %w: spatial %arg0 + 1] = (%i, %j, %k) {
// CHECK:              loop.block "last" [%u: spatial 2, %v: spatial 3] = (%i, %j)
// CHECK-NEXT:             where(-%k + symbol(%arg0) == 0) {
func.func @reorder_sinks_twice(%n: index) {
  loop.for serial %i in 2 {
    loop.block "outside" [%u: spatial 2] = (%i) where(%i >= 1) {}
    loop.for serial %j in 3 {
      loop.block "inside" [%u: spatial 2, %v: spatial 3] = (%i, %j) {}
      loop.for serial %k in affine_map<()[s0] -> (s0 + 1)>()[%n] {
        loop.block "deep" [%u: spatial 2, %v: spatial 3, %w: spatial %n + 1] = (%i, %j, %k) {}
      }
      loop.block "last" [%u: spatial 2, %v: spatial 3] = (%i, %j) {}
    }
  }
  return
}

// The peeled tail of a split.
// CHECK-LABEL: func.func @reorder_sinks_tail
// CHECK:        loop.for serial %j in 8 {
// CHECK-NEXT:     loop.for serial %i in 4 {
// CHECK-NEXT:       loop.block "tile" [%v: spatial 4, %w: spatial 9] = (%i, %j)
// CHECK:            loop.for serial %j.tail in 1 axis(tail from "j") {
// CHECK-NEXT:         loop.block "tail" [%v: spatial 4, %w: spatial 9] = (%i, %j.tail + 8)
// CHECK-NEXT:             where(-%j + 7 == 0)
func.func @reorder_sinks_tail(%A: memref<4x9xf32>, %B: memref<4x9xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      loop.block "tile" [%v: spatial 4, %w: spatial 9] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v, %w] : memref<4x9xf32>
      }
    }
    loop.for serial %j.tail in 1 axis(tail from "j") {
      loop.block "tail" [%v: spatial 4, %w: spatial 9] = (%i, %j.tail + 8)
          writes(%B[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %B[%v, %w] : memref<4x9xf32>
      }
    }
  }
  return
}
