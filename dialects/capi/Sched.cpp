//===- Sched.cpp - schedule primitives as transform ops -------------------===//
// One apply() for all of them: it calls Rust, which finds the primitive by the
// op's name.
#include "Sched.h"
#include "../loop/Loop.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::transform;

namespace {
/// The state of Rust's `TransformCall` while an op is applied.
struct LwTransformCall {
  TransformRewriter &rewriter;
  TransformResults &results;
  TransformState &state;
  Operation *op;
  DiagnosedSilenceableFailure outcome;
};
} // namespace

extern "C" void lwRustDropMemory(void *memory); // src/ffi/transform.rs

namespace {
/// The state that Rust keeps from one op to the next while a script runs.
class Memory : public TransformState::Extension {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Memory)
  Memory(TransformState &state, void *rust) : Extension(state), rust(rust) {}
  ~Memory() override { lwRustDropMemory(rust); }
  void *rust;
};
} // namespace

extern "C" {
void lwRustApplyTransform(MlirOperation op, LwTransformCall *call); // src/ffi/transform.rs

/// Calls `each` with every payload op of operand `i`.
void lwTransformPayload(LwTransformCall *call, intptr_t i, void (*each)(void *, MlirOperation),
                        void *user) {
  for (Operation *op : call->state.getPayloadOps(call->op->getOperand(i)))
    each(user, wrap(op));
}

/// Calls `each` with every value of parameter operand `i`.
void lwTransformParameters(LwTransformCall *call, intptr_t i, void (*each)(void *, MlirAttribute),
                           void *user) {
  for (Attribute value : call->state.getParams(call->op->getOperand(i)))
    each(user, wrap(value));
}

void lwTransformSetResult(LwTransformCall *call, intptr_t i, intptr_t n,
                          const MlirOperation *ops) {
  auto list = llvm::map_to_vector(ArrayRef(ops, n), [](MlirOperation op) { return unwrap(op); });
  call->results.set(call->op->getResult(i), list);
}

/// Fails the op; an enclosing op may silence the failure.
void lwTransformFail(LwTransformCall *call, MlirLocation location, MlirStringRef message) {
  Diagnostic diagnostic(unwrap(location), DiagnosticSeverity::Error);
  diagnostic << unwrap(message);
  call->outcome = DiagnosedSilenceableFailure::silenceableFailure(std::move(diagnostic));
}

/// Adds a note to the failure.
void lwTransformNote(LwTransformCall *call, MlirLocation location, MlirStringRef message) {
  call->outcome.attachNote(unwrap(location)) << unwrap(message);
}

/// Updates handles to `from` so that they refer to `to`.
void lwTransformReplaced(LwTransformCall *call, MlirOperation from, MlirOperation to) {
  (void)call->rewriter.notifyPayloadOperationReplaced(unwrap(from), unwrap(to));
}

/// The state that Rust keeps while the script runs; `make` creates it on first use.
void *lwTransformMemory(LwTransformCall *call, void *(*make)()) {
  auto *memory = call->state.getExtension<Memory>();
  if (!memory)
    memory = &call->state.addExtension<Memory>(make());
  return memory->rust;
}

void lwTransformErase(LwTransformCall *call, MlirOperation op) {
  call->rewriter.eraseOp(unwrap(op));
}
}

DiagnosedSilenceableFailure loopwright::sched::applyInRust(Operation *op,
                                                           TransformRewriter &rewriter,
                                                           TransformResults &results,
                                                           TransformState &state) {
  LwTransformCall call{rewriter, results, state, op, DiagnosedSilenceableFailure::success()};
  lwRustApplyTransform(wrap(op), &call);
  return std::move(call.outcome);
}

namespace {
/// `[4, 16]`, or a text with decisions instead of numbers.
ParseResult parseNumbers(OpAsmParser &parser, Attribute &numbers) {
  StringAttr text;
  OptionalParseResult isText = parser.parseOptionalAttribute(text);
  if (isText.has_value()) {
    numbers = text;
    return *isText;
  }
  SmallVector<int64_t> items;
  auto parseItem = [&] { return parser.parseInteger(items.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseItem))
    return failure();
  numbers = DenseI64ArrayAttr::get(parser.getContext(), items);
  return success();
}

void printNumbers(OpAsmPrinter &printer, Operation *, Attribute numbers) {
  if (auto items = dyn_cast<DenseI64ArrayAttr>(numbers))
    printer << '[' << items.asArrayRef() << ']';
  else
    printer.printAttribute(numbers);
}

/// `8`, or a text with a decision instead of the number.
ParseResult parseNumber(OpAsmParser &parser, Attribute &number) {
  StringAttr text;
  OptionalParseResult isText = parser.parseOptionalAttribute(text);
  if (isText.has_value()) {
    number = text;
    return *isText;
  }
  int64_t value;
  if (parser.parseInteger(value))
    return failure();
  number = parser.getBuilder().getI64IntegerAttr(value);
  return success();
}

void printNumber(OpAsmPrinter &printer, Operation *, Attribute number) {
  if (auto value = dyn_cast<IntegerAttr>(number))
    printer << value.getInt();
  else
    printer.printAttribute(number);
}
} // namespace

#define GET_OP_CLASSES
#include "loopwright/SchedOps.cpp.inc"

namespace {
class Extension : public TransformDialectExtension<Extension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Extension)
  using Base::Base;
  void init() {
    declareGeneratedDialect<loopwright::loop::LoopDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "loopwright/SchedOps.cpp.inc"
        >();
  }
};
} // namespace

void loopwright::sched::registerExtension(DialectRegistry &registry) {
  registry.addExtensions<Extension>();
}
