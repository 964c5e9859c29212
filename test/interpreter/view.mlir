// Buffers that are views of another buffer's bytes: a write to one destroys the contents of those that overlap it.
// RUN: lw-run %s --entry apart --execute input --input %S/Inputs/iota32.npy | FileCheck %s
// RUN: not lw-run %s --entry shared --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not lw-run %s --entry beyond --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=BEYOND
// CHECK: result 0
// SHARED: error: {{.*}}undefined
// BEYOND: error: {{.*}}views 8 elements of 4 bytes from byte 36 on, in a buffer of 64 bytes

func.func @apart(%x: memref<32xf32>, %y: memref<1xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f64
  %a = memref.load %x[%c0] : memref<32xf32>
  %bytes = memref.alloc() : memref<64xi8>
  %first = memref.view %bytes[%c0][] : memref<64xi8> to memref<8xf32>
  %second = memref.view %bytes[%c32][] : memref<64xi8> to memref<4xf64>
  memref.store %a, %first[%c0] : memref<8xf32>
  memref.store %zero, %second[%c0] : memref<4xf64>
  %b = memref.load %first[%c0] : memref<8xf32>
  memref.store %b, %y[%c0] : memref<1xf32>
  return
}

func.func @shared(%x: memref<32xf32>, %y: memref<1xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %zero = arith.constant 0.0 : f64
  %a = memref.load %x[%c0] : memref<32xf32>
  %bytes = memref.alloc() : memref<64xi8>
  %first = memref.view %bytes[%c4][] : memref<64xi8> to memref<8xf32>
  %c32 = arith.constant 32 : index
  %second = memref.view %bytes[%c32][] : memref<64xi8> to memref<4xf64>
  memref.store %a, %first[%c7] : memref<8xf32>
  memref.store %zero, %second[%c0] : memref<4xf64>
  %b = memref.load %first[%c7] : memref<8xf32>
  memref.store %b, %y[%c0] : memref<1xf32>
  return
}

func.func @beyond(%x: memref<32xf32>, %y: memref<1xf32> {loop.result}) {
  %c36 = arith.constant 36 : index
  %bytes = memref.alloc() : memref<64xi8>
  %view = memref.view %bytes[%c36][] : memref<64xi8> to memref<8xf32>
  return
}
