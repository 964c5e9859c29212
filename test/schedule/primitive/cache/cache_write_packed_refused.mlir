// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c10_no_map(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'P' in %f buffer 'B' scope 'global' index_map 'i'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: "i" is not an index map: found "i", expected "(" (C10)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c10_same_cell(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'P' in %f buffer 'B' scope 'global' index_map '(i) -> (i floordiv 2)'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: cells [0] and [1] of "B_global_temp_buffer" would both be stored at [0] (C10)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c10_below_zero(%A: memref<8xf32> {loop.name = "A"}, %B: memref<8xf32> {loop.name = "B"})
    attributes {refused = "cache_write 'P' in %f buffer 'B' scope 'global' index_map '(i) -> (i - 1)'"} {
  loop.for serial %i in 8 {
    // expected-error @+1 {{cache_write: index 0 of the map may be -1, expected 0 or more (C10)}}
    loop.block "P" [%v: spatial 8] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %x = memref.load %A[%v] : memref<8xf32>
      memref.store %x, %B[%v] : memref<8xf32>
    }
  }
  return
}

func.func @c10_written_together(%A: memref<8xf32> {loop.name = "A"}, %B: memref<4xf32> {loop.name = "B"}, %I: memref<4xi64> {loop.name = "I"})
    attributes {refused = "cache_write 'P' in %f buffer 'B' scope 'global' index_map '(i) -> (i * 2)'"} {
  loop.for serial %i in 4 {
    loop.for serial %k in 8 {
      // expected-error @+1 {{cache_write: schedule block "P" writes "B" and "I" at the same indices (C10)}}
      loop.block "P" [%v: spatial 4, %w: reduce 8] = (%i, %k) reads(%A[%w : 1])
          writes(%B[%v : 1], %I[%v : 1]) reducer(argmax, 0xFF800000, 0) {
        loop.init {
          %x = arith.constant 0xFF800000 : f32
          %c = arith.constant 0 : i64
          memref.store %x, %B[%v] : memref<4xf32>
          memref.store %c, %I[%v] : memref<4xi64>
        }
        %x = memref.load %A[%w] : memref<8xf32>
        %t = memref.load %B[%v] : memref<4xf32>
        %n = memref.load %I[%v] : memref<4xi64>
        %m = arith.index_cast %w : index to i64
        %c = arith.cmpf ogt, %x, %t : f32
        %a = arith.select %c, %x, %t : f32
        %b = arith.select %c, %m, %n : i64
        memref.store %a, %B[%v] : memref<4xf32>
        memref.store %b, %I[%v] : memref<4xi64>
      }
    }
  }
  return
}
