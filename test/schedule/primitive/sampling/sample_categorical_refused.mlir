// Refusals of sample_categorical.
// RUN: lw-opt %s --sched-expect-refusal --verify-diagnostics

// expected-error @+1 {{sample_categorical: "" is not a decision name: expected letters, digits, '_' and '.' (C1)}}
func.func @sample_categorical_c1_no_name(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical '' in %f candidates [1]"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: there is a decision "w" already (C1)}}
func.func @sample_categorical_c1_taken(%A: memref<12x64xf32>, %n: index) attributes {loop.decisions = {w = 1 : i64},
    refused = "sample_categorical 'w' in %f candidates [2]"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: cannot sample: there are no candidates (C2)}}
func.func @sample_categorical_c2_none(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical 'w' in %f candidates []"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: cannot sample: a candidate is given twice (C2)}}
func.func @sample_categorical_c2_twice(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical 'w' in %f candidates [4, 8, 4]"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: cannot sample: the numbers of weights and candidates differ (C2)}}
func.func @sample_categorical_c2_few_weights(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical 'w' in %f candidates [4, 8] weights [1]"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: cannot sample: a weight is negative (C2)}}
func.func @sample_categorical_c2_negative(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical 'w' in %f candidates [4, 8] weights [1, -1]"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: cannot sample: all weights are 0 (C2)}}
func.func @sample_categorical_c2_zero(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical 'w' in %f candidates [4, 8] weights [0, 0]"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: cannot sample: the weights are too large (C2)}}
func.func @sample_categorical_c2_large(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical 'w' in %f candidates [4, 8, 9] weights [9223372036854775807, 9223372036854775807, 9223372036854775807]"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: 5 is not a decision: expected one of 4, 8 (C3)}}
func.func @sample_categorical_c3_no_candidate(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical 'w' in %f candidates [4, 8] decision 5"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}

// expected-error @+1 {{sample_categorical: 8 is not a decision: expected one of 4 (C3)}}
func.func @sample_categorical_c3_without_weight(%A: memref<12x64xf32>, %n: index)
    attributes {refused = "sample_categorical 'w' in %f candidates [4, 8] weights [1, 0] decision 8"} {
  loop.for serial %i in 12 {
    loop.for serial %j in 64 {
      loop.block "C" [%v: spatial 12, %w: spatial 64] = (%i, %j) {
      }
    }
  }
  return
}
