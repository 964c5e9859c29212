// RUN: lw-opt %s --sched-bind='loop=S0:i thread=threadIdx.x' --sched-bind='loop=grid:i thread=blockIdx.x' \
// RUN:   --sched-bind='loop=grid:j thread=threadIdx.y' --sched-bind='loop=grid:k thread=threadIdx.x' \
// RUN:   --sched-bind='loop=dynamic:i thread=blockIdx.z' --sched-bind='loop=interleaved:i thread=vthread' \
// RUN:   --sched-bind='loop=nested:i thread=vthread' --sched-bind='loop=nested:j thread=vthread' \
// RUN:   --sched-bind='loop=adds:i thread=vthread' --sched-bind='loop=stored:i thread=vthread' \
// RUN:   --sched-bind='loop=left:i thread=threadIdx.x' --sched-bind='loop=right:i thread=threadIdx.x' \
// RUN:   --sched-bind='loop=largest:i thread=blockIdx.x' \
// RUN:   --sched-bind='loop=shared:i thread=threadIdx.x' --sched-bind='loop=total:k thread=threadIdx.x' \
// RUN:   --sched-bind='loop=total:i thread=blockIdx.x' --sched-bind='loop=put:i thread=threadIdx.x' \
// RUN:   --sched-bind='loop=take:i thread=threadIdx.x' \
// RUN:   --sched-bind='loop=reads:i thread=threadIdx.x' | FileCheck %s

// The example of the source document.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for thread_bind[threadIdx.x] %i in 32 {
// CHECK-NEXT:     loop.for serial %j in 2 {
// CHECK-NEXT:       loop.block "S0" [%i0: spatial 32, %i1: spatial 2] = (%i, %j)
func.func @s0(%A: memref<32x2xf32>, %B: memref<32x2xf32>) {
  loop.for serial %i in 32 {
    loop.for serial %j in 2 {
      loop.block "S0" [%i0: spatial 32, %i1: spatial 2] = (%i, %j)
          reads(%A[%i0 : 1, %i1 : 1]) writes(%B[%i0 : 1, %i1 : 1]) {
        %0 = memref.load %A[%i0, %i1] : memref<32x2xf32>
        memref.store %0, %B[%i0, %i1] : memref<32x2xf32>
      }
    }
  }
  return
}

// The maximum number of threads of a thread block.
// CHECK-LABEL: func.func @bind_grid
// CHECK:        loop.for thread_bind[blockIdx.x] %i in 100 {
// CHECK-NEXT:     loop.for thread_bind[threadIdx.y] %j in 32 {
// CHECK-NEXT:       loop.for thread_bind[threadIdx.x] %k in 32 {
// CHECK-NEXT:         loop.block "grid" [%u: spatial 100, %v: spatial 32, %w: spatial 32] = (%i, %j, %k) {
func.func @bind_grid() {
  loop.for serial %i in 100 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "grid" [%u: spatial 100, %v: spatial 32, %w: spatial 32] = (%i, %j, %k) {}
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @bind_dynamic
// CHECK:        loop.for thread_bind[blockIdx.z] %i in %arg0 {
// CHECK-NEXT:     loop.block "dynamic" [%v: spatial %arg0] = (%i) {
func.func @bind_dynamic(%n: index) {
  loop.for serial %i in %n { loop.block "dynamic" [%v: spatial %n] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @bind_vthread
// CHECK:        loop.for thread_bind[vthread] %i in 2048 {
// CHECK-NEXT:     loop.block "interleaved" [%v: spatial 2048] = (%i) {
func.func @bind_vthread() {
  loop.for serial %i in 2048 { loop.block "interleaved" [%v: spatial 2048] = (%i) {} }
  return
}

// CHECK-LABEL: func.func @bind_nested_vthreads
// CHECK:        loop.for thread_bind[vthread] %i in 2 {
// CHECK-NEXT:     loop.for thread_bind[vthread] %j in 4 {
func.func @bind_nested_vthreads() {
  loop.for serial %i in 2 {
    loop.for serial %j in 4 {
      loop.block "nested" [%u: spatial 2, %v: spatial 4] = (%i, %j) {}
    }
  }
  return
}

// A thread runs all of its virtual threads, so it gives start values before them and reads their sums after them. The
// local buffer is used outside of the loop too, so all of them share it.
// CHECK-LABEL: func.func @bind_vthread_between
// CHECK:          loop.for serial %s in 4 {
// CHECK:          loop.for serial %k in 8 {
// CHECK-NEXT:       loop.for thread_bind[vthread] %i in 4 {
// CHECK:          loop.for serial %r in 4 {
func.func @bind_vthread_between(%A: memref<16x4x8xf32>, %B: memref<16x4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<16x4xf32>
  loop.for thread_bind[threadIdx.x] %t in 16 {
    loop.for serial %s in 4 {
      loop.block "starts" [%u: spatial 16, %v: spatial 4] = (%t, %s) writes(%T[%u : 1, %v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %T[%u, %v] : memref<16x4xf32>
      }
    }
    loop.for serial %k in 8 {
      loop.for serial %i in 4 {
        loop.block "adds" [%u: spatial 16, %v: spatial 4, %w: reduce 8] = (%t, %i, %k)
            reads(%A[%u : 1, %v : 1, %w : 1], %T[%u : 1, %v : 1]) writes(%T[%u : 1, %v : 1]) reducer(add, 0.0) {
          %a = memref.load %A[%u, %v, %w] : memref<16x4x8xf32>
          %x = memref.load %T[%u, %v] : memref<16x4xf32>
          %s = arith.addf %x, %a : f32
          memref.store %s, %T[%u, %v] : memref<16x4xf32>
        }
      }
    }
    loop.for serial %r in 4 {
      loop.block "results" [%u: spatial 16, %v: spatial 4] = (%t, %r) reads(%T[%u : 1, %v : 1]) writes(%B[%u : 1, %v : 1]) {
        %x = memref.load %T[%u, %v] : memref<16x4xf32>
        memref.store %x, %B[%u, %v] : memref<16x4xf32>
      }
    }
  }
  return
}

// A barrier in the loop: each virtual thread has cells of its own, also in other threads.
// CHECK-LABEL: func.func @bind_vthread_barrier
// CHECK:          loop.for thread_bind[vthread] %i in 2 {
func.func @bind_vthread_barrier(%A: memref<2x8xf32>, %B: memref<2x8xf32>) {
  %T = loop.buffer "T" scope(shared) : memref<2x8xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %i in 2 {
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "stored" [%u: spatial 2, %v: spatial 8] = (%i, %t) reads(%A[%u : 1, %v : 1]) writes(%T[%u : 1, %v : 1]) {
          %a = memref.load %A[%u, %v] : memref<2x8xf32>
          memref.store %a, %T[%u, %v] : memref<2x8xf32>
        }
      }
      loop.sync
      loop.for thread_bind[threadIdx.x] %t in 8 {
        loop.block "loaded" [%u: spatial 2, %v: spatial 8] = (%i, %t) reads(%T[%u : 1, -%v + 7 : 1]) writes(%B[%u : 1, %v : 1]) {
          %p = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
          %a = memref.load %T[%u, %p] : memref<2x8xf32>
          memref.store %a, %B[%u, %v] : memref<2x8xf32>
        }
      }
    }
  }
  return
}

// Consecutive nests run on the threads one after the other.
// CHECK-LABEL: func.func @bind_side_by_side
// CHECK:        loop.for serial %o in 2 {
// CHECK-NEXT:     loop.for thread_bind[threadIdx.x] %i in 1024 {
// CHECK-NEXT:       loop.block "left" [%v: spatial 2, %w: spatial 1024] = (%o, %i) {
// CHECK:          loop.for thread_bind[threadIdx.x] %i in 512 {
// CHECK-NEXT:       loop.block "right" [%v: spatial 2, %w: spatial 512] = (%o, %i) {
func.func @bind_side_by_side() {
  loop.for serial %o in 2 {
    loop.for serial %i in 1024 { loop.block "left" [%v: spatial 2, %w: spatial 1024] = (%o, %i) {} }
    loop.for serial %i in 512 { loop.block "right" [%v: spatial 2, %w: spatial 512] = (%o, %i) {} }
  }
  return
}

// CHECK-LABEL: func.func @bind_largest
// CHECK:        loop.for thread_bind[blockIdx.x] %i in 2147483647 {
// CHECK-NEXT:     loop.block "largest" [%v: spatial 2147483647] = (%i) {
func.func @bind_largest() {
  loop.for serial %i in 2147483647 { loop.block "largest" [%v: spatial 2147483647] = (%i) {} }
  return
}

// The threads of a block share the buffer.
// CHECK-LABEL: func.func @bind_threads_of_shared_buffer
// CHECK:        %T = loop.buffer "T" scope(shared) : memref<8xf32>
// CHECK-NEXT:   loop.for thread_bind[threadIdx.x] %i in 8 {
// CHECK-NEXT:     loop.block "shared" [%v: spatial 8] = (%i)
func.func @bind_threads_of_shared_buffer() {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "shared" [%v: spatial 8] = (%i) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %T[%v] : memref<8xf32>
    }
  }
  return
}

// Threads, and thread blocks, reduce together if the reduction is exact in any order.
// CHECK-LABEL: func.func @bind_reduction
// CHECK:        loop.for thread_bind[blockIdx.x] %i in 3 {
// CHECK-NEXT:     loop.for thread_bind[threadIdx.x] %k in 32 {
// CHECK-NEXT:       loop.block "total" [%v: reduce 3, %r: reduce 32] = (%i, %k)
func.func @bind_reduction(%A: memref<3x32xi32>, %B: memref<1xi32>) {
  loop.for serial %i in 3 {
    loop.for serial %k in 32 {
      loop.block "total" [%v: reduce 3, %r: reduce 32] = (%i, %k)
          reads(%A[%v : 1, %r : 1]) writes(%B[0 : 1]) reducer(add, 0) {
        loop.init {
          %c0 = arith.constant 0 : index
          %z = arith.constant 0 : i32
          memref.store %z, %B[%c0] : memref<1xi32>
        }
        %c0 = arith.constant 0 : index
        %a = memref.load %A[%v, %r] : memref<3x32xi32>
        %b = memref.load %B[%c0] : memref<1xi32>
        %c = arith.addi %b, %a : i32
        memref.store %c, %B[%c0] : memref<1xi32>
      }
    }
  }
  return
}

// A barrier separates the writes of one thread from the reads of another one, also from one iteration to the next.
// CHECK-LABEL: func.func @bind_around_barriers
// CHECK:        loop.for thread_bind[threadIdx.x] %i in 8 {
// CHECK-NEXT:     loop.block "put"
// CHECK:        loop.for thread_bind[threadIdx.x] %i in 8 {
// CHECK-NEXT:     loop.block "take"
func.func @bind_around_barriers(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  %S = loop.buffer "S" scope(shared) : memref<8xf32>
  loop.for serial %k in 4 {
    loop.for serial %i in 8 {
      loop.block "put" [%u: spatial 4, %v: spatial 8] = (%k, %i) reads(%A[%u : 1, %v : 1]) writes(%S[%v : 1]) {
        %a = memref.load %A[%u, %v] : memref<4x8xf32>
        memref.store %a, %S[%v] : memref<8xf32>
      }
    }
    loop.sync
    loop.for serial %i in 8 {
      loop.block "take" [%u: spatial 4, %v: spatial 8] = (%k, %i) reads(%S[7 - %v : 1]) writes(%B[%u : 1, %v : 1]) {
        %j = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
        %a = memref.load %S[%j] : memref<8xf32>
        memref.store %a, %B[%u, %v] : memref<4x8xf32>
      }
    }
    loop.sync
  }
  return
}

// Threads of %i overlap in %T, but each iteration has its own instance.
// CHECK-LABEL: func.func @own_parts_overlap
// CHECK:        loop.for thread_bind[threadIdx.x] %i in 4 {
func.func @own_parts_overlap(%A: memref<10xf32>, %B: memref<4x2xf32>) {
  %T = loop.buffer "T" scope(local) : memref<10xf32>
  loop.for serial %i in 4 {
    loop.for serial %w in 4 {
      loop.block "fills" [%v: spatial 10] = (%i * 2 + %w) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.for serial %r in 2 {
      loop.block "reads" [%v: spatial 4, %u: spatial 2] = (%i, %r)
          reads(%T[%v * 2 + %u * 2 : 1]) writes(%B[%v : 1, %u : 1]) {
        %p = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 * 2)>(%v, %u)
        %t = memref.load %T[%p] : memref<10xf32>
        memref.store %t, %B[%v, %u] : memref<4x2xf32>
      }
    }
  }
  return
}
