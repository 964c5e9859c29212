// The expansions of f64: polynomials of more terms, and pairs of numbers where f32 uses f64.
// RUN: lw-opt %s --expand-math --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,FUSED --implicit-check-not=call
// RUN: lw-opt %s --expand-math=fma=false --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ROUNDED --implicit-check-not=call --implicit-check-not=math.fma

// The exponent is in the last bits of the sum with 1.5 * 2^52, and two factors make 2^n.
// CHECK-LABEL: @exp(
// CHECK-SAME:    %[[X:.*]]: vector<8xf64>)
// CHECK-DAG:     %[[LIMIT:.*]] = arith.constant dense<7.100000e+02> : vector<8xf64>
// CHECK:         arith.cmpf ogt, %[[X]], %[[LIMIT]]
// CHECK:         arith.bitcast %{{.*}} : vector<8xf64> to vector<8xi64>
// CHECK:         %[[HALF:.*]] = arith.shrui
// CHECK:         %[[REST:.*]] = arith.subi %{{.*}}, %[[HALF]] : vector<8xi64>
// CHECK-NEXT:    %[[BITS:.*]] = arith.shli %[[REST]], %
// CHECK-NEXT:    %[[SECOND:.*]] = arith.bitcast %[[BITS]] : vector<8xi64> to vector<8xf64>
// CHECK-NEXT:    %[[R:.*]] = arith.mulf %{{.*}}, %[[SECOND]] : vector<8xf64>
// CHECK-NEXT:    return %[[R]]
func.func @exp(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.exp %x : vector<8xf64>
  return %0 : vector<8xf64>
}

// CHECK-LABEL: @expm1(
// CHECK-SAME:    %[[X:.*]]: f64)
// CHECK:         %[[M:.*]] = math.absf %[[X]] : f64
// CHECK:         %[[TINY:.*]] = arith.cmpf olt, %[[M]], %
// CHECK:         %[[R:.*]] = arith.select %[[TINY]], %[[X]], %
// CHECK:         return %[[R]]
func.func @expm1(%x: f64) -> f64 {
  %0 = math.expm1 %x : f64
  return %0 : f64
}

// One division; the integer e becomes a float by the bits of 2^52.
// CHECK-LABEL: @log(
// CHECK-DAG:     arith.constant 4841369599423283200 : i64
// CHECK:         arith.divf
// CHECK-NOT:     arith.divf
// CHECK-NOT:     arith.sitofp
// CHECK:         return
func.func @log(%x: f64) -> f64 {
  %0 = math.log %x : f64
  return %0 : f64
}

// The high part of a logarithm has 21 digits, so its product is exact.
// CHECK-LABEL: @log2(
// CHECK-DAG:     %[[MASK:.*]] = arith.constant -4294967296 : i64
// CHECK:         %[[BITS:.*]] = arith.andi %{{.*}}, %[[MASK]] : i64
// CHECK-NEXT:    %[[HIGH:.*]] = arith.bitcast %[[BITS]] : i64 to f64
func.func @log2(%x: f64) -> f64 {
  %0 = math.log2 %x : f64
  return %0 : f64
}

// The product of the exponent and the logarithm is a pair: its error is a fused multiply-add, or is computed from
// halves of 26 digits.
// CHECK-LABEL: @powf(
// ROUNDED:       arith.constant -134217728 : i64
// FUSED:         %[[N:.*]] = arith.negf %{{.*}} : f64
// FUSED:         math.fma %{{.*}}, %{{.*}}, %[[N]] : f64
// CHECK-NOT:     arith.fptosi
// CHECK:         return
func.func @powf(%x: f64, %y: f64) -> f64 {
  %0 = math.powf %x, %y : f64
  return %0 : f64
}

// An exponent of 64 bits is the sum of two f64; one of 32 bits is an f64.
// CHECK-LABEL: @fpowi(
// CHECK-SAME:    %[[X:.*]]: f64, %[[N:.*]]: i64, %[[M:.*]]: i32)
// CHECK:         %[[LOW:.*]] = arith.andi %[[N]], %{{.*}} : i64
// CHECK:         %[[REST:.*]] = arith.subi %[[N]], %[[LOW]] : i64
// CHECK-DAG:     arith.sitofp %[[REST]] : i64 to f64
// CHECK-DAG:     arith.sitofp %[[LOW]] : i64 to f64
// CHECK:         arith.sitofp %[[M]] : i32 to f64
func.func @fpowi(%x: f64, %n: i64, %m: i32) -> (f64, f64) {
  %0 = math.fpowi %x, %n : f64, i64
  %1 = math.fpowi %x, %m : f64, i32
  return %0, %1 : f64, f64
}

// The remainder is a pair. The reduction of large arguments is by integers.
// CHECK-LABEL: @sincos(
// CHECK:         %[[LARGE:.*]] = arith.cmpf oge, %{{.*}}, %{{.*}} : f64
// CHECK-NEXT:    scf.if %[[LARGE]] -> (f64, f64, i64)
// CHECK:           arith.shrui
// CHECK:           arith.muli %{{.*}}, %{{.*}} : i64
// CHECK:         } else {
// CHECK-NOT:       arith.muli
// CHECK:         }
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @sincos(%x: f64) -> (f64, f64) {
  %0, %1 = math.sincos %x : f64
  return %0, %1 : f64, f64
}

// One branch for all lanes.
// CHECK-LABEL: @tan(
// CHECK:         vector.reduction <or>, %{{.*}} : vector<4xi1> into i1
// CHECK-NEXT:    scf.if %{{.*}} -> (vector<4xf64>, vector<4xf64>, vector<4xi64>)
func.func @tan(%x: vector<4xf64>) -> vector<4xf64> {
  %0 = math.tan %x : vector<4xf64>
  return %0 : vector<4xf64>
}

// Near 0 a polynomial, elsewhere 1 minus the complement.
// CHECK-LABEL: @erf(
// CHECK-COUNT-2: arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         arith.subf
// CHECK:         %[[IS_NEAR:.*]] = arith.cmpf olt
// CHECK-NEXT:    arith.select %[[IS_NEAR]]
// CHECK:         return
func.func @erf(%x: f64) -> f64 {
  %0 = math.erf %x : f64
  return %0 : f64
}

// CHECK-LABEL: @inverse_hyperbolic(
// CHECK-COUNT-2: math.sqrt
// CHECK-NOT:     math.sqrt
// CHECK:         return
func.func @inverse_hyperbolic(%x: f64) -> (f64, f64, f64) {
  %0 = math.asinh %x : f64
  %1 = math.acosh %x : f64
  %2 = math.atanh %x : f64
  return %0, %1, %2 : f64, f64, f64
}
