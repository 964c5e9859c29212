"""Compiles tensor programs to CPU and GPU kernels, runs them on arrays, and schedules them step by step.

    import loopwright
    model = loopwright.compile("model.onnx")
    result = model(x)
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from . import _native
from ._native import Argument, Compiled, Function, __version__
from .errors import CompileError
from .model import read_model, read_text
from .schedule import Schedule

if TYPE_CHECKING:
    import numpy

__all__ = [
    "Argument",
    "CompileError",
    "Compiled",
    "Function",
    "Schedule",
    "__version__",
    "compile",
    "empty",
    "load",
]


def compile(
    model: str | os.PathLike[str] | bytes | Any,
    target: str = "x86",
    *,
    cpu: str | None = None,
    device: str | None = None,
    threads: int | None = None,
    fp: str | None = None,
    dims: Mapping[str, int] | None = None,
    schedule: str | os.PathLike[str] | Schedule | None = None,
    name: str | None = None,
    require_vector: bool = False,
    args: Sequence[Any] | None = None,
) -> Compiled:
    """Compiles a model to code that can be called.

    model: a path of MLIR (text or bytecode) or of an ONNX model (.onnx, .onnxtxt); the text of a module, which has a line break or
        a brace; the bytes of MLIR or of an ONNX model; an object of the package onnx; or a torch.nn.Module or a
        torch.export.ExportedProgram, which torch-mlir converts.
    target: "x86", or the architecture of a GPU such as "sm_80" or "sm_90a".
    cpu: the processor by LLVM's name, such as "znver4"; by default this machine's.
    device: where the code runs: "cpu", "cuda:0" or "emulator"; by default the CPU, or for a GPU target the first GPU, or the
        emulator if there is none.
    threads: the threads that run a function of the CPU; by default one per core.
    fp: the floating-point contract of functions that state none: "strict", "reassoc" or "fast"; by default that of a Schedule, or
        "strict".
    dims: sizes of the named dimensions of an ONNX model.
    schedule: a transform script or a trace as JSON, as path or text, or a Schedule; by default the default schedules.
    name: the name of the function "main"; `Compiled.save` needs another name than "main".
    require_vector: a vectorized loop without a vector form is an error.
    args: example arguments of a torch.nn.Module; their shapes and types are those of the compiled function.

    Raises CompileError. Warnings and remarks go to the logger "loopwright" of the module logging.
    """
    path, data, is_onnx = read_model(model, args)
    if isinstance(schedule, Schedule):
        # The script of a trace names the function.
        renamed = name if name is not None and schedule.function == "main" else schedule.function
        text = (schedule.json(function=renamed).encode(), "schedule.json")
        # The steps are legal under the contract of the schedule.
        fp = schedule.fp if fp is None else fp
    else:
        text = None if schedule is None else read_text(schedule, "schedule")
    options = SimpleNamespace(
        target=target,
        cpu=cpu,
        device=device,
        threads=threads,
        fp=fp,
        dims=list((dims or {}).items()),
        schedule=text,
        name=name,
        require_vector=require_vector,
    )
    return _native.compile(path, data, is_onnx, options)


def load(
    path: str | os.PathLike[str], *, device: str | None = None, threads: int | None = None
) -> Compiled:
    """Loads a shared library (.so) or a bundle (.lwb) that `Compiled.save` or `lw-compile` has written.

    The code of the file is run: load only files that you trust. device, threads: as for `compile`. Raises CompileError.
    """
    return _native.load(path, device, threads)


def empty(shape: int | Sequence[int], dtype: Any = "float32") -> numpy.ndarray:
    """An array of zeros whose memory begins at a multiple of 64 bytes, so that functions use it in place."""
    import numpy

    shape = [shape] if isinstance(shape, int) else list(shape)
    name = dtype if dtype == "bfloat16" else numpy.dtype(dtype).name
    return _native.empty(shape, name)
