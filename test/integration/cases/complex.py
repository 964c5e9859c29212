"""Complex numbers: arithmetic in bodies, ops that move elements, and what functions and loops carry."""

from .arrays import *
from .case import *


def numbers(*shape, seed=1):
    """Complex numbers with small integers as parts, whose sums and products are exact."""
    parts = np.random.default_rng(seed).integers(-4, 5, (*shape, 2)).astype(F32)
    return parts.view(np.complex64)[..., 0]


POWERS = np.array([[1, 1j], [-1, -1j]], np.complex64)

ARITHMETIC = main(
    "%x: tensor<?xcomplex<f32>>, %y: tensor<?xcomplex<f32>>",
    "%r#0: tensor<?xcomplex<f32>>, %r#1: tensor<?xcomplex<f32>>, %r#2: tensor<?xf32>, %r#3: tensor<?xi1>",
    """
    %c0 = arith.constant 0 : index
    %n = tensor.dim %x, %c0 : tensor<?xcomplex<f32>>
    %e = tensor.empty(%n) : tensor<?xcomplex<f32>>
    %real = tensor.empty(%n) : tensor<?xf32>
    %bool = tensor.empty(%n) : tensor<?xi1>
    %r:4 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                            affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                           iterator_types = ["parallel"]}
        ins(%x, %y : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>)
        outs(%e, %e, %real, %bool : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>, tensor<?xf32>, tensor<?xi1>) {
    ^bb0(%a: complex<f32>, %b: complex<f32>, %o0: complex<f32>, %o1: complex<f32>, %o2: f32, %o3: i1):
      %two = complex.constant [2.0 : f32, -1.0 : f32] : complex<f32>
      %p = complex.mul %a, %b : complex<f32>
      %s = complex.sub %p, %two : complex<f32>
      %c = complex.conj %a : complex<f32>
      %d = complex.neg %c : complex<f32>
      %re = complex.re %d : complex<f32>
      %im = complex.im %b : complex<f32>
      %q = arith.mulf %re, %im : f32
      %is = complex.eq %a, %b : complex<f32>
      linalg.yield %s, %d, %q, %is : complex<f32>, complex<f32>, f32, i1
    } -> (tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>, tensor<?xf32>, tensor<?xi1>)
    """,
)

MOVEMENT = main(
    "%x: tensor<3x4xcomplex<f32>>, %keep: tensor<i1>",
    "%both: tensor<9x3xcomplex<f32>>, %flat: tensor<4xcomplex<f32>>, %chosen: tensor<2x2xcomplex<f32>>",
    """
    %z = complex.constant [7.0 : f32, 8.0 : f32] : complex<f32>
    %powers = arith.constant dense<[[(1.0, 0.0), (0.0, 1.0)], [(-1.0, 0.0), (0.0, -1.0)]]> : tensor<2x2xcomplex<f32>>
    %e = tensor.empty() : tensor<4x3xcomplex<f32>>
    %t = linalg.transpose ins(%x : tensor<3x4xcomplex<f32>>) outs(%e : tensor<4x3xcomplex<f32>>) permutation = [1, 0]
    %p = tensor.pad %t low[1, 0] high[0, 0] {
    ^bb0(%i: index, %j: index):
      tensor.yield %z : complex<f32>
    } : tensor<4x3xcomplex<f32>> to tensor<5x3xcomplex<f32>>
    %both = tensor.concat dim(0) %p, %t : (tensor<5x3xcomplex<f32>>, tensor<4x3xcomplex<f32>>) -> tensor<9x3xcomplex<f32>>
    %s = tensor.extract_slice %x[1, 1] [2, 2] [1, 2] : tensor<3x4xcomplex<f32>> to tensor<2x2xcomplex<f32>>
    %f = linalg.fill ins(%z : complex<f32>) outs(%powers : tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %c1 = arith.constant 1 : index
    %v = tensor.extract %powers[%c1, %c1] : tensor<2x2xcomplex<f32>>
    %g = tensor.insert %v into %f[%c1, %c1] : tensor<2x2xcomplex<f32>>
    %flat = tensor.collapse_shape %g [[0, 1]] : tensor<2x2xcomplex<f32>> into tensor<4xcomplex<f32>>
    %k = tensor.extract %keep[] : tensor<i1>
    %chosen = arith.select %k, %s, %powers : tensor<2x2xcomplex<f32>>
    """,
)


def moved(x, keep):
    padded = np.concatenate([np.full((1, 3), 7 + 8j, np.complex64), x.T, x.T])
    flat = np.full(4, 7 + 8j, np.complex64)
    flat[3] = POWERS[1, 1]
    return padded, flat, x[1:3, 1:4:2] if keep else POWERS


PRODUCT = main(
    "%a: tensor<5x7xcomplex<f32>>, %b: tensor<7x3xcomplex<f32>>, %c: tensor<5x3xcomplex<f32>>",
    "%r: tensor<5x3xcomplex<f32>>",
    """
    %r = linalg.matmul ins(%a, %b : tensor<5x7xcomplex<f32>>, tensor<7x3xcomplex<f32>>)
        outs(%c : tensor<5x3xcomplex<f32>>) -> tensor<5x3xcomplex<f32>>
    """,
)

LOOP = function(
    "private @rotate",
    "%x: tensor<4xcomplex<f32>>, %by: complex<f32>",
    "%r: tensor<4xcomplex<f32>>",
    """
    %r = linalg.map ins(%x : tensor<4xcomplex<f32>>) outs(%x : tensor<4xcomplex<f32>>)
      (%v: complex<f32>, %o: complex<f32>) {
        %p = complex.mul %v, %by : complex<f32>
        linalg.yield %p : complex<f32>
      }
    """,
) + main(
    "%x: tensor<4xcomplex<f32>>, %by: complex<f32>, %n: index",
    "%r: tensor<4xcomplex<f32>>",
    """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<4xcomplex<f32>>) {
      %u = func.call @rotate(%t, %by) : (tensor<4xcomplex<f32>>, complex<f32>) -> tensor<4xcomplex<f32>>
      scf.yield %u : tensor<4xcomplex<f32>>
    }
    """,
)

X, Y = numbers(7), numbers(7, seed=2)
Y[3] = X[3]

CASES = [
    Case("complex_arithmetic_dynamic", "Arithmetic on complex numbers, and results of other types beside them.",
         ARITHMETIC, {"n7": [X, Y], "n0": [X[:0], Y[:0]]},
         lambda x, y: (x * y - np.complex64(2 - 1j), -x.conj(), -x.real * y.imag, x == y)),
    Case("complex_movement", "Ops that move complex numbers: each is done for both parts.", MOVEMENT,
         {"kept": [numbers(3, 4), np.array(True)], "other": [numbers(3, 4), np.array(False)]}, moved),
    Case("complex_matmul", "A named op on complex numbers.", PRODUCT,
         {"random": [numbers(5, 7), numbers(7, 3, seed=2), numbers(5, 3, seed=3)]},
         lambda a, b, c: (a.astype(np.complex128) @ b + c).astype(np.complex64)),
    Case("complex_loop", "A loop and a call that carry complex numbers, and a complex scalar.", LOOP,
         {"i3": [numbers(4), np.array(1j, np.complex64), np.array(3)],
          "none": [numbers(4), np.array(1j, np.complex64), np.array(0)]},
         lambda x, by, n: x * by ** int(n) if n else x),
]
