// Knobs of a script: the first values that meet the constraints are selected, and become decisions of the schedule.
// RUN: lw-opt %s --resolve-knobs | FileCheck %s
// RUN: lw-opt %s --resolve-knobs --transform-interpreter | FileCheck %s --check-prefix=NEST
// RUN: lw-opt %s --resolve-knobs --transform-interpreter --sched-print-trace=script | FileCheck %s --check-prefix=TRACE
// CHECK:      %[[ROWS:.*]] = transform.tune.knob<"rows"> = 4 : i64 from options = [6, 5, 4, 3]
// CHECK-NEXT: %[[COLUMNS:.*]] = transform.tune.knob<"columns"> = 16 : i64 from options = [64, 32, 16]
// CHECK-NEXT: transform.tune.knob<"kind"> = "serial" from options = ["serial", "parallel"]
// CHECK-NEXT: %[[AREA:.*]] = transform.param.constant 64 : i64
// CHECK-NEXT: transform.sched.decide "rows" in %{{.*}} = %[[ROWS]]
// CHECK-NEXT: transform.sched.decide "columns" in %{{.*}} = %[[COLUMNS]]
// CHECK-NEXT: transform.sched.decide "area" in %{{.*}} = %[[AREA]]
// CHECK:      transform.tune.alternatives<"order"> selected_region = 0
// CHECK:      transform.tune.alternatives<"lanes"> selected_region = 1

// NEST:      loop.decisions = {area = 64 : i64, columns = 16 : i64, rows = 4 : i64}
// NEST:      loop.for parallel %i.0 in 6
// NEST-NEXT:   loop.for serial %j.0 in 4
// NEST-NEXT:     loop.for serial %i.1 in 4
// NEST-NEXT:       loop.for vectorize %j.1 in 16
// NEST-NEXT:         loop.block "C"

// The trace of a decision has the options of its knob.
// TRACE:      transform.sched.sample_categorical "rows" in %f candidates [6, 5, 4, 3] decision 4
// TRACE-NEXT: transform.sched.sample_categorical "columns" in %f candidates [64, 32, 16] decision 16
// TRACE-NEXT: transform.sched.sample_categorical "area" in %f candidates [64] decision 64
// TRACE-NEXT: transform.sched.split "C:i" in %f factors "-1, $rows"

// All solutions, in the order of the options; at most as many as asked for.
// RUN: lw-opt %s --resolve-knobs=print=100 -o /dev/null | FileCheck %s --check-prefix=ALL --match-full-lines
// RUN: lw-opt %s --resolve-knobs=print=1 -o /dev/null | FileCheck %s --check-prefix=ONE --match-full-lines
// ALL:      rows = 4, columns = 16, kind = 0, order = 0, lanes = 1, seven = 7
// ALL-NEXT: rows = 4, columns = 16, kind = 0, order = 1, lanes = 1, seven = 7
// ALL-NEXT: rows = 4, columns = 16, kind = 1, order = 0, lanes = 1, seven = 7
// ALL-NEXT: rows = 4, columns = 16, kind = 1, order = 1, lanes = 1, seven = 7
// ALL-NEXT: rows = 3, columns = 16, kind = 0, order = 0, lanes = 1, seven = 7
// ALL:      rows = 3, columns = 16, kind = 1, order = 1, lanes = 1, seven = 7
// ALL-NOT:  rows
// ONE:      rows = 4, columns = 16, kind = 0, order = 0, lanes = 1, seven = 7
// ONE-NOT:  rows

// A seed selects another solution, which meets the constraints, too.
// RUN: lw-opt %s --resolve-knobs=seed=7 | FileCheck %s --check-prefix=SEED
// SEED: transform.tune.knob<"rows"> = {{3|4}} : i64
// SEED: transform.tune.knob<"columns"> = 16 : i64

// RUN: lw-opt %s --resolve-knobs=smt-lib -o /dev/null | FileCheck %s --check-prefix=SMT --match-full-lines
// SMT:      (set-logic QF_NIA)
// SMT-NEXT: (declare-const |rows| Int)
// SMT-NEXT: (assert (or (= |rows| 6) (= |rows| 5) (= |rows| 4) (= |rows| 3)))
// SMT-NEXT: (declare-const |columns| Int)
// SMT-NEXT: (assert (or (= |columns| 64) (= |columns| 32) (= |columns| 16)))
// SMT-NEXT: (declare-const |kind| Int)
// SMT-NEXT: (assert (or (= |kind| 0) (= |kind| 1)))
// SMT-NEXT: (declare-const |order| Int)
// SMT-NEXT: (assert (or (= |order| 0) (= |order| 1)))
// SMT-NEXT: (declare-const |lanes| Int)
// SMT-NEXT: (assert (or (= |lanes| 0) (= |lanes| 1)))
// SMT-NEXT: (declare-const |seven| Int)
// SMT-NEXT: (assert (= |seven| 7))
// SMT-NEXT: (assert (! (<= (* |rows| |columns|) 64) :named |constraint 1|))
// SMT-NEXT: (assert (! (= (mod 24 |rows|) 0) :named |constraint 2|))
// SMT-NEXT: (assert (! (or (not (= |lanes| 0)) (= |seven| 8)) :named |constraint 3|))
module attributes {transform.with_named_sequence} {
func.func @main(%A: memref<24x64xf32>, %B: memref<24x64xf32>) {
  loop.for serial %i in 24 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 24, %w: spatial 64] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<24x64xf32>
        memref.store %a, %B[%v, %w] : memref<24x64xf32>
      }
    }
  }
  return
}
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %f = transform.sched.function @main in %module
  %rows = transform.tune.knob<"rows"> options = [6, 5, 4, 3] -> !transform.param<i64>
  %columns = transform.tune.knob<"columns"> options = [64, 32, 16] -> !transform.param<i64>
  %kind = transform.tune.knob<"kind"> options = ["serial", "parallel"] -> !transform.any_param
  %area = transform.smt.constrain_params(%rows, %columns) : (!transform.param<i64>, !transform.param<i64>) -> (!transform.param<i64>) {
  ^bb0(%r: !smt.int, %c: !smt.int):
    %product = smt.int.mul %r, %c
    %most = smt.int.constant 64
    %fits = smt.int.cmp le %product, %most
    smt.assert %fits
    smt.yield %product : !smt.int
  }
  transform.smt.constrain_params(%rows) : (!transform.param<i64>) -> () {
  ^bb0(%r: !smt.int):
    %all = smt.int.constant 24
    %zero = smt.int.constant 0
    %rest = smt.int.mod %all, %r
    %divides = smt.eq %rest, %zero : !smt.int
    smt.assert %divides
  }
  transform.sched.decide "rows" in %f = %rows : !transform.param<i64>
  transform.sched.decide "columns" in %f = %columns : !transform.param<i64>
  transform.sched.decide "area" in %f = %area : !transform.param<i64>
  transform.sched.split "C:i" in %f factors "-1, $rows"
  transform.sched.split "C:j" in %f factors "-1, $columns"
  transform.tune.alternatives<"order"> {
    transform.sched.reorder ["C:i.0", "C:j.0", "C:i.1", "C:j.1"] in %f
  }, {
    transform.sched.reorder ["C:j.0", "C:i.0", "C:i.1", "C:j.1"] in %f
  }
  // In regions that are not selected, knobs stay open and constraints do not matter.
  transform.tune.alternatives<"parallel"> selected_region = 0 {
    transform.sched.parallel "C:i.0" in %f
  }, {
    %never = transform.tune.knob<"never"> options = [7] -> !transform.param<i64>
    transform.smt.constrain_params(%never) : (!transform.param<i64>) -> () {
    ^bb0(%n: !smt.int):
      %false = smt.constant false
      smt.assert %false
    }
  }
  // An open alternative is one whose constraints can hold.
  transform.tune.alternatives<"lanes"> {
    %seven = transform.tune.knob<"seven"> options = [7] -> !transform.param<i64>
    transform.smt.constrain_params(%seven, %columns) : (!transform.param<i64>, !transform.param<i64>) -> () {
    ^bb0(%s: !smt.int, %c: !smt.int):
      %eight = smt.int.constant 8
      %is_eight = smt.eq %s, %eight : !smt.int
      smt.assert %is_eight
    }
  }, {
    transform.sched.vectorize "C:j.1" in %f
  }
  transform.yield
}
}
