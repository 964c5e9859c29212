// The source document's example of CacheWrite: B is computed in shared memory and copied. In this dialect the start of
// a reduction is a 'loop.init' of its block and not a separate block; names are those of the source.
// RUN: lw-opt %s --sched-cache-write='block=B buffer=B scope=shared' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
//
// The result equals that of the original function, to the last bit.
// RUN: lw-run %s --entry fill --output %t.in.npy
// RUN: lw-run %s --input %t.in.npy --output %t.out.npy
// RUN: lw-run %t.mlir --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --target x86 --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0

// CHECK-LABEL:  func.func @main(%arg0: memref<64x32x32xf32> {loop.name = "A"}, %arg1: memref<64x32xf32> {loop.name = "B", loop.result}) {
// CHECK-NEXT:    %B_shared_temp_buffer = loop.buffer "B_shared_temp_buffer" scope(shared) : memref<64x32xf32>
// CHECK-NEXT:    loop.for serial %i in 64 {
// CHECK-NEXT:      loop.for serial %j in 32 {
// CHECK-NEXT:        loop.for serial %k0 in 32 {
// CHECK-NEXT:          loop.block "B_shared_temp_buffer" [%i0: spatial 64, %i1: spatial 32, %i2: reduce 32] = (%i, %j, %k0)
// CHECK-NEXT:              reads(%arg0[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B_shared_temp_buffer[%i0 : 1, %i1 : 1])
// CHECK-NEXT:              reducer(add, 0.000000e+00) {
// CHECK-NEXT:            loop.init {
// CHECK-NEXT:              %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:              memref.store %cst, %B_shared_temp_buffer[%i0, %i1] : memref<64x32xf32>
// CHECK-NEXT:            }
// CHECK-NEXT:            %0 = memref.load %arg0[%i0, %i1, %i2] : memref<64x32x32xf32>
// CHECK-NEXT:            %1 = memref.load %B_shared_temp_buffer[%i0, %i1] : memref<64x32xf32>
// CHECK-NEXT:            %2 = arith.addf %1, %0 : f32
// CHECK-NEXT:            memref.store %2, %B_shared_temp_buffer[%i0, %i1] : memref<64x32xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.for serial %cache_ax0 in 64 {
// CHECK-NEXT:      loop.for serial %cache_ax1 in 32 {
// CHECK-NEXT:        loop.block "B" [%v0: spatial 64, %v1: spatial 32] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:            reads(%B_shared_temp_buffer[%v0 : 1, %v1 : 1]) writes(%arg1[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:          %0 = memref.load %B_shared_temp_buffer[%v0, %v1] : memref<64x32xf32>
// CHECK-NEXT:          memref.store %0, %arg1[%v0, %v1] : memref<64x32xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @main(%A: memref<64x32x32xf32> {loop.name = "A"}, %B: memref<64x32xf32> {loop.name = "B", loop.result}) {
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.for serial %k0 in 32 {
        loop.block "B" [%i0: spatial 64, %i1: spatial 32, %i2: reduce 32] = (%i, %j, %k0)
            reads(%A[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1, %i1 : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %B[%i0, %i1] : memref<64x32xf32>
          }
          %a = memref.load %A[%i0, %i1, %i2] : memref<64x32x32xf32>
          %b = memref.load %B[%i0, %i1] : memref<64x32xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%i0, %i1] : memref<64x32xf32>
        }
      }
    }
  }
  return
}

func.func @fill(%A: memref<64x32x32xf32> {loop.result}) {
  loop.for serial %i in 64 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "fill" [%v0: spatial 64, %v1: spatial 32, %v2: spatial 32] = (%i, %j, %k)
            writes(%A[%v0 : 1, %v1 : 1, %v2 : 1]) {
          %n = affine.apply affine_map<(d0, d1, d2) -> ((d0 * 1024 + d1 * 32 + d2) mod 1021)>(%v0, %v1, %v2)
          %whole = arith.index_cast %n : index to i32
          %f = arith.sitofp %whole : i32 to f32
          memref.store %f, %A[%v0, %v1, %v2] : memref<64x32x32xf32>
        }
      }
    }
  }
  return
}
