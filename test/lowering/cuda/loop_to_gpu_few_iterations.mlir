// RUN: lw-opt %s --convert-loop-to-gpu --canonicalize | FileCheck %s

// One thread runs a few iterations: extents that depend on each other have a bound too.
// CHECK-LABEL: @few_iterations(
// CHECK:         gpu.launch_func
// CHECK:         gpu.launch_func
func.func @few_iterations(%A: memref<64xf32>, %B: memref<64xf32>, %C: memref<6xf32>) {
  loop.for thread_bind[blockIdx.x] %i in 6 {
    loop.block "C" [%v: spatial 6] = (%i) writes(%C[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %C[%v] : memref<6xf32>
    }
  }
  loop.for serial %a in 2 {
    loop.for serial %b in affine_map<(d0) -> (d0 * -4 + 8)>(%a) {
      loop.for serial %c in affine_map<(d0, d1) -> (d0 * -8 - d1 + 16)>(%a, %b) {
        loop.block "B" [%v: spatial 64] = (%a * 32 + %b + %c) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %x = memref.load %A[%v] : memref<64xf32>
          memref.store %x, %B[%v] : memref<64xf32>
        }
      }
    }
  }
  return
}

// One of two branches of 600 iterations runs.
// CHECK-LABEL: @either_branch(
// CHECK:         gpu.launch_func
// CHECK:         gpu.launch_func
func.func @either_branch(%A: memref<600xf32>, %C: memref<6xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  loop.for thread_bind[blockIdx.x] %i in 6 {
    loop.block "C" [%v: spatial 6] = (%i) writes(%C[%v : 1]) { memref.store %zero, %C[%v] : memref<6xf32> }
  }
  loop.for serial %o in 1 {
    loop.if (symbol(%n) - 8 >= 0) {
      loop.for serial %a in 600 {
        loop.block "A" [%v: spatial 600] = (%a) writes(%A[%v : 1]) { memref.store %zero, %A[%v] : memref<600xf32> }
      }
    } else {
      loop.for serial %a in 600 {
        loop.block "B" [%v: spatial 600] = (%a) writes(%A[%v : 1]) { memref.store %zero, %A[%v] : memref<600xf32> }
      }
    }
  }
  return
}
