// RUN: lw-opt %s --split-input-file --loop-print-axes -o /dev/null 2>&1 | FileCheck %s

// An axis that is on cores as a whole is the outer half of a block split by 1, which has no loop.
// CHECK: axes @whole "A"
// CHECK: z0 32 original A:v spatial
// CHECK-NEXT: z0B 32 block_outer z0 z0b i parallel
// CHECK-NEXT: z0b 1 block_inner z0 z0B
// CHECK-NEXT: order [z0B, z0b]
func.func @whole(%A: memref<32xf32>) {
  loop.for parallel %i in 32 {
    loop.block "A" [%v: spatial 32] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<32xf32>
    }
  }
  return
}

// -----

// A merged axis that is split again: the merge comes first, then the split, of which the outer half is on cores.
// CHECK: axes @again "A"
// CHECK: z0 4 original A:v spatial
// CHECK-NEXT: z1 6 original A:w spatial
// CHECK-NEXT: z0z1 24 merged z0 z1
// CHECK-NEXT: z0z1B 3 block_outer z0z1 z0z1b f parallel
// CHECK-NEXT: z0z1b 8 block_inner z0z1 z0z1B g vectorize
// CHECK-NEXT: order [z0z1B, z0z1b]
// CHECK-NEXT: node "A": axis [z0z1B, z0z1b], loop_axis z0z1B
func.func @again(%A: memref<4x6xf32>) {
  loop.for parallel %f in 3 {
    loop.for vectorize %g in 8 {
      loop.block "A" [%v: spatial 4, %w: spatial 6] = ((%f * 8 + %g) floordiv 6, (%f * 8 + %g) mod 6) writes(%A[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<4x6xf32>
      }
    }
  }
  return
}

// -----

// The order is that of the loops.
// CHECK: axes @order "A"
// CHECK: order [z1, z0T, z0t]
func.func @order(%A: memref<32x4xf32>) {
  loop.for serial %j in 4 {
    loop.for serial %i in 4 {
      loop.for serial %k in 8 {
        loop.block "A" [%v: spatial 32, %w: spatial 4] = (%i * 8 + %k, %j) writes(%A[%v : 1, %w : 1]) {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %A[%v, %w] : memref<32x4xf32>
        }
      }
    }
  }
  return
}
