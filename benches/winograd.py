#!/usr/bin/env python3
"""Times 3 x 3 convolutions with and without the pass winograd-conv2d.

    benches/winograd.py LW_RUN [--layout first|last] [--threads 1] [--seconds 0.15] [--shapes 64x56,128x28]

A shape is the number of channels, in and out, and the height and width of the result. For each one a module with random weights is
run twice, with `--fp fast`: as it is, and with `--without winograd-conv2d`. Printed are the median milliseconds of a call. The pass
leaves a convolution alone if it does not expect a gain; then both times are of the same code. Needs numpy.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np

SHAPES = "32x14,32x28,32x56,32x112,64x14,64x28,64x56,64x112,128x14,128x28,128x56,256x7,256x14,256x28,512x7"


def module(channels, size, layout):
    """A convolution whose weights are a constant."""
    weights = np.random.default_rng(0).standard_normal(channels * channels * 9, np.float32).tobytes().hex()
    c, padded = channels, size + 2
    if layout == "first":
        name, x, w, y = "nchw_fchw", f"1x{c}x{padded}x{padded}", f"{c}x{c}x3x3", f"1x{c}x{size}x{size}"
    else:
        name, x, w, y = "nhwc_hwcf", f"1x{padded}x{padded}x{c}", f"3x3x{c}x{c}", f"1x{size}x{size}x{c}"
    x, w, y = (f"tensor<{shape}xf32>" for shape in (x, w, y))
    return f"""func.func @main(%x: {x}) -> {y} {{
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense_resource<w> : {w}
  %e = tensor.empty() : {y}
  %z = linalg.fill ins(%zero : f32) outs(%e : {y}) -> {y}
  %y = linalg.conv_2d_{name} ins(%x, %w : {x}, {w}) outs(%z : {y}) -> {y}
  return %y : {y}
}}
{{-# dialect_resources: {{ builtin: {{ w: "0x04000000{weights}" }} }} #-}}
"""


def median(options, path, more):
    command = [options.lw_run, path, "--target", "x86", "--fp", "fast", "--input", "random", "--json", *more]
    command += ["--threads", options.threads, "--time", options.seconds]
    done = subprocess.run([str(it) for it in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{path}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)["measurement"]["median_ms"]


def shape(text):
    channels, size = (int(number) for number in text.split("x"))
    if channels < 1 or size < 1:
        raise ValueError
    return channels, size


def shapes(text):
    try:
        return [shape(it) for it in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"found {text!r}, expected a list such as 64x56,128x28") from None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lw_run", type=pathlib.Path)
    parser.add_argument("--layout", choices=["first", "last"], default="first", help="where the channels are")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.15)
    parser.add_argument("--shapes", type=shapes, default=shapes(SHAPES))
    options = parser.parse_args()
    if not options.lw_run.is_file():
        parser.error(f"found no file {options.lw_run}, expected lw-run")
    print("| channels, image | direct, ms | with the pass, ms | ratio |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "convolution.mlir"
        for channels, size in options.shapes:
            path.write_text(module(channels, size, options.layout))
            direct = median(options, path, ["--without", "winograd-conv2d"])
            now = median(options, path, [])
            print(f"| {channels}, {size} | {direct:.3f} | {now:.3f} | {direct / now:.2f} |", flush=True)


if __name__ == "__main__":
    main()
