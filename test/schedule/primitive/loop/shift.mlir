// RUN: lw-opt %s --sched-shift='loop=static:i by=3 align=8' --sched-shift='loop=later:i by=3' \
// RUN:   --sched-shift='loop=aligned:k align=4' --sched-shift='loop=minimum:i by=1' --sched-shift='loop=even:i align=2' \
// RUN:   --sched-shift='loop=inner:i by=1' --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --transform-interpreter --mlir-print-local-scope | FileCheck %s --check-prefix=MERGED

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @static
  // CHECK:       loop.for serial %i in 40 {
  // CHECK-NEXT:    loop.block "static" [%v: spatial 30] = (%i - 3)
  // CHECK-NEXT:        where(%i - 3 >= 0, -%i + 32 >= 0)
  func.func @static(%A: memref<30xf32>) {
    loop.for serial %i in 30 {
      loop.block "static" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<30xf32>
      }
    }
    return
  }

  // CHECK-LABEL: func.func @later
  // CHECK:       loop.for serial %i in affine_map<()[s0] -> (s0 + 3)>()[%arg1] {
  // CHECK-NEXT:    loop.block "later" [%v: spatial %arg1] = (%i - 3)
  // CHECK-NEXT:        where(%i - 3 >= 0)
  func.func @later(%A: memref<?xf32>, %n: index) {
    loop.for serial %i in %n {
      loop.block "later" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<?xf32>
      }
    }
    return
  }

  // An empty sum stays empty.
  // CHECK-LABEL: func.func @aligned
  // CHECK:       loop.for serial %k in affine_map<()[s0] -> ((s0 ceildiv 4) * 4)>()[%arg2] {
  // CHECK-NEXT:    loop.block "aligned" [%v: reduce %arg2] = (%k)
  // CHECK-NEXT:        where(-%k + symbol(%arg2) - 1 >= 0)
  func.func @aligned(%A: memref<?xi32>, %S: memref<i32>, %n: index) {
    loop.for serial %k in %n {
      loop.block "aligned" [%v: reduce %n] = (%k) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %S[] : memref<i32>
        }
        %x = memref.load %A[%v] : memref<?xi32>
        %y = memref.load %S[] : memref<i32>
        %s = arith.addi %x, %y : i32
        memref.store %s, %S[] : memref<i32>
      }
    }
    return
  }

  // CHECK-LABEL: func.func @minimum
  // CHECK:       loop.for serial %i in min affine_map<()[s0] -> (s0 + 1, 31)>()[%arg1] {
  func.func @minimum(%A: memref<30xf32>, %n: index) {
    loop.for serial %i in min affine_map<()[s0] -> (s0, 30)>()[%n] {
      loop.block "minimum" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<30xf32>
      }
    }
    return
  }

  // It is a multiple already.
  // CHECK-LABEL: func.func @even
  // CHECK:       loop.for serial %i in affine_map<()[s0] -> (s0 * 2)>()[%arg1] {
  // CHECK-NEXT:    loop.block "even"
  // CHECK-NOT:       where
  func.func @even(%A: memref<?xf32>, %n: index) {
    loop.for serial %i in affine_map<()[s0] -> (s0 * 2)>()[%n] {
      loop.block "even" [%v: spatial %n * 2] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<?xf32>
      }
    }
    return
  }

  // Inner extents are rewritten.
  // CHECK-LABEL: func.func @inner
  // CHECK:       loop.for serial %i in 9 {
  // CHECK-NEXT:    loop.for serial %j in affine_map<(d0) -> (d0)>(%i) {
  // CHECK-NEXT:      loop.block "inner" {{.*}} = (%i - 1, %j)
  // CHECK-NEXT:          where(%i - 1 >= 0)
  func.func @inner(%A: memref<8x8xf32>) {
    loop.for serial %i in 8 {
      loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
        loop.block "inner" [%v: spatial 8, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
          %x = arith.constant 1.0 : f32
          memref.store %x, %A[%v, %w] : memref<8x8xf32>
        }
      }
    }
    return
  }

  // A reader of neighbours is one iteration later: then both are in one loop.
  // MERGED-LABEL: func.func @together
  // MERGED:       loop.for serial %i in 33 {
  // MERGED-NEXT:    loop.block "P" {{.*}} = (%i)
  // MERGED:         loop.block "C" {{.*}} = (%i - 1)
  // MERGED-NEXT:        where(%i - 1 >= 0)
  func.func @together(%A: memref<33xf32>, %C: memref<32xf32>) {
    %T = loop.buffer "T" scope(global) : memref<33xf32>
    loop.for serial %i in 33 {
      loop.block "P" [%v: spatial 33] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %x = memref.load %A[%v] : memref<33xf32>
        memref.store %x, %T[%v] : memref<33xf32>
      }
    }
    loop.for serial %i in 32 {
      loop.block "C" [%v: spatial 32] = (%i) reads(%T[%v : 2]) writes(%C[%v : 1]) {
        %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %x = memref.load %T[%v] : memref<33xf32>
        %y = memref.load %T[%n] : memref<33xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %C[%v] : memref<32xf32>
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%module: !transform.any_op) {
    %f = transform.structured.match attributes{sym_name = "together"} in %module : (!transform.any_op) -> !transform.any_op
    transform.sched.shift "C:i" in %f by 1
    transform.sched.merge ["P:i", "C:i"] in %f
    transform.yield
  }
}
