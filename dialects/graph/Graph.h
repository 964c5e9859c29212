//===- Graph.h - the graph dialect ------------------------------*- C++ -*-===//
#ifndef LOOPWRIGHT_GRAPH_H
#define LOOPWRIGHT_GRAPH_H
#include "RustVerified.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "loopwright/GraphDialect.h.inc"
#include "loopwright/GraphEnums.h.inc"
#define GET_OP_CLASSES
#include "loopwright/GraphOps.h.inc"
#endif
