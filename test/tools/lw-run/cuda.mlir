// A device by the CUDA driver, for which our emulator substitutes: it is found by its library name, like the driver.
// RUN: ln -s %{cuda} libcuda.so.1
// RUN: env LD_LIBRARY_PATH=. lw-run %S/../../models/sub_mul.linalg.mlir --target sm_80 --device cuda:0 --profile --time 0.01 --output out.npy \
// RUN:   --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy --check %S/../../models/sub_mul.out.npy | FileCheck %s --check-prefix=CUDA
// RUN: lw-run %S/../../models/sub_mul.linalg.mlir --target sm_80 --device emulator --rtol 0 --atol 0 --check out.npy \
// RUN:   --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy | FileCheck %s --check-prefix=SAME
// CUDA:      result 0: 64x128xf32, max error {{.*}}: passed
// CUDA:      sub_mul.linalg.mlir: sm_80 on cuda:0
// CUDA:      {{(ms|us)}} a call (median of
// CUDA:      kernel                  main_0
// CUDA-NEXT: blocks                  [8, 1, 1] of [256, 1, 1] threads
// CUDA-NEXT: registers               {{[0-9]+}} per thread
// CUDA-NEXT: shared memory           0 bytes per block
// CUDA-NEXT: local memory            0 bytes per thread
// SAME:     max error 0.000e0 (bound 0.000e0): passed

// If there is a GPU, it is the default device.
// RUN: env LD_LIBRARY_PATH=. lw-run %S/../../models/sub_mul.linalg.mlir --target sm_90a \
// RUN:   --input %S/../../models/sub_mul.in0.npy --input %S/../../models/sub_mul.in1.npy | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: sm_90a on cuda:0

// A compile error of the driver includes its log; a fault is an error of the call, and the emulated driver prints it.
// RUN: not env LD_LIBRARY_PATH=. lw-run %s --entry unknown --compile-from gpu --target sm_80 --device cuda:0 2>&1 | FileCheck %s --check-prefix=LOG
// LOG:      cuda.mlir: error: the device rejects the PTX for sm_80: a PTX JIT compilation failed (CUDA_ERROR_INVALID_PTX)
// LOG-NEXT: line {{[0-9]+}}: unknown instruction frobnicate.b32
// RUN: not env LD_LIBRARY_PATH=. lw-run %S/fault_out_of_bounds.mlir --no-schedule --target sm_80 --device cuda:0 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: ptx-emulator: kernel main_0, PTX line {{[0-9]+}} (loop b>t, block shift, fault_out_of_bounds.mlir:13:9), block (1, 0, 0), thread (31, 0, 0)
// FAULT: fault_out_of_bounds.mlir: error: {{.*}}: an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS)

// There is one device, and no second one.
// RUN: not env LD_LIBRARY_PATH=. lw-run %s --entry unknown --compile-from gpu --target sm_80 --device cuda:1 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: lw-run: error: there is no device cuda:1: the driver has 1, numbered from 0; the device 'emulator' runs kernels without a GPU

// A library with the driver's name that is not a driver counts as no driver.
// RUN: mkdir none && touch none/libcuda.so.1
// RUN: not env LD_LIBRARY_PATH=none lw-run %s --entry unknown --compile-from gpu --target sm_80 --device cuda:4096 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: lw-run: error: there is no driver for NVIDIA GPUs (libcuda.so.1) on this machine; the device 'emulator' runs kernels without a GPU

module attributes {gpu.container_module} {
  func.func @unknown(%Y: memref<64xi32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@unknown_0 blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%Y : memref<64xi32>)
    return
  }
  gpu.module @kernels {
    gpu.func @unknown_0(%Y: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %t = gpu.thread_id x
      %one = arith.constant 1 : i32
      %n = llvm.inline_asm "frobnicate.b32 $0, $1;", "=r,r" %one : (i32) -> i32
      memref.store %n, %Y[%t] : memref<64xi32>
      gpu.return
    }
  }
}
