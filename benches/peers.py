#!/usr/bin/env python3
"""Measures this compiler beside others, with the peer harness, and prints ours beside the best of theirs.

    benches/peers.py HARNESS --only W1s,W2 --peers numpy,jax --threads 1,2

HARNESS is the folder of the harness (run.py, and a README that says how to install peers). Its programs are
found by $PEERS_HOME. `ratio` is the time of the best other by ours: above 1 we are faster. Kernels that the harness has
written by hand stand beside, and are not counted. A star: other processes used more than 0.3 cores meanwhile.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

NAME = "loopwright"
HAND_WRITTEN = "hand-c"
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("harness", help="the folder of run.py")
    parser.add_argument("--only", help="workloads, such as W1s,W8b (default: all)")
    parser.add_argument("--peers", help="the others, such as numpy,jax (default: all that the harness knows)")
    parser.add_argument("--threads", default="1,2", help="numbers of threads (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds a workload (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.25, help="time of each in a round (default: %(default)s)")
    parser.add_argument("--fp", default="fast", help="the floating-point contract of ours (default: %(default)s)")
    parser.add_argument("--python", help="of the harness (default: $PEERS_HOME/venv/bin/python)")
    parser.add_argument("--lw-bench", help="the program (default: built now, for release)")
    parser.add_argument("--out", help="a file to which the harness appends its lines")
    return parser.parse_args()


def program(chosen):
    """The path of lw-bench; without a choice cargo builds it, and says where it is."""
    if chosen:
        return os.path.abspath(chosen)
    command = ["cargo", "build", "--release", "--bin", "lw-bench", "--message-format=json-render-diagnostics"]
    built = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True)
    messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
    paths = [it["executable"] for it in messages if it.get("executable") and it["target"]["name"] == "lw-bench"]
    return paths[-1]


def machine(lw_bench):
    """The line of lw-bench that describes the machine."""
    command = [lw_bench, "--only", "W1s", "--rounds", "1", "--seconds", "0.01"]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()[0]


def suite(arguments, lw_bench, scratch):
    """Runs the harness; gives what it has measured, one dictionary a workload, peer and number of threads."""
    external = os.path.join(scratch, "external.json")
    command = [part.replace("{", "{{").replace("}", "}}") for part in [lw_bench]]
    command += ["--protocol", "--fp", arguments.fp]
    with open(external, "w") as file:
        json.dump({NAME: {"cmd": command}}, file)
    out = os.path.join(scratch, "results.jsonl")
    environment = dict(os.environ, PEERS_EXTERNAL=external)
    home = os.environ.get("PEERS_HOME") or os.path.expanduser("~/.cache/lw-peers")
    python = arguments.python or os.path.join(home, "venv", "bin", "python")
    run = [python, os.path.join(arguments.harness, "run.py"), "suite", "--out", out]
    run += ["--threads", arguments.threads, "--rounds", str(arguments.rounds), "--seconds", str(arguments.seconds)]
    if arguments.only:
        run += ["--only", arguments.only]
    if arguments.peers:
        run += ["--peers", f"{arguments.peers},{NAME}"]
    subprocess.run(run, env=environment, stdout=subprocess.DEVNULL, check=True)
    with open(out) as file:
        text = file.read()
    if arguments.out:
        with open(arguments.out, "a") as file:
            file.write(text)
    return [json.loads(line) for line in text.splitlines()]


def time(row):
    """The median in ms, if there is one of a right result."""
    if not is_right(row):
        return "-"
    return f"{row['ms']:.4f}" + ("*" if row.get("other", 0) > 0.3 else "")


def is_right(row):
    return row is not None and bool(row.get("ok")) and "ms" in row


def table(rows):
    """Lines of ours beside the best of the others."""
    lines = [["workload", "threads", "ours ms", "best other ms", "", "ratio", "by hand ms", ""]]
    keys = dict.fromkeys((row["threads"], row["w"]) for row in rows)
    for threads, workload in keys:
        found = {row["peer"]: row for row in rows if (row["threads"], row["w"]) == (threads, workload)}
        ours = found.pop(NAME, None)
        by_hand = found.pop(HAND_WRITTEN, None)
        best = min(filter(is_right, found.values()), key=lambda row: row["ms"], default=None)
        note = ""
        if ours is None:
            note = "skipped by ours"
        elif not is_right(ours):
            note = ours.get("error") or f"WRONG: relative error {ours.get('err')}"
        ratio = f"{best['ms'] / ours['ms']:.2f}" if best and is_right(ours) else "-"
        peer = best["peer"] if best else "-"
        lines.append([workload, str(threads), time(ours), time(best), peer, ratio, time(by_hand), note])
    return lines


def means(lines):
    """The geometric mean of the ratios, for each number of threads."""
    for threads in dict.fromkeys(line[1] for line in lines):
        ratios = [float(line[5]) for line in lines if line[1] == threads and line[5] != "-"]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            yield f"threads {threads}: geometric mean {mean:.2f}, least {min(ratios):.2f}"


def main():
    arguments = options()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            lw_bench = program(arguments.lw_bench)
            print(machine(lw_bench))
            lines = table(suite(arguments, lw_bench, scratch))
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"peers.py: error: {error}")
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    print("\n".join(means(lines[1:])))


if __name__ == "__main__":
    main()
