"""CINN's `IRSchedule`: its names for the steps of `loopwright.Schedule`. Buffers are given by index, and loops also by index.

    schedule = loopwright.cinn.IRSchedule("matmul.mlir", fp="fast")
    loops = schedule.get_loops("matmul")
    outer, inner = schedule.split(loops[1], [-1, 64])     # or split("matmul", 1, [-1, 64])
    schedule.vectorize(inner)
    matmul = loopwright.compile("matmul.mlir", schedule=schedule.schedule)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Union, overload

from .schedule import Schedule

#: The factors of a split, or the decision that `sample_perfect_tile` returns.
Factors = Union[Sequence[int], str]

__all__ = ["IRSchedule"]


class IRSchedule:
    """A schedule with the methods of CINN's. The parameters are those of `loopwright.Schedule`."""

    #: The schedule itself, for `loopwright.compile` and for steps that CINN does not have.
    schedule: Schedule

    def __init__(self, model: Any, function: str = "main", **options: Any) -> None:
        self.schedule = Schedule(model, function, **options)
        self._sampled = 0

    def get_all_blocks(self) -> list[str]:
        """The blocks, in the order of the program."""
        return self.schedule.blocks()

    def has_block(self, block: str) -> bool:
        """Whether there is a block with this name."""
        return block in self.schedule.blocks()

    def get_block(self, block: str) -> str:
        """The name of a block; ValueError if there is none."""
        if not self.has_block(block):
            present = ", ".join(self.schedule.blocks())
            raise ValueError(f"found no block '{block}', expected one of {present}")
        return block

    def get_loops(self, block: str) -> list[str]:
        """The loops around a block, outermost first."""
        return self.schedule.loops(block)

    def get_child_blocks(self, target: str) -> list[str]:
        """The outermost blocks in a loop or block."""
        return self.schedule.children(target)

    @overload
    def split(self, loop: str, factors: Factors, /) -> list[str]: ...

    @overload
    def split(self, block: str, loop_index: int, factors: Factors, /) -> list[str]: ...

    def split(self, target: str, *arguments: Any) -> list[str]:
        """Splits a loop by factors, of which one may be -1; returns the new loops."""
        if not 1 <= len(arguments) <= 2:
            raise TypeError("split: expected (loop, factors) or (block, loop_index, factors)")
        *index, factors = arguments
        return self.schedule.split(self._loop(target, *index), factors)

    @overload
    def fuse(self, loops: Sequence[str], /) -> str: ...

    @overload
    def fuse(self, block: str, loops_index: Sequence[int], /) -> str: ...

    def fuse(self, target: Any, *indices: Sequence[int]) -> str:
        """Fuses nested loops to one."""
        return self.schedule.fuse(self._loops(target, *indices))

    @overload
    def reorder(self, loops: Sequence[str], /) -> None: ...

    @overload
    def reorder(self, block: str, loops_index: Sequence[int], /) -> None: ...

    def reorder(self, target: Any, *indices: Sequence[int]) -> None:
        """Interchanges nested loops."""
        self.schedule.reorder(self._loops(target, *indices))

    def flatten_loops(self, loops: Sequence[str]) -> str:
        """Fuses loops to one."""
        return self.schedule.fuse(loops)

    def unroll(self, loop: str) -> None:
        """Unrolls a loop."""
        self.schedule.unroll(loop)

    def vectorize(self, loop: str, factor: int) -> None:
        """Makes a vector loop of `factor` lanes."""
        self.schedule.vectorize(loop, factor)

    def parallel(self, loop: str) -> None:
        """Makes a loop parallel."""
        self.schedule.parallel(loop)

    def bind(self, loop: str, thread_axis: str) -> None:
        """Binds a loop to an axis of threads, such as "threadIdx.x"."""
        self.schedule.bind(loop, thread_axis)

    def compute_at(self, block: str, loop: str) -> None:
        """Moves a producer under a loop of its consumers."""
        self.schedule.compute_at(block, loop)

    def simple_compute_at(self, block: str, loop: str) -> None:
        """Moves a block under a loop of another block with the same loops."""
        self.schedule.simple_compute_at(block, loop)

    def reverse_compute_at(self, block: str, loop: str) -> None:
        """Moves a consumer under a loop of its producer."""
        self.schedule.reverse_compute_at(block, loop)

    def compute_inline(self, block: str) -> None:
        """Replaces reads of what a block writes by its computation."""
        self.schedule.compute_inline(block)

    def reverse_compute_inline(self, block: str) -> None:
        """Computes a consumer where its producer writes."""
        self.schedule.reverse_compute_inline(block)

    def cache_read(self, block: str, read_buffer_index: int, memory_type: str) -> str:
        """Copies a buffer before a block reads it; returns the block that copies."""
        buffer = self._nth(self.schedule.reads(block), read_buffer_index, f"buffers that {block} reads")
        return self.schedule.cache_read(block, buffer, memory_type, [block])

    def cache_write(self, block: str, write_buffer_index: int, memory_type: str) -> str:
        """Computes a block into a copy of its buffer; returns the block that computes."""
        return self.schedule.cache_write(block, self._written(block, write_buffer_index), memory_type)

    def set_buffer(self, block: str, memory_type: str) -> None:
        """Sets the scope of the first buffer that a block writes."""
        self.schedule.set_scope(self._written(block, 0), memory_type)

    def sync_threads(self, node: str, after_node: bool = True) -> None:
        """Inserts a barrier after or before a loop or block."""
        self.schedule.sync_threads(node, "after" if after_node else "before")

    def rfactor(self, rf_loop: str, rf_axis: int) -> str:
        """Splits a reduction into partial results; returns their block."""
        return self.schedule.rfactor(rf_loop, rf_axis)

    def factorize_reduction(self, rf_loop: str, rf_axis: int) -> str:
        """As `rfactor`. The block that writes back keeps its initial values."""
        return self.schedule.rfactor(rf_loop, rf_axis)

    def add_unit_loop(self, block: str) -> str:
        """Adds a loop of one iteration around a block."""
        return self.schedule.add_unit_loop(block)

    def annotate(self, target: str, key: str, value: int | bool | str) -> None:
        """Annotates a loop or block."""
        self.schedule.annotate(target, key, value)

    def unannotate(self, target: str, key: str) -> None:
        """Removes an annotation."""
        self.schedule.unannotate(target, key)

    def sample_perfect_tile(
        self, loop: str, n: int, max_innermost_factor: int, decision: Sequence[int] = ()
    ) -> str:
        """Chooses `n` factors of a loop's extent at random, or takes `decision`; returns the name of the decision, for `split`."""
        name = self._decision()
        self.schedule.sample_perfect_tile(loop, name, n, max_innermost_factor, decision)
        return f"${name}"

    def sample_categorical(
        self, candidates: Sequence[int], weights: Sequence[int], decision: int | None = None
    ) -> str:
        """Chooses one of the candidates by integer weights, or takes `decision`, one of them; returns the name of the decision."""
        name = self._decision()
        self.schedule.sample_categorical(name, candidates, weights, decision)
        return f"${name}"

    def __repr__(self) -> str:
        return repr(self.schedule)

    def _decision(self) -> str:
        self._sampled += 1
        return f"sample_{self._sampled - 1}"

    def _loop(self, target: str, *index: int) -> str:
        """The loop itself, or the loop with an index around a block."""
        if not index:
            return target
        return self._nth(self.schedule.loops(target), index[0], f"loops around {target}")

    def _loops(self, target: Any, *indices: Sequence[int]) -> Sequence[str]:
        """The loops themselves, or those with indices around a block."""
        return target if not indices else [self._loop(target, index) for index in indices[0]]

    def _written(self, block: str, index: int) -> str:
        return self._nth(self.schedule.writes(block), index, f"buffers that {block} writes")

    @staticmethod
    def _nth(names: Sequence[str], index: int, what: str) -> str:
        if not isinstance(index, int):
            raise TypeError(f"found index {index!r}, expected a number")
        if not 0 <= index < len(names):
            raise IndexError(f"found index {index}, expected one of the {len(names)} {what}: {', '.join(names)}")
        return names[index]
