// Functions without a bound loop stay loops, whatever the PTX pipeline does to kernels.
// RUN: lw-opt %s --lw-nvptx-pipeline | FileCheck %s

// CHECK-LABEL: func.func @host(
// CHECK:         loop.block "B"
// CHECK:           reducer(max, 0xFF80)
// CHECK:         arith.maximumf %{{.*}} : bf16
// CHECK:       gpu.binary @kernels
func.func @host(%A: memref<8xbf16>, %B: memref<bf16>) {
  loop.for serial %i in 8 {
    loop.block "B" [%v: reduce 8] = (%i) reads(%A[%v : 1]) writes(%B[]) reducer(max, 0xFF80) {
      loop.init {
        %low = arith.constant 0xFF80 : bf16
        memref.store %low, %B[] : memref<bf16>
      }
      %a = memref.load %A[%v] : memref<8xbf16>
      %b = memref.load %B[] : memref<bf16>
      %m = arith.maximumf %b, %a : bf16
      memref.store %m, %B[] : memref<bf16>
    }
  }
  return
}

func.func @device(%A: memref<8xbf16>, %B: memref<8xbf16>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xbf16>
      %b = arith.addf %a, %a : bf16
      memref.store %b, %B[%v] : memref<8xbf16>
    }
  }
  return
}
