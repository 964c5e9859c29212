// RUN: lw-opt %s --verify-gpu-code='max-threads=64 max-shared-bytes=1024 max-local-bytes=256 vector-bits=128' \
// RUN:   --split-input-file --verify-diagnostics

// Within the limits: exactly the maximum.
func.func @fits(%A: memref<64xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<256xf32>
  %L = loop.buffer "L" scope(local) : memref<64xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "S" [%v: spatial 64] = (%t) writes(%S[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %S[%v] : memref<256xf32>
      }
      loop.block "L" [%v: spatial 64] = (%t) writes(%L[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %L[%v] : memref<64xf32>
      }
    }
    loop.for vectorize %l in 4 {
      loop.block "A" [%v: spatial 64] = (%l) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<64xf32>
      }
    }
  }
  return
}

// -----

// Functions without threads are not checked.
func.func @no_threads(%A: memref<64xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<4096xf32>
  loop.for serial %t in 4096 {
    loop.block "S" [%v: spatial 4096] = (%t) writes(%S[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %S[%v] : memref<4096xf32>
    }
  }
  return
}

// -----

func.func @c1_axis() {
  // expected-error @below {{'loop.for' op "t" has 65 iterations on threadIdx.z, expected at most 64 (C1)}}
  loop.for thread_bind[threadIdx.z] %t in 65 { loop.block "B" [%v: spatial 65] = (%t) {} }
  return
}

// -----

func.func @c1_no_bound(%n: index) {
  // expected-error @below {{'loop.for' op "t" is bound to threadIdx.x and its extent has no constant bound: the number of threads in a block must be known (C1)}}
  loop.for thread_bind[threadIdx.x] %t in %n { loop.block "B" [%v: spatial %n] = (%t) {} }
  return
}

// -----

func.func @c2_threads() {
  // expected-error @below {{'loop.for' op needs 65 threads in a thread block, expected at most 64 (C2)}}
  loop.for thread_bind[threadIdx.x] %t in 65 { loop.block "B" [%v: spatial 65] = (%t) {} }
  return
}

// -----

func.func @c3_dynamic(%n: index) {
  // expected-error @below {{'loop.buffer' op "S" of scope shared is of dynamic size, expected a static one (C3)}}
  %S = loop.buffer "S" scope(shared) (%n) : memref<?xf32>
  loop.for thread_bind[threadIdx.x] %t in 8 { loop.block "B" [%v: spatial 8] = (%t) {} }
  return
}

// -----

func.func @c3_kernels(%A: memref<8xf32>) {
  // expected-error @below {{'loop.buffer' op "S" of scope shared is used in more than one kernel, where each has its own (C3)}}
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.block "S" [%v: spatial 8] = (%t) writes(%S[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %S[%v] : memref<8xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.block "A" [%v: spatial 8] = (%t) reads(%S[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %S[%v] : memref<8xf32>
      memref.store %a, %A[%v] : memref<8xf32>
    }
  }
  return
}

// -----

// Virtual threads belong to one thread, device buffers to all kernels, and a shared buffer to all threads of a block.
func.func @apart(%A: memref<8xf32>) {
  %G = loop.buffer "G" scope(global) : memref<4096xf32>
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %i in 8 {
      loop.block "S" [%v: spatial 8] = (%i) writes(%S[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %S[%v] : memref<8xf32>
      }
      loop.block "G" [%v: spatial 8] = (%i) writes(%G[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %G[%v] : memref<4096xf32>
      }
    }
    loop.for thread_bind[vthread] %y in 65 {
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "A" [%v: spatial 8] = (%t) reads(%S[%v : 1]) writes(%A[%v : 1]) {
          %a = memref.load %S[%v] : memref<8xf32>
          memref.store %a, %A[%v] : memref<8xf32>
        }
      }
    }
  }
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.block "B" [%v: spatial 8] = (%t) reads(%G[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %G[%v] : memref<4096xf32>
      memref.store %a, %A[%v] : memref<8xf32>
    }
  }
  return
}

// -----

func.func @c4_shared() {
  // expected-error @below {{'loop.buffer' op "S" and the buffers before it take 1040 bytes of shared memory, expected at most 1024 (C4)}}
  %S = loop.buffer "S" scope(shared) : memref<257xf32>
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.block "B" [%v: spatial 8] = (%t) writes(%S[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %S[%v] : memref<257xf32>
    }
  }
  return
}

// -----

func.func @c5_local() {
  // expected-error @below {{'loop.buffer' op "L" takes 260 bytes of local memory in each thread, expected at most 256 (C5)}}
  %L = loop.buffer "L" scope(local) : memref<65xf32>
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.block "B" [%v: spatial 8] = (%t) writes(%L[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %L[%v] : memref<65xf32>
    }
  }
  return
}

// -----

func.func @c6_sides(%A: memref<8xf32>) {
  %L = loop.buffer "L" scope(local) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %i in 8 {
      loop.block "L" [%v: spatial 8] = (%i) writes(%L[%v : 1]) {
        %c = arith.constant 1.0 : f32
        // expected-note @below {{the other access is here}}
        memref.store %c, %L[%v] : memref<8xf32>
      }
    }
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "A" [%v: spatial 8] = (%t) reads(%L[%v : 1]) writes(%A[%v : 1]) {
        // expected-error @below {{accesses "L" of scope local in blockIdx.x, threadIdx.x, which has another instance of it than blockIdx.x (C6)}}
        %a = memref.load %L[%v] : memref<8xf32>
        memref.store %a, %A[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

func.func @c7_lanes(%A: memref<8xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 1 {
    loop.for vectorize %l in 8 {
      loop.block "A" [%v: spatial 8] = (%l) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        // expected-error @below {{accesses 256 bits in the 8 lanes of loop "l", expected at most 128 (C7)}}
        memref.store %c, %A[%v] : memref<8xf32>
      }
    }
  }
  return
}
