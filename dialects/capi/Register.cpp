//===- Register.cpp - our dialects for a registry, and the opt main -------===//
#include "../graph/Graph.h"
#include "../loop/Loop.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

extern "C" {
void lwRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<loopwright::graph::GraphDialect, loopwright::loop::LoopDialect>();
}

/// The whole of an `opt` tool; returns its exit code.
int lwOptMain(int argc, char **argv, MlirDialectRegistry registry) {
  return asMainReturnCode(
      MlirOptMain(argc, argv, "Loopwright optimizer driver\n", *unwrap(registry)));
}
}
