//===- RustVerified.h - verifiers that are written in Rust ------*- C++ -*-===//
#ifndef LOOPWRIGHT_RUST_VERIFIED_H
#define LOOPWRIGHT_RUST_VERIFIED_H
#include "mlir-c/IR.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/OpDefinition.h"

// src/ffi/verify.rs
extern "C" bool lwRustVerify(MlirOperation op);
extern "C" bool lwRustInferTypes(MlirStringRef name, MlirLocation location, intptr_t count,
                                 const MlirValue *operands, MlirAttribute attributes,
                                 void (*add)(void *, MlirType), void *types);

namespace loopwright {
/// Runs after the verification of the op's regions, so that the Rust side may rely on what ODS guarantees
/// for everything nested in the op.
template <typename Op>
struct RustVerified : mlir::OpTrait::TraitBase<Op, RustVerified> {
  static llvm::LogicalResult verifyRegionTrait(mlir::Operation *op) {
    return llvm::success(lwRustVerify(wrap(op)));
  }
};

/// Infers the result types of an op from its operands and attributes in Rust, which reports errors.
template <typename Op>
llvm::LogicalResult inferTypes(mlir::MLIRContext *context, std::optional<mlir::Location> location,
                               mlir::ValueRange operands, mlir::DictionaryAttr attributes,
                               mlir::OpaqueProperties properties,
                               llvm::SmallVectorImpl<mlir::Type> &types) {
  mlir::NamedAttrList all(attributes);
  if constexpr (!std::is_same_v<typename Op::Properties, mlir::EmptyProperties>) {
    if (properties) {
      mlir::Attribute own =
          Op::getPropertiesAsAttr(context, *properties.as<typename Op::Properties *>());
      if (auto dictionary = llvm::dyn_cast_or_null<mlir::DictionaryAttr>(own))
        for (mlir::NamedAttribute attribute : dictionary)
          all.set(attribute.getName(), attribute.getValue());
    }
  }
  llvm::SmallVector<MlirValue> values;
  for (mlir::Value operand : operands)
    values.push_back(wrap(operand));
  mlir::Location at = location.value_or(mlir::UnknownLoc::get(context));
  auto add = [](void *types, MlirType type) {
    static_cast<llvm::SmallVectorImpl<mlir::Type> *>(types)->push_back(unwrap(type));
  };
  return llvm::success(lwRustInferTypes(wrap(Op::getOperationName()), wrap(at), values.size(),
                                        values.data(), wrap(all.getDictionary(context)), add,
                                        &types));
}
} // namespace loopwright
#endif
