// A trace of one function replays on functions of other shapes: as far as steps apply, with a remark.

// RUN: lw-opt %s --sched-split='loop=C:j factors=-1,4' --sched-unroll=loop=C:j.1 --sched-unroll=loop=C:i \
// RUN:   --sched-print-trace=json > %t.json
// RUN: lw-opt %s --sched-apply=%t.json 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: sed 's/3x8/2x12/g; s/ 3/ 2/g; s/ 8/ 12/g' %s > %t.static.mlir
// RUN: lw-opt %t.static.mlir --sched-apply=%t.json 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: not lw-opt %S/Inputs/matmul.mlir --sched-apply=%t.json 2>&1 | FileCheck %s --check-prefix=DYNAMIC

// CHECK: loop.for unroll %i in 3
// CHECK-NEXT: loop.for serial %j.0 in 2
// CHECK-NEXT: loop.for unroll %j.1 in 4
// STATIC: remark: the trace was made for another function: its hash is [[HASH:[0-9a-f]+]], here it is
// STATIC: loop.for unroll %i in 2
// STATIC-NEXT: loop.for serial %j.0 in 3
// STATIC-NEXT: loop.for unroll %j.1 in 4
// DYNAMIC: remark: the trace was made for another function
// DYNAMIC: error: 'loop.for' op unroll: loop "i" has no constant extent (C3)
// DYNAMIC: json:8:5: note: in step 3 of the trace: transform.sched.unroll "C:i" in %f
func.func @matmul(%C: memref<3x8xf32>) {
  loop.for serial %i in 3 {
    loop.for serial %j in 8 {
      loop.block "C" [%vi: spatial 3, %vj: spatial 8] = (%i, %j) writes(%C[%vi : 1, %vj : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %C[%vi, %vj] : memref<3x8xf32>
      }
    }
  }
  return
}
