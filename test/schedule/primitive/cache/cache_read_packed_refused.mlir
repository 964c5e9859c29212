// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c11_no_map(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'P' in %f buffer 'A' scope 'global' index_map 'i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: "i" is not an index map: found "i", expected "(" (C11)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c11_same_cell(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'P' in %f buffer 'A' scope 'global' index_map '(i) -> (i floordiv 2)'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: cells [0] and [1] of "A_global_temp_buffer" would both be stored at [0] (C11)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c11_below_zero(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_read 'P' in %f buffer 'A' scope 'global' index_map '(i) -> (i - 1)'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: index 0 of the map may be -1, expected 0 or more (C11)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c11_data(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"}, %I: memref<8xi64>)
    attributes {refused = "cache_read 'P' in %f buffer 'A' scope 'global' index_map '(i) -> (i floordiv 2, i mod 2)'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_read: an index of "A_global_temp_buffer" in schedule block "P" depends on data (C11)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[*], %I[%v : 1]) writes(%B[%v : 1]) {
      %n = memref.load %I[%v] : memref<8xi64>
      %c = arith.index_cast %n : i64 to index
      %x = memref.load %A[%c] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}
