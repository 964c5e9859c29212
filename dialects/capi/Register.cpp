//===- Register.cpp - our dialects for a registry, and the opt main -------===//
#include "../graph/Graph.h"
#include "../loop/Loop.h"
#include "Sched.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace mlir;

extern "C" {
void lwRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<loopwright::graph::GraphDialect, loopwright::loop::LoopDialect>();
  loopwright::sched::registerExtension(*unwrap(registry));
}

/// From here on a crash (upstream's parsers have some) ends the process with one line and exit code 1,
/// or, with LOOPWRIGHT_BACKTRACE set, as LLVM ends it. `message` must live as long as the process.
void lwCatchCrashes(const char *message) {
  if (std::getenv("LOOPWRIGHT_BACKTRACE"))
    return;
  // Runs in a signal handler: nothing but write and _exit.
  llvm::sys::AddSignalHandler(
      [](void *text) {
        auto *line = static_cast<const char *>(text);
        (void)!write(STDERR_FILENO, line, std::strlen(line));
        _exit(1);
      },
      const_cast<char *>(message));
}

/// The whole of an `opt` tool; returns its exit code.
int lwOptMain(int argc, char **argv, MlirDialectRegistry registry) {
  return asMainReturnCode(
      MlirOptMain(argc, argv, "Loopwright optimizer driver\n", *unwrap(registry)));
}
}
