// Requirements that are not sets over the sizes of the function.
// RUN: lw-opt %s --require-bounds -split-input-file -verify-diagnostics

// expected-error @below {{'loop.requires' is 3 : i64, expected a set of 0 dims and 1 symbols}}
func.func @no_set(%A: memref<?xf32>) attributes {loop.requires = 3} {
  return
}

// -----

// expected-error @below {{expected a set of 0 dims and 1 symbols}}
func.func @other_sizes(%A: memref<?xf32>) attributes {loop.requires = affine_set<()[s0, s1] : (s0 - s1 == 0)>} {
  return
}

// -----

// expected-error @below {{'loop.requires_if' is 3 : i64, expected pairs of sets of 0 dims and 1 symbols}}
func.func @no_pairs(%A: memref<?xf32>) attributes {loop.requires_if = 3} {
  return
}

// -----

// expected-error @below {{expected pairs of sets of 0 dims and 1 symbols}}
func.func @half_a_pair(%A: memref<?xf32>) attributes {loop.requires_if = [[affine_set<()[s0] : (s0 >= 0)>]]} {
  return
}

// -----

// expected-error @below {{expected pairs of sets of 0 dims and 1 symbols}}
func.func @dims(%A: memref<?xf32>) attributes {loop.requires_if = [[affine_set<()[s0] : (s0 >= 0)>, affine_set<(d0)[s0] : (d0 + s0 >= 0)>]]} {
  return
}
