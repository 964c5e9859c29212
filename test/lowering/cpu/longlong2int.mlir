// RUN: lw-opt %s --convert-loop-to-gpu --canonicalize --cse --longlong2int --canonicalize --cse --split-input-file \
// RUN:   | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --convert-loop-to-gpu --canonicalize --longlong2int --canonicalize \
// RUN:   --split-input-file -o /dev/null
// RUN: lw-opt %s --convert-loop-to-gpu --longlong2int --split-input-file --pass-report -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS
// RUN: lw-opt %s --convert-loop-to-gpu --longlong2int --split-input-file -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// All ranges are static: thread numbers, bounds and sums.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     scf.if
// CHECK:         gpu.launch_func @kernels::@rows_0
// CHECK:       gpu.func @rows_0(
// CHECK:         %[[B:.+]] = arith.index_cast %block_id_x : index to i32
// CHECK:         scf.for %[[K:.+]] = %c0_i32 to %c16_i32 step %c1_i32  : i32 {
// CHECK:         arith.muli %[[B]], %c512_i32 overflow<nsw> : i32
// CHECK:           %[[I:.+]] = arith.addi %{{.+}}, %[[K]] overflow<nsw> : i32
// CHECK:           %[[AT:.+]] = arith.index_cast %[[I]] : i32 to index
// CHECK:           memref.load %{{.+}}[%[[AT]]]
// COUNTS:      longlong2int {{.*}} changed, 1 kernels
func.func @rows(%A: memref<4096xf32>, %B: memref<4096xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 8 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.for serial %k in 16 {
        loop.block "B" [%v: spatial 4096] = ((%b * 32 + %t) * 16 + %k) reads(%A[%v : 1]) writes(%B[%v : 1]) {
          %a = memref.load %A[%v] : memref<4096xf32>
          memref.store %a, %B[%v] : memref<4096xf32>
        }
      }
    }
  }
  return
}

// -----

// Sizes are checked at run time: each of them, and the bytes of each buffer.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[N:.+]] = memref.dim %arg0
// CHECK:         arith.cmpi ule, %[[N]], %c2147483647
// CHECK:         %[[BYTES:.+]] = arith.muli %[[N]], %c4
// CHECK:         arith.cmpi ule, %[[BYTES]], %c2147483647
// CHECK:         scf.if
// CHECK-NEXT:      gpu.launch_func @kernels::@dynamic_0_i32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      gpu.launch_func @kernels::@dynamic_0 blocks
// CHECK:       gpu.func @dynamic_0_i32(
// CHECK:         arith.cmpi sge, %{{.+}}, %c0_i32 : i32
// CHECK:       gpu.func @dynamic_0(
// CHECK:         arith.cmpi sge, %{{.+}}, %c0 : index
// COUNTS:      longlong2int {{.*}} changed, 1 guarded
func.func @dynamic(%A: memref<?xf32>, %B: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for thread_bind[blockIdx.x] %b in affine_map<()[s0] -> (s0 ceildiv 64)>()[%n] {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "B" [%v: spatial %n] = (%b * 64 + %t) where (%n - %b * 64 - %t - 1 >= 0) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// A loop over the product of two sizes: each may be up to 2^15, so that the product fits.
// CHECK-LABEL: func.func @product(
// CHECK-COUNT-2: arith.cmpi ule, %{{.+}}, %c32768
// CHECK:         @product_0_i32
func.func @product(%A: memref<?x?xf32>, %B: memref<?x?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  loop.for thread_bind[blockIdx.x] %b in affine_map<()[s0, s1] -> ((s0 * s1) ceildiv 64)>()[%m, %n] {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "B" [%u: spatial %m, %v: spatial %n] = ((%b * 64 + %t) floordiv symbol(%n), (%b * 64 + %t) mod symbol(%n))
          where (symbol(%m) * symbol(%n) - %b * 64 - %t - 1 >= 0) reads(%A[%u : 1, %v : 1]) writes(%B[%u : 1, %v : 1]) {
        %a = memref.load %A[%u, %v] : memref<?x?xf32>
        memref.store %a, %B[%u, %v] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----

// (C2) An index that is 64-bit data; 32-bit data fits.
// REMARK: remark: indices keep 64 bits: the range of the result of 'arith.index_cast' is not known (C2)
// CHECK-LABEL: func.func @c2_data(
// CHECK:       gpu.func @c2_data_0(
// CHECK-NOT:     index to i32
// COUNTS:      longlong2int {{.*}} unchanged, 1 kernels, 1 left
func.func @c2_data(%A: memref<64xf32>, %I: memref<64xi64>, %J: memref<64xi32>, %B: memref<64xf32> {loop.result}, %C: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "B" [%v: spatial 64] = (%t) reads(%A[*], %I[%v : 1]) writes(%B[%v : 1]) {
      %i = memref.load %I[%v] : memref<64xi64>
      %c63 = arith.constant 63 : i64
      %m = arith.andi %i, %c63 : i64
      %at = arith.index_cast %m : i64 to index
      %a = memref.load %A[%at] : memref<64xf32>
      memref.store %a, %B[%v] : memref<64xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "C" [%v: spatial 64] = (%t) reads(%A[*], %J[%v : 1]) writes(%C[%v : 1]) {
      %i = memref.load %J[%v] : memref<64xi32>
      %c63 = arith.constant 63 : i32
      %m = arith.andi %i, %c63 : i32
      %at = arith.index_cast %m : i32 to index
      %a = memref.load %A[%at] : memref<64xf32>
      memref.store %a, %C[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// Bit operations on nonnegative numbers: only shifts can increase the number of bits.
// CHECK:       gpu.func @bits(
// CHECK:         arith.shrui %{{.+}} : i32
// CHECK:         arith.andi %{{.+}} : i32
// CHECK:         arith.shli %{{.+}} : i32
// CHECK:         arith.xori %{{.+}} : i32
// CHECK:         arith.ori %{{.+}} : i32
module attributes {gpu.container_module} {
  func.func @bits_of_threads(%A: memref<4096xf32>) {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    gpu.launch_func @kernels::@bits blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) args(%A : memref<4096xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @bits(%A: memref<4096xf32>) kernel {
      %zero = arith.constant 0.0 : f32
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %t = gpu.thread_id x
      %a = arith.shrui %t, %c3 : index
      %b = arith.andi %a, %c5 : index
      %c = arith.shli %b, %c3 : index
      %d = arith.xori %c, %t : index
      %e = arith.ori %d, %c3 : index
      %f = arith.shli %t, %c5 : index
      %g = arith.xori %f, %e : index
      memref.store %zero, %A[%g] : memref<4096xf32>
      gpu.return
    }
  }
}
