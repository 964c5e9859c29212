// Matrix products of odd and of dynamic sizes, padded so that tiles of 16 fit: an intrinsic without a tail, and
// vectors without masks.
// RUN: lw-opt %s --sched-pad-einsum='block=C factors=16,16,16' --sched-decompose-reduction='block=C loop=C:i' \
// RUN:   --sched-split='loop=C:j factors=-1,16' --sched-reorder='loops=C:k,C:j.1' \
// RUN:   --sched-tensorize='target=C:j.1 intrinsic=x86.fma_f32x16' \
// RUN:   --sched-pad-einsum='block=D factors=16,16,16' --sched-split='loop=D:i factors=-1,16' \
// RUN:   --sched-split='loop=D:j factors=-1,16' --sched-reorder='loops=D:j.0,D:k,D:i.1,D:j.1' \
// RUN:   --sched-vectorize='loop=D:j.1' --sched-unroll='loop=D:i.1' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: lw-run %t.mlir --entry odd --target x86 --cpu znver4 --compile-to vector | FileCheck %s --check-prefix=ODD
// RUN: lw-run %t.mlir --entry any --target x86 --cpu znver4 --compile-to vector | FileCheck %s --check-prefix=ANY
// RUN: lw-run %s --entry a --output %t.a.npy
// RUN: lw-run %s --entry b --output %t.b.npy
// RUN: lw-run %s --entry odd --input %t.a.npy --input %t.b.npy --output %t.c.npy
// RUN: lw-run %t.mlir --entry odd --input %t.a.npy --input %t.b.npy --check %t.c.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --entry odd --target x86 --input %t.a.npy --input %t.b.npy --check %t.c.npy --rtol 0 --atol 0
// RUN: lw-run %s --entry sevens --output %t.s.npy
// RUN: lw-run %t.mlir --entry any --input %t.a.npy --input %t.b.npy --input %t.s.npy --check %t.c.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --entry any --target x86 --input %t.a.npy --input %t.b.npy --input %t.s.npy --check %t.c.npy --rtol 0 --atol 0

// An empty sum.
// RUN: lw-run %s --entry few --output %t.f.npy
// RUN: lw-run %s --entry no_columns --output %t.n.npy
// RUN: lw-run %s --entry no_rows --output %t.r.npy
// RUN: lw-run %s --entry any --input %t.n.npy --input %t.r.npy --input %t.f.npy --output %t.z.npy
// RUN: lw-run %t.mlir --entry any --input %t.n.npy --input %t.r.npy --input %t.f.npy --check %t.z.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --entry any --target x86 --input %t.n.npy --input %t.r.npy --input %t.f.npy --check %t.z.npy --rtol 0 --atol 0

// CHECK-LABEL: func.func @odd
// CHECK:           loop.block "C_o"
// CHECK:               intrinsic = "x86.fma_f32x16"
// CHECK-NOT:         where
// CHECK-LABEL: func.func @any
// CHECK:             loop.block "D"
// CHECK-NOT:         where
// ODD-LABEL: func.func @odd
// ODD:         math.fma {{.*}} : vector<16xf32>
// ANY-LABEL: func.func @any
// ANY-NOT:     vector.mask
// ANY-NOT:     vector.maskedload
// ANY:         arith.mulf {{.*}} : vector<16xf32>
func.func @odd(%A: memref<30x45xf32>, %B: memref<45x61xf32>, %C: memref<30x61xf32> {loop.result}) attributes {loop.fp = "fast"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 61 {
      loop.for serial %k in 45 {
        loop.block "C" [%vi: spatial 30, %vj: spatial 61, %vk: reduce 45] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %C[%vi, %vj] : memref<30x61xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<30x45xf32>
          %b = memref.load %B[%vk, %vj] : memref<45x61xf32>
          %p = arith.mulf %a, %b : f32
          %c = memref.load %C[%vi, %vj] : memref<30x61xf32>
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<30x61xf32>
        }
      }
    }
  }
  return
}

func.func @any(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %l = memref.dim %A, %c1 : memref<?x?xf32>
  %n = memref.dim %B, %c1 : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.for serial %k in %l {
        loop.block "D" [%vi: spatial %m, %vj: spatial %n, %vk: reduce %l] = (%i, %j, %k)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %C[%vi, %vj] : memref<?x?xf32>
          }
          %a = memref.load %A[%vi, %vk] : memref<?x?xf32>
          %b = memref.load %B[%vk, %vj] : memref<?x?xf32>
          %p = arith.mulf %a, %b : f32
          %c = memref.load %C[%vi, %vj] : memref<?x?xf32>
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%vi, %vj] : memref<?x?xf32>
        }
      }
    }
  }
  return
}

func.func @a(%X: memref<30x45xf32> {loop.result}) {
  loop.for serial %i in 30 {
    loop.for serial %j in 45 {
      loop.block "a" [%v: spatial 30, %w: spatial 45] = (%i, %j) writes(%X[%v : 1, %w : 1]) {
        %n = affine.apply affine_map<(d0, d1) -> ((d0 * 7 + d1 * 5) mod 11 - 5)>(%v, %w)
        %0 = arith.index_cast %n : index to i32
        %1 = arith.sitofp %0 : i32 to f32
        memref.store %1, %X[%v, %w] : memref<30x45xf32>
      }
    }
  }
  return
}

func.func @b(%X: memref<45x61xf32> {loop.result}) {
  loop.for serial %i in 45 {
    loop.for serial %j in 61 {
      loop.block "b" [%v: spatial 45, %w: spatial 61] = (%i, %j) writes(%X[%v : 1, %w : 1]) {
        %n = affine.apply affine_map<(d0, d1) -> ((d0 * 3 + d1 * 2) mod 13 - 6)>(%v, %w)
        %0 = arith.index_cast %n : index to i32
        %1 = arith.sitofp %0 : i32 to f32
        memref.store %1, %X[%v, %w] : memref<45x61xf32>
      }
    }
  }
  return
}

func.func @sevens(%X: memref<30x61xf32> {loop.result}) {
  loop.for serial %i in 30 {
    loop.for serial %j in 61 {
      loop.block "sevens" [%v: spatial 30, %w: spatial 61] = (%i, %j) writes(%X[%v : 1, %w : 1]) {
        %0 = arith.constant 7.0 : f32
        memref.store %0, %X[%v, %w] : memref<30x61xf32>
      }
    }
  }
  return
}

func.func @few(%X: memref<2x3xf32> {loop.result}) {
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.block "few" [%v: spatial 2, %w: spatial 3] = (%i, %j) writes(%X[%v : 1, %w : 1]) {
        %0 = arith.constant 7.0 : f32
        memref.store %0, %X[%v, %w] : memref<2x3xf32>
      }
    }
  }
  return
}

func.func @no_columns(%X: memref<2x0xf32> {loop.result}) {
  loop.for serial %i in 2 {
    loop.for serial %j in 0 {
      loop.block "no_columns" [%v: spatial 2, %w: spatial 0] = (%i, %j) writes(%X[%v : 1, %w : 1]) {
        %0 = arith.constant 7.0 : f32
        memref.store %0, %X[%v, %w] : memref<2x0xf32>
      }
    }
  }
  return
}

func.func @no_rows(%X: memref<0x3xf32> {loop.result}) {
  loop.for serial %i in 0 {
    loop.for serial %j in 3 {
      loop.block "no_rows" [%v: spatial 0, %w: spatial 3] = (%i, %j) writes(%X[%v : 1, %w : 1]) {
        %0 = arith.constant 7.0 : f32
        memref.store %0, %X[%v, %w] : memref<0x3xf32>
      }
    }
  }
  return
}
