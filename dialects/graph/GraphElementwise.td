//===- GraphElementwise.td - the element-wise ops of the graph dialect ----===//
#ifndef LOOPWRIGHT_GRAPH_ELEMENTWISE_TD
#define LOOPWRIGHT_GRAPH_ELEMENTWISE_TD
include "GraphDialect.td"

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

def Graph_AbsOp : Graph_UnaryOp<"abs", Graph_NumberTensor> {
  let summary = "the absolute value; that of the smallest integer is itself";
}
def Graph_NegOp : Graph_UnaryOp<"neg", Graph_NumberTensor> { let summary = "-x"; }
def Graph_SignOp : Graph_UnaryOp<"sign", Graph_NumberTensor> {
  let summary = "-1, 0 or 1; of floats, the sign of zero and NaN are kept";
}
def Graph_SquareOp : Graph_UnaryOp<"square", Graph_NumberTensor> { let summary = "x * x"; }
def Graph_ReluOp : Graph_UnaryOp<"relu", Graph_NumberTensor> { let summary = "max(x, 0)"; }
def Graph_NotOp : Graph_UnaryOp<"not", Graph_BitsTensor> { let summary = "the inverse of each bit"; }

def Graph_ReciprocalOp : Graph_UnaryOp<"reciprocal", Graph_FloatTensor> { let summary = "1 / x"; }
def Graph_SqrtOp : Graph_UnaryOp<"sqrt", Graph_FloatTensor> { let summary = "the square root"; }
def Graph_RsqrtOp : Graph_UnaryOp<"rsqrt", Graph_FloatTensor> { let summary = "1 / sqrt(x)"; }
def Graph_ExpOp : Graph_UnaryOp<"exp", Graph_FloatTensor> { let summary = "e to the x"; }
def Graph_Exp2Op : Graph_UnaryOp<"exp2", Graph_FloatTensor> { let summary = "2 to the x"; }
def Graph_Expm1Op : Graph_UnaryOp<"expm1", Graph_FloatTensor> {
  let summary = "e to the x, less 1, without cancellation";
}
def Graph_LogOp : Graph_UnaryOp<"log", Graph_FloatTensor> { let summary = "the natural logarithm"; }
def Graph_Log2Op : Graph_UnaryOp<"log2", Graph_FloatTensor> { let summary = "the logarithm to base 2"; }
def Graph_Log1pOp : Graph_UnaryOp<"log1p", Graph_FloatTensor> {
  let summary = "log(1 + x), without cancellation";
}
def Graph_SinOp : Graph_UnaryOp<"sin", Graph_FloatTensor> { let summary = "the sine"; }
def Graph_CosOp : Graph_UnaryOp<"cos", Graph_FloatTensor> { let summary = "the cosine"; }
def Graph_TanOp : Graph_UnaryOp<"tan", Graph_FloatTensor> { let summary = "the tangent"; }
def Graph_AsinOp : Graph_UnaryOp<"asin", Graph_FloatTensor> { let summary = "the inverse of the sine"; }
def Graph_AcosOp : Graph_UnaryOp<"acos", Graph_FloatTensor> { let summary = "the inverse of the cosine"; }
def Graph_AtanOp : Graph_UnaryOp<"atan", Graph_FloatTensor> { let summary = "the inverse of the tangent"; }
def Graph_SinhOp : Graph_UnaryOp<"sinh", Graph_FloatTensor> { let summary = "the hyperbolic sine"; }
def Graph_CoshOp : Graph_UnaryOp<"cosh", Graph_FloatTensor> { let summary = "the hyperbolic cosine"; }
def Graph_TanhOp : Graph_UnaryOp<"tanh", Graph_FloatTensor> { let summary = "the hyperbolic tangent"; }
def Graph_AsinhOp : Graph_UnaryOp<"asinh", Graph_FloatTensor> {
  let summary = "the inverse of the hyperbolic sine";
}
def Graph_AcoshOp : Graph_UnaryOp<"acosh", Graph_FloatTensor> {
  let summary = "the inverse of the hyperbolic cosine";
}
def Graph_AtanhOp : Graph_UnaryOp<"atanh", Graph_FloatTensor> {
  let summary = "the inverse of the hyperbolic tangent";
}
def Graph_ErfOp : Graph_UnaryOp<"erf", Graph_FloatTensor> { let summary = "the error function"; }
def Graph_FloorOp : Graph_UnaryOp<"floor", Graph_FloatTensor> { let summary = "rounds down"; }
def Graph_CeilOp : Graph_UnaryOp<"ceil", Graph_FloatTensor> { let summary = "rounds up"; }
def Graph_RoundOp : Graph_UnaryOp<"round", Graph_FloatTensor> {
  let summary = "rounds to the nearest integer, halves to the even one";
}
def Graph_TruncOp : Graph_UnaryOp<"trunc", Graph_FloatTensor> { let summary = "rounds towards zero"; }

def Graph_SigmoidOp : Graph_UnaryOp<"sigmoid", Graph_FloatTensor> { let summary = "1 / (1 + exp(-x))"; }
def Graph_SiluOp : Graph_UnaryOp<"silu", Graph_FloatTensor> { let summary = "x / (1 + exp(-x))"; }
def Graph_SoftplusOp : Graph_UnaryOp<"softplus", Graph_FloatTensor> {
  let summary = "log(1 + exp(x)), computed as max(x, 0) + log1p(exp(-abs(x)))";
}
def Graph_GeluOp : Graph_UnaryOp<"gelu", Graph_FloatTensor> {
  let summary = "0.5 * x * (1 + erf(x * sqrt(0.5)))";
}
def Graph_GeluTanhOp : Graph_UnaryOp<"gelu_tanh", Graph_FloatTensor> {
  let summary = "0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x * x * x)))";
}
def Graph_HardSwishOp : Graph_UnaryOp<"hard_swish", Graph_FloatTensor> {
  let summary = "x * min(max(x / 6 + 0.5, 0), 1)";
}
def Graph_EluOp : Graph_ScaledUnaryOp<"elu"> {
  let summary = "x if x > 0, else alpha * expm1(x)";
  let description = "`%y = graph.elu %x alpha = 1.0 : tensor<8xf32>`";
}
def Graph_SeluOp : Graph_UnaryOp<"selu", Graph_FloatTensor> {
  let summary = "1.0507009873554805 * x if x > 0, else 1.0507009873554805 * 1.6732632423543772 * expm1(x)";
  let description = [{
    `%y = graph.selu %x : tensor<8xf32>`

    The product of the two constants is one number, 1.7580993408473766, rounded once.
  }];
}
def Graph_LeakyReluOp : Graph_ScaledUnaryOp<"leaky_relu"> {
  let summary = "x if x > 0, else alpha * x";
  let description = "`%y = graph.leaky_relu %x alpha = 0.01 : tensor<8xf32>`";
}

def Graph_IsNanOp : Graph_TestOp<"isnan"> {
  let summary = "true for NaN";
  let description = "`%t = graph.isnan %x : tensor<8xf32> -> tensor<8xi1>`";
}
def Graph_IsInfOp : Graph_TestOp<"isinf"> { let summary = "true for both infinities"; }
def Graph_IsFiniteOp : Graph_TestOp<"isfinite"> {
  let summary = "true for all numbers except the infinities";
}

def Graph_CastOp : Graph_Op<"cast", [Pure, SameOperandsAndResultShape]> {
  let summary = "converts the elements to another type";
  let description = [{
    ```mlir
    %y = graph.cast %x : tensor<8xf32> to tensor<8xi8>
    %z = graph.cast %y unsigned : tensor<8xi8> to tensor<8xf64>
    ```
    * A float becomes an integer by rounding towards zero. A float beyond the range of the
      integer type becomes its smallest or largest value, and NaN becomes 0.
    * An integer becomes a shorter one by dropping its high bits. Other conversions of integers
      keep the value; a value that the float type does not have is rounded to the nearest.
    * An i1 becomes 0 or 1. A number becomes true if it is not 0; NaN becomes true.
    * With `unsigned`, the integers of both types are unsigned.
  }];
  let arguments = (ins Graph_Tensor:$x, UnitAttr:$is_unsigned);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x (`unsigned` $is_unsigned^)? attr-dict `:` type($x) `to` type($result)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

def Graph_AddOp : Graph_BinaryOp<"add", Graph_NumberTensor> { let summary = "x + y"; }
def Graph_SubOp : Graph_BinaryOp<"sub", Graph_NumberTensor> { let summary = "x - y"; }
def Graph_MulOp : Graph_BinaryOp<"mul", Graph_NumberTensor> { let summary = "x * y"; }
def Graph_DivOp : Graph_SignedBinaryOp<"div", Graph_NumberTensor> {
  let summary = "x / y; that of integers is rounded towards zero";
}
def Graph_ModOp : Graph_SignedBinaryOp<"mod", Graph_NumberTensor> {
  let summary = "the remainder of div; it has the sign of x";
}
def Graph_FloorDivOp : Graph_BinaryOp<"floor_div", Graph_NumberTensor> {
  let summary = "floor(x / y); integers are signed";
}
def Graph_FloorModOp : Graph_BinaryOp<"floor_mod", Graph_NumberTensor> {
  let summary = "the remainder of a division that rounds down";
  let description = [{
    The result of `mod`, plus y if that is not 0 and its sign differs from that of y.
    Integers are signed.
  }];
}
def Graph_MaxOp : Graph_SignedBinaryOp<"max", Graph_NumberTensor> {
  let summary = "the larger; a NaN on either side gives NaN, and +0 > -0";
}
def Graph_MinOp : Graph_SignedBinaryOp<"min", Graph_NumberTensor> {
  let summary = "the smaller; a NaN on either side gives NaN, and -0 < +0";
}
def Graph_PowOp : Graph_BinaryOp<"pow", Graph_FloatTensor> { let summary = "x to the power of y"; }
def Graph_Atan2Op : Graph_BinaryOp<"atan2", Graph_FloatTensor> {
  let summary = "the angle of the point (y, x), from -pi to pi: that of x / y in its quadrant";
}
def Graph_AndOp : Graph_BinaryOp<"and", Graph_BitsTensor> { let summary = "the bits that both have"; }
def Graph_OrOp : Graph_BinaryOp<"or", Graph_BitsTensor> { let summary = "the bits that either has"; }
def Graph_XorOp : Graph_BinaryOp<"xor", Graph_BitsTensor> { let summary = "the bits that only one has"; }
def Graph_ShlOp : Graph_BinaryOp<"shl", Graph_IntTensor> {
  let summary = "x shifted left by y bits, y unsigned; 0 if y is the number of bits or more";
}
def Graph_ShrOp : Graph_SignedBinaryOp<"shr", Graph_IntTensor> {
  let summary = "x shifted right by y bits, y unsigned";
  let description = [{
    Copies of the sign bit are shifted in, or zeros if the op is `unsigned`; only these are
    left if y is the number of bits or more.
  }];
}

def Graph_CompareOp : Graph_InferredOp<"compare", [SameTypeOperands]> {
  let summary = "compares two values";
  let description = [{
    ```mlir
    %t = graph.compare lt %x, %y : tensor<8xf32> -> tensor<8xi1>
    %t = graph.compare ge %x, %y unsigned : tensor<8xi8> -> tensor<8xi1>
    ```
    A comparison with NaN is false, except `ne`. Elements of type i1 are compared by `eq`
    and `ne` only.
  }];
  let arguments = (ins Graph_Comparison:$comparison, Graph_Tensor:$x, Graph_Tensor:$y, UnitAttr:$is_unsigned);
  let results = (outs Graph_BoolTensor:$result);
  let assemblyFormat = [{
    $comparison $x `,` $y (`unsigned` $is_unsigned^)? attr-dict `:` type($x) `->` type($result)
  }];
}

def Graph_SelectOp : Graph_Op<"select", [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "x where the condition is true, else y";
  let description = "`%r = graph.select %t, %x, %y : tensor<8xi1>, tensor<8xf32>`";
  let arguments = (ins Graph_BoolTensor:$condition, Graph_Tensor:$x, Graph_Tensor:$y);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$condition `,` $x `,` $y attr-dict `:` type($condition) `,` type($result)";
}

//===----------------------------------------------------------------------===//
// Numbers of each channel
//===----------------------------------------------------------------------===//

def Graph_PreluOp : Graph_Op<"prelu", [Pure, AllTypesMatch<["x", "result"]>]> {
  let summary = "x if x > 0, else slope * x";
  let description = [{
    `%y = graph.prelu %x, %slopes dim = 1 : tensor<1x64x8x8xf32>, tensor<64xf32>`

    The slope is that at the index of the element in dimension `dim`.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$slopes, I64Attr:$dim);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = "$x `,` $slopes `dim` `=` $dim attr-dict `:` type($x) `,` type($slopes)";
}

def Graph_QuantizeOp : Graph_InferredOp<"quantize"> {
  let summary = "round(x / scale) + zero_point as an integer, within the range of its type";
  let description = [{
    ```mlir
    %q = graph.quantize %x, %scale, %zero_point : tensor<8x64xf32>, tensor<f32>, tensor<i8> -> tensor<8x64xi8>
    %q = graph.quantize %x, %scale, %zero_point dim = 1 unsigned : tensor<8x64xf32>, tensor<64xf32>, tensor<64xi8> -> tensor<8x64xi8>
    ```
    Scale and zero point are one number for all elements, or with `dim` those at the index of
    the element in this dimension. The quotient is rounded to the nearest integer, halves to
    the even one. A result beyond the range of the integer type is its smallest or largest
    value; NaN becomes 0. With `unsigned`, the zero point and the result are unsigned. The op
    is ONNX's QuantizeLinear.
  }];
  let arguments = (ins Graph_FloatTensor:$x, Graph_FloatTensor:$scale, Graph_ShortTensor:$zero_point,
                       OptionalAttr<I64Attr>:$dim, UnitAttr:$is_unsigned);
  let results = (outs Graph_ShortTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `,` $zero_point (`dim` `=` $dim^)? (`unsigned` $is_unsigned^)? attr-dict
    `:` type($x) `,` type($scale) `,` type($zero_point) `->` type($result)
  }];
}

def Graph_DequantizeOp : Graph_InferredOp<"dequantize"> {
  let summary = "(x - zero_point) * scale as a float";
  let description = [{
    ```mlir
    %x = graph.dequantize %q, %scale, %zero_point : tensor<8x64xi8>, tensor<f32>, tensor<i8> -> tensor<8x64xf32>
    ```
    Scale, zero point, `dim` and `unsigned` are as in `graph.quantize`. The difference of the
    integers is exact, and is converted to the float type. The op is ONNX's DequantizeLinear.
  }];
  let arguments = (ins Graph_QuantizedTensor:$x, Graph_FloatTensor:$scale, Graph_QuantizedTensor:$zero_point,
                       OptionalAttr<I64Attr>:$dim, UnitAttr:$is_unsigned);
  let results = (outs Graph_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $scale `,` $zero_point (`dim` `=` $dim^)? (`unsigned` $is_unsigned^)? attr-dict
    `:` type($x) `,` type($scale) `,` type($zero_point) `->` type($result)
  }];
}

#endif
