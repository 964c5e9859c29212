"""The ops of the tensor dialect: shapes, slices, padding, joining, single elements."""

from .arrays import *
from .case import *


def reshape(name, about, op, groups, before, after, output_shape=""):
    """A static expand_shape or collapse_shape by itself."""
    suffix = f" output_shape {output_shape}" if output_shape else ""
    sizes = lambda type: [int(it) for it in type.split("x")[:-1]]
    dtype = next(name for name, type in ELEMENT_TYPES.items() if type == before.split("x")[-1])
    return Case(name, about,
                main(f"%x: tensor<{before}>", f"%r: tensor<{after}>",
                     f"%r = tensor.{op}_shape %x {groups}{suffix} : tensor<{before}> into tensor<{after}>"),
                {"integers": [distinct(*sizes(before), dtype=dtype)]}, lambda x: x.reshape(sizes(after)))


def pad(result, source, low, high, body, types):
    indices = ", ".join(f"%{it}: index" for it in "ijkl"[: types[0].count("x")])
    head = f"{result} = tensor.pad {source} low[{low}] high[{high}]"
    body = indent(dedent(body).strip("\n"), "  ")
    return f"{head} {{\n^bb0({indices}):\n{body}\n}} : {types[0]} to {types[1]}"


def assigned(array, place, values):
    array = array.copy()
    array[place] = values
    return array


def padded(x, low, high, value):
    return np.pad(x, list(zip(low, high)), constant_values=value)


SQUARE = "%s = arith.mulf %in0, %in0 : f32"

CASES = [
    # Shapes.
    reshape("expand_shape_static", "expand_shape of two groups.", "expand",
            "[[0, 1], [2, 3]]", "6x35xf32", "2x3x5x7xf32", "[2, 3, 5, 7]"),
    reshape("expand_shape_unit_sizes", "expand_shape: unit sizes appear at both ends and inside.", "expand",
            "[[0, 1, 2], [3, 4]]", "7x5xi8", "1x7x1x5x1xi8", "[1, 7, 1, 5, 1]"),
    reshape("expand_shape_scalar", "expand_shape from 0-d to 1x1.", "expand", "[]", "f32", "1x1xf32", "[1, 1]"),
    reshape("collapse_shape_static", "collapse_shape of two groups.", "collapse",
            "[[0, 1], [2, 3]]", "2x3x5x7xf16", "6x35xf16"),
    reshape("collapse_shape_all", "collapse_shape of all dimensions into one.", "collapse",
            "[[0, 1, 2]]", "3x7x5xi64", "105xi64"),
    reshape("collapse_shape_to_scalar", "collapse_shape from 1x1 to 0-d.", "collapse", "[]", "1x1xf32", "f32"),
    Case(
        "expand_shape_dynamic",
        "expand_shape: a dynamic dimension splits into a dynamic and a static one; an op before and one after it.",
        main("%x: tensor<?x5xf32>", "%r: tensor<?x3x5xf32>",
             dim("%n", "%x", "tensor<?x5xf32>", 0),
             constant("%three", "3"),
             "%m = arith.divsi %n, %three : index",
             pointwise("%a", "tensor<?x5xf32>", ["%x: tensor<?x5xf32>"], SQUARE, "%s", "%n"),
             "%b = tensor.expand_shape %a [[0, 1], [2]] output_shape [%m, 3, 5] : tensor<?x5xf32> into tensor<?x3x5xf32>",
             pointwise("%r", "tensor<?x3x5xf32>", ["%b: tensor<?x3x5xf32>"], "%s = arith.negf %in0 : f32", "%s", "%m")),
        {f"n{n}": [distinct(n, 5)] for n in (0, 3, 21)},
        lambda x: -(x * x).reshape(-1, 3, 5)),
    Case(
        "collapse_shape_dynamic",
        "collapse_shape: two dynamic dimensions and a static one become one; an op before and one after it.",
        main("%x: tensor<?x?x3xf32>", "%r: tensor<?xf32>",
             dim("%n", "%x", "tensor<?x?x3xf32>", 0),
             dim("%m", "%x", "tensor<?x?x3xf32>", 1),
             pointwise("%a", "tensor<?x?x3xf32>", ["%x: tensor<?x?x3xf32>"], SQUARE, "%s", "%n, %m"),
             "%b = tensor.collapse_shape %a [[0, 1, 2]] : tensor<?x?x3xf32> into tensor<?xf32>",
             dim("%k", "%b", "tensor<?xf32>", 0),
             pointwise("%r", "tensor<?xf32>", ["%b: tensor<?xf32>"], "%s = arith.negf %in0 : f32", "%s", "%k")),
        {f"n{n}_m{m}": [distinct(n, m, 3)] for n, m in [(0, 2), (1, 1), (5, 7)]},
        lambda x: -(x * x).reshape(-1)),
    Case(
        "reshape_through_transpose",
        "expand, transpose, collapse: the result is not a reshape of the input.",
        main("%x: tensor<6x5xf32>", "%r: tensor<3x10xf32>",
             "%a = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>",
             empty("%e", "tensor<3x2x5xf32>"),
             "%b = linalg.transpose ins(%a : tensor<2x3x5xf32>) outs(%e : tensor<3x2x5xf32>) permutation = [1, 0, 2]",
             "%r = tensor.collapse_shape %b [[0], [1, 2]] : tensor<3x2x5xf32> into tensor<3x10xf32>"),
        {"integers": [distinct(6, 5)]},
        lambda x: x.reshape(2, 3, 5).transpose(1, 0, 2).reshape(3, 10)),
    Case(
        "reshape_by_shape_tensor",
        "tensor.reshape by a constant shape.",
        main("%x: tensor<6x5xf32>", "%r: tensor<3x2x5xf32>",
             constant("%shape", "dense<[3, 2, 5]>", "tensor<3xi64>"),
             "%r = tensor.reshape %x(%shape) : (tensor<6x5xf32>, tensor<3xi64>) -> tensor<3x2x5xf32>"),
        {"integers": [distinct(6, 5)]},
        lambda x: x.reshape(3, 2, 5)),
    Case(
        "cast_static_dynamic",
        "tensor.cast from static to dynamic and back, with ops on both sides.",
        main("%x: tensor<7x5xf32>", "%r: tensor<7x5xf32>",
             "%a = tensor.cast %x : tensor<7x5xf32> to tensor<?x5xf32>",
             dim("%n", "%a", "tensor<?x5xf32>", 0),
             pointwise("%b", "tensor<?x5xf32>", ["%a: tensor<?x5xf32>"], SQUARE, "%s", "%n"),
             "%c = tensor.cast %b : tensor<?x5xf32> to tensor<7x5xf32>",
             pointwise("%r", "tensor<7x5xf32>", ["%c: tensor<7x5xf32>"], "%s = arith.negf %in0 : f32", "%s")),
        {"integers": [distinct(7, 5)]},
        lambda x: -x * x),
    # Slices.
    Case(
        "extract_slice_static",
        "extract_slice with offsets and strides in both dimensions.",
        main("%x: tensor<7x13xf32>", "%r: tensor<3x4xf32>",
             "%r = tensor.extract_slice %x[1, 2] [3, 4] [2, 3] : tensor<7x13xf32> to tensor<3x4xf32>"),
        {"integers": [distinct(7, 13)]},
        lambda x: x[1:6:2, 2:12:3]),
    Case(
        "extract_slice_rank_reducing",
        "extract_slice of one row, one column and one element as tensors of lower rank.",
        main("%x: tensor<7x5xbf16>", "%row: tensor<5xbf16>, %column: tensor<7xbf16>, %cell: tensor<bf16>",
             "%row = tensor.extract_slice %x[3, 0] [1, 5] [1, 1] : tensor<7x5xbf16> to tensor<5xbf16>",
             "%column = tensor.extract_slice %x[0, 4] [7, 1] [1, 1] : tensor<7x5xbf16> to tensor<7xbf16>",
             "%cell = tensor.extract_slice %x[6, 2] [1, 1] [1, 1] : tensor<7x5xbf16> to tensor<bf16>"),
        {"integers": [distinct(7, 5, dtype=BF16)]},
        lambda x: (x[3], x[:, 4], x[6, 2])),
    Case(
        "extract_slice_dynamic",
        "extract_slice whose offset, size and stride are arguments of the function.",
        main("%x: tensor<13xi32>, %offset: index, %size: index, %stride: index", "%r: tensor<?xi32>",
             "%r = tensor.extract_slice %x[%offset] [%size] [%stride] : tensor<13xi32> to tensor<?xi32>"),
        {f"from{o}_size{s}_by{t}": [distinct(13, dtype=I32), index(o), index(s), index(t)]
         for o, s, t in [(13, 0, 1), (5, 1, 1), (2, 4, 3)]},
        lambda x, offset, size, stride: x[offset : offset + size * stride : stride]),
    Case(
        "extract_slice_feeds_generic",
        "Three slices of one producer, as in attention.",
        main("%x: tensor<3x7x5xf32>", "%r: tensor<7x5xf32>",
             pointwise("%a", "tensor<3x7x5xf32>", ["%x: tensor<3x7x5xf32>"], SQUARE, "%s"),
             *(f"%{name} = tensor.extract_slice %a[{at}, 0, 0] [1, 7, 5] [1, 1, 1] : tensor<3x7x5xf32> to tensor<7x5xf32>"
               for at, name in enumerate("qkv")),
             pointwise("%r", "tensor<7x5xf32>", [f"%{it}: tensor<7x5xf32>" for it in "qkv"], """
                 %p = arith.mulf %in0, %in1 : f32
                 %s = arith.subf %p, %in2 : f32""", "%s")),
        {"integers": [distinct(3, 7, 5)]},
        lambda x: (x * x)[0] * (x * x)[1] - (x * x)[2]),
    Case(
        "insert_slice_static",
        "insert_slice into an argument, with offsets and strides; the argument is returned too.",
        main("%x: tensor<3x4xf32>, %y: tensor<7x13xf32>", "%r: tensor<7x13xf32>, %y: tensor<7x13xf32>",
             "%r = tensor.insert_slice %x into %y[1, 2] [3, 4] [2, 3] : tensor<3x4xf32> into tensor<7x13xf32>"),
        {"integers": [distinct(3, 4), distinct(7, 13, first=100)]},
        lambda x, y: (assigned(y, np.s_[1:6:2, 2:12:3], x), y)),
    Case(
        "insert_slice_rank_reducing",
        "insert_slice: a vector becomes a column of a fill.",
        main("%x: tensor<7xi64>", "%r: tensor<7x5xi64>",
             fill("%zero", "tensor<7x5xi64>", "0"),
             "%r = tensor.insert_slice %x into %zero[0, 3] [7, 1] [1, 1] : tensor<7xi64> into tensor<7x5xi64>"),
        {"integers": [distinct(7, dtype=I64)]},
        lambda x: assigned(np.zeros((7, 5), I64), np.s_[:, 3], x)),
    Case(
        "insert_slice_dynamic",
        "insert_slice whose offset is an argument and whose size is that of the source.",
        main("%x: tensor<?xf32>, %y: tensor<?xf32>, %offset: index", "%r: tensor<?xf32>",
             dim("%n", "%x", "tensor<?xf32>", 0),
             "%r = tensor.insert_slice %x into %y[%offset] [%n] [1] : tensor<?xf32> into tensor<?xf32>"),
        {f"n{n}_m{m}_at{at}": [distinct(n), distinct(m, first=100), index(at)]
         for n, m, at in [(0, 0, 0), (1, 1, 0), (5, 13, 7)]},
        lambda x, y, at: assigned(y, np.s_[int(at) : int(at) + len(x)], x)),
    Case(
        "insert_slice_chain",
        "insert_slice: two slices into one tensor.empty that they fill together, and a third over both.",
        main("%x: tensor<3x5xf32>, %y: tensor<4x5xf32>, %z: tensor<2x2xf32>", "%r: tensor<7x5xf32>",
             empty("%e", "tensor<7x5xf32>"),
             "%a = tensor.insert_slice %x into %e[0, 0] [3, 5] [1, 1] : tensor<3x5xf32> into tensor<7x5xf32>",
             "%b = tensor.insert_slice %y into %a[3, 0] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<7x5xf32>",
             "%r = tensor.insert_slice %z into %b[2, 1] [2, 2] [1, 2] : tensor<2x2xf32> into tensor<7x5xf32>"),
        {"integers": [distinct(3, 5), distinct(4, 5, first=100), distinct(2, 2, first=1000)]},
        lambda x, y, z: assigned(np.concatenate([x, y]), np.s_[2:4, 1:4:2], z)),
    # Padding.
    Case(
        "pad_asymmetric",
        "A pad with a constant and a different width on each side, one of which is 0.",
        main("%x: tensor<7x5xf32>", "%r: tensor<10x6xf32>",
             constant("%c", "-1.5", "f32"),
             pad("%r", "%x", "1, 0", "2, 1", "tensor.yield %c : f32", ("tensor<7x5xf32>", "tensor<10x6xf32>"))),
        {"integers": [distinct(7, 5)]},
        lambda x: padded(x, (1, 0), (2, 1), -1.5)),
    Case(
        "pad_by_nothing",
        "A pad of width 0.",
        main("%x: tensor<7xi8>", "%r: tensor<7xi8>",
             constant("%c", "3", "i8"),
             pad("%r", "%x", "0", "0", "tensor.yield %c : i8", ("tensor<7xi8>", "tensor<7xi8>"))),
        {"integers": [distinct(7, dtype=I8)]},
        lambda x: x),
    Case(
        "pad_value_from_indices",
        "A pad whose value depends on the index in the result.",
        main("%x: tensor<3x5xi64>", "%r: tensor<6x7xi64>",
             pad("%r", "%x", "2, 1", "1, 1", """
               %ten = arith.constant 10 : index
               %p = arith.muli %i, %ten : index
               %s = arith.addi %p, %j : index
               %v = arith.index_cast %s : index to i64
               tensor.yield %v : i64""", ("tensor<3x5xi64>", "tensor<6x7xi64>"))),
        {"integers": [-distinct(3, 5, dtype=I64, first=1)]},
        lambda x: assigned(np.arange(6)[:, None] * 10 + np.arange(7), np.s_[2:5, 1:6], x)),
    Case(
        "pad_dynamic",
        "A pad whose widths and value are arguments.",
        main("%x: tensor<?x3xf32>, %low: index, %high: index, %c: f32", "%r: tensor<?x4xf32>",
             pad("%r", "%x", "%low, 0", "%high, 1", "tensor.yield %c : f32", ("tensor<?x3xf32>", "tensor<?x4xf32>"))),
        {f"n{n}_low{low}_high{high}": [distinct(n, 3), index(low), index(high), scalar(-INF, F32)]
         for n, low, high in [(0, 0, 0), (0, 1, 2), (7, 2, 0)]},
        lambda x, low, high, c: padded(x, (low, 0), (high, 1), c)),
    Case(
        "pad_then_convolution",
        "A padded convolution as torch-mlir emits it.",
        main("%x: tensor<1x2x5x7xf32>, %w: tensor<3x2x3x3xf32>", "%r: tensor<1x3x5x7xf32>",
             constant("%c", "0.0", "f32"),
             pad("%p", "%x", "0, 0, 1, 1", "0, 0, 1, 1", "tensor.yield %c : f32",
                 ("tensor<1x2x5x7xf32>", "tensor<1x2x7x9xf32>")),
             fill("%zero", "tensor<1x3x5x7xf32>", "0.0"),
             "%r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x2x7x9xf32>, tensor<3x2x3x3xf32>)"
             " outs(%zero : tensor<1x3x5x7xf32>) -> tensor<1x3x5x7xf32>"),
        {"integers": [distinct(1, 2, 5, 7), distinct(3, 2, 3, 3)]},
        lambda x, w: np.einsum("nchwij,fcij->nfhw", windows(padded(x, (0, 0, 1, 1), (0, 0, 1, 1), 0), (3, 3)), w)),
    # Joining.
    Case(
        "concat_rows",
        "concat: three inputs along rows.",
        main("%x: tensor<3x5xf32>, %y: tensor<1x5xf32>, %z: tensor<7x5xf32>", "%r: tensor<11x5xf32>",
             "%r = tensor.concat dim(0) %x, %y, %z"
             " : (tensor<3x5xf32>, tensor<1x5xf32>, tensor<7x5xf32>) -> tensor<11x5xf32>"),
        {"integers": [distinct(3, 5), distinct(1, 5, first=100), distinct(7, 5, first=200)]},
        lambda *parts: np.concatenate(parts)),
    Case(
        "concat_columns_same_input_twice",
        "concat: an input and a result along columns, and one input concatenated with itself.",
        main("%x: tensor<7x3xf16>", "%r: tensor<7x6xf16>, %t: tensor<7x6xf16>",
             pointwise("%a", "tensor<7x3xf16>", ["%x: tensor<7x3xf16>"], "%s = arith.negf %in0 : f16", "%s"),
             "%r = tensor.concat dim(1) %x, %a : (tensor<7x3xf16>, tensor<7x3xf16>) -> tensor<7x6xf16>",
             "%t = tensor.concat dim(1) %x, %x : (tensor<7x3xf16>, tensor<7x3xf16>) -> tensor<7x6xf16>"),
        {"integers": [distinct(7, 3, dtype=F16)]},
        lambda x: (np.concatenate([x, -x], 1), np.concatenate([x, x], 1))),
    Case(
        "concat_dynamic",
        "concat: both inputs dynamic along the joined dimension.",
        main("%x: tensor<?x3xf32>, %y: tensor<?x3xf32>", "%r: tensor<?x3xf32>",
             "%r = tensor.concat dim(0) %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>"),
        {f"n{n}_m{m}": [distinct(n, 3), distinct(m, 3, first=100)] for n, m in [(0, 0), (0, 1), (1, 0), (7, 5)]},
        lambda x, y: np.concatenate([x, y])),
    # Sizes and single elements.
    Case(
        "dim_as_value",
        "A size enters the computation and the size of another result.",
        main("%x: tensor<?xf32>", "%r: tensor<?xf32>, %t: tensor<?xi64>",
             dim("%n", "%x", "tensor<?xf32>", 0),
             "%n_int = arith.index_cast %n : index to i64",
             "%n_float = arith.sitofp %n_int : i64 to f32",
             pointwise("%r", "tensor<?xf32>", ["%x: tensor<?xf32>"], "%q = arith.divf %in0, %n_float : f32", "%q", "%n"),
             constant("%two", "2"),
             "%p = arith.muli %n, %two : index",
             "%m = arith.addi %p, %two : index",
             pointwise("%t", "tensor<?xi64>", [], """
                 %i = linalg.index 0 : index
                 %d = arith.subi %n, %i : index
                 %v = arith.index_cast %d : index to i64""", "%v", "%m")),
        {f"n{n}": [distinct(n)] for n in (0, 1, 7)},
        lambda x: (x / F32(len(x)), len(x) - np.arange(2 * len(x) + 2))),
    Case(
        "extract_at_function_level",
        "One element of a tensor becomes a scalar that a body uses.",
        main("%x: tensor<7x5xf32>, %i: index", "%r: tensor<7x5xf32>",
             constant("%two", "2"),
             "%c = tensor.extract %x[%i, %two] : tensor<7x5xf32>",
             pointwise("%r", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"], "%d = arith.subf %in0, %c : f32", "%d")),
        {"row3": [distinct(7, 5), index(3)]},
        lambda x, i: x - x[i, 2]),
    Case(
        "insert_element",
        "One element of a tensor is replaced.",
        main("%x: tensor<7xi32>, %v: i32, %i: index", "%r: tensor<7xi32>, %x: tensor<7xi32>",
             "%r = tensor.insert %v into %x[%i] : tensor<7xi32>"),
        {"at6": [distinct(7, dtype=I32), scalar(99, I32), index(6)]},
        lambda x, v, i: (assigned(x, i, v), x)),
    Case(
        "from_elements",
        "from_elements: scalars become tensors of rank 0, 1 and 2.",
        main("%a: f32, %b: f32", "%x: tensor<f32>, %y: tensor<3xf32>, %z: tensor<2x2xf32>",
             "%x = tensor.from_elements %b : tensor<f32>",
             "%y = tensor.from_elements %a, %b, %a : tensor<3xf32>",
             "%z = tensor.from_elements %a, %a, %b, %a : tensor<2x2xf32>"),
        {"values": [scalar(1.5, F32), scalar(-2, F32)]},
        lambda a, b: (b, np.array([a, b, a]), np.array([[a, a], [b, a]]))),
    Case(
        "splat",
        "tensor.splat: a scalar argument in every element, static and dynamic.",
        main("%a: i64, %n: index", "%x: tensor<3x2xi64>, %y: tensor<?x2xi64>",
             "%x = tensor.splat %a : tensor<3x2xi64>",
             "%y = tensor.splat %a[%n] : tensor<?x2xi64>"),
        {f"n{n}": [scalar(-7, I64), index(n)] for n in (0, 5)},
        lambda a, n: (np.full((3, 2), a), np.full((n, 2), a))),
    Case(
        "generate_dynamic",
        "tensor.generate: an element depends on its indices and on an input.",
        main("%x: tensor<?xf32>", "%r: tensor<?x3xf32>",
             dim("%n", "%x", "tensor<?xf32>", 0), """
             %r = tensor.generate %n {
             ^bb0(%i: index, %j: index):
               %c = tensor.extract %x[%i] : tensor<?xf32>
               %k = arith.index_cast %j : index to i32
               %f = arith.sitofp %k : i32 to f32
               %s = arith.addf %c, %f : f32
               tensor.yield %s : f32
             } : tensor<?x3xf32>"""),
        {f"n{n}": [distinct(n) * 10] for n in (0, 1, 7)},
        lambda x: x[:, None] + np.arange(3, dtype=F32)),
]
