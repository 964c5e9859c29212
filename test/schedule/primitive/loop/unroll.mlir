// RUN: lw-opt %s --sched-unroll=loop=S0:j --sched-unroll=loop=minimum:i --sched-unroll=loop=second:i \
// RUN:   --sched-unroll=loop=in_tile:i --sched-unroll='loop=by_factor:i factor=4' \
// RUN:   --sched-unroll='loop=size:i factor=2' --sched-unroll='loop=wide:i factor=16' | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<() -> (8, 4)>

// The example of the source document; lowering emits the two statements.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for serial %i in 32 {
// CHECK-NEXT:     loop.for unroll %j in 2 {
// CHECK-NEXT:       loop.block "S0" [%v: spatial 64] = (%i * 2 + %j)
func.func @s0(%A: memref<64xf32>, %B: memref<64xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 2 {
      loop.block "S0" [%v: spatial 64] = (%i * 2 + %j) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %0 = memref.load %A[%v] : memref<64xf32>
        memref.store %0, %B[%v] : memref<64xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @unroll_constant_minimum
// CHECK:        loop.for unroll %i in min #[[MAP0]]() {
// CHECK-NEXT:     loop.block "minimum" [] = () {
func.func @unroll_constant_minimum() {
  loop.for serial %i in min affine_map<() -> (8, 4)>() { loop.block "minimum" [] = () {} }
  return
}

// The order is unchanged: nothing needs to be proved about the blocks.
// CHECK-LABEL: func.func @unroll_dependent_blocks
// CHECK:        loop.for unroll %i in 4 {
// CHECK-NEXT:     loop.block "first" [%v: opaque 4] = (%i)
// CHECK:          loop.sync
// CHECK-NEXT:     loop.block "second" [%v: spatial 4] = (%i)
func.func @unroll_dependent_blocks(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "first" [%v: opaque 4] = (%i) reads(%A[3 - %v : 1]) writes(%A[%v : 1]) {
      %back = affine.apply affine_map<(d0) -> (3 - d0)>(%v)
      %a = memref.load %A[%back] : memref<4xf32>
      memref.store %a, %A[%v] : memref<4xf32>
    }
    loop.sync
    loop.block "second" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %A[%v] : memref<4xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @unroll_inside_nested_block
// CHECK:        loop.for serial %o in 4 {
// CHECK-NEXT:     loop.block "tile" [%vo: spatial 4] = (%o) {
// CHECK-NEXT:       loop.for unroll %i in 2 {
// CHECK-NEXT:         loop.block "in_tile" [%v: spatial 8] = (%vo * 2 + %i) {
func.func @unroll_inside_nested_block() {
  loop.for serial %o in 4 {
    loop.block "tile" [%vo: spatial 4] = (%o) {
      loop.for serial %i in 2 { loop.block "in_tile" [%v: spatial 8] = (%vo * 2 + %i) {} }
    }
  }
  return
}

// CHECK-LABEL: func.func @unroll_by_factor
// CHECK:        loop.for serial %i.0 in 8 axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for unroll %i.1 in 4 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "by_factor" [%v: spatial 30] = (%i.0 * 4 + %i.1)
// CHECK-NEXT:           where(%i.0 * -4 - %i.1 + 29 >= 0) {
func.func @unroll_by_factor() {
  loop.for serial %i in 30 { loop.block "by_factor" [%v: spatial 30] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @unroll_size_by_factor
// CHECK:        loop.for serial %i.0 in #{{.*}}()[%arg0] axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:     loop.for unroll %i.1 in 2 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:       loop.block "size" [%v: spatial %arg0] = (%i.0 * 2 + %i.1)
// CHECK-NEXT:           where(%i.0 * -2 - %i.1 + symbol(%arg0) - 1 >= 0) {
func.func @unroll_size_by_factor(%n: index) {
  loop.for serial %i in %n { loop.block "size" [%v: spatial %n] = (%i) {} }
  return
}

// A factor above the extent unrolls all of it.
// CHECK-LABEL: func.func @unroll_factor_above_extent
// CHECK:        loop.for unroll %i in 3 {
// CHECK-NEXT:     loop.block "wide" [%v: spatial 3] = (%i) {
func.func @unroll_factor_above_extent() {
  loop.for serial %i in 3 { loop.block "wide" [%v: spatial 3] = (%i) {} }
  return
}
