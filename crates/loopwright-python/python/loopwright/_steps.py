"""The primitives as methods. Generated from the table in src/schedule/primitive.rs; a test compares.

`LOOPWRIGHT_UPDATE=1 cargo test --test docs` writes this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Steps:
    """A method for each primitive; it returns the names of what the step has created."""

    def step(self, primitive: str, /, **arguments: Any) -> list[str]:
        raise NotImplementedError

    def split(
        self,
        loop: str,
        factors: Sequence[int] | str,
        tail: str | None = None,
        proof: str | None = None,
    ) -> list[str]:
        """Split a loop into nested loops by factors; a remainder is guarded, peeled, shifted or padded.

        loop: The loop, as block:loop
        factors: The extents of the new loops, outermost first; one may be -1, to be inferred
        tail: How remaining iterations are handled: guard (default), peel, shift_inwards, pad
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "split",
            loop=loop,
            factors=factors,
            tail=tail,
            proof=proof,
        )

    def fuse(
        self,
        loops: Sequence[str],
    ) -> str:
        """Fuse perfectly nested loops into one.

        loops: The loops, each as block:loop
        """
        return self.step(
            "fuse",
            loops=loops,
        )[0]

    def reorder(
        self,
        loops: Sequence[str],
        proof: str | None = None,
    ) -> None:
        """Interchange nested loops; statements between them are sunk into the innermost loop.

        loops: The loops, each as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "reorder",
            loops=loops,
            proof=proof,
        )

    def tile(
        self,
        loops: Sequence[str],
        factors: Sequence[int] | str,
        tail: str | None = None,
        proof: str | None = None,
    ) -> list[str]:
        """Split several loops and reorder them into tiles.

        loops: The loops, each as block:loop
        factors: The extent of a tile in each loop
        tail: How remaining iterations are handled: guard (default), peel, shift_inwards, pad
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "tile",
            loops=loops,
            factors=factors,
            tail=tail,
            proof=proof,
        )

    def reorder_block_iter_var(
        self,
        block: str,
        order: Sequence[int] | str,
    ) -> None:
        """Permute the iters of a schedule block.

        block: The name of the schedule block
        order: The numbers of the present iters, from 0 on, in their new order
        """
        self.step(
            "reorder_block_iter_var",
            block=block,
            order=order,
        )

    def transform_block_layout(
        self,
        block: str,
        index_map: str,
        proof: str | None = None,
    ) -> list[str]:
        """Replace the iters and loops of a schedule block by an invertible index map.

        block: The name of the schedule block
        index_map: The new iters: "(i, j)[n, m] -> (i * m + j)", over the iters and their domains
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "transform_block_layout",
            block=block,
            index_map=index_map,
            proof=proof,
        )

    def loop_partition(
        self,
        loop: str,
        factors: Sequence[int] | str,
        proof: str | None = None,
    ) -> list[str]:
        """Partition the range of a loop into consecutive loops.

        loop: The loop, as block:loop
        factors: The extents of the parts, in their order; one may be -1, to be inferred
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "loop_partition",
            loop=loop,
            factors=factors,
            proof=proof,
        )

    def join(
        self,
        loop: str,
        proof: str | None = None,
    ) -> str:
        """Join a loop and the next loop, whose range continues that of the first.

        loop: The loop, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "join",
            loop=loop,
            proof=proof,
        )[0]

    def shift(
        self,
        loop: str,
        by: int | str | None = None,
        align: int | str | None = None,
        proof: str | None = None,
    ) -> None:
        """Offset the range of a loop, or extend it to a multiple of a number.

        loop: The loop, as block:loop
        by: The number of iterations by which the start moves (default: 0)
        align: The number of which the extent becomes a multiple (default: 1)
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "shift",
            loop=loop,
            by=by,
            align=align,
            proof=proof,
        )

    def unroll_and_jam(
        self,
        loop: str,
        factor: int | str | None = None,
        tail: str | None = None,
        proof: str | None = None,
    ) -> list[str]:
        """Unroll a loop inside its inner loops.

        loop: The loop, as block:loop
        factor: The number of iterations that are unrolled together (default: 2)
        tail: How remaining iterations are handled: guard (default), peel, shift_inwards, pad
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "unroll_and_jam",
            loop=loop,
            factor=factor,
            tail=tail,
            proof=proof,
        )

    def specialize(
        self,
        target: str,
        condition: str,
        through: str | None = None,
    ) -> None:
        """Copy a nest for the sizes that satisfy a condition.

        target: The loop, as block:loop, or the schedule block
        condition: The condition on sizes, such as "arg2 mod 8 == 0 and arg3 >= 64"
        through: A loop, as block:loop, or a schedule block in the last statement to copy; the target by default
        """
        self.step(
            "specialize",
            target=target,
            condition=condition,
            through=through,
        )

    def remove_loop(
        self,
        loop: str,
        proof: str | None = None,
    ) -> None:
        """Remove a loop whose iterations all have the same effect.

        loop: The loop, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "remove_loop",
            loop=loop,
            proof=proof,
        )

    def reorder_statements(
        self,
        target: str,
        before: str,
        proof: str | None = None,
    ) -> None:
        """Move a statement before an earlier one of the same body.

        target: The loop, as block:loop, or the schedule block
        before: The loop, as block:loop, or the schedule block before which it moves
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "reorder_statements",
            target=target,
            before=before,
            proof=proof,
        )

    def unroll(
        self,
        loop: str,
        factor: int | str | None = None,
    ) -> list[str]:
        """Unroll a loop.

        loop: The loop, as block:loop
        factor: The number of iterations that are unrolled together (default: all)
        """
        return self.step(
            "unroll",
            loop=loop,
            factor=factor,
        )

    def vectorize(
        self,
        loop: str,
        factor: int | str | None = None,
        proof: str | None = None,
    ) -> list[str]:
        """Run the iterations of a loop as vector lanes.

        loop: The loop, as block:loop
        factor: The number of lanes (default: all iterations)
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "vectorize",
            loop=loop,
            factor=factor,
            proof=proof,
        )

    def parallel(
        self,
        loop: str,
        proof: str | None = None,
    ) -> None:
        """Run the iterations of a loop on CPU threads.

        loop: The loop, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "parallel",
            loop=loop,
            proof=proof,
        )

    def bind(
        self,
        loop: str,
        thread: str,
        proof: str | None = None,
    ) -> None:
        """Bind a loop to a GPU thread or block axis.

        loop: The loop, as block:loop
        thread: The axis, such as threadIdx.x
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "bind",
            loop=loop,
            thread=thread,
            proof=proof,
        )

    def atomic(
        self,
        block: str,
    ) -> None:
        """Make updates atomic, so that concurrent iterations may update the same element.

        block: The name of the schedule block
        """
        self.step(
            "atomic",
            block=block,
        )

    def compute_inline(
        self,
        block: str,
        proof: str | None = None,
    ) -> None:
        """Inline a producer into its consumers.

        block: The name of the schedule block
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "compute_inline",
            block=block,
            proof=proof,
        )

    def cache_read(
        self,
        block: str,
        buffer: str,
        scope: str,
        consumers: Sequence[str] = (),
        index_map: str | None = None,
        proof: str | None = None,
    ) -> str:
        """Read from a copy of a buffer in another memory scope.

        block: The name of the schedule block
        buffer: The name of the buffer
        scope: global, shared or local
        consumers: The schedule blocks that read the copy; by default all that read the same values
        index_map: The layout of the copy, as for transform_layout (default: row by row)
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "cache_read",
            block=block,
            buffer=buffer,
            scope=scope,
            consumers=consumers,
            index_map=index_map,
            proof=proof,
        )[0]

    def cache_write(
        self,
        block: str,
        buffer: str,
        scope: str,
        index_map: str | None = None,
        proof: str | None = None,
    ) -> str:
        """Write to a buffer in another memory scope, then copy it back.

        block: The name of the schedule block
        buffer: The name of the buffer
        scope: global, shared or local
        index_map: The layout of the copy, as for transform_layout (default: row by row)
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "cache_write",
            block=block,
            buffer=buffer,
            scope=scope,
            index_map=index_map,
            proof=proof,
        )[0]

    def cache_inplace(
        self,
        block: str,
        buffer: str,
        scope: str,
        proof: str | None = None,
    ) -> list[str]:
        """Update a copy of a buffer in another memory scope, then copy it back.

        block: The name of the schedule block
        buffer: The name of the buffer
        scope: global, shared or local
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "cache_inplace",
            block=block,
            buffer=buffer,
            scope=scope,
            proof=proof,
        )

    def reindex(
        self,
        block: str,
        buffer: str,
        scope: str,
        proof: str | None = None,
    ) -> str:
        """Access a buffer through a copy that is indexed by the iters of a schedule block.

        block: The name of the schedule block
        buffer: The name of the buffer
        scope: global, shared or local
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "reindex",
            block=block,
            buffer=buffer,
            scope=scope,
            proof=proof,
        )[0]

    def set_scope(
        self,
        buffer: str,
        scope: str,
        proof: str | None = None,
    ) -> None:
        """Set the memory scope of a buffer.

        buffer: The name of the buffer
        scope: global, shared or local
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "set_scope",
            buffer=buffer,
            scope=scope,
            proof=proof,
        )

    def transform_layout(
        self,
        buffer: str,
        index_map: str,
        proof: str | None = None,
    ) -> None:
        """Change the layout of a buffer by an index map.

        buffer: The name of the buffer
        index_map: The new indices of an element: "(i, j)[n, m] -> (j, i)", over its indices and the buffer's sizes
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "transform_layout",
            buffer=buffer,
            index_map=index_map,
            proof=proof,
        )

    def storage_align(
        self,
        buffer: str,
        axis: int | str | None = None,
        factor: int | str | None = None,
        offset: int | str | None = None,
    ) -> None:
        """Pad the rows of a buffer so that their stride has a given remainder.

        buffer: The name of the buffer
        axis: The dimension whose stride is padded; negative ones count from the end (default: -2)
        factor: The divisor of the stride (default: 32)
        offset: The remainder of the stride (default: 0)
        """
        self.step(
            "storage_align",
            buffer=buffer,
            axis=axis,
            factor=factor,
            offset=offset,
        )

    def fold_storage(
        self,
        buffer: str,
        axis: int | str | None = None,
        size: int | str | None = None,
        proof: str | None = None,
    ) -> None:
        """Fold a dimension of a buffer into a circular buffer of a few elements.

        buffer: The name of the buffer
        axis: The dimension; negative ones count from the end (default: 0)
        size: The size of the circular buffer in this dimension (default: 2)
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "fold_storage",
            buffer=buffer,
            axis=axis,
            size=size,
            proof=proof,
        )

    def rolling_buffer(
        self,
        block: str,
        loop: str,
        proof: str | None = None,
    ) -> str:
        """Keep the elements that the next iteration of a loop reads again, and compute only the new ones.

        block: The name of the schedule block
        loop: The loop, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "rolling_buffer",
            block=block,
            loop=loop,
            proof=proof,
        )[0]

    def prefetch(
        self,
        loop: str,
        buffer: str,
        distance: int | str | None = None,
    ) -> None:
        """Prefetch what a loop reads from a buffer some iterations later.

        loop: The loop, as block:loop
        buffer: The name of the buffer
        distance: The number of iterations ahead (default: 1)
        """
        self.step(
            "prefetch",
            loop=loop,
            buffer=buffer,
            distance=distance,
        )

    def sync_threads(
        self,
        target: str,
        place: str | None = None,
    ) -> None:
        """Insert a thread-block barrier before or after a loop or schedule block.

        target: The loop, as block:loop, or the schedule block
        place: before (default) or after
        """
        self.step(
            "sync_threads",
            target=target,
            place=place,
        )

    def annotate(
        self,
        target: str,
        key: str,
        value: int | bool | str,
    ) -> None:
        """Annotate a loop or schedule block for later passes and lowerings.

        target: The loop, as block:loop, or the schedule block
        key: The key of the annotation
        value: A whole number, true, false, or text
        """
        self.step(
            "annotate",
            target=target,
            key=key,
            value=value,
        )

    def unannotate(
        self,
        target: str,
        key: str,
    ) -> None:
        """Remove an annotation from a loop or schedule block.

        target: The loop, as block:loop, or the schedule block
        key: The key of the annotation
        """
        self.step(
            "unannotate",
            target=target,
            key=key,
        )

    def rename(
        self,
        target: str,
        to: str,
    ) -> None:
        """Give a loop or schedule block another name.

        target: The loop, as block:loop, or the schedule block
        to: The new name
        """
        self.step(
            "rename",
            target=target,
            to=to,
        )

    def rfactor(
        self,
        loop: str,
        factor_axis: int | str | None = None,
        proof: str | None = None,
    ) -> str:
        """Factor a reduction: partial results for each iteration of a loop, then their reduction.

        loop: The loop, as block:loop
        factor_axis: The position of the new dimension in the partial results (default: 0)
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "rfactor",
            loop=loop,
            factor_axis=factor_axis,
            proof=proof,
        )[0]

    def decompose_reduction(
        self,
        block: str,
        loop: str,
        proof: str | None = None,
    ) -> list[str]:
        """Initialize a reduction in a schedule block of its own.

        block: The name of the schedule block
        loop: The loop before which it is inserted, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "decompose_reduction",
            block=block,
            loop=loop,
            proof=proof,
        )

    def decompose_padding(
        self,
        block: str,
        loop: str,
        proof: str | None = None,
    ) -> str:
        """Split a padded copy: a new schedule block writes the padding.

        block: The name of the schedule block
        loop: The loop before which it is inserted, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "decompose_padding",
            block=block,
            loop=loop,
            proof=proof,
        )[0]

    def pad_einsum(
        self,
        block: str,
        factors: Sequence[int] | str,
        proof: str | None = None,
    ) -> list[str]:
        """Pad the extents of an einsum to multiples, with padded copies of its operands.

        block: The name of the schedule block
        factors: One number for each iter: its extent is padded to a multiple of this number; 1 adds no padding
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "pad_einsum",
            block=block,
            factors=factors,
            proof=proof,
        )

    def compute_at(
        self,
        block: str,
        loop: str,
        proof: str | None = None,
    ) -> list[str]:
        """Compute, in each iteration of a loop, what its consumers read there.

        block: The name of the schedule block
        loop: The loop, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "compute_at",
            block=block,
            loop=loop,
            proof=proof,
        )

    def query(
        self,
        pattern: str,
        what: str,
    ) -> None:
        """Report loops, producers, the loop nest and other facts, without changing the IR.

        pattern: Pattern of names of schedule blocks, or of loops as block:loop (default: all blocks)
        what: find, loops, children, producers, consumers, parent, next, previous, outputs, buffers, nest, inlining or mergeable
        """
        self.step(
            "query",
            pattern=pattern,
            what=what,
        )

    def reverse_compute_at(
        self,
        block: str,
        loop: str,
        proof: str | None = None,
    ) -> list[str]:
        """Move a consumer into a loop of its producers.

        block: The name of the schedule block
        loop: The loop, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        return self.step(
            "reverse_compute_at",
            block=block,
            loop=loop,
            proof=proof,
        )

    def simple_compute_at(
        self,
        block: str,
        loop: str,
        proof: str | None = None,
    ) -> None:
        """Move a schedule block into a loop nest of the same shape.

        block: The name of the schedule block
        loop: The loop, as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "simple_compute_at",
            block=block,
            loop=loop,
            proof=proof,
        )

    def reverse_compute_inline(
        self,
        block: str,
        proof: str | None = None,
    ) -> None:
        """Inline a consumer into its only producer.

        block: The name of the schedule block
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "reverse_compute_inline",
            block=block,
            proof=proof,
        )

    def merge(
        self,
        loops: Sequence[str],
        proof: str | None = None,
    ) -> None:
        """Merge consecutive nests into one.

        loops: The loops, each as block:loop
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "merge",
            loops=loops,
            proof=proof,
        )

    def fission(
        self,
        target: str,
        levels: int | str | None = None,
        proof: str | None = None,
    ) -> None:
        """Distribute a loop: the second loop starts at the given statement.

        target: The loop, as block:loop, or the schedule block
        levels: The number of enclosing loops that are distributed (default: 1)
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "fission",
            target=target,
            levels=levels,
            proof=proof,
        )

    def add_unit_loop(
        self,
        target: str,
    ) -> str:
        """Wrap a loop or schedule block in a loop of extent 1.

        target: The loop, as block:loop, or the schedule block
        """
        return self.step(
            "add_unit_loop",
            target=target,
        )[0]

    def blockize(
        self,
        target: str,
    ) -> str:
        """Make a loop and its body one schedule block.

        target: The loop, as block:loop, or the schedule block
        """
        return self.step(
            "blockize",
            target=target,
        )[0]

    def tensorize(
        self,
        target: str,
        intrinsic: str,
    ) -> str:
        """Replace a nest by an intrinsic, matched by unification.

        target: The loop, as block:loop, or the schedule block
        intrinsic: The intrinsic, such as x86.vpdpbusd
        """
        return self.step(
            "tensorize",
            target=target,
            intrinsic=intrinsic,
        )[0]

    def software_pipeline(
        self,
        loop: str,
        stages: Sequence[int] | str,
        order: Sequence[int] | str,
        proof: str | None = None,
    ) -> None:
        """Overlap the statements of different iterations of a loop.

        loop: The loop, as block:loop
        stages: The number of iterations by which each statement is behind the first stage
        order: The position of each statement in the new body, from 0 on
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "software_pipeline",
            loop=loop,
            stages=stages,
            order=order,
            proof=proof,
        )

    def double_buffer(
        self,
        block: str,
        copies: int | str | None = None,
        with_: Sequence[str] = (),
        proof: str | None = None,
    ) -> None:
        """Fill a buffer for later iterations of a loop while the current one reads it.

        block: The name of the schedule block
        copies: The number of copies of the buffer (default: 2)
        with_: Further schedule blocks that run ahead
        proof: Undecided conditions: "assume" takes them as true, "guard" adds a run-time test
        """
        self.step(
            "double_buffer",
            block=block,
            copies=copies,
            with_=with_,
            proof=proof,
        )

    def sample_perfect_tile(
        self,
        loop: str,
        as_: str,
        parts: int | str | None = None,
        max_innermost: int | str | None = None,
        decision: Sequence[int] | str = (),
        seed: int | str | None = None,
    ) -> None:
        """Draw factors whose product is the extent of a loop.

        loop: The loop, as block:loop
        as_: The name of the decision, which later steps use as $name
        parts: The number of factors (default: 2)
        max_innermost: The largest last factor (default: 16)
        decision: The factors; they are drawn by default
        seed: The seed of the draw (default: 0)
        """
        self.step(
            "sample_perfect_tile",
            loop=loop,
            as_=as_,
            parts=parts,
            max_innermost=max_innermost,
            decision=decision,
            seed=seed,
        )

    def sample_tile(
        self,
        loop: str,
        as_: str,
        parts: int | str | None = None,
        max_innermost: int | str | None = None,
        decision: Sequence[int] | str = (),
        seed: int | str | None = None,
    ) -> None:
        """Draw sizes of tiles that need not divide the extent of a loop.

        loop: The loop, as block:loop
        as_: The name of the decision, which later steps use as $name
        parts: The number of factors, with the first one, which is -1 (default: 2)
        max_innermost: The largest last factor (default: 64)
        decision: The factors; they are drawn by default
        seed: The seed of the draw (default: 0)
        """
        self.step(
            "sample_tile",
            loop=loop,
            as_=as_,
            parts=parts,
            max_innermost=max_innermost,
            decision=decision,
            seed=seed,
        )

    def sample_categorical(
        self,
        as_: str,
        candidates: Sequence[int] | str,
        weights: Sequence[int] | str = (),
        decision: int | str | None = None,
        seed: int | str | None = None,
    ) -> None:
        """Draw one of several numbers.

        as_: The name of the decision, which later steps use as $name
        candidates: The numbers, one of which is drawn
        weights: The relative probability of each number; equal by default
        decision: The number; it is drawn by default
        seed: The seed of the draw (default: 0)
        """
        self.step(
            "sample_categorical",
            as_=as_,
            candidates=candidates,
            weights=weights,
            decision=decision,
            seed=seed,
        )

    def sample_compute_location(
        self,
        block: str,
        as_: str,
        decision: str | None = None,
        seed: int | str | None = None,
    ) -> None:
        """Draw a loop at which a schedule block may be computed.

        block: The name of the schedule block
        as_: The name of the decision, which later steps use as $name
        decision: The loop, as block:loop; it is drawn by default
        seed: The seed of the draw (default: 0)
        """
        self.step(
            "sample_compute_location",
            block=block,
            as_=as_,
            decision=decision,
            seed=seed,
        )
