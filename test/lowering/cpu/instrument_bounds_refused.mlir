// RUN: lw-opt %s --instrument-bounds --split-input-file --verify-diagnostics

func.func @c1(%A: memref<16xf32>, %i: index) {
  %zero = arith.constant 0.0 : f32
  // expected-error @+1 {{accesses memory in a way that has no bounds check, expected loads and stores (C1)}}
  %a = vector.transfer_read %A[%i], %zero : memref<16xf32>, vector<4xf32>
  return
}

// -----

func.func @c1_space(%A: memref<16xf32, 3>, %i: index) {
  // expected-error @+1 {{accesses memref<16xf32, 3>, expected the default memory space (C1)}}
  %a = memref.load %A[%i] : memref<16xf32, 3>
  return
}

// -----

// expected-error @+1 {{has the name 'dprintf', expected the C library's function of that name (C2)}}
func.func private @dprintf(%A: memref<16xf32>, %i: index) {
  %a = memref.load %A[%i] : memref<16xf32>
  return
}

// -----

func.func @c1_view() {
  %bytes = memref.alloc() : memref<128xi8, 3>
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{is in another memory space, or its elements do not have whole bytes, expected neither (C1)}}
  %v = memref.view %bytes[%c0][] : memref<128xi8, 3> to memref<16xf32, 3>
  return
}

// -----

func.func @c1_tile(%A: memref<16x3x64xi8>) {
  %c0 = arith.constant 0 : index
  %stride = arith.constant 192 : index
  // expected-error @+1 {{accesses a tile with a stride, expected rows of a matrix (C1)}}
  %a = amx.tile_load %A[%c0, %c0, %c0], %stride : memref<16x3x64xi8> into !amx.tile<16x64xi8>
  return
}
