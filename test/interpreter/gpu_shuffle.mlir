// Execution of shuffles: the lanes of a warp meet; lanes that diverge or do not exist are an error.
// RUN: lw-run %s --entry modes --execute input --input %S/Inputs/iota32.npy --seed 1 --output %t.npy && lw-run %s --entry modes --execute input --input %S/Inputs/iota32.npy --check %t.npy --rtol 0 --atol 0 --seed 2 | FileCheck %s
// RUN: lw-run %s --entry reverse --execute input --input %S/Inputs/iota32.npy --check %S/Inputs/reversed32.npy --rtol 0 --atol 0 --seed 1 | FileCheck %s
// RUN: lw-run %s --entry reverse_by_warps --execute input --input %S/Inputs/iota32.npy --check %S/Inputs/reversed32.npy --rtol 0 --atol 0 --seed 1 | FileCheck %s
// CHECK: result 0: {{.*}}: passed
//
// RUN: not lw-run %s --entry some_lanes --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=SOME
// RUN: not lw-run %s --entry not_there --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=THERE
// RUN: not lw-run %s --entry beyond --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: not lw-run %s --entry no_lane --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=NO-LANE
// RUN: not lw-run %s --entry widths --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=WIDTHS
// RUN: not lw-run %s --entry bad_width --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not lw-run %s --entry loop_diverges --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=LOOP
// RUN: not lw-run %s --entry barrier_in_branch --execute input --input %S/Inputs/iota32.npy 2>&1 | FileCheck %s --check-prefix=BARRIER
// SOME: gpu_shuffle.mlir:{{.*}}error: {{.*}}shuffle divergence: lane 4 of warp 0 does not reach it, expected the first 32 lanes to take part
// THERE: error: {{.*}}shuffle divergence: lane 8 of warp 0 does not exist, expected the first 32 lanes to take part
// BEYOND: error: {{.*}}shuffle divergence: lane {{.*}} of a warp reaches it, expected only the first 8 lanes
// NO-LANE: error: {{.*}}result 0{{.*}}undefined
// WIDTHS: error: {{.*}}has widths {{.*}} in lanes of one warp
// WIDTH: error: {{.*}}has width 33, expected a width from 1 to 32
// LOOP: error: {{.*}}divergence
// BARRIER: error: {{.*}}barrier divergence

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // All modes: each lane ends with its initial value.
    gpu.func @modes(%x: memref<32xf32>, %y: memref<32xf32>) kernel attributes {known_block_size = array<i32: 8, 4, 1>} {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %w = arith.constant 32 : i32
      %one = arith.constant 1 : i32
      %five = arith.constant 5 : i32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %row = arith.muli %ty, %c8 : index
      %t = arith.addi %row, %tx : index
      %v = memref.load %x[%t] : memref<32xf32>
      %a, %p0 = gpu.shuffle xor %v, %five, %w : f32
      %b, %p1 = gpu.shuffle xor %a, %five, %w : f32
      %c, %p2 = gpu.shuffle down %b, %one, %w : f32
      %d, %p3 = gpu.shuffle up %c, %one, %w : f32
      // Lane 0 has no lane below it.
      %e = arith.select %p3, %d, %v : f32
      %t32 = arith.index_cast %t : index to i32
      %f, %p4 = gpu.shuffle idx %e, %t32, %w : f32
      memref.store %f, %y[%t] : memref<32xf32>
      gpu.return
    }
    // Reversed within each group of eight by the lanes of a small block; thread blocks are in reverse
    // order too.
    gpu.func @reverse(%x: memref<32xf32>, %y: memref<32xf32>) kernel attributes {known_block_size = array<i32: 8, 1, 1>} {
      %c3 = arith.constant 3 : index
      %c8 = arith.constant 8 : index
      %w = arith.constant 8 : i32
      %seven = arith.constant 7 : i32
      %b = gpu.block_id x
      %t = gpu.thread_id x
      %start = arith.muli %b, %c8 : index
      %from = arith.addi %start, %t : index
      %v = memref.load %x[%from] : memref<32xf32>
      %a, %p = gpu.shuffle xor %v, %seven, %w : f32
      %other = arith.subi %c3, %b : index
      %place = arith.muli %other, %c8 : index
      %to = arith.addi %place, %t : index
      memref.store %a, %y[%to] : memref<32xf32>
      gpu.return
    }
    // Whole warps diverge from each other, with loops of different trip counts.
    gpu.func @reverse_by_warps(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c31 = arith.constant 31 : index
      %c32 = arith.constant 32 : index
      %w = arith.constant 32 : i32
      %all = arith.constant 31 : i32
      %t = gpu.thread_id x
      %lane = arith.remui %t, %c32 : index
      %warp = arith.divui %t, %c32 : index
      %is_first = arith.cmpi eq, %warp, %c0 : index
      scf.if %is_first {
        %steps = arith.addi %warp, %c3 : index
        %v = memref.load %x[%lane] : memref<32xf32>
        %r = scf.for %i = %c0 to %steps step %c1 iter_args(%u = %v) -> (f32) {
          %a, %p = gpu.shuffle xor %u, %all, %w : f32
          scf.yield %a : f32
        }
        memref.store %r, %y[%lane] : memref<32xf32>
      }
      gpu.return
    }
    gpu.func @some_lanes(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %c4 = arith.constant 4 : index
      %w = arith.constant 32 : i32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %is_low = arith.cmpi slt, %t, %c4 : index
      scf.if %is_low {
        %a, %p = gpu.shuffle xor %v, %one, %w : f32
        memref.store %a, %y[%t] : memref<32xf32>
      }
      gpu.return
    }
    gpu.func @not_there(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %w = arith.constant 32 : i32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %a, %p = gpu.shuffle xor %v, %one, %w : f32
      memref.store %a, %y[%t] : memref<32xf32>
      gpu.return
    }
    gpu.func @beyond(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %w = arith.constant 8 : i32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %a, %p = gpu.shuffle xor %v, %one, %w : f32
      memref.store %a, %y[%t] : memref<32xf32>
      gpu.return
    }
    gpu.func @no_lane(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %w = arith.constant 32 : i32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %a, %p = gpu.shuffle down %v, %one, %w : f32
      memref.store %a, %y[%t] : memref<32xf32>
      gpu.return
    }
    gpu.func @widths(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %c16 = arith.constant 16 : index
      %w16 = arith.constant 16 : i32
      %w32 = arith.constant 32 : i32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %is_low = arith.cmpi slt, %t, %c16 : index
      %w = arith.select %is_low, %w16, %w32 : i32
      %v = memref.load %x[%t] : memref<32xf32>
      %a, %p = gpu.shuffle xor %v, %one, %w : f32
      memref.store %a, %y[%t] : memref<32xf32>
      gpu.return
    }
    gpu.func @bad_width(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %w = arith.constant 33 : i32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %a, %p = gpu.shuffle xor %v, %one, %w : f32
      memref.store %a, %y[%t] : memref<32xf32>
      gpu.return
    }
    gpu.func @loop_diverges(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %w = arith.constant 32 : i32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      scf.for %i = %c0 to %t step %c1 {
        %a, %p = gpu.shuffle xor %v, %one, %w : f32
        memref.store %a, %y[%t] : memref<32xf32>
      }
      gpu.return
    }
    // A branch with both: barriers must be reached by all threads.
    gpu.func @barrier_in_branch(%x: memref<32xf32>, %y: memref<32xf32>) kernel {
      %c16 = arith.constant 16 : index
      %w = arith.constant 16 : i32
      %one = arith.constant 1 : i32
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<32xf32>
      %is_low = arith.cmpi slt, %t, %c16 : index
      scf.if %is_low {
        %a, %p = gpu.shuffle xor %v, %one, %w : f32
        gpu.barrier
        memref.store %a, %y[%t] : memref<32xf32>
      }
      gpu.return
    }
  }

  func.func @modes(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@modes blocks in (%c1, %c1, %c1) threads in (%c8, %c4, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @reverse(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch_func @kernels::@reverse blocks in (%c4, %c1, %c1) threads in (%c8, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @reverse_by_warps(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 96 : index
    gpu.launch_func @kernels::@reverse_by_warps blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @some_lanes(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 32 : index
    gpu.launch_func @kernels::@some_lanes blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @not_there(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 8 : index
    gpu.launch_func @kernels::@not_there blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @beyond(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 32 : index
    gpu.launch_func @kernels::@beyond blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @no_lane(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 32 : index
    gpu.launch_func @kernels::@no_lane blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @widths(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 32 : index
    gpu.launch_func @kernels::@widths blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @bad_width(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 32 : index
    gpu.launch_func @kernels::@bad_width blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @loop_diverges(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 32 : index
    gpu.launch_func @kernels::@loop_diverges blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
  func.func @barrier_in_branch(%x: memref<32xf32>, %y: memref<32xf32> {loop.result}) {
    %c1 = arith.constant 1 : index
    %n = arith.constant 32 : index
    gpu.launch_func @kernels::@barrier_in_branch blocks in (%c1, %c1, %c1) threads in (%n, %c1, %c1) args(%x : memref<32xf32>, %y : memref<32xf32>)
    return
  }
}
