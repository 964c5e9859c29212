"""The cost ledger of a schedule."""

import unittest

import loopwright
from loopwright.cost import Figure, Size

MATMUL = """
func.func @main(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
"""
INSTANCES = 16 * 24 * 32


def exact(value):
    return Figure(value, "exact")


class Ledgers(unittest.TestCase):
    def test_numbers(self):
        ledger = loopwright.Schedule(MATMUL).cost()
        self.assertEqual((ledger.function, ledger.sizes, ledger.not_counted), ("main", [], []))
        matmul = next(block for block in ledger.blocks if block.name == "matmul")
        self.assertEqual((matmul.instances, matmul.float_ops), (exact(INSTANCES), exact(2 * INSTANCES)))
        self.assertEqual((matmul.int_ops, matmul.parallel, matmul.lanes), (exact(0), exact(1), exact(1)))
        memory = matmul.memory["global"]
        self.assertEqual((memory.loads, memory.stores), (exact(12 * INSTANCES), exact(4 * INSTANCES)))
        footprint = 4 * (16 * 24 + 24 * 32 + 16 * 32)
        self.assertEqual(memory.footprint, exact(footprint))
        self.assertEqual(matmul.memory["local"].loads, exact(0))
        self.assertEqual(matmul.intensity.footprint, exact(2 * INSTANCES / footprint))
        self.assertEqual(matmul.intensity.accessed, exact(0.125))
        b = next(buffer for buffer in matmul.buffers if buffer.buffer == "arg1")
        self.assertEqual((b.scope, b.is_shared, b.loads), ("global", True, exact(4 * INSTANCES)))
        self.assertEqual(ledger.total.float_ops, exact(2 * INSTANCES))

    def test_steps(self):
        """The ledger is that of the state after the steps so far."""
        schedule = loopwright.Schedule(MATMUL)
        before = schedule.cost()
        tile = schedule.split("matmul:j", [-1, 8])[1]
        schedule.parallel("matmul:i")
        schedule.reorder(["matmul:k", tile])
        schedule.vectorize(tile)
        local = schedule.cache_write("matmul", "out", "local")
        after = schedule.cost()
        block = next(block for block in after.blocks if block.name == local)
        self.assertEqual(block.lanes, exact(8))
        self.assertTrue(any(block.is_init and block.name == f"{local} init" for block in after.blocks))
        self.assertEqual(before.total.memory["local"].stores, exact(0))
        self.assertGreater(after.total.memory["local"].stores.value, 4 * INSTANCES)
        self.assertLess(after.total.memory["global"].stores.value, before.total.memory["global"].stores.value)

    def test_formulas(self):
        dynamic = MATMUL
        for size in ("16", "24", "32"):
            dynamic = dynamic.replace(f"<{size}x", "<?x").replace(f"x{size}x", "x?x")
        ledger = loopwright.Schedule(dynamic).cost()
        self.assertIn(Size("arg0.0", 0, 0), ledger.sizes)
        matmul = next(block for block in ledger.blocks if block.name == "matmul")
        self.assertEqual(matmul.instances.bound, "exact")
        self.assertIn("arg0.0", matmul.instances.value)
        self.assertEqual(str(matmul.instances), matmul.instances.value)

    def test_texts(self):
        for figure, text in (
            (exact(2**70), "1180591620717411303424"),
            (exact(0), "0"),
            (Figure(0.125, "at_least"), ">= 0.12"),
            (Figure("4*arg0", "at_most"), "<= 4*arg0"),
            (Figure(1.5, "of_bounds"), "~ 1.50"),
            (Figure(None, "unknown"), "?"),
            (Figure(None, "undefined"), "-"),
        ):
            self.assertEqual((str(figure), figure.is_exact), (text, figure.bound == "exact"))


if __name__ == "__main__":
    unittest.main()
