// Refusals of sample_perfect_tile.
// RUN: lw-opt %s --sched-expect-refusal --verify-diagnostics

func.func @sample_perfect_tile_c1_no_loop(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_perfect_tile 'C:k' in %f as 't'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      // expected-error @+1 {{sample_perfect_tile: there is no loop "k" around schedule block "C", there are "i", "j" (C1)}}
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_perfect_tile_c2_dynamic(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_perfect_tile 'C:i' in %f as 't'"} {
  // expected-error @+1 {{sample_perfect_tile: loop "i" has no constant extent (C2)}}
  loop.for serial %i in %n {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial %n, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_perfect_tile: "$t" is not a decision name: expected letters, digits, '_' and '.' (C3)}}
func.func @sample_perfect_tile_c3_no_name(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_perfect_tile 'C:i' in %f as '$t'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_perfect_tile: there is a decision "t" already (C3)}}
func.func @sample_perfect_tile_c3_taken(%A: memref<12x64xf32>, %n: index) attributes {loop.decisions = {t = array<i64: 3, 4>},
    refused = "sample_perfect_tile 'C:j' in %f as 't'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_perfect_tile_c4_no_product(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_perfect_tile 'C:i' in %f as 't' parts 1 max_innermost 8"} {
  // expected-error @+1 {{sample_perfect_tile: extent 12 is not a product of 1 factors of which the last is at most 8 (C4)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_perfect_tile_c5_other_product(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_perfect_tile 'C:i' in %f as 't' decision [5, 2]"} {
  // expected-error @+1 {{sample_perfect_tile: 5, 2 is not a decision: expected 2 factors with the product 12 of which the last is at most 16 (C5)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_perfect_tile_c5_innermost(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_perfect_tile 'C:i' in %f as 't' max_innermost 4 decision [2, 6]"} {
  // expected-error @+1 {{sample_perfect_tile: 2, 6 is not a decision: expected 2 factors with the product 12 of which the last is at most 4 (C5)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

func.func @sample_perfect_tile_c5_negative(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_perfect_tile 'C:i' in %f as 't' decision [-3, -4]"} {
  // expected-error @+1 {{sample_perfect_tile: -3, -4 is not a decision: expected 2 factors with the product 12 of which the last is at most 16 (C5)}}
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{split: there is no decision "t": there is none}}
func.func @split_no_decision(%A: memref<12x64xf32>, %n: index) attributes {refused = "split 'C:i' in %f factors '$t'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{split: there is no decision "s": t}}
func.func @split_other_decision(%A: memref<12x64xf32>, %n: index) attributes {loop.decisions = {t = array<i64: 3, 4>},
    refused = "split 'C:i' in %f factors '$s'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{unroll: "$t" is not what 'factor' takes: expected one number}}
func.func @unroll_several_numbers(%A: memref<12x64xf32>, %n: index) attributes {loop.decisions = {t = array<i64: 3, 4>},
    refused = "unroll 'C:i' in %f factor '$t'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{parallel: "$t" is not what 'loop' takes: expected a name}}
func.func @parallel_numbers_for_a_name(%A: memref<12x64xf32>, %n: index) attributes {loop.decisions = {t = array<i64: 3, 4>},
    refused = "parallel '$t' in %f"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{split: "x" is not what 'factors' takes: expected numbers and names of decisions}}
func.func @split_no_number(%A: memref<12x64xf32>, %n: index) attributes {refused = "split 'C:i' in %f factors '4, x'"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}
