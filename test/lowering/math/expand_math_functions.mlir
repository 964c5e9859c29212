// The expansions of functions: range reduction, the last term of the polynomial, and the reconstruction.
// RUN: lw-opt %s --expand-math --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,FUSED --implicit-check-not=call
// RUN: lw-opt %s --expand-math=fma=false --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ROUNDED --implicit-check-not=call --implicit-check-not=math.fma

// x - n * ln 2 with ln 2 in two parts, and two factors for 2^n.
// CHECK-LABEL: @exp(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK-DAG:     %[[LIMIT:.*]] = arith.constant 8.900000e+01 : f32
// CHECK-DAG:     %[[LOG2_E:.*]] = arith.constant 1.44269502 : f32
// CHECK:         %[[OVER:.*]] = arith.cmpf ogt, %[[X]], %[[LIMIT]] : f32
// CHECK-NEXT:    arith.select %[[OVER]], %[[LIMIT]], %[[X]] : f32
// FUSED:         math.fma %{{.*}}, %[[LOG2_E]]
// ROUNDED:       %[[P:.*]] = arith.mulf %{{.*}}, %[[LOG2_E]]
// ROUNDED-NEXT:  arith.addf %[[P]]
// CHECK:         %[[HALF:.*]] = arith.shrui %[[BITS:.*]], %
// CHECK:         %[[REST:.*]] = arith.subi %[[BITS]], %[[HALF]] : i32
// CHECK:         %[[SECOND:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK-NEXT:    %[[R:.*]] = arith.mulf %{{.*}}, %[[SECOND]] : f32
// CHECK-NEXT:    return %[[R]]
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// Vectors are computed as a whole, whatever their length.
// CHECK-LABEL: @exp_vector(
// CHECK-DAG:     arith.constant dense<8.900000e+01> : vector<7xf32>
// CHECK:         arith.bitcast %{{.*}} : vector<7xi32> to vector<7xf32>
func.func @exp_vector(%x: vector<7xf32>) -> vector<7xf32> {
  %0 = math.exp %x : vector<7xf32>
  return %0 : vector<7xf32>
}

// 16 bits are computed in f32 and rounded once.
// CHECK-LABEL: @exp_half(
// CHECK:         arith.extf %{{.*}} : vector<4xf16> to vector<4xf32>
// CHECK:         %[[R:.*]] = arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
// CHECK-NEXT:    return %[[R]]
func.func @exp_half(%x: vector<4xf16>) -> vector<4xf16> {
  %0 = math.exp %x : vector<4xf16>
  return %0 : vector<4xf16>
}

// x - round(x) is exact.
// CHECK-LABEL: @exp2(
// CHECK:         %[[SUM:.*]] = arith.addf %[[X:.*]], %[[BIAS:.*]] : f32
// CHECK-NEXT:    %[[N:.*]] = arith.subf %[[SUM]], %[[BIAS]] : f32
// CHECK-NEXT:    arith.subf %[[X]], %[[N]] : f32
// CHECK:         arith.bitcast %[[SUM]] : f32 to i32
func.func @exp2(%x: f32) -> f32 {
  %0 = math.exp2 %x : f32
  return %0 : f32
}

// For small arguments the result is the argument.
// CHECK-LABEL: @expm1(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK:         %[[M:.*]] = math.absf %[[X]] : f32
// CHECK-NEXT:    %[[TINY:.*]] = arith.cmpf olt, %[[M]], %
// CHECK:         %[[R:.*]] = arith.select %[[TINY]], %[[X]], %
// CHECK-NEXT:    return %[[R]]
func.func @expm1(%x: f32) -> f32 {
  %0 = math.expm1 %x : f32
  return %0 : f32
}

// Subnormal arguments are scaled; the exponent is extracted from the bits, minus that of 2/3.
// CHECK-LABEL: @log(
// CHECK-SAME:    %[[X:.*]]: vector<8xf32>)
// CHECK:         %[[SMALL:.*]] = arith.cmpf olt, %[[X]], %
// CHECK:         %[[SCALED:.*]] = arith.select %[[SMALL]], %{{.*}}, %[[X]]
// CHECK-NEXT:    arith.bitcast %[[SCALED]] : vector<8xf32> to vector<8xi32>
// CHECK:         arith.shrsi %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK:         %[[FINITE:.*]] = arith.cmpf olt, %[[X]], %
// CHECK-NEXT:    arith.select %[[FINITE]], %{{.*}}, %[[X]]
// CHECK-NEXT:    %[[ZERO:.*]] = arith.cmpf oeq, %[[X]], %
// CHECK-NEXT:    arith.select %[[ZERO]]
// CHECK-NEXT:    %[[NEGATIVE:.*]] = arith.cmpf olt, %[[X]], %
// CHECK-NEXT:    arith.select %[[NEGATIVE]]
func.func @log(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.log %x : vector<8xf32>
  return %0 : vector<8xf32>
}

// log2 and log10 of an argument use the same exponent; log1p uses that of x + 1.
// CHECK-LABEL: @other_logarithms(
// CHECK-COUNT-2: arith.shrsi
// CHECK-NOT:     arith.shrsi
// CHECK:         return
func.func @other_logarithms(%x: f32) -> (f32, f32, f32) {
  %0 = math.log2 %x : f32
  %1 = math.log10 %x : f32
  %2 = math.log1p %x : f32
  return %0, %1, %2 : f32, f32, f32
}

// One division, and the sign of the argument.
// CHECK-LABEL: @tanh(
// CHECK-SAME:    %[[X:.*]]: vector<16xf32>)
// CHECK:         %[[M:.*]] = math.absf %[[X]]
// CHECK:         arith.divf
// CHECK-NOT:     arith.divf
// CHECK:         %[[NEAR:.*]] = arith.cmpf olt, %[[M]], %
// CHECK-NEXT:    arith.select %[[NEAR]]
// CHECK:         arith.ori
func.func @tanh(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.tanh %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// Both use one exponential and its reciprocal.
// CHECK-LABEL: @sinh_and_cosh(
// CHECK:         %[[E:.*]] = arith.divf
// CHECK:         arith.subf %[[H:.*]], %[[E]] : f32
// CHECK:         arith.addf %[[H]], %[[E]] : f32
func.func @sinh_and_cosh(%x: f32) -> (f32, f32) {
  %0 = math.sinh %x : f32
  %1 = math.cosh %x : f32
  return %0, %1 : f32, f32
}

// A quarter of x, and one quotient of polynomials, without branches or exponentials.
// CHECK-LABEL: @erf(
// CHECK:         %[[C:.*]] = arith.constant dense<2.500000e-01>
// CHECK:         %[[S:.*]] = arith.mulf %[[X:.*]], %[[X]]
// CHECK:         %[[Q:.*]] = arith.divf
// CHECK-NEXT:    %[[P:.*]] = arith.mulf %[[X]], %[[C]]
// FUSED-NEXT:    math.fma %[[X]], %[[Q]], %[[P]]
// ROUNDED-NEXT:  %[[R:.*]] = arith.mulf %[[X]], %[[Q]]
// ROUNDED-NEXT:  arith.addf %[[R]], %[[P]]
// CHECK-NEXT:    return
func.func @erf(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.erf %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// x^2 is exact in f64.
// CHECK-LABEL: @erfc(
// CHECK:         arith.extf %{{.*}} : f32 to f64
// CHECK:         arith.mulf %[[M:.*]], %[[M]] : f64
// CHECK:         arith.truncf %{{.*}} : f64 to f32
func.func @erfc(%x: f32) -> f32 {
  %0 = math.erfc %x : f32
  return %0 : f32
}

// CHECK-LABEL: @rsqrt(
// CHECK:         %[[R:.*]] = math.sqrt %{{.*}} : f64
// CHECK-NEXT:    arith.divf %{{.*}}, %[[R]] : f64
func.func @rsqrt(%x: f64) -> f64 {
  %0 = math.rsqrt %x : f64
  return %0 : f64
}

// The exponent times a logarithm in f64, rounded once.
// CHECK-LABEL: @powf(
// CHECK-SAME:    %[[X:.*]]: f32, %[[Y:.*]]: f32)
// CHECK:         %[[WIDE:.*]] = arith.extf %[[Y]] : f32 to f64
// CHECK:         arith.mulf %[[WIDE]], %{{.*}} : f64
// CHECK:         arith.fptosi %{{.*}} : f32 to i32
// CHECK:         arith.truncf %{{.*}} : f64 to f32
func.func @powf(%x: f32, %y: f32) -> f32 {
  %0 = math.powf %x, %y : f32
  return %0 : f32
}

// CHECK-LABEL: @fpowi(
// CHECK-SAME:    %[[X:.*]]: vector<4xf32>, %[[N:.*]]: vector<4xi64>)
// CHECK:         arith.sitofp %[[N]] : vector<4xi64> to vector<4xf64>
// CHECK:         arith.andi %[[N]], %{{.*}} : vector<4xi64>
func.func @fpowi(%x: vector<4xf32>, %n: vector<4xi64>) -> vector<4xf32> {
  %0 = math.fpowi %x, %n : vector<4xf32>, vector<4xi64>
  return %0 : vector<4xf32>
}

// One branch for all lanes.
// CHECK-LABEL: @sin(
// CHECK-SAME:    %[[X:.*]]: vector<16xf32>)
// CHECK:         %[[M:.*]] = math.absf %[[X]]
// CHECK:         %[[LARGE:.*]] = arith.cmpf oge, %[[M]], %
// CHECK-NEXT:    %[[ANY:.*]] = vector.reduction <or>, %[[LARGE]] : vector<16xi1> into i1
// CHECK-NEXT:    scf.if %[[ANY]] -> (vector<16xf64>, vector<16xi32>)
// CHECK:         arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
func.func @sin(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.sin %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL: @cos(
// CHECK-SAME:    %[[X:.*]]: f32)
// CHECK:         %[[M:.*]] = math.absf %[[X]]
// CHECK:         %[[LARGE:.*]] = arith.cmpf oge, %[[M]], %
// CHECK-NEXT:    scf.if %[[LARGE]] -> (f64, i32)
func.func @cos(%x: f32) -> f32 {
  %0 = math.cos %x : f32
  return %0 : f32
}

// One range reduction for both.
// CHECK-LABEL: @sincos(
// CHECK:         scf.if
// CHECK-NOT:     scf.if
// CHECK:         return
func.func @sincos(%x: f32) -> (f32, f32) {
  %0, %1 = math.sincos %x : f32
  return %0, %1 : f32, f32
}

// The quotient is rounded once.
// CHECK-LABEL: @tan(
// CHECK:         %[[Q:.*]] = arith.divf %{{.*}} : f64
// CHECK:         arith.truncf %[[Q]] : f64 to f32
func.func @tan(%x: f32) -> f32 {
  %0 = math.tan %x : f32
  return %0 : f32
}

// pi/2 minus the angle of 1/x, with pi/2 as the sum of two numbers.
// CHECK-LABEL: @atan(
// CHECK:         %[[STEEP:.*]] = arith.cmpf ogt, %[[M:.*]], %{{.*}} : f32
// CHECK-NEXT:    %[[I:.*]] = arith.divf %{{.*}}, %[[M]] : f32
// CHECK-NEXT:    arith.select %[[STEEP]], %[[I]], %[[M]] : f32
// CHECK:         %[[LESS:.*]] = arith.subf %[[A:.*]], %{{.*}} : f32
// CHECK-NEXT:    %[[C:.*]] = arith.subf %{{.*}}, %[[LESS]] : f32
// CHECK-NEXT:    arith.select %[[STEEP]], %[[C]], %[[A]] : f32
func.func @atan(%x: f32) -> f32 {
  %0 = math.atan %x : f32
  return %0 : f32
}

// f64 stays f64.
// CHECK-LABEL: @asin_of_f64(
// CHECK:         math.sqrt %{{.*}} : vector<2xf64>
// CHECK:         arith.select %{{.*}} : vector<2xi1>, vector<2xf64>
func.func @asin_of_f64(%x: vector<2xf64>) -> vector<2xf64> {
  %0 = math.asin %x : vector<2xf64>
  return %0 : vector<2xf64>
}

// As many steps as the lane with the largest number needs; f32 in f64.
// CHECK-LABEL: @remf(
// CHECK:         %[[MOST:.*]] = vector.reduction <maxsi>, %{{.*}} : vector<4xi64> into i64
// CHECK-NEXT:    %[[STEPS:.*]] = arith.index_cast %[[MOST]] : i64 to index
// CHECK-NEXT:    scf.for %{{.*}} = %{{.*}} to %[[STEPS]] step %{{.*}} iter_args(%[[R:.*]] = %{{.*}}) -> (vector<4xf64>)
// CHECK:           arith.mulf %[[R]], %{{.*}} : vector<4xf64>
// CHECK:           scf.yield
// CHECK:         arith.truncf %{{.*}} : vector<4xf64> to vector<4xf32>
func.func @remf(%x: vector<4xf32>, %y: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.remf %x, %y : vector<4xf32>
  return %0 : vector<4xf32>
}

// As many squarings as the exponent has binary digits.
// CHECK-LABEL: @ipowi(
// CHECK-SAME:    %[[X:.*]]: i32, %[[N:.*]]: i32)
// CHECK:         %[[ZEROS:.*]] = math.ctlz %[[E:.*]] : i32
// CHECK:         scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[S:.*]] = %[[X]], %[[L:.*]] = %[[E]])
// CHECK:           %[[NEXT:.*]] = arith.muli %[[P]], %[[S]] : i32
// CHECK-NEXT:      arith.select %{{.*}}, %[[NEXT]], %[[P]] : i32
// CHECK:           arith.muli %[[S]], %[[S]] : i32
// CHECK:           arith.shrui %[[L]], %
func.func @ipowi(%x: i32, %n: i32) -> i32 {
  %0 = math.ipowi %x, %n : i32
  return %0 : i32
}

// CHECK-LABEL: @ipowi_of_index(
// CHECK:         arith.index_cast %{{.*}} : index to i64
// CHECK:         arith.index_cast %{{.*}} : i64 to index
func.func @ipowi_of_index(%x: index, %n: index) -> index {
  %0 = math.ipowi %x, %n : index
  return %0 : index
}
