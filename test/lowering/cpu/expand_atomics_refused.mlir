// Updates that PTX cannot do atomically.
// RUN: lw-opt %s --expand-atomics --verify-diagnostics

gpu.module @bytes {
  llvm.func @add(%p: !llvm.ptr, %x: i8) {
    // expected-error @below {{'llvm.atomicrmw' op updates 8 bits, expected 16, 32 or 64, which NVPTX updates atomically (C1)}}
    %0 = llvm.atomicrmw add %p, %x acq_rel : !llvm.ptr, i8
    llvm.return
  }
}
