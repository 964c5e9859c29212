"""Tensors whose sizes depend on data."""

from .arrays import *
from .case import *


def index_at(name, tensor, type, place=None):
    """An index that is an element of a tensor of i64."""
    at = [] if place is None else [constant(f"{name}_place", place)]
    indices = "" if place is None else f"{name}_place"
    return "\n".join([*at, f"{name}_data = tensor.extract {tensor}[{indices}] : {type}",
                      f"{name} = arith.index_cast {name}_data : i64 to index"])


def number(value):
    return np.array(value, dtype=I64)


CASES = [
    Case(
        "data_sized_reversed",
        "The first elements, in reverse order, between zeros and the rest: a slice, an op that reads it, an insert and a pad.",
        main("%x: tensor<8xf32>, %data: tensor<i64>", "%r: tensor<10xf32>",
             index_at("%n", "%data", "tensor<i64>"),
             constant("%one", "1"), constant("%zero", "0.0", "f32"),
             "%last = arith.subi %n, %one : index",
             "%s = tensor.extract_slice %x[0] [%n] [1] : tensor<8xf32> to tensor<?xf32>",
             "%e = tensor.empty(%n) : tensor<?xf32>",
             """
             %reversed = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xf32>) {
             ^bb0(%o: f32):
               %i = linalg.index 0 : index
               %from = arith.subi %last, %i : index
               %v = tensor.extract %s[%from] : tensor<?xf32>
               linalg.yield %v : f32
             } -> tensor<?xf32>
             %y = tensor.insert_slice %reversed into %x[0] [%n] [1] : tensor<?xf32> into tensor<8xf32>
             %two = arith.constant 2 : index
             %low = arith.minsi %n, %two : index
             %high = arith.subi %two, %low : index
             %r = tensor.pad %y low[%low] high[%high] {
             ^bb0(%i: index):
               tensor.yield %zero : f32
             } : tensor<8xf32> to tensor<10xf32>"""),
        {f"n{n}": [distinct(8), number(n)] for n in (1, 5)},
        lambda x, n: np.pad(np.concatenate([x[:n][::-1], x[n:]]), (min(n, 2), 2 - min(n, 2)))),
    Case(
        "data_sized_sum",
        "A reshape to sizes that are data, a sum of one dimension, and a reshape to known sizes.",
        main("%x: tensor<12xf32>, %shape: tensor<3xi64>", "%r: tensor<2x3xf32>",
             index_at("%a", "%shape", "tensor<3xi64>", 0), index_at("%c", "%shape", "tensor<3xi64>", 2),
             constant("%zero", "0.0", "f32"),
             """
             %s = tensor.reshape %x(%shape) : (tensor<12xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
             %e = tensor.empty(%a, %c) : tensor<?x?xf32>
             %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
             %sum = linalg.reduce { arith.addf } ins(%s : tensor<?x?x?xf32>) outs(%f : tensor<?x?xf32>) dimensions = [1]
             %known = arith.constant dense<[2, 3]> : tensor<2xi64>
             %r = tensor.reshape %sum(%known) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<2x3xf32>"""),
        {"middle": [distinct(12), number([2, 2, 3])], "last": [distinct(12), number([6, 2, 1])]},
        lambda x, shape: x.reshape(shape).sum(1).reshape(2, 3)),
    Case(
        "data_sized_slice_of_slice",
        "A slice of a slice whose size is data, which is from outside of a branch.",
        main("%x: tensor<9xf32>, %data: tensor<2xi64>, %flag: i1", "%r: tensor<3xf32>",
             index_at("%at", "%data", "tensor<2xi64>", 0), index_at("%n", "%data", "tensor<2xi64>", 1),
             """
             %s = tensor.extract_slice %x[%at] [%n] [1] : tensor<9xf32> to tensor<?xf32>
             %r = scf.if %flag -> tensor<3xf32> {
               %t = tensor.extract_slice %s[1] [3] [2] : tensor<?xf32> to tensor<3xf32>
               scf.yield %t : tensor<3xf32>
             } else {
               %t = tensor.extract_slice %x[0] [3] [1] : tensor<9xf32> to tensor<3xf32>
               scf.yield %t : tensor<3xf32>
             }"""),
        {"slice": [distinct(9), number([2, 7]), np.array(True)], "other": [distinct(9), number([3, 6]), np.array(False)]},
        lambda x, data, flag: x[data[0]:][1:7:2][:3] if flag else x[:3]),
]
