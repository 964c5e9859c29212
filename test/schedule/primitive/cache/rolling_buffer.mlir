// RUN: lw-opt %s --sched-rolling-buffer='block=T loop=T:i' --sched-rolling-buffer='block=D loop=D:i' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter='entry-point=steps' | FileCheck %s

// Three rows per window, one of which is new.
// CHECK-LABEL: func.func @rows
// CHECK:         %T = loop.buffer "T" scope(global) : memref<3x16xf32>
// CHECK-NEXT:    loop.for serial %k in 2 {
// CHECK-NEXT:      loop.for serial %j in 16 {
// CHECK-NEXT:        loop.block "T.first" [%v: spatial 34, %w: spatial 16] = (%k, %j)
// CHECK-NEXT:            reads(%arg0[%v : 1, %w : 1]) writes(%T[%v mod 3 : 1, %w : 1])
// CHECK:         loop.for serial %i in 32 {
// CHECK-NEXT:      loop.for serial %k in 1 {
// CHECK-NEXT:        loop.for serial %j in 16 {
// CHECK-NEXT:          loop.block "T" [%v: spatial 34, %w: spatial 16] = (%i + %k + 2, %j)
// CHECK-NEXT:              reads(%arg0[%v : 1, %w : 1]) writes(%T[%v mod 3 : 1, %w : 1])
// CHECK:           loop.block "C"
func.func @rows(%A: memref<34x16xf32>, %B: memref<32x16xf32>) {
  %T = loop.buffer "T" scope(global) : memref<34x16xf32>
  loop.for serial %i in 32 {
    loop.for serial %k in 3 {
      loop.for serial %j in 16 {
        loop.block "T" [%v: spatial 34, %w: spatial 16] = (%i + %k, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<34x16xf32>
          memref.store %a, %T[%v, %w] : memref<34x16xf32>
        }
      }
    }
    loop.for serial %j in 16 {
      loop.block "C" [%v: spatial 32, %w: spatial 16] = (%i, %j) reads(%T[%v : 3, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %a = memref.load %T[%v, %w] : memref<34x16xf32>
        %b = memref.load %T[%0, %w] : memref<34x16xf32>
        %c = arith.addf %a, %b : f32
        memref.store %c, %B[%v, %w] : memref<32x16xf32>
      }
    }
  }
  return
}

// Steps of two rows, for any number of them: if there are no iterations, nothing is computed before the loop either.
// CHECK-LABEL: func.func @dynamic
// CHECK:         %D = loop.buffer "D" scope(global) : memref<5xf32>
// CHECK:         loop.for serial %k in 3 {
// CHECK-NEXT:      loop.block "D.first" [%v: spatial %arg2 * 2 + 3] = (%k)
// CHECK-NEXT:          where(symbol(%arg2) - 1 >= 0)
// CHECK:         loop.for serial %i in %arg2 {
// CHECK-NEXT:      loop.for serial %k in 2 {
// CHECK-NEXT:        loop.block "D" [%v: spatial %arg2 * 2 + 3] = (%i * 2 + %k + 3)
func.func @dynamic(%A: memref<?xf32>, %B: memref<?xf32>, %n: index) {
  %D = loop.buffer "D" scope(global) (%n * 2 + 3) : memref<?xf32>
  loop.for serial %i in %n {
    loop.for serial %k in 5 {
      loop.block "D" [%v: spatial %n * 2 + 3] = (%i * 2 + %k) reads(%A[%v : 1]) writes(%D[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %D[%v] : memref<?xf32>
      }
    }
    loop.block "E" [%v: spatial %n] = (%i) reads(%D[%v * 2 : 5]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %1 = affine.apply affine_map<(d0) -> (d0 * 2 + 4)>(%v)
      %a = memref.load %D[%0] : memref<?xf32>
      %b = memref.load %D[%1] : memref<?xf32>
      %c = arith.addf %a, %b : f32
      memref.store %c, %B[%v] : memref<?xf32>
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @steps(%f: !transform.any_op) {
    transform.sched.rolling_buffer "T" in %f loop "T:i"
    transform.sched.rolling_buffer "D" in %f loop "D:i"
    transform.yield
  }
}
