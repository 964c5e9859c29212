"""The structured ops of the graph dialect: products, reductions, normalisations, pools, and ops that move elements."""

import numpy as np

from .arrays import *
from .case import *
from .graph_elementwise import wide

ROWS = [0, 1, 7]


def case(name, about, arguments, results, text, variants, expected):
    """A case of some lines of graph ops."""
    return Case(f"graph_{name}", about, main(arguments, results, text), variants, expected)


def one(name, about, op, types, inputs, expected):
    """A case of one op of static types: "op %x, %y mark" with the types of operands and of the result."""
    *operands, result = types.split(" | ")
    names = ["%x", "%y", "%z", "%u", "%v"][: len(operands)]
    arguments = ", ".join(f"{it}: {type}" for it, type in zip(names, operands))
    return case(name, about, arguments, f"%r: {result}", f"%r = graph.{op}", {"some": inputs}, expected)


def widened(x):
    return x.astype(F32) if x.dtype in (F16, BF16) else x


def narrowed(x, dtype):
    return to_type(x.astype(F64), dtype)


def wide_product(a, b, dtype):
    return product(a.astype(dtype), b.astype(dtype))


def convolution(x, w, strides, dilations, low, high, groups, dtype):
    """Channels first: sums over the channel, then the window, in order."""
    x, w = x.astype(dtype), w.astype(dtype)
    x = np.pad(x, [(0, 0), (0, 0), *zip(low, high)])
    axes = x.ndim - 2
    seen = windows(x, w.shape[2:], strides, dilations)
    outputs, each = w.shape[0] // groups, w.shape[1]
    parts = []
    for output in range(w.shape[0]):
        group = output // outputs
        mine = seen[:, group * each : (group + 1) * each]
        weights = w[output].reshape((1, each) + (1,) * axes + w.shape[2:])
        terms = np.moveaxis(mine * weights, 1, 0)
        terms = np.moveaxis(terms, range(-axes, 0), range(1, axes + 1))
        parts.append(total(terms, tuple(range(axes + 1))))
    return np.stack(parts, 1)


def last(function):
    """The function of channels-first arrays on channels-last ones."""

    def run(x, w):
        axes = x.ndim - 2
        w = np.moveaxis(w, (axes + 1, axes), (0, 1))
        return np.moveaxis(function(np.moveaxis(x, -1, 1), w), 1, -1)

    return run


def conv(strides=None, dilations=None, low=None, high=None, groups=1, dtype=F32):
    def run(x, w):
        axes = x.ndim - 2
        return convolution(
            x, w, strides or [1] * axes, dilations or [1] * axes, low or [0] * axes, high or [0] * axes, groups, dtype)

    return run


def pooled(x, kernel, strides, dilations, low, high, kind, count_padding=False):
    axes = len(kernel)
    pads = [(0, 0), (0, 0), *zip(low, high)]
    if kind == "max":
        least = -INF if x.dtype.kind not in "iu" else np.iinfo(x.dtype).min
        seen = windows(np.pad(x, pads, constant_values=least), kernel, strides, dilations)
        return fold(maximumf if x.dtype.kind not in "iu" else np.maximum, x.dtype.type(least), seen, tuple(range(-axes, 0)))
    wide_x = widened(x)
    seen = windows(np.pad(wide_x, pads), kernel, strides, dilations)
    inside = windows(np.pad(np.ones_like(wide_x), pads, constant_values=float(count_padding)), kernel, strides, dilations)
    axes = tuple(range(-axes, 0))
    return narrowed(total(seen, axes) / total(inside, axes), x.dtype)


def means(x, dims):
    """In the type of formulas, with the dimensions kept."""
    sums = total(widened(x), dims)
    count = math.prod(x.shape[it] for it in dims)
    return np.expand_dims(sums / sums.dtype.type(count), dims)


def squares(x, mean, dims):
    distance = widened(x) - mean
    return np.expand_dims(total(distance * distance, dims), dims)


def variance(x, dims, correction=0):
    count = math.prod(x.shape[it] for it in dims)
    sums = squares(x, means(x, dims), dims)
    return sums / (sums.dtype.type(count) - sums.dtype.type(correction))


def keeping(values, dims, keep):
    return values if keep else np.squeeze(values, dims)


def softmax(x, dim, log=False):
    y = widened(x)
    most = np.expand_dims(fold(maximumf, y.dtype.type(-INF), y, dim), dim)
    shifted = y - most
    powers = rounded(np.exp)(shifted)
    sums = np.expand_dims(total(powers, dim), dim)
    return narrowed(shifted - rounded(np.log)(sums) if log else powers / sums, x.dtype)


def rsqrt(x):
    return rounded(lambda it: 1.0 / np.sqrt(it))(x)


def layer_norm(x, scale, bias, epsilon=1e-3):
    dims = tuple(range(x.ndim - scale.ndim, x.ndim))
    mean = means(x, dims)
    factor = rsqrt(variance(x, dims) + mean.dtype.type(epsilon))
    return narrowed((widened(x) - mean) * factor * widened(scale) + widened(bias), x.dtype)


def group_norm(x, scale, bias, groups, epsilon=1e-3):
    parts = x.reshape((x.shape[0], groups, x.shape[1] // groups) + x.shape[2:])
    dims = tuple(range(2, parts.ndim))
    mean = means(parts, dims)
    factor = rsqrt(variance(parts, dims) + mean.dtype.type(epsilon))
    normal = ((widened(parts) - mean) * factor).reshape(x.shape)
    of_channel = lambda it: widened(it).reshape((-1,) + (1,) * (x.ndim - 2))
    return narrowed(normal * of_channel(scale) + of_channel(bias), x.dtype)


def logsumexp(x, dims, keep):
    y = widened(x)
    most = np.expand_dims(fold(maximumf, y.dtype.type(-INF), y, dims), dims)
    most = np.where(np.isinf(most), y.dtype.type(0), most)
    sums = np.expand_dims(total(rounded(np.exp)(y - most), dims), dims)
    return narrowed(keeping(rounded(np.log)(sums) + most, dims, keep), x.dtype)


def prelu(x, slopes, dim):
    slopes = slopes.reshape((-1,) + (1,) * (x.ndim - 1 - dim))
    return np.where(x > 0, x, narrowed(widened(slopes) * widened(x), x.dtype))


def of_dim(numbers, x, dim):
    return numbers if dim is None else numbers.reshape((-1,) + (1,) * (x.ndim - 1 - dim))


def quantize(x, scale, zero_point, dim=None, without_sign=False):
    zero = zero_point.view(f"u{zero_point.dtype.itemsize}") if without_sign else zero_point
    y = widened(x)
    sums = np.rint(y / of_dim(widened(scale), x, dim)) + of_dim(zero, x, dim).astype(y.dtype)
    ends = np.iinfo(zero.dtype)
    return np.where(np.isnan(sums), 0, np.clip(sums.astype(F64), ends.min, ends.max)).astype(zero.dtype).view(zero_point.dtype)


def dequantize(x, scale, zero_point, dim=None, without_sign=False):
    x, zero_point = (it.view(f"u{it.dtype.itemsize}") if without_sign else it for it in (x, zero_point))
    difference = x.astype(I64) - of_dim(zero_point, x, dim).astype(I64)
    factor = of_dim(widened(scale), x, dim)
    return narrowed(difference.astype(factor.dtype) * factor, scale.dtype)


def rms_norm(x, scale, epsilon=1e-3):
    dims = tuple(range(x.ndim - scale.ndim, x.ndim))
    y = widened(x)
    sums = np.expand_dims(total(y * y, dims), dims)
    mean = sums / sums.dtype.type(math.prod(scale.shape))
    return narrowed(y * rsqrt(mean + mean.dtype.type(epsilon)) * widened(scale), x.dtype)


def batch_norm(x, *lists):
    scale, bias, mean, variance = (widened(it)[:, None, None] for it in lists)
    factor = rsqrt(variance + variance.dtype.type(1e-3))
    return narrowed((widened(x) - mean) * factor * scale + bias, x.dtype)


def arg(function, worst):
    """The first index of the best number; 0 if none is better than the worst."""

    def run(x, dim, dtype=I64):
        numbers = np.where(np.isnan(x), worst, x) if x.dtype.kind not in "iu" else x
        return function(numbers, dim).astype(dtype)

    return run


argmax, argmin = arg(np.argmax, -INF), arg(np.argmin, INF)


def inside(indices, size):
    return np.clip(np.where(indices < 0, indices + size, indices), 0, size - 1)


def packed(x, dims, tiles):
    shape = x.shape
    pads = [(0, 0)] * x.ndim
    for dim, tile in zip(dims, tiles):
        pads[dim] = (0, -shape[dim] % tile)
    x = np.pad(x, pads)
    split, order, behind = [], [], []
    for i, size in enumerate(x.shape):
        order.append(len(split))
        if i in dims:
            tile = tiles[dims.index(i)]
            split += [size // tile, tile]
            behind.append((dims.index(i), len(split) - 1))
        else:
            split.append(size)
    order += [place for _, place in sorted(behind)]
    return x.reshape(split).transpose(order)


def per_rows(inputs):
    return {f"n{n}": inputs(n) for n in ROWS}


IMAGE = "tensor<1x4x6x5xf32>"

"""The start, end and step of slices."""
BOUNDS = [(15, 2**63 - 1, 1), (-3, 2**63 - 1, 1), (-2**63, 2**63 - 1, 2), (2, -1, 1), (-3, 2, 1), (0, 2**63 - 1, 2**63 - 1)]

CASES = [
    # Products.
    *(one(f"matmul_{name}", "All transpositions of the operands.", f"matmul %x, %y {marks} : {a}, {b} -> tensor<5x3xf32>",
          f"{a} | {b} | tensor<5x3xf32>",
          [random(*sa), random(*sb, seed=2)],
          lambda x, y, ta=ta, tb=tb: product(x.T if ta else x, y.T if tb else y))
      for name, marks, ta, tb, sa, sb, a, b in [
          ("plain", "", False, False, (5, 7), (7, 3), "tensor<5x7xf32>", "tensor<7x3xf32>"),
          ("left", "transpose_a", True, False, (7, 5), (7, 3), "tensor<7x5xf32>", "tensor<7x3xf32>"),
          ("right", "transpose_b", False, True, (5, 7), (3, 7), "tensor<5x7xf32>", "tensor<3x7xf32>"),
          ("both", "transpose_a transpose_b", True, True, (7, 5), (3, 7), "tensor<7x5xf32>", "tensor<3x7xf32>")]),
    case("matmul_batch_dynamic", "Batches, and sizes that are known at run time.",
         "%x: tensor<?x2x?x3xf32>, %y: tensor<?x2x3x?xf32>", "%r: tensor<?x2x?x?xf32>",
         "%r = graph.matmul %x, %y : tensor<?x2x?x3xf32>, tensor<?x2x3x?xf32> -> tensor<?x2x?x?xf32>",
         {f"n{n}_m{m}": [random(n, 2, m, 3), random(n, 2, 3, 5, seed=2)] for n, m in [(0, 3), (1, 1), (3, 0), (2, 7)]},
         product),
    *(one(f"matmul_{a}_{c}", f"Products of {a} that are added in {c}.",
          f"matmul %x, %y : tensor<5x7x{a}>, tensor<7x3x{a}> -> tensor<5x3x{c}>",
          f"tensor<5x7x{a}> | tensor<7x3x{a}> | tensor<5x3x{c}>",
          [distinct(5, 7, dtype=da), distinct(7, 3, dtype=da)], lambda x, y, dc=dc: wide_product(x, y, dc))
      for a, c, da, dc in [("i8", "i32", I8, I32), ("bf16", "f32", BF16, F32), ("f16", "f32", F16, F32),
                           ("i64", "i64", I64, I64), ("f64", "f64", F64, F64), ("i32", "i32", I32, I32)]),
    one("bias_add", "One number for each channel.", "bias_add %x, %y dim = 1 : tensor<2x3x4xf32>, tensor<3xf32>",
        "tensor<2x3x4xf32> | tensor<3xf32> | tensor<2x3x4xf32>", [random(2, 3, 4), random(3, seed=2)],
        lambda x, y: x + y[:, None]),
    # Convolutions.
    one("conv_padded", "Padding on all sides.",
        f"conv channels_first %x, %y low = [1, 0] high = [2, 1] : {IMAGE}, tensor<3x4x3x2xf32> -> tensor<1x3x7x5xf32>",
        f"{IMAGE} | tensor<3x4x3x2xf32> | tensor<1x3x7x5xf32>", [random(1, 4, 6, 5), random(3, 4, 3, 2, seed=2)],
        conv(low=[1, 0], high=[2, 1])),
    one("conv_strided_dilated", "Strides and dilations.",
        f"conv channels_first %x, %y strides = [2, 1] dilations = [1, 2] : {IMAGE}, tensor<3x4x3x2xf32> -> tensor<1x3x2x3xf32>",
        f"{IMAGE} | tensor<3x4x3x2xf32> | tensor<1x3x2x3xf32>", [random(1, 4, 6, 5), random(3, 4, 3, 2, seed=2)],
        conv(strides=[2, 1], dilations=[1, 2])),
    one("conv_groups", "Groups of channels.",
        f"conv channels_first %x, %y groups = 2 : {IMAGE}, tensor<6x2x3x3xf32> -> tensor<1x6x4x3xf32>",
        f"{IMAGE} | tensor<6x2x3x3xf32> | tensor<1x6x4x3xf32>", [random(1, 4, 6, 5), random(6, 2, 3, 3, seed=2)],
        conv(groups=2)),
    one("conv_depthwise", "One group for each channel.",
        f"conv channels_first %x, %y low = [1, 1] high = [1, 1] groups = 4 : {IMAGE}, tensor<4x1x3x3xf32> -> {IMAGE}",
        f"{IMAGE} | tensor<4x1x3x3xf32> | {IMAGE}", [random(1, 4, 6, 5), random(4, 1, 3, 3, seed=2)],
        conv(low=[1, 1], high=[1, 1], groups=4)),
    one("conv_channels_last", "Channels behind the positions.",
        "conv channels_last %x, %y strides = [1, 2] low = [1, 1] high = [1, 1] : tensor<2x6x5x4xf32>, tensor<3x3x4x3xf32> -> tensor<2x6x3x3xf32>",
        "tensor<2x6x5x4xf32> | tensor<3x3x4x3xf32> | tensor<2x6x3x3xf32>", [random(2, 6, 5, 4), random(3, 3, 4, 3, seed=2)],
        last(conv(strides=[1, 2], low=[1, 1], high=[1, 1]))),
    one("conv_channels_last_groups", "Groups of channels behind the positions.",
        "conv channels_last %x, %y groups = 2 : tensor<2x6x5x4xf32>, tensor<3x3x2x6xf32> -> tensor<2x4x3x6xf32>",
        "tensor<2x6x5x4xf32> | tensor<3x3x2x6xf32> | tensor<2x4x3x6xf32>", [random(2, 6, 5, 4), random(3, 3, 2, 6, seed=2)],
        last(conv(groups=2))),
    one("conv_1d_i8", "One dimension; bytes whose products are added in i32.",
        "conv channels_first %x, %y : tensor<2x3x9xi8>, tensor<2x3x4xi8> -> tensor<2x2x6xi32>",
        "tensor<2x3x9xi8> | tensor<2x3x4xi8> | tensor<2x2x6xi32>",
        [distinct(2, 3, 9, dtype=I8), distinct(2, 3, 4, dtype=I8)], conv(dtype=I32)),
    one("conv_3d", "Three dimensions.",
        "conv channels_first %x, %y : tensor<1x2x4x3x5xf32>, tensor<2x2x2x2x2xf32> -> tensor<1x2x3x2x4xf32>",
        "tensor<1x2x4x3x5xf32> | tensor<2x2x2x2x2xf32> | tensor<1x2x3x2x4xf32>",
        [random(1, 2, 4, 3, 5), random(2, 2, 2, 2, 2, seed=2)], conv()),
    case("windows_of_unstated_size", "Results whose sizes are known, but not stated.",
         "%x: tensor<1x4x6x5xf32>, %w: tensor<6x2x3x3xf32>", "%r0: tensor<?x6x?x?xf32>, %r1: tensor<1x4x?x?xf32>",
         "%r0 = graph.conv channels_first %x, %w groups = 2 : tensor<1x4x6x5xf32>, tensor<6x2x3x3xf32> -> tensor<?x6x?x?xf32>\n"
         "%r1 = graph.pool average channels_first %x window = [3, 2] : tensor<1x4x6x5xf32> -> tensor<1x4x?x?xf32>",
         {"some": [random(1, 4, 6, 5), random(6, 2, 3, 3, seed=2)]},
         lambda x, w: (conv(groups=2)(x, w), pooled(x, [3, 2], [1, 1], [1, 1], [0, 0], [0, 0], "average"))),
    case("conv_dynamic", "Batches and positions whose number is known at run time.",
         "%x: tensor<?x4x?x5xf32>, %w: tensor<3x4x3x3xf32>", "%r: tensor<?x3x?x3xf32>",
         "%r = graph.conv channels_first %x, %w strides = [2, 1] low = [1, 0] high = [1, 0] : "
         "tensor<?x4x?x5xf32>, tensor<3x4x3x3xf32> -> tensor<?x3x?x3xf32>",
         {f"n{n}_h{h}": [random(n, 4, h, 5), random(3, 4, 3, 3, seed=2)] for n, h in [(0, 5), (1, 1), (2, 8)]},
         conv(strides=[2, 1], low=[1, 0], high=[1, 0])),
    # Pools.
    *(one(f"pool_{name}", about,
          f"pool {kind} channels_first %x window = [3, 2] {marks} : tensor<1x2x6x5x{e}> -> tensor<1x2x{h}x{w}x{e}>",
          f"tensor<1x2x6x5x{e}> | tensor<1x2x{h}x{w}x{e}>", [inputs], lambda x, a=a: pooled(x, [3, 2], *a))
      for name, about, kind, marks, e, h, w, inputs, a in [
          ("max", "A maximum, with NaN.", "max", "strides = [2, 1]", "f32", 2, 4,
           np.where(distinct(1, 2, 6, 5) == 3, NAN, random(1, 2, 6, 5)).astype(F32), ([2, 1], [1, 1], [0, 0], [0, 0], "max")),
          ("max_padded_i8", "Padding has no influence on a maximum.", "max", "low = [1, 1] high = [1, 1]", "i8", 6, 6,
           -np.abs(distinct(1, 2, 6, 5, dtype=I8)) - I8(1), ([1, 1], [1, 1], [1, 1], [1, 1], "max")),
          ("average", "Without padding.", "average", "dilations = [1, 2]", "f32", 4, 3,
           random(1, 2, 6, 5), ([1, 1], [1, 2], [0, 0], [0, 0], "average")),
          ("average_padded", "Padding does not count.", "average", "strides = [2, 2] low = [1, 1] high = [1, 0]", "f32", 3, 3,
           random(1, 2, 6, 5), ([2, 2], [1, 1], [1, 1], [1, 0], "average")),
          ("average_padding_counts", "Padding counts as zeros.", "average",
           "strides = [2, 2] low = [1, 1] high = [1, 0] count_padding", "f32", 3, 3,
           random(1, 2, 6, 5), ([2, 2], [1, 1], [1, 1], [1, 0], "average", True)),
          ("average_f16", "Sums of f16 are computed in f32.", "average", "", "f16", 4, 4,
           random(1, 2, 6, 5, dtype=F16), ([1, 1], [1, 1], [0, 0], [0, 0], "average"))]),
    case("pool_average_dynamic", "Positions whose number is known at run time, with padding that does not count.",
         "%x: tensor<?x?x?x3xf32>", "%r: tensor<?x?x?x3xf32>",
         "%r = graph.pool average channels_last %x window = [2, 3] low = [1, 1] high = [0, 1] : "
         "tensor<?x?x?x3xf32> -> tensor<?x?x?x3xf32>",
         {f"n{n}_h{h}": [random(n, h, 4, 3)] for n, h in [(0, 3), (1, 1), (2, 5)]},
         lambda x: np.moveaxis(pooled(np.moveaxis(x, -1, 1), [2, 3], [1, 1], [1, 1], [1, 1], [0, 1], "average"), 1, -1)),
    # Reductions.
    *(case(f"reduce_{name}", f"Sums, products and limits of {name}.", f"%x: tensor<?x5x{name}>",
           ", ".join(f"%r{i}: tensor<5x{name}>" for i in range(len(kinds))),
           "\n".join(f"%r{i} = graph.reduce {kind.split(' ')[0]} %x dims = [0] {' '.join(kind.split(' ')[1:])} : "
                     f"tensor<?x5x{name}> -> tensor<5x{name}>" for i, kind in enumerate(kinds)),
           per_rows(lambda n, dtype=dtype: [distinct(n, 5, dtype=dtype)]),
           lambda x, kinds=kinds: tuple(function(x) for function in kinds.values()))
      for name, dtype, kinds in [
          ("f32", F32, {"add": total, "mul": lambda x: fold(lambda a, b: a * b, 1, x),
                        "max": lambda x: fold(maximumf, -INF, x), "min": lambda x: fold(minimumf, INF, x)}),
          ("i8", I8, {"add": total, "mul": lambda x: fold(lambda a, b: a * b, 1, x),
                      "max": lambda x: fold(np.maximum, -128, x), "min": lambda x: fold(np.minimum, 127, x),
                      "max unsigned": lambda x: fold(unsigned(np.maximum), 0, x),
                      "min unsigned": lambda x: fold(unsigned(np.minimum), -1, x),
                      "and": lambda x: fold(lambda a, b: a & b, -1, x), "or": lambda x: fold(lambda a, b: a | b, 0, x)}),
          ("i64", I64, {"add": total, "max": lambda x: fold(np.maximum, np.iinfo(I64).min, x)})]),
    case("reduce_i1", "All and any.", "%x: tensor<?x5xi1>", "%r0: tensor<5xi1>, %r1: tensor<1x5xi1>",
         "%r0 = graph.reduce and %x dims = [0] : tensor<?x5xi1> -> tensor<5xi1>\n"
         "%r1 = graph.reduce or %x dims = [0] keep_dims : tensor<?x5xi1> -> tensor<1x5xi1>",
         per_rows(lambda n: [bits(n, 5)]), lambda x: (np.all(x, 0), np.any(x, 0, keepdims=True))),
    *(case(f"statistics_{name}", f"Mean, variance and standard deviation of {name}.", f"%x: tensor<?x?x{name}>",
           f"%r0: tensor<?x{name}>, %r1: tensor<?x1x{name}>, %r2: tensor<?x{name}>, %r3: tensor<{name}>",
           f"%r0 = graph.mean %x dims = [1] : tensor<?x?x{name}> -> tensor<?x{name}>\n"
           f"%r1 = graph.variance %x dims = [1] keep_dims : tensor<?x?x{name}> -> tensor<?x1x{name}>\n"
           f"%r2 = graph.std %x dims = [1] {{correction = 1}} : tensor<?x?x{name}> -> tensor<?x{name}>\n"
           f"%r3 = graph.mean %x dims = [0, 1] : tensor<?x?x{name}> -> tensor<{name}>",
           {f"n{n}_m{m}": [random(n, m, dtype=dtype)] for n, m in [(0, 3), (1, 1), (7, 5), (3, 0)]},
           lambda x: (narrowed(keeping(means(x, (1,)), 1, False), x.dtype), narrowed(variance(x, (1,)), x.dtype),
                      narrowed(np.sqrt(keeping(variance(x, (1,), 1), 1, False)), x.dtype),
                      narrowed(keeping(means(x, (0, 1)), (0, 1), False), x.dtype)))
      for name, dtype in [("f32", F32), ("f16", F16), ("bf16", BF16), ("f64", F64)]),
    case("arg_f32", "The first index wins; NaN is never the best.", "%x: tensor<?x4xf32>",
         "%r0: tensor<?xi64>, %r1: tensor<?x1xi32>",
         "%r0 = graph.argmax %x dim = 1 : tensor<?x4xf32> -> tensor<?xi64>\n"
         "%r1 = graph.argmin %x dim = 1 keep_dims : tensor<?x4xf32> -> tensor<?x1xi32>",
         {"n0": [random(0, 4)], "ties": [np.array([[1, 3, 3, 2], [NAN, 1, NAN, 1], [-1, -1, -2, -2]], F32)]},
         lambda x: (argmax(x, 1), argmin(x, 1, I32)[:, None])),
    case("arg_i8", "Signed and unsigned bytes.", "%x: tensor<5x4xi8>", "%r0: tensor<4xi64>, %r1: tensor<4xi64>",
         "%r0 = graph.argmax %x dim = 0 : tensor<5x4xi8> -> tensor<4xi64>\n"
         "%r1 = graph.argmin %x dim = 0 unsigned : tensor<5x4xi8> -> tensor<4xi64>",
         {"some": [distinct(5, 4, dtype=I8)]}, lambda x: (argmax(x, 0), np.argmin(x.view("u1"), 0))),
    # Normalisations.
    *(case(f"softmax_{name}", f"Softmax of {name} and its logarithm.", f"%x: tensor<?x5x3x{name}>",
           f"%r0: tensor<?x5x3x{name}>, %r1: tensor<?x5x3x{name}>",
           f"%r0 = graph.softmax %x dim = 1 : tensor<?x5x3x{name}>\n"
           f"%r1 = graph.log_softmax %x dim = 2 : tensor<?x5x3x{name}>",
           per_rows(lambda n, dtype=dtype: [random(n, 5, 3, dtype=dtype)]), lambda x: (softmax(x, 1), softmax(x, 2, True)))
      for name, dtype in [("f32", F32), ("f16", F16), ("bf16", BF16)]),
    *(case(f"norms_{name}", f"Layer and RMS norm of {name}.",
           f"%x: tensor<?x2x6x{name}>, %scale: tensor<2x6x{name}>, %bias: tensor<2x6x{name}>, %last: tensor<6x{name}>",
           f"%r0: tensor<?x2x6x{name}>, %r1: tensor<?x2x6x{name}>",
           f"%r0 = graph.layer_norm %x, %scale, %bias epsilon = 1.0e-3 : tensor<?x2x6x{name}>, tensor<2x6x{name}>\n"
           f"%r1 = graph.rms_norm %x, %last epsilon = 1.0e-3 : tensor<?x2x6x{name}>, tensor<6x{name}>",
           per_rows(lambda n, d=dtype: [random(n, 2, 6, dtype=d), random(2, 6, dtype=d, seed=2), random(2, 6, dtype=d, seed=3),
                                        random(6, dtype=d, seed=4)]),
           lambda x, scale, bias, last: (layer_norm(x, scale, bias), rms_norm(x, last)))
      for name, dtype in [("f32", F32), ("f16", F16)]),
    one("batch_norm", "The numbers of each channel.",
        "batch_norm %x, %y, %z, %u, %v dim = 1 epsilon = 1.0e-3 : tensor<2x3x4x2xf32>, tensor<3xf32>",
        "tensor<2x3x4x2xf32> | tensor<3xf32> | tensor<3xf32> | tensor<3xf32> | tensor<3xf32> | tensor<2x3x4x2xf32>",
        [random(2, 3, 4, 2), *(random(3, seed=it) for it in (2, 3, 4)), random(3, seed=5, low=0.1)], batch_norm),
    *(case(f"group_norm_{name}", f"Group and instance norm of {name}.",
           f"%x: tensor<?x6x?x{name}>, %scale: tensor<6x{name}>, %bias: tensor<6x{name}>",
           f"%r0: tensor<?x6x?x{name}>, %r1: tensor<?x6x?x{name}>",
           f"%r0 = graph.group_norm %x, %scale, %bias groups = 2 epsilon = 1.0e-3 : tensor<?x6x?x{name}>, tensor<6x{name}>\n"
           f"%r1 = graph.group_norm %x, %scale, %bias groups = 6 epsilon = 1.0e-3 : tensor<?x6x?x{name}>, tensor<6x{name}>",
           {f"n{n}_m{m}": [random(n, 6, m, dtype=d), random(6, dtype=d, seed=2), random(6, dtype=d, seed=3)]
            for n, m in [(0, 3), (1, 1), (2, 7), (2, 0)]},
           lambda x, scale, bias: (group_norm(x, scale, bias, 2), group_norm(x, scale, bias, 6)))
      for name, d in [("f32", F32), ("f16", F16)]),
    one("group_norm_image", "Two dimensions of positions, of static size.",
        "group_norm %x, %y, %z groups = 3 epsilon = 1.0e-3 : tensor<2x6x3x5xf32>, tensor<6xf32>",
        "tensor<2x6x3x5xf32> | tensor<6xf32> | tensor<6xf32> | tensor<2x6x3x5xf32>",
        [random(2, 6, 3, 5), random(6, seed=2), random(6, seed=3)], lambda x, y, z: group_norm(x, y, z, 3)),
    *(case(f"logsumexp_{name}", f"The logarithms of sums of powers of {name}.", f"%x: tensor<?x5x{name}>, %y: tensor<4x3x{name}>",
           f"%r0: tensor<?x{name}>, %r1: tensor<1x5x{name}>, %r2: tensor<4x{name}>",
           f"%r0 = graph.logsumexp %x dims = [1] : tensor<?x5x{name}> -> tensor<?x{name}>\n"
           f"%r1 = graph.logsumexp %x dims = [0] keep_dims : tensor<?x5x{name}> -> tensor<1x5x{name}>\n"
           f"%r2 = graph.logsumexp %y dims = [1] : tensor<4x3x{name}> -> tensor<4x{name}>",
           {f"n{n}": [random(n, 5, dtype=d, low=-30.0, high=30.0),
                      np.array([[-INF, -INF, -INF], [1, INF, -INF], [NAN, 1, 2], [-INF, 3, 3]], F32).astype(d)] for n in ROWS},
           lambda x, y: (logsumexp(x, (1,), False), logsumexp(x, (0,), True), logsumexp(y, (1,), False)))
      for name, d in [("f32", F32), ("f16", F16), ("bf16", BF16), ("f64", F64)]),
    *(case(f"prelu_{name}", f"A slope of {name} for each index of a dimension.", f"%x: tensor<?x3x2x{name}>, %s: tensor<3x{name}>",
           f"%r: tensor<?x3x2x{name}>", f"%r = graph.prelu %x, %s dim = 1 : tensor<?x3x2x{name}>, tensor<3x{name}>",
           {f"n{n}": [random(n, 3, 2, dtype=d), random(3, dtype=d, seed=2)] for n in ROWS}
           | {"special": [np.array([[[NAN, -0.0], [0.0, -INF], [INF, -1.0]]], F32).astype(d), np.array([0.5, -2.0, 0.0], F32).astype(d)]},
           lambda x, s: prelu(x, s, 1))
      for name, d in [("f32", F32), ("f16", F16), ("bf16", BF16), ("f64", F64)]),
    # Conversions by a scale and a zero point.
    *(case(f"quantize_{name}_{to}{mark}", f"From {name} to {to}{mark.replace('_', ' ')} and back, with numbers for all elements and for each column.",
           f"%x: tensor<?x5x{name}>, %s: tensor<{name}>, %z: tensor<{to}>, %t: tensor<5x{name}>, %w: tensor<5x{to}>",
           f"%q: tensor<2x?x5x{to}>, %r: tensor<2x?x5x{name}>",
           f"%q0 = graph.quantize %x, %s, %z{word} : tensor<?x5x{name}>, tensor<{name}>, tensor<{to}> -> tensor<?x5x{to}>\n"
           f"%q1 = graph.quantize %x, %t, %w dim = 1{word} : tensor<?x5x{name}>, tensor<5x{name}>, tensor<5x{to}> -> tensor<?x5x{to}>\n"
           f"%r0 = graph.dequantize %q0, %s, %z{word} : tensor<?x5x{to}>, tensor<{name}>, tensor<{to}> -> tensor<?x5x{name}>\n"
           f"%r1 = graph.dequantize %q1, %t, %w dim = 1{word} : tensor<?x5x{to}>, tensor<5x{name}>, tensor<5x{to}> -> tensor<?x5x{name}>\n"
           f"%q = graph.stack %q0, %q1 dim = 0 : tensor<?x5x{to}>, tensor<?x5x{to}> -> tensor<2x?x5x{to}>\n"
           f"%r = graph.stack %r0, %r1 dim = 0 : tensor<?x5x{name}>, tensor<?x5x{name}> -> tensor<2x?x5x{name}>",
           {f"n{n}": [values(n), np.array(0.5, F32).astype(d), np.array(zero, I64).astype(dt), np.array([0.5, 0.25, 2.0, 1.0, 0.125], F32).astype(d),
                      np.array([0, zero, 1, -3, 9], I64).astype(dt)] for n, values in [
               (0, lambda n, d=d: random(0, 5, dtype=d)), (7, lambda n, d=d: random(n, 5, dtype=d, low=-90.0, high=90.0)),
               (2, lambda n, d=d: np.array([[NAN, INF, -INF, -0.0, 1e30], [0.25, 0.75, -0.25, 2.5, -1e30]], F32).astype(d))]},
           lambda x, s, z, t, w, u=bool(word): (
               np.stack([quantize(x, s, z, None, u), quantize(x, t, w, 1, u)]),
               np.stack([dequantize(quantize(x, s, z, None, u), s, z, None, u), dequantize(quantize(x, t, w, 1, u), t, w, 1, u)])))
      for name, d, to, dt, zero, mark in [("f32", F32, "i8", I8, -7, ""), ("f32", F32, "i8", I8, 200, "_unsigned"), ("f16", F16, "i8", I8, 3, ""),
                                          ("bf16", BF16, "i16", I16, 1000, ""), ("f64", F64, "i16", I16, 40000, "_unsigned")]
      for word in [mark.replace("_", " ")]),
    one("dequantize_i32", "Differences of i32 beyond 32 bits.",
        "dequantize %x, %y, %z : tensor<3xi32>, tensor<f32>, tensor<i32> -> tensor<3xf32>",
        "tensor<3xi32> | tensor<f32> | tensor<i32> | tensor<3xf32>",
        [np.array([2**31 - 1, -(2**31), 5], I32), np.array(0.5, F32), np.array(-5, I32)], dequantize),
    # New tensors.
    case("new_tensors", "Constants, and tensors of given sizes.", "%v: f32, %n: index",
         "%r0: tensor<2xi32>, %r1: tensor<3x2xf32>, %r2: tensor<?x2xf32>, %r3: tensor<2x3xi32>, %r4: tensor<?xf16>",
         "%r0 = graph.constant dense<[4, -5]> : tensor<2xi32>\n"
         "%r1 = graph.full %v : f32 to tensor<3x2xf32>\n"
         "%r2 = graph.full %v sizes(%n) : f32 to tensor<?x2xf32>\n"
         "%r3 = graph.iota dim = 1 : tensor<2x3xi32>\n"
         "%r4 = graph.iota dim = 0 sizes(%n) : tensor<?xf16>",
         {f"n{n}": [scalar(2.5, F32), index(n)] for n in ROWS},
         lambda v, n: (np.array([4, -5], I32), np.full((3, 2), v), np.full((int(n), 2), v),
                       np.tile(np.arange(3, dtype=I32), (2, 1)), np.arange(int(n)).astype(F16))),
    # Ops that move elements.
    *(one(f"reshape_{name}", about, f"reshape %x : tensor<{a}f32> to tensor<{b}f32>", f"tensor<{a}f32> | tensor<{b}f32>",
          [distinct(*shape)], lambda x, to=to: x.reshape(to))
      for name, about, a, b, shape, to in [
          ("split", "Splits one dimension and joins two.", "6x2x5x", "2x3x10x", (6, 2, 5), (2, 3, 10)),
          ("mixed", "No dimensions correspond.", "4x6x", "3x8x", (4, 6), (3, 8)),
          ("units", "Dimensions of size 1.", "1x6x1x", "6x1x1x1x", (1, 6, 1), (6, 1, 1, 1)),
          ("scalar", "One element without dimensions.", "1x1x", "", (1, 1), ()),
          ("from_scalar", "One element, with dimensions.", "", "1x1x", (), (1, 1)),
          ("empty", "No elements.", "0x6x", "3x0x", (0, 6), (3, 0))]),
    case("reshape_dynamic", "Sizes that are known at run time.", "%x: tensor<?x12xf32>, %n: index, %m: index",
         "%r0: tensor<?x3x4xf32>, %r1: tensor<?x?xf32>",
         "%r0 = graph.reshape %x sizes(%n) : tensor<?x12xf32> to tensor<?x3x4xf32>\n"
         "%r1 = graph.reshape %x sizes(%m, %n) : tensor<?x12xf32> to tensor<?x?xf32>",
         {f"n{n}": [distinct(n, 12), index(n), index(12)] for n in [1, 7]},
         lambda x, n, m: (x.reshape(-1, 3, 4), x.reshape(int(m), int(n)))),
    case("unit_dims", "Adds and removes dimensions of size 1.", "%x: tensor<?x1x5xf32>",
         "%r0: tensor<1x?x1x5x1xf32>, %r1: tensor<?x5xf32>",
         "%r0 = graph.expand_dims %x dims = [0, 4] : tensor<?x1x5xf32> -> tensor<1x?x1x5x1xf32>\n"
         "%r1 = graph.squeeze %x dims = [1] : tensor<?x1x5xf32> -> tensor<?x5xf32>",
         per_rows(lambda n: [distinct(n, 1, 5)]), lambda x: (x[None, ..., None], x[:, 0])),
    one("slice_static", "Steps, and negative starts and ends.",
        "slice %x dims = [1, 0] starts = [2, -3] ends = [-1, 9] steps = [3, 1] : tensor<5x12xf32> -> tensor<3x3xf32>",
        "tensor<5x12xf32> | tensor<3x3xf32>", [distinct(5, 12)], lambda x: x[-3:9, 2:-1:3]),
    one("slice_empty", "A start behind the end.",
        "slice %x dims = [0] starts = [4] ends = [2] steps = [1] : tensor<5x2xf32> -> tensor<0x2xf32>",
        "tensor<5x2xf32> | tensor<0x2xf32>", [distinct(5, 2)], lambda x: x[4:2]),
    case("slice_dynamic", "Bounds beyond a size that is known at run time.", "%x: tensor<?x5xf32>",
         "%r0: tensor<?x5xf32>, %r1: tensor<?x2xf32>",
         "%r0 = graph.slice %x dims = [0] starts = [-4] ends = [3] steps = [2] : tensor<?x5xf32> -> tensor<?x5xf32>\n"
         "%r1 = graph.slice %x dims = [0, 1] starts = [1, 3] ends = [6, 5] steps = [1, 1] : tensor<?x5xf32> -> tensor<?x2xf32>",
         {f"n{n}": [distinct(n, 5)] for n in [0, 1, 2, 7]}, lambda x: (x[-4:3:2], x[1:6, 3:5])),
    case("slice_of_unknown_size", "Bounds of each sign, and those that exporters write for the ends of a dimension.",
         "%x: tensor<?xf32>", ", ".join(f"%r{i}: tensor<?xf32>" for i in range(len(BOUNDS))),
         "\n".join(f"%r{i} = graph.slice %x dims = [0] starts = [{start}] ends = [{end}] steps = [{step}] "
                   ": tensor<?xf32> -> tensor<?xf32>" for i, (start, end, step) in enumerate(BOUNDS)),
         {f"n{n}": [distinct(n)] for n in [3, 16]},
         lambda x: tuple(x[start:end:step] for start, end, step in BOUNDS)),
    case("slice_of_slices", "The size of each slice is an expression over that of the one before.", "%x: tensor<?xf32>",
         "%r0: tensor<?xf32>, %r1: tensor<?xf32>",
         "\n".join(f"%{to} = graph.slice %{of} dims = [0] starts = [{start}] ends = [{end}] steps = [1] "
                   ": tensor<?xf32> -> tensor<?xf32>"
                   for to, of, start, end in [("a", "x", 1, -1), ("b", "a", 1, -1), ("c", "b", 1, -1), ("r0", "c", 1, -1),
                                              ("d", "x", 1, 11), ("r1", "d", 5, 9)]),
         {f"n{n}": [distinct(n)] for n in [5, 14]}, lambda x: (x[4:max(len(x) - 4, 4)], x[1:11][5:9])),
    case("reshape_to_constant", "A dynamic size of the result is a constant.", "%x: tensor<?x5xf32>", "%r: tensor<?x2xf32>",
         "%n = arith.constant 10 : index\n%r = graph.reshape %x sizes(%n) : tensor<?x5xf32> to tensor<?x2xf32>",
         {"n4": [distinct(4, 5)]}, lambda x: x.reshape(10, 2)),
    case("joined", "Concatenation and stacking.", "%x: tensor<?x3xf32>, %y: tensor<2x3xf32>, %z: tensor<2x3xf32>",
         "%r0: tensor<?x3xf32>, %r1: tensor<2x6xf32>, %r2: tensor<2x2x3xf32>, %r3: tensor<2x3xf32>",
         "%r0 = graph.concat %y, %x, %z dim = 0 : tensor<2x3xf32>, tensor<?x3xf32>, tensor<2x3xf32> -> tensor<?x3xf32>\n"
         "%r1 = graph.concat %y, %z dim = 1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x6xf32>\n"
         "%r2 = graph.stack %y, %z dim = 1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x2x3xf32>\n"
         "%r3 = graph.concat %y dim = 0 : tensor<2x3xf32> -> tensor<2x3xf32>",
         per_rows(lambda n: [distinct(n, 3), distinct(2, 3, first=50), distinct(2, 3, first=90)]),
         lambda x, y, z: (np.concatenate([y, x, z]), np.concatenate([y, z], 1), np.stack([y, z], 1), y)),
    case("split", "Parts of a dimension, one without elements.", "%x: tensor<?x7xf32>",
         "%r0: tensor<?x2xf32>, %r1: tensor<?x0xf32>, %r2: tensor<?x5xf32>",
         "%r0, %r1, %r2 = graph.split %x dim = 1 sizes = [2, 0, 5] : tensor<?x7xf32> -> tensor<?x2xf32>, tensor<?x0xf32>, tensor<?x5xf32>",
         per_rows(lambda n: [distinct(n, 7)]), lambda x: (x[:, :2], x[:, 2:2], x[:, 2:])),
    case("pad", "Elements before and behind.", "%x: tensor<?x3xi8>, %v: i8", "%r: tensor<?x6xi8>",
         "%r = graph.pad %x, %v low = [1, 0] high = [0, 3] : tensor<?x3xi8>, i8 -> tensor<?x6xi8>",
         per_rows(lambda n: [distinct(n, 3, dtype=I8), scalar(-7, I8)]),
         lambda x, v: np.pad(x, [(1, 0), (0, 3)], constant_values=v)),
    case("copies", "Reversed, tiled and repeated.", "%x: tensor<?x3xf32>",
         "%r0: tensor<?x3xf32>, %r1: tensor<?x6xf32>, %r2: tensor<?x9xf32>, %r3: tensor<?x3xf32>",
         "%r0 = graph.flip %x dims = [1, 0] : tensor<?x3xf32>\n"
         "%r1 = graph.tile %x repeats = [3, 2] : tensor<?x3xf32> -> tensor<?x6xf32>\n"
         "%r2 = graph.repeat %x dim = 1 count = 3 : tensor<?x3xf32> -> tensor<?x9xf32>\n"
         "%r3 = graph.repeat %x dim = 0 count = 2 : tensor<?x3xf32> -> tensor<?x3xf32>",
         per_rows(lambda n: [distinct(n, 3)]),
         lambda x: (x[::-1, ::-1], np.tile(x, (3, 2)), np.repeat(x, 3, 1), np.repeat(x, 2, 0))),
    one("layout_tiles", "Tiles of two dimensions, the last ones filled with zeros.",
        "layout_transform %x dims = [2, 0] tiles = [4, 2] : tensor<3x2x6xf32> to tensor<2x2x2x4x2xf32>",
        "tensor<3x2x6xf32> | tensor<2x2x2x4x2xf32>", [distinct(3, 2, 6)], lambda x: packed(x, [2, 0], [4, 2])),
    one("layout_inverse", "Back from tiles.",
        "layout_transform %x dims = [2, 0] tiles = [4, 2] inverse : tensor<2x2x2x4x2xf32> to tensor<3x2x6xf32>",
        "tensor<2x2x2x4x2xf32> | tensor<3x2x6xf32>", [packed(distinct(3, 2, 6), [2, 0], [4, 2])], lambda x: distinct(3, 2, 6)),
    *(case(f"take_{name}", f"Slices by indices of {name}, some beyond the dimension.",
           f"%x: tensor<3x5x2xf32>, %i: tensor<?x2x{name}>", "%r: tensor<3x?x2x2xf32>",
           f"%r = graph.take %x, %i dim = 1 : tensor<3x5x2xf32>, tensor<?x2x{name}> -> tensor<3x?x2x2xf32>",
           {f"n{n}": [distinct(3, 5, 2), distinct(n, 2, dtype=dtype)] for n in ROWS},
           lambda x, i: np.take(x, inside(i, 5), 1))
      for name, dtype in [("i64", I64), ("i32", I32)]),
    case("gather_elements", "One index for each result.", "%x: tensor<4x5xf32>, %i: tensor<3x?xi64>", "%r: tensor<3x?xf32>",
         "%r = graph.gather_elements %x, %i dim = 1 : tensor<4x5xf32>, tensor<3x?xi64> -> tensor<3x?xf32>",
         {f"n{n}": [distinct(4, 5), distinct(3, n, dtype=I64)] for n in ROWS},
         lambda x, i: np.take_along_axis(x[:3], inside(i, 5), 1)),
    case("views", "Broadcasts and transpositions.", "%x: tensor<?x1xf32>, %n: index",
         "%r0: tensor<2x?x3xf32>, %r1: tensor<1x?xf32>, %r2: tensor<?x?xf32>",
         "%r0 = graph.broadcast %x dims = [1, 2] : tensor<?x1xf32> to tensor<2x?x3xf32>\n"
         "%r1 = graph.transpose %x perm = [1, 0] : tensor<?x1xf32> to tensor<1x?xf32>\n"
         "%r2 = graph.broadcast %x dims = [0, 1] sizes(%n) : tensor<?x1xf32> to tensor<?x?xf32>",
         {f"n{n}": [distinct(n, 1), index(4)] for n in ROWS},
         lambda x, n: (np.broadcast_to(x, (2, len(x), 3)), x.T, np.broadcast_to(x, (len(x), int(n))))),
]
