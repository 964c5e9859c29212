"""Graphs of PyTorch as torch-mlir converts them: functions of tensors, with views that state which dimensions they merge.

A graph of torch.compile with dynamic sizes also has integers as inputs, as results, and in the ops that make shapes. Most of them are
sizes of inputs.

    def forward(n: "Sym(n)", x: "f32[n, 4]", w: "f32[4, 3]", b: "f32[3]"):
        y = aten.mm(x, w) + aten.expand(b, [n, 3])
        return (y, x, n, None)
->
    def forward(x: "f32[n, 4]", w: "f32[4, 3]", b: "f32[3]"):
        y = aten.mm(x, w) + aten.expand(b, [aten.sym_size.int(x, 0), 3])
        return (y,)

The results x, n and None are returned by Python code. An integer that is no size of an input remains an input: a tensor of one int64.
Views of dynamic sizes become ops that state which dimensions they merge and divide.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from typing import Any

import sympy
import torch

#: The ops that give the elements of a tensor another shape.
VIEWS = (torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default, torch.ops.aten.reshape.default)
#: The ops that replace them, which torch-mlir converts as they are.
LEGAL = ["aten.flatten.using_ints", "aten.unflatten.int"]


class NotSupported(Exception):
    """Why a graph is not compiled."""


class Symbols:
    """The sizes of a graph: how each is computed from the inputs of a call.

    dimensions: the sizes that are dimensions of input tensors, as SymPy expressions; each with the numbers of input and dimension.
    """

    def __init__(self, inputs: Sequence[Any]) -> None:
        self.dimensions: dict[Any, tuple[int, int]] = {}
        self._integers: dict[Any, int] = {}
        for i, value in enumerate(inputs):
            if isinstance(value, torch.SymInt):
                self._integers.setdefault(value.node.expr, i)
                continue
            for dimension, size in enumerate(getattr(value, "shape", ())):
                if isinstance(size, torch.SymInt):
                    self.dimensions.setdefault(size.node.expr, (i, dimension))

    def reader(self, size: int | torch.SymInt) -> Callable[[Sequence[Any]], int]:
        """A function that computes a size from the inputs of a call."""
        if isinstance(size, int):
            return lambda inputs: size
        expression = size.node.expr
        given = self._given(expression)
        if given is not None:
            return given
        symbols = {symbol: self._given(symbol) for symbol in expression.free_symbols}
        for symbol, read in symbols.items():
            if read is None:
                raise NotSupported(f"the size {symbol} is not that of an input")
        return lambda inputs: int(expression.xreplace({it: read(inputs) for it, read in symbols.items()}))

    def _given(self, expression: Any) -> Callable[[Sequence[Any]], int] | None:
        """As `reader`, for an integer or a dimension that is an input."""
        if expression in self._integers:
            number = self._integers[expression]
            return lambda inputs: inputs[number]
        if expression in self.dimensions:
            number, dimension = self.dimensions[expression]
            return lambda inputs: inputs[number].shape[dimension]
        return None


class Outputs:
    """The results of a graph, of which compiled code computes those that are new tensors.

    nodes: the nodes of the computed results.
    """

    def __init__(self, graph: torch.fx.Graph, symbols: Symbols) -> None:
        (results,) = graph.output_node().args
        self.nodes: list[torch.fx.Node] = []
        self._inputs = [node for node in graph.nodes if node.op == "placeholder"]
        self._readers = [self._reader(result, symbols) for result in results]

    def of(self, inputs: Sequence[Any], computed: Sequence[torch.Tensor]) -> list[Any]:
        """All results of a call."""
        return [read(inputs, computed) for read in self._readers]

    def _reader(
        self, result: Any, symbols: Symbols
    ) -> Callable[[Sequence[Any], Sequence[torch.Tensor]], Any]:
        if not isinstance(result, torch.fx.Node):
            return lambda inputs, computed: result
        if result in self._inputs:
            number = self._inputs.index(result)
            return lambda inputs, computed: inputs[number]
        value = result.meta["val"]
        if isinstance(value, torch.SymInt):
            read = symbols.reader(value)
            return lambda inputs, computed: read(inputs)
        if not isinstance(value, torch.Tensor):
            raise NotSupported(f"a result is {type(value).__name__}, expected a tensor")
        if result not in self.nodes:
            self.nodes.append(result)
        number = self.nodes.index(result)
        return lambda inputs, computed: computed[number]


def of_tensors(
    module: torch.fx.GraphModule, symbols: Symbols, outputs: Outputs
) -> tuple[torch.fx.GraphModule, list[int]]:
    """A copy of a graph that takes sizes from tensors and returns what is computed, and the numbers of the inputs that it takes."""
    names = [node.name for node in outputs.nodes]
    graph = copy.deepcopy(module.graph)
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    by_name = {node.name: node for node in graph.nodes}
    graph.output_node().args = (tuple(by_name[name] for name in names),)
    sizes = _Sizes(graph, inputs, symbols)
    for node in list(graph.nodes):
        value = node.meta.get("val")
        if isinstance(value, torch.SymInt) and (size := sizes.of(value)) is not None:
            node.replace_all_uses_with(size)
        elif node.target in VIEWS and not _regroup(node, sizes):
            shapes = (node.args[0].meta["val"].shape, value.shape)
            found, expected = (f"[{', '.join(map(str, shape))}]" for shape in shapes)
            raise NotSupported(f"it is not proved which dimensions a view from {found} to {expected} merges")
    graph.eliminate_dead_code()
    taken = []
    for number, node in enumerate(inputs):
        if node.users or not isinstance(node.meta["val"], torch.SymInt):
            taken.append(number)
        else:
            graph.erase_node(node)
    graph.lint()
    return torch.fx.GraphModule(module, graph), taken


def regroup_views(graph: torch.fx.Graph) -> None:
    """Does in an exported program what `of_tensors` does with views; those of which nothing is proved stay."""
    inputs = [node for node in graph.nodes if node.op == "placeholder"]
    sizes = _Sizes(graph, inputs, Symbols([node.meta.get("val") for node in inputs]))
    for node in list(graph.nodes):
        if node.target in VIEWS:
            _regroup(node, sizes)


class _Sizes:
    """The sizes of the inputs of a graph, as nodes before its first op."""

    def __init__(self, graph: torch.fx.Graph, inputs: list[torch.fx.Node], symbols: Symbols) -> None:
        self._graph, self._inputs, self._symbols = graph, inputs, symbols
        self._first = next(node for node in graph.nodes if node.op != "placeholder")
        self._nodes: dict[Any, torch.fx.Node] = {}

    def of(self, size: torch.SymInt) -> torch.fx.Node | None:
        """The node of a size; None if no input has it."""
        expression = size.node.expr
        if expression in self._nodes:
            return self._nodes[expression]
        if expression not in self._symbols.dimensions:
            return None
        number, dimension = self._symbols.dimensions[expression]
        with self._graph.inserting_before(self._first):
            node = self._graph.call_function(
                torch.ops.aten.sym_size.int, (self._inputs[number], dimension)
            )
        node.meta["val"] = size
        self._nodes[expression] = node
        return node


def _regroup(view: torch.fx.Node, sizes: _Sizes) -> bool:
    """Replaces a view of dynamic sizes by ops that merge and divide dimensions; False if it is not proved which ones these are.

    From the sizes of a view alone, torch-mlir assumes which dynamic dimensions are merged, and its assumption may be wrong.

        view(x: "f32[n, m, 16]", [n * m, 2, 8])  ->  unflatten(flatten(x, 0, 1), 1, [2, 8])
    """
    source, shape = view.args
    value = view.meta["val"]
    before, after = source.meta["val"].shape, value.shape
    if not any(isinstance(size, torch.SymInt) for size in (*before, *after)):
        return True
    groups = _groups(before, after)
    if groups is None:
        return False
    # Each op, its arguments after the tensor, and the shape of its result.
    ops: list[tuple[Any, tuple[Any, ...], list[Any]]] = []
    found = list(before)
    # From the last group to the first: then the numbers of the dimensions of the others do not change.
    for (first, end), _ in reversed(groups):
        if end - first > 1:
            found[first:end] = [math.prod(before[first:end])]
            ops.append((torch.ops.aten.flatten.using_ints, (first, end - 1), list(found)))
    for number, (_, (first, end)) in reversed(list(enumerate(groups))):
        if end - first > 1:
            found[number : number + 1] = after[first:end]
            given = zip(shape[first:end], after[first:end])
            parts = [_stated(size, value, sizes) for size, value in given]
            ops.append((torch.ops.aten.unflatten.int, (number, parts), list(found)))
    for i, (target, arguments, sizes_after) in enumerate(ops, start=1):
        if i == len(ops):
            # The node stays, because results of exported programs are given by name.
            view.target, view.args = target, (source, *arguments)
            break
        with view.graph.inserting_before(view):
            source = view.graph.call_function(target, (source, *arguments))
        source.meta["val"] = value.new_empty(sizes_after)
    return True


def _stated(size: int | torch.fx.Node, value: int | torch.SymInt, sizes: _Sizes) -> int | torch.fx.Node:
    """A size in the arguments of a view; instead of -1, the size of an input, if it is one."""
    if size != -1:
        return size
    found = value if isinstance(value, int) else sizes.of(value)
    return size if found is None else found


def _groups(
    before: Sequence[int | torch.SymInt], after: Sequence[int | torch.SymInt]
) -> list[tuple[tuple[int, int], tuple[int, int]]] | None:
    """The ranges of dimensions of two shapes that have the same number of elements, as short as possible; None if not proved."""
    one, other = ([_expression(size) for size in shape] for shape in (before, after))
    groups, i, j = [], 0, 0
    while i < len(one) and j < len(other):
        ends = ((k, l) for k in range(i + 1, len(one) + 1) for l in range(j + 1, len(other) + 1))
        equal = [
            (k, l)
            for k, l in ends
            if sympy.expand(sympy.prod(one[i:k]) - sympy.prod(other[j:l])) == 0
        ]
        if not equal:
            return None
        k, l = min(equal, key=sum)
        groups.append(((i, k), (j, l)))
        i, j = k, l
    if not groups or any(size != 1 for size in (*one[i:], *other[j:])):
        return None
    # The rest are dimensions of size 1.
    (i, _), (j, _) = groups.pop()
    return [*groups, ((i, len(one)), (j, len(other)))]


def _expression(size: int | torch.SymInt) -> sympy.Expr:
    return size.node.expr if isinstance(size, torch.SymInt) else sympy.Integer(size)
