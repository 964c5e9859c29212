// RUN: lw-opt %s --sched-compute-inline=block=S0_B --sched-compute-inline=block=two_P \
// RUN:   --sched-compute-inline=block=sum_P --sched-compute-inline=block=pad_P \
// RUN:   --sched-compute-inline=block=first --sched-compute-inline=block=second \
// RUN:   --sched-compute-inline=block=unit_P --sched-compute-inline=block=dynamic_P \
// RUN:   --sched-compute-inline=block=split_P --sched-compute-inline=block=together_P \
// RUN:   --sched-compute-inline=block=constant_P --sched-compute-inline=block=gather_P \
// RUN:   --sched-compute-inline=block=tile_P --sched-compute-inline=block=shift_P \
// RUN:   --sched-compute-inline=block=product_P --sched-compute-inline=block=nest_P \
// RUN:   --sched-compute-inline=block=place_P --sched-compute-inline=block=round_P \
// RUN:   --sched-compute-inline=block=chain_U | FileCheck %s
// CHECK-DAG: #[[MAP0:.+]] = affine_map<(d0) -> (d0 * 2)>
// CHECK-DAG: #[[MAP1:.+]] = affine_map<(d0) -> (d0 * 2 + 1)>
// CHECK-DAG: #[[MAP2:.+]] = affine_map<(d0, d1) -> (d0 * 3 + d1 - 1)>
// CHECK-DAG: #[[MAP3:.+]] = affine_map<(d0)[s0] -> (-d0 + s0 - 1)>
// CHECK-DAG: #[[MAP4:.+]] = affine_map<(d0) -> (-d0 + 7)>
// CHECK-DAG: #[[MAP5:.+]] = affine_map<(d0, d1) -> (d0 * 8 + d1)>
// CHECK-DAG: #[[MAP6:.+]] = affine_map<(d0) -> (d0 * 2 + 5)>
// CHECK-DAG: #[[MAP7:.+]] = affine_map<(d0)[s0] -> (d0 * s0)>

// The example of the source document.
// CHECK-LABEL: func.func @s0
// CHECK:        loop.for serial %i in 32 {
// CHECK-NEXT:     loop.for serial %j in 32 {
// CHECK-NEXT:       loop.for serial %k in 32 {
// CHECK-NEXT:         loop.block "S0_C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
// CHECK-NEXT:             reads(%arg0[%i1 : 1, %i0 : 1, %i2 : 1]) writes(%arg1[%i0 : 1, %i1 : 1, %i2 : 1]) {
// CHECK-NEXT:           %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:           %cst_0 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:           %0 = memref.load %arg0[%i1, %i0, %i2] : memref<32x32x32xf32>
// CHECK-NEXT:           %1 = arith.addf %cst_0, %0 : f32
// CHECK-NEXT:           %2 = arith.mulf %cst, %1 : f32
// CHECK-NEXT:           memref.store %2, %arg1[%i0, %i1, %i2] : memref<32x32x32xf32>
func.func @s0(%A: memref<32x32x32xf32>, %C: memref<32x32x32xf32>) {
  %B = loop.buffer "B" scope(global) : memref<32x32x32xf32>
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "S0_B" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
            reads(%A[%i0 : 1, %i1 : 1, %i2 : 1]) writes(%B[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %one = arith.constant 1.0 : f32
          %a = memref.load %A[%i0, %i1, %i2] : memref<32x32x32xf32>
          %b = arith.addf %one, %a : f32
          memref.store %b, %B[%i0, %i1, %i2] : memref<32x32x32xf32>
        }
      }
    }
  }
  loop.for serial %i in 32 {
    loop.for serial %j in 32 {
      loop.for serial %k in 32 {
        loop.block "S0_C" [%i0: spatial 32, %i1: spatial 32, %i2: spatial 32] = (%i, %j, %k)
            reads(%B[%i1 : 1, %i0 : 1, %i2 : 1]) writes(%C[%i0 : 1, %i1 : 1, %i2 : 1]) {
          %two = arith.constant 2.0 : f32
          %b = memref.load %B[%i1, %i0, %i2] : memref<32x32x32xf32>
          %c = arith.mulf %two, %b : f32
          memref.store %c, %C[%i0, %i1, %i2] : memref<32x32x32xf32>
        }
      }
    }
  }
  return
}

// Two readers, one of which reads twice.
// CHECK-LABEL: func.func @inline_into_two_readers
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "two_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v] : memref<8xf32>
// CHECK-NEXT:       %1 = math.exp %0 : f32
// CHECK-NEXT:       memref.store %1, %arg1[%v] : memref<8xf32>
// CHECK:        loop.for serial %i in 4 {
// CHECK-NEXT:     loop.block "two_S" [%v: spatial 4] = (%i)
// CHECK-NEXT:         reads(%arg0[%v * 2 : 2]) writes(%arg2[%v : 1]) {
// CHECK-NEXT:       %0 = affine.apply #[[MAP0]](%v)
// CHECK-NEXT:       %1 = affine.apply #[[MAP1]](%v)
// CHECK-NEXT:       %2 = memref.load %arg0[%0] : memref<8xf32>
// CHECK-NEXT:       %3 = math.exp %2 : f32
// CHECK-NEXT:       %4 = memref.load %arg0[%1] : memref<8xf32>
// CHECK-NEXT:       %5 = math.exp %4 : f32
// CHECK-NEXT:       %6 = arith.addf %3, %5 : f32
// CHECK-NEXT:       memref.store %6, %arg2[%v] : memref<4xf32>
func.func @inline_into_two_readers(%A: memref<8xf32>, %C: memref<8xf32>, %D: memref<4xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "two_P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %t = math.exp %a : f32
      memref.store %t, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "two_R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "two_S" [%v: spatial 4] = (%i) reads(%T[%v * 2 : 2]) writes(%D[%v : 1]) {
      %even = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
      %odd = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%v)
      %t = memref.load %T[%even] : memref<8xf32>
      %u = memref.load %T[%odd] : memref<8xf32>
      %s = arith.addf %t, %u : f32
      memref.store %s, %D[%v] : memref<4xf32>
    }
  }
  return
}

// The body still matches its reducer.
// CHECK-LABEL: func.func @inline_into_reduction
// CHECK:        loop.for serial %i in 4 {
// CHECK-NEXT:     loop.for serial %k in 6 {
// CHECK-NEXT:       loop.block "sum_R" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
// CHECK-NEXT:           reads(%arg0[%v : 1, %vk : 1]) writes(%arg1[%v : 1])
// CHECK-NEXT:           reducer(add, 0.000000e+00) {
// CHECK-NEXT:         loop.init {
// CHECK-NEXT:           %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:           memref.store %cst, %arg1[%v] : memref<4xf32>
// CHECK:              %0 = memref.load %arg0[%v, %vk] : memref<4x6xf32>
// CHECK-NEXT:         %1 = arith.mulf %0, %0 : f32
// CHECK-NEXT:         %2 = memref.load %arg1[%v] : memref<4xf32>
// CHECK-NEXT:         %3 = arith.addf %2, %1 : f32
// CHECK-NEXT:         memref.store %3, %arg1[%v] : memref<4xf32>
func.func @inline_into_reduction(%A: memref<4x6xf32>, %B: memref<4xf32>) {
  %T = loop.buffer "T" scope(global) : memref<4x6xf32>
  loop.for serial %i in 4 {
    loop.for serial %j in 6 {
      loop.block "sum_P" [%v: spatial 4, %w: spatial 6] = (%i, %j)
          reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<4x6xf32>
        %t = arith.mulf %a, %a : f32
        memref.store %t, %T[%v, %w] : memref<4x6xf32>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      loop.block "sum_R" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%T[%v : 1, %vk : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %B[%v] : memref<4xf32>
        }
        %t = memref.load %T[%v, %vk] : memref<4x6xf32>
        %b = memref.load %B[%v] : memref<4xf32>
        %s = arith.addf %b, %t : f32
        memref.store %s, %B[%v] : memref<4xf32>
      }
    }
  }
  return
}

// Padding: the load stays guarded, by conditions on the reader's iters.
// CHECK-LABEL: func.func @inline_guarded_load
// CHECK:        loop.for serial %i in 2 {
// CHECK-NEXT:     loop.for serial %j in 3 {
// CHECK-NEXT:       loop.block "pad_R" [%v: spatial 2, %w: spatial 3] = (%i, %j)
// CHECK-NEXT:           reads(%arg0[%v * 3 + %w - 1 : 1]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK-NEXT:         %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:         %0 = loop.if (%v * 3 + %w - 1 >= 0, %v * -3 - %w + 4 >= 0) -> f32 {
// CHECK-NEXT:           %1 = affine.apply #[[MAP2]](%v, %w)
// CHECK-NEXT:           %2 = memref.load %arg0[%1] : memref<4xf32>
// CHECK-NEXT:           loop.yield %2 : f32
// CHECK-NEXT:         } else {
// CHECK-NEXT:           loop.yield %cst : f32
// CHECK:              memref.store %0, %arg1[%v, %w] : memref<2x3xf32>
func.func @inline_guarded_load(%A: memref<4xf32>, %C: memref<2x3xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6xf32>
  loop.for serial %i in 6 {
    loop.block "pad_P" [%v: spatial 6] = (%i) reads(%A[%v - 1 : 1]) writes(%T[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      %x = loop.if (%v >= 1, %v <= 4) -> (f32) {
        %at = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%at] : memref<4xf32>
        loop.yield %a : f32
      } else {
        loop.yield %zero : f32
      }
      memref.store %x, %T[%v] : memref<6xf32>
    }
  }
  loop.for serial %i in 2 {
    loop.for serial %j in 3 {
      loop.block "pad_R" [%v: spatial 2, %w: spatial 3] = (%i, %j)
          reads(%T[%v * 3 + %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%v, %w)
        %t = memref.load %T[%at] : memref<6xf32>
        memref.store %t, %C[%v, %w] : memref<2x3xf32>
      }
    }
  }
  return
}

// A chain: an inlined block is inlined together with its reader.
// CHECK-LABEL: func.func @inline_chain
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "third" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %arg1[%v] : memref<8xf32>
func.func @inline_chain(%A: memref<8xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  %U = loop.buffer "U" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "first" [%v: spatial 8] = (%i) reads(%A[-%v + 7 : 1]) writes(%T[%v : 1]) {
      %back = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %a = memref.load %A[%back] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "second" [%v: spatial 8] = (%i) reads(%T[-%v + 7 : 1]) writes(%U[%v : 1]) {
      %back = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %t = memref.load %T[%back] : memref<8xf32>
      memref.store %t, %U[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "third" [%v: spatial 8] = (%i) reads(%U[%v : 1]) writes(%C[%v : 1]) {
      %u = memref.load %U[%v] : memref<8xf32>
      memref.store %u, %C[%v] : memref<8xf32>
    }
  }
  return
}

// An iter with a single value, which is used as an index of a read.
// CHECK-LABEL: func.func @inline_dimension_of_one
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "unit_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[%v : 1, 0 : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %c0 = arith.constant 0 : index
// CHECK-NEXT:       %0 = memref.load %arg0[%v, %c0] : memref<8x1xf32>
// CHECK-NEXT:       memref.store %0, %arg1[%v] : memref<8xf32>
func.func @inline_dimension_of_one(%A: memref<8x1xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8x1xf32>
  loop.for serial %i in 8 {
    loop.block "unit_P" [%v: spatial 8, %w: spatial 1] = (%i, 0)
        reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, 0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v, %w] : memref<8x1xf32>
      memref.store %a, %T[%v, %c0] : memref<8x1xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "unit_R" [%v: spatial 8] = (%i) reads(%T[%v : 1, 0 : 1]) writes(%C[%v : 1]) {
      %c0 = arith.constant 0 : index
      %t = memref.load %T[%v, %c0] : memref<8x1xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @inline_dynamic
// CHECK:        %c0 = arith.constant 0 : index
// CHECK-NEXT:   %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:   loop.for serial %i in 3 {
// CHECK-NEXT:     loop.block "dynamic_R" [%v: spatial 3] = (%i)
// CHECK-NEXT:         reads(%arg0[-%v + %dim - 1 : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = affine.apply #[[MAP3]](%v)[%dim]
// CHECK-NEXT:       %1 = memref.load %arg0[%0] : memref<?xf32>
// CHECK-NEXT:       memref.store %1, %arg1[%v] : memref<?xf32>
func.func @inline_dynamic(%A: memref<?xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %T = loop.buffer "T" scope(global) (%n) : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "dynamic_P" [%v: spatial %n] = (%i) reads(%A[%n - %v - 1 : 1]) writes(%T[%v : 1]) {
      %back = affine.apply affine_map<(d0)[s0] -> (s0 - d0 - 1)>(%v)[%n]
      %a = memref.load %A[%back] : memref<?xf32>
      memref.store %a, %T[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in 3 {
    loop.block "dynamic_R" [%v: spatial 3] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<?xf32>
      memref.store %t, %C[%v] : memref<?xf32>
    }
  }
  return
}

// A predicate added by split keeps the iter in its domain, and has no other effect.
// CHECK-LABEL: func.func @inline_after_split
// CHECK:        loop.for serial %i in 30 {
// CHECK-NEXT:     loop.block "split_R" [%v: spatial 30] = (%i)
func.func @inline_after_split(%A: memref<30xf32>, %C: memref<30xf32>) {
  %T = loop.buffer "T" scope(global) : memref<30xf32>
  loop.for serial %i.0 in 4 {
    loop.for serial %i.1 in 8 {
      loop.block "split_P" [%v: spatial 30] = (%i.0 * 8 + %i.1) where(%i.0 * 8 + %i.1 < 30)
          reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<30xf32>
        memref.store %a, %T[%v] : memref<30xf32>
      }
    }
  }
  loop.for serial %i in 30 {
    loop.block "split_R" [%v: spatial 30] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<30xf32>
      memref.store %t, %C[%v] : memref<30xf32>
    }
  }
  return
}

// Only enclosing ops without other contents are removed with the block.
// CHECK-LABEL: func.func @inline_in_one_loop
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "together_R" [%v: spatial 8] = (%i)
func.func @inline_in_one_loop(%A: memref<8xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "together_P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
    loop.block "together_R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

// Calls between the two do not affect a block that reads nothing.
func.func private @g()
// CHECK-LABEL: func.func @inline_constant
// CHECK:        call @g() : () -> ()
// CHECK-NEXT:   loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "constant_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:         writes(%arg0[%v : 1]) {
// CHECK-NEXT:       %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:       memref.store %cst, %arg0[%v] : memref<8xf32>
func.func @inline_constant(%C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "constant_P" [%v: spatial 8] = (%i) writes(%T[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %T[%v] : memref<8xf32>
    }
  }
  call @g() : () -> ()
  loop.for serial %i in 8 {
    loop.block "constant_R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

// The read may be at any index.
// CHECK-LABEL: func.func @inline_gather
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "gather_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[-%v + 7 : 1], %arg1[*]) writes(%arg2[%v : 1]) {
// CHECK-NEXT:       %0 = affine.apply #[[MAP4]](%v)
// CHECK-NEXT:       %1 = memref.load %arg0[%0] : memref<8xi32>
// CHECK-NEXT:       %2 = arith.index_cast %1 : i32 to index
// CHECK-NEXT:       %3 = memref.load %arg1[%2] : memref<16xf32>
// CHECK-NEXT:       memref.store %3, %arg2[%v] : memref<8xf32>
func.func @inline_gather(%I: memref<8xi32>, %A: memref<16xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "gather_P" [%v: spatial 8] = (%i) reads(%I[%v : 1], %A[*]) writes(%T[%v : 1]) {
      %i32 = memref.load %I[%v] : memref<8xi32>
      %at = arith.index_cast %i32 : i32 to index
      %a = memref.load %A[%at] : memref<16xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "gather_R" [%v: spatial 8] = (%i) reads(%T[-%v + 7 : 1]) writes(%C[%v : 1]) {
      %back = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
      %t = memref.load %T[%back] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

// Within one instance of a schedule block its iters are the same for both.
// CHECK-LABEL: func.func @inline_inside_nested_block
// CHECK:        loop.for serial %o in 4 {
// CHECK-NEXT:     loop.block "tile" [%vo: spatial 4] = (%o)
// CHECK-NEXT:         reads(%arg0[%vo * 8 : 8]) writes(%arg1[%vo * 8 : 8]) {
// CHECK-NEXT:       loop.for serial %i in 8 {
// CHECK-NEXT:         loop.block "tile_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:             reads(%arg0[%v + %vo * 8 : 1]) writes(%arg1[%v + %vo * 8 : 1]) {
// CHECK-NEXT:           %0 = affine.apply #[[MAP5]](%vo, %v)
// CHECK-NEXT:           %1 = affine.apply #[[MAP5]](%vo, %v)
// CHECK-NEXT:           %2 = memref.load %arg0[%1] : memref<32xf32>
// CHECK-NEXT:           memref.store %2, %arg1[%0] : memref<32xf32>
func.func @inline_inside_nested_block(%A: memref<32xf32>, %C: memref<32xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 4 {
    loop.block "tile" [%vo: spatial 4] = (%o)
        reads(%A[%vo * 8 : 8], %T[0 : 8]) writes(%T[0 : 8], %C[%vo * 8 : 8]) {
      loop.for serial %i in 8 {
        loop.block "tile_P" [%v: spatial 8] = (%i) reads(%A[%vo * 8 + %v : 1]) writes(%T[%v : 1]) {
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vo, %v)
          %a = memref.load %A[%at] : memref<32xf32>
          memref.store %a, %T[%v] : memref<8xf32>
        }
      }
      loop.for serial %i in 8 {
        loop.block "tile_R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%vo * 8 + %v : 1]) {
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vo, %v)
          %t = memref.load %T[%v] : memref<8xf32>
          memref.store %t, %C[%at] : memref<32xf32>
        }
      }
    }
  }
  return
}

// Indices become one expression of the reader's iters; unused ones are removed.
// CHECK-LABEL: func.func @inline_composes_indices
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "shift_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[%v * 2 + 5 : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = affine.apply #[[MAP6]](%v)
// CHECK-NEXT:       %1 = memref.load %arg0[%0] : memref<40xf32>
// CHECK-NEXT:       memref.store %1, %arg1[%v] : memref<8xf32>
func.func @inline_composes_indices(%A: memref<40xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<16xf32>
  loop.for serial %i in 16 {
    loop.block "shift_P" [%v: spatial 16] = (%i) reads(%A[%v * 2 + 3 : 1]) writes(%T[%v : 1]) {
      %at = affine.apply affine_map<(d0) -> (d0 * 2 + 3)>(%v)
      %a = memref.load %A[%at] : memref<40xf32>
      memref.store %a, %T[%v] : memref<16xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "shift_R" [%v: spatial 8] = (%i) reads(%T[%v + 1 : 1]) writes(%C[%v : 1]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %t = memref.load %T[%at] : memref<16xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

// A product of two iters, one of which is a symbol of the map.
// CHECK-LABEL: func.func @inline_product_of_iters
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.for serial %j in 8 {
// CHECK-NEXT:       loop.block "product_R" [%v: spatial 8, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:           reads(%arg0[*]) writes(%arg1[%v : 1, %w : 1]) {
// CHECK-NEXT:         %0 = affine.apply #[[MAP4]](%v)
// CHECK-NEXT:         %1 = affine.apply #[[MAP7]](%w)[%0]
// CHECK-NEXT:         %2 = memref.load %arg0[%1] : memref<64xf32>
// CHECK-NEXT:         memref.store %2, %arg1[%v, %w] : memref<8x8xf32>
func.func @inline_product_of_iters(%A: memref<64xf32>, %C: memref<8x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8x8xf32>
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.block "product_P" [%v: spatial 8, %w: spatial 8] = (%i, %j) reads(%A[0 : 64]) writes(%T[%v : 1, %w : 1]) {
        %at = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%v)[%w]
        %a = memref.load %A[%at] : memref<64xf32>
        memref.store %a, %T[%v, %w] : memref<8x8xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %j in 8 {
      loop.block "product_R" [%v: spatial 8, %w: spatial 8] = (%i, %j) reads(%T[%w : 1, -%v + 7 : 1]) writes(%C[%v : 1, %w : 1]) {
        %back = affine.apply affine_map<(d0) -> (7 - d0)>(%v)
        %t = memref.load %T[%w, %back] : memref<8x8xf32>
        memref.store %t, %C[%v, %w] : memref<8x8xf32>
      }
    }
  }
  return
}

// An empty nested block is kept; its regions are removed.
// CHECK-LABEL: func.func @inline_out_of_nested_block
// CHECK:        loop.block "around" [] = () {
// CHECK:        loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "nest_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK-NEXT:       %0 = memref.load %arg0[%v] : memref<8xf32>
// CHECK-NEXT:       memref.store %0, %arg1[%v] : memref<8xf32>
func.func @inline_out_of_nested_block(%A: memref<8xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.block "around" [] = () reads(%A[0 : 8]) writes(%T[0 : 8]) {
    loop.for serial %i in 8 {
      loop.block "nest_P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.block "nest_R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

// In place: each element is read before it is overwritten.
// CHECK-LABEL: func.func @inline_in_place
// CHECK:        loop.block "place_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:     reads(%arg0[%v : 1]) writes(%arg0[%v : 1]) {
// CHECK-NEXT:   %0 = memref.load %arg0[%v] : memref<8xf32>
// CHECK-NEXT:   memref.store %0, %arg0[%v] : memref<8xf32>
func.func @inline_in_place(%A: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "place_P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "place_R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%A[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %A[%v] : memref<8xf32>
    }
  }
  return
}

// The overwritten values are recomputed in the next round.
// CHECK-LABEL: func.func @inline_in_rounds
// CHECK:      loop.for serial %o in 2 {
// CHECK-NEXT:   loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "round_R" [%v: spatial 8] = (%i)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%arg1[%v : 1]) {
// CHECK:          loop.block "round_X"
func.func @inline_in_rounds(%A: memref<8xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 2 {
    loop.for serial %i in 8 {
      loop.block "round_P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
    loop.for serial %i in 8 {
      loop.block "round_R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
        %t = memref.load %T[%v] : memref<8xf32>
        memref.store %t, %C[%v] : memref<8xf32>
      }
    }
    loop.for serial %i in 8 {
      loop.block "round_X" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %A[%v] : memref<8xf32>
      }
    }
  }
  return
}

// A chain in one loop: the elements that the block reads are written before it, and not overwritten.
// CHECK-LABEL: func.func @inline_chain_in_one_loop
// CHECK:      loop.for serial %i in 8 {
// CHECK-NEXT:   loop.block "chain_T" [%v: spatial 8] = (%i)
// CHECK:        loop.block "chain_C" [%v: spatial 8] = (%i)
// CHECK-NEXT:       reads(%T[%v : 1]) writes(%arg1[%v : 1]) {
func.func @inline_chain_in_one_loop(%A: memref<8xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  %U = loop.buffer "U" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "chain_T" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
    loop.block "chain_U" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%U[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %U[%v] : memref<8xf32>
    }
    loop.block "chain_C" [%v: spatial 8] = (%i) reads(%U[%v : 1]) writes(%C[%v : 1]) {
      %u = memref.load %U[%v] : memref<8xf32>
      memref.store %u, %C[%v] : memref<8xf32>
    }
  }
  return
}
