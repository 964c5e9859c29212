//===- Register.cpp - registration of the dialects, and the opt main ------===//
#include "../graph/Graph.h"
#include "../loop/Loop.h"
#include "../tm_tensor/TmTensor.h"
#include "Sched.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/ToolOutputFile.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace mlir;

extern "C" {
void lwRegisterDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<loopwright::graph::GraphDialect, loopwright::loop::LoopDialect>();
  loopwright::sched::registerExtension(*unwrap(registry));
}

/// True if a registry has a dialect with this name, whichever library has registered it.
bool lwHasDialect(MlirDialectRegistry registry, MlirStringRef name) {
  return static_cast<bool>(unwrap(registry)->getDialectAllocator(unwrap(name)));
}

/// Registers dialects of other projects that tools of this package read.
void lwRegisterForeignDialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<loopwright::tm_tensor::TmTensorDialect>();
}

/// Ends the process from a signal handler, so it calls only write and _exit.
[[noreturn]] static void endWith(const char *line) {
  (void)!write(STDERR_FILENO, line, std::strlen(line));
  _exit(1);
}

/// The message for an integer division that the processor refuses.
static const char *divisionMessage;

/// Installs crash handlers: a crash (upstream's parsers have some) ends the process with one line and exit
/// code 1, an integer division in compiled code that has no result with another. With LOOPWRIGHT_BACKTRACE
/// set, the stack is printed instead. The messages must live as long as the process.
void lwCatchCrashes(const char *crash, const char *division) {
  if (std::getenv("LOOPWRIGHT_BACKTRACE")) {
    llvm::sys::PrintStackTraceOnErrorSignal("");
    return;
  }
  llvm::sys::AddSignalHandler([](void *text) { endWith(static_cast<const char *>(text)); },
                              const_cast<char *>(crash));
  divisionMessage = division;
  // LLVM's handler, which is installed now, says only that something crashed.
  std::signal(SIGFPE, [](int) { endWith(divisionMessage); });
}

/// The main function of an `opt` tool. `setup` changes each pass manager after its passes were added.
static LogicalResult optMain(StringRef input, StringRef output, DialectRegistry &registry,
                             const MlirOptMainConfig &config,
                             void (*setup)(void *, MlirPassManager), void *rust) {
  std::string message;
  // The reader of bytecode refuses resources that are aligned to more bytes than the buffer.
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, llvm::Align(64), &message);
  std::unique_ptr<llvm::ToolOutputFile> file;
  if (buffer)
    file = openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << message << "\n";
    return failure();
  }
  MlirOptMainConfig changed = config;
  changed.setPassPipelineSetupFn([&](PassManager &manager) {
    if (failed(config.setupPassPipeline(manager)))
      return failure();
    if (setup)
      setup(rust, wrap(&manager));
    return success();
  });
  if (failed(MlirOptMain(file->os(), std::move(buffer), registry, changed)))
    return failure();
  file->keep();
  return success();
}

/// The entry point of an `opt` tool; returns its exit code. `setup`, which is called with `rust`, may be null.
int lwOptMain(int argc, char **argv, MlirDialectRegistry raw,
              void (*setup)(void *, MlirPassManager), void *rust) {
  StringRef tool = "Loopwright optimizer driver\n";
  DialectRegistry &registry = *unwrap(raw);
  // The translations that emit PTX for kernels.
  registerAllGPUToLLVMIRTranslations(registry);
  auto [input, output] = registerAndParseCLIOptions(argc, argv, tool, registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return asMainReturnCode(optMain(input, output, registry, config, setup, rust));
}
}
