// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{split: "B.i" names no loop, expected "block:loop" (C1)}}
func.func @split_c1_no_loop_name() attributes {refused = "split 'B.i' in %f factors [5, 6]"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

// expected-error @+1 {{split: there is no schedule block "C", there are "B" (C1)}}
func.func @split_c1_no_block() attributes {refused = "split 'C:i' in %f factors [5, 6]"} {
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c1_no_loop() attributes {refused = "split 'B:k' in %f factors [5, 6]"} {
  loop.for serial %i in 30 {
    loop.for serial %j in 2 {
      // expected-error @+1 {{split: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
      loop.block "B" [%v: spatial 30] = (%i) {}
    }
  }
  return
}

func.func @split_c1_no_loop_around() attributes {refused = "split 'B:i' in %f factors [5, 6]"} {
  // expected-error @+1 {{split: there is no loop "i" around schedule block "B", there are none (C1)}}
  loop.block "B" [] = () {}
  return
}

func.func @split_c2_not_serial() attributes {refused = "split 'B:i' in %f factors [5, 6]"} {
  // expected-error @+1 {{split: loop "i" is parallel, expected serial (C2)}}
  loop.for parallel %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c3_no_factor() attributes {refused = "split 'B:i' in %f factors []"} {
  // expected-error @+1 {{split: found 0 factors, expected two or more (C3)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c3_one_factor() attributes {refused = "split 'B:i' in %f factors [30]"} {
  // expected-error @+1 {{split: found 1 factors, expected two or more (C3)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c3_two_to_infer() attributes {refused = "split 'B:i' in %f factors [-1, 2, -1]"} {
  // expected-error @+1 {{split: found 2 factors to infer, expected not more than one -1 (C3)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c3_zero() attributes {refused = "split 'B:i' in %f factors [30, 0]"} {
  // expected-error @+1 {{split: found factor 0, expected a positive number or -1 (C3)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c3_negative() attributes {refused = "split 'B:i' in %f factors [-1, -2]"} {
  // expected-error @+1 {{split: found factor -2, expected a positive number or -1 (C3)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c4_product_below_extent() attributes {refused = "split 'B:i' in %f factors [4, 7]"} {
  // expected-error @+1 {{split: factors multiply to 28, extent is 30 (C4)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c4_no_iterations() attributes {refused = "split 'B:i' in %f factors [2, 2]"} {
  // expected-error @+1 {{split: loop "i" has no iterations (C4)}}
  loop.for serial %i in 0 { loop.block "B" [%v: reduce 0] = (%i) {} }
  return
}

func.func @split_c4_unknown_extent(%n: index) attributes {refused = "split 'B:i' in %f factors [4, 16]"} {
  // expected-error @+1 {{split: factors multiply to 64, the extent is not known: infer one factor with -1 (C4)}}
  loop.for serial %i in %n { loop.block "B" [%v: spatial %n] = (%i) {} }
  return
}

func.func @split_c4_inner_factor_of_a_minimum(%n: index) attributes {refused = "split 'B:i' in %f factors [4, -1]"} {
  // expected-error @+1 {{split: the extent of loop "i" is not a size: only the first factor can be inferred (C4)}}
  loop.for serial %i in min affine_map<()[s0] -> (s0, 8)>()[%n] {
    loop.block "B" [%v: spatial %n] = (%i) {}
  }
  return
}

func.func @split_c4_inner_factor_of_a_loop() attributes {refused = "split 'B:i' in %f factors [2, -1, 2]"} {
  loop.for serial %o in 8 {
    // expected-error @+1 {{split: the extent of loop "i" is not a size: only the first factor can be inferred (C4)}}
    loop.for serial %i in affine_map<(d0) -> (d0 + 1)>(%o) {
      loop.block "B" [%v: spatial 8] = (%i) {}
    }
  }
  return
}

func.func @split_c5_factors() attributes {refused = "split 'B:i' in %f factors [4294967296, 2147483648]"} {
  // expected-error @+1 {{split: the product of factors [4294967296, 2147483648] is too large for an index (C5)}}
  loop.for serial %i in 30 { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}

func.func @split_c5_rounded_up() attributes {refused = "split 'B:i' in %f factors [-1, 2]"} {
  // expected-error @+1 {{split: the product of factors [-1, 2] is too large for an index (C5)}}
  loop.for serial %i in 9223372036854775807 {
    loop.block "B" [%v: spatial 9223372036854775807] = (%i) {}
  }
  return
}

func.func @split_c2_annotated() attributes {refused = "split 'B:i' in %f factors [5, 6]"} {
  // expected-error @+1 {{split: loop "i" has the annotation "pragma", which would be lost: unannotate it first (C2)}}
  loop.for serial %i in 30 attributes {loop.annotations = {pragma = 4 : i64}} { loop.block "B" [%v: spatial 30] = (%i) {} }
  return
}
