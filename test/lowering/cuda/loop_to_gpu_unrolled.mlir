// RUN: lw-opt %s --convert-loop-to-gpu | FileCheck %s
// RUN: lw-opt %s --lw-nvptx-pipeline | FileCheck %s --check-prefix=PTX

// Copies of an unrolled loop load adjacent elements: the first load of each 16 bytes is marked, and LLVM merges them.
// CHECK-LABEL: gpu.func @whole_0(
// CHECK:         memref.load {{.*}} {alignment = 16 : i64} : memref<32x8xf32>
// CHECK-COUNT-3: memref.load {{.*}}] : memref<32x8xf32>
// CHECK:         memref.load {{.*}} {alignment = 16 : i64} : memref<32x8xf32>
// CHECK-COUNT-3: memref.load {{.*}}] : memref<32x8xf32>
// PTX-LABEL: .entry whole_0(
// PTX-COUNT-2: ld.global.nc.v4.b32
// PTX-NOT:     ld.global
// PTX:         ret
func.func @whole(%A: memref<32x8xf32>, %B: memref<32xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.for unroll %k in 8 {
      loop.block "B" [%v: spatial 32, %r: reduce 8] = (%t, %k)
          reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<32xf32>
        }
        %b = memref.load %B[%v] : memref<32xf32>
        %a = memref.load %A[%v, %r] : memref<32x8xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<32xf32>
      }
    }
  }
  return
}

// The last 16 bytes are not entirely in the buffer: LLVM would load them together, although the last 4 are unused.
// CHECK-LABEL: gpu.func @part_0(
// CHECK-NOT:     alignment
// CHECK:         gpu.return
// PTX-LABEL: .entry part_0(
// PTX-NOT:     .v4
// PTX:         ret
func.func @part(%A: memref<127xf32>, %B: memref<32xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.for unroll %k in 3 {
      loop.block "B" [%v: spatial 32, %r: reduce 3] = (%t, %k)
          reads(%A[%v * 4 + %r : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<32xf32>
        }
        %b = memref.load %B[%v] : memref<32xf32>
        %i = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%v, %r)
        %a = memref.load %A[%i] : memref<127xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<32xf32>
      }
    }
  }
  return
}

// Without unrolling there are no adjacent loads.
// CHECK-LABEL: gpu.func @alone_0(
// CHECK-NOT:     alignment
// CHECK:         gpu.return
func.func @alone(%A: memref<128xf32>, %B: memref<32xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.block "B" [%v: spatial 32] = (%t) reads(%A[%v * 4 : 1]) writes(%B[%v : 1]) {
      %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%v)
      %a = memref.load %A[%i] : memref<128xf32>
      memref.store %a, %B[%v] : memref<32xf32>
    }
  }
  return
}

// Buffers of thread blocks still get another layout.
// CHECK-LABEL: gpu.func @shared_0(
// CHECK:         memref.load {{.*}} {alignment = 16 : i64} : memref<128xf32>
// CHECK-NOT:     alignment
// CHECK:         gpu.return
func.func @shared(%A: memref<128xf32>, %B: memref<32xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<128xf32>
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.for unroll %k in 4 {
      loop.block "S" [%v: spatial 128] = (%t * 4 + %k) reads(%A[%v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%v] : memref<128xf32>
        memref.store %a, %S[%v] : memref<128xf32>
      }
    }
    loop.sync
    loop.for unroll %k in 4 {
      loop.block "B" [%v: spatial 32, %r: reduce 4] = (%t, %k)
          reads(%S[%v * -4 + %r + 124 : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<32xf32>
        }
        %b = memref.load %B[%v] : memref<32xf32>
        %i = affine.apply affine_map<(d0, d1) -> (d0 * -4 + d1 + 124)>(%v, %r)
        %a = memref.load %S[%i] : memref<128xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<32xf32>
      }
    }
  }
  return
}
