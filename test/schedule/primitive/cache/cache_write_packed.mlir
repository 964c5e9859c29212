// RUN: lw-opt %s --sched-cache-write='block=B buffer=B scope=global index_map="(i, j) -> (j, i floordiv 2, i mod 2)"' \
// RUN:   --sched-cache-write='block=S buffer=B scope=local index_map="(i)[n] -> (n - 1 - i)"' | FileCheck %s
// RUN: lw-opt %s --transform-interpreter='entry-point=steps' | FileCheck %s

// The computation writes tiles; the copy converts them to rows.
// CHECK-LABEL: func.func @tiles
// CHECK:         %B_global_temp_buffer = loop.buffer "B_global_temp_buffer" scope(global) : memref<6x3x2xf32>
// CHECK:         loop.block "B_global_temp_buffer"
// CHECK-NEXT:        writes(%B_global_temp_buffer[%w : 1, %v floordiv 2 : 1, %v mod 2 : 1])
// CHECK:         loop.block "B"
// CHECK-NEXT:        reads(%B_global_temp_buffer[%v1 : 1, %v0 floordiv 2 : 1, %v0 mod 2 : 1]) writes(%arg1[%v0 : 1, %v1 : 1])
func.func @tiles(%A: memref<5x6xf32>, %B: memref<5x6xf32> {loop.name = "B"}) {
  loop.for serial %i in 5 {
    loop.for serial %j in 6 {
      loop.block "B" [%v: spatial 5, %w: spatial 6] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<5x6xf32>
        memref.store %a, %B[%v, %w] : memref<5x6xf32>
      }
    }
  }
  return
}

// Start values and updates are in reverse order.
// CHECK-LABEL: func.func @sums
// CHECK:         loop.buffer "B_local_temp_buffer" scope(local) (%arg2) : memref<?xf32>
// CHECK:         loop.block "B_local_temp_buffer"
// CHECK:             writes(%B_local_temp_buffer[-%v + %arg2 - 1 : 1])
// CHECK:         loop.block "S"
// CHECK-NEXT:        reads(%B_local_temp_buffer[-%v0 + %arg2 - 1 : 1]) writes(%arg1[%v0 : 1])
func.func @sums(%A: memref<?x4xf32>, %B: memref<?xf32> {loop.name = "B"}, %n: index) {
  loop.for serial %i in %n {
    loop.for serial %k in 4 {
      loop.block "S" [%v: spatial %n, %vk: reduce 4] = (%i, %k) reads(%A[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<?xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<?x4xf32>
        %b = memref.load %B[%v] : memref<?xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @steps(%f: !transform.any_op) {
    transform.sched.cache_write "B" in %f buffer "B" scope "global" index_map "(i, j) -> (j, i floordiv 2, i mod 2)"
    transform.sched.cache_write "S" in %f buffer "B" scope "local" index_map "(i)[n] -> (n - 1 - i)"
    transform.yield
  }
}
