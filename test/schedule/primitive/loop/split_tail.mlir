// RUN: lw-opt %s --sched-split='loop=peeled:i factors=-1,8 tail=peel' \
// RUN:   --sched-split='loop=exact:i factors=-1,8 tail=peel' --sched-split='loop=parts:i factors=4,-1 tail=peel' \
// RUN:   --sched-split='loop=size:i factors=-1,4,2 tail=peel' --sched-split='loop=size_parts:i factors=4,-1 tail=peel' \
// RUN:   --sched-split='loop=negative:i factors=-1,4 tail=peel' --sched-split='loop=row:j factors=-1,4 tail=peel' \
// RUN:   --sched-split='loop=sum:k factors=-1,8 tail=peel' --sched-split='loop=sum:i factors=-1,2 tail=peel' \
// RUN:   --sched-split='loop=sum_size:k factors=-1,8 tail=peel' --sched-split='loop=first:i factors=-1,4 tail=peel' \
// RUN:   --sched-split='loop=shifted:i factors=-1,8 tail=shift_inwards' --sched-vectorize='loop=shifted:i.1' \
// RUN:   --sched-split='loop=shifted_size:i factors=-1,8 tail=shift_inwards' \
// RUN:   --sched-split='loop=assumed:i factors=-1,8 tail=shift_inwards proof=assume' \
// RUN:   --sched-split='loop=source:i factors=-1,8 tail=shift_inwards' \
// RUN:   --sched-split='loop=ones:i factors=-1,8 tail=pad' --sched-split='loop=twos:i factors=-1,8 tail=pad' \
// RUN:   --sched-split='loop=padded_sum:i factors=4,-1 tail=pad' --sched-split='loop=guarded:i factors=-1,8 tail=guard' \
// RUN:   | FileCheck %s
// CHECK-DAG: #[[DIV8:.+]] = affine_map<()[s0] -> (s0 floordiv 8)>
// CHECK-DAG: #[[MOD8:.+]] = affine_map<()[s0] -> (s0 mod 8)>
// CHECK-DAG: #[[DIV4:.+]] = affine_map<()[s0] -> (s0 floordiv 4)>
// CHECK-DAG: #[[MOD4:.+]] = affine_map<()[s0] -> (s0 mod 4)>
// CHECK-DAG: #[[LESS5:.+]] = affine_map<()[s0] -> ((s0 + 3) mod 4, s0 - 5)>

// CHECK-LABEL: func.func @peel(
// CHECK:        loop.for serial %i.0 in 3 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for serial %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "peeled" [%v: spatial 30] = (%i.0 * 8 + %i.1) {
// CHECK:        loop.for serial %i.tail in 6 axis(tail from "i") {
// CHECK-NEXT:     loop.block "peeled.tail" [%v: spatial 30] = (%i.tail + 24) {
func.func @peel() {
  loop.for serial %i in 30 { loop.block "peeled" [%v: spatial 30] = (%i) {} }
  return
}

// There is no tail.
// CHECK-LABEL: func.func @peel_exact(
// CHECK:        loop.for serial %i.0 in 4
// CHECK-NEXT:     loop.for serial %i.1 in 8
// CHECK-NEXT:       loop.block "exact" [%v: spatial 32] = (%i.0 * 8 + %i.1) {
// CHECK-NOT:    tail
func.func @peel_exact() {
  loop.for serial %i in 32 { loop.block "exact" [%v: spatial 32] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @peel_parts(
// CHECK:        loop.for serial %i.0 in 4
// CHECK-NEXT:     loop.for serial %i.1 in 7
// CHECK-NEXT:       loop.block "parts" [%v: spatial 30] = (%i.0 * 7 + %i.1) {
// CHECK:        loop.for serial %i.tail in 2
// CHECK-NEXT:     loop.block "parts.tail" [%v: spatial 30] = (%i.tail + 28) {
func.func @peel_parts() {
  loop.for serial %i in 30 { loop.block "parts" [%v: spatial 30] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @peel_size(
// CHECK:        loop.for serial %i.0 in #[[DIV8]]()[%arg0]
// CHECK-NEXT:     loop.for serial %i.1 in 4
// CHECK-NEXT:       loop.for serial %i.2 in 2
// CHECK-NEXT:         loop.block "size" [%v: spatial %arg0] = (%i.0 * 8 + %i.1 * 2 + %i.2) {
// CHECK:        loop.for serial %i.tail in #[[MOD8]]()[%arg0]
// CHECK-NEXT:     loop.block "size.tail" [%v: spatial %arg0] = (%i.tail + (symbol(%arg0) floordiv 8) * 8) {
func.func @peel_size(%n: index) {
  loop.for serial %i in %n { loop.block "size" [%v: spatial %n] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @peel_parts_of_size(
// CHECK:        loop.for serial %i.0 in 4
// CHECK-NEXT:     loop.for serial %i.1 in #[[DIV4]]()[%arg0]
// CHECK-NEXT:       loop.block "size_parts" [%v: spatial %arg0] = (%i.1 + %i.0 * (symbol(%arg0) floordiv 4)) {
// CHECK:        loop.for serial %i.tail in #[[MOD4]]()[%arg0]
// CHECK-NEXT:     loop.block "size_parts.tail" [%v: spatial %arg0] = (%i.tail + (symbol(%arg0) floordiv 4) * 4) {
func.func @peel_parts_of_size(%n: index) {
  loop.for serial %i in %n { loop.block "size_parts" [%v: spatial %n] = (%i) {} }
  return
}

// A negative extent has a remainder, but no iterations.
// CHECK-LABEL: func.func @peel_negative(
// CHECK:        loop.for serial %i.tail in min #[[LESS5]]()[%arg0]
func.func @peel_negative(%n: index) {
  loop.for serial %i in affine_map<()[s0] -> (s0 - 5)>()[%n] { loop.block "negative" [%v: spatial %n] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @peel_triangle(
// CHECK:        loop.for serial %i in 16 {
// CHECK-NEXT:     loop.for serial %j.0 in #{{.*}}(%i)
// CHECK-NEXT:       loop.for serial %j.1 in 4
// CHECK-NEXT:         loop.block "row" [%v: spatial 16, %w: spatial 16] = (%i, %j.0 * 4 + %j.1) {
// CHECK:          loop.for serial %j.tail in #{{.*}}(%i)
// CHECK-NEXT:       loop.block "row.tail" [%v: spatial 16, %w: spatial 16] = (%i, %j.tail + ((%i + 1) floordiv 4) * 4) {
func.func @peel_triangle() {
  loop.for serial %i in 16 {
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "row" [%v: spatial 16, %w: spatial 16] = (%i, %j) {}
    }
  }
  return
}

// A sum starts in its first part; the copy for other points has its own start.
// CHECK-LABEL: func.func @peel_reduction(
// CHECK:        loop.for serial %i.0 in 2
// CHECK-NEXT:     loop.for serial %i.1 in 2
// CHECK-NEXT:       loop.for serial %k.0 in 7
// CHECK-NEXT:         loop.for serial %k.1 in 8
// CHECK-NEXT:           loop.block "sum" [%vi: spatial 5, %vk: reduce 60] = (%i.0 * 2 + %i.1, %k.0 * 8 + %k.1)
// CHECK:                  loop.init {
// CHECK:            loop.for serial %k.tail in 4
// CHECK-NEXT:         loop.block "sum.tail" [%vi: spatial 5, %vk: reduce 60] = (%i.0 * 2 + %i.1, %k.tail + 56)
// CHECK-NEXT:             reads(%arg0[%vi : 1, %vk : 1], %arg1[%vi : 1]) writes(%arg1[%vi : 1])
// CHECK-NEXT:             reducer(add, 0.000000e+00) {
// CHECK-NEXT:           memref.load
// CHECK:        loop.for serial %i.tail in 1
// CHECK-NEXT:     loop.for serial %k.0 in 7
// CHECK-NEXT:       loop.for serial %k.1 in 8
// CHECK-NEXT:         loop.block "sum.tail_1" [%vi: spatial 5, %vk: reduce 60] = (%i.tail + 4, %k.0 * 8 + %k.1)
// CHECK:                loop.init {
// CHECK:          loop.for serial %k.tail in 4
// CHECK-NEXT:       loop.block "sum.tail.tail" [%vi: spatial 5, %vk: reduce 60] = (%i.tail + 4, %k.tail + 56)
// CHECK-NOT:          loop.init
func.func @peel_reduction(%A: memref<5x60xf32>, %B: memref<5xf32>) {
  loop.for serial %i in 5 {
    loop.for serial %k in 60 {
      loop.block "sum" [%vi: spatial 5, %vk: reduce 60] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1]) writes(%B[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%vi] : memref<5xf32>
        }
        %a = memref.load %A[%vi, %vk] : memref<5x60xf32>
        %b = memref.load %B[%vi] : memref<5xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%vi] : memref<5xf32>
      }
    }
  }
  return
}

// There may be no tile: then the block in the tiles reduces over nothing, and only starts.
// CHECK-LABEL: func.func @peel_reduction_of_size(
// CHECK:        loop.for serial %k.0 in #[[DIV8]]()[%arg2]
// CHECK-NEXT:     loop.for serial %k.1 in 8
// CHECK-NEXT:       loop.block "sum_size" [%vk: reduce (%arg2 floordiv 8) * 8] = (%k.0 * 8 + %k.1)
// CHECK:              loop.init {
// CHECK:        loop.for serial %k.tail in #[[MOD8]]()[%arg2]
// CHECK-NEXT:     loop.block "sum_size.tail" [%vk: reduce %arg2] = (%k.tail + (symbol(%arg2) floordiv 8) * 8)
// CHECK-NOT:        loop.init
func.func @peel_reduction_of_size(%A: memref<?xf32>, %B: memref<f32>, %n: index) {
  loop.for serial %k in %n {
    loop.block "sum_size" [%vk: reduce %n] = (%k) reads(%A[%vk : 1]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %B[] : memref<f32>
      }
      %a = memref.load %A[%vk] : memref<?xf32>
      %b = memref.load %B[] : memref<f32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[] : memref<f32>
    }
  }
  return
}

// The whole contents of the loop are copied, including inner loops and branches.
// CHECK-LABEL: func.func @peel_several(
// CHECK:        loop.for serial %i.tail in 3
// CHECK-NEXT:     loop.block "first.tail" [%v: spatial 7] = (%i.tail + 4) {
// CHECK:          loop.if (%i.tail + 1 >= 0) {
// CHECK-NEXT:       loop.for parallel %j in #{{.*}}(%i.tail) {
// CHECK-NEXT:         loop.block "second.tail" [%v: spatial 7] = (%i.tail + 4) {
// CHECK-NEXT:           loop.block "inside.tail" [%w: spatial 7] = (%v) {
func.func @peel_several() {
  loop.for serial %i in 7 {
    loop.block "first" [%v: spatial 7] = (%i) {}
    loop.if (%i > 2) {
      loop.for parallel %j in affine_map<(d0) -> (d0 + 2)>(%i) {
        loop.block "second" [%v: spatial 7] = (%i) { loop.block "inside" [%w: spatial 7] = (%v) {} }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @shift_inwards(
// CHECK:        loop.for serial %i.0 in 4 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for vectorize %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "shifted" [%v: spatial 30] = (%i.0 * 8 + %i.1 - (%i.0 floordiv 3) * 2)
// CHECK-NEXT:           reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
func.func @shift_inwards(%A: memref<30xf32>, %B: memref<30xf32>) {
  loop.for serial %i in 30 {
    loop.block "shifted" [%v: spatial 30] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<30xf32>
      memref.store %a, %B[%v] : memref<30xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @shift_inwards_size(
// CHECK:        loop.for serial %i.0 in #{{.*}}()[%arg0]
// CHECK-NEXT:     loop.for serial %i.1 in 8
// CHECK-NEXT:       loop.block "shifted_size" [%v: spatial %arg0 + 8] = (%i.0 * 8 + %i.1 - ((%i.0 * 8 + 8) floordiv (symbol(%arg0) + 8)) * ((-symbol(%arg0)) mod 8)) {
func.func @shift_inwards_size(%n: index) {
  loop.for serial %i in affine_map<()[s0] -> (s0 + 8)>()[%n] { loop.block "shifted_size" [%v: spatial %n + 8] = (%i) {} }
  return
}

// An assumption can state that a size is large enough.
// CHECK-LABEL: func.func @shift_inwards_assumed(
// CHECK:            loop.block "assumed" [%v: spatial %arg0] = (%i.0 * 8 + %i.1 - ((%i.0 * 8 + 8) floordiv symbol(%arg0)) * ((-symbol(%arg0)) mod 8)) {
func.func @shift_inwards_assumed(%n: index) {
  loop.for serial %i in %n { loop.block "assumed" [%v: spatial %n] = (%i) {} }
  return
}

// A block reads elements that are written in the same iteration.
// CHECK-LABEL: func.func @shift_inwards_chain(
// CHECK:          loop.block "source" {{.*}} = (%i.0 * 8 + %i.1 - (%i.0 floordiv 3) * 2, %j)
// CHECK:          loop.block "sink" {{.*}} = (%i.0 * 8 + %i.1 - (%i.0 floordiv 3) * 2, %k)
func.func @shift_inwards_chain(%B: memref<30x4xf32>) {
  %T = loop.buffer "T" scope(global) : memref<30x4xf32>
  loop.for serial %i in 30 {
    loop.for serial %j in 4 {
      loop.block "source" [%v: spatial 30, %w: spatial 4] = (%i, %j) writes(%T[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%v, %w] : memref<30x4xf32>
      }
    }
    loop.for serial %k in 4 {
      loop.block "sink" [%v: spatial 30, %w: spatial 4] = (%i, %k)
          reads(%T[%v : 1, -%w + 3 : 1]) writes(%B[%v : 1, %w : 1]) {
        %j = affine.apply affine_map<(d0) -> (3 - d0)>(%w)
        %t = memref.load %T[%v, %j] : memref<30x4xf32>
        memref.store %t, %B[%v, %w] : memref<30x4xf32>
      }
    }
  }
  return
}

// The buffer is padded; its reader may be padded in turn, and the last one is not.
// CHECK-LABEL: func.func @pad(
// CHECK:        %T = loop.buffer "T" scope(global) align(64) : memref<3x32xf32>
// CHECK:        %U = loop.buffer "U" scope(global) : memref<32xf32>
// CHECK:        loop.for serial %i.0 in 4
// CHECK-NEXT:     loop.for serial %i.1 in 8
// CHECK-NEXT:       loop.for serial %j in 3
// CHECK-NEXT:         loop.block "ones" [%v: spatial 32, %w: spatial 3] = (%i.0 * 8 + %i.1, %j)
// CHECK-NEXT:             writes(%T[%w : 1, %v : 1]) {
// CHECK:        loop.for serial %i.0 in 4
// CHECK-NEXT:     loop.for serial %i.1 in 8
// CHECK-NEXT:       loop.block "twos" [%v: spatial 32] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:           reads(%T[1 : 1, %v : 1]) writes(%U[%v : 1]) {
// CHECK:        loop.for serial %i in 30
// CHECK-NEXT:     loop.block "result" [%v: spatial 30] = (%i)
// CHECK-NEXT:         reads(%U[%v : 1]) writes(%arg0[%v : 1]) {
func.func @pad(%B: memref<30xf32>) {
  %T = loop.buffer "T" scope(global) align(64) : memref<3x30xf32>
  %U = loop.buffer "U" scope(global) : memref<30xf32>
  loop.for serial %i in 30 {
    loop.for serial %j in 3 {
      loop.block "ones" [%v: spatial 30, %w: spatial 3] = (%i, %j) writes(%T[%w : 1, %v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%w, %v] : memref<3x30xf32>
      }
    }
  }
  loop.for serial %i in 30 {
    loop.block "twos" [%v: spatial 30] = (%i) reads(%T[1 : 1, %v : 1]) writes(%U[%v : 1]) {
      %c1 = arith.constant 1 : index
      %t = memref.load %T[%c1, %v] : memref<3x30xf32>
      memref.store %t, %U[%v] : memref<30xf32>
    }
  }
  loop.for serial %i in 30 {
    loop.block "result" [%v: spatial 30] = (%i) reads(%U[%v : 1]) writes(%B[%v : 1]) {
      %u = memref.load %U[%v] : memref<30xf32>
      memref.store %u, %B[%v] : memref<30xf32>
    }
  }
  return
}

// A size, and a sum at each point.
// CHECK-LABEL: func.func @pad_size(
// CHECK:        %T = loop.buffer "T" scope(global) ((%arg1 ceildiv 4) * 4) : memref<?xf32>
// CHECK:        loop.for serial %i.0 in 4
// CHECK-NEXT:     loop.for serial %i.1 in #{{.*}}()[%arg1]
// CHECK-NEXT:       loop.for serial %k in 9
// CHECK-NEXT:         loop.block "padded_sum" [%v: spatial (%arg1 ceildiv 4) * 4, %w: reduce 9] = (%i.1 + %i.0 * (symbol(%arg1) ceildiv 4), %k)
func.func @pad_size(%A: memref<9xf32>, %n: index) {
  %T = loop.buffer "T" scope(global) (%n) : memref<?xf32>
  loop.for serial %i in %n {
    loop.for serial %k in 9 {
      loop.block "padded_sum" [%v: spatial %n, %w: reduce 9] = (%i, %k)
          reads(%A[%w : 1]) writes(%T[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %T[%v] : memref<?xf32>
        }
        %a = memref.load %A[%w] : memref<9xf32>
        %b = memref.load %T[%v] : memref<?xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %T[%v] : memref<?xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @guard(
// CHECK:        loop.block "guarded" [%v: spatial 30] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:       where(%i.0 * -8 - %i.1 + 29 >= 0) {
func.func @guard() {
  loop.for serial %i in 30 { loop.block "guarded" [%v: spatial 30] = (%i) {} }
  return
}
