// RUN: lw-opt %s --sched-reverse-compute-at='block=ep_C loop=ep_P:i.0' \
// RUN:   --sched-reverse-compute-at='block=tr_C loop=tr_P:i' --sched-reverse-compute-at='block=dy_C loop=dy_P:i.0' \
// RUN:   --sched-reverse-compute-at='block=ro_S loop=ro_P:i' --sched-reverse-compute-at='block=su_S loop=su_P:j' \
// RUN:   --sched-reverse-compute-at='block=bc_C loop=bc_P:i' --sched-reverse-compute-at='block=fu_C loop=fu_P:f' \
// RUN:   --sched-reverse-compute-at='block=in_C loop=in_P:i' --sched-reverse-compute-at='block=bl_C loop=bl_P_o:i.0' | FileCheck %s
// CHECK-DAG: #[[MAP:.+]] = affine_map<()[s0] -> (s0 ceildiv 8)>

// The epilogue of a reduction at its tile: after the sum is complete.
// CHECK-LABEL: func.func @epilogue
// CHECK:      %T = loop.buffer "T" scope(global) : memref<30xf32>
// CHECK-NEXT: loop.for serial %i.0 in 4 {
// CHECK-NEXT:   loop.for serial %k in 6 {
// CHECK-NEXT:     loop.for serial %i.1 in 8 {
// CHECK-NEXT:       loop.block "ep_P" [%v: spatial 30, %vk: reduce 6] = (%i.0 * 8 + %i.1, %k)
// CHECK-NEXT:           where(-(%i.0 * 8 + %i.1) + 29 >= 0)
// CHECK-NEXT:           reads(%arg0[%v : 1, %vk : 1]) writes(%T[%v : 1])
// CHECK-NEXT:           reducer(add, 0.000000e+00) {
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "ep_C" [%v: spatial 30] = (%i.0 * 8 + %i)
// CHECK-NEXT:         where(%i.0 * -8 - %i + 29 >= 0)
// CHECK-NEXT:         reads(%T[%v : 1]) writes(%arg1[%v : 1]) {
func.func @epilogue(%A: memref<30x6xf32>, %C: memref<30xf32>) {
  %T = loop.buffer "T" scope(global) : memref<30xf32>
  loop.for serial %i.0 in 4 {
    loop.for serial %k in 6 {
      loop.for serial %i.1 in 8 {
        loop.block "ep_P" [%v: spatial 30, %vk: reduce 6] = (%i.0 * 8 + %i.1, %k) where(%i.0 * 8 + %i.1 < 30)
            reads(%A[%v : 1, %vk : 1]) writes(%T[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %T[%v] : memref<30xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<30x6xf32>
          %t = memref.load %T[%v] : memref<30xf32>
          %s = arith.addf %t, %a : f32
          memref.store %s, %T[%v] : memref<30xf32>
        }
      }
    }
  }
  loop.for serial %i in 30 {
    loop.block "ep_C" [%v: spatial 30] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      %t = memref.load %T[%v] : memref<30xf32>
      %c = arith.maximumf %t, %zero : f32
      memref.store %c, %C[%v] : memref<30xf32>
    }
  }
  return
}

// A consumer that reads it transposed, into an argument.
// CHECK-LABEL: func.func @transposed
// CHECK:      %T = loop.buffer "T" scope(global) : memref<6x8xf32>
// CHECK-NEXT: loop.for parallel %i in 6 {
// CHECK-NEXT:   loop.for serial %j in 8 {
// CHECK-NEXT:     loop.block "tr_P" [%v: spatial 6, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:        loop.for serial %i_1 in 8 {
// CHECK-NEXT:     loop.block "tr_C" [%v: spatial 8, %w: spatial 6] = (%i_1, %i)
// CHECK-NEXT:         reads(%T[%w : 1, %v : 1]) writes(%arg1[%v : 1, %w : 1]) {
func.func @transposed(%A: memref<6x8xf32>, %C: memref<8x6xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x8xf32>
  loop.for parallel %i in 6 {
    loop.for serial %j in 8 {
      loop.block "tr_P" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<6x8xf32>
        memref.store %a, %T[%v, %w] : memref<6x8xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %j in 6 {
      loop.block "tr_C" [%v: spatial 8, %w: spatial 6] = (%i, %j) reads(%T[%w : 1, %v : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %T[%w, %v] : memref<6x8xf32>
        memref.store %a, %C[%v, %w] : memref<8x6xf32>
      }
    }
  }
  return
}

// Tiles of a dynamic size: the last one may be partial, and no element is omitted.
// CHECK-LABEL: func.func @dynamic
// CHECK:      %T = loop.buffer "T" scope(global) (%dim) : memref<?xf32>
// CHECK-NEXT: loop.for serial %i.0 in #[[MAP]]()[%dim] {
// CHECK-NEXT:   loop.for serial %i.1 in 8 {
// CHECK-NEXT:     loop.block "dy_P" [%v: spatial %dim] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:         where(%dim - %i.0 * 8 - %i.1 - 1 >= 0)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%T[%v : 1]) {
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "dy_C" [%v: spatial %dim] = (%i.0 * 8 + %i)
// CHECK-NEXT:         where(%i.0 * -8 - %i + symbol(%dim) - 1 >= 0)
// CHECK-NEXT:         reads(%T[%v : 1]) writes(%arg1[%v : 1]) {
func.func @dynamic(%A: memref<?xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %T = loop.buffer "T" scope(global) (%n) : memref<?xf32>
  loop.for serial %i.0 in affine_map<()[s0] -> (s0 ceildiv 8)>()[%n] {
    loop.for serial %i.1 in 8 {
      loop.block "dy_P" [%v: spatial %n] = (%i.0 * 8 + %i.1) where(%n - 1 - %i.0 * 8 - %i.1 >= 0)
          reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<?xf32>
        %t = math.absf %a : f32
        memref.store %t, %T[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %i in %n {
    loop.block "dy_C" [%v: spatial %n] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<?xf32>
      %c = arith.addf %t, %t : f32
      memref.store %c, %C[%v] : memref<?xf32>
    }
  }
  return
}

// A reduction over the elements that a row has just written.
// CHECK-LABEL: func.func @row_sum
// CHECK:      %T = loop.buffer "T" scope(global) (%dim, %dim_0) : memref<?x?xf32>
// CHECK-NEXT: loop.for serial %i in %dim {
// CHECK-NEXT:   loop.for serial %j in %dim_0 {
// CHECK-NEXT:     loop.block "ro_P" [%v: spatial %dim, %w: spatial %dim_0] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:        loop.for serial %k in %dim_0 {
// CHECK-NEXT:     loop.block "ro_S" [%v: spatial %dim, %vk: reduce %dim_0] = (%i, %k)
// CHECK-NEXT:         reads(%T[%v : 1, %vk : 1]) writes(%arg1[%v : 1])
// CHECK-NEXT:         reducer(add, 0.000000e+00) {
func.func @row_sum(%A: memref<?x?xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  %T = loop.buffer "T" scope(global) (%m, %n) : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "ro_P" [%v: spatial %m, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %t = math.absf %a : f32
        memref.store %t, %T[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %i in %m {
    loop.for serial %k in %n {
      loop.block "ro_S" [%v: spatial %m, %vk: reduce %n] = (%i, %k) reads(%T[%v : 1, %vk : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %C[%v] : memref<?xf32>
        }
        %t = memref.load %T[%v, %vk] : memref<?x?xf32>
        %c = memref.load %C[%v] : memref<?xf32>
        %s = arith.addf %c, %t : f32
        memref.store %s, %C[%v] : memref<?xf32>
      }
    }
  }
  return
}

// A reduction that gets one value in each iteration.
// CHECK-LABEL: func.func @sum_as_it_goes
// CHECK:      %T = loop.buffer "T" scope(global) : memref<4x6xf32>
// CHECK-NEXT: loop.for serial %i in 4 {
// CHECK-NEXT:   loop.for serial %j in 6 {
// CHECK-NEXT:     loop.block "su_P" [%v: spatial 4, %w: spatial 6] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:          loop.block "su_S" [%v: spatial 4, %vk: reduce 6] = (%i, %j)
// CHECK-NEXT:         reads(%T[%v : 1, %vk : 1]) writes(%arg1[%v : 1])
// CHECK-NEXT:         reducer(add, 0.000000e+00) {
func.func @sum_as_it_goes(%A: memref<4x6xf32>, %C: memref<4xf32>) {
  %T = loop.buffer "T" scope(global) : memref<4x6xf32>
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "su_P" [%v: spatial 4, %w: spatial 6] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x6xf32>
        memref.store %a, %T[%v, %w] : memref<4x6xf32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      loop.block "su_S" [%v: spatial 4, %vk: reduce 6] = (%i, %k) reads(%T[%v : 1, %vk : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %C[%v] : memref<4xf32>
        }
        %t = memref.load %T[%v, %vk] : memref<4x6xf32>
        %c = memref.load %C[%v] : memref<4xf32>
        %s = arith.addf %c, %t : f32
        memref.store %s, %C[%v] : memref<4xf32>
      }
    }
  }
  return
}

// An iter that does not affect the reads gets its whole domain.
// CHECK-LABEL: func.func @broadcast
// CHECK:      %T = loop.buffer "T" scope(global) : memref<6xf32>
// CHECK-NEXT: loop.for serial %i in 6 {
// CHECK-NEXT:   loop.block "bc_P" [%v: spatial 6] = (%i)
// CHECK-NEXT:       reads(%arg0[%v : 1]) writes(%T[%v : 1]) {
// CHECK:        loop.for serial %j in 8 {
// CHECK-NEXT:     loop.block "bc_C" [%v: spatial 6, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:         reads(%T[%v : 1]) writes(%arg1[%v : 1, %w : 1]) {
func.func @broadcast(%A: memref<6xf32>, %C: memref<6x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6xf32>
  loop.for serial %i in 6 {
    loop.block "bc_P" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %T[%v] : memref<6xf32>
    }
  }
  loop.for serial %i in 6 {
    loop.for serial %j in 8 {
      loop.block "bc_C" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%T[%v : 1]) writes(%C[%v : 1, %w : 1]) {
        %t = memref.load %T[%v] : memref<6xf32>
        memref.store %t, %C[%v, %w] : memref<6x8xf32>
      }
    }
  }
  return
}

// Fused loops.
// CHECK-LABEL: func.func @fused
// CHECK:      %T = loop.buffer "T" scope(global) : memref<6x8xf32>
// CHECK-NEXT: loop.for serial %f in 48 {
// CHECK-NEXT:   loop.block "fu_P" [%v: spatial 6, %w: spatial 8] = (%f floordiv 8, %f mod 8)
// CHECK-NEXT:       reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:        loop.block "fu_C" [%v: spatial 6, %w: spatial 8] = (%f floordiv 8, %f mod 8)
// CHECK-NEXT:       reads(%T[%v : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
func.func @fused(%A: memref<6x8xf32>, %C: memref<6x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x8xf32>
  loop.for serial %f in 48 {
    loop.block "fu_P" [%v: spatial 6, %w: spatial 8] = (%f floordiv 8, %f mod 8) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
      %a = memref.load %A[%v, %w] : memref<6x8xf32>
      memref.store %a, %T[%v, %w] : memref<6x8xf32>
    }
  }
  loop.for serial %i in 6 {
    loop.for serial %j in 8 {
      loop.block "fu_C" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %t = memref.load %T[%v, %w] : memref<6x8xf32>
        memref.store %t, %C[%v, %w] : memref<6x8xf32>
      }
    }
  }
  return
}

// In place: it writes the element that it reads.
// CHECK-LABEL: func.func @in_place
// CHECK:      loop.for serial %i in 6 {
// CHECK-NEXT:   loop.block "in_P" [%v: spatial 6] = (%i)
// CHECK-NEXT:       reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK:        loop.block "in_C" [%v: spatial 6] = (%i)
// CHECK-NEXT:       reads(%arg1[%v : 1]) writes(%arg1[%v : 1]) {
func.func @in_place(%A: memref<6xf32>, %C: memref<6xf32>) {
  loop.for serial %i in 6 {
    loop.block "in_P" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %C[%v] : memref<6xf32>
    }
  }
  loop.for serial %i in 6 {
    loop.block "in_C" [%v: spatial 6] = (%i) reads(%C[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %C[%v] : memref<6xf32>
      %c = arith.addf %t, %t : f32
      memref.store %c, %C[%v] : memref<6xf32>
    }
  }
  return
}

// The producer runs in a schedule block that is a nest, as `blockize` and `tensorize` make it: its iters are bound to the loops
// around that block.
// CHECK-LABEL: func.func @blockized
// CHECK:      loop.for serial %i.0 in 4 {
// CHECK:        loop.block "bl_P_o"
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "bl_C" [%v: spatial 32] = (%i.0 * 8 + %i)
func.func @blockized(%A: memref<32xf32>, %C: memref<32xf32>) {
  %T = loop.buffer "T" scope(global) : memref<32xf32>
  loop.for serial %i.0 in 4 {
    loop.for serial %i.1 in 2 {
      loop.block "bl_P_o" [%o: spatial 8] = (%i.0 * 2 + %i.1) reads(%A[%o * 4 : 4]) writes(%T[%o * 4 : 4]) {
        loop.for serial %i.2 in 4 {
          loop.block "bl_P" [%v: spatial 32] = (%i.2 + %o * 4) reads(%A[%v : 1]) writes(%T[%v : 1]) {
            %a = memref.load %A[%v] : memref<32xf32>
            memref.store %a, %T[%v] : memref<32xf32>
          }
        }
      }
    }
  }
  loop.for serial %i in 32 {
    loop.block "bl_C" [%v: spatial 32] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<32xf32>
      %c = arith.negf %t : f32
      memref.store %c, %C[%v] : memref<32xf32>
    }
  }
  return
}
