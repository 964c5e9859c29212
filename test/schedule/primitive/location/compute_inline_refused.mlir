// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{compute_inline: there is no schedule block "P", there are none: --convert-linalg-to-loop makes schedule blocks of linalg ops (C1)}}
func.func @inline_c1_no_block() attributes {refused = "compute_inline 'P' in %f"} {
  loop.for serial %i in 8 {}
  return
}

func.func @inline_c2_nested_block(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  // expected-error @+1 {{compute_inline: schedule block "P" has a nest as its body (C2)}}
  loop.block "P" [] = () { loop.block "B" [] = () {} }
  return
}

func.func private @g()
func.func @inline_c2_call(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" calls a function, whose effects are not known (C2)}}
    loop.block "P" [%v: spatial 8] = (%i)  {
      func.call @g() : () -> ()
    }
  }
  return
}

func.func @inline_c2_reduction(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" is a reduction (C2)}}
    loop.block "P" [%v: spatial 8, %k: reduce 1] = (%i, 0) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c2_opaque(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: iter "v" of schedule block "P" is opaque, expected spatial (C2)}}
    loop.block "P" [%v: opaque 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c3_argument(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" writes "arg1", an argument of the function (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c4_no_store(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" has 0 stores, expected one (C4)}}
    loop.block "P" [%v: spatial 8] = (%i)  {
      %one = arith.constant 1.0 : f32
    }
  }
  return
}

func.func @inline_c4_two_stores(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" has 2 stores, expected one (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c4_store_in_if(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" has its store in a 'loop.if' (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      loop.if (%v > 0) { memref.store %a, %T[%v] : memref<8xf32> }
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c4_shifted(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not store at its iters as indices, each once (C4)}}
    loop.block "P" [%v: spatial 7] = (%i) reads(%A[%v : 1]) writes(%T[%v + 1 : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      memref.store %a, %T[%next] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c4_diagonal(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %D = loop.buffer "D" scope(global) : memref<8x8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not store at its iters as indices, each once (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1, %v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %D[%v, %v] : memref<8x8xf32>
    }
  }
  return
}

func.func @inline_c4_iter_that_is_no_index(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not store at its iters as indices, each once (C4)}}
    loop.block "P" [%v: spatial 8, %w: spatial 2] = (%i, 0) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c4_constant_index(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %D = loop.buffer "D" scope(global) : memref<8x2xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not store at its iters as indices, each once (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%D[%v : 1, 0 : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %D[%v, %c0] : memref<8x2xf32>
    }
  }
  return
}

func.func @inline_c5_part_of_the_buffer(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not run for its whole domain (C5)}}
    loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c5_minimum_domain(%A: memref<8xf32>, %C: memref<8xf32>, %n: index)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not run for its whole domain (C5)}}
    loop.block "P" [%v: spatial min(8, %n)] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c5_predicate(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not run for its whole domain (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) where(%i < 5) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c5_equality(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not run for its whole domain (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) where(%i == 7) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c5_few_iterations(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not run for its whole domain (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c5_branch(%A: memref<8xf32>, %C: memref<8xf32>, %n: index)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.if (%n > 3) {
    loop.for serial %i in 8 {
      // expected-error @+1 {{compute_inline: schedule block "P" does not run for its whole domain (C5)}}
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c6_second_writer(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: "T" is written by schedule block "X" too (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the other writer is here}}
    loop.block "X" [%v: spatial 8] = (%i) writes(%T[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g_2(memref<8xf32>)
func.func @inline_c6_call_uses_it(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: something other than schedule blocks uses "T" (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  call @g_2(%T) : (memref<8xf32>) -> ()
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c6_load_at_function_level(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  %c0 = arith.constant 0 : index
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: something other than schedule blocks uses "T" (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  %t = memref.load %T[%c0] : memref<8xf32>
  return
}

func.func @inline_c6_reads_its_buffer(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "P" reads "T", which it writes (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %T[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c7_no_reader(%A: memref<8xf32>, %C: memref<8xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: no schedule block reads "T" (C7)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c7_read_before(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 2 {
    loop.for serial %i in 8 {
      // expected-note @+1 {{the reader is here}}
      loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
        %t = memref.load %T[%v] : memref<8xf32>
        memref.store %t, %C[%v] : memref<8xf32>
      }
    }
    loop.for serial %i in 8 {
      // expected-error @+1 {{compute_inline: schedule block "R" reads "T" before it is written (C7)}}
      loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
        %a = memref.load %A[%v] : memref<8xf32>
        memref.store %a, %T[%v] : memref<8xf32>
      }
    }
  }
  return
}

func.func @inline_c7_place_depends_on_data(%A: memref<8xf32>, %C: memref<8xf32>, %I: memref<8xi32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: schedule block "R" reads "T" at indices that are not expressions over its iters (C7)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the reader is here}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%I[%v : 1], %T[*]) writes(%C[%v : 1]) {
      %i32 = memref.load %I[%v] : memref<8xi32>
      %at = arith.index_cast %i32 : i32 to index
      %t = memref.load %T[%at] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c8_overwritten_between(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: "arg0" is overwritten by schedule block "X" before "R" would read it: iteration i = 0 of "R" (reads) and iteration i = 0 of "X" (writes) both access "arg0"[0] (C8)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the writer is here}}
    loop.block "X" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c8_reader_overwrites(%A: memref<9xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: "arg0" is overwritten by schedule block "R" before "R" would read it: iteration i = 1 of "R" (reads) and iteration i = 0 of "R" (writes) both access "arg0"[1] (C8)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<9xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the writer is here}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%A[%v + 1 : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %A[%next] : memref<9xf32>
    }
  }
  return
}

func.func @inline_c8_overwritten_in_the_loop(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: "arg0" is overwritten by schedule block "X" before "R" would read it: iteration i = 0 of "R" (reads) and iteration i = 0 of "X" (writes) both access "arg0"[0]; proof "assume" takes it as true (C8)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
    // expected-note @+1 {{the writer is here}}
    loop.block "X" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<8xf32>
    }
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c8_overwritten_at_once(%A: memref<9xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<9xf32>
  loop.for serial %i in 9 {
    // expected-error @+1 {{compute_inline: "arg0" is overwritten by schedule block "X" before "R" would read it: iteration i = 0 of "R" (reads) and iteration i = 1 of "X" (writes) both access "arg0"[1] (C8)}}
    loop.block "P" [%v: spatial 9] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<9xf32>
      memref.store %a, %T[%v] : memref<9xf32>
    }
  }
  loop.for parallel %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v + 1 : 1]) writes(%C[%v : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %t = memref.load %T[%next] : memref<9xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
    // expected-note @+1 {{the writer is here}}
    loop.block "X" [%v: spatial 8] = (%i) writes(%A[%v : 1]) {
      %one = arith.constant 1.0 : f32
      memref.store %one, %A[%v] : memref<9xf32>
    }
  }
  return
}

func.func private @g_3(memref<8xf32>)
func.func @inline_c8_call_between(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: "arg0" may be overwritten by 'func.call' before "R" would read it; proof "assume" takes it as true (C8)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  // expected-note @+1 {{it is here}}
  call @g_3(%A) : (memref<8xf32>) -> ()
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func private @g_4(memref<8xf32>)
func.func @inline_c8_call_in_a_block_between(%A: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{compute_inline: "arg0" may be overwritten by a call in schedule block "X" before "R" would read it; proof "assume" takes it as true (C8)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<8xf32>
      memref.store %a, %T[%v] : memref<8xf32>
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{it is here}}
    loop.block "X" [%v: spatial 8] = (%i) reads(%A[0 : 8]) writes(%A[0 : 8]) {
      func.call @g_4(%A) : (memref<8xf32>) -> ()
    }
  }
  loop.for serial %i in 8 {
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c9_iter_of_a_block_around(%B: memref<32xf32>, %C: memref<8xf32>)
    attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %o in 4 {
    loop.block "tile" [%vo: spatial 4] = (%o) reads(%B[%vo * 8 : 8]) writes(%T[0 : 8]) {
      loop.for serial %i in 8 {
        // expected-error @+1 {{compute_inline: schedule block "P" uses iter "vo" of schedule block "tile", which does not enclose all readers (C9)}}
        loop.block "P" [%v: spatial 8] = (%i) reads(%B[%vo * 8 + %v : 1]) writes(%T[%v : 1]) {
          %at = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%vo, %v)
          %a = memref.load %B[%at] : memref<32xf32>
          memref.store %a, %T[%v] : memref<8xf32>
        }
      }
    }
  }
  loop.for serial %i in 8 {
    // expected-note @+1 {{the reader is here}}
    loop.block "R" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<8xf32>
      memref.store %t, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @inline_c10_private_buffer(%C: memref<4xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %L = loop.buffer "L" scope(local) : memref<1xf32>
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  // expected-note @+1 {{the loop is here}}
  loop.for parallel %o in 4 {
    // expected-error @+1 {{compute_inline: each iteration of loop "o" would have its own "L": schedule block "P" accesses it elsewhere (C10)}}
    loop.block "P" [%v: spatial 4] = (%o) reads(%L[0 : 1]) writes(%T[%v : 1]) {
      %c0 = arith.constant 0 : index
      %a = memref.load %L[%c0] : memref<1xf32>
      memref.store %a, %T[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "R" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<4xf32>
      memref.store %t, %C[%v] : memref<4xf32>
    }
  }
  return
}

// As many iterations as points, but some points run twice and others never.
func.func @compute_inline_c5_constant_binding(%C: memref<4xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{compute_inline: schedule block "P" does not run for its whole domain (C5)}}
    loop.block "P" [%v: spatial 4] = (%i floordiv 2) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %T[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    loop.block "C" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%C[%v : 1]) {
      %t = memref.load %T[%v] : memref<4xf32>
      memref.store %t, %C[%v] : memref<4xf32>
    }
  }
  return
}

// The reader itself overwrites the elements that the block has read.
func.func @compute_inline_c8_reader_writes(%A: memref<5xf32>) attributes {refused = "compute_inline 'P' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<4xf32>
  loop.for serial %i in 4 {
    // expected-error @+1 {{compute_inline: "arg0" is overwritten by schedule block "C" before "C" would read it: iteration i = 1 of "C" (reads) and iteration i = 0 of "C" (writes) both access "arg0"[1] (C8)}}
    loop.block "P" [%v: spatial 4] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<5xf32>
      memref.store %a, %T[%v] : memref<4xf32>
    }
  }
  loop.for serial %i in 4 {
    // expected-note @+1 {{the writer is here}}
    loop.block "C" [%v: spatial 4] = (%i) reads(%T[%v : 1]) writes(%A[%v + 1 : 1]) {
      %next = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %t = memref.load %T[%v] : memref<4xf32>
      memref.store %t, %A[%next] : memref<5xf32>
    }
  }
  return
}
