#!/usr/bin/env python3
"""JAX functions, exported as StableHLO and legalized by utils/stablehlo.py, as cases of run.py.

    stablehlo.py OUT [--only NAME,..]     # OUT/<case>/{model.stablehlo (portable artifact), model.mlir, in*.npy, out*.npy, tolerance}

The reference is what JAX computes on the CPU. If utils/stablehlo.py refuses a case, its message is printed, and the
case has no model.mlir.
Needs: jax, numpy from PyPI.
"""
import argparse, pathlib, shutil, subprocess, sys
import numpy as np
import jax, jax.numpy as jnp, jax.scipy.special as special
from jax import export, lax, nn

jax.config.update("jax_traceback_in_locations_limit", 0)
CASES = {}
rng = np.random.default_rng(0)


def case(name, function, *args, tolerance="1e-4 1e-5", symbolic=None):
    """`symbolic` is a shape with names for each argument, such as "n, 4"."""
    assert name not in CASES, name
    CASES[name] = function, args, tolerance, symbolic


# Samples: normal, positive, in (-1, 1), integers in [low, high), booleans, and normal ones of 16 bits.
def f(*shape, dtype=np.float32): return rng.standard_normal(shape).astype(dtype)
def pos(*shape, dtype=np.float32): return (np.abs(rng.standard_normal(shape)) + 0.1).astype(dtype)
def unit(*shape, dtype=np.float32): return rng.uniform(-0.95, 0.95, shape).astype(dtype)
def ints(*shape, low=-100, high=100, dtype=np.int32): return rng.integers(low, high, shape).astype(dtype)
def bools(*shape): return rng.integers(0, 2, shape).astype(bool)
def half(*shape): return f(*shape, dtype=np.float16)
def c(*shape): return (f(*shape) + 1j * f(*shape)).astype(np.complex64)
def brain(*shape): return f(*shape).astype(jnp.bfloat16)


def elementwise():
    for name in "abs negative exp exp2 expm1 sin cos tan tanh arctan sinh cosh arcsinh square sign floor ceil trunc round cbrt isnan isfinite sinc".split():
        case(f"jnp.{name}", getattr(jnp, name), f(4, 33))
    for name in "log log1p log2 log10 sqrt reciprocal".split():
        case(f"jnp.{name}", getattr(jnp, name), pos(4, 33))
    for name in "arcsin arccos arctanh".split():
        case(f"jnp.{name}", getattr(jnp, name), unit(4, 33))
    case("jnp.arccosh", jnp.arccosh, pos(4, 33) + 1)
    for name in "add subtract multiply divide maximum minimum arctan2 hypot logaddexp fmod remainder floor_divide greater not_equal copysign".split():
        case(f"jnp.{name}", getattr(jnp, name), f(4, 33), f(33))
    case("jnp.power", jnp.power, pos(4, 33), f(4, 33))
    case("jnp.integer_power", lambda x: x ** 5, f(4, 33))
    case("jnp.where", jnp.where, bools(4, 33), f(4, 33), f(33))
    case("jnp.clip", lambda x: jnp.clip(x, -0.5, 0.5), f(4, 33))
    case("jnp.nan_to_num", jnp.nan_to_num, np.array([1, np.nan, np.inf, -np.inf, 2], np.float32))
    case("lax.rsqrt", lax.rsqrt, pos(4, 33))
    case("lax.reduce_precision", lambda x: lax.reduce_precision(x, 8, 7), f(4, 33))
    case("lax.nextafter", lax.nextafter, f(4, 33), f(4, 33))
    for name in "erf erfc lgamma digamma i0e i1e logit ndtr log_ndtr xlogy gammaln expit erfinv".split():
        function = getattr(special, name, None) or getattr(lax, name)
        args = [unit(4, 9)] if name == "erfinv" else [unit(4, 9) * 0.4 + 0.5] if name == "logit" else [f(4, 9), pos(4, 9)] if name == "xlogy" else [pos(4, 9)]
        case(f"special.{name}", function, *args)
    case("special.betainc", special.betainc, pos(4, 5), pos(4, 5), unit(4, 5) * 0.4 + 0.5)
    case("special.gammainc", special.gammainc, pos(4, 5), pos(4, 5))
    case("special.zeta", special.zeta, pos(4, 5) + 1, pos(4, 5))
    for name in "relu gelu silu sigmoid softplus elu selu celu leaky_relu hard_swish hard_sigmoid hard_tanh log_sigmoid soft_sign mish relu6 glu".split():
        case(f"nn.{name}", getattr(nn, name), f(4, 34))
    case("nn.gelu_exact", lambda x: nn.gelu(x, approximate=False), f(4, 33))
    case("nn.one_hot", lambda i: nn.one_hot(i, 10), ints(7, low=-2, high=12))


def reductions():
    for name in "sum mean prod max min var std argmax argmin median cumsum cumprod ptp".split():
        case(f"jnp.{name}_axis", lambda x, g=getattr(jnp, name): g(x, axis=1), unit(4, 17, 3))
    for name in "sum max mean argmax".split():
        case(f"jnp.{name}_all", getattr(jnp, name), f(4, 17))
    case("jnp.all", lambda x: jnp.all(x, axis=0), bools(3, 8))
    case("jnp.any", lambda x: jnp.any(x, axis=1), bools(3, 8))
    case("jnp.sum_keepdims", lambda x: x - x.sum((0, 2), keepdims=True), f(3, 4, 5))
    case("jnp.count_nonzero", jnp.count_nonzero, bools(5, 6))
    case("jnp.linalg.norm", lambda x: jnp.linalg.norm(x, axis=-1), f(4, 17))
    case("lax.cummax", lambda x: lax.cummax(x, axis=0), f(9, 4))
    case("lax.cumlogsumexp", lambda x: lax.cumlogsumexp(x, axis=1), f(3, 9))
    case("lax.cumsum_reverse", lambda x: lax.cumsum(x, axis=1, reverse=True), f(3, 9))
    case("lax.associative_scan", lambda x: lax.associative_scan(jnp.add, x), f(12, 3))
    case("lax.reduce_two", lambda x, i: lax.reduce((x, i), (jnp.float32(-np.inf), jnp.int32(0)),
        lambda a, b: (jnp.where(a[0] >= b[0], a[0], b[0]), jnp.where(a[0] >= b[0], a[1], b[1])), (1,)), f(4, 9), ints(4, 9))
    for name in "softmax log_softmax logsumexp standardize".split():
        case(f"nn.{name}", getattr(nn, name), f(4, 33))
    for name, window, strides, padding in (("2x2", (1, 2, 2, 1), (1, 2, 2, 1), "VALID"), ("3x3_same", (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), ("pads", (1, 3, 2, 1), (1, 1, 2, 1), ((0, 0), (1, 0), (0, 1), (0, 0)))):
        case(f"maxpool_{name}", lambda x, a=(window, strides, padding): lax.reduce_window(x, -jnp.inf, lax.max, *a), f(2, 9, 8, 3))
        case(f"avgpool_{name}", lambda x, a=(window, strides, padding): lax.reduce_window(x, 0.0, lax.add, *a) / 4, f(2, 9, 8, 3))
    case("maxpool_dilated", lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2), (1, 1), "VALID", window_dilation=(1, 3)), f(3, 12))
    case("sumpool_base_dilated", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2), (1, 1), "VALID", base_dilation=(1, 2)), f(3, 12))
    case("minpool_1d", lambda x: lax.reduce_window(x, jnp.inf, lax.min, (1, 3, 1), (1, 2, 1), "VALID"), f(2, 12, 3))


def contractions():
    case("dot_vector", jnp.dot, f(17), f(17))
    case("matmul", jnp.matmul, f(9, 17), f(17, 8))
    case("matvec", jnp.matmul, f(9, 17), f(17))
    case("matmul_batch", jnp.matmul, f(3, 9, 17), f(3, 17, 8))
    case("matmul_broadcast", jnp.matmul, f(2, 1, 5, 7), f(3, 7, 4))
    case("outer", jnp.outer, f(5), f(6))
    case("tensordot", lambda a, b: jnp.tensordot(a, b, axes=((1, 0), (0, 2))), f(4, 5, 6), f(5, 3, 4))
    for spec, *shapes in (("ij,kj->ik", (4, 5), (6, 5)), ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)), ("ijk,kl,jm->ilm", (3, 4, 5), (5, 6), (4, 2)), ("ii->i", (5, 5)), ("ij->", (3, 4))):
        case("einsum_" + spec.replace(",", "_").replace("->", "-"), lambda *xs, spec=spec: jnp.einsum(spec, *xs), *(f(*s) for s in shapes))
    case("matmul_i8", lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32), ints(5, 9, dtype=np.int8), ints(9, 4, dtype=np.int8))
    case("matmul_bf16", lambda a, b: lax.dot(a, b, preferred_element_type=jnp.float32), brain(5, 9), brain(9, 4), tolerance="1e-2 1e-2")
    case("matmul_f64", jnp.matmul, f(5, 9, dtype=np.float64), f(9, 4, dtype=np.float64), tolerance="1e-9 1e-9")

    def conv(name, x, w, strides, padding, dims, **kinds):
        case(f"conv_{name}", lambda x, w: lax.conv_general_dilated(x, w, strides, padding, dimension_numbers=dims, **kinds), x, w)
    nhwc = ("NHWC", "HWIO", "NHWC")
    conv("1d", f(2, 11, 3), f(3, 3, 5), (1,), "SAME", ("NWC", "WIO", "NWC"))
    conv("1d_ncw", f(2, 3, 11), f(5, 3, 4), (2,), "VALID", ("NCW", "OIW", "NCW"))
    conv("2d", f(2, 9, 8, 3), f(3, 3, 3, 5), (1, 1), "SAME", nhwc)
    conv("2d_nchw", f(2, 3, 9, 8), f(5, 3, 3, 3), (2, 2), "VALID", ("NCHW", "OIHW", "NCHW"))
    conv("2d_strides", f(1, 9, 8, 3), f(3, 2, 3, 5), (2, 3), ((1, 2), (0, 1)), nhwc)
    conv("2d_dilation", f(1, 9, 8, 3), f(3, 3, 3, 5), (1, 1), "VALID", nhwc, rhs_dilation=(2, 2))
    conv("2d_groups", f(1, 9, 8, 6), f(3, 3, 2, 9), (1, 1), "VALID", nhwc, feature_group_count=3)
    conv("2d_depthwise", f(1, 9, 8, 6), f(3, 3, 1, 12), (1, 1), "SAME", nhwc, feature_group_count=6)
    conv("2d_batch_groups", f(4, 6, 6, 3), f(3, 3, 3, 4), (1, 1), "VALID", nhwc, batch_group_count=2)
    conv("2d_lhs_dilation", f(1, 5, 4, 3), f(3, 3, 3, 2), (1, 1), ((2, 2), (1, 2)), nhwc, lhs_dilation=(2, 2))
    conv("3d", f(1, 5, 6, 7, 2), f(2, 3, 3, 2, 4), (1, 1, 1), "SAME", ("NDHWC", "DHWIO", "NDHWC"))
    case("conv_transpose", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), f(1, 5, 4, 3), f(3, 3, 3, 2))


def data_movement():
    case("reshape", lambda x: x.reshape(6, -1), f(3, 4, 5))
    case("transpose", lambda x: x.transpose(2, 0, 1), f(3, 4, 5))
    case("flip", lambda x: jnp.flip(x, 1), f(3, 4))
    case("concatenate", lambda a, b: jnp.concatenate([a, b, a], 1), f(3, 4), f(3, 2))
    case("stack", lambda a, b: jnp.stack([a, b], 1), f(3, 4), f(3, 4))
    case("split", lambda x: jnp.split(x, 3, 1), f(3, 6))
    case("tile", lambda x: jnp.tile(x, (2, 3)), f(3, 2))
    case("repeat", lambda x: jnp.repeat(x, 3, axis=0), f(3, 2))
    case("roll", lambda x: jnp.roll(x, 2, 1), f(3, 7))
    case("pad", lambda x: jnp.pad(x, ((1, 2), (0, 3)), constant_values=1.5), f(3, 4))
    case("pad_reflect", lambda x: jnp.pad(x, 2, mode="reflect"), f(4, 5))
    case("pad_interior", lambda x: lax.pad(x, jnp.float32(2), ((1, 0, 1), (0, 2, 2))), f(3, 4))
    case("pad_negative", lambda x: lax.pad(x, jnp.float32(2), ((-1, 1, 0), (2, -1, 0))), f(3, 4))
    case("slice_strided", lambda x: x[1:8:3, ::2], f(9, 6))
    case("slice_negative_step", lambda x: x[::-2], f(9, 6))
    case("tril", jnp.tril, f(5, 5))
    case("eye", lambda x: x @ jnp.eye(4), f(3, 4))
    case("diag", jnp.diag, f(5))
    case("diagonal", jnp.diagonal, f(5, 5))
    case("arange", lambda x: x + jnp.arange(7.0), f(3, 7))
    case("linspace", lambda x: x * jnp.linspace(0, 1, 5), f(5))
    case("meshgrid", lambda a, b: jnp.meshgrid(a, b), f(3), f(4))
    case("broadcast_to", lambda x: jnp.broadcast_to(x, (3, 4, 5)), f(4, 1))
    case("gather_take", lambda x, i: jnp.take(x, i, axis=0), f(9, 4), ints(5, low=-9, high=9))
    case("gather_take_axis1", lambda x, i: jnp.take(x, i, axis=1), f(4, 9), ints(2, 3, low=0, high=9))
    case("gather_take_clip", lambda x, i: jnp.take(x, i, axis=0, mode="clip"), f(9, 4), ints(5, low=-20, high=20))
    case("gather_out_of_bounds", lambda x, i: jnp.take(x, i, axis=0), f(9, 4), ints(5, low=-20, high=20))
    case("gather_along_axis", lambda x, i: jnp.take_along_axis(x, i, axis=1), f(4, 9), ints(4, 3, low=0, high=9))
    case("gather_pairs", lambda x, i, j: x[i, j], f(5, 6), ints(4, low=0, high=5), ints(4, low=0, high=6))
    case("gather_mixed", lambda x, i: x[:, i, 1:3], f(3, 5, 6), ints(4, low=0, high=5))
    case("dynamic_slice", lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 3)), f(5, 6), np.int32(4), np.int32(1))
    case("dynamic_update_slice", lambda x, u, i: lax.dynamic_update_slice(x, u, (i, jnp.int32(-7))), f(5, 6), f(2, 3), np.int32(4))
    case("dynamic_slice_u8_start", lambda x, i: lax.dynamic_slice(x, (i,), (3,)), f(300), np.uint8(200))
    case("scatter_i8_indices", lambda x, i, u: lax.scatter_add(x, i, u, lax.ScatterDimensionNumbers((), (0,), (0,))), f(300), ints(9, 1, dtype=np.int8), f(9))
    case("scatter_two_windows", lambda x, i, u: lax.scatter_add(x, i, u, lax.ScatterDimensionNumbers((0, 2), (), (0, 1))), f(5, 6), ints(4, 2, low=-2, high=6), f(2, 4, 3))
    case("dynamic_index", lambda x, i: x[i], f(5, 6), np.int32(-2))
    case("scatter_set", lambda x, i, u: x.at[i].set(u), f(9, 4), np.array([1, 7, 3], np.int32), f(3, 4))
    case("scatter_add", lambda x, i, u: x.at[i].add(u), f(9, 4), ints(12, low=0, high=9), f(12, 4))
    case("scatter_out_of_bounds", lambda x, i, u: x.at[i].add(u), f(9, 4), ints(12, low=-20, high=20), f(12, 4))
    case("scatter_clip", lambda x, i, u: x.at[i].min(u, mode="clip"), f(9), ints(12, low=-20, high=20), f(12))
    case("scatter_column", lambda x, i, u: x.at[:, i].mul(u), f(4, 9), ints(5, low=0, high=9), f(4, 5))
    case("scatter_pairs", lambda x, i, j, u: x.at[i, j].max(u), f(4, 9), ints(5, low=0, high=4), ints(5, low=0, high=9), f(5))
    case("scatter_window", lambda x, i, u: lax.scatter(x, i, u, lax.ScatterDimensionNumbers((0, 1), (), (0, 1))), f(6, 7), np.array([4, 2], np.int32), f(2, 3))
    case("scatter_slice", lambda x, u: x.at[1:5:2].set(u), f(9, 4), f(2, 4))
    case("scatter_window_out_of_bounds", lambda x, i, u: lax.scatter_add(x, i, u, lax.ScatterDimensionNumbers((1,), (), (0,))), f(9), ints(6, 1, low=-5, high=12), f(6, 3))
    case("scatter_batch", jax.vmap(lambda x, i, u: x.at[i].add(u)), f(3, 9, 4), ints(3, 5, low=0, high=9), f(3, 5, 4))
    case("scatter_bool", lambda x, i: x.at[i].set(True), bools(9), ints(3, low=0, high=9))
    case("scatter_apply", lambda x, i: x.at[i].apply(jnp.sin), f(9), np.array([1, 4, 7], np.int32))
    case("segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 5), f(12, 3), ints(12, low=0, high=5))
    case("bincount", lambda i: jnp.bincount(i, length=6), ints(20, low=0, high=6))
    case("nonzero_size", lambda x: jnp.nonzero(x, size=6, fill_value=-1), bools(9))
    case("searchsorted", jnp.searchsorted, np.sort(f(15)), f(8))
    case("interp", jnp.interp, f(8), np.sort(f(9)), f(9))
    case("unique_size", lambda x: jnp.unique(x, size=5, fill_value=0), ints(9, low=0, high=4))
    case("histogram", lambda x: jnp.histogram(x, bins=5, range=(-2, 2))[0], f(30))
    case("sort", lambda x: jnp.sort(x, axis=0), f(9, 4))
    case("sort_nan", jnp.sort, np.array([3, np.nan, -1, np.inf, -np.nan, -0.0, 0.0, -np.inf], np.float32))
    case("argsort", lambda x: jnp.argsort(x, axis=1), f(4, 9))
    case("sort_descending", lambda x: jnp.sort(x, descending=True), f(17))
    case("argsort_ints", jnp.argsort, ints(17, low=0, high=5))
    case("lexsort", lambda a, b: jnp.lexsort((a, b)), ints(12, low=0, high=3), ints(12, low=0, high=3))
    case("sort_key_val", lambda k, v: lax.sort_key_val(k, v), ints(12, low=0, high=4), f(12))
    case("top_k", lambda x: lax.top_k(x, 3), f(4, 9))
    case("sort_u32", jnp.sort, ints(9, low=0, high=2**32, dtype=np.uint32))
    case("approx_max_k", lambda x: lax.approx_max_k(x, 3), f(4, 9))
    case("quantile", lambda x: jnp.quantile(x, 0.3), f(17))


def types():
    for t, low in (("int8", -100), ("uint8", 0), ("int32", -100), ("uint32", 0), ("int64", -100), ("uint64", 0), ("int16", -100)):
        a, b = ints(5, 9, low=low, dtype=t), ints(5, 9, low=low, dtype=t)
        if low == 0: a = a + np.array(150, t)
        for name in ("add", "multiply", "floor_divide", "remainder", "maximum", "less", "sum_axis"):
            case(f"{t}_{name}", (lambda x, y: jnp.sum(x * y, axis=1)) if name == "sum_axis" else getattr(jnp, name), a, b)
    case("int32_divide_by_zero", lax.div, np.array([7, -7, -2**31, 0], np.int32), np.array([0, 2, -1, 0], np.int32))
    case("uint32_divide_by_zero", lax.rem, np.array([7, 2**31, 5], np.uint32), np.array([0, 3, 7], np.uint32))
    case("int32_shifts", lambda a, b: (a << b, a >> b, lax.shift_right_logical(a, b)), ints(20), ints(20, low=0, high=40))
    case("uint32_shifts", lambda a, b: (a << b, a >> b), ints(20, low=0, high=2**32, dtype=np.uint32), ints(20, low=0, high=40, dtype=np.uint32))
    case("bitwise", lambda a, b: (a & b, a | b, a ^ b, ~a), ints(20), ints(20))
    case("population_count", lambda a: (lax.population_count(a), lax.clz(a)), ints(20))
    case("int32_power", lambda a: a ** 3, ints(20))
    case("int32_power_tensor", jnp.power, ints(20, low=-5, high=5), ints(20, low=0, high=7))
    case("bool_ops", lambda a, b: (a & b, a | b, a ^ b, ~a), bools(9), bools(9))
    case("bool_sum", lambda a: a.sum(), bools(9))
    case("f64_tanh", jnp.tanh, f(4, 9, dtype=np.float64), tolerance="1e-9 1e-9")
    case("f64_softmax", nn.softmax, f(4, 9, dtype=np.float64), tolerance="1e-9 1e-9")
    case("f16_exp", jnp.exp, half(4, 9), tolerance="2e-3 2e-3")
    case("f16_softmax", nn.softmax, half(4, 9), tolerance="2e-3 2e-3")
    case("bf16_tanh", jnp.tanh, brain(4, 9), tolerance="1e-2 1e-2")
    case("bf16_gelu", nn.gelu, brain(4, 9), tolerance="1e-2 1e-2")
    case("f16_matmul", jnp.matmul, half(4, 9), half(9, 5), tolerance="4e-3 4e-3")
    case("bf16_max", lambda x: x.max(1), brain(4, 9))
    for name, x, to in (("f32_i32", f(9) * 10, "int32"), ("f32_i8_saturates", f(9) * 200, "int8"), ("f32_u32", pos(9) * 10, "uint32"), ("i32_f32", ints(9), "float32"), ("u32_f32", ints(9, low=0, high=2**32, dtype=np.uint32), "float32"), ("u8_i32", ints(9, low=0, high=256, dtype=np.uint8), "int32"), ("i32_u8", ints(9, low=-300, high=300), "uint8"), ("f32_bool", np.array([0, 1, -2, np.nan], np.float32), "bool"), ("bool_f32", bools(9), "float32"), ("f32_bf16", f(9), "bfloat16"), ("f32_f16", f(9), "float16")):
        case(f"convert_{name}", lambda x, to=to: x.astype(to), x)
    case("bitcast", lambda x: lax.bitcast_convert_type(x, jnp.uint32), f(9))
    case("bitcast_width", lambda x: lax.bitcast_convert_type(x, jnp.uint8), f(9))
    case("complex_abs", lambda a, b: jnp.abs(lax.complex(a, b)), f(9), f(9))
    for name in "exp log sqrt tanh square conj real imag abs angle".split():
        case(f"complex.{name}", getattr(jnp, name), c(4, 9))
    for name in "add subtract multiply divide equal".split():
        case(f"complex.{name}", getattr(jnp, name), c(4, 9), c(9))
    case("complex.matmul", jnp.matmul, c(4, 7), c(7, 5))
    case("complex.sum", lambda x: jnp.sum(x * jnp.conj(x), axis=0), c(5, 7))
    case("complex.cumsum", lambda x: jnp.cumsum(x, axis=1), c(4, 9))
    case("complex.pad", lambda x: jnp.pad(x.T, ((1, 0), (0, 2))), c(4, 9))
    case("complex.where", lambda x: jnp.where(jnp.real(x) > 0, x, 0), c(4, 9))
    case("complex.loop", lambda x: lax.fori_loop(0, 3, lambda i, y: y * x, x), c(4, 9))
    case("fft", lambda x: jnp.abs(jnp.fft.rfft(x)), f(16))
    case("random_bits", lambda k: jax.random.bits(k, (7,)), np.array([0, 42], np.uint32))
    case("random_uniform", lambda k: jax.random.uniform(k, (4, 5)), np.array([0, 42], np.uint32))
    case("random_normal", lambda k: jax.random.normal(k, (4, 5)), np.array([0, 42], np.uint32))
    case("random_split", lambda k: jax.random.split(k, 3), np.array([0, 42], np.uint32))
    case("random_permutation", lambda k: jax.random.permutation(k, 9), np.array([0, 42], np.uint32))
    case("rng_bit_generator", lambda k: lax.rng_bit_generator(k, (6,)), np.array([1, 2, 3, 4], np.uint32))


def control_flow():
    case("scan_sum", lambda x: lax.scan(lambda c, v: (c + v, c * v), jnp.zeros(4), x), f(6, 4))
    case("scan_rnn", lambda x, h, w, u: lax.scan(lambda h, v: ((n := jnp.tanh(v @ w + h @ u)), n), h, x), f(5, 2, 3), f(2, 4), f(3, 4), f(4, 4))
    case("scan_reverse", lambda x: lax.scan(lambda c, v: (c * 0.5 + v, c), 0.0, x, reverse=True), f(6))
    case("fori_loop", lambda x: lax.fori_loop(0, 5, lambda i, c: c * 0.5 + i, x), f(7))
    case("fori_loop_dynamic", lambda n, x: lax.fori_loop(0, n, lambda i, c: jnp.sin(c) + i, x), np.int32(4), f(7))
    case("fori_nested", lambda x: lax.fori_loop(0, 3, lambda i, c: lax.fori_loop(0, 2, lambda j, d: d + i * j, c), x), f(7))
    case("fori_update", lambda x: lax.fori_loop(0, 7, lambda i, c: c.at[i].set(c[i - 1] + 1), x), f(7))
    case("while_loop", lambda x: lax.while_loop(lambda c: jnp.sum(c) < 100, lambda c: c * 1.5, x), pos(7))
    case("while_counts", lambda x: lax.while_loop(lambda c: (c[1] < 50) & (c[0] > 1e-3), lambda c: (c[0] / 2, c[1] + 1), (x, 0)), np.float32(37))
    case("cond", lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), np.bool_(True), f(7))
    case("switch", lambda i, x: lax.switch(i, [jnp.sin, jnp.cos, lambda v: v + 1], x), np.int32(7), f(7))
    case("cond_two_results", lambda i, x: lax.cond(i > 2, lambda v: (v, v.sum()), lambda v: (v * 2, 0.0), x), np.int32(1), f(7))
    case("scan_grad", jax.grad(lambda x: lax.scan(lambda c, v: (jnp.tanh(c + v), c), jnp.zeros(4), x)[0].sum()), f(6, 4))
    case("newton", lambda a: lax.fori_loop(0, 6, lambda _, y: 0.5 * (y + a / y), a), pos(5))
    case("cholesky", lambda x: jnp.linalg.cholesky(x @ x.T + 4 * jnp.eye(4)), f(4, 4))
    case("solve_triangular", lambda a, b: jax.scipy.linalg.solve_triangular(jnp.tril(a) + 3 * jnp.eye(4), b, lower=True), f(4, 4), f(4, 2))


def models():
    def norm(x, g, b): return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b
    def mlp(x, w, b, v, c): return nn.relu(x @ w + b) @ v + c
    def attention(x, wq, wk, wv, wo):
        q, k, v = (jnp.einsum("btd,dhe->bhte", x, w) for w in (wq, wk, wv))
        p = nn.softmax(jnp.where(jnp.tril(jnp.ones((x.shape[1],) * 2, bool)), jnp.einsum("bhte,bhse->bhts", q, k) / 2, -1e9))
        return jnp.einsum("bhts,bhse,hed->btd", p, v, wo)
    def conv(x, w, s=1): return lax.conv_general_dilated(x, w, (s, s), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    def block(x, w, v, k): return nn.relu(conv(nn.relu(conv(x, w, 2)), v) + conv(x, k, 2))
    def loss(logits, labels): return -jnp.take_along_axis(nn.log_softmax(logits), labels[:, None], 1).mean()
    def maxpool(x): return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    def transformer(p, tokens):
        """Layers by lax.scan, then the logits of each token."""
        def layer(x, w):
            q, k, v = (y.reshape(16, 4, 8).swapaxes(0, 1) for y in jnp.split(norm(x, 1, 0) @ w["qkv"], 3, -1))
            a = nn.softmax(jnp.where(jnp.tril(jnp.ones((16, 16), bool)), q @ k.swapaxes(1, 2) / 3, -1e9)) @ v
            x = x + a.swapaxes(0, 1).reshape(16, 32) @ w["out"]
            return x + nn.gelu(norm(x, 1, 0) @ w["up"]) @ w["down"], None
        return norm(lax.scan(layer, p["table"][tokens], p["layers"])[0], 1, 0) @ p["table"].T
    layers = {"qkv": f(3, 32, 96) / 8, "out": f(3, 32, 32) / 8, "up": f(3, 32, 128) / 8, "down": f(3, 128, 32) / 8}
    parameters, tokens = {"table": f(50, 32) / 8, "layers": layers}, ints(16, low=0, high=50)
    case("model_transformer", transformer, parameters, tokens)
    case("grad_transformer", jax.value_and_grad(lambda p, t: loss(transformer(p, t)[:-1], t[1:])), parameters, tokens)
    weights = f(12, 16), f(16), f(16, 5), f(5)
    case("model_mlp", mlp, f(4, 12), *weights)
    case("model_attention", attention, f(2, 6, 8), f(8, 2, 4), f(8, 2, 4), f(8, 2, 4), f(2, 4, 8))
    case("model_resnet_block", block, f(1, 8, 8, 3), f(3, 3, 3, 8), f(3, 3, 8, 8), f(1, 1, 3, 8))
    case("model_layernorm", norm, f(4, 6, 8), f(8), f(8))
    case("model_attention_grad", jax.grad(lambda *a: attention(*a).sum(), (0, 1)), f(2, 6, 8), f(8, 2, 4), f(8, 2, 4), f(8, 2, 4), f(2, 4, 8))
    case("grad_mlp", jax.value_and_grad(lambda w, x, y: loss(mlp(x, *w), y)), weights, f(4, 12), ints(4, low=0, high=5))
    case("grad_conv", jax.grad(lambda w, x: (conv(x, w, 2) ** 2).sum(), (0, 1)), f(3, 3, 3, 4), f(2, 8, 8, 3))
    case("grad_maxpool", jax.grad(lambda x: (maxpool(x) ** 2).sum()), f(1, 6, 6, 2))
    case("grad_maxpool_overlap", jax.grad(lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") ** 2).sum()), f(1, 7, 6, 2))
    case("grad_avgpool", jax.grad(lambda x: (lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") ** 2).sum()), f(1, 7, 7, 2))
    case("grad_layernorm", jax.grad(lambda x, g, b: (norm(x, g, b) ** 3).sum(), (0, 1, 2)), f(4, 8), f(8), f(8))
    case("grad_embedding", jax.grad(lambda t, i: (t[i] ** 2).sum()), f(9, 4), ints(5, low=0, high=9))
    case("grad_softmax_cross_entropy", jax.grad(loss), f(4, 7), ints(4, low=0, high=7))
    case("grad_sort", jax.grad(lambda x: (jnp.sort(x) * jnp.arange(9.0)).sum()), f(9))
    case("grad_cumsum", jax.grad(lambda x: (jnp.cumsum(x) ** 2).sum()), f(9))
    case("grad_max", jax.grad(lambda x: x.max(1).sum()), f(4, 9))
    case("model_dot_product_attention", nn.dot_product_attention, f(2, 5, 2, 4), f(2, 6, 2, 4), f(2, 6, 2, 4))
    case("model_batchnorm", lambda x, m, v: (x - m) / jnp.sqrt(v + 1e-5), f(2, 5, 5, 3), f(3), pos(3))
    case("image_resize", lambda x: jax.image.resize(x, (1, 7, 9, 2), "bilinear"), f(1, 4, 5, 2))
    case("adam_step", lambda p, g, m, v: (p - 1e-3 * (m * 0.9 + g * 0.1) / (jnp.sqrt(v * 0.999 + g * g * 0.001) + 1e-8), m * 0.9 + g * 0.1), f(9), f(9), f(9), pos(9))
    case("remat", jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)).sum())), f(9))
    case("custom_jvp", jax.grad(lambda x: nn.silu(x).sum()), f(9))


def symbolic():
    case("symbolic_add", lambda x, y: x + y * 2, f(5, 4), f(5, 4), symbolic=("n, 4", "n, 4"))
    case("symbolic_softmax", nn.softmax, f(5, 7), symbolic=("n, m",))
    case("symbolic_matmul", lambda x, w: nn.relu(x @ w), f(5, 8), f(8, 4), symbolic=("n, 8", "8, 4"))
    case("symbolic_reshape", lambda x: x.reshape(-1, 2), f(5, 4), symbolic=("n, 4",))
    case("symbolic_concat", lambda x, y: jnp.concatenate([x, y]), f(5, 4), f(3, 4), symbolic=("n, 4", "m, 4"))
    case("symbolic_mean", lambda x: x.mean(0), f(5, 4), symbolic=("n, 4",))
    case("symbolic_take", lambda t, i: t[i], f(9, 4), ints(5, low=0, high=9), symbolic=("9, 4", "n"))
    case("symbolic_conv", lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), f(2, 5, 6, 3), f(3, 3, 3, 4), symbolic=("b, 5, 6, 3", "3, 3, 3, 4"))
    case("symbolic_arange", lambda x: x + jnp.arange(x.shape[0]), f(5), symbolic=("n",))
    case("symbolic_attention", lambda q, k, v: nn.softmax(q @ k.swapaxes(1, 2)) @ v, f(2, 5, 4), f(2, 5, 4), f(2, 5, 4), symbolic=("b, t, 4",) * 3)
    case("symbolic_slice", lambda x: x[1:], f(5, 4), symbolic=("n, 4",))
    case("symbolic_pad", lambda x: jnp.pad(x, ((1, 1), (0, 0))), f(5, 4), symbolic=("n, 4",))


def write(folder, function, args, tolerance, symbolic):
    """Writes one case; returns why utils/stablehlo.py refuses it, or None."""
    flat, tree = jax.tree.flatten(args)
    with jax.enable_x64(any(np.asarray(a).dtype.itemsize == 8 for a in flat)):
        specs = [jax.ShapeDtypeStruct(np.shape(a), a.dtype) for a in flat]
        if symbolic:
            scope = export.SymbolicScope()
            specs = [jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), a.dtype) for s, a in zip(symbolic, flat)]
        exported = export.export(jax.jit(function))(*jax.tree.unflatten(tree, specs))
        outs = jax.tree.leaves(jax.jit(function)(*args))
    shutil.rmtree(folder, ignore_errors=True); folder.mkdir(parents=True)
    (folder / "model.stablehlo").write_bytes(exported.mlir_module_serialized)
    kept = [flat[i] for i in exported.module_kept_var_idx]
    for kind, values in (("in", kept), ("out", outs)):
        for i, value in enumerate(map(np.asarray, values)):
            np.save(folder / f"{kind}{i}.npy", value.astype(np.float32) if value.dtype.name == "bfloat16" else value)
    (folder / "tolerance").write_text(tolerance + "\n")
    script = pathlib.Path(__file__).parents[1] / "stablehlo.py"
    done = subprocess.run([sys.executable, script, folder / "model.stablehlo", "-o", folder / "model.mlir"], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip() or f"exit {done.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path); parser.add_argument("--only")
    a = parser.parse_args()
    for group in (elementwise, reductions, contractions, data_movement, types, control_flow, models, symbolic): group()
    refused = {}
    for name in a.only.split(",") if a.only else CASES:
        if why := write(a.out / name, *CASES[name]): refused[name] = why
    for name, why in refused.items(): print(f"{name}: {why}")
    print(f"{len(CASES) if not a.only else len(a.only.split(','))} cases, {len(refused)} refused")


if __name__ == "__main__":
    main()
