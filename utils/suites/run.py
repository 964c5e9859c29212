#!/usr/bin/env python3
"""Runs a suite of cases. A case is a folder with model.onnx or model.mlir, in0.npy .., out0.npy .. and `tolerance` ("rtol atol").

    run.py [OPTIONS] OUT COMMAND..    # runs `COMMAND MODEL --input in0.npy .. --check out0.npy .. --rtol R --atol A` a case
        --jobs 2 --timeout 60
        --form tosa.mlir      # which file of a folder; default: model.onnx, else model.mlir
        --only NAME,..        # these cases only
        --pass-list FILE.txt  # FILE.txt holds the names that passed before: one that fails now is an error; new ones are added.
                              # FILE.wrong.txt, if there is one: cases that the exporter made wrong; the interpreter gives what
                              # the compiled program gives, which is not the expected output

Prints failures by message, then `N of M pass, W wrong or crashed, L lost`. Exit 1 if anything is lost, or is wrong or crashed that
is not in FILE.wrong.txt.
"""
import argparse, collections, concurrent.futures, pathlib, re, shutil, subprocess, sys


def model_of(folder, form):
    names = [form] if form else ["model.onnx", "model.mlir"]
    return next((folder / n for n in names if (folder / n).exists()), None)


def one(folder, form, command, timeout):
    rtol, atol = (folder / "tolerance").read_text().split()
    line = [*command, str(model_of(folder, form))]
    for kind, flag in (("in", "--input"), ("out", "--check")):
        for i in range(len(list(folder.glob(f"{kind}*.npy")))):
            line += [flag, str(folder / f"{kind}{i}.npy")]
    line += ["--rtol", rtol, "--atol", atol]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return folder.name, "timeout"
    if done.returncode == 0:
        return folder.name, None
    if done.returncode < 0:
        return folder.name, f"CRASH signal {-done.returncode}"
    text = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
    if "internal error" in text[0]:
        return folder.name, "CRASH " + text[0]
    return folder.name, "WRONG " + text[-1] if re.search(r"max error", done.stdout + done.stderr) else text[0]


def run(out, form, command, jobs, timeout, pass_list, only):
    folders = sorted(p.parent for p in out.glob("*/tolerance") if model_of(p.parent, form))
    wanted = set(only.split(",")) if only else None
    folders = [f for f in folders if not wanted or f.name in wanted]
    if not folders:
        sys.exit(f"run.py: error: found no case in {out}, expected folders with a model and a tolerance")
    if not shutil.which(command[0] if command else ""):
        sys.exit(f"run.py: error: found {' '.join(command) or 'no command'}, expected a command that can be run")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = dict(pool.map(lambda f: one(f, form, command, timeout), folders))
    passed = sorted(n for n, why in found.items() if why is None)
    why = collections.Counter(re.sub(r"^\S*?:\d+:\d+: |'[^']*/|\d+", "", w)[:110] for w in found.values() if w)
    for message, count in why.most_common(40):
        print(f"{count:5}  {message}")
    lost = []; as_exported = set()
    if pass_list:
        known = pass_list.with_suffix(".wrong.txt")
        as_exported = set(known.read_text().split()) if known.exists() else set()
        before = set(pass_list.read_text().split()) if pass_list.exists() else set()
        lost = sorted((before & wanted if wanted else before) - set(passed))
        # A case that reads outside of its tensors passes in some runs.
        pass_list.write_text("\n".join(sorted(before | set(passed) - as_exported)) + "\n")
        for name in lost: print("LOST", name, found.get(name))
    differ = [n for n, w in found.items() if w and w.startswith("WRONG") and n in as_exported]
    bad = sum(bool(w) and n not in differ and w.startswith(("WRONG", "CRASH")) for n, w in found.items())
    exported = f" ({len(differ)} more are wrong as exported)" if differ else ""
    print(f"{len(passed)} of {len(found)} pass, {bad} wrong or crashed{exported}, {len(lost)} lost")
    return 1 if lost or bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2); parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--form"); parser.add_argument("--only"); parser.add_argument("--pass-list", type=pathlib.Path)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    a = parser.parse_args()
    return run(a.out, a.form, a.command, a.jobs, a.timeout, a.pass_list, a.only)


if __name__ == "__main__":
    sys.exit(main())
