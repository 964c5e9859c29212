// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

func.func @partition_c1_no_loop(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:k' in %f factors [2, -1]"} {
  loop.for serial %i in 30 {
    // expected-error @+1 {{loop_partition: there is no loop "k" around schedule block "B", there are "i" (C1)}}
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c2_parallel(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [2, -1]"} {
  // expected-error @+1 {{loop_partition: loop "i" is parallel, expected serial (C2)}}
  loop.for parallel %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c2_annotated(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [2, -1]"} {
  // expected-error @+1 {{loop_partition: loop "i" has the annotation "note", which would be lost: unannotate it first (C2)}}
  loop.for serial %i in 30 attributes {loop.annotations = {note = 1 : i64}} {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c3_one(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [2]"} {
  // expected-error @+1 {{loop_partition: found 1 factors, expected two or more (C3)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c3_two_inferred(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [-1, -1]"} {
  // expected-error @+1 {{loop_partition: found 2 factors to infer, expected not more than one -1 (C3)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c3_zero(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [-1, 0]"} {
  // expected-error @+1 {{loop_partition: found factor 0, expected a positive number or -1 (C3)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c4_sum(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [9, 20]"} {
  // expected-error @+1 {{loop_partition: factors add up to 29, extent is 30 (C4)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c4_overflow(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [9223372036854775807, 1]"} {
  // expected-error @+1 {{loop_partition: the sum of factors [9223372036854775807, 1] is too large for an index (C4)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c4_nothing_left(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [10, -1, 20]"} {
  // expected-error @+1 {{loop_partition: factors add up to 30 of the 30 iterations, which leaves nothing for -1 (C4)}}
  loop.for serial %i in 30 {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c4_unknown(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [4, 2]"} {
  // expected-error @+1 {{loop_partition: factors add up to 6, the extent is not known: let one factor take the rest with -1 (C4)}}
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c4_may_be_fewer(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [-1, 4]"} {
  // expected-error @+1 {{loop_partition: loop "i" may have fewer than the 4 iterations of the other parts: it is not known where the parts after -1 begin: the extent may be smaller; proof "assume" takes it as true (C4)}}
  loop.for serial %i in %n {
    loop.block "B" [%v: spatial %n] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c4_minimum(%A: memref<?xf32>, %n: index)
    attributes {refused = "loop_partition 'B:i' in %f factors [-1, 4]"} {
  // expected-error @+1 {{loop_partition: the extent of loop "i" is a minimum, which cannot be divided (C4)}}
  loop.for serial %i in min affine_map<()[s0] -> (s0, 30)>()[%n] {
    loop.block "B" [%v: spatial 30] = (%i) writes(%A[%v : 1]) {
      %x = arith.constant 1.0 : f32
      memref.store %x, %A[%v] : memref<?xf32>
    }
  }
  return
}

func.func @partition_c5_starts_late(%A: memref<?xi32>, %S: memref<i32>, %n: index)
    attributes {refused = "loop_partition 'R:k' in %f factors [2, -1]"} {
  // expected-error @+1 {{loop_partition: the initialization of schedule block "R" would change: it is not known to start in the first iteration of the loop: it is not known to start in the first iteration of the loop; proof "assume" takes it as true (C5)}}
  loop.for serial %k in 30 {
    // expected-note @+1 {{the schedule block is here}}
    loop.block "R" [%v: reduce 30] = (-%k + 29) reads(%A[%v : 1]) writes(%S[]) reducer(add, 0) {
      loop.init {
        %zero = arith.constant 0 : i32
        memref.store %zero, %S[] : memref<i32>
      }
      %x = memref.load %A[%v] : memref<?xi32>
      %y = memref.load %S[] : memref<i32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %S[] : memref<i32>
    }
  }
  return
}
