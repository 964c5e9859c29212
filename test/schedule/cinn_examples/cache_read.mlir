// The source document's example of CacheRead: reads of A are replaced by reads of a copy in shared memory.
// RUN: lw-opt %s --sched-cache-read='block=B buffer=A scope=shared' -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
//
// The result equals that of the original function, to the last bit.
// RUN: lw-run %s --entry fill --output %t.in.npy
// RUN: lw-run %s --input %t.in.npy --output %t.out.npy
// RUN: lw-run %t.mlir --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0
// RUN: lw-run %t.mlir --target x86 --input %t.in.npy --check %t.out.npy --rtol 0 --atol 0

// CHECK-LABEL:  func.func @main(%arg0: memref<32x32xf32> {loop.name = "A"}, %arg1: memref<32x32x16xf32> {loop.name = "B", loop.result}) {
// CHECK-NEXT:    %A_shared_temp_buffer = loop.buffer "A_shared_temp_buffer" scope(shared) : memref<32x32xf32>
// CHECK-NEXT:    loop.for serial %cache_ax0 in 32 {
// CHECK-NEXT:      loop.for serial %cache_ax1 in 32 {
// CHECK-NEXT:        loop.block "A_shared_temp_buffer" [%v0: spatial 32, %v1: spatial 32] = (%cache_ax0, %cache_ax1)
// CHECK-NEXT:            reads(%arg0[%v0 : 1, %v1 : 1]) writes(%A_shared_temp_buffer[%v0 : 1, %v1 : 1]) {
// CHECK-NEXT:          %0 = memref.load %arg0[%v0, %v1] : memref<32x32xf32>
// CHECK-NEXT:          memref.store %0, %A_shared_temp_buffer[%v0, %v1] : memref<32x32xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.for serial %i in 32 {
// CHECK-NEXT:      loop.for serial %j in 32 {
// CHECK-NEXT:        loop.for serial %k in 16 {
// CHECK-NEXT:          loop.block "B" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 16] = (%i, %j, %k)
// CHECK-NEXT:              reads(%A_shared_temp_buffer[%i0 : 1, %i1 : 1]) writes(%arg1[%i0 : 1, %i1 : 1, %i2 : 1]) {
// CHECK-NEXT:            %0 = memref.load %A_shared_temp_buffer[%i0, %i1] : memref<32x32xf32>
// CHECK-NEXT:            memref.store %0, %arg1[%i0, %i1, %i2] : memref<32x32x16xf32>
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @main(%A: memref<32x32xf32> {loop.name = "A"}, %B: memref<32x32x16xf32> {loop.name = "B", loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 16 {
        loop.block "B" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 16] = (%i, %j, %k)
            reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %0 = memref.load %A[%i0, %i1] : memref<32x32xf32>
          memref.store %0, %B[%i0, %i1, %i2] : memref<32x32x16xf32>
        }
      }
    }
  }
  return
}

func.func @fill(%A: memref<32x32xf32> {loop.result}) {
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.block "fill" [%v0: spatial 32, %v1: spatial 32] = (%i, %j)
          writes(%A[%v0 : 1, %v1 : 1]) {
        %n = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%v0, %v1)
        %whole = arith.index_cast %n : index to i32
        %f = arith.sitofp %whole : i32 to f32
        memref.store %f, %A[%v0, %v1] : memref<32x32xf32>
      }
    }
  }
  return
}
