// RUN: lw-opt %s --inject-async-copy=index-bits=32 --verify-diagnostics

gpu.module @kernels {
  gpu.func @narrow(%A: memref<128xf32>) workgroup(%S: memref<128xf32, #gpu.address_space<workgroup>>) kernel {
    %t = gpu.thread_id x
    %a = memref.load %A[%t] : memref<128xf32>
    // expected-error @+1 {{copies asynchronously, and indices have 32 bits, expected 64 (C3)}}
    memref.store %a, %S[%t] {loop.async_copy} : memref<128xf32, #gpu.address_space<workgroup>>
    gpu.return
  }
}
