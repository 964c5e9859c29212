// Where buffers are allocated.
// RUN: lw-opt %s --convert-loop-to-scf | FileCheck %s

// CHECK-LABEL: @of_the_function(
// CHECK:         %[[T:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK:         scf.parallel
// CHECK:           memref.store %{{.*}}, %[[T]]
// CHECK:         scf.parallel
// CHECK:           memref.load %[[T]]
func.func @of_the_function(%A: memref<4xf32>, %B: memref<4xf32>) {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for parallel %i in 4 {
    loop.block "T" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %T[%v] : memref<4xf32>
    }
  }
  loop.for parallel %i in 4 {
    loop.block "B" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %t = memref.load %T[%v] : memref<4xf32>
      memref.store %t, %B[%v] : memref<4xf32>
    }
  }
  return
}

// CHECK-LABEL: @of_a_parallel_loop(
// CHECK-NOT:     memref.alloc
// CHECK:         scf.parallel
// CHECK:           %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK:           memref.store %{{.*}}, %[[T]]
// CHECK:           memref.load %[[T]]
func.func @of_a_parallel_loop(%A: memref<4xf32>, %B: memref<4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.for parallel %i in 4 {
    loop.block "T" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %T[%v] : memref<4xf32>
    }
    loop.block "B" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %t = memref.load %T[%v] : memref<4xf32>
      memref.store %t, %B[%v] : memref<4xf32>
    }
  }
  return
}

// A thread block's buffer, with the requested alignment.
// CHECK-LABEL: @of_a_thread_block(
// CHECK:         scf.parallel
// CHECK:           memref.alloca() {alignment = 256 : i64} : memref<4xf32>
// CHECK:           scf.for
func.func @of_a_thread_block(%A: memref<8xf32>, %B: memref<8xf32>) {
  %T = loop.buffer "T" scope(shared) align(256) : memref<4xf32>
  loop.for thread_bind[blockIdx.x] %i in 2 {
    loop.for thread_bind[threadIdx.x] %j in 4 {
      loop.block "T" [%v: spatial 2, %w: spatial 4] = (%i, %j) reads(%A[%v * 4 + %w : 1]) writes(%T[%w : 1]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%v, %w)
        %a = memref.load %A[%at] : memref<8xf32>
        memref.store %a, %T[%w] : memref<4xf32>
      }
      loop.block "B" [%v: spatial 2, %w: spatial 4] = (%i, %j) reads(%T[%w : 1]) writes(%B[%v * 4 + %w : 1]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%v, %w)
        %t = memref.load %T[%w] : memref<4xf32>
        memref.store %t, %B[%at] : memref<8xf32>
      }
    }
  }
  return
}

// Without a parallel loop there is one buffer.
// CHECK-LABEL: @local_outside(
// CHECK:         %[[T:.*]] = memref.alloc() {alignment = 64 : i64}
// CHECK:         scf.for
// CHECK-NOT:       alloca
// CHECK:           memref.store %{{.*}}, %[[T]]
func.func @local_outside(%A: memref<4xf32>, %B: memref<4xf32>) {
  %T = loop.buffer "T" scope(local) align(16) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "T" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %T[%v] : memref<4xf32>
    }
    loop.block "B" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %t = memref.load %T[%v] : memref<4xf32>
      memref.store %t, %B[%v] : memref<4xf32>
    }
  }
  return
}

// Allocated before the loops, with dynamic sizes.
// CHECK-LABEL: @dynamic_size(
// CHECK-SAME:    %[[N:[^:]*]]: index
// CHECK:         %[[SIZE:.*]] = arith.addi %[[N]], %c2
// CHECK:         memref.alloc(%[[SIZE]]) {alignment = 64 : i64} : memref<?x4xf32>
func.func @dynamic_size(%n: index, %B: memref<?xf32>) {
  %T = loop.buffer "T" scope(global) (%n + 2) : memref<?x4xf32>
  loop.for serial %i in %n {
    loop.block "T" [%v: spatial %n] = (%i) writes(%T[%v : 1, 0 : 1]) {
      %c0 = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      memref.store %one, %T[%v, %c0] : memref<?x4xf32>
    }
  }
  return
}

// CHECK-LABEL: @unused(
// CHECK-NOT:     loop.buffer
// CHECK:         return
func.func @unused() {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  return
}

// Iterations of a parallel CPU loop are not thread blocks: they share `shared` buffers.
// CHECK-LABEL: @shared_in_parallel_loops(
// CHECK:         %[[T:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK:         scf.parallel
// CHECK:           memref.store %{{.*}}, %[[T]]
// CHECK:         scf.parallel
// CHECK:           memref.load %[[T]]
func.func @shared_in_parallel_loops(%A: memref<4xf32>, %B: memref<4xf32>) {
  %T = loop.buffer "T" scope(shared) : memref<4xf32>
  loop.for parallel %i in 4 {
    loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xf32>
      memref.store %a, %T[%v] : memref<4xf32>
    }
  }
  loop.for parallel %i in 4 {
    loop.block "Q" [%v: spatial 4] = (%i) reads(%T[-%v + 3 : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (3 - d0)>(%v)
      %t = memref.load %T[%0] : memref<4xf32>
      memref.store %t, %B[%v] : memref<4xf32>
    }
  }
  return
}

// An enclosing schedule block states the accesses in it, and allocates no buffer.
// CHECK-LABEL: @block_around(
// CHECK:         scf.parallel
// CHECK:           %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<4xf32>
// CHECK:           memref.store %{{.*}}, %[[T]]
func.func @block_around(%A: memref<4xf32>, %B: memref<4xf32>) {
  %T = loop.buffer "T" scope(local) : memref<4xf32>
  loop.block "around" [] = () reads(%A[0 : 4], %T[0 : 4]) writes(%T[0 : 4], %B[0 : 4]) {
    loop.for parallel %i in 4 {
      loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<4xf32>
        memref.store %a, %T[%v] : memref<4xf32>
      }
      loop.block "Q" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %t = memref.load %T[%v] : memref<4xf32>
        memref.store %t, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// Thread blocks that reduce together run serially and use one buffer; those that do not have private buffers.
// CHECK-LABEL: @in_turn_and_at_once(
// CHECK:         %[[ONE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1xi32>
// CHECK:         scf.parallel
// CHECK:           %[[OWN:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1xi32>
// CHECK:           memref.store %{{.*}}, %[[OWN]]
// CHECK:           memref.load %[[OWN]]
// CHECK:         scf.for
// CHECK:           memref.store %{{.*}}, %[[ONE]]
// CHECK:           memref.load %[[ONE]]
func.func @in_turn_and_at_once(%A: memref<4xi32>, %B: memref<4xi32>, %S: memref<i32>) {
  %T = loop.buffer "T" scope(local) : memref<1xi32>
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<4xi32>
      memref.store %a, %T[%c0] : memref<1xi32>
    }
    loop.block "Q" [%v: spatial 4] = (%i) reads(%T[0 : 1]) writes(%B[%v : 1]) {
      %c0 = arith.constant 0 : index
      %t = memref.load %T[%c0] : memref<1xi32>
      memref.store %t, %B[%v] : memref<4xi32>
    }
  }
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.block "R" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<4xi32>
      memref.store %a, %T[%c0] : memref<1xi32>
    }
    loop.block "S" [%v: reduce 4] = (%i) reads(%T[0 : 1]) writes(%S[]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %S[] : memref<i32>
      }
      %c0 = arith.constant 0 : index
      %t = memref.load %T[%c0] : memref<1xi32>
      %s = memref.load %S[] : memref<i32>
      %r = arith.addi %s, %t : i32
      memref.store %r, %S[] : memref<i32>
    }
  }
  return
}

// Thread blocks that reduce together run serially; a parallel loop inside belongs to one thread block, whose iterations
// share its buffer.
// CHECK-LABEL: @filled_in_parallel(
// CHECK-NEXT:    %[[T:.*]] = memref.alloc() {{.*}} : memref<8xf32>
// CHECK-NOT:     memref.alloca
// CHECK:         scf.for
// CHECK:           scf.parallel
// CHECK:             memref.store %{{.*}}, %[[T]]
// CHECK:           scf.for
// CHECK:             memref.load %[[T]]
func.func @filled_in_parallel(%A: memref<8x4xf32>, %B: memref<8xf32>) {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %j in 4 {
    loop.for parallel %p in 8 {
      loop.block "T" [%v: spatial 8, %w: spatial 4] = (%p, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v, %w] : memref<8x4xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
    loop.for serial %i in 8 {
      loop.block "B" [%v: spatial 8, %k: reduce 4] = (%i, %j) reads(%T[%v : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        %t = memref.load %T[%v] : memref<8xf32>
        %b = memref.load %B[%v] : memref<8xf32>
        %s = arith.addf %b, %t : f32
        memref.store %s, %B[%v] : memref<8xf32>
      }
    }
  }
  return
}
