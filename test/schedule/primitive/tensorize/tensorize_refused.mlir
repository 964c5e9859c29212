// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{tensorize: there is no schedule block "X", there are "A" (C1)}}
func.func @tensorize_c1_no_block() attributes {refused = "tensorize 'X' in %f intrinsic 'dot_4xi8'"} {
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  return
}

func.func @tensorize_c2_lanes(%A: memref<8xi32>) attributes {refused = "tensorize 'A:j' in %f intrinsic 'dot_4xi8'"} {
  // expected-note @+1 {{the loop is here}}
  loop.for vectorize %i in 4 {
    // expected-error @+1 {{tensorize: loop "i" around is vectorized: its lanes would run a nest (C2)}}
    loop.for serial %j in 2 {
      loop.block "A" [%v: spatial 8] = (%i * 2 + %j) writes(%A[%v : 1]) {
        %one = arith.constant 1 : i32
        memref.store %one, %A[%v] : memref<8xi32>
      }
    }
  }
  return
}

func.func @tensorize_c3_no_intrinsic() attributes {refused = "tensorize 'A:i' in %f intrinsic 'dot'"} {
  // expected-error @+1 {{tensorize: there is no intrinsic "dot", expected one of "dot_4xi8", "x86.fma_f32x8", "x86.fma_f32x16", "x86.vpdpbusd", "x86.vpdpwssd", "x86.vdpbf16ps", "x86.tdpbf16ps", "x86.tdpbssd", "x86.tdpbsud", "x86.tdpbusd", "x86.tdpbuud", "x86.tilezero_f32", "x86.tilezero_i32" (C3)}}
  loop.for serial %i in 4 { loop.block "A" [%v: spatial 4] = (%i) {} }
  return
}

func.func @tensorize_c4_extent(%A: memref<9x9xi8>, %B: memref<9xi8>, %D: memref<9xi32>)
    attributes {refused = "tensorize 'D:k' in %f intrinsic 'dot_4xi8'"} {
  loop.for serial %i in 9 {
    // expected-error @+1 {{tensorize: "D:k" is not dot_4xi8: its loops have 5 iterations, expected 4 (C4)}}
    loop.for serial %k in 5 {
      loop.block "D" [%vi: spatial 9, %vk: reduce 5] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vk : 1], %D[%vi : 1]) writes(%D[%vi : 1]) reducer(add, 0) {
        %a = memref.load %A[%vi, %vk] : memref<9x9xi8>
        %b = memref.load %B[%vk] : memref<9xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %p = arith.muli %x, %y : i32
        %d = memref.load %D[%vi] : memref<9xi32>
        %s = arith.addi %d, %p : i32
        memref.store %s, %D[%vi] : memref<9xi32>
      }
    }
  }
  return
}

func.func @tensorize_c4_sign(%A: memref<9x9xi8>, %B: memref<9xi8>, %D: memref<9xi32>)
    attributes {refused = "tensorize 'D:k' in %f intrinsic 'dot_4xi8'"} {
  loop.for serial %i in 9 {
    // expected-error @+1 {{tensorize: "D:k" is not dot_4xi8: it computes 'arith.extui', expected 'arith.extsi' (C4)}}
    loop.for serial %k in 4 {
      loop.block "D" [%vi: spatial 9, %vk: reduce 4] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vk : 1], %D[%vi : 1]) writes(%D[%vi : 1]) reducer(add, 0) {
        %a = memref.load %A[%vi, %vk] : memref<9x9xi8>
        %b = memref.load %B[%vk] : memref<9xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extui %b : i8 to i32
        %p = arith.muli %x, %y : i32
        %d = memref.load %D[%vi] : memref<9xi32>
        %s = arith.addi %d, %p : i32
        memref.store %s, %D[%vi] : memref<9xi32>
      }
    }
  }
  return
}

func.func @tensorize_c4_operation(%A: memref<9x9xi8>, %B: memref<9xi8>, %D: memref<9xi32>)
    attributes {refused = "tensorize 'D:k' in %f intrinsic 'dot_4xi8'"} {
  loop.for serial %i in 9 {
    // expected-error @+1 {{tensorize: "D:k" is not dot_4xi8: it computes 'arith.subi', expected 'arith.muli' (C4)}}
    loop.for serial %k in 4 {
      loop.block "D" [%vi: spatial 9, %vk: reduce 4] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vk : 1], %D[%vi : 1]) writes(%D[%vi : 1]) reducer(add, 0) {
        %a = memref.load %A[%vi, %vk] : memref<9x9xi8>
        %b = memref.load %B[%vk] : memref<9xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %p = arith.subi %x, %y : i32
        %d = memref.load %D[%vi] : memref<9xi32>
        %s = arith.addi %d, %p : i32
        memref.store %s, %D[%vi] : memref<9xi32>
      }
    }
  }
  return
}

// Every second element.
func.func @tensorize_c4_stride(%A: memref<9x9xi8>, %B: memref<9xi8>, %D: memref<9xi32>)
    attributes {refused = "tensorize 'D:k' in %f intrinsic 'dot_4xi8'"} {
  loop.for serial %i in 9 {
    // expected-error @+1 {{tensorize: "D:k" is not dot_4xi8: the cells of "arg1" are not contiguous (C4)}}
    loop.for serial %k in 4 {
      loop.block "D" [%vi: spatial 9, %vk: reduce 4] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[*], %D[%vi : 1]) writes(%D[%vi : 1]) reducer(add, 0) {
      %k2 = affine.apply affine_map<(d0) -> (d0 * 2)>(%vk)
        %a = memref.load %A[%vi, %vk] : memref<9x9xi8>
        %b = memref.load %B[%k2] : memref<9xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %p = arith.muli %x, %y : i32
        %d = memref.load %D[%vi] : memref<9xi32>
        %s = arith.addi %d, %p : i32
        memref.store %s, %D[%vi] : memref<9xi32>
      }
    }
  }
  return
}

func.func @tensorize_c4_lanes(%A: memref<9x9xi8>, %B: memref<9xi8>, %D: memref<9xi32>)
    attributes {refused = "tensorize 'D:k' in %f intrinsic 'dot_4xi8'"} {
  loop.for serial %i in 9 {
    // expected-error @+1 {{tensorize: "D:k" is not dot_4xi8: loop "k" is parallel, expected serial (C4)}}
    loop.for parallel %k in 4 {
      loop.block "D" [%vi: spatial 9, %vk: reduce 4] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vk : 1], %D[%vi : 1]) writes(%D[%vi : 1]) reducer(add, 0) {
        %a = memref.load %A[%vi, %vk] : memref<9x9xi8>
        %b = memref.load %B[%vk] : memref<9xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %p = arith.muli %x, %y : i32
        %d = memref.load %D[%vi] : memref<9xi32>
        %s = arith.addi %d, %p : i32
        memref.store %s, %D[%vi] : memref<9xi32>
      }
    }
  }
  return
}

func.func @tensorize_c4_start(%A: memref<9x9xi8>, %B: memref<9xi8>, %D: memref<9xi32>)
    attributes {refused = "tensorize 'D:k' in %f intrinsic 'dot_4xi8'"} {
  loop.for serial %i in 9 {
    // expected-error @+1 {{tensorize: "D:k" is not dot_4xi8: schedule block "D" gives start values: use decompose_reduction first (C4)}}
    loop.for serial %k in 4 {
      loop.block "D" [%vi: spatial 9, %vk: reduce 4] = (%i, %k)
          reads(%A[%vi : 1, %vk : 1], %B[%vk : 1]) writes(%D[%vi : 1]) reducer(add, 0) {
        loop.init {
          %zero = arith.constant 0 : i32
          memref.store %zero, %D[%vi] : memref<9xi32>
        }
        %a = memref.load %A[%vi, %vk] : memref<9x9xi8>
        %b = memref.load %B[%vk] : memref<9xi8>
        %x = arith.extsi %a : i8 to i32
        %y = arith.extsi %b : i8 to i32
        %p = arith.muli %x, %y : i32
        %d = memref.load %D[%vi] : memref<9xi32>
        %s = arith.addi %d, %p : i32
        memref.store %s, %D[%vi] : memref<9xi32>
      }
    }
  }
  return
}

// A multiplication and an addition are rounded twice.
func.func @tensorize_c4_strict(%A: memref<f32>, %B: memref<8xf32>, %C: memref<8xf32>)
    attributes {refused = "tensorize 'C:i' in %f intrinsic 'x86.fma_f32x8'"} {
  // expected-error @+1 {{tensorize: "C:i" is not x86.fma_f32x8: it rounds floats in a way that the contract of the function does not allow: x86.fma_f32x8 needs loop.fp = "fast" (C4)}}
  loop.for serial %i in 8 {
    loop.block "C" [%v: spatial 8] = (%i) reads(%A[], %B[%v : 1], %C[%v : 1]) writes(%C[%v : 1]) {
      %a = memref.load %A[] : memref<f32>
      %b = memref.load %B[%v] : memref<8xf32>
      %p = arith.mulf %a, %b : f32
      %c = memref.load %C[%v] : memref<8xf32>
      %s = arith.addf %c, %p : f32
      memref.store %s, %C[%v] : memref<8xf32>
    }
  }
  return
}

func.func @tensorize_c4_predicate(%A: memref<4xi8>, %B: memref<4xi8>, %D: memref<i32>)
    attributes {refused = "tensorize 'D:k' in %f intrinsic 'dot_4xi8'"} {
  // expected-error @+1 {{tensorize: "D:k" is not dot_4xi8: schedule block "D" has a predicate (C4)}}
  loop.for serial %k in 4 {
    loop.block "D" [%vk: reduce 4] = (%k) where(-%k + 2 >= 0)
        reads(%A[%vk : 1], %B[%vk : 1], %D[]) writes(%D[]) reducer(add, 0) {
      %a = memref.load %A[%vk] : memref<4xi8>
      %b = memref.load %B[%vk] : memref<4xi8>
      %x = arith.extsi %a : i8 to i32
      %y = arith.extsi %b : i8 to i32
      %p = arith.muli %x, %y : i32
      %d = memref.load %D[] : memref<i32>
      %s = arith.addi %d, %p : i32
      memref.store %s, %D[] : memref<i32>
    }
  }
  return
}

func.func @tensorize_c4_predicate_inside(%A: memref<4x4xi8>, %B: memref<4xi8>, %D: memref<4xi32>)
    attributes {refused = "tensorize 'N' in %f intrinsic 'dot_4xi8'"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{tensorize: "N" is not dot_4xi8: schedule block "D" has a predicate (C4)}}
    loop.block "N" [%u: spatial 4] = (%i) reads(%A[%u : 1, *], %B[*], %D[%u : 1]) writes(%D[%u : 1]) {
      loop.for serial %k in 4 {
        loop.block "D" [%vi: spatial 4, %vk: reduce 4] = (%u, %k) where(-%u + 2 >= 0)
            reads(%A[%vi : 1, %vk : 1], %B[%vk : 1], %D[%vi : 1]) writes(%D[%vi : 1]) reducer(add, 0) {
          %a = memref.load %A[%vi, %vk] : memref<4x4xi8>
          %b = memref.load %B[%vk] : memref<4xi8>
          %x = arith.extsi %a : i8 to i32
          %y = arith.extsi %b : i8 to i32
          %p = arith.muli %x, %y : i32
          %d = memref.load %D[%vi] : memref<4xi32>
          %s = arith.addi %d, %p : i32
          memref.store %s, %D[%vi] : memref<4xi32>
        }
      }
    }
  }
  return
}

func.func @tensorize_c4_tile_row(%A: memref<16x16x4xi8>, %B: memref<16x16x8xi8>, %C: memref<16x16xi32>)
    attributes {refused = "tensorize 'C:i' in %f intrinsic 'x86.tdpbssd'"} {
  // expected-error @+1 {{tensorize: "C:i" is not x86.tdpbssd: a row of a tile is not contiguous in "arg1" (C4)}}
  loop.for serial %i in 16 {
    loop.for serial %j in 16 {
      loop.for serial %k in 16 {
        loop.for serial %l in 4 {
          loop.block "C" [%vi: spatial 16, %vj: spatial 16, %vk: reduce 16, %vl: reduce 4] = (%i, %j, %k, %l)
              reads(%A[%vi : 1, %vk : 1, %vl : 1], %B[%vk : 1, %vj : 1, %vl : 1], %C[%vi : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0) {
            %a = memref.load %A[%vi, %vk, %vl] : memref<16x16x4xi8>
            %b = memref.load %B[%vk, %vj, %vl] : memref<16x16x8xi8>
            %x = arith.extsi %a : i8 to i32
            %y = arith.extsi %b : i8 to i32
            %p = arith.muli %x, %y : i32
            %c = memref.load %C[%vi, %vj] : memref<16x16xi32>
            %s = arith.addi %c, %p : i32
            memref.store %s, %C[%vi, %vj] : memref<16x16xi32>
          }
        }
      }
    }
  }
  return
}

func.func @tensorize_c4_tile_rows(%A: memref<16x16x4xi8>, %B: memref<16x?x16x4xi8>, %C: memref<16x16xi32>)
    attributes {refused = "tensorize 'C:i' in %f intrinsic 'x86.tdpbssd'"} {
  // expected-error @+1 {{tensorize: "C:i" is not x86.tdpbssd: the rows of a tile are not a known distance apart in "arg1" (C4)}}
  loop.for serial %i in 16 {
    loop.for serial %j in 16 {
      loop.for serial %k in 16 {
        loop.for serial %l in 4 {
          loop.block "C" [%vi: spatial 16, %vj: spatial 16, %vk: reduce 16, %vl: reduce 4] = (%i, %j, %k, %l)
              reads(%A[%vi : 1, %vk : 1, %vl : 1], %B[%vk : 1, 0 : 1, %vj : 1, %vl : 1], %C[%vi : 1, %vj : 1]) writes(%C[%vi : 1, %vj : 1]) reducer(add, 0) {
            %zero = arith.constant 0 : index
            %a = memref.load %A[%vi, %vk, %vl] : memref<16x16x4xi8>
            %b = memref.load %B[%vk, %zero, %vj, %vl] : memref<16x?x16x4xi8>
            %x = arith.extsi %a : i8 to i32
            %y = arith.extsi %b : i8 to i32
            %p = arith.muli %x, %y : i32
            %c = memref.load %C[%vi, %vj] : memref<16x16xi32>
            %s = arith.addi %c, %p : i32
            memref.store %s, %C[%vi, %vj] : memref<16x16xi32>
          }
        }
      }
    }
  }
  return
}

func.func @tensorize_c4_constant(%C: memref<16x16xf32>) attributes {refused = "tensorize 'C:i' in %f intrinsic 'x86.tilezero_f32'"} {
  // expected-error @+1 {{tensorize: "C:i" is not x86.tilezero_f32: it has 1.000000e+00 : f32, expected 0.000000e+00 : f32 (C4)}}
  loop.for serial %i in 16 {
    loop.for serial %j in 16 {
      loop.block "C" [%vi: spatial 16, %vj: spatial 16] = (%i, %j) writes(%C[%vi : 1, %vj : 1]) {
        %one = arith.constant 1.0 : f32
        memref.store %one, %C[%vi, %vj] : memref<16x16xf32>
      }
    }
  }
  return
}
