//===- GraphIndexing.td - graph ops that order elements or use indices ----===//
#ifndef LOOPWRIGHT_GRAPH_INDEXING_TD
#define LOOPWRIGHT_GRAPH_INDEXING_TD
include "GraphDialect.td"

//===----------------------------------------------------------------------===//
// Sorts and scans
//===----------------------------------------------------------------------===//

def Graph_SortOp : Graph_InferredOp<"sort"> {
  let summary = "the elements of each row of a dimension in order, and their indices";
  let description = [{
    ```mlir
    %v, %i = graph.sort %x dim = 1 : tensor<4x8xf32> -> tensor<4x8xf32>, tensor<4x8xi64>
    %v, %i = graph.sort %x dim = 1 descending unsigned : tensor<4x8xi8> -> tensor<4x8xi8>, tensor<4x8xi64>
    ```
    The second result has the index in x of each element; alone, it is an argsort. The sort
    is stable: equal elements keep their order, also if the op is marked `descending`. NaN is
    larger than all numbers, and -0.0 is equal to 0.0.
  }];
  let arguments = (ins Graph_NumberTensor:$x, I64Attr:$dim, UnitAttr:$descending, UnitAttr:$is_unsigned);
  let results = (outs Graph_NumberTensor:$values, Graph_IndexTensor:$indices);
  let assemblyFormat = [{
    $x `dim` `=` $dim (`descending` $descending^)? (`unsigned` $is_unsigned^)? attr-dict
    `:` type($x) `->` type($values) `,` type($indices)
  }];
}

def Graph_TopkOp : Graph_InferredOp<"topk"> {
  let summary = "the k largest elements of each row of a dimension, and their indices";
  let description = [{
    ```mlir
    %v, %i = graph.topk %x k = 5 dim = 1 : tensor<4x8xf32> -> tensor<4x5xf32>, tensor<4x5xi64>
    %v, %i = graph.topk %x k = 5 dim = 1 smallest : tensor<4x8xf32> -> tensor<4x5xf32>, tensor<4x5xi64>
    ```
    The results are the first k elements of those of `graph.sort`: of a descending one, or of
    an ascending one if the op is marked `smallest`. So the largest is first, and of equal
    elements the one with the smaller index. The dimension has k elements or more.
  }];
  let arguments = (ins Graph_NumberTensor:$x, I64Attr:$k, I64Attr:$dim, UnitAttr:$smallest, UnitAttr:$is_unsigned);
  let results = (outs Graph_NumberTensor:$values, Graph_IndexTensor:$indices);
  let assemblyFormat = [{
    $x `k` `=` $k `dim` `=` $dim (`smallest` $smallest^)? (`unsigned` $is_unsigned^)? attr-dict
    `:` type($x) `->` type($values) `,` type($indices)
  }];
}

def Graph_ScanOp : Graph_Op<"scan", [Pure, SameOperandsAndResultType]> {
  let summary = "for each element, the reduction of those up to it along a dimension";
  let description = [{
    ```mlir
    %s = graph.scan add %x dim = 1 : tensor<2x3xf32>                    // [1, 2, 3] -> [1, 3, 6]
    %s = graph.scan add %x dim = 1 exclusive : tensor<2x3xf32>          // [1, 2, 3] -> [0, 1, 3]
    %s = graph.scan add %x dim = 1 exclusive reverse : tensor<2x3xf32>  // [1, 2, 3] -> [5, 3, 0]
    ```
    The kinds are those of `graph.reduce`. A scan with `add` is a cumulative sum, one with
    `mul` a cumulative product. An `exclusive` scan leaves out the element itself: its first
    result is that of a reduction over no elements. A `reverse` scan starts at the last
    element. Elements are combined one after the other, each step in the element type.
  }];
  let arguments = (ins Graph_ReduceKind:$kind, Graph_NumberOrBoolTensor:$x, I64Attr:$dim, UnitAttr:$exclusive,
                       UnitAttr:$reverse, UnitAttr:$is_unsigned);
  let results = (outs Graph_NumberOrBoolTensor:$result);
  let assemblyFormat = [{
    $kind $x `dim` `=` $dim (`exclusive` $exclusive^)? (`reverse` $reverse^)? (`unsigned` $is_unsigned^)?
    attr-dict `:` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Gathers and scatters
//===----------------------------------------------------------------------===//

def Graph_TakeOp : Graph_InferredOp<"take"> {
  let summary = "the slices of a dimension with these indices";
  let description = [{
    ```mlir
    %y = graph.take %x, %i dim = 0 : tensor<1000x64xf32>, tensor<4x8xi64> -> tensor<4x8x64xf32>
    ```
    The dimensions of the indices replace dimension `dim` of x. A negative index counts from
    the end. Indices beyond the dimension are those of its first or last element. The
    dimension must have elements, unless it is known that there are no indices.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_PositionTensor:$indices, I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `dim` `=` $dim attr-dict `:` type($x) `,` type($indices) `->` type($result)
  }];
}

def Graph_GatherElementsOp : Graph_InferredOp<"gather_elements"> {
  let summary = "for each place, the element of x there whose index in one dimension is replaced";
  let description = [{
    ```mlir
    // y[i, j] = x[i, k[i, j]]
    %y = graph.gather_elements %x, %k dim = 1 : tensor<4x8xf32>, tensor<4x2xi64> -> tensor<4x2xf32>
    ```
    The indices are those of `graph.take`. In the other dimensions, x is as large as the
    indices, or larger.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_PositionTensor:$indices, I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices `dim` `=` $dim attr-dict `:` type($x) `,` type($indices) `->` type($result)
  }];
}

def Graph_GatherNdOp : Graph_InferredOp<"gather_nd"> {
  let summary = "the elements or slices at places that lists of indices give";
  let description = [{
    ```mlir
    // y[i, j] = x[k[i, 0], k[i, 1], j]
    %y = graph.gather_nd %x, %k : tensor<4x5x6xf32>, tensor<7x2xi64> -> tensor<7x6xf32>
    // y[b, i, j] = x[b, k[b, i, 0], j]
    %y = graph.gather_nd %x, %k batch_dims = 1 : tensor<4x5x6xf32>, tensor<4x7x1xi64> -> tensor<4x7x6xf32>
    ```
    The last dimension of the indices, of static size, is a list: an index for each of the
    first dimensions of x behind the `batch_dims` that x and the indices share (0 if it is not
    given). The indices are those of `graph.take`: they are moved into their dimension, which
    must have elements. The op is ONNX's GatherND.
  }];
  let arguments = (ins Graph_Tensor:$x, Graph_PositionTensor:$indices, DefaultValuedAttr<I64Attr, "0">:$batch_dims);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $indices (`batch_dims` `=` $batch_dims^)? attr-dict `:` type($x) `,` type($indices) `->` type($result)
  }];
}

def Graph_ScatterElementsOp : Graph_Op<"scatter_elements", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "x with an update of the element at each index of one dimension";
  let description = [{
    ```mlir
    // y = x; then for each i and j: y[i, k[i, j]] = u[i, j]
    %y = graph.scatter_elements replace %x, %k, %u dim = 1 : tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>
    // y = x; then for each i and j: y[i, k[i, j]] += u[i, j]
    %y = graph.scatter_elements add %x, %k, %u dim = 1 : tensor<4x8xf32>, tensor<4x2xi64>, tensor<4x2xf32>
    ```
    A negative index counts from the end. An update whose index is beyond the dimension is
    left out. Updates are made in row-major order, so the last one of several that replace an
    element remains. In the other dimensions, x is as large as the indices, or larger. The op
    is ONNX's ScatterElements.
  }];
  let arguments = (ins Graph_ScatterKind:$kind, Graph_Tensor:$x, Graph_PositionTensor:$indices, Graph_Tensor:$updates,
                       I64Attr:$dim, UnitAttr:$is_unsigned);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $kind $x `,` $indices `,` $updates `dim` `=` $dim (`unsigned` $is_unsigned^)? attr-dict
    `:` type($x) `,` type($indices) `,` type($updates)
  }];
}

def Graph_ScatterNdOp : Graph_Op<"scatter_nd", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "x with updates of elements or slices at places that lists of indices give";
  let description = [{
    ```mlir
    // y = x; then for each i and j: y[k[i, 0], k[i, 1], j] = u[i, j]
    %y = graph.scatter_nd replace %x, %k, %u : tensor<4x5x6xf32>, tensor<7x2xi64>, tensor<7x6xf32>
    ```
    The indices are lists as in `graph.gather_nd`. The updates have the sizes of the indices
    without their last dimension, and then those of the dimensions of x that have no index in
    the lists. Negative indices, the order of updates, and those beyond a dimension are as in
    `graph.scatter_elements`. The op is ONNX's ScatterND.
  }];
  let arguments = (ins Graph_ScatterKind:$kind, Graph_Tensor:$x, Graph_PositionTensor:$indices, Graph_Tensor:$updates,
                       UnitAttr:$is_unsigned);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $kind $x `,` $indices `,` $updates (`unsigned` $is_unsigned^)? attr-dict
    `:` type($x) `,` type($indices) `,` type($updates)
  }];
}

def Graph_OneHotOp : Graph_InferredOp<"one_hot", [AllTypesMatch<["on", "off"]>]> {
  let summary = "a new dimension with one value at an index, and another one elsewhere";
  let description = [{
    ```mlir
    %y = graph.one_hot %i, %on, %off depth = 10 dim = 1 : tensor<4xi64>, f32 -> tensor<4x10xf32>
    ```
    Dimension `dim` of the result is new and has `depth` elements: `on` at the index, and
    `off` at all others. A negative index counts from the end. If an index is beyond the
    dimension, all its elements are `off`.
  }];
  let arguments = (ins Graph_PositionTensor:$indices, Graph_Element:$on, Graph_Element:$off, I64Attr:$depth, I64Attr:$dim);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = [{
    $indices `,` $on `,` $off `depth` `=` $depth `dim` `=` $dim attr-dict
    `:` type($indices) `,` type($on) `->` type($result)
  }];
}

//===----------------------------------------------------------------------===//
// Elements whose number is data
//===----------------------------------------------------------------------===//

def Graph_NonzeroOp : Graph_InferredOp<"nonzero"> {
  let summary = "the places of the elements that are not 0, and their number";
  let description = [{
    ```mlir
    %places, %count = graph.nonzero %x : tensor<3x4xf32> -> tensor<12x2xi64>, tensor<i64>
    ```
    The first result has a list of indices for each element that is not 0, in row-major order;
    NaN is not 0. The number of these lists is data, and no tensor has a size that is data. So
    the result has as many lists as x has elements, and the second result is the number of
    those that are places. The others hold the sizes of x, which are beyond it: so
    `graph.scatter_nd` leaves out their updates.
  }];
  let arguments = (ins Graph_NumberOrBoolTensor:$x);
  let results = (outs Graph_IndexTensor:$places, Graph_IndexTensor:$count);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($places) `,` type($count)";
}

def Graph_UniqueOp : Graph_InferredOp<"unique"> {
  let summary = "the distinct elements of a list, where they are, and how many there are";
  let description = [{
    ```mlir
    %values, %firsts, %inverse, %counts, %count = graph.unique %x
       : tensor<8xf32> -> tensor<8xf32>, tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<i64>
    ```
    | result | element |
    |---|---|
    | values | the distinct elements of x, in the order of `graph.sort` |
    | firsts | for each value, the index of the first element of x that is equal to it |
    | inverse | for each element of x, the index of its value |
    | counts | for each value, the number of elements of x that are equal to it |
    | count | the number of values |

    Elements are equal if `graph.sort` finds them equal: all NaN are, and -0.0 is equal to 0.0.
    As in `graph.nonzero`, the number of values is data. Elements of values, firsts and counts
    behind it are 0.
  }];
  let arguments = (ins Graph_NumberTensor:$x, UnitAttr:$is_unsigned);
  let results = (outs Graph_NumberTensor:$values, Graph_IndexTensor:$firsts, Graph_IndexTensor:$inverse,
                      Graph_IndexTensor:$counts, Graph_IndexTensor:$count);
  let assemblyFormat = [{
    $x (`unsigned` $is_unsigned^)? attr-dict `:` type($x) `->` type($values) `,` type($firsts) `,` type($inverse)
    `,` type($counts) `,` type($count)
  }];
}

#endif
