// A barrier in a loop that may have no iterations may be needed, and stays.
// RUN: lw-run %s --no-schedule --input %S/Inputs/ten.npy --output y.npy
// RUN: lw-run %s --no-schedule --target sm_80 --device emulator --rtol 0 --atol 0 --input %S/Inputs/ten.npy --check y.npy \
// RUN:   2>&1 | FileCheck %s
// CHECK-NOT: remark
// CHECK:     max error 0.000e0 (bound 0.000e0): passed
func.func @main(%X: memref<?xf32>, %Y: memref<64xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %X, %c0 : memref<?xf32>
  %tile = loop.buffer "tile" scope(shared) : memref<64xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "fill" [%i: spatial 64] = (%t) writes(%tile[%i : 1]) {
        %j = arith.index_cast %i : index to i32
        %x = arith.sitofp %j : i32 to f32
        memref.store %x, %tile[%i] : memref<64xf32>
      }
      loop.for serial %k in %n {
        loop.sync
      }
      loop.block "reverse" [%i: spatial 64] = (%t) reads(%tile[63 - %i : 1]) writes(%Y[%i : 1]) {
        %k = affine.apply affine_map<(d0) -> (63 - d0)>(%i)
        %x = memref.load %tile[%k] : memref<64xf32>
        memref.store %x, %Y[%i] : memref<64xf32>
      }
    }
  }
  return
}
