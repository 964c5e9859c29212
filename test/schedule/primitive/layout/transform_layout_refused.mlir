// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{transform_layout: there is no buffer "U", there are "A", "B", "T" (C1)}}
func.func @c1_no_buffer(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'U' in %f index_map '(i) -> (i)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c1_argument(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'A' in %f index_map '(i) -> (i)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: "A" is an argument of the function, so the caller decides its layout and scope (C1)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_used_otherwise(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i * 2)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: "T" is used by something other than loads and stores of schedule blocks (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  memref.copy %T, %B : memref<8xf32> to memref<8xf32>
  return
}

func.func @c2_its_dimension(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i * 2)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: "T" is used by something other than loads and stores of schedule blocks (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  %c0 = arith.constant 0 : index
  %d = memref.dim %T, %c0 : memref<8xf32>
  loop.for serial %i in %d {
    loop.block "Q" [%v: spatial %d] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_padded(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i * 2)'"} {
  %T = loop.buffer "T" scope(global) pad(4) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: rows of "T" are padded already: change its layout before that (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c2_written_together(%A: memref<8xf32> {loop.name = "A"}, %I: memref<4xi64> {loop.name = "I"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i * 2)'"} {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    loop.for serial %k in 8 {
      // expected-error @+1 {{transform_layout: schedule block "M" writes "T" and "I" at the same indices (C2)}}
      loop.block "M" [%v: spatial 4, %w: reduce 8] = (%i, %k) reads(%A[%w : 1])
          writes(%T[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        loop.init {
          %x = arith.constant 0xFF800000 : f32
          %c = arith.constant 0 : i64
          memref.store %x, %T[%v] : memref<4xf32>
          memref.store %c, %I[%v] : memref<4xi64>
        }
        %x = memref.load %A[%w] : memref<8xf32>
        %t = memref.load %T[%v] : memref<4xf32>
        %n = memref.load %I[%v] : memref<4xi64>
        %m = arith.index_cast %w : index to i64
        %c = arith.cmpf ogt, %x, %t : f32
        %a = arith.select %c, %x, %t : f32
        %b = arith.select %c, %m, %n : i64
        memref.store %a, %T[%v] : memref<4xf32>
        memref.store %b, %I[%v] : memref<4xi64>
      }
    }
  }
  return
}

func.func @c3_no_map(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (k)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: "(i) -> (k)" is not an index map: found "k", expected an index of the map, a number or "(" (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c3_rank(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i, j) -> (j, i)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: the map takes 2 indices, "T" has 1 (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c3_sizes(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i)[n, m] -> (i)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: the map names 2 sizes, "T" has 1 (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c3_no_index(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> ()'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: the map gives no index (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c3_product(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i * i)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: index 0 of the map multiplies indices, or divides by an index (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c3_divisor(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i, i floordiv (0 - 2))'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: index 1 of the map has a divisor that is not a positive number (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_data(%A: memref<8xf32> {loop.name = "A"}, %I: memref<8xi64> {loop.name = "I"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i floordiv 4, i mod 4)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: an index of "T" in schedule block "Q" depends on data (C4)}}
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[*], %I[%v : 1]) writes(%A[%v : 1]) {
      %n = memref.load %I[%v] : memref<8xi64>
      %c = arith.index_cast %n : i64 to index
      %x = memref.load %T[%c] : memref<8xf32>
      memref.store %x, %A[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c5_same_cell(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i floordiv 3)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: cells [0] and [1] of "T" would both be stored at [0] (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c6_below_zero(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i - 1)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: index 0 of the map may be -1, expected 0 or more (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c7_room(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i * 12800)'"} {
  %T = loop.buffer "T" scope(shared) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: "T" takes 358404 bytes, scope shared has 232448 (C7)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c6_too_far(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "transform_layout 'T' in %f index_map '(i) -> (i * 9223372036854775807)'"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{transform_layout: the cells would be too far apart for an index (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}
