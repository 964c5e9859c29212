#!/usr/bin/env python3
"""Products of f32 matrices by the default schedules, beside those of libraries, on one thread.

    benches/gemm.py --cblas libopenblas.so --onednn libdnnl.so
    benches/gemm.py --shapes 64x64x64,1000x1003x997 --cblas libscipy_openblas.so:scipy_cblas_sgemm

Shapes are rows x columns x depth. All take turns in one process; times are of the thread's processor time, medians over
rounds. `of best` is how many times as fast ours is as the fastest library, `of peak` what part of the multiply-adds that the
processor reaches in registers in the same run.
"""
import argparse
import json
import math
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SQUARE = "64x64x64,128x128x128,256x256x256,512x512x512,1024x1024x1024,2048x2048x2048"
ODD = "1000x1003x997,513x511x509,255x1023x767,127x129x131,97x101x103,333x777x555,1023x65x1025,63x2047x255,769x1537x31,201x203x4001"

MODULE = """func.func @main(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %product = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
      outs(%fill : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %product : tensor<{m}x{n}xf32>
}}
"""


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cblas", help="a library with cblas_sgemm, or LIBRARY:SYMBOL")
    parser.add_argument("--onednn", help="a library with dnnl_sgemm")
    parser.add_argument("--shapes", default=f"{SQUARE},{ODD}", help="(default: squares, and ten odd ones)")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.1, help="time of each in a round (default: %(default)s)")
    parser.add_argument("--lw-compile", help="the program (default: built now, for release)")
    arguments = parser.parse_args()
    try:
        arguments.shapes = [[int(size) for size in shape.split("x")] for shape in arguments.shapes.split(",")]
    except ValueError:
        parser.error(f"--shapes: expected ROWSxCOLUMNSxDEPTH, such as 64x64x64,17x33x65, found {arguments.shapes}")
    for shape in arguments.shapes:
        if len(shape) != 3 or min(shape) < 1:
            parser.error(f"--shapes: expected three sizes of at least 1, found {'x'.join(map(str, shape))}")
    return arguments


def program(chosen):
    """The path of lw-compile; without a choice cargo builds it, and says where it is."""
    if chosen:
        return os.path.abspath(chosen)
    command = ["cargo", "build", "--release", "--bin", "lw-compile", "--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    return [it["executable"] for it in messages if it.get("executable") and it["target"]["name"] == "lw-compile"][-1]


def main():
    arguments = options()
    lw_compile = program(arguments.lw_compile)
    libraries = []
    if arguments.cblas:
        path, _, symbol = arguments.cblas.partition(":")
        libraries.append(f"cblas=cblas:{path}:{symbol or 'cblas_sgemm'}")
    if arguments.onednn:
        libraries.append(f"onednn=onednn:{arguments.onednn}:dnnl_sgemm")
    names = [library.partition("=")[0] for library in libraries]
    # One thread each; oneDNN's is that of OpenMP.
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    ratios = []
    print(f"{'shape':<16}{'GFLOP/s':>9}{'of peak':>9}" + "".join(f"{name:>9}" for name in [*names, "of best"] if names))
    with tempfile.TemporaryDirectory() as scratch:
        timer = os.path.join(scratch, "gemm")
        include = os.path.join(ROOT, "crates", "loopwright-runtime", "include")
        source = os.path.join(ROOT, "benches", "gemm.c")
        subprocess.run(["cc", "-O2", "-march=native", f"-I{include}", source, "-o", timer, "-ldl", "-lm"], check=True)
        for m, n, k in arguments.shapes:
            shape = f"{m}x{n}x{k}"
            model, library = os.path.join(scratch, "gemm.mlir"), os.path.join(scratch, "ours.so")
            with open(model, "w") as file:
                file.write(MODULE.format(m=m, n=n, k=k))
            subprocess.run([lw_compile, model, "-o", library, "--fp", "fast"], check=True)
            command = [timer, str(m), str(n), str(k), str(arguments.rounds), str(arguments.seconds)]
            command += [f"ours=loopwright:{library}:ours"] + libraries
            run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
            result = json.loads(run.stdout)
            wrong = [name for name in ["ours", *names] if not result[name]["error"] < 1e-4]
            if wrong:
                raise SystemExit(f"{shape}: wrong results of {', '.join(wrong)}: {result}")
            rate = lambda name: 2e-9 * m * n * k / result[name]["seconds"]
            line = f"{shape:<16}{rate('ours'):>9.1f}{rate('ours') * 1e9 / result['peak']:>9.3f}"
            line += "".join(f"{rate(name):>9.1f}" for name in names)
            if names:
                ratios.append(rate("ours") / max(rate(name) for name in names))
                line += f"{ratios[-1]:>9.2f}"
            print(line, flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of {len(ratios)} ratios: {mean:.3f}")


if __name__ == "__main__":
    try:
        main()
    except (subprocess.CalledProcessError, OSError) as error:
        # The program has said why.
        raise SystemExit(f"gemm.py: {error}")
