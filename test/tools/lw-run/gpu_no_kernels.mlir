// A function whose results have no elements needs no kernel. It runs, also beside functions with kernels.
// RUN: lw-run %s --target sm_80 --device emulator --input ones | FileCheck %s --check-prefix=NONE
// RUN: lw-run %s --target sm_80 --device emulator --entry nothing | FileCheck %s --check-prefix=NOTHING
// RUN: lw-run %s --target sm_80 --device emulator --entry copy --input iota | FileCheck %s --check-prefix=COPY
// RUN: not lw-run %s --target sm_80 --device emulator --entry copy --input iota --no-schedule 2>&1 | FileCheck %s --check-prefix=HOST

// NONE: result 0: 0xf32 = []
// NOTHING: sm_80 on emulator
// COPY: result 0: 3xf32 = [0.0, 1.0, 2.0]
// HOST: gpu_no_kernels.mlir:{{[0-9]+}}:{{[0-9]+}}: error: has no kernels: expected nests that a schedule binds to threads, as default schedules do (C1)

func.func @main(%x: tensor<f32>) -> tensor<0xf32> {
  %0 = tensor.empty() : tensor<0xf32>
  return %0 : tensor<0xf32>
}

func.func @nothing() {
  return
}

func.func @copy(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
