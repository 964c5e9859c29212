// A weight that only the transforms read may have any address, and its symbol tells the linker so. The functions that they reach
// require no alignment.
// RUN: lw-opt %s --convert-memref-to-pointer | FileCheck %s

// CHECK: llvm.mlir.global external constant @transformed.unaligned() {addr_space = 0 : i32, alignment = 1 : i64}
// CHECK: llvm.mlir.global external constant @both() {addr_space = 0 : i32, alignment = 64 : i64}
// CHECK: llvm.mlir.global external constant @called() {addr_space = 0 : i32, alignment = 64 : i64}
// CHECK: llvm.mlir.global external constant @taken() {addr_space = 0 : i32, alignment = 64 : i64}
memref.global "private" constant @transformed : memref<8xf32> {loop.weight}
memref.global "private" constant @both : memref<8xf32> {loop.weight}
memref.global "private" constant @called : memref<8xf32> {loop.weight}
// Another symbol has the name that this weight would get.
memref.global "private" constant @taken : memref<8xf32> {loop.weight}
memref.global "private" constant @taken.unaligned : memref<3xf32> = dense<[1.0, 2.0, 3.0]>
memref.global "private" @result : memref<8xf32> = uninitialized {loop.transformed_weight}

// CHECK-LABEL: func private @loop.transform_weights_kernel
// CHECK:       llvm.mlir.addressof @transformed.unaligned
// CHECK:       llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<8xf32>
func.func @loop.transform_weights() attributes {loop.transforms_weights} {
  %c0 = arith.constant 0 : index
  %w = memref.get_global @transformed : memref<8xf32>
  %b = memref.get_global @both : memref<8xf32>
  %t = memref.get_global @taken : memref<8xf32>
  %c = memref.get_global @called : memref<8xf32>
  %r = memref.get_global @result : memref<8xf32>
  %x = vector.load %w[%c0] : memref<8xf32>, vector<8xf32>
  vector.store %x, %r[%c0] : memref<8xf32>, vector<8xf32>
  func.call @add(%b, %r) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @add(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @add(%c, %r) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// CHECK-LABEL: func private @add
// CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> f32
// CHECK:         llvm.store %{{.*}} {alignment = 1 : i64} : f32, !llvm.ptr
func.func private @add(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %p = memref.load %x[%c0] : memref<8xf32>
  %q = memref.load %y[%c0] : memref<8xf32>
  %s = arith.addf %p, %q : f32
  memref.store %s, %y[%c0] : memref<8xf32>
  return
}

// CHECK-LABEL: func private @main_kernel
// CHECK:       llvm.mlir.addressof @both
// CHECK:       llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> f32
func.func @main(%y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %b = memref.get_global @both : memref<8xf32>
  %p = memref.load %b[%c0] : memref<8xf32>
  memref.store %p, %y[%c0] : memref<8xf32>
  func.call @more(%y) : (memref<8xf32>) -> ()
  return
}

func.func private @more(%y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c = memref.get_global @called : memref<8xf32>
  %p = memref.load %c[%c0] : memref<8xf32>
  memref.store %p, %y[%c0] : memref<8xf32>
  return
}
