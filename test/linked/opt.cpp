//===- opt.cpp - the opt tool of another project --------------------------===//
#include "loopwright-c/mlir.h"
#include "passes.h"
#include "mlir/CAPI/IR.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  lw_register_dialects(wrap(&registry));
  mlir::registerAllPasses();
  lw_register_passes();
  registerLinkedPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "an opt tool of another project\n", registry));
}
