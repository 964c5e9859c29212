// Strategies for processors are chosen by predicted times, unless --schedule-by says otherwise, those for GPUs by priority. The same
// input and machine give the same schedule.
//
// RUN: lw-run %s --target x86 --machine %S/Inputs/machine.json --dump-strategy --print-schedule >%t.default 2>&1
// RUN: FileCheck %s --check-prefix=AUTO --input-file=%t.default
// RUN: lw-run %s --target x86 --machine %S/Inputs/machine.json --dump-strategy --print-schedule --schedule-by auto >%t.auto 2>&1
// RUN: diff %t.default %t.auto
// RUN: lw-run %s --target x86 --machine %S/Inputs/machine.json --dump-strategy --print-schedule --schedule-by priority 2>&1 | FileCheck %s --check-prefix=PRIORITY --implicit-check-not=predicted
// RUN: lw-run %s --target sm_80 --dump-strategy --print-schedule 2>&1 | FileCheck %s --check-prefix=GPU --implicit-check-not=predicted
// RUN: lw-run %s --target x86 --machine %S/Inputs/machine.json --strategies %S/Inputs/own.mlir --dump-strategy --print-schedule 2>&1 | FileCheck %s --check-prefix=OWN --implicit-check-not=predicted
// RUN: not lw-run %s --schedule-by auto 2>&1 | FileCheck %s --check-prefix=TARGET
//
// TARGET: error: default schedules are those of a target, in phase schedule: give --target x86
// AUTO: x86.transpose: chosen, predicted {{.*}}, limited by
// AUTO: x86.elementwise: slower, predicted {{.*}}, limited by
// PRIORITY: x86.transpose: chosen
// GPU: nvptx.transpose: chosen
// OWN: 60 rows: chosen

func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %empty = tensor.empty() : tensor<64x64xf32>
  %t = linalg.transpose ins(%x : tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) permutation = [1, 0]
  return %t : tensor<64x64xf32>
}
