//===- passes.cpp - passes of another project, on ops of Loopwright -------===//
#include "passes.h"
#include "loopwright/Graph.h"
#include "loopwright/Loop.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {
/// Doubles the operand of each `graph.exp`, with a builder of Loopwright.
struct DoubleExp : PassWrapper<DoubleExp, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DoubleExp)
  StringRef getArgument() const override { return "linked-double-exp"; }
  StringRef getDescription() const override { return "Double the operand of graph.exp"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<loopwright::graph::GraphDialect>();
  }
  void runOnOperation() override {
    getOperation().walk([](loopwright::graph::ExpOp exp) {
      OpBuilder builder(exp);
      auto sum = loopwright::graph::AddOp::create(builder, exp.getLoc(), exp.getX(), exp.getX());
      exp.getXMutable().assign(sum.getResult());
    });
  }
};

/// Marks each loop with its name.
struct MarkLoops : PassWrapper<MarkLoops, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MarkLoops)
  StringRef getArgument() const override { return "linked-mark-loops"; }
  StringRef getDescription() const override { return "Mark loops with their names"; }
  void runOnOperation() override {
    getOperation().walk([](loopwright::loop::ForOp loop) {
      if (loop.getKind() == loopwright::loop::LoopKind::Serial)
        loop->setAttr("linked.marked", loop.getNameAttr());
    });
  }
};
} // namespace

void registerLinkedPasses() {
  PassRegistration<DoubleExp>();
  PassRegistration<MarkLoops>();
}
