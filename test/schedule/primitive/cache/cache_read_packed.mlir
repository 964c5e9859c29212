// RUN: lw-opt %s --sched-cache-read='block=C buffer=B scope=global index_map="(k, j) -> (j floordiv 16, k, j mod 16)"' \
// RUN:   --sched-cache-read='block=D buffer=A scope=global index_map="(i, j)[n, m] -> (j * n + i)"' \
// RUN:   --sched-cache-read='block=W buffer=A scope=local index_map="(i) -> (i mod 2, i floordiv 2)"' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter='entry-point=steps' | FileCheck %s

// The right side of a matmul in panels of 16 columns, the last of which is padded.
// CHECK-LABEL: func.func @matmul
// CHECK:         %B_global_temp_buffer = loop.buffer "B_global_temp_buffer" scope(global) : memref<3x24x16xf32>
// CHECK:         loop.for serial %cache_ax0 in 24 {
// CHECK-NEXT:      loop.for serial %cache_ax1 in 40 {
// CHECK-NEXT:        loop.block "B_global_temp_buffer" [%v0: spatial 24, %v1: spatial 40] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:            reads(%arg1[%v0 : 1, %v1 : 1]) writes(%B_global_temp_buffer[%v1 floordiv 16 : 1, %v0 : 1, %v1 mod 16 : 1])
// CHECK:         loop.block "C"
// CHECK-NEXT:        reads(%arg0[%v : 1, %vk : 1], %B_global_temp_buffer[%w floordiv 16 : 1, %vk : 1, %w mod 16 : 1])
func.func @matmul(%A: memref<8x24xf32>, %B: memref<24x40xf32> {loop.name = "B"}, %C: memref<8x40xf32>) {
  loop.for serial %i in 8 {
    loop.for serial %j in 40 {
      loop.for serial %k in 24 {
        loop.block "C" [%v: spatial 8, %w: spatial 40, %vk: reduce 24] = (%i, %j, %k)
            reads(%A[%v : 1, %vk : 1], %B[%vk : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%v, %w] : memref<8x40xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<8x24xf32>
          %b = memref.load %B[%vk, %w] : memref<24x40xf32>
          %c = memref.load %C[%v, %w] : memref<8x40xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%v, %w] : memref<8x40xf32>
        }
      }
    }
  }
  return
}

// Column by column, for any sizes.
// CHECK-LABEL: func.func @dynamic
// CHECK:         loop.buffer "A_global_temp_buffer" scope(global) (symbol(%{{.*}}) * symbol(%{{.*}})) : memref<?xf32>
// CHECK:           writes(%A_global_temp_buffer[%v0 + %v1 * symbol(%[[N:.*]]) : 1])
// CHECK:         loop.block "D"
// CHECK-NEXT:        reads(%A_global_temp_buffer[%v + %w * symbol(%[[N]]) : 1])
func.func @dynamic(%A: memref<?x?xf32> {loop.name = "A"}, %B: memref<?x?xf32>, %n: index, %m: index) {
  loop.for serial %i in %n {
    loop.for serial %j in %m {
      loop.block "D" [%v: spatial %n, %w: spatial %m] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %a, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// The map is applied to the box that is copied: its first element is element 2 of the buffer.
// CHECK-LABEL: func.func @window
// CHECK:         loop.buffer "A_local_temp_buffer" scope(local) : memref<2x2xf32>
// CHECK:           reads(%arg0[%v0 + 2 : 1]) writes(%A_local_temp_buffer[%v0 mod 2 : 1, %v0 floordiv 2 : 1])
// CHECK:           reads(%A_local_temp_buffer[%v mod 2 : 1, %v floordiv 2 : 1])
func.func @window(%A: memref<8xf32> {loop.name = "A"}, %B: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "W" [%v: spatial 4] = (%i) reads(%A[%v + 2 : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %a = memref.load %A[%0] : memref<8xf32>
      memref.store %a, %B[%v] : memref<4xf32>
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @steps(%f: !transform.any_op) {
    transform.sched.cache_read "C" in %f buffer "B" scope "global" index_map "(k, j) -> (j floordiv 16, k, j mod 16)"
    transform.sched.cache_read "D" in %f buffer "A" scope "global" index_map "(i, j)[n, m] -> (j * n + i)"
    transform.sched.cache_read "W" in %f buffer "A" scope "local" index_map "(i) -> (i mod 2, i floordiv 2)"
    transform.yield
  }
}
