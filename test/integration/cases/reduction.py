"""linalg.generic with reduction loops: what is reduced, from what start, in which order."""

from .arrays import *
from .case import *


def reduction(name, about, op, start, dtype, expected, loops="ij", reductions="j", map="ij", shape=(7, 5), inputs=None):
    """A case that folds one input by `op`, such as "arith.addf", from a constant, into the loops that are left."""
    kept = [it for it in loops if it not in reductions]
    type = type_of(np.empty(shape, dtype))
    result = type_of(np.empty([shape[map.index(it)] for it in kept], dtype))
    text = main(f"%x: {type}", f"%r: {result}",
                fill("%start", result, start),
                generic("%r", loops, reductions, [f"%x: {type} {map}"], [f"%start: {result} {''.join(kept)}"],
                        f"%v = {op} %out0, %in0 : {element(type)}", "%v"))
    return Case(name, about, text, inputs or {"integers": [distinct(*shape, dtype=dtype)]}, expected)


def max_with_index(x):
    """As the body below does it: the index changes only where a greater value comes."""
    best, place = np.full(x.shape[:-1], -INF, x.dtype), np.zeros(x.shape[:-1], I64)
    for at in range(x.shape[-1]):
        place = np.where(x[..., at] > best, at, place)
        best = maximumf(x[..., at], best)
    return best, place


MAX_WITH_INDEX = """
    %at_index = linalg.index 1 : index
    %at = arith.index_cast %at_index : index to i64
    %best = arith.maximumf %in0, %out0 : f32
    %more = arith.cmpf ogt, %in0, %out0 : f32
    %best_at = arith.select %more, %at, %out1 : i64"""


def max_with_index_text(used):
    """softmax's maximum as torch-mlir emits it; `used` are the results that the function returns."""
    return main("%x: tensor<7x5xf32>", used,
                fill("%zero", "tensor<7xi64>", "0"),
                fill("%lowest", "tensor<7xf32>", "0xFF800000"),
                generic("%max, %place", "ij", "j", ["%x: tensor<7x5xf32> ij"],
                        ["%lowest: tensor<7xf32> i", "%zero: tensor<7xi64> i"], MAX_WITH_INDEX, "%best, %best_at"))


TIES = np.array([[1, 3, 2, 3, 1], [-5, -5, -5, -5, -5], [-INF, -INF, -INF, -INF, -INF], [NAN, 1, 2, 0, 1],
                 [1, NAN, 2, 7, 5], [-0.0, 0.0, -0.0, 0.0, -1], [5, 4, 3, 2, 9]], F32)


CASES = [
    reduction("sum_last", "A sum over the last dimension, started by a fill.", "arith.addf", "0.0", F32,
              lambda x: total(x, 1), inputs={"integers": [distinct(7, 5)], "floats": [random(7, 5)]}),
    reduction("sum_first", "A sum over the first dimension; the reduction loop is the inner one.",
              "arith.addf", "0.0", F32, lambda x: total(x, 0), map="ji", shape=(5, 7),
              inputs={"integers": [distinct(5, 7)], "floats": [random(5, 7)]}),
    reduction("sum_first_reduction_outermost", "A sum over the first dimension; the reduction loop is the outer one.",
              "arith.addf", "0.0", F32, lambda x: total(x, 0), reductions="i", inputs={"floats": [random(7, 5)]}),
    reduction("sum_middle", "A sum over the middle dimension.", "arith.addf", "0.0", F32,
              lambda x: total(x, 1), loops="ijk", reductions="j", map="ijk", shape=(3, 7, 2)),
    reduction("sum_first_and_last", "A sum over two dimensions that are not adjacent.", "arith.addf", "0.0", F32,
              lambda x: total(x, (0, 2)), loops="ijk", reductions="ik", map="ijk", shape=(3, 7, 2),
              inputs={"floats": [random(3, 7, 2)]}),
    reduction("sum_last_two_reordered", "A sum whose reduction loops have another order than the dimensions.",
              "arith.addf", "0.0", F32, lambda x: total(x, (2, 1)), loops="ijk", reductions="jk", map="ikj",
              shape=(3, 7, 5), inputs={"floats": [random(3, 7, 5)]}),
    reduction("sum_all", "A sum over all dimensions into a 0-d result.", "arith.addf", "0.0", F32,
              lambda x: total(x, (0, 1)), reductions="ij",
              inputs={"integers": [distinct(7, 5)], "floats": [random(7, 5)]}),
    reduction("sum_all_f64", "A sum in f64.", "arith.addf", "0.0", F64,
              lambda x: total(x, (0, 1)), reductions="ij", inputs={"floats": [random(7, 5, dtype=F64)]}),
    reduction("sum_f16", "A sum that rounds to f16 after each step.", "arith.addf", "0.0", F16,
              lambda x: total(x, 1), shape=(3, 31), inputs={"floats": [random(3, 31, dtype=F16, low=0, high=100)]}),
    reduction("sum_bf16", "A sum that rounds to bf16 after each step.", "arith.addf", "0.0", BF16,
              lambda x: total(x, 1), shape=(3, 31), inputs={"floats": [random(3, 31, dtype=BF16, low=0)]}),
    reduction("sum_i8_wraps", "A sum in i8, which wraps.", "arith.addi", "0", I8,
              lambda x: total(x, 1), inputs={"integers": [distinct(7, 5, dtype=I8, first=60)]}),
    reduction("product_i32", "A product.", "arith.muli", "1", I32, lambda x: np.prod(x, 1, dtype=I32)),
    reduction("product_f32", "A product.", "arith.mulf", "1.0", F32,
              lambda x: fold(np.multiply, 1, x, 1), inputs={"floats": [random(7, 5)]}),
    reduction("maximum_f32", "A maximum that starts from -inf; a NaN is propagated.", "arith.maximumf", "0xFF800000", F32,
              lambda x: fold(maximumf, -INF, x, 1), inputs={"integers": [distinct(7, 5)], "special": [TIES]}),
    reduction("minimum_f16", "A minimum that starts from +inf.", "arith.minimumf", "0x7C00", F16,
              lambda x: fold(minimumf, INF, x, 1)),
    reduction("maxnum_bf16", "A maximum that ignores NaN.", "arith.maxnumf", "0xFF80", BF16,
              lambda x: fold(np.fmax, -INF, x, 1),
              inputs={"special": [np.array([[NAN, 1, 2, 0, 1], [1, NAN, 2, 7, 5], [NAN] * 5] * 2 + [[0] * 5], BF16)]}),
    reduction("minnum_f64", "A minimum that ignores NaN.", "arith.minnumf", "0x7FF0000000000000", F64,
              lambda x: fold(np.fmin, INF, x, 1),
              inputs={"special": [np.array([[NAN, 1, 2, 0, 1], [1, NAN, 2, 7, 5], [NAN] * 5] * 2 + [[0] * 5], F64)]}),
    reduction("maximum_i32", "A signed maximum.", "arith.maxsi", "-2147483648", I32, lambda x: x.max(1)),
    reduction("minimum_i64", "A signed minimum.", "arith.minsi", "9223372036854775807", I64, lambda x: x.min(1)),
    reduction("maximum_unsigned_i8", "An unsigned maximum.", "arith.maxui", "0", I8,
              lambda x: x.view(np.uint8).max(1).view(I8)),
    reduction("minimum_unsigned_i32", "An unsigned minimum.", "arith.minui", "-1", I32,
              lambda x: x.view(np.uint32).min(1).view(I32)),
    reduction("and_i32", "Bitwise and.", "arith.andi", "-1", I32, lambda x: np.bitwise_and.reduce(x, 1),
              inputs={"integers": [distinct(7, 5, dtype=I32) * 77]}),
    reduction("or_i64", "Bitwise or.", "arith.ori", "0", I64, lambda x: np.bitwise_or.reduce(x, 1),
              inputs={"integers": [distinct(7, 5, dtype=I64) * 2**33]}),
    reduction("xor_i8", "Bitwise exclusive or.", "arith.xori", "0", I8, lambda x: np.bitwise_xor.reduce(x, 1)),
    reduction("all_i1", "A logical and over all elements.", "arith.andi", "true", I1, lambda x: x.all(1),
              inputs={"bits": [np.tril(np.ones((7, 5), I1))]}),
    reduction("any_i1", "A logical or over all elements.", "arith.ori", "false", I1, lambda x: x.any(1),
              inputs={"bits": [np.triu(np.ones((7, 5), I1))]}),
    reduction("subtract_all", "The accumulator minus the input.", "arith.subf", "0.0", F32,
              lambda x: fold(np.subtract, 0, x, 1)),
    Case(
        "alternating_difference",
        "The input minus the accumulator: neither associative nor commutative.",
        main("%x: tensor<7x5xf32>", "%r: tensor<7xf32>",
             fill("%zero", "tensor<7xf32>", "0.0"),
             generic("%r", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%zero: tensor<7xf32> i"],
                     "%s = arith.subf %in0, %out0 : f32", "%s")),
        {"integers": [distinct(7, 5)]},
        lambda x: fold(lambda before, now: now - before, 0, x, 1)),
    reduction("sum_from_non_identity", "A sum that starts from a fill of 10.", "arith.addf", "10.0", F32,
              lambda x: total(x, 1, 10)),
    Case(
        "sum_dynamic",
        "A sum with both sizes dynamic; over an empty dimension the result is the start value.",
        main("%x: tensor<?x?xf32>", "%r: tensor<?xf32>",
             dim("%n", "%x", "tensor<?x?xf32>", 0),
             fill("%zero", "tensor<?xf32>", "0.0", "%n"),
             generic("%r", "ij", "j", ["%x: tensor<?x?xf32> ij"], ["%zero: tensor<?xf32> i"],
                     "%s = arith.addf %in0, %out0 : f32", "%s")),
        {f"n{n}_m{m}": [random(n, m)] for n, m in [(0, 3), (3, 0), (1, 1), (7, 13)]},
        lambda x: total(x, 1)),
    Case(
        "maximum_dynamic_all",
        "A maximum over all dimensions of a dynamic tensor; an empty one gives the start value.",
        main("%x: tensor<?x5xi32>", "%r: tensor<i32>",
             fill("%start", "tensor<i32>", "-100"),
             generic("%r", "ij", "ij", ["%x: tensor<?x5xi32> ij"], ["%start: tensor<i32>"],
                     "%s = arith.maxsi %in0, %out0 : i32", "%s")),
        {f"n{n}": [distinct(n, 5, dtype=I32)] for n in (0, 1, 13)},
        lambda x: x.max(initial=-100)),
    Case(
        "sum_empty_static",
        "A reduction over a static size of zero.",
        main("%x: tensor<3x0xf32>", "%r: tensor<3xf32>",
             fill("%start", "tensor<3xf32>", "2.5"),
             generic("%r", "ij", "j", ["%x: tensor<3x0xf32> ij"], ["%start: tensor<3xf32> i"],
                     "%s = arith.addf %in0, %out0 : f32", "%s")),
        {"empty": [distinct(3, 0)]},
        lambda x: np.full(3, 2.5, F32)),
    Case(
        "sum_onto_argument",
        "A reduction that starts from an argument; the argument keeps its contents and is returned.",
        main("%x: tensor<7x5xf32>, %start: tensor<7xf32>", "%r: tensor<7xf32>, %start: tensor<7xf32>",
             generic("%r", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%start: tensor<7xf32> i"],
                     "%s = arith.addf %out0, %in0 : f32", "%s")),
        {"integers": [distinct(7, 5), distinct(7, first=100)]},
        lambda x, start: (total(x, 1, start), start)),
    Case(
        "sum_onto_argument_dynamic",
        "A reduction that starts from an argument, dynamic.",
        main("%x: tensor<?x?xi64>, %start: tensor<?xi64>", "%r: tensor<?xi64>",
             generic("%r", "ij", "j", ["%x: tensor<?x?xi64> ij"], ["%start: tensor<?xi64> i"],
                     "%s = arith.addi %out0, %in0 : i64", "%s")),
        {f"n{n}_m{m}": [distinct(n, m, dtype=I64), distinct(n, dtype=I64, first=100)]
         for n, m in [(0, 3), (3, 0), (1, 1), (7, 13)]},
        lambda x, start: start + x.sum(1)),
    Case(
        "sum_onto_computed_start",
        "A reduction that starts from the result of another generic.",
        main("%x: tensor<7x5xf32>, %bias: tensor<7xf32>", "%r: tensor<7xf32>",
             pointwise("%start", "tensor<7xf32>", ["%bias: tensor<7xf32>"], "%s = arith.negf %in0 : f32", "%s"),
             generic("%r", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%start: tensor<7xf32> i"],
                     "%s = arith.addf %out0, %in0 : f32", "%s")),
        {"integers": [distinct(7, 5), distinct(7, first=100)]},
        lambda x, bias: total(x, 1, -bias)),
    Case(
        "sum_onto_scalar_fill",
        "A reduction whose fill value is an argument of the function, not a constant.",
        main("%x: tensor<7x5xf32>, %start: f32", "%r: tensor<7xf32>",
             empty("%e", "tensor<7xf32>"),
             "%f = linalg.fill ins(%start : f32) outs(%e : tensor<7xf32>) -> tensor<7xf32>",
             generic("%r", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%f: tensor<7xf32> i"],
                     "%s = arith.addf %out0, %in0 : f32", "%s")),
        {"integers": [distinct(7, 5), scalar(100, F32)]},
        lambda x, start: total(x, 1, np.full(7, start))),
    Case(
        "sum_onto_dense_constant",
        "A reduction that starts from a constant that is not a splat.",
        main("%x: tensor<3x5xf32>", "%r: tensor<3xf32>",
             constant("%start", "dense<[100.0, 200.0, 300.0]>", "tensor<3xf32>"),
             generic("%r", "ij", "j", ["%x: tensor<3x5xf32> ij"], ["%start: tensor<3xf32> i"],
                     "%s = arith.addf %out0, %in0 : f32", "%s")),
        {"integers": [distinct(3, 5)]},
        lambda x: total(x, 1, np.array([100, 200, 300], F32))),
    Case(
        "fill_shared_by_two_reductions",
        "One fill starts two reductions.",
        main("%x: tensor<7x5xf32>", "%sum: tensor<7xf32>, %max: tensor<7xf32>",
             fill("%zero", "tensor<7xf32>", "0.0"),
             generic("%sum", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%zero: tensor<7xf32> i"],
                     "%s = arith.addf %out0, %in0 : f32", "%s"),
             generic("%max", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%zero: tensor<7xf32> i"],
                     "%s = arith.maximumf %out0, %in0 : f32", "%s")),
        {"integers": [distinct(7, 5)]},
        lambda x: (total(x, 1), fold(maximumf, 0, x, 1))),
    Case(
        "fill_shared_with_reader",
        "One fill starts a reduction, is read by a generic and is returned.",
        main("%x: tensor<7x5xf32>", "%sum: tensor<7xf32>, %d: tensor<7xf32>, %two: tensor<7xf32>",
             fill("%two", "tensor<7xf32>", "2.0"),
             generic("%sum", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%two: tensor<7xf32> i"],
                     "%s = arith.addf %out0, %in0 : f32", "%s"),
             pointwise("%d", "tensor<7xf32>", ["%sum: tensor<7xf32>", "%two: tensor<7xf32>"],
                       "%q = arith.divf %in0, %in1 : f32", "%q")),
        {"integers": [distinct(7, 5)]},
        lambda x: (total(x, 1, 2), total(x, 1, 2) / 2, np.full(7, 2, F32))),
    Case(
        "last_value_wins",
        "A reduction whose body does not read the destination: the last iteration determines the result.",
        main("%x: tensor<7x5xf32>", "%r: tensor<7xf32>",
             fill("%zero", "tensor<7xf32>", "0.0"),
             generic("%r", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%zero: tensor<7xf32> i"], "", "%in0")),
        {"integers": [distinct(7, 5)]},
        lambda x: x[:, -1]),
    Case(
        "decayed_sum",
        "out * 0.5 + in, dynamic: not associative, so the iterations must run in order.",
        main("%x: tensor<3x?xf32>", "%r: tensor<3xf32>",
             fill("%zero", "tensor<3xf32>", "1.0"),
             generic("%r", "ij", "j", ["%x: tensor<3x?xf32> ij"], ["%zero: tensor<3xf32> i"], """
                     %half = arith.constant 0.5 : f32
                     %p = arith.mulf %out0, %half : f32
                     %s = arith.addf %p, %in0 : f32""", "%s")),
        {f"m{m}": [distinct(3, m)] for m in (0, 1, 13)},
        lambda x: fold(lambda before, now: before * F32(0.5) + now, 1, x, 1)),
    Case(
        "weighted_by_index",
        "The body uses the index of the reduction loop.",
        main("%x: tensor<7x5xi64>", "%r: tensor<7xi64>",
             fill("%zero", "tensor<7xi64>", "0"),
             generic("%r", "ij", "j", ["%x: tensor<7x5xi64> ij"], ["%zero: tensor<7xi64> i"], """
                     %j = linalg.index 1 : index
                     %w = arith.index_cast %j : index to i64
                     %p = arith.muli %in0, %w : i64
                     %s = arith.addi %out0, %p : i64""", "%s")),
        {"integers": [distinct(7, 5, dtype=I64)]},
        lambda x: x @ np.arange(5)),
    Case(
        "count_positive",
        "A reduction from f32 to i64 through i1.",
        main("%x: tensor<?x5xf32>", "%r: tensor<?xi64>",
             dim("%n", "%x", "tensor<?x5xf32>", 0),
             fill("%zero", "tensor<?xi64>", "0", "%n"),
             generic("%r", "ij", "j", ["%x: tensor<?x5xf32> ij"], ["%zero: tensor<?xi64> i"], """
                     %limit = arith.constant 0.0 : f32
                     %p = arith.cmpf ogt, %in0, %limit : f32
                     %one = arith.extui %p : i1 to i64
                     %s = arith.addi %out0, %one : i64""", "%s")),
        {f"n{n}": [distinct(n, 5)] for n in (0, 1, 7)},
        lambda x: (x > 0).sum(1)),
    Case(
        "sum_f16_in_f32",
        "The body extends f16 to f32 and adds there.",
        main("%x: tensor<3x31xf16>", "%r: tensor<3xf32>",
             fill("%zero", "tensor<3xf32>", "0.0"),
             generic("%r", "ij", "j", ["%x: tensor<3x31xf16> ij"], ["%zero: tensor<3xf32> i"], """
                     %wide = arith.extf %in0 : f16 to f32
                     %s = arith.addf %out0, %wide : f32""", "%s")),
        {"floats": [random(3, 31, dtype=F16)]},
        lambda x: total(x.astype(F32), 1)),
    Case(
        "sum_f16_through_f32",
        "The body extends to f32, adds and rounds back to f16 in each step.",
        main("%x: tensor<3x31xf16>", "%r: tensor<3xf16>",
             fill("%zero", "tensor<3xf16>", "0.0"),
             generic("%r", "ij", "j", ["%x: tensor<3x31xf16> ij"], ["%zero: tensor<3xf16> i"], """
                     %wide = arith.extf %in0 : f16 to f32
                     %before = arith.extf %out0 : f16 to f32
                     %square = arith.mulf %wide, %wide : f32
                     %s = arith.addf %before, %square : f32
                     %narrow = arith.truncf %s : f32 to f16""", "%narrow")),
        {"floats": [random(3, 31, dtype=F16)]},
        lambda x: fold(lambda before, now: (before.astype(F32) + now.astype(F32) * now.astype(F32)).astype(F16),
                       0, x, 1)),
    Case(
        "reduce_max_with_index",
        "Maximum and its index as torch-mlir emits them; ties keep the first index, a NaN is propagated.",
        max_with_index_text("%max: tensor<7xf32>, %place: tensor<7xi64>"),
        {"integers": [distinct(7, 5)], "special": [TIES]},
        max_with_index),
    Case(
        "reduce_max_with_dead_index",
        "Maximum and index, of which only the maximum is used.",
        max_with_index_text("%max: tensor<7xf32>"),
        {"integers": [distinct(7, 5)], "special": [TIES]},
        lambda x: max_with_index(x)[0]),
    Case(
        "reduce_max_with_index_only",
        "Maximum and index, of which only the index is used.",
        max_with_index_text("%place: tensor<7xi64>"),
        {"special": [TIES]},
        lambda x: max_with_index(x)[1]),
    Case(
        "reduce_max_with_index_dynamic",
        "Maximum and index with both sizes dynamic, over the first dimension.",
        main("%x: tensor<?x?xf32>", "%max: tensor<?xf32>, %place: tensor<?xi64>",
             dim("%m", "%x", "tensor<?x?xf32>", 1),
             fill("%zero", "tensor<?xi64>", "0", "%m"),
             fill("%lowest", "tensor<?xf32>", "0xFF800000", "%m"),
             generic("%max, %place", "ij", "j", ["%x: tensor<?x?xf32> ji"],
                     ["%lowest: tensor<?xf32> i", "%zero: tensor<?xi64> i"], MAX_WITH_INDEX, "%best, %best_at")),
        {f"n{n}_m{m}": [distinct(n, m)] for n, m in [(0, 3), (1, 1), (7, 5)]},
        lambda x: max_with_index(x.T)),
    Case(
        "sum_and_sum_of_squares",
        "Two sums of one input in one generic.",
        main("%x: tensor<7x5xf32>", "%sum: tensor<7xf32>, %squares: tensor<7xf32>",
             fill("%zero", "tensor<7xf32>", "0.0"),
             generic("%sum, %squares", "ij", "j", ["%x: tensor<7x5xf32> ij"],
                     ["%zero: tensor<7xf32> i", "%zero: tensor<7xf32> i"], """
                     %s = arith.addf %out0, %in0 : f32
                     %p = arith.mulf %in0, %in0 : f32
                     %q = arith.addf %out1, %p : f32""", "%s, %q")),
        {"integers": [distinct(7, 5)], "floats": [random(7, 5)]},
        lambda x: (total(x, 1), total(x * x, 1))),
    Case(
        "fibonacci_like_pair",
        "Two results of one reduction, each of which needs the other one's last value.",
        main("%x: tensor<3x5xi64>", "%a: tensor<3xi64>, %b: tensor<3xi64>",
             fill("%zero", "tensor<3xi64>", "0"),
             fill("%one", "tensor<3xi64>", "1"),
             generic("%a, %b", "ij", "j", ["%x: tensor<3x5xi64> ij"],
                     ["%zero: tensor<3xi64> i", "%one: tensor<3xi64> i"],
                     "%s = arith.addi %out0, %out1 : i64\n%t = arith.addi %s, %in0 : i64", "%out1, %t")),
        {"integers": [distinct(3, 5, dtype=I64)]},
        lambda x: tuple(fold(lambda pair, now: np.stack([pair[1], pair[0] + pair[1] + now]),
                             np.array([[0] * 3, [1] * 3]), x, 1))),
    Case(
        "sum_of_broadcast_product",
        "Inputs of different ranks under one reduction.",
        main("%x: tensor<7x5xf32>, %w: tensor<5xf32>, %s: f32", "%r: tensor<7xf32>",
             fill("%zero", "tensor<7xf32>", "0.0"),
             generic("%r", "ij", "j", ["%x: tensor<7x5xf32> ij", "%w: tensor<5xf32> j", "%s: f32"],
                     ["%zero: tensor<7xf32> i"], """
                     %p = arith.mulf %in0, %in1 : f32
                     %q = arith.mulf %p, %in2 : f32
                     %t = arith.addf %out0, %q : f32""", "%t")),
        {"floats": [random(7, 5), random(5, seed=2), scalar(0.3, F32)]},
        lambda x, w, s: total(x * w * s, 1)),
    Case(
        "sliding_window_sum_dynamic",
        "A map that adds two loops; the size of the window comes from a tensor.empty.",
        main("%x: tensor<?xf32>", "%r: tensor<?xf32>",
             dim("%n", "%x", "tensor<?xf32>", 0),
             constant("%two", "2"),
             "%m = arith.subi %n, %two : index",
             empty("%window", "tensor<3xf32>"),
             fill("%zero", "tensor<?xf32>", "0.0", "%m"),
             generic("%r", "ik", "k", ["%x: tensor<?xf32> i + k", "%window: tensor<3xf32> k"],
                     ["%zero: tensor<?xf32> i"], "%s = arith.addf %out0, %in0 : f32", "%s")),
        {f"n{n}": [random(n)] for n in (2, 3, 13)},
        lambda x: total(windows(x, [3]), 1)),
    Case(
        "reduction_feeds_reduction",
        "A sum of sums, with a generic between them.",
        main("%x: tensor<3x7x5xf32>", "%b: tensor<3xf32>",
             fill("%zero_a", "tensor<3x7xf32>", "0.0"),
             generic("%a", "ijk", "k", ["%x: tensor<3x7x5xf32> ijk"], ["%zero_a: tensor<3x7xf32> ij"],
                     "%s = arith.addf %out0, %in0 : f32", "%s"),
             pointwise("%p", "tensor<3x7xf32>", ["%a: tensor<3x7xf32>"], "%s = math.absf %in0 : f32", "%s"),
             fill("%zero_b", "tensor<3xf32>", "0.0"),
             generic("%b", "ij", "j", ["%p: tensor<3x7xf32> ij"], ["%zero_b: tensor<3xf32> i"],
                     "%s = arith.addf %out0, %in0 : f32", "%s")),
        {"floats": [random(3, 7, 5)]},
        lambda x: total(np.abs(total(x, 2)), 1)),
]
