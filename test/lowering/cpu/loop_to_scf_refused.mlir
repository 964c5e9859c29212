// Constructs without a lowering, and the reasons.
// RUN: lw-opt %s --convert-loop-to-scf -split-input-file -verify-diagnostics

func.func @c1_barrier(%A: memref<4xf32>, %B: memref<4xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %B[%v] : memref<4xf32>
    }
    // expected-error @below {{'loop.sync' op is a barrier of GPU threads, which a CPU does not have (C1)}}
    loop.sync
  }
  return
}

// -----

func.func @c2_reducing_lanes(%A: memref<8xf32>, %B: memref<f32>) {
  // expected-error @below {{'loop.for' op "k" cannot be vectorized: its lanes would reduce into one cell, because iter "v" of schedule block "B" is bound to it (C2)}}
  loop.for vectorize %k in 8 {
    loop.block "B" [%v: reduce 8] = (%k) reads(%A[%v : 1], %B[]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %B[] : memref<f32>
      }
      %a = memref.load %A[%v] : memref<8xf32>
      %b = memref.load %B[] : memref<f32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[] : memref<f32>
    }
  }
  return
}

// -----

// Lanes read before any writes, so they cannot run one after the other.
func.func @c3_dependent_lanes_of_unknown_number(%A: memref<?xf32>, %n: index) {
  // expected-error @below {{'loop.for' op "i" cannot be vectorized: its extent is not constant (C3)}}
  loop.for vectorize %i in %n {
    loop.block "A" [%v: spatial %n] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<?xf32>
      memref.store %a, %A[%v] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @c3_too_many_dependent_lanes(%A: memref<1026xf32>) {
  // expected-error @below {{'loop.for' op "i" cannot be vectorized: its lanes depend on each other, and there are more than 1024 (C3)}}
  loop.for vectorize %i in 1025 {
    loop.block "A" [%v: spatial 1025] = (%i) reads(%A[%v + 1 : 1]) writes(%A[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%next] : memref<1026xf32>
      memref.store %a, %A[%v] : memref<1026xf32>
    }
  }
  return
}

// -----

func.func @c3_private_buffer_of_an_inner_loop(%A: memref<8xf32>, %C: memref<8x4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<8x4xf32>
  // expected-remark @below {{"i" is not vectorized: each iteration of a parallel loop in it has its own "T"}}
  loop.for vectorize %i in 8 {
    loop.for parallel %j in 4 {
      loop.block "T" [%v: spatial 8, %w: spatial 4] = (%i, %j) reads(%A[%v : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %T[%v, %w] : memref<8x4xf32>
      }
      loop.block "C" [%v: spatial 8, %w: spatial 4] = (%i, %j)
          reads(%T[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<8x4xf32>
        memref.store %t, %C[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}

// -----

func.func @c4_padding(%A: memref<4x4xf32>) {
  // expected-error @below {{'loop.buffer' op "T" is padded, but 'memref.copy' uses it without the padding (C4)}}
  %T = loop.buffer "T" scope(global) pad(0, 8) : memref<4x4xf32>
  loop.for serial %i in 4 {
    loop.block "T" [%v: spatial 4] = (%i) reads(%A[%v : 1, %v : 1]) writes(%T[%v : 1, %v : 1]) {
      %a = memref.load %A[%v, %v] : memref<4x4xf32>
      memref.store %a, %T[%v, %v] : memref<4x4xf32>
    }
  }
  memref.copy %T, %A : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

func.func @c4_dynamic_private_buffer(%A: memref<?xf32>, %n: index) {
  // expected-error @below {{'loop.buffer' op "T" is of dynamic size, expected a static size, because each iteration of a parallel loop needs its own (C4)}}
  %T = loop.buffer "T" scope(local) (%n) : memref<?xf32>
  loop.for parallel %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %T[%v] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @c3_nest_in_dependent_lanes(%B: memref<4xf32>) {
  // expected-remark @below {{"i" is not vectorized: it contains a schedule block with a nest as its body}}
  loop.for vectorize %i in 4 {
    loop.block "outer" [%v: spatial 4] = (%i) writes(%B[%v : 1]) {
      loop.block "B" [%w: spatial 4] = (%v) writes(%B[%w : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %B[%w] : memref<4xf32>
      }
    }
  }
  return
}

// -----

func.func @c4_large_private_buffer(%A: memref<512x512xf32>, %B: memref<512x512xf32>) {
  // expected-error @below {{'loop.buffer' op "T" takes 1048576 bytes of stack in each iteration of a parallel loop, expected at most 524288 (C4)}}
  %T = loop.buffer "T" scope(shared) : memref<512x512xf32>
  loop.for thread_bind[blockIdx.x] %i in 512 {
    loop.block "T" [%v: spatial 512] = (%i) reads(%A[%v : 1, 0 : 1]) writes(%T[%v : 1, 0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v, %c0] : memref<512x512xf32>
      memref.store %a, %T[%v, %c0] : memref<512x512xf32>
    }
  }
  return
}
