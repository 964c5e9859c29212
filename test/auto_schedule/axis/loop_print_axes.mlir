// RUN: split-file %s %t
// RUN: lw-opt %t/matmul.mlir --loop-print-axes -o /dev/null 2>&1 | FileCheck %s --check-prefix=HINT
// RUN: lw-opt %t/matmul.mlir '--sched-split=loop=C:i factors=-1,8' '--sched-split=loop=C:j factors=-1,32' '--sched-reorder=loops=C:i.0,C:j.0,C:k,C:i.1,C:j.1' '--sched-parallel=loop=C:i.0' '--sched-vectorize=loop=C:j.1' --loop-print-axes -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: lw-opt %t/matmul.mlir '--sched-split=loop=C:i factors=-1,8' '--sched-split=loop=C:j factors=-1,32' '--sched-reorder=loops=C:i.0,C:j.0,C:i.1,C:j.1,C:k' '--sched-bind=loop=C:i.0 thread=blockIdx.y' '--sched-bind=loop=C:j.0 thread=blockIdx.x' '--sched-bind=loop=C:i.1 thread=threadIdx.y' --loop-print-axes -o /dev/null 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: lw-opt %t/matmul.mlir '--sched-split=loop=C:i factors=-1,8 tail=peel' --loop-print-axes -o /dev/null 2>&1 | FileCheck %s --check-prefix=PEEL
// RUN: lw-opt %t/matmul.mlir '--sched-split=loop=C:i factors=-1,8' '--sched-fuse=loops=C:i.1,C:j' --loop-print-axes -o /dev/null 2>&1 | FileCheck %s --check-prefix=MERGE
// RUN: lw-opt %t/matmul.mlir '--sched-split=loop=C:i factors=-1,10' '--sched-split=loop=C:j factors=-1,32' '--sched-reorder=loops=C:i.0,C:j.0,C:i.1' '--sched-fuse=loops=C:i.0,C:j.0' --loop-print-axes -o /dev/null 2>&1 | FileCheck %s --check-prefix=APART
// RUN: lw-opt %t/chain.mlir '--sched-split=loop=Y:i factors=-1,8' '--sched-compute-at=block=T loop=Y:i.0' --compact-buffers --loop-print-axes -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: lw-opt %t/shift.mlir --loop-print-axes -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHIFT

// A nest that is not scheduled has an axis for each iter.
// HINT: axes @matmul "C"
// HINT-NEXT: axis size type from pair tail loops
// HINT-NEXT: z0 100 original C:vi spatial, i serial
// HINT-NEXT: z1 96 original C:vj spatial, j serial
// HINT-NEXT: z2 64 original C:vk reduce, k serial
// HINT-NEXT: order [z0, z1, z2]
// HINT-NEXT: node "C": axis [z0, z1, z2], loop_axis z2
// HINT-NEXT: "C": vectorized_axis [z0, z1], vectorized_stride [96, 1]

// The loop that is distributed over cores is the outer half of the block split. 8 does not divide 100. The lanes of j.1
// are the data of one run of the body.
// BLOCK: z0 100 original guard C:vi spatial
// BLOCK-NEXT: z1 96 original C:vj spatial
// BLOCK-NEXT: z2 64 original C:vk reduce, k serial
// BLOCK-NEXT: z0B 13 block_outer z0 z0b i.0 parallel
// BLOCK-NEXT: z0b 8 block_inner z0 z0B i.1 serial
// BLOCK-NEXT: z1T 3 tile_outer z1 z1t j.0 serial
// BLOCK-NEXT: z1t 32 tile_inner z1 z1T j.1 vectorize
// BLOCK-NEXT: order [z0B, z1T, z2, z0b, z1t]
// BLOCK-NEXT: node "C": axis [z0B, z1T, z2, z0b, z1t], loop_axis z0b
// BLOCK-NEXT: "C": vectorized_axis [z0B, z1T, z0b, z1t], vectorized_stride [768, 32, 96, 1]

// Two dimensions of the grid are factors of one axis.
// GRID: z0T 13 tile_outer z0 z0t i.0 blockIdx.y
// GRID-NEXT: z0t 8 tile_inner z0 z0T i.1 threadIdx.y
// GRID-NEXT: z1T 3 tile_outer z1 z1t j.0 blockIdx.x
// GRID-NEXT: z1t 32 tile_inner z1 z1T j.1 serial
// GRID-NEXT: z0Tz1T 39 merged z0T z1T
// GRID-NEXT: z0Tz1TB 39 block_outer z0Tz1T z0Tz1Tb
// GRID-NEXT: z0Tz1Tb 1 block_inner z0Tz1T z0Tz1TB
// GRID-NEXT: order [z0Tz1TB, z0Tz1Tb, z0t, z1t, z2]
// GRID-NEXT: node "C": axis [z0T, z1T, z0t, z1t, z2], loop_axis z2

// What is left over is an axis, but not one of this nest.
// PEEL: z0 100 original peel C:vi spatial
// PEEL: z0T 12 tile_outer z0 z0t i.0 serial
// PEEL-NEXT: z0t 8 tile_inner z0 z0T i.1 serial
// PEEL-NEXT: z0r 4 tail z0
// PEEL: axes @matmul "C.tail": none, because C.tail:vi is bound to i.tail + 96, which is no split or merge of loops: it starts at 96

// MERGE: z0tz1 768 merged z0t z1 i.1_j_fused serial
// MERGE-NEXT: order [z0T, z0tz1, z2]
// MERGE-NEXT: node "C": axis [z0T, z0tz1, z2], loop_axis z2
// MERGE-NEXT: "C": vectorized_axis [z0T, z0tz1], vectorized_stride [768, 1]

// Halves of splits that were reordered are not contiguous.
// APART: axes @matmul "C": none, because (A7) 'z0T' and 'z1T' are not contiguous: after the last split the order was [z0T, z0t, z1T, z1t, z2], where 'z1T' does not follow 'z0T'; and 'z0T' of size 10 has stride 61440, 'z1T' of size 3 has stride 2048

// Two loops run through one half of the axis; the buffer between the blocks holds only this half.
// CHAIN: axes @chain "T", "Y"
// CHAIN-NEXT: axis size type from pair tail loops
// CHAIN-NEXT: z0 dim(X, 0) original guard T:vi spatial
// CHAIN-NEXT: z1 64 original T:vj spatial, j serial
// CHAIN-NEXT: z2 64 original Y:vj spatial, j serial
// CHAIN-NEXT: z0T dim(X, 0) ceildiv 8 tile_outer z0 z0t i.0 serial
// CHAIN-NEXT: z0t 8 tile_inner z0 z0T i serial, i.1 serial
// CHAIN-NEXT: order [z0T, z0t, z1, z2]
// CHAIN-NEXT: node "T": axis [z0T, z0t, z1], loop_axis z1
// CHAIN-NEXT: "T": vectorized_axis [z0t, z1], vectorized_stride [64, 1]
// CHAIN-NEXT: node "Y": axis [z0T, z0t, z2], loop_axis z2
// CHAIN-NEXT: "Y": vectorized_axis [z0T, z0t, z2], vectorized_stride [512, 64, 1]

// SHIFT: axes @shift "B": none, because B:v is bound to i * 2 + j, which is no split or merge of loops: j takes 3 values, the axis has 2
// SHIFT: axes @backwards "B": none, because B:v is bound to i * -1 + 3, which is no split or merge of loops: it starts at 3
// SHIFT: axes @diagonal "D": none, because D:w is bound to i * 2 + j, which is no split or merge of loops: i is an axis of its own elsewhere
// SHIFT: axes @shared "D": none, because j is an axis of its own, and part of another one
// SHIFT: axes @stride "S": none, because S:v is bound to i * 2, which is no split or merge of loops: its values are 2 apart
// SHIFT: axes @triangle "T": none, because the extent of 'j' is a minimum of several sizes

//--- matmul.mlir
func.func @matmul(%A: memref<100x64xf32> {loop.name = "A"}, %B: memref<64x96xf32> {loop.name = "B"}, %C: memref<100x96xf32> {loop.name = "C"}) {
  loop.for serial %i in 100 {
    loop.for serial %j in 96 {
      loop.for serial %k in 64 {
        loop.block "C" [%vi: spatial 100, %vj: spatial 96, %vk: reduce 64] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1])
            reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%vi, %vj] : memref<100x96xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<100x64xf32>
          %b = memref.load %B[%vk, %vj] : memref<64x96xf32>
          %c = memref.load %C[%vi, %vj] : memref<100x96xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<100x96xf32>
        }
      }
    }
  }
  return
}

//--- chain.mlir
func.func @chain(%X: memref<?x64xf32> {loop.name = "X"}, %Y: memref<?x64xf32> {loop.name = "Y"}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %X, %c0 : memref<?x64xf32>
  %T = loop.buffer "T" scope(local) (%n) : memref<?x64xf32>
  loop.for serial %i in %n {
    loop.for serial %j in 64 {
      loop.block "T" [%vi: spatial %n, %vj: spatial 64] = (%i, %j) reads(%X[%vi : 1, %vj : 1]) writes(%T[%vi : 1, %vj : 1]) {
        %x = memref.load %X[%vi, %vj] : memref<?x64xf32>
        %t = math.exp %x : f32
        memref.store %t, %T[%vi, %vj] : memref<?x64xf32>
      }
    }
  }
  loop.for serial %i in %n {
    loop.for serial %j in 64 {
      loop.block "Y" [%vi: spatial %n, %vj: spatial 64] = (%i, %j) reads(%T[%vi : 1, %vj : 1]) writes(%Y[%vi : 1, %vj : 1]) {
        %t = memref.load %T[%vi, %vj] : memref<?x64xf32>
        %y = arith.mulf %t, %t : f32
        memref.store %y, %Y[%vi, %vj] : memref<?x64xf32>
      }
    }
  }
  return
}

//--- shift.mlir
func.func @shift(%A: memref<9xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 3 {
      loop.block "B" [%v: spatial 9] = (%i * 2 + %j) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<9xf32>
      }
    }
  }
  return
}
func.func @backwards(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "B" [%v: spatial 4] = (3 - %i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<4xf32>
    }
  }
  return
}
func.func @diagonal(%A: memref<4x8xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 2 {
      loop.block "D" [%v: spatial 4, %w: spatial 8] = (%i, %i * 2 + %j) writes(%A[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<4x8xf32>
      }
    }
  }
  return
}
func.func @shared(%A: memref<2x8xf32>) {
  loop.for serial %i in 4 {
    loop.for serial %j in 2 {
      loop.block "D" [%v: spatial 2, %w: spatial 8] = (%j, %i * 2 + %j) writes(%A[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<2x8xf32>
      }
    }
  }
  return
}
func.func @stride(%A: memref<8xf32>) {
  loop.for serial %i in 4 {
    loop.block "S" [%v: spatial 8] = (%i * 2) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<8xf32>
    }
  }
  return
}
func.func @triangle(%A: memref<8x8xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in min affine_map<(d0) -> (d0 + 1, 4)>(%i) {
      loop.block "T" [%v: spatial 8, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<8x8xf32>
      }
    }
  }
  return
}
