//===- GraphDialect.td - the dialect and its op classes -------------------===//
#ifndef LOOPWRIGHT_GRAPH_DIALECT_TD
#define LOOPWRIGHT_GRAPH_DIALECT_TD
include "RustVerified.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::loopwright::graph";
  let summary = "tensor operations and fusion groups";
  let description = [{
    Operations on whole tensors, without side effects. The linalg definition of each
    op, in src/compute/graph_to_linalg, defines what it computes. Scatters, for which linalg
    has no form, are defined by src/compute/linalg_to_loop/scatter.rs.

    * Broadcasts and conversions are explicit: the operands of an element-wise op have
      the same sizes, and most have the same element type.
    * Integers have no sign of their own. They are signed in all ops, unless the op is
      marked `unsigned`.
    * If an op is described by a formula, each step of the formula is rounded. The steps
      of f16 and bf16 are computed in f32, and the result is rounded to the element type.
  }];
  let hasConstantMaterializer = 1;
}

def Graph_Float : AnyTypeOf<[F16, BF16, F32, F64], "f16, bf16, f32 or f64">;
def Graph_Int : AnyTypeOf<[I8, I16, I32, I64], "i8, i16, i32 or i64">;
def Graph_Number : AnyTypeOf<[Graph_Float, Graph_Int], "a number">;
def Graph_Bits : AnyTypeOf<[Graph_Int, I1], "i1, i8, i16, i32 or i64">;
def Graph_NumberOrBool : AnyTypeOf<[Graph_Number, I1], "a number or i1">;
def Graph_Position : AnyTypeOf<[I32, I64, Index], "i32, i64 or index">;
def Graph_Element : AnyTypeOf<[Graph_Number, I1, Index], "a number, i1 or index">;
def Graph_FloatTensor : RankedTensorOf<[Graph_Float]>;
def Graph_IntTensor : RankedTensorOf<[Graph_Int]>;
def Graph_NumberTensor : RankedTensorOf<[Graph_Number]>;
def Graph_BitsTensor : RankedTensorOf<[Graph_Bits]>;
def Graph_BoolTensor : RankedTensorOf<[I1]>;
def Graph_NumberOrBoolTensor : RankedTensorOf<[Graph_NumberOrBool]>;
def Graph_PositionTensor : RankedTensorOf<[Graph_Position]>;
def Graph_ShortTensor : RankedTensorOf<[I8, I16]>;
def Graph_QuantizedTensor : RankedTensorOf<[I8, I16, I32]>;
def Graph_IndexTensor : RankedTensorOf<[I64]>;
def Graph_Tensor : RankedTensorOf<[Graph_Element]>;

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, !listconcat(traits, [RustVerified])>;

/// An op whose result types follow from its operands and attributes, by src/dialect/infer_graph.rs. The result may
/// have static sizes where they are inferred to be dynamic, and the reverse.
class Graph_InferredOp<string mnemonic, list<Trait> traits = []> : Graph_Op<mnemonic, !listconcat(traits, [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>])> {
  let extraClassDeclaration = [{
    /// The verifier compares the types, with messages of its own.
    static ::llvm::LogicalResult refineReturnTypes(::mlir::MLIRContext *,
        ::std::optional<::mlir::Location>, ::mlir::ValueRange, ::mlir::DictionaryAttr,
        ::mlir::OpaqueProperties, ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &) {
      return ::mlir::success();
    }
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> location, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties,
        ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::loopwright::inferTypes<$cppClass>(context, location, operands, attributes,
                                                 properties, types);
    }
  }];
}

/// result[i] = f(x[i]). A new element-wise op is one entry here and one row in each of
/// src/compute/graph_to_linalg/elementwise.rs and src/interpreter/graph/elementwise.rs.
class Graph_UnaryOp<string mnemonic, Type type>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

/// result[i] = f(x[i], alpha); otherwise like Graph_UnaryOp.
class Graph_ScaledUnaryOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Graph_FloatTensor:$x, F64Attr:$alpha);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$x `alpha` `=` $alpha attr-dict `:` type($result)";
}

/// result[i] is true if x[i] has a property.
class Graph_TestOp<string mnemonic> : Graph_InferredOp<mnemonic> {
  let arguments = (ins Graph_FloatTensor:$x);
  let results = (outs Graph_BoolTensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
}

/// result[i] = f(x[i], y[i]); otherwise like Graph_UnaryOp.
class Graph_BinaryOp<string mnemonic, Type type>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($result)";
}

/// A binary op whose integers are signed, or all unsigned.
class Graph_SignedBinaryOp<string mnemonic, Type type>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins type:$x, type:$y, UnitAttr:$is_unsigned);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y (`unsigned` $is_unsigned^)? attr-dict `:` type($result)";
}

/// A value of each row of some dimensions.
class Graph_StatisticOp<string mnemonic, dag more = (ins)> : Graph_InferredOp<mnemonic> {
  let arguments = !con((ins Graph_FloatTensor:$x, DenseI64ArrayAttr:$dims, UnitAttr:$keep_dims), more);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims (`keep_dims` $keep_dims^)? attr-dict `:` type($x) `->` type($result)
  }];
}

/// The index of an element of each row of one dimension.
class Graph_ArgOp<string mnemonic> : Graph_InferredOp<mnemonic> {
  let arguments = (ins Graph_NumberTensor:$x, I64Attr:$dim, UnitAttr:$keep_dims, UnitAttr:$is_unsigned);
  let results = (outs Graph_PositionTensor:$result);
  let assemblyFormat = [{
    $x `dim` `=` $dim (`keep_dims` $keep_dims^)? (`unsigned` $is_unsigned^)? attr-dict
    `:` type($x) `->` type($result)
  }];
}

/// A function of the elements of each row of one dimension, which has the sizes of its operand.
class Graph_RowsOp<string mnemonic>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins Graph_FloatTensor:$x, I64Attr:$dim);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$x `dim` `=` $dim attr-dict `:` type($result)";
}

// src/dialect/graph_op.rs has the same values.
def Graph_ReduceKind : I32EnumAttr<"ReduceKind", "how a reduction combines two values", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"And", 4, "and">,
    I32EnumAttrCase<"Or", 5, "or">]> {
  let cppNamespace = "::loopwright::graph";
}

def Graph_ScatterKind : I32EnumAttr<"ScatterKind", "how an update changes an element", [
    I32EnumAttrCase<"Replace", 0, "replace">,
    I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Mul", 2, "mul">,
    I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Min", 4, "min">]> {
  let cppNamespace = "::loopwright::graph";
}

def Graph_Comparison : I32EnumAttr<"Comparison", "a comparison of two values", [
    I32EnumAttrCase<"Eq", 0, "eq">,
    I32EnumAttrCase<"Ne", 1, "ne">,
    I32EnumAttrCase<"Lt", 2, "lt">,
    I32EnumAttrCase<"Le", 3, "le">,
    I32EnumAttrCase<"Gt", 4, "gt">,
    I32EnumAttrCase<"Ge", 5, "ge">]> {
  let cppNamespace = "::loopwright::graph";
}

def Graph_Layout : I32EnumAttr<"Layout", "the order of the dimensions of images", [
    I32EnumAttrCase<"ChannelsFirst", 0, "channels_first">,
    I32EnumAttrCase<"ChannelsLast", 1, "channels_last">]> {
  let cppNamespace = "::loopwright::graph";
}

def Graph_PoolKind : I32EnumAttr<"PoolKind", "what a pool computes of the elements under its window", [
    I32EnumAttrCase<"Max", 0, "max">,
    I32EnumAttrCase<"Average", 1, "average">]> {
  let cppNamespace = "::loopwright::graph";
}

#endif
