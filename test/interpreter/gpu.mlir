// Execution of kernels: threads from barrier to barrier in random order, each thread block with its own memory.
// RUN: lw-run %s --entry reverse --execute input --input %S/Inputs/iota32.npy --check %S/Inputs/reversed32.npy --rtol 0 --atol 0 --seed 1 | FileCheck %s
// RUN: lw-run %s --entry reverse --execute input --input %S/Inputs/iota32.npy --check %S/Inputs/reversed32.npy --rtol 0 --atol 0 --seed 2 | FileCheck %s
// CHECK: result 0: {{.*}}: passed
//
// RUN: not lw-run %s --entry no_barrier --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not lw-run %s --entry blocks_meet --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not lw-run %s --entry diverges --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=DIVERGES
// RUN: not lw-run %s --entry loop_diverges --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=DIVERGES
// RUN: not lw-run %s --entry undefined --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// RUN: not lw-run %s --entry other_block --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not lw-run %s --entry no_thread --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=NO-THREAD
// RACE: error: {{.*}}cell [{{[0-9]+}}] is {{.*}} by thread [{{[0-7]}}, 0, 0] and {{.*}} by thread [{{[0-7]}}, 0, 0], which are unordered
// BLOCKS: error: {{.*}}cell [0] is written by thread block [{{[0-3]}}, 0, 0] and written by thread block [{{[0-3]}}, 0, 0], which are unordered
// DIVERGES: error: {{.*}}barrier divergence: threads of one block do not reach the same barrier
// UNDEFINED: error: {{.*}}result 0{{.*}}undefined
// OTHER: error: {{.*}}has blocks of [4, 1, 1] threads, but the kernel is compiled for another block size
// NO-THREAD: error: {{.*}}has dimensions [0, 1, 1], expected positive ones

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // Reversed within each group of eight; thread blocks are in reverse order too.
    gpu.func @reverse(%x: memref<32xf32>, %y: memref<32xf32>)
        workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c7 = arith.constant 7 : index
      %c8 = arith.constant 8 : index
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %n = gpu.block_dim x
      %blocks = gpu.grid_dim x
      %start = arith.muli %b, %n : index
      %from = arith.addi %start, %t : index
      %a = memref.load %x[%from] : memref<32xf32>
      %back = arith.subi %c7, %t : index
      // Twice, so that threads carry values around a loop with barriers.
      %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %a) -> (f32) {
        memref.store %v, %s[%t] : memref<8xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %w = memref.load %s[%back] : memref<8xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %is_last = arith.cmpi eq, %i, %c1 : index
        %u = scf.if %is_last -> (f32) {
          gpu.barrier
          memref.store %w, %s[%t] : memref<8xf32, #gpu.address_space<workgroup>>
          gpu.barrier
          %z = memref.load %s[%back] : memref<8xf32, #gpu.address_space<workgroup>>
          gpu.barrier
          scf.yield %z : f32
        } else {
          scf.yield %w : f32
        }
        scf.yield %u : f32
      }
      %last = arith.subi %blocks, %c1 : index
      %other = arith.subi %last, %b : index
      %place = arith.muli %other, %c8 : index
      %to = arith.addi %place, %t : index
      memref.store %r, %y[%to] : memref<32xf32>
      gpu.return
    }
    gpu.func @no_barrier(%x: memref<32xf32>, %y: memref<32xf32>)
        workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %c7 = arith.constant 7 : index
      %t = gpu.thread_id x
      %a = memref.load %x[%t] : memref<32xf32>
      memref.store %a, %s[%t] : memref<8xf32, #gpu.address_space<workgroup>>
      %back = arith.subi %c7, %t : index
      %w = memref.load %s[%back] : memref<8xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%t] : memref<32xf32>
      gpu.return
    }
    gpu.func @blocks_meet(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %c0 = arith.constant 0 : index
      %t = gpu.thread_id x
      %is_first = arith.cmpi eq, %t, %c0 : index
      scf.if %is_first {
        %a = memref.load %x[%c0] : memref<32xf32>
        memref.store %a, %y[%c0] : memref<32xf32>
      }
      gpu.return
    }
    gpu.func @diverges(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %is_low = arith.cmpi slt, %t, %c4 : index
      scf.if %is_low {
        gpu.barrier
      }
      gpu.return
    }
    gpu.func @loop_diverges(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      scf.for %i = %c0 to %t step %c1 {
        gpu.barrier
      }
      gpu.return
    }
    gpu.func @undefined(%x: memref<32xf32>, %y: memref<32xf32>)
        workgroup(%s : memref<8xf32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %b = gpu.block_id x
      %c8 = arith.constant 8 : index
      %start = arith.muli %b, %c8 : index
      %to = arith.addi %start, %t : index
      %w = memref.load %s[%t] : memref<8xf32, #gpu.address_space<workgroup>>
      memref.store %w, %y[%to] : memref<32xf32>
      gpu.return
    }
  }

  func.func @reverse(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@reverse blocks in (%c4, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @no_barrier(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@no_barrier blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @blocks_meet(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@blocks_meet blocks in (%c4, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @diverges(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@diverges blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @loop_diverges(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@loop_diverges blocks in (%c1, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @undefined(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@undefined blocks in (%c4, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @other_block(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    gpu.launch_func @kernels::@reverse blocks in (%c1, %c1, %c1) threads in (%c4, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @no_thread(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@no_barrier blocks in (%c0, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
}
