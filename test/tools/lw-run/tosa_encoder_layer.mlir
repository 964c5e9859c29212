// The largest of the models, as TOSA.
// RUN: lw-run %S/../../models/encoder_layer.tosa.mlir --target x86 --input %S/../../models/encoder_layer.in0.npy --check %S/../../models/encoder_layer.out.npy | FileCheck %s
// RUN: lw-run %S/../../models/encoder_layer.tosa.mlir --target sm_80 --device emulator --input %S/../../models/encoder_layer.in0.npy --check %S/../../models/encoder_layer.out.npy | FileCheck %s
// CHECK: passed
