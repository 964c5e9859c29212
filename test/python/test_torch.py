"""Models of PyTorch, and the backend of torch.compile. Without torch and torch-mlir, only what is refused before they are needed."""

import importlib.util
import unittest

import numpy

import loopwright

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "torch_mlir"))
if HAS_TORCH:
    import torch


class WithoutTorch(unittest.TestCase):
    def test_args_are_for_modules_of_torch(self):
        with self.assertRaisesRegex(TypeError, "args: found a str, expected a torch.nn.Module"):
            loopwright.compile("examples/row_sum.mlir", args=())


def block():
    """A block with a convolution, a norm, a softmax and weights."""
    torch.manual_seed(0)
    layers = (
        torch.nn.Conv2d(3, 8, 3, padding=1),
        torch.nn.BatchNorm2d(8),
        torch.nn.ReLU(),
        torch.nn.AdaptiveAvgPool2d(1),
        torch.nn.Flatten(),
        torch.nn.Linear(8, 5),
        torch.nn.Softmax(-1),
    )
    return torch.nn.Sequential(*layers).eval()


@unittest.skipUnless(HAS_TORCH, "needs torch and torch-mlir")
class Models(unittest.TestCase):
    def test_module(self):
        model, x = block(), torch.randn(2, 3, 7, 7)
        found = loopwright.compile(model, args=(x,), fp="fast")(x)
        numpy.testing.assert_allclose(found, model(x).detach().numpy(), rtol=1e-5, atol=1e-6)

    def test_exported_program_with_a_dynamic_size(self):
        model, x = torch.nn.Linear(4, 3), torch.randn(5, 4)
        rows = torch.export.Dim("rows", min=2, max=100)
        program = torch.export.export(model, (x,), dynamic_shapes=({0: rows},))
        linear = loopwright.compile(program)
        for n in (2, 5, 17):
            x = torch.randn(n, 4)
            numpy.testing.assert_allclose(linear(x), model(x).detach().numpy(), rtol=1e-5, atol=1e-6)

    def test_schedule(self):
        schedule = loopwright.Schedule(torch.nn.ReLU(), args=(torch.randn(8, 64),))
        self.assertIn("in 64", schedule.show())

    def test_refused(self):
        x = torch.randn(2)
        with self.assertRaisesRegex(TypeError, "a torch.nn.Module needs example arguments"):
            loopwright.compile(torch.nn.ReLU())
        program = torch.export.export(torch.nn.ReLU(), (x,))
        with self.assertRaisesRegex(TypeError, "found an ExportedProgram, which has its own"):
            loopwright.compile(program, args=(x,))


@unittest.skipUnless(HAS_TORCH, "needs torch and torch-mlir")
class Backend(unittest.TestCase):
    def compiled(self, model, **options):
        from loopwright.torch_backend import compile_graph

        torch._dynamo.reset()
        return torch.compile(model, backend=compile_graph, options=options)

    def test_inference(self):
        model, x = block(), torch.randn(2, 3, 7, 7)
        with torch.no_grad(), self.assertNoLogs("loopwright", "WARNING"):
            found = self.compiled(model, fp="fast")(x)
        torch.testing.assert_close(found, model(x).detach(), rtol=1e-5, atol=1e-6)

    def test_gradient(self):
        model, x = torch.nn.Linear(4, 2), torch.randn(3, 4)
        self.compiled(model)(x).sum().backward()
        found, model.weight.grad = model.weight.grad, None
        model(x).sum().backward()
        torch.testing.assert_close(found, model.weight.grad)

    def test_complex(self):
        """A rotary embedding, as language models compute it."""

        def rotated(x, by):
            product = torch.view_as_complex(x) * by
            return product, torch.view_as_real(product)

        x, by = torch.randn(3, 9, 2), torch.randn(9, dtype=torch.complex64).conj()
        with self.assertNoLogs("loopwright", "WARNING"):
            found = self.compiled(rotated)(x, by)
        for one, other in zip(found, rotated(x, by), strict=True):
            torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6)

    def test_fallback(self):
        def singular_values(x):
            return torch.linalg.svdvals(x)

        x = torch.randn(4, 5)
        with self.assertLogs("loopwright", "WARNING") as logs:
            found = self.compiled(singular_values)(x)
        self.assertIn("torch runs a graph of", logs.output[0])
        torch.testing.assert_close(found, singular_values(x))


if __name__ == "__main__":
    unittest.main()
