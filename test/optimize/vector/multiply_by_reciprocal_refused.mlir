// RUN: lw-opt %s --multiply-by-reciprocal --verify-diagnostics

// expected-error @below {{has "exact" as 'loop.fp', expected strict, reassoc or fast}}
func.func @unknown_contract() attributes {loop.fp = "exact"} {
  return
}
