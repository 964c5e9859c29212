// The output for a matmul without a GPU: whether the result is right, the work of the kernel, and its resources.
// RUN: lw-run %S/../../../examples/matmul_inputs.mlir --target x86 --output a.npy --output b.npy
// RUN: lw-run %S/../../../examples/matmul.mlir --target x86 --input a.npy --input b.npy --output c.npy
// RUN: lw-run %S/../../../examples/matmul.mlir --schedule %S/../../../examples/matmul.gpu.schedule.mlir --target sm_90a --device emulator \
// RUN:   --profile --rtol 0 --atol 0 --input a.npy --input b.npy --check c.npy | FileCheck %s
// CHECK:      result 0: 512x512xf32, max error 0.000e0 (bound 0.000e0): passed
// CHECK:      matmul.mlir: sm_90a on emulator
// CHECK:      kernel                  main_0
// CHECK-NEXT: blocks                  64 of 256 threads
// CHECK-NEXT: registers               {{[0-9]+}} (estimated)
// CHECK-NEXT: shared memory           0 bytes per block
// CHECK-NEXT: occupancy               {{[0-9]+}} of 64 warps, {{[0-9]+}} blocks, limited by {{[A-Z]}}
// CHECK-NEXT: warp instructions       {{[0-9]+}}
// A fused multiply-add for each of 512^3 multiplications, by 32 lanes.
// CHECK:        float                 4194304
// CHECK:      active lanes            32.0 of 32
// CHECK:      barriers of warps       0
// A thread has a tile of 4 x 4: it reads both matrices 128 times. The result is written once.
// CHECK:      global loads            268435456 bytes
// CHECK:      global stores           1048576 bytes
// CHECK:      shared loads            0 bytes, 0 requests, 0 wavefronts, 0 of them by bank conflicts
// CHECK:      operations              268435456 flop, 1.00 per byte of global memory
// CHECK:      None of these figures has been compared with hardware.
