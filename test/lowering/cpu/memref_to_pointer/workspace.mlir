// A called function gets what is left of its caller's workspace.
// RUN: lw-opt %s --convert-memref-to-pointer --canonicalize --cse | FileCheck %s

// 64 bytes for the caller's own buffer, and the most that one of its calls needs: 128 bytes.
// CHECK-LABEL: func.func @main_workspace(
// CHECK-NEXT:    %[[BYTES:.+]] = arith.constant 192 : i64
// CHECK-NEXT:    return %[[BYTES]]
// CHECK-LABEL: func.func private @main_kernel(
// CHECK-SAME:    %[[W:[a-z0-9]+]]: !llvm.ptr, %{{[a-z0-9]+}}: !llvm.ptr
// CHECK:         %[[REST:.+]] = llvm.getelementptr inbounds|nuw %[[W]][64]
// CHECK-NEXT:    call @small(%[[REST]], %[[W]])
// CHECK-NEXT:    call @large(%[[REST]], %[[W]])
func.func @main(%x: memref<4xf32>) {
  %own = memref.alloc() : memref<16xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.store %v, %own[%c0] : memref<16xf32>
  func.call @small(%own) : (memref<16xf32>) -> ()
  func.call @large(%own) : (memref<16xf32>) -> ()
  return
}
func.func private @small(%x: memref<16xf32>) {
  %t = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<16xf32>
  memref.store %v, %t[%c0] : memref<4xf32>
  return
}
func.func private @large(%x: memref<16xf32>) {
  %t = memref.alloc() : memref<32xf32>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<16xf32>
  memref.store %v, %t[%c0] : memref<32xf32>
  return
}

// The size of a callee's buffer follows from the sizes of the caller.
// CHECK-LABEL: func.func @dynamic_workspace(
// CHECK-SAME:    %[[SIZES:.+]]: !llvm.ptr) -> i64
// CHECK:         %[[N:.+]] = llvm.load %[[SIZES]] : !llvm.ptr -> i64
// CHECK:         arith.mului_extended
// CHECK-LABEL: func.func private @dynamic_kernel(
// CHECK-SAME:    %[[W:[a-z0-9]+]]: !llvm.ptr, %[[X:[a-z0-9]+]]: !llvm.ptr{{.*}}, %[[M:[a-z0-9]+]]: index
// CHECK:         call @copy(%[[W]], %[[X]], %[[M]])
func.func @dynamic(%x: memref<?xf32>) {
  func.call @copy(%x) : (memref<?xf32>) -> ()
  return
}
func.func private @copy(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %t : memref<?xf32> to memref<?xf32>
  return
}

// The size of a view is an operand of it, here and in a called function: the workspace needs n bytes, and twice 4 bytes for each of
// n / 4 elements.
// CHECK-LABEL: func.func @viewed_workspace(
// CHECK-SAME:    %[[SIZES:.+]]: !llvm.ptr) -> i64
// CHECK:         %[[LOADED:.+]] = llvm.load %[[SIZES]] : !llvm.ptr -> i64
// CHECK:         %[[N:.+]] = arith.index_cast %[[LOADED]] : i64 to index
// CHECK:         %[[ELEMENTS:.+]] = arith.shrui %[[N]], %{{.+}} : index
// CHECK:         %[[COUNT:.+]] = arith.maxsi %[[ELEMENTS]], %{{.+}} : index
// CHECK:         %[[FACTOR:.+]] = arith.index_cast %[[COUNT]] : index to i64
// CHECK:         arith.mului_extended %[[FACTOR]], %{{.+}} : i64
// CHECK-LABEL: func.func private @viewed_kernel(
// CHECK:         %[[M:.+]] = arith.shrui %{{.+}} : index
// CHECK:         call @copy(%{{.+}}, %{{.+}}, %[[M]])
func.func @viewed(%n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %m = arith.shrui %n, %c2 : index
  %bytes = memref.alloc(%n) : memref<?xi8>
  %view = memref.view %bytes[%c0][%m] : memref<?xi8> to memref<?xf32>
  %d = memref.dim %view, %c0 : memref<?xf32>
  %more = memref.alloc(%d) : memref<?xf32>
  memref.store %zero, %view[%c0] : memref<?xf32>
  memref.store %zero, %more[%c0] : memref<?xf32>
  func.call @copy(%view) : (memref<?xf32>) -> ()
  return
}
