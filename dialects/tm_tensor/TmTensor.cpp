//===- TmTensor.cpp - registration of the tm_tensor dialect ---------------===//
#include "TmTensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace loopwright::tm_tensor;

#include "loopwright/TmTensorDialect.cpp.inc"
#define GET_OP_CLASSES
#include "loopwright/TmTensorOps.cpp.inc"

void TmTensorDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "loopwright/TmTensorOps.cpp.inc"
      >();
}
