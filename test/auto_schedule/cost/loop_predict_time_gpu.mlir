// RUN: lw-opt %s --loop-predict-time=target=sm_80 -o /dev/null 2>&1 | FileCheck %s

// The lanes of a warp read 128 bytes that follow each other, in 4 sectors; 2048 * 1024 floats take 5.4 us of 1555 GB/s
// of memory, but both arrays are in the second-level cache.
// CHECK-LABEL: time @rows "B"
// CHECK-SAME: limited by {{L2|start-up}}, 2048 tasks
// CHECK-NEXT: shared memory [[ROWS:.*]], L2 [[L2:.*]], memory 0.00 ns
func.func @rows(%A: memref<2048x1024xf32>, %B: memref<2048x1024xf32>) {
  loop.for thread_bind[blockIdx.x] %i in 2048 {
    loop.for thread_bind[threadIdx.x] %j in 1024 {
      loop.block "B" [%vi: spatial 2048, %vj: spatial 1024] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<2048x1024xf32>
        memref.store %a, %B[%vi, %vj] : memref<2048x1024xf32>
      }
    }
  }
  return
}

// Each lane reads another sector: 8 times as many bytes for the load.
// CHECK-LABEL: time @columns "B"
// CHECK-SAME: 2048 tasks
func.func @columns(%A: memref<1024x2048xf32>, %B: memref<2048x1024xf32>) {
  loop.for thread_bind[blockIdx.x] %i in 2048 {
    loop.for thread_bind[threadIdx.x] %j in 1024 {
      loop.block "B" [%vi: spatial 2048, %vj: spatial 1024] = (%i, %j) reads(%A[%vj : 1, %vi : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vj, %vi] : memref<1024x2048xf32>
        memref.store %a, %B[%vi, %vj] : memref<2048x1024xf32>
      }
    }
  }
  return
}
// The largest sizes overflow nothing.
// CHECK-LABEL: time @large "B"
// CHECK-SAME: limited by
func.func @large(%A: memref<4611686018427387904x4611686018427387904xi8>, %B: memref<4611686018427387904x4611686018427387904xi8>) {
  loop.for thread_bind[blockIdx.x] %i in 4611686018427387904 {
    loop.for thread_bind[threadIdx.x] %j in 4611686018427387904 {
      loop.block "B" [%vi: spatial 4611686018427387904, %vj: spatial 4611686018427387904] = (%i, %j)
          reads(%A[%vj : 1, %vi : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vj, %vi] : memref<4611686018427387904x4611686018427387904xi8>
        memref.store %a, %B[%vi, %vj] : memref<4611686018427387904x4611686018427387904xi8>
      }
    }
  }
  return
}

// Of a buffer in shared memory, a thread block has what its threads access: 32 blocks are on a multiprocessor at the same time, and
// the second-level cache delivers at its full rate. (With 2 MiB for each block, there would be one.)
// CHECK-LABEL: time @tiles "copy", "B"
// CHECK-NEXT: waits of warps {{[0-9.]+}} ns, shared memory {{[0-9.]+}} ns, L2 {{[0-9.]+}} ns
func.func @tiles(%A: memref<1024x512xf32>, %B: memref<512x1024xf32>) {
  %T = loop.buffer "T" scope(shared) : memref<1024x512xf32>
  loop.for thread_bind[blockIdx.y] %i in 64 {
    loop.for thread_bind[blockIdx.x] %j in 32 {
      loop.for thread_bind[threadIdx.y] %k in 16 {
        loop.for thread_bind[threadIdx.x] %l in 16 {
          loop.block "copy" [%vi: spatial 1024, %vj: spatial 512] = (%i * 16 + %k, %j * 16 + %l)
              reads(%A[%vi : 1, %vj : 1]) writes(%T[%vi : 1, %vj : 1]) {
            %a = memref.load %A[%vi, %vj] : memref<1024x512xf32>
            memref.store %a, %T[%vi, %vj] : memref<1024x512xf32>
          }
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.y] %k in 16 {
        loop.for thread_bind[threadIdx.x] %l in 16 {
          loop.block "B" [%vi: spatial 512, %vj: spatial 1024] = (%j * 16 + %k, %i * 16 + %l)
              reads(%T[%vj : 1, %vi : 1]) writes(%B[%vi : 1, %vj : 1]) {
            %a = memref.load %T[%vj, %vi] : memref<1024x512xf32>
            memref.store %a, %B[%vi, %vj] : memref<512x1024xf32>
          }
        }
      }
    }
  }
  return
}

// The threads of a block run their loops together: an element that all of them read is moved once. 256 rows of 4 KiB are 1 MiB, which
// takes 150 ns of 108 multiprocessors; each thread on its own would move 256 times as much.
// CHECK-LABEL: time @together "B"
// CHECK-SAME: limited by waits of warps
// CHECK-NEXT: L2 {{[0-9.]+}} ns
func.func @together(%A: memref<256x1024xf32>, %B: memref<256x256xf32>) {
  loop.for thread_bind[blockIdx.x] %i in 256 {
    loop.for thread_bind[threadIdx.x] %j in 256 {
      loop.for serial %k in 1024 {
        loop.block "B" [%vi: spatial 256, %vj: spatial 256, %vk: reduce 1024] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<256x256xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<256x1024xf32>
          %b = memref.load %B[%vi, %vj] : memref<256x256xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%vi, %vj] : memref<256x256xf32>
        }
      }
    }
  }
  return
}

// Threads without elements exchange values, too: 1024 threads for 64 elements start 32 warps, which takes longer than two warps.
// CHECK-LABEL: time @many_threads "R"
// CHECK-NEXT: instructions {{[0-9.]+}} us
// CHECK-LABEL: time @few_threads "R"
// CHECK-NEXT: instructions {{[0-9.]+}} ns
func.func @many_threads(%A: memref<4096x64xf32>, %R: memref<4096xf32>) {
  loop.for thread_bind[blockIdx.x] %i in 4096 {
    loop.for thread_bind[threadIdx.x] %j in 1024 {
      loop.block "R" [%vi: spatial 4096, %vj: reduce 64] = (%i, %j) where(-%j + 63 >= 0)
          reads(%A[%vi : 1, %vj : 1]) writes(%R[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %R[%vi] : memref<4096xf32>
        }
        %a = memref.load %A[%vi, %vj] : memref<4096x64xf32>
        %r = memref.load %R[%vi] : memref<4096xf32>
        %s = arith.addf %r, %a : f32
        memref.store %s, %R[%vi] : memref<4096xf32>
      }
    }
  }
  return
}
func.func @few_threads(%A: memref<4096x64xf32>, %R: memref<4096xf32>) {
  loop.for thread_bind[blockIdx.x] %i in 4096 {
    loop.for thread_bind[threadIdx.x] %j in 64 {
      loop.block "R" [%vi: spatial 4096, %vj: reduce 64] = (%i, %j)
          reads(%A[%vi : 1, %vj : 1]) writes(%R[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %R[%vi] : memref<4096xf32>
        }
        %a = memref.load %A[%vi, %vj] : memref<4096x64xf32>
        %r = memref.load %R[%vi] : memref<4096xf32>
        %s = arith.addf %r, %a : f32
        memref.store %s, %R[%vi] : memref<4096xf32>
      }
    }
  }
  return
}
