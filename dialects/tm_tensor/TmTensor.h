//===- TmTensor.h - the tm_tensor dialect of torch-mlir ---------*- C++ -*-===//
#ifndef LOOPWRIGHT_TM_TENSOR_H
#define LOOPWRIGHT_TM_TENSOR_H
#include "RustVerified.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "loopwright/TmTensorDialect.h.inc"
#define GET_OP_CLASSES
#include "loopwright/TmTensorOps.h.inc"
#endif
