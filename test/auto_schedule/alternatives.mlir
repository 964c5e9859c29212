// The alternatives of a product: register tiles, and vectors of results whose columns are reduced one by one.
// RUN: lw-opt %s --auto-schedule='machine=%S/Inputs/machine.json top=4' -o %t.scheduled > %t.script
// RUN: FileCheck %s --input-file %t.script
// RUN: FileCheck %s --check-prefix=BEST --input-file %t.scheduled
// CHECK: transform.sched.function @main in %module
// CHECK-NEXT: x86.product.tdpbf16ps: does not apply: its factors are not both of a narrower type than the sums
// CHECK-NEXT: x86.product.tdpb: does not apply: its factors are not both of a narrower type than the sums
// CHECK-NEXT: x86.product.vdpbf16ps: does not apply: its factors are not both of a narrower type than the sums
// CHECK-NEXT: x86.product.vpdpbusd: does not apply: its factors are not both of a narrower type than the sums
// CHECK-NEXT: x86.product.vpdpwssd: does not apply: its factors are not both of a narrower type than the sums
// CHECK-NEXT: x86.product.pair: does not apply: the group does not have two products
// CHECK-NEXT: x86.product.packed: does not apply: the factor to pack fits in half of the second-level cache
// CHECK: transform.tune.alternatives<"main: C"> selected_region = 0 {
// CHECK-NEXT: // x86.product.tiled: predicted {{.*}} us, limited by vector units
// CHECK-NEXT: %knob0 = transform.tune.knob<"main: x86.product.tiled C.columns"> = 24 from options = [8, 16, 24, 32] -> !transform.param<i64>
// CHECK-NEXT: %knob1 = transform.tune.knob<"main: x86.product.tiled C.rows"> = 4 from options = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] -> !transform.param<i64>
// CHECK-NEXT: transform.smt.constrain_params(%knob0, %knob1)
// CHECK:      smt.assert %{{[0-9]+}} {what = "vector registers"}
// CHECK:      transform.sched.decide "C.columns" in %f0 = %knob0 : !transform.param<i64>
// CHECK-NEXT: transform.sched.decide "C.rows" in %f0 = %knob1 : !transform.param<i64>
// CHECK-NEXT: transform.sched.split "C:i" in %f0 factors "-1, $C.rows"
// CHECK: }, {
// CHECK-NEXT: // x86.columns: predicted {{.*}} us, limited by L2
// CHECK-NEXT: %knob0 = transform.tune.knob<"main: x86.columns C.columns"> = 32 from options = [8, 16, 24, 32, 40, 48, 56] -> !transform.param<i64>
// CHECK:      transform.sched.decide "C.columns" in %f0 = %knob0 : !transform.param<i64>
// CHECK-NEXT: transform.sched.split "C:j" in %f0 factors "-1, $C.columns"
// CHECK: transform.yield
// BEST: loop.for unroll %i.1 in 4

// Fewer are printed on request; the first one is the schedule.
// RUN: lw-opt %s --auto-schedule='machine=%S/Inputs/machine.json' -o /dev/null | FileCheck %s --check-prefix=ONE
// ONE: x86.product.tiled: predicted
// ONE-NOT: x86.columns: predicted

// The script is run by `lw-run`: the first region gives the same schedule, and the second one another.
// RUN: lw-run %s --target x86 --schedule %t.script --compile-to schedule > %t.first
// RUN: FileCheck %s --check-prefix=BEST --input-file %t.first
// RUN: sed 's/selected_region = 0/selected_region = 1/' %t.script > %t.second
// RUN: lw-run %s --target x86 --schedule %t.second --compile-to schedule | FileCheck %s --check-prefix=SECOND
// SECOND: loop.for parallel %i in 64
// SECOND: loop.for vectorize %j.1 in 32

// Upstream's interpreter runs it after its knobs were resolved. A number may be changed, or left open.
// RUN: sed 's/C.rows"> = 4 from/C.rows"> = 2 from/' %t.script > %t.other
// RUN: lw-run %s --target x86 --schedule %t.other --compile-to schedule | FileCheck %s --check-prefix=OTHER
// OTHER: loop.for unroll %i.1 in 2
// RUN: sed 's/C.rows"> = 4 from/C.rows">/' %t.script > %t.open
// RUN: lw-run %s --target x86 --schedule %t.open --compile-to schedule | FileCheck %s --check-prefix=OPEN
// OPEN: loop.for unroll %i.1 in 2
// RUN: lw-opt %t.open --resolve-knobs=print=100 -o /dev/null | FileCheck %s --check-prefix=SPACE
// SPACE:      main: x86.product.tiled C.columns = 24, main: x86.product.tiled C.rows = 2{{$}}
// SPACE-NEXT: x86.product.tiled C.rows = 3{{$}}
// SPACE-NEXT: x86.product.tiled C.rows = 4{{$}}
// SPACE-NOT:  C.rows

// Numbers that need too many registers are refused.
// RUN: sed 's/C.rows"> = 4 from/C.rows"> = 5 from/' %t.script > %t.large
// RUN: not lw-run %s --target x86 --schedule %t.large --compile-to schedule 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: 'smt.assert' op on vector registers holds for no values of main: x86.product.tiled C.columns in {24}, main: x86.product.tiled C.rows in {5}: at least 19, expected at most 16 (C4)

// All give the results of the interpreter.
// RUN: lw-run %s --target x86 --schedule %t.other --verify-each numeric --compile-to llvm > %t.ll
// RUN: lw-run %s --target x86 --schedule %t.second --verify-each numeric --compile-to llvm > %t.ll

// The choice of the default schedules on request, and what it is compared with.
// RUN: lw-run %s --target x86 --machine %S/Inputs/machine.json --schedule-by auto --dump-strategy --compile-to schedule 2>&1 >%t.auto | FileCheck %s --check-prefix=DUMP
// RUN: FileCheck %s --check-prefix=BEST --input-file %t.auto
// DUMP: 40 x86.product.tiled: chosen, predicted {{.*}} us, limited by vector units
// DUMP: 10 x86.columns: slower, predicted {{.*}} us, limited by
func.func @main(%A: memref<64x64xf32> {loop.name = "A"}, %B: memref<64x256xf32> {loop.name = "B"},
                %C: memref<64x256xf32> {loop.name = "C", loop.result}) {
  loop.for serial %i in 64 {
    loop.for serial %j in 256 {
      loop.for serial %k in 64 {
        loop.block "C" [%vi: spatial 64, %vj: spatial 256, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<64x256xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<64x64xf32>
          %b = memref.load %B[%vk, %vj] : memref<64x256xf32>
          %c = memref.load %C[%vi, %vj] : memref<64x256xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<64x256xf32>
        }
      }
    }
  }
  return
}
