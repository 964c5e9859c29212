// RUN: lw-opt %s --double-buffer --split-input-file --verify-diagnostics

func.func @c1(%A: memref<16x8xf32>, %T: memref<8xf32>) {
  // expected-error @+1 {{has annotation "double_buffer_scope", expected on a schedule block, with the number of one of the 0 buffers that it writes (C1)}}
  loop.for serial %i in 16 attributes {loop.annotations = {double_buffer_scope = 0}} {
    loop.block "S" [%v: spatial 16] = (%i) reads(%A[%v : 1, 0 : 1]) writes(%T[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v, %c0] : memref<16x8xf32>
      memref.store %a, %T[%c0] : memref<8xf32>
    }
  }
  return
}

// -----

func.func @c1_number(%A: memref<16xf32>, %T: memref<16xf32>) {
  loop.for serial %i in 16 {
    // expected-error @+1 {{expected on a schedule block, with the number of one of the 1 buffers that it writes (C1)}}
    loop.block "S" [%v: spatial 16] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1])
        attributes {loop.annotations = {double_buffer_scope = 1}} {
      %a = memref.load %A[%v] : memref<16xf32>
      memref.store %a, %T[%v] : memref<16xf32>
    }
  }
  return
}

// -----

func.func @c2(%A: memref<16xf32>, %T: memref<16xf32>) {
  loop.for serial %i in 16 {
    // expected-error @+1 {{writes "arg1", expected a serial loop around it in which another statement reads that (C2)}}
    loop.block "S" [%v: spatial 16] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1])
        attributes {loop.annotations = {double_buffer_scope = 0}} {
      %a = memref.load %A[%v] : memref<16xf32>
      memref.store %a, %T[%v] : memref<16xf32>
    }
  }
  return
}

// -----

// It is read in another statement of a parallel loop, whose iterations have no successor.
func.func @c2_parallel(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(local) : memref<8xf32>
  loop.for parallel %i in 16 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{writes "T", expected a serial loop around it in which another statement reads that (C2)}}
      loop.block "S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1])
          attributes {loop.annotations = {double_buffer_scope = 0}} {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        memref.store %a, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}
