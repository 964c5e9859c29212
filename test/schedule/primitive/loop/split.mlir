// RUN: lw-opt %s --sched-split='loop=S0:j factors=4,16' \
// RUN:   --sched-split='loop=predicate:i factors=4,8' --sched-split='loop=infer_first:i factors=-1,16' \
// RUN:   --sched-split='loop=infer_middle:i factors=3,-1,5' --sched-split='loop=infer_last:i factors=4,-1' \
// RUN:   --sched-split='loop=dynamic_factor:i factors=-1,16' --sched-split='loop=dynamic_nparts:i factors=4,-1' \
// RUN:   --sched-split='loop=divides_dynamic:i factors=-1,4' --sched-split='loop=triangle:j factors=-1,4' \
// RUN:   --sched-split='loop=triangle_outer:i factors=2,2' --sched-split='loop=minimum:i factors=-1,8' \
// RUN:   --sched-split='loop=constant_minimum:i factors=2,3' --sched-split='loop=first:i factors=2,4' \
// RUN:   --sched-split='loop=tile:o factors=2,3' --sched-split='loop=cell:i factors=3,3' \
// RUN:   --sched-split='loop=sum:k factors=-1,8' --sched-split='loop=guarded:i factors=2,5' \
// RUN:   --sched-split='loop=again:i factors=4,8' --sched-split='loop=again:i.1 factors=2,-1' \
// RUN:   --sched-split='loop=fused:f factors=-1,64' --sched-split='loop=empty:i factors=-1,2' \
// RUN:   --sched-split='loop=one:i factors=1,1' --sched-split='loop=min_domain:i factors=2,4' \
// RUN:   --sched-split='loop=inner:i factors=3,3' --sched-split='loop=inner_exact:i factors=2,4' \
// RUN:   --sched-split='loop=ragged:i factors=4,-1' | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<()[s0] -> (s0 ceildiv 16)>
// CHECK-DAG: #[[MAP1:.+]] = affine_map<()[s0] -> (s0 ceildiv 4)>
// CHECK-DAG: #[[MAP2:.+]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-DAG: #[[MAP3:.+]] = affine_map<(d0) -> ((d0 + 1) ceildiv 4)>
// CHECK-DAG: #[[MAP4:.+]] = affine_map<(d0, d1) -> (d0 * 2 + d1 + 1, d0 * -2 - d1 + 3)>
// CHECK-DAG: #[[MAP5:.+]] = affine_map<(d0)[s0] -> (4, d0 * -4 + s0 ceildiv 8)>
// CHECK-DAG: #[[MAP6:.+]] = affine_map<(d0, d1) -> (d0 * 8 + d1)>

// The example of the source document.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for serial %i in 32 {
// CHECK-NEXT:     loop.for serial %j.0 in 4 axis(tile_outer from "j" pair "j.1") {
// CHECK-NEXT:       loop.for serial %j.1 in 16 axis(tile_inner from "j" pair "j.0") {
// CHECK-NEXT:         loop.block "S0" [%i0: spatial 32, %i1: spatial 64] = (%i, %j.0 * 16 + %j.1)
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

// CHECK-LABEL: func.func @split_predicate_when_not_divisible
// CHECK:        loop.for serial %i.0 in 4 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "predicate" [%v: spatial 30] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:           where(%i.0 * -8 - %i.1 + 29 >= 0) {
func.func @split_predicate_when_not_divisible() {
  loop.for serial %i in 30 { loop.block "predicate" [%v: spatial 30] = (%i) {} }
  return
}

// 30 = 2 * 16 - 2: the inferred factor is rounded up.
// CHECK-LABEL: func.func @split_infers_first
// CHECK:        loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 16 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "infer_first" [%v: spatial 30] = (%i.0 * 16 + %i.1)
// CHECK-NEXT:           where(%i.0 * -16 - %i.1 + 29 >= 0) {
func.func @split_infers_first() {
  loop.for serial %i in 30 { loop.block "infer_first" [%v: spatial 30] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @split_infers_middle
// CHECK:        loop.for serial %i.0 in 3 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.for serial %i.2 in 5 axis(tile_inner from "i" pair "i.1") {
// CHECK-NEXT:         loop.block "infer_middle" [%v: spatial 60] = (%i.0 * 20 + %i.1 * 5 + %i.2) {
func.func @split_infers_middle() {
  loop.for serial %i in 60 { loop.block "infer_middle" [%v: spatial 60] = (%i) {} }
  return
}

// The number of parts is given, and the extent of each is inferred.
// CHECK-LABEL: func.func @split_nparts
// CHECK:        loop.for serial %i.0 in 4 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "infer_last" [%v: spatial 30] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:           where(%i.0 * -8 - %i.1 + 29 >= 0) {
func.func @split_nparts() {
  loop.for serial %i in 30 { loop.block "infer_last" [%v: spatial 30] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @split_dynamic_by_factor
// CHECK:        loop.for serial %i.0 in #[[MAP0]]()[%arg0] axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 16 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "dynamic_factor" [%v: spatial %arg0] = (%i.0 * 16 + %i.1)
// CHECK-NEXT:           where(%i.0 * -16 - %i.1 + symbol(%arg0) - 1 >= 0) {
func.func @split_dynamic_by_factor(%n: index) {
  loop.for serial %i in %n { loop.block "dynamic_factor" [%v: spatial %n] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @split_dynamic_by_nparts
// CHECK:        loop.for serial %i.0 in 4 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in #[[MAP1]]()[%arg0] axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "dynamic_nparts" [%v: spatial %arg0] = (%i.1 + %i.0 * (symbol(%arg0) ceildiv 4))
// CHECK-NEXT:           where(-%i.1 - %i.0 * (symbol(%arg0) ceildiv 4) + symbol(%arg0) - 1 >= 0) {
func.func @split_dynamic_by_nparts(%n: index) {
  loop.for serial %i in %n { loop.block "dynamic_nparts" [%v: spatial %n] = (%i) {} }
  return
}

// A multiple of the factor needs no predicate.
// CHECK-LABEL: func.func @split_no_predicate_when_proved
// CHECK:        loop.for serial %i.0 in #[[MAP2]]()[%arg0] axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "divides_dynamic" [%v: spatial %arg0 * 8] = (%i.0 * 4 + %i.1) {
func.func @split_no_predicate_when_proved(%n: index) {
  loop.for serial %i in affine_map<()[s0] -> (s0 * 8)>()[%n] { loop.block "divides_dynamic" [%v: spatial %n * 8] = (%i) {} }
  return
}

// The extent depends on an outer loop: so do the parts and the predicate.
// CHECK-LABEL: func.func @split_extent_of_outer_loop
// CHECK:        loop.for serial %i in 16 {
// CHECK-NEXT:     loop.for serial %j.0 in #[[MAP3]](%i) axis(tile_outer from "j" pair "j.1") {
// CHECK-NEXT:       loop.for serial %j.1 in 4 axis(tile_inner from "j" pair "j.0") {
// CHECK-NEXT:         loop.block "triangle" [%v: spatial 16, %w: spatial 16] = (%i, %j.0 * 4 + %j.1)
// CHECK-NEXT:             where(%i - %j.0 * 4 - %j.1 >= 0) {
func.func @split_extent_of_outer_loop() {
  loop.for serial %i in 16 {
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "triangle" [%v: spatial 16, %w: spatial 16] = (%i, %j) {}
    }
  }
  return
}

// The loop on which an inner extent depends.
// CHECK-LABEL: func.func @split_loop_of_inner_extent
// CHECK:        loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 2 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.for serial %j in min #[[MAP4]](%i.0, %i.1) {
// CHECK-NEXT:         loop.block "triangle_outer" [%v: spatial 4, %w: spatial 4] = (%i.0 * 2 + %i.1, %j) {
func.func @split_loop_of_inner_extent() {
  loop.for serial %i in 4 {
    loop.for serial %j in min affine_map<(d0) -> (d0 + 1, 3 - d0)>(%i) {
      loop.block "triangle_outer" [%v: spatial 4, %w: spatial 4] = (%i, %j) {}
    }
  }
  return
}

// CHECK-LABEL: func.func @split_minimum
// CHECK:        loop.for serial %o in 10 {
// CHECK-NEXT:     loop.for serial %i.0 in min #[[MAP5]](%o)[%arg0] axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:       loop.for serial %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:         loop.block "minimum" [%v: spatial %arg0] = (%o * 32 + %i.0 * 8 + %i.1)
// CHECK-NEXT:             where(%i.0 * -8 - %i.1 + 31 >= 0, %o * -32 - %i.0 * 8 - %i.1 + symbol(%arg0) - 1 >= 0) {
func.func @split_minimum(%n: index) {
  loop.for serial %o in 10 {
    loop.for serial %i in min affine_map<(d0)[s0] -> (32, s0 - d0 * 32)>(%o)[%n] {
      loop.block "minimum" [%v: spatial %n] = (%o * 32 + %i) {}
    }
  }
  return
}

// CHECK-LABEL: func.func @split_constant_minimum
// CHECK:        loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 3 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "constant_minimum" [%v: spatial 6] = (%i.0 * 3 + %i.1) {
func.func @split_constant_minimum() {
  loop.for serial %i in min affine_map<() -> (8, 6)>() {
    loop.block "constant_minimum" [%v: spatial 6] = (%i) {}
  }
  return
}

// Several blocks under one loop, one of which reads the other's result: the order is unchanged.
// CHECK-LABEL: func.func @split_dependent_blocks
// CHECK:        loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "first" [%v: spatial 7] = (%i.0 * 4 + %i.1)
// CHECK-NEXT:           where(%i.0 * -4 - %i.1 + 6 >= 0)
// CHECK:            loop.if (%i.0 * 4 + %i.1 - 3 >= 0) {
// CHECK-NEXT:         loop.block "second" [%v: spatial 7] = (%i.0 * -4 - %i.1 + 6)
// CHECK-NEXT:             where(%i.0 * -4 - %i.1 + 6 >= 0)
func.func @split_dependent_blocks(%A: memref<7xf32>) {
  loop.for serial %i in 7 {
    loop.block "first" [%v: spatial 7] = (%i) reads() writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<7xf32>
    }
    loop.if (%i > 2) {
      loop.block "second" [%v: spatial 7] = (6 - %i) reads(%A[%v : 1]) writes(%A[%v : 1]) {
        %a = memref.load %A[%v] : memref<7xf32>
        memref.store %a, %A[%v] : memref<7xf32>
      }
    }
  }
  return
}

// The predicate is on the outermost block; inner blocks depend only on its iters.
// CHECK-LABEL: func.func @split_around_nested_block
// CHECK:        loop.for serial %o.0 in 2 axis(tile_outer from "o" pair "o.1") {
// CHECK-NEXT:     loop.for serial %o.1 in 3 axis(tile_inner from "o" pair "o.0") {
// CHECK-NEXT:       loop.block "tile" [%vo: spatial 5] = (%o.0 * 3 + %o.1)
// CHECK-NEXT:           where(%o.0 * -3 - %o.1 + 4 >= 0) {
// CHECK-NEXT:         loop.for serial %i in 8 {
// CHECK-NEXT:           loop.block "in_tile" [%vi: spatial 40] = (%vo * 8 + %i) {
func.func @split_around_nested_block() {
  loop.for serial %o in 5 {
    loop.block "tile" [%vo: spatial 5] = (%o) {
      loop.for serial %i in 8 { loop.block "in_tile" [%vi: spatial 40] = (%vo * 8 + %i) {} }
    }
  }
  return
}

// CHECK-LABEL: func.func @split_inside_nested_block
// CHECK:        loop.for serial %o in 4 {
// CHECK-NEXT:     loop.block "outer" [%vo: spatial 4] = (%o) {
// CHECK-NEXT:       loop.for serial %i.0 in 3 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:         loop.for serial %i.1 in 3 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:           loop.block "cell" [%vi: spatial 32] = (%vo * 8 + %i.0 * 3 + %i.1)
// CHECK-NEXT:               where(%i.0 * -3 - %i.1 + 7 >= 0) {
func.func @split_inside_nested_block() {
  loop.for serial %o in 4 {
    loop.block "outer" [%vo: spatial 4] = (%o) {
      loop.for serial %i in 8 { loop.block "cell" [%vi: spatial 32] = (%vo * 8 + %i) {} }
    }
  }
  return
}

// CHECK-LABEL: func.func @split_reduction
// CHECK:        loop.for serial %i in 4 {
// CHECK-NEXT:     loop.for serial %k.0 in 8 axis(tile_outer from "k" pair "k.1") {
// CHECK-NEXT:       loop.for serial %k.1 in 8 axis(tile_inner from "k" pair "k.0") {
// CHECK-NEXT:         loop.block "sum" [%vi: spatial 4, %vk: reduce 60] = (%i, %k.0 * 8 + %k.1)
// CHECK-NEXT:             where(%k.0 * -8 - %k.1 + 59 >= 0)
func.func @split_reduction(%A: memref<4x60xf32>, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %k in 60 {
      loop.block "sum" [%vi: spatial 4, %vk: reduce 60] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1]) writes(%B[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%vi] : memref<4xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<4x60xf32>
        %b = memref.load %B[%vi] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%vi] : memref<4xf32>
      }
    }
  }
  return
}

// An existing predicate is kept.
// CHECK-LABEL: func.func @split_second_predicate
// CHECK:        loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 5 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "guarded" [%v: spatial 9] = (%i.0 * 5 + %i.1)
// CHECK-NEXT:           where(%i.0 * 5 + %i.1 - 2 >= 0, %i.0 * -5 - %i.1 + 8 >= 0) {
func.func @split_second_predicate() {
  loop.for serial %i in 9 { loop.block "guarded" [%v: spatial 9] = (%i) where(%i >= 2) {} }
  return
}

// Parts of parts: no division remains.
// CHECK-LABEL: func.func @split_twice
// CHECK:        loop.for serial %i.0 in 4 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1.0 in 2 axis(tile_outer from "i.1" pair "i.1.1") {
// CHECK-NEXT:       loop.for serial %i.1.1 in 4 axis(tile_inner from "i.1" pair "i.1.0") {
// CHECK-NEXT:         loop.block "again" [%v: spatial 4, %w: spatial 8] = (%i.0, %i.1.0 * 4 + %i.1.1) {
func.func @split_twice() {
  loop.for serial %i in 32 {
    loop.block "again" [%v: spatial 4, %w: spatial 8] = (%i floordiv 8, %i mod 8) {}
  }
  return
}

// Bindings of fused loops are simplified: the inner part stays within one row.
// CHECK-LABEL: func.func @split_fused_binding
// CHECK:        loop.for serial %f.0 in 64 axis(tile_outer from "f" pair "f.1") {
// CHECK-NEXT:     loop.for serial %f.1 in 64 axis(tile_inner from "f" pair "f.0") {
// CHECK-NEXT:       loop.block "fused" [%v: spatial 32, %w: spatial 128] = (%f.0 floordiv 2, %f.1 + (%f.0 mod 2) * 64) {
func.func @split_fused_binding() {
  loop.for serial %f in 4096 {
    loop.block "fused" [%v: spatial 32, %w: spatial 128] = (%f floordiv 128, %f mod 128) {}
  }
  return
}

// CHECK-LABEL: func.func @split_no_iterations
// CHECK:        loop.for serial %i.0 in 0 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 2 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "empty" [%v: spatial 0] = (%i.0 * 2 + %i.1) {
func.func @split_no_iterations() {
  loop.for serial %i in 0 { loop.block "empty" [%v: spatial 0] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @split_one_iteration
// CHECK:        loop.for serial %i.0 in 1 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 1 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "one" [%v: spatial 1] = (%i.0 + %i.1) {
func.func @split_one_iteration() {
  loop.for serial %i in 1 { loop.block "one" [%v: spatial 1] = (%i) {} }
  return
}

// Iters may be bound to part of their domain.
// CHECK-LABEL: func.func @split_part_of_domain
// CHECK:        loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "min_domain" [%v: spatial min(40, 32)] = (%i.0 * 16 + %i.1 * 4) {
func.func @split_part_of_domain() {
  loop.for serial %i in 8 { loop.block "min_domain" [%v: spatial min(40, 32)] = (%i * 4) {} }
  return
}

// The enclosing block's region includes elements that a predicate excludes: it becomes wider.
// CHECK-LABEL: func.func @split_widens_region_around
// CHECK:        loop.for serial %o in 4 {
// CHECK-NEXT:     loop.block "around" [%vo: spatial 4] = (%o)
// CHECK-NEXT:         writes(%arg0[%vo * 8 : 9]) {
// CHECK-NEXT:       loop.for serial %i.0 in 3 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:         loop.for serial %i.1 in 3 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:           loop.block "inner" [%v: spatial 8] = (%i.0 * 3 + %i.1)
// CHECK-NEXT:               where(%i.0 * -3 - %i.1 + 7 >= 0)
// CHECK-NEXT:               writes(%arg0[%v + %vo * 8 : 1]) {
// CHECK-NEXT:             %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:             %0 = affine.apply #[[MAP6]](%vo, %v)
// CHECK-NEXT:             memref.store %cst, %arg0[%0] : memref<32xf32>
func.func @split_widens_region_around(%A: memref<32xf32>) {
  loop.for serial %o in 4 {
    loop.block "around" [%vo: spatial 4] = (%o) writes(%A[%vo * 8 : 8]) {
      loop.for serial %i in 8 {
        loop.block "inner" [%v: spatial 8] = (%i) writes(%A[%vo * 8 + %v : 1]) {
          %c = arith.constant 1.0 : f32
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vo, %v)
          memref.store %c, %A[%at] : memref<32xf32>
        }
      }
    }
  }
  return
}

// A region that covers the accesses is kept, however wide it is.
// CHECK-LABEL: func.func @split_keeps_region_around
// CHECK:        loop.for serial %o in 4 {
// CHECK-NEXT:     loop.block "around" [%vo: spatial 4] = (%o)
// CHECK-NEXT:         writes(%arg0[0 : 32]) {
// CHECK-NEXT:       loop.for serial %i.0 in 2 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:         loop.for serial %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:           loop.block "inner_exact" [%v: spatial 8] = (%i.0 * 4 + %i.1)
// CHECK-NEXT:               writes(%arg0[%v + %vo * 8 : 1]) {
// CHECK-NEXT:             %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:             %0 = affine.apply #[[MAP6]](%vo, %v)
// CHECK-NEXT:             memref.store %cst, %arg0[%0] : memref<32xf32>
func.func @split_keeps_region_around(%A: memref<32xf32>) {
  loop.for serial %o in 4 {
    loop.block "around" [%vo: spatial 4] = (%o) writes(%A[0 : 32]) {
      loop.for serial %i in 8 {
        loop.block "inner_exact" [%v: spatial 8] = (%i) writes(%A[%vo * 8 + %v : 1]) {
          %c = arith.constant 1.0 : f32
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vo, %v)
          memref.store %c, %A[%at] : memref<32xf32>
        }
      }
    }
  }
  return
}

// Parts of an extent from an enclosing block.
// CHECK-LABEL: func.func @split_parts_of_iter
// CHECK:          loop.block "ragged_tile" [%vo: spatial 5] = (%o)
// CHECK:            loop.for serial %i.0 in 4
// CHECK-NEXT:         loop.for serial %i.1 in #{{.*}}(%vo)
// CHECK-NEXT:           loop.block "ragged" [%v: spatial 6] = (%i.1 + %i.0 * ((symbol(%vo) + 1) ceildiv 4))
// CHECK-NEXT:               where(
func.func @split_parts_of_iter(%A: memref<5x6xf32>) {
  loop.for serial %o in 5 {
    loop.block "ragged_tile" [%vo: spatial 5] = (%o) writes(%A[%vo : 1, 0 : 6]) {
      loop.for serial %i in affine_map<(d0) -> (d0 + 1)>(%vo) {
        loop.block "ragged" [%v: spatial 6] = (%i) writes(%A[%vo : 1, %v : 1]) {
          %c = arith.constant 1.0 : f32
          memref.store %c, %A[%vo, %v] : memref<5x6xf32>
        }
      }
    }
  }
  return
}
