// Models on the GPU emulator with default schedules, for both kinds of PTX.
// RUN: lw-run %S/../../models/mlp.linalg.mlir --target sm_80 --device emulator --input %S/../../models/mlp.in0.npy --check %S/../../models/mlp.out.npy | FileCheck %s --check-prefix=SM80
// RUN: lw-run %S/../../models/mlp.linalg.mlir --target sm_90a --device emulator --seed 3 --input %S/../../models/mlp.in0.npy --check %S/../../models/mlp.out.npy | FileCheck %s --check-prefix=SM90
// RUN: lw-run %S/../../models/attention.linalg.mlir --target sm_80 --device emulator --input %S/../../models/attention.in0.npy --check %S/../../models/attention.out.npy | FileCheck %s --check-prefix=SM80
// RUN: lw-run %S/../../models/attention.linalg.mlir --target sm_90a --device emulator --input %S/../../models/attention.in0.npy --check %S/../../models/attention.out.npy | FileCheck %s --check-prefix=SM90
// RUN: lw-run %S/../../models/convnet.linalg.mlir --target sm_80 --device emulator --input %S/../../models/convnet.in0.npy --check %S/../../models/convnet.out.npy | FileCheck %s --check-prefix=SM80
// RUN: lw-run %S/../../models/convnet.linalg.mlir --target sm_90a --device emulator --input %S/../../models/convnet.in0.npy --check %S/../../models/convnet.out.npy | FileCheck %s --check-prefix=SM90
// RUN: lw-run %S/../../models/encoder_layer.linalg.mlir --target sm_80 --device emulator --input %S/../../models/encoder_layer.in0.npy --check %S/../../models/encoder_layer.out.npy | FileCheck %s --check-prefix=SM80
// RUN: lw-run %S/../../models/encoder_layer.linalg.mlir --target sm_90a --device emulator --input %S/../../models/encoder_layer.in0.npy --check %S/../../models/encoder_layer.out.npy | FileCheck %s --check-prefix=SM90
// SM80: passed
// SM80: sm_80 on emulator
// SM90: passed
// SM90: sm_90a on emulator

// The work of kernels: two arrays of 32 KiB are read and one is written, each byte once, 16 bytes per thread.
// RUN: lw-run %S/../../models/sub_mul.linalg.mlir --target sm_80 --device emulator --profile --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy --check %S/../../models/sub_mul.out.npy | FileCheck %s --check-prefix=PROFILE
// RUN: lw-run %S/../../models/sub_mul.linalg.mlir --target sm_90a --device emulator --profile --json --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy | FileCheck %s --check-prefix=JSON
// PROFILE:      kernel                  main_0
// PROFILE-NEXT: blocks                  8 of 256 threads
// PROFILE:      global loads            65536 bytes, 128 requests, 16.0 sectors each
// PROFILE-NEXT: global stores           32768 bytes, 64 requests, 16.0 sectors each
// PROFILE:      None of these figures has been compared with hardware.
// JSON:         "device":"emulator","chip":"sm_90a","phase":"ptx"
// JSON-SAME:    "kernels":[{"name":"main_0","profile":"blocks

// It is timed as on other devices, and results are written.
// RUN: lw-run %S/../../models/sub_mul.linalg.mlir --target sm_80 --device emulator --time 0.01 --output out.npy --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy | FileCheck %s --check-prefix=TIME
// RUN: lw-run %S/../../models/sub_mul.linalg.mlir --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy --check out.npy | FileCheck %s --check-prefix=SAME
// TIME: {{(ms|us)}} a call (median of
// SAME: passed

// There is no GPU with this number, and many machines have no driver.
// RUN: not lw-run %S/../../models/sub_mul.linalg.mlir --target sm_80 --device cuda:4096 --input a.npy 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: lw-run: error: there is no {{.*}}; the device 'emulator' runs kernels without a GPU

// A bundle has a program for each chip.
// RUN: lw-compile %S/../../models/sub_mul.linalg.mlir --target sm_80,sm_90a -o sub_mul.lwb
// RUN: llvm-strings sub_mul.lwb | FileCheck %s --check-prefix=BUNDLE
// RUN: not lw-compile %S/../../models/sub_mul.linalg.mlir --target sm_80,sm_12 -o a.lwb 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not lw-compile %S/../../models/sub_mul.linalg.mlir --target sm_80 --cpu znver4 -o a.lwb 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not lw-compile %S/../../models/sub_mul.linalg.mlir --target sm_80 -o no/a.lwb 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not ls a.lwb
// BUNDLE: loopwright gpu bundle
// BUNDLE: .target sm_80
// BUNDLE: .target sm_90a
// CHIP:   lw-compile: error: invalid value 'sm_12' for '--target <TARGET,..>': expected x86, or one of sm_80, sm_86
// CPU:    lw-compile: error: --cpu is for --target x86
// FOLDER: no/a.lwb: error: cannot be written: No such file or directory
