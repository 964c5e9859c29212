// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c1_nest(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'N' in %f loop 'P:i'"} {
  // expected-error @+1 {{rolling_buffer: schedule block "N" has a nest as its body (C1)}}
  loop.block "N" [%o: spatial 1] = (0) reads(%A[0 : 8]) writes(%B[0 : 8]) {
    loop.for serial %i in 8 {
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %B[%v] : memref<10xf32>
      }
    }
  }
  return
}

func.func @c2_parallel(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  // expected-error @+1 {{rolling_buffer: loop "i" is parallel, expected serial (C2)}}
  loop.for parallel %i in 8 {
    loop.for serial %k in 3 {
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0)>(%v)
      %a = memref.load %T[%0] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c3_argument(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: "B" is an argument of the function, so the caller decides its layout and scope (C3)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %B[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0)>(%v)
      %a = memref.load %B[%0] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c4_read_otherwise(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": its buffer may be read elsewhere than after it in the same iteration; proof "assume" takes it as true (C4)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[-%v + 9 : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (9 - d0)>(%v)
      %a = memref.load %T[%0] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c5_no_overlap(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 1 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": the rows of one iteration and the next do not overlap (C5)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0)>(%v)
      %a = memref.load %T[%0] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c6_no_dimension(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<20xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": no dimension of its buffer is indexed by the rows (C6)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v * 2 : 1]) {
        %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%v)
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%0] : memref<20xf32>
      }
    }
  }
  return
}

func.func @c7_overwritten(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": a buffer that it reads is written in the loop (C7)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0)>(%v)
      %a = memref.load %T[%0] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
    // expected-note @+1 {{the writer is here}}
    loop.block "D" [%v: spatial 8] = (%i) reads(%B[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %B[%v] : memref<10xf32>
      memref.store %a, %A[%v] : memref<10xf32>
    }
  }
  return
}

func.func private @effect()
func.func @c1_calls(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" calls a function, whose effects are not known (C1)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        func.call @effect() : () -> ()
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c2_not_around(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'C:j'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: loop "j" does not enclose schedule block "T" (C2)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
  }
  loop.for serial %j in 8 {
    loop.block "C" [%v: spatial 8] = (%j) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c2_not_alone(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{rolling_buffer: "T" is not the only statement in loop "T:k" (C2)}}
    loop.for serial %k in 3 {
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
      loop.block "C" [%v: spatial 8, %w: opaque 3] = (%i, %k) reads(%T[%v : 1]) writes(%B[%v : 1]) {
        %a = memref.load %T[%v] : memref<10xf32>
        memref.store %a, %B[%v] : memref<10xf32>
      }
    }
  }
  return
}

func.func @c4_another_writer(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  // expected-note @+1 {{the writer is here}}
  loop.block "S" [%v: spatial 1] = (0) writes(%T[%v : 1]) {
    %a = arith.constant 0.0 : f32
    memref.store %a, %T[%v] : memref<10xf32>
  }
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": its buffer has another writer (C4)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c5_two_iters(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": the loop does not advance exactly one of its iters (C5)}}
      loop.block "T" [%v: spatial 10, %w: spatial 8] = (%i + %k, %i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c5_extent(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in affine_map<(d0) -> (10 - d0)>(%i) {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": the extent of an inner loop depends on the loop (C5)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c5_no_rows(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i' proof 'assume'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": no inner loop runs over the rows of an iteration (C5)}}
      loop.block "T" [%v: spatial 10] = (%i - %k + 2) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c5_rows_in_two_loops(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 2 { loop.for serial %l in 2 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": the number of rows in an iteration is not known (C5)}}
      loop.block "T" [%v: spatial 10] = (%i + %k + %l) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    } }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c5_parallel_rows(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for parallel %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": the loop over its rows is not serial (C5)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c5_another_iter(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i' proof 'assume'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": the loop over its rows is bound to another iter too (C5)}}
      loop.block "T" [%v: spatial 10, %w: spatial 3] = (%i + %k, %k) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}

func.func @c5_predicate(%A: memref<10xf32> {loop.name = "A"}, %B: memref<10xf32> {loop.name = "B"})
    attributes {refused = "rolling_buffer 'T' in %f loop 'T:i' proof 'assume'"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    loop.for serial %k in 3 {
      // expected-error @+1 {{rolling_buffer: schedule block "T" cannot keep rows for the next iteration of loop "i": a predicate depends on the loop in other ways than by the row (C5)}}
      loop.block "T" [%v: spatial 10] = (%i + %k) where(%i + %k * 2 - 1 >= 0)
          reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<10xf32>
        memref.store %a, %T[%v] : memref<10xf32>
      }
    }
    loop.block "C" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %T[%v] : memref<10xf32>
      memref.store %a, %B[%v] : memref<10xf32>
    }
  }
  return
}
