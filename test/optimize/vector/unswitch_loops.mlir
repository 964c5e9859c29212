// A loop is copied for each number of its conditions that hold.
// RUN: lw-opt %s --unswitch-loops --split-input-file | FileCheck %s

// The strictest condition is tested first. Indices that do not change are computed once before each copy. A store without a
// condition is in all copies, so there is one for no condition, too.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[C:[a-z0-9]+]]: memref<?x8xf32>, %[[X:[a-z0-9]+]]: memref<8xf32>, %[[R:[a-z0-9]+]]: index, %[[Y:[a-z0-9]+]]: memref<8xf32>)
// CHECK:         %[[ONE:[a-z0-9]+]] = arith.cmpi sge, %[[R]], %c0
// CHECK:         %[[TWO:[a-z0-9]+]] = arith.cmpi sge, %{{.*}}, %c0
// CHECK:         scf.if %[[TWO]] {
// CHECK-NEXT:      %[[I:[a-z0-9]+]] = arith.muli %[[R]], %c2
// CHECK-NEXT:      %[[J:[a-z0-9]+]] = arith.addi %[[I]], %c2
// CHECK-NEXT:      scf.for %[[K:[a-z0-9]+]] = %c0 to %c8 step %c1 {
// CHECK-NEXT:        %[[A:[a-z0-9]+]] = memref.load %[[X]][%[[K]]]
// CHECK-NEXT:        memref.store %[[A]], %[[Y]][%[[K]]]
// CHECK-NEXT:        memref.store %[[A]], %[[C]][%[[I]], %[[K]]]
// CHECK-NEXT:        memref.store %[[A]], %[[C]][%[[J]], %[[K]]]
// CHECK-NEXT:      }
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.if %[[ONE]] {
// CHECK-NEXT:        %[[I1:[a-z0-9]+]] = arith.muli
// CHECK-NEXT:        scf.for %[[K1:[a-z0-9]+]] = %c0 to %c8 step %c1 {
// CHECK-NEXT:          %[[A1:[a-z0-9]+]] = memref.load
// CHECK-NEXT:          memref.store %[[A1]], %[[Y]]
// CHECK-NEXT:          memref.store %[[A1]], %[[C]][%[[I1]], %[[K1]]]
// CHECK-NEXT:        }
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.for
// CHECK-NEXT:          %[[A0:[a-z0-9]+]] = memref.load
// CHECK-NEXT:          memref.store %[[A0]], %[[Y]]
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @rows(%C: memref<?x8xf32>, %X: memref<8xf32>, %r: index, %Y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  scf.for %k = %c0 to %c8 step %c1 {
    %x = memref.load %X[%k] : memref<8xf32>
    memref.store %x, %Y[%k] : memref<8xf32>
    scf.if %one {
      %i = arith.muli %r, %c2 : index
      memref.store %x, %C[%i, %k] : memref<?x8xf32>
    }
    scf.if %two {
      %i = arith.muli %r, %c2 : index
      %j = arith.addi %i, %c2 : index
      memref.store %x, %C[%j, %k] : memref<?x8xf32>
    }
  }
  return
}

// -----

// Without other effects there is no copy for no condition. Equal conditions are one.
// CHECK-LABEL: func.func @no_rest(
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
func.func @no_rest(%C: memref<8xf32>, %r: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %n1 = arith.constant -1 : index
  %x = arith.constant 1.0 : f32
  %one = arith.cmpi sge, %r, %c0 : index
  %r1 = arith.addi %r, %n1 : index
  %two = arith.cmpi sge, %r1, %c0 : index
  %also = arith.cmpi sge, %r1, %c0 : index
  scf.for %k = %c0 to %c8 step %c1 {
    scf.if %one { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %two { memref.store %x, %C[%k] : memref<8xf32> }
    scf.if %also { memref.store %x, %C[%k] : memref<8xf32> }
  }
  return
}
