// RUN: lw-opt %s --extern-call-process --split-input-file | FileCheck %s
// RUN: lw-opt %s --extern-call-process --extern-call-process --split-input-file | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --extern-call-process --split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAME
// RUN: lw-opt %s --extern-call-process --split-input-file --pass-report -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

// Two of three results are read: the maximum of two values, and its index.
// CHECK-LABEL: func.func private @best(%arg0: f32, %arg1: f32, %arg2: memref<1xf32>, %arg3: memref<1xi32>) {
// CHECK:         memref.store %{{.+}}, %arg2[%c0{{.*}}]
// CHECK:         memref.store %{{.+}}, %arg3[%c0{{.*}}]
// CHECK-NEXT:    return{{$}}
// CHECK-LABEL: func.func @main(
// CHECK-DAG:     %[[B:.+]] = loop.buffer "best_result0" scope(local) : memref<1xf32>
// CHECK-DAG:     %[[I:.+]] = loop.buffer "best_result2" scope(local) : memref<1xi32>
// CHECK:         loop.block "C"
// CHECK-NEXT:        reads(%arg0[%v : 1], %arg1[%v : 1], %[[B]][0 : 1]) writes(%[[B]][0 : 1], %[[I]][0 : 1], %arg2[%v : 1])
// CHECK:           call @best(%{{.+}}, %{{.+}}, %[[B]], %[[I]]) : (f32, f32, memref<1xf32>, memref<1xi32>) -> ()
// CHECK-NEXT:      %[[C0:.+]] = arith.constant 0 : index
// CHECK-NEXT:      %[[V:.+]] = memref.load %[[B]][%[[C0]]]
// CHECK-NEXT:      memref.store %[[V]], %arg2[%v]
// CHECK:         loop.block "D"
// CHECK:           call @best(
// CHECK:           memref.load %best_result2_1
// COUNTS:        extern-call-process {{.*}} changed, 1 functions, 1 dropped
// SAME-NOT:      error
func.func private @best(%x: f32, %y: f32) -> (f32, f32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %p = arith.cmpf ogt, %x, %y : f32
  %best = arith.select %p, %x, %y : f32
  %other = arith.select %p, %y, %x : f32
  %i = arith.select %p, %zero, %one : i32
  return %best, %other, %i : f32, f32, i32
}
func.func @main(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32> {loop.result}, %D: memref<8xi32> {loop.result}) {
  loop.for parallel %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[%v : 1], %B[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %b = memref.load %B[%v] : memref<8xf32>
      %r:3 = func.call @best(%a, %b) : (f32, f32) -> (f32, f32, i32)
      memref.store %r#0, %C[%v] : memref<8xf32>
    }
    loop.block "D" [%v: spatial 8] = (%i) reads(%A[%v : 1], %B[%v : 1]) writes(%D[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %b = memref.load %B[%v] : memref<8xf32>
      %r:3 = func.call @best(%a, %b) : (f32, f32) -> (f32, f32, i32)
      memref.store %r#2, %D[%v] : memref<8xi32>
    }
  }
  return
}

// -----

// One result is read: it stays a single result. External functions write all results.
// CHECK-LABEL: func.func private @one(%arg0: f32) -> f32 {
// CHECK:         return %{{.+}} : f32
// CHECK:       func.func private @elsewhere(f32, memref<1xf32>, memref<1xf32>)
// CHECK-LABEL: func.func @main(
// CHECK:         call @one(%{{.+}}) : (f32) -> f32
// CHECK:         call @elsewhere(%{{.+}}, %{{.+}}, %{{.+}}) : (f32, memref<1xf32>, memref<1xf32>) -> ()
func.func private @one(%x: f32) -> (f32, f32) {
  %s = arith.addf %x, %x : f32
  return %x, %s : f32, f32
}
func.func private @elsewhere(%x: f32) -> (f32, f32)
func.func @main(%A: memref<8xf32>, %C: memref<8xf32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %r:2 = func.call @one(%a) : (f32) -> (f32, f32)
      %s:2 = func.call @elsewhere(%r#1) : (f32) -> (f32, f32)
      memref.store %s#0, %C[%v] : memref<8xf32>
    }
  }
  return
}

// -----

// (C1) a public function, and one that is called between loops; (C2) lanes; (C3) a boolean; one result.
// CHECK-LABEL: func.func @c1_public(%arg0: f32) -> (f32, f32)
// CHECK-LABEL: func.func private @c1_between(%arg0: f32) -> (f32, f32)
// CHECK-LABEL: func.func private @c2_lanes(%arg0: f32) -> (f32, f32)
// CHECK-LABEL: func.func private @c3_truth(%arg0: f32) -> (f32, i1)
// CHECK-LABEL: func.func private @single(%arg0: f32) -> f32
func.func @c1_public(%x: f32) -> (f32, f32) {
  return %x, %x : f32, f32
}
func.func private @c1_between(%x: f32) -> (f32, f32) {
  return %x, %x : f32, f32
}
func.func private @c2_lanes(%x: f32) -> (f32, f32) {
  return %x, %x : f32, f32
}
func.func private @c3_truth(%x: f32) -> (f32, i1) {
  %p = arith.cmpf oeq, %x, %x : f32
  return %x, %p : f32, i1
}
func.func private @single(%x: f32) -> f32 {
  return %x : f32
}
func.func @main(%A: memref<8xf32>, %C: memref<8xf32> {loop.result}, %x: f32) {
  %n:2 = func.call @c1_between(%x) : (f32) -> (f32, f32)
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %q:2 = func.call @c1_public(%a) : (f32) -> (f32, f32)
      %r:2 = func.call @c3_truth(%q#0) : (f32) -> (f32, i1)
      %s = func.call @single(%r#0) : (f32) -> f32
      memref.store %s, %C[%v] : memref<8xf32>
    }
  }
  loop.for vectorize %i in 8 {
    loop.block "L" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %q:2 = func.call @c2_lanes(%a) : (f32) -> (f32, f32)
      %s = arith.addf %q#0, %q#1 : f32
      memref.store %s, %C[%v] : memref<8xf32>
    }
  }
  return
}

// -----

// Argument names that already exist. A body of several blocks is unchanged (C4).
// CHECK-LABEL: func.func private @c4_branches(%arg0: f32) -> (f32, f32)
// CHECK-LABEL: func.func @named(
// CHECK:         %two_result0_1 = loop.buffer "two_result0_1" scope(local) : memref<1xf32>
// CHECK:         func.call @two(%{{.+}}, %two_result0_1, %two_result1)
// CHECK:         func.call @c4_branches(%{{.+}}) : (f32) -> (f32, f32)
func.func private @two(%x: f32) -> (f32, f32) {
  %s = arith.addf %x, %x : f32
  return %x, %s : f32, f32
}
func.func private @c4_branches(%x: f32) -> (f32, f32) {
  %zero = arith.constant 0.0 : f32
  %p = arith.cmpf olt, %x, %zero : f32
  cf.cond_br %p, ^negative, ^other
^negative:
  return %zero, %x : f32, f32
^other:
  return %x, %x : f32, f32
}
func.func @named(%A: memref<8xf32> {loop.name = "two_result0"}, %B: memref<8xf32> {loop.result}) {
  loop.for parallel %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %r:2 = func.call @two(%a) : (f32) -> (f32, f32)
      %q:2 = func.call @c4_branches(%r#0) : (f32) -> (f32, f32)
      %d = arith.subf %q#0, %r#1 : f32
      memref.store %d, %B[%v] : memref<8xf32>
    }
  }
  return
}
