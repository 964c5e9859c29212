//===- Loop.cpp - registration and interfaces of the loop dialect ---------===//
#include "Loop.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace loopwright::loop;

extern "C" bool lwRustVerifyArgument(MlirOperation func, intptr_t index, MlirStringRef name,
                                     MlirAttribute value); // src/ffi/verify.rs

#include "loopwright/LoopDialect.cpp.inc"
#include "loopwright/LoopEnums.cpp.inc"
#define GET_OP_CLASSES
#include "loopwright/LoopOps.cpp.inc"

namespace {
/// Constants stay inside the schedule block that uses them.
struct Folding : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const final {
    return isa<BlockOp>(region->getParentOp());
  }
};

/// The name of a block or buffer, which is unique in its function; null for
/// other ops.
StringAttr uniqueName(Operation *op) {
  return isa<BlockOp, BufferOp>(op) ? op->getAttrOfType<StringAttr>("name") : StringAttr();
}

struct Inlining : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  /// A loop nest may be inlined at function level, but not into a nest or a
  /// leaf body.
  bool isLegalToInline(Region *dest, Region *src, bool, IRMapping &) const final {
    if (!isa<BlockOp, InitOp, IfOp, ForOp>(dest->getParentOp()))
      return true;
    return !src->walk([&](Operation *op) {
                 return op->getDialect() == getDialect() ? WalkResult::interrupt()
                                                         : WalkResult::advance();
               }).wasInterrupted();
  }

  /// An inlined block or buffer keeps its name. If the caller has one of the
  /// same name, the caller's is renamed to `name_1`, `name_2`, ... The inliner
  /// calls no hook of the inlined op's dialect after cloning, so the renaming is
  /// done in this query.
  bool isLegalToInline(Operation *op, Region *dest, bool, IRMapping &) const final {
    StringAttr name = uniqueName(op);
    if (!name)
      return true;
    Operation *clash = nullptr;
    llvm::StringSet<> taken;
    Region *root = dest;
    while (root->getParentOp() && root->getParentOp()->getDialect() == getDialect())
      root = root->getParentRegion();
    root->walk([&](Operation *other) {
      if (StringAttr theirs = uniqueName(other)) {
        taken.insert(theirs.getValue());
        if (theirs == name)
          clash = other;
      }
    });
    if (!clash)
      return true;
    for (unsigned i = 1;; ++i) {
      std::string fresh = (name.getValue() + "_" + Twine(i)).str();
      if (taken.contains(fresh))
        continue;
      clash->setAttr("name", StringAttr::get(op->getContext(), fresh));
      return true;
    }
  }
};
} // namespace

void LoopDialect::initialize() {
  addInterfaces<Folding, Inlining>();
  addOperations<
#define GET_OP_LIST
#include "loopwright/LoopOps.cpp.inc"
      >();
}

LogicalResult LoopDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned index,
                                                    NamedAttribute attribute) {
  return success(lwRustVerifyArgument(wrap(op), index, wrap(attribute.getName().getValue()),
                                      wrap(attribute.getValue())));
}

LogicalResult ParallelCallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "calls " << getCalleeAttr() << ", which is no function";
  Type index = IndexType::get(getContext());
  SmallVector<Type> inputs{index, index};
  llvm::append_range(inputs, getCaptured().getTypes());
  auto expected = FunctionType::get(getContext(), inputs, {});
  if (callee.getFunctionType() == expected)
    return success();
  InFlightDiagnostic diagnostic = emitOpError() << "calls a function of type "
                                                << callee.getFunctionType() << ", expected "
                                                << expected << ": begin, end and what is captured";
  diagnostic.attachNote(callee.getLoc()) << "the function is here";
  return diagnostic;
}
