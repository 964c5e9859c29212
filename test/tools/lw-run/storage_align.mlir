// A tile of a matrix in shared memory, which is written by rows and read by columns. After compaction its rows have the
// requested stride, so all lanes of a warp read from different banks.
// RUN: lw-run %S/../../../examples/matmul_inputs.mlir --target x86 --output a.npy --output b.npy
// RUN: lw-run %s --target x86 --input a.npy --output t.npy
// RUN: lw-run %s --schedule %S/Inputs/storage_align.schedule.mlir --target sm_80 --without swizzle-shared-buffers \
// RUN:   --device emulator --profile --rtol 0 --atol 0 --input a.npy --check t.npy | FileCheck %s
// RUN: lw-run %s --schedule %S/Inputs/storage_align.schedule.mlir --target sm_90a --device emulator --profile \
// RUN:   --rtol 0 --atol 0 --input a.npy --check t.npy | FileCheck %s
// CHECK:      result 0: 512x512xf32, max error 0.000e0 (bound 0.000e0): passed
// 32 rows of 33 elements. Before, the padded matrix had 512 rows of 513.
// CHECK:      shared memory           4224 bytes per block
// Without the step, and the pass that is disabled above, 32 wavefronts for each request.
// CHECK:      shared loads            1048576 bytes, 8192 requests, 8192 wavefronts, 0 of them by bank conflicts
// CHECK:      shared stores           1048576 bytes, 8192 requests, 8192 wavefronts, 0 of them by bank conflicts
func.func @main(%a: tensor<512x512xf32>) -> tensor<512x512xf32> {
  %e = tensor.empty() : tensor<512x512xf32>
  %t = linalg.transpose ins(%a : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) permutation = [1, 0]
  return %t : tensor<512x512xf32>
}
