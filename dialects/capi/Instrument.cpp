//===- Instrument.cpp - calls the Rust side around each pass --------------===//
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

extern "C" {
// Mirrored in src/ffi/instrument.rs.
void lwRustBeforePass(void *rust, MlirStringRef pass, MlirOperation op);
bool lwRustAfterPass(void *rust, MlirStringRef pass, MlirOperation op, bool failed);
void lwRustDropInstrumentation(void *rust);
}

namespace {
class RustInstrumentation : public PassInstrumentation {
public:
  RustInstrumentation(void *rust) : rust(rust) {}
  ~RustInstrumentation() override { lwRustDropInstrumentation(rust); }

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!isAdaptor(pass))
      lwRustBeforePass(rust, wrap(name(pass)), wrap(op));
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    if (!isAdaptor(pass) && !lwRustAfterPass(rust, wrap(name(pass)), wrap(op), false))
      signalPassFailure(pass);
  }
  void runAfterPassFailed(Pass *pass, Operation *op) override {
    if (!isAdaptor(pass))
      lwRustAfterPass(rust, wrap(name(pass)), wrap(op), true);
  }

private:
  static StringRef name(Pass *pass) {
    return pass->getArgument().empty() ? pass->getName() : pass->getArgument();
  }
  /// Adaptors run nested pipelines; the passes of these are reported themselves.
  static bool isAdaptor(Pass *pass) { return pass->getName().ends_with("OpToOpPassAdaptor"); }

  void *rust;
};
} // namespace

extern "C" {
MlirContext lwManagerContext(MlirPassManager manager) {
  return wrap(unwrap(manager)->getContext());
}

/// Calls `rust` around each pass that the manager runs. Disables multithreading of its context.
void lwInstrument(MlirPassManager manager, void *rust) {
  unwrap(manager)->getContext()->disableMultithreading();
  unwrap(manager)->addInstrumentation(std::make_unique<RustInstrumentation>(rust));
}
}
