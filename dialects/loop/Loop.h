//===- Loop.h - the loop dialect --------------------------------*- C++ -*-===//
#ifndef LOOPWRIGHT_LOOP_H
#define LOOPWRIGHT_LOOP_H
#include "RustVerified.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "loopwright/LoopDialect.h.inc"
#include "loopwright/LoopEnums.h.inc"

namespace loopwright::loop {
// Directives of the assembly formats in LoopOps.td.
mlir::ParseResult parsePadding(mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &padding);
void printPadding(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::DenseI64ArrayAttr padding);
mlir::ParseResult
parseSizeExpressions(mlir::OpAsmParser &parser, mlir::AffineMapAttr &map,
                     llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printSizeExpressions(mlir::OpAsmPrinter &printer, mlir::Operation *, mlir::AffineMapAttr map,
                          mlir::OperandRange operands);
} // namespace loopwright::loop

#define GET_OP_CLASSES
#include "loopwright/LoopOps.h.inc"
#endif
