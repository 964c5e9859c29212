// Sizes of a block are numbered in order of appearance in its text, whatever the order in which steps have added them:
// printing and parsing round-trips.

// RUN: lw-opt %s --sched-fuse=loops=C:i,C:j --sched-cache-read='block=C buffer=arg0 scope=global' \
// RUN:   --sched-compute-at='block=arg0_global_temp_buffer loop=C:i_j_fused' \
// RUN:   --sched-split='loop=C:i_j_fused factors=-1,4 tail=peel' -o %t.mlir
// RUN: lw-opt %t.mlir -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// CHECK: loop.block "arg0_global_temp_buffer.tail" [%v0: spatial %[[N:.+]], %v1: spatial %[[M:.+]]] =
// CHECK-SAME: (symbol(%[[N]]) * symbol(%[[M]])) floordiv 4
// CHECK: loop.block "C.tail" [%v: spatial %[[M]], %w: spatial %[[N]]] =
// CHECK-SAME: (symbol(%[[M]]) * symbol(%[[N]])) floordiv 4
func.func @transpose(%A: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "C" [%v: spatial %m, %w: spatial %n] = (%j, %i) reads(%A[%w : 1, %v : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %A[%w, %v] : memref<?x?xf32>
        memref.store %a, %C[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}
