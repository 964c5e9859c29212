// RUN: lw-opt %s --convert-loop-to-scf=vector-bits=512 -split-input-file -verify-diagnostics | FileCheck %s
// RUN: lw-opt %s --lw-x86-pipeline='from=loop' -split-input-file | FileCheck %s --check-prefix=LLVM

// Aligned whole vectors use non-temporal stores; the masked rest does not. Then a fence.
// CHECK-LABEL: func.func @stream
// CHECK-COUNT-2: vector.store %{{.*}} {alignment = 64 : i64, nontemporal = true} : memref<64x48xf32>, vector<16xf32>
// CHECK-NOT:     nontemporal
// CHECK:         vector.maskedstore
// LLVM-LABEL: llvm.func internal @stream_kernel
// LLVM:         llvm.store %{{.*}} {alignment = 64 : i64, nontemporal} : vector<16xf32>, !llvm.ptr
// LLVM:         llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
// LLVM-NEXT:    llvm.return
func.func @stream(%A: memref<64x48xf32>, %B: memref<64x48xf32>) {
  loop.for serial %i in 64 {
    loop.for vectorize %j in 47 {
      loop.block "B" [%v: spatial 64, %w: spatial 47] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) attributes {loop.annotations = {nontemporal = true}} {
        %a = memref.load %A[%v, %w] : memref<64x48xf32>
        memref.store %a, %B[%v, %w] : memref<64x48xf32>
      }
    }
  }
  return
}

// -----

// Rows without alignment: lowered as without the annotation, with a remark.
// CHECK-LABEL: func.func @odd
// CHECK-NOT:     nontemporal
// CHECK:         return
func.func @odd(%A: memref<64x49xf32>, %B: memref<64x49xf32>) {
  loop.for serial %i in 64 {
    loop.for vectorize %j in 48 {
      // expected-remark @below {{stores are not non-temporal: they are not proved to be aligned full vectors}}
      loop.block "B" [%v: spatial 64, %w: spatial 48] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) attributes {loop.annotations = {nontemporal = true}} {
        %a = memref.load %A[%v, %w] : memref<64x49xf32>
        memref.store %a, %B[%v, %w] : memref<64x49xf32>
      }
    }
  }
  return
}

// -----

// Threads that share the rows run a fence after their writes, before the next loop.
// LLVM-LABEL: llvm.func internal @threads_parallel_0(
// LLVM:         nontemporal
// LLVM:         llvm.call_intrinsic "llvm.x86.sse.sfence"() : () -> ()
// LLVM-NEXT:    llvm.return
func.func @threads(%A: memref<64x48xf32>, %B: memref<64x48xf32>) {
  loop.for parallel %i in 64 {
    loop.for vectorize %j in 48 {
      loop.block "B" [%v: spatial 64, %w: spatial 48] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) attributes {loop.annotations = {nontemporal = true}} {
        %a = memref.load %A[%v, %w] : memref<64x48xf32>
        memref.store %a, %B[%v, %w] : memref<64x48xf32>
      }
    }
  }
  return
}

// -----

// Not requested; and an annotation that is neither true nor false.
// CHECK-LABEL: func.func @not
// CHECK-NOT:     nontemporal
// CHECK:         return
func.func @not(%A: memref<16xf32>, %B: memref<16xf32>) {
  loop.for vectorize %i in 16 {
    loop.block "A" [%v: spatial 16] = (%i) writes(%A[%v : 1]) attributes {loop.annotations = {nontemporal = false}} {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<16xf32>
    }
  }
  loop.for vectorize %i in 16 {
    // expected-remark @below {{annotation "nontemporal" has no effect in the lowering for the CPU}}
    loop.block "B" [%v: spatial 16] = (%i) writes(%B[%v : 1]) attributes {loop.annotations = {nontemporal = "no"}} {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %B[%v] : memref<16xf32>
    }
  }
  return
}
