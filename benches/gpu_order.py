#!/usr/bin/env python3
"""Compares the order of predicted times of schedules for a GPU with the order of cycles counted on the emulator.

    benches/gpu_order.py LW_OPT LW_RUN [--chip sm_80] [--members 16] [--only softmax]

For each workload, `lw-opt --auto-schedule=seed=N` draws schedules from the space of the default strategy. `lw-opt
--loop-predict-time` predicts their times, and `lw-run --device emulator --profile` counts what they do. The cycles of a kernel
are those of the busiest of: instructions, shared memory, sectors of global memory, each on the multiprocessor that has the most
thread blocks, and the latency of what a warp waits for if few warps run. Printed are the rank correlation
(Spearman), the part of the pairs whose cycles differ by more than a tenth that is in the right order, and how far the schedule that
`--auto-schedule` chooses is from the best one.
"""
import argparse, pathlib, re, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from space import WORKLOADS, loop_form, output, steps, softmax, sums, transpose, elementwise, product, convolution

GPU = {
    "softmax 600x512": softmax("600x512"),
    "rows 1500x300": sums("1500x300", 1),
    "columns 500x600": sums("500x600", 0),
    "total 300000": sums("300000", 0),
    "transpose 700x500": transpose("700x500"),
    "elementwise 500x800": elementwise("500x800"),
    "product 128x96x256": product("128x96x256"),
    "product 200x300x100": product("200x300x100"),
    "convolution 16x24x20x22x3": convolution("16x24x20x22x3"),
}

# Of a multiprocessor, from the data sheets of sm_80: instructions that start in a cycle, bytes a cycle from the second-level cache.
ISSUE, L2_BYTES = 4, 47
# Cycles until the result of an instruction, of a load from shared memory and of one from the second-level cache; and how many of
# them are on their way at the same time.
LATENCY, SHARED_LATENCY, L2_LATENCY = 4, 25, 200
INDEPENDENT, PENDING = 2, 8
LAUNCH = 4000
MULTIPROCESSORS = 108


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found[1]) if found else 0.0


def cycles(profile):
    """The cycles of all kernels of a profile of the emulator."""
    total = 0
    for kernel in re.split(r"^kernel ", profile, flags=re.M)[1:]:
        blocks, threads = number(r"blocks +(\d+) of", kernel), number(r"blocks +\d+ of (\d+) threads", kernel)
        resident = number(r"occupancy +\d+ of \d+ warps, (\d+) blocks", kernel) or 1
        instructions = number(r"warp instructions +(\d+)", kernel)
        special = number(r"special +(\d+)", kernel)
        sectors, waves, requests = 0, 0, 0
        for kind in ("loads", "stores"):
            of_global = rf"global {kind} +\d+ bytes, (\d+) requests, ([\d.]+) sectors"
            found = re.search(of_global, kernel)
            count, each = (float(found[1]), float(found[2])) if found else (0, 0)
            sectors += count * each
            requests += count if kind == "loads" else 0
            waves += number(rf"shared {kind} +\d+ bytes, \d+ requests, (\d+) wavefronts", kernel)
        warps = max(1, -(-threads // 32))
        busiest = -(-blocks // MULTIPROCESSORS) / max(blocks, 1)
        units = [(instructions + 7 * special) / ISSUE, waves, sectors * 32 / L2_BYTES]
        # What a warp waits for, if the warps of a multiprocessor run at the same time.
        at_once = min(resident, -(-blocks // MULTIPROCESSORS)) * warps
        together = lambda count: max(count / PENDING, min(count, 1))
        all_warps = blocks * warps
        of_warp = instructions / all_warps * LATENCY / INDEPENDENT
        of_warp += together(waves / all_warps) * SHARED_LATENCY + together(requests / all_warps) * L2_LATENCY
        busy = [busiest * unit for unit in units] + [of_warp * -(-(busiest * all_warps) // at_once)]
        # Units that are busy for about as long hinder each other.
        total += LAUNCH + sum(it**4 for it in busy) ** 0.25
    return total


def ranks(numbers):
    """The ranks of numbers; equal ones have the mean of theirs."""
    order = sorted(numbers)
    return [order.index(it) + (order.count(it) - 1) / 2 for it in numbers]


def correlation(one, other):
    one, other = ranks(one), ranks(other)
    mean = (len(one) - 1) / 2
    covariance = sum((a - mean) * (b - mean) for a, b in zip(one, other))
    spread = lambda numbers: sum((it - mean) ** 2 for it in numbers)
    return covariance / (spread(one) * spread(other)) ** 0.5 if spread(one) * spread(other) else 1.0


def unit_us(text):
    value, unit = text.split()
    return float(value) * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[unit]


def counted(scheduled, arguments):
    """The cycles of a scheduled module on the emulator."""
    done = subprocess.run([arguments.lw_run, scheduled, "--target", arguments.chip, "--device", "emulator", "--fp", "fast",
                           "--input", "random", "--profile"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return cycles(done.stderr + done.stdout)


def compare(text, arguments, folder):
    module = loop_form(text, arguments.lw_run, folder)
    found, seen = [], set()
    scheduled = folder / "scheduled.mlir"
    default = output([arguments.lw_run, module, "--target", arguments.chip, "--fp", "fast", "--compile-to", "schedule"])
    scheduled.write_text(default)
    by_priority = counted(scheduled, arguments)
    for seed in range(0, 8 * arguments.members):
        if len(found) == arguments.members:
            break
        option = f"seed={seed}" if seed else ""
        script = output([arguments.lw_opt, module, f"--auto-schedule=target={arguments.chip} {option}", "-o", scheduled])
        if steps(script) in seen:
            continue
        seen.add(steps(script))
        done = subprocess.run([arguments.lw_opt, scheduled, f"--loop-predict-time=target={arguments.chip}", "-o", "/dev/null"],
                              capture_output=True, text=True)
        predicted = sum(unit_us(it) for it in re.findall(r'^time @\w+ .*": ([\d.]+ \w+), limited', done.stderr, flags=re.M))
        found.append((seed, predicted, counted(scheduled, arguments)))
    return found, by_priority


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lw_opt")
    parser.add_argument("lw_run")
    parser.add_argument("--chip", default="sm_80")
    parser.add_argument("--members", type=int, default=16)
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true", help="print each schedule")
    arguments = parser.parse_args()
    print("| workload | schedules | rank correlation | pairs in the right order | cycles of auto / fewest | of the default / fewest |")
    print("|---|---|---|---|---|---|")
    for name, text in GPU.items():
        if not name.startswith(arguments.only):
            continue
        with tempfile.TemporaryDirectory() as folder:
            found, by_priority = compare(text, arguments, pathlib.Path(folder))
        rank = correlation([it[1] for it in found], [it[2] for it in found])
        pairs = [(one, other) for one in found for other in found if one[2] > 1.1 * other[2]]
        right = sum(one[1] > other[1] for one, other in pairs) / max(len(pairs), 1)
        fewest = min(it[2] for it in found)
        chosen = f"{found[0][2] / fewest:.2f} | {by_priority / fewest:.2f}"
        print(f"| {name} | {len(found)} | {rank:.2f} | {right:.2f} of {len(pairs)} | {chosen} |", flush=True)
        if arguments.all:
            for seed, predicted, counted in sorted(found, key=lambda it: it[2]):
                print(f"    seed {seed}: predicted {predicted:.2f} us, {counted:.0f} cycles")


if __name__ == "__main__":
    main()
