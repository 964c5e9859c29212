// The default schedules as a pass, for a named processor.
// RUN: lw-opt %s --schedule-by-strategy='cpu=haswell dump=true' 2>%t.dump | FileCheck %s
// RUN: FileCheck %s --check-prefix=DUMP --input-file=%t.dump
// RUN: not lw-opt %s --schedule-by-strategy=cpu=pentium9 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: lw-opt %s --schedule-by-strategy --schedule-by-strategy=dump=true -o %t.twice 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not lw-run %s --print-schedule 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not lw-run %s --dump-strategy --target x86 --no-schedule 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: lw-run %s --target x86 --no-schedule --compile-to schedule | FileCheck %s --check-prefix=NONE

// CHECK:      loop.for serial %i in 32
// CHECK-NEXT:   loop.for serial %j.0 in 2
// CHECK-NEXT:     loop.for vectorize %j.1 in 32
// DUMP:       function main: 2 steps
// DUMP-NEXT:    group B
// DUMP:           10 x86.elementwise: chosen
// CPU:        error: 'builtin.module' op cannot be scheduled for the given processor: {{.*}}'pentium9' is not a processor of
// TWICE:      function main: already scheduled
// TARGET:     error: default schedules are those of a target, in phase schedule: give --target x86
// BOTH:       error: the argument '--dump-strategy' cannot be used with '--no-schedule'
// NONE:       loop.for serial %j in 64
func.func @main(%A: memref<32x64xf32>, %B: memref<32x64xf32> {loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 64 {
      loop.block "B" [%v: spatial 32, %w: spatial 64] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<32x64xf32>
        memref.store %a, %B[%v, %w] : memref<32x64xf32>
      }
    }
  }
  return
}
