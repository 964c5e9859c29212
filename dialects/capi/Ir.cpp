//===- Ir.cpp - IR functions that the C API lacks -------------------------===//
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

static void add(llvm::hash_code &hash, llvm::hash_code more) {
  hash = llvm::hash_combine(hash, more);
}

/// Hashes an op itself, without its operands and regions.
static void addShape(llvm::hash_code &hash, Operation *op) {
  hash = llvm::hash_combine(hash, op, op->getName().getAsOpaquePointer(), op->hashProperties(),
                            op->getRawDictionaryAttrs().getAsOpaquePointer(),
                            op->getNumOperands(), op->getNumResults(), op->getNumRegions());
  for (Type type : op->getResultTypes())
    add(hash, hash_value(type));
}

/// Hashes the ops that compute a value in the block around `root`.
static void addOrigin(llvm::hash_code &hash, Value value, Operation *root,
                      llvm::SmallPtrSetImpl<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != root->getBlock() || !seen.insert(op).second)
    return;
  addShape(hash, op);
  for (Value operand : op->getOperands()) {
    add(hash, hash_value(operand));
    addOrigin(hash, operand, root, seen);
  }
}

extern "C" {
/// Parses a module from text or bytecode. Ops that are in no module get one. The bytes must be followed by a NUL.
MlirModule lwParseModule(MlirContext context, MlirStringRef text, MlirStringRef name) {
  return wrap(parseSourceString<ModuleOp>(unwrap(text), unwrap(context), unwrap(name)).release());
}

/// A hash of `op` and everything nested in it, by address, and of the ops that compute its operands.
uint64_t lwFingerprint(MlirOperation operation) {
  Operation *root = unwrap(operation);
  llvm::hash_code hash(0);
  llvm::SmallPtrSet<Operation *, 8> seen;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    addShape(hash, op);
    for (Value operand : op->getOperands()) {
      add(hash, hash_value(operand));
      addOrigin(hash, operand, root, seen);
    }
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        hash = llvm::hash_combine(hash, &block, op);
        for (BlockArgument argument : block.getArguments())
          hash = llvm::hash_combine(hash, argument, argument.getType());
      }
  });
  return static_cast<uint64_t>(static_cast<size_t>(hash));
}

/// True if the op neither reads nor writes memory.
bool lwHasNoEffects(MlirOperation op) { return isMemoryEffectFree(unwrap(op)); }

/// True if the op has no effects and no undefined behavior, so that it may run where it did not before.
bool lwIsPure(MlirOperation op) { return isPure(unwrap(op)); }

/// True for a constant: no operands, and one result known at compile time.
bool lwIsConstant(MlirOperation op) { return unwrap(op)->hasTrait<OpTrait::ConstantLike>(); }

/// The bytes of a dense_resource attribute; false for other attributes and for a resource that the text
/// declares without data.
bool lwDenseResourceBytes(MlirAttribute attribute, const char **data, size_t *size) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(unwrap(attribute));
  AsmResourceBlob *blob = resource ? resource.getRawHandle().getBlob() : nullptr;
  if (!blob)
    return false;
  *data = blob->getData().data();
  *size = blob->getData().size();
  return true;
}

/// A resource with the same data and another type of as many elements.
MlirAttribute lwDenseResourceReshaped(MlirAttribute attribute, MlirType type) {
  auto resource = cast<DenseResourceElementsAttr>(unwrap(attribute));
  return wrap(DenseResourceElementsAttr::get(cast<ShapedType>(unwrap(type)),
                                             resource.getRawHandle()));
}

/// Sets a discardable attribute of argument `i` of a function.
void lwSetArgumentAttribute(MlirOperation op, intptr_t i, MlirStringRef name,
                            MlirAttribute value) {
  if (auto function = dyn_cast<FunctionOpInterface>(unwrap(op)))
    function.setArgAttr(i, unwrap(name), unwrap(value));
}

/// A deep copy of `op` in which `from[i]` is replaced by `to[i]`.
MlirOperation lwCloneMapped(MlirOperation op, intptr_t n, const MlirValue *from,
                            const MlirValue *to) {
  IRMapping mapping;
  for (intptr_t i = 0; i < n; ++i)
    mapping.map(unwrap(from[i]), unwrap(to[i]));
  return wrap(unwrap(op)->clone(mapping));
}

/// Sets all properties of `op`, including those that are not attributes; false if they are invalid.
bool lwSetProperties(MlirOperation op, MlirAttribute dictionary) {
  Operation *target = unwrap(op);
  return succeeded(target->setPropertiesFromAttribute(unwrap(dictionary),
                                                      [&] { return target->emitError(); }));
}

/// An attribute of argument `i` of a function, or null.
MlirAttribute lwArgumentAttribute(MlirOperation function, intptr_t i, MlirStringRef name) {
  auto op = dyn_cast<FunctionOpInterface>(unwrap(function));
  return wrap(op ? op.getArgAttr(i, unwrap(name)) : Attribute());
}
}
