"""The cost ledger of a schedule: operations, bytes and footprints of each schedule block."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A count, or an arithmetic intensity.

    value: a number, a formula over sizes, or None. A formula holds for sizes of 1 or more.
    bound: how the value is related to the count: "exact", "at_most", "at_least", "of_bounds" (the quotient of two upper bounds),
        "unknown" (there is no value), or "undefined" (an intensity without bytes).
    """

    value: int | float | str | None
    bound: str

    @property
    def is_exact(self) -> bool:
        """Whether the value is the count."""
        return self.bound == "exact"

    def __str__(self) -> str:
        if self.value is None:
            return "-" if self.bound == "undefined" else "?"
        sign = {"at_most": "<= ", "at_least": ">= ", "of_bounds": "~ "}.get(self.bound, "")
        is_fraction = isinstance(self.value, float) and self.value != 0
        return sign + (f"{self.value:.2f}" if is_fraction else f"{self.value or 0}")


@dataclass(frozen=True)
class MemoryCosts:
    """The accesses to a memory, in bytes. footprint: the bytes of the distinct elements that are accessed."""

    loads: Figure
    stores: Figure
    footprint: Figure


@dataclass(frozen=True)
class BufferCosts(MemoryCosts):
    """The accesses to a buffer, in bytes. scope: its memory. is_shared: it is an argument or a constant."""

    buffer: str
    scope: str
    is_shared: bool


@dataclass(frozen=True)
class Intensity:
    """Operations on floats per byte of global memory: per distinct byte, and per byte that is loaded or stored."""

    footprint: Figure
    accessed: Figure


@dataclass(frozen=True)
class Costs:
    """Operations on floats and on integers, and accesses.

    memory: by memory, which is "global", "shared" or "local".
    """

    float_ops: Figure
    int_ops: Figure
    memory: dict[str, MemoryCosts]
    intensity: Intensity
    buffers: list[BufferCosts]


@dataclass(frozen=True)
class BlockCosts(Costs):
    """The costs of all instances of a schedule block, or of the initialization of its reduction if `is_init`.

    instances: how often it runs. parallel: the iterations of the parallel loops around it. lanes: those of its vectorized loops.
    """

    block: str
    is_init: bool
    instances: Figure
    parallel: Figure
    lanes: Figure

    @property
    def name(self) -> str:
        """The name of the block, followed by "init" for its initialization."""
        return f"{self.block} init" if self.is_init else self.block


@dataclass(frozen=True)
class Size:
    """A size in formulas: a dimension of an argument, or an index argument if `dimension` is None.

    argument: the number of the argument; None if the function computes the size.
    """

    name: str
    argument: int | None
    dimension: int | None


@dataclass(frozen=True)
class Ledger:
    """The cost ledger of a function, as `lw-opt --loop-cost` prints it.

    not_counted: the ops of the function that are not counted.
    """

    function: str
    sizes: list[Size]
    blocks: list[BlockCosts]
    total: Costs
    not_counted: list[str]

    @classmethod
    def from_json(cls, text: str) -> Ledger:
        """The ledger of the JSON that the native part writes."""
        fields = json.loads(text, object_hook=_read)
        fields["sizes"] = [Size(**size) for size in fields["sizes"]]
        return cls(**fields)


def _read(fields: dict[str, Any]) -> Any:
    """An object of JSON as what it is here; the kind follows from its fields."""
    for kind, field in (
        (Figure, "bound"),
        (BlockCosts, "block"),
        (BufferCosts, "buffer"),
        (Intensity, "accessed"),
        (MemoryCosts, "footprint"),
        (Costs, "float_ops"),
    ):
        if field in fields:
            return kind(**fields)
    return fields
