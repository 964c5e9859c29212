"""Schedules of loop nests, step by step."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _native
from ._steps import Steps
from .cost import Ledger
from .drawing import nest_html
from .model import read_model, read_text


class Schedule(Steps):
    """A function as a loop nest of schedule blocks, and the steps that change the nest.

        schedule = loopwright.Schedule("matmul.mlir")
        outer, inner = schedule.split("matmul:j", [-1, 64])
        schedule.vectorize(inner)
        print(schedule.show())
        matmul = loopwright.compile("matmul.mlir", schedule=schedule)

    Loops are named "block:loop". A step that is refused raises CompileError and changes nothing. `proof="assume"` does a step whose
    legality cannot be decided. docs/primitives.md has the conditions of each step.

    model, dims, fp, args: as for `loopwright.compile`. function: the name of the function in the model.
    """

    def __init__(
        self,
        model: str | os.PathLike[str] | bytes | Any,
        function: str = "main",
        *,
        dims: Mapping[str, int] | None = None,
        fp: str | None = None,
        args: Sequence[Any] | None = None,
    ) -> None:
        path, data, is_onnx = read_model(model, args)
        sizes = list((dims or {}).items())
        self._state = _native.ScheduleState(path, data, is_onnx, function, sizes, fp)
        self._function = function
        self._fp = fp

    @property
    def function(self) -> str:
        """The name of the function."""
        return self._function

    @property
    def fp(self) -> str | None:
        """The floating-point contract that was given for a function that states none."""
        return self._fp

    def step(self, primitive: str, /, **arguments: Any) -> list[str]:
        """Applies a primitive by its name; returns the names of what it has created.

        An argument None is omitted. A parameter whose name is a keyword of Python may end with an underscore.
        """
        given = {name.rstrip("_"): it for name, it in arguments.items() if it is not None}
        text = json.dumps({"primitive": primitive, **given}, default=_plain)
        return self._state.step(text)

    def apply(self, trace: str | os.PathLike[str]) -> Schedule:
        """Applies the steps of a trace: a transform script or JSON, as path or text. Returns the schedule."""
        self._state.replay(*read_text(trace, "trace"))
        return self

    def blocks(self) -> list[str]:
        """The schedule blocks, in the order of the program."""
        return self._state.query("blocks", "")

    def loops(self, block: str) -> list[str]:
        """The loops around a block, outermost first, as "block:loop"."""
        return self._state.query("loops", block)

    def children(self, target: str) -> list[str]:
        """The outermost blocks in a loop or block."""
        return self._state.query("children", target)

    def producers(self, block: str) -> list[str]:
        """The other blocks that write a buffer which a block reads."""
        return self._state.query("producers", block)

    def consumers(self, block: str) -> list[str]:
        """The other blocks that read a buffer which a block writes."""
        return self._state.query("consumers", block)

    def outputs(self) -> list[str]:
        """The blocks that write results of the function."""
        return self._state.query("outputs", "")

    def buffers(self) -> list[str]:
        """The buffers that the function accesses."""
        return self._state.query("buffers", "")

    def reads(self, block: str) -> list[str]:
        """The buffers that a block reads and does not write."""
        return self._state.query("reads", block)

    def writes(self, block: str) -> list[str]:
        """The buffers that a block writes."""
        return self._state.query("writes", block)

    def find(self, pattern: str) -> list[str]:
        """The blocks, or with ":" the loops, that a pattern such as "C*:j*" matches."""
        return self._state.query("find", pattern)

    def show(self) -> str:
        """The nest as text."""
        return self._state.show()

    def cost(self) -> Ledger:
        """The cost ledger of the function as it is scheduled now: operations, bytes and footprints of each block."""
        return Ledger.from_json(self._state.cost())

    def trace(self) -> str:
        """The steps as a transform script, which `lw-opt`, `lw-run` and `loopwright.compile` take."""
        return self._state.trace("script")

    def json(self, *, function: str | None = None) -> str:
        """The steps as JSON, for a function of another name if `function` is given."""
        text = self._state.trace("json")
        if function is None or function == self._function:
            return text
        # The hash is of the function with its name.
        trace = json.loads(text)
        trace.pop("hash", None)
        return json.dumps({**trace, "function": function}, indent=2)

    def __repr__(self) -> str:
        return f"<loopwright.Schedule of {self._function}>\n{self.show()}"

    def _repr_html_(self) -> str:
        """The nest in a notebook."""
        return nest_html(self.show())


def _plain(value: Any) -> Any:
    """A value for JSON: integers of NumPy, and sequences such as ranges."""
    try:
        return operator.index(value)
    except TypeError:
        return list(value)
