//===- GraphOps.td - the ops of the graph dialect -------------------------===//
#ifndef LOOPWRIGHT_GRAPH_OPS_TD
#define LOOPWRIGHT_GRAPH_OPS_TD
include "GraphElementwise.td"
include "GraphIndexing.td"

//===----------------------------------------------------------------------===//
// New tensors
//===----------------------------------------------------------------------===//

def Graph_ConstantOp : Graph_Op<"constant", [ConstantLike, Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant tensor";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def Graph_FullOp : Graph_Op<"full", [Pure]> {
  let summary = "a tensor whose elements are all equal";
  let description = [{
    ```mlir
    %y = graph.full %value : f32 to tensor<8x4xf32>
    %y = graph.full %value sizes(%n) : f32 to tensor<?x4xf32>
    ```
    `sizes` gives, in order, the sizes of the dynamic dimensions.
  }];
  let arguments = (ins Graph_Element:$value, Variadic<Index>:$sizes);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$value (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($value) `to` type($result)";
}

def Graph_IotaOp : Graph_Op<"iota", [Pure]> {
  let summary = "each element is its index in one dimension";
  let description = [{
    ```mlir
    %y = graph.iota dim = 1 : tensor<2x3xi32>  // [[0, 1, 2], [0, 1, 2]]
    %y = graph.iota dim = 0 sizes(%n) : tensor<?xf32>
    ```
    An index beyond the range of the element type wraps around, or is rounded.
  }];
  let arguments = (ins I64Attr:$dim, Variadic<Index>:$sizes);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "`dim` `=` $dim (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($result)";
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def Graph_MatmulOp : Graph_InferredOp<"matmul"> {
  let summary = "the product of two matrices, or of the matrices of two batches";
  let description = [{
    ```mlir
    %c = graph.matmul %a, %b : tensor<8x64xf32>, tensor<64x10xf32> -> tensor<8x10xf32>
    %c = graph.matmul %a, %b transpose_b : tensor<8x64xf32>, tensor<10x64xf32> -> tensor<8x10xf32>
    %c = graph.matmul %a, %b : tensor<4x8x64xi8>, tensor<4x64x10xi8> -> tensor<4x8x10xi32>
    ```
    The last two dimensions are those of the matrices. All others are the same in all
    three tensors. The operands have one element type. Products are formed and added in
    the element type of the result, which is the same, or a wider one of the same kind.
  }];
  let arguments = (ins Graph_NumberTensor:$a, Graph_NumberTensor:$b, UnitAttr:$transpose_a,
                       UnitAttr:$transpose_b);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = [{
    $a `,` $b (`transpose_a` $transpose_a^)? (`transpose_b` $transpose_b^)? attr-dict
    `:` type($a) `,` type($b) `->` type($result)
  }];
}

def Graph_BiasAddOp : Graph_Op<"bias_add", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "adds one number to all elements with the same index in one dimension";
  let description = "`%y = graph.bias_add %x, %b dim = 1 : tensor<1x64x8x8xf32>, tensor<64xf32>`";
  let arguments = (ins Graph_NumberTensor:$x, Graph_NumberTensor:$bias, I64Attr:$dim);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = "$x `,` $bias `dim` `=` $dim attr-dict `:` type($x) `,` type($bias)";
}

def Graph_ConvOp : Graph_InferredOp<"conv"> {
  let summary = "a convolution over one, two or three dimensions";
  let description = [{
    ```mlir
    %y = graph.conv channels_first %x, %w low = [1, 1] high = [1, 1]
       : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32> -> tensor<1x64x56x56xf32>
    %y = graph.conv channels_last %x, %w strides = [2, 2] groups = 32
       : tensor<1x57x57x32xf32>, tensor<3x3x1x32xf32> -> tensor<1x28x28x32xf32>
    ```
    | layout | x and the result | w |
    |---|---|---|
    | `channels_first` | batch, channels, positions | outputs, channels of a group, window |
    | `channels_last` | batch, positions, channels | window, channels of a group, outputs |

    * `low` and `high` are the numbers of zeros before and after each dimension of x; without
      them there are none. `strides` and `dilations` are 1 where they are not given.
    * With `groups`, the channels and the outputs are divided into that number of parts, and
      each part of the outputs is computed from its part of the channels. A depthwise
      convolution has one group for each channel.
    * Products are added in the element type of the result, as in `graph.matmul`.
  }];
  let arguments = (ins Graph_Layout:$layout, Graph_NumberTensor:$x, Graph_NumberTensor:$w,
                       OptionalAttr<DenseI64ArrayAttr>:$strides, OptionalAttr<DenseI64ArrayAttr>:$dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$low, OptionalAttr<DenseI64ArrayAttr>:$high,
                       DefaultValuedAttr<I64Attr, "1">:$groups);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = [{
    $layout $x `,` $w (`strides` `=` $strides^)? (`dilations` `=` $dilations^)? (`low` `=` $low^)?
    (`high` `=` $high^)? (`groups` `=` $groups^)? attr-dict `:` type($x) `,` type($w) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def Graph_ReduceOp : Graph_InferredOp<"reduce"> {
  let summary = "reduces all elements along some dimensions";
  let description = [{
    ```mlir
    %s = graph.reduce add %x dims = [1] : tensor<8x10xf32> -> tensor<8xf32>
    %s = graph.reduce max %x dims = [1] keep_dims : tensor<8x10xf32> -> tensor<8x1xf32>
    ```
    `add`, `mul`, `max` and `min` are of numbers, `and` and `or` of the bits of integers and
    of i1: they are true if all, or if any, of the elements are true. The result of a
    reduction over no elements is 0, 1, the smallest or the largest value; all bits, or none.
  }];
  let arguments = (ins Graph_ReduceKind:$kind, Graph_NumberOrBoolTensor:$x, DenseI64ArrayAttr:$dims,
                       UnitAttr:$keep_dims, UnitAttr:$is_unsigned);
  let results = (outs Graph_NumberOrBoolTensor:$result);
  let assemblyFormat = [{
    $kind $x `dims` `=` $dims (`keep_dims` $keep_dims^)? (`unsigned` $is_unsigned^)? attr-dict
    `:` type($x) `->` type($result)
  }];
}

def Graph_MeanOp : Graph_StatisticOp<"mean"> {
  let summary = "the mean of the elements along some dimensions; NaN if there are none";
}
def Graph_VarianceOp : Graph_StatisticOp<"variance", (ins DefaultValuedAttr<I64Attr, "0">:$correction)> {
  let summary = "the mean square of the distance to the mean";
  let description = [{
    `%v = graph.variance %x dims = [1] {correction = 1} : tensor<8x10xf32> -> tensor<8xf32>`

    The sum of squares is divided by the number of elements, less `correction` (0 if it is
    not given).
  }];
}
def Graph_StdOp : Graph_StatisticOp<"std", (ins DefaultValuedAttr<I64Attr, "0">:$correction)> {
  let summary = "the square root of the variance";
}
def Graph_LogSumExpOp : Graph_StatisticOp<"logsumexp"> {
  let summary = "log(sum(exp(x - m))) + m along some dimensions, where m = max(x)";
  let description = [{
    `%y = graph.logsumexp %x dims = [1] : tensor<8x10xf32> -> tensor<8xf32>`

    If the maximum is an infinity, m is 0. So the result is -infinity if there are no
    elements, or if all are -infinity.
  }];
}
def Graph_ArgMaxOp : Graph_ArgOp<"argmax"> {
  let summary = "the least index of the largest element along a dimension";
  let description = [{
    `%i = graph.argmax %x dim = 1 : tensor<8x10xf32> -> tensor<8xi64>`

    NaN is not larger than any number. The index is 0 if no element is larger than the
    smallest value of the type.
  }];
}
def Graph_ArgMinOp : Graph_ArgOp<"argmin"> {
  let summary = "the least index of the smallest element along a dimension; like argmax";
}

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

def Graph_SoftmaxOp : Graph_RowsOp<"softmax"> {
  let summary = "e = exp(x - max(x)) / sum(e) along a dimension";
}
def Graph_LogSoftmaxOp : Graph_RowsOp<"log_softmax"> {
  let summary = "(x - max(x)) - log(sum(exp(x - max(x)))) along a dimension";
}
def Graph_LayerNormOp : Graph_Op<"layer_norm", [Pure, AllTypesMatch<["x", "result"]>, AllTypesMatch<["scale", "bias"]>]> {
  let summary = "(x - mean) * rsqrt(variance + epsilon) * scale + bias";
  let description = [{
    `%y = graph.layer_norm %x, %scale, %bias epsilon = 1.0e-5 : tensor<8x768xf32>, tensor<768xf32>`

    Mean and variance are those of the last dimensions of x, as many as `scale` has.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale, Graph_FloatTensor:$bias, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `,` $bias `epsilon` `=` $epsilon attr-dict `:` type($x) `,` type($scale)
  }];
}
def Graph_RmsNormOp : Graph_Op<"rms_norm", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "x * rsqrt(mean(x * x) + epsilon) * scale";
  let description = [{
    `%y = graph.rms_norm %x, %scale epsilon = 1.0e-5 : tensor<8x768xf32>, tensor<768xf32>`

    The mean is that of the last dimensions of x, as many as `scale` has.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$x `,` $scale `epsilon` `=` $epsilon attr-dict `:` type($x) `,` type($scale)";
}
def Graph_GroupNormOp : Graph_Op<"group_norm", [Pure, AllTypesMatch<["x", "result"]>, AllTypesMatch<["scale", "bias"]>]> {
  let summary = "(x - mean) * rsqrt(variance + epsilon) * scale + bias";
  let description = [{
    `%y = graph.group_norm %x, %scale, %bias groups = 32 epsilon = 1.0e-5 : tensor<1x64x8x8xf32>, tensor<64xf32>`

    The channels, in dimension 1, are divided into that number of parts. Mean and variance are
    those of all elements of a part, for each index in dimension 0. Scale and bias are those
    of the channel. An instance norm has as many groups as channels. The number of channels is
    static.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale, Graph_FloatTensor:$bias, I64Attr:$groups,
                       F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `,` $bias `groups` `=` $groups `epsilon` `=` $epsilon attr-dict `:` type($x) `,` type($scale)
  }];
}
def Graph_BatchNormOp : Graph_Op<"batch_norm", [Pure, AllTypesMatch<["x", "result"]>, AllTypesMatch<["scale", "bias", "mean", "variance"]>]> {
  let summary = "(x - mean) * rsqrt(variance + epsilon) * scale + bias";
  let description = [{
    `%y = graph.batch_norm %x, %scale, %bias, %mean, %variance dim = 1 epsilon = 1.0e-5 : tensor<1x64x8x8xf32>, tensor<64xf32>`

    The four numbers are those at the index of the element in dimension `dim`.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale, Graph_FloatTensor:$bias,
                       Graph_FloatTensor:$mean, Graph_FloatTensor:$variance, I64Attr:$dim, F64Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `,` $bias `,` $mean `,` $variance `dim` `=` $dim `epsilon` `=` $epsilon attr-dict
    `:` type($x) `,` type($scale)
  }];
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

def Graph_PoolOp : Graph_InferredOp<"pool"> {
  let summary = "the maximum or mean of the elements under a window";
  let description = [{
    ```mlir
    %y = graph.pool max channels_first %x window = [3, 3] strides = [2, 2] low = [1, 1] high = [1, 1]
       : tensor<1x64x112x112xf32> -> tensor<1x64x56x56xf32>
    ```
    The layouts, `strides`, `dilations`, `low` and `high` are those of `graph.conv`. Padding
    has no influence on a maximum. It does not count in an average, unless the op is marked
    `count_padding`: then it counts as zeros. The mean of a whole image is `graph.mean`.
  }];
  let arguments = (ins Graph_PoolKind:$kind, Graph_Layout:$layout, Graph_NumberTensor:$x,
                       DenseI64ArrayAttr:$window,
                       OptionalAttr<DenseI64ArrayAttr>:$strides, OptionalAttr<DenseI64ArrayAttr>:$dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$low, OptionalAttr<DenseI64ArrayAttr>:$high,
                       UnitAttr:$count_padding, UnitAttr:$is_unsigned);
  let results = (outs Graph_NumberTensor:$result);
  let assemblyFormat = [{
    $kind $layout $x `window` `=` $window (`strides` `=` $strides^)? (`dilations` `=` $dilations^)?
    (`low` `=` $low^)? (`high` `=` $high^)? (`count_padding` $count_padding^)? (`unsigned` $is_unsigned^)?
    attr-dict `:` type($x) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Ops that move elements
//===----------------------------------------------------------------------===//

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
  let hasFolder = 1;
}

def Graph_ReshapeOp : Graph_Op<"reshape", [Pure]> {
  let summary = "the same elements, in row-major order, with other sizes";
  let description = [{
    ```mlir
    %y = graph.reshape %x : tensor<4x6xf32> to tensor<3x8xf32>
    %y = graph.reshape %x sizes(%n) : tensor<?x12xf32> to tensor<?x3x4xf32>
    ```
    `sizes` gives, in order, the sizes of the dynamic dimensions of the result. Squeezing and
    expanding dimensions are reshapes, too. The number of elements must be the same.
  }];
  let arguments = (ins Graph_Tensor:$x, Variadic<Index>:$sizes);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($x) `to` type($result)";
  let hasFolder = 1;
}

def Graph_ExpandDimsOp : Graph_InferredOp<"expand_dims"> {
  let summary = "adds dimensions of size 1: those of the result with these numbers";
  let description = "`%y = graph.expand_dims %x dims = [0, 2] : tensor<8xf32> -> tensor<1x8x1xf32>`";
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($x) `->` type($result)";
}

def Graph_SqueezeOp : Graph_InferredOp<"squeeze"> {
  let summary = "removes these dimensions, whose size is 1";
  let description = "`%y = graph.squeeze %x dims = [0] : tensor<1x8xf32> -> tensor<8xf32>`";
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($x) `->` type($result)";
}

def Graph_SliceOp : Graph_InferredOp<"slice"> {
  let summary = "a part of some dimensions";
  let description = [{
    ```mlir
    %y = graph.slice %x dims = [1] starts = [2] ends = [10] steps = [3]
       : tensor<4x12xf32> -> tensor<4x3xf32>
    ```
    Of dimension `dims[i]`, the elements from `starts[i]` up to, not including, `ends[i]` are
    taken, with a distance of `steps[i]`, which is 1 or more. As in Python, a negative start
    or end counts from the size of the dimension; one beyond the dimension is its first
    element or its size.
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$dims, DenseI64ArrayAttr:$starts,
                       DenseI64ArrayAttr:$ends, DenseI64ArrayAttr:$steps);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims `starts` `=` $starts `ends` `=` $ends `steps` `=` $steps attr-dict
    `:` type($x) `->` type($result)
  }];
}

def Graph_ConcatOp : Graph_InferredOp<"concat"> {
  let summary = "one tensor after the other, along a dimension";
  let description = [{
    `%z = graph.concat %x, %y dim = 0 : tensor<2x8xf32>, tensor<3x8xf32> -> tensor<5x8xf32>`
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$parts, I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$parts `dim` `=` $dim attr-dict `:` type($parts) `->` type($result)";
}

def Graph_StackOp : Graph_InferredOp<"stack"> {
  let summary = "tensors of one type, along a new dimension";
  let description = [{
    `%z = graph.stack %x, %y dim = 0 : tensor<8xf32>, tensor<8xf32> -> tensor<2x8xf32>`
  }];
  let arguments = (ins Variadic<Graph_Tensor>:$parts, I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$parts `dim` `=` $dim attr-dict `:` type($parts) `->` type($result)";
}

def Graph_SplitOp : Graph_InferredOp<"split"> {
  let summary = "consecutive parts of a dimension, of these sizes";
  let description = [{
    `%a, %b = graph.split %x dim = 0 sizes = [2, 3] : tensor<5x8xf32> -> tensor<2x8xf32>, tensor<3x8xf32>`

    The sum of the sizes is the size of the dimension, which is static.
  }];
  let arguments = (ins Graph_Tensor:$x, I64Attr:$dim, DenseI64ArrayAttr:$sizes);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let assemblyFormat = "$x `dim` `=` $dim `sizes` `=` $sizes attr-dict `:` type($x) `->` type($results)";
}

def Graph_PadOp : Graph_InferredOp<"pad"> {
  let summary = "adds elements of one value before and after each dimension";
  let description = [{
    ```mlir
    %y = graph.pad %x, %zero low = [0, 1] high = [0, 2] : tensor<4x8xf32>, f32 -> tensor<4x11xf32>
    ```
    `low` and `high` have a number for each dimension, 0 or more.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_Element:$value, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $value `low` `=` $low `high` `=` $high attr-dict `:` type($x) `,` type($value) `->` type($result)
  }];
}

def Graph_FlipOp : Graph_Op<"flip", [Pure, SameOperandsAndResultType]> {
  let summary = "reverses the order of the elements along some dimensions";
  let description = "`%y = graph.flip %x dims = [1] : tensor<4x8xf32>`";
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `dims` `=` $dims attr-dict `:` type($result)";
}

def Graph_TileOp : Graph_InferredOp<"tile"> {
  let summary = "repeats the whole tensor along each dimension";
  let description = "`%y = graph.tile %x repeats = [2, 1] : tensor<2x3xf32> -> tensor<4x3xf32>`";
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$repeats);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `repeats` `=` $repeats attr-dict `:` type($x) `->` type($result)";
}

def Graph_RepeatOp : Graph_InferredOp<"repeat"> {
  let summary = "repeats each element along a dimension";
  let description = "`%y = graph.repeat %x dim = 0 count = 2 : tensor<2x3xf32> -> tensor<4x3xf32>`";
  let arguments = (ins Graph_Tensor:$x, I64Attr:$dim, I64Attr:$count);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x `dim` `=` $dim `count` `=` $count attr-dict `:` type($x) `->` type($result)";
}

def Graph_LayoutTransformOp : Graph_Op<"layout_transform", [Pure]> {
  let summary = "divides dimensions into tiles, or joins them";
  let description = [{
    ```mlir
    %y = graph.layout_transform %x dims = [1] tiles = [16] : tensor<1x60x8x8xf32> to tensor<1x4x8x8x16xf32>
    %x = graph.layout_transform %y dims = [1] tiles = [16] inverse : tensor<1x4x8x8x16xf32> to tensor<1x60x8x8xf32>
    ```
    Dimension `dims[i]` becomes one of tiles of `tiles[i]` elements. The dimensions inside
    the tiles are behind all others, in the order of `dims`. Elements that fill the last tile
    are zeros. The inverse leaves them out. Sizes are static.
  }];
  let arguments = (ins Graph_Tensor:$x, DenseI64ArrayAttr:$dims, DenseI64ArrayAttr:$tiles, UnitAttr:$inverse);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `dims` `=` $dims `tiles` `=` $tiles (`inverse` $inverse^)? attr-dict `:` type($x) `to` type($result)
  }];
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
