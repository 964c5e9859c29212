// RUN: lw-opt %s --instrument-bounds | FileCheck %s
// RUN: lw-opt %s --instrument-bounds --canonicalize --cse --outline-parallel-loops --convert-memref-to-pointer --verify-diagnostics -o %t

// CHECK-DAG:     llvm.func @dprintf(i32, !llvm.ptr, ...) -> i32
// CHECK-DAG:     llvm.func @_exit(i32)
// CHECK-DAG:     llvm.mlir.global internal constant @[[OUTSIDE:.*]]("{{.*}}instrument_bounds.mlir:{{[0-9]+}}:{{[0-9]+}}: error: access to dimension 1 of memref<4x?xf32>: index %ld is out of bounds, expected 0 to %ld\0A\00")

// A constant index in bounds is not checked; a size may be dynamic.
// CHECK-LABEL: func.func @scalar(
// CHECK:         %[[N:.*]] = memref.dim %{{.*}}, %{{.*}} : memref<4x?xf32>
// CHECK:         %[[IF:.*]] = arith.cmpi uge, %arg1, %[[N]] : index
// CHECK:         scf.if %[[IF]] {
// CHECK:           %[[TEXT:.*]] = llvm.mlir.addressof @[[OUTSIDE]] : !llvm.ptr
// CHECK:           llvm.call @dprintf(%{{.*}}, %[[TEXT]], %{{.*}}, %{{.*}}) vararg
// CHECK:           llvm.call @_exit(
// CHECK:         memref.load
// CHECK-NOT:     scf.if
// CHECK:         memref.store
// CHECK:         return
func.func @scalar(%A: memref<4x?xf32>, %i: index) {
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  %B = memref.alloca() : memref<4xf32>
  %a = memref.load %A[%c3, %i] : memref<4x?xf32>
  memref.store %a, %B[%c3] : memref<4xf32>
  return
}

// The first and the last lane are checked; for a constant index, only whether all lanes are in bounds.
// CHECK-LABEL: func.func @vectors(
// CHECK:         arith.cmpi uge, %arg1, %{{.*}} : index
// CHECK:         arith.cmpi uge, %{{.*}}, %{{.*}} : index
// CHECK:         arith.ori
// CHECK:         scf.if
// CHECK:         vector.load
// CHECK:         scf.if
// CHECK:         vector.store
func.func @vectors(%A: memref<100xf32>, %i: index) {
  %c96 = arith.constant 96 : index
  %a = vector.load %A[%i] : memref<100xf32>, vector<8xf32>
  vector.store %a, %A[%c96] : memref<100xf32>, vector<8xf32>
  return
}

// Only the active lanes are checked.
// CHECK-LABEL: func.func @masks(
// CHECK:         %[[STEP:.*]] = vector.step : vector<8xindex>
// CHECK:         arith.cmpi uge, %{{.*}}, %{{.*}} : vector<8xindex>
// CHECK:         arith.andi %{{.*}}, %[[MASK:.*]] : vector<8xi1>
// CHECK:         vector.reduction <or>
// CHECK:         vector.reduction <maxui>
// CHECK:         scf.if
// CHECK:         vector.maskedload {{.*}} %[[MASK]]
// CHECK:         scf.if
// CHECK:         vector.maskedstore
func.func @masks(%A: memref<100xf32>, %i: index, %n: index) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %mask = vector.create_mask %n : vector<8xi1>
  %a = vector.maskedload %A[%i], %mask, %zero : memref<100xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %A[%i], %mask, %a : memref<100xf32>, vector<8xi1>, vector<8xf32>
  return
}

// CHECK-LABEL: func.func @updates(
// CHECK:         scf.if
// CHECK:         memref.atomic_rmw
func.func @updates(%A: memref<100xi32>, %i: index) {
  %one = arith.constant 1 : i32
  %old = memref.atomic_rmw addi %one, %A[%i] : (i32, memref<100xi32>) -> i32
  return
}

// A view that is in its buffer by its type is not checked. Accesses of a view are checked against its shape.
// CHECK-LABEL: func.func @view_of_known_size(
// CHECK-NOT:     scf.if
// CHECK:         memref.view
// CHECK:         arith.cmpi uge, %arg0, %{{.*}} : index
// CHECK:         scf.if
// CHECK:         memref.load
func.func @view_of_known_size(%i: index, %o: memref<f32>) {
  %bytes = memref.alloc() : memref<128xi8>
  %c64 = arith.constant 64 : index
  %v = memref.view %bytes[%c64][] : memref<128xi8> to memref<16xf32>
  %a = memref.load %v[%i] : memref<16xf32>
  memref.store %a, %o[] : memref<f32>
  return
}

// A view whose end depends on sizes is checked: it begins at 0 or later, and ends before its buffer does.
// CHECK-LABEL: func.func @view_of_dynamic_size(
// CHECK:         %[[BYTES:.*]] = memref.alloc(%[[N:arg[0-9]+|.*]]) : memref<?xi8>
// CHECK:         %[[SIZE:.*]] = memref.dim %[[BYTES]]
// CHECK:         %[[LOW:.*]] = arith.cmpi slt
// CHECK:         %[[HIGH:.*]] = arith.cmpi sgt
// CHECK:         %[[OUTSIDE:.*]] = arith.ori %[[LOW]], %[[HIGH]] : i1
// CHECK-NEXT:    scf.if %[[OUTSIDE]] {
// CHECK:         memref.view
// CHECK:         memref.load
func.func @view_of_dynamic_size(%n: index, %m: index, %i: index, %o: memref<f32>) {
  %bytes = memref.alloc(%n) : memref<?xi8>
  %v = memref.view %bytes[%i][%m] : memref<?xi8> to memref<?xf32>
  %a = memref.load %v[%i] : memref<?xf32>
  memref.store %a, %o[] : memref<f32>
  return
}

// CHECK-LABEL: func.func private @assertion(
// CHECK-NOT:     cf.assert
// CHECK:         %[[FAILS:.*]] = arith.xori %arg0, %{{.*}} : i1
// CHECK-NEXT:    scf.if %[[FAILS]] {
// CHECK:           llvm.call @dprintf(
// CHECK:           llvm.call @_exit(
func.func private @assertion(%holds: i1) {
  cf.assert %holds, "it holds"
  return
}

// The first and the last row of a tile are checked, and its first and last column.
// CHECK-LABEL: func.func @tile(
// CHECK-SAME:    %{{[^:]*}}: memref<?x64xi8>, %[[I:[^:]*]]: index, %[[J:[^:]*]]: index)
// CHECK:         %[[ROW:.*]] = arith.addi %[[I]], %c7
// CHECK-NEXT:    arith.cmpi uge, %[[I]],
// CHECK-NEXT:    arith.cmpi uge, %[[ROW]],
// CHECK:         %[[COLUMN:.*]] = arith.addi %[[J]], %c31
// CHECK-NEXT:    arith.cmpi uge, %[[J]],
// CHECK-NEXT:    arith.cmpi uge, %[[COLUMN]],
// CHECK:         amx.tile_load
func.func @tile(%A: memref<?x64xi8>, %i: index, %j: index) {
  %a = amx.tile_load %A[%i, %j] : memref<?x64xi8> into !amx.tile<8x32xi8>
  return
}
