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
