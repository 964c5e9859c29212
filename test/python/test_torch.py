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

    def test_exported_program_that_merges_dynamic_dimensions(self):
        class Merged(torch.nn.Module):
            def forward(self, x, w):
                return x.transpose(0, 1).reshape(-1, 16) @ w, x.flatten(1)

        n, m = (torch.export.Dim(name, min=2, max=100) for name in "nm")
        inputs = torch.randn(3, 5, 16), torch.randn(16, 4)
        merged = loopwright.compile(torch.export.export(Merged(), inputs, dynamic_shapes=({0: n, 1: m}, None)))
        for x in (inputs[0], torch.randn(4, 2, 16)):
            for found, expected in zip(merged(x, inputs[1]), Merged()(x, inputs[1])):
                numpy.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)

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
    def compiled(self, model, dynamic=None, **options):
        from loopwright.torch_backend import compile_graph

        torch._dynamo.reset()
        return torch.compile(model, backend=compile_graph, dynamic=dynamic, options=options)

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

    def check(self, function, *calls):
        """Compares calls with those of PyTorch; nothing falls back to it."""
        compiled = self.compiled(function, dynamic=True)
        with torch.no_grad(), self.assertNoLogs("loopwright", "WARNING"):
            for arguments in calls:
                found, expected = compiled(*arguments), function(*arguments)
                torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)

    def test_dynamic_sizes(self):
        def attention(q, k, v):
            return torch.softmax(q @ k.transpose(-1, -2), -1) @ v

        self.check(attention, *([torch.randn(2, n, 8) for _ in range(3)] for n in (5, 9)))

    def test_computed_sizes(self):
        """Sizes in the ops of shapes, and a size that is a result."""

        def flat(x):
            return x.reshape(x.shape[0] * x.shape[1], -1) * x.shape[0], x.shape[1] + 1, x

        self.check(flat, (torch.randn(5, 4, 3),), (torch.randn(6, 2, 7),))
        self.check(lambda x: torch.cat([x, x[:, 1:]], 1), (torch.randn(5, 4),), (torch.randn(2, 7),))

    def test_merged_dimensions(self):
        """Views that merge and divide dynamic dimensions; without help, torch-mlir assumes that n is 1."""

        def heads(x, w):
            n, m = x.shape[:2]
            y = torch.nn.functional.linear(x.transpose(0, 1), w).reshape(m, n, 2, 8)
            return y.permute(1, 2, 0, 3).reshape(2 * n, m, 8), x.flatten(), x[:, None].view(n, m, -1, 1)

        self.check(heads, *((torch.randn(n, m, 16), torch.randn(16, 16)) for n, m in ((2, 5), (4, 3))))

    def test_merged_dimensions_that_are_not_proved(self):
        def halves(x):
            return x.reshape(2, -1)

        compiled = self.compiled(halves, dynamic=True)
        with self.assertLogs("loopwright", "WARNING") as logs:
            for n in (4, 6):
                x = torch.randn(n, 3)
                torch.testing.assert_close(compiled(x), halves(x))
        self.assertIn("it is not proved which dimensions a view from", logs.output[0])

    def test_truth_values(self):
        def positive(x, mask):
            return x.where(mask, torch.zeros(())), x > 0, ~mask

        self.check(positive, *((torch.randn(n, 4), torch.randn(n, 4) > 0) for n in (3, 5)))

    def test_integer_input(self):
        """An integer that is no size of an array is an argument of the compiled function."""
        self.check(lambda x, n: x * n, (torch.randn(5, 4), 3), (torch.randn(6, 2), 5))

    def test_sizes_that_change(self):
        """Without `dynamic`, PyTorch compiles again for dynamic sizes when a size changes."""
        model = block()
        compiled = self.compiled(model)
        with torch.no_grad(), self.assertNoLogs("loopwright", "WARNING"):
            for n in (2, 3, 5):
                x = torch.randn(n, 3, 7, 7)
                torch.testing.assert_close(compiled(x), model(x), rtol=1e-5, atol=1e-6)

    def test_gradient_with_dynamic_sizes(self):
        model = torch.nn.Linear(4, 2)
        compiled = self.compiled(model, dynamic=True)
        with self.assertNoLogs("loopwright", "WARNING"):
            for n in (3, 6):
                x = torch.randn(n, 4)
                found = torch.autograd.grad(compiled(x).square().sum(), model.parameters())
                expected = torch.autograd.grad(model(x).square().sum(), model.parameters())
                torch.testing.assert_close(found, expected)

    def test_size_that_is_not_of_an_input(self):
        def zeros(x, n):
            return torch.zeros(n) + x

        compiled = self.compiled(zeros, dynamic=True)
        with self.assertLogs("loopwright", "WARNING") as logs:
            found = compiled(torch.randn(1), 4)
        self.assertIn("torch runs a graph of", logs.output[0])
        self.assertEqual(found.shape, (4,))

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
