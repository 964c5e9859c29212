"""The notebook: runs its code, without Jupyter, and checks what it draws.

The module IPython.display is replaced by one that collects what is displayed.
"""

import contextlib
import io
import json
import os
import pathlib
import sys
import types
import unittest
import xml.etree.ElementTree as xml

import numpy

NOTEBOOK = pathlib.Path("examples/python/schedule_matmul.ipynb").resolve()
STEPS = ["unscheduled", "tiles", "cache_write", "vectorize", "unroll", "parallel"]


def code_cells():
    """The texts of the code cells, and the cells."""
    cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
    return ["".join(cell["source"]) for cell in cells], cells


class Notebook(unittest.TestCase):
    def setUp(self):
        self.displayed = []
        display = types.ModuleType("IPython.display")
        display.display = lambda *things: self.displayed.extend(draw(thing) for thing in things)
        modules = {"IPython": types.ModuleType("IPython"), "IPython.display": display}
        before = {name: sys.modules.get(name) for name in modules}
        sys.modules.update(modules)
        self.addCleanup(restore, before)
        # As Jupyter does, the notebook runs in its folder.
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(NOTEBOOK.parent)

    def test_no_outputs(self):
        for cell in code_cells()[1]:
            self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))

    def test_run(self):
        names, printed, drawn = {"__name__": "__main__"}, io.StringIO(), []
        with contextlib.redirect_stdout(printed):
            for number, text in enumerate(code_cells()[0]):
                self.displayed.clear()
                exec(compile(text, f"{NOTEBOOK.name}, code cell {number}", "exec"), names)
                if self.displayed:
                    drawn.append(list(self.displayed))
        self.assertEqual(list(names["ledgers"]), STEPS)
        self.assertEqual(len(drawn), len(STEPS))
        for number, (nest, ledger) in enumerate(drawn):
            self.assertEqual((nest.tag, nest.get("class")), ("pre", "loopwright-nest"))
            self.assertEqual(ledger.get("class"), "loopwright-ledger")
            texts = [it.text for it in ledger.iter() if it.tag.endswith("}text")]
            self.assertEqual([text for text in texts if text in STEPS], STEPS[: number + 1])
        # The drawings and the ledgers are those of the steps that the text describes.
        kinds = [it.text for it in drawn[-1][0].iter("span") if it.get("class") != "block"]
        self.assertEqual(kinds, ["parallel", "serial", "serial", "unroll", "vectorize", "serial", "vectorize"])
        ledgers = names["ledgers"]
        before, local, last = (ledgers[step] for step in ("tiles", "cache_write", "parallel"))
        for total in (ledgers["unscheduled"].total, before.total, local.total, last.total):
            self.assertEqual(total.float_ops.value, 2 * 512**3)
            self.assertEqual(total.memory["global"].footprint.value, 3 * 4 * 512**2)
        self.assertEqual(ledgers["unscheduled"].total, before.total)
        self.assertEqual(local.total.memory["global"].stores.value, 4 * 512**2)
        ratio = local.total.intensity.accessed.value / before.total.intensity.accessed.value
        self.assertAlmostEqual(ratio, 2, delta=0.01)
        sums = next(block for block in last.blocks if block.name == names["sums"])
        self.assertEqual((sums.parallel.value, sums.lanes.value), (8, 64))
        # The result, and what was printed.
        a, b = names["a"], names["b"]
        numpy.testing.assert_allclose(names["matmul"](a, b), a @ b, rtol=1e-5)
        for text in ("is reduce, expected spatial", "scheduled: ", "NumPy: ", "transform.sched.unroll"):
            self.assertIn(text, printed.getvalue())


def draw(thing):
    """What a notebook shows of an object, as a tree of HTML or SVG."""
    method = getattr(thing, "_repr_svg_", None) or thing._repr_html_
    return xml.fromstring(method())


def restore(modules):
    for name, module in modules.items():
        if module is None:
            del sys.modules[name]
        else:
            sys.modules[name] = module


if __name__ == "__main__":
    unittest.main()
