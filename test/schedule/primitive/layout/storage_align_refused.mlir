// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c1_argument(%A: memref<8xf32> {loop.name = "A"}) attributes {refused = "storage_align 'A' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8x8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: "A" is an argument of the function, so the caller decides its layout and scope (C1)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v, %v] : memref<8x8xf32>
    }
  }
  return
}

func.func @c2_used_otherwise(%A: memref<8xf32> {loop.name = "A"}) attributes {refused = "storage_align 'T' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8x8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: "T" is used by something other than loads and stores of schedule blocks (C2)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v, %v] : memref<8x8xf32>
    }
  }
  memref.dealloc %T : memref<8x8xf32>
  return
}

func.func @c3_no_rows(%A: memref<8xf32> {loop.name = "A"}) attributes {refused = "storage_align 'T' in %f axis 1"} {
  %T = loop.buffer "T" scope(global) : memref<8x8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: axis 1 of "T" has no rows in it, expected one of its first 1 dimensions (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v, %v] : memref<8x8xf32>
    }
  }
  return
}

func.func @c3_one_dimension(%A: memref<8xf32> {loop.name = "A"}) attributes {refused = "storage_align 'T' in %f"} {
  %T = loop.buffer "T" scope(global) : memref<8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: axis -2 of "T" has no rows in it, expected one of its first 0 dimensions (C3)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c4_factor(%A: memref<8xf32> {loop.name = "A"}) attributes {refused = "storage_align 'T' in %f factor 0"} {
  %T = loop.buffer "T" scope(global) : memref<8x8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: found factor 0 and offset 0, expected a factor from 1 to 65536 and an offset from 0 up to it (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v, %v] : memref<8x8xf32>
    }
  }
  return
}

func.func @c4_offset(%A: memref<8xf32> {loop.name = "A"})
    attributes {refused = "storage_align 'T' in %f factor 8 offset 8"} {
  %T = loop.buffer "T" scope(global) : memref<8x8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: found factor 8 and offset 8, expected a factor from 1 to 65536 and an offset from 0 up to it (C4)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v, %v] : memref<8x8xf32>
    }
  }
  return
}

func.func @c5_multiples(%A: memref<8xf32> {loop.name = "A"})
    attributes {refused = "storage_align 'T' in %f axis 0 factor 32 offset 1"} {
  %T = loop.buffer "T" scope(global) : memref<8x8x4xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: the stride of dimension 0 of "T" is a multiple of 4, which 32 never divides with remainder 1 (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1, 0 : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      %c0 = arith.constant 0 : index
      memref.store %x, %T[%v, %v, %c0] : memref<8x8x4xf32>
    }
  }
  return
}

func.func @c5_of_a_size(%A: memref<8xf32> {loop.name = "A"}, %n: index)
    attributes {refused = "storage_align 'T' in %f axis 0 factor 32 offset 1"} {
  %T = loop.buffer "T" scope(global) (%n) : memref<8x8x?xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: the stride of dimension 0 of "T" is a multiple of a size, which 32 never divides with remainder 1 (C5)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1, 0 : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      %c0 = arith.constant 0 : index
      memref.store %x, %T[%v, %v, %c0] : memref<8x8x?xf32>
    }
  }
  return
}

func.func @c6_aligned_already(%A: memref<8xf32> {loop.name = "A"})
    attributes {refused = "storage_align 'T' in %f axis 0 factor 32 offset 1"} {
  %T = loop.buffer "T" scope(global) pad(0, 4) : memref<8x8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: dimension 1 of "T" is padded already: align strides from the innermost dimension outwards, each once (C6)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v, %v] : memref<8x8xf32>
    }
  }
  return
}

func.func @c7_room(%A: memref<8xf32> {loop.name = "A"}) attributes {refused = "storage_align 'T' in %f factor 65536"} {
  %T = loop.buffer "T" scope(shared) : memref<8x8xf32>
  loop.for serial %i in 8 {
    // expected-error @+1 {{storage_align: "T" takes 262144 bytes, scope shared has 232448 (C7)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1, %v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %T[%v, %v] : memref<8x8xf32>
    }
  }
  return
}
