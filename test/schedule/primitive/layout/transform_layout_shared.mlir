// The new layout of a shared buffer takes what is in use at a time, as `set_scope` counts it: here 16 KiB of 1 MiB.
// RUN: lw-opt %s --sched-transform-layout='buffer=T index_map="(i, j) -> (j, i)"' | FileCheck %s
// RUN: lw-opt %s --sched-transform-layout='buffer=T index_map="(i, j) -> (i floordiv 8, j, i mod 8)"' | FileCheck %s --check-prefix=PANELS
// RUN: not lw-opt %s --sched-transform-layout='buffer=W index_map="(i, j) -> (j, i)"' 2>&1 | FileCheck %s --check-prefix=WHOLE
// CHECK: loop.buffer "T" scope(shared) : memref<512x512xf32>
// PANELS: loop.buffer "T" scope(shared) : memref<64x512x8xf32>
// WHOLE: error: {{.*}}transform_layout: "W" takes 1048576 bytes, scope shared has 232448 (C7)
func.func @tiles(%A: memref<512x512xf32>, %B: memref<512x512xf32>) {
  %T = loop.buffer "T" scope(shared) : memref<512x512xf32>
  loop.for thread_bind[blockIdx.x] %b in 64 {
    loop.for serial %i in 8 {
      loop.for serial %j in 512 {
        loop.block "T" [%v: spatial 512, %w: spatial 512] = (%b * 8 + %i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<512x512xf32>
          memref.store %a, %T[%v, %w] : memref<512x512xf32>
        }
      }
    }
    loop.for serial %i in 8 {
      loop.for serial %j in 512 {
        loop.block "B" [%v: spatial 512, %w: spatial 512] = (%b * 8 + %i, %j) reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %T[%v, %w] : memref<512x512xf32>
          memref.store %a, %B[%v, %w] : memref<512x512xf32>
        }
      }
    }
  }
  return
}
func.func @whole(%A: memref<512x512xf32>, %B: memref<512x512xf32>) {
  %W = loop.buffer "W" scope(shared) : memref<512x512xf32>
  loop.for serial %i in 512 {
    loop.for serial %j in 512 {
      loop.block "W" [%v: spatial 512, %w: spatial 512] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%W[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<512x512xf32>
        memref.store %a, %W[%v, %w] : memref<512x512xf32>
      }
    }
  }
  loop.for serial %i in 512 {
    loop.for serial %j in 512 {
      loop.block "C" [%v: spatial 512, %w: spatial 512] = (%i, %j) reads(%W[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %W[%v, %w] : memref<512x512xf32>
        memref.store %a, %B[%v, %w] : memref<512x512xf32>
      }
    }
  }
  return
}
