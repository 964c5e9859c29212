// The sizes of a launch: what is known before it, the larger one of two loops on one axis, and at least one block.
// RUN: lw-opt %s --convert-loop-to-gpu --canonicalize --split-input-file --verify-diagnostics | FileCheck %s

// An extent of an argument is computed before the launch. A dynamic grid has at least one block.
// CHECK-LABEL: func.func @argument(
// CHECK-SAME:    %[[N:[a-z0-9]+]]: index
// CHECK:         %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         %[[BLOCKS:.*]] = arith.maxsi %[[N]], %[[ONE]]
// CHECK:         gpu.launch_func @{{.*}} blocks in (%[[BLOCKS]], %[[ONE]], %[[ONE]])
func.func @argument(%n: index, %A: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for thread_bind[blockIdx.x] %i in affine_map<()[s0] -> (s0)>()[%n] {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) { memref.store %zero, %A[%v] : memref<?xf32> }
  }
  return
}

// -----

// Two loops of 6 and 4 iterations share an axis: the launch has 6 threads.
// CHECK-LABEL: func.func @larger(
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[SIX:.*]] = arith.constant 6 : index
// CHECK:         gpu.launch_func @{{.*}} blocks in (%[[TWO]], {{.*}} threads in (%[[SIX]],
func.func @larger(%A: memref<2x4xf32>, %B: memref<2x6xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for thread_bind[blockIdx.x] %i in 2 {
    loop.for thread_bind[threadIdx.x] %j in 4 {
      loop.block "A" [%v: spatial 2, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) { memref.store %zero, %A[%v, %w] : memref<2x4xf32> }
    }
    loop.for thread_bind[threadIdx.x] %j in 6 {
      loop.block "B" [%v: spatial 2, %w: spatial 6] = (%i, %j) writes(%B[%v : 1, %w : 1]) { memref.store %zero, %B[%v, %w] : memref<2x6xf32> }
    }
  }
  return
}

// -----

// An extent that only an enclosing loop knows.
func.func @inside(%n: index, %A: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for thread_bind[blockIdx.x] %i in affine_map<()[s0] -> (s0)>()[%n] {
    // expected-error@+1 {{"j" is bound to blockIdx.y and its extent depends on enclosing loops, expected an extent that is known before the launch (C7)}}
    loop.for thread_bind[blockIdx.y] %j in affine_map<(d0)[s0] -> (s0 - d0)>(%i)[%n] {
      loop.block "A" [%v: spatial 8, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1]) { memref.store %zero, %A[%v, %w] : memref<8x8xf32> }
    }
  }
  return
}
