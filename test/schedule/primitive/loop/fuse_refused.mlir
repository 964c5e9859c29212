// RUN: lw-opt %s -verify-diagnostics --sched-expect-refusal

// expected-error @+1 {{fuse: "j" names no loop, expected "block:loop" (C1)}}
func.func @fuse_c1_no_loop_name() attributes {refused = "fuse ['B:i', 'j'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}

func.func @fuse_c1_no_loop() attributes {refused = "fuse ['B:i', 'B:k'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{fuse: there is no loop "k" around schedule block "B", there are "i", "j" (C1)}}
      loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {}
    }
  }
  return
}

func.func @fuse_c1_one_loop() attributes {refused = "fuse ['B:i'] in %f"} {
  // expected-error @+1 {{fuse: found 1 loops, expected two or more (C1)}}
  loop.for serial %i in 4 {
    loop.for serial %j in 8 { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}

// expected-error @+1 {{fuse: found 0 loops, expected two or more (C1)}}
func.func @fuse_c1_no_loops() attributes {refused = "fuse [] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}

func.func @fuse_c1_twice() attributes {refused = "fuse ['B:i', 'B:j', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fuse: loop "j" is given twice (C1)}}
    loop.for serial %j in 8 { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}

func.func @fuse_c2_not_serial() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fuse: loop "j" is vectorize, expected serial (C2)}}
    loop.for vectorize %j in 8 { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}

func.func @fuse_c3_inner_first() attributes {refused = "fuse ['B:j', 'B:i'] in %f"} {
  // expected-error @+1 {{fuse: loop "i" is not directly nested in loop "j" (C3)}}
  loop.for serial %i in 4 {
    loop.for serial %j in 8 { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}

func.func @fuse_c3_loop_between() attributes {refused = "fuse ['B:i', 'B:k'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 8 {
      // expected-error @+1 {{fuse: loop "k" is not directly nested in loop "i" (C3)}}
      loop.for serial %k in 2 { loop.block "B" [] = () {} }
    }
  }
  return
}

func.func @fuse_c3_if_between() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    loop.if (%i > 1) {
      // expected-error @+1 {{fuse: loop "j" is not directly nested in loop "i" (C3)}}
      loop.for serial %j in 2 { loop.block "B" [] = () {} }
    }
  }
  return
}

func.func @fuse_c3_block_between() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    loop.block "A" [%v: spatial 4] = (%i) {
      // expected-error @+1 {{fuse: loop "j" is not directly nested in loop "i" (C3)}}
      loop.for serial %j in 2 { loop.block "B" [] = () {} }
    }
  }
  return
}

func.func @fuse_c3_side_by_side() attributes {refused = "fuse ['A:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 { loop.block "A" [] = () {} }
  // expected-error @+1 {{fuse: loop "j" is not directly nested in loop "i" (C3)}}
  loop.for serial %j in 2 { loop.block "B" [] = () {} }
  return
}

func.func @fuse_c3_not_alone() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fuse: loop "j" is not the only statement in loop "i" (C3)}}
    loop.for serial %j in 2 { loop.block "B" [] = () {} }
    loop.sync
  }
  return
}

func.func @fuse_c4_triangle() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fuse: the extent of loop "j" depends on loop "i" (C4)}}
    loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%i) { loop.block "B" [] = () {} }
  }
  return
}

func.func @fuse_c4_depends_on_outermost() attributes {refused = "fuse ['B:i', 'B:j', 'B:k'] in %f"} {
  loop.for serial %i in 4 {
    loop.for serial %j in 2 {
      // expected-error @+1 {{fuse: the extent of loop "k" depends on loop "i" (C4)}}
      loop.for serial %k in affine_map<(d0) -> (d0 + 1)>(%i) { loop.block "B" [] = () {} }
    }
  }
  return
}

func.func @fuse_c5_inner_minimum(%n: index) attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fuse: the extent of loop "j" is a minimum, which cannot be divided (C5)}}
    loop.for serial %j in min affine_map<()[s0] -> (s0, 8)>()[%n] { loop.block "B" [] = () {} }
  }
  return
}

func.func @fuse_c5_inner_extent_of_a_loop() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %o in 4 {
    loop.for serial %i in 4 {
      // expected-error @+1 {{fuse: the extent of loop "j" is not a size: only the outermost loop may have such an extent (C5)}}
      loop.for serial %j in affine_map<(d0) -> (d0 + 1)>(%o) { loop.block "B" [] = () {} }
    }
  }
  return
}

func.func @fuse_c5_no_iterations() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fuse: loop "j" has no iterations (C5)}}
    loop.for serial %j in 0 { loop.block "B" [] = () {} }
  }
  return
}

func.func @fuse_c5_negative_extents(%n: index) attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  // expected-error @+1 {{fuse: the extents of loops "i" and "j" may both be negative: their product is not (C5)}}
  loop.for serial %i in affine_map<()[s0] -> (s0 - 2)>()[%n] {
    loop.for serial %j in affine_map<()[s0] -> (s0 - 3)>()[%n] { loop.block "B" [] = () {} }
  }
  return
}

func.func @fuse_c6_too_large() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  // expected-error @+1 {{fuse: the product of the extents of i, j is too large for an index (C6)}}
  loop.for serial %i in 4294967296 {
    loop.for serial %j in 4294967296 { loop.block "B" [] = () {} }
  }
  return
}

func.func @fuse_c7_reduction_may_be_empty(%A: memref<4x?xf32>, %C: memref<4xf32>, %n: index)
    attributes {refused = "fuse ['sum:i', 'sum:k'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fuse: loop "k" may have no iterations: the start values of schedule block "sum" would be lost (C7)}}
    loop.for serial %k in %n {
      // expected-note @+1 {{the schedule block is here}}
      loop.block "sum" [%v: spatial 4, %vk: reduce %n] = (%i, %k)
          reads(%A[%v : 1, %vk : 1]) writes(%C[%v : 1]) reducer(add, 0.0) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          memref.store %zero, %C[%v] : memref<4xf32>
        }
        %a = memref.load %A[%v, %vk] : memref<4x?xf32>
        %c = memref.load %C[%v] : memref<4xf32>
        %s = arith.addf %c, %a : f32
        memref.store %s, %C[%v] : memref<4xf32>
      }
    }
  }
  return
}

func.func @fuse_c2_annotated() attributes {refused = "fuse ['B:i', 'B:j'] in %f"} {
  loop.for serial %i in 4 {
    // expected-error @+1 {{fuse: loop "j" has the annotation "pragma", which would be lost: unannotate it first (C2)}}
    loop.for serial %j in 8 attributes {loop.annotations = {pragma = 4 : i64}} { loop.block "B" [%v: spatial 4, %w: spatial 8] = (%i, %j) {} }
  }
  return
}
