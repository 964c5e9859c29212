// Reductions that each thread does by itself, and functions of several kernels.

func.func @row_sum(%A: memref<40x30xf32>, %B: memref<40xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 5 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.for serial %k in 30 {
        loop.block "B" [%v: spatial 40, %w: reduce 30] = (%b * 8 + %t, %k)
            reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<40xf32>
          }
          %x = memref.load %B[%v] : memref<40xf32>
          %a = memref.load %A[%v, %w] : memref<40x30xf32>
          %s = arith.addf %x, %a : f32
          memref.store %s, %B[%v] : memref<40xf32>
        }
      }
    }
  }
  return
}

// Over a number of columns that may be 0: then the result is the start values.
func.func @row_max_dynamic(%A: memref<?x?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for thread_bind[blockIdx.x] %b in affine_map<()[s0] -> (s0 ceildiv 16)>()[%m] {
    loop.for thread_bind[threadIdx.x] %t in 16 {
      loop.for serial %k in %n {
        loop.block "B" [%v: spatial %m, %w: reduce %n] = (%b * 16 + %t, %k) where (%m - %b * 16 - %t - 1 >= 0)
            reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1]) reducer(max, 0xFF800000) {
          loop.init {
            %lowest = arith.constant 0xFF800000 : f32
            memref.store %lowest, %B[%v] : memref<?xf32>
          }
          %x = memref.load %B[%v] : memref<?xf32>
          %a = memref.load %A[%v, %w] : memref<?x?xf32>
          %s = arith.maximumf %x, %a : f32
          memref.store %s, %B[%v] : memref<?xf32>
        }
      }
    }
  }
  return
}

// Each thread has 2 x 2 elements, kept in a local buffer while they are summed.
func.func @matmul_local(%A: memref<16x24xf32>, %B: memref<24x16xf32>, %C: memref<16x16xf32> {loop.result}) {
  %acc = loop.buffer "acc" scope(local) : memref<2x2xf32>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 16 {
      loop.for serial %k in 24 {
        loop.for unroll %i.1 in 2 {
          loop.for unroll %j.1 in 2 {
            loop.block "acc" [%i: spatial 16, %j: spatial 16, %x: spatial 2, %y: spatial 2, %vk: reduce 24]
                = (%b * 4 + %t floordiv 8 * 2 + %i.1, %t mod 8 * 2 + %j.1, %i.1, %j.1, %k)
                reads(%A[%i : 1, %vk : 1], %B[%vk : 1, %j : 1]) writes(%acc[%x : 1, %y : 1]) reducer(add, 0.0) {
              loop.init {
                %zero = arith.constant 0.0 : f32
                memref.store %zero, %acc[%x, %y] : memref<2x2xf32>
              }
              %s = memref.load %acc[%x, %y] : memref<2x2xf32>
              %a = memref.load %A[%i, %vk] : memref<16x24xf32>
              %b_0 = memref.load %B[%vk, %j] : memref<24x16xf32>
              %p = arith.mulf %a, %b_0 : f32
              %n = arith.addf %s, %p : f32
              memref.store %n, %acc[%x, %y] : memref<2x2xf32>
            }
          }
        }
      }
      loop.for unroll %i.1 in 2 {
        loop.for unroll %j.1 in 2 {
          loop.block "C" [%i: spatial 16, %j: spatial 16, %x: spatial 2, %y: spatial 2]
              = (%b * 4 + %t floordiv 8 * 2 + %i.1, %t mod 8 * 2 + %j.1, %i.1, %j.1)
              reads(%acc[%x : 1, %y : 1]) writes(%C[%i : 1, %j : 1]) {
            %s = memref.load %acc[%x, %y] : memref<2x2xf32>
            memref.store %s, %C[%i, %j] : memref<16x16xf32>
          }
        }
      }
    }
  }
  return
}

// Partial sums in a buffer of the function, then one thread joins them: two kernels.
func.func @sum(%A: memref<32x20xf32>, %B: memref<f32> {loop.result}) {
  %partial = loop.buffer "partial" scope(global) : memref<32xf32>
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.for serial %k in 20 {
      loop.block "partial" [%v: spatial 32, %w: reduce 20] = (%t, %k)
          reads(%A[%v : 1, %w : 1]) writes(%partial[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %partial[%v] : memref<32xf32>
        }
        %x = memref.load %partial[%v] : memref<32xf32>
        %a = memref.load %A[%v, %w] : memref<32x20xf32>
        %s = arith.addf %x, %a : f32
        memref.store %s, %partial[%v] : memref<32xf32>
      }
    }
  }
  loop.for serial %k in 32 {
    loop.block "B" [%w: reduce 32] = (%k) reads(%partial[%w : 1]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %B[] : memref<f32>
      }
      %x = memref.load %B[] : memref<f32>
      %a = memref.load %partial[%w] : memref<32xf32>
      %s = arith.addf %x, %a : f32
      memref.store %s, %B[] : memref<f32>
    }
  }
  return
}
