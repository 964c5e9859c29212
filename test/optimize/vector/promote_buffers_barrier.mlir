// Between the barriers of GPU threads, an element may belong to another thread.
// RUN: lw-opt %s --promote-buffers | FileCheck %s

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // One element of each thread is promoted, an aligned access stays aligned; all elements of a buffer that no other
    // thread accesses are promoted.
    // CHECK-LABEL: gpu.func @kept(
    // CHECK:         vector.load %arg0[%{{.*}}] {alignment = 16 : i64}
    // CHECK:         scf.for {{.*}} iter_args(
    // CHECK-NOT:       memref.load %alloca
    // CHECK:           gpu.barrier
    // CHECK:           scf.yield
    // CHECK:         vector.store %{{.*}}, %arg0[%{{.*}}] {alignment = 16 : i64}
    // CHECK:         gpu.return
    gpu.func @kept(%A: memref<64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0.0 : f32
      %l = memref.alloca() : memref<2xf32>
      %t = gpu.thread_id x
      %i = arith.muli %t, %c4 : index
      memref.store %zero, %l[%c0] : memref<2xf32>
      memref.store %zero, %l[%c1] : memref<2xf32>
      scf.for %k = %c0 to %c4 step %c1 {
        %v = vector.load %A[%i] {alignment = 16 : i64} : memref<64xf32>, vector<4xf32>
        %x = memref.load %l[%c0] : memref<2xf32>
        %y = memref.load %l[%c1] : memref<2xf32>
        gpu.barrier
        %s = arith.addf %x, %y : f32
        memref.store %s, %l[%c0] : memref<2xf32>
        memref.store %x, %l[%c1] : memref<2xf32>
        %b = vector.broadcast %s : f32 to vector<4xf32>
        %w = arith.addf %v, %b : vector<4xf32>
        vector.store %w, %A[%i] {alignment = 16 : i64} : memref<64xf32>, vector<4xf32>
      }
      gpu.return
    }

    // A thread reads what its neighbour writes.
    // CHECK-LABEL: gpu.func @neighbours(
    // CHECK:         scf.for
    // CHECK-NEXT:      %[[X:.*]] = memref.load
    // CHECK-NEXT:      gpu.barrier
    // CHECK-NEXT:      memref.store %[[X]]
    // CHECK-NEXT:      gpu.barrier
    // CHECK-NEXT:    }
    gpu.func @neighbours(%A: memref<64xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %t = gpu.thread_id x
      %next = arith.addi %t, %c1 : index
      scf.for %k = %c0 to %c4 step %c1 {
        %x = memref.load %A[%next] : memref<64xf32>
        gpu.barrier
        memref.store %x, %A[%t] : memref<64xf32>
        gpu.barrier
      }
      gpu.return
    }

    // A value stored before a barrier may have changed after it.
    // CHECK-LABEL: gpu.func @after_a_barrier(
    // CHECK:         memref.store %arg1, %arg0[%[[T:.*]]]
    // CHECK-NEXT:    gpu.barrier
    // CHECK-NEXT:    memref.store %arg2, %arg0[%{{.*}}]
    // CHECK-NEXT:    gpu.barrier
    // CHECK-NEXT:    %[[X:.*]] = memref.load %arg0[%[[T]]]
    // CHECK-NEXT:    gpu.barrier
    // CHECK-NEXT:    memref.store %[[X]]
    gpu.func @after_a_barrier(%A: memref<64xf32>, %x: f32, %y: f32) kernel {
      %c1 = arith.constant 1 : index
      %t = gpu.thread_id x
      %next = arith.addi %t, %c1 : index
      memref.store %x, %A[%t] : memref<64xf32>
      gpu.barrier
      memref.store %y, %A[%next] : memref<64xf32>
      gpu.barrier
      %z = memref.load %A[%t] : memref<64xf32>
      gpu.barrier
      memref.store %z, %A[%next] : memref<64xf32>
      gpu.return
    }
  }
}
