// RUN: lw-opt %s --verify-each=numeric --storage-rewrite --cse | FileCheck %s
// RUN: lw-opt %s --storage-rewrite --pass-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: lw-opt %s --storage-rewrite --convert-memref-to-pointer | FileCheck %s --check-prefix=POINTER

// The third reuses the memory of the first, although its element type differs; the second is live with both.
// CHECK-LABEL: func.func @chain(
// CHECK:         %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK:         memref.view %[[ALL]][%c0{{.*}}][] : memref<128xi8> to memref<16xf32>
// CHECK:         memref.view %[[ALL]][%c64{{.*}}][] : memref<128xi8> to memref<16xf32>
// CHECK:         memref.view %[[ALL]][%c0{{.*}}][] : memref<128xi8> to memref<8xf64>
// CHECK-NOT:     memref.alloc
// COUNTS-DAG:      storage-rewrite  @chain {{.*}} ms  changed, 3 buffers, 64 bytes
// POINTER:       llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, i8
func.func @chain(%A: memref<16xf32>, %B: memref<8xf64> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<8xf64>
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %A[%i] : memref<16xf32>
    memref.store %x, %a[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %a[%i] : memref<16xf32>
    %y = arith.negf %x : f32
    memref.store %y, %b[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %b[%i] : memref<16xf32>
    %y = arith.extf %x : f32 to f64
    memref.store %y, %c[%i] : memref<8xf64>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %c[%i] : memref<8xf64>
    memref.store %x, %B[%i] : memref<8xf64>
  }
  return
}

// (C3) Both are live in one loop.
// CHECK-LABEL: func.func @together(
// CHECK-NOT:     memref.view
// COUNTS-DAG:      storage-rewrite  @together {{.*}} ms  unchanged
func.func @together(%A: memref<16xf32>, %B: memref<16xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.load %A[%i] : memref<16xf32>
    memref.store %x, %a[%i] : memref<16xf32>
    %y = memref.load %a[%i] : memref<16xf32>
    memref.store %y, %b[%i] : memref<16xf32>
    %z = memref.load %b[%i] : memref<16xf32>
    memref.store %z, %B[%i] : memref<16xf32>
  }
  return
}

// The first and the third, which have the same size, share memory, and so do the second and the fourth, which has another one. `cse`
// merges the views of the first and the third.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[ALL:.*]] = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK:         %[[A:.*]] = memref.view %[[ALL]][%{{.*}}][%[[N:.*]]] : memref<?xi8> to memref<?xf32>
// CHECK:         %[[B:.*]] = memref.view %[[ALL]][%{{.*}}][%[[N]]] : memref<?xi8> to memref<?xf32>
// CHECK:         %[[D:.*]] = memref.view %[[ALL]][%{{.*}}][%{{.*}}] : memref<?xi8> to memref<?xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.store %{{.*}}, %[[A]][
// CHECK:         memref.load %[[A]][
// CHECK:         memref.store %{{.*}}, %[[B]][
// CHECK:         memref.load %[[B]][
// CHECK:         memref.store %{{.*}}, %[[A]][
// CHECK:         memref.load %[[A]][
// CHECK:         memref.store %{{.*}}, %[[D]][
// COUNTS-DAG:      storage-rewrite  @dynamic {{.*}} ms  changed, 4 buffers
func.func @dynamic(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %m = memref.dim %B, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  %d = memref.alloc(%m) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %A[%i] : memref<?xf32>
    memref.store %x, %a[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %b[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %c[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %m step %c1 {
    %x = memref.load %c[%i] : memref<?xf32>
    %y = arith.negf %x : f32
    memref.store %y, %d[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %m step %c1 {
    %x = memref.load %d[%i] : memref<?xf32>
    memref.store %x, %B[%i] : memref<?xf32>
  }
  return
}
