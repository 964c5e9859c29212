"""Integers and floats of widths that memory does not have."""

from .arrays import *
from .case import *

FLOATS = {
    "f4E2M1FN": (ml_dtypes.float4_e2m1fn, 4),
    "f6E2M3FN": (ml_dtypes.float6_e2m3fn, 6),
    "f6E3M2FN": (ml_dtypes.float6_e3m2fn, 6),
    "f8E3M4": (ml_dtypes.float8_e3m4, 8),
    "f8E4M3": (ml_dtypes.float8_e4m3, 8),
    "f8E4M3B11FNUZ": (ml_dtypes.float8_e4m3b11fnuz, 8),
    "f8E4M3FN": (ml_dtypes.float8_e4m3fn, 8),
    "f8E4M3FNUZ": (ml_dtypes.float8_e4m3fnuz, 8),
    "f8E5M2": (ml_dtypes.float8_e5m2, 8),
    "f8E5M2FNUZ": (ml_dtypes.float8_e5m2fnuz, 8),
    "f8E8M0FNU": (ml_dtypes.float8_e8m0fnu, 8),
}
E4M3, E5M2 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2fnuz
I4, I2 = ml_dtypes.int4, ml_dtypes.int2


def patterns(dtype, width):
    """All values, by their bit patterns."""
    return np.arange(1 << width, dtype=np.uint8).view(dtype)


def near_ties(dtype, width, wide):
    """Special values, and numbers at the middle between two neighbours and beside it."""
    values = patterns(dtype, width).astype(F64)
    finite = np.unique(values[np.isfinite(values)])
    finite = finite if len(finite) <= 16 else finite[:: len(finite) // 12]
    table = np.unique(values[np.isfinite(values)])
    after = table[np.minimum(np.searchsorted(table, finite) + 1, len(table) - 1)]
    middle = ((finite + after) / 2).astype(wide)
    largest = table[-1]
    # Powers of 2 have no 0 and no negative numbers.
    other = [] if width == 8 and table[0] > 0 else [0.0, -0.0, -1.0, largest * 1.25, -largest * 1.03, INF, -INF]
    other = np.array([NAN, 1.0, largest, *other]).astype(wide)
    up, down = np.nextafter(middle, wide(INF)), np.nextafter(middle, wide(-INF))
    return np.concatenate([middle, up, down, finite.astype(wide), other])


def nearest(values, dtype, width):
    """The values of the type that are nearest to finite numbers, ties to even, by a search over all bit patterns."""
    table = patterns(dtype, width)
    order = [i for i in range(len(table)) if np.isfinite(table[i].astype(F64))]
    key = lambda value, i: (abs(float(table[i].astype(F64)) - value), i % 2, np.signbit(table[i].astype(F32)) != np.signbit(value))
    return np.array([table[min(order, key=lambda i: key(value, i))] for value in values], dtype)


def through(wide):
    """A function that rounds a wide float to each narrow one, and extends the result to f32."""
    lines, arguments, inputs = [], [], []
    for i, (name, (dtype, width)) in enumerate(FLOATS.items()):
        values = near_ties(dtype, width, np.float32 if wide == "f32" else np.float64)
        n = len(values)
        arguments.append(f"%x{i}: tensor<{n}x{wide}>")
        body = f"%n = arith.truncf %in0 : {wide} to {name}\n%v = arith.extf %n : {name} to f32"
        lines.append(pointwise(f"%r{i}", f"tensor<{n}xf32>", [arguments[-1]], body, "%v"))
        inputs.append(values)
    results = ", ".join(f"%r{i}: tensor<{len(it)}xf32>" for i, it in enumerate(inputs))
    return main(", ".join(arguments), results, *lines), inputs


def rounded_to_each(*inputs):
    """Each input, rounded once to its narrow float. Only beyond the largest number is the package the reference: it rounds f64
    twice, and does not round f32 below 2^-126 to the nearest power of 2."""
    results = []
    for values, (name, (dtype, width)) in zip(inputs, FLOATS.items()):
        result, values = values.astype(dtype), values.astype(F64)
        inside = np.isfinite(values) & (np.abs(values) <= float(ml_dtypes.finfo(dtype).max))
        if name == "f8E8M0FNU":
            below = np.floor(np.log2(values[inside]))
            result[inside] = np.exp2(below + (values[inside] >= 1.5 * np.exp2(below))).astype(dtype)
        else:
            result[inside] = nearest(values[inside], dtype, width)
        results.append(result.astype(F32))
    return tuple(results)


def decoded():
    arguments = [f"%x{i}: tensor<{1 << width}x{name}>" for i, (name, (_, width)) in enumerate(FLOATS.items())]
    lines, results = [], []
    for i, (name, (_, width)) in enumerate(FLOATS.items()):
        results.append(f"%r{i}: tensor<{1 << width}xf32>")
        lines.append(f"%r{i} = arith.extf %x{i} : tensor<{1 << width}x{name}> to tensor<{1 << width}xf32>")
    return main(", ".join(arguments), ", ".join(results), *lines)


def arithmetic(name, n):
    """Ops on one float type; each result is a tensor of it, so they contain no NaN."""
    type = f"tensor<{n}x{name}>"
    ops = ["addf", "subf", "mulf", "maximumf", "minimumf"]
    lines = [f"%r{i} = arith.{op} %x, %y : {type}" for i, op in enumerate(ops)]
    lines += [
        f"%r5 = arith.negf %x : {type}",
        pointwise("%r6", type, [f"%x: {type}", f"%y: {type}"],
                  f"%c = arith.cmpf olt, %in0, %in1 : {name}\n%h = arith.constant 0.5 : {name}\n%v = arith.select %c, %in0, %h : {name}", "%v"),
        pointwise("%r7", type, [f"%x: {type}"], f"%n = arith.fptosi %in0 : {name} to i32\n%v = arith.sitofp %n : i32 to {name}", "%v"),
    ]
    results = ", ".join(f"%r{i}: {type}" for i in range(8))
    return main(f"%x: {type}, %y: {type}", results, *lines)


def computed(x, y):
    dtype, wide = x.dtype, F32
    a, b = x.astype(wide), y.astype(wide)
    to = lambda it: it.astype(dtype)
    less = np.where(a < b, a, wide(0.5))
    return tuple(map(to, (a + b, a - b, a * b, np.maximum(a, b), np.minimum(a, b), -a, less, np.trunc(a) + wide(0.0))))


WEIGHTS = main(
    "%w: tensor<24x40xi4>, %s: tensor<24xf32>, %x: tensor<40xf32>", "%r: tensor<24xf32>, %t: tensor<40x24xi4>",
    fill("%zero", "tensor<24xf32>", "0.0"),
    generic("%sum", "ij", "j", ["%w: tensor<24x40xi4> ij", "%x: tensor<40xf32> j"], ["%zero: tensor<24xf32> i"],
            "%f = arith.sitofp %in0 : i4 to f32\n%p = arith.mulf %f, %in1 : f32\n%v = arith.addf %out0, %p : f32", "%v"),
    "%r = arith.mulf %sum, %s : tensor<24xf32>",
    empty("%e", "tensor<40x24xi4>"),
    "%t = linalg.transpose ins(%w : tensor<24x40xi4>) outs(%e : tensor<40x24xi4>) permutation = [1, 0]",
)

SMALL_INTEGERS = (
    function("private @twice", "%x: tensor<?xi4>, %by: i4", "%r: tensor<?xi4>",
             dim("%n", "%x", "tensor<?xi4>", 0),
             pointwise("%r", "tensor<?xi4>", ["%x: tensor<?xi4>", "%by: i4"], "%v = arith.muli %in0, %in1 : i4", "%v", "%n"))
    + main(
        "%x: tensor<?xi4>, %y: tensor<?xi2>, %z: tensor<?xi12>",
        "%a: tensor<?xi4>, %b: tensor<?xi8>, %c: tensor<?xi12>, %d: tensor<?xi4>, %l: i4, %p: tensor<?xi4>",
        dim("%n", "%x", "tensor<?xi4>", 0),
        "%two = arith.constant 2 : i4",
        "%a = func.call @twice(%x, %two) : (tensor<?xi4>, i4) -> tensor<?xi4>",
        "%b = arith.extui %y : tensor<?xi2> to tensor<?xi8>",
        "%c = arith.shrui %z, %z : tensor<?xi12>",
        "%list = arith.constant dense<[-8, -1, 7]> : tensor<3xi4>",
        pointwise("%d", "tensor<?xi4>", ["%x: tensor<?xi4>"],
                  "%three = arith.constant 3 : index\n%i = linalg.index 0 : index\n%j = arith.remui %i, %three : index\n"
                  "%e = tensor.extract %list[%j] : tensor<3xi4>\n%v = arith.addi %e, %in0 : i4", "%v", "%n"),
        "%c0 = arith.constant 0 : index",
        "%first = tensor.extract %x[%c0] : tensor<?xi4>",
        "%l = arith.divui %first, %two : i4",
        "%p = tensor.pad %x low[1] high[2] {\n^bb0(%at: index):\n  tensor.yield %first : i4\n} : tensor<?xi4> to tensor<?xi4>",
    )
)


def small_integers(x, y, z):
    wide = x.astype(I64)
    wrap = lambda it, bits: (it + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
    bits = z.astype(I64) & 0xFFF
    shifted = np.where(bits < 12, bits >> np.minimum(bits, 12), 0)
    added = wide + np.resize([-8, -1, 7], len(x))
    padded = np.concatenate([wide[:1], wide, wide[:1], wide[:1]])
    return (
        wrap(2 * wide, 4).astype(I4), (y.astype(I64) & 3).astype(I8), wrap(shifted, 12).astype(I16),
        wrap(added, 4).astype(I4), np.array((wide[0] & 15) // 2).astype(I4), padded.astype(I4),
    )


FROM_F32, F32_INPUTS = through("f32")
FROM_F64, F64_INPUTS = through("f64")
NUMBERS = np.array([0, 1, -1.5, 2.75, -3.5, 7, 10, -0.4375, 0.0625, -26])

CASES = [
    Case("narrow_floats_decoded", "All bit patterns of each float of at most 8 bits, extended to f32.", decoded(),
         {"all": [patterns(*it) for it in FLOATS.values()]}, lambda *x: tuple(it.astype(F32) for it in x)),
    Case("narrow_floats_from_f32", "f32 rounded to each float of at most 8 bits.", FROM_F32, {"ties": F32_INPUTS}, rounded_to_each),
    Case("narrow_floats_from_f64", "f64 rounded once to each float of at most 8 bits.", FROM_F64, {"ties": F64_INPUTS}, rounded_to_each),
    Case("narrow_floats_e4m3", "Arithmetic on f8E4M3FN.", arithmetic("f8E4M3FN", 100),
         {"pairs": [np.repeat(NUMBERS, 10).astype(E4M3), np.tile(NUMBERS, 10).astype(E4M3)]}, computed),
    Case("narrow_floats_e5m2", "Arithmetic on f8E5M2FNUZ.", arithmetic("f8E5M2FNUZ", 100),
         {"pairs": [np.repeat(NUMBERS, 10).astype(E5M2), np.tile(NUMBERS, 10).astype(E5M2)]}, computed),
    Case("narrow_weights", "A product with weights of 4 bits, and their transpose.", WEIGHTS,
         {"values": [distinct(24, 40).astype(I64).__mod__(16).__sub__(8).astype(I4), distinct(24), distinct(40)]},
         lambda w, s, x: ((w.astype(F32) @ x) * s, w.T)),
    Case("narrow_integers", "Integers of 2, 4 and 12 bits in calls, constants, padding and as scalars.", SMALL_INTEGERS,
         {"values": [(distinct(16, dtype=I64) % 16 - 8).astype(I4), (distinct(9, dtype=I64) % 4 - 2).astype(I2),
                     np.array([1, 5, 9, 0, 3], I16)],
          "one": [np.array([-7]).astype(I4), np.array([-2]).astype(I2), np.array([11], I16)]}, small_integers),
]
