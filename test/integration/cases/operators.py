"""Each scalar operation on each type: one result of the function for one operation."""

from .arrays import *
from .case import *

FLOATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
INTEGERS = {"i8": I8, "i32": I32, "i64": I64}


def special(dtype):
    """13 values at the edges of a type: NaN, infinities, zeros, largest, smallest denormal."""
    tiny = {F16: 6e-8, BF16: 9.2e-41, F32: 1e-45, F64: 5e-324}[dtype]
    large = {F16: 65504, F64: 1.7e308}.get(dtype, 3e38)
    return to_type(np.array([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, large, -large, tiny, -tiny]), dtype)


def pairs(values, others=None):
    """Each value with each other value."""
    others = values if others is None else others
    return [np.repeat(values, len(others)), np.tile(others, len(values))]


def limits(dtype):
    lowest, highest = np.iinfo(dtype).min, np.iinfo(dtype).max
    return np.array([lowest, lowest + 1, -7, -1, 0, 1, 2, 5, highest - 1, highest], dtype)


def all_ops(*functions):
    return lambda *inputs: tuple(it(*inputs) for it in functions)


FLOAT_BINARY = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.remf": lambda a, b: np.fmod(a.astype(F64), b.astype(F64)).astype(a.dtype),
    "arith.maximumf": maximumf,
    "arith.minimumf": minimumf,
    "math.copysign": np.copysign,
}

# The sign of a zero out of these is open when +0 meets -0, so they have inputs without -0.
FLOAT_NUMBER = {"arith.maxnumf": np.fmax, "arith.minnumf": np.fmin}

FLOAT_UNARY = {
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.round": rounded(round_half_away),
    "math.roundeven": rounded(np.rint),
    "math.trunc": np.trunc,
    "math.sqrt": rounded(np.sqrt),
}

TRANSCENDENTAL = {
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log2": np.log2,
    "math.log1p": np.log1p,
    "math.rsqrt": lambda x: 1 / np.sqrt(x),
    "math.tanh": np.tanh,
    "math.erf": erf,
    "math.sin": np.sin,
    "math.cos": np.cos,
    "math.tan": np.tan,
    "math.atan": np.arctan,
}

ORDERED = {"oeq": np.equal, "ogt": np.greater, "oge": np.greater_equal, "olt": np.less, "ole": np.less_equal}
COMPARE_FLOAT = ORDERED | {
    "false": lambda a, b: np.zeros(a.shape, I1),
    "true": lambda a, b: np.ones(a.shape, I1),
    "one": lambda a, b: (a < b) | (a > b),
    "ord": lambda a, b: ~(np.isnan(a) | np.isnan(b)),
    "ueq": lambda a, b: ~((a < b) | (a > b)),
    "ugt": lambda a, b: ~(a <= b),
    "uge": lambda a, b: ~(a < b),
    "ult": lambda a, b: ~(a >= b),
    "ule": lambda a, b: ~(a > b),
    "une": np.not_equal,
    "uno": lambda a, b: np.isnan(a) | np.isnan(b),
}

COMPARE_INTEGER = {
    "eq": np.equal,
    "ne": np.not_equal,
    "slt": np.less,
    "sle": np.less_equal,
    "sgt": np.greater,
    "sge": np.greater_equal,
    "ult": unsigned(np.less),
    "ule": unsigned(np.less_equal),
    "ugt": unsigned(np.greater),
    "uge": unsigned(np.greater_equal),
}

INTEGER_BINARY = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.maxui": unsigned(np.maximum),
    "arith.minui": unsigned(np.minimum),
}

# Neither zero divisors nor lowest / -1, which are undefined.
INTEGER_DIVISION = {
    "arith.divsi": divsi,
    "arith.remsi": np.fmod,
    "arith.floordivsi": np.floor_divide,
    "arith.ceildivsi": lambda a, b: np.floor_divide(a, b) + (np.remainder(a, b) != 0).astype(a.dtype),
    "arith.divui": unsigned(np.floor_divide),
    "arith.remui": unsigned(np.remainder),
    "arith.ceildivui": unsigned(lambda a, b: a // b + (a % b != 0).astype(a.dtype)),
}

INTEGER_SHIFT = {
    "arith.shli": np.left_shift,
    "arith.shrsi": np.right_shift,
    "arith.shrui": unsigned(np.right_shift),
}


def width(x):
    return 8 * x.dtype.itemsize


def used_bits(x):
    """How many bits there are from the lowest to the highest that is set; 0 for 0."""
    return np.vectorize(int.bit_length, otypes=[I64])(x.view(f"u{x.dtype.itemsize}").astype(object))


# Not the absolute value of the lowest integer.
INTEGER_UNARY = {
    "math.absi": np.abs,
    "math.ctpop": lambda x: np.bitwise_count(x.view(f"u{x.dtype.itemsize}")).astype(x.dtype),
    "math.ctlz": lambda x: (width(x) - used_bits(x)).astype(x.dtype),
    "math.cttz": lambda x: np.where(x == 0, width(x), used_bits(x & -x) - 1).astype(x.dtype),
}


def table(name, about, type, ops, inputs, result=None, spelling="{op} %in0, %in1 : {type}"):
    """A case with a result for each of `ops`, all of the same `inputs`."""
    count = len(inputs[0])
    lines = [spelling.format(op=op, type=type) for op in ops]
    text = each_op(lines, [f"tensor<{count}x{type}>"] * len(inputs), f"tensor<{count}x{result or type}>")
    return Case(name, about, text, {"values": inputs}, all_ops(*ops.values()))


UNARY = "{op} %in0 : {type}"


def float_cases(type, dtype):
    edge = special(dtype)
    ties = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.25, -0.25, -1.75, 100.5, 0.4375], dtype)
    edge_pairs = pairs(edge[[0, 1, 2, 3, 4, 9, 11]])
    yield table(f"float_binary_{type}", f"Binary operations of {type} on all pairs of special values, and on others.",
                type, FLOAT_BINARY,
                [np.concatenate([it, random(9, dtype=dtype, seed=at)]) for at, it in enumerate(edge_pairs)])
    yield table(f"float_number_{type}", f"maxnumf and minnumf of {type}, which ignore a NaN.",
                type, FLOAT_NUMBER, pairs(edge[[0, 1, 2, 3, 5, 8]]))
    yield table(f"float_unary_{type}", f"Unary operations of {type} that lose nothing or are correctly rounded.",
                type, FLOAT_UNARY, [np.concatenate([edge, ties])], spelling=UNARY)


def transcendental(type, dtype):
    edge = special(dtype)
    edge[9:11] = [80, -100]
    values = [edge, random(11, dtype=dtype, low=0.01, high=10), -random(7, dtype=dtype, low=0.01, high=0.99)]
    return table(f"transcendental_{type}", f"Functions of {type}, computed exactly and rounded once.",
                 type, {op: rounded(function) for op, function in TRANSCENDENTAL.items()},
                 [np.concatenate(values)], spelling=UNARY)


def integer_cases(type, dtype):
    edge = limits(dtype)
    lowest = edge[0]
    dividend, divisor = pairs(edge, np.array([-7, -1, 2, 5, lowest], dtype))
    defined = (dividend != lowest) | (divisor != -1)
    yield table(f"integer_binary_{type}", f"Operations of {type}, which wrap, on all pairs of values at the limits.",
                type, INTEGER_BINARY, pairs(edge[1:], edge[[0, 2, 4, 7, 9]]))
    yield table(f"integer_division_{type}", f"Divisions and remainders of {type}: toward zero, down, up, unsigned.",
                type, INTEGER_DIVISION, [dividend[defined], divisor[defined]])
    yield table(f"integer_shift_{type}", f"Shifts of {type} by less than its width.",
                type, INTEGER_SHIFT, pairs(edge, np.array([0, 3, width(edge) - 1], dtype)))
    yield table(f"integer_unary_{type}", f"Absolute value and bit counts of {type}.",
                type, INTEGER_UNARY, [edge[1:]], spelling=UNARY)
    yield table(f"compare_{type}", f"All predicates of cmpi on {type}, signed and unsigned.",
                type, COMPARE_INTEGER, pairs(edge[[0, 2, 4, 7, 9]]), "i1", "arith.cmpi {op}, %in0, %in1 : {type}")


def casts(name, about, *rows):
    """A case with a result for each row (op, input, type of the result, expected result)."""
    arguments = [f"%x{i}: {type_of(it[1])}" for i, it in enumerate(rows)]
    results = [f"%r{i}: {type_of(it[3])}" for i, it in enumerate(rows)]
    lines = [pointwise(f"%r{i}", type_of(after), [arguments[i]],
                       f"%v = {op} %in0 : {element(type_of(before))} to {element(type_of(after))}", "%v")
             for i, (op, before, _, after) in enumerate(rows)]
    return Case(name, about, main(", ".join(arguments), ", ".join(results), *lines),
                {"values": [it[1] for it in rows]}, lambda *_: tuple(it[3] for it in rows))


def cast(op, values, before, after, expected=None):
    """A row for `casts`; NumPy's conversion gives the result if none is named."""
    values = to_type(np.array(values, F64), before) if before in FLOATS.values() else np.array(values, before)
    result = values.astype(after) if expected is None else np.array(expected, after)
    return op, values, after, result


SMALL = [NAN, INF, -INF, 0.0, -0.0, 1.0, -2.5, 6e-8, 1000]
LARGE = [NAN, INF, -INF, -0.0, 1 / 3, 70000, 65519, 65520, 1e-7, 1e-40, -1e300, 3.4e38]
INSIDE = [0.0, -0.0, 0.75, -0.75, 1.5, -1.5, 100.25, -127.9]

CASES = [
    *(case for type, dtype in FLOATS.items() for case in float_cases(type, dtype)),
    *(transcendental(type, FLOATS[type]) for type in ("f16", "bf16", "f32")),
    *(case for type, dtype in INTEGERS.items() for case in integer_cases(type, dtype)),
    table("compare_f32", "All predicates of cmpf, with NaN and both zeros.",
          "f32", COMPARE_FLOAT, pairs(special(F32)[[0, 1, 3, 4, 5, 8, 11]]), "i1",
          "arith.cmpf {op}, %in0, %in1 : {type}"),
    table("classify_f32", "isnan, isinf, isfinite.",
          "f32", {"math.isnan": np.isnan, "math.isinf": np.isinf, "math.isfinite": np.isfinite},
          [special(F32)], "i1", UNARY),
    table("logic_i1", "Operations of i1: addition is xor, multiplication is and.",
          "i1", {"arith.andi": np.logical_and, "arith.ori": np.logical_or, "arith.xori": np.logical_xor,
                 "arith.addi": np.logical_xor, "arith.subi": np.logical_xor, "arith.muli": np.logical_and},
          pairs(np.array([False, True]))),
    table("compare_i1", "All predicates of cmpi on i1, whose true is -1 where it is signed.",
          "i1", {"eq": np.equal, "ne": np.not_equal, "slt": np.greater, "sle": np.greater_equal,
                 "sgt": np.less, "sge": np.less_equal, "ult": np.less, "ule": np.less_equal,
                 "ugt": np.greater, "uge": np.greater_equal},
          pairs(np.array([False, True])), "i1", "arith.cmpi {op}, %in0, %in1 : {type}"),
    table("power_f32", "powf and atan2 on pairs of values.",
          "f32", {"math.powf": rounded(np.power), "math.atan2": rounded(np.arctan2)},
          [np.concatenate(it) for it in zip(
              pairs(np.array([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 0.5, -2.0], F32)),
              [random(9, low=0.1, high=5), random(9, seed=2)])]),
    Case("power_integer_exponent",
         "fpowi with an i32 and with a constant i64 exponent, the form that torch-mlir emits.",
         main("%x: tensor<13xf32>, %n: tensor<13xi32>", "%r: tensor<13xf32>, %cube: tensor<13xf32>",
              constant("%three", "3", "i64"),
              pointwise("%r", "tensor<13xf32>", ["%x: tensor<13xf32>", "%n: tensor<13xi32>"],
                        "%p = math.fpowi %in0, %in1 : f32, i32", "%p"),
              pointwise("%cube", "tensor<13xf32>", ["%x: tensor<13xf32>"],
                        "%p = math.fpowi %in0, %three : f32, i64", "%p")),
         {"floats": [random(13), distinct(13, dtype=I32)],
          "special": [special(F32), np.array([0, 1, 3, -1, -3, 5, 5, -2, -3, 2, -1, 2, 2], I32)]},
         lambda x, n: (rounded(np.power)(x, n), rounded(np.power)(x, np.full(13, 3)))),
    Case("fma",
         "fma rounds once where mulf and addf round twice.",
         each_op(["math.fma %in0, %in1, %in2 : f32"], ["tensor<5xf32>"] * 3, "tensor<5xf32>"),
         {"values": [np.array([1 + 2**-12, 3, 1e30, INF, -0.0], F32), np.array([1 - 2**-12, 5, 1e30, 0, 1], F32),
                     np.array([-1, 7, -INF, 1, 0], F32)]},
         rounded(lambda a, b, c: a * b + c)),
    Case("select",
         "arith.select by a tensor of i1, by a comparison, and between i1 values.",
         main("%c: tensor<7x5xi1>, %x: tensor<7x5xf32>, %y: tensor<7x5xf32>",
              "%a: tensor<7x5xf32>, %b: tensor<7x5xf32>, %d: tensor<7x5xi1>",
              pointwise("%a", "tensor<7x5xf32>", [f"{it}: tensor<7x5x{t}>" for it, t in
                                                  [("%c", "i1"), ("%x", "f32"), ("%y", "f32")]],
                        "%s = arith.select %in0, %in1, %in2 : f32", "%s"),
              pointwise("%b", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>", "%y: tensor<7x5xf32>"], """
                        %l = arith.cmpf ult, %in0, %in1 : f32
                        %s = arith.select %l, %in0, %in1 : f32""", "%s"),
              pointwise("%d", "tensor<7x5xi1>", ["%c: tensor<7x5xi1>", "%x: tensor<7x5xf32>"], """
                        %true = arith.constant true
                        %zero = arith.constant 0.0 : f32
                        %p = arith.cmpf ogt, %in1, %zero : f32
                        %s = arith.select %in0, %p, %true : i1""", "%s")),
         {"integers": [bits(7, 5), distinct(7, 5), distinct(7, 5)[::-1] + 3]},
         lambda c, x, y: (np.where(c, x, y), np.minimum(x, y), np.where(c, x > 0, True))),
    casts("cast_extf", "extf keeps the value.",
          cast("arith.extf", SMALL, F16, F32), cast("arith.extf", SMALL, BF16, F32), cast("arith.extf", SMALL, F32, F64),
          cast("arith.extf", SMALL, F16, F64)),
    casts("cast_truncf", "truncf rounds to nearest even, once: the last value of a row would differ if rounded twice.",
          cast("arith.truncf", LARGE + [1 + 2**-11, 1 + 3 * 2**-11], F32, F16),
          cast("arith.truncf", LARGE + [1 + 2**-11 + 2**-30], F64, F16),
          cast("arith.truncf", LARGE + [1 + 2**-24 + 2**-50], F64, F32),
          ("arith.truncf", *(lambda it: (it, BF16, to_type(it.astype(F64), BF16)))(
              np.array(LARGE + [1 + 2**-8, 1 + 3 * 2**-8], F64).astype(F32))),
          ("arith.truncf", *(lambda it: (it, BF16, to_type(it, BF16)))(np.array(LARGE + [1 + 2**-8 + 2**-30], F64)))),
    casts("cast_integer", "extsi, extui, trunci; i1 extends to 0 or -1 and to 0 or 1.",
          cast("arith.extsi", [-128, -1, 0, 127], I8, I32), cast("arith.extsi", [-(2**31), -1, 5], I32, I64),
          cast("arith.extsi", [True, False], I1, I32, [-1, 0]), cast("arith.extui", [True, False], I1, I8),
          cast("arith.extui", [True, False], I1, I64), cast("arith.extui", [-128, -1, 127], I8, I32, [128, 255, 127]),
          cast("arith.extui", [-1, 5], I32, I64, [2**32 - 1, 5]),
          cast("arith.trunci", [2**40 + 7, -1, 2**31], I64, I32), cast("arith.trunci", [200, -200, 127], I32, I8),
          cast("arith.trunci", [3, 2, -1], I32, I1, [True, False, True])),
    casts("cast_integer_to_float", "sitofp and uitofp round once.",
          cast("arith.sitofp", [-(2**31), 2**24 + 1, 2**24 + 3, -7], I32, F32),
          cast("arith.sitofp", [2**60 + 2**36 + 1, -(2**63), 3], I64, F32),
          cast("arith.sitofp", [2**53 + 1, 2**53 + 3, -1], I64, F64), cast("arith.sitofp", [-128, 127], I8, F16),
          cast("arith.sitofp", [-128, 127], I8, BF16), cast("arith.sitofp", [True, False], I1, F32, [-1, 0]),
          cast("arith.uitofp", [True, False], I1, F32), cast("arith.uitofp", [-1, 127], I8, F32, [255, 127]),
          cast("arith.uitofp", [-1, 7], I32, F32, [2**32, 7]), cast("arith.uitofp", [-1, 7], I64, F64, [2**64, 7])),
    casts("cast_float_to_integer", "fptosi and fptoui truncate the fraction.",
          cast("arith.fptosi", INSIDE, F32, I8), cast("arith.fptosi", INSIDE, F32, I32),
          cast("arith.fptosi", INSIDE + [2.0**62, -(2.0**63)], F32, I64),
          cast("arith.fptosi", INSIDE + [2.0**31 - 1], F64, I32),
          cast("arith.fptosi", INSIDE, F16, I32), cast("arith.fptosi", INSIDE, BF16, I64),
          cast("arith.fptoui", [0.75, 255.5], F32, I8, [0, -1]),
          cast("arith.fptoui", [3e9, 1.5], F32, I32, [-1294967296, 1])),
    casts("cast_bits", "bitcast keeps the bits.",
          *(("arith.bitcast", values, values.dtype, values.view(after)) for values, after in
            [(special(F32), I32), (special(F32).view(I32), F32), (special(F16), I16), (special(BF16), I16),
             (special(F64), I64), (special(F16).view(I16), F16)])),
    Case("cast_index",
         "index_cast and index_castui to and from index inside the body.",
         each_op(["arith.index_cast %in0 : i32 to index\n%w = arith.index_cast %v : index to i64",
                  "arith.index_castui %in0 : i32 to index\n%w = arith.index_cast %v : index to i64"],
                 ["tensor<4xi32>"], "tensor<4xi64>").replace("yield %v", "yield %w"),
         {"values": [np.array([-1, 7, -(2**31), 2**31 - 1], I32)]},
         lambda x: (x.astype(I64), x.view(np.uint32).astype(I64))),
]
