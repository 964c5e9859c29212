// RUN: lw-opt %s --sched-rename='target=B:i.0_1 to=rows' --sched-rename='target=B to=copy' \
// RUN:   --sched-parallel='loop=copy:rows' | FileCheck %s

// CHECK-LABEL: func.func @rename
// CHECK:        loop.for parallel %rows in 8 {
// CHECK-NEXT:     loop.block "copy" [%v: spatial 8] = (%rows) {
func.func @rename() {
  loop.for serial %i.0_1 in 8 {
    loop.block "B" [%v: spatial 8] = (%i.0_1) {}
  }
  return
}
