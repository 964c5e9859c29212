"""The ops of the graph dialect that order elements or use indices that are data."""

import numpy as np

from .arrays import *
from .case import *
from .graph import ROWS, case, inside
from .graph_elementwise import FLOATS, of_ints, special, stacked

INTS = {"i8": I8, "i32": I32, "i64": I64}
ELEMENTS = FLOATS | INTS
UNSIGNED = " unsigned"


def sorted_by(x, dim, descending=False):
    """Stable, with NaN larger than all numbers."""
    numbers = x if x.dtype.kind in "iu" else x.astype(F64)
    if not descending:
        places = np.argsort(numbers, dim, kind="stable")
    else:
        back = np.flip(np.argsort(np.flip(numbers, dim), dim, kind="stable"), dim)
        places = x.shape[dim] - 1 - back
    return np.take_along_axis(x, places, dim), places.astype(I64)


def ordered(x, dim, sign, k=None, descending=False):
    values, places = sorted_by(x.view(f"u{x.dtype.itemsize}") if sign else x, dim, descending)
    first = (slice(None),) * dim + (slice(k),)
    return values.view(x.dtype)[first], places[first]


def sorts(name, dtype, sign, variants):
    """Both orders, and the first of each."""
    type, few = f"tensor<?x13x{name}>", f"tensor<?x4x{name}>"
    places, few_places = "tensor<?x13xi64>", "tensor<?x4xi64>"
    both = lambda it: it.replace("<", "<2x")
    text = "\n".join([
        f"%v0, %i0 = graph.sort %x dim = 1{sign} : {type} -> {type}, {places}",
        f"%v1, %i1 = graph.sort %x dim = 1 descending{sign} : {type} -> {type}, {places}",
        f"%v2, %i2 = graph.topk %x k = 4 dim = 1{sign} : {type} -> {few}, {few_places}",
        f"%v3, %i3 = graph.topk %x k = 4 dim = 1 smallest{sign} : {type} -> {few}, {few_places}",
        *(f"%r{i} = graph.stack {pair} dim = 0 : {it}, {it} -> {both(it)}"
          for i, (pair, it) in enumerate([("%v0, %v1", type), ("%i0, %i1", places), ("%v2, %v3", few), ("%i2, %i3", few_places)]))])
    return case(f"sort_{name}{sign.replace(' ', '_')}", f"Sorted rows of {name}{sign}, and the first elements of them.",
                f"%x: {type}", ", ".join(f"%r{i}: {both(it)}" for i, it in enumerate([type, places, few, few_places])), text, variants,
                lambda x: (*map(np.stack, zip(ordered(x, 1, sign), ordered(x, 1, sign, descending=True))),
                           *map(np.stack, zip(ordered(x, 1, sign, 4, True), ordered(x, 1, sign, 4)))))


def rows_of(dtype):
    """Rows of 13 elements with ties, and one of special numbers."""
    ties = lambda n: (distinct(n, 13, dtype=I64) % 5 - 2).astype(dtype)
    ends = of_ints(dtype, 1)["all"][0] if np.dtype(dtype).kind == "i" else special(dtype)
    return {"n0": [ties(0)], "n1": [np.roll(ends, 5)[None]], "n3": [ties(3)]}


def scan(step, start, exclusive=False, reverse=False):
    """Of dimension 1."""

    def run(x):
        x = np.flip(x, 1) if reverse else x
        sums, so_far = [], np.full_like(x[:, 0], start) if exclusive else None
        for i in range(x.shape[1]):
            next = x[:, i] if so_far is None else step(so_far, x[:, i])
            sums.append(so_far if exclusive else next)
            so_far = next
        result = np.stack(sums, 1).astype(x.dtype)
        return np.flip(result, 1) if reverse else result

    return run


MUL, AND, OR = lambda a, b: a * b, lambda a, b: a & b, lambda a, b: a | b


def kinds(dtype):
    """The step and the start of each kind for a type."""
    if dtype == I1:
        return {"and": (np.logical_and, True), "or": (np.logical_or, False)}
    if np.dtype(dtype).kind == "i":
        ends = np.iinfo(dtype)
        return {"add": (add, 0), "mul": (MUL, 1), "max": (np.maximum, ends.min), "min": (np.minimum, ends.max),
                "max unsigned": (unsigned(np.maximum), 0), "min unsigned": (unsigned(np.minimum), -1),
                "and": (AND, -1), "or": (OR, 0)}
    return {"add": (add, 0), "mul": (MUL, 1), "max": (maximumf, -INF), "min": (minimumf, INF)}


def scans(name, dtype, variants):
    """Each kind, with one of the four forms, all of them for the first kind."""
    type = f"tensor<?x7x{name}>"
    forms = [(False, False), (True, False), (False, True), (True, True)]
    table = kinds(dtype)
    first = next(iter(table))
    rows = [(first, form) for form in forms] + [(kind, forms[i % 4]) for i, kind in enumerate(table) if i]
    mark = lambda exclusive, reverse: " exclusive" * exclusive + " reverse" * reverse
    lines = [f"%r{i} = graph.scan {kind.split()[0]} %x dim = 1{mark(*form)}{UNSIGNED * ('unsigned' in kind)} : {type}"
             for i, (kind, form) in enumerate(rows)]
    return stacked(f"graph_scan_{name}", f"Partial results of {name}.", [f"%x: {type}"], type, lines, variants,
                   [scan(*table[kind], *form) for kind, form in rows])


def counted(index, size):
    """An index from the end if it is negative; None beyond the dimension."""
    index = int(index) + size if index < 0 else int(index)
    return index if 0 <= index < size else None


STEPS = {"replace": lambda a, b: b, "add": add, "mul": MUL,
         "max": lambda a, b: maximumf(a, b) if a.dtype.kind not in "iu" else np.maximum(a, b),
         "min": lambda a, b: minimumf(a, b) if a.dtype.kind not in "iu" else np.minimum(a, b),
         "max unsigned": unsigned(np.maximum), "min unsigned": unsigned(np.minimum)}


def scatter_elements(x, indices, updates, dim, kind):
    result = x.copy()
    for at in np.ndindex(*indices.shape):
        index = counted(indices[at], x.shape[dim])
        if index is not None:
            to = at[:dim] + (index,) + at[dim + 1 :]
            result[to] = STEPS[kind](result[to][None], updates[at][None])[0]
    return result


def scatter_nd(x, indices, updates, kind):
    result = x.copy()
    for at in np.ndindex(*indices.shape[:-1]):
        to = tuple(counted(index, size) for index, size in zip(indices[at], x.shape))
        if None not in to:
            result[to] = STEPS[kind](np.atleast_1d(result[to]), np.atleast_1d(updates[at])).reshape(result[to].shape)
    return result


def gather_nd(x, indices, batches=0):
    leading, count = indices.shape[:-1], indices.shape[-1]
    result = np.empty(leading + x.shape[batches + count :], x.dtype)
    for at in np.ndindex(*leading):
        list = tuple(int(inside(index, size)) for index, size in zip(indices[at], x.shape[batches:]))
        result[at] = x[at[:batches] + list]
    return result


def scatters(name, dtype, marks):
    type, of_updates = f"tensor<4x5x{name}>", f"tensor<3x?x{name}>"
    lines = [f"%r{i} = graph.scatter_elements {it.split()[0]} %x, %i, %u dim = 1{UNSIGNED * ('unsigned' in it)} : "
             f"{type}, tensor<3x?xi64>, {of_updates}" for i, it in enumerate(marks)]
    inputs = lambda n: [random(4, 5, dtype=dtype, high=9.0) if dtype != I1 else bits(4, 5),
                        distinct(3, n, dtype=I64), distinct(3, n, dtype=dtype) if dtype != I1 else bits(3, n)]
    return stacked(f"graph_scatter_elements_{name}", f"Updates of elements of {name}, some beyond the rows.",
                   [f"%x: {type}", "%i: tensor<3x?xi64>", f"%u: {of_updates}"], type, lines,
                   {f"n{n}": inputs(n) for n in ROWS},
                   [lambda x, i, u, it=it: scatter_elements(x, i, u, 1, it) for it in marks])


def nonzero(x):
    """Behind the places, the sizes of x."""
    found = np.argwhere(x.astype(F64))
    rest = np.tile(np.array(x.shape, I64), (x.size - len(found), 1))
    return np.concatenate([found.astype(I64).reshape(-1, x.ndim), rest]), np.array(len(found), I64)


def unique(x, sign=""):
    """NumPy sorts unstably: the first of equal elements is taken from x."""
    numbers = x.view(f"u{x.dtype.itemsize}") if sign else x if x.dtype.kind in "iu" else x.astype(F64)
    _, firsts, inverse, counts = np.unique(numbers, return_index=True, return_inverse=True, return_counts=True, equal_nan=True)
    firsts = np.array([np.flatnonzero(inverse == it)[0] for it in range(len(counts))], I64)
    padded = lambda it, dtype: np.concatenate([it, np.zeros(len(x) - len(it))]).astype(dtype)
    values = np.concatenate([x[firsts], np.zeros(len(x) - len(firsts), x.dtype)])
    return values, padded(firsts, I64), inverse.astype(I64), padded(counts, I64), np.array(len(counts), I64)


def uniques(name, dtype, sign, variants):
    type, places = f"tensor<?x{name}>", "tensor<?xi64>"
    results = [type, places, places, places, "tensor<i64>"]
    names = ", ".join(f"%r{i}" for i in range(5))
    return case(f"unique_{name}{sign.replace(' ', '_')}", f"The distinct elements of lists of {name}{sign}.", f"%x: {type}",
                ", ".join(f"%r{i}: {it}" for i, it in enumerate(results)),
                f"{names} = graph.unique %x{sign} : {type} -> {', '.join(results)}", variants, lambda x: unique(x, sign))


def one_hot(indices, on, off, depth, dim):
    places = np.where(indices < 0, indices + depth, indices)
    return np.where(np.expand_dims(places, dim) == np.arange(depth).reshape((depth,) + (1,) * (indices.ndim - dim)), on, off)


CASES = [
    # Sorts.
    *(sorts(name, dtype, "", rows_of(dtype)) for name, dtype in ELEMENTS.items()),
    sorts("i8", I8, UNSIGNED, rows_of(I8)),
    case("sort_columns", "The first dimension, of a size that is known at run time.", "%x: tensor<?x2xf32>",
         "%v: tensor<?x2xf32>, %i: tensor<?x2xi64>",
         "%v, %i = graph.sort %x dim = 0 descending : tensor<?x2xf32> -> tensor<?x2xf32>, tensor<?x2xi64>",
         {f"n{n}": [distinct(n, 2) % F32(5)] for n in ROWS}, lambda x: sorted_by(x, 0, True)),
    case("sort_few", "Rows of 0 and 1 elements.", "%x: tensor<3x0xf32>, %y: tensor<3x1xf32>",
         "%v0: tensor<3x0xf32>, %i0: tensor<3x0xi64>, %v1: tensor<3x1xf32>, %i1: tensor<3x1xi64>, %v2: tensor<3x0xf32>, %i2: tensor<3x0xi64>",
         "%v0, %i0 = graph.sort %x dim = 1 : tensor<3x0xf32> -> tensor<3x0xf32>, tensor<3x0xi64>\n"
         "%v1, %i1 = graph.sort %y dim = 1 : tensor<3x1xf32> -> tensor<3x1xf32>, tensor<3x1xi64>\n"
         "%v2, %i2 = graph.topk %y k = 0 dim = 1 : tensor<3x1xf32> -> tensor<3x0xf32>, tensor<3x0xi64>",
         {"some": [distinct(3, 0), distinct(3, 1)]},
         lambda x, y: (*sorted_by(x, 1), *sorted_by(y, 1), *ordered(y, 1, "", 0, True))),
    case("topk_dynamic", "Of a dimension whose size is known at run time.", "%x: tensor<2x?xi32>",
         "%v: tensor<2x3xi32>, %i: tensor<2x3xi64>",
         "%v, %i = graph.topk %x k = 3 dim = 1 : tensor<2x?xi32> -> tensor<2x3xi32>, tensor<2x3xi64>",
         {f"n{n}": [distinct(2, n, dtype=I32) % I32(4)] for n in (3, 7)}, lambda x: ordered(x, 1, "", 3, True)),
    # Scans.
    *(scans(name, dtype, {f"n{n}": [random(n, 7, dtype=dtype)] for n in ROWS}) for name, dtype in FLOATS.items()),
    *(scans(name, dtype, {f"n{n}": [distinct(n, 7, dtype=dtype)] for n in ROWS}) for name, dtype in INTS.items()),
    scans("i1", I1, {"n3": [bits(3, 7)]}),
    case("scan_columns", "A dimension whose size is known at run time, in both directions.", "%x: tensor<2x?x3xf32>",
         "%r0: tensor<2x?x3xf32>, %r1: tensor<2x?x3xf32>, %r2: tensor<2x?x3xf32>",
         "%r0 = graph.scan add %x dim = 1 : tensor<2x?x3xf32>\n"
         "%r1 = graph.scan add %x dim = 1 exclusive reverse : tensor<2x?x3xf32>\n"
         "%r2 = graph.scan max %x dim = 1 reverse : tensor<2x?x3xf32>",
         {f"n{n}": [random(2, n, 3)] for n in (1, 7)},
         lambda x: (scan(add, 0)(x), scan(add, 0, True, True)(x), scan(maximumf, -INF, False, True)(x))),
    case("scan_nothing", "Rows without elements.", "%x: tensor<2x?x3xf32>", "%r0: tensor<2x?x3xf32>, %r1: tensor<2x?x3xf32>",
         "%r0 = graph.scan add %x dim = 1 : tensor<2x?x3xf32>\n"
         "%r1 = graph.scan add %x dim = 1 exclusive reverse : tensor<2x?x3xf32>",
         {"n0": [random(2, 0, 3)]}, lambda x: (x, x)),
    # Gathers.
    case("gather_nd", "Lists of two indices, and of all; some indices are beyond x.",
         "%x: tensor<4x3x2xf32>, %i: tensor<?x2xi64>, %j: tensor<2x3xi32>", "%r0: tensor<?x2xf32>, %r1: tensor<2xf32>",
         "%r0 = graph.gather_nd %x, %i : tensor<4x3x2xf32>, tensor<?x2xi64> -> tensor<?x2xf32>\n"
         "%r1 = graph.gather_nd %x, %j : tensor<4x3x2xf32>, tensor<2x3xi32> -> tensor<2xf32>",
         {f"n{n}": [distinct(4, 3, 2), distinct(n, 2, dtype=I64), distinct(2, 3, dtype=I32)] for n in ROWS},
         lambda x, i, j: (gather_nd(x, i), gather_nd(x, j))),
    *(case(f"gather_nd_batches_{name}", f"Batches of {name}.", f"%x: tensor<?x3x5x{name}>, %i: tensor<?x2x1xi64>, %j: tensor<1xi64>",
           f"%r0: tensor<?x2x5x{name}>, %r1: tensor<3x5x{name}>",
           f"%r0 = graph.gather_nd %x, %i batch_dims = 1 : tensor<?x3x5x{name}>, tensor<?x2x1xi64> -> tensor<?x2x5x{name}>\n"
           f"%r1 = graph.gather_nd %x, %j : tensor<?x3x5x{name}>, tensor<1xi64> -> tensor<3x5x{name}>",
           {f"n{n}": [bits(n, 3, 5) if dtype == I1 else distinct(n, 3, 5, dtype=dtype), distinct(n, 2, 1, dtype=I64),
                      np.array([-1], I64)] for n in (1, 5)},
           lambda x, i, j: (gather_nd(x, i, 1), gather_nd(x, j)))
      for name, dtype in [("bf16", BF16), ("i8", I8), ("i1", I1)]),
    # Scatters.
    *(scatters(name, dtype, ["replace", "add", "mul", "max", "min"]) for name, dtype in FLOATS.items()),
    *(scatters(name, dtype, list(STEPS)) for name, dtype in [("i8", I8), ("i32", I32), ("i64", I64)]),
    scatters("i1", I1, ["replace"]),
    case("scatter_elements_columns", "Updates along the first dimension, by i32, of a size that is known at run time.",
         "%x: tensor<?x3xf32>, %i: tensor<?x2xi32>, %u: tensor<?x2xf32>", "%r: tensor<?x3xf32>",
         "%r = graph.scatter_elements add %x, %i, %u dim = 0 : tensor<?x3xf32>, tensor<?x2xi32>, tensor<?x2xf32>",
         {f"n{n}_m{m}": [random(n, 3), distinct(m, 2, dtype=I32), random(m, 2, seed=2)] for n, m in [(1, 0), (1, 1), (7, 5), (2, 7)]},
         lambda x, i, u: scatter_elements(x, i, u, 0, "add")),
    *(case(f"scatter_nd_{name}", f"Updates of slices and of elements of {name}.",
           f"%x: tensor<4x3x2x{name}>, %i: tensor<?x1xi64>, %u: tensor<?x3x2x{name}>, %j: tensor<2x3x3xi32>, %v: tensor<2x3x{name}>",
           f"%r0: tensor<4x3x2x{name}>, %r1: tensor<4x3x2x{name}>, %r2: tensor<4x3x2x{name}>",
           f"%r0 = graph.scatter_nd replace %x, %i, %u : tensor<4x3x2x{name}>, tensor<?x1xi64>, tensor<?x3x2x{name}>\n"
           f"%r1 = graph.scatter_nd add %x, %i, %u : tensor<4x3x2x{name}>, tensor<?x1xi64>, tensor<?x3x2x{name}>\n"
           f"%r2 = graph.scatter_nd max %x, %j, %v : tensor<4x3x2x{name}>, tensor<2x3x3xi32>, tensor<2x3x{name}>",
           {f"n{n}": [random(4, 3, 2, dtype=dtype, high=9.0), distinct(n, 1, dtype=I64), random(n, 3, 2, dtype=dtype, seed=2),
                      distinct(2, 3, 3, dtype=I32) % I32(6) - I32(2), random(2, 3, dtype=dtype, seed=3, high=9.0)] for n in (0, 1, 11)},
           lambda x, i, u, j, v: (scatter_nd(x, i, u, "replace"), scatter_nd(x, i, u, "add"), scatter_nd(x, j, v, "max")))
      for name, dtype in [("f32", F32), ("i32", I32)]),
    case("scatter_of_sums", "The updates and the tensor are results of other ops, and the result is used.",
         "%x: tensor<5x3xf32>, %i: tensor<4x1xi64>, %u: tensor<4x3xf32>", "%r: tensor<5x3xf32>",
         "%a = graph.add %x, %x : tensor<5x3xf32>\n"
         "%b = graph.neg %u : tensor<4x3xf32>\n"
         "%s = graph.scatter_nd add %a, %i, %b : tensor<5x3xf32>, tensor<4x1xi64>, tensor<4x3xf32>\n"
         "%r = graph.mul %s, %a : tensor<5x3xf32>",
         {"some": [random(5, 3), np.array([[1], [-1], [1], [7]], I64), random(4, 3, seed=2)]},
         lambda x, i, u: scatter_nd(x + x, i, -u, "add") * (x + x)),
    case("ordered_in_groups", "Fusion groups with a sort, a scan and a scatter.", "%x: tensor<3x7xf32>, %i: tensor<3x2xi64>, %u: tensor<3x2xf32>",
         "%s: tensor<3x7xf32>, %c: tensor<3x7xf32>, %t: tensor<3x7xf32>",
         """
         %s = graph.fusion -> tensor<3x7xf32> {
           %v, %p = graph.sort %x dim = 1 : tensor<3x7xf32> -> tensor<3x7xf32>, tensor<3x7xi64>
           %g0 = graph.yield_store %v : tensor<3x7xf32>
           graph.yield %g0 : tensor<3x7xf32>
         }
         %c = graph.fusion -> tensor<3x7xf32> {
           %v = graph.scan add %s dim = 1 : tensor<3x7xf32>
           %w = graph.mul %v, %x : tensor<3x7xf32>
           %g1 = graph.yield_store %w : tensor<3x7xf32>
           graph.yield %g1 : tensor<3x7xf32>
         }
         %t = graph.fusion -> tensor<3x7xf32> {
           %v = graph.scatter_elements add %c, %i, %u dim = 1 : tensor<3x7xf32>, tensor<3x2xi64>, tensor<3x2xf32>
           %g2 = graph.yield_store %v : tensor<3x7xf32>
           graph.yield %g2 : tensor<3x7xf32>
         }""",
         {"some": [random(3, 7), np.array([[0, 6], [-1, -1], [7, 2]], I64), random(3, 2, seed=2)]},
         lambda x, i, u: (sorted_by(x, 1)[0], scan(add, 0)(sorted_by(x, 1)[0]) * x,
                          scatter_elements(scan(add, 0)(sorted_by(x, 1)[0]) * x, i, u, 1, "add"))),
    # Numbers of results that are data.
    *(case(f"nonzero_{name}", f"The places of the elements of {name} that are not 0.", f"%x: tensor<?x3x{name}>, %y: tensor<5x{name}>",
           "%p: tensor<?x2xi64>, %n: tensor<i64>, %q: tensor<5x1xi64>, %m: tensor<i64>",
           f"%p, %n = graph.nonzero %x : tensor<?x3x{name}> -> tensor<?x2xi64>, tensor<i64>\n"
           f"%q, %m = graph.nonzero %y : tensor<5x{name}> -> tensor<5x1xi64>, tensor<i64>",
           {f"n{n}": [bits(n, 3, dtype=dtype), np.array([0, 2, -0.0, math.nan if name == "f32" else 1, 0], F32).astype(dtype)] for n in ROWS},
           lambda x, y: (*nonzero(x), *nonzero(y)))
      for name, dtype in [("f32", F32), ("i8", I8), ("i1", I1)]),
    case("nonzero_all", "Of sizes that are known: all elements, and none; and of no elements.",
         "%x: tensor<2x3x2xi32>, %y: tensor<0x2xi32>",
         "%p: tensor<12x3xi64>, %n: tensor<i64>, %q: tensor<12x3xi64>, %m: tensor<i64>, %o: tensor<0x2xi64>, %k: tensor<i64>",
         "%p, %n = graph.nonzero %x : tensor<2x3x2xi32> -> tensor<12x3xi64>, tensor<i64>\n"
         "%z = graph.xor %x, %x : tensor<2x3x2xi32>\n"
         "%q, %m = graph.nonzero %z : tensor<2x3x2xi32> -> tensor<12x3xi64>, tensor<i64>\n"
         "%o, %k = graph.nonzero %y : tensor<0x2xi32> -> tensor<0x2xi64>, tensor<i64>",
         {"some": [distinct(2, 3, 2, dtype=I32, first=1), distinct(0, 2, dtype=I32)]},
         lambda x, y: (*nonzero(x), *nonzero(x ^ x), *nonzero(y))),
    *(uniques(name, dtype, sign, {f"n{n}": [distinct(n, dtype=I64).astype(dtype) % dtype(4) - dtype(2)] for n in (0, 1, 13)}
              | ({} if name in INTS else {"special": [np.array([NAN, 0.0, INF, -0.0, NAN, 1.0, -INF, 1.0, NAN], F32).astype(dtype)]}))
      for name, dtype, sign in [("f32", F32, ""), ("f16", F16, ""), ("i8", I8, ""), ("i8", I8, UNSIGNED), ("i64", I64, "")]),
    case("unique_static", "A list of static size, of which only the values are used.", "%x: tensor<11xi32>", "%r: tensor<11xi32>",
         "%r, %f, %i, %c, %n = graph.unique %x : tensor<11xi32> -> tensor<11xi32>, tensor<11xi64>, tensor<11xi64>, tensor<11xi64>, tensor<i64>",
         {"some": [distinct(11, dtype=I32) % I32(3)]}, lambda x: unique(x)[0]),
    # One-hot.
    *(case(f"one_hot_{name}", f"Indices of {index} in new dimensions of {name}, some beyond the depth.",
           f"%i: tensor<?x3x{index}>, %on: {name}, %off: {name}", f"%r0: tensor<?x5x3x{name}>, %r1: tensor<?x3x1x{name}>, %r2: tensor<0x?x3x{name}>",
           f"%r0 = graph.one_hot %i, %on, %off depth = 5 dim = 1 : tensor<?x3x{index}>, {name} -> tensor<?x5x3x{name}>\n"
           f"%r1 = graph.one_hot %i, %on, %off depth = 1 dim = 2 : tensor<?x3x{index}>, {name} -> tensor<?x3x1x{name}>\n"
           f"%r2 = graph.one_hot %i, %on, %off depth = 0 dim = 0 : tensor<?x3x{index}>, {name} -> tensor<0x?x3x{name}>",
           {f"n{n}": [distinct(n, 3, dtype=of_index), scalar(on, dtype), scalar(off, dtype)] for n in ROWS},
           lambda i, on, off: (one_hot(i, on, off, 5, 1), one_hot(i, on, off, 1, 2), one_hot(i, on, off, 0, 0)))
      for name, dtype, on, off, index, of_index in [("f32", F32, 2.5, -1.0, "i64", I64), ("i8", I8, 7, -8, "i32", I32),
                                                    ("i1", I1, True, False, "i64", I64), ("bf16", BF16, 1.0, 0.0, "i32", I32)]),
]
