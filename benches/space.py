#!/usr/bin/env python3
"""Compares the default numbers of strategies with other members of their spaces, by measured times.

    benches/space.py LW_OPT LW_RUN [--only product,softmax] [--members 32] [--rounds 3] [--seconds 0.1] [--threads 1]

Each workload is a function of one op, with sizes that are in no other benchmark. `lw-opt --auto-schedule=seed=N` draws the
members, also those with other values of numbers of structure; `--auto` compares the choice of `--auto-schedule`, too. `lw-run`
times the default and the members in turn. Printed are the medians over the rounds: the time of the default, the time of the
fastest of all, their ratio (below 1 if a member is faster than the default), and the rank of the default (1 if nothing is
faster). The last lines are the geometric mean and the smallest ratio.
"""
import argparse, math, pathlib, re, statistics, subprocess, tempfile

PRODUCTS = """64x64x64 96x80x112 128x128x128 128x768x768 128x768x3072 128x3072x768 200x200x200 256x256x256 300x500x700
384x64x384 37x1024x512 500x300x700 512x512x512 64x4096x256 1000x100x1000 777x333x555 1x2000x1500 129x257x513""".split()
ROWS = ["100x1000", "384x257", "1500x64", "64x5000"]
COLUMNS = ["1000x300", "77x4000"]
TRANSPOSES = ["500x700", "1000x1024", "333x77"]
ELEMENTWISE = ["300x1000", "1x200000", "777x55"]
TOTALS = ["100000", "3000000"]
# Images: channels, filters, height, width, side of the filter.
CONVOLUTIONS = ["24x40x30x30x3", "100x60x20x24x1", "48x48x15x17x3"]


def filled(shape, of="f32"):
    zero = "0.0" if of == "f32" else "0"
    return f"""  %zero = arith.constant {zero} : {of}
  %empty = tensor.empty() : tensor<{shape}{of}>
  %filled = linalg.fill ins(%zero : {of}) outs(%empty : tensor<{shape}{of}>) -> tensor<{shape}{of}>
"""


def function(arguments, result, body):
    return f"func.func @main({arguments}) -> tensor<{result}> {{\n{body}  return %r : tensor<{result}>\n}}\n"


def product(shape, narrow="f32", of="f32"):
    m, k, n = shape.split("x")
    a, b, c = f"tensor<{m}x{k}x{narrow}>", f"tensor<{k}x{n}x{narrow}>", f"{m}x{n}x{of}"
    body = filled(f"{m}x{n}x", of)
    body += f"  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%filled : tensor<{c}>) -> tensor<{c}>\n"
    return function(f"%a: {a}, %b: {b}", c, body)


def softmax(shape):
    ty = f"tensor<{shape}xf32>"
    body = f"""  %empty = tensor.empty() : {ty}
  %r = linalg.softmax dimension(1) ins(%a : {ty}) outs(%empty : {ty}) -> {ty}
"""
    return function(f"%a: {ty}", f"{shape}xf32", body)


def sums(shape, dimension):
    sizes = shape.split("x")
    del sizes[dimension]
    result = "".join(f"{size}x" for size in sizes)
    ty = f"tensor<{shape}xf32>"
    body = filled(result)
    body += f"  %r = linalg.reduce {{ arith.addf }} ins(%a : {ty}) outs(%filled : tensor<{result}f32>) dimensions = [{dimension}]\n"
    return function(f"%a: {ty}", f"{result}f32", body)


def transpose(shape):
    m, n = shape.split("x")
    body = f"""  %empty = tensor.empty() : tensor<{n}x{m}xf32>
  %r = linalg.transpose ins(%a : tensor<{shape}xf32>) outs(%empty : tensor<{n}x{m}xf32>) permutation = [1, 0]
"""
    return function(f"%a: tensor<{shape}xf32>", f"{n}x{m}xf32", body)


def elementwise(shape):
    ty = f"tensor<{shape}xf32>"
    body = f"""  %empty = tensor.empty() : {ty}
  %e = linalg.exp ins(%a : {ty}) outs(%empty : {ty}) -> {ty}
  %r = linalg.add ins(%e, %b : {ty}, {ty}) outs(%empty : {ty}) -> {ty}
"""
    return function(f"%a: {ty}, %b: {ty}", f"{shape}xf32", body)


def convolution(shape):
    c, f, h, w, side = map(int, shape.split("x"))
    image, weights = f"tensor<1x{c}x{h}x{w}xf32>", f"tensor<{f}x{c}x{side}x{side}xf32>"
    result = f"1x{f}x{h - side + 1}x{w - side + 1}x"
    body = filled(result)
    body += f"""  %r = linalg.conv_2d_nchw_fchw ins(%a, %b : {image}, {weights})
      outs(%filled : tensor<{result}f32>) -> tensor<{result}f32>
"""
    return function(f"%a: {image}, %b: {weights}", f"{result}f32", body)


WORKLOADS = {
    **{f"product {shape}": product(shape) for shape in PRODUCTS},
    **{f"softmax {shape}": softmax(shape) for shape in ROWS},
    **{f"rows {shape}": sums(shape, 1) for shape in ROWS},
    **{f"columns {shape}": sums(shape, 0) for shape in COLUMNS},
    **{f"total {shape}": sums(shape, 0) for shape in TOTALS},
    **{f"transpose {shape}": transpose(shape) for shape in TRANSPOSES},
    **{f"elementwise {shape}": elementwise(shape) for shape in ELEMENTWISE},
    **{f"convolution {shape}": convolution(shape) for shape in CONVOLUTIONS},
    "bytes 200x512x768": product("200x512x768", "i8", "i32"),
}


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


def loop_form(text, lw_run, folder):
    """The function as loops, with the contract under which it is timed."""
    source, module = folder / "source.mlir", folder / "module.mlir"
    source.write_text(text)
    loops = output([lw_run, source, "--compile-to", "loop"])
    module.write_text(re.sub(r"^(  func\.func @main\(.*\)) \{$", r'\1 attributes {loop.fp = "fast"} {', loops, flags=re.M))
    return module


def steps(script):
    """What a script does, without comments."""
    return re.sub(r"^\s*//.*\n", "", script, flags=re.M)


def compare(text, arguments, folder):
    module = loop_form(text, arguments.lw_run, folder)
    scripts = [folder / "default.mlir"]
    default = output([arguments.lw_run, module, "--target", "x86", "--fp", "fast", "--print-schedule"])
    scripts[0].write_text(default)
    seen = {steps(default)}
    for seed in range(1, 4 * arguments.members):
        if len(scripts) > arguments.members:
            break
        script = output([arguments.lw_opt, module, f"--auto-schedule=seed={seed}", "-o", "/dev/null"])
        if steps(script) not in seen:
            seen.add(steps(script))
            scripts.append(folder / f"member{seed}.mlir")
            scripts[-1].write_text(script)
    if arguments.auto:
        scripts.append(folder / "auto.mlir")
        scripts[-1].write_text(output([arguments.lw_opt, module, "--auto-schedule", "-o", "/dev/null"]))
    times = [[median_ms(arguments.lw_run, module, script, arguments) for script in scripts]
             for _ in range(arguments.rounds)]
    medians = [statistics.median(column) for column in zip(*times)]
    fastest = scripts[medians.index(min(medians))].stem
    rank = 1 + sum(time < medians[0] for time in medians[1:])
    return medians, rank, fastest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lw_opt")
    parser.add_argument("lw_run")
    parser.add_argument("--only", default="", help="the first words of workloads, with commas between them")
    parser.add_argument("--members", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--auto", action="store_true", help="compare the choice by predicted times, too")
    arguments = parser.parse_args()
    chosen = [name for name in WORKLOADS if not arguments.only or any(
        name.startswith(word) for word in arguments.only.split(","))]
    if not chosen:
        parser.error(f"found no workload {arguments.only!r}, expected some of {', '.join(WORKLOADS)}")
    ratios, autos = [], []
    print("| workload | default ms | best ms | best / default | rank of default | fastest |" + " auto / default |" * arguments.auto)
    print("|---|---|---|---|---|---|" + "---|" * arguments.auto)
    for name in chosen:
        with tempfile.TemporaryDirectory() as folder:
            medians, rank, fastest = compare(WORKLOADS[name], arguments, pathlib.Path(folder))
        ratios.append(min(medians) / medians[0])
        line = f"| {name} | {medians[0]:.4f} | {min(medians):.4f} | {ratios[-1]:.2f} | {rank} of {len(medians)} | {fastest} |"
        if arguments.auto:
            autos.append(medians[-1] / medians[0])
            line += f" {autos[-1]:.2f} |"
        print(line, flush=True)
    mean = lambda numbers: math.exp(sum(map(math.log, numbers)) / len(numbers))
    print(f"best / default: geometric mean {mean(ratios):.3f}, smallest {min(ratios):.3f}")
    if autos:
        print(f"auto / default: geometric mean {mean(autos):.3f}, largest {max(autos):.3f}")


if __name__ == "__main__":
    main()
