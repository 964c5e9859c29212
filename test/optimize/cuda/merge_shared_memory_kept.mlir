// RUN: lw-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(merge-shared-memory)))' | FileCheck %s

// (C1) One of two is the base of another memref.
// CHECK-LABEL: gpu.func @viewed(
// CHECK-SAME:      workgroup(%{{[a-z0-9]+}} : memref<128xi8, #gpu.address_space<workgroup>>, %{{[a-z0-9]+}} : memref<32xf32, #gpu.address_space<workgroup>>)
gpu.module @views {
  gpu.func @viewed(%A: memref<32xf32>) workgroup(%S: memref<128xi8, #gpu.address_space<workgroup>>, %T: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %t = gpu.thread_id x
    %V = memref.view %S[%c0][] : memref<128xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
    %a = memref.load %A[%t] : memref<32xf32>
    memref.store %a, %V[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %b = memref.load %V[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    memref.store %b, %T[%t] : memref<32xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %c = memref.load %T[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
    memref.store %c, %A[%t] : memref<32xf32>
    gpu.return
  }
}
