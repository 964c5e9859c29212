//===- TmTensorOps.td - the ops of torch-mlir's tm_tensor dialect ---------===//
#ifndef LOOPWRIGHT_TM_TENSOR_OPS_TD
#define LOOPWRIGHT_TM_TENSOR_OPS_TD
include "RustVerified.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TmTensor_Dialect : Dialect {
  let name = "tm_tensor";
  let cppNamespace = "::loopwright::tm_tensor";
  let summary = "the tensor ops that torch-mlir exports beside linalg";
  let description = [{
    torch-mlir exports some PyTorch ops as ops of its own dialect `tm_tensor`.
    This is a definition of that dialect, so that such programs can be read. It
    has the same text form, but only the form on tensors. No other program can
    register the dialect beside it, so the plugin does not.

    All ops are in destination style: a result has the type of its `outs`
    operand. `decompose-composite-ops` replaces all but `scatter` by linalg ops.
  }];
}

class TmTensor_Op<string mnemonic, list<Trait> traits = []>
    : Op<TmTensor_Dialect, mnemonic, !listconcat(traits, [RustVerified])>;

class TmTensor_Composite<string mnemonic, list<Trait> traits = []>
    : TmTensor_Op<mnemonic, !listconcat(traits, [AttrSizedOperandSegments, Pure])> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
}

def TmTensor_AttentionOp : TmTensor_Composite<"attention"> {
  let summary = "softmax(query x key^T * scale + mask) x value";
  let description = [{
    The inputs are `query` (B x M x K), `key` (B x N x K), `value` (B x N x V) and
    optionally `mask` (B x M x N), where B is any number of dimensions. A mask of
    i1 adds 0 where it is true, and -infinity where it is false. `scale` is by
    default 1 / sqrt(K). A row whose weights are all 0 gives 0.
  }];
  let arguments = (ins
    Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs,
    OptionalAttr<F64Attr>:$scale);
  let assemblyFormat = [{
    attr-dict `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)` (`->` type($results)^)?
  }];
}

def TmTensor_ScanOp
    : TmTensor_Composite<"scan", [SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "partial results along a dimension";
  let description = [{
    The region combines the result at the index before (argument 0) with an
    element of the input (argument 1). An inclusive scan starts with the first
    element of the input. An exclusive scan starts with the second `outs`
    operand, the accumulator, and leaves out the last element of the input.
    Result 1 is the last element of result 0.
  }];
  let arguments = (ins
    Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs,
    I64Attr:$dimension,
    BoolAttr:$inclusive);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` `inclusive` `(` $inclusive `)` attr-dict
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TmTensor_ScatterOp
    : TmTensor_Composite<"scatter", [SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "updates of a tensor at indices that are data";
  let description = [{
    The inputs are `updates` (U x slice) and `indices` (U x D). Update u changes
    the slice of the `outs` operand whose index in dimension `dimension_map[d]` is
    `indices[u, d]`. The dimensions of the slice are the last ones of the `outs`
    operand; if one of them is also in `dimension_map`, its indices are offsets.
    The region combines an element of the update (argument 0) with the element
    that it replaces (argument 1). Updates are made in order.
    `unique_indices` promises that no two updates have equal indices.
  }];
  let arguments = (ins
    Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs,
    DenseI64ArrayAttr:$dimension_map,
    DefaultValuedAttr<BoolAttr, "true">:$unique_indices);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `unique_indices` `(` $unique_indices `)`
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TmTensor_SortOp
    : TmTensor_Composite<"sort", [SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "sorts tensors along a dimension";
  let description = [{
    Sorts the `outs` operands together. The region gets an element of each at two
    places, `(a0, b0, a1, b1, ..)`, and yields true if the elements `a` may stand
    before the elements `b`. Elements that are equal by the region keep their order.
  }];
  let arguments = (ins
    Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs,
    I64Attr:$dimension);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)`
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TmTensor_TopkOp
    : TmTensor_Composite<"topk", [SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "the first K elements of a sorted dimension, and their indices";
  let description = [{
    The region is true if its argument 0 stands before its argument 1 and is not
    equal to it. The results are the first K values, and their indices, among the
    elements of the `outs` operands and those of the input. The indices of the
    input are its second operand, or by default the places along `dimension`. Of
    equal values, the one with the smaller index is first.
  }];
  let arguments = (ins
    Variadic<AnyRankedTensor>:$inputs,
    Variadic<AnyRankedTensor>:$outputs,
    I64Attr:$dimension);
  let regions = (region SizedRegion<1>:$region);
  let assemblyFormat = [{
    attr-dict `dimension` `(` $dimension `)`
    `ins` `(` $inputs `:` type($inputs) `)`
    `outs` `(` $outputs `:` type($outputs) `)`
    $region (`->` type($results)^)?
  }];
}

def TmTensor_YieldOp : TmTensor_Op<"yield", [
    Pure, ReturnLike, Terminator,
    ParentOneOf<["ScanOp", "ScatterOp", "SortOp", "TopkOp"]>]> {
  let summary = "the value of a region";
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ /* nothing to do */ }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif
