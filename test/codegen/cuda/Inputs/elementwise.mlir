// Kernels without barriers, with various bindings of loops and various bodies.

// The last thread block has surplus threads.
func.func @scale(%A: memref<1000xf32>, %B: memref<1000xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.block "B" [%v: spatial 1000] = (%b * 256 + %t) where (%b * -256 - %t + 999 >= 0)
          reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<1000xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %B[%v] : memref<1000xf32>
      }
    }
  }
  return
}

// Tiles of 8 x 16 that do not divide the matrix.
func.func @add_2d(%A: memref<33x45xf32>, %B: memref<33x45xf32>, %C: memref<33x45xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.y] %by in 5 {
    loop.for thread_bind[blockIdx.x] %bx in 3 {
      loop.for thread_bind[threadIdx.y] %ty in 8 {
        loop.for thread_bind[threadIdx.x] %tx in 16 {
          loop.block "C" [%i: spatial 33, %j: spatial 45] = (%by * 8 + %ty, %bx * 16 + %tx)
              where (%by * -8 - %ty + 32 >= 0, %bx * -16 - %tx + 44 >= 0)
              reads(%A[%i : 1, %j : 1], %B[%i : 1, %j : 1]) writes(%C[%i : 1, %j : 1]) {
            %a = memref.load %A[%i, %j] : memref<33x45xf32>
            %b = memref.load %B[%i, %j] : memref<33x45xf32>
            %s = arith.addf %a, %b : f32
            memref.store %s, %C[%i, %j] : memref<33x45xf32>
          }
        }
      }
    }
  }
  return
}

// The number of thread blocks depends on the size.
func.func @scale_dynamic(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for thread_bind[blockIdx.x] %b in affine_map<()[s0] -> (s0 ceildiv 64)>()[%n] {
    loop.for thread_bind[threadIdx.x] %t in min affine_map<(d0)[s0] -> (64, s0 - d0 * 64)>(%b)[%n] {
      loop.block "B" [%v: spatial %n] = (%b * 64 + %t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        %m = arith.mulf %a, %a : f32
        memref.store %m, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

// Rows on thread blocks, columns on threads with a stride.
func.func @add_dynamic(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for thread_bind[blockIdx.x] %i in %m {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 32)>()[%n] {
        loop.block "C" [%vi: spatial %m, %vj: spatial %n] = (%i, %k * 32 + %t) where (%n - %k * 32 - %t - 1 >= 0)
            reads(%A[%vi : 1, %vj : 1], %B[%vi : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) {
          %a = memref.load %A[%vi, %vj] : memref<?x?xf32>
          %b = memref.load %B[%vi, %vj] : memref<?x?xf32>
          %s = arith.subf %a, %b : f32
          memref.store %s, %C[%vi, %vj] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

// Four floats at once, aligned.
func.func @vectors(%A: memref<64x32xf32>, %B: memref<32xf32>, %C: memref<64x32xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 64 {
    loop.for thread_bind[threadIdx.x] %j.0 in 8 {
      loop.for vectorize %j.1 in 4 {
        loop.block "C" [%vi: spatial 64, %vj: spatial 32] = (%i, %j.0 * 4 + %j.1)
            reads(%A[%vi : 1, %vj : 1], %B[%vj : 1]) writes(%C[%vi : 1, %vj : 1]) {
          %a = memref.load %A[%vi, %vj] : memref<64x32xf32>
          %b = memref.load %B[%vj] : memref<32xf32>
          %p = arith.mulf %a, %b : f32
          memref.store %p, %C[%vi, %vj] : memref<64x32xf32>
        }
      }
    }
  }
  return
}

// Rows of 11: unaligned vectors with 3 surplus lanes; columns have a stride.
func.func @vectors_apart(%A: memref<16x11xf32>, %B: memref<11x16xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %i in 16 {
    loop.for vectorize %j in 11 {
      loop.block "B" [%vi: spatial 16, %vj: spatial 11] = (%i, %j)
          reads(%A[%vi : 1, %vj : 1]) writes(%B[%vj : 1, %vi : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<16x11xf32>
        memref.store %a, %B[%vj, %vi] : memref<11x16xf32>
      }
    }
  }
  return
}

// bf16 is computed in f32 and rounded once; eight at a time.
func.func @bf16(%A: memref<512xbf16>, %B: memref<512xbf16>, %C: memref<512xbf16> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 2 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.for vectorize %l in 8 {
        loop.block "C" [%v: spatial 512] = (%b * 256 + %t * 8 + %l) reads(%A[%v : 1], %B[%v : 1]) writes(%C[%v : 1]) {
          %a = memref.load %A[%v] : memref<512xbf16>
          %b_0 = memref.load %B[%v] : memref<512xbf16>
          %p = arith.mulf %a, %b_0 : bf16
          %s = arith.addf %p, %a : bf16
          memref.store %s, %C[%v] : memref<512xbf16>
        }
      }
    }
  }
  return
}

// Functions with instructions: no library is called.
func.func @math(%A: memref<128xf32>, %B: memref<128xf32> {loop.result}, %C: memref<128xf64> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 128 {
    loop.block "B" [%v: spatial 128] = (%t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<128xf32>
      %one = arith.constant 1.0 : f32
      %three = arith.constant 3.0 : f32
      %abs = math.absf %a : f32
      %root = math.sqrt %abs : f32
      %more = arith.addf %abs, %one : f32
      %inverse = math.rsqrt %more : f32
      %down = math.floor %a : f32
      %up = math.ceil %a : f32
      %cut = math.trunc %a : f32
      %even = math.roundeven %a : f32
      %fused = math.fma %root, %down, %up : f32
      %sign = math.copysign %three, %a : f32
      %least = arith.minnumf %cut, %even : f32
      %most = arith.maxnumf %fused, %least : f32
      %s0 = arith.addf %most, %inverse : f32
      %s1 = arith.addf %s0, %sign : f32
      %clamp = math.clampf %s1 to [%one, %three] : f32
      %nan = math.isnan %s1 : f32
      %s2 = arith.subf %s1, %clamp : f32
      %s3 = arith.select %nan, %one, %s2 : f32
      memref.store %s3, %B[%v] : memref<128xf32>
    }
    loop.block "C" [%v: spatial 128] = (%t) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<128xf32>
      %wide = arith.extf %a : f32 to f64
      %m = arith.mulf %wide, %wide : f64
      %r = math.sqrt %m : f64
      memref.store %r, %C[%v] : memref<128xf64>
    }
  }
  return
}

// Integers, with quotients that round down and up.
func.func @integers(%A: memref<96xi32>, %B: memref<96xi8>, %C: memref<96xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 3 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "C" [%v: spatial 96] = (%b * 32 + %t) reads(%A[%v : 1], %B[%v : 1]) writes(%C[%v : 1]) {
        %a = memref.load %A[%v] : memref<96xi32>
        %n = memref.load %B[%v] : memref<96xi8>
        %wide = arith.extsi %n : i8 to i32
        %c7 = arith.constant 7 : i32
        %down = arith.floordivsi %a, %c7 : i32
        %up = arith.ceildivsi %wide, %c7 : i32
        %magnitude = math.absi %a : i32
        %most = arith.maxsi %magnitude, %wide : i32
        %x = arith.xori %down, %up : i32
        %s = arith.addi %x, %most : i32
        memref.store %s, %C[%v] : memref<96xi32>
      }
    }
  }
  return
}

// Neighbours, with zero padding.
func.func @stencil(%A: memref<200xf32>, %B: memref<200xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 50 {
      loop.block "B" [%v: spatial 200] = (%b * 50 + %t) reads(%A[0 : 200]) writes(%B[%v : 1]) {
        %left = loop.if (%v - 1 >= 0) -> (f32) {
          %i = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
          %a = memref.load %A[%i] : memref<200xf32>
          loop.yield %a : f32
        } else {
          %zero = arith.constant 0.0 : f32
          loop.yield %zero : f32
        }
        %right = loop.if (-%v + 198 >= 0) -> (f32) {
          %i = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
          %a = memref.load %A[%i] : memref<200xf32>
          loop.yield %a : f32
        } else {
          %zero = arith.constant 0.0 : f32
          loop.yield %zero : f32
        }
        %d = arith.subf %right, %left : f32
        memref.store %d, %B[%v] : memref<200xf32>
      }
    }
  }
  return
}

// Virtual threads and parallel iterations run serially in one thread; unrolled ones are written out.
func.func @in_one_thread(%A: memref<4x4x3x8xf32>, %B: memref<4x4x3x8xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.for thread_bind[vthread] %v in 4 {
      loop.for parallel %p in 4 {
        loop.for unroll %u in 3 {
          loop.block "B" [%i: spatial 4, %j: spatial 4, %k: spatial 3, %l: spatial 8] = (%v, %p, %u, %t)
              reads(%A[%i : 1, %j : 1, %k : 1, %l : 1]) writes(%B[%i : 1, %j : 1, %k : 1, %l : 1]) {
            %a = memref.load %A[%i, %j, %k, %l] : memref<4x4x3x8xf32>
            %n = arith.negf %a : f32
            memref.store %n, %B[%i, %j, %k, %l] : memref<4x4x3x8xf32>
          }
        }
      }
    }
  }
  return
}
