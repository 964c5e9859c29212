// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{decompose_padding: there is no schedule block "Q", there are "P" (C1)}}
func.func @c1_no_block(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'Q' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c1_no_loop(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:j'"} {
  loop.for serial %i in 6 {
    // expected-error @+1 {{decompose_padding: there is no loop "j" around schedule block "P", there are "i" (C1)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c2_no_branch(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    // expected-error @+1 {{decompose_padding: schedule block "P" does not have one store, and all loads where the conditions of one 'loop.if' with a result hold (C2)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c2_reads_elsewhere(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    // expected-error @+1 {{decompose_padding: schedule block "P" does not have one store, and all loads where the conditions of one 'loop.if' with a result hold (C2)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = memref.load %A[%v] : memref<6xf32>
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c2_two_branches(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    // expected-error @+1 {{decompose_padding: schedule block "P" does not have one store, and all loads where the conditions of one 'loop.if' with a result hold (C2)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      %y = loop.if (%v - 3 >= 0) -> f32 { loop.yield %x : f32 } else { %d = arith.constant 1.0 : f32 loop.yield %d : f32 }
      memref.store %y, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c2_two_stores(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    // expected-error @+1 {{decompose_padding: schedule block "P" does not have one store, and all loads where the conditions of one 'loop.if' with a result hold (C2)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c2_reduction(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    loop.for serial %k in 2 {
    // expected-error @+1 {{decompose_padding: schedule block "P" does not have one store, and all loads where the conditions of one 'loop.if' with a result hold (C2)}}
    loop.block "P" [%v: spatial 6, %r: reduce 2] = (%i, %k) reads(%A[*], %B[*]) writes(%B[*]) reducer(add, 0.0) {
      %b = memref.load %B[%v] : memref<6xf32>
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %a = memref.load %A[%v] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      %s = arith.addf %b, %x : f32
      memref.store %s, %B[%v] : memref<6xf32>
    }
    }
  }
  return
}

func.func @c3_other_loop(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'Q:i'"} {
  // expected-error @+1 {{decompose_padding: loop "i" does not enclose schedule block "P" (C3)}}
  loop.for serial %i in 6 {
    loop.block "Q" [%v: spatial 6] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<6xf32>
      memref.store %a, %B[%v] : memref<6xf32>
    }
  }
  loop.for serial %i in 6 {
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c3_branch(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    // expected-note @+1 {{it is here}}
    loop.if (%i - 2 >= 0) {
    // expected-error @+1 {{decompose_padding: a 'loop.if' is between loop "i" and schedule block "P" (C3)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
    }
  }
  return
}

func.func @c4_threads(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  // expected-error @+1 {{decompose_padding: loop "i" is bound to a thread axis (C4)}}
  loop.for thread_bind[threadIdx.x] %i in 6 {
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c4_own_buffers(%A: memref<6xf32>) attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  %T = loop.buffer "T" scope(local) : memref<6xf32>
  loop.for parallel %i in 6 {
    // expected-error @+1 {{decompose_padding: schedule block "P" accesses "T" of scope local: each iteration would have its own (C4)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%T[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %T[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c5_shared_cells(%A: memref<6xf32>, %B: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
  loop.for serial %j in 2 {
    // expected-error @+1 {{decompose_padding: cannot prove that the instances of schedule block "P" write different cells of "arg1"; proof "assume" takes it as true (C5)}}
    loop.block "P" [%v: spatial 6, %w: spatial 2] = (%i, %j) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  }
  return
}

func.func @c5_reads_own(%B: memref<6xf32>) attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    // expected-error @+1 {{decompose_padding: schedule block "P" reads "arg0", which it writes (C5)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%B[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %B[%v] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
  }
  return
}

func.func @c6_reader(%A: memref<6xf32>, %B: memref<6xf32>, %C: memref<6xf32>)
    attributes {refused = "decompose_padding 'P' in %f loop 'P:i'"} {
  loop.for serial %i in 6 {
    // expected-error @+1 {{decompose_padding: schedule blocks "P" and "C" both access "arg1", which one of them writes: "P" and "C"; proof "assume" takes it as true (C6)}}
    loop.block "P" [%v: spatial 6] = (%i) reads(%A[*]) writes(%B[*]) {
      %x = loop.if (%v - 1 >= 0) -> f32 {
        %u = affine.apply affine_map<(d0) -> (d0 - 1)>(%v)
        %a = memref.load %A[%u] : memref<6xf32>
        loop.yield %a : f32
      } else {
        %c = arith.constant 0.0 : f32
        loop.yield %c : f32
      }
      memref.store %x, %B[%v] : memref<6xf32>
    }
    // expected-note @+1 {{the other is here}}
    loop.block "C" [%v: spatial 6] = (%i) reads(%B[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %B[%v] : memref<6xf32>
      memref.store %a, %C[%v] : memref<6xf32>
    }
  }
  return
}
