// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @c1_nest(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"})
    attributes {refused = "atomic 'N' in %f"} {
  // expected-error @+1 {{atomic: schedule block "N" has a nest as its body (C1)}}
  loop.block "N" [] = () reads(%A[*], %C[]) writes(%C[]) {
    loop.for serial %k in 100 {
      loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
        %a = memref.load %A[%vk] : memref<100xi32>
        %c = memref.load %C[] : memref<i32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
  }
  return
}

func.func @c2_strict(%A: memref<100xf32> {loop.name = "A"}, %C: memref<f32> {loop.name = "C"}) attributes {loop.fp = "strict",
    refused = "atomic 'C' in %f"} {
  loop.for serial %k in 100 {
    // expected-error @+1 {{atomic: schedule block "C" reduces floats by add, whose order matters to the last bit: to allow it, the function must have loop.fp = "reassoc" or "fast" (C2)}}
    loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0.0) {
      %a = memref.load %A[%vk] : memref<100xf32>
      %c = memref.load %C[] : memref<f32>
      %s = arith.addf %c, %a : f32
      memref.store %s, %C[] : memref<f32>
    }
  }
  return
}

func.func @c2_no_reducer(%A: memref<100xi32> {loop.name = "A"}, %C: memref<100xi32> {loop.name = "C"})
    attributes {refused = "atomic 'C' in %f"} {
  loop.for serial %k in 100 {
    // expected-error @+1 {{atomic: schedule block "C" has updates whose order matters: it is bound to a reduce iter, and there is no reducer (C2)}}
    loop.block "C" [%v: spatial 100] = (%k) reads(%A[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[%v] : memref<100xi32>
      memref.store %a, %C[%v] : memref<100xi32>
    }
  }
  return
}

func.func @c3_starts(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"})
    attributes {refused = "atomic 'C' in %f"} {
  %zero = arith.constant 0 : i32
  loop.for serial %k in 100 {
    // expected-error @+1 {{atomic: schedule block "C" gives start values: use decompose_reduction first (C3)}}
    loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1]) writes(%C[]) reducer(add, 0) {
      loop.init { memref.store %zero, %C[] : memref<i32> }
      %a = memref.load %A[%vk] : memref<100xi32>
      %c = memref.load %C[] : memref<i32>
      %s = arith.addi %c, %a : i32
      memref.store %s, %C[] : memref<i32>
    }
  }
  return
}

func.func @c4_reads_others(%A: memref<100xi32> {loop.name = "A"}, %C: memref<101xi32> {loop.name = "C"})
    attributes {refused = "atomic 'C' in %f"} {
  loop.for serial %k in 100 {
    // expected-error @+1 {{atomic: schedule block "C" does not update each cell by one load, one op and one store: it reads a buffer that it updates, other than for the update (C4)}}
    loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[*]) writes(%C[*]) reducer(add, 0) {
      %a = memref.load %A[%vk] : memref<100xi32>
      %i = arith.index_cast %a : i32 to index
      %c = memref.load %C[%i] : memref<101xi32>
      %d = memref.load %C[%vk] : memref<101xi32>
      %s = arith.addi %c, %d : i32
      memref.store %s, %C[%i] : memref<101xi32>
    }
  }
  return
}

func.func @c4_uses_the_old_value(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"})
    attributes {refused = "atomic 'C' in %f"} {
  loop.for serial %k in 100 {
    // expected-error @+1 {{atomic: schedule block "C" does not update each cell by one load, one op and one store: it uses the old or the new value twice (C4)}}
    loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
      %a = memref.load %A[%vk] : memref<100xi32>
      %c = memref.load %C[] : memref<i32>
      %s = arith.addi %c, %a : i32
      %t = arith.subi %s, %a : i32
      memref.store %s, %C[] : memref<i32>
    }
  }
  return
}

func.func @c4_under_a_condition(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"})
    attributes {refused = "atomic 'C' in %f"} {
  loop.for serial %k in 100 {
    // expected-error @+1 {{atomic: schedule block "C" does not update each cell by one load, one op and one store: it stores under a condition (C4)}}
    loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
      %a = memref.load %A[%vk] : memref<100xi32>
      loop.if (%vk - 50 >= 0) {
        %c = memref.load %C[] : memref<i32>
        %s = arith.addi %c, %a : i32
        memref.store %s, %C[] : memref<i32>
      }
    }
  }
  return
}

func.func @c5_already(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"})
    attributes {refused = "atomic 'C' in %f"} {
  loop.for serial %k in 100 {
    // expected-error @+1 {{atomic: the updates of schedule block "C" are atomic already (C5)}}
    loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) attributes {loop.annotations = {atomic = true}} {
      %a = memref.load %A[%vk] : memref<100xi32>
      %c = memref.load %C[] : memref<i32>
      %s = arith.addi %c, %a : i32
      memref.store %s, %C[] : memref<i32>
    }
  }
  return
}

func.func @c6_together(%A: memref<100xi32> {loop.name = "A"}, %C: memref<i32> {loop.name = "C"})
    attributes {refused = "atomic 'C' in %f"} {
  // expected-note @+1 {{the loop is here}}
  loop.for thread_bind[threadIdx.x] %k in 100 {
    // expected-error @+1 {{atomic: loop "k" is a cross-thread reduction of schedule block "C": bind the loop after this step (C6)}}
    loop.block "C" [%vk: reduce 100] = (%k) reads(%A[%vk : 1], %C[]) writes(%C[]) reducer(add, 0) {
      %a = memref.load %A[%vk] : memref<100xi32>
      %c = memref.load %C[] : memref<i32>
      %s = arith.addi %c, %a : i32
      memref.store %s, %C[] : memref<i32>
    }
  }
  return
}
