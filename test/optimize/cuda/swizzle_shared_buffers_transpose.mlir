// RUN: lw-opt %s --verify-each=numeric \
// RUN:     --pass-pipeline='builtin.module(convert-loop-to-gpu,canonicalize,cse,gpu.module(gpu.func(swizzle-shared-buffers)))' \
// RUN:   | FileCheck %s
// RUN: lw-opt %s --pass-report --lw-nvptx-pipeline -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: lw-opt %s --lw-nvptx-pipeline | FileCheck %s --check-prefix=PTX
// RUN: lw-opt %s --lw-nvptx-pipeline=without=swizzle-shared-buffers | FileCheck %s --check-prefix=WITHOUT

// A tile in two dimensions through shared memory. Eight warps write its rows and read its columns, four times: 32
// requests of 1 wavefront, and 32 of 32. Both indices become 32-bit like others.
// CHECK-LABEL: gpu.func @transpose_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-DAG:     %[[X:.*]] = gpu.thread_id x
// CHECK:         %[[AT:.*]] = arith.xori %[[X]], %[[ROW:.*]] : index
// CHECK:         memref.store %{{.*}}, %[[S]][%[[ROW]], %[[AT]]]
// CHECK:         gpu.barrier
// CHECK:         %[[AT:.*]] = arith.xori %{{.*}}, %[[X]] : index
// CHECK:         memref.load %[[S]][%[[X]], %[[AT]]]
// COUNTS-DAG:    swizzle-shared-buffers @transpose_0 {{.*}} changed, 1 swizzled, 1056 before, 64 after
// COUNTS-DAG:    longlong2int {{.*}} changed, 1 kernels, 1 guarded
// PTX:           xor.b32
// WITHOUT-NOT:   xor.b
func.func @transpose(%A: memref<64x96xf32>, %B: memref<96x64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<32x32xf32>
  loop.for thread_bind[blockIdx.y] %i in 2 {
    loop.for thread_bind[blockIdx.x] %j in 3 {
      loop.for thread_bind[threadIdx.y] %y in 8 {
        loop.for thread_bind[threadIdx.x] %x in 32 {
          loop.for serial %k in 4 {
            loop.block "S" [%r: spatial 64, %c: spatial 96, %p: spatial 32, %q: spatial 32]
                = (%i * 32 + %k * 8 + %y, %j * 32 + %x, %k * 8 + %y, %x)
                reads(%A[%r : 1, %c : 1]) writes(%S[%p : 1, %q : 1]) {
              %a = memref.load %A[%r, %c] : memref<64x96xf32>
              memref.store %a, %S[%p, %q] : memref<32x32xf32>
            }
          }
          loop.sync
          loop.for serial %k in 4 {
            loop.block "B" [%r: spatial 64, %c: spatial 96, %p: spatial 32, %q: spatial 32]
                = (%i * 32 + %x, %j * 32 + %k * 8 + %y, %x, %k * 8 + %y)
                reads(%S[%p : 1, %q : 1]) writes(%B[%c : 1, %r : 1]) {
              %a = memref.load %S[%p, %q] : memref<32x32xf32>
              memref.store %a, %B[%c, %r] : memref<96x64xf32>
            }
          }
        }
      }
    }
  }
  return
}

// An image of dynamic sizes that are not multiples of the tile's: elements outside are not copied. Each of the six
// parts of the kernel, between which sizes decide, improves.
// CHECK-LABEL: gpu.func @any_size_0(
// CHECK:         arith.xori
// COUNTS-DAG:    swizzle-shared-buffers @any_size_0 {{.*}} changed, 1 swizzled, 6336 before, 384 after
func.func @any_size(%A: memref<?x?xf32>, %B: memref<?x?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  %S = loop.buffer "S" scope(shared) : memref<32x32xf32>
  loop.for thread_bind[blockIdx.y] %i in affine_map<()[s0] -> (s0 ceildiv 32)>()[%m] {
    loop.for thread_bind[blockIdx.x] %j in affine_map<()[s0] -> (s0 ceildiv 32)>()[%n] {
      loop.for thread_bind[threadIdx.y] %y in 8 {
        loop.for thread_bind[threadIdx.x] %x in 32 {
          loop.for serial %k in 4 {
            loop.block "S" [%r: spatial %m, %c: spatial %n, %p: spatial 32, %q: spatial 32]
                = (%i * 32 + %k * 8 + %y, %j * 32 + %x, %k * 8 + %y, %x)
                where(-%i * 32 - %k * 8 - %y + %m - 1 >= 0, -%j * 32 - %x + %n - 1 >= 0)
                reads(%A[%r : 1, %c : 1]) writes(%S[%p : 1, %q : 1]) {
              %a = memref.load %A[%r, %c] : memref<?x?xf32>
              memref.store %a, %S[%p, %q] : memref<32x32xf32>
            }
          }
          loop.sync
          loop.for serial %k in 4 {
            loop.block "B" [%r: spatial %m, %c: spatial %n, %p: spatial 32, %q: spatial 32]
                = (%i * 32 + %x, %j * 32 + %k * 8 + %y, %x, %k * 8 + %y)
                where(-%i * 32 - %x + %m - 1 >= 0, -%j * 32 - %k * 8 - %y + %n - 1 >= 0)
                reads(%S[%p : 1, %q : 1]) writes(%B[%c : 1, %r : 1]) {
              %a = memref.load %S[%p, %q] : memref<32x32xf32>
              memref.store %a, %B[%c, %r] : memref<?x?xf32>
            }
          }
        }
      }
    }
  }
  return
}
