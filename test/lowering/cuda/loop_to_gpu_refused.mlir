// Constructs without a kernel lowering, and the reasons.
// RUN: lw-opt %s --convert-loop-to-gpu -split-input-file -verify-diagnostics

func.func @c1_barrier_in_a_loop_that_differs(%A: memref<8x8xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "A" [%v: spatial 8, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<8x8xf32>
      }
      // expected-error @below {{'loop.sync' op is in divergent control flow, expected enclosing loops and conditions that are the same for all threads of a block (C1)}}
      loop.sync
    }
  }
  return
}

// -----

func.func @c1_barrier_in_a_branch_that_differs(%A: memref<8xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.if (%i - 4 >= 0) {
      loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<8xf32>
      }
      // expected-error @below {{'loop.sync' op is in divergent control flow}}
      loop.sync
    }
  }
  return
}

// -----

func.func @c1_barrier_in_parallel_iterations(%A: memref<8x4xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.for parallel %j in 4 {
      loop.block "A" [%v: spatial 8, %w: spatial 4] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<8x4xf32>
      }
      // expected-error @below {{'loop.sync' op is in loop "j" of kind parallel, whose iterations are in one thread (C1)}}
      loop.sync
    }
  }
  return
}

// -----

func.func @c2_reducing_threads(%A: memref<8xf32>, %B: memref<f32>) {
  // expected-error @below {{'loop.for' op "k" is bound to threads that would reduce into one cell, because iter "v" of schedule block "B" is bound to it (C2)}}
  loop.for thread_bind[threadIdx.x] %k in 8 {
    loop.block "B" [%v: reduce 8] = (%k) reads(%A[%v : 1], %B[]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %B[] : memref<f32>
      }
      %a = memref.load %A[%v] : memref<8xf32>
      %b = memref.load %B[] : memref<f32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[] : memref<f32>
    }
  }
  return
}

// -----

func.func @c2_a_thread_has_more_than_a_value(%A: memref<4x8xi32>, %B: memref<i32>) {
  // expected-error @below {{'loop.for' op "k" is bound to threads that would reduce into one cell, because iter "v" of schedule block "B" is bound to it (C2): a reduction by lanes takes one value per lane, but loop "B:j" has several}}
  loop.for thread_bind[threadIdx.x] %k in 8 {
    loop.for serial %j in 4 {
      loop.block "B" [%u: reduce 4, %v: reduce 8] = (%j, %k)
          reads(%A[%u : 1, %v : 1], %B[]) writes(%B[]) reducer(add, 0) {
        %a = memref.load %A[%u, %v] : memref<4x8xi32>
        %b = memref.load %B[] : memref<i32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[] : memref<i32>
      }
    }
  }
  return
}

// -----

func.func @c2_no_whole_warps(%A: memref<40xi32>, %B: memref<i32>) {
  // expected-error @below {{"k" is bound to threads that would reduce into one cell, because iter "v" of schedule block "B" is bound to it (C2): a thread block of 40 threads does not consist of whole warps}}
  loop.for thread_bind[threadIdx.x] %k in 40 {
    loop.block "B" [%v: reduce 40] = (%k) reads(%A[%v : 1], %B[]) writes(%B[]) reducer(add, 0) {
      %a = memref.load %A[%v] : memref<40xi32>
      %b = memref.load %B[] : memref<i32>
      %s = arith.addi %b, %a : i32
      memref.store %s, %B[] : memref<i32>
    }
  }
  return
}

// -----

func.func @c2_not_aligned(%A: memref<2x48xi32>, %B: memref<2xi32>) {
  loop.for thread_bind[threadIdx.y] %y in 2 {
    // expected-error @below {{(C2): 48 of 48 threads are neither an aligned part of a warp nor whole warps}}
    loop.for thread_bind[threadIdx.x] %k in 48 {
      loop.block "B" [%u: spatial 2, %v: reduce 48] = (%y, %k)
          reads(%A[%u : 1, %v : 1], %B[%u : 1]) writes(%B[%u : 1]) reducer(add, 0) {
        %a = memref.load %A[%u, %v] : memref<2x48xi32>
        %b = memref.load %B[%u] : memref<2xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%u] : memref<2xi32>
      }
    }
  }
  return
}

// -----

func.func @c2_not_next_to_each_other(%A: memref<8x4xi32>, %B: memref<8xi32>) {
  loop.for thread_bind[threadIdx.x] %x in 8 {
    // expected-error @below {{(C2): threads that reduce along y are not adjacent}}
    loop.for thread_bind[threadIdx.y] %k in 4 {
      loop.block "B" [%u: spatial 8, %v: reduce 4] = (%x, %k)
          reads(%A[%u : 1, %v : 1], %B[%u : 1]) writes(%B[%u : 1]) reducer(add, 0) {
        %a = memref.load %A[%u, %v] : memref<8x4xi32>
        %b = memref.load %B[%u] : memref<8xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%u] : memref<8xi32>
      }
    }
  }
  return
}

// -----

func.func @c2_under_a_condition(%A: memref<8x32xi32>, %B: memref<8xi32>) {
  loop.for thread_bind[threadIdx.y] %y in 8 {
    loop.if (%y - 1 >= 0) {
      // expected-error @below {{(C2): not all threads reach "B:k" equally often}}
      loop.for thread_bind[threadIdx.x] %k in 32 {
        loop.block "B" [%u: spatial 8, %v: reduce 32] = (%y, %k)
            reads(%A[%u : 1, %v : 1], %B[%u : 1]) writes(%B[%u : 1]) reducer(add, 0) {
          %a = memref.load %A[%u, %v] : memref<8x32xi32>
          %b = memref.load %B[%u] : memref<8xi32>
          %s = arith.addi %b, %a : i32
          memref.store %s, %B[%u] : memref<8xi32>
        }
      }
    }
  }
  return
}

// -----

func.func @c2_virtual_threads(%A: memref<2x32xi32>, %B: memref<2xi32>) {
  loop.for thread_bind[vthread] %y in 2 {
    // expected-error @below {{(C2): "B:y" around it is a vthread loop}}
    loop.for thread_bind[threadIdx.x] %k in 32 {
      loop.block "B" [%u: spatial 2, %v: reduce 32] = (%y, %k)
          reads(%A[%u : 1, %v : 1], %B[%u : 1]) writes(%B[%u : 1]) reducer(add, 0) {
        %a = memref.load %A[%u, %v] : memref<2x32xi32>
        %b = memref.load %B[%u] : memref<2xi32>
        %s = arith.addi %b, %a : i32
        memref.store %s, %B[%u] : memref<2xi32>
      }
    }
  }
  return
}

// -----

func.func @c2_an_element_of_a_mean(%A: memref<32xf32>, %M: memref<1xf32>, %S: memref<1xf32>, %N: memref<1xf32>) attributes {loop.fp = "reassoc"} {
  // expected-error @below {{(C2): lanes of warps can combine values only by the combiner itself}}
  loop.for thread_bind[threadIdx.x] %k in 32 {
    loop.block "W" [%r: reduce 32] = (%k) reads(%A[%r : 1], %M[0 : 1], %S[0 : 1], %N[0 : 1])
        writes(%M[0 : 1], %S[0 : 1], %N[0 : 1]) reducer(welford, 0.0, 0.0, 0.0) {
      %v = arith.constant 0 : index
      %one = arith.constant 1.0 : f32
      %x = memref.load %A[%r] : memref<32xf32>
      %mean = memref.load %M[%v] : memref<1xf32>
      %squares = memref.load %S[%v] : memref<1xf32>
      %count = memref.load %N[%v] : memref<1xf32>
      %n = arith.addf %count, %one : f32
      %d = arith.subf %x, %mean : f32
      %step = arith.divf %d, %n : f32
      %m = arith.addf %mean, %step : f32
      %e = arith.subf %x, %m : f32
      %de = arith.mulf %d, %e : f32
      %s = arith.addf %squares, %de : f32
      memref.store %m, %M[%v] : memref<1xf32>
      memref.store %s, %S[%v] : memref<1xf32>
      memref.store %n, %N[%v] : memref<1xf32>
    }
  }
  return
}

// -----

func.func @c4_cells_of_warps(%A: memref<1024xi64>, %B: memref<1xi64>, %C: memref<1024xi64>) {
  %s = loop.buffer "s" scope(shared) : memref<20848xi64>
  loop.for thread_bind[blockIdx.x] %g in 1 {
    loop.for thread_bind[threadIdx.x] %t in 1024 {
      loop.block "s" [%v: spatial 1024] = (%t) reads(%A[%v : 1]) writes(%s[%v : 1]) {
        %a = memref.load %A[%v] : memref<1024xi64>
        memref.store %a, %s[%v] : memref<20848xi64>
      }
    }
    // expected-error @below {{reduces across warps, for which the kernel needs 167040 bytes of shared memory in all, expected at most 166912 on sm_80 (C4)}}
    loop.for thread_bind[threadIdx.x] %k in 1024 {
      loop.block "B" [%v: reduce 1024] = (%k) reads(%s[%v : 1], %B[0 : 1]) writes(%B[0 : 1]) reducer(add, 0) {
        %c0 = arith.constant 0 : index
        %a = memref.load %s[%v] : memref<20848xi64>
        %b = memref.load %B[%c0] : memref<1xi64>
        %c = arith.addi %b, %a : i64
        memref.store %c, %B[%c0] : memref<1xi64>
      }
    }
  }
  return
}

// -----

func.func @c2_reducing_lanes(%A: memref<4x8xf32>, %B: memref<4xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    // expected-error @below {{'loop.for' op "k" cannot be vectorized: its lanes would reduce into one cell, because iter "v" of schedule block "B" is bound to it (C2)}}
    loop.for vectorize %k in 8 {
      loop.block "B" [%vi: spatial 4, %v: reduce 8] = (%i, %k)
          reads(%A[%vi : 1, %v : 1], %B[%vi : 1]) writes(%B[%vi : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%vi] : memref<4xf32>
        }
        %a = memref.load %A[%vi, %v] : memref<4x8xf32>
        %b = memref.load %B[%vi] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%vi] : memref<4xf32>
      }
    }
  }
  return
}

// -----

// Lanes read before any writes, and the predicate, which would become a mask, differs between them.
func.func @c3_dependent_lanes_with_a_predicate(%A: memref<4x9xf32>) {
  loop.for thread_bind[threadIdx.x] %t in 4 {
    // expected-error @below {{'loop.for' op "i" cannot be vectorized: the predicate of schedule block "A" differs between lanes (C3)}}
    loop.for vectorize %i in 8 {
      loop.block "A" [%w: spatial 4, %v: spatial 8] = (%t, %i) where (%i - 2 >= 0)
          reads(%A[%w : 1, %v + 1 : 1]) writes(%A[%w : 1, %v : 1]) {
        %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %A[%w, %next] : memref<4x9xf32>
        memref.store %a, %A[%w, %v] : memref<4x9xf32>
      }
    }
  }
  return
}

// -----

func.func @c4_padding(%A: memref<8xf32>) {
  // expected-error @below {{'loop.buffer' op "s" is padded, but 'memref.dim' uses it without the padding (C4)}}
  %s = loop.buffer "s" scope(shared) pad(1) : memref<8xf32>
  %c0 = arith.constant 0 : index
  %n = memref.dim %s, %c0 : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %i in %n {
    loop.block "s" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%s[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %s[%v] : memref<8xf32>
    }
  }
  return
}

// -----

func.func @c4_dynamic_size(%A: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  // expected-error @below {{'loop.buffer' op "s" of scope local is of dynamic size, expected a static one (C3)}}
  %s = loop.buffer "s" scope(local) (%n) : memref<?xf32>
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "s" [%v: spatial 8] = (%i) writes(%s[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %s[%v] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @c4_in_two_kernels(%A: memref<8xf32>) {
  // expected-error @below {{'loop.buffer' op "s" of scope shared is used in more than one kernel, where each has its own (C3)}}
  %s = loop.buffer "s" scope(shared) : memref<8xf32>
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "s" [%v: spatial 8] = (%i) writes(%s[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %s[%v] : memref<8xf32>
    }
  }
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) reads(%s[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %s[%v] : memref<8xf32>
      memref.store %a, %A[%v] : memref<8xf32>
    }
  }
  return
}

// -----

func.func @c4_too_much_shared_memory() {
  %s = loop.buffer "s" scope(shared) : memref<8192xf32>
  // expected-error @below {{'loop.buffer' op "r" and the buffers before it take 166928 bytes of shared memory, expected at most 166912 on sm_80 (C4)}}
  %r = loop.buffer "r" scope(shared) : memref<33537xf32>
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "s" [%v: spatial 8] = (%i) writes(%s[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %s[%v] : memref<8192xf32>
    }
    loop.block "r" [%v: spatial 8] = (%i) writes(%r[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %r[%v] : memref<33537xf32>
    }
  }
  return
}

// -----

func.func @c4_too_much_local_memory() {
  // expected-error @below {{'loop.buffer' op "s" takes 524292 bytes of local memory in each thread, expected at most 524288 (C5)}}
  %s = loop.buffer "s" scope(local) : memref<131073xf32>
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "s" [%v: spatial 8] = (%i) writes(%s[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %s[%v] : memref<131073xf32>
    }
  }
  return
}

// -----

func.func @c5_not_bound(%A: memref<1025xf32>, %B: memref<8xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %B[%v] : memref<8xf32>
    }
  }
  // expected-error @below {{'loop.for' op is not bound to threads and has more than 1024 iterations, the limit for one thread: bind a loop (C5)}}
  loop.for serial %i in 1025 {
    loop.block "A" [%v: spatial 1025] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<1025xf32>
    }
  }
  return
}

// -----

// Computed extents have a bound: 3 * 342 iterations would be too many, these are 1023.
func.func @c5_counted(%A: memref<1024xf32>, %B: memref<8xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 3 {
    loop.for serial %j in affine_map<(d0) -> ((1023 - d0) floordiv 3)>(%i) {
      loop.block "A" [%v: spatial 1024] = (%j * 3 + %i) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<1024xf32>
      }
    }
  }
  return
}

// -----

func.func @c5_virtual_threads_alone(%A: memref<1025xf32>, %B: memref<8xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "B" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %B[%v] : memref<8xf32>
    }
  }
  // expected-error @below {{'loop.for' op is not bound to threads and has more than 1024 iterations, the limit for one thread: bind a loop (C5)}}
  loop.for thread_bind[vthread] %i in 1025 {
    loop.block "A" [%v: spatial 1025] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<1025xf32>
    }
  }
  return
}

// -----

func.func @c6_written_outside_of_nests(%A: memref<8xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<8xf32>
    }
  }
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  // expected-error @below {{'memref.store' op is between kernels, expected only nests, sizes and constants there: threads of the GPU would not see its effects on memory (C6)}}
  memref.store %one, %A[%c0] : memref<8xf32>
  return
}

// -----

func.func private @called(%A: memref<8xf32>)
func.func @c6_calls_what_is_not_by_the_host(%A: memref<8xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<8xf32>
    }
  }
  // expected-error @below {{'func.call' op is between kernels, expected only nests, sizes and constants there: threads of the GPU would not see its effects on memory (C6)}}
  func.call @called(%A) : (memref<8xf32>) -> ()
  return
}

// -----

func.func @c6_computed_by_the_host(%A: memref<8xf32>, %n: index) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "A" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<8xf32>
    }
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.for' op is between kernels, expected only nests, sizes and constants there: threads of the GPU would not see its effects on memory (C6)}}
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %A[%i] : memref<8xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %A[%i] : memref<8xf32>
  }
  return
}

// -----

func.func @c7_threads_without_bound(%A: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  // expected-error @below {{'loop.for' op "i" is bound to threadIdx.x and its extent has no constant bound: the number of threads in a block must be known (C1)}}
  loop.for thread_bind[threadIdx.x] %i in %n {
    loop.block "A" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<?xf32>
    }
  }
  return
}

// -----

func.func @c7_grid_that_depends(%A: memref<8x8xf32>) {
  loop.for serial %i in 8 {
    // expected-error @below {{'loop.for' op "j" is bound to blockIdx.x and its extent depends on enclosing loops, expected an extent that is known before the launch (C7)}}
    loop.for thread_bind[blockIdx.x] %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "A" [%v: spatial 8, %w: spatial 8] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<8x8xf32>
      }
    }
  }
  return
}

// -----

func.func @c7_too_many_in_z(%A: memref<65xf32>) {
  // expected-error @below {{'loop.for' op "i" has 65 iterations on threadIdx.z, expected at most 64 (C1)}}
  loop.for thread_bind[threadIdx.z] %i in 65 {
    loop.block "A" [%v: spatial 65] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<65xf32>
    }
  }
  return
}

// -----

func.func @c7_too_many_threads(%A: memref<64x32xf32>) {
  // expected-error @below {{'loop.for' op needs 2048 threads in a thread block, expected at most 1024 (C2)}}
  loop.for thread_bind[threadIdx.y] %i in 64 {
    loop.for thread_bind[threadIdx.x] %j in 32 {
      loop.block "A" [%v: spatial 64, %w: spatial 32] = (%i, %j) writes(%A[%v : 1, %w : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v, %w] : memref<64x32xf32>
      }
    }
  }
  return
}

// -----

func.func @c8_wide_floats(%A: memref<4xf64>) {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      // expected-error @below {{'arith.constant' op computes with f128, which NVPTX does not support (C8)}}
      %one = arith.constant 1.0 : f128
      %e = math.log %one : f128
      %r = arith.truncf %e : f128 to f64
      memref.store %r, %A[%v] : memref<4xf64>
    }
  }
  return
}

// -----

func.func private @f(f32) -> f32

func.func @c8_call(%A: memref<4xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      // expected-error @below {{calls @f, expected a function of the module that has one block and does not call itself: its body must replace the call (C8)}}
      %e = func.call @f(%one) : (f32) -> f32
      memref.store %e, %A[%v] : memref<4xf32>
    }
  }
  return
}

// -----

func.func private @f(%x: f32) -> f32 {
  // expected-error @below {{calls @f, expected a function of the module that has one block and does not call itself}}
  %y = func.call @f(%x) : (f32) -> f32
  return %y : f32
}

func.func @c8_call_of_itself(%A: memref<4xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      // expected-note @below {{called from here}}
      %e = func.call @f(%one) : (f32) -> f32
      memref.store %e, %A[%v] : memref<4xf32>
    }
  }
  return
}

// -----

func.func private @f(%x: f32) -> f32 {
  // expected-error @below {{'arith.extf' op computes with f128, which NVPTX does not support (C8)}}
  %w = arith.extf %x : f32 to f128
  %l = math.log %w : f128
  %y = arith.truncf %l : f128 to f32
  return %y : f32
}

func.func @c8_wide_floats_in_a_call(%A: memref<4xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      // expected-note @below {{called from here}}
      %e = func.call @f(%one) : (f32) -> f32
      memref.store %e, %A[%v] : memref<4xf32>
    }
  }
  return
}

// -----

func.func @c8_atomic_bytes(%A: memref<8xi8>, %C: memref<1xi8>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "C" [%v: reduce 8] = (%i) reads(%A[%v : 1], %C[0 : 1]) writes(%C[0 : 1]) reducer(add, 0)
        attributes {loop.annotations = {atomic = true}} {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<8xi8>
      %c = memref.load %C[%c0] : memref<1xi8>
      %s = arith.addi %c, %a : i8
      // expected-error @below {{'memref.store' op updates 8 bits that threads share, expected 16, 32 or 64, which NVPTX updates atomically: reduce in a wider type (C8)}}
      memref.store %s, %C[%c0] : memref<1xi8>
    }
  }
  return
}

// -----

func.func @c8_wide_integers(%A: memref<4xi64>) {
  loop.for thread_bind[threadIdx.x] %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<4xi64>
      // expected-error @below {{'arith.extsi' op computes with i128, which NVPTX does not support (C8)}}
      %w = arith.extsi %a : i64 to i128
      %n = arith.trunci %w : i128 to i64
      memref.store %n, %A[%v] : memref<4xi64>
    }
  }
  return
}

// -----

// The reduction loop reads its target, so the start value is written in place; no single iter gives its
// position.
func.func @c9_reduction_over_nothing(%A: memref<4x?xf32>, %B: memref<8xf32>, %D: memref<4x?xf32>, %n: index) {
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.for serial %k in %n {
      loop.block "D" [%v: spatial 4, %w: spatial %n] = (%t, %k) reads(%B[%v * 2 : 1]) writes(%D[%v : 1, %w : 1]) {
        %two = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
        %b = memref.load %B[%two] : memref<8xf32>
        memref.store %b, %D[%v, %w] : memref<4x?xf32>
      }
      // expected-error @below {{'loop.block' op "B" may reduce over no elements, and then nothing would write its start values: expected a reduction over at least one element (C9)}}
      loop.block "B" [%v: spatial 4, %w: reduce %n] = (%t, %k)
          reads(%A[%v : 1, %w : 1], %B[%v * 2 : 1]) writes(%B[%v * 2 : 1]) reducer(add, 0.0) {
        loop.init {
          %even = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%even] : memref<8xf32>
        }
        %two = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
        %b = memref.load %B[%two] : memref<8xf32>
        %a = memref.load %A[%v, %w] : memref<4x?xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%two] : memref<8xf32>
      }
    }
  }
  return
}

// -----

func.func @more_threads_than_numbers(%A: memref<4x48xf32>, %B: memref<4xf32>) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[threadIdx.y] %i in 9223372036854775807 {
    // expected-error @below {{(C2): a thread block has more threads than a 64-bit number can hold}}
    loop.for thread_bind[threadIdx.x] %k in 48 {
      loop.block "B" [%v: reduce 48] = (%k) reads(%A[0 : 1, %v : 1]) writes(%B[0 : 1]) reducer(add, 0.0) {
        %zero = arith.constant 0.0 : f32
        %c0 = arith.constant 0 : index
        loop.init {
          memref.store %zero, %B[%c0] : memref<4xf32>
        }
        %x = memref.load %A[%c0, %v] : memref<4x48xf32>
        %s = memref.load %B[%c0] : memref<4xf32>
        %t = arith.addf %s, %x : f32
        memref.store %t, %B[%c0] : memref<4xf32>
      }
    }
  }
  return
}
