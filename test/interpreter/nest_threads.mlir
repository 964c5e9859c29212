// RUN: lw-run %s --entry sub_mul --input %S/../models/sub_mul.in0.npy --input %S/../models/sub_mul.in1.npy --check %S/../models/sub_mul.out.npy --seed 1 | FileCheck %s
// RUN: lw-run %s --entry sub_mul --input %S/../models/sub_mul.in0.npy --input %S/../models/sub_mul.in1.npy --check %S/../models/sub_mul.out.npy --seed 2 | FileCheck %s
// RUN: lw-run %s --entry reverse --input %S/Inputs/iota32.npy --check %S/Inputs/reversed32.npy --atol 0 --rtol 0 --seed 3 | FileCheck %s
// RUN: lw-run %s --entry vector_reverse --input %S/Inputs/iota32.npy --check %S/Inputs/reversed32.npy --atol 0 --rtol 0 | FileCheck %s
// RUN: lw-run %s --entry lockstep --check %S/Inputs/shifted8.npy --atol 0 --rtol 0 --seed 5 | FileCheck %s
// RUN: lw-run %s --entry private_sums --input %S/Inputs/iota32.npy --check %S/Inputs/sums4.npy --atol 0 --rtol 0 | FileCheck %s
// RUN: lw-run %s --entry empty_reduction --check %S/Inputs/zeros3.npy --atol 0 --rtol 0 | FileCheck %s
// RUN: lw-run %s --entry empty_with_barrier --check %S/Inputs/zeros3.npy --atol 0 --rtol 0 | FileCheck %s
// RUN: lw-run %s --entry empty_on_threads --check %S/Inputs/zeros3.npy --atol 0 --rtol 0 | FileCheck %s
// RUN: lw-run %s --entry tail --input %S/Inputs/iota32.npy --check %S/Inputs/iota32.npy --atol 0 --rtol 0 | FileCheck %s
// RUN: lw-run %s --entry tail_of_loops --input %S/Inputs/iota32.npy --check %S/Inputs/iota32.npy --atol 0 --rtol 0 | FileCheck %s
// RUN: lw-run %s --entry sums_of_rounds --input %S/Inputs/iota32.npy --check %S/Inputs/sums4.npy --atol 0 --rtol 0 --seed 4 | FileCheck %s
// RUN: lw-run %s --entry atomic_sums --input %S/Inputs/iota32.npy --check %S/Inputs/sums4.npy --atol 0 --rtol 0 --seed 6 | FileCheck %s
// CHECK: passed

// The scheduled form of (x - y) * x: 32 thread blocks of 256 threads.
func.func @sub_mul(%x: memref<64x128xf32>, %y: memref<64x128xf32>, %out: memref<64x128xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i_j_fused in 32 {
    loop.for thread_bind[threadIdx.x] %i_j_fused.0 in 256 {
      loop.block "var_3" [%v0: spatial 64, %v1: spatial 128]
          = ((%i_j_fused * 256 + %i_j_fused.0) floordiv 128, %i_j_fused.0 mod 128)
          reads(%x[%v0 : 1, %v1 : 1], %y[%v0 : 1, %v1 : 1]) writes(%out[%v0 : 1, %v1 : 1]) {
        %a = memref.load %x[%v0, %v1] : memref<64x128xf32>
        %b = memref.load %y[%v0, %v1] : memref<64x128xf32>
        %d = arith.subf %a, %b : f32
        %m = arith.mulf %d, %a : f32
        memref.store %m, %out[%v0, %v1] : memref<64x128xf32>
      }
    }
  }
  return
}

// Each thread block has a shared buffer; the barrier orders its writes and reads.
func.func @reverse(%x: memref<32xf32>, %out: memref<32xf32> {loop.result}) {
  %s = loop.buffer "s" scope(shared) : memref<8xf32>
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "in" [%vb: spatial 4, %vt: spatial 8] = (%b, %t) reads(%x[%vb * 8 + %vt : 1]) writes(%s[%vt : 1]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vb, %vt)
        %a = memref.load %x[%at] : memref<32xf32>
        memref.store %a, %s[%vt] : memref<8xf32>
      }
      loop.sync
      loop.block "out" [%vb: spatial 4, %vt: spatial 8] = (%b, %t)
          reads(%s[0 : 8]) writes(%out[%vb * -8 + %vt + 24 : 1]) {
        %from = affine.apply affine_map<(d0) -> (7 - d0)>(%vt)
        %a = memref.load %s[%from] : memref<8xf32>
        %to = affine.apply affine_map<(d0, d1) -> (24 - d0 * 8 + d1)>(%vb, %vt)
        memref.store %a, %out[%to] : memref<32xf32>
      }
    }
  }
  return
}

func.func @vector_reverse(%x: memref<32xf32>, %out: memref<32xf32> {loop.result}) {
  loop.for parallel %i in 4 {
    loop.for vectorize %j in 8 {
      loop.block "b" [%v: spatial 32] = (%i * 8 + %j) reads(%x[0 : 32]) writes(%out[%v : 1]) {
        %from = affine.apply affine_map<(d0) -> (31 - d0)>(%v)
        %a = memref.load %x[%from] : memref<32xf32>
        memref.store %a, %out[%v] : memref<32xf32>
      }
    }
  }
  return
}

// All lanes read before any lane writes: elements move by one index, and none is overwritten before it is read.
func.func @lockstep(%out: memref<8xf32> {loop.result}) {
  loop.for serial %i in 8 {
    loop.block "start" [%v: spatial 8] = (%i) writes(%out[%v : 1]) {
      %n = arith.index_cast %v : index to i32
      %x = arith.sitofp %n : i32 to f32
      memref.store %x, %out[%v] : memref<8xf32>
    }
  }
  loop.for vectorize %i in 7 {
    loop.block "move" [%v: opaque 7] = (%i) reads(%out[%v : 1]) writes(%out[%v + 1 : 1]) {
      %x = memref.load %out[%v] : memref<8xf32>
      %to = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      memref.store %x, %out[%to] : memref<8xf32>
    }
  }
  return
}

// Each parallel iteration has its own local buffer.
func.func @private_sums(%x: memref<32xf32>, %out: memref<4xf32> {loop.result}) {
  %s = loop.buffer "s" scope(local) : memref<1xf32>
  loop.for parallel %i in 4 {
    loop.for serial %k in 8 {
      loop.block "sum" [%z: spatial 1, %vi: spatial 4, %vk: reduce 8] = (0, %i, %k)
          reads(%x[%vi * 8 + %vk : 1]) writes(%s[%z : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %s[%z] : memref<1xf32>
        }
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vi, %vk)
        %a = memref.load %x[%at] : memref<32xf32>
        %o = memref.load %s[%z] : memref<1xf32>
        %n = arith.addf %o, %a : f32
        memref.store %n, %s[%z] : memref<1xf32>
      }
    }
    loop.block "write" [%vi: spatial 4] = (%i) reads(%s[0 : 1]) writes(%out[%vi : 1]) {
      %zero = arith.constant 0 : index
      %a = memref.load %s[%zero] : memref<1xf32>
      memref.store %a, %out[%vi] : memref<4xf32>
    }
  }
  return
}

// A reduction over no iterations is its start value, whichever loop is the outer one.
func.func @empty_reduction(%out: memref<3xf32> {loop.result}) {
  %none = arith.constant 0 : index
  loop.for serial %k in %none {
    loop.for serial %i in 3 {
      loop.block "sum" [%vi: spatial 3, %vk: reduce %none] = (%i, %k) writes(%out[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %out[%vi] : memref<3xf32>
        }
        %one = arith.constant 1.0 : f32
        %o = memref.load %out[%vi] : memref<3xf32>
        %n = arith.addf %o, %one : f32
        memref.store %n, %out[%vi] : memref<3xf32>
      }
    }
  }
  return
}

// The same in threads that run the loop together, since it contains a barrier.
func.func @empty_with_barrier(%out: memref<3xf32> {loop.result}) {
  %none = arith.constant 0 : index
  loop.for thread_bind[threadIdx.x] %i in 3 {
    loop.for serial %k in %none {
      loop.sync
      loop.block "sum" [%vi: spatial 3, %vk: reduce %none] = (%i, %k) writes(%out[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %out[%vi] : memref<3xf32>
        }
        %one = arith.constant 1.0 : f32
        %o = memref.load %out[%vi] : memref<3xf32>
        %n = arith.addf %o, %one : f32
        memref.store %n, %out[%vi] : memref<3xf32>
      }
    }
  }
  return
}

// 32 elements in tiles of 5 with a predicate, on threads.
func.func @tail(%x: memref<32xf32>, %out: memref<32xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 7 {
    loop.for thread_bind[threadIdx.x] %j in 5 {
      loop.block "b" [%v: spatial 32] = (%i * 5 + %j) where(%i * 5 + %j < 32)
          reads(%x[%v : 1]) writes(%out[%v : 1]) {
        %a = memref.load %x[%v] : memref<32xf32>
        memref.store %a, %out[%v] : memref<32xf32>
      }
    }
  }
  return
}

// The same with a bounded extent of the inner loop, vectorized.
func.func @tail_of_loops(%x: memref<32xf32>, %out: memref<32xf32> {loop.result}) {
  loop.for serial %i in 7 {
    loop.for vectorize %j in min affine_map<(d0) -> (5, 32 - d0 * 5)>(%i) {
      loop.block "b" [%v: spatial 32] = (%i * 5 + %j) reads(%x[%v : 1]) writes(%out[%v : 1]) {
        %a = memref.load %x[%v] : memref<32xf32>
        memref.store %a, %out[%v] : memref<32xf32>
      }
    }
  }
  return
}

// For a reduction over no iterations the start value is written by the thread of its point, which continues with it.
func.func @empty_on_threads(%out: memref<3xf32> {loop.result}) {
  loop.for serial %o in 1 {
    loop.for serial %k in 0 {
      loop.for thread_bind[threadIdx.x] %i in 3 {
        loop.block "b" [%v: spatial 3, %w: reduce 0] = (%i, %k)
            writes(%out[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %out[%v] : memref<3xf32>
          }
          %a = memref.load %out[%v] : memref<3xf32>
          %one = arith.constant 1.0 : f32
          %s = arith.addf %a, %one : f32
          memref.store %s, %out[%v] : memref<3xf32>
        }
      }
    }
    loop.for thread_bind[threadIdx.x] %i in 3 {
      loop.block "rest" [%v: spatial 3] = (%i) reads(%out[%v : 1]) writes(%out[%v : 1]) {
        %a = memref.load %out[%v] : memref<3xf32>
        %d = arith.addf %a, %a : f32
        memref.store %d, %out[%v] : memref<3xf32>
      }
    }
  }
  return
}

// The threads of each round add to the result of the previous rounds: an enclosing block binds one of the two
// reduce iters.
func.func @sums_of_rounds(%x: memref<32xf32>, %out: memref<4xf32> {loop.result}) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for serial %r in 2 {
      loop.block "round" [%vb: spatial 4, %vr: reduce 2] = (%b, %r) reads(%x[%vb * 8 + %vr * 4 : 4]) writes(%out[%vb : 1]) {
        loop.for thread_bind[threadIdx.x] %t in 4 {
          loop.block "sum" [%w: spatial 4, %q: reduce 2, %u: reduce 4] = (%vb, %vr, %t)
              reads(%x[%w * 8 + %q * 4 + %u : 1]) writes(%out[%w : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %out[%w] : memref<4xf32>
            }
            %at = affine.apply affine_map<(d0, d1, d2) -> (d0 * 8 + d1 * 4 + d2)>(%w, %q, %u)
            %a = memref.load %x[%at] : memref<32xf32>
            %b0 = memref.load %out[%w] : memref<4xf32>
            %c = arith.addf %b0, %a : f32
            memref.store %c, %out[%w] : memref<4xf32>
          }
        }
      }
    }
  }
  return
}

// Atomic updates of one element, by thread blocks and by parallel iterations.
func.func @atomic_sums(%x: memref<32xf32>, %out: memref<4xf32> {loop.result}) {
  loop.for serial %i in 4 {
    loop.block "start" [%v: spatial 4] = (%i) writes(%out[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %out[%v] : memref<4xf32>
    }
  }
  loop.for thread_bind[blockIdx.x] %b in 8 {
    loop.for parallel %p in 4 {
      loop.block "sum" [%k: reduce 32] = (%b * 4 + %p) reads(%x[%k : 1], %out[%k floordiv 8 : 1]) writes(%out[%k floordiv 8 : 1]) reducer(add, 0.0) attributes {loop.annotations = {atomic = true}} {
        %at = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%k)
        %a = memref.load %x[%k] : memref<32xf32>
        %o = memref.load %out[%at] : memref<4xf32>
        %n = arith.addf %o, %a : f32
        memref.store %n, %out[%at] : memref<4xf32>
      }
    }
  }
  return
}
