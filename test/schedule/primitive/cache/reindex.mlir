// RUN: lw-opt %s --sched-reindex='block=B buffer=A scope=global' --sched-reindex='block=D buffer=D scope=local' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter | FileCheck %s

module attributes {transform.with_named_sequence} {
// Windows become rows.
// CHECK-LABEL: func.func @windows
// CHECK:        %A_global_temp_buffer = loop.buffer "A_global_temp_buffer" scope(global) : memref<64x3xf32>
// CHECK:        loop.for serial %cache_ax0 in 64 {
// CHECK-NEXT:     loop.for serial %cache_ax1 in 3 {
// CHECK-NEXT:       loop.block "A_global_temp_buffer" [%v0: spatial 64, %v1: spatial 3] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:           reads(%arg0[%v0 * 2 + %v1 : 1]) writes(%A_global_temp_buffer[%v0 : 1, %v1 : 1]) {
// CHECK:        loop.block "B"
// CHECK-NEXT:     reads(%A_global_temp_buffer[%v : 1, %vk : 1]) writes(%arg1[%v : 1])
// CHECK:          memref.load %A_global_temp_buffer[%v, %vk]
  func.func @windows(%A: memref<130xf32> {loop.name = "A"}, %B: memref<64xf32> {loop.name = "B"}) {
    loop.for serial %i in 64 {
      loop.for serial %k in 3 {
        loop.block "B" [%v: spatial 64, %vk: reduce 3] = (%i, %k) reads(%A[%v * 2 + %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%v] : memref<64xf32>
          }
          %0 = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%v, %vk)
          %a = memref.load %A[%0] : memref<130xf32>
          %b = memref.load %B[%v] : memref<64xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<64xf32>
        }
      }
    }
    return
  }

// Written elements are copied to their final index afterwards, for any sizes.
// CHECK-LABEL: func.func @scattered
// CHECK:        %D_local_temp_buffer = loop.buffer "D_local_temp_buffer" scope(local) (%dim, %dim_0) : memref<?x?xf32>
// CHECK:        loop.block "D_local_temp_buffer" [%v: spatial %dim, %w: spatial %dim_0] = (%i, %j)
// CHECK-NEXT:     reads(%arg0[%v : 1, %w : 1]) writes(%D_local_temp_buffer[%v : 1, %w : 1]) {
// CHECK:        loop.block "D" [%v0: spatial %dim, %v1: spatial %dim_0] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:     reads(%D_local_temp_buffer[%v0 : 1, %v1 : 1]) writes(%arg1[%v1 : 1, %v0 : 1]) {
  func.func @scattered(%C: memref<?x?xf32> {loop.name = "C"}, %D: memref<?x?xf32> {loop.name = "D"}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %n = memref.dim %C, %c0 : memref<?x?xf32>
    %m = memref.dim %C, %c1 : memref<?x?xf32>
    loop.for serial %i in %n {
      loop.for serial %j in %m {
        loop.block "D" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%C[%v : 1, %w : 1]) writes(%D[%w : 1, %v : 1]) {
          %c = memref.load %C[%v, %w] : memref<?x?xf32>
          memref.store %c, %D[%w, %v] : memref<?x?xf32>
        }
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.reindex "B" in %f buffer "A" scope "global"
    transform.sched.reindex "D" in %f buffer "D" scope "local"
    transform.yield
  }
}
