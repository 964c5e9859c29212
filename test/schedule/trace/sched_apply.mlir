// A trace in a file is applied by --sched-apply, script or JSON.

// RUN: lw-opt %s --sched-apply=%S/Inputs/split.json -o %t.json.mlir
// RUN: FileCheck %s --input-file=%t.json.mlir
// RUN: lw-opt %s --sched-apply=%S/../Inputs/split.mlir -o %t.script.mlir
// RUN: diff %t.json.mlir %t.script.mlir
// RUN: lw-opt %s --sched-split='loop=C:j factors=4,16' --sched-reorder=loops=C:k,C:j.1 -o %t.pass.mlir
// RUN: diff %t.json.mlir %t.pass.mlir
// RUN: mlir-opt --load-dialect-plugin=%{plugin} --load-pass-plugin=%{plugin} %s \
// RUN:   --pass-pipeline='builtin.module(sched-apply{trace=%S/Inputs/split.json})' -o %t.stock.mlir
// RUN: diff %t.json.mlir %t.stock.mlir
// RUN: lw-opt %s --pass-pipeline='builtin.module(sched-apply{trace=%S/Inputs/split.json explain})' -o %t.pipeline.mlir
// RUN: diff %t.json.mlir %t.pipeline.mlir
// RUN: cp %S/Inputs/split.json "%t with blanks"
// RUN: lw-opt %s --sched-apply="%t with blanks" | FileCheck %s

// A step that does not apply is an error at the op, which names the step.
// RUN: not lw-opt %s --sched-apply=%S/Inputs/gone.json 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: not lw-opt %s --sched-apply='trace=%S/Inputs/gone.json explain' 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// Files that are not traces.
// RUN: not lw-opt %s --sched-apply=%S/Inputs/slit.json 2>&1 | FileCheck %s --check-prefix=SLIT
// RUN: not lw-opt %s --sched-apply=%t.none.json 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not lw-opt %s --sched-apply=%s 2>&1 | FileCheck %s --check-prefix=NO-SCRIPT
// RUN: not lw-opt %s --sched-apply 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: sed 's/"matmul"/"other"/' %S/Inputs/split.json > %t.other.json
// RUN: not lw-opt %s --sched-apply=%t.other.json 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK-LABEL: func.func @matmul
// CHECK-NEXT: loop.for parallel %i in 128 {
// CHECK-NEXT:   loop.for serial %j.0 in 4 axis(tile_outer from "j" pair "j.1") {
// CHECK-NEXT:     loop.for serial %k in 64 {
// CHECK-NEXT:       loop.for serial %j.1 in 16 axis(tile_inner from "j" pair "j.0") {

// GONE: sched_apply.mlir:[[#FUNCTION:]]:1: remark: the trace was made for another function: its hash is 0123456789abcdef, here it is
// GONE: sched_apply.mlir:[[#FUNCTION+4]]:9: error: 'loop.block' op unroll: "C:j" was removed by step 1: transform.sched.split "C:j" in %f factors [-1, 16] (C1)
// GONE: gone.json:3:3: note: in step 2 of the trace: transform.sched.unroll "C:j" in %f
// GONE-NOT: module
// EXPLAIN: note: in this nest:

// SLIT: slit.json:2:17: error: step 1 is "slit", which is not a primitive
// ABSENT: none.json{{.*}}: error: cannot be read: No such file
// NO-SCRIPT: sched_apply.mlir{{.*}}: error: 'builtin.module' op has no 'transform.named_sequence @__transform_main'
// NOTHING: error: cannot be read: No such file
// OTHER: error: 'builtin.module' op has no function @other
func.func @matmul(%A: memref<128x64xf32>, %B: memref<64x64xf32>, %C: memref<128x64xf32>) {
  loop.for parallel %i in 128 {
    loop.for serial %j in 64 {
      loop.for serial %k in 64 {
        loop.block "C" [%vi: spatial 128, %vj: spatial 64, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          %zero = arith.constant 0.0 : f32
          loop.init { memref.store %zero, %C[%vi, %vj] : memref<128x64xf32> }
          %a = memref.load %A[%vi, %vk] : memref<128x64xf32>
          %b = memref.load %B[%vk, %vj] : memref<64x64xf32>
          %c = memref.load %C[%vi, %vj] : memref<128x64xf32>
          %m = arith.mulf %a, %b : f32
          %s = arith.addf %c, %m : f32
          memref.store %s, %C[%vi, %vj] : memref<128x64xf32>
        }
      }
    }
  }
  return
}
