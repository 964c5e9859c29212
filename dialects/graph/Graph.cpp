//===- Graph.cpp - registration and interfaces of the graph dialect -------===//
#include "Graph.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace loopwright::graph;

#include "loopwright/GraphDialect.cpp.inc"
#include "loopwright/GraphEnums.cpp.inc"
#define GET_OP_CLASSES
#include "loopwright/GraphOps.cpp.inc"

namespace {
/// Tensor ops have no side effects, so they may be inlined anywhere.
struct Inlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

void GraphDialect::initialize() {
  addInterfaces<Inlining>();
  addOperations<
#define GET_OP_LIST
#include "loopwright/GraphOps.cpp.inc"
      >();
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  return elements && elements.getType() == type ? ConstantOp::create(builder, loc, type, elements)
                                                : nullptr;
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// The operand of an op that changes nothing, or null.
static Value unchanged(Value x, Value result) {
  return x.getType() == result.getType() ? x : Value();
}

OpFoldResult CastOp::fold(FoldAdaptor) { return unchanged(getX(), getResult()); }

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  return getSizes().empty() ? unchanged(getX(), getResult()) : Value();
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  return llvm::is_sorted(getPerm()) ? unchanged(getX(), getResult()) : Value();
}
