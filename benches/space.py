#!/usr/bin/env python3
"""Compares the default numbers of a strategy with other members of its space, by measured times.

    benches/space.py LW_OPT LW_RUN [--shapes 128x768x3072,500x300x700] [--members 32] [--rounds 3] [--seconds 0.1] [--threads 1]

For each shape MxKxN of a matrix product of f32, `lw-opt --auto-schedule` prints the schedule with its knobs, and `lw-opt
--resolve-knobs` with different seeds draws other members that meet the constraints. `lw-run` times the default and
the members in turn. Printed are the medians over the rounds: the time of the default, the time of the fastest of all, their
ratio (below 1 if a member is faster than the default), and the rank of the default (1 if nothing is faster). The last lines are
the geometric mean and the smallest ratio.
"""
import argparse, math, pathlib, re, statistics, subprocess, tempfile

SHAPES = """64x64x64 96x80x112 128x128x128 128x768x768 128x768x3072 128x3072x768 200x200x200 256x256x256 300x500x700
384x64x384 37x1024x512 500x300x700 512x512x512 64x4096x256 1000x100x1000 777x333x555 1024x1024x1024 129x257x513""".split()

MODULE = """func.func @main(%a: tensor<{m}x{k}xf32>, %b: tensor<{k}x{n}xf32>) -> tensor<{m}x{n}xf32> {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<{m}x{n}xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>)
      outs(%filled : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}
"""


def output(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stderr}")
    return done.stdout


def median_ms(lw_run, module, script, arguments):
    """The median time of a call in ms, as lw-run prints it."""
    command = [lw_run, module, "--target", "x86", "--device", "cpu", "--fp", "fast", "--input", "random", "--no-cache",
               "--schedule", script, "--time", str(arguments.seconds), "--threads", str(arguments.threads)]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"([\d.]+) (ns|us|ms|s) a call", done.stdout + done.stderr)
    if done.returncode or not found:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stderr}")
    return float(found[1]) * {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}[found[2]]


def compare(shape, arguments, folder):
    m, k, n = map(int, shape.split("x"))
    source, module = folder / "source.mlir", folder / "module.mlir"
    source.write_text(MODULE.format(m=m, k=k, n=n))
    module.write_text(output([arguments.lw_run, source, "--compile-to", "loop"]))
    script = output([arguments.lw_opt, module, "--auto-schedule", "-o", "/dev/null"])
    # The contract of lw-run changes the hash of the function.
    script = re.sub(r' hash "\w+"', "", script)
    scripts = [folder / "default.mlir"]
    scripts[0].write_text(script)
    free = folder / "free.mlir"
    free.write_text(re.sub(r"> = \d+ from options", "> options", script))
    texts = {output([arguments.lw_opt, scripts[0], "--resolve-knobs"])}
    for seed in range(1, 20 * arguments.members):
        if len(texts) > arguments.members:
            break
        text = output([arguments.lw_opt, free, f"--resolve-knobs=seed={seed}"])
        if text not in texts:
            texts.add(text)
            scripts.append(folder / f"member{len(scripts)}.mlir")
            scripts[-1].write_text(text)
    times = [[median_ms(arguments.lw_run, module, script, arguments) for script in scripts]
             for _ in range(arguments.rounds)]
    medians = [statistics.median(column) for column in zip(*times)]
    rank = 1 + sum(time < medians[0] for time in medians[1:])
    return medians[0], min(medians), rank, len(medians)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lw_opt")
    parser.add_argument("lw_run")
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--members", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    wrong = [shape for shape in arguments.shapes.split(",") if not re.fullmatch(r"[1-9]\d*(x[1-9]\d*){2}", shape)]
    if wrong:
        parser.error(f"found shape {wrong[0]!r}, expected MxKxN, such as 128x768x3072")
    ratios = []
    print("| shape | default ms | best member ms | best / default | rank of default |\n|---|---|---|---|---|")
    for shape in arguments.shapes.split(","):
        with tempfile.TemporaryDirectory() as folder:
            default, best, rank, count = compare(shape, arguments, pathlib.Path(folder))
        ratios.append(best / default)
        print(f"| {shape} | {default:.4f} | {best:.4f} | {ratios[-1]:.2f} | {rank} of {count} |", flush=True)
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean {mean:.3f}, smallest {min(ratios):.3f}")


if __name__ == "__main__":
    main()
