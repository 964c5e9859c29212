// RUN: lw-opt %s '--sched-split=loop=C:i factors=-1,8' '--sched-split=loop=C:j factors=-1,32' '--sched-reorder=loops=C:i.0,C:j.0,C:k,C:i.1,C:j.1' '--sched-fuse=loops=C:i.0,C:j.0' '--sched-parallel=loop=C:i.0_j.0_fused' '--sched-unroll=loop=C:i.1' '--sched-vectorize=loop=C:j.1' -o %t.mlir
// RUN: lw-opt %t.mlir --loop-axes-to-schedule --sched-print-trace=script > %t.script.mlir
// RUN: FileCheck %s --input-file=%t.script.mlir
// RUN: lw-opt %s --sched-apply=%t.script.mlir | FileCheck %s --check-prefix=NEST
// RUN: lw-opt %t.mlir --loop-axes-to-schedule | FileCheck %s --check-prefix=NEST
// RUN: lw-opt %s '--sched-split=loop=C:i factors=-1,8' '--sched-split=loop=C:j factors=-1,32' '--sched-reorder=loops=C:i.0,C:j.0,C:i.1,C:j.1,C:k' '--sched-bind=loop=C:i.0 thread=blockIdx.y' '--sched-bind=loop=C:j.0 thread=blockIdx.x' '--sched-bind=loop=C:i.1 thread=threadIdx.y' '--sched-bind=loop=C:j.1 thread=threadIdx.x' -o %t.gpu.mlir
// RUN: lw-opt %t.gpu.mlir --loop-axes-to-schedule --sched-print-trace=script | FileCheck %s --check-prefix=GPU

// The axes of a nest, as steps that give the nest.
// CHECK: transform.sched.split "C:i" in %f factors [-1, 8] tail "guard"
// CHECK-NEXT: transform.sched.split "C:j" in %f factors [-1, 32]
// CHECK-NEXT: transform.sched.reorder ["C:i.0", "C:j.0", "C:i.1", "C:j.1", "C:k"] in %f
// CHECK-NEXT: transform.sched.fuse ["C:i.0", "C:j.0"] in %f
// CHECK-NEXT: transform.sched.reorder ["C:i.0_j.0_fused", "C:k", "C:i.1", "C:j.1"] in %f
// CHECK-NEXT: transform.sched.parallel "C:i.0_j.0_fused" in %f
// CHECK-NEXT: transform.sched.unroll "C:i.1" in %f
// CHECK-NEXT: transform.sched.vectorize "C:j.1" in %f
// CHECK-NEXT: transform.yield

// NEST: loop.for parallel %i.0_j.0_fused in 39 axis(merged from "i.0", "j.0") {
// NEST-NEXT: loop.for serial %k in 64 {
// NEST-NEXT: loop.for unroll %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// NEST-NEXT: loop.for vectorize %j.1 in 32 axis(tile_inner from "j" pair "j.0") {
// NEST-NEXT: loop.block "C" [%vi: spatial 100, %vj: spatial 96, %vk: reduce 64]
// NEST-SAME: = (%i.1 + (%i.0_j.0_fused floordiv 3) * 8, %j.1 + (%i.0_j.0_fused mod 3) * 32, %k)
// NEST-NEXT: where(

// Loops of the grid are bound one by one.
// GPU: transform.sched.split "C:i" in %f factors [-1, 8] tail "guard"
// GPU-NEXT: transform.sched.split "C:j" in %f factors [-1, 32]
// GPU-NEXT: transform.sched.reorder ["C:i.0", "C:j.0", "C:i.1", "C:j.1", "C:k"] in %f
// GPU-NEXT: transform.sched.bind "C:i.0" in %f thread "blockIdx.y"
// GPU-NEXT: transform.sched.bind "C:j.0" in %f thread "blockIdx.x"
// GPU-NEXT: transform.sched.bind "C:i.1" in %f thread "threadIdx.y"
// GPU-NEXT: transform.sched.bind "C:j.1" in %f thread "threadIdx.x"
// GPU-NEXT: transform.yield

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
