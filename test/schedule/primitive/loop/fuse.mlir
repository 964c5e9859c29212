// RUN: lw-opt %s --sched-fuse=loops=S0:i,S0:j --sched-fuse=loops=three:i,three:j,three:k \
// RUN:   --sched-fuse=loops=outer_two:i,outer_two:j --sched-fuse=loops=dynamic:i,dynamic:j \
// RUN:   --sched-fuse=loops=minimum:i,minimum:j --sched-fuse=loops=second:i,second:j \
// RUN:   --sched-fuse=loops=split_parts:i.0,split_parts:i.1 --sched-fuse=loops=tiles:j,tiles:i.1 \
// RUN:   --sched-fuse=loops=tile:a,tile:b --sched-fuse=loops=cell:i,cell:j --sched-fuse=loops=sum:k,sum:l \
// RUN:   --sched-fuse=loops=bounded:i,bounded:j --sched-fuse=loops=ones:i,ones:j \
// RUN:   --sched-fuse=loops=ragged:i,ragged:j | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-DAG: #[[MAP1:.+]] = affine_map<(d0)[s0] -> (64, d0 * -16 + s0 * 16)>
// CHECK-DAG: #[[MAP2:.+]] = affine_map<()[s0] -> ((s0 ceildiv 16) * 16)>
// CHECK-DAG: #[[MAP3:.+]] = affine_map<(d0) -> (d0 floordiv 4 + d0 mod 4)>

// The example of the source document.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for serial %i_j_fused in 2048 axis(merged from "i", "j") {
// CHECK-NEXT:     loop.block "S0" [%i0: spatial 32, %i1: spatial 64] = (%i_j_fused floordiv 64, %i_j_fused mod 64)
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

// CHECK-LABEL: func.func @fuse_three
// CHECK:        loop.for serial %i_j_k_fused in 24 axis(merged from "i", "j", "k") {
// CHECK-NEXT:     loop.block "three" [%u: spatial 2, %v: spatial 3, %w: spatial 4] = (%i_j_k_fused floordiv 12, (%i_j_k_fused floordiv 4) mod 3, %i_j_k_fused mod 4) {
func.func @fuse_three() {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.for serial %k in 4 {
        loop.block "three" [%u: spatial 2, %v: spatial 3, %w: spatial 4] = (%i, %j, %k) {}
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @fuse_outer_two
// CHECK:        loop.for serial %i_j_fused in 6 axis(merged from "i", "j") {
// CHECK-NEXT:     loop.for serial %k in 4 {
// CHECK-NEXT:       loop.block "outer_two" [%u: spatial 2, %v: spatial 3, %w: spatial 4] = (%i_j_fused floordiv 3, %i_j_fused mod 3, %k) {
func.func @fuse_outer_two() {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.for serial %k in 4 {
        loop.block "outer_two" [%u: spatial 2, %v: spatial 3, %w: spatial 4] = (%i, %j, %k) {}
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @fuse_dynamic
// CHECK:        loop.for serial %i_j_fused in #[[MAP0]]()[%arg0, %arg1] axis(merged from "i", "j") {
// CHECK-NEXT:     loop.block "dynamic" [%v: spatial %arg0, %w: spatial %arg1] = (%i_j_fused floordiv symbol(%arg1), %i_j_fused mod symbol(%arg1)) {
func.func @fuse_dynamic(%n: index, %m: index) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "dynamic" [%v: spatial %n, %w: spatial %m] = (%i, %j) {}
    }
  }
  return
}

// The first extent may be a minimum, and may depend on an outer loop.
// CHECK-LABEL: func.func @fuse_first_extent_is_a_minimum
// CHECK:        loop.for serial %o in 8 {
// CHECK-NEXT:     loop.for serial %i_j_fused in min #[[MAP1]](%o)[%arg0] axis(merged from "i", "j") {
// CHECK-NEXT:       loop.block "minimum" [%v: spatial %arg0, %w: spatial 16] = (%o + %i_j_fused floordiv 16, %i_j_fused mod 16) {
func.func @fuse_first_extent_is_a_minimum(%n: index) {
  loop.for serial %o in 8 {
    loop.for serial %i in min affine_map<(d0)[s0] -> (4, s0 - d0)>(%o)[%n] {
      loop.for serial %j in 16 {
        loop.block "minimum" [%v: spatial %n, %w: spatial 16] = (%o + %i, %j) {}
      }
    }
  }
  return
}

// Two blocks, the second of which reads the first one's result: the order is unchanged.
// CHECK-LABEL: func.func @fuse_dependent_blocks
// CHECK:        loop.for serial %i_j_fused in 6 axis(merged from "i", "j") {
// CHECK-NEXT:     loop.block "first" [%v: spatial 2, %w: spatial 3] = (%i_j_fused floordiv 3, %i_j_fused mod 3)
// CHECK:          loop.block "second" [%v: spatial 2, %w: spatial 3] = (%i_j_fused floordiv 3, -(%i_j_fused mod 3) + 2)
func.func @fuse_dependent_blocks(%A: memref<2x3xf32>) {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.block "first" [%v: spatial 2, %w: spatial 3] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v, %w] : memref<2x3xf32>
      }
      loop.block "second" [%v: spatial 2, %w: spatial 3] = (%i, 2 - %j)
          reads(%A[%v : 1, %w : 1]) writes(%A[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<2x3xf32>
        memref.store %a, %A[%v, %w] : memref<2x3xf32>
      }
    }
  }
  return
}

// The parts of a split become one loop again: quotient and remainder combine.
// CHECK-LABEL: func.func @fuse_what_was_split
// CHECK:        loop.for serial %i.0_i.1_fused in #[[MAP2]]()[%arg0] axis(merged from "i.0", "i.1") {
// CHECK-NEXT:     loop.block "split_parts" [%v: spatial %arg0] = (%i.0_i.1_fused)
// CHECK-NEXT:         where(-%i.0_i.1_fused + symbol(%arg0) - 1 >= 0) {
func.func @fuse_what_was_split(%n: index) {
  loop.for serial %i.0 in affine_map<()[s0] -> (s0 ceildiv 16)>()[%n] {
    loop.for serial %i.1 in 16 {
      loop.block "split_parts" [%v: spatial %n] = (%i.0 * 16 + %i.1)
          where(%i.0 * 16 + %i.1 < symbol(%n)) {}
    }
  }
  return
}

// CHECK-LABEL: func.func @fuse_tiles
// CHECK:        loop.for serial %i.0 in 4 {
// CHECK-NEXT:     loop.for serial %j_i.1_fused in 128 axis(merged from "j", "i.1") {
// CHECK-NEXT:       loop.block "tiles" [%v: spatial 64, %w: spatial 8] = (%i.0 * 16 + %j_i.1_fused mod 16, %j_i.1_fused floordiv 16) {
func.func @fuse_tiles() {
  loop.for serial %i.0 in 4 {
    loop.for serial %j in 8 {
      loop.for serial %i.1 in 16 {
        loop.block "tiles" [%v: spatial 64, %w: spatial 8] = (%i.0 * 16 + %i.1, %j) {}
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @fuse_around_nested_block
// CHECK:        loop.for serial %a_b_fused in 8 axis(merged from "a", "b") {
// CHECK-NEXT:     loop.block "tile" [%vo: spatial 8] = (%a_b_fused) {
// CHECK-NEXT:       loop.for serial %i in 8 {
// CHECK-NEXT:         loop.block "in_tile" [%vi: spatial 64] = (%vo * 8 + %i) {
func.func @fuse_around_nested_block() {
  loop.for serial %a in 2 {
    loop.for serial %b in 4 {
      loop.block "tile" [%vo: spatial 8] = (%a * 4 + %b) {
        loop.for serial %i in 8 { loop.block "in_tile" [%vi: spatial 64] = (%vo * 8 + %i) {} }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @fuse_inside_nested_block
// CHECK:        loop.for serial %o in 2 {
// CHECK-NEXT:     loop.block "outer" [%vo: spatial 2] = (%o) {
// CHECK-NEXT:       loop.for serial %i_j_fused in 32 axis(merged from "i", "j") {
// CHECK-NEXT:         loop.block "cell" [%vi: spatial 16, %vj: spatial 4] = (%vo * 8 + %i_j_fused floordiv 4, %i_j_fused mod 4) {
func.func @fuse_inside_nested_block() {
  loop.for serial %o in 2 {
    loop.block "outer" [%vo: spatial 2] = (%o) {
      loop.for serial %i in 8 {
        loop.for serial %j in 4 {
          loop.block "cell" [%vi: spatial 16, %vj: spatial 4] = (%vo * 8 + %i, %j) {}
        }
      }
    }
  }
  return
}

// Both loops reduce: the order of the sum is unchanged.
// CHECK-LABEL: func.func @fuse_reduction
// CHECK:        loop.for serial %k_l_fused in 24 axis(merged from "k", "l") {
// CHECK-NEXT:     loop.block "sum" [%v: spatial 1, %vk: reduce 4, %vl: reduce 6] = (0, %k_l_fused floordiv 6, %k_l_fused mod 6)
func.func @fuse_reduction(%A: memref<4x6xf32>, %B: memref<1xf32>) {
  loop.for serial %k in 4 {
    loop.for serial %l in 6 {
      loop.block "sum" [%v: spatial 1, %vk: reduce 4, %vl: reduce 6] = (0, %k, %l)
          reads(%A[%vk : 1, %vl : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<1xf32>
        }
        %a = memref.load %A[%vk, %vl] : memref<4x6xf32>
        %b = memref.load %B[%v] : memref<1xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<1xf32>
      }
    }
  }
  return
}

// Inner extents and conditions are rewritten.
// CHECK-LABEL: func.func @fuse_loops_of_inner_extent
// CHECK:        loop.for serial %i_j_fused in 16 axis(merged from "i", "j") {
// CHECK-NEXT:     loop.for serial %k in #[[MAP3]](%i_j_fused) {
// CHECK-NEXT:       loop.if (%i_j_fused floordiv 4 - 1 >= 0, %i_j_fused mod 4 - 2 == 0) {
// CHECK-NEXT:         loop.block "bounded" [%v: spatial 7] = (%k) {
func.func @fuse_loops_of_inner_extent() {
  loop.for serial %i in 4 {
    loop.for serial %j in 4 {
      loop.for serial %k in affine_map<(d0, d1) -> (d0 + d1)>(%i, %j) {
        loop.if (%i >= 1, %j == 2) { loop.block "bounded" [%v: spatial 7] = (%k) {} }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @fuse_one_iteration
// CHECK:        loop.for serial %i_j_fused in 5 axis(merged from "i", "j") {
// CHECK-NEXT:     loop.block "ones" [%v: spatial 1, %w: spatial 5] = (0, %i_j_fused) {
func.func @fuse_one_iteration() {
  loop.for serial %i in 1 {
    loop.for serial %j in 5 { loop.block "ones" [%v: spatial 1, %w: spatial 5] = (%i, %j) {} }
  }
  return
}

// Extents from an enclosing block.
// CHECK-LABEL: func.func @fuse_extents_of_iter
// CHECK:          loop.block "ragged_tile" [%vo: spatial 5] = (%o)
// CHECK:            loop.for serial %i_j_fused in #{{.*}}()[%vo]
// CHECK-NEXT:         loop.block "ragged" [%v: spatial 5, %w: spatial 6] = (%i_j_fused floordiv (symbol(%vo) + 1), %i_j_fused mod (symbol(%vo) + 1))
func.func @fuse_extents_of_iter(%A: memref<5x5x6xf32>) {
  loop.for serial %o in 5 {
    loop.block "ragged_tile" [%vo: spatial 5] = (%o) writes(%A[%vo : 1, 0 : 5, 0 : 6]) {
      loop.for serial %i in affine_map<(d0) -> (d0 + 1)>(%vo) {
        loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%vo) {
          loop.block "ragged" [%v: spatial 5, %w: spatial 6] = (%i, %j) writes(%A[%vo : 1, %v : 1, %w : 1]) {
            %c = arith.constant 1.0 : f32
            memref.store %c, %A[%vo, %v, %w] : memref<5x5x6xf32>
          }
        }
      }
    }
  }
  return
}
