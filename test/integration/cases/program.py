"""What a whole function may be: its results, constants, calls and buffers; and parts of models."""

from .arrays import *
from .case import *

WEIGHTS = random(5, 3, seed=7)
TABLE = np.array([[1.5, -2.0, 0.25], [NAN, -0.0, 65504]], F16)


def resource(name, array):
    """An entry of the file's resources: the alignment, then the bytes."""
    return f'{name}: "0x{array.dtype.itemsize:02x}000000{array.tobytes().hex()}"'


def resources(*entries):
    body = ",\n".join(f"      {it}" for it in entries)
    return f"{{-#\n  dialect_resources: {{\n    builtin: {{\n{body}\n    }}\n  }}\n#-}}\n"


def negate(name, source, type, sizes=""):
    return pointwise(name, type, [f"{source}: {type}"], "%s = arith.negf %in0 : f32", "%s", sizes)


def softmax(x):
    """Over the last dimension."""
    terms = rounded(np.exp)(x - fold(maximumf, -INF, x, -1)[..., None])
    return terms / total(terms, -1)[..., None]


def softmax_lines(result, x, type, sizes):
    """Over the last dimension of `type`, as torch-mlir emits it without the index; `sizes` are its dynamic sizes."""
    loops = "ijkl"[: type.count("x")]
    outer = ", ".join([*loops[:-1], "0"])
    column = type.rsplit("x", 2)[0] + "x1xf32>"
    p = result
    return "\n".join([
        fill(f"{p}_lowest", column, "0xFF800000", sizes),
        generic(f"{p}_max", loops, loops[-1], [f"{x}: {type} {loops}"], [f"{p}_lowest: {column} {outer}"],
                "%m = arith.maximumf %in0, %out0 : f32", "%m"),
        pointwise(f"{p}_shifted", type, [f"{x}: {type}", f"{p}_max: {column} {outer}"],
                  "%d = arith.subf %in0, %in1 : f32", "%d", sizes),
        pointwise(f"{p}_exp", type, [f"{p}_shifted: {type}"], "%e = math.exp %in0 : f32", "%e", sizes),
        fill(f"{p}_zero", column, "0.0", sizes),
        generic(f"{p}_sum", loops, loops[-1], [f"{p}_exp: {type} {loops}"], [f"{p}_zero: {column} {outer}"],
                "%s = arith.addf %in0, %out0 : f32", "%s"),
        pointwise(p, type, [f"{p}_exp: {type}", f"{p}_sum: {column} {outer}"],
                  "%q = arith.divf %in0, %in1 : f32", "%q", sizes),
    ])


def layernorm(x, scale, shift):
    n = F32(x.shape[1])
    centred = x - (total(x, 1) / n)[:, None]
    variance = total(centred * centred, 1) / n
    return centred * rounded(lambda it: 1 / np.sqrt(it))(variance + F32(1e-5))[:, None] * scale + shift


def products(a, b):
    """Products of matrices, one for each head."""
    return np.stack([product(*pair) for pair in zip(a, b)])


def masked_attention(q, k, v, mask):
    return products(softmax(products(q, k) * F32(0.25) + mask), v)


def rotate_half(x, cosine, sine):
    half = x.shape[1] // 2
    return x * cosine + np.concatenate([-x[:, half:], x[:, :half]], 1) * sine


def mean(result, x, sizes="%n"):
    """The mean of each row of a tensor<?x13xf32>; torch-mlir divides by a constant."""
    return "\n".join([
        generic(f"{result}_sum", "ij", "j", [f"{x}: tensor<?x13xf32> ij"], ["%zero: tensor<?xf32> i"],
                "%s = arith.addf %in0, %out0 : f32", "%s"),
        pointwise(result, "tensor<?xf32>", [f"{result}_sum: tensor<?xf32>"], """
                  %count = arith.constant 1.300000e+01 : f64
                  %c = arith.truncf %count : f64 to f32
                  %q = arith.divf %in0, %c : f32""", "%q", sizes),
    ])


CASES = [
    # Results.
    Case("return_argument", "Arguments are returned unchanged, in another order.",
         main("%x: tensor<7x5xf32>, %y: tensor<3xi1>, %z: tensor<?xbf16>",
              "%z: tensor<?xbf16>, %x: tensor<7x5xf32>, %y: tensor<3xi1>"),
         {"integers": [distinct(7, 5), bits(3), distinct(2, dtype=BF16)]},
         lambda x, y, z: (z, x, y)),
    Case("return_twice", "One value and one argument are returned twice.",
         main("%x: tensor<7x5xf32>",
              "%a: tensor<7x5xf32>, %x: tensor<7x5xf32>, %a: tensor<7x5xf32>, %x: tensor<7x5xf32>",
              negate("%a", "%x", "tensor<7x5xf32>")),
         {"integers": [distinct(7, 5)]},
         lambda x: (-x, x, -x, x)),
    Case("return_intermediate_of_chain", "A value that another op could overwrite in place is also returned.",
         main("%x: tensor<7xf32>", "%a: tensor<7xf32>, %b: tensor<7xf32>",
              negate("%a", "%x", "tensor<7xf32>"),
              generic("%b", "i", "", ["%x: tensor<7xf32> i"], ["%a: tensor<7xf32> i"],
                      "%s = arith.mulf %in0, %out0 : f32", "%s")),
         {"integers": [distinct(7)]},
         lambda x: (-x, -x * x)),
    Case("return_views", "A slice and two reshapes of one argument are returned.",
         main("%x: tensor<6x5xf32>", "%a: tensor<2x5xf32>, %b: tensor<30xf32>, %c: tensor<2x3x5xf32>",
              "%a = tensor.extract_slice %x[2, 0] [2, 5] [1, 1] : tensor<6x5xf32> to tensor<2x5xf32>",
              "%b = tensor.collapse_shape %x [[0, 1]] : tensor<6x5xf32> into tensor<30xf32>",
              "%c = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 5]"
              " : tensor<6x5xf32> into tensor<2x3x5xf32>"),
         {"integers": [distinct(6, 5)]},
         lambda x: (x[2:4], x.reshape(30), x.reshape(2, 3, 5))),
    # Constants.
    Case("constant_splats", "Splats of several types are returned.",
         main("", "%a: tensor<3xi64>, %b: tensor<2x2xi1>, %c: tensor<3xf16>, %d: tensor<bf16>, %e: tensor<2xf32>",
              constant("%a", "dense<-7>", "tensor<3xi64>"), constant("%b", "dense<true>", "tensor<2x2xi1>"),
              constant("%c", "dense<0x7C00>", "tensor<3xf16>"), constant("%d", "dense<-1.5>", "tensor<bf16>"),
              constant("%e", "dense<-0.0>", "tensor<2xf32>")),
         {"only": []},
         lambda: (np.full(3, -7), np.ones((2, 2), I1), np.full(3, INF, F16), np.array(-1.5, BF16),
                  np.full(2, -0.0, F32))),
    Case("constant_values", "Constants of several types that are not splats are returned; one is given by its bytes.",
         main("", "%a: tensor<2x2xi64>, %b: tensor<3xi1>, %c: tensor<2x3xf16>, %d: tensor<2xbf16>, %e: tensor<3xi8>, "
              "%f: tensor<2xf64>, %g: tensor<0xi32>",
              constant("%a", "dense<[[1, -2], [9223372036854775807, 0]]>", "tensor<2x2xi64>"),
              constant("%b", "dense<[true, false, true]>", "tensor<3xi1>"),
              constant("%c", f'dense<"0x{TABLE.tobytes().hex().upper()}">', "tensor<2x3xf16>"),
              constant("%d", "dense<[1.5, 0xFF80]>", "tensor<2xbf16>"),
              constant("%e", "dense<[-128, 127, 1]>", "tensor<3xi8>"),
              constant("%f", "dense<[1.000000e-01, 0x7FF0000000000000]>", "tensor<2xf64>"),
              constant("%g", "dense<>", "tensor<0xi32>")),
         {"only": []},
         lambda: (np.array([[1, -2], [2**63 - 1, 0]]), np.array([True, False, True]), TABLE,
                  np.array([1.5, -INF], BF16), np.array([-128, 127, 1], I8), np.array([0.1, INF]), np.empty(0, I32))),
    Case("constant_operands", "A splat and a matrix are operands of a generic, the splat twice.",
         main("%x: tensor<2x3xf32>", "%r: tensor<2x3xf32>",
              constant("%two", "dense<2.0>", "tensor<3xf32>"),
              constant("%w", "dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>", "tensor<2x3xf32>"),
              pointwise("%r", "tensor<2x3xf32>",
                        ["%x: tensor<2x3xf32>", "%w: tensor<2x3xf32>", "%two: tensor<3xf32> j", "%two: tensor<3xf32> j"],
                        """
                        %p = arith.mulf %in0, %in2 : f32
                        %q = arith.mulf %in1, %in3 : f32
                        %d = arith.subf %p, %q : f32""", "%d")),
         {"integers": [distinct(2, 3)]},
         lambda x: 2 * x - 2 * np.arange(1, 7, dtype=F32).reshape(2, 3)),
    Case("constant_resource", "Weights in dense_resource are an operand of a matmul; others are returned.",
         main("%x: tensor<7x5xf32>", "%r: tensor<7x3xf32>, %ids: tensor<3xi64>, %mask: tensor<3xi1>, %h: tensor<2x3xf16>",
              constant("%w", "dense_resource<weights>", "tensor<5x3xf32>"),
              constant("%ids", "dense_resource<ids>", "tensor<3xi64>"),
              constant("%mask", "dense_resource<mask>", "tensor<3xi1>"),
              constant("%h", "dense_resource<halves>", "tensor<2x3xf16>"),
              fill("%zero", "tensor<7x3xf32>", "0.0"),
              "%r = linalg.matmul ins(%x, %w : tensor<7x5xf32>, tensor<5x3xf32>) outs(%zero : tensor<7x3xf32>)"
              " -> tensor<7x3xf32>")
         + resources(resource("weights", WEIGHTS), resource("ids", np.array([5, -1, 2**40])),
                     resource("mask", np.array([True, False, True])), resource("halves", TABLE)),
         {"floats": [random(7, 5)]},
         lambda x: (product(x, WEIGHTS), np.array([5, -1, 2**40]), np.array([True, False, True]), TABLE)),
    # Calls.
    Case("call_private", "@main calls a private function twice.",
         function("private @double", "%x: tensor<7x5xf32>", "%r: tensor<7x5xf32>",
                  pointwise("%r", "tensor<7x5xf32>", ["%x: tensor<7x5xf32>"], "%s = arith.addf %in0, %in0 : f32", "%s"))
         + main("%x: tensor<7x5xf32>", "%c: tensor<7x5xf32>, %a: tensor<7x5xf32>",
                "%a = call @double(%x) : (tensor<7x5xf32>) -> tensor<7x5xf32>",
                negate("%b", "%a", "tensor<7x5xf32>"),
                "%c = call @double(%b) : (tensor<7x5xf32>) -> tensor<7x5xf32>"),
         {"integers": [distinct(7, 5)]},
         lambda x: (-4 * x, 2 * x)),
    Case("call_dynamic_two_results", "The called function is dynamic, takes a scalar and has two results.",
         function("private @shift", "%x: tensor<?xf32>, %s: f32", "%a: tensor<?xf32>, %b: tensor<f32>",
                  dim("%n", "%x", "tensor<?xf32>", 0),
                  pointwise("%a", "tensor<?xf32>", ["%x: tensor<?xf32>"], "%v = arith.addf %in0, %s : f32", "%v", "%n"),
                  fill("%zero", "tensor<f32>", "0.0"),
                  generic("%b", "i", "i", ["%x: tensor<?xf32> i"], ["%zero: tensor<f32>"],
                          "%v = arith.addf %out0, %in0 : f32", "%v"))
         + main("%x: tensor<?xf32>", "%a: tensor<?xf32>, %b: tensor<f32>",
                constant("%s", "0.5", "f32"),
                "%a, %b = call @shift(%x, %s) : (tensor<?xf32>, f32) -> (tensor<?xf32>, tensor<f32>)"),
         {f"n{n}": [distinct(n)] for n in (0, 1, 7)},
         lambda x: (x + F32(0.5), x.sum())),
    # Buffers.
    Case("memref_matmul", "matmul and fill on buffers.",
         main("%a: memref<7x5xf32>, %b: memref<5x3xf32>, %c: memref<7x3xf32> {loop.result}", "",
              constant("%zero", "0.0", "f32"),
              "linalg.fill ins(%zero : f32) outs(%c : memref<7x3xf32>)",
              "linalg.matmul ins(%a, %b : memref<7x5xf32>, memref<5x3xf32>) outs(%c : memref<7x3xf32>)"),
         {"floats": [random(7, 5), random(5, 3, seed=2), distinct(7, 3)]},
         lambda a, b, c: product(a, b)),
    Case("memref_two_results_dynamic",
         "Generics on dynamic buffers: one result is written, then read, the other updated.",
         main("%x: memref<?x5xf32>, %y: memref<?x5xf32> {loop.result}, %s: memref<?xf32> {loop.result}", "",
              generic("", "ij", "", ["%x: memref<?x5xf32> ij"], ["%y: memref<?x5xf32> ij"],
                      "%v = arith.mulf %in0, %in0 : f32", "%v"),
              generic("", "ij", "j", ["%y: memref<?x5xf32> ij"], ["%s: memref<?xf32> i"],
                      "%v = arith.addf %out0, %in0 : f32", "%v")),
         {f"n{n}": [distinct(n, 5), np.zeros((n, 5), F32), distinct(n, first=100)] for n in (0, 1, 7)},
         lambda x, y, s: (x * x, total(x * x, 1, s))),
    Case("memref_in_place", "A buffer is its own input.",
         main("%x: memref<7x5xi32> {loop.result}, %y: memref<7x5xi32>", "",
              generic("", "ij", "", ["%x: memref<7x5xi32> ij", "%y: memref<7x5xi32> ij"], ["%x: memref<7x5xi32> ij"],
                      "%v = arith.subi %in0, %in1 : i32", "%v")),
         {"integers": [distinct(7, 5, dtype=I32), distinct(7, 5, dtype=I32, first=100)]},
         lambda x, y: x - y),
    # Parts of models.
    Case("softmax_static", "softmax over the last dimension.",
         main("%x: tensor<7x13xf32>", "%r: tensor<7x13xf32>", softmax_lines("%r", "%x", "tensor<7x13xf32>", "")),
         {"floats": [random(7, 13, low=-8, high=8)]},
         softmax),
    Case("softmax_dynamic", "softmax with a dynamic number of rows.",
         main("%x: tensor<?x5xf32>", "%r: tensor<?x5xf32>",
              dim("%n", "%x", "tensor<?x5xf32>", 0), softmax_lines("%r", "%x", "tensor<?x5xf32>", "%n")),
         {f"n{n}": [random(n, 5)] for n in (0, 1, 7)}
         | {"special": [np.array([[1e30, 0, -1e30, 3, INF], [-INF] * 5, [NAN, 1, 2, 3, 4], [88, 89, -INF, 0, 1]], F32)]},
         softmax),
    Case("attention_in_blocks", "Two products, and between them a scale, a mask and softmax of the rows of the first.",
         main("%query: tensor<2x16x4xf32>, %key: tensor<2x4x12xf32>, %value: tensor<2x12x8xf32>, %mask: tensor<16x12xf32>",
              "%r: tensor<2x16x8xf32>",
              fill("%s0", "tensor<2x16x12xf32>", "0.0"),
              """%qk = linalg.batch_matmul ins(%query, %key : tensor<2x16x4xf32>, tensor<2x4x12xf32>)
                   outs(%s0 : tensor<2x16x12xf32>) -> tensor<2x16x12xf32>""",
              pointwise("%scores", "tensor<2x16x12xf32>", ["%qk: tensor<2x16x12xf32>", "%mask: tensor<16x12xf32> jk"], """
                        %quarter = arith.constant 2.500000e-01 : f32
                        %scaled = arith.mulf %in0, %quarter : f32
                        %masked = arith.addf %scaled, %in1 : f32""", "%masked"),
              softmax_lines("%w", "%scores", "tensor<2x16x12xf32>", ""),
              fill("%r0", "tensor<2x16x8xf32>", "0.0"),
              """%r = linalg.batch_matmul ins(%w, %value : tensor<2x16x12xf32>, tensor<2x12x8xf32>)
                   outs(%r0 : tensor<2x16x8xf32>) -> tensor<2x16x8xf32>"""),
         {"floats": [random(2, 16, 4), random(2, 4, 12, seed=2), random(2, 12, 8, seed=3),
                     np.where(random(16, 12, seed=4) > 1.5, F32(-INF), F32(0))]},
         masked_attention),
    Case("layernorm_dynamic", "layernorm with a dynamic number of rows.",
         main("%x: tensor<?x13xf32>, %scale: tensor<13xf32>, %shift: tensor<13xf32>", "%r: tensor<?x13xf32>",
              dim("%n", "%x", "tensor<?x13xf32>", 0),
              fill("%zero", "tensor<?xf32>", "0.0", "%n"),
              mean("%mean", "%x"),
              pointwise("%centred", "tensor<?x13xf32>", ["%x: tensor<?x13xf32>", "%mean: tensor<?xf32> i"],
                        "%d = arith.subf %in0, %in1 : f32", "%d", "%n"),
              pointwise("%square", "tensor<?x13xf32>", ["%centred: tensor<?x13xf32>"],
                        "%p = arith.mulf %in0, %in0 : f32", "%p", "%n"),
              mean("%variance", "%square"),
              pointwise("%r", "tensor<?x13xf32>",
                        ["%centred: tensor<?x13xf32>", "%variance: tensor<?xf32> i", "%scale: tensor<13xf32> j",
                         "%shift: tensor<13xf32> j"], """
                        %epsilon = arith.constant 9.99999974E-6 : f32
                        %v = arith.addf %in1, %epsilon : f32
                        %root = math.rsqrt %v : f32
                        %p = arith.mulf %in0, %root : f32
                        %q = arith.mulf %p, %in2 : f32
                        %s = arith.addf %q, %in3 : f32""", "%s", "%n")),
         {f"n{n}": [random(n, 13), random(13, seed=2), random(13, seed=3)] for n in (0, 1, 7)},
         layernorm),
    Case("convolution_bias_relu_dynamic_batch", "Convolution, bias and relu with a dynamic batch.",
         main("%x: tensor<?x2x5x3xf32>, %w: tensor<3x2x2x2xf32>, %bias: tensor<3xf32>", "%r: tensor<?x3x4x2xf32>",
              dim("%n", "%x", "tensor<?x2x5x3xf32>", 0),
              empty("%e", "tensor<?x3x4x2xf32>", "%n"),
              "%start = linalg.broadcast ins(%bias : tensor<3xf32>) outs(%e : tensor<?x3x4x2xf32>)"
              " dimensions = [0, 2, 3]",
              "%c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x2x5x3xf32>, tensor<3x2x2x2xf32>)"
              " outs(%start : tensor<?x3x4x2xf32>) -> tensor<?x3x4x2xf32>",
              pointwise("%r", "tensor<?x3x4x2xf32>", ["%c: tensor<?x3x4x2xf32>"], """
                        %zero = arith.constant 0.0 : f32
                        %s = arith.maximumf %in0, %zero : f32""", "%s", "%n")),
         {f"n{n}": [distinct(n, 2, 5, 3), distinct(3, 2, 2, 2), distinct(3, first=100)] for n in (0, 1, 3)},
         lambda x, w, bias: np.maximum(
             np.einsum("nchwij,fcij->nfhw", windows(x, (2, 2)), w) + bias[:, None, None], 0)),
    Case("attention", "One head: scores, softmax, values.",
         main("%query: tensor<7x5xf32>, %key: tensor<7x5xf32>, %value: tensor<7x3xf32>", "%r: tensor<7x3xf32>",
              fill("%zero", "tensor<7x7xf32>", "0.0"),
              f"%scores = linalg.matmul indexing_maps = [{', '.join(affine_map('mnk', it) for it in ('mk', 'nk', 'mn'))}]"
              " ins(%query, %key : tensor<7x5xf32>, tensor<7x5xf32>) outs(%zero : tensor<7x7xf32>) -> tensor<7x7xf32>",
              softmax_lines("%p", "%scores", "tensor<7x7xf32>", ""),
              fill("%start", "tensor<7x3xf32>", "0.0"),
              "%r = linalg.matmul ins(%p, %value : tensor<7x7xf32>, tensor<7x3xf32>) outs(%start : tensor<7x3xf32>)"
              " -> tensor<7x3xf32>"),
         {"floats": [random(7, 5), random(7, 5, seed=2), random(7, 3, seed=3)]},
         lambda q, k, v: product(softmax(product(q, k.T)), v)),
    Case("rotary_embedding_dynamic", "Slices, negation and concat with a dynamic number of rows.",
         main("%x: tensor<?x6xf32>, %cosine: tensor<?x6xf32>, %sine: tensor<?x6xf32>", "%r: tensor<?x6xf32>",
              dim("%n", "%x", "tensor<?x6xf32>", 0),
              "%low = tensor.extract_slice %x[0, 0] [%n, 3] [1, 1] : tensor<?x6xf32> to tensor<?x3xf32>",
              "%high = tensor.extract_slice %x[0, 3] [%n, 3] [1, 1] : tensor<?x6xf32> to tensor<?x3xf32>",
              negate("%negative", "%high", "tensor<?x3xf32>", "%n"),
              "%turned = tensor.concat dim(1) %negative, %low"
              " : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>",
              pointwise("%r", "tensor<?x6xf32>",
                        [f"{it}: tensor<?x6xf32>" for it in ("%x", "%cosine", "%turned", "%sine")], """
                        %p = arith.mulf %in0, %in1 : f32
                        %q = arith.mulf %in2, %in3 : f32
                        %s = arith.addf %p, %q : f32""", "%s", "%n")),
         {f"n{n}": [random(n, 6, seed=it) for it in (1, 2, 3)] for n in (0, 1, 7)},
         rotate_half),
    Case("two_layers_bf16", "Two layers in bf16 that accumulate in f32, with a residual.",
         main("%x: tensor<3x5xbf16>, %w: tensor<5x7xbf16>, %u: tensor<7x5xbf16>", "%r: tensor<3x5xbf16>",
              fill("%zero", "tensor<3x7xf32>", "0.0"),
              "%a = linalg.matmul ins(%x, %w : tensor<3x5xbf16>, tensor<5x7xbf16>) outs(%zero : tensor<3x7xf32>)"
              " -> tensor<3x7xf32>",
              pointwise("%h", "tensor<3x7xbf16>", ["%a: tensor<3x7xf32>"], """
                        %lowest = arith.constant 0.0 : f32
                        %m = arith.maximumf %in0, %lowest : f32
                        %n = arith.truncf %m : f32 to bf16""", "%n"),
              fill("%start", "tensor<3x5xf32>", "0.0"),
              "%b = linalg.matmul ins(%h, %u : tensor<3x7xbf16>, tensor<7x5xbf16>) outs(%start : tensor<3x5xf32>)"
              " -> tensor<3x5xf32>",
              pointwise("%r", "tensor<3x5xbf16>", ["%b: tensor<3x5xf32>", "%x: tensor<3x5xbf16>"], """
                        %n = arith.truncf %in0 : f32 to bf16
                        %s = arith.addf %n, %in1 : bf16""", "%s")),
         {"floats": [random(3, 5, dtype=BF16), random(5, 7, dtype=BF16, seed=2), random(7, 5, dtype=BF16, seed=3)]},
         lambda x, w, u: product(np.maximum(product(x.astype(F32), w.astype(F32)), 0).astype(BF16).astype(F32),
                                 u.astype(F32)).astype(BF16) + x),
]
