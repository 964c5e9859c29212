// Matmuls with double-buffered tiles of both matrices in shared memory: with vector copies and two buffers, and with
// asynchronous copies and three. No step relies on an assumption.
// RUN: lw-run %S/../../../examples/matmul_inputs.mlir --target x86 --output a.npy --output b.npy
// RUN: lw-run %S/../../../examples/matmul.mlir --target x86 --input a.npy --input b.npy --output c.npy
// RUN: lw-run %S/../../../examples/matmul.mlir --schedule %S/Inputs/double_buffer.schedule.mlir --target sm_80 --device emulator \
// RUN:   --profile --rtol 0 --atol 0 --input a.npy --input b.npy --check c.npy | FileCheck %s
// RUN: lw-run %S/../../../examples/matmul.mlir --schedule %S/Inputs/double_buffer_async.schedule.mlir --target sm_90a --device emulator \
// RUN:   --profile --rtol 0 --atol 0 --input a.npy --input b.npy --check c.npy | FileCheck %s --check-prefix=ASYNC
// CHECK:      result 0: 512x512xf32, max error 0.000e0 (bound 0.000e0): passed
// CHECK:      blocks                  64 of 256 threads
// Two copies of two tiles of 64 x 16.
// CHECK:      shared memory           16384 bytes per block
// One barrier for each of 32 tiles.
// CHECK:      barriers of warps       16384
// CHECK:      shared loads            {{.*}} 0 of them by bank conflicts
// CHECK:      shared stores           {{.*}} 0 of them by bank conflicts
// ASYNC:      result 0: 512x512xf32, max error 0.000e0 (bound 0.000e0): passed
// ASYNC:      blocks                  16 of 256 threads
// Three copies of two tiles of 128 x 16.
// ASYNC:      shared memory           49152 bytes per block
// ASYNC:      shared loads            {{.*}} 0 of them by bank conflicts
