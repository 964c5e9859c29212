//===- plugin.cpp - the passes as a plugin of mlir-opt --------------------===//
#include "passes.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" ::mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "linked", "1", registerLinkedPasses};
}
