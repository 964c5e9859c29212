#!/usr/bin/env python3
"""Times the workloads of benches/workloads and the models of models.py on an NVIDIA GPU, beside PyTorch on the same inputs.

    benches/gpu.py LW_RUN [--only W1,W8c] [--target sm_90a] [--rounds 3] [--seconds 0.2] [--compile]

Needs PyTorch with CUDA, and its Triton; for the models torchvision and onnx, too: ours reads them as ONNX files. The
inputs are normal numbers from a fixed seed. Each result is compared with PyTorch's in f64 on the same GPU. In each round ours and PyTorch's run in turn, each on the device's own clock: ours as
`lw-run --time` measures it, PyTorch's as replays of a CUDA graph. PyTorch multiplies without TF32, as ours. Printed are
medians over the rounds, and the rate: the operations of the definition, or the fewest possible bytes (all inputs once
and the result once), a second. The two limits at the end are `x * 2`, and PyTorch's product of 8192 x 8192 matrices.
"""
import argparse, copy, json, pathlib, re, shutil, statistics, subprocess, sys, tempfile, warnings

import models
import numpy as np
import torch
from torch.nn import functional as F

FOLDER = pathlib.Path(__file__).parent / "workloads"


def attention(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


def product(a, b):
    return a @ b


COMPUTE = {
    "W1s": lambda x, y: (x - y) * x,
    "W1": lambda x, y: (x - y) * x,
    "W2": lambda x, y: x + y,
    "W3": lambda x, b: F.gelu(x + b),
    "W4": lambda x: torch.softmax(x, -1),
    "W5": lambda x, g, b: F.layer_norm(x, x.shape[-1:], g, b),
    "W6r": lambda x: x.sum(-1),
    "W6f": lambda x: x.sum(),
    "W7": lambda x: x.T.contiguous(),
    "W8a": product,
    "W8b": product,
    "W8c": product,
    "W8t": product,
    "W8v": product,
    "W9": lambda a, b, c: F.relu(a @ b + c),
    "W10": lambda x, k: F.conv2d(x, k, padding=1),
    "W11": attention,
    "W13": product,
}
# Larger instances, which fill a GPU: a workload, and what is replaced in its text.
LARGER = {
    "W4 x8": ("W4", [("4096x4096", "32768x4096"), ("<4096xf32>", "<32768xf32>")]),
    "W8 4096": ("W8c", [("2048", "4096")]),
    "W10 x32": ("W10", [("tensor<1x", "tensor<32x")]),
    "W11 x8": ("W11", [("tensor<12x", "tensor<96x"), ("tensor<1x12x", "tensor<8x12x"), ("[1, 12,", "[8, 12,")]),
}


def flops(name, shapes, result):
    """The operations of a product, a convolution or attention; None for what memory limits."""
    base = name.split()[0]
    if base.startswith("W8") or base in ("W9", "W13"):
        return 2 * shapes[0][-1] * np.prod(result) if base != "W8v" else None
    if base == "W10":
        return 2 * np.prod(shapes[1][1:]) * np.prod(result)
    if base == "W11":
        return 4 * shapes[1][-2] * np.prod(result)
    return None


def text_of(name):
    base, changes = LARGER.get(name, (name, []))
    text = (FOLDER / f"{base}.mlir").read_text()
    for old, new in changes:
        text = text.replace(old, new)
    return base, text


def shapes_of(text):
    head = re.search(r"func\.func @main\((.*?)\) ->", text, re.S).group(1)
    return [[int(n) for n in shape.split("x")[:-1]] for shape in re.findall(r"tensor<([^>]*)>", head)]


def workload(name, folder):
    """The file for ours, the function for PyTorch, its inputs, and how to state the rate of a time in ms."""
    base, text = text_of(name)
    path = folder / "model.mlir"
    path.write_text(text)
    shapes = shapes_of(text)

    def rate(ms, result):
        count = flops(name, shapes, result)
        if count:
            return f"{count / ms / 1e9:.1f} TFLOP/s"
        return f"{4 * (sum(np.prod(it) for it in shapes) + np.prod(result)) / ms / 1e9:.2f} TB/s"

    torch.manual_seed(1)
    return path, COMPUTE[base], [torch.randn(shape, device="cuda") for shape in shapes], rate


def model(name, folder):
    module, inputs = models.made(name)
    path = folder / "model.onnx"
    torch.onnx.export(module, tuple(inputs), str(path), dynamo=False, opset_version=17)
    return path, module.cuda(), [it.cuda() for it in inputs], lambda ms, result: ""


class Contender:
    def __init__(self, name, folder, options):
        self.path, self.compute, self.inputs, self.rate = (model if name in models.MODELS else workload)(name, folder)
        exact = copy.deepcopy(self.compute).double() if isinstance(self.compute, torch.nn.Module) else self.compute
        with torch.no_grad():
            expected = exact(*(it.double() for it in self.inputs))
        self.result, largest = list(expected.shape), expected.abs().max().item()
        self.line = [options.lw_run, self.path, "--target", options.target, "--device", "cuda", "--fp", "fast"]
        self.line += ["--time", options.seconds, "--json"]
        for i, it in enumerate(self.inputs):
            np.save(folder / f"{i}.npy", it.cpu().numpy())
            self.line += ["--input", folder / f"{i}.npy"]
        np.save(folder / "expected.npy", expected.float().cpu().numpy())
        self.line += ["--check", folder / "expected.npy", "--rtol", "0", "--atol", 1e-4 * max(1, largest)]
        self.compiled = torch.compile(self.compute) if options.compile else None

    def ours(self):
        """The median milliseconds of a call, after a check of the result."""
        done = subprocess.run([str(it) for it in self.line], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError((done.stderr or done.stdout).strip()[:300])
        return json.loads(done.stdout)["measurement"]["median_ms"]


def replayed(compute, inputs):
    from triton.testing import do_bench_cudagraph

    with torch.no_grad():
        return do_bench_cudagraph(lambda: compute(*inputs), rep=50, return_mode="median")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lw_run")
    parser.add_argument("--only", help="workloads, such as W1,W8c")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--compile", action="store_true", help="measure torch.compile, too")
    options = parser.parse_args()
    if shutil.which(options.lw_run) is None:
        parser.error(f"{options.lw_run} is no program, expected the path of lw-run")
    if not torch.cuda.is_available():
        parser.error("PyTorch finds no GPU")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    print(torch.cuda.get_device_name(), "PyTorch", torch.__version__)
    warnings.filterwarnings("ignore")
    known = [*COMPUTE, *LARGER, *models.MODELS]
    names = options.only.split(",") if options.only else known
    unknown = [name for name in names if name not in known]
    if unknown:
        parser.error(f"found {unknown[0]}, expected some of {', '.join(known)}")
    failures = 0
    print(f"{'workload':12} {'ours ms':>9} {'eager':>9} {'compiled':>9}  {'best/ours':>9}  rate of ours")
    for name in names:
        with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
            times = {"ours": [], "eager": [], "compiled": []}
            try:
                it = Contender(name, pathlib.Path(scratch), options)
                for _ in range(options.rounds):
                    times["ours"].append(it.ours())
                    times["eager"].append(replayed(it.compute, it.inputs))
                    if it.compiled is not None:
                        times["compiled"].append(replayed(it.compiled, it.inputs))
            except RuntimeError as error:
                failures += 1
                print(f"{name:12} {error}", flush=True)
                continue
        ms = {who: statistics.median(of) for who, of in times.items() if of}
        cells = " ".join(f"{ms[who]:9.4f}" if who in ms else f"{'-':>9}" for who in times)
        best = min(of for who, of in ms.items() if who != "ours")
        print(f"{name:12} {cells}  {best / ms['ours']:9.2f}  {it.rate(ms['ours'], it.result)}", flush=True)
        del it
    x = torch.randn(2**28, device="cuda")
    y = torch.empty_like(x)
    ms = replayed(lambda it: torch.mul(it, 2, out=y), [x])
    print(f"limit: x * 2 of 1 GiB, {8 * 2**28 / ms / 1e9:.2f} TB/s")
    a, b = (torch.randn(8192, 8192, device="cuda") for _ in range(2))
    print(f"limit: a product of 8192 x 8192, {2 * 8192**3 / replayed(torch.mm, [a, b]) / 1e9:.1f} TFLOP/s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
