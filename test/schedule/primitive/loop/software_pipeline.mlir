// RUN: lw-opt %s --sched-software-pipeline='loop=co_S:i stages=0,1 order=0,1' \
// RUN:   --sched-software-pipeline='loop=th_T:i stages=0,1,2 order=2,1,0' --sched-vectorize=loop=th_B:j \
// RUN:   --sched-software-pipeline='loop=su_S:i stages=0,2 order=0,1' \
// RUN:   --sched-software-pipeline='loop=ke_S:i stages=0,1 order=0,1' --sched-split='loop=ke_U:k factors=-1,2' \
// RUN:   --sched-software-pipeline='loop=ca_A:i stages=0,2 order=1,0' --mlir-print-local-scope | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --sched-software-pipeline='loop=co_S:i stages=0,1 order=0,1' \
// RUN:   --sched-software-pipeline='loop=th_T:i stages=0,1,2 order=2,1,0' --sched-vectorize=loop=th_B:j \
// RUN:   --sched-software-pipeline='loop=su_S:i stages=0,2 order=0,1' \
// RUN:   --sched-software-pipeline='loop=ke_S:i stages=0,1 order=0,1' --sched-split='loop=ke_U:k factors=-1,2' \
// RUN:   --sched-software-pipeline='loop=ca_A:i stages=0,2 order=1,0' -o /dev/null 2>&1 | count 0

// The loop and its schedule blocks keep their names.
// CHECK-LABEL: func.func @copy_and_add(
// CHECK:         %[[T:.*]] = loop.buffer "T" scope(global) : memref<2x8xf32>
// CHECK-NEXT:    loop.for serial %j in 8 {
// CHECK-NEXT:      loop.block "co_S.prologue" {{.*}} = (0, %j, 0)
// CHECK:         loop.for serial %i in 15 attributes {loop.annotations = {note = 1 : i64}} {
// CHECK:             loop.block "co_S" {{.*}} = (%i + 1, %j, (%i + 1) mod 2)
// CHECK:             loop.block "co_U" {{.*}} = (%i, %j, %i mod 2)
// CHECK:         loop.for serial %j in 8 {
// CHECK-NEXT:      loop.block "co_U.epilogue" {{.*}} = (15, %j, 1)
func.func @copy_and_add(%A: memref<16x8xf32>, %B: memref<16x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 16 attributes {loop.annotations = {note = 1 : i64}} {
    loop.for serial %j in 8 {
      loop.block "co_S" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<16x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "co_U" [%v: spatial 16, %w: spatial 8] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %T[%w] : memref<8xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %B[%v, %w] : memref<16x8xf32>
      }
    }
  }
  return
}

// An extent that may be smaller than the last stage. Later steps work on the contents of the loop.
// CHECK-LABEL: func.func @three(
// CHECK:         loop.if ({{.*}} - 2 >= 0) {
// CHECK:             loop.block "th_T.prologue"
// CHECK:             loop.block "th_U.prologue"
// CHECK:             loop.block "th_T.prologue_1"
// CHECK:           loop.for serial %i in affine_map<()[s0] -> (s0 - 2)>()
// CHECK-NEXT:        loop.for vectorize %j in 4 {
// CHECK:               loop.block "th_B" {{.*}} = (%i,
// CHECK:               loop.block "th_U" {{.*}} = (%i + 1,
// CHECK:               loop.block "th_T" {{.*}} = (%i + 2,
// CHECK:             loop.block "th_B.epilogue"
// CHECK:             loop.block "th_U.epilogue"
// CHECK:             loop.block "th_B.epilogue_1"
// CHECK:         } else {
// CHECK-NEXT:      loop.for serial %i in %
// CHECK:             loop.block "th_T.fallback"
func.func @three(%A: memref<?x4xf32>, %B: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x4xf32>
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  %U = loop.buffer "U" scope(global) : memref<4xf32>
  loop.for serial %i in %n {
    loop.for serial %j in 4 {
      loop.block "th_T" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x4xf32>
        memref.store %a, %T[%w] : memref<4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "th_U" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%T[-%w + 3 : 1]) writes(%U[%w : 1]) {
        %0 = affine.apply affine_map<(d0) -> (3 - d0)>(%w)
        %a = memref.load %T[%0] : memref<4xf32>
        memref.store %a, %U[%w] : memref<4xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "th_B" [%v: spatial %n, %w: spatial 4] = (%i, %j) reads(%U[%w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %U[%w] : memref<4xf32>
        memref.store %a, %B[%v, %w] : memref<?x4xf32>
      }
    }
  }
  return
}

// The last stage starts a reduction: the new loop must run.
// CHECK-LABEL: func.func @sum(
// CHECK:         loop.if (symbol(%arg0) - 3 >= 0) {
// CHECK:           loop.for serial %i in affine_map<()[s0] -> (s0 - 2)>()[%arg0] {
// CHECK:             loop.block "su_U"
// CHECK:               loop.init
// CHECK:           loop.block "su_U.epilogue"
// CHECK-NOT:         loop.init
// CHECK:         } else {
// CHECK:           loop.block "su_U.fallback"
// CHECK:             loop.init
func.func @sum(%n: index, %A: memref<?x8xf32>, %B: memref<8xf32> {loop.result}) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in %n {
    loop.for serial %j in 8 {
      loop.block "su_S" [%u: spatial %n, %w: spatial 8] = (%i, %j) reads(%A[%u : 1, %w : 1]) writes(%T[%w : 1]) {
        %a = memref.load %A[%u, %w] : memref<?x8xf32>
        memref.store %a, %T[%w] : memref<8xf32>
      }
    }
    loop.for serial %j in 8 {
      loop.block "su_U" [%w: spatial 8, %r: reduce %n] = (%j, %i) reads(%T[%w : 1]) writes(%B[%w : 1]) reducer(add, 0.0) {
        loop.init {
          %z = arith.constant 2.0 : f32
          memref.store %z, %B[%w] : memref<8xf32>
        }
        %a = memref.load %T[%w] : memref<8xf32>
        %t = memref.load %B[%w] : memref<8xf32>
        %b = arith.addf %a, %t : f32
        memref.store %b, %B[%w] : memref<8xf32>
      }
    }
  }
  return
}

// A kernel: two barriers per iteration become one.
// CHECK-LABEL: func.func @kernel(
// CHECK:         loop.buffer "I" scope(shared) : memref<2x8xi32>
// CHECK:             loop.block "ke_S.prologue"
// CHECK:         loop.sync
// CHECK-NEXT:    loop.for serial %i in 3 {
// CHECK-NOT:       loop.sync
// CHECK:             loop.block "ke_S" {{.*}} = (%b, %i + 1, %t, (%i + 1) mod 2)
// CHECK-NOT:       loop.sync
// CHECK:             loop.for serial %k.0 in 4
// CHECK-NEXT:          loop.for serial %k.1 in 2
// CHECK:                 loop.block "ke_U"
// CHECK:                   loop.init
// CHECK:           loop.sync
// CHECK-NEXT:    }
// CHECK:             loop.block "ke_U.epilogue"
// CHECK-NOT:           loop.init
func.func @kernel(%A: memref<2x4x8xi32>, %C: memref<2x8xi32>) {
  %I = loop.buffer "I" scope(shared) : memref<8xi32>
  loop.for thread_bind[blockIdx.x] %b in 2 {
    loop.for serial %i in 4 {
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "ke_S" [%x: spatial 2, %v: spatial 4, %w: spatial 8] = (%b, %i, %t)
            reads(%A[%x : 1, %v : 1, %w : 1]) writes(%I[%w : 1]) {
          %a = memref.load %A[%x, %v, %w] : memref<2x4x8xi32>
          memref.store %a, %I[%w] : memref<8xi32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.for serial %k in 8 {
          loop.block "ke_U" [%x: spatial 2, %w: spatial 8, %r: reduce 4, %s: reduce 8] = (%b, %t, %i, %k)
              reads(%I[%s : 1]) writes(%C[%x : 1, %w : 1]) reducer(add, 0) {
            loop.init {
              %zero = arith.constant 0 : i32
              memref.store %zero, %C[%x, %w] : memref<2x8xi32>
            }
            %a = memref.load %I[%s] : memref<8xi32>
            %c = memref.load %C[%x, %w] : memref<2x8xi32>
            %d = arith.addi %c, %a : i32
            memref.store %d, %C[%x, %w] : memref<2x8xi32>
          }
        }
      }
      loop.sync
    }
  }
  return
}

// Values carried between iterations stay in order; nothing has copies.
// CHECK-LABEL: func.func @carried(
// CHECK:         loop.for serial %i in 6 {
// CHECK-NEXT:      loop.block "ca_B" {{.*}} = (%i)
// CHECK:           loop.block "ca_A" {{.*}} = (%i + 2)
func.func @carried(%A: memref<9xf32>, %B: memref<8xf32>) {
  loop.for serial %i in 8 {
    loop.block "ca_A" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%A[%v + 1 : 1]) {
      %k = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%v] : memref<9xf32>
      memref.store %a, %A[%k] : memref<9xf32>
    }
    loop.block "ca_B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<9xf32>
      memref.store %a, %B[%v] : memref<8xf32>
    }
  }
  return
}
