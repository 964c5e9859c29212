// The numbers of default schedules besides those of products: widths of vectors, partial results, parts, threads. Each is a knob
// with constraints that follow from the accesses and the machine.
// RUN: lw-opt %s --auto-schedule='machine=%S/../auto_schedule/Inputs/machine.json' -o /dev/null > %t.x86
// RUN: FileCheck %s --check-prefix=X86 --input-file %t.x86
// RUN: lw-opt %s --auto-schedule=target=sm_80 -o /dev/null | FileCheck %s --check-prefix=GPU

// A number that needs too many registers is refused.
// RUN: sed 's/E.width"> = 32 from options = .8, 16, 32, 64./E.width"> = 512 from options = [512]/' %t.x86 > %t.large
// RUN: not lw-opt %t.large --resolve-knobs -o /dev/null 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: on vector registers holds for no values of main: x86.elementwise E.width in {512}: at least 128, expected at most 16 (C4)

// A seed takes any member, also with other values of the numbers that decide which steps there are; the same seed, the same member.
// RUN: lw-opt %s --auto-schedule='machine=%S/../auto_schedule/Inputs/machine.json seed=3' -o %t.3 > %t.script
// RUN: lw-opt %s --auto-schedule='machine=%S/../auto_schedule/Inputs/machine.json seed=3' -o %t.again > %t.script
// RUN: diff %t.3 %t.again
// RUN: lw-opt %s --auto-schedule='machine=%S/../auto_schedule/Inputs/machine.json seed=4' -o %t.4 > %t.script
// RUN: not diff -q %t.3 %t.4
// RUN: lw-run %t.3 --target x86 --verify-each numeric --compile-to llvm > %t.ll
// RUN: lw-opt %s --auto-schedule='target=sm_80 seed=5' -o %t.5 > %t.script
// RUN: lw-run %t.5 --target sm_80 --compile-to gpu > %t.gpu

// X86-LABEL: tune.alternatives<"main: E">
// X86-NEXT: // x86.elementwise: predicted
// X86-NEXT: %knob0 = transform.tune.knob<"main: x86.elementwise E.width"> = 32 from options = [8, 16, 32, 64]
// X86: smt.assert %{{[0-9]+}} {what = "vector registers"}
// X86: transform.sched.vectorize "E:j" in %f0 factor "$E.width"
// X86-LABEL: tune.alternatives<"main: R">
// X86-NEXT: // x86.rows: predicted
// X86-NEXT: %knob0 = transform.tune.knob<"main: x86.rows R.width"> = {{[0-9]+}} from options = [8, 16, 32, 64, 128]
// X86: smt.assert %{{[0-9]+}} {what = "vector registers"}
// X86: transform.sched.split "R:j" in %f0 factors "-1, $R.width"
// GPU-LABEL: tune.alternatives<"main: E">
// GPU-NEXT: // nvptx.elementwise: predicted
// GPU-NEXT: %knob1 = transform.tune.knob<"main: nvptx.elementwise E.threads"> = {{[0-9]+}} from options = [32, 64, 128, 256, 512, 1024]
// GPU: transform.sched.split "E:i_j.0_fused" in %f0 factors "-1, $E.threads"
func.func @main(%A: memref<96x256xf32> {loop.name = "A"}, %E: memref<96x256xf32> {loop.name = "E", loop.result},
                %R: memref<96xf32> {loop.name = "R", loop.result}) attributes {loop.fp = "fast"} {
  loop.for serial %i in 96 {
    loop.for serial %j in 256 {
      loop.block "E" [%vi: spatial 96, %vj: spatial 256] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%E[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<96x256xf32>
        %e = math.exp %a : f32
        memref.store %e, %E[%vi, %vj] : memref<96x256xf32>
      }
    }
  }
  loop.for serial %i in 96 {
    loop.for serial %j in 256 {
      loop.block "R" [%vi: spatial 96, %vj: reduce 256] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%R[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %R[%vi] : memref<96xf32>
        }
        %a = memref.load %A[%vi, %vj] : memref<96x256xf32>
        %r = memref.load %R[%vi] : memref<96xf32>
        %s = arith.addf %r, %a : f32
        memref.store %s, %R[%vi] : memref<96xf32>
      }
    }
  }
  return
}
