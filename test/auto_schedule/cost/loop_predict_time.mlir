// RUN: lw-opt %s --loop-predict-time='machine=%S/../Inputs/machine.json' -o /dev/null 2>&1 | FileCheck %s

// The machine starts 6 vector operations of 8 floats a ns, and an addition every 1.33 ns where each waits for the one before.

// One addition after the other: 4096 * 1.33 ns.
// CHECK-LABEL: time @total "S": 5.46 us, limited by chains of additions, 1 tasks
func.func @total(%A: memref<4096xf32>, %S: memref<1xf32>) {
  loop.for serial %i in 4096 {
    loop.block "S" [%v: spatial 1, %r: reduce 4096] = (0, %i) reads(%A[%r : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %S[%v] : memref<1xf32>
      }
      %a = memref.load %A[%r] : memref<4096xf32>
      %s = memref.load %S[%v] : memref<1xf32>
      %t = arith.addf %s, %a : f32
      memref.store %t, %S[%v] : memref<1xf32>
    }
  }
  return
}

// A tile of 4 x 16 results in 8 registers. 64 * 64 * 64 / 8 multiply-adds take 5.46 us, but a step of the reduction starts
// only 8 of them, which takes as long as an addition waits: 64 * 16 * 4 * 1.33 ns = 5.46 us. That are 4096 steps of 8
// multiply-adds, 6 loads and 2 instructions of the loop, and 512 stores: 5.55 us of 12 instructions a ns.
// CHECK-LABEL: time @product "C": 5.55 us, limited by instructions
// CHECK-NEXT: vector units 5.46 us, {{.*}}chains of additions 5.46 us, {{.*}}L3 0.00 ns, memory 0.00 ns
func.func @product(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>) {
  loop.for serial %i0 in 16 {
    loop.for serial %j0 in 4 {
      loop.for serial %k in 64 {
        loop.for unroll %i1 in 4 {
          loop.for vectorize %j1 in 16 {
            loop.block "C" [%vi: spatial 64, %vj: spatial 64, %vk: reduce 64] = (%i0 * 4 + %i1, %j0 * 16 + %j1, %k)
                reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
              loop.init {
                %zero = arith.constant 0.0 : f32
                memref.store %zero, %C[%vi, %vj] : memref<64x64xf32>
              }
              %a = memref.load %A[%vi, %vk] : memref<64x64xf32>
              %b = memref.load %B[%vk, %vj] : memref<64x64xf32>
              %c = memref.load %C[%vi, %vj] : memref<64x64xf32>
              %p = arith.mulf %a, %b : f32
              %s = arith.addf %c, %p : f32
              memref.store %s, %C[%vi, %vj] : memref<64x64xf32>
            }
          }
        }
      }
    }
  }
  return
}

// 64 MiB are read, 64 MiB are read before they are stored, and 64 MiB are written back: 192 MiB at 4 * 12 GB/s, and threads
// begin within 1.5 us.
// CHECK-LABEL: time @scale "B": 4.20 ms, limited by memory, 4096 tasks
// CHECK-NEXT: memory 4.19 ms
func.func @scale(%A: memref<4096x4096xf32>, %B: memref<4096x4096xf32>) {
  loop.for parallel %i in 4096 {
    loop.for vectorize %j in 4096 {
      loop.block "B" [%vi: spatial 4096, %vj: spatial 4096] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<4096x4096xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%vi, %vj] : memref<4096x4096xf32>
      }
    }
  }
  return
}

// Three of four cores have two tasks while one has one: 6 tasks take as long as 8.
// CHECK-LABEL: time @imbalance "B"
// CHECK-SAME: 6 tasks
// CHECK-NEXT: memory 1.05 ms
func.func @imbalance(%A: memref<6x524288xf32>, %B: memref<6x524288xf32>) {
  loop.for parallel %i in 6 {
    loop.for vectorize %j in 524288 {
      loop.block "B" [%vi: spatial 6, %vj: spatial 524288] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<6x524288xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%vi, %vj] : memref<6x524288xf32>
      }
    }
  }
  return
}

// Each lane of a column is a load of its own: 65536 / 8 stores and 65536 loads. A shuffle puts each into its lane, which takes as long
// as two vector operations.
// CHECK-LABEL: time @transpose "B"
// CHECK-NEXT: vector units 21.8 us, {{.*}}L1 13.7 us
func.func @transpose(%A: memref<64x1024xf32>, %B: memref<1024x64xf32>) {
  loop.for serial %i in 1024 {
    loop.for vectorize %j in 64 {
      loop.block "B" [%vi: spatial 1024, %vj: spatial 64] = (%i, %j) reads(%A[%vj : 1, %vi : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vj, %vi] : memref<64x1024xf32>
        memref.store %a, %B[%vi, %vj] : memref<1024x64xf32>
      }
    }
  }
  return
}

// Eight rows are loaded and transposed in registers: 65536 / 8 loads, and three shuffles a vector.
// CHECK-LABEL: time @tile "B"
// CHECK-NEXT: vector units 8.19 us, {{.*}}L1 4.10 us
func.func @tile(%A: memref<64x1024xf32>, %B: memref<1024x64xf32>) {
  loop.for serial %i0 in 128 {
    loop.for serial %j0 in 8 {
      loop.for unroll %i1 in 8 {
        loop.for vectorize %j1 in 8 {
          loop.block "B" [%vi: spatial 1024, %vj: spatial 64] = (%i0 * 8 + %i1, %j0 * 8 + %j1) reads(%A[%vj : 1, %vi : 1]) writes(%B[%vi : 1, %vj : 1]) {
            %a = memref.load %A[%vj, %vi] : memref<64x1024xf32>
            memref.store %a, %B[%vi, %vj] : memref<1024x64xf32>
          }
        }
      }
    }
  }
  return
}

// Vectors that start at any of the 16 elements of a cache line: 7 of 16 lie in two lines. 744 vectors of %A are loaded, 248 of %B are
// loaded and 248 stored, which takes twice as long: 744 * 23 / 16 + 3 * 248 accesses of 32 bytes at 192 GB/s.
// CHECK-LABEL: time @window "B"
// CHECK-NEXT: L1 302 ns
func.func @window(%A: memref<62x34xf32>, %B: memref<62x32xf32>) {
  loop.for serial %i in 62 {
    loop.for serial %w in 3 {
      loop.for vectorize %j in 32 {
        loop.block "B" [%vi: spatial 62, %vj: spatial 32, %vw: reduce 3] = (%i, %j, %w) reads(%A[%vi : 1, %vj + %vw : 1]) writes(%B[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%vi, %vj] : memref<62x32xf32>
          }
          %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%vj, %vw)
          %a = memref.load %A[%vi, %at] : memref<62x34xf32>
          %b = memref.load %B[%vi, %vj] : memref<62x32xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%vi, %vj] : memref<62x32xf32>
        }
      }
    }
  }
  return
}

// A column of 256 lines, each used by 16 iterations that follow each other: with rows of 4 KiB, all lines are in one of the 64
// sets of the first level and are moved for each element. With rows of 65 lines they stay there.
// CHECK-LABEL: time @rows_of_4_kib "S"
// CHECK-NEXT: L2 2.73 us
// CHECK-LABEL: time @rows_of_65_lines "S"
// CHECK-NEXT: L2 0.00 ns
func.func @rows_of_4_kib(%A: memref<256x1024xf32>, %S: memref<16xf32>) {
  loop.for serial %j in 16 {
    loop.for serial %i in 256 {
      loop.block "S" [%vj: spatial 16, %vi: reduce 256] = (%j, %i) reads(%A[%vi : 1, %vj : 1]) writes(%S[%vj : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%vj] : memref<16xf32>
        }
        %a = memref.load %A[%vi, %vj] : memref<256x1024xf32>
        %s = memref.load %S[%vj] : memref<16xf32>
        %t = arith.addf %s, %a : f32
        memref.store %t, %S[%vj] : memref<16xf32>
      }
    }
  }
  return
}

func.func @rows_of_65_lines(%A: memref<256x1040xf32>, %S: memref<16xf32>) {
  loop.for serial %j in 16 {
    loop.for serial %i in 256 {
      loop.block "S" [%vj: spatial 16, %vi: reduce 256] = (%j, %i) reads(%A[%vi : 1, %vj : 1]) writes(%S[%vj : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%vj] : memref<16xf32>
        }
        %a = memref.load %A[%vi, %vj] : memref<256x1040xf32>
        %s = memref.load %S[%vj] : memref<16xf32>
        %t = arith.addf %s, %a : f32
        memref.store %t, %S[%vj] : memref<16xf32>
      }
    }
  }
  return
}

// compact-buffers keeps 64 numbers of %T, which stay in the first level.
// CHECK-LABEL: time @compacted "T", "B"
// CHECK-NEXT: L2 131 us, L3 262 us
func.func @compacted(%A: memref<16384x64xf32>, %B: memref<16384x64xf32>) {
  %T = loop.buffer "T" scope(global) : memref<16384x64xf32>
  loop.for serial %i in 16384 {
    loop.for vectorize %j in 64 {
      loop.block "T" [%vi: spatial 16384, %vj: spatial 64] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%T[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<16384x64xf32>
        memref.store %a, %T[%vi, %vj] : memref<16384x64xf32>
      }
    }
    loop.for vectorize %k in 64 {
      loop.block "B" [%vi: spatial 16384, %vk: spatial 64] = (%i, %k) reads(%T[%vi : 1, %vk : 1]) writes(%B[%vi : 1, %vk : 1]) {
        %t = memref.load %T[%vi, %vk] : memref<16384x64xf32>
        memref.store %t, %B[%vi, %vk] : memref<16384x64xf32>
      }
    }
  }
  return
}

// The first nest alone would find 192 KiB of %A in the second level, but with %B and %C the function uses 576 KiB again and again.
// CHECK-LABEL: time @both "B"
// CHECK-NEXT: L3 12.3 us
// CHECK-LABEL: time @both "C"
func.func @both(%A: memref<49152xf32>, %B: memref<49152xf32>, %C: memref<49152xf32>) {
  loop.for vectorize %i in 49152 {
    loop.block "B" [%v: spatial 49152] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<49152xf32>
      memref.store %a, %B[%v] : memref<49152xf32>
    }
  }
  loop.for vectorize %i in 49152 {
    loop.block "C" [%v: spatial 49152] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<49152xf32>
      memref.store %a, %C[%v] : memref<49152xf32>
    }
  }
  return
}

// Sizes that are not known are taken for 256.
// CHECK-LABEL: time @unknown "B"
// CHECK-NEXT: vector units 5.46 us
func.func @unknown(%A: memref<?x1024xf32>, %B: memref<?x1024xf32>, %n: index) {
  loop.for serial %i in %n {
    loop.for vectorize %j in 1024 {
      loop.block "B" [%vi: spatial %n, %vj: spatial 1024] = (%i, %j) reads(%A[%vi : 1, %vj : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi, %vj] : memref<?x1024xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%vi, %vj] : memref<?x1024xf32>
      }
    }
  }
  return
}

// The largest sizes overflow nothing.
// CHECK-LABEL: time @large "B"
// CHECK-SAME: limited by
func.func @large(%A: memref<4611686018427387904x4611686018427387904xi8>, %B: memref<4611686018427387904x4611686018427387904xi8>) {
  loop.for parallel %i in 4611686018427387904 {
    loop.for vectorize %j in 4611686018427387904 {
      loop.block "B" [%vi: spatial 4611686018427387904, %vj: spatial 4611686018427387904] = (%i, %j)
          reads(%A[%vj : 1, %vi : 1]) writes(%B[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vj, %vi] : memref<4611686018427387904x4611686018427387904xi8>
        memref.store %a, %B[%vi, %vj] : memref<4611686018427387904x4611686018427387904xi8>
      }
    }
  }
  return
}
