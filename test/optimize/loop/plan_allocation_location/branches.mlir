// RUN: lw-opt %s --verify-each=numeric --plan-allocation-location --split-input-file | FileCheck %s
// RUN: lw-opt %s --plan-allocation-location --plan-allocation-location --split-input-file | FileCheck %s
// RUN: lw-opt %s --plan-allocation-location --split-input-file --pass-report -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

// Both branches of a condition on sizes use a buffer. Each gets one of its own: in the first branch a row belongs to its iteration.
// In the second one a row is read by the iteration of another row, so its buffer stays.
// CHECK-LABEL: func.func @branches(
// CHECK-DAG:     %[[whole:.*]] = loop.buffer "T_1" scope(global) (%{{.*}}) : memref<?x96xf32>
// CHECK-DAG:     %[[row:.*]] = loop.buffer "T" scope(local) : memref<1x96xf32>
// CHECK:         loop.if
// CHECK:           memref.store %{{[0-9]+}}, %[[row]]
// CHECK:         } else {
// CHECK:           memref.store %{{[0-9]+}}, %[[whole]]
// COUNTS:        plan-allocation-location  @branches {{.*}} ms  changed, 1 local
func.func @branches(%A: memref<?x96xf32>, %B: memref<?x96xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x96xf32>
  %T = loop.buffer "T" scope(global) (%n) : memref<?x96xf32>
  loop.if (symbol(%n) - 8 >= 0) {
    loop.for parallel %i in %n {
      loop.for serial %j in 96 {
        loop.block "T" [%v: spatial %n, %w: spatial 96] = (%i, %j)
            reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<?x96xf32>
          %r = math.exp %a : f32
          memref.store %r, %T[%v, %w] : memref<?x96xf32>
        }
      }
      loop.for serial %j in 96 {
        loop.block "B" [%v: spatial %n, %w: spatial 96] = (%i, %j)
            reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %T[%v, %w] : memref<?x96xf32>
          memref.store %a, %B[%v, %w] : memref<?x96xf32>
        }
      }
    }
  } else {
    loop.for parallel %i in %n {
      loop.for serial %j in 96 {
        loop.block "T.else" [%v: spatial %n, %w: spatial 96] = (%i, %j)
            reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<?x96xf32>
          %r = math.exp %a : f32
          memref.store %r, %T[%v, %w] : memref<?x96xf32>
        }
      }
    }
    loop.for parallel %i in %n {
      loop.for serial %j in 96 {
        loop.block "B.else" [%v: spatial %n, %w: spatial 96] = (%i, %j)
            reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %T[%v, %w] : memref<?x96xf32>
          memref.store %a, %B[%v, %w] : memref<?x96xf32>
        }
      }
    }
  }
  return
}

// -----

// Neither branch needs less than the whole buffer: it stays one.
// CHECK-LABEL: func.func @no_narrower(
// CHECK:         loop.buffer "T" scope(global) (%{{.*}}) : memref<?xf32>
// CHECK-NOT:     loop.buffer
// CHECK:         return
func.func @no_narrower(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %T = loop.buffer "T" scope(global) (%n) : memref<?xf32>
  loop.if (symbol(%n) - 8 >= 0) {
    loop.for serial %i in %n {
      loop.block "T" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %T[%v] : memref<?xf32>
      }
    }
    loop.for serial %i in %n {
      loop.block "B" [%v: spatial %n] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %T[%v] : memref<?xf32>
        memref.store %a, %B[%v] : memref<?xf32>
      }
    }
  } else {
    loop.for serial %i in %n {
      loop.block "T.else" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %T[%v] : memref<?xf32>
      }
    }
    loop.for serial %i in %n {
      loop.block "B.else" [%v: spatial %n] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %T[%v] : memref<?xf32>
        memref.store %a, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}
