// RUN: lw-opt %s --sched-annotate='target=B:j key=pragma value=4' --sched-annotate='target=B key=note value=hot' \
// RUN:   --sched-annotate='target=B key=tensor.core value=true' --sched-annotate='target=B key=text value="4"' \
// RUN:   --sched-annotate='target=B:i key=gone value=-1' --sched-unannotate='target=B:i key=gone' \
// RUN:   --sched-annotate='target=B:i key=stays value=0' --sched-unannotate='target=B key=text' \
// RUN:   --sched-reorder=loops=B:j,B:i --sched-parallel=loop=B:j | FileCheck %s
// RUN: lw-opt %s --transform-interpreter | FileCheck %s

// Lowering reports annotations that it does not know.
// RUN: lw-opt %s --sched-annotate='target=B:j key=pragma value=4' --convert-loop-to-scf 2>&1 | FileCheck %s --check-prefix=LOWER
// LOWER: remark: annotation "pragma" has no effect in the lowering for the CPU

// An op that is reordered and made parallel keeps its annotations.
module attributes {transform.with_named_sequence} {
// CHECK-LABEL: func.func @annotated
// CHECK:        loop.for parallel %j in 4 attributes {loop.annotations = {pragma = 4 : i64}} {
// CHECK-NEXT:     loop.for serial %i in 8 attributes {loop.annotations = {stays = 0 : i64}} {
// CHECK-NEXT:       loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) attributes {loop.annotations = {note = "hot", tensor.core = true}} {
  func.func @annotated() {
    loop.for serial %i in 8 {
      loop.for serial %j in 4 { loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) {} }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.annotate "B:j" in %f key "pragma" value 4
    transform.sched.annotate "B" in %f key "note" value "hot"
    transform.sched.annotate "B" in %f key "tensor.core" value true
    transform.sched.annotate "B:i" in %f key "gone" value "4"
    transform.sched.unannotate "B:i" in %f key "gone"
    transform.sched.annotate "B:i" in %f key "stays" value 0
    transform.sched.reorder ["B:j", "B:i"] in %f
    transform.sched.parallel "B:j" in %f
    transform.yield
  }
}
