// Refusals of sample_tile.
// RUN: lw-opt %s --sched-expect-refusal --verify-diagnostics

func.func @sample_tile_c1_no_loop(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:k' in %f as 't'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{sample_tile: there is no loop "k" around schedule block "C", there are "i", "j" (C1)}}
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_tile: "$t" is not a decision name: expected letters, digits, '_' and '.' (C2)}}
func.func @sample_tile_c2_no_name(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:i' in %f as '$t'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_tile: there is a decision "t" already (C2)}}
func.func @sample_tile_c2_taken(%A: memref<12x64xf32>, %n: index)
    attributes {loop.decisions = {t = 4 : i64}, refused = "sample_tile 'C:i' in %f as 't'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_tile: found 1 parts and a largest last factor of 64, expected 2 to 16 parts and a factor of 1 or more (C3)}}
func.func @sample_tile_c3_one_part(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:i' in %f as 't' parts 1"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_tile: found 17 parts and a largest last factor of 64, expected 2 to 16 parts and a factor of 1 or more (C3)}}
func.func @sample_tile_c3_many_parts(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:i' in %f as 't' parts 17"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_tile_c4_no_rest(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:i' in %f as 't' decision [3, 4]"} {
  // expected-error @+1 {{sample_tile: 3, 4 is not a decision: expected -1 and 1 factors with a product of at most 12, the last at most 64 (C4)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_tile_c4_number(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:i' in %f as 't' parts 3 decision [-1, 4]"} {
  // expected-error @+1 {{sample_tile: -1, 4 is not a decision: expected -1 and 2 factors with a product of at most 12, the last at most 64 (C4)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_tile_c4_product(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:i' in %f as 't' decision [-1, 13]"} {
  // expected-error @+1 {{sample_tile: -1, 13 is not a decision: expected -1 and 1 factors with a product of at most 12, the last at most 64 (C4)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_tile_c4_negative(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:i' in %f as 't' decision [-1, -2]"} {
  // expected-error @+1 {{sample_tile: -1, -2 is not a decision: expected -1 and 1 factors with a product of at most 12, the last at most 64 (C4)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_tile_c4_innermost(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_tile 'C:i' in %f as 't' max_innermost 4 decision [-1, 6]"} {
  // expected-error @+1 {{sample_tile: -1, 6 is not a decision: expected -1 and 1 factors with a product of at most 12, the last at most 4 (C4)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}
