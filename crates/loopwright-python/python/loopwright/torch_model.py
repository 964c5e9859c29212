"""Converts models of PyTorch to MLIR, by torch-mlir: `pip install 'loopwright[torch]'`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any


def is_torch_model(model: Any) -> bool:
    """Whether an object is a torch.nn.Module or a torch.export.ExportedProgram. Does not import torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(
        model, (torch.nn.Module, torch.export.ExportedProgram)
    )


def to_mlir(model: Any, args: Sequence[Any] | None) -> bytes:
    """The text of a module with a function "main" of linalg ops. Parameters and buffers of the model are constants in it.

    args: example arguments of a torch.nn.Module, whose shapes and types the function gets. An ExportedProgram has its own.
    """
    import torch

    if isinstance(model, torch.nn.Module):
        if args is None:
            raise TypeError("a torch.nn.Module needs example arguments: args=(x,)")
        model = torch.export.export(model, tuple(args))
    elif args is not None:
        raise TypeError("args: found an ExportedProgram, which has its own, expected a torch.nn.Module")
    try:
        from torch_mlir import fx
        from torch_mlir.extras.fx_decomp_util import get_decomposition_table
    except ImportError as error:
        message = "models of PyTorch need torch-mlir: pip install 'loopwright[torch]'"
        raise ImportError(message) from error

    from .torch_graph import LEGAL, regroup_views

    program = model.run_decompositions(get_decomposition_table())
    regroup_views(program.graph)
    module = fx.export_and_import(
        program,
        output_type="linalg-on-tensors",
        func_name="main",
        # The program is decomposed.
        decomposition_table={},
        backend_legal_ops=LEGAL,
    )
    # As text: the bytecode of torch-mlir, whose MLIR may be newer, has attributes that LLVM 22 does not know.
    return module.operation.get_asm(binary=True)
