// RUN: not lw-opt %s --schedule-by-strategy='cpu=haswell strategies=%S/Inputs/same_priority.mlir' 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not lw-opt %s --schedule-by-strategy='cpu=haswell strategies=%S/Inputs/no_rest.mlir' 2>&1 | FileCheck %s --check-prefix=REST
// RUN: not lw-opt %s --schedule-by-strategy='cpu=haswell strategies=%S/Inputs/none.mlir' 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not lw-run %s --target x86 --strategies %s --compile-to vector 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not lw-run %s --strategies %S/Inputs/sizes.mlir --compile-to loop 2>&1 | FileCheck %s --check-prefix=TARGET

// SAME:   error: 'func.func' op has two applicable strategies of priority 60 for schedule blocks B: one and other; expected one of the highest priority
// FILE:   none.mlir:1:1: error: the strategies cannot be read: No such file or directory
// NONE:   sizes_refused.mlir:0:0: error: source must contain a single top-level operation, found: 2
// TARGET: error: default schedules are those of a target, in phase schedule: give --target x86
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

// No strategy of the package is for a nest that stores with large strides.
// REST: error: 'func.func' op has no strategy for some sizes of schedule block C, such as dim(A, 0) = 5; expected one for all sizes that remain
func.func @strided(%A: memref<?xf32> {loop.name = "A"}, %B: memref<?x64xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %i in %m {
    loop.block "C" [%vi: spatial %m] = (%i) reads(%A[%vi : 1]) writes(%B[%vi : 1, 3 : 1]) {
      %c3 = arith.constant 3 : index
      %x = memref.load %A[%vi] : memref<?xf32>
      memref.store %x, %B[%vi, %c3] : memref<?x64xf32>
    }
  }
  return
}
