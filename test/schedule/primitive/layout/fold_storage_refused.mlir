// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c1_argument(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "fold_storage 'A' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{fold_storage: "A" is an argument of the function, so the caller decides its layout and scope (C1)}}
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
    attributes {refused = "fold_storage 'T' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{fold_storage: "T" is used by something other than loads and stores of schedule blocks (C2)}}
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

func.func @c3_no_dimension(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "fold_storage 'T' in %f axis 1"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{fold_storage: "T" has no dimension 1, it has 1 (C3)}}
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

func.func @c4_not_smaller(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "fold_storage 'T' in %f size 8"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{fold_storage: found size 8 for a dimension of "T", expected 1 or more and less than 8 (C4)}}
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

func.func @c5_data(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"}, %I: memref<8xi64>)
    attributes {refused = "fold_storage 'T' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
    // expected-error @+1 {{fold_storage: an index of "T" in schedule block "Q" depends on data (C5)}}
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[*], %I[%v : 1]) writes(%B[%v : 1]) {
      %n = memref.load %I[%v] : memref<8xi64>
      %c = arith.index_cast %n : i64 to index
      %x = memref.load %T[%c] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c6_still_needed(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "fold_storage 'T' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{fold_storage: cannot prove that no row of "T" is needed when the one 2 further along dimension 0 takes its place: "P" may write to the place before "Q" has read it; proof "assume" takes it as true (C6)}}
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

func.func @c6_window(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "fold_storage 'T' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{fold_storage: cannot prove that no row of "T" is needed when the one 2 further along dimension 0 takes its place: "P" may write to the place before "Q" has read it; proof "assume" takes it as true (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v + 2 : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%0] : memref<10xf32>
    }
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<10xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c6_at_once(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "fold_storage 'T' in %f size 3"} {
  %T = loop.buffer "T" scope(global) : memref<10xf32>
  loop.for parallel %i in 8 {
    // expected-error @+1 {{fold_storage: cannot prove that no row of "T" is needed when the one 3 further along dimension 0 takes its place: "P" may write to the place before "P" writes the earlier row to it; proof "assume" takes it as true (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v + 2 : 1]) {
      %0 = affine.apply affine_map<(d0) -> (d0 + 2)>(%v)
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%0] : memref<10xf32>
    }
    loop.block "Q" [%v: spatial 8] = (%i) reads(%T[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %T[%v] : memref<10xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}
