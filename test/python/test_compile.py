"""Models as paths, text and bytes; the options of a compilation; its errors."""

import logging
import pathlib
import unittest

import numpy

import loopwright

ROW_SUM = pathlib.Path("examples/row_sum.mlir")
RELU = pathlib.Path("test/linked/Inputs/relu.onnxtxt")
ADD = """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = graph.add %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
ONE = numpy.ones(4, "float32")


def field(number, value):
    """A field of a message of protobuf: a number, a text or bytes, or a message."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    value = value.encode() if isinstance(value, str) else value
    return bytes([number << 3 | 2, len(value)]) + value


def onnx_relu():
    """A model in ONNX's binary form: y = Relu(x) for a tensor of N floats."""
    node = field(1, "x") + field(2, "y") + field(4, "Relu")
    shape = field(1, field(2, "N"))
    ty = field(2, field(1, field(1, 1) + field(2, shape)))
    graph = field(1, node) + field(2, "g")
    graph += field(11, field(1, "x") + ty) + field(12, field(1, "y") + ty)
    return field(1, 10) + field(7, graph) + field(8, field(2, 21))


class Models(unittest.TestCase):
    def test_path(self):
        for path in (ROW_SUM, str(ROW_SUM)):
            main = loopwright.compile(path)
            sums = main(*(numpy.load(f"examples/row_sum.{name}.npy") for name in "xy"))
            numpy.testing.assert_allclose(sums, numpy.load("examples/row_sum.out.npy"), rtol=1e-6)

    def test_text_and_bytes(self):
        for model in (ADD, ADD.encode(), bytearray(ADD.encode())):
            self.assertEqual(loopwright.compile(model)(ONE, ONE).tolist(), [2.0] * 4)

    def test_onnx(self):
        relu = loopwright.compile(RELU, dims={"N": 2})
        x = numpy.array([[-1, 2], [3, -4]], "float32")
        self.assertEqual(relu(x).tolist(), [[0, 2], [3, 0]])

    def test_onnx_in_memory(self):
        class Proto:
            def SerializeToString(self):
                return onnx_relu()

        for model in (onnx_relu(), Proto()):
            relu = loopwright.compile(model, dims={"N": 4})
            self.assertEqual(relu(-ONE).tolist(), [0.0] * 4)

    def test_threads(self):
        for threads in (0, -1):
            with self.assertRaisesRegex(ValueError, f"found {threads} threads, expected 1 or more"):
                loopwright.compile(ADD, threads=threads)

    def test_neither_path_nor_text(self):
        with self.assertRaisesRegex(TypeError, "found int, expected a path, text, bytes"):
            loopwright.compile(3)


class Options(unittest.TestCase):
    def test_schedule(self):
        script = pathlib.Path("examples/row_sum.schedule.mlir")
        for schedule in (script, script.read_text()):
            main = loopwright.compile(ROW_SUM, schedule=schedule, threads=1, fp="fast")
            self.assertEqual(repr(main.functions["main"].results), "[float32[2]]")

    def test_name(self):
        add = loopwright.compile(ADD, name="add")
        self.assertEqual(list(add.functions), ["add"])

    def test_emulator(self):
        main = loopwright.compile(ADD, "sm_80", device="emulator")
        self.assertEqual(main(ONE, ONE).tolist(), [2.0] * 4)

    def test_no_threads(self):
        with self.assertRaisesRegex(ValueError, "found 0 threads, expected 1 or more"):
            loopwright.compile(ADD, threads=0)


class Errors(unittest.TestCase):
    def refused(self, code, *arguments, **options):
        with self.assertRaises(loopwright.CompileError) as caught:
            loopwright.compile(*arguments, **options)
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def test_location(self):
        error = self.refused("model", "func.func @main() {\n  graph.nothing\n}\n")
        self.assertEqual((error.file, error.line, error.column), ("module", 2, 3))
        self.assertIn("graph.nothing", error.message)
        self.assertTrue(str(error).startswith("module:2:3: "), str(error))

    def test_schedule(self):
        script = pathlib.Path("examples/row_sum.schedule.mlir").read_text()
        script = script.replace('"reduce_add:i"', '"reduce_add:j"')
        error = self.refused("compile", ROW_SUM, schedule=script)
        self.assertEqual(error.file, str(ROW_SUM))
        self.assertIn("(C3)", error.message)
        self.assertEqual(self.refused("schedule", ROW_SUM, schedule="{").code, "schedule")

    def test_options(self):
        self.assertIn("found target 'z80'", str(self.refused("target", ADD, "z80")))
        self.assertIn("expected strict", str(self.refused("option", ADD, fp="slow")))
        self.assertIn("is for ONNX models", str(self.refused("option", ROW_SUM, dims={"N": 2})))
        self.assertEqual(self.refused("unreadable", "missing.mlir").file, "missing.mlir")
        self.refused("model", b"\x00\x01")
        self.refused("target", ADD, "sm_80", device="cpu")


class Log(unittest.TestCase):
    def test_events(self):
        with self.assertLogs("loopwright", logging.DEBUG) as caught:
            loopwright.compile(ADD)
        self.assertTrue(any("convert-linalg-to-loop" in line for line in caught.output))


if __name__ == "__main__":
    unittest.main()
