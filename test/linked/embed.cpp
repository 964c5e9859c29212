//===- embed.cpp - a program that builds, lowers, compiles and runs a module ===//
#include "loopwright-c/mlir.h"
#include "loopwright/Graph.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <cmath>
#include <cstdio>

using namespace mlir;

/// exp(-x), built with the builders of ops.
static OwningOpRef<ModuleOp> build(MLIRContext &context) {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  auto type = RankedTensorType::get({5}, builder.getF32Type());
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(builder, loc, "decay", builder.getFunctionType(type, type));
  builder.setInsertionPointToStart(function.addEntryBlock());
  auto negated = loopwright::graph::NegOp::create(builder, loc, function.getArgument(0));
  auto power = loopwright::graph::ExpOp::create(builder, loc, negated.getResult());
  func::ReturnOp::create(builder, loc, power.getResult());
  return module;
}

static int fail(const char *what) {
  std::fprintf(stderr, "embed: %s\n", what);
  return 1;
}

int main() {
  DialectRegistry registry;
  registerAllDialects(registry);
  lw_register_dialects(wrap(&registry));
  registerAllPasses();
  lw_register_passes();
  MLIRContext context(registry);
  context.loadDialect<func::FuncDialect, loopwright::graph::GraphDialect>();
  OwningOpRef<ModuleOp> module = build(context);
  if (failed(verify(*module)))
    return fail("the module is not valid");

  // Compiled by the C API, which leaves the module as it is.
  lw_error error = {};
  lw_context *compiler = nullptr;
  lw_artifact *artifact = nullptr;
  lw_module *loaded = nullptr;
  const lw_function *function = nullptr;
  if (lw_context_create(nullptr, &compiler, &error) != LW_OK ||
      lw_compile_module(compiler, wrap(*module), nullptr, &artifact, &error) != LW_OK ||
      lw_module_load(compiler, artifact, nullptr, &loaded, &error) != LW_OK ||
      lw_module_function(loaded, "decay", &function, &error) != LW_OK)
    return fail(error.message);
  float x[5] = {0, 1, -1, 2.5f, 10}, result[5] = {};
  int64_t size = 5;
  lw_tensor arguments[2] = {{x, LW_F32, 1, &size, nullptr}, {result, LW_F32, 1, &size, nullptr}};
  if (lw_function_run(function, arguments, 2, &error) != LW_OK)
    return fail(error.message);
  for (int i = 0; i < 5; ++i)
    if (std::fabs(result[i] - std::exp(-x[i])) > 1e-6f * std::exp(-x[i]))
      return fail("another result");
  if (lw_compile_module(compiler, MlirModule{nullptr}, nullptr, &artifact, &error) != LW_NULL)
    return fail("a null module is accepted");
  lw_error_clear(&error);
  lw_module_destroy(loaded);
  lw_artifact_destroy(artifact);
  lw_context_destroy(compiler);
  if ((*module)->walk([](loopwright::graph::ExpOp) { return WalkResult::interrupt(); }).wasInterrupted() == false)
    return fail("the compilation has changed the module");

  // Lowered in this context, by the pipeline as a pass.
  PassManager manager(&context);
  if (failed(parsePassPipeline("lw-x86-pipeline{vector-bits=256}", manager)) || failed(manager.run(*module)))
    return fail("the pipeline fails");
  if (!module->lookupSymbol<LLVM::LLVMFuncOp>("decay"))
    return fail("the pipeline has made no function");
  std::puts("embedded");
  return 0;
}
