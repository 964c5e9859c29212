// RUN: lw-opt %s --verify-each=numeric \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' | FileCheck %s
// RUN: lw-opt %s --pass-report -o /dev/null \
// RUN:     --pass-pipeline='builtin.module(gpu.module(gpu.func(swizzle-shared-buffers)))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS

module attributes {gpu.container_module} {

// A buffer without conflicts is unchanged.
// CHECK-LABEL: gpu.func @rows_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @rows_0 {{.*}} ms  unchanged
func.func @rows(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_rows::@rows_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_rows {
  gpu.func @rows_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%k, %t] : memref<32x32xf32>
    }
    gpu.return
  }
}

// Lanes that read the same word share one access.
// CHECK-LABEL: gpu.func @same_word_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @same_word_0 {{.*}} ms  unchanged
func.func @same_word(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_same_word::@same_word_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_same_word {
  gpu.func @same_word_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %S[%k, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%k, %t] : memref<32x32xf32>
    }
    gpu.return
  }
}

// (C1) The kernel does not state its number of threads.
// CHECK-LABEL: gpu.func @threads_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @threads_0 {{.*}} ms  unchanged
func.func @threads(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_threads::@threads_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_threads {
  gpu.func @threads_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %S[%t, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<32x32xf32>
    }
    gpu.return
  }
}

// (C2) The buffer has an alias, whose accesses would have to change too.
// CHECK-LABEL: gpu.func @view_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @view_0 {{.*}} ms  unchanged
func.func @view(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_view::@view_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_view {
  gpu.func @view_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %R = memref.cast %S : memref<32x32xf32, #gpu.address_space<workgroup>> to memref<?x32xf32, #gpu.address_space<workgroup>>
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %R[%t, %k] : memref<?x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<32x32xf32>
    }
    gpu.return
  }
}

// (C3) The rows that lanes read are unknown.
// CHECK-LABEL: gpu.func @from_memory_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @from_memory_0 {{.*}} ms  unchanged
func.func @from_memory(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_from_memory::@from_memory_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>)
  return
}
gpu.module @kernels_of_from_memory {
  gpu.func @from_memory_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %x = memref.load %A[%t, %k] : memref<32x32xf32>
      %i = arith.fptosi %x : f32 to i32
      %j = arith.index_cast %i : i32 to index
      %z = arith.muli %j, %c0 : index
      %r = arith.addi %t, %z : index
      %a = memref.load %S[%r, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %k] : memref<32x32xf32>
    }
    gpu.return
  }
}

// (C3) So are they if a host size is in the index: a shift by it may turn one conflict into another.
// CHECK-LABEL: gpu.func @size_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @size_0 {{.*}} ms  unchanged
func.func @size(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_size::@size_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>, %n : index)
  return
}
gpu.module @kernels_of_size {
  gpu.func @size_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%k, %t] : memref<32x32xf32>
      memref.store %a, %S[%k, %t] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    scf.for %k = %c0 to %c32 step %c1 {
      %i = arith.addi %k, %n : index
      %c = arith.remui %i, %c32 : index
      %a = memref.load %S[%t, %c] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %c] : memref<32x32xf32>
    }
    gpu.return
  }
}

// (C4) Diagonals have no conflicts, and would get some. The enclosing loop may run more often than columns are written.
// CHECK-LABEL: gpu.func @worse_where_it_counts_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @worse_where_it_counts_0 {{.*}} ms  unchanged
func.func @worse_where_it_counts(%A: memref<32x32xf32>, %B: memref<32x32xf32> {loop.result}, %n: index) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_worse_where_it_counts::@worse_where_it_counts_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x32xf32>, %B : memref<32x32xf32>, %n : index)
  return
}
gpu.module @kernels_of_worse_where_it_counts {
  gpu.func @worse_where_it_counts_0(%A: memref<32x32xf32>, %B: memref<32x32xf32>, %n: index)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %F: memref<11264xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c32 step %c1 {
      %a = memref.load %A[%t, %k] : memref<32x32xf32>
      memref.store %a, %S[%t, %k] : memref<32x32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %F[%t] : memref<11264xf32, #gpu.address_space<workgroup>>
    scf.for %k = %c0 to %n step %c1 {
      %i = arith.addi %k, %t : index
      %c = arith.remui %i, %c32 : index
      %a = memref.load %S[%t, %c] : memref<32x32xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %c] : memref<32x32xf32>
    }
    gpu.return
  }
}

// (C6) No power of two divides rows or elements, and the other buffer leaves no bytes for longer rows.
// CHECK-LABEL: gpu.func @no_room_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<33x33xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @no_room_0 {{.*}} ms  unchanged
func.func @no_room(%A: memref<32x33xf32>, %B: memref<32x33xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_no_room::@no_room_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%A : memref<32x33xf32>, %B : memref<32x33xf32>)
  return
}
gpu.module @kernels_of_no_room {
  gpu.func @no_room_0(%A: memref<32x33xf32>, %B: memref<32x33xf32>)
      workgroup(%S: memref<33x33xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %F: memref<11184xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c33 = arith.constant 33 : index
    %t = gpu.thread_id x
    scf.for %k = %c0 to %c33 step %c1 {
      %n = arith.muli %k, %c32 : index
      %m = arith.addi %n, %t : index
      %r = arith.divui %m, %c33 : index
      %c = arith.remui %m, %c33 : index
      %a = memref.load %A[%r, %c] : memref<32x33xf32>
      memref.store %a, %S[%r, %c] : memref<33x33xf32, #gpu.address_space<workgroup>>
    }
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %F[%t] : memref<11184xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    scf.for %k = %c0 to %c33 step %c1 {
      %f = arith.addi %k, %c33 : index
      %d = arith.subi %f, %t : index
      %c = arith.remui %d, %c33 : index
      %a = memref.load %S[%t, %c] : memref<33x33xf32, #gpu.address_space<workgroup>>
      memref.store %a, %B[%t, %c] : memref<32x33xf32>
    }
    gpu.return
  }
}

// (C7) A schedule has set the strides.
// CHECK-LABEL: gpu.func @aligned_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:     arith.xori
// COUNTS-DAG:      swizzle-shared-buffers  @aligned_0 {{.*}} ms  unchanged
func.func @aligned(%B: memref<32xf32> {loop.result}) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels_of_aligned::@aligned_0 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
      args(%B : memref<32xf32>)
  return
}
gpu.module @kernels_of_aligned {
  gpu.func @aligned_0(%B: memref<32xf32>)
      workgroup(%S: memref<32x32xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64, loop.storage_align})
      kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    memref.store %one, %S[%t, %c0] : memref<32x32xf32, #gpu.address_space<workgroup>>
    %s = memref.load %S[%t, %c0] : memref<32x32xf32, #gpu.address_space<workgroup>>
    memref.store %s, %B[%t] : memref<32xf32>
    gpu.return
  }
}
}
