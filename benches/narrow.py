#!/usr/bin/env python3
"""Products of bf16 and of bytes by the default schedules, beside those of PyTorch, which calls oneDNN.

    benches/narrow.py LW_RUN --sizes 512,2048 --threads 1,2

LW_RUN is the program, built for release. Both take turns; times are medians of rounds, in ms. `ratio` is the time of PyTorch
by ours: above 1 we are faster. PyTorch multiplies bytes with signs only (`torch._int_mm`), so it is also the other for u8.
Results are not compared: test/strategy/x86 does that.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

TYPES = {
    "bf16 x bf16": ("bf16", "f32", "0.0", ("extf", "extf"), ("mulf", "addf")),
    "u8 x i8": ("i8", "i32", "0", ("extui", "extsi"), ("muli", "addi")),
    "i8 x i8": ("i8", "i32", "0", ("extsi", "extsi"), ("muli", "addi")),
}

MODULE = """func.func @main(%a: tensor<{n}x{n}x{factor}>, %b: tensor<{n}x{n}x{factor}>) -> tensor<{n}x{n}x{sum}>
    attributes {{loop.fp = "fast"}} {{
  %zero = arith.constant {zero} : {sum}
  %empty = tensor.empty() : tensor<{n}x{n}x{sum}>
  %fill = linalg.fill ins(%zero : {sum}) outs(%empty : tensor<{n}x{n}x{sum}>) -> tensor<{n}x{n}x{sum}>
  %product = linalg.generic {{indexing_maps = [
      affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : tensor<{n}x{n}x{factor}>, tensor<{n}x{n}x{factor}>) outs(%fill : tensor<{n}x{n}x{sum}>) {{
  ^bb0(%x: {factor}, %y: {factor}, %old: {sum}):
    %left = arith.{extend[0]} %x : {factor} to {sum}
    %right = arith.{extend[1]} %y : {factor} to {sum}
    %one = arith.{compute[0]} %left, %right : {sum}
    %new = arith.{compute[1]} %old, %one : {sum}
    linalg.yield %new : {sum}
  }} -> tensor<{n}x{n}x{sum}>
  return %product : tensor<{n}x{n}x{sum}>
}}
"""


def numbers(text):
    """Positive whole numbers, such as 1,2."""
    found = [int(number) for number in text.split(",")]
    if min(found) < 1:
        raise ValueError
    return found


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lw_run", help="the program lw-run")
    parser.add_argument("--sizes", type=numbers, default=[512, 2048], help="of square matrices (default: 512,2048)")
    parser.add_argument("--threads", type=numbers, default=[1, 2], help="(default: 1,2)")
    parser.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.3, help="time of each in a round (default: %(default)s)")
    arguments = parser.parse_args()
    if arguments.rounds < 1:
        parser.error(f"--rounds: expected at least 1, found {arguments.rounds}")
    return arguments


def ours(arguments, module, threads):
    command = [arguments.lw_run, module, "--target", "x86", "--input", "random:1", "--threads", str(threads)]
    command += ["--time", str(arguments.seconds), "--json"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        sys.exit(f"narrow.py: error: {arguments.lw_run}: {error.strerror}")
    if done.returncode:
        sys.exit(f"narrow.py: error: {' '.join(command)} failed")
    return json.loads(done.stdout)["measurement"]["median_ms"]


def theirs(arguments, call):
    times = []
    end = time.perf_counter() + arguments.seconds
    while time.perf_counter() < end or len(times) < 2:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def main():
    arguments = options()
    try:
        import torch
    except ImportError:
        sys.exit("narrow.py: error: PyTorch is not installed")
    print(f"{'':12} {'size':>5} {'threads':>7} {'ours':>9} {'PyTorch':>9} {'ratio':>5} {'Gop/s':>6}")
    with tempfile.TemporaryDirectory() as scratch:
        for title, (factor, total, zero, extend, compute) in TYPES.items():
            for n in arguments.sizes:
                module = os.path.join(scratch, "product.mlir")
                with open(module, "w") as file:
                    file.write(MODULE.format(n=n, factor=factor, sum=total, zero=zero, extend=extend, compute=compute))
                if factor == "bf16":
                    a, b = (torch.randn(n, n).to(torch.bfloat16) for _ in range(2))
                    call = lambda: a @ b
                else:
                    a, b = (torch.randint(-128, 128, (n, n), dtype=torch.int8) for _ in range(2))
                    call = lambda: torch._int_mm(a, b)
                for threads in arguments.threads:
                    torch.set_num_threads(threads)
                    rounds = [(ours(arguments, module, threads), theirs(arguments, call)) for _ in range(arguments.rounds)]
                    mine, other = (statistics.median(times) for times in zip(*rounds))
                    rate = 2 * n**3 / mine / 1e6
                    print(f"{title:12} {n:5} {threads:7} {mine:9.3f} {other:9.3f} {other / mine:5.2f} {rate:6.0f}", flush=True)


if __name__ == "__main__":
    main()
