//===- GraphOps.td - the ops of the graph dialect -------------------------===//
#ifndef LOOPWRIGHT_GRAPH_OPS_TD
#define LOOPWRIGHT_GRAPH_OPS_TD
include "GraphDialect.td"

//===----------------------------------------------------------------------===//
// Element-wise
//===----------------------------------------------------------------------===//

def Graph_AddOp : Graph_BinaryOp<"add", Graph_NumberTensor> { let summary = "x + y"; }
def Graph_SubOp : Graph_BinaryOp<"sub", Graph_NumberTensor> { let summary = "x - y"; }
def Graph_MulOp : Graph_BinaryOp<"mul", Graph_NumberTensor> { let summary = "x * y"; }
def Graph_DivOp : Graph_BinaryOp<"div", Graph_NumberTensor> {
  let summary = "x / y; integers are signed and round towards zero";
}
def Graph_MaxOp : Graph_BinaryOp<"max", Graph_NumberTensor> {
  let summary = "the larger, signed; a NaN on either side gives NaN, and +0 > -0";
}
def Graph_MinOp : Graph_BinaryOp<"min", Graph_NumberTensor> {
  let summary = "the smaller, signed; a NaN on either side gives NaN, and -0 < +0";
}
def Graph_ExpOp : Graph_UnaryOp<"exp", Graph_FloatTensor> { let summary = "e to the x"; }
def Graph_NegOp : Graph_UnaryOp<"neg", Graph_NumberTensor> { let summary = "-x"; }
def Graph_ReluOp : Graph_UnaryOp<"relu", Graph_NumberTensor> { let summary = "max(x, 0)"; }

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

def Graph_ConstantOp : Graph_Op<"constant", [ConstantLike, Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def Graph_MatmulOp : Graph_Op<"matmul", [Pure]> {
  let summary = "the product of two matrices";
  let description = [{
    ```mlir
    %c = graph.matmul %a, %b : tensor<8x64xf32>, tensor<64x10xf32> -> tensor<8x10xf32>
    %c = graph.matmul %a, %b transpose_b : tensor<8x64xf32>, tensor<10x64xf32> -> tensor<8x10xf32>
    ```
    All three have one element type, which is also that of the accumulation.
  }];
  let arguments = (ins Graph_NumberTensor:$a, Graph_NumberTensor:$b, UnitAttr:$transpose_a,
                       UnitAttr:$transpose_b);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = [{
    $a `,` $b (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? attr-dict
    `:` type($a) `,` type($b) `->` type($result)
  }];
}

def Graph_ReduceOp : Graph_Op<"reduce", [Pure]> {
  let summary = "reduces all elements along some dimensions";
  let description = [{
    ```mlir
    %s = graph.reduce add %x dims = [1] : tensor<8x10xf32> -> tensor<8xf32>
    %s = graph.reduce max %x dims = [1] keep_dims : tensor<8x10xf32> -> tensor<8x1xf32>
    ```
    The result of a reduction over no elements is 0, 1, the smallest or the largest
    value.
  }];
  let arguments = (ins Graph_ReduceKind:$kind, Graph_NumberTensor:$x, DenseI64ArrayAttr:$dims,
                       UnitAttr:$keep_dims);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = [{
    $kind $x `dims` `=` $dims (`keep_dims` $keep_dims^)? attr-dict `:` type($x) `->` type($result)
  }];
}

def Graph_BroadcastOp : Graph_Op<"broadcast", [Pure]> {
  let summary = "repeats a tensor along new dimensions and dimensions of size 1";
  let description = [{
    ```mlir
    %y = graph.broadcast %x dims = [1] : tensor<128xf32> to tensor<64x128xf32>
    %y = graph.broadcast %x dims = [1] sizes(%n) : tensor<128xf32> to tensor<?x128xf32>
    ```
    Dimension i of `x` is dimension `dims[i]` of the result; `dims` is increasing.
    A dimension of static size 1 is repeated; others have the size of the result.
    `sizes` gives, in order, the sizes of the dynamic dimensions of the result that
    are repeated.
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$dims, Variadic<Index>:$sizes);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($x) `to` type($result)
  }];
}

def Graph_TransposeOp : Graph_Op<"transpose", [Pure]> {
  let summary = "permutes the dimensions: dimension i of the result is perm[i] of x";
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$perm);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `perm` `=` $perm attr-dict `:` type($x) `to` type($result)";
}

//===----------------------------------------------------------------------===//
// Fusion groups
//===----------------------------------------------------------------------===//

def Graph_FusionOp : Graph_Op<"fusion", [
    NoRegionArguments, RecursiveMemoryEffects, SingleBlock,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "a group of tensor ops that become one kernel";
  let description = [{
    ```mlir
    %out = graph.fusion -> tensor<64x128xf32> {
      %d = graph.sub %x, %y : tensor<64x128xf32>
      %m = graph.mul %d, %x : tensor<64x128xf32>
      %s = graph.yield_store %m : tensor<64x128xf32>
      graph.yield %s : tensor<64x128xf32>
    }
    ```
    The body holds graph, linalg, tensor, affine, arith and math ops and may use any value
    from outside. Values that leave the group are marked by `graph.yield_store`.
  }];
  let results = (outs Variadic<Graph_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "(`->` type($results)^)? $body attr-dict";
  let extraClassDefinition = [{
    void $cppClass::getSuccessorRegions(::mlir::RegionBranchPoint point,
        ::llvm::SmallVectorImpl<::mlir::RegionSuccessor> &successors) {
      if (point.isParent())
        successors.emplace_back(&getBody());
      else
        successors.emplace_back(getOperation(), getOperation()->getResults());
    }
  }];
}

def Graph_YieldStoreOp : Graph_Op<"yield_store", [Pure, SameOperandsAndResultType, HasParent<"FusionOp">]> {
  let summary = "marks a value of a fusion group that is stored to memory";
  let arguments = (ins Graph_Tensor:$x);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($result)";
}

def Graph_YieldOp : Graph_Op<"yield", [Pure, ReturnLike, Terminator, HasParent<"FusionOp">]> {
  let summary = "the results of a fusion group";
  let arguments = (ins Variadic<Graph_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif
