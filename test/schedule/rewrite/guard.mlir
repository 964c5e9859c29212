// RUN: lw-opt %s --sched-parallel='loop=shift:i proof=guard' --sched-reorder='loops=sized:j,sized:i proof=guard' \
// RUN:   --sched-parallel='loop=legal:i proof=guard' | FileCheck %s
// RUN: not lw-opt %s --sched-parallel='loop=chain:i proof=guard' 2>&1 | FileCheck %s --check-prefix=NONE

// A[i] = A[i + n]: reads and writes are disjoint if there are n or fewer elements.
// CHECK-LABEL: func.func @shift
// CHECK:       loop.if ({{.*}}symbol(%arg2){{.*}} >= 0) {
// CHECK-NEXT:    loop.for parallel %i in %arg2 {
// CHECK-NEXT:      loop.block "shift"
// CHECK:       } else {
// CHECK-NEXT:    loop.for serial %i in %arg2 {
// CHECK-NEXT:      loop.block "shift.fallback"
func.func @shift(%A: memref<?xf32>, %n: index, %m: index) {
  loop.for serial %i in %m {
    loop.block "shift" [%v: spatial %m] = (%i) reads(%A[%v + %n : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%v)[%n]
      %a = memref.load %A[%next] : memref<?xf32>
      memref.store %a, %A[%v] : memref<?xf32>
    }
  }
  return
}

// Rows do not overlap if their distance is at least their length.
// CHECK-LABEL: func.func @sized
// CHECK:       loop.if ({{.*}}symbol(%arg2){{.*}} >= 0) {
// CHECK-NEXT:    loop.for serial %j in %arg2 {
// CHECK-NEXT:      loop.for serial %i in %arg1 {
// CHECK-NEXT:        loop.block "sized"
// CHECK:       } else {
// CHECK-NEXT:    loop.for serial %i in %arg1 {
// CHECK-NEXT:      loop.for serial %j in %arg2 {
// CHECK-NEXT:        loop.block "sized.fallback"
func.func @sized(%A: memref<?xf32>, %s: index, %m: index) {
  loop.for serial %i in %s {
    loop.for serial %j in %m {
      loop.block "sized" [%v: spatial %s, %w: spatial %m] = (%i, %j) writes(%A[*]) {
        %x = affine.apply affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>(%v, %w)[%s]
        %w32 = arith.index_cast %w : index to i32
        %f = arith.sitofp %w32 : i32 to f32
        memref.store %f, %A[%x] : memref<?xf32>
      }
    }
  }
  return
}

// A step that is legal for all sizes needs no guard.
// CHECK-LABEL: func.func @legal
// CHECK-NEXT:    loop.for parallel %i in %arg1
func.func @legal(%A: memref<?xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.block "legal" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<?xf32>
    }
  }
  return
}

// NONE: error: 'loop.block' op parallel: cannot prove that the instances of schedule block "chain" write different cells of "arg0": {{.*}}; no condition on sizes was found that guards it (C3)
func.func @chain(%A: memref<?xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.block "chain" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%A[%v + 1 : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %A[%next] : memref<?xf32>
    }
  }
  return
}
