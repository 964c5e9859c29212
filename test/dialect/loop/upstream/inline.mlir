// RUN: lw-opt %s --inline | FileCheck %s
// RUN: lw-opt %s --inline > %t.1 && lw-opt %t.1 > %t.2 && diff %t.1 %t.2

func.func private @scale(%A: memref<8xf32>, %B: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "scale" [%vi: spatial 8] = (%i) reads(%A[%vi : 1]) writes(%T[%vi : 1]) {
      %two = arith.constant 2.0 : f32
      %a = memref.load %A[%vi] : memref<8xf32>
      %x = arith.mulf %a, %two : f32
      memref.store %x, %T[%vi] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "copy" [%vi: spatial 8] = (%i) reads(%T[%vi : 1]) writes(%B[%vi : 1]) {
      %x = memref.load %T[%vi] : memref<8xf32>
      memref.store %x, %B[%vi] : memref<8xf32>
    }
  }
  return
}

// The body that was inlined last keeps its names; earlier ones are renamed. Constants stay in their blocks.
// CHECK-LABEL: func.func @twice
// CHECK: loop.buffer "T_1"
// CHECK: loop.block "scale_1"
// CHECK: loop.block "copy_1"
// CHECK: loop.buffer "T" scope(global)
// CHECK: loop.block "scale" [
// CHECK-NEXT: reads
// CHECK-NEXT: arith.constant
// CHECK: loop.block "copy" [
func.func @twice(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  call @scale(%A, %B) : (memref<8xf32>, memref<8xf32>) -> ()
  call @scale(%B, %C) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// A nest cannot be inlined into the body of a block: the call stays.
// CHECK-LABEL: func.func @in_a_leaf
// CHECK: call @scale
func.func @in_a_leaf(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.block "b" [] = () reads(%A[*]) writes(%B[*]) {
    func.call @scale(%A, %B) : (memref<8xf32>, memref<8xf32>) -> ()
  }
  return
}
