"""Compiles examples/row_sum.mlir, runs it once, and prints the sums of the rows of exp(x - y): 11.1073 8.15485.

Then it does the same with a schedule of its own, and prints the loop nest.

    pip install .
    python examples/python/compile_and_run.py
"""

import pathlib

import numpy

import loopwright

MODEL = pathlib.Path(__file__).parent.parent / "row_sum.mlir"


def main() -> None:
    x = numpy.array([[0, 1, 2], [4, 5, 6]], "float32")
    y = numpy.array([[0, 0, 0], [3, 4, 5]], "float32")

    row_sum = loopwright.compile(MODEL)
    print("%g %g" % tuple(row_sum(x, y)))

    schedule = loopwright.Schedule(MODEL)
    schedule.compute_inline("sub")
    schedule.compute_inline("exp")
    schedule.parallel("reduce_add:i")
    print(schedule.show(), end="")
    scheduled = loopwright.compile(MODEL, schedule=schedule)
    print("%g %g" % tuple(scheduled(x, y)))


if __name__ == "__main__":
    main()
