// Reductions that select the first of equal values only in their original order.
// RUN: lw-opt %s --transform-interpreter --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  func.func @rfactor_c11_falling_index(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
    loop.for serial %k in 3 {
      // expected-error @+1 {{keeps the first of equal values: loop "l" must be the outermost reduction loop: iterations k = 0, l = 3 of "B" (writes) and iterations k = 0, l = 4 of "B" (writes) both access "arg2"[0] (C11)}}
      loop.for serial %l in 5 {
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          loop.init {
            %o = arith.constant 0 : index
            %lowest = arith.constant 0xFF800000 : f32
            %none = arith.constant -99 : i64
            memref.store %lowest, %V[%o] : memref<1xf32>
            memref.store %none, %I[%o] : memref<1xi64>
          }
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi64>
          %number = affine.apply affine_map<(d0, d1) -> (d0 * 5 - d1)>(%vk, %vl)
          %here = arith.index_cast %number : index to i64
          %more = arith.cmpf ogt, %a, %best : f32
          %max = arith.select %more, %a, %best : f32
          %new = arith.select %more, %here, %at : i64
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi64>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.rfactor "B:l" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @rfactor_c11_index_twice(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
    loop.for serial %k in 3 {
      // expected-error @+1 {{keeps the first of equal values: loop "l" must be the outermost reduction loop: iterations k = 0}}
      loop.for serial %l in 5 {
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          loop.init {
            %o = arith.constant 0 : index
            %lowest = arith.constant 0xFF800000 : f32
            %none = arith.constant 0 : i64
            memref.store %lowest, %V[%o] : memref<1xf32>
            memref.store %none, %I[%o] : memref<1xi64>
          }
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi64>
          %number = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%vk, %vl)
          %here = arith.index_cast %number : index to i64
          %more = arith.cmpf ogt, %a, %best : f32
          %max = arith.select %more, %a, %best : f32
          %new = arith.select %more, %here, %at : i64
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi64>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.rfactor "B:l" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @rfactor_c11_other_order(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
    loop.for serial %l in 5 {
      // expected-error @+1 {{keeps the first of equal values: loop "k" must be the outermost reduction loop: iterations l = 3, k = 1 of "B" (writes) and iterations l = 4, k = 0}}
      loop.for serial %k in 3 {
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          loop.init {
            %o = arith.constant 0 : index
            %lowest = arith.constant 0xFF800000 : f32
            %none = arith.constant 0 : i64
            memref.store %lowest, %V[%o] : memref<1xf32>
            memref.store %none, %I[%o] : memref<1xi64>
          }
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi64>
          %number = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%vk, %vl)
          %here = arith.index_cast %number : index to i64
          %more = arith.cmpf ogt, %a, %best : f32
          %max = arith.select %more, %a, %best : f32
          %new = arith.select %more, %here, %at : i64
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi64>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.rfactor "B:k" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @rfactor_c11_above_the_start(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
    loop.for serial %k in 3 {
      // expected-error @+1 {{keeps the first of equal values: loop "l" must be the outermost reduction loop: its index may be below its start value; proof "assume" takes it as true (C11)}}
      loop.for serial %l in 5 {
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          loop.init {
            %o = arith.constant 0 : index
            %lowest = arith.constant 0.0 : f32
            %none = arith.constant 3 : i64
            memref.store %lowest, %V[%o] : memref<1xf32>
            memref.store %none, %I[%o] : memref<1xi64>
          }
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi64>
          %number = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%vk, %vl)
          %here = arith.index_cast %number : index to i64
          %more = arith.cmpf ogt, %a, %best : f32
          %max = arith.select %more, %a, %best : f32
          %new = arith.select %more, %here, %at : i64
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi64>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.rfactor "B:l" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @rfactor_c11_eight_bits(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi8>) {
    loop.for serial %k in 3 {
      // expected-error @+1 {{keeps the first of equal values: loop "l" must be the outermost reduction loop: its index may not fit into 8 bits; proof "assume" takes it as true (C11)}}
      loop.for serial %l in 5 {
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          loop.init {
            %o = arith.constant 0 : index
            %lowest = arith.constant 0xFF800000 : f32
            %none = arith.constant 0 : i8
            memref.store %lowest, %V[%o] : memref<1xf32>
            memref.store %none, %I[%o] : memref<1xi8>
          }
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi8>
          %number = affine.apply affine_map<(d0, d1) -> (d0 * 70 + d1)>(%vk, %vl)
          %here = arith.index_cast %number : index to i8
          %more = arith.cmpf ogt, %a, %best : f32
          %max = arith.select %more, %a, %best : f32
          %new = arith.select %more, %here, %at : i8
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi8>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.rfactor "B:l" in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @bind_c7_no_start(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
    loop.for serial %k in 3 {
      loop.for serial %l in 5 {
        // expected-error @+1 {{has updates whose order matters: no 'loop.init' gives its index a number as start value}}
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1], %V[0 : 1], %I[0 : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi64>
          %number = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%vk, %vl)
          %here = arith.index_cast %number : index to i64
          %more = arith.cmpf ogt, %a, %best : f32
          %max = arith.select %more, %a, %best : f32
          %new = arith.select %more, %here, %at : i64
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi64>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.bind "B:l" in %f thread "threadIdx.x"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @bind_c7_above_the_start(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
    loop.for serial %k in 3 {
      loop.for serial %l in 5 {
        // expected-error @+1 {{has updates whose order matters: its index may be below its start value}}
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          loop.init {
            %o = arith.constant 0 : index
            %lowest = arith.constant 0xFF800000 : f32
            %none = arith.constant 3 : i64
            memref.store %lowest, %V[%o] : memref<1xf32>
            memref.store %none, %I[%o] : memref<1xi64>
          }
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi64>
          %number = affine.apply affine_map<(d0, d1) -> (d0 * 5 + d1)>(%vk, %vl)
          %here = arith.index_cast %number : index to i64
          %more = arith.cmpf ogt, %a, %best : f32
          %max = arith.select %more, %a, %best : f32
          %new = arith.select %more, %here, %at : i64
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi64>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.bind "B:l" in %f thread "threadIdx.x"
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @reorder_c5_zeros_of_one_index(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>) {
    // expected-note @+1 {{this loop moves}}
    loop.for serial %k in 3 {
      loop.for serial %l in 5 {
        // expected-error @+1 {{reduces floats by argmax, whose order matters to the last bit}}
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1], %V[0 : 1], %I[0 : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi64>
          %number = affine.apply affine_map<(d0, d1) -> (d0 * 3 + d1)>(%vk, %vl)
          %here = arith.index_cast %number : index to i64
          %more = arith.cmpf ogt, %a, %best : f32
          %same = arith.cmpf oeq, %a, %best : f32
          %lower = arith.cmpi slt, %here, %at : i64
          %tie = arith.andi %same, %lower : i1
          %take = arith.ori %more, %tie : i1
          %max = arith.select %take, %a, %best : f32
          %new = arith.select %take, %here, %at : i64
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi64>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.reorder ["B:l", "B:k"] in %f
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  func.func @reorder_c5_index_from_an_argument(%A: memref<3x5xf32>, %V: memref<1xf32>, %I: memref<1xi64>, %J: memref<3x5xi64>) {
    // expected-note @+1 {{this loop moves}}
    loop.for serial %k in 3 {
      loop.for serial %l in 5 {
        // expected-error @+1 {{reduces floats by argmax, whose order matters to the last bit}}
        loop.block "B" [%vk: reduce 3, %vl: reduce 5] = (%k, %l)
            reads(%A[%vk : 1, %vl : 1], %J[%vk : 1, %vl : 1], %V[0 : 1], %I[0 : 1]) writes(%V[0 : 1], %I[0 : 1]) reducer(argmax, 0xFF800000, 0) {
          %o = arith.constant 0 : index
          %a = memref.load %A[%vk, %vl] : memref<3x5xf32>
          %best = memref.load %V[%o] : memref<1xf32>
          %at = memref.load %I[%o] : memref<1xi64>
          %here = memref.load %J[%vk, %vl] : memref<3x5xi64>
          %more = arith.cmpf ogt, %a, %best : f32
          %same = arith.cmpf oeq, %a, %best : f32
          %lower = arith.cmpi slt, %here, %at : i64
          %tie = arith.andi %same, %lower : i1
          %take = arith.ori %more, %tie : i1
          %max = arith.select %take, %a, %best : f32
          %new = arith.select %take, %here, %at : i64
          memref.store %max, %V[%o] : memref<1xf32>
          memref.store %new, %I[%o] : memref<1xi64>
        }
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%f: !transform.any_op) {
    // expected-note @+1 {{in this step of the script}}
    transform.sched.reorder ["B:l", "B:k"] in %f
    transform.yield
  }
}
