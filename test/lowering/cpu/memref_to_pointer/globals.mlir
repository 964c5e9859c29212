// RUN: lw-opt %s --convert-memref-to-pointer --split-input-file --verify-diagnostics | FileCheck %s

// A constant is internal, and has one dimension. The bytes of a weight are given when the code is linked. A transformed
// weight is memory of the module: zero, written by the transforms, and visible to whoever runs them.

// CHECK: llvm.mlir.global internal constant @constant(dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>)
// CHECK-SAME: alignment = 64
// CHECK: llvm.mlir.global external constant @weight()
// CHECK-SAME: !llvm.array<6 x f32>
// CHECK: llvm.mlir.global external @floats()
// CHECK-SAME: alignment = 64
// CHECK-NEXT: llvm.mlir.zero : !llvm.array<6 x f32>
// CHECK: llvm.mlir.global external @bytes()
// CHECK-NEXT: llvm.mlir.zero : !llvm.array<2 x i8>
memref.global "private" constant @constant : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global "private" constant @weight : memref<2x3xf32> {loop.weight}
memref.global "private" @floats : memref<3x2xf32> = uninitialized {loop.transformed_weight}
memref.global "private" @bytes : memref<2xi8> = uninitialized {loop.transformed_weight}

// -----

// expected-error @below {{is uninitialized, expected a value of at most 4 GiB: pass it as an argument instead (C9)}}
memref.global "private" @nothing : memref<4xf32> = uninitialized

// -----

// expected-error @below {{is external, expected a value}}
memref.global "private" @declared : memref<4xf32>

// -----

// expected-error @below {{has 4294967300 bytes, expected a value of at most 4 GiB}}
memref.global "private" @large : memref<1073741825xf32> = uninitialized {loop.transformed_weight}
