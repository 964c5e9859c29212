"""Drawings of nests and of cost ledgers."""

import unittest
import xml.etree.ElementTree as xml

import loopwright
from loopwright.drawing import draw_ledgers, nest_html

MATMUL = """
func.func @main(%a: tensor<16x24xf32>, %b: tensor<24x32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x24xf32>, tensor<24x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
"""


class Drawings(unittest.TestCase):
    def test_nest(self):
        schedule = loopwright.Schedule(MATMUL)
        schedule.vectorize(schedule.split("matmul:j", [-1, 8])[1], 8)
        schedule.bind("matmul:i", "blockIdx.x")
        drawn = xml.fromstring(schedule._repr_html_())
        kinds = [(it.get("class"), it.text) for it in drawn.iter("span")]
        self.assertEqual(kinds[0], ("loop bound", "blockIdx.x"))
        self.assertIn(("loop vectorize", "vectorize"), kinds)
        self.assertEqual(kinds[-1], ("block", "matmul"))
        self.assertEqual("".join(drawn.itertext()).splitlines(), schedule.show().splitlines())

    def test_other_lines(self):
        """Conditions and statements have no marks, and characters of HTML are escaped."""
        text = "serial i in 4\n  if i < 3\n    sync"
        drawn = xml.fromstring(nest_html(text))
        self.assertEqual("".join(drawn.itertext()), text)
        self.assertEqual(len(list(drawn.iter("span"))), 1)

    def test_ledgers(self):
        schedule = loopwright.Schedule(MATMUL)
        steps = {"start & end": schedule.cost()}
        schedule.cache_write("matmul", "out", "local")
        steps["cache_write"] = schedule.cost()
        drawing = draw_ledgers(steps)
        svg = xml.fromstring(drawing._repr_svg_())
        texts = [it.text for it in svg.iter() if it.tag.endswith("}text")]
        for text in ("start & end", "cache_write", "bytes accessed", "196 KiB", "0.12"):
            self.assertIn(text, texts)
        self.assertEqual(str(drawing), drawing._repr_svg_())

    def test_other_objects_are_refused(self):
        with self.assertRaisesRegex(TypeError, "tiles: found int, expected a Ledger"):
            draw_ledgers({"tiles": 3})

    def test_formulas(self):
        """A formula is a text without a bar."""
        text = MATMUL.replace("<16x", "<?x")
        svg = xml.fromstring(str(draw_ledgers({"dynamic": loopwright.Schedule(text).cost()})))
        self.assertTrue(any("arg0.0" in (it.text or "") for it in svg.iter()))
        widths = [float(it.get("width")) for it in svg.iter() if it.tag.endswith("}rect")]
        # Behind the background, the bytes and the footprint; the intensity is a number.
        self.assertEqual(widths[1:3], [0, 0])
        self.assertIsInstance(str(draw_ledgers({})), str)


if __name__ == "__main__":
    unittest.main()
