//===- Linalg.cpp - linalg functions that the C API lacks -----------------===//
#include "mlir/CAPI/AffineMap.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

extern "C" {
/// True if `op` is a structured op: loops given by indexing maps, and a body.
bool lwLinalgIsStructured(MlirOperation op) { return isa<linalg::LinalgOp>(unwrap(op)); }

/// Calls `each` with the iterator kinds of a structured op, outermost first:
/// 0 parallel, 1 reduction, 2 window.
void lwLinalgIterators(MlirOperation op, void (*each)(void *, int32_t), void *user) {
  for (utils::IteratorType type : cast<linalg::LinalgOp>(unwrap(op)).getIteratorTypesArray())
    each(user, static_cast<int32_t>(type));
}

/// Calls `each` with the indexing map of every input and output of a structured op.
void lwLinalgMaps(MlirOperation op, void (*each)(void *, MlirAffineMap), void *user) {
  for (AffineMap map : cast<linalg::LinalgOp>(unwrap(op)).getIndexingMapsArray())
    each(user, wrap(map));
}

/// The number of inputs among the operands of a structured op; the others are outputs.
intptr_t lwLinalgNumInputs(MlirOperation op) {
  return cast<linalg::LinalgOp>(unwrap(op)).getNumDpsInputs();
}

/// Replaces an op on tensors that stands for several linalg ops by these: softmax, pack or unpack.
bool lwLinalgDecompose(MlirOperation raw) {
  Operation *op = unwrap(raw);
  IRRewriter rewriter(op);
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return succeeded(linalg::lowerPack(rewriter, pack));
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return succeeded(linalg::lowerUnPack(rewriter, unpack));
  auto aggregate = dyn_cast<linalg::AggregatedOpInterface>(op);
  if (!aggregate)
    return false;
  FailureOr<SmallVector<Value>> values = aggregate.decomposeOperation(rewriter);
  if (failed(values))
    return false;
  rewriter.replaceOp(op, *values);
  return true;
}
}
