"""CINN's names for the steps of a schedule."""

import unittest

import numpy

import loopwright
from loopwright.cinn import IRSchedule

CHAIN = """
func.func @main(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = graph.exp %x {loop.name = "A"} : tensor<16x64xf32>
  %1 = graph.add %0, %0 {loop.name = "B"} : tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}
"""
X = numpy.linspace(-1, 1, 16 * 64, dtype="float32").reshape(16, 64)


class Names(unittest.TestCase):
    def setUp(self):
        self.schedule = IRSchedule(CHAIN, fp="fast")
        self.first, self.second = self.schedule.get_all_blocks()

    def check(self):
        """Compiles the schedule, and compares the result."""
        main = loopwright.compile(CHAIN, schedule=self.schedule.schedule, fp="fast")
        numpy.testing.assert_allclose(main(X), 2 * numpy.exp(X), rtol=1e-6)

    def test_loops_by_name_and_by_index(self):
        loops = self.schedule.get_loops(self.second)
        outer, inner = self.schedule.split(loops[1], [-1, 16])
        self.assertEqual(self.schedule.get_loops(self.second), [loops[0], outer, inner])
        self.schedule.vectorize(inner, 16)
        fused = self.schedule.fuse(self.second, [0, 1])
        self.schedule.parallel(fused)
        self.schedule.compute_at(self.first, fused)
        self.assertEqual(self.schedule.get_child_blocks(fused), [self.first, self.second])
        self.check()

    def test_block_and_index(self):
        outer, inner = self.schedule.split(self.first, 0, [4, -1])
        self.schedule.reorder(self.first, [1, 0])
        self.assertEqual(self.schedule.get_loops(self.first)[:2], [inner, outer])
        self.schedule.reorder([outer, inner])
        self.assertEqual(self.schedule.flatten_loops([outer, inner]), self.schedule.get_loops(self.first)[0])
        self.schedule.compute_inline(self.first)
        self.assertEqual(self.schedule.get_all_blocks(), [self.second])
        self.check()

    def test_buffers_by_index(self):
        copy = self.schedule.cache_read(self.second, 0, "local")
        self.assertTrue(self.schedule.has_block(copy))
        self.schedule.cache_write(self.first, 0, "local")
        self.schedule.set_buffer(self.first, "local")
        self.check()

    def test_samples(self):
        loop = self.schedule.get_loops(self.first)[1]
        factors = self.schedule.sample_perfect_tile(loop, 2, 16, [8, 8])
        self.assertEqual(len(self.schedule.split(loop, factors)), 2)
        self.schedule.sample_categorical([1, 2], [1, 1], 2)
        self.assertIn("sample_1", self.schedule.schedule.trace())

    def test_refused(self):
        with self.assertRaisesRegex(ValueError, "found no block 'C', expected one of"):
            self.schedule.get_block("C")
        with self.assertRaisesRegex(IndexError, "found index 2, expected one of the 2 loops around"):
            self.schedule.split(self.first, 2, [2, -1])
        with self.assertRaisesRegex(TypeError, "expected .loop, factors. or"):
            self.schedule.split(self.first)
        with self.assertRaisesRegex(TypeError, "found index '0', expected a number"):
            self.schedule.split(self.first, "0", [2, -1])
        with self.assertRaisesRegex(IndexError, "found index 1, expected one of the 1 buffers that"):
            self.schedule.cache_read(self.first, 1, "local")
        with self.assertRaisesRegex(ValueError, "C"):
            self.schedule.get_loops("C")
        with self.assertRaises(loopwright.CompileError):
            self.schedule.compute_inline(self.second)


if __name__ == "__main__":
    unittest.main()
