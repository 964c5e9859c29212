//===- Pass.cpp - one pass class for all passes that are written in Rust --===//
#include "mlir/Pass/Pass.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <variant>

using namespace mlir;

extern "C" {
// Mirrored in src/ffi/pass.rs.
enum LwOptionKind : int32_t { LwBool, LwInt, LwString, LwIntList, LwStringList };
struct LwOption {
  MlirStringRef name, description, initial;
  LwOptionKind kind;
};
struct LwPass {
  MlirStringRef argument, description;
  MlirStringRef op; // the op it runs on; empty: any
  intptr_t numOptions;
  const LwOption *options;
  const void *rust; // the Rust side's own record
};
struct LwRun;
bool lwRustRunPass(const void *rust, MlirOperation op, LwRun *run);
void lwRustPassDialects(const void *rust, MlirDialectRegistry registry);
}

namespace {
class RustPass : public Pass {
public:
  RustPass(const LwPass *spec, TypeID id)
      : Pass(id, spec->op.length ? std::optional<StringRef>(unwrap(spec->op)) : std::nullopt),
        spec(spec) {
    for (const LwOption &option : ArrayRef(spec->options, spec->numOptions))
      options.push_back(make(option));
  }

  StringRef getName() const override { return unwrap(spec->argument); }
  StringRef getArgument() const override { return unwrap(spec->argument); }
  StringRef getDescription() const override { return unwrap(spec->description); }
  void getDependentDialects(DialectRegistry &registry) const override {
    lwRustPassDialects(spec->rust, wrap(&registry));
  }
  bool canScheduleOn(RegisteredOperationName name) const override {
    return !getOpName() || name.getStringRef() == *getOpName();
  }
  std::unique_ptr<Pass> clonePass() const override {
    return std::make_unique<RustPass>(spec, getTypeID());
  }
  void runOnOperation() override {
    if (!lwRustRunPass(spec->rust, wrap(getOperation()), reinterpret_cast<LwRun *>(this)))
      signalPassFailure();
  }
  LogicalResult runNested(StringRef pipeline, Operation *op) {
    OpPassManager manager(op->getName().getStringRef());
    if (failed(parsePassPipeline(pipeline, manager)))
      return failure();
    return runPipeline(manager, op);
  }

  using Value = std::variant<std::unique_ptr<Option<bool>>, std::unique_ptr<Option<int64_t>>,
                             std::unique_ptr<Option<std::string>>,
                             std::unique_ptr<ListOption<int64_t>>,
                             std::unique_ptr<ListOption<std::string>>>;
  const LwPass *spec;
  std::vector<Value> options;

private:
  Value make(const LwOption &option) {
    StringRef name = unwrap(option.name), initial = unwrap(option.initial);
    llvm::cl::desc description(unwrap(option.description));
    int64_t number = 0;
    switch (option.kind) {
    case LwBool:
      return std::make_unique<Option<bool>>(*this, name, description,
                                            llvm::cl::init(initial == "true"));
    case LwInt:
      (void)initial.getAsInteger(10, number);
      return std::make_unique<Option<int64_t>>(*this, name, description, llvm::cl::init(number));
    case LwString:
      return std::make_unique<Option<std::string>>(*this, name, description,
                                                   llvm::cl::init(initial.str()));
    case LwIntList:
      return std::make_unique<ListOption<int64_t>>(*this, name, description);
    case LwStringList:
      return std::make_unique<ListOption<std::string>>(*this, name, description);
    }
    llvm_unreachable("an option kind of the Rust side");
  }
};

RustPass &pass(LwRun *run) { return *reinterpret_cast<RustPass *>(run); }
} // namespace

extern "C" {
bool lwOptionBool(LwRun *run, intptr_t i) { return *std::get<LwBool>(pass(run).options[i]); }
int64_t lwOptionInt(LwRun *run, intptr_t i) { return *std::get<LwInt>(pass(run).options[i]); }
MlirStringRef lwOptionString(LwRun *run, intptr_t i) {
  return wrap(StringRef(std::get<LwString>(pass(run).options[i])->getValue()));
}
intptr_t lwOptionIntList(LwRun *run, intptr_t i, const int64_t **out) {
  ArrayRef<int64_t> list = *std::get<LwIntList>(pass(run).options[i]);
  *out = list.data();
  return list.size();
}
intptr_t lwOptionStringCount(LwRun *run, intptr_t i) {
  return std::get<LwStringList>(pass(run).options[i])->size();
}
MlirStringRef lwOptionStringAt(LwRun *run, intptr_t i, intptr_t at) {
  return wrap(StringRef((*std::get<LwStringList>(pass(run).options[i]))[at]));
}
bool lwRunNested(LwRun *run, MlirStringRef pipeline, MlirOperation op) {
  return succeeded(pass(run).runNested(unwrap(pipeline), unwrap(op)));
}

/// `spec` must live as long as the process: the pass registry is global.
/// True if MLIR's registry has a pass or pipeline with this name, whichever library has registered it.
bool lwHasPass(MlirStringRef argument) {
  return PassInfo::lookup(unwrap(argument)) || PassPipelineInfo::lookup(unwrap(argument));
}

void lwRegisterPass(const LwPass *spec) {
  static TypeIDAllocator ids; // one id for each pass, so that the registry distinguishes them
  TypeID id = ids.allocate();
  registerPass(
      [spec, id]() -> std::unique_ptr<Pass> { return std::make_unique<RustPass>(spec, id); });
}
}
