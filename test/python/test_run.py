"""Runs on arrays of NumPy and on objects with __dlpack__: results, in place or copied, and what is refused."""

import threading
import unittest

import numpy

import loopwright


def unary(ty, op="graph.add %x, %x"):
    text = f"func.func @main(%x: {ty}) -> {ty} {{\n  %0 = {op} : {ty}\n  return %0 : {ty}\n}}\n"
    return loopwright.compile(text)


DOUBLED = unary("tensor<2x3xf32>")
X = numpy.arange(6, dtype="float32").reshape(2, 3)


class Lender:
    """Lends its array by DLPack only, as libraries other than NumPy do."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Results(unittest.TestCase):
    def test_one(self):
        numpy.testing.assert_array_equal(DOUBLED(X), X + X)

    def test_two(self):
        ty = "tensor<2xf32>"
        main = loopwright.compile(
            f"func.func @main(%x: {ty}, %y: {ty}) -> ({ty}, {ty}) {{\n"
            f"  %0 = graph.add %x, %y : {ty}\n  %1 = graph.sub %x, %y : {ty}\n  return %0, %1 : {ty}, {ty}\n}}\n"
        )
        x, y = numpy.array([[5, 7], [1, 2]], "float32")
        added, subtracted = main(x, y)
        self.assertEqual((added.tolist(), subtracted.tolist()), ([6, 9], [4, 5]))
        out = (numpy.zeros(2, "float32"), loopwright.empty(2))
        self.assertIs(main(x, y, out=out), out)
        self.assertEqual([it.tolist() for it in out], [[6, 9], [4, 5]])

    def test_dynamic_sizes(self):
        joined = loopwright.compile(
            "func.func @main(%x: tensor<?x3xf32>, %y: tensor<?x3xf32>, %n: index)"
            " -> (tensor<?x3xf32>, tensor<?xf32>) {\n"
            "  %0 = tensor.concat dim(0) %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>\n"
            "  %one = arith.constant 1.0 : f32\n"
            "  %1 = tensor.empty(%n) : tensor<?xf32>\n"
            "  %2 = linalg.fill ins(%one : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>\n"
            "  return %0, %2 : tensor<?x3xf32>, tensor<?xf32>\n}\n"
        )
        for rows, more, number in ((2, 1, 4), (0, 5, 0), (7, 7, 1)):
            x, y = numpy.full((rows, 3), 2, "float32"), numpy.full((more, 3), 3, "float32")
            result, ones = joined(x, y, number)
            numpy.testing.assert_array_equal(result, numpy.concatenate([x, y]))
            self.assertEqual(ones.tolist(), [1] * number)
        with self.assertRaisesRegex(ValueError, "main: argument 1 has size 2 in dimension 1, expected 3"):
            joined(X, numpy.zeros((2, 2), "float32"), 1)
        with self.assertRaisesRegex(ValueError, r"main: result 1 has sizes that are not known"):
            joined(X, X, -1)

    def test_result_outlives_the_function(self):
        result = unary("tensor<2xf32>")(numpy.ones(2, "float32"))
        result += 1
        self.assertEqual(result.tolist(), [3, 3])

    def test_element_types(self):
        for dtype, ty in (("float64", "f64"), ("float16", "f16"), ("int32", "i32"), ("int64", "i64")):
            result = unary(f"tensor<3x{ty}>")(numpy.array([1, 2, 3], dtype))
            self.assertEqual((result.dtype.name, result.tolist()), (dtype, [2, 4, 6]))

    def test_scalar(self):
        self.assertEqual(unary("tensor<f32>")(numpy.float32(4)).item(), 8)

    def test_out(self):
        wide = numpy.zeros((2, 6), "float32")
        for out in (loopwright.empty((2, 3)), numpy.zeros((2, 3), "float32"), wide[:, ::2]):
            self.assertIs(DOUBLED(X, out=out), out)
            numpy.testing.assert_array_equal(out, X + X)
        self.assertEqual(wide[:, 1::2].sum(), 0)

    def test_sizes_of_the_run(self):
        main = unary("tensor<?xf32>")
        x = numpy.ones(5, "float32")
        self.assertEqual(main(x).tolist(), [2] * 5)
        self.assertEqual(main(x, out=numpy.zeros(5, "float32")).tolist(), [2] * 5)

    def test_empty(self):
        array = loopwright.empty((3, 5), "int16")
        self.assertEqual((array.shape, array.dtype.name, array.sum()), ((3, 5), "int16", 0))
        self.assertEqual(array.ctypes.data % 64, 0)
        with self.assertRaisesRegex(TypeError, "dtype is complex64, expected one of bool, int8"):
            loopwright.empty(3, "complex64")


class Inputs(unittest.TestCase):
    def test_layouts(self):
        aligned = loopwright.empty((2, 3))
        aligned[:] = X
        read_only = X.copy()
        read_only.flags.writeable = False
        strided = numpy.zeros((3, 4), "float32").T[::2]
        strided[:] = X
        for x in (aligned, read_only, strided, numpy.asfortranarray(X), Lender(X.copy())):
            numpy.testing.assert_array_equal(DOUBLED(x), X + X)

    def test_dlpack_in_both_ways(self):
        out = numpy.zeros((2, 3), "float32")
        DOUBLED(Lender(X), out=Lender(out))
        numpy.testing.assert_array_equal(out, X + X)

    def test_capsules_are_given_back(self):
        class Counted(Lender):
            given = 0

            def __dlpack__(self):
                Counted.given += 1
                return super().__dlpack__()

        import sys

        array = X.copy()
        before = sys.getrefcount(array)
        lender = Counted(array)
        DOUBLED(lender)
        with self.assertRaises(ValueError):
            unary("tensor<7xf32>")(lender)
        del lender
        self.assertEqual((Counted.given, sys.getrefcount(array)), (2, before))

    def test_aligned_arrays_are_used_in_place(self):
        # The result is also an input: refused in place, where memory would be shared, and done with a copy.
        aligned = loopwright.empty((2, 3))
        with self.assertRaisesRegex(ValueError, "overlap"):
            DOUBLED(aligned, out=aligned)

    def test_index(self):
        text = (
            "func.func @main(%i: index) -> tensor<1xi64> {\n  %0 = arith.index_cast %i : index to i64\n"
            "  %1 = tensor.from_elements %0 : tensor<1xi64>\n  return %1 : tensor<1xi64>\n}\n"
        )
        main = loopwright.compile(text)
        self.assertEqual(main(7).tolist(), [7])
        with self.assertRaisesRegex(TypeError, r"argument 0.*: found str, expected an integer"):
            main("7")


class Refusals(unittest.TestCase):
    def refused(self, exception, message, *arguments, **options):
        with self.assertRaises(exception) as caught:
            DOUBLED(*arguments, **options)
        self.assertEqual(str(caught.exception), message)

    def test_count(self):
        self.refused(TypeError, "main: found 0 arrays, expected 1 (float32[2, 3])")
        self.refused(TypeError, "main: found 2 arrays as out, expected 1", X, out=(X, X))

    def test_element_type(self):
        message = "main: argument 0 has elements of type f64, expected f32"
        self.refused(TypeError, message, X.astype("float64"))
        self.refused(TypeError, message, Lender(X.astype("float64")))
        with self.assertRaisesRegex(TypeError, "argument 0: the dtype is complex64, expected one of"):
            DOUBLED(X.astype("complex64"))
        with self.assertRaisesRegex(TypeError, "another byte order"):
            DOUBLED(X.astype(">f4"))

    def test_shape(self):
        self.refused(ValueError, "main: argument 0 has rank 1, expected 2", X[0])
        message = "main: argument 0 has size 2 in dimension 1, expected 3"
        self.refused(ValueError, message, X[:, :2])
        message = "main: result 0 has size 3 in dimension 0, expected 2"
        self.refused(ValueError, message, X, out=numpy.zeros((3, 3), "float32"))

    def test_object(self):
        expected = "expected an array of NumPy or an object with __dlpack__"
        self.refused(TypeError, f"main: argument 0: found list, {expected}", X.tolist())
        self.refused(TypeError, f"main: argument 0: found NoneType, {expected}", None)

    def test_read_only_result(self):
        out = numpy.zeros((2, 3), "float32")
        out.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            DOUBLED(X, out=out)

    def test_shared_result(self):
        out = numpy.lib.stride_tricks.as_strided(numpy.zeros(3, "float32"), (2, 3), (0, 4))
        with self.assertRaisesRegex(ValueError, "memory of its own"):
            DOUBLED(X, out=out)


class Threads(unittest.TestCase):
    def test_other_threads_run_meanwhile(self):
        n = 512
        ty = f"tensor<{n}x{n}xf64>"
        text = (
            f"func.func @main(%x: {ty}, %init: {ty}) -> {ty} {{\n"
            f"  %0 = linalg.matmul ins(%x, %x : {ty}, {ty}) outs(%init : {ty}) -> {ty}\n  return %0 : {ty}\n}}\n"
        )
        main = loopwright.compile(text, threads=1)
        x = loopwright.empty((n, n), "float64")
        steps, stop = [], threading.Event()

        def count():
            while not stop.is_set():
                steps.append(0)
                stop.wait(0.001)

        counter = threading.Thread(target=count)
        counter.start()
        main(x, x)
        before = len(steps)
        for _ in range(20):
            main(x, x)
        after = len(steps)
        stop.set()
        counter.join()
        self.assertGreater(after, before)

    def test_runs_at_once(self):
        outs = [numpy.zeros((2, 3), "float32") for _ in range(8)]

        def run(out):
            for _ in range(100):
                DOUBLED(X, out=out)

        threads = [threading.Thread(target=run, args=(out,)) for out in outs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for out in outs:
            numpy.testing.assert_array_equal(out, X + X)


class Texts(unittest.TestCase):
    def test_types(self):
        main = loopwright.compile("examples/row_sum.mlir")
        text = "main(float32[2, 3], float32[2, 3]) -> float32[2]"
        self.assertEqual(repr(main), f"<loopwright.Compiled for x86: {text}>")
        self.assertEqual(repr(main["main"]), f"<loopwright.Function {text}>")
        argument = main["main"].inputs[0]
        self.assertEqual((argument.name, argument.dtype, argument.shape), (None, "float32", [2, 3]))
        with self.assertRaisesRegex(KeyError, "found no function 'f', expected one of main"):
            main["f"]


if __name__ == "__main__":
    unittest.main()
