// RUN: lw-opt %s --skip-carried-barriers --pass-report 2>%t.report | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT <%t.report
// RUN: lw-opt %s --skip-carried-barriers --skip-carried-barriers | FileCheck %s
// RUN: lw-opt %s --skip-carried-barriers --verify-each=numeric --convert-loop-to-gpu
// RUN: lw-opt %s --lw-nvptx-pipeline | FileCheck %s --check-prefix=PTX
// REPORT-DAG: skip-carried-barriers  @last {{.*}} 1 skipped
// REPORT-DAG: skip-carried-barriers  @first {{.*}} 1 skipped
// REPORT-DAG: skip-carried-barriers  @unknown {{.*}} 1 skipped

// Elements are written, read by other threads, and overwritten, except after the last iteration. LLVM unrolls the loop.
// CHECK-LABEL: func.func @last
// CHECK:         loop.for serial %[[K:.*]] in 3
// CHECK:         loop.block "S"
// CHECK:         {{^ *}}loop.sync
// CHECK:         loop.block "B"
// CHECK:         loop.if (-%[[K]] + 1 >= 0) {
// CHECK-NEXT:      loop.sync
// PTX-LABEL: .entry last_0(
// PTX-COUNT-5: bar.sync
// PTX-NOT:     bar.sync
// PTX:       ret
func.func @last(%A: memref<3x64xf32>, %B: memref<3x64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for serial %k in 3 {
      loop.block "S" [%u: spatial 3, %v: spatial 64] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%u, %v] : memref<3x64xf32>
        memref.store %a, %S[%v] : memref<64xf32>
      }
      loop.sync
      loop.block "B" [%u: spatial 3, %v: spatial 64] = (%k, %t) reads(%S[63 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
        %i = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
        %a = memref.load %S[%i] : memref<64xf32>
        memref.store %a, %B[%u, %v] : memref<3x64xf32>
      }
      loop.sync
    }
  }
  return
}

// The same with the barrier at the start: not needed in the first iteration.
// CHECK-LABEL: func.func @first
// CHECK:         loop.for serial %[[K:.*]] in 3
// CHECK-NEXT:      loop.if (%[[K]] - 1 >= 0) {
// CHECK-NEXT:        loop.sync
// CHECK:         loop.block "S"
// CHECK:         {{^ *}}loop.sync
// CHECK:         loop.block "B"
// CHECK-NOT:     loop.sync
// CHECK:         return
// PTX-LABEL: .entry first_0(
// PTX-COUNT-5: bar.sync
// PTX-NOT:     bar.sync
// PTX:       ret
func.func @first(%A: memref<3x64xf32>, %B: memref<3x64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for serial %k in 3 {
      loop.sync
      loop.block "S" [%u: spatial 3, %v: spatial 64] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%u, %v] : memref<3x64xf32>
        memref.store %a, %S[%v] : memref<64xf32>
      }
      loop.sync
      loop.block "B" [%u: spatial 3, %v: spatial 64] = (%k, %t) reads(%S[63 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
        %i = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
        %a = memref.load %S[%i] : memref<64xf32>
        memref.store %a, %B[%u, %v] : memref<3x64xf32>
      }
    }
  }
  return
}

// A dynamic number of iterations.
// CHECK-LABEL: func.func @unknown
// CHECK:         loop.for serial %[[K:.*]] in %[[N:.*]] {
// CHECK:         loop.block "B"
// CHECK:         loop.if (-%[[K]] + symbol(%[[N]]) - 2 >= 0) {
// CHECK-NEXT:      loop.sync
func.func @unknown(%A: memref<?x64xf32>, %B: memref<?x64xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?x64xf32>
  %S = loop.buffer "S" scope(shared) : memref<64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for serial %k in %n {
      loop.block "S" [%u: spatial %n, %v: spatial 64] = (%k, %t) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%u, %v] : memref<?x64xf32>
        memref.store %a, %S[%v] : memref<64xf32>
      }
      loop.sync
      loop.block "B" [%u: spatial %n, %v: spatial 64] = (%k, %t) reads(%S[63 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
        %i = affine.apply affine_map<(d0) -> (63 - d0)>(%v)
        %a = memref.load %S[%i] : memref<64xf32>
        memref.store %a, %B[%u, %v] : memref<?x64xf32>
      }
      loop.sync
    }
  }
  return
}
