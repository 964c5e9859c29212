// RUN: lw-opt %s --sched-cache-read='block=B buffer=@weights scope=shared' \
// RUN:   --sched-cache-read='block=C buffer="@two words" scope=local' | FileCheck %s
// RUN: not lw-opt %s --sched-cache-read='block=B buffer=weights scope=shared' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//
// Constants are buffers named by their symbol.

// CHECK:      %[[W:.+]] = memref.get_global @weights
// CHECK:      loop.block "weights_shared_temp_buffer"
// CHECK:        memref.load %[[W]][%v0]
// CHECK:      loop.block "B"
// CHECK:        memref.load %weights_shared_temp_buffer[%v]
// CHECK:      loop.block "C"
// CHECK:        memref.load %buffer_local_temp_buffer[%v]

// UNKNOWN: [[#@LINE+4]]:1: error: {{.*}}there is no buffer "weights", there are "arg0", "arg1", "@weights", "@two words" (C2)
memref.global "private" constant @weights : memref<8xf32> = dense<1.0>
memref.global "private" constant @"two words" : memref<8xf32> = dense<2.0>

func.func @main(%B: memref<8xf32>, %C: memref<8xf32>) {
  %w = memref.get_global @weights : memref<8xf32>
  %x = memref.get_global @"two words" : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%w[%v : 1]) writes(%B[%v : 1]) {
      %0 = memref.load %w[%v] : memref<8xf32>
      memref.store %0, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%x[%v : 1]) writes(%C[%v : 1]) {
      %0 = memref.load %x[%v] : memref<8xf32>
      memref.store %0, %C[%v] : memref<8xf32>
    }
  }
  return
}
