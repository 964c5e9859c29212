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
    Operations on whole tensors, without side effects. Broadcasts are explicit:
    element-wise ops take operands of one type. Signedness is in the op: integer
    `div`, `max` and `min` are signed. The linalg definition of each op, in
    src/compute/graph_to_linalg.rs, defines what it computes.
  }];
  let hasConstantMaterializer = 1;
}

def Graph_Float : AnyTypeOf<[F16, BF16, F32, F64], "f16, bf16, f32 or f64">;
def Graph_Int : AnyTypeOf<[I8, I16, I32, I64], "i8, i16, i32 or i64">;
def Graph_Number : AnyTypeOf<[Graph_Float, Graph_Int], "a number">;
def Graph_Element : AnyTypeOf<[Graph_Number, I1, Index], "a number, i1 or index">;
def Graph_FloatTensor : RankedTensorOf<[Graph_Float]>;
def Graph_NumberTensor : RankedTensorOf<[Graph_Number]>;
def Graph_Tensor : RankedTensorOf<[Graph_Element]>;

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, !listconcat(traits, [RustVerified])>;

/// result[i] = f(x[i]). A new op is one entry here and one row in each of
/// src/compute/graph_elementwise.rs and src/interpreter/graph.rs.
class Graph_UnaryOp<string mnemonic, Type type>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins type:$x);
  let results = (outs type:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

/// result[i] = f(x[i], y[i]); otherwise like Graph_UnaryOp.
class Graph_BinaryOp<string mnemonic, Type type>
    : Graph_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = "$x `,` $y attr-dict `:` type($result)";
}

// src/dialect/graph_op.rs has the same values.
def Graph_ReduceKind : I32EnumAttr<"ReduceKind", "how a reduction combines two values", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Mul", 1, "mul">,
    I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"Min", 3, "min">]> {
  let cppNamespace = "::loopwright::graph";
}

#endif
