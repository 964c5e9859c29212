// The lowering of each construct.
// RUN: lw-opt %s --convert-loop-to-gpu --canonicalize --cse | FileCheck %s

// Functions without bound loops are unchanged.
// CHECK-LABEL: func.func @host(
// CHECK:         loop.for serial %i in 4

// The launch has the extents; a block without loops is run by one thread. The last nest reads what the first has
// written to a buffer of the function, which is an argument of both kernels.
// CHECK-LABEL: func.func @two_kernels(
// CHECK-SAME:      %[[A:arg0]]: memref<40xf32>, %[[B:arg1]]: memref<f32> {loop.result})
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK:         %[[T:.*]] = memref.alloc() {alignment = 64 : i64} : memref<40xf32>
// CHECK-NEXT:    gpu.launch_func @kernels::@two_kernels_0 blocks in (%[[C5]], %[[C1]], %[[C1]]) threads in (%[[C8]], %[[C1]], %[[C1]]) args(%[[A]] : memref<40xf32>, %[[T]] : memref<40xf32>)
// CHECK-NEXT:    gpu.launch_func @kernels::@two_kernels_1 blocks in (%[[C1]], %[[C1]], %[[C1]]) threads in (%[[C1]], %[[C1]], %[[C1]]) args(%[[B]] : memref<f32>, %[[T]] : memref<40xf32>)
// CHECK-NEXT:    return

// At least one block, whatever the size.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[N:.*]] = memref.dim %arg0
// CHECK:         %[[BLOCKS:.*]] = arith.ceildivui %[[N]], %{{.*}}
// CHECK:         %[[GRID:.*]] = arith.maxsi %[[BLOCKS]], %c1
// CHECK:         gpu.launch_func @kernels::@dynamic_0 blocks in (%[[GRID]], %c1, %c1) threads in (%c64, %c1, %c1) args(%arg0 : memref<?xf32>, %arg1 : memref<?xf32>, %[[N]] : index)

// CHECK-LABEL: gpu.module @kernels

// Buffers are aligned and do not alias; buffers that are not written are marked as read-only.
// CHECK-LABEL: gpu.func @two_kernels_0(
// CHECK-SAME:      %arg0: memref<40xf32> {llvm.noalias, llvm.readonly},
// CHECK-SAME:      %arg1: memref<40xf32> {llvm.noalias}) kernel
// CHECK-SAME:      known_block_size = array<i32: 8, 1, 1>, known_grid_size = array<i32: 5, 1, 1>
// CHECK-DAG:     %[[B:.*]] = gpu.block_id x
// CHECK-DAG:     %[[T:.*]] = gpu.thread_id x
// CHECK-NOT:     scf.if
// CHECK:         memref.store
// CHECK:         gpu.return
// CHECK-LABEL: gpu.func @two_kernels_1(
// CHECK-NOT:     gpu.thread_id
// CHECK:         scf.for

// A guard excludes the surplus threads of the last block, and the blocks of an empty grid.
// CHECK-LABEL: gpu.func @dynamic_0(
// CHECK-SAME:      %[[N:arg2]]: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
// CHECK:         %[[BLOCKS:.*]] = arith.ceildivui %[[N]]
// CHECK:         scf.if
// CHECK:           scf.if
// CHECK:             memref.load

// Workgroup memory has an alignment, and barriers are outside of the guards on threads.
// CHECK-LABEL: gpu.func @shared_0(
// CHECK-SAME:      workgroup(%[[S:.*]] : memref<24xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %{{.*}} : memref<4xf32, #gpu.address_space<workgroup>> {llvm.align = 128 : i64})
// CHECK-SAME:      known_block_size = array<i32: 32, 2, 1>
// The block is outside of both thread loops: thread (0, 0) runs it.
// CHECK-DAG:     %[[TX:.*]] = gpu.thread_id x
// CHECK-DAG:     %[[TY:.*]] = gpu.thread_id y
// CHECK-DAG:     %[[X0:.*]] = arith.cmpi eq, %[[TX]], %c0
// CHECK-DAG:     %[[Y0:.*]] = arith.cmpi eq, %[[TY]], %c0
// CHECK:         %[[FIRST:.*]] = arith.andi
// CHECK:         scf.if %[[FIRST]] {
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%c0] : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier
// CHECK:         scf.if
// CHECK:           memref.store %{{.*}}, %[[S]][%[[TX]]]
// CHECK:         }
// CHECK-NEXT:    gpu.barrier
// CHECK:         scf.if
// CHECK:         }
// CHECK-NEXT:    gpu.return

// A private buffer of each thread; unrolled loops are written out, parallel ones become serial.
// CHECK-LABEL: gpu.func @local_0(
// CHECK:         memref.alloca() {alignment = 16 : i64} : memref<2xf32>
// CHECK:         scf.for %[[P:.*]] = %c0 to %c3
// CHECK-COUNT-2:   memref.store
// CHECK-COUNT-2:   memref.load

// 128 bits at once, aligned if that is proved.
// CHECK-LABEL: gpu.func @vectors_0(
// CHECK:         vector.load %arg0[%{{.*}}] {alignment = 16 : i64} : memref<8x16xf32>, vector<4xf32>
// CHECK:         vector.load %arg1[%{{.*}}] : memref<8x17xf32>, vector<4xf32>
// CHECK:         vector.store %{{.*}}, %arg2[%{{.*}}] {alignment = 16 : i64} : memref<8x16xf32>, vector<4xf32>

// Lanes that would need masks are executed one after the other.
// CHECK-LABEL: gpu.func @masked_0(
// CHECK-NOT:     vector.
// CHECK:         scf.for
// CHECK:           scf.if
// CHECK:             memref.store

func.func @host(%A: memref<4xf32>) {
  loop.for serial %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) writes(%A[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %A[%v] : memref<4xf32>
    }
  }
  return
}

func.func @two_kernels(%A: memref<40xf32>, %B: memref<f32>) {
  %T = loop.buffer "T" scope(global) : memref<40xf32>
  loop.for thread_bind[blockIdx.x] %b in 5 {
    loop.for thread_bind[threadIdx.x] %t in 8 {
      loop.block "T" [%v: spatial 40] = (%b * 8 + %t) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<40xf32>
        %n = arith.negf %a : f32
        memref.store %n, %T[%v] : memref<40xf32>
      }
    }
  }
  loop.for serial %k in 40 {
    loop.block "B" [%w: reduce 40] = (%k) reads(%T[%w : 1]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %B[] : memref<f32>
      }
      %x = memref.load %B[] : memref<f32>
      %a = memref.load %T[%w] : memref<40xf32>
      %s = arith.addf %x, %a : f32
      memref.store %s, %B[] : memref<f32>
    }
  }
  return
}

func.func @dynamic(%A: memref<?xf32>, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for thread_bind[blockIdx.x] %b in affine_map<()[s0] -> (s0 ceildiv 64)>()[%n] {
    loop.for thread_bind[threadIdx.x] %t in min affine_map<(d0)[s0] -> (64, s0 - d0 * 64)>(%b)[%n] {
      loop.block "B" [%v: spatial %n] = (%b * 64 + %t) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        memref.store %a, %B[%v] : memref<?xf32>
      }
    }
  }
  return
}

func.func @shared(%A: memref<24xf32>, %B: memref<2x32xf32>) {
  %s = loop.buffer "s" scope(shared) : memref<24xf32>
  %r = loop.buffer "r" scope(shared) align(128) : memref<4xf32>
  loop.for thread_bind[blockIdx.x] %b in 3 {
    loop.block "r" [] = () writes(%r[0 : 1]) {
      %c0 = arith.constant 0 : index
      %zero = arith.constant 0.0 : f32
      memref.store %zero, %r[%c0] : memref<4xf32>
    }
    loop.sync
    loop.for thread_bind[threadIdx.x] %t in 24 {
      loop.block "s" [%v: spatial 24] = (%t) reads(%A[%v : 1]) writes(%s[%v : 1]) {
        %a = memref.load %A[%v] : memref<24xf32>
        memref.store %a, %s[%v] : memref<24xf32>
      }
      loop.sync
    }
    loop.for thread_bind[threadIdx.y] %y in 2 {
      loop.for thread_bind[threadIdx.x] %x in 32 {
        loop.block "B" [%w: spatial 3, %i: spatial 2, %j: spatial 32] = (%b, %y, %x) where (%b - 2 >= 0)
            reads(%s[0 : 24]) writes(%B[%i : 1, %j : 1]) {
          %k = affine.apply affine_map<(d0) -> (d0 mod 24)>(%j)
          %a = memref.load %s[%k] : memref<24xf32>
          memref.store %a, %B[%i, %j] : memref<2x32xf32>
        }
      }
    }
  }
  return
}

func.func @local(%A: memref<8x3x2xf32>, %B: memref<8x3x2xf32>) {
  %l = loop.buffer "l" scope(local) : memref<2xf32>
  loop.for thread_bind[threadIdx.x] %t in 8 {
    loop.for parallel %p in 3 {
      loop.for unroll %u in 2 {
        loop.block "l" [%i: spatial 8, %j: spatial 3, %k: spatial 2] = (%t, %p, %u)
            reads(%A[%i : 1, %j : 1, %k : 1]) writes(%l[%k : 1]) {
          %a = memref.load %A[%i, %j, %k] : memref<8x3x2xf32>
          memref.store %a, %l[%k] : memref<2xf32>
        }
      }
      loop.for unroll %u in 2 {
        loop.block "B" [%i: spatial 8, %j: spatial 3, %k: spatial 2] = (%t, %p, %u)
            reads(%l[0 : 2]) writes(%B[%i : 1, %j : 1, %k : 1]) {
          %m = affine.apply affine_map<(d0) -> (1 - d0)>(%k)
          %a = memref.load %l[%m] : memref<2xf32>
          memref.store %a, %B[%i, %j, %k] : memref<8x3x2xf32>
        }
      }
    }
  }
  return
}

func.func @vectors(%A: memref<8x16xf32>, %B: memref<8x17xf32>, %C: memref<8x16xf32>) {
  loop.for thread_bind[threadIdx.y] %i in 8 {
    loop.for thread_bind[threadIdx.x] %j.0 in 4 {
      loop.for vectorize %j.1 in 4 {
        loop.block "C" [%v: spatial 8, %w: spatial 16] = (%i, %j.0 * 4 + %j.1)
            reads(%A[%v : 1, %w : 1], %B[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<8x16xf32>
          %b = memref.load %B[%v, %w] : memref<8x17xf32>
          %s = arith.addf %a, %b : f32
          memref.store %s, %C[%v, %w] : memref<8x16xf32>
        }
      }
    }
  }
  return
}

func.func @masked(%A: memref<30xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.for vectorize %j in 4 {
      loop.block "A" [%v: spatial 30] = (%i * 4 + %j) where (%i * -4 - %j + 29 >= 0) writes(%A[%v : 1]) {
        %zero = arith.constant 0.0 : f32
        memref.store %zero, %A[%v] : memref<30xf32>
      }
    }
  }
  return
}

// A tile with a row stride of 33 elements.
// CHECK-LABEL: gpu.func @padded_tile_0(
// CHECK-SAME:    workgroup(%[[tile:.*]] : memref<32x33xf32, #gpu.address_space<workgroup>>
// CHECK:         memref.store %{{.*}}, %[[tile]]
// CHECK:         memref.load %[[tile]]
func.func @padded_tile(%A: memref<32x32xf32>, %B: memref<32x32xf32>) {
  %T = loop.buffer "T" scope(shared) round(1, 0, 32, 1) : memref<32x32xf32>
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for serial %i in 32 {
      loop.for thread_bind[threadIdx.x] %j in 32 {
        loop.block "P" [%v: spatial 32, %w: spatial 32] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
          %a = memref.load %A[%v, %w] : memref<32x32xf32>
          memref.store %a, %T[%v, %w] : memref<32x32xf32>
        }
      }
    }
    loop.sync
    loop.for serial %i in 32 {
      loop.for thread_bind[threadIdx.x] %j in 32 {
        loop.block "Q" [%v: spatial 32, %w: spatial 32] = (%i, %j) reads(%T[%w : 1, %v : 1]) writes(%B[%v : 1, %w : 1]) {
          %a = memref.load %T[%w, %v] : memref<32x32xf32>
          memref.store %a, %B[%v, %w] : memref<32x32xf32>
        }
      }
    }
  }
  return
}

// Updates of an element by several threads are atomic; their buffer is not marked as noalias.
// CHECK-LABEL: gpu.func @histogram_0(
// CHECK-SAME:    %[[A:.*]]: memref<512xi32> {{{.*}}llvm.noalias{{.*}}}, %[[H:.*]]: memref<16xi32>
// CHECK-NOT:     llvm.noalias
// CHECK-SAME:    ) kernel
// CHECK:         memref.atomic_rmw addi %{{.*}}, %[[H]][%{{.*}}] : (i32, memref<16xi32>) -> i32
func.func @histogram(%A: memref<512xi32>, %H: memref<16xi32>) {
  %one = arith.constant 1 : i32
  %fifteen = arith.constant 15 : i32
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 128 {
      loop.block "H" [%vk: reduce 512] = (%b * 128 + %t) reads(%A[%vk : 1], %H[*]) writes(%H[*]) reducer(add, 0) attributes {loop.annotations = {atomic = true}} {
        %a = memref.load %A[%vk] : memref<512xi32>
        %m = arith.andi %a, %fifteen : i32
        %i = arith.index_cast %m : i32 to index
        %h = memref.load %H[%i] : memref<16xi32>
        %n = arith.addi %h, %one : i32
        memref.store %n, %H[%i] : memref<16xi32>
      }
    }
  }
  return
}

// For an empty reduction a previous kernel writes the start values. Its loop reads the target: started in place.
// CHECK-LABEL: gpu.func @reduction_over_nothing_0(
// CHECK:         arith.cmpi sge, %{{.*}}, %c0
// CHECK:         scf.if
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%block_id_x] : memref<4xf32>
// CHECK-LABEL: gpu.func @reduction_over_nothing_1(
func.func @reduction_over_nothing(%A: memref<4x?xf32>, %B: memref<4xf32>, %D: memref<4x?xf32>, %n: index) {
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.for serial %k in %n {
      loop.block "D" [%v: spatial 4, %w: spatial %n] = (%t, %k) reads(%B[%v : 1]) writes(%D[%v : 1, %w : 1]) {
        %b = memref.load %B[%v] : memref<4xf32>
        memref.store %b, %D[%v, %w] : memref<4x?xf32>
      }
      loop.block "B" [%v: spatial 4, %w: reduce %n] = (%t, %k)
          reads(%A[%v : 1, %w : 1], %B[%v : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<4xf32>
        }
        %b = memref.load %B[%v] : memref<4xf32>
        %a = memref.load %A[%v, %w] : memref<4x?xf32>
        %s = arith.addf %b, %a : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// The tail of a loop is in the same kernel: other thread blocks may run it.
// CHECK-LABEL: gpu.func @left_over_0(
// CHECK-COUNT-2: memref.atomic_rmw addi
func.func @left_over(%A: memref<9xi32>, %C: memref<1xi32>) {
  loop.for serial %z in 1 {
    loop.for thread_bind[blockIdx.x] %b in 8 {
      loop.block "C" [%vz: spatial 1, %vk: reduce 9] = (%z, %b) reads(%A[%vk : 1], %C[%vz : 1]) writes(%C[%vz : 1]) reducer(add, 0) attributes {loop.annotations = {atomic = true}} {
        %a = memref.load %A[%vk] : memref<9xi32>
        %c = memref.load %C[%vz] : memref<1xi32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[%vz] : memref<1xi32>
      }
    }
    loop.for thread_bind[blockIdx.x] %b in 1 {
      loop.block "C_1" [%vz: spatial 1, %vk: reduce 9] = (%z, %b + 8) reads(%A[%vk : 1], %C[%vz : 1]) writes(%C[%vz : 1]) reducer(add, 0) attributes {loop.annotations = {atomic = true}} {
        %a = memref.load %A[%vk] : memref<9xi32>
        %c = memref.load %C[%vz] : memref<1xi32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[%vz] : memref<1xi32>
      }
    }
  }
  return
}
