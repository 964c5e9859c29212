//===- Complex.cpp - lowering of complex arithmetic -----------------------===//
#include "mlir/CAPI/IR.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

extern "C" {
/// Replaces complex arithmetic in `op` by arithmetic on real and imaginary parts. Ops that take complex numbers apart, put
/// them together or are constants stay.
bool lwComplexLowerArithmetic(MlirOperation op) {
  MLIRContext *context = unwrap(op)->getContext();
  RewritePatternSet patterns(context);
  populateComplexToStandardConversionPatterns(patterns);
  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, math::MathDialect>();
  target.addLegalOp<complex::CreateOp, complex::ImOp, complex::ReOp>();
  return succeeded(applyPartialConversion(unwrap(op), target, std::move(patterns)));
}
}
