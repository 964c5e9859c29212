// RUN: lw-opt %s --sched-unannotate='target=B:i key=first' --sched-unannotate='target=B key=only' | FileCheck %s

// The attribute is removed with its last entry.
// CHECK-LABEL: func.func @unannotate
// CHECK:        loop.for serial %i in 8 attributes {loop.annotations = {second = "x"}} {
// CHECK-NEXT:     loop.block "B" [%v: spatial 8] = (%i) {
func.func @unannotate() {
  loop.for serial %i in 8 attributes {loop.annotations = {first = 1, second = "x"}} {
    loop.block "B" [%v: spatial 8] = (%i) attributes {loop.annotations = {only = false}} {}
  }
  return
}
