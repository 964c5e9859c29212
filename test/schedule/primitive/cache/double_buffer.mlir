// RUN: lw-opt %s --sched-double-buffer=block=ah_S --sched-double-buffer='block=th_S copies=3' \
// RUN:   --sched-double-buffer='block=ke_A with=ke_B' --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-double-buffer=block=ah_S --sched-double-buffer='block=th_S copies=3' \
// RUN:   --sched-double-buffer='block=ke_A with=ke_B' -o /dev/null 2>&1 | count 0

// CHECK-LABEL: func.func @ahead(
// CHECK:         loop.buffer "T" scope(global) : memref<2x7xf32>
// CHECK:         loop.block "ah_S.prologue" {{.*}} = (0, %j, 0)
// CHECK:         loop.for serial %i in 14 {
// CHECK:             loop.block "ah_S" {{.*}} = (%i + 1, %j, (%i + 1) mod 2)
// CHECK:             loop.block "ah_U" {{.*}} = (%i, %j, %i mod 2)
// CHECK:         loop.block "ah_U.epilogue" {{.*}} = (14, %j, 0)
func.func @ahead(%A: memref<15x7xf32>, %B: memref<15x7xf32>) {
  %T = loop.buffer "T" scope(global) : memref<7xf32>
  loop.for serial %i in 15 {
    loop.for serial %j in 7 {
      loop.block "ah_S" [%v: spatial 15, %w: spatial 7] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<15x7xf32>
        memref.store %a, %T[%w] : memref<7xf32>
      }
    }
    loop.for serial %j in 7 {
      loop.block "ah_U" [%v: spatial 15, %w: spatial 7] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<7xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%v, %w] : memref<15x7xf32>
      }
    }
  }
  return
}

// Three copies: two iterations ahead. For shorter loops the original loop remains.
// CHECK-LABEL: func.func @three_copies(
// CHECK:         loop.buffer "T" scope(global) : memref<3x8xf32>
// CHECK:         loop.if ({{.*}} - 2 >= 0) {
// CHECK:           loop.block "th_S.prologue" {{.*}} = (0, %j, 0)
// CHECK:           loop.block "th_S.prologue_1" {{.*}} = (1, %j, 1)
// CHECK:           loop.for serial %i in affine_map<()[s0] -> (s0 - 2)>
// CHECK:             loop.block "th_S" {{.*}} = (%i + 2, %j, (%i + 2) mod 3)
// CHECK:             loop.block "th_U" {{.*}} = (%i, %j, %i mod 3)
// CHECK:           loop.block "th_U.epilogue"
// CHECK:           loop.block "th_U.epilogue_1"
// CHECK:         } else {
// CHECK:           loop.block "th_S.fallback"
// CHECK:           loop.block "th_U.fallback"
func.func @three_copies(%A: memref<?x8xf32>, %B: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x8xf32>
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in %n {
    loop.for serial %j in 8 {
      loop.block "th_S" [%v: spatial %n, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "th_U" [%v: spatial %n, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%v, %w] : memref<?x8xf32>
      }
    }
  }
  return
}

// Both copies of a kernel run ahead; threads synchronise once per iteration.
// CHECK-LABEL: func.func @kernel(
// CHECK:         loop.block "ke_A.prologue"
// CHECK:         loop.block "ke_B.prologue"
// CHECK:         loop.sync
// CHECK-NEXT:    loop.for serial %k in 3 {
// CHECK-NOT:       loop.sync
// CHECK:             loop.block "ke_A"
// CHECK:             loop.block "ke_B"
// CHECK:             loop.block "ke_C"
// CHECK:           loop.sync
// CHECK-NEXT:    }
// CHECK:         loop.block "ke_C.epilogue"
func.func @kernel(%A: memref<4x8xf32>, %B: memref<4x8xf32>, %C: memref<4x8xf32>) {
  %As = loop.buffer "As" scope(shared) : memref<8xf32>
  %Bs = loop.buffer "Bs" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %k in 4 {
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "ke_A" [%v: spatial 4, %w: spatial 8] = (%k, %t) reads(%A[%v : 1, %w : 1]) writes(%As[%w : 1]) {
          %a = memref.load %A[%v, %w] : memref<4x8xf32>
          memref.store %a, %As[%w] : memref<8xf32>
        }
      }
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "ke_B" [%v: spatial 4, %w: spatial 8] = (%k, %t) reads(%B[%v : 1, %w : 1]) writes(%Bs[%w : 1]) {
          %b_ = memref.load %B[%v, %w] : memref<4x8xf32>
          memref.store %b_, %Bs[%w] : memref<8xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "ke_C" [%v: spatial 4, %w: spatial 8] = (%k, %t)
            reads(%As[-%w + 7 : 1], %Bs[-%w + 7 : 1]) writes(%C[%v : 1, %w : 1]) {
          %0 = affine.apply affine_map<(d0) -> (7 - d0)>(%w)
          %a = memref.load %As[%0] : memref<8xf32>
          %b_ = memref.load %Bs[%0] : memref<8xf32>
          %c = arith.addf %a, %b_ : f32
          memref.store %c, %C[%v, %w] : memref<4x8xf32>
        }
      }
      loop.sync
    }
  }
  return
}
