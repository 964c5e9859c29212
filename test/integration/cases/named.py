"""The named ops of linalg."""

from .arrays import *
from .case import *


def named(name, about, op, ins, outs, expected, variants, start=None, attributes=""):
    """A case of one op on arguments of the types `ins`, onto a fill of `start` or else onto one more argument."""
    arguments = [f"%x{i}: {it}" for i, it in enumerate(ins)]
    head = [fill("%start", outs, start)] if start is not None else []
    arguments_of_function = arguments + ([] if head else [f"%start: {outs}"])
    names = ", ".join(it.split(": ")[0] for it in arguments)
    line = f"%r = linalg.{op} {attributes} ins({names} : {', '.join(ins)}) outs(%start : {outs}) -> {outs}"
    return Case(name, about, main(", ".join(arguments_of_function), f"%r: {outs}", *head, line.replace("  ", " ")),
                variants, expected)


def maps(loops, *results):
    return f"indexing_maps = [{', '.join(affine_map(loops, it) for it in results)}]"


def matmul_variant(name, about, op, loops, results, shapes, expected, dtype=F32):
    a, b, c = (type_of(np.empty(shape, dtype)) for shape in shapes)
    return named(name, about, op, [a, b], c, expected,
                 {"integers": [distinct(*shapes[0], dtype=dtype), distinct(*shapes[1], dtype=dtype)]},
                 "0.0", maps(loops, *results))


def window(strides, dilations):
    listed = lambda values: f"dense<[{', '.join(map(str, values))}]> : tensor<{len(values)}xi64>"
    return f"{{dilations = {listed(dilations)}, strides = {listed(strides)}}}"


def conv_nchw_fchw(x, w, start=0, strides=(1, 1), dilations=(1, 1)):
    """Sums over (c, kh, kw) in that order."""
    seen = windows(x, w.shape[2:], strides, dilations)
    terms = np.einsum("nchwij->cijnhw", seen)[:, :, :, :, None] * np.einsum("fcij->cijf", w)[:, :, :, None, :, None, None]
    return total(terms, (0, 1, 2), start)


def conv_nhwc_hwcf(x, w, start=0, strides=(1, 1), dilations=(1, 1)):
    """Sums over (kh, kw, c) in that order."""
    seen = windows(x.transpose(0, 3, 1, 2), w.shape[:2], strides, dilations)
    terms = np.einsum("nchwij->ijcnhw", seen)[..., None] * w[:, :, :, None, None, None, :]
    return total(terms, (0, 1, 2), start)


def depthwise_nchw(x, w):
    seen = windows(x, w.shape[1:])
    return total(np.einsum("nchwij->ijnchw", seen) * np.einsum("cij->ijc", w)[:, :, None, :, None, None], (0, 1))


def pool(step, start, strides=(1, 1), dilations=(1, 1), channels_last=False):
    def expected(x, kernel):
        x = x.transpose(0, 3, 1, 2) if channels_last else x
        pooled = fold(step, start, windows(x, kernel.shape, strides, dilations), (4, 5))
        return pooled.transpose(0, 2, 3, 1) if channels_last else pooled

    return expected


def named_elementwise(name, about, ops, dtype, inputs):
    """All of `ops`, from the op to the NumPy function, one result for each."""
    shape = inputs[0].shape
    tensor = type_of(np.empty(shape, dtype))
    arguments = [f"%x{i}: {type_of(it)}" for i, it in enumerate(inputs)]
    operands = f"{', '.join(f'%x{i}' for i in range(len(inputs)))} : {', '.join(type_of(it) for it in inputs)}"
    lines = [f"{empty(f'%e{i}', tensor)}\n%r{i} = linalg.{op} ins({operands}) outs(%e{i} : {tensor}) -> {tensor}"
             for i, op in enumerate(ops)]
    return Case(name, about, main(", ".join(arguments), ", ".join(f"%r{i}: {tensor}" for i in range(len(ops))), *lines),
                {"values": inputs}, lambda *x: tuple(it(*x) for it in ops.values()))


FLOAT_UNARY = {
    "exp": rounded(np.exp),
    "log": rounded(np.log),
    "abs": np.abs,
    "ceil": np.ceil,
    "floor": np.floor,
    "negf": np.negative,
    "reciprocal": lambda x: 1 / x,
    "round": rounded(round_half_away),
    "sqrt": np.sqrt,
    "rsqrt": rounded(lambda x: 1 / np.sqrt(x)),
    "square": lambda x: x * x,
    "tanh": rounded(np.tanh),
    "erf": rounded(erf),
}
FLOAT_BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": maximumf,
                "min": minimumf, "powf": rounded(np.power)}
INTEGER_BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": divsi, "max": np.maximum,
                  "min": np.minimum, "div_unsigned": unsigned(np.floor_divide)}
# max and min compare with sign, and the sign of true is -1.
BOOLEAN = {"add": np.logical_or, "mul": np.logical_and, "max": np.logical_and, "min": np.logical_or}
KINDS = {"negf": np.negative, "exp": rounded(np.exp), "square": lambda x: x * x}


def kind(name):
    return f"elementwise kind=#linalg.elementwise_kind<{name}>"


CASES = [
    named("matmul_static", "matmul onto a fill.", "matmul", ["tensor<7x5xf32>", "tensor<5x3xf32>"], "tensor<7x3xf32>",
          product, {"integers": [distinct(7, 5), distinct(5, 3)], "floats": [random(7, 5), random(5, 3, seed=2)]}, "0.0"),
    named("matmul_accumulates", "matmul onto an argument.", "matmul", ["tensor<7x5xf32>", "tensor<5x3xf32>"],
          "tensor<7x3xf32>", product, {"floats": [random(7, 5), random(5, 3, seed=2), random(7, 3, seed=3)]}),
    Case(
        "matmul_dynamic",
        "matmul with all sizes dynamic; an empty sum is zero.",
        main("%a: tensor<?x?xf32>, %b: tensor<?x?xf32>", "%c: tensor<?x?xf32>",
             dim("%m", "%a", "tensor<?x?xf32>", 0),
             dim("%n", "%b", "tensor<?x?xf32>", 1),
             fill("%zero", "tensor<?x?xf32>", "0.0", "%m, %n"),
             "%c = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%zero : tensor<?x?xf32>)"
             " -> tensor<?x?xf32>"),
        {f"m{m}_n{n}_k{k}": [random(m, k), random(k, n, seed=2)]
         for m, n, k in [(0, 3, 2), (3, 2, 0), (1, 1, 1), (7, 5, 13)]},
        product),
    named("matmul_f64", "matmul in f64.", "matmul", ["tensor<3x5xf64>", "tensor<5x2xf64>"], "tensor<3x2xf64>",
          product, {"floats": [random(3, 5, dtype=F64), random(5, 2, dtype=F64, seed=2)]}, "0.0"),
    named("matmul_f16", "matmul in f16, rounded after each step.", "matmul", ["tensor<7x13xf16>", "tensor<13x3xf16>"],
          "tensor<7x3xf16>", product, {"floats": [random(7, 13, dtype=F16), random(13, 3, dtype=F16, seed=2)]}, "0.0"),
    named("matmul_bf16", "matmul in bf16, rounded after each step.", "matmul",
          ["tensor<7x13xbf16>", "tensor<13x3xbf16>"], "tensor<7x3xbf16>", product,
          {"floats": [random(7, 13, dtype=BF16), random(13, 3, dtype=BF16, seed=2)]}, "0.0"),
    named("matmul_i32", "matmul in i32.", "matmul", ["tensor<7x5xi32>", "tensor<5x3xi32>"], "tensor<7x3xi32>",
          np.matmul, {"integers": [distinct(7, 5, dtype=I32), distinct(5, 3, dtype=I32)]}, "0"),
    named("matmul_i8_to_i32", "matmul that extends i8 to i32.", "matmul", ["tensor<7x5xi8>", "tensor<5x3xi8>"],
          "tensor<7x3xi32>", lambda a, b: a.astype(I32) @ b.astype(I32),
          {"integers": [distinct(7, 5, dtype=I8) * I8(7), distinct(5, 3, dtype=I8) * I8(16)]}, "0"),
    named("matmul_unsigned_i8_to_i32", "matmul that zero-extends i8.", "matmul",
          ["tensor<7x5xi8>", "tensor<5x3xi8>"], "tensor<7x3xi32>",
          lambda a, b: a.view(np.uint8).astype(I32) @ b.view(np.uint8).astype(I32),
          {"integers": [distinct(7, 5, dtype=I8), distinct(5, 3, dtype=I8)]}, "0",
          "{cast = #linalg.type_fn<cast_unsigned>}"),
    named("matmul_f16_to_f32", "matmul that extends f16 to f32.", "matmul", ["tensor<7x5xf16>", "tensor<5x3xf16>"],
          "tensor<7x3xf32>", lambda a, b: product(a.astype(F32), b.astype(F32)),
          {"floats": [random(7, 5, dtype=F16), random(5, 3, dtype=F16, seed=2)]}, "0.0"),
    matmul_variant("matmul_transposed_a", "matmul whose first operand is transposed.", "matmul", "mnk",
                   ("km", "kn", "mn"), [(5, 7), (5, 3), (7, 3)], lambda a, b: product(a.T, b)),
    matmul_variant("matmul_transposed_b", "matmul whose second operand is transposed.", "matmul", "mnk",
                   ("mk", "nk", "mn"), [(7, 5), (3, 5), (7, 3)], lambda a, b: product(a, b.T)),
    matmul_variant("matmul_broadcast_a", "matmul whose first operand is a vector for all rows.", "matmul", "mnk",
                   ("k", "kn", "mn"), [(5,), (5, 3), (7, 3)], lambda a, b: np.tile(a @ b, (7, 1))),
    matmul_variant("batch_matmul_transposed_b", "batch_matmul whose second operand is transposed.", "batch_matmul",
                   "bmnk", ("bmk", "bnk", "bmn"), [(2, 7, 5), (2, 3, 5), (2, 7, 3)],
                   lambda a, b: a @ b.transpose(0, 2, 1)),
    matmul_variant("contract_two_reductions", "contract over two loops, with a batch inside and a permuted result.",
                   "contract", "abcde", ("eacd", "ecbd", "bea"), [(2, 3, 5, 2), (2, 5, 7, 2), (7, 2, 3)],
                   lambda x, y: np.einsum("eacd,ecbd->bea", x, y)),
    Case(
        "batch_matmul_dynamic",
        "batch_matmul with a dynamic batch.",
        main("%a: tensor<?x7x5xf32>, %b: tensor<?x5x3xf32>", "%c: tensor<?x7x3xf32>",
             dim("%n", "%a", "tensor<?x7x5xf32>", 0),
             fill("%zero", "tensor<?x7x3xf32>", "0.0", "%n"),
             "%c = linalg.batch_matmul ins(%a, %b : tensor<?x7x5xf32>, tensor<?x5x3xf32>)"
             " outs(%zero : tensor<?x7x3xf32>) -> tensor<?x7x3xf32>"),
        {f"n{n}": [distinct(n, 7, 5), distinct(n, 5, 3)] for n in (0, 1, 3)},
        product),
    named("batch_reduce_matmul", "A sum of matrix products.", "batch_reduce_matmul",
          ["tensor<2x7x5xf32>", "tensor<2x5x3xf32>"], "tensor<7x3xf32>", lambda a, b: (a @ b).sum(0),
          {"integers": [distinct(2, 7, 5), distinct(2, 5, 3)]}, "0.0"),
    named("matvec", "matvec.", "matvec", ["tensor<7x5xf32>", "tensor<5xf32>"], "tensor<7xf32>",
          np.matmul, {"integers": [distinct(7, 5), distinct(5)]}, "0.0"),
    named("vecmat_bf16", "vecmat in bf16.", "vecmat", ["tensor<5xbf16>", "tensor<5x7xbf16>"], "tensor<7xbf16>",
          lambda x, w: product(x[None], w)[0],
          {"floats": [random(5, dtype=BF16), random(5, 7, dtype=BF16, seed=2)]}, "0.0"),
    named("batch_matvec_i64", "batch_matvec in i64.", "batch_matvec", ["tensor<2x7x5xi64>", "tensor<2x5xi64>"],
          "tensor<2x7xi64>", lambda a, b: np.einsum("bmk,bk->bm", a, b),
          {"integers": [distinct(2, 7, 5, dtype=I64), distinct(2, 5, dtype=I64)]}, "0"),
    named("dot_f16", "dot into a 0-d result.", "dot", ["tensor<13xf16>", "tensor<13xf16>"], "tensor<f16>",
          lambda a, b: total(a * b), {"floats": [random(13, dtype=F16), random(13, dtype=F16, seed=2)]}, "0.0"),
    named("mmt4d", "A product of tiled matrices.", "mmt4d", ["tensor<2x3x5x2xf32>", "tensor<2x3x3x2xf32>"],
          "tensor<2x2x5x3xf32>", lambda a, b: np.einsum("mkab,nkcb->mnac", a, b),
          {"integers": [distinct(2, 3, 5, 2), distinct(2, 3, 3, 2)]}, "0.0"),
    Case(
        "quantized_matmul",
        "matmul of i8 minus the zero points, which are scalars.",
        main("%a: tensor<7x5xi8>, %b: tensor<5x3xi8>, %za: i32, %zb: i32", "%c: tensor<7x3xi32>",
             fill("%zero", "tensor<7x3xi32>", "0"),
             "%c = linalg.quantized_matmul ins(%a, %b, %za, %zb : tensor<7x5xi8>, tensor<5x3xi8>, i32, i32)"
             " outs(%zero : tensor<7x3xi32>) -> tensor<7x3xi32>"),
        {"integers": [distinct(7, 5, dtype=I8), distinct(5, 3, dtype=I8), scalar(3, I32), scalar(-7, I32)]},
        lambda a, b, za, zb: (a.astype(I32) - za) @ (b.astype(I32) - zb)),
    Case(
        "matmul_bias_relu",
        "matmul with bias and relu.",
        main("%a: tensor<7x5xf32>, %b: tensor<5x3xf32>, %bias: tensor<3xf32>", "%r: tensor<7x3xf32>",
             fill("%zero", "tensor<7x3xf32>", "0.0"),
             "%c = linalg.matmul ins(%a, %b : tensor<7x5xf32>, tensor<5x3xf32>) outs(%zero : tensor<7x3xf32>)"
             " -> tensor<7x3xf32>",
             pointwise("%r", "tensor<7x3xf32>", ["%c: tensor<7x3xf32>", "%bias: tensor<3xf32> j"], """
                 %s = arith.addf %in0, %in1 : f32
                 %lowest = arith.constant 0.0 : f32
                 %m = arith.maximumf %s, %lowest : f32""", "%m")),
        {"floats": [random(7, 5), random(5, 3, seed=2), random(3, seed=3)]},
        lambda a, b, bias: np.maximum(product(a, b) + bias, 0)),
    named("fill_argument", "fill of a scalar argument.", "fill", ["f32"], "tensor<7x5xf32>",
          lambda s, start: np.full((7, 5), s), {"value": [scalar(2.5, F32), distinct(7, 5)]}),
    Case(
        "fill_types",
        "fills of several types that are returned directly; one is dynamic.",
        main("%n: index", "%a: tensor<3xf16>, %b: tensor<3xi1>, %c: tensor<?xi64>, %d: tensor<bf16>",
             fill("%a", "tensor<3xf16>", "1.5"), fill("%b", "tensor<3xi1>", "true"),
             fill("%c", "tensor<?xi64>", "-7", "%n"), fill("%d", "tensor<bf16>", "0xFF80")),
        {f"n{n}": [index(n)] for n in (0, 1, 7)},
        lambda n: (np.full(3, 1.5, F16), np.full(3, True), np.full(n, -7), np.array(-INF, BF16))),
    Case(
        "transpose_static",
        "transpose of rank 3.",
        main("%x: tensor<3x7x5xf32>", "%r: tensor<5x3x7xf32>",
             empty("%e", "tensor<5x3x7xf32>"),
             "%r = linalg.transpose ins(%x : tensor<3x7x5xf32>) outs(%e : tensor<5x3x7xf32>) permutation = [2, 0, 1]"),
        {"integers": [distinct(3, 7, 5)]},
        lambda x: x.transpose(2, 0, 1)),
    Case(
        "transpose_dynamic",
        "transpose with both sizes dynamic.",
        main("%x: tensor<?x?xi8>", "%r: tensor<?x?xi8>",
             dim("%n", "%x", "tensor<?x?xi8>", 0),
             dim("%m", "%x", "tensor<?x?xi8>", 1),
             empty("%e", "tensor<?x?xi8>", "%m, %n"),
             "%r = linalg.transpose ins(%x : tensor<?x?xi8>) outs(%e : tensor<?x?xi8>) permutation = [1, 0]"),
        {f"n{n}_m{m}": [distinct(n, m, dtype=I8)] for n, m in [(0, 3), (1, 1), (7, 13)]},
        np.transpose),
    Case(
        "broadcast_named_dynamic",
        "broadcast along a new first and a new last dimension.",
        main("%x: tensor<?xf32>", "%r: tensor<2x?x3xf32>",
             dim("%n", "%x", "tensor<?xf32>", 0),
             empty("%e", "tensor<2x?x3xf32>", "%n"),
             "%r = linalg.broadcast ins(%x : tensor<?xf32>) outs(%e : tensor<2x?x3xf32>) dimensions = [0, 2]"),
        {f"n{n}": [distinct(n)] for n in (0, 1, 7)},
        lambda x: np.tile(x[:, None], (2, 1, 3))),
    Case(
        "broadcast_named_scalar",
        "broadcast of a 0-d tensor.",
        main("%x: tensor<i64>", "%r: tensor<7xi64>",
             empty("%e", "tensor<7xi64>"),
             "%r = linalg.broadcast ins(%x : tensor<i64>) outs(%e : tensor<7xi64>) dimensions = [0]"),
        {"integers": [scalar(5, I64)]},
        lambda x: np.tile(x, 7)),
    Case(
        "reduce_named",
        "reduce over two dimensions, in the short form and in the long form.",
        main("%x: tensor<3x7x5xf32>", "%a: tensor<7xf32>, %b: tensor<7xf32>",
             fill("%zero", "tensor<7xf32>", "0.0"),
             "%a = linalg.reduce { arith.addf } ins(%x : tensor<3x7x5xf32>) outs(%zero : tensor<7xf32>)"
             " dimensions = [0, 2]",
             """
             %b = linalg.reduce ins(%x : tensor<3x7x5xf32>) outs(%zero : tensor<7xf32>) dimensions = [0, 2]
               (%in: f32, %out: f32) {
                 %p = arith.mulf %in, %in : f32
                 %s = arith.addf %out, %p : f32
                 linalg.yield %s : f32
               }"""),
        {"floats": [random(3, 7, 5)]},
        lambda x: (total(x, (0, 2)), total(x * x, (0, 2)))),
    Case(
        "reduce_named_two_inputs",
        "reduce of two inputs of different types into two results.",
        main("%x: tensor<7x5xf32>, %y: tensor<7x5xi32>", "%a: tensor<7xf32>, %b: tensor<7xi32>",
             fill("%zero", "tensor<7xf32>", "0.0"),
             fill("%one", "tensor<7xi32>", "1"),
             """
             %a, %b = linalg.reduce ins(%x, %y : tensor<7x5xf32>, tensor<7x5xi32>)
               outs(%zero, %one : tensor<7xf32>, tensor<7xi32>) dimensions = [1]
               (%in0: f32, %in1: i32, %out0: f32, %out1: i32) {
                 %s = arith.addf %out0, %in0 : f32
                 %p = arith.muli %out1, %in1 : i32
                 linalg.yield %s, %p : f32, i32
               }"""),
        {"integers": [distinct(7, 5), distinct(7, 5, dtype=I32)]},
        lambda x, y: (total(x, 1), np.prod(y, 1, dtype=I32))),
    Case(
        "map_named",
        "map, in the short form and in the long form.",
        main("%x: tensor<7x5xf32>, %y: tensor<7x5xf32>", "%a: tensor<7x5xf32>, %b: tensor<7x5xi1>, %c: tensor<7x5xf32>",
             empty("%e", "tensor<7x5xf32>"),
             empty("%f", "tensor<7x5xi1>"),
             """
             %c = linalg.map { arith.subf } ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%e : tensor<7x5xf32>)
             %a = linalg.map ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%e : tensor<7x5xf32>)
               (%in0: f32, %in1: f32, %out: f32) {
                 %p = arith.mulf %in0, %in1 : f32
                 %s = arith.subf %p, %in0 : f32
                 linalg.yield %s : f32
               }
             %b = linalg.map ins(%x, %y : tensor<7x5xf32>, tensor<7x5xf32>) outs(%f : tensor<7x5xi1>)
               (%in0: f32, %in1: f32, %out: i1) {
                 %l = arith.cmpf ole, %in0, %in1 : f32
                 linalg.yield %l : i1
               }"""),
        {"integers": [distinct(7, 5), -distinct(7, 5)]},
        lambda x, y: (x * y - x, x <= y, x - y)),
    Case(
        "copy_named",
        "copy, also with a conversion and onto an argument.",
        main("%x: tensor<7xf32>, %y: tensor<7xi64>", "%a: tensor<7xf32>, %b: tensor<7xi64>",
             empty("%e", "tensor<7xf32>"),
             "%a = linalg.copy ins(%x : tensor<7xf32>) outs(%e : tensor<7xf32>) -> tensor<7xf32>",
             "%b = linalg.copy ins(%x : tensor<7xf32>) outs(%y : tensor<7xi64>) -> tensor<7xi64>"),
        {"floats": [random(7, high=9), distinct(7, dtype=I64)]},
        lambda x, y: (x, x.astype(I64))),
    named_elementwise("named_float_unary", "All unary named ops on f32.", FLOAT_UNARY, F32,
                      [np.append(random(11, low=0.1, high=4), [INF, 2.5]).astype(F32)]),
    named_elementwise("named_float_binary", "All binary named ops on f32.", FLOAT_BINARY, F32,
                      [np.append(random(11, low=0.1, high=4), [NAN, -0.0]).astype(F32),
                       np.append(random(11, seed=2), [1, 0.0]).astype(F32)]),
    named_elementwise("named_integer_binary", "All binary named ops on i32.", INTEGER_BINARY, I32,
                      [distinct(13, dtype=I32) * 1000000007, distinct(13, dtype=I32, first=1)]),
    named_elementwise("named_boolean", "Binary named ops on i1: add is or, mul is and, max and min treat true as -1.", BOOLEAN, I1,
                      [np.array([False, False, True, True]), np.array([False, True, False, True])]),
    named_elementwise("named_select", "select by a tensor of i1.", {"select": np.where}, F16,
                      [bits(7, 5), distinct(7, 5, dtype=F16), distinct(7, 5, dtype=F16, first=100)]),
    named_elementwise("elementwise_unary", "linalg.elementwise with default maps.",
                      {kind(name): it for name, it in KINDS.items()}, F32, [random(7)]),
    named_elementwise("elementwise_select", "linalg.elementwise with three operands.",
                      {kind("select"): np.where}, I32,
                      [bits(13), distinct(13, dtype=I32), distinct(13, dtype=I32, first=100)]),
    Case(
        "elementwise_maps_dynamic",
        "linalg.elementwise that transposes one operand and broadcasts the other.",
        main("%x: tensor<?x?xf32>, %y: tensor<?xf32>", "%r: tensor<?x?xf32>",
             dim("%m", "%x", "tensor<?x?xf32>", 0),
             dim("%n", "%x", "tensor<?x?xf32>", 1),
             empty("%e", "tensor<?x?xf32>", "%n, %m"),
             f"%r = linalg.{kind('sub')} {maps('ij', 'ji', 'i', 'ij')} ins(%x, %y : tensor<?x?xf32>, tensor<?xf32>)"
             " outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>"),
        {f"m{m}_n{n}": [distinct(m, n), distinct(n, first=100)] for m, n in [(0, 3), (1, 1), (7, 5)]},
        lambda x, y: x.T - y[:, None]),
    named("conv_1d", "conv_1d.", "conv_1d", ["tensor<13xf32>", "tensor<3xf32>"], "tensor<11xf32>",
          lambda x, w: total(windows(x, [3]) * w, 1), {"floats": [random(13), random(3, seed=2)]}, "0.0"),
    named("conv_2d", "conv_2d.", "conv_2d", ["tensor<7x5xi32>", "tensor<3x2xi32>"], "tensor<5x4xi32>",
          lambda x, w: (windows(x, [3, 2]) * w).sum((2, 3), dtype=I32),
          {"integers": [distinct(7, 5, dtype=I32), distinct(3, 2, dtype=I32)]}, "0"),
    named("conv_2d_nchw_fchw", "Convolution with unit strides.", "conv_2d_nchw_fchw",
          ["tensor<2x3x5x7xf32>", "tensor<2x3x2x3xf32>"], "tensor<2x2x4x5xf32>", conv_nchw_fchw,
          {"floats": [random(2, 3, 5, 7), random(2, 3, 2, 3, seed=2)]}, "0.0", window((1, 1), (1, 1))),
    named("conv_2d_nchw_fchw_strides_dilations", "Convolution with strides and dilations that differ, onto an argument.",
          "conv_2d_nchw_fchw", ["tensor<1x2x7x11xf32>", "tensor<3x2x2x3xf32>"], "tensor<1x3x2x3xf32>",
          lambda x, w, start: conv_nchw_fchw(x, w, start, (2, 3), (3, 2)),
          {"integers": [distinct(1, 2, 7, 11), distinct(3, 2, 2, 3), distinct(1, 3, 2, 3, first=1000)]},
          None, window((2, 3), (3, 2))),
    named("conv_2d_nhwc_hwcf", "Convolution with the channels last.", "conv_2d_nhwc_hwcf",
          ["tensor<1x5x7x2xf32>", "tensor<2x3x2x3xf32>"], "tensor<1x2x5x3xf32>",
          lambda x, w: conv_nhwc_hwcf(x, w, strides=(2, 1)),
          {"floats": [random(1, 5, 7, 2), random(2, 3, 2, 3, seed=2)]}, "0.0", window((2, 1), (1, 1))),
    named("conv_2d_f16", "Convolution in f16, rounded after each step.", "conv_2d_nchw_fchw",
          ["tensor<1x2x3x5xf16>", "tensor<2x2x2x2xf16>"], "tensor<1x2x2x4xf16>", conv_nchw_fchw,
          {"floats": [random(1, 2, 3, 5, dtype=F16), random(2, 2, 2, 2, dtype=F16, seed=2)]}, "0.0",
          window((1, 1), (1, 1))),
    named("depthwise_conv_2d_nchw_chw", "Convolution of each channel separately.", "depthwise_conv_2d_nchw_chw",
          ["tensor<2x3x5x7xf32>", "tensor<3x2x3xf32>"], "tensor<2x3x4x5xf32>", depthwise_nchw,
          {"integers": [distinct(2, 3, 5, 7), distinct(3, 2, 3)]}, "0.0", window((1, 1), (1, 1))),
    named("conv_2d_ngchw_gfchw", "Grouped convolution.", "conv_2d_ngchw_gfchw",
          ["tensor<1x2x3x3x4xf32>", "tensor<2x2x3x2x2xf32>"], "tensor<1x2x2x2x3xf32>",
          lambda x, w: np.stack([conv_nchw_fchw(x[:, g], w[g]) for g in range(2)], 1),
          {"integers": [distinct(1, 2, 3, 3, 4), distinct(2, 2, 3, 2, 2)]}, "0.0", window((1, 1), (1, 1))),
    named("pooling_nchw_max", "Maximum of windows, with strides.", "pooling_nchw_max",
          ["tensor<2x2x5x7xf32>", "tensor<2x3xf32>"], "tensor<2x2x2x3xf32>", pool(maximumf, -INF, (2, 2)),
          {"integers": [distinct(2, 2, 5, 7), np.zeros((2, 3), F32)]}, "0xFF800000", window((2, 2), (1, 1))),
    named("pooling_nchw_sum", "Sum of windows, with dilations.", "pooling_nchw_sum",
          ["tensor<1x2x5x7xf32>", "tensor<2x3xf32>"], "tensor<1x2x3x3xf32>", pool(add, 0, dilations=(2, 2)),
          {"floats": [random(1, 2, 5, 7), np.zeros((2, 3), F32)]}, "0.0", window((1, 1), (2, 2))),
    named("pooling_nhwc_min", "Minimum of windows, channels last.", "pooling_nhwc_min",
          ["tensor<1x5x7x2xf32>", "tensor<2x3xf32>"], "tensor<1x4x5x2xf32>", pool(minimumf, INF, channels_last=True),
          {"integers": [distinct(1, 5, 7, 2), np.zeros((2, 3), F32)]}, "0x7F800000", window((1, 1), (1, 1))),
    named("pooling_nhwc_max_unsigned", "Unsigned maximum of windows of i8.", "pooling_nhwc_max_unsigned",
          ["tensor<1x5x7x2xi8>", "tensor<2x3xi8>"], "tensor<1x4x5x2xi8>",
          lambda x, kernel: pool(np.maximum, 0, channels_last=True)(x.view(np.uint8), kernel).view(I8),
          {"integers": [distinct(1, 5, 7, 2, dtype=I8), np.zeros((2, 3), I8)]}, "0", window((1, 1), (1, 1))),
]
