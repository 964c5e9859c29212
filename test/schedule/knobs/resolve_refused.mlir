// Scripts whose knobs cannot be resolved.
// RUN: lw-opt %s --resolve-knobs --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  // expected-error @+1 {{has options that are not a list (C1)}}
  %rows = transform.tune.knob<"rows"> options = "1, 2" -> !transform.param<i64>
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  // expected-note @+1 {{the knob is here}}
  %kind = transform.tune.knob<"kind"> options = ["serial", 1] -> !transform.any_param
  // expected-error @+1 {{refers to a knob whose options are not integers (C1)}}
  transform.smt.constrain_params(%kind) : (!transform.any_param) -> () {
  ^bb0(%k: !smt.int):
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  // expected-note @+1 {{the parameter is here}}
  %size = transform.param.constant 1.0 : f32 -> !transform.any_param
  // expected-error @+1 {{refers to a parameter that is not known before the script runs, expected a knob, a constant, or a result of other constraints (C2)}}
  transform.smt.constrain_params(%size) : (!transform.any_param) -> () {
  ^bb0(%k: !smt.int):
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op, %size: !transform.param<i64>) {
  // expected-error @+1 {{refers to a parameter that is not known before the script runs}}
  transform.smt.constrain_params(%size) : (!transform.param<i64>) -> () {
  ^bb0(%k: !smt.int):
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %rows = transform.tune.knob<"rows"> options = [1, 2] -> !transform.param<i64>
  transform.smt.constrain_params(%rows) : (!transform.param<i64>) -> () {
  ^bb0(%r: !smt.int):
    // expected-error @+1 {{is not read, expected booleans and integers of SMT (C3)}}
    %other = smt.declare_fun : !smt.int
    %same = smt.eq %r, %other : !smt.int
    smt.assert %same
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %rows = transform.tune.knob<"rows"> options = [1, 2] -> !transform.param<i64>
  transform.smt.constrain_params(%rows) : (!transform.param<i64>) -> () {
  ^bb0(%r: !smt.int):
    // expected-error @+1 {{is a constant of more than 64 bits, expected booleans and integers of SMT (C3)}}
    %large = smt.int.constant 18446744073709551616
    %fits = smt.int.cmp le %r, %large
    smt.assert %fits
  }
  transform.yield
}
}

// -----

// Constraints that do not take part in the conflict are not named.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %rows = transform.tune.knob<"rows"> options = [4, 8] -> !transform.param<i64>
  %columns = transform.tune.knob<"columns"> = 64 from options = [32, 64] -> !transform.param<i64>
  %depth = transform.tune.knob<"depth"> options = [1, 2] -> !transform.param<i64>
  transform.smt.constrain_params(%rows, %columns, %depth)
      : (!transform.param<i64>, !transform.param<i64>, !transform.param<i64>) -> () {
  ^bb0(%r: !smt.int, %c: !smt.int, %d: !smt.int):
    %product = smt.int.mul %r, %c
    %most = smt.int.constant 256
    %fits = smt.int.cmp le %product, %most
    // expected-error @+1 {{holds for no values of rows in {4, 8}, columns in {64}, with the others below (C4)}}
    smt.assert %fits
    %one = smt.int.constant 1
    %deep = smt.int.cmp gt %d, %one
    smt.assert %deep
    %four = smt.int.constant 4
    %high = smt.int.cmp gt %r, %four
    // expected-note @+1 {{which must hold with this one}}
    smt.assert %high
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %rows = transform.tune.knob<"rows"> = 4 from options = [4, 8] -> !transform.param<i64>
  transform.smt.constrain_params(%rows) : (!transform.param<i64>) -> () {
  ^bb0(%r: !smt.int):
    %zero = smt.int.constant 0
    %quotient = smt.int.div %r, %zero
    %same = smt.eq %quotient, %quotient : !smt.int
    // expected-error @+1 {{holds for no values of rows in {4} (C4)}}
    smt.assert %same
  }
  transform.yield
}
}

// -----

// What a constraint limits is named, and how much is missing.
module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %rows = transform.tune.knob<"rows"> options = [5, 6] -> !transform.param<i64>
  transform.smt.constrain_params(%rows) : (!transform.param<i64>) -> () {
  ^bb0(%r: !smt.int):
    %most = smt.int.constant 12
    %three = smt.int.constant 3
    %needed = smt.int.mul %r, %three
    %fits = smt.int.cmp le %needed, %most
    // expected-error @+1 {{on registers holds for no values of rows in {5, 6}: at least 15, expected at most 12 (C4)}}
    smt.assert %fits {what = "registers"}
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %columns = transform.tune.knob<"columns"> options = [1] -> !transform.param<i64>
  // expected-error @+1 {{has no options, expected one or more (C4)}}
  %rows = transform.tune.knob<"rows"> options = [] -> !transform.param<i64>
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  transform.smt.constrain_params() : () -> () {
    %false = smt.constant false
    // expected-error @+1 {{holds for no values (C4)}}
    smt.assert %false
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  %rows = transform.tune.knob<"rows"> options = [0, 1] -> !transform.param<i64>
  // expected-error @+1 {{yields a number that exceeds 64 bits, or a quotient by 0, expected neither (C3)}}
  %quotient = transform.smt.constrain_params(%rows) : (!transform.param<i64>) -> (!transform.param<i64>) {
  ^bb0(%r: !smt.int):
    %four = smt.int.constant 4
    %q = smt.int.div %four, %r
    smt.yield %q : !smt.int
  }
  transform.yield
}
}

// -----

module attributes {transform.with_named_sequence} {
transform.named_sequence @__transform_main(%module: !transform.any_op) {
  // expected-note @+1 {{the parameter is here}}
  %rows = transform.tune.alternatives<"rows"> -> !transform.param<i64> {
    %one = transform.param.constant 1 : i64 -> !transform.param<i64>
    transform.yield %one : !transform.param<i64>
  }
  // expected-error @+1 {{refers to a parameter that is not known before the script runs}}
  transform.smt.constrain_params(%rows) : (!transform.param<i64>) -> () {
  ^bb0(%r: !smt.int):
  }
  transform.yield
}
}
