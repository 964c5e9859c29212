"""Files of compiled code: written, loaded, and refused."""

import pathlib
import tempfile
import unittest

import numpy

import loopwright

ROW_SUM = "examples/row_sum.mlir"
X, Y, SUMS = (numpy.load(f"examples/row_sum.{name}.npy") for name in ("x", "y", "out"))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_library(self):
        path = self.folder / "sums.so"
        loopwright.compile(ROW_SUM, name="row_sum").save(path)
        self.assertIn("row_sum", (self.folder / "sums.h").read_text())
        loaded = loopwright.load(path, threads=1)
        self.assertEqual(list(loaded.functions), ["row_sum"])
        numpy.testing.assert_allclose(loaded(X, Y), SUMS, rtol=1e-6)
        with self.assertRaisesRegex(ValueError, "is a file already"):
            loaded.save(path)

    def test_dynamic_results_of_a_file(self):
        text = "func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = graph.add %x, %x : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n"
        path = self.folder / "twice.so"
        loopwright.compile(text).save(path)
        twice, x = loopwright.load(path), numpy.ones(5, "float32")
        with self.assertRaisesRegex(ValueError, r"result 0 .*float32\[\?\].*: pass an array as out"):
            twice(x)
        self.assertEqual(twice(x, out=numpy.zeros(5, "float32")).tolist(), [2] * 5)

    def test_archive_and_object(self):
        compiled = loopwright.compile(ROW_SUM, name="row_sum")
        for name in ("sums.a", "sums.o"):
            compiled.save(self.folder / name)
            self.assertGreater((self.folder / name).stat().st_size, 0)

    def test_bundle(self):
        path = self.folder / "sums.lwb"
        loopwright.compile(ROW_SUM, "sm_80", device="emulator").save(path)
        loaded = loopwright.load(path, device="emulator")
        numpy.testing.assert_allclose(loaded(X, Y), SUMS, rtol=1e-6)
        self.refused("target", loopwright.load, path, device="cpu")

    def test_refusals(self):
        compiled = loopwright.compile(ROW_SUM)
        self.assertIn("give a name", str(self.refused("option", compiled.save, "sums.so")))
        named = loopwright.compile(ROW_SUM, name="row_sum")
        self.refused("option", named.save, self.folder / "sums.txt")
        self.refused("write", named.save, self.folder / "missing" / "sums.o")
        self.refused("option", loopwright.load, ROW_SUM)
        self.refused("unreadable", loopwright.load, self.folder / "missing.so")
        broken = self.folder / "broken.so"
        broken.write_bytes(b"no library")
        self.assertEqual(self.refused("load", loopwright.load, broken).file, str(broken))

    def refused(self, code, call, *arguments, **options):
        with self.assertRaises(loopwright.CompileError) as caught:
            call(*arguments, **options)
        self.assertEqual(caught.exception.code, code)
        return caught.exception


if __name__ == "__main__":
    unittest.main()
