// Cooperating threads: shared buffers and barriers.

// A tile is read by rows and written by columns, both with consecutive lanes.
func.func @transpose(%A: memref<64x96xf32>, %B: memref<96x64xf32> {loop.result}) {
  %tile = loop.buffer "tile" scope(shared) : memref<32x32xf32>
  loop.for thread_bind[blockIdx.y] %by in 2 {
    loop.for thread_bind[blockIdx.x] %bx in 3 {
      loop.for thread_bind[threadIdx.y] %ty in 8 {
        loop.for thread_bind[threadIdx.x] %tx in 32 {
          loop.for serial %r in 4 {
            loop.block "tile" [%i: spatial 64, %j: spatial 96, %ti: spatial 32, %tj: spatial 32]
                = (%by * 32 + %r * 8 + %ty, %bx * 32 + %tx, %r * 8 + %ty, %tx)
                reads(%A[%i : 1, %j : 1]) writes(%tile[%ti : 1, %tj : 1]) {
              %a = memref.load %A[%i, %j] : memref<64x96xf32>
              memref.store %a, %tile[%ti, %tj] : memref<32x32xf32>
            }
          }
          loop.sync
          loop.for serial %r in 4 {
            loop.block "B" [%i: spatial 96, %j: spatial 64, %ti: spatial 32, %tj: spatial 32]
                = (%bx * 32 + %r * 8 + %ty, %by * 32 + %tx, %r * 8 + %ty, %tx)
                reads(%tile[%tj : 1, %ti : 1]) writes(%B[%i : 1, %j : 1]) {
              %a = memref.load %tile[%tj, %ti] : memref<32x32xf32>
              memref.store %a, %B[%i, %j] : memref<96x64xf32>
            }
          }
        }
      }
    }
  }
  return
}

// Tiles of 8 x 8: all threads read a tile of A and one of B, then each adds to its own element.
func.func @matmul(%A: memref<32x48xf32>, %B: memref<48x40xf32>, %C: memref<32x40xf32> {loop.result}) {
  %As = loop.buffer "As" scope(shared) : memref<8x8xf32>
  %Bs = loop.buffer "Bs" scope(shared) align(32) : memref<8x8xf32>
  loop.for thread_bind[blockIdx.y] %by in 4 {
    loop.for thread_bind[blockIdx.x] %bx in 5 {
      loop.for thread_bind[threadIdx.y] %ty in 8 {
        loop.for thread_bind[threadIdx.x] %tx in 8 {
          loop.for serial %k.0 in 6 {
            loop.block "As" [%i: spatial 32, %k: spatial 48, %si: spatial 8, %sk: spatial 8]
                = (%by * 8 + %ty, %k.0 * 8 + %tx, %ty, %tx)
                reads(%A[%i : 1, %k : 1]) writes(%As[%si : 1, %sk : 1]) {
              %a = memref.load %A[%i, %k] : memref<32x48xf32>
              memref.store %a, %As[%si, %sk] : memref<8x8xf32>
            }
            loop.block "Bs" [%k: spatial 48, %j: spatial 40, %sk: spatial 8, %sj: spatial 8]
                = (%k.0 * 8 + %ty, %bx * 8 + %tx, %ty, %tx)
                reads(%B[%k : 1, %j : 1]) writes(%Bs[%sk : 1, %sj : 1]) {
              %b = memref.load %B[%k, %j] : memref<48x40xf32>
              memref.store %b, %Bs[%sk, %sj] : memref<8x8xf32>
            }
            loop.sync
            loop.for serial %k.1 in 8 {
              loop.block "C" [%i: spatial 32, %j: spatial 40, %k: reduce 48]
                  = (%by * 8 + %ty, %bx * 8 + %tx, %k.0 * 8 + %k.1)
                  reads(%As[0 : 8, 0 : 8], %Bs[0 : 8, 0 : 8]) writes(%C[%i : 1, %j : 1]) reducer(add, 0.0) {
                loop.init {
                  %zero = arith.constant 0.0 : f32
                  memref.store %zero, %C[%i, %j] : memref<32x40xf32>
                }
                %c = memref.load %C[%i, %j] : memref<32x40xf32>
                %si = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
                %sj = affine.apply affine_map<(d0) -> (d0 mod 8)>(%j)
                %sk = affine.apply affine_map<(d0) -> (d0 mod 8)>(%k)
                %a = memref.load %As[%si, %sk] : memref<8x8xf32>
                %b = memref.load %Bs[%sk, %sj] : memref<8x8xf32>
                %p = arith.mulf %a, %b : f32
                %s = arith.addf %c, %p : f32
                memref.store %s, %C[%i, %j] : memref<32x40xf32>
              }
            }
            loop.sync
          }
        }
      }
    }
  }
  return
}

// One thread writes a value that all threads of the block read.
func.func @first_thread(%A: memref<6x32xf32>, %B: memref<6x32xf32> {loop.result}) {
  %first = loop.buffer "first" scope(shared) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %b in 6 {
    loop.block "first" [%v: spatial 6] = (%b) reads(%A[%v : 1, 0 : 1]) writes(%first[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v, %c0] : memref<6x32xf32>
      memref.store %a, %first[%c0] : memref<1xf32>
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "B" [%v: spatial 6, %w: spatial 32] = (%b, %t)
          reads(%A[%v : 1, %w : 1], %first[0 : 1]) writes(%B[%v : 1, %w : 1]) {
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%v, %w] : memref<6x32xf32>
        %f = memref.load %first[%c0] : memref<1xf32>
        %d = arith.subf %a, %f : f32
        memref.store %d, %B[%v, %w] : memref<6x32xf32>
      }
    }
  }
  return
}

// Loops of 24 and of 64 threads in one block: the barrier in the shorter loop is for all threads.
func.func @fewer_threads(%A: memref<24xf32>, %B: memref<24xf32> {loop.result}, %C: memref<64xf32> {loop.result}) {
  %s = loop.buffer "s" scope(shared) : memref<24xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 24 {
      loop.block "s" [%v: spatial 24] = (%t) reads(%A[%v : 1]) writes(%s[%v : 1]) {
        %a = memref.load %A[%v] : memref<24xf32>
        memref.store %a, %s[%v] : memref<24xf32>
      }
      loop.sync
      loop.block "B" [%v: spatial 24] = (%t) reads(%s[0 : 24]) writes(%B[%v : 1]) {
        %i = affine.apply affine_map<(d0) -> (23 - d0)>(%v)
        %a = memref.load %s[%i] : memref<24xf32>
        memref.store %a, %B[%v] : memref<24xf32>
      }
    }
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "C" [%v: spatial 64] = (%t) reads(%s[0 : 24]) writes(%C[%v : 1]) {
        %i = affine.apply affine_map<(d0) -> (d0 mod 24)>(%v)
        %a = memref.load %s[%i] : memref<24xf32>
        memref.store %a, %C[%v] : memref<64xf32>
      }
    }
  }
  return
}

// A sum over a block by halves: each step has a barrier, and fewer threads add.
func.func @tree(%A: memref<8x64xf32>, %B: memref<8xf32> {loop.result}) {
  %s = loop.buffer "s" scope(shared) : memref<64xf32>
  loop.for thread_bind[blockIdx.x] %b in 8 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "s" [%v: spatial 8, %w: spatial 64] = (%b, %t) reads(%A[%v : 1, %w : 1]) writes(%s[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<8x64xf32>
        memref.store %a, %s[%w] : memref<64xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "s32" [%w: spatial 32] = (%t) reads(%s[0 : 64]) writes(%s[%w : 1]) {
        %i = affine.apply affine_map<(d0) -> (d0 + 32)>(%w)
        %x = memref.load %s[%w] : memref<64xf32>
        %y = memref.load %s[%i] : memref<64xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %s[%w] : memref<64xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 16 {
      loop.block "s16" [%w: spatial 16] = (%t) reads(%s[0 : 32]) writes(%s[%w : 1]) {
        %i = affine.apply affine_map<(d0) -> (d0 + 16)>(%w)
        %x = memref.load %s[%w] : memref<64xf32>
        %y = memref.load %s[%i] : memref<64xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %s[%w] : memref<64xf32>
      }
    }
    loop.sync
    loop.for serial %k in 16 {
      loop.block "B" [%v: spatial 8, %w: reduce 16] = (%b, %k) reads(%s[%w : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<8xf32>
        }
        %x = memref.load %B[%v] : memref<8xf32>
        %y = memref.load %s[%w] : memref<64xf32>
        %z = arith.addf %x, %y : f32
        memref.store %z, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}

// Threads pass on values through the function's buffer: between barriers each element belongs to another thread.
func.func @hand_on(%A: memref<36xf32> {loop.result}, %B: memref<32xf32> {loop.result}) {
  %x = loop.buffer "x" scope(local) : memref<1xf32>
  loop.for thread_bind[threadIdx.x] %t in 36 {
    loop.block "A" [%v: spatial 36] = (%t) writes(%A[%v : 1]) {
      %n = arith.index_cast %v : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %A[%v] : memref<36xf32>
    }
    loop.sync
    loop.for serial %k in 4 {
      loop.block "x" [%v: spatial 32] = (%t) where (-%t + 31 >= 0) reads(%A[%v + 1 : 1]) writes(%x[0 : 1]) {
        %c0 = arith.constant 0 : index
        %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%i] : memref<36xf32>
        memref.store %a, %x[%c0] : memref<1xf32>
      }
      loop.sync
      loop.block "move" [%v: spatial 32] = (%t) where (-%t + 31 >= 0) reads(%x[0 : 1]) writes(%A[%v : 1]) {
        %c0 = arith.constant 0 : index
        %a = memref.load %x[%c0] : memref<1xf32>
        memref.store %a, %A[%v] : memref<36xf32>
      }
      loop.sync
    }
    loop.block "B" [%v: spatial 32] = (%t) where (-%t + 31 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<36xf32>
      memref.store %a, %B[%v] : memref<32xf32>
    }
  }
  return
}

// The same without a condition in the loop: each thread writes its own element.
func.func @hand_around(%A: memref<33xf32> {loop.result}) {
  %x = loop.buffer "x" scope(local) : memref<1xf32>
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.block "A" [%v: spatial 32] = (%t) writes(%A[%v : 1]) {
      %n = arith.index_cast %v : index to i32
      %f = arith.sitofp %n : i32 to f32
      memref.store %f, %A[%v] : memref<33xf32>
    }
    loop.block "last" [%v: spatial 32] = (%t) where (%t - 31 >= 0) writes(%A[%v + 1 : 1]) {
      %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %f = arith.constant 100.0 : f32
      memref.store %f, %A[%i] : memref<33xf32>
    }
    loop.sync
    loop.for serial %k in 3 {
      loop.block "x" [%v: spatial 32] = (%t) reads(%A[%v + 1 : 1]) writes(%x[0 : 1]) {
        %c0 = arith.constant 0 : index
        %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%i] : memref<33xf32>
        memref.store %a, %x[%c0] : memref<1xf32>
      }
      loop.sync
      loop.block "move" [%v: spatial 32] = (%t) reads(%x[0 : 1]) writes(%A[%v : 1]) {
        %c0 = arith.constant 0 : index
        %a = memref.load %x[%c0] : memref<1xf32>
        memref.store %a, %A[%v] : memref<33xf32>
      }
      loop.sync
    }
  }
  return
}

// The same in shared memory, between barriers of a loop.
func.func @hand_around_shared(%B: memref<32xf32> {loop.result}) {
  %A = loop.buffer "A" scope(shared) : memref<33xf32>
  %x = loop.buffer "x" scope(local) : memref<1xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "A" [%v: spatial 32] = (%t) writes(%A[%v : 1]) {
        %n = arith.index_cast %v : index to i32
        %f = arith.sitofp %n : i32 to f32
        memref.store %f, %A[%v] : memref<33xf32>
      }
      loop.block "last" [%v: spatial 32] = (%t) where (%t - 31 >= 0) writes(%A[%v + 1 : 1]) {
        %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %f = arith.constant 100.0 : f32
        memref.store %f, %A[%i] : memref<33xf32>
      }
      loop.sync
      loop.for serial %k in 3 {
        loop.block "x" [%v: spatial 32] = (%t) reads(%A[%v + 1 : 1]) writes(%x[0 : 1]) {
          %c0 = arith.constant 0 : index
          %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
          %a = memref.load %A[%i] : memref<33xf32>
          memref.store %a, %x[%c0] : memref<1xf32>
        }
        loop.sync
        loop.block "move" [%v: spatial 32] = (%t) reads(%x[0 : 1]) writes(%A[%v : 1]) {
          %c0 = arith.constant 0 : index
          %a = memref.load %x[%c0] : memref<1xf32>
          memref.store %a, %A[%v] : memref<33xf32>
        }
        loop.sync
      }
      loop.block "B" [%v: spatial 32] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<33xf32>
        memref.store %a, %B[%v] : memref<32xf32>
      }
    }
  }
  return
}

// More shared memory of a thread block than can be declared.
func.func @reverse_whole(%A: memref<16384xf32>, %B: memref<16384xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<16384xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.for serial %k in 64 {
        loop.block "S" [%v: spatial 16384] = (%k * 256 + %t) reads(%A[%v : 1]) writes(%S[%v : 1]) {
          %a = memref.load %A[%v] : memref<16384xf32>
          memref.store %a, %S[%v] : memref<16384xf32>
        }
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.for serial %k in 64 {
        loop.block "B" [%v: spatial 16384] = (%k * 256 + %t) reads(%S[-%v + 16383 : 1]) writes(%B[%v : 1]) {
          %i = affine.apply affine_map<(d0) -> (16383 - d0)>(%v)
          %a = memref.load %S[%i] : memref<16384xf32>
          memref.store %a, %B[%v] : memref<16384xf32>
        }
      }
    }
  }
  return
}
