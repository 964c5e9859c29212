// RUN: lw-opt %s --sched-cache-inplace='block=B buffer=C scope=local' \
// RUN:   --sched-cache-inplace='block=D buffer=X scope=global' --sched-cache-inplace='block=W buffer=Y scope=shared' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter | FileCheck %s

module attributes {transform.with_named_sequence} {
// The updates of a reduction with a separate start.
// CHECK-LABEL: func.func @updates
// CHECK:        %C_local_temp_buffer = loop.buffer "C_local_temp_buffer" scope(local) : memref<64xf32>
// CHECK:        loop.for serial %cache_ax0 in 64 {
// CHECK-NEXT:     loop.block "C_local_temp_buffer" [%v0: spatial 64] = (%cache_ax0)
// CHECK-NEXT:         reads(%arg1[%v0 : 1]) writes(%C_local_temp_buffer[%v0 : 1]) {
// CHECK:        loop.block "B"
// CHECK-NEXT:     reads(%arg0[%v : 1, %vk : 1], %C_local_temp_buffer[%v : 1]) writes(%C_local_temp_buffer[%v : 1])
// CHECK:          memref.load %C_local_temp_buffer[%v]
// CHECK:          memref.store %{{.*}}, %C_local_temp_buffer[%v]
// CHECK:        loop.for serial %cache_ax0 in 64 {
// CHECK-NEXT:     loop.block "C_local_temp_buffer_back" [%v0: spatial 64] = (%cache_ax0)
// CHECK-NEXT:         reads(%C_local_temp_buffer[%v0 : 1]) writes(%arg1[%v0 : 1]) {
  func.func @updates(%A: memref<64x32xf32>, %C: memref<64xf32> {loop.name = "C"}) {
    loop.for serial %i in 64 {
      loop.for serial %k in 32 {
        loop.block "B" [%v: spatial 64, %vk: reduce 32] = (%i, %k) reads(%A[%v : 1, %vk : 1], %C[%v : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
          %a = memref.load %A[%v, %vk] : memref<64x32xf32>
          %c = memref.load %C[%v] : memref<64xf32>
          %s = arith.addf %c, %a : f32
          memref.store %s, %C[%v] : memref<64xf32>
        }
      }
    }
    return
  }

// Each element is computed from its neighbour: the box of all reads and writes, of any size.
// CHECK-LABEL: func.func @neighbours
// CHECK:        loop.buffer "X_global_temp_buffer" scope(global) (%{{.*}}) : memref<?xf32>
// CHECK:        loop.block "X_global_temp_buffer"
// CHECK:        loop.block "D"
// CHECK-NEXT:     reads(%X_global_temp_buffer[%v : 1]) writes(%X_global_temp_buffer[%v + 1 : 1])
// CHECK:        loop.block "X_global_temp_buffer_back"
  func.func @neighbours(%X: memref<?xf32> {loop.name = "X"}) {
    %c0 = arith.constant 0 : index
    %n = memref.dim %X, %c0 : memref<?xf32>
    loop.for serial %i in affine_map<()[s0] -> (s0 - 1)>()[%n] {
      loop.block "D" [%v: opaque %n - 1] = (%i) reads(%X[%v : 1]) writes(%X[%v + 1 : 1]) {
        %1 = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %x = memref.load %X[%v] : memref<?xf32>
        memref.store %x, %X[%1] : memref<?xf32>
      }
    }
    return
  }

// Each thread block has its own copy: the copies are in its loop, and copy only its row.
// CHECK-LABEL: func.func @rows
// CHECK:        loop.for thread_bind[blockIdx.x] %i in 8 {
// CHECK-NEXT:     loop.for serial %cache_ax0 in 1 {
// CHECK-NEXT:       loop.for serial %cache_ax1 in 16 {
// CHECK-NEXT:         loop.block "Y_shared_temp_buffer"
// CHECK:          loop.for serial %j in 16 {
// CHECK-NEXT:       loop.block "W"
// CHECK:          loop.for serial %cache_ax0 in 1 {
// CHECK-NEXT:       loop.for serial %cache_ax1 in 16 {
// CHECK-NEXT:         loop.block "Y_shared_temp_buffer_back"
  func.func @rows(%Y: memref<8x16xf32> {loop.name = "Y"}) {
    loop.for thread_bind[blockIdx.x] %i in 8 {
      loop.for serial %j in 16 {
        loop.block "W" [%v: spatial 8, %w: spatial 16] = (%i, %j) reads(%Y[%v : 1, %w : 1]) writes(%Y[%v : 1, %w : 1]) {
          %y = memref.load %Y[%v, %w] : memref<8x16xf32>
          %z = arith.addf %y, %y : f32
          memref.store %z, %Y[%v, %w] : memref<8x16xf32>
        }
      }
    }
    return
  }

  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.cache_inplace "B" in %f buffer "C" scope "local"
    transform.sched.cache_inplace "D" in %f buffer "X" scope "global"
    transform.sched.cache_inplace "W" in %f buffer "Y" scope "shared"
    transform.yield
  }
}
