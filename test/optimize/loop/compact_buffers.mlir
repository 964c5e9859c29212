// RUN: lw-opt %s --verify-each=numeric --compact-buffers --split-input-file | FileCheck %s
// RUN: lw-opt %s --compact-buffers --compact-buffers --split-input-file | FileCheck %s
// RUN: lw-opt %s --compact-buffers --split-input-file --pass-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS

// One row at a time, at the same index in each iteration, and tiles of it, each of which is written before it is
// read.
// CHECK-LABEL: func.func @rows(
// CHECK:         loop.buffer "T" scope(global) : memref<1x16xf32>
// CHECK:         loop.block "T" [%vi: spatial 7, %vk: spatial 64] = (%i, %j * 16 + %k)
// CHECK-NEXT:        writes(%{{.*}}[0 : 1, %vk mod 16 : 1])
// CHECK:         loop.block "B"
// CHECK-NEXT:        reads(%{{.*}}[0 : 1, -%vk + 15 : 1]) writes
// COUNTS:        compact-buffers  @rows {{.*}} ms  changed, 1 buffers, 2 dimensions
func.func @rows(%A: memref<21x64xf32>, %B: memref<7x64xf32> {loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<21x64xf32>
  loop.for serial %i in 7 {
    loop.for serial %j in 4 {
      loop.for serial %k in 16 {
        loop.block "T" [%vi: spatial 7, %vk: spatial 64] = (%i, %j * 16 + %k)
            reads(%A[%vi * 3 : 1, %vk : 1]) writes(%T[%vi * 3 : 1, %vk : 1]) {
          %r = affine.apply affine_map<(d0) -> (d0 * 3)>(%vi)
          %a = memref.load %A[%r, %vk] : memref<21x64xf32>
          memref.store %a, %T[%r, %vk] : memref<21x64xf32>
        }
      }
      loop.for serial %k in 16 {
        loop.block "B" [%vi: spatial 7, %vj: spatial 4, %vk: spatial 16] = (%i, %j, %k)
            reads(%T[%vi * 3 : 1, %vj * 16 - %vk + 15 : 1]) writes(%B[%vi : 1, %vj * 16 + %vk : 1]) {
          %r = affine.apply affine_map<(d0) -> (d0 * 3)>(%vi)
          %c = affine.apply affine_map<(d0, d1) -> (d0 * 16 - d1 + 15)>(%vj, %vk)
          %d = affine.apply affine_map<(d0, d1) -> (d0 * 16 + d1)>(%vj, %vk)
          %a = memref.load %T[%r, %c] : memref<21x64xf32>
          memref.store %a, %B[%vi, %d] : memref<7x64xf32>
        }
      }
    }
  }
  return
}

// -----

// Overlapping tiles: 6 rows from every fourth row. A schedule block cannot derive its tile's start, so it gets an iter.
// CHECK-LABEL: func.func @halo(
// CHECK:         loop.buffer "P" scope(global) : memref<6xf32>
// CHECK:         loop.block "P" [%v: spatial 18, %v_in: spatial 6] = (%h * 4 + %r, %r)
// CHECK-NEXT:        writes(%{{.*}}[%v_in : 1])
// CHECK:         loop.block "C"
// CHECK-NEXT:        reads(%{{.*}}[%vr + %vh mod 4 : 1])
func.func @halo(%A: memref<18xf32>, %C: memref<16xf32> {loop.result}) {
  %P = loop.buffer "P" scope(global) : memref<18xf32>
  loop.for serial %h in 4 {
    loop.for serial %r in 6 {
      loop.block "P" [%v: spatial 18] = (%h * 4 + %r) reads(%A[%v : 1]) writes(%P[%v : 1]) {
        %a = memref.load %A[%v] : memref<18xf32>
        memref.store %a, %P[%v] : memref<18xf32>
      }
    }
    loop.for serial %i in 4 {
      loop.for serial %r in 3 {
        loop.block "C" [%vh: spatial 16, %vr: reduce 3] = (%h * 4 + %i, %r)
            reads(%P[%vh + %vr : 1]) writes(%C[%vh : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vh] : memref<16xf32>
          }
          %x = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%vh, %vr)
          %p = memref.load %P[%x] : memref<18xf32>
          %c = memref.load %C[%vh] : memref<16xf32>
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vh] : memref<16xf32>
        }
      }
    }
  }
  return
}

// -----

// Sums, which start and end in an iteration; a buffer of a parallel iteration; a tile of dynamic size.
// CHECK-LABEL: func.func @sums(
// CHECK:         loop.buffer "S" scope(global) : memref<1xf32>
// CHECK:         loop.buffer "L" scope(local) : memref<4xf32>
// CHECK:         loop.for parallel %i.0
func.func @sums(%A: memref<?x5xf32>, %B: memref<?xf32> {loop.result}, %C: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x5xf32>
  %S = loop.buffer "S" scope(global) (%n) : memref<?xf32>
  %L = loop.buffer "L" scope(local) (%n) : memref<?xf32>
  loop.for serial %i in %n {
    loop.for serial %k in 5 {
      loop.block "S" [%v: spatial %n, %vk: reduce 5] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %S[%v] : memref<?xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<?x5xf32>
        %s = memref.load %S[%v] : memref<?xf32>
        %r = arith.addf %s, %a : f32
        memref.store %r, %S[%v] : memref<?xf32>
      }
    }
    loop.block "B" [%v: spatial %n] = (%i) reads(%S[%v : 1]) writes(%B[%v : 1]) {
      %s = memref.load %S[%v] : memref<?xf32>
      memref.store %s, %B[%v] : memref<?xf32>
    }
  }
  loop.for parallel %i.0 in affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    loop.for serial %i.1 in 4 {
      loop.block "L" [%v: spatial %n] = (%i.0 * 4 + %i.1) where (-%i.0 * 4 - %i.1 + symbol(%n) - 1 >= 0)
          reads(%B[%v : 1]) writes(%L[%v : 1]) {
        %b = memref.load %B[%v] : memref<?xf32>
        memref.store %b, %L[%v] : memref<?xf32>
      }
    }
    loop.for serial %i.1 in 4 {
      loop.block "C" [%v: spatial %n] = (%i.0 * 4 + %i.1) where (-%i.0 * 4 - %i.1 + symbol(%n) - 1 >= 0)
          reads(%L[%v : 1]) writes(%C[%v : 1]) {
        %b = memref.load %L[%v] : memref<?xf32>
        memref.store %b, %C[%v] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// A tile that threads share: barriers order the iterations, so the next tile can reuse its memory. The
// thread variables are kept.
// CHECK-LABEL: func.func @threads(
// CHECK:         loop.buffer "S" scope(shared) : memref<8x8xf32>
// CHECK:         writes(%{{.*}}[%vi mod 8 : 1, %vk mod 8 : 1])
// CHECK:         reads(%{{.*}}[%vi mod 8 : 1, -%vt + 7 : 1])
func.func @threads(%A: memref<16x48xf32>, %B: memref<16x48xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<16x48xf32>
  loop.for thread_bind[blockIdx.x] %b in 2 {
    loop.for thread_bind[threadIdx.y] %y in 8 {
      loop.for thread_bind[threadIdx.x] %x in 8 {
        loop.for serial %k in 6 {
          loop.block "S" [%vi: spatial 16, %vk: spatial 48] = (%b * 8 + %y, %k * 8 + %x)
              reads(%A[%vi : 1, %vk : 1]) writes(%S[%vi : 1, %vk : 1]) {
            %a = memref.load %A[%vi, %vk] : memref<16x48xf32>
            memref.store %a, %S[%vi, %vk] : memref<16x48xf32>
          }
          loop.sync
          loop.block "B" [%vi: spatial 16, %vk: spatial 6, %vt: spatial 8] = (%b * 8 + %y, %k, %x)
              reads(%S[%vi : 1, %vk * 8 - %vt + 7 : 1]) writes(%B[%vi : 1, %vk * 8 + %vt : 1]) {
            %c = affine.apply affine_map<(d0, d1) -> (d0 * 8 - d1 + 7)>(%vk, %vt)
            %d = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vk, %vt)
            %a = memref.load %S[%vi, %c] : memref<16x48xf32>
            memref.store %a, %B[%vi, %d] : memref<16x48xf32>
          }
          loop.sync
        }
      }
    }
  }
  return
}

// -----

// (C4) Without the second barrier a thread would overwrite elements that others still read: only the part of a thread
// block is compacted. (Thread numbers are kept in any case.)
// CHECK-LABEL: func.func @no_barrier(
// CHECK:         loop.buffer "S" scope(shared) : memref<48xf32>
func.func @no_barrier(%A: memref<2x48xf32>, %B: memref<2x48xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<96xf32>
  loop.for thread_bind[blockIdx.x] %b in 2 {
    loop.for thread_bind[threadIdx.x] %x in 8 {
      loop.for serial %k in 6 {
        loop.block "S" [%vb: spatial 2, %vk: spatial 48] = (%b, %k * 8 + %x)
            reads(%A[%vb : 1, %vk : 1]) writes(%S[%vb * 48 + %vk : 1]) {
          %c = affine.apply affine_map<(d0, d1) -> (d0 * 48 + d1)>(%vb, %vk)
          %a = memref.load %A[%vb, %vk] : memref<2x48xf32>
          memref.store %a, %S[%c] : memref<96xf32>
        }
        loop.sync
        loop.block "B" [%vb: spatial 2, %vk: spatial 6, %vt: spatial 8] = (%b, %k, %x)
            reads(%S[%vb * 48 + %vk * 8 - %vt + 7 : 1]) writes(%B[%vb : 1, %vk * 8 + %vt : 1]) {
          %c = affine.apply affine_map<(d0, d1, d2) -> (d0 * 48 + d1 * 8 - d2 + 7)>(%vb, %vk, %vt)
          %d = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vk, %vt)
          %a = memref.load %S[%c] : memref<96xf32>
          memref.store %a, %B[%vb, %d] : memref<2x48xf32>
        }
      }
    }
  }
  return
}

// -----

// (C4) The thread blocks share one global buffer, and their accesses are not ordered.
// CHECK-LABEL: func.func @grid(
// CHECK:         loop.buffer "G" scope(global) : memref<3x8xf32>
func.func @grid(%A: memref<3x8xf32>, %B: memref<3x8xf32> {loop.result}) {
  %G = loop.buffer "G" scope(global) : memref<3x8xf32>
  loop.for serial %t in 3 {
    loop.for thread_bind[blockIdx.x] %b in 8 {
      loop.block "G" [%vt: spatial 3, %vb: spatial 8] = (%t, %b)
          reads(%A[%vt : 1, %vb : 1]) writes(%G[%vt : 1, %vb : 1]) {
        %a = memref.load %A[%vt, %vb] : memref<3x8xf32>
        memref.store %a, %G[%vt, %vb] : memref<3x8xf32>
      }
      loop.block "B" [%vt: spatial 3, %vb: spatial 8] = (%t, %b)
          reads(%G[%vt : 1, %vb : 1]) writes(%B[%vt : 1, %vb : 1]) {
        %a = memref.load %G[%vt, %vb] : memref<3x8xf32>
        memref.store %a, %B[%vt, %vb] : memref<3x8xf32>
      }
    }
  }
  return
}

// -----

// (C2) Parallel iterations share one global buffer; (C3) a value of the previous iteration; the first
// iteration writes for all.
// CHECK-LABEL: func.func @kept(
// CHECK:         loop.buffer "P" scope(global) : memref<8x4xf32>
// CHECK:         loop.buffer "R" scope(global) : memref<9xf32>
// CHECK:         loop.buffer "F" scope(global) : memref<8xf32>
// COUNTS:        compact-buffers  @kept {{.*}} ms  unchanged
func.func @kept(%A: memref<8xf32>, %B: memref<8xf32> {loop.result}, %C: memref<8x4xf32> {loop.result}, %D: memref<8xf32> {loop.result}) {
  %P = loop.buffer "P" scope(global) : memref<8x4xf32>
  %R = loop.buffer "R" scope(global) : memref<9xf32>
  %F = loop.buffer "F" scope(global) : memref<8xf32>
  loop.for parallel %i in 8 {
    loop.for serial %j in 4 {
      loop.block "P" [%vi: spatial 8, %vj: spatial 4] = (%i, %j)
          reads(%A[%vi : 1]) writes(%P[%vi : 1, %vj : 1]) {
        %a = memref.load %A[%vi] : memref<8xf32>
        memref.store %a, %P[%vi, %vj] : memref<8x4xf32>
      }
      loop.block "C" [%vi: spatial 8, %vj: spatial 4] = (%i, %j)
          reads(%P[%vi : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) {
        %a = memref.load %P[%vi, %vj] : memref<8x4xf32>
        memref.store %a, %C[%vi, %vj] : memref<8x4xf32>
      }
    }
  }
  loop.block "R0" [] = () writes(%R[0 : 1]) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    memref.store %one, %R[%c0] : memref<9xf32>
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%R[%v : 1], %A[%v : 1]) writes(%R[%v + 1 : 1]) {
      %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %r = memref.load %R[%v] : memref<9xf32>
      %a = memref.load %A[%v] : memref<8xf32>
      %s = arith.addf %r, %a : f32
      memref.store %s, %R[%n] : memref<9xf32>
    }
    loop.block "B" [%v: spatial 8] = (%i)
        reads(%R[%v + 1 : 1]) writes(%B[%v : 1]) {
      %n = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %R[%n] : memref<9xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %t in 2 {
    loop.for serial %i in 8 {
      loop.if (%t == 0) {
        loop.block "F" [%v: spatial 8] = (%i)
            reads(%A[%v : 1]) writes(%F[%v : 1]) {
          %a = memref.load %A[%v] : memref<8xf32>
          memref.store %a, %F[%v] : memref<8xf32>
        }
      }
      loop.block "D" [%v: spatial 8] = (%i)
          reads(%F[%v : 1]) writes(%D[%v : 1]) {
        %a = memref.load %F[%v] : memref<8xf32>
        memref.store %a, %D[%v] : memref<8xf32>
      }
    }
  }
  return
}

// -----

// (C1) A buffer that escapes, an index from data, the two results of a reduction; (C5) one index that increases, one
// that decreases; (C6) a dynamic size that may not be larger.
// CHECK-LABEL: func.func @refused(
// CHECK:         loop.buffer "E" scope(global) : memref<8xf32>
// CHECK:         loop.buffer "X" scope(global) : memref<8xf32>
// CHECK:         loop.buffer "N" scope(global) (%{{.*}}) : memref<?xf32>
// CHECK:         loop.buffer "U" scope(local) : memref<8xf32>
// CHECK:         loop.buffer "M" scope(global) : memref<1x8xf32>
// CHECK:         loop.buffer "J" scope(global) : memref<1x8xi32>
// COUNTS:        compact-buffers  @refused {{.*}} ms  unchanged
func.func private @external(memref<8xf32>)
func.func @refused(%A: memref<18xf32>, %I: memref<8xi32>, %B: memref<8xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %C, %c0 : memref<?xf32>
  %E = loop.buffer "E" scope(global) : memref<8xf32>
  %X = loop.buffer "X" scope(global) : memref<8xf32>
  %N = loop.buffer "N" scope(global) (%n) : memref<?xf32>
  %U = loop.buffer "U" scope(local) : memref<8xf32>
  %M = loop.buffer "M" scope(global) : memref<1x8xf32>
  %J = loop.buffer "J" scope(global) : memref<1x8xi32>
  loop.for parallel %i in 8 {
    loop.block "U" [%v: spatial 8] = (%i)
        reads(%A[%v : 1]) writes(%U[%v : 1]) {
      %a = memref.load %A[%v] : memref<18xf32>
      memref.store %a, %U[%v] : memref<8xf32>
    }
    loop.block "V" [%v: spatial 8] = (%i)
        reads(%U[%v : 1]) writes(%U[-%v + 7 : 1]) {
      %w = affine.apply affine_map<(d0) -> (-d0 + 7)>(%v)
      %a = memref.load %U[%v] : memref<8xf32>
      memref.store %a, %U[%w] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "E" [%v: spatial 8] = (%i)
        reads(%A[%v : 1]) writes(%E[%v : 1]) {
      %a = memref.load %A[%v] : memref<18xf32>
      memref.store %a, %E[%v] : memref<8xf32>
    }
    loop.block "call" [] = () reads(%E[*]) writes(%E[*]) {
      func.call @external(%E) : (memref<8xf32>) -> ()
    }
    loop.block "X" [%v: spatial 8] = (%i) reads(%A[%v : 1], %I[%v : 1]) writes(%X[*]) {
      %a = memref.load %A[%v] : memref<18xf32>
      %j = memref.load %I[%v] : memref<8xi32>
      %x = arith.index_cast %j : i32 to index
      memref.store %a, %X[%x] : memref<8xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "N" [%v: spatial %n] = (%i)
        reads(%C[%v : 1]) writes(%N[%v : 1]) {
      %a = memref.load %C[%v] : memref<?xf32>
      memref.store %a, %N[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "C" [%v: spatial %n] = (%i)
        reads(%N[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %N[%v] : memref<?xf32>
      memref.store %a, %C[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %k in 8 {
      loop.block "best" [%v: spatial 8, %w: reduce 8] = (%i, %k) reads(%B[%w : 1])
          writes(%M[0 : 1, %v : 1], %J[0 : 1, %v : 1]) reducer(argmax, 0xFF800000, 0) {
        %zero = arith.constant 0 : index
        loop.init {
          %low = arith.constant 0xFF800000 : f32
          %none = arith.constant 0 : i32
          memref.store %low, %M[%zero, %v] : memref<1x8xf32>
          memref.store %none, %J[%zero, %v] : memref<1x8xi32>
        }
        %b = memref.load %B[%w] : memref<8xf32>
        %m = memref.load %M[%zero, %v] : memref<1x8xf32>
        %j = memref.load %J[%zero, %v] : memref<1x8xi32>
        %k32 = arith.index_cast %w : index to i32
        %is_more = arith.cmpf ogt, %b, %m : f32
        %x = arith.select %is_more, %b, %m : f32
        %y = arith.select %is_more, %k32, %j : i32
        memref.store %x, %M[%zero, %v] : memref<1x8xf32>
        memref.store %y, %J[%zero, %v] : memref<1x8xi32>
      }
    }
    loop.block "use" [%v: spatial 8] = (%i) reads(%M[0 : 1, %v : 1]) writes(%B[%v : 1]) {
      %zero = arith.constant 0 : index
      %m = memref.load %M[%zero, %v] : memref<1x8xf32>
      memref.store %m, %B[%v] : memref<8xf32>
    }
  }
  return
}

// -----

// A thread has the same number in all loops of its axis.
// CHECK-LABEL: func.func @siblings(
// CHECK:         loop.buffer "T" scope(local) : memref<4xf32>
// CHECK:         memref.store %{{.*}}, %T[%{{.*}}] : memref<4xf32>
// CHECK:         loop.sync
// CHECK:         memref.load %T[%{{.*}}] : memref<4xf32>
func.func @siblings(%A: memref<100xf32>, %B: memref<100xf32>) {
  %T = loop.buffer "T" scope(local) : memref<100xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %i in 32 {
      loop.for serial %j in 4 {
        loop.block "T" [%v: spatial 100] = (%i * 4 + %j) where(-%i + 24 >= 0) reads(%A[%v : 1]) writes(%T[%v : 1]) {
          %a = memref.load %A[%v] : memref<100xf32>
          memref.store %a, %T[%v] : memref<100xf32>
        }
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %k in 32 {
      loop.for serial %l in 4 {
        loop.block "B" [%v: spatial 100] = (%k * 4 + %l) where(-%k + 24 >= 0) reads(%T[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %T[%v] : memref<100xf32>
          memref.store %a, %B[%v] : memref<100xf32>
        }
      }
    }
  }
  return
}

// -----

// Enclosing lanes use one instance of a buffer at the same time; a thread accesses only its own element.
// CHECK-LABEL: func.func @lanes(
// CHECK:         loop.buffer "T" scope(local) : memref<8x1xf32>
func.func @lanes(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<8x4xf32>
  loop.for vectorize %i in 8 {
    loop.for thread_bind[threadIdx.x] %j in 4 {
      loop.block "T" [%v: spatial 8, %w: spatial 4] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<8x4xf32>
        memref.store %a, %T[%v, %w] : memref<8x4xf32>
      }
      loop.block "B" [%v: spatial 8, %w: spatial 4] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%v, %w] : memref<8x4xf32>
        memref.store %a, %B[%v, %w] : memref<8x4xf32>
      }
    }
  }
  return
}

// -----

// For a size of 0 the size of the compacted buffer would be negative.
// CHECK-LABEL: func.func @stride(
// CHECK:         loop.buffer "T" scope(global) (%{{.*}} * 4) : memref<?xf32>
func.func @stride(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %T = loop.buffer "T" scope(global) (symbol(%n) * 4) : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%T[%v * 4 : 1]) {
      %u = affine.apply affine_map<(d0) -> (d0 * 4)>(%v)
      %a = memref.load %A[%v] : memref<?xf32>
      memref.store %a, %T[%u] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) reads(%T[%v * 4 : 1]) writes(%B[%v : 1]) {
      %u = affine.apply affine_map<(d0) -> (d0 * 4)>(%v)
      %a = memref.load %T[%u] : memref<?xf32>
      memref.store %a, %B[%v] : memref<?xf32>
    }
  }
  return
}

// -----

// Padding between rows is kept in the smaller buffer: its stride is 4 modulo 32, as 36 is, and 6 rows of 4 + 2.
// CHECK-LABEL: func.func @padded(
// CHECK:         loop.buffer "T" scope(global) round(1, 0, 32, 4) : memref<1x16xf32>
// CHECK:         loop.buffer "U" scope(global) pad(0, 0, 2) round(1, 0, 32, 4, 1, 0) : memref<1x1x4xf32>
// COUNTS:        compact-buffers  @padded {{.*}} ms  changed, 2 buffers, 4 dimensions
func.func @padded(%A: memref<8x64xf32>, %B: memref<8x64xf32> {loop.result}, %C: memref<8x64xf32> {loop.result}) {
  %T = loop.buffer "T" scope(global) round(1, 0, 32, 4) : memref<8x64xf32>
  %U = loop.buffer "U" scope(global) pad(0, 0, 2) round(1, 0, 32, 4, 1, 0) : memref<8x16x4xf32>
  loop.for serial %i in 8 {
    loop.for serial %j in 4 {
      loop.for serial %k in 16 {
        loop.block "T" [%v: spatial 8, %w: spatial 64] = (%i, %j * 16 + %k) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<8x64xf32>
          memref.store %a, %T[%v, %w] : memref<8x64xf32>
        }
      }
      loop.for serial %k in 16 {
        loop.block "B" [%v: spatial 8, %w: spatial 64] = (%i, %j * 16 + %k) reads(%T[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %T[%v, %w] : memref<8x64xf32>
          memref.store %a, %B[%v, %w] : memref<8x64xf32>
        }
      }
    }
    loop.for serial %j in 16 {
      loop.for serial %k in 4 {
        loop.block "U" [%v: spatial 8, %w: spatial 16, %x: spatial 4] = (%i, %j, %k) reads(%A[%v : 1, %w * 4 + %x : 1]) writes(%U[%v : 1, %w : 1, %x : 1]) {
          %c = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%w, %x)
          %a = memref.load %A[%v, %c] : memref<8x64xf32>
          memref.store %a, %U[%v, %w, %x] : memref<8x16x4xf32>
        }
      }
      loop.for serial %k in 4 {
        loop.block "C" [%v: spatial 8, %w: spatial 16, %x: spatial 4] = (%i, %j, %k) reads(%U[%v : 1, %w : 1, %x : 1]) writes(%C[%v : 1, %w * 4 + %x : 1]) {
          %c = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%w, %x)
          %a = memref.load %U[%v, %w, %x] : memref<8x16x4xf32>
          memref.store %a, %C[%v, %c] : memref<8x64xf32>
        }
      }
    }
  }
  return
}
