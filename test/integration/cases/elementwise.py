"""linalg.generic whose loops are all parallel: how operands are read, what the body may use."""

import numpy as np

from .arrays import *
from .case import *

SIZES = [0, 1, 7]


def per_row(inputs):
    """Variants for a dynamic number of rows."""
    return {f"n{n}": inputs(n) for n in SIZES}


ROWS_OF_X = dim("%n", "%x", "tensor<?x5xf32>", 0)


def relu(x):
    return maximumf(x, np.zeros_like(x))


def gelu(x):
    half = lambda it: it.dtype.type(0.5) * it
    return half(x) * (rounded(erf)(x * F32(0.70710677)) + F32(1))


CASES = [
    Case(
        "add_static",
        "The simplest case: two inputs, identity maps, static sizes.",
        main("%x: tensor<7x5xf32>, %y: tensor<7x5xf32>", "%r: tensor<7x5xf32>",
             pointwise("%r", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>", "%y: tensor<7x5xf32>"],
                       "%s = arith.addf %in0, %in1 : f32", "%s")),
        {"integers": [distinct(7, 5), distinct(7, 5, first=100)],
         "floats": [random(7, 5), random(7, 5, seed=2)]},
        add),
    Case(
        "relu_dynamic",
        "A unary body that contains a constant; a dynamic size.",
        main("%x: tensor<?x5xf32>", "%r: tensor<?x5xf32>",
             ROWS_OF_X,
             pointwise("%r", "tensor<?x5xf32>", ["%x: tensor<?x5xf32>"], """
                 %zero = arith.constant 0.0 : f32
                 %s = arith.maximumf %in0, %zero : f32""", "%s", "%n")),
        per_row(lambda n: [distinct(n, 5)]) | {"special": [np.array([[NAN, -0.0, 0.0, INF, -INF]], F32)]},
        relu),
    Case(
        "multiply_add_ternary_dynamic",
        "Three inputs, two dynamic sizes.",
        main("%x: tensor<?x?xf32>, %y: tensor<?x?xf32>, %z: tensor<?x?xf32>", "%r: tensor<?x?xf32>",
             dim("%n", "%x", "tensor<?x?xf32>", 0),
             dim("%m", "%x", "tensor<?x?xf32>", 1),
             pointwise("%r", "tensor<?x?xf32>", [f"{it}: tensor<?x?xf32>" for it in ("%x", "%y", "%z")], """
                 %p = arith.mulf %in0, %in1 : f32
                 %s = arith.addf %p, %in2 : f32""", "%s", "%n, %m")),
        {f"n{n}_m{m}": [random(n, m, seed=it) for it in (1, 2, 3)] for n, m in [(0, 3), (3, 0), (1, 1), (7, 13)]},
        lambda x, y, z: x * y + z),
    Case(
        "broadcast_row",
        "An input whose map omits the outer loop.",
        main("%x: tensor<7x5xf32>, %row: tensor<5xf32>", "%r: tensor<7x5xf32>",
             pointwise("%r", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>", "%row: tensor<5xf32> j"],
                       "%s = arith.subf %in0, %in1 : f32", "%s")),
        {"integers": [distinct(7, 5), distinct(5, first=100)]},
        lambda x, row: x - row),
    Case(
        "broadcast_unit_column_dynamic",
        "An input of size one in a dimension that its map reads at 0, as torch-mlir emits it.",
        main("%x: tensor<?x5xf32>, %column: tensor<?x1xf32>", "%r: tensor<?x5xf32>",
             ROWS_OF_X,
             pointwise("%r", "tensor<?x5xf32>", ["%x: tensor<?x5xf32>", "%column: tensor<?x1xf32> i, 0"],
                       "%s = arith.subf %in0, %in1 : f32", "%s", "%n")),
        per_row(lambda n: [distinct(n, 5), distinct(n, 1, first=100)]),
        lambda x, column: x - column),
    Case(
        "broadcast_scalar_tensor",
        "A 0-d input.",
        main("%x: tensor<7x5xi32>, %s: tensor<i32>", "%r: tensor<7x5xi32>",
             pointwise("%r", "tensor<7x5xi32>", ["%x: tensor<7x5xi32>", "%s: tensor<i32>"],
                       "%p = arith.muli %in0, %in1 : i32", "%p")),
        {"integers": [distinct(7, 5, dtype=I32), scalar(3, I32)]},
        lambda x, s: x * s),
    Case(
        "broadcast_both_inputs_dynamic",
        "An outer sum: no input has all loops.",
        main("%x: tensor<?xi64>, %y: tensor<?xi64>", "%r: tensor<?x?xi64>",
             dim("%n", "%x", "tensor<?xi64>", 0),
             dim("%m", "%y", "tensor<?xi64>", 0),
             pointwise("%r", "tensor<?x?xi64>", ["%x: tensor<?xi64> i", "%y: tensor<?xi64> j"],
                       "%s = arith.addi %in0, %in1 : i64", "%s", "%n, %m")),
        {f"n{n}_m{m}": [distinct(n, dtype=I64), distinct(m, dtype=I64, first=100)]
         for n, m in [(0, 3), (1, 1), (7, 13)]},
        lambda x, y: x[:, None] + y),
    Case(
        "permuted_input_rank_3",
        "An input map that rotates three loops.",
        main("%x: tensor<3x7x5xf32>, %y: tensor<7x5x3xf32>", "%r: tensor<7x5x3xf32>",
             pointwise("%r", "tensor<7x5x3xf32>", ["%x: tensor<3x7x5xf32> kij", "%y: tensor<7x5x3xf32>"],
                       "%s = arith.addf %in0, %in1 : f32", "%s")),
        {"integers": [distinct(3, 7, 5), distinct(7, 5, 3, first=1000)]},
        lambda x, y: x.transpose(1, 2, 0) + y),
    Case(
        "permuted_output",
        "An output map that is not the identity.",
        main("%x: tensor<7x5xf32>", "%r: tensor<5x7xf32>",
             empty("%e", "tensor<5x7xf32>"),
             generic("%r", "ij", "", ["%x: tensor<7x5xf32> ij"], ["%e: tensor<5x7xf32> ji"],
                     "%s = arith.negf %in0 : f32", "%s")),
        {"integers": [distinct(7, 5)]},
        lambda x: -x.T),
    Case(
        "reversed_rows",
        "A map with a negative coefficient.",
        main("%x: tensor<7x5xf32>", "%r: tensor<7x5xf32>",
             pointwise("%r", "tensor<7x5xf32>", ["%x: tensor<7x5xf32> 6 - i, j"], "", "%in0")),
        {"integers": [distinct(7, 5)]},
        lambda x: x[::-1]),
    Case(
        "strided_read",
        "A map that reads every second element.",
        main("%x: tensor<13xf32>", "%r: tensor<7xf32>",
             pointwise("%r", "tensor<7xf32>", ["%x: tensor<13xf32> i * 2"], "", "%in0")),
        {"integers": [distinct(13)]},
        lambda x: x[::2]),
    Case(
        "diagonal_read",
        "A map that uses one loop twice.",
        main("%x: tensor<7x7xf32>", "%r: tensor<7xf32>",
             pointwise("%r", "tensor<7xf32>", ["%x: tensor<7x7xf32> ii"], "", "%in0")),
        {"integers": [distinct(7, 7)]},
        lambda x: np.diagonal(x)),
    Case(
        "scalar_operand",
        "A scalar among the inputs of the generic.",
        main("%s: f32, %x: tensor<7x5xf32>", "%r: tensor<7x5xf32>",
             pointwise("%r", "tensor<7x5xf32>", ["%s: f32", "%x: tensor<7x5xf32>"],
                       "%p = arith.mulf %in0, %in1 : f32", "%p")),
        {"integers": [scalar(3, F32), distinct(7, 5)]},
        lambda s, x: s * x),
    Case(
        "scalar_argument_captured_dynamic",
        "The body uses scalar arguments of the function, one of them an index.",
        main("%x: tensor<?x5xf32>, %s: f32, %k: index", "%r: tensor<?x5xf32>",
             ROWS_OF_X,
             pointwise("%r", "tensor<?x5xf32>", ["%x: tensor<?x5xf32>"], """
                 %k_int = arith.index_cast %k : index to i32
                 %k_float = arith.sitofp %k_int : i32 to f32
                 %p = arith.mulf %in0, %s : f32
                 %d = arith.subf %p, %k_float : f32""", "%d", "%n")),
        per_row(lambda n: [distinct(n, 5), scalar(0.5, F32), index(11)]),
        lambda x, s, k: x * s - F32(k)),
    Case(
        "scalar_computed_at_function_level",
        "The body uses scalars that the function computes from its arguments.",
        main("%x: tensor<7x5xf32>, %a: f32, %b: f32", "%r: tensor<7x5xf32>",
             "%sum = arith.addf %a, %b : f32",
             "%root = math.sqrt %sum : f32",
             pointwise("%r", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"],
                       "%q = arith.divf %in0, %root : f32", "%q")),
        {"integers": [distinct(7, 5), scalar(9, F32), scalar(7, F32)]},
        lambda x, a, b: x / np.sqrt(a + b)),
    Case(
        "constant_captured",
        "The body uses a constant of the function; two generics share it.",
        main("%x: tensor<7x5xf32>", "%a: tensor<7x5xf32>, %b: tensor<7x5xf32>",
             constant("%c", "2.5", "f32"),
             pointwise("%a", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"], "%s = arith.addf %in0, %c : f32", "%s"),
             pointwise("%b", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"], "%s = arith.mulf %in0, %c : f32", "%s")),
        {"integers": [distinct(7, 5)]},
        lambda x: (x + F32(2.5), x * F32(2.5))),
    Case(
        "epsilon_truncated_from_f64",
        "An f64 constant that the body truncates to f32, as torch-mlir emits it.",
        main("%x: tensor<7x5xf32>", "%r: tensor<7x5xf32>",
             constant("%epsilon", "1.000000e-05", "f64"),
             pointwise("%r", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"], """
                 %e = arith.truncf %epsilon : f64 to f32
                 %s = arith.addf %in0, %e : f32""", "%s")),
        {"floats": [random(7, 5, low=0, high=1e-3)]},
        lambda x: x + F32(1e-5)),
    Case(
        "index_values",
        "linalg.index and no inputs.",
        main("", "%r: tensor<7x5xi64>",
             pointwise("%r", "tensor<7x5xi64>", [], """
                 %i = linalg.index 0 : index
                 %j = linalg.index 1 : index
                 %ten = arith.constant 10 : index
                 %p = arith.muli %i, %ten : index
                 %s = arith.addi %p, %j : index
                 %v = arith.index_cast %s : index to i64""", "%v")),
        {"only": []},
        lambda: np.arange(7)[:, None] * 10 + np.arange(5)),
    Case(
        "causal_mask_dynamic",
        "linalg.index compared with linalg.index, selects between the input and -inf.",
        main("%x: tensor<?x?xf32>", "%r: tensor<?x?xf32>",
             dim("%n", "%x", "tensor<?x?xf32>", 0),
             dim("%m", "%x", "tensor<?x?xf32>", 1),
             pointwise("%r", "tensor<?x?xf32>", ["%x: tensor<?x?xf32>"], """
                 %i = linalg.index 0 : index
                 %j = linalg.index 1 : index
                 %hidden = arith.cmpi sgt, %j, %i : index
                 %lowest = arith.constant 0xFF800000 : f32
                 %s = arith.select %hidden, %lowest, %in0 : f32""", "%s", "%n, %m")),
        {f"n{n}_m{m}": [distinct(n, m)] for n, m in [(0, 0), (1, 1), (7, 5), (5, 13)]},
        lambda x: np.where(np.arange(x.shape[1]) > np.arange(x.shape[0])[:, None], F32(-INF), x)),
    Case(
        "index_with_permuted_output",
        "linalg.index counts loops, not dimensions of the output.",
        main("%x: tensor<7x5xi32>", "%r: tensor<5x7xi32>",
             empty("%e", "tensor<5x7xi32>"),
             generic("%r", "ij", "", ["%x: tensor<7x5xi32> ij"], ["%e: tensor<5x7xi32> ji"], """
                     %i = linalg.index 0 : index
                     %v = arith.index_cast %i : index to i32
                     %hundred = arith.constant 100 : i32
                     %p = arith.muli %v, %hundred : i32
                     %s = arith.addi %p, %in0 : i32""", "%s")),
        {"integers": [distinct(7, 5, dtype=I32)]},
        lambda x: (x + 100 * np.arange(7, dtype=I32)[:, None]).T),
    Case(
        "same_tensor_twice",
        "One tensor is both inputs, once transposed.",
        main("%x: tensor<7x7xf32>", "%square: tensor<7x7xf32>, %skew: tensor<7x7xf32>",
             pointwise("%square", "tensor<7x7xf32>", ["%x: tensor<7x7xf32>", "%x: tensor<7x7xf32>"],
                       "%p = arith.mulf %in0, %in1 : f32", "%p"),
             pointwise("%skew", "tensor<7x7xf32>", ["%x: tensor<7x7xf32>", "%x: tensor<7x7xf32> ji"],
                       "%d = arith.subf %in0, %in1 : f32", "%d")),
        {"integers": [distinct(7, 7)]},
        lambda x: (x * x, x - x.T)),
    Case(
        "outs_not_read",
        "The destination is an argument whose contents the body ignores; it is also returned unchanged.",
        main("%x: tensor<7x5xf32>, %y: tensor<7x5xf32>", "%r: tensor<7x5xf32>, %y: tensor<7x5xf32>",
             generic("%r", "ij", "", ["%x: tensor<7x5xf32> ij"], ["%y: tensor<7x5xf32> ij"],
                     "%s = arith.negf %in0 : f32", "%s")),
        {"integers": [distinct(7, 5), distinct(7, 5, first=100)]},
        lambda x, y: (-x, y)),
    Case(
        "outs_read_dynamic",
        "The destination is an argument that the body reads; the argument keeps its contents.",
        main("%x: tensor<?x5xf32>, %y: tensor<?x5xf32>", "%r: tensor<?x5xf32>, %y: tensor<?x5xf32>",
             generic("%r", "ij", "", ["%x: tensor<?x5xf32> ij"], ["%y: tensor<?x5xf32> ij"],
                     "%s = arith.subf %out0, %in0 : f32", "%s")),
        per_row(lambda n: [distinct(n, 5), distinct(n, 5, first=100)]),
        lambda x, y: (y - x, y)),
    Case(
        "outs_is_also_input",
        "The destination is also an input, read at another index: no update in place.",
        main("%x: tensor<7x7xf32>", "%r: tensor<7x7xf32>",
             generic("%r", "ij", "", ["%x: tensor<7x7xf32> ji"], ["%x: tensor<7x7xf32> ij"],
                     "%s = arith.subf %in0, %out0 : f32", "%s")),
        {"integers": [distinct(7, 7)]},
        lambda x: x.T - x),
    Case(
        "two_results",
        "A generic with two results of different types and maps.",
        main("%x: tensor<7x5xf32>, %y: tensor<7x5xf32>", "%sum: tensor<7x5xf32>, %less: tensor<5x7xi1>",
             empty("%a", "tensor<7x5xf32>"),
             empty("%b", "tensor<5x7xi1>"),
             generic("%sum, %less", "ij", "", ["%x: tensor<7x5xf32> ij", "%y: tensor<7x5xf32> ij"],
                     ["%a: tensor<7x5xf32> ij", "%b: tensor<5x7xi1> ji"], """
                     %s = arith.addf %in0, %in1 : f32
                     %l = arith.cmpf olt, %in0, %in1 : f32""", "%s, %l")),
        {"integers": [distinct(7, 5), -distinct(7, 5) + 3]},
        lambda x, y: (x + y, (x < y).T)),
    Case(
        "chain",
        "Three generics one after the other, the middle one transposes.",
        main("%x: tensor<7x5xf32>", "%c: tensor<5x7xf32>",
             pointwise("%a", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"], "%s = arith.addf %in0, %in0 : f32", "%s"),
             pointwise("%b", "tensor<5x7xf32>", ["%a: tensor<7x5xf32> ji"], "%s = arith.negf %in0 : f32", "%s"),
             pointwise("%c", "tensor<5x7xf32>", ["%b: tensor<5x7xf32>"], "%s = arith.mulf %in0, %in0 : f32", "%s")),
        {"integers": [distinct(7, 5)]},
        lambda x: 4 * (x * x).T),
    Case(
        "diamond_dynamic",
        "One producer, two consumers, joined again; the producer is also returned.",
        main("%x: tensor<?x5xf32>", "%d: tensor<?x5xf32>, %a: tensor<?x5xf32>",
             ROWS_OF_X,
             pointwise("%a", "tensor<?x5xf32>", ["%x: tensor<?x5xf32>"],
                       "%s = arith.mulf %in0, %in0 : f32", "%s", "%n"),
             pointwise("%b", "tensor<?x5xf32>", ["%a: tensor<?x5xf32>"],
                       "%s = arith.negf %in0 : f32", "%s", "%n"),
             pointwise("%c", "tensor<?x5xf32>", ["%a: tensor<?x5xf32>", "%x: tensor<?x5xf32>"],
                       "%s = arith.addf %in0, %in1 : f32", "%s", "%n"),
             pointwise("%d", "tensor<?x5xf32>", ["%b: tensor<?x5xf32>", "%c: tensor<?x5xf32>"],
                       "%s = arith.mulf %in0, %in1 : f32", "%s", "%n")),
        per_row(lambda n: [distinct(n, 5)]),
        lambda x: (-(x * x) * (x * x + x), x * x)),
    Case(
        "one_empty_for_two_results",
        "Two generics write into the same tensor.empty: two values, two buffers.",
        main("%x: tensor<7x5xf32>", "%a: tensor<7x5xf32>, %b: tensor<7x5xf32>",
             empty("%e", "tensor<7x5xf32>"),
             generic("%a", "ij", "", ["%x: tensor<7x5xf32> ij"], ["%e: tensor<7x5xf32> ij"],
                     "%s = arith.negf %in0 : f32", "%s"),
             generic("%b", "ij", "", ["%a: tensor<7x5xf32> ij"], ["%e: tensor<7x5xf32> ij"],
                     "%s = arith.mulf %in0, %in0 : f32", "%s")),
        {"integers": [distinct(7, 5)]},
        lambda x: (-x, x * x)),
    Case(
        "unused_generic",
        "A generic with an unused result, and an unused argument.",
        main("%x: tensor<7x5xf32>, %unused: tensor<3xi8>", "%b: tensor<7x5xf32>",
             pointwise("%a", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"], "%s = arith.negf %in0 : f32", "%s"),
             pointwise("%b", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"], "%s = arith.addf %in0, %in0 : f32", "%s")),
        {"integers": [distinct(7, 5), distinct(3, dtype=I8)]},
        lambda x, _: x + x),
    Case(
        "zero_dimensional",
        "A generic without loops.",
        main("%x: tensor<f32>, %y: tensor<f32>", "%r: tensor<f32>",
             pointwise("%r", "tensor<f32>", ["%x: tensor<f32>", "%y: tensor<f32>"],
                       "%s = arith.subf %in0, %in1 : f32", "%s")),
        {"integers": [scalar(3, F32), scalar(5, F32)]},
        lambda x, y: x - y),
    Case(
        "unit_sizes",
        "Sizes of one, and a rank of five.",
        main("%x: tensor<1x3x1x2x1xf32>", "%r: tensor<1x3x1x2x1xf32>",
             pointwise("%r", "tensor<1x3x1x2x1xf32>", ["%x: tensor<1x3x1x2x1xf32>"],
                       "%s = arith.addf %in0, %in0 : f32", "%s")),
        {"integers": [distinct(1, 3, 1, 2, 1)]},
        lambda x: x + x),
    Case(
        "static_size_zero",
        "A static size of zero.",
        main("%x: tensor<0x5xf32>", "%r: tensor<0x5xf32>",
             pointwise("%r", "tensor<0x5xf32>", ["%x: tensor<0x5xf32>"], "%s = arith.negf %in0 : f32", "%s")),
        {"empty": [distinct(0, 5)]},
        lambda x: x),
    Case(
        "rounds_each_op_f16",
        "Every operation rounds to f16; one intermediate product overflows.",
        main("%x: tensor<13xf16>, %y: tensor<13xf16>", "%r: tensor<13xf16>",
             pointwise("%r", "tensor<13xf16>", ["%x: tensor<13xf16>", "%y: tensor<13xf16>"], """
                 %p = arith.mulf %in0, %in1 : f16
                 %s = arith.addf %p, %in0 : f16
                 %q = arith.divf %s, %in1 : f16""", "%q")),
        {"floats": [random(13, dtype=F16), random(13, dtype=F16, seed=2)],
         "large": [distinct(13, dtype=F16) * F16(1000), distinct(13, dtype=F16, first=1)]},
        lambda x, y: (x * y + x) / y),
    Case(
        "rounds_each_op_bf16_dynamic",
        "Every operation rounds to bf16.",
        main("%x: tensor<?xbf16>, %y: tensor<?xbf16>", "%r: tensor<?xbf16>",
             dim("%n", "%x", "tensor<?xbf16>", 0),
             pointwise("%r", "tensor<?xbf16>", ["%x: tensor<?xbf16>", "%y: tensor<?xbf16>"], """
                 %p = arith.mulf %in0, %in1 : bf16
                 %s = arith.addf %p, %in0 : bf16
                 %q = arith.divf %s, %in1 : bf16""", "%q", "%n")),
        per_row(lambda n: [random(n, dtype=BF16), random(n, dtype=BF16, seed=2)]),
        lambda x, y: (x * y + x) / y),
    Case(
        "softsign_f64",
        "A body of f64 operations that are all correctly rounded.",
        main("%x: tensor<13xf64>", "%r: tensor<13xf64>",
             pointwise("%r", "tensor<13xf64>", ["%x: tensor<13xf64>"], """
                 %one = arith.constant 1.0 : f64
                 %square = arith.mulf %in0, %in0 : f64
                 %s = arith.addf %square, %one : f64
                 %root = math.sqrt %s : f64
                 %q = arith.divf %in0, %root : f64""", "%q")),
        {"floats": [random(13, dtype=F64)], "special": [np.resize(np.array([NAN, INF, -INF, -0.0, 1e300]), 13)]},
        lambda x: x / np.sqrt(x * x + 1)),
    Case(
        "gelu_dynamic",
        "The exact gelu as torch-mlir emits it.",
        main("%x: tensor<?x5xf32>", "%r: tensor<?x5xf32>",
             ROWS_OF_X,
             pointwise("%r", "tensor<?x5xf32>", ["%x: tensor<?x5xf32>"], """
                 %half = arith.constant 5.000000e-01 : f32
                 %one = arith.constant 1.000000e+00 : f32
                 %root = arith.constant 0.707106769 : f32
                 %scaled = arith.mulf %in0, %root : f32
                 %erf = math.erf %scaled : f32
                 %plus = arith.addf %erf, %one : f32
                 %x_half = arith.mulf %in0, %half : f32
                 %r = arith.mulf %x_half, %plus : f32""", "%r", "%n")),
        per_row(lambda n: [random(n, 5, low=-4, high=4)]),
        gelu),
    Case(
        "extract_in_body_embedding",
        "The body extracts rows of a table by i64 indices.",
        main("%table: tensor<13x5xf32>, %ids: tensor<2x3xi64>", "%r: tensor<2x3x5xf32>",
             pointwise("%r", "tensor<2x3x5xf32>", ["%ids: tensor<2x3xi64> ij"], """
                 %row = arith.index_cast %in0 : i64 to index
                 %k = linalg.index 2 : index
                 %v = tensor.extract %table[%row, %k] : tensor<13x5xf32>""", "%v")),
        {"rows": [distinct(13, 5), np.array([[12, 0, 3], [3, 7, 11]])]},
        lambda table, ids: table[ids]),
    Case(
        "extract_in_body_dynamic",
        "Like an embedding, but table and number of rows are dynamic, and negative indices count from the end.",
        main("%table: tensor<?x5xf32>, %ids: tensor<?xi64>", "%r: tensor<?x5xf32>",
             dim("%n", "%ids", "tensor<?xi64>", 0),
             dim("%rows", "%table", "tensor<?x5xf32>", 0),
             "%rows_int = arith.index_cast %rows : index to i64",
             pointwise("%r", "tensor<?x5xf32>", ["%ids: tensor<?xi64> i"], """
                 %zero = arith.constant 0 : i64
                 %negative = arith.cmpi slt, %in0, %zero : i64
                 %wrapped = arith.addi %in0, %rows_int : i64
                 %id = arith.select %negative, %wrapped, %in0 : i64
                 %row = arith.index_cast %id : i64 to index
                 %j = linalg.index 1 : index
                 %v = tensor.extract %table[%row, %j] : tensor<?x5xf32>""", "%v", "%n")),
        {"n0": [distinct(0, 5), distinct(0, dtype=I64)],
         "n1": [distinct(1, 5), np.array([-1])],
         "n7": [distinct(13, 5), np.array([0, -1, 5, 5, 12, -13, 6])]},
        lambda table, ids: table[ids]),
]
