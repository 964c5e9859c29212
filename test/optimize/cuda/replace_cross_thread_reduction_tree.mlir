// Threads that are not lanes of warps are joined by a tree in shared memory.
// RUN: lw-opt %s --replace-cross-thread-reduction --verify-each=numeric | FileCheck %s
// RUN: lw-opt %s --verify-each=numeric --replace-cross-thread-reduction --lower-vthread --convert-loop-to-gpu | FileCheck %s --check-prefix=GPU
// GPU-NOT: gpu.shuffle

// A thread block that does not consist of whole warps: the missing lanes of the last warp cannot take part.
// CHECK-LABEL: func.func @no_whole_warps
// CHECK:         scope(shared) : memref<5x8xi32>
// CHECK:         loop.block "B_join"
func.func @no_whole_warps(%A: memref<5x8xi32>, %B: memref<5xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 1 {
    loop.for thread_bind[threadIdx.y] %y in 5 {
      loop.for thread_bind[threadIdx.x] %k in 8 {
        loop.block "B" [%v: spatial 5, %r: reduce 8] = (%y, %k)
            reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          %a = memref.load %A[%v, %r] : memref<5x8xi32>
          %b = memref.load %B[%v] : memref<5xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %B[%v] : memref<5xi32>
        }
      }
    }
  }
  return
}

// Threads along y reduce, and those along x do not: lanes that reduce together are not adjacent.
// CHECK-LABEL: func.func @apart
// CHECK:         scope(shared) : memref<8x4xi32>
// CHECK:         loop.block "B_join"
func.func @apart(%A: memref<4x8xi32>, %B: memref<8xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 1 {
    loop.for thread_bind[threadIdx.x] %x in 8 {
      loop.for thread_bind[threadIdx.y] %k in 4 {
        loop.block "B" [%v: spatial 8, %r: reduce 4] = (%x, %k)
            reads(%A[%r : 1, %v : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          %a = memref.load %A[%r, %v] : memref<4x8xi32>
          %b = memref.load %B[%v] : memref<8xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %B[%v] : memref<8xi32>
        }
      }
    }
  }
  return
}

// Rows of 48 threads: every second row begins in the middle of a warp.
// CHECK-LABEL: func.func @not_aligned
// CHECK:         scope(shared) : memref<2x48xi32>
// CHECK:         loop.block "B_join"
func.func @not_aligned(%A: memref<2x48xi32>, %B: memref<2xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 1 {
    loop.for thread_bind[threadIdx.y] %y in 2 {
      loop.for thread_bind[threadIdx.x] %k in 48 {
        loop.block "B" [%v: spatial 2, %r: reduce 48] = (%y, %k)
            reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          %a = memref.load %A[%v, %r] : memref<2x48xi32>
          %b = memref.load %B[%v] : memref<2xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %B[%v] : memref<2xi32>
        }
      }
    }
  }
  return
}

// Iterations of a vthread loop are in one thread.
// CHECK-LABEL: func.func @virtual
// CHECK:         scope(shared) : memref<2x32xi32>
// CHECK:         loop.block "B_join"
func.func @virtual(%A: memref<2x32xi32>, %B: memref<2xi32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 1 {
    loop.for thread_bind[vthread] %y in 2 {
      loop.for thread_bind[threadIdx.x] %k in 32 {
        loop.block "B" [%v: spatial 2, %r: reduce 32] = (%y, %k)
            reads(%A[%v : 1, %r : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0) {
          %a = memref.load %A[%v, %r] : memref<2x32xi32>
          %b = memref.load %B[%v] : memref<2xi32>
          %c = arith.addi %b, %a : i32
          memref.store %c, %B[%v] : memref<2xi32>
        }
      }
    }
  }
  return
}

// Three values: each step is a reduction of one part.
// CHECK-LABEL: func.func @several_values
// CHECK-COUNT-3: scope(shared) : memref<5xf32>
// CHECK:         loop.block "W_join" [%vk: spatial 1] = (%k)
// CHECK:             reducer(welford, 0.000000e+00, 0.000000e+00, 0.000000e+00)
// CHECK:         loop.sync
// CHECK:         loop.block "W" [%v: spatial 1, %one: reduce 1] = (%b, 0)
// CHECK:           loop.init
// CHECK:           arith.cmpf oeq
func.func @several_values(%A: memref<5xf32>, %M: memref<1xf32>, %S: memref<1xf32>, %N: memref<1xf32>) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %k in 5 {
      loop.block "W" [%v: spatial 1, %r: reduce 5] = (%b, %k) reads(%A[%r : 1])
          writes(%M[%v : 1], %S[%v : 1], %N[%v : 1]) reducer(welford, 0.0, 0.0, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %M[%v] : memref<1xf32>
          memref.store %zero, %S[%v] : memref<1xf32>
          memref.store %zero, %N[%v] : memref<1xf32>
        }
        %one = arith.constant 1.0 : f32
        %x = memref.load %A[%r] : memref<5xf32>
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
  }
  return
}

// The regions of the enclosing schedule block include its new reads.
// CHECK-LABEL: func.func @in_a_block(
// CHECK:         loop.block "O" [%x: spatial 4] = (%i)
// CHECK-NEXT:        reads(%{{.*}}[%x : 1, 0 : 13], %[[P:.*]][0 : 1], %[[PS:.*]][0 : 13]) writes(%[[P]][0 : 1], %[[PS]][0 : 13], %{{.*}}[%x : 1])
func.func @in_a_block(%A: memref<4x13xf32>, %B: memref<4xf32>) attributes {loop.fp = "reassoc"} {
  loop.for thread_bind[blockIdx.x] %i in 4 {
    loop.block "O" [%x: spatial 4] = (%i) reads(%A[%x : 1, 0 : 13]) writes(%B[%x : 1]) {
      loop.for thread_bind[threadIdx.x] %k in 13 {
        loop.block "S" [%v: spatial 4, %r: reduce 13] = (%x, %k) reads(%A[%v : 1, %r : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %z = arith.constant 0.0 : f32
            memref.store %z, %B[%v] : memref<4xf32>
          }
          %a = memref.load %A[%v, %r] : memref<4x13xf32>
          %b = memref.load %B[%v] : memref<4xf32>
          %s = arith.addf %b, %a : f32
          memref.store %s, %B[%v] : memref<4xf32>
        }
      }
    }
  }
  return
}

// A schedule block between two thread loops gets an iter with the number of the outer one.
// CHECK-LABEL: func.func @block_between(
// CHECK:         loop.buffer "arg1_parts" scope(shared) : memref<4x12xi8>
// CHECK:         loop.block "rows" [%v: spatial 24, %thread: spatial 4] = (%i * 4 + %y, %y)
// CHECK:             loop.block "B_put" [%vy: spatial 4, %vx: spatial 12] = (%thread, %x)
// CHECK:           loop.block "B" [%vy: spatial 4, %w: spatial 24] = (%thread, %v)
func.func @block_between(%A: memref<24x12xi8>, %B: memref<24xi8> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 6 {
    loop.for thread_bind[threadIdx.y] %y in 4 {
      loop.block "rows" [%v: spatial 24] = (%i * 4 + %y) reads(%A[%v : 1, 0 : 12]) writes(%B[%v : 1]) {
        loop.for thread_bind[threadIdx.x] %x in 12 {
          loop.block "B" [%w: spatial 24, %k: reduce 12] = (%v, %x) reads(%A[%w : 1, %k : 1]) writes(%B[%w : 1]) reducer(add, 0) {
            loop.init {
              %zero = arith.constant 0 : i8
              memref.store %zero, %B[%w] : memref<24xi8>
            }
            %a = memref.load %A[%w, %k] : memref<24x12xi8>
            %b = memref.load %B[%w] : memref<24xi8>
            %c = arith.addi %b, %a : i8
            memref.store %c, %B[%w] : memref<24xi8>
          }
        }
      }
    }
  }
  return
}

// An existing iter for that number is used.
// CHECK-LABEL: func.func @iter_of_thread(
// CHECK:         loop.block "rows" [%u: spatial 6, %v: spatial 4] = (%i, %y)
// CHECK:             loop.block "B_put" [%vy: spatial 4, %vx: spatial 12] = (%v, %x)
func.func @iter_of_thread(%A: memref<6x4x12xi8>, %B: memref<6x4xi8> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %i in 6 {
    loop.for thread_bind[threadIdx.y] %y in 4 {
      loop.block "rows" [%u: spatial 6, %v: spatial 4] = (%i, %y) reads(%A[%u : 1, %v : 1, 0 : 12]) writes(%B[%u : 1, %v : 1]) {
        loop.for thread_bind[threadIdx.x] %x in 12 {
          loop.block "B" [%t: spatial 6, %w: spatial 4, %k: reduce 12] = (%u, %v, %x) reads(%A[%t : 1, %w : 1, %k : 1]) writes(%B[%t : 1, %w : 1]) reducer(add, 0) {
            loop.init {
              %zero = arith.constant 0 : i8
              memref.store %zero, %B[%t, %w] : memref<6x4xi8>
            }
            %a = memref.load %A[%t, %w, %k] : memref<6x4x12xi8>
            %b = memref.load %B[%t, %w] : memref<6x4xi8>
            %c = arith.addi %b, %a : i8
            memref.store %c, %B[%t, %w] : memref<6x4xi8>
          }
        }
      }
    }
  }
  return
}
