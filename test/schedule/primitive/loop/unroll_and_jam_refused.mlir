// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @jam_c1_no_loop(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:k' in %f factor 2"} {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      // expected-error @+1 {{unroll_and_jam: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c2_parallel(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:i' in %f factor 2"} {
  // expected-error @+1 {{unroll_and_jam: loop "i" is parallel, expected serial (C2)}}
  loop.for parallel %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c2_annotated(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:i' in %f factor 2"} {
  // expected-error @+1 {{unroll_and_jam: loop "i" has the annotation "note", which would be lost: unannotate it first (C2)}}
  loop.for serial %i in %n attributes {loop.annotations = {note = 1 : i64}} {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c3_innermost(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:j' in %f factor 2"} {
  loop.for serial %i in %n {
    // expected-error @+1 {{unroll_and_jam: loop "j" does not contain exactly one loop, serial or unrolled, with an extent that does not depend on it (C3)}}
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c3_beside(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:i' in %f factor 2"} {
  // expected-error @+1 {{unroll_and_jam: loop "i" does not contain exactly one loop, serial or unrolled, with an extent that does not depend on it (C3)}}
  loop.for serial %i in %n {
    loop.sync
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c3_parallel(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:i' in %f factor 2"} {
  // expected-error @+1 {{unroll_and_jam: loop "i" does not contain exactly one loop, serial or unrolled, with an extent that does not depend on it (C3)}}
  loop.for serial %i in %n {
    loop.for parallel %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c3_triangle(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:i' in %f factor 2"} {
  // expected-error @+1 {{unroll_and_jam: loop "i" does not contain exactly one loop, serial or unrolled, with an extent that does not depend on it (C3)}}
  loop.for serial %i in %n {
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c4_factor(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:i' in %f factor 1"} {
  // expected-error @+1 {{unroll_and_jam: found factor 1, expected 2 or more (C4)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c5_wave(%A: memref<?x?xf32>, %n: index) attributes {refused = "unroll_and_jam 'B:i' in %f factor 2"} {
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      // expected-error @+1 {{unroll_and_jam: cannot prove that the instances of schedule block "B" write different cells of "arg0": iterations i = 4, j = 5 of "B" (writes) and iterations i = 5, j = 4 of "B" (reads) both access "arg0"[5, 5]; with arg1 = 6 (C5)}}
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j)
          reads(%A[%v : 1, %w + 1 : 1]) writes(%A[%v + 1 : 1, %w : 1]) {
        %x = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
        %y = affine.apply affine_map<(d0) -> (d0 + 1)>(%w)
        %a = memref.load %A[%v, %y] : memref<?x?xf32>
        memref.store %a, %A[%x, %w] : memref<?x?xf32>
      }
    }
  }
  return
}

func.func @jam_c6_no_tail(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %n: index)
    attributes {refused = "unroll_and_jam 'B:i' in %f factor 2 tail 'cut'"} {
  // expected-error @+1 {{unroll_and_jam: there is no tail "cut", expected one of guard, peel, shift_inwards, pad (C6)}}
  loop.for serial %i in %n {
    loop.for serial %j in %n {
      loop.block "B" [%v: spatial %n, %w: spatial %n] = (%i, %j) reads(%A[%v : 1, %w : 1]) writes(%B[%v : 1, %w : 1]) {
        %x = memref.load %A[%v, %w] : memref<?x?xf32>
        memref.store %x, %B[%v, %w] : memref<?x?xf32>
      }
    }
  }
  return
}
