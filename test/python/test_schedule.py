"""Schedules: steps, the nest as text, traces, and code of a schedule."""

import inspect
import pathlib
import unittest

import numpy

import loopwright
from loopwright._steps import Steps

MATMUL = """
func.func @main(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
"""


class Schedules(unittest.TestCase):
    def test_steps(self):
        schedule = loopwright.Schedule(MATMUL)
        self.assertIn("serial j in 32", schedule.show())
        names = schedule.split("matmul:j", factors=[-1, numpy.int64(8)])
        self.assertEqual(names, ["matmul:j.0", "matmul:j.1"])
        self.assertEqual(schedule.loops("matmul"), ["matmul:i", *names, "matmul:k"])
        fused = schedule.fuse(["matmul:i", names[0]])
        self.assertEqual(fused, "matmul:i_j.0_fused")
        self.assertIsNone(schedule.parallel(fused))
        self.assertIn("parallel i_j.0_fused in 64", schedule.show())
        script = schedule.trace()
        self.assertIn('transform.sched.split "matmul:j" in %f factors [-1, 8]', script)
        self.assertIn('{"primitive": "parallel"', schedule.json())
        self.assertTrue(repr(schedule).startswith("<loopwright.Schedule of main>\nparallel i_j.0_fused"))
        # Replayed, a trace gives the same nest, in both spellings.
        for trace in (script, schedule.json()):
            again = loopwright.Schedule(MATMUL).apply(trace)
            self.assertEqual((again.show(), again.trace()), (schedule.show(), script))

    def test_compile(self):
        schedule = loopwright.Schedule(MATMUL)
        schedule.vectorize(schedule.split("matmul:j", [-1, 8])[1])
        a, b = numpy.ones((16, 24), "float32"), numpy.ones((24, 32), "float32")
        init = numpy.zeros((16, 32), "float32")
        for options in ({}, {"name": "product"}):
            compiled = loopwright.compile(MATMUL, schedule=schedule, **options)
            numpy.testing.assert_array_equal(compiled(a, b, init), numpy.full((16, 32), 24))

    def test_refused_step(self):
        schedule = loopwright.Schedule(MATMUL)
        before = schedule.show(), schedule.trace()
        with self.assertRaises(loopwright.CompileError) as caught:
            schedule.parallel("matmul:k")
        error = caught.exception
        self.assertEqual((error.code, error.file, error.line), ("compile", "module", 3))
        self.assertIn('iter "vk" of schedule block "matmul" is reduce, expected spatial', str(error))
        self.assertIn("in this nest", str(error))
        self.assertEqual((schedule.show(), schedule.trace()), before)

    def test_contract(self):
        """Partial results of a float sum need a contract, which the function states or the caller gives."""
        stated = MATMUL.replace("tensor<16x32xf32> {", 'tensor<16x32xf32> attributes {loop.fp = "strict"} {')
        for model, fp in ((MATMUL, None), (MATMUL, "strict"), (stated, "fast")):
            schedule = loopwright.Schedule(model, fp=fp)
            lanes = schedule.split("matmul:k", [-1, 8])[1]
            with self.assertRaisesRegex(loopwright.CompileError, "loop.fp .*C11"):
                schedule.rfactor(lanes)
        a = numpy.arange(16 * 24, dtype="float32").reshape(16, 24) % 7
        b = numpy.arange(24 * 32, dtype="float32").reshape(24, 32) % 5
        for fp in ("reassoc", "fast"):
            schedule = loopwright.Schedule(MATMUL, fp=fp)
            schedule.rfactor(schedule.split("matmul:k", [-1, 8])[1])
            self.assertEqual(schedule.blocks(), ["rf_matmul", "matmul"])
            # The trace is of the function with its contract, so that nothing is logged of another function.
            # `compile` has the contract of the schedule.
            with self.assertNoLogs("loopwright", "INFO"):
                matmul = loopwright.compile(MATMUL, schedule=schedule)
            numpy.testing.assert_array_equal(matmul(a, b, numpy.zeros((16, 32), "float32")), a @ b)
        with self.assertRaisesRegex(loopwright.CompileError, "loop.fp .*C11"):
            loopwright.compile(MATMUL, schedule=schedule, fp="strict")
        with self.assertRaises(loopwright.CompileError) as caught:
            loopwright.Schedule(MATMUL, fp="exact")
        self.assertEqual(caught.exception.code, "option")
        self.assertIn("found contract 'exact', expected strict, reassoc or fast", str(caught.exception))

    def test_bad_arguments(self):
        schedule = loopwright.Schedule(MATMUL)
        for call, message in (
            (lambda: schedule.split("matmul:j", [1.5, 2]), "a list of whole numbers"),
            (lambda: schedule.step("splitt", loop="matmul:j"), "splitt"),
            (lambda: schedule.step("split", loops="matmul:j"), "loops"),
            (lambda: schedule.vectorize(3), "a string"),
        ):
            with self.assertRaisesRegex(TypeError, message):
                call()

    def test_bad_schedules(self):
        with self.assertRaisesRegex(KeyError, "found no function 'f', expected one of main"):
            loopwright.Schedule(MATMUL, "f")
        with self.assertRaises(loopwright.CompileError) as caught:
            loopwright.Schedule(MATMUL).apply('{"version": 1, "function": "f", "steps": []}')
        self.assertIn("is a trace of function 'f', expected 'main'", str(caught.exception))

    def test_several_at_once(self):
        first, second = (loopwright.Schedule(MATMUL) for _ in range(2))
        first.split("matmul:j", [-1, 8])
        self.assertIn("serial j in 32", second.show())


class Methods(unittest.TestCase):
    """The test docs of Rust compares the file of the methods with the table of primitives."""

    def test_examples(self):
        # Each primitive that the page of primitives documents is a method, with the parameters of the page.
        page = pathlib.Path("docs/primitives.md").read_text()
        sections = page.split("\n## ")[1:]
        self.assertGreater(len(sections), 50)
        for section in sections:
            name = section.split("\n", 1)[0]
            rows = section.split("| parameter | takes | |\n|---|---|---|\n")[1].split("\n\n")[0]
            parameters = [row.split("`")[1] for row in rows.splitlines()]
            method = getattr(Steps, name)
            found = list(inspect.signature(method).parameters)
            self.assertEqual([it.rstrip("_") for it in found], ["self", *parameters], name)
            self.assertIn(f"\n        {found[1]}: ", method.__doc__)


if __name__ == "__main__":
    unittest.main()
