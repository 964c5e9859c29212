// RUN: lw-opt %s --sched-loop-partition='loop=static:i factors=2,-1,4' \
// RUN:   --sched-loop-partition='loop=dynamic:i factors=2,3,-1' --sched-loop-partition='loop=exact:i factors=4,4' \
// RUN:   --sched-loop-partition='loop=sum:k factors=3,-1' --sched-loop-partition='loop=behind:i factors=-1,2' \
// RUN:   --sched-loop-partition='loop=minimum:i factors=4,-1' --sched-loop-partition='loop=rest:k factors=-1,2' \
// RUN:   --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --transform-interpreter='entry-point=assumed' --mlir-print-local-scope | FileCheck %s --check-prefix=ASSUMED

module attributes {transform.with_named_sequence} {
  // CHECK-LABEL: func.func @static
  // CHECK:       loop.for serial %i.0 in 2 {
  // CHECK-NEXT:    loop.block "static" [%v: spatial 30] = (%i.0)
  // CHECK:       loop.for serial %i.1 in 24 {
  // CHECK-NEXT:    loop.block "static.1" [%v: spatial 30] = (%i.1 + 2)
  // CHECK:       loop.for serial %i.2 in 4 {
  // CHECK-NEXT:    loop.block "static.2" [%v: spatial 30] = (%i.2 + 26)
  func.func @static(%A: memref<30xf32>) {
    loop.for serial %i in 30 {
      loop.block "static" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<30xf32>
      }
    }
    return
  }

  // Parts before the last one are clamped to the extent: none of them needs a proof.
  // CHECK-LABEL: func.func @dynamic
  // CHECK:       loop.for serial %i.0 in min affine_map<()[s0] -> (2, s0)>()[%arg1] {
  // CHECK:       loop.for serial %i.1 in min affine_map<()[s0] -> (3, s0 - 2)>()[%arg1] {
  // CHECK-NEXT:    loop.block "dynamic.1" {{.*}} = (%i.1 + 2)
  // CHECK:       loop.for serial %i.2 in affine_map<()[s0] -> (s0 - 5)>()[%arg1] {
  // CHECK-NEXT:    loop.block "dynamic.2" {{.*}} = (%i.2 + 5)
  // ASSUMED-LABEL: func.func @dynamic
  // ASSUMED:       loop.for serial %i.0 in affine_map<()[s0] -> (s0 - 4)>()[%arg1] {
  // ASSUMED:       loop.for serial %i.1 in 4 {
  // ASSUMED-NEXT:    loop.block "dynamic.1" {{.*}} = (%i.1 + symbol(%arg1) - 4)
  func.func @dynamic(%A: memref<?xf32>, %n: index) {
    loop.for serial %i in %n {
      loop.block "dynamic" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<?xf32>
      }
    }
    return
  }

  // CHECK-LABEL: func.func @exact
  // CHECK:       loop.for serial %i.0 in 4 {
  // CHECK:       loop.for serial %i.1 in 4 {
  // CHECK-NEXT:    loop.for serial %j in affine_map<(d0) -> (d0 + 5)>(%i.1) {
  // CHECK-NEXT:      loop.block "exact.1" {{.*}} = (%i.1 + 4, %j)
  func.func @exact(%A: memref<8x8xf32>) {
    loop.for serial %i in 8 {
      loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
        loop.block "exact" [%v: spatial 8, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
          %x = arith.constant 1.0 : f32
          memref.store %x, %A[%v, %w] : memref<8x8xf32>
        }
      }
    }
    return
  }

  // The sum starts in the first part, even if the whole reduction is over nothing.
  // CHECK-LABEL: func.func @sum
  // CHECK:       loop.for serial %k.0 in min affine_map<()[s0] -> (3, s0)>()[%arg2] {
  // CHECK-NEXT:    loop.block "sum" [%v: reduce %arg2] = (%k.0)
  // CHECK:           loop.init
  // CHECK:       loop.for serial %k.1 in affine_map<()[s0] -> (s0 - 3)>()[%arg2] {
  // CHECK-NEXT:    loop.block "sum.1" [%v: reduce %arg2] = (%k.1 + 3)
  // CHECK-NEXT:        reads(%arg0[%v : 1], %arg1[]) writes(%arg1[])
  // CHECK-NOT:       loop.init
  func.func @sum(%A: memref<?xi32>, %S: memref<i32>, %n: index) {
    loop.for serial %k in %n {
      loop.block "sum" [%v: reduce %n] = (%k) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
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

  // The extent is known to be at least the end.
  // CHECK-LABEL: func.func @behind
  // CHECK:       loop.for serial %i.0 in %arg1 {
  // CHECK:       loop.for serial %i.1 in 2 {
  // CHECK-NEXT:    loop.block "behind.1" {{.*}} = (%i.1 + symbol(%arg1))
  func.func @behind(%A: memref<?xf32>, %n: index) {
    loop.for serial %i in affine_map<()[s0] -> (s0 + 2)>()[%n] {
      loop.block "behind" [%v: spatial %n + 2] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<?xf32>
      }
    }
    return
  }

  // CHECK-LABEL: func.func @minimum
  // CHECK:       loop.for serial %i.0 in min affine_map<()[s0] -> (4, s0)>()[%arg1] {
  // CHECK:       loop.for serial %i.1 in min affine_map<()[s0] -> (s0 - 4, 26)>()[%arg1] {
  func.func @minimum(%A: memref<30xf32>, %n: index) {
    loop.for serial %i in min affine_map<()[s0] -> (s0, 30)>()[%n] {
      loop.block "minimum" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %A[%v] : memref<30xf32>
      }
    }
    return
  }

  // The first part may be empty: then it only starts.
  // CHECK-LABEL: func.func @rest
  // CHECK:       loop.for serial %k.0 in %arg2 {
  // CHECK-NEXT:    loop.block "rest" [%v: reduce %arg2] = (%k.0)
  // CHECK:       loop.for serial %k.1 in 2 {
  // CHECK-NEXT:    loop.block "rest.1" {{.*}} = (%k.1 + symbol(%arg2))
  func.func @rest(%A: memref<?xi32>, %S: memref<i32>, %n: index) {
    loop.for serial %k in affine_map<()[s0] -> (s0 + 2)>()[%n] {
      loop.block "rest" [%v: reduce %n + 2] = (%k) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
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

  transform.named_sequence @assumed(%module: !transform.any_op) {
    %f = transform.structured.match attributes{sym_name = "dynamic"} in %module : (!transform.any_op) -> !transform.any_op
    transform.sched.loop_partition "dynamic:i" in %f factors [-1, 4] proof "assume"
    transform.yield
  }
}
