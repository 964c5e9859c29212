// RUN: lw-opt %s --sched-storage-align='buffer=T axis=0 factor=32 offset=1' \
// RUN:   --sched-storage-align='buffer=D factor=16' --sched-storage-align='buffer=S offset=1' \
// RUN:   --sched-storage-align='buffer=U axis=1 factor=8 offset=1' \
// RUN:   --sched-storage-align='buffer=U axis=0 factor=32 offset=27' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter='entry-point=steps' | FileCheck %s

// The elements of a tile's column are in different banks. Its accesses are unchanged.
// CHECK-LABEL: func.func @tile
// CHECK:         %T = loop.buffer "T" scope(shared) round(1, 0, 32, 1) : memref<32x32xf32>
// CHECK:           writes(%T[%v : 1, %w : 1])
// CHECK:             memref.store %{{.*}}, %T[%v, %w] : memref<32x32xf32>
func.func @tile(%A: memref<32x32xf32>, %B: memref<32x32xf32>) {
  %T = loop.buffer "T" scope(shared) : memref<32x32xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %i in 32 {
      loop.for thread_bind[threadIdx.x] %j in 32 {
        loop.block "P" [%v: spatial 32, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<32x32xf32>
          memref.store %a, %T[%v, %w] : memref<32x32xf32>
        }
      }
    }
    loop.sync
    loop.for serial %i in 32 {
      loop.for thread_bind[threadIdx.x] %j in 32 {
        loop.block "Q" [%v: spatial 32, %w: spatial 32] = (%i, %j) reads(%T[%w : 1, %v : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %T[%w, %v] : memref<32x32xf32>
          memref.store %a, %B[%v, %w] : memref<32x32xf32>
        }
      }
    }
  }
  return
}

// Rows of any length, each of which begins a cache line: the row size is rounded up at the allocation.
// CHECK-LABEL: func.func @rows
// CHECK:         %D = loop.buffer "D" scope(global) round(1, 0, 16, 0) (%arg2, %arg3) : memref<?x?xf32>
func.func @rows(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index, %m: index) {
  %D = loop.buffer "D" scope(global) (%n, %m) : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "DP" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%D[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %a, %D[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "DQ" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%D[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %D[%v, %w] : memref<?x?xf32>
        memref.store %a, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// (C7) A tile of a large matrix uses only the memory of its box, with rows of 17.
// CHECK-LABEL: func.func @box
// CHECK:         %S = loop.buffer "S" scope(shared) round(1, 0, 32, 1) : memref<512x512xf32>
func.func @box(%A: memref<512x512xf32>, %B: memref<512x512xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<512x512xf32>
  loop.for serial %k in 32 {
    loop.for serial %i in 512 {
      loop.for serial %j in 16 {
        loop.block "SP" [%v: spatial 512, %w: spatial 512] = (%i, %k * 16 + %j) reads(%A[%v : 1, %w : 1]) writes(%S[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<512x512xf32>
          memref.store %a, %S[%v, %w] : memref<512x512xf32>
        }
      }
    }
    loop.for serial %i in 512 {
      loop.for serial %j in 16 {
        loop.block "SQ" [%v: spatial 512, %w: spatial 512] = (%i, %k * 16 + %j) reads(%S[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %S[%v, %w] : memref<512x512xf32>
          memref.store %a, %B[%v, %w] : memref<512x512xf32>
        }
      }
    }
  }
  return
}

// From the innermost dimension outwards: rows of 9, and 3 of them are 27.
// CHECK-LABEL: func.func @twice
// CHECK:         %U = loop.buffer "U" scope(local) round(1, 0, 32, 27, 8, 1) : memref<2x3x8xf32>
func.func @twice(%A: memref<2x3x8xf32>, %B: memref<2x3x8xf32>) {
  %U = loop.buffer "U" scope(local) : memref<2x3x8xf32>
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.for serial %k in 8 {
        loop.block "UP" [%v: spatial 2, %w: spatial 3, %x: spatial 8] = (%i, %j, %k)
            reads(%A[%v : 1, %w : 1, %x : 1]) writes(%U[%v : 1, %w : 1, %x : 1]) {
          %a = memref.load %A[%v, %w, %x] : memref<2x3x8xf32>
          memref.store %a, %U[%v, %w, %x] : memref<2x3x8xf32>
        }
      }
    }
  }
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.for serial %k in 8 {
        loop.block "UQ" [%v: spatial 2, %w: spatial 3, %x: spatial 8] = (%i, %j, %k)
            reads(%U[-%v + 1 : 1, %w : 1, %x : 1]) writes(%B[%v : 1, %w : 1, %x : 1]) {
          %0 = affine.apply affine_map<(d0) -> (1 - d0)>(%v)
          %a = memref.load %U[%0, %w, %x] : memref<2x3x8xf32>
          memref.store %a, %B[%v, %w, %x] : memref<2x3x8xf32>
        }
      }
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @steps(%f: !transform.any_op) {
    transform.sched.storage_align "T" in %f axis 0 factor 32 offset 1
    transform.sched.storage_align "D" in %f factor 16
    transform.sched.storage_align "S" in %f offset 1
    transform.sched.storage_align "U" in %f axis 1 factor 8 offset 1
    transform.sched.storage_align "U" in %f axis 0 factor 32 offset 27
    transform.yield
  }
}
