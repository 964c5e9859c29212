//===- Diagnostics.cpp - errors with notes, for the Rust side -------------===//
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

using namespace mlir;

extern "C" {
struct LwNote {
  MlirLocation location;
  MlirStringRef message;
};

static void attach(InFlightDiagnostic &diagnostic, intptr_t n, const LwNote *notes) {
  for (const LwNote &note : ArrayRef(notes, n))
    diagnostic.attachNote(unwrap(note.location)) << unwrap(note.message);
}

void lwEmitRemark(MlirLocation location, MlirStringRef message) {
  emitRemark(unwrap(location)) << unwrap(message);
}

void lwEmitWarning(MlirLocation location, MlirStringRef message) {
  emitWarning(unwrap(location)) << unwrap(message);
}

/// An error at a location, with the message unchanged.
void lwEmitError(MlirLocation location, MlirStringRef message, intptr_t n, const LwNote *notes) {
  InFlightDiagnostic diagnostic = emitError(unwrap(location), unwrap(message));
  attach(diagnostic, n, notes);
}
}
