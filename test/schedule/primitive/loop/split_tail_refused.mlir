// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @split_c3_no_tail() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'cut'"} {
  // expected-error @+1 {{split: there is no tail "cut", expected one of guard, peel, shift_inwards, pad (C3)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c4_peel_beyond_extent() attributes {refused = "split 'B:i' in %f factors [4, 8] tail 'peel'"} {
  // expected-error @+1 {{split: factors multiply to 32, extent is 30: peeled tiles must fit into it (C4)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c7_peel_minimum(%n: index) attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'peel'"} {
  // expected-error @+1 {{split: the extent of loop "i" is a minimum, which cannot be divided (C7)}}
  loop.for serial %i in min affine_map<()[s0] -> (s0, 30)>()[%n] { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c7_peel_no_tile() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'peel'"} {
  // expected-error @+1 {{split: extent 7 of loop "i" is smaller than a tile of 8: use tail "guard" (C7)}}
  loop.for serial %i in 7 { loop.block "B" [%v: spatial 7] = (%i) {} }
  return
}

func.func @split_c8_peel_mixed(%A: memref<30xf32>, %B: memref<4xf32>)
    attributes {refused = "split 'B:f' in %f factors [-1, 4] tail 'peel'"} {
  // expected-error @+1 {{split: the initialization of schedule block "B" would change: the loop is bound to a spatial iter too: the loop is bound to a spatial iter too; proof "assume" takes it as true (C8)}}
  loop.for serial %f in 30 {
    // expected-note @+1 {{the schedule block is here}}
    loop.block "B" [%v: spatial 4, %w: reduce 8] = (%f floordiv 8, %f mod 8)
        reads(%A[%v * 8 + %w : 1]) writes(%B[%v : 1]) reducer(add, 0.0) {
      loop.init {
        %z = arith.constant 0.0 : f32
        memref.store %z, %B[%v] : memref<4xf32>
      }
      %i = affine.apply affine_map<(d0, d1) -> (d0 * 8 + d1)>(%v, %w)
      %a = memref.load %A[%i] : memref<30xf32>
      %b = memref.load %B[%v] : memref<4xf32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[%v] : memref<4xf32>
    }
  }
  return
}

func.func @split_c8_peel_reduces_around(%A: memref<?xf32>, %B: memref<f32>, %m: index)
    attributes {refused = "split 'B:k' in %f factors [-1, 8] tail 'peel'"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  loop.for serial %t in 3 {
    // expected-error @+1 {{split: the initialization of schedule block "B" would change: there may be no whole tile, and an outer loop reduces too: there may be no whole tile, and an outer loop reduces too; proof "assume" takes it as true (C8)}}
    loop.for serial %k in %n {
      // expected-note @+1 {{the schedule block is here}}
      loop.block "B" [%x: reduce 3, %w: reduce %n] = (%t, %k)
          reads(%A[%w : 1]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %z = arith.constant 0.0 : f32
        memref.store %z, %B[] : memref<f32>
      }
      %a = memref.load %A[%w] : memref<?xf32>
      %b = memref.load %B[] : memref<f32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[] : memref<f32>
      }
    }
  }
  return
}

func.func @split_c8_peel_no_iter(%A: memref<?xf32>, %B: memref<f32>, %m: index)
    attributes {refused = "split 'B:k' in %f factors [-1, 8] tail 'peel'"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  // expected-error @+1 {{split: the initialization of schedule block "B" would change: there may be no whole tile, and no iter is bound to the loop alone with its extent as domain: there may be no whole tile, and no iter is bound to the loop alone with its extent as domain; proof "assume" takes it as true (C8)}}
  loop.for serial %k in %m {
      // expected-note @+1 {{the schedule block is here}}
      loop.block "B" [%w: reduce %n] = (%k)
          reads(%A[%w : 1]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %z = arith.constant 0.0 : f32
        memref.store %z, %B[] : memref<f32>
      }
      %a = memref.load %A[%w] : memref<?xf32>
      %b = memref.load %B[] : memref<f32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[] : memref<f32>
      }
  }
  return
}

func.func @split_c8_peel_other_block(%A: memref<?xf32>, %B: memref<f32>, %m: index)
    attributes {refused = "split 'B:k' in %f factors [-1, 8] tail 'peel'"} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %A, %c0 : memref<?xf32>
  // expected-error @+1 {{split: the initialization of schedule block "B" would change: there may be no whole tile, and another schedule block in it accesses the result: there may be no whole tile, and another schedule block in it accesses the result; proof "assume" takes it as true (C8)}}
  loop.for serial %k in %n {
    loop.block "R" [%v: spatial %n] = (%k) reads(%B[]) {
      %b = memref.load %B[] : memref<f32>
    }
      // expected-note @+1 {{the schedule block is here}}
      loop.block "B" [%w: reduce %n] = (%k)
          reads(%A[%w : 1]) writes(%B[]) reducer(add, 0.0) {
      loop.init {
        %z = arith.constant 0.0 : f32
        memref.store %z, %B[] : memref<f32>
      }
      %a = memref.load %A[%w] : memref<?xf32>
      %b = memref.load %B[] : memref<f32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[] : memref<f32>
      }
  }
  return
}

func.func @split_c9_shift_no_size(%n: index)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  loop.for serial %o in %n {
    // expected-error @+1 {{split: the extent of loop "i" is neither a constant nor a size: use tail "guard" (C9)}}
    loop.for serial %i in affine_map<(d0) -> (d0 + 30)>(%o) { loop.block "B" [%v: spatial %n + 30] = (%i) {} }
  }
  return
}

func.func @split_c9_shift_small() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  // expected-error @+1 {{split: extent 7 of loop "i" is smaller than a tile of 8: use tail "guard" (C9)}}
  loop.for serial %i in 7 { loop.block "B" [%v: spatial 7] = (%i) {} }
  return
}

func.func @split_c9_shift_may_be_small(%n: index)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  // expected-error @+1 {{split: the extent of loop "i" may be smaller than a tile of 8: use tail "guard" or "peel": the extent may be smaller; proof "assume" takes it as true (C9)}}
  loop.for serial %i in %n { loop.block "B" [%v: spatial %n] = (%i) {} }
  return
}

func.func @split_c9_shift_two_tiles_beyond()
    attributes {refused = "split 'B:i' in %f factors [5, 3] tail 'shift_inwards'"} {
  // expected-error @+1 {{split: more tiles of loop "i" than the last may exceed its extent: infer the first factor (C9)}}
  loop.for serial %i in 5 { loop.block "B" [%v: spatial 5] = (%i) {} }
  return
}

func.func @split_c9_shift_parts_of_size(%n: index)
    attributes {refused = "split 'B:i' in %f factors [4, -1] tail 'shift_inwards'"} {
  // expected-error @+1 {{split: more tiles of loop "i" than the last may exceed its extent: infer the first factor (C9)}}
  loop.for serial %i in affine_map<()[s0] -> (s0 + 30)>()[%n] { loop.block "B" [%v: spatial %n + 30] = (%i) {} }
  return
}

func.func @split_c10_shift_reduction(%A: memref<30xf32>, %B: memref<f32>)
    attributes {refused = "split 'B:k' in %f factors [-1, 8] tail 'shift_inwards'"} {
  loop.for serial %k in 30 {
    // expected-error @+1 {{split: schedule block "B" is a reduction: an iteration that runs twice may have a different effect; proof "assume" takes it as true (C10)}}
    loop.block "B" [%w: reduce 30] = (%k) reads(%A[%w : 1], %B[]) writes(%B[]) reducer(add, 0.0) {
      %a = memref.load %A[%w] : memref<30xf32>
      %b = memref.load %B[] : memref<f32>
      %s = arith.addf %b, %a : f32
      memref.store %s, %B[] : memref<f32>
    }
  }
  return
}

func.func @split_c10_shift_reads_its_result(%A: memref<30xf32>)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: schedule block "B" reads "arg0", which other iterations may write: it would read other values when it runs again: an iteration that runs twice may have a different effect; proof "assume" takes it as true (C10)}}
    loop.block "B" [%v: spatial 30] = (%i) reads(%A[%v : 1]) writes(%A[%v : 1]) {
      %a = memref.load %A[%v] : memref<30xf32>
      %s = arith.addf %a, %a : f32
      memref.store %s, %A[%v] : memref<30xf32>
    }
  }
  return
}

func.func @split_c10_shift_reads_before_written(%A: memref<31xf32>, %B: memref<30xf32>)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  loop.for serial %i in 30 {
    // expected-note @+1 {{it is written here}}
    loop.block "A" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %A[%v] : memref<31xf32>
    }
    // expected-error @+1 {{split: schedule block "B" reads "arg0", which other iterations may write: it would read other values when it runs again: an iteration that runs twice may have a different effect; proof "assume" takes it as true (C10)}}
    loop.block "B" [%v: spatial 30] = (%i) reads(%A[%v + 1 : 1]) writes(%B[%v : 1]) {
      %j = affine.apply affine_map<(d0) -> (d0 + 1)>(%v)
      %a = memref.load %A[%j] : memref<31xf32>
      memref.store %a, %B[%v] : memref<30xf32>
    }
  }
  return
}

func.func private @g()
func.func @split_c10_shift_calls() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: schedule block "B" calls a function, whose effects are not known: an iteration that runs twice may have a different effect; proof "assume" takes it as true (C10)}}
    loop.block "B" [%v: spatial 30] = (%i) { func.call @g() : () -> () }
  }
  return
}

func.func @split_c10_shift_barrier() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  // expected-error @+1 {{split: loop "i" holds a barrier: an iteration that runs twice may have a different effect; proof "assume" takes it as true (C10)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) {}
    // expected-note @+1 {{the barrier is here}}
    loop.sync
  }
  return
}

func.func @split_c11_pad_argument(%B: memref<30xf32>)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: schedule block "B" writes "arg0", an argument of the function (C11)}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%B[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %B[%v] : memref<30xf32>
    }
  }
  return
}

func.func @split_c11_pad_other_size() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  %T = loop.buffer "T" scope(global) : memref<60xf32>
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: "T" is too small for the added instances of schedule block "B" (C11)}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %T[%v] : memref<60xf32>
    }
  }
  return
}

func.func private @g_2(memref<30xf32>)
func.func @split_c11_pad_escapes() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  %T = loop.buffer "T" scope(global) : memref<30xf32>
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: something other than schedule blocks uses "T" (C11)}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %T[%v] : memref<30xf32>
    }
  }
  func.call @g_2(%T) : (memref<30xf32>) -> ()
  return
}

func.func @split_c11_pad_predicate() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: "B" depends on loop "i" in other ways than by bindings (C11)}}
    loop.block "B" [%v: spatial 30] = (%i) where(%i >= 2) {}
  }
  return
}

func.func @split_c11_pad_not_along() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: expected one iter of schedule block "B", and no other, bound to loop "i" alone, with its extent as domain (C11)}}
    loop.block "B" [%v: spatial 60] = (%i * 2) {}
  }
  return
}

func.func @split_c11_pad_reduces(%A: memref<30xf32>)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: iter "v" of schedule block "B" is reduce, expected spatial (C11)}}
    loop.block "B" [%v: reduce 30] = (%i) {}
  }
  return
}

func.func @split_c11_pad_divides(%D: memref<i32>)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  %T = loop.buffer "T" scope(global) : memref<30xi32>
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: schedule block "B" divides integers, and a divisor may be 0 where there is no data (C11)}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%T[%v : 1]) {
      %c30 = arith.constant 30 : index
      %c7 = arith.constant 7 : i32
      %d = arith.subi %c30, %v : index
      %e = arith.index_cast %d : index to i32
      %q = arith.divsi %c7, %e : i32
      memref.store %q, %T[%v] : memref<30xi32>
    }
  }
  return
}

func.func @split_c11_pad_reads_argument(%A: memref<30xf32>)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  %T = loop.buffer "T" scope(global) : memref<30xf32>
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: "arg0" is too small for the added instances of schedule block "B" (C11)}}
    loop.block "B" [%v: spatial 30] = (%i) reads(%A[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %A[%v] : memref<30xf32>
      memref.store %a, %T[%v] : memref<30xf32>
    }
  }
  return
}

func.func @split_c6_pad_reads_nothing() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  %S = loop.buffer "S" scope(global) : memref<32xf32>
  %T = loop.buffer "T" scope(global) : memref<30xf32>
  loop.for serial %j in 31 {
    loop.block "A" [%v: spatial 31] = (%j) writes(%S[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %S[%v] : memref<32xf32>
    }
  }
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: cannot prove that what the added instances of schedule block "B" read of "S" has been written: elements that are read in the padding are not proved to be written; proof "assume" takes it as true (C6)}}
    loop.block "B" [%v: spatial 30] = (%i) reads(%S[%v : 1]) writes(%T[%v : 1]) {
      %a = memref.load %S[%v] : memref<32xf32>
      memref.store %a, %T[%v] : memref<30xf32>
    }
  }
  return
}

func.func @split_c10_shift_opaque() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: iter "v" of schedule block "B" is opaque, expected spatial: an iteration that runs twice may have a different effect; proof "assume" takes it as true (C10)}}
    loop.block "B" [%v: opaque 30] = (%i) {}
  }
  return
}

func.func @split_c11_pad_barrier() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  %T = loop.buffer "T" scope(global) : memref<30xf32>
  // expected-error @+1 {{split: loop "i" holds a barrier (C11)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%T[%v : 1]) {
      %c = arith.constant 1.0 : f32
      memref.store %c, %T[%v] : memref<30xf32>
    }
    // expected-note @+1 {{the barrier is here}}
    loop.sync
  }
  return
}

func.func @split_c11_pad_two_dimensions() attributes {refused = "split 'A:i' in %f factors [-1, 8] tail 'pad'"} {
  %T = loop.buffer "T" scope(global) : memref<30x30xf32>
  // expected-error @+1 {{split: "T" is too small for the added instances of schedule block "A" (C11)}}
  loop.for serial %i in 30 {
    loop.for serial %j in 30 {
      loop.block "A" [%v: spatial 30, %w: spatial 30] = (%i, %j) writes(%T[%v : 1, %w : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %T[%v, %w] : memref<30x30xf32>
      }
      loop.block "B" [%v: spatial 30, %w: spatial 30] = (%i, %j) writes(%T[%w : 1, %v : 1]) {
        %c = arith.constant 2.0 : f32
        memref.store %c, %T[%w, %v] : memref<30x30xf32>
      }
    }
  }
  return
}

func.func @split_c10_shift_nest() attributes {refused = "split 'N:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: schedule block "N" has a nest as its body: an iteration that runs twice may have a different effect; proof "assume" takes it as true (C10)}}
    loop.block "N" [%n: spatial 30] = (%i) {
      loop.block "B" [] = () {}
    }
  }
  return
}

func.func @split_c11_pad_nest() attributes {refused = "split 'N:i' in %f factors [-1, 8] tail 'pad'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: schedule block "N" has a nest as its body (C11)}}
    loop.block "N" [%n: spatial 30] = (%i) {
      loop.block "B" [] = () {}
    }
  }
  return
}

func.func private @g_3()
func.func @split_c11_pad_calls() attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'pad'"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{split: schedule block "B" calls a function, whose effects are not known (C11)}}
    loop.block "B" [%v: spatial 30] = (%i) { func.call @g_3() : () -> () }
  }
  return
}

// Elements that are written only in some iterations are not overwritten before they are read.
func.func @split_c10_shift_written_in_a_branch(%A: memref<30xf32>, %B: memref<30xf32>)
    attributes {refused = "split 'B:i' in %f factors [-1, 8] tail 'shift_inwards'"} {
  loop.for serial %i in 30 {
    loop.if (%i - 2 >= 0) {
      // expected-note @+1 {{it is written here}}
      loop.block "A" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
        %c = arith.constant 1.0 : f32
        memref.store %c, %A[%v] : memref<30xf32>
      }
    }
    // expected-error @+1 {{split: schedule block "B" reads "arg0", which other iterations may write: it would read other values when it runs again: an iteration that runs twice may have a different effect; proof "assume" takes it as true (C10)}}
    loop.block "B" [%v: spatial 30] = (%i) reads(%A[%v : 1]) writes(%B[%v : 1]) {
      %a = memref.load %A[%v] : memref<30xf32>
      memref.store %a, %B[%v] : memref<30xf32>
    }
  }
  return
}

// The sum starts in the last iteration, which is in the tail.
func.func @split_c8_peel_starts_late(%A: memref<30xi32>, %B: memref<i32>)
    attributes {refused = "split 'R:k' in %f factors [-1, 8] tail 'peel'"} {
  // expected-error @+1 {{split: the initialization of schedule block "R" would change: it is not known to start in the first iteration of the loop}}
  loop.for serial %k in 30 {
    // expected-note @+1 {{the schedule block is here}}
    loop.block "R" [%v: reduce 30] = (-%k + 29) reads(%A[%v : 1]) writes(%B[]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %B[] : memref<i32>
      }
      %x = memref.load %A[%v] : memref<30xi32>
      %y = memref.load %B[] : memref<i32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %B[] : memref<i32>
    }
  }
  return
}

// No instance starts the sum if there are no whole tiles; with empty tiles it would start.
func.func @split_c8_peel_never_starts(%A: memref<?xi32>, %B: memref<i32>, %n: index)
    attributes {refused = "split 'R:k' in %f factors [-1, 8] tail 'peel'"} {
  // expected-error @+1 {{split: the initialization of schedule block "R" would change: there may be no whole tile, and a predicate may skip its initialization}}
  loop.for serial %k in %n {
    // expected-note @+1 {{the schedule block is here}}
    loop.block "R" [%v: reduce %n] = (%k) where(%k - 1 >= 0) reads(%A[%v : 1]) writes(%B[]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %B[] : memref<i32>
      }
      %x = memref.load %A[%v] : memref<?xi32>
      %y = memref.load %B[] : memref<i32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %B[] : memref<i32>
    }
  }
  return
}
