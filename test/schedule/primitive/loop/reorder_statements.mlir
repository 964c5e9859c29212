// RUN: lw-opt %s --sched-reorder-statements='target=b:i before=a:i' --sched-reorder-statements='target=third before=first' \
// RUN:   --sched-reorder-statements='target=sized:i before=other:i' --sched-reorder-statements='target=upper:i.1 before=lower:i.0' \
// RUN:   --mlir-print-local-scope | FileCheck %s

// CHECK-LABEL: func.func @nests
// CHECK:       loop.block "b"
// CHECK:       loop.block "a"
func.func @nests(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "a" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %A[%v] : memref<8xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "b" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}

// Statements in between keep their order.
// CHECK-LABEL: func.func @blocks
// CHECK:       loop.for serial %i in 8 {
// CHECK-NEXT:    loop.block "third"
// CHECK:         loop.block "first"
// CHECK:         loop.block "second"
func.func @blocks(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "first" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %A[%v] : memref<8xf32>
    }
    loop.block "second" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
    loop.block "third" [%v: spatial 8] = (%i) writes(%C[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %C[%v] : memref<8xf32>
    }
  }
  return
}

// Its function-level operands are moved before it.
// CHECK-LABEL: func.func @between
// CHECK:       memref.dim
// CHECK:       loop.block "sized"
// CHECK:       loop.block "other"
func.func @between(%A: memref<8xf32>, %B: memref<?xf32>) {
  loop.for serial %i in 8 {
    loop.block "other" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %A[%v] : memref<8xf32>
    }
  }
  %c0 = arith.constant 0 : index
  %n = memref.dim %B, %c0 : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "sized" [%v: spatial %n] = (%i) writes(%B[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %B[%v] : memref<?xf32>
    }
  }
  return
}

// Two disjoint parts of one buffer, for all sizes.
// CHECK-LABEL: func.func @parts
// CHECK:       loop.block "upper"
// CHECK:       loop.block "lower"
func.func @parts(%A: memref<?xf32>, %n: index) {
  loop.for serial %i.0 in %n {
    loop.block "lower" [%v: spatial %n] = (%i.0) writes(%A[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %A[%v] : memref<?xf32>
    }
  }
  loop.for serial %i.1 in %n {
    loop.block "upper" [%v: spatial %n * 2] = (%i.1 + symbol(%n)) writes(%A[%v : 1]) {
      %a = arith.constant 2.0 : f32
      memref.store %a, %A[%v] : memref<?xf32>
    }
  }
  return
}
