"""The element-wise ops of the graph dialect, for each element type. Formulas are computed in f32 for shorter floats, step by step."""

import numpy as np

from .arrays import *
from .case import *

FLOATS = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
INTS = {"i8": I8, "i16": I16, "i32": I32, "i64": I64}
SIZES = [0, 1, 13]

FUNCTIONS = {
    "acos": np.arccos,
    "acosh": np.arccosh,
    "asin": np.arcsin,
    "asinh": np.arcsinh,
    "atan": np.arctan,
    "atanh": np.arctanh,
    "ceil": np.ceil,
    "cos": np.cos,
    "cosh": np.cosh,
    "erf": erf,
    "exp": np.exp,
    "expm1": np.expm1,
    "floor": np.floor,
    "log": np.log,
    "log1p": np.log1p,
    "reciprocal": lambda x: 1.0 / x,
    "round": np.rint,
    "rsqrt": lambda x: 1.0 / np.sqrt(x),
    "sin": np.sin,
    "sinh": np.sinh,
    "sqrt": np.sqrt,
    "tan": np.tan,
    "tanh": np.tanh,
    "trunc": np.trunc,
}


def wide(formula):
    """A formula whose steps are computed in f32 for shorter floats; its result is rounded to the type of the argument."""

    def run(x, *rest):
        widened = [it.astype(F32) if it.dtype in (F16, BF16) else it for it in (x, *rest)]
        return to_type(formula(*widened).astype(F64), x.dtype)

    return run


def number(x, value):
    return x.dtype.type(value)


def one_plus_exp(x):
    return number(x, 1) + rounded(np.exp)(-x)


def half_of(x, y):
    return (number(x, 0.5) * x) * (number(x, 1) + y)


def gelu_tanh(x):
    cube = ((number(x, 0.044715) * x) * x) * x
    return half_of(x, rounded(np.tanh)(number(x, math.sqrt(2 / math.pi)) * (x + cube)))


def hard_swish(x):
    line = x / number(x, 6) + number(x, 0.5)
    return x * minimumf(maximumf(line, np.zeros_like(x)), np.ones_like(x))


def selu(x):
    scale, alpha = 1.0507009873554805, 1.6732632423543772
    return np.where(x > 0, number(x, scale) * x, number(x, scale * alpha) * rounded(np.expm1)(x))


def softplus(x):
    return maximumf(x, np.zeros_like(x)) + rounded(np.log1p)(rounded(np.exp)(-np.abs(x)))


def scaled(x, alpha, other):
    return np.where(x > 0, x, number(x, alpha) * other)


def floor_mod(x, y):
    rest = np.fmod(x, y)
    return np.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest).astype(x.dtype)


FORMULAS = {
    "sigmoid %x": lambda x: number(x, 1) / one_plus_exp(x),
    "silu %x": lambda x: x / one_plus_exp(x),
    "softplus %x": softplus,
    "gelu %x": lambda x: half_of(x, rounded(erf)(x * number(x, math.sqrt(0.5)))),
    "gelu_tanh %x": gelu_tanh,
    "hard_swish %x": hard_swish,
    "elu %x alpha = 0.75": lambda x: scaled(x, 0.75, rounded(np.expm1)(x)),
    "leaky_relu %x alpha = 0.01": lambda x: scaled(x, 0.01, x),
    "square %x": lambda x: x * x,
}


"""Cases of their own, because results of NumPy's functions differ between its versions."""
BASE_TWO = {"exp2": np.exp2, "log2": np.log2}


def sign(x):
    return np.where(x > 0, x.dtype.type(1), np.where(x < 0, x.dtype.type(-1), x))


FLOAT_UNARY = {
    "abs": np.abs,
    "neg": lambda x: -x,
    "sign": sign,
    "relu": lambda x: maximumf(x, np.zeros_like(x)),
}
FLOAT_BINARY = {
    "add": wide(lambda x, y: x + y),
    "sub": wide(lambda x, y: x - y),
    "mul": wide(lambda x, y: x * y),
    "div": wide(lambda x, y: x / y),
    "mod": wide(np.fmod),
    "floor_div": wide(lambda x, y: np.floor(x / y)),
    "floor_mod": wide(floor_mod),
    "max": maximumf,
    "min": minimumf,
}
FLOAT_POWERS = {"pow": rounded(np.power), "atan2": rounded(np.arctan2)}
TESTS = {"isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite}
COMPARISONS = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def shifted(x, y, shift):
    """Shifts by the number of bits or more, too, by Python's integers."""
    size = x.dtype.itemsize * 8
    mask = (1 << size) - 1
    amounts = (int(by) & mask for by in y)
    values = [shift(int(value), by) & mask for value, by in zip(x, amounts)]
    return np.array(values, f"u{x.dtype.itemsize}").view(x.dtype)


INT_UNARY = {
    "abs": np.abs,
    "neg": lambda x: -x,
    "sign": np.sign,
    "square": lambda x: x * x,
    "relu": lambda x: np.maximum(x, 0),
    "not": lambda x: ~x,
}
INT_BINARY = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "max": np.maximum,
    "min": np.minimum,
    "max unsigned": unsigned(np.maximum),
    "min unsigned": unsigned(np.minimum),
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "shl": lambda x, y: shifted(x, y, lambda value, by: value << min(by, 64)),
    "shr": lambda x, y: shifted(x, y, lambda value, by: value >> min(by, 64)),
    "shr unsigned": lambda x, y: unsigned(lambda a, b: shifted(a, b, lambda value, by: value >> min(by, 64)))(x, y),
}
INT_DIVISIONS = {
    "div": divsi,
    "mod": np.fmod,
    "floor_div": lambda x, y: x // y,
    "floor_mod": lambda x, y: x % y,
    "div unsigned": unsigned(lambda x, y: x // y),
    "mod unsigned": unsigned(lambda x, y: x % y),
}


def op(name, operands, type, result, number):
    """The text of an op; a word behind its name is behind its operands, and a result of another type is stated."""
    word, *marks = name.split(" ")
    types = type if result == type else f"{type} -> {result}"
    return f"%r{number} = graph.{' '.join([word, operands, *marks])} : {types}"


def table(name, about, element, rows, inputs, variants, result=""):
    """A case with a row of the result for each op and its function. All operands have one dynamic size."""
    type = f"tensor<?x{element}>"
    to = f"tensor<?x{result or element}>"
    arguments = ["%x", "%y"][:inputs]
    lines = [
        op(it, "" if "%x" in it else ", ".join(arguments), type, to, i).replace("  ", " ") for i, it in enumerate(rows)
    ]
    return stacked(name, about, [f"{it}: {type}" for it in arguments], to, lines, variants, list(rows.values()))


def stacked(name, about, arguments, type, lines, variants, functions):
    """A case with a row of the result for each line, which computes %r<i> of this type."""
    names = ", ".join(f"%r{i}" for i in range(len(lines)))
    result = type.replace("<", f"<{len(lines)}x")
    stack = f"%r = graph.stack {names} dim = 0 : {', '.join([type] * len(lines))} -> {result}"
    text = main(", ".join(arguments), f"%r: {result}", *lines, stack)
    return Case(name, about, text, variants, lambda *xs: np.stack([function(*xs) for function in functions]))


def special(dtype):
    return np.array([NAN, -0.0, 0.0, INF, -INF, 1.0, -1.0, 0.5, 2.5, -3.5, 1.5e-3, 80.0, -80.0], F64).astype(F32).astype(dtype)


def of_floats(dtype, inputs):
    ordinary = {f"n{n}": [random(n, dtype=dtype, seed=it, low=-3.0, high=3.0) for it in range(1, inputs + 1)] for n in SIZES}
    others = [special(dtype), np.roll(special(dtype), 3)][:inputs]
    return ordinary | {"special": others}


def of_ints(dtype, inputs, divides=False):
    limits = np.iinfo(dtype)
    x = np.array([limits.min, limits.max, -1, 0, 1, 7, -7, 100, -100, limits.min + 1, 64, 2, 5], dtype)
    y = np.roll(x, 4)
    if divides:
        y = np.where((y == 0) | (y == -1), 3, y).astype(dtype)
    some = {"n0": [x[:0], y[:0]], "n1": [x[5:6], y[5:6]], "all": [x, y], "turned": [x[::-1].copy(), y]}
    return {name: arrays[:inputs] for name, arrays in some.items()}


def comparisons(element, dtype, variants, signs=("",)):
    rows = {f"compare {name}{sign}": (name, sign) for name in COMPARISONS for sign in signs}
    functions = {
        key: unsigned(COMPARISONS[name]) if sign else COMPARISONS[name] for key, (name, sign) in rows.items()
    }
    type, to = f"tensor<?x{element}>", "tensor<?xi1>"
    lines = [
        f"%r{i} = graph.compare {name} %x, %y{sign} : {type} -> {to}" for i, (name, sign) in enumerate(rows.values())
    ]
    arguments = [f"%x: {type}", f"%y: {type}"]
    about = f"All comparisons of {element}."
    return stacked(f"graph_compare_{element}", about, arguments, to, lines, variants, list(functions.values()))


def converted(x, dtype, without_sign):
    """Numbers beyond the range become its ends, NaN becomes 0; integers wrap around."""
    dtype = np.dtype(dtype)
    if dtype == I1:
        return x != 0
    if dtype.kind in "iu":
        ends = np.iinfo(f"u{dtype.itemsize}" if without_sign else dtype)
        if x.dtype.kind in "iub":
            return unsigned_of(x, without_sign).astype(dtype)
        whole = [0 if math.isnan(it) else ends.max if it > ends.max else ends.min if it < ends.min else int(it) for it in x.astype(F64)]
        return np.array(whole, ends.dtype).view(dtype)
    if x.dtype.kind in "iub":
        # The nearest float, by Python's exact integers and fractions of them.
        return np.array([nearest(int(it), dtype) for it in unsigned_of(x, without_sign)], dtype)
    return to_type(x.astype(F64), dtype)


def unsigned_of(x, without_sign):
    return x.view(f"u{x.dtype.itemsize}") if without_sign and x.dtype != I1 else x


def nearest(value, dtype):
    if dtype in (F64, F32):
        return dtype.type(value)
    # Fewer bits than a double has: beyond 2^53, a sticky bit keeps the distance from ties.
    shift = max(abs(value).bit_length() - 50, 0)
    kept, rest = divmod(abs(value), 1 << shift)
    exact = math.ldexp(2 * kept + (rest != 0), shift - 1)
    return to_type(np.array(math.copysign(exact, value)), dtype)


ALL = {"i1": I1} | INTS | FLOATS


def casts(element, dtype, sign):
    names = [it for it in ALL if it != element]
    type = f"tensor<?x{element}>"
    lines = [f"%r{i} = graph.cast %x{sign} : {type} to tensor<?x{it}>" for i, it in enumerate(names)]
    text = main(f"%x: {type}", ", ".join(f"%r{i}: tensor<?x{it}>" for i, it in enumerate(names)), *lines)
    if dtype == I1:
        x = np.array([True, False, True])
    elif element in INTS:
        x = of_ints(dtype, 1)["all"][0]
    else:
        x = np.array([NAN, INF, -INF, -0.0, 0.4, -0.9, 1.5, -2.5, 127.6, -128.7, 200.0, 300.0, -1.0, 65504.0, 3e9, -3e9], F64)
        x = x.astype(F32).astype(dtype)
    name = f"graph_cast_{element}" + ("_unsigned" if sign else "")
    return Case(
        name, f"Conversions of {element} to all other types.", text, {"n0": [x[:0]], "all": [x]},
        lambda x: tuple(converted(x, ALL[it], bool(sign)) for it in names))


CASES = [
    *(table(f"graph_functions_{name}", f"The functions of {name}.", name,
            {it: rounded(function) for it, function in FUNCTIONS.items()}, 1, of_floats(dtype, 1))
      for name, dtype in FLOATS.items()),
    *(table(f"graph_formulas_{name}", f"The formulas of {name}.", name,
            {it: wide(function) for it, function in FORMULAS.items()}, 1, of_floats(dtype, 1))
      for name, dtype in FLOATS.items()),
    *(table(f"graph_base_two_{name}", f"Powers and logarithms of {name} to base 2, and selu.", name,
            {it: rounded(function) for it, function in BASE_TWO.items()} | {"selu": wide(selu)}, 1, of_floats(dtype, 1))
      for name, dtype in FLOATS.items()),
    *(table(f"graph_unary_{name}", f"Signs of {name}.", name, FLOAT_UNARY, 1, of_floats(dtype, 1))
      for name, dtype in FLOATS.items()),
    *(table(f"graph_binary_{name}", f"Arithmetic of {name}.", name, FLOAT_BINARY, 2, of_floats(dtype, 2))
      for name, dtype in FLOATS.items()),
    *(table(f"graph_powers_{name}", f"Powers and angles of {name}.", name, FLOAT_POWERS, 2, of_floats(dtype, 2))
      for name, dtype in FLOATS.items()),
    *(table(f"graph_tests_{name}", f"Kinds of {name}.", name, TESTS, 1, of_floats(dtype, 1), "i1")
      for name, dtype in FLOATS.items()),
    *(table(f"graph_unary_{name}", f"One operand of {name}.", name, INT_UNARY, 1, of_ints(dtype, 1))
      for name, dtype in INTS.items()),
    *(table(f"graph_binary_{name}", f"Two operands of {name}.", name, INT_BINARY, 2, of_ints(dtype, 2))
      for name, dtype in INTS.items()),
    *(table(f"graph_divisions_{name}", f"Quotients and remainders of {name}.", name, INT_DIVISIONS, 2,
            of_ints(dtype, 2, divides=True))
      for name, dtype in INTS.items()),
    *(comparisons(name, dtype, of_floats(dtype, 2)) for name, dtype in FLOATS.items()),
    *(comparisons(name, dtype, of_ints(dtype, 2), ("", " unsigned")) for name, dtype in INTS.items()),
    table("graph_logic_i1", "Two operands of i1.", "i1",
          {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}, 2,
          {"all": [np.array([True, True, False, False]), np.array([True, False, True, False])]}),
    table("graph_not_i1", "The inverse of i1.", "i1", {"not": np.logical_not}, 1, {"all": [np.array([True, False])]}),
    *(casts(name, dtype, sign) for name, dtype in ALL.items() for sign in ("", " unsigned") if sign == "" or name != "i1"),
    *(Case(f"graph_select_{name}", f"A choice between elements of {name}.",
           main(f"%c: tensor<?xi1>, %x: tensor<?x{name}>, %y: tensor<?x{name}>", f"%r: tensor<?x{name}>",
                f"%r = graph.select %c, %x, %y : tensor<?xi1>, tensor<?x{name}>"),
           {"n7": [bits(7), distinct(7, dtype=dtype), distinct(7, dtype=dtype, first=20)]},
           lambda c, x, y: np.where(c, x, y))
      for name, dtype in ALL.items() if name != "i1"),
]
