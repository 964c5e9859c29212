// RUN: not lw-run %s --entry no_barrier 2>&1 | FileCheck %s --check-prefix=BARRIER
// RUN: not lw-run %s --entry parallel_sum 2>&1 | FileCheck %s --check-prefix=PARALLEL
// RUN: not lw-run %s --entry read_while_updated 2>&1 | FileCheck %s --check-prefix=UPDATED
// RUN: not lw-run %s --entry written_while_updated 2>&1 | FileCheck %s --check-prefix=WRITTEN
// RUN: not lw-run %s --entry second_parallel --seed 8 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not lw-run %s --entry second_parallel --seed 13 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not lw-run %s --entry vthreads 2>&1 | FileCheck %s --check-prefix=VTHREADS
// RUN: not lw-run %s --entry vthread_barrier 2>&1 | FileCheck %s --check-prefix=VTHREAD-BARRIER
// RUN: not lw-run %s --entry vthread_own 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: not lw-run %s --entry blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not lw-run %s --entry lanes 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not lw-run %s --entry divergence 2>&1 | FileCheck %s --check-prefix=DIVERGENCE
// RUN: not lw-run %s --entry divergent_extent 2>&1 | FileCheck %s --check-prefix=DIVERGENCE
// RUN: not lw-run %s --entry late_init 2>&1 | FileCheck %s --check-prefix=INIT
// RUN: not lw-run %s --entry domain 2>&1 | FileCheck %s --check-prefix=DOMAIN
// RUN: not lw-run %s --entry bounds 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not lw-run %s --entry undefined 2>&1 | FileCheck %s --check-prefix=UNDEFINED
// RUN: not lw-run %s --entry division 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not lw-run %s --entry parallel_barrier 2>&1 | FileCheck %s --check-prefix=SERIAL
// RUN: not lw-run %s --entry endless --max-iterations 1000 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not lw-run %s --entry too_wide 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not lw-run %s --entry unwritten 2>&1 | FileCheck %s --check-prefix=UNWRITTEN

// BARRIER: nest_refused.mlir:[[#]]:{{[0-9]+}}: error: conflict on s[{{[0-9]}}]: {{written by "in"|read by "out"}} at (t={{[0-9]}}) and {{written by "in"|read by "out"}} at (t={{[0-9]}}), which are unordered
func.func @no_barrier(%out: memref<8xf32> {loop.result}) {
  %s = loop.buffer "s" scope(shared) : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.block "in" [%v: spatial 8] = (%t) writes(%s[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %s[%v] : memref<8xf32>
    }
    loop.block "out" [%v: spatial 8] = (%t) reads(%s[0 : 8]) writes(%out[%v : 1]) {
      %from = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %x = memref.load %s[%from] : memref<8xf32>
      memref.store %x, %out[%v] : memref<8xf32>
    }
  }
  return
}

// PARALLEL: error: conflict on out[0]: written by "sum" at (i={{[0-3]}}) and read by "sum" at (i={{[0-3]}}), which are unordered
func.func @parallel_sum(%out: memref<1xf32> {loop.result, loop.name = "out"}) {
  loop.block "start" [%z: spatial 1] = (0) writes(%out[%z : 1]) {
    %x = arith.constant 0.0 : f32
    memref.store %x, %out[%z] : memref<1xf32>
  }
  loop.for parallel %i in 4 {
    loop.block "sum" [%z: spatial 1, %k: reduce 4] = (0, %i) reads(%out[%z : 1]) writes(%out[%z : 1]) reducer(add, 0.0) {
      %one = arith.constant 1.0 : f32
      %o = memref.load %out[%z] : memref<1xf32>
      %n = arith.addf %o, %one : f32
      memref.store %n, %out[%z] : memref<1xf32>
    }
  }
  return
}

// Atomic updates are not ordered with concurrent reads and writes, whichever comes first.
// UPDATED: error: conflict on out[0]: {{written by "sum"|read by "out"}} at (i={{[0-3]}}) and {{written by "sum"|read by "out"}} at (i={{[0-3]}}), which are unordered
func.func @read_while_updated(%out: memref<1xf32> {loop.result, loop.name = "out"}, %now: memref<4xf32> {loop.result}) {
  loop.block "start" [%z: spatial 1] = (0) writes(%out[%z : 1]) {
    %x = arith.constant 0.0 : f32
    memref.store %x, %out[%z] : memref<1xf32>
  }
  loop.for parallel %i in 4 {
    loop.block "sum" [%z: spatial 1, %k: reduce 4] = (0, %i) reads(%out[%z : 1]) writes(%out[%z : 1]) reducer(add, 0.0) attributes {loop.annotations = {atomic = true}} {
      %one = arith.constant 1.0 : f32
      %o = memref.load %out[%z] : memref<1xf32>
      %n = arith.addf %o, %one : f32
      memref.store %n, %out[%z] : memref<1xf32>
    }
    loop.block "out" [%z: spatial 1, %v: spatial 4] = (0, %i) reads(%out[%z : 1]) writes(%now[%v : 1]) {
      %o = memref.load %out[%z] : memref<1xf32>
      memref.store %o, %now[%v] : memref<4xf32>
    }
  }
  return
}

// WRITTEN: error: conflict on out[0]: written by {{"sum"|"out"}} at (i={{[0-3]}}) and written by {{"sum"|"out"}} at (i={{[0-3]}}), which are unordered
func.func @written_while_updated(%out: memref<1xf32> {loop.result, loop.name = "out"}) {
  loop.block "start" [%z: spatial 1] = (0) writes(%out[%z : 1]) {
    %x = arith.constant 0.0 : f32
    memref.store %x, %out[%z] : memref<1xf32>
  }
  loop.for parallel %i in 4 {
    loop.block "out" [%z: spatial 1, %v: spatial 4] = (0, %i) where (%i * -1 >= 0) writes(%out[%z : 1]) {
      %x = arith.constant 0.0 : f32
      memref.store %x, %out[%z] : memref<1xf32>
    }
    loop.block "sum" [%z: spatial 1, %k: reduce 4] = (0, %i) reads(%out[%z : 1]) writes(%out[%z : 1]) reducer(add, 0.0) attributes {loop.annotations = {atomic = true}} {
      %one = arith.constant 1.0 : f32
      %o = memref.load %out[%z] : memref<1xf32>
      %n = arith.addf %o, %one : f32
      memref.store %n, %out[%z] : memref<1xf32>
    }
  }
  return
}

// Thread blocks are never ordered, not even by a barrier.
// BLOCKS: error: conflict on out[0]: written by "b" at (b={{[0-3]}}, t=0) and written by "b" at (b={{[0-3]}}, t=0), which are unordered
func.func @blocks(%out: memref<1xf32> {loop.result, loop.name = "out"}) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 1 {
      loop.sync
      loop.block "b" [%v: spatial 1, %w: spatial 4] = (%t, %b) writes(%out[%v : 1]) {
        %x = arith.constant 1.0 : f32
        memref.store %x, %out[%v] : memref<1xf32>
      }
      loop.sync
    }
  }
  return
}

// LANES: error: conflict on out[{{[0-1]}}]: written by "b" at (i={{[0-7]}}) and written by "b" at (i={{[0-7]}}), which are unordered
func.func @lanes(%out: memref<4xf32> {loop.result, loop.name = "out"}) {
  loop.for vectorize %i in 4 {
    loop.block "b" [%v: spatial 4] = (%i) writes(%out[%v floordiv 2 : 1]) {
      %x = arith.constant 1.0 : f32
      %half = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%v)
      memref.store %x, %out[%half] : memref<4xf32>
    }
  }
  return
}

// DIVERGENCE: error: barrier divergence: threads of one block do not reach the same barrier
func.func @divergence() {
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.if (%t >= 4) { loop.sync }
  }
  return
}
func.func @divergent_extent() {
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.for serial %i in affine_map<(d0) -> (d0)>(%t) { loop.sync }
  }
  return
}

// INIT: error: "sum" runs at (z=0, k=3) before its 'loop.init'
func.func @late_init(%out: memref<1xf32> {loop.result}) {
  loop.for serial %i in 4 {
    loop.block "sum" [%z: spatial 1, %k: reduce 4] = (0, -%i + 3) writes(%out[%z : 1]) reducer(add, 0.0) {
      %one = arith.constant 1.0 : f32
      loop.init { memref.store %one, %out[%z] : memref<1xf32> }
      %o = memref.load %out[%z] : memref<1xf32>
      %n = arith.addf %o, %one : f32
      memref.store %n, %out[%z] : memref<1xf32>
    }
  }
  return
}

// DOMAIN: error: "b" binds v to 4, outside of its domain [0, 4)
func.func @domain(%out: memref<8xf32> {loop.result}) {
  loop.for serial %i in 5 {
    loop.block "b" [%v: spatial 4] = (%i) writes(%out[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %out[%v] : memref<8xf32>
    }
  }
  return
}

// BOUNDS: error: writes out[4], out of bounds, in "b" at (v=4)
func.func @bounds(%out: memref<4xf32> {loop.result, loop.name = "out"}) {
  loop.for serial %i in 5 {
    loop.block "b" [%v: spatial 5] = (%i) writes(%out[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %out[%v] : memref<4xf32>
    }
  }
  return
}

// UNDEFINED: error: result 0 is undefined at index [0]
func.func @undefined(%out: memref<4xf32> {loop.result}) {
  %t = loop.buffer "t" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.block "b" [%v: spatial 4] = (%i) reads(%t[%v : 1]) writes(%out[%v : 1]) {
      %x = memref.load %t[%v] : memref<4xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %out[%v] : memref<4xf32>
    }
  }
  return
}

// DIVISION: error: divides by 0, in "b" at (v=0)
func.func @division(%out: memref<4xi32> {loop.result}) {
  loop.for serial %i in 4 {
    loop.block "b" [%v: spatial 4] = (%i) writes(%out[%v : 1]) {
      %one = arith.constant 1 : i32
      %n = arith.index_cast %v : index to i32
      %y = arith.divsi %one, %n : i32
      memref.store %y, %out[%v] : memref<4xi32>
    }
  }
  return
}

// SERIAL: error: of kind parallel contains a barrier
func.func @parallel_barrier() {
  loop.for parallel %i in 4 { loop.sync }
  return
}

// LIMIT: error: runs more iterations than the limit allows
func.func @endless() {
  loop.for serial %i in 9223372036854775807 {
    loop.block "b" [] = () {}
  }
  return
}

// WIDE: error: has 9223372036854775807 concurrent iterations, too many for the interpreter
func.func @too_wide() {
  loop.for vectorize %i in 9223372036854775807 {
    loop.block "b" [] = () {}
  }
  return
}

// UNWRITTEN: error: result 0 is undefined at index [3]
func.func @unwritten(%out: memref<4xf32> {loop.result}) {
  loop.for serial %i in 3 {
    loop.block "b" [%v: spatial 3] = (%i) writes(%out[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %out[%v] : memref<4xf32>
    }
  }
  return
}

// Readers of earlier rounds do not hide those of the last one.
// SECOND: error: conflict on x[0]: {{.*}}, which are unordered
func.func @second_parallel(%out: memref<3x4xf32> {loop.result}, %x: memref<1xf32> {loop.result, loop.name = "x"}) {
  loop.block "start" [%z: spatial 1] = (0) writes(%x[%z : 1]) {
    %one = arith.constant 1.0 : f32
    memref.store %one, %x[%z] : memref<1xf32>
  }
  loop.for serial %s in 3 {
    loop.for parallel %p in 4 {
      loop.block "reads" [%u: spatial 3, %v: spatial 4] = (%s, %p) reads(%x[0 : 1]) writes(%out[%u : 1, %v : 1]) {
        %c0 = arith.constant 0 : index
        %one = memref.load %x[%c0] : memref<1xf32>
        memref.store %one, %out[%u, %v] : memref<3x4xf32>
      }
      loop.block "writes" [%v: spatial 1] = (%s * 4 + %p - 11) where (%s * 4 + %p - 11 >= 0) writes(%x[%v : 1]) {
        %two = arith.constant 2.0 : f32
        memref.store %two, %x[%v] : memref<1xf32>
      }
    }
  }
  return
}

// Virtual threads of one thread are unordered.
// VTHREADS: error: conflict on T[0]: {{.*}}, which are unordered
func.func @vthreads(%out: memref<4xf32> {loop.result}, %T: memref<1xf32> {loop.result, loop.name = "T"}) {
  loop.for thread_bind[threadIdx.x] %t in 1 {
    loop.for thread_bind[vthread] %y in 4 {
      loop.block "W" [%v: spatial 1] = (%y * 0) writes(%T[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %T[%v] : memref<1xf32>
      }
    }
  }
  return
}

// A barrier does not order them either, not even in different threads.
// VTHREAD-BARRIER: error: conflict on T[{{[01], [0-3]}}]: {{.*}}, which are unordered
func.func @vthread_barrier(%out: memref<2x4xf32> {loop.result}) {
  %T = loop.buffer "T" scope(shared) : memref<2x4xf32>
  loop.for thread_bind[vthread] %y in 2 {
    loop.for thread_bind[threadIdx.x] %t in 4 {
      loop.block "W" [%u: spatial 2, %v: spatial 4] = (%y, %t) writes(%T[%u : 1, %v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %T[%u, %v] : memref<2x4xf32>
      }
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 4 {
      loop.block "R" [%u: spatial 2, %v: spatial 4] = (%y, %t) reads(%T[-%u + 1 : 1, -%v + 3 : 1]) writes(%out[%u : 1, %v : 1]) {
        %p = affine.apply affine_map<(d0) -> (1 - d0)>(%u)
        %q = affine.apply affine_map<(d0) -> (3 - d0)>(%v)
        %x = memref.load %T[%p, %q] : memref<2x4xf32>
        memref.store %x, %out[%u, %v] : memref<2x4xf32>
      }
    }
  }
  return
}

// Each has its own instance of a local buffer that is used only in the loop.
// OWN: error: {{.*}}undefined
func.func @vthread_own(%out: memref<2x2xf32> {loop.result}) {
  %T = loop.buffer "T" scope(local) : memref<2xf32>
  loop.for thread_bind[threadIdx.x] %t in 2 {
    loop.for thread_bind[vthread] %y in 2 {
      loop.block "W" [%v: spatial 2] = (%y) writes(%T[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %T[%v] : memref<2xf32>
      }
      loop.block "R" [%u: spatial 2, %v: spatial 2] = (%t, %y) reads(%T[-%v + 1 : 1]) writes(%out[%u : 1, %v : 1]) {
        %p = affine.apply affine_map<(d0) -> (1 - d0)>(%v)
        %x = memref.load %T[%p] : memref<2xf32>
        memref.store %x, %out[%u, %v] : memref<2x2xf32>
      }
    }
  }
  return
}
