// Strategies for some sizes become branches, highest priority first.
// RUN: lw-opt %s --schedule-by-strategy='cpu=haswell dump=true strategies=%S/Inputs/sizes.mlir' >%t.out 2>%t.dump
// RUN: FileCheck %s --input-file=%t.out
// RUN: FileCheck %s --check-prefix=DUMP --input-file=%t.dump
// The branches compute the same as the unscheduled function.
// RUN: lw-run %s --target x86 --strategies %S/Inputs/sizes.mlir --verify-each numeric --compile-to llvm >%t.ll

// CHECK-LABEL: func.func @map
// CHECK:       loop.if (-symbol(%[[M:[a-z]+]]) + 4 >= 0) {
// CHECK-NEXT:    loop.for serial %i in
// CHECK-NEXT:      loop.for serial %j.0 in 8
// CHECK-NEXT:        loop.for vectorize %j.1 in 8
// CHECK-NEXT:          loop.block "B"
// CHECK:       } else {
// CHECK-NEXT:    loop.if (symbol(%[[M]]) mod 2 == 0, symbol(%[[M]]) - 5 >= 0) {
// CHECK-NEXT:      loop.for parallel %i in
// CHECK-NEXT:        loop.for serial %j in 64
// CHECK-NEXT:          loop.block "B.else"
// CHECK:         } else {
// CHECK-NEXT:      loop.for parallel %i in
// CHECK-NEXT:        loop.for serial %j.0 in 2
// CHECK-NEXT:          loop.for vectorize %j.1 in 32
// CHECK-NEXT:            loop.block "B.else.else"

// DUMP:      warning: strategy two is never chosen for schedule blocks B: strategies of higher priorities have all its sizes, dim(A, 0) == 2
// DUMP:      function map: 8 steps
// DUMP-NEXT:   group B
// DUMP-NEXT:     60 few: chosen if 4 >= dim(A, 0)
// DUMP-NEXT:     60 even: chosen if dim(A, 0) mod 2 == 0 and dim(A, 0) >= 5
// DUMP:         50 x86.product.packed: it is not a product
// DUMP-NEXT:     50 two: never chosen: its sizes, dim(A, 0) == 2, all have strategies of higher priorities
// DUMP:          40 refused: undone after 0 steps: schedule @refused requires "B.else.else:i is constant", but its extent is dim(A, 0)
// DUMP:          10 x86.elementwise: chosen for all other sizes
func.func @map(%A: memref<?x64xf32> {loop.name = "A"}, %B: memref<?x64xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %A, %c0 : memref<?x64xf32>
  loop.for serial %i in %m {
    loop.for serial %j in 64 {
      loop.block "B" [%vi: spatial %m, %vj: spatial 64] = (%i, %j)
          reads(%A[%vi : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %x = memref.load %A[%vi, %vj] : memref<?x64xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %B[%vi, %vj] : memref<?x64xf32>
      }
    }
  }
  return
}

// Known sizes need no branch.
// DUMP:      function known
// DUMP-NEXT:   group B
// DUMP-NEXT:     60 few: it is for sizes with i <= 4
// DUMP-NEXT:     60 even: chosen
// DUMP:          10 x86.elementwise: applies, but has a lower priority
// CHECK-LABEL: func.func @known
// CHECK-NOT:   loop.if
func.func @known(%A: memref<6x64xf32>, %B: memref<6x64xf32> {loop.result}) {
  loop.for serial %i in 6 {
    loop.for serial %j in 64 {
      loop.block "B" [%vi: spatial 6, %vj: spatial 64] = (%i, %j)
          reads(%A[%vi : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %x = memref.load %A[%vi, %vj] : memref<6x64xf32>
        %y = arith.addf %x, %x : f32
        memref.store %y, %B[%vi, %vj] : memref<6x64xf32>
      }
    }
  }
  return
}
