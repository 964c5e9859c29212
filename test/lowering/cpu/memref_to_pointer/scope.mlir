// RUN: lw-opt %s --convert-memref-to-pointer --canonicalize --cse | FileCheck %s

// A memref is passed as its pointer and the sizes that are not constant; other values as they are.
// CHECK-LABEL: func.func private @passes_kernel(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: !llvm.ptr {llvm.noalias}, %[[ROWS:[a-z0-9]+]]: index, %[[I:[a-z0-9]+]]: index)
// CHECK:         call @callee(%[[X]], %[[ROWS]], %[[I]]) : (!llvm.ptr, index, index) -> ()
func.func @passes(%x: memref<?x4xf32>, %i: index) {
  func.call @callee(%x, %i) : (memref<?x4xf32>, index) -> ()
  return
}
func.func private @callee(%x: memref<?x4xf32>, %i: index) {
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%i, %c1] : memref<?x4xf32>
  memref.store %v, %x[%c1, %i] : memref<?x4xf32>
  return
}

// Memory of the stack is taken once, before the loop that uses it.
// CHECK-LABEL: func.func private @stack_kernel(
// CHECK:         llvm.alloca
// CHECK-NOT:     llvm.alloca
// CHECK:         scf.for
// CHECK-NOT:     llvm.alloca
// CHECK:         return
func.func @stack(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    loop.parallel_call @chunk in %n grain(8) (%x, %i : memref<?xf32>, index)
  }
  return
}
func.func private @chunk(%from: index, %to: index, %x: memref<?xf32>, %i: index) {
  %v = memref.load %x[%i] : memref<?xf32>
  memref.store %v, %x[%from] : memref<?xf32>
  return
}

// LLVM may inline a call that returns a number, as from the body of an op, but not one of a region of control flow.
// CHECK-LABEL: func.func private @marked_kernel(
// CHECK:         call @number(%{{.+}}, %{{.+}}) : (!llvm.ptr, index) -> f32
// CHECK:         call @region(%{{.+}}, %{{.+}}) {no_inline} : (!llvm.ptr, index) -> ()
func.func @marked(%x: memref<4xf32>, %i: index) {
  %a = func.call @number(%x, %i) {no_inline} : (memref<4xf32>, index) -> f32
  memref.store %a, %x[%i] : memref<4xf32>
  func.call @region(%x, %i) {no_inline} : (memref<4xf32>, index) -> ()
  return
}
func.func private @number(%x: memref<4xf32>, %i: index) -> f32 {
  %a = memref.load %x[%i] : memref<4xf32>
  return %a : f32
}
func.func private @region(%x: memref<4xf32>, %i: index) {
  %a = memref.load %x[%i] : memref<4xf32>
  %b = arith.addf %a, %a : f32
  memref.store %b, %x[%i] : memref<4xf32>
  return
}
