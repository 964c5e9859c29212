// Partial results of a dynamic number of steps; only existing ones are written and read: each tile can have its
// own partial results and sums.
// RUN: lw-opt %s --transform-interpreter --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @written_as_far_as_read(
// CHECK-DAG:   loop.buffer "S" scope(local)
// CHECK-DAG:   loop.buffer "rf_S" scope(shared)
// CHECK:       loop.for thread_bind[blockIdx.x] %i.0
// CHECK-NEXT:    loop.for thread_bind[threadIdx.y] %rf_k.1 in 8
// CHECK:           loop.block "rf_S"
// CHECK:         loop.sync
// CHECK-NEXT:    loop.for thread_bind[threadIdx.x] %i.1 in 32
// CHECK:           loop.block "S" [%v: spatial %{{.*}}, %{{.*}}: reduce min(8, %{{.*}})]
// CHECK:           loop.block "B"
module attributes {transform.with_named_sequence} {
  func.func @written_as_far_as_read(%A: memref<?x?xf32> {loop.name = "A"}, %B: memref<?xf32> {loop.name = "B"})
      attributes {loop.fp = "reassoc"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %K = memref.dim %A, %c0 : memref<?x?xf32>
    %N = memref.dim %A, %c1 : memref<?x?xf32>
    %S = loop.buffer "S" scope(global) (%N) : memref<?xf32>
    loop.for serial %i in %N {
      loop.for serial %k in %K {
        loop.block "S" [%v: spatial %N, %w: reduce %K] = (%i, %k)
            reads(%A[%w : 1, %v : 1]) writes(%S[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %S[%v] : memref<?xf32>
          }
          %a = memref.load %A[%w, %v] : memref<?x?xf32>
          %s = memref.load %S[%v] : memref<?xf32>
          %r = arith.addf %s, %a : f32
          memref.store %r, %S[%v] : memref<?xf32>
        }
      }
    }
    loop.for serial %i in %N {
      loop.block "B" [%v: spatial %N] = (%i) reads(%S[%v : 1]) writes(%B[%v : 1]) {
        %s = memref.load %S[%v] : memref<?xf32>
        memref.store %s, %B[%v] : memref<?xf32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.split "S:i" in %f factors [-1, 32]
    transform.sched.split "S:k" in %f factors [-1, 8]
    transform.sched.rfactor "S:k.1" in %f
    transform.sched.reorder ["rf_S:i.0", "rf_S:rf_k.1", "rf_S:i.1", "rf_S:k.0"] in %f
    transform.sched.merge ["rf_S:i.0", "S:i.0"] in %f
    transform.sched.sync_threads "S:i.1" in %f
    transform.sched.set_scope "rf_S" in %f scope "shared"
    transform.sched.reverse_compute_at "B" in %f loop "S:i.1"
    transform.sched.set_scope "S" in %f scope "local"
    transform.sched.bind "rf_S:rf_k.1" in %f thread "threadIdx.y"
    transform.sched.bind "rf_S:i.1" in %f thread "threadIdx.x"
    transform.sched.bind "S:i.1" in %f thread "threadIdx.x"
    transform.sched.bind "S:i.0" in %f thread "blockIdx.x"
    transform.yield
  }
}

// -----

// The reader takes all rows, which may be fewer.
module attributes {transform.with_named_sequence} {
  func.func @read_further(%A: memref<?xf32> {loop.name = "A"}, %B: memref<4x8xf32> {loop.name = "B"}) {
    %c0 = arith.constant 0 : index
    %K = memref.dim %A, %c0 : memref<?xf32>
    %P = loop.buffer "P" scope(global) : memref<8xf32>
    // expected-error @+1 {{instances of schedule block "P" access "P", which it writes}}
    loop.for serial %t in 4 {
      loop.for serial %p in 8 {
        loop.for serial %k in affine_map<()[s0] -> (s0 ceildiv 8)>()[%K] {
          loop.block "P" [%v: spatial 8, %w: reduce %K ceildiv 8] = (%p, %k) where(%k * -8 - %p + symbol(%K) - 1 >= 0)
              reads(%A[%w * 8 + %v : 1]) writes(%P[%v : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %P[%v] : memref<8xf32>
            }
            %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%w, %v)
            %a = memref.load %A[%at] : memref<?xf32>
            %s = memref.load %P[%v] : memref<8xf32>
            %r = arith.addf %s, %a : f32
            memref.store %r, %P[%v] : memref<8xf32>
          }
        }
      }
      loop.for serial %p in 8 {
        loop.block "B" [%u: spatial 4, %v: spatial 8] = (%t, %p) reads(%P[%v : 1]) writes(%B[%u : 1, %v : 1]) {
          %s = memref.load %P[%v] : memref<8xf32>
          memref.store %s, %B[%u, %v] : memref<4x8xf32>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    transform.sched.set_scope "P" in %f scope "shared"
    // expected-note @+1 {{in this step of the script}}
    transform.sched.bind "B:t" in %f thread "blockIdx.x"
    transform.yield
  }
}
