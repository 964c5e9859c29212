"""The backend "loopwright" of torch.compile.

    model = torch.compile(model, backend="loopwright", options={"fp": "fast"})

Needs torch and torch-mlir: `pip install 'loopwright[torch]'`. The options are those of `loopwright.compile`. torch-mlir converts each
graph that torch finds to linalg, which loopwright compiles. A graph that one of the two refuses runs as torch runs it, and the
logger "loopwright" has the reason as a warning.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.aot_autograd import make_boxed_func

from . import compile as compile_model
from .torch_graph import LEGAL, NotSupported, Outputs, Symbols, of_tensors

LOGGER = logging.getLogger("loopwright")


def compile_graph(
    graph: torch.fx.GraphModule,
    example_inputs: Sequence[Any],
    *,
    options: Mapping[str, Any] | None = None,
) -> Callable[..., Any]:
    """Compiles a graph for torch.compile."""
    from torch_mlir.extras.fx_decomp_util import get_decomposition_table

    def compile_or_fall_back(graph: torch.fx.GraphModule, inputs: Sequence[Any]) -> Any:
        try:
            return make_boxed_func(compiled(graph, inputs, options or {}))
        except Exception as error:  # Whatever refuses the graph, torch can run it.
            # The first line: torch-mlir adds advice for its developers.
            reason = (str(error).strip() or type(error).__name__).splitlines()[0]
            LOGGER.warning("torch runs a graph of %d nodes: %s", len(graph.graph.nodes), reason)
            return make_boxed_func(graph.forward)

    backend = aot_autograd(
        fw_compiler=compile_or_fall_back, decompositions=get_decomposition_table()
    )
    return backend(graph, example_inputs)


def compiled(
    graph: torch.fx.GraphModule, inputs: Sequence[Any], options: Mapping[str, Any]
) -> Callable[..., list[Any]]:
    """The code of a graph of ATen ops."""
    from torch_mlir import fx

    for i, value in enumerate(inputs):
        if isinstance(value, torch.SymInt):
            continue
        if not isinstance(value, torch.Tensor):
            raise NotSupported(f"input {i} is {type(value).__name__}, expected a tensor")
        if value.device.type != "cpu":
            raise NotSupported(f"input {i} is on {value.device}, expected the CPU")
    symbols = Symbols(inputs)
    outputs = Outputs(graph.graph, symbols)
    if not outputs.nodes:
        return lambda *values: outputs.of(values, [])
    computed = [node.meta["val"] for node in outputs.nodes]
    shapes = [[symbols.reader(size) for size in it.shape] for it in computed]
    function, taken = of_tensors(graph, symbols, outputs)
    module = fx.stateless_fx_import(
        function, output_type="linalg-on-tensors", model_name="main", backend_legal_ops=LEGAL
    )
    code = compile_model(str(module), **options)

    def run(*values: torch.Tensor | int) -> list[Any]:
        sizes = ([read(values) for read in shape] for shape in shapes)
        results = [torch.empty(of, dtype=it.dtype) for of, it in zip(sizes, computed)]
        code(*(argument(values[i]) for i in taken), out=[plain(it) for it in results])
        return outputs.of(values, results)

    return run


def argument(value: torch.Tensor | int) -> torch.Tensor:
    """An input as compiled functions take it."""
    return plain(value.detach()) if isinstance(value, torch.Tensor) else torch.tensor(value)


def plain(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor as compiled functions take it: complex numbers as pairs, truth values as bytes."""
    if tensor.is_complex():
        return torch.view_as_real(tensor.resolve_conj())
    return tensor.view(torch.int8) if tensor.dtype == torch.bool else tensor
