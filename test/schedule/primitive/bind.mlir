// RUN: lw-opt %s --sched-bind='loop=S0:i thread=threadIdx.x' --sched-bind='loop=grid:i thread=blockIdx.x' \
// RUN:   --sched-bind='loop=grid:j thread=threadIdx.y' --sched-bind='loop=grid:k thread=threadIdx.x' \
// RUN:   --sched-bind='loop=dynamic:i thread=blockIdx.z' --sched-bind='loop=interleaved:i thread=vthread' \
// RUN:   --sched-bind='loop=left:i thread=threadIdx.x' --sched-bind='loop=right:i thread=threadIdx.x' \
// RUN:   --sched-bind='loop=largest:i thread=blockIdx.x' \
// RUN:   --sched-bind='loop=shared:i thread=threadIdx.x' | FileCheck %s

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

// As many threads as a thread block can have.
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

// Nests next to one another have the threads one after the other.
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
