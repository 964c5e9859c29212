// RUN: lw-opt %s --verify-each=numeric \
// RUN:     --pass-pipeline='builtin.module(convert-loop-to-gpu,canonicalize,cse,gpu.module(gpu.func(merge-shared-memory)))' \
// RUN:   | FileCheck %s
// RUN: lw-opt %s --pass-report -o /dev/null \
// RUN:     --pass-pipeline='builtin.module(convert-loop-to-gpu,gpu.module(gpu.func(merge-shared-memory)))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS
// RUN: lw-opt %s --lw-nvptx-pipeline | FileCheck %s --check-prefix=PTX

// Values are passed around three times. A barrier separates the last use of "S" from the first use of "U"; "T" is
// live together with both.
// CHECK-LABEL: gpu.func @twice_0(
// CHECK-SAME:      workgroup(%[[ALL:.*]] : memref<256xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-DAG:     memref.view %[[ALL]][%c0{{.*}}][] : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK-DAG:     memref.view %[[ALL]][%c128{{.*}}][] : memref<256xi8, #gpu.address_space<workgroup>>
// CHECK-DAG:     memref.view %[[ALL]][%c0{{.*}}][] : memref<256xi8, #gpu.address_space<workgroup>>
// COUNTS-DAG:      merge-shared-memory  @twice_0 {{.*}} ms  changed, 3 buffers, 128 bytes
// PTX:           .shared .align 16 .b8 {{[^[]*}}[256]
func.func @twice(%A: memref<4x32xf32>, %B: memref<4x32xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<32xf32>
  %T = loop.buffer "T" scope(shared) : memref<32xf32>
  %U = loop.buffer "U" scope(shared) : memref<32xf32>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "S" [%v: spatial 4, %w: spatial 32] = (%b, %t) reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x32xf32>
        memref.store %a, %S[%w] : memref<32xf32>
      }
      loop.sync
      loop.block "T" [%w: spatial 32] = (%t) reads(%S[-%w + 31 : 1]) writes(%T[%w : 1]) {
        %i = affine.apply affine_map<(d0) -> (-d0 + 31)>(%w)
        %a = memref.load %S[%i] : memref<32xf32>
        %n = arith.negf %a : f32
        memref.store %n, %T[%w] : memref<32xf32>
      }
      loop.sync
      loop.block "U" [%w: spatial 32] = (%t) reads(%T[(%w + 5) mod 32 : 1]) writes(%U[%w : 1]) {
        %i = affine.apply affine_map<(d0) -> ((d0 + 5) mod 32)>(%w)
        %a = memref.load %T[%i] : memref<32xf32>
        memref.store %a, %U[%w] : memref<32xf32>
      }
      loop.sync
      loop.block "B" [%v: spatial 4, %w: spatial 32] = (%b, %t) reads(%U[(%w + 9) mod 32 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i = affine.apply affine_map<(d0) -> ((d0 + 9) mod 32)>(%w)
        %a = memref.load %U[%i] : memref<32xf32>
        memref.store %a, %B[%v, %w] : memref<4x32xf32>
      }
    }
  }
  return
}

// (C2) Without the barrier between them a thread may read "S" while another one writes "U".
// CHECK-LABEL: gpu.func @without_barrier_0(
// COUNTS-DAG:      merge-shared-memory  @without_barrier_0 {{.*}} ms  unchanged
func.func @without_barrier(%A: memref<4x32xf32>, %B: memref<4x32xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<32xf32>
  %T = loop.buffer "T" scope(shared) : memref<32xf32>
  %U = loop.buffer "U" scope(shared) : memref<32xf32>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.block "S" [%v: spatial 4, %w: spatial 32] = (%b, %t) reads(%A[%v : 1, %w : 1]) writes(%S[%w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x32xf32>
        memref.store %a, %S[%w] : memref<32xf32>
      }
      loop.sync
      loop.block "T" [%w: spatial 32] = (%t) reads(%S[-%w + 31 : 1]) writes(%T[%w : 1]) {
        %i = affine.apply affine_map<(d0) -> (-d0 + 31)>(%w)
        %a = memref.load %S[%i] : memref<32xf32>
        %n = arith.negf %a : f32
        memref.store %n, %T[%w] : memref<32xf32>
      }
      loop.block "U" [%w: spatial 32] = (%t) reads(%T[%w : 1]) writes(%U[%w : 1]) {
        %a = memref.load %T[%w] : memref<32xf32>
        memref.store %a, %U[%w] : memref<32xf32>
      }
      loop.sync
      loop.block "B" [%v: spatial 4, %w: spatial 32] = (%b, %t) reads(%U[(%w + 9) mod 32 : 1]) writes(%B[%v : 1, %w : 1]) {
        %i = affine.apply affine_map<(d0) -> ((d0 + 9) mod 32)>(%w)
        %a = memref.load %U[%i] : memref<32xf32>
        memref.store %a, %B[%v, %w] : memref<4x32xf32>
      }
    }
  }
  return
}

// (C1) A single buffer cannot be merged.
// CHECK-LABEL: gpu.func @one_0(
// CHECK-SAME:      workgroup(%{{.*}} : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     memref.view
// COUNTS-DAG:      merge-shared-memory  @one_0 {{.*}} ms  unchanged
func.func @one(%A: memref<32xf32>, %B: memref<32xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<32xf32>
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.block "S" [%w: spatial 32] = (%t) reads(%A[%w : 1]) writes(%S[%w : 1]) {
      %a = memref.load %A[%w] : memref<32xf32>
      memref.store %a, %S[%w] : memref<32xf32>
    }
    loop.sync
    loop.block "B" [%w: spatial 32] = (%t) reads(%S[-%w + 31 : 1]) writes(%B[%w : 1]) {
      %i = affine.apply affine_map<(d0) -> (-d0 + 31)>(%w)
      %a = memref.load %S[%i] : memref<32xf32>
      memref.store %a, %B[%w] : memref<32xf32>
    }
  }
  return
}
