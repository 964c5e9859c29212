//===- Sched.h - schedule primitives as transform ops -----------*- C++ -*-===//
#ifndef LOOPWRIGHT_SCHED_H
#define LOOPWRIGHT_SCHED_H
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

namespace loopwright::sched {
/// Applies an op `transform.sched.*`.
mlir::DiagnosedSilenceableFailure applyInRust(mlir::Operation *op,
                                              mlir::transform::TransformRewriter &rewriter,
                                              mlir::transform::TransformResults &results,
                                              mlir::transform::TransformState &state);
/// Adds the ops to the transform dialect.
void registerExtension(mlir::DialectRegistry &registry);
} // namespace loopwright::sched

#define GET_OP_CLASSES
#include "loopwright/SchedOps.h.inc"
#endif
