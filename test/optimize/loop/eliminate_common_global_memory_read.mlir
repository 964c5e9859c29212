// RUN: lw-opt %s --eliminate-common-global-memory-read --split-input-file | FileCheck %s
// RUN: lw-opt %s --eliminate-common-global-memory-read --eliminate-common-global-memory-read --split-input-file \
// RUN:   | FileCheck %s
// RUN: lw-opt %s --eliminate-common-global-memory-read --split-input-file --pass-report -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=COUNTS
// RUN: lw-opt %s --verify-each=numeric --eliminate-common-global-memory-read --convert-loop-to-gpu \
// RUN:   --split-input-file -o /dev/null
// RUN: lw-opt %s --eliminate-common-global-memory-read=most-cells=3 --split-input-file \
// RUN:   | FileCheck %s --check-prefix=THREE

// Two statements read one element: the example.
// CHECK-LABEL: func.func @twice(
// CHECK:         %[[L:.+]] = loop.buffer "g_local_temp_buffer" scope(local) : memref<1xf32>
// CHECK:         loop.for thread_bind[blockIdx.x] %b in 4 {
// CHECK-NEXT:      loop.for thread_bind[threadIdx.x] %t in 256 {
// CHECK-NEXT:        loop.block "g_local_temp_buffer" [%[[V:.+]]: spatial 1024] = (%b * 256 + %t)
// CHECK-NEXT:            reads(%{{.+}}[%[[V]] : 1])
// CHECK:               memref.load %{{.+}}[%[[V]]]
// CHECK-NEXT:          memref.store %{{.+}}, %[[L]][%c0{{.*}}]
// CHECK:             loop.block "Y"
// CHECK-NEXT:            reads(%[[L]][0 : 1])
// CHECK:               memref.load %[[L]][%c0{{.*}}]
// CHECK:             loop.block "Z"
// CHECK:               memref.load %[[L]][%c0{{.*}}]
// COUNTS:        eliminate-common-global-memory-read  @twice {{.*}} ms  changed, 1 buffers, 2 loads
// THREE-LABEL: func.func @twice(
// THREE:         "g_local_temp_buffer"
func.func @twice(%g: memref<1024xf32> {loop.name = "g"}, %Y: memref<1024xf32> {loop.result}, %Z: memref<1024xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 4 {
    loop.for thread_bind[threadIdx.x] %t in 256 {
      loop.block "Y" [%v: spatial 1024] = (%b * 256 + %t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
        %a = memref.load %g[%v] : memref<1024xf32>
        %c = arith.constant 1.0 : f32
        %s = arith.addf %a, %c : f32
        memref.store %s, %Y[%v] : memref<1024xf32>
      }
      loop.block "Z" [%v: spatial 1024] = (%b * 256 + %t) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
        %a = memref.load %g[%v] : memref<1024xf32>
        %c = arith.constant 2.0 : f32
        %s = arith.mulf %a, %c : f32
        memref.store %s, %Z[%v] : memref<1024xf32>
      }
    }
  }
  return
}

// -----

// Four elements in separate loops, one of them of lanes; the box starts at a multiple of 4. The same elements in other
// order are the same box.
// CHECK-LABEL: func.func @box(
// CHECK:         %[[L:.+]] = loop.buffer "g_local_temp_buffer" scope(local) : memref<1x4xf32>
// CHECK:           loop.for vectorize %cache_ax1 in 4 {
// CHECK-NEXT:        loop.block "g_local_temp_buffer" [%[[V0:.+]]: spatial 8, %[[V1:.+]]: spatial 128] = (%b, %t * 4 + %cache_ax1)
// CHECK:               %[[P:.+]] = affine.apply #{{.+}}(%[[V1]])
// CHECK:               memref.store %{{.+}}, %[[L]][%c0{{.*}}, %[[P]]]
// CHECK:           loop.for vectorize %i in 4 {
// CHECK-NEXT:        loop.block "Y"
// CHECK:               memref.load %[[L]]
// CHECK:           loop.for unroll %j in 4 {
// CHECK-NEXT:        loop.block "Z"
// CHECK:               memref.load %[[L]]
// THREE-LABEL: func.func @box(
// THREE-NOT:     temp_buffer
func.func @box(%g: memref<8x128xf32> {loop.name = "g"}, %Y: memref<8x128xf32> {loop.result}, %Z: memref<8x128xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 8 {
    loop.for thread_bind[threadIdx.x] %t in 32 {
      loop.for vectorize %i in 4 {
        loop.block "Y" [%u: spatial 8, %v: spatial 128] = (%b, %t * 4 + %i) reads(%g[%u : 1, %v : 1]) writes(%Y[%u : 1, %v : 1]) {
          %a = memref.load %g[%u, %v] : memref<8x128xf32>
          %s = arith.addf %a, %a : f32
          memref.store %s, %Y[%u, %v] : memref<8x128xf32>
        }
      }
      loop.for unroll %j in 4 {
        loop.block "Z" [%u: spatial 8, %v: spatial 128] = (%b, %t * 4 - %j + 3) reads(%g[%u : 1, %v : 1]) writes(%Z[%u : 1, %v : 1]) {
          %a = memref.load %g[%u, %v] : memref<8x128xf32>
          %s = arith.mulf %a, %a : f32
          memref.store %s, %Z[%u, %v] : memref<8x128xf32>
        }
      }
    }
  }
  return
}

// -----

// Elements with a stride of the number of threads.
// CHECK-LABEL: func.func @steps(
// CHECK:         %[[L:.+]] = loop.buffer "g_local_temp_buffer" scope(local) : memref<4xf32>
// CHECK:           loop.for serial %cache_ax0 in 4 {
// CHECK-NEXT:        loop.block "g_local_temp_buffer" [%{{.+}}: spatial 256] = (%t + %cache_ax0 * 64)
// CHECK-NEXT:            writes(%[[L]][(%{{.+}} floordiv 64) mod 4 : 1])
func.func @steps(%g: memref<256xf32> {loop.name = "g"}, %Y: memref<256xf32> {loop.result}, %Z: memref<256xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.for serial %i in 4 {
      loop.block "Y" [%v: spatial 256] = (%i * 64 + %t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
        %a = memref.load %g[%v] : memref<256xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %Y[%v] : memref<256xf32>
      }
    }
    loop.for serial %j in 4 {
      loop.block "Z" [%v: spatial 256] = (%j * 64 + %t) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
        %a = memref.load %g[%v] : memref<256xf32>
        %s = arith.mulf %a, %a : f32
        memref.store %s, %Z[%v] : memref<256xf32>
      }
    }
  }
  return
}

// -----

// Surplus threads read nothing: the copy has the predicate of its readers, or conditions on its elements if
// the predicates differ.
// CHECK-LABEL: func.func @tail(
// CHECK:         %[[N:.+]] = memref.dim %arg1,
// CHECK:         loop.block "g_local_temp_buffer"
// CHECK-NEXT:        where(%b * -64 - %t + symbol(%[[N]]) - 1 >= 0)
// CHECK-LABEL: func.func @tails(
// CHECK:         %[[N:.+]] = memref.dim %arg0,
// CHECK:         loop.block "g_local_temp_buffer" [%[[V:.+]]: spatial %[[N]]] = (%b * 64 + %t)
// CHECK-NEXT:        where(%b * -64 - %t + symbol(%[[N]]) - 1 >= 0)
// THREE-LABEL: func.func @tail(
func.func @tail(%g: memref<?xf32> {loop.name = "g"}, %Y: memref<?xf32> {loop.result}, %Z: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %Y, %c0 : memref<?xf32>
  loop.for thread_bind[blockIdx.x] %b in affine_map<()[s0] -> (s0 ceildiv 64)>()[%n] {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "Y" [%v: spatial %n] = (%b * 64 + %t) where (%n - %b * 64 - %t - 1 >= 0) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
        %a = memref.load %g[%v] : memref<?xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %Y[%v] : memref<?xf32>
      }
      loop.block "Z" [%v: spatial %n] = (%b * 64 + %t) where (%n - %b * 64 - %t - 1 >= 0) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
        %a = memref.load %g[%v] : memref<?xf32>
        %s = arith.mulf %a, %a : f32
        memref.store %s, %Z[%v] : memref<?xf32>
      }
    }
  }
  return
}

func.func @tails(%g: memref<?xf32> {loop.name = "g"}, %Y: memref<?xf32> {loop.result}, %Z: memref<?xf32> {loop.result}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %Y, %c0 : memref<?xf32>
  loop.for thread_bind[blockIdx.x] %b in affine_map<()[s0] -> (s0 ceildiv 64)>()[%n] {
    loop.for thread_bind[threadIdx.x] %t in 64 {
      loop.block "Y" [%v: spatial %n] = (%b * 64 + %t) where (%n - %b * 64 - %t - 1 >= 0) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
        %a = memref.load %g[%v] : memref<?xf32>
        %s = arith.addf %a, %a : f32
        memref.store %s, %Y[%v] : memref<?xf32>
      }
      loop.block "Z" [%v: spatial %n] = (%b * 64 + %t) where (%n - %b * 64 - %t - 2 >= 0) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
        %a = memref.load %g[%v] : memref<?xf32>
        %s = arith.mulf %a, %a : f32
        memref.store %s, %Z[%v] : memref<?xf32>
      }
    }
  }
  return
}

// -----

// (C6) A buffer that is written after all of its reads may be copied; one that is written before the last read may not.
// CHECK-LABEL: func.func @written_last(
// CHECK:         loop.block "g_local_temp_buffer"
// CHECK:         loop.block "W"
// CHECK-NEXT:        reads(%g_local_temp_buffer
func.func @written_last(%g: memref<64xf32> {loop.name = "g", loop.result}, %Y: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "Y" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Y[%v] : memref<64xf32>
    }
    loop.block "W" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%g[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %g[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @c6_written_between(
// CHECK-NOT:     temp_buffer
func.func @c6_written_between(%g: memref<64xf32> {loop.result}, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "Y" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Y[%v] : memref<64xf32>
    }
    loop.block "W" [%v: spatial 64] = (%t) reads(%Y[%v : 1]) writes(%g[%v : 1]) {
      %a = memref.load %Y[%v] : memref<64xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %g[%v] : memref<64xf32>
    }
    loop.block "Z" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Z[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// Before a barrier another thread may write the elements that are read after it; unwritten elements do not change.
// CHECK-LABEL: func.func @c6_barrier(
// CHECK-NOT:     "g_local_temp_buffer"
// CHECK:         loop.block "h_local_temp_buffer"
// CHECK-NOT:     "g_local_temp_buffer"
func.func @c6_barrier(%g: memref<64xf32> {loop.name = "g", loop.result}, %h: memref<64xf32> {loop.name = "h"}, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 32 {
    loop.block "Y" [%v: spatial 32] = (%t) reads(%g[%v : 1], %h[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      %b = memref.load %h[%v] : memref<64xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %Y[%v] : memref<64xf32>
    }
    loop.block "W" [%v: spatial 32] = (%t) reads(%h[-%v + 63 : 1]) writes(%g[-%v + 63 : 1]) {
      %at = affine.apply affine_map<(d0) -> (-d0 + 63)>(%v)
      %a = memref.load %h[%at] : memref<64xf32>
      memref.store %a, %g[%at] : memref<64xf32>
    }
    loop.sync
    loop.block "Z" [%v: spatial 32] = (%t) reads(%g[%v : 1], %h[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      %b = memref.load %h[%v] : memref<64xf32>
      %s = arith.mulf %a, %b : f32
      memref.store %s, %Z[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// (C1) On a CPU, caches and LLVM do this.
// CHECK-LABEL: func.func @c1_no_kernel(
// CHECK-NOT:     temp_buffer
func.func @c1_no_kernel(%g: memref<64xf32>, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for parallel %t in 64 {
    loop.block "Y" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Y[%v] : memref<64xf32>
    }
    loop.block "Z" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Z[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// (C2) shared memory; (C3) in a branch, at an index from data, the target of a reduction.
// CHECK-LABEL: func.func @c2_c3_loads(
// CHECK-NOT:     temp_buffer
func.func @c2_c3_loads(%g: memref<64xf32>, %i: memref<64xi32>, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  %S = loop.buffer "S" scope(shared) : memref<64xf32>
  %T = loop.buffer "T" scope(global) : memref<64xf32>
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "S" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%S[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %S[%v] : memref<64xf32>
    }
    loop.block "Y" [%v: spatial 64] = (%t) reads(%S[%v : 1], %g[*], %i[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %S[%v] : memref<64xf32>
      %n = memref.load %i[%v] : memref<64xi32>
      %c63 = arith.constant 63 : i32
      %m = arith.andi %n, %c63 : i32
      %at = arith.index_cast %m : i32 to index
      %b = memref.load %g[%at] : memref<64xf32>
      %s = arith.addf %a, %b : f32
      memref.store %s, %Y[%v] : memref<64xf32>
    }
    loop.block "Z" [%v: spatial 64] = (%t) reads(%S[%v : 1], %g[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %S[%v] : memref<64xf32>
      %b = loop.if (%v - 7 >= 0) -> f32 {
        %x = memref.load %g[%v] : memref<64xf32>
        loop.yield %x : f32
      } else {
        loop.yield %a : f32
      }
      memref.store %b, %Z[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// (C4) The readers run in different threads, or in different branches; (C5) the box is too large, is another
// one, or has an arbitrary start.
// CHECK-LABEL: func.func @c4_c5(
// CHECK-NOT:     temp_buffer
func.func @c4_c5(%g: memref<64xf32>, %h: memref<64xf32>, %k: memref<70xf32>, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for thread_bind[blockIdx.x] %b in 1 {
    loop.for thread_bind[threadIdx.x] %t in 4 {
      loop.for serial %i in 16 {
        loop.block "Y" [%v: spatial 64] = (%t * 16 + %i) reads(%g[%v : 1], %h[%v : 1], %k[%v + 6 : 1]) writes(%Y[%v : 1]) {
          %a = memref.load %g[%v] : memref<64xf32>
          %b0 = memref.load %h[%v] : memref<64xf32>
          %at = affine.apply affine_map<(d0) -> (d0 + 6)>(%v)
          %c = memref.load %k[%at] : memref<70xf32>
          %s = arith.addf %a, %b0 : f32
          %r = arith.addf %s, %c : f32
          memref.store %r, %Y[%v] : memref<64xf32>
        }
      }
      loop.if (%t - 1 >= 0) {
        loop.for serial %i in 16 {
          loop.block "Z" [%v: spatial 64] = (%t * 16 + %i) reads(%g[%v : 1], %h[-%v + 63 : 1], %k[%v : 1]) writes(%Z[%v : 1]) {
            %a = memref.load %g[%v] : memref<64xf32>
            %from = affine.apply affine_map<(d0) -> (-d0 + 63)>(%v)
            %b0 = memref.load %h[%from] : memref<64xf32>
            %c = memref.load %k[%v] : memref<70xf32>
            %s = arith.addf %a, %b0 : f32
            %r = arith.addf %s, %c : f32
            memref.store %r, %Z[%v] : memref<64xf32>
          }
        }
      }
    }
    loop.for thread_bind[threadIdx.x] %t in 4 {
      loop.block "X" [%v: spatial 64] = (%t) reads(%g[0 : 1]) writes(%Z[%v : 1]) {
        %c0 = arith.constant 0 : index
        %a = memref.load %g[%c0] : memref<64xf32>
        memref.store %a, %Z[%v] : memref<64xf32>
      }
    }
  }
  return
}

// -----

// A box of 3 elements that starts at a multiple of 2 would need 4 elements.
// CHECK-LABEL: func.func @c5_phase(
// CHECK-NOT:     temp_buffer
func.func @c5_phase(%g: memref<9xf32>, %Y: memref<12xf32> {loop.result}, %Z: memref<12xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 4 {
    loop.for serial %i in 3 {
      loop.block "Y" [%u: spatial 4, %v: spatial 3] = (%t, %i) reads(%g[%u * 2 + %v : 1]) writes(%Y[%u * 3 + %v : 1]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%u, %v)
        %to = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%u, %v)
        %a = memref.load %g[%at] : memref<9xf32>
        memref.store %a, %Y[%to] : memref<12xf32>
      }
    }
    loop.for serial %i in 3 {
      loop.block "Z" [%u: spatial 4, %v: spatial 3] = (%t, %i) reads(%g[%u * 2 + %v : 1]) writes(%Z[%u * 3 + %v : 1]) {
        %at = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%u, %v)
        %to = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%u, %v)
        %a = memref.load %g[%at] : memref<9xf32>
        memref.store %a, %Z[%to] : memref<12xf32>
      }
    }
  }
  return
}

// -----

// (C3) The target of a reduction.
// CHECK-LABEL: func.func @c3_adds(
// CHECK-NOT:     temp_buffer
func.func @c3_adds(%g: memref<64x3xf32>, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "Z" [%v: spatial 64] = (%t) reads(%Y[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %Y[%v] : memref<64xf32>
      memref.store %a, %Z[%v] : memref<64xf32>
    }
    loop.for serial %k in 3 {
      loop.block "Y" [%v: spatial 64, %r: reduce 3] = (%t, %k) reads(%g[%v : 1, %r : 1], %Y[%v : 1]) writes(%Y[%v : 1]) reducer(add, 0.0) {
        %a = memref.load %g[%v, %r] : memref<64x3xf32>
        %y = memref.load %Y[%v] : memref<64xf32>
        %s = arith.addf %y, %a : f32
        memref.store %s, %Y[%v] : memref<64xf32>
      }
    }
  }
  return
}

// -----

// (C3) Two schedule blocks, at indices from data.
// CHECK-LABEL: func.func @c3_data(
// CHECK-NOT:     "g_local_temp_buffer"
func.func @c3_data(%g: memref<64xf32> {loop.name = "g"}, %i: memref<64xi32>, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "Y" [%v: spatial 64] = (%t) reads(%g[*], %i[%v : 1]) writes(%Y[%v : 1]) {
      %n = memref.load %i[%v] : memref<64xi32>
      %c63 = arith.constant 63 : i32
      %m = arith.andi %n, %c63 : i32
      %at = arith.index_cast %m : i32 to index
      %b = memref.load %g[%at] : memref<64xf32>
      memref.store %b, %Y[%v] : memref<64xf32>
    }
    loop.block "Z" [%v: spatial 64] = (%t) reads(%g[*], %i[%v : 1]) writes(%Z[%v : 1]) {
      %n = memref.load %i[%v] : memref<64xi32>
      %c63 = arith.constant 63 : i32
      %m = arith.andi %n, %c63 : i32
      %at = arith.index_cast %m : i32 to index
      %b = memref.load %g[%at] : memref<64xf32>
      memref.store %b, %Z[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// (C4) One of the readers is in a branch.
// CHECK-LABEL: func.func @c4_branch(
// CHECK-NOT:     temp_buffer
func.func @c4_branch(%g: memref<64xf32>, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.if (%t - 5 >= 0) {
      loop.block "Y" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
        %a = memref.load %g[%v] : memref<64xf32>
        memref.store %a, %Y[%v] : memref<64xf32>
      }
    }
    loop.block "Z" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Z[%v] : memref<64xf32>
    }
  }
  return
}

// -----

// (C6) Statements before the first reader or after the last one may write, and contain barriers.
// CHECK-LABEL: func.func @written_around(
// CHECK:         loop.block "F"
// CHECK:         loop.block "g_local_temp_buffer"
// CHECK:         loop.block "Y"
func.func @written_around(%g: memref<64xf32> {loop.name = "g", loop.result}, %Y: memref<64xf32> {loop.result}, %Z: memref<64xf32> {loop.result}) {
  loop.for thread_bind[threadIdx.x] %t in 64 {
    loop.block "F" [%v: spatial 64] = (%t) writes(%g[%v : 1]) {
      %a = arith.constant 2.0 : f32
      memref.store %a, %g[%v] : memref<64xf32>
    }
    loop.sync
    loop.block "Y" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Y[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Y[%v] : memref<64xf32>
    }
    loop.block "Z" [%v: spatial 64] = (%t) reads(%g[%v : 1]) writes(%Z[%v : 1]) {
      %a = memref.load %g[%v] : memref<64xf32>
      memref.store %a, %Z[%v] : memref<64xf32>
    }
    loop.block "G" [%v: spatial 64] = (%t) writes(%g[%v : 1]) {
      %a = arith.constant 1.0 : f32
      memref.store %a, %g[%v] : memref<64xf32>
    }
    loop.sync
  }
  return
}

// In a schedule block the copy uses the block's iters, not the enclosing loops.
// CHECK-LABEL: func.func @in_a_block(
// CHECK:         loop.block "rows" [%v: spatial 8] = (%i)
// CHECK-NEXT:        reads(
// CHECK-NEXT:      loop.for serial %j in 4 {
// CHECK-NEXT:        loop.block "arg0_local_temp_buffer" [%v0: spatial 8, %v1: spatial 4] = (%v, %j)
func.func @in_a_block(%X: memref<8x4xf32>, %Y: memref<8x4xf32>, %Z: memref<8x4xf32>) {
  loop.for thread_bind[threadIdx.x] %i in 8 {
    loop.block "rows" [%v: spatial 8] = (%i) reads(%X[%v : 1, 0 : 4]) writes(%Y[%v : 1, 0 : 4], %Z[%v : 1, 0 : 4]) {
      loop.for serial %j in 4 {
        loop.block "Y" [%a: spatial 8, %b: spatial 4] = (%v, %j) reads(%X[%a : 1, %b : 1]) writes(%Y[%a : 1, %b : 1]) {
          %x = memref.load %X[%a, %b] : memref<8x4xf32>
          memref.store %x, %Y[%a, %b] : memref<8x4xf32>
        }
        loop.block "Z" [%a: spatial 8, %b: spatial 4] = (%v, %j) reads(%X[%a : 1, %b : 1]) writes(%Z[%a : 1, %b : 1]) {
          %x = memref.load %X[%a, %b] : memref<8x4xf32>
          %y = arith.addf %x, %x : f32
          memref.store %y, %Z[%a, %b] : memref<8x4xf32>
        }
      }
    }
  }
  return
}
