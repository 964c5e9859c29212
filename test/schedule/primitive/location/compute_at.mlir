// RUN: lw-opt %s --sched-compute-at='block=st_P loop=st_C:i.0' --sched-compute-at='block=mx_P loop=mx_C:i' \
// RUN:   --sched-compute-at='block=ga_P loop=ga_C:i' --sched-split='loop=ti_C:i factors=-1,8' \
// RUN:   --sched-compute-at='block=ti_P loop=ti_C:i.0' --sched-compute-at='block=bl_Q loop=bl_C:j.0' \
// RUN:   --sched-compute-at='block=bl_P loop=bl_C:j.0' --sched-compute-at='block=ch_P loop=ch_C:i' \
// RUN:   --sched-compute-at='block=ch_P loop=ch_C:j' --sched-compute-at='block=pad_P loop=pad_C:q.0' \
// RUN:   --sched-compute-at='block=pr_P loop=pr_C:i' --sched-compute-at='block=lo_P loop=lo_C:i' \
// RUN:   --sched-compute-at='block=mm_P loop=mm_C:k.0' --sched-compute-at='block=am_P loop=am_C:i' \
// RUN:   --sched-compute-at='block=sh_P loop=sh_C:i' --sched-compute-at='block=fd_P loop=fd_C:f' | FileCheck %s
// CHECK-DAG: #[[MAP2:.+]] = affine_map<()[s0] -> (s0 ceildiv 8)>
// CHECK-DAG: #[[MAP7:.+]] = affine_map<()[s0, s1] -> (s0 * s1)>

// A stencil over tiles that do not divide the size: a box of the tile and its neighbours, clamped to the domain.
// CHECK-LABEL: func.func @stencil
// CHECK:      %T = loop.buffer "T" scope(global) : memref<30xf32>
// CHECK-NEXT: loop.for serial %i.0 in 4 {
// CHECK-NEXT:   loop.for serial %i in 10 {
// CHECK-NEXT:     loop.block "st_P" [%v: spatial 30] = (%i.0 * 8 + %i)
// CHECK-NEXT:         where(%i.0 * -8 - %i + 29 >= 0)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%T[%v : 1]) {
// CHECK:        loop.for serial %i.1 in 8 {
// CHECK-NEXT:     loop.block "st_C" [%v: spatial 28] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:         where(-(%i.0 * 8 + %i.1) + 27 >= 0)
// CHECK-NEXT:         reads(%T[%v : 3]) writes(%arg1[%v : 1]) {
func.func @stencil(%A: memref<30xf32>, %C: memref<28xf32>) {
  %T = loop.buffer "T" scope(global) : memref<30xf32>
  loop.for serial %i in 30 {
    loop.block "st_P" [%v: spatial 30] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<30xf32>
      %t = arith.addf %a, %a : f32
      memref.store %t, %T[%v] : memref<30xf32>
    }
  }
  loop.for serial %i.0 in 4 {
    loop.for serial %i.1 in 8 {
      loop.block "st_C" [%v: spatial 28] = (%i.0 * 8 + %i.1) where(%i.0 * 8 + %i.1 < 28)
          reads(%T[%v : 3]) writes(%C[%v : 1]) {
        %r = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
        %m = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %a = memref.load %T[%v] : memref<30xf32>
        %b = memref.load %T[%m] : memref<30xf32>
        %c = memref.load %T[%r] : memref<30xf32>
        %s = arith.addf %a, %b : f32
        %t = arith.addf %s, %c : f32
        memref.store %t, %C[%v] : memref<28xf32>
      }
    }
  }
  return
}

// Rows of dynamic sizes: the maximum of a row is computed under the row loop.
// CHECK-LABEL: func.func @row_max
// CHECK:      %T = loop.buffer "T" scope(global) (%dim) : memref<?xf32>
// CHECK-NEXT: loop.for serial %i in %dim {
// CHECK-NEXT:   loop.for serial %j in %dim_0 {
// CHECK-NEXT:     loop.block "mx_P" [%v: spatial %dim, %k: reduce %dim_0] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %k : 1]) writes(%T[%v : 1])
// CHECK-NEXT:         reducer(max, 0xFF800000) {
// CHECK:        loop.for serial %j in %dim_0 {
// CHECK-NEXT:     loop.block "mx_C" [%v: spatial %dim, %w: spatial %dim_0] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1], %T[%v : 1]) writes(%arg1[%v : 1, %w : 1]) {
func.func @row_max(%A: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  %T = loop.buffer "T" scope(global) (%m) : memref<?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "mx_P" [%v: spatial %m, %k: reduce %n] = (%i, %j)
          reads(%A[%v : 1, %k : 1]) writes(%T[%v : 1]) reducer(max, 0xFF800000) {
        loop.init {
          %low = arith.constant 0xFF800000 : f32
          memref.store %low, %T[%v] : memref<?xf32>
        }
        %a = memref.load %A[%v, %k] : memref<?x?xf32>
        %t = memref.load %T[%v] : memref<?xf32>
        %s = arith.maximumf %t, %a : f32
        memref.store %s, %T[%v] : memref<?xf32>
      }
    }
  }
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "mx_C" [%v: spatial %m, %w: spatial %n] = (%i, %j)
          reads(%A[%v : 1, %w : 1], %T[%v : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        %t = memref.load %T[%v] : memref<?xf32>
        %s = arith.subf %a, %t : f32
        memref.store %s, %C[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

// A gathered row: the whole dimension.
// CHECK-LABEL: func.func @gather
// CHECK:      %T = loop.buffer "T" scope(global) : memref<6x8xf32>
// CHECK-NEXT: loop.for serial %i in 6 {
// CHECK-NEXT:   loop.for serial %j in 8 {
// CHECK-NEXT:     loop.block "ga_P" [%v: spatial 6, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:        loop.block "ga_C" [%v: spatial 6] = (%i)
// CHECK-NEXT:       reads(%arg1[%v : 1], %T[%v : 1, *]) writes(%arg2[%v : 1]) {
func.func @gather(%A: memref<6x8xf32>, %I: memref<6xi64>, %C: memref<6xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x8xf32>
  loop.for serial %i in 6 {
    loop.for serial %j in 8 {
      loop.block "ga_P" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<6x8xf32>
        %t = math.absf %a : f32
        memref.store %t, %T[%v, %w] : memref<6x8xf32>
      }
    }
  }
  loop.for serial %i in 6 {
    loop.block "ga_C" [%v: spatial 6] = (%i) reads(%I[%v : 1], %T[%v : 1, *]) writes(%C[%v : 1]) {
      %a = memref.load %I[%v] : memref<6xi64>
      %at = arith.index_cast %a : i64 to index
      %t = memref.load %T[%v, %at] : memref<6x8xf32>
      memref.store %t, %C[%v] : memref<6xf32>
    }
  }
  return
}

// Dynamic tiles.
// CHECK-LABEL: func.func @tiles
// CHECK:      %T = loop.buffer "T" scope(global) (%dim) : memref<?xf32>
// CHECK-NEXT: loop.for serial %i.0 in #[[MAP2]]()[%dim] axis(tile_outer from "i" pair "i.1") {
// CHECK-NEXT:   loop.for serial %i in 8 {
// CHECK-NEXT:     loop.block "ti_P" [%v: spatial %dim] = (%i.0 * 8 + %i)
// CHECK-NEXT:         where(%i.0 * -8 - %i + symbol(%dim) - 1 >= 0)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%T[%v : 1]) {
// CHECK:        loop.for serial %i.1 in 8 axis(tile_inner from "i" pair "i.0") {
// CHECK-NEXT:     loop.block "ti_C" [%v: spatial %dim] = (%i.0 * 8 + %i.1)
// CHECK-NEXT:         where(%i.0 * -8 - %i.1 + symbol(%dim) - 1 >= 0)
// CHECK-NEXT:         reads(%T[%v : 1]) writes(%arg1[%v : 1]) {
func.func @tiles(%A: memref<?xf32>, %C: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  %T = loop.buffer "T" scope(global) (%n) : memref<?xf32>
  loop.for serial %i in %n {
    loop.block "ti_P" [%v: spatial %n] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<?xf32>
      %t = math.absf %a : f32
      memref.store %t, %T[%v] : memref<?xf32>
    }
  }
  loop.for serial %i in %n {
    loop.block "ti_C" [%v: spatial %n] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<?xf32>
      memref.store %t, %C[%v] : memref<?xf32>
    }
  }
  return
}

// A two-dimensional blur: both blocks move under one loop of tiles, the first with the halo of both.
// CHECK-LABEL: func.func @blur
// CHECK:      %T = loop.buffer "T" scope(global) : memref<18x20xf32>
// CHECK-NEXT: %U = loop.buffer "U" scope(global) : memref<18x16xf32>
// CHECK-NEXT: loop.for serial %i.0 in 4 {
// CHECK-NEXT:   loop.for serial %j.0 in 4 {
// CHECK-NEXT:     loop.for serial %i in 6 {
// CHECK-NEXT:       loop.for serial %j in 6 {
// CHECK-NEXT:         loop.block "bl_P" [%v: spatial 18, %w: spatial 20] = (%i.0 * 4 + %i, %j.0 * 4 + %j)
// CHECK-NEXT:             reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:          loop.for serial %i in 6 {
// CHECK-NEXT:       loop.for serial %j in 4 {
// CHECK-NEXT:         loop.block "bl_Q" [%v: spatial 18, %w: spatial 16] = (%i.0 * 4 + %i, %j.0 * 4 + %j)
// CHECK-NEXT:             reads(%T[%v : 1, %w : 3]) writes(%U[%v : 1, %w : 1]) {
// CHECK:          loop.for serial %i.1 in 4 {
// CHECK-NEXT:       loop.for serial %j.1 in 4 {
// CHECK-NEXT:         loop.block "bl_C" [%v: spatial 16, %w: spatial 16] = (%i.0 * 4 + %i.1, %j.0 * 4 + %j.1)
// CHECK-NEXT:             reads(%U[%v : 3, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
func.func @blur(%A: memref<18x20xf32>, %C: memref<16x16xf32>) {
  %T = loop.buffer "T" scope(global) : memref<18x20xf32>
  %U = loop.buffer "U" scope(global) : memref<18x16xf32>
  loop.for serial %i in 18 {
    loop.for serial %j in 20 {
      loop.block "bl_P" [%v: spatial 18, %w: spatial 20] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<18x20xf32>
        %t = arith.addf %a, %a : f32
        memref.store %t, %T[%v, %w] : memref<18x20xf32>
      }
    }
  }
  loop.for serial %i in 18 {
    loop.for serial %j in 16 {
      loop.block "bl_Q" [%v: spatial 18, %w: spatial 16] = (%i, %j) reads(%T[%v : 1, %w : 3]) writes(%U[%v : 1, %w : 1]) {
        %r = affine.apply affine_map<(d0) -> (d0 + 2)>(%w)
        %a = memref.load %T[%v, %w] : memref<18x20xf32>
        %b = memref.load %T[%v, %r] : memref<18x20xf32>
        %t = arith.addf %a, %b : f32
        memref.store %t, %U[%v, %w] : memref<18x16xf32>
      }
    }
  }
  loop.for serial %i.0 in 4 {
    loop.for serial %j.0 in 4 {
      loop.for serial %i.1 in 4 {
        loop.for serial %j.1 in 4 {
          loop.block "bl_C" [%v: spatial 16, %w: spatial 16] = (%i.0 * 4 + %i.1, %j.0 * 4 + %j.1)
              reads(%U[%v : 3, %w : 1]) writes(%C[%v : 1, %w : 1]) {
            %r = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
            %a = memref.load %U[%v, %w] : memref<18x16xf32>
            %b = memref.load %U[%r, %w] : memref<18x16xf32>
            %t = arith.addf %a, %b : f32
            memref.store %t, %C[%v, %w] : memref<16x16xf32>
          }
        }
      }
    }
  }
  return
}

// In two steps: the second step starts from the result of the first.
// CHECK-LABEL: func.func @chain
// CHECK:      %T = loop.buffer "T" scope(global) : memref<6x8xf32>
// CHECK-NEXT: loop.for serial %i in 6 {
// CHECK-NEXT:   loop.for serial %j in 8 {
// CHECK-NEXT:     loop.block "ch_P" [%v: spatial 6, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:          loop.block "ch_C" [%v: spatial 6, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:         reads(%T[%v : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
func.func @chain(%A: memref<6x8xf32>, %C: memref<6x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x8xf32>
  loop.for serial %i in 6 {
    loop.for serial %j in 8 {
      loop.block "ch_P" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<6x8xf32>
        memref.store %a, %T[%v, %w] : memref<6x8xf32>
      }
    }
  }
  loop.for serial %i in 6 {
    loop.for serial %j in 8 {
      loop.block "ch_C" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%T[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
        %a = memref.load %T[%v, %w] : memref<6x8xf32>
        memref.store %a, %C[%v, %w] : memref<6x8xf32>
      }
    }
  }
  return
}

// The padding of a convolution at the tile of its output.
// CHECK-LABEL: func.func @padding
// CHECK:      %T = loop.buffer "T" scope(global) : memref<18xf32>
// CHECK-NEXT: loop.for serial %q.0 in 4 {
// CHECK-NEXT:   loop.for serial %i in 6 {
// CHECK-NEXT:     loop.block "pad_P" [%v: spatial 18] = (%q.0 * 4 + %i)
// CHECK-NEXT:         reads(%arg0[%v - 1 : 1]) writes(%T[%v : 1]) {
// CHECK:        loop.for serial %r in 3 {
// CHECK-NEXT:     loop.for serial %q.1 in 4 {
// CHECK-NEXT:       loop.block "pad_C" [%v: spatial 16, %vr: reduce 3] = (%q.0 * 4 + %q.1, %r)
// CHECK-NEXT:           reads(%T[%v + %vr : 1], %arg1[%vr : 1]) writes(%arg2[%v : 1])
// CHECK-NEXT:           reducer(add, 0.000000e+00) {
func.func @padding(%A: memref<16xf32>, %W: memref<3xf32>, %C: memref<16xf32>) {
  %T = loop.buffer "T" scope(global) : memref<18xf32>
  loop.for serial %i in 18 {
    loop.block "pad_P" [%v: spatial 18] = (%i) reads(%A[%v - 1 : 1]) writes(%T[%v : 1]) {
      %zero = arith.constant 0.0 : f32
      %x = loop.if (%v >= 1, %v <= 16) -> (f32) {
        %at = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%at] : memref<16xf32>
        loop.yield %a : f32
      } else {
        loop.yield %zero : f32
      }
      memref.store %x, %T[%v] : memref<18xf32>
    }
  }
  loop.for serial %q.0 in 4 {
    loop.for serial %r in 3 {
      loop.for serial %q.1 in 4 {
        loop.block "pad_C" [%v: spatial 16, %vr: reduce 3] = (%q.0 * 4 + %q.1, %r)
            reads(%T[%v + %vr : 1], %W[%vr : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %C[%v] : memref<16xf32>
          }
          %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%v, %vr)
          %x = memref.load %T[%at] : memref<18xf32>
          %w = memref.load %W[%vr] : memref<3xf32>
          %p = arith.mulf %x, %w : f32
          %c = memref.load %C[%v] : memref<16xf32>
          %s = arith.addf %c, %p : f32
          memref.store %s, %C[%v] : memref<16xf32>
        }
      }
    }
  }
  return
}

// Rows in parallel: each iteration has distinct elements.
// CHECK-LABEL: func.func @parallel_rows
// CHECK:      %T = loop.buffer "T" scope(global) : memref<6x8xf32>
// CHECK-NEXT: loop.for parallel %i in 6 {
// CHECK-NEXT:   loop.for serial %j in 8 {
// CHECK-NEXT:     loop.block "pr_P" [%v: spatial 6, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:         reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:        loop.for serial %j in 8 {
// CHECK-NEXT:     loop.block "pr_C" [%v: spatial 6, %w: spatial 8] = (%i, %j)
// CHECK-NEXT:         reads(%T[%v : 1, -%w + 7 : 1]) writes(%arg1[%v : 1, %w : 1]) {
func.func @parallel_rows(%A: memref<6x8xf32>, %C: memref<6x8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<6x8xf32>
  loop.for serial %i in 6 {
    loop.for serial %j in 8 {
      loop.block "pr_P" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<6x8xf32>
        memref.store %a, %T[%v, %w] : memref<6x8xf32>
      }
    }
  }
  loop.for parallel %i in 6 {
    loop.for serial %j in 8 {
      loop.block "pr_C" [%v: spatial 6, %w: spatial 8] = (%i, %j) reads(%T[%v : 1, -%w + 7 : 1]) writes(%C[%v : 1, %w : 1]) {
        %at = affine.apply affine_map<(d0) -> (7 - d0)>(%w)
        %a = memref.load %T[%v, %at] : memref<6x8xf32>
        memref.store %a, %C[%v, %w] : memref<6x8xf32>
      }
    }
  }
  return
}

// Overlapping boxes in parallel: a private buffer for each iteration.
// CHECK-LABEL: func.func @local_tiles
// CHECK:      %T = loop.buffer "T" scope(local) : memref<18xf32>
// CHECK-NEXT: loop.for parallel %i in 16 {
// CHECK-NEXT:   loop.for serial %i_1 in 3 {
// CHECK-NEXT:     loop.block "lo_P" [%v: spatial 18] = (%i + %i_1)
// CHECK-NEXT:         reads(%arg0[%v : 1]) writes(%T[%v : 1]) {
// CHECK:        loop.block "lo_C" [%v: spatial 16] = (%i)
// CHECK-NEXT:       reads(%T[%v : 3]) writes(%arg1[%v : 1]) {
func.func @local_tiles(%A: memref<18xf32>, %C: memref<16xf32>) {
  %T = loop.buffer "T" scope(local) : memref<18xf32>
  loop.for serial %i in 18 {
    loop.block "lo_P" [%v: spatial 18] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<18xf32>
      memref.store %a, %T[%v] : memref<18xf32>
    }
  }
  loop.for parallel %i in 16 {
    loop.block "lo_C" [%v: spatial 16] = (%i) reads(%T[%v : 3]) writes(%C[%v : 1]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %a = memref.load %T[%v] : memref<18xf32>
      %b = memref.load %T[%at] : memref<18xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %C[%v] : memref<16xf32>
    }
  }
  return
}

// A product whose left side is a product: a tile of it at the tile of the sum, with unused names.
// CHECK-LABEL: func.func @two_products
// CHECK:      %T = loop.buffer "T" scope(global) : memref<8x12xf32>
// CHECK-NEXT: loop.for serial %i in 8 {
// CHECK-NEXT:   loop.for serial %k.0 in 3 axis(tile_outer from "k" pair "k.1") {
// CHECK-NEXT:     loop.for serial %j in 4 {
// CHECK-NEXT:       loop.for serial %k in 4 {
// CHECK-NEXT:         loop.block "mm_P" [%v: spatial 8, %w: spatial 12, %vk: reduce 4] = (%i, %k.0 * 4 + %j, %k)
// CHECK-NEXT:             reads(%arg0[%v : 1, %vk : 1], %arg1[%vk : 1, %w : 1]) writes(%T[%v : 1, %w : 1])
// CHECK-NEXT:             reducer(add, 0.000000e+00) {
// CHECK:          loop.for serial %j in 6 {
// CHECK-NEXT:       loop.for serial %k.1 in 4 axis(tile_inner from "k" pair "k.0") {
// CHECK-NEXT:         loop.block "mm_C" [%v: spatial 8, %w: spatial 6, %vk: reduce 12] = (%i, %j, %k.0 * 4 + %k.1)
// CHECK-NEXT:             reads(%T[%v : 1, %vk : 1], %arg2[%vk : 1, %w : 1]) writes(%arg3[%v : 1, %w : 1])
// CHECK-NEXT:             reducer(add, 0.000000e+00) {
func.func @two_products(%A: memref<8x4xf32>, %B: memref<4x12xf32>, %D: memref<12x6xf32>, %C: memref<8x6xf32>) {
  %T = loop.buffer "T" scope(global) : memref<8x12xf32>
  loop.for serial %i in 8 {
    loop.for serial %j in 12 {
      loop.for serial %k in 4 {
        loop.block "mm_P" [%v: spatial 8, %w: spatial 12, %vk: reduce 4] = (%i, %j, %k)
            reads(%A[%v : 1, %vk : 1], %B[%vk : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) reducer(add, 0.0) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            memref.store %zero, %T[%v, %w] : memref<8x12xf32>
          }
          %a = memref.load %A[%v, %vk] : memref<8x4xf32>
          %b = memref.load %B[%vk, %w] : memref<4x12xf32>
          %t = memref.load %T[%v, %w] : memref<8x12xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %t, %p : f32
          memref.store %s, %T[%v, %w] : memref<8x12xf32>
        }
      }
    }
  }
  loop.for serial %i in 8 {
    loop.for serial %k.0 in 3 axis(tile_outer from "k" pair "k.1") {
      loop.for serial %j in 6 {
        loop.for serial %k.1 in 4 axis(tile_inner from "k" pair "k.0") {
          loop.block "mm_C" [%v: spatial 8, %w: spatial 6, %vk: reduce 12] = (%i, %j, %k.0 * 4 + %k.1)
              reads(%T[%v : 1, %vk : 1], %D[%vk : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) reducer(add, 0.0) {
            loop.init {
              %zero = arith.constant 0.0 : f32
              memref.store %zero, %C[%v, %w] : memref<8x6xf32>
            }
            %a = memref.load %T[%v, %vk] : memref<8x12xf32>
            %b = memref.load %D[%vk, %w] : memref<12x6xf32>
            %t = memref.load %C[%v, %w] : memref<8x6xf32>
            %p = arith.mulf %a, %b : f32
            %s = arith.addf %t, %p : f32
            memref.store %s, %C[%v, %w] : memref<8x6xf32>
          }
        }
      }
    }
  }
  return
}

// Two buffers of one block, the maximum and its index.
// CHECK-LABEL: func.func @argmax
// CHECK:      %V = loop.buffer "V" scope(global) : memref<4xf32>
// CHECK-NEXT: %I = loop.buffer "I" scope(global) : memref<4xi64>
// CHECK-NEXT: loop.for serial %i in 4 {
// CHECK-NEXT:   loop.for serial %k in 6 {
// CHECK-NEXT:     loop.block "am_P" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
// CHECK-NEXT:         reads(%arg0[%v : 1, %vk : 1]) writes(%V[%v : 1], %I[%v : 1])
// CHECK-NEXT:         reducer(argmax, 0xFF800000, 0) {
// CHECK:        loop.block "am_C" [%v: spatial 4] = (%i)
// CHECK-NEXT:       reads(%V[%v : 1], %I[%v : 1]) writes(%arg1[%v : 1]) {
func.func @argmax(%A: memref<4x6xf32>, %C: memref<4xf32>) {
  %V = loop.buffer "V" scope(global) : memref<4xf32>
  %I = loop.buffer "I" scope(global) : memref<4xi64>
  loop.for serial %i in 4 {
    loop.for serial %k in 6 {
      loop.block "am_P" [%v: spatial 4, %vk: reduce 6] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%V[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        loop.init {
          %lowest = arith.constant 0xFF800000 : f32
          %none = arith.constant 0 : i64
          memref.store %lowest, %V[%v] : memref<4xf32>
          memref.store %none, %I[%v] : memref<4xi64>
        }
        %a = memref.load %A[%v, %vk] : memref<4x6xf32>
        %best = memref.load %V[%v] : memref<4xf32>
        %at = memref.load %I[%v] : memref<4xi64>
        %here = arith.index_cast %vk : index to i64
        %more = arith.cmpf ogt, %a, %best : f32
        %max = arith.maximumf %a, %best : f32
        %new = arith.select %more, %here, %at : i64
        memref.store %max, %V[%v] : memref<4xf32>
        memref.store %new, %I[%v] : memref<4xi64>
      }
    }
  }
  loop.for serial %i in 4 {
    loop.block "am_C" [%v: spatial 4] = (%i) reads(%V[%v : 1], %I[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %V[%v] : memref<4xf32>
      %b = memref.load %I[%v] : memref<4xi64>
      %f = arith.sitofp %b : i64 to f32
      %s = arith.addf %a, %f : f32
      memref.store %s, %C[%v] : memref<4xf32>
    }
  }
  return
}

// The stored element is beside the iter's value, so the box is shifted; loops with other statements are kept.
// CHECK-LABEL: func.func @shifted
// CHECK:      %T = loop.buffer "T" scope(global) : memref<9xf32>
// CHECK-NEXT: loop.for serial %i in 8 {
// CHECK-NEXT:   loop.block "sh_B" [%v: spatial 8] = (%i)
// CHECK-NEXT:       writes(%arg1[%v : 1]) {
// CHECK:      loop.for serial %i in 8 {
// CHECK-NEXT:   loop.block "sh_P" [%v: spatial 8] = (-%i + 7)
// CHECK-NEXT:       reads(%arg0[%v : 1]) writes(%T[%v + 1 : 1]) {
// CHECK:        loop.block "sh_C" [%v: spatial 8] = (%i)
// CHECK-NEXT:       reads(%T[-%v + 8 : 1]) writes(%arg2[%v : 1]) {
func.func @shifted(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  %T = loop.buffer "T" scope(global) : memref<9xf32>
  loop.for serial %i in 8 {
    loop.block "sh_P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v + 1 : 1]) {
      %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%at] : memref<9xf32>
    }
    loop.block "sh_B" [%v: spatial 8] = (%i) writes(%B[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %B[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "sh_C" [%v: spatial 8] = (%i) reads(%T[-%v + 8 : 1]) writes(%C[%v : 1]) {
      %at = affine.apply affine_map<(d0) -> (8 - d0)>(%v)
      %a = memref.load %T[%at] : memref<9xf32>
      memref.store %a, %C[%v] : memref<8xf32>
    }
  }
  return
}

// Loops that are fused over sizes: quotient and remainder are in their domains.
// CHECK-LABEL: func.func @fused_sizes
// CHECK:      %T = loop.buffer "T" scope(global) (%dim, %dim_0) : memref<?x?xf32>
// CHECK-NEXT: loop.for serial %f in #[[MAP7]]()[%dim, %dim_0] {
// CHECK-NEXT:   loop.block "fd_P" [%v: spatial %dim, %w: spatial %dim_0] = (%f floordiv symbol(%dim_0), %f mod symbol(%dim_0))
// CHECK-NEXT:       reads(%arg0[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
// CHECK:        loop.block "fd_C" [%v: spatial %dim, %w: spatial %dim_0] = (%f floordiv symbol(%dim_0), %f mod symbol(%dim_0))
// CHECK-NEXT:       reads(%T[%v : 1, %w : 1]) writes(%arg1[%v : 1, %w : 1]) {
func.func @fused_sizes(%A: memref<?x?xf32>, %C: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x?xf32>
  %n = memref.dim %A, %c1 : memref<?x?xf32>
  %T = loop.buffer "T" scope(global) (%m, %n) : memref<?x?xf32>
  loop.for serial %i in %m {
    loop.for serial %j in %n {
      loop.block "fd_P" [%v: spatial %m, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%T[%v : 1, %w : 1]) {
        %a = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %a, %T[%v, %w] : memref<?x?xf32>
      }
    }
  }
  loop.for serial %f in affine_map<()[s0, s1] -> (s0 * s1)>()[%m, %n] {
    loop.block "fd_C" [%v: spatial %m, %w: spatial %n] = (%f floordiv symbol(%n), %f mod symbol(%n)) reads(%T[%v : 1, %w : 1]) writes(%C[%v : 1, %w : 1]) {
      %a = memref.load %T[%v, %w] : memref<?x?xf32>
      memref.store %a, %C[%v, %w] : memref<?x?xf32>
    }
  }
  return
}
