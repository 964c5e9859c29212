"""Reads what a caller gives as a model or as a schedule."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _native
from .torch_model import is_torch_model, to_mlir

#: The first bytes of MLIR's bytecode.
BYTECODE = b"ML\xefR"


def read_model(
    model: str | os.PathLike[str] | bytes | Any, args: Sequence[Any] | None = None
) -> tuple[str, bytes | None, bool]:
    """The file in messages; the bytes, or None for those of the file; and whether the bytes are an ONNX model.

    args: the example arguments of a torch.nn.Module.
    """
    if not hasattr(_native, "compile"):
        raise RuntimeError("this build of loopwright has no compiler: load() takes files that Compiled.save or lw-compile has written")
    if is_torch_model(model):
        return type(model).__name__, to_mlir(model, args), False
    if args is not None:
        raise TypeError(f"args: found a {type(model).__name__}, expected a torch.nn.Module")
    if isinstance(model, (bytes, bytearray, memoryview)):
        data = bytes(model)
        return ("model.onnx", data, True) if is_onnx(data) else ("module", data, False)
    if isinstance(model, str) and is_text(model):
        return "module", model.encode(), False
    if isinstance(model, (str, os.PathLike)):
        return os.fsdecode(model), None, False
    # An object of the package onnx, which need not be installed.
    if hasattr(model, "SerializeToString"):
        return "model.onnx", model.SerializeToString(), True
    expected = "a path, text, bytes, an ONNX model, or a model of PyTorch"
    raise TypeError(f"found {type(model).__name__}, expected {expected}")


def read_text(given: str | os.PathLike[str], name: str) -> tuple[bytes, str]:
    """The bytes of a text, or of the file of a path, and the file in messages."""
    if isinstance(given, str) and is_text(given):
        return given.encode(), name
    if not isinstance(given, (str, os.PathLike)):
        raise TypeError(f"{name}: found {type(given).__name__}, expected a path or text")
    path = os.fsdecode(given)
    with open(path, "rb") as file:
        return file.read(), path


def is_text(given: str) -> bool:
    """Whether a string is a text, not a path."""
    return "\n" in given or "{" in given


def is_onnx(data: bytes) -> bool:
    """Whether bytes are an ONNX model, not MLIR: a binary format other than MLIR's bytecode."""
    if data.startswith(BYTECODE):
        return False
    head = data[:4096]
    return any(byte < 32 and byte not in b"\t\n\r\f" for byte in head)
