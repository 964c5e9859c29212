"""The inputs of the cases, and the operations of MLIR that NumPy lacks or defines otherwise."""

import math

import ml_dtypes
import numpy as np

F16, F32, F64, BF16 = np.float16, np.float32, np.float64, ml_dtypes.bfloat16
I1, I8, I16, I32, I64 = np.bool_, np.int8, np.int16, np.int32, np.int64
NAN, INF = math.nan, math.inf

np.seterr(all="ignore")


def distinct(*shape, dtype=F32, first=None):
    """Distinct integers around 0, or from `first` on, in no order."""
    count = math.prod(shape)
    step = next(it for it in range(int(count * 0.618) + 1, 2 * count + 3) if math.gcd(it, count) == 1)
    values = np.arange(count) * step % max(count, 1) + (-(count // 2) if first is None else first)
    return values.reshape(shape).astype(dtype)


def bits(*shape, dtype=I1):
    return (distinct(*shape, dtype=I64) % 3 == 0).astype(dtype)


def random(*shape, dtype=F32, low=-2.0, high=2.0, seed=1):
    values = np.random.RandomState(seed).uniform(low, high, shape)
    return values.astype(F32).astype(dtype)


def scalar(value, dtype):
    return np.array(value, dtype)


def index(value):
    return np.array(value, I64)


def rounded(function):
    """The elementwise `function`, computed in f64 and rounded once to the type of its first argument."""
    return lambda x, *rest: to_type(function(x.astype(F64), *(np.asarray(it).astype(F64) for it in rest)), x.dtype)


def to_type(values, dtype):
    """Rounds f64 once. The conversion of ml_dtypes to bf16 goes through f32, so the rounding is done here."""
    if dtype == BF16:
        _, exponent = np.frexp(values)
        unit = np.ldexp(1.0, np.maximum(exponent, -125) - 8)
        values = np.where(np.isfinite(values), np.rint(values / unit) * unit, values)
    return values.astype(dtype)


erf = np.vectorize(math.erf, otypes=[F64])


def round_half_away(x):
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def maximumf(a, b):
    """NaN if one is NaN; +0 is greater than -0."""
    larger = np.where(a == b, np.where(np.signbit(a), b, a), np.where(a > b, a, b))
    return np.where(np.isnan(a) | np.isnan(b), NAN, larger).astype(np.asarray(a).dtype)


def minimumf(a, b):
    return -maximumf(-a, -b)


def divsi(a, b):
    """Rounds toward zero."""
    return (a - np.fmod(a, b)) // b


def unsigned(function):
    """The integer `function` on the same bits without sign."""

    def on_bits(*arguments):
        result = function(*(it.view(f"u{it.dtype.itemsize}") for it in arguments))
        return result if result.dtype == I1 else result.view(arguments[0].dtype)

    return on_bits


def fold(step, start, x, axis=0):
    """step(... step(step(start, x[0]), x[1]) ...) over an axis, or over several in the order of their indices."""
    axes = axis if isinstance(axis, tuple) else (axis,)
    x = np.moveaxis(x, axes, range(len(axes)))
    kept = x.shape[len(axes) :]
    result = start if np.ndim(start) else np.full(kept, start, x.dtype)
    for part in x.reshape((math.prod(x.shape[: len(axes)]),) + kept):
        result = step(result, part)
    return result


def add(a, b):
    return a + b


def total(x, axis=0, start=0):
    """The sum in the type of x, from left to right."""
    return fold(add, start, x, axis)


def product(a, b, start=0):
    """The matrix product over the last axis of a and the last but one of b, rounded after each operation, in order."""
    return total(np.moveaxis(a, -1, 0)[..., None] * np.moveaxis(b, -2, 0)[..., None, :], 0, start)


def windows(x, kernel, strides=None, dilations=None):
    """From (..., h, w) the array (..., oh, ow, kh, kw) of what each kernel position sees; so too for other ranks."""
    rank = len(kernel)
    strides, dilations = strides or [1] * rank, dilations or [1] * rank
    lead = x.ndim - rank
    for at, (size, stride, dilation) in enumerate(zip(kernel, strides, dilations)):
        count = (x.shape[lead + at] - (size - 1) * dilation - 1) // stride + 1
        places = np.arange(count)[:, None] * stride + np.arange(size) * dilation
        x = np.moveaxis(np.take(x, places, axis=lead + at), lead + at + 1, -1)
    return x
