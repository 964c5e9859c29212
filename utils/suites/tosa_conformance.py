#!/usr/bin/env python3
"""A sample of the TOSA 1.0 conformance tests, built by the generator of the PyPI package tosa-tools, as cases of run.py.

    tosa_conformance.py OUT [--each 2] [--op REGEX]  # OUT/<test>/{tosa.mlir, in*.npy, out*.npy, tolerance, suite/}; prints how many
    tosa_conformance.py OUT --verify COMMAND..       # runs `COMMAND tosa.mlir --input .. --output ..`, checks with tosa_verify

--each is the number of tests for each op, element types, range of values and kind (plain or special values). References are computed by the
reference model in f64 and rounded. `tolerance` bounds the whole tensor; --verify checks each element as the conformance suite does.
Tests with fp8, i4 or i48 arguments or results, and ops that are newer than TOSA 1.0, are left out and counted.
Needs: pip install tosa-tools==2026.8.0 'numpy<2.2', in an environment of its own.
"""
import argparse, collections, importlib.resources, json, os, pathlib, re, shutil, subprocess, sys, tempfile
import ml_dtypes
import numpy as np

BITS = {"FP32": 23, "FP16": 10, "BF16": 7}                       # of a fraction
NORMAL = {"FP32": 2.0 ** -126, "FP16": 2.0 ** -14, "BF16": 2.0 ** -126}
TYPES = {"i1": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
         "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32}
ALL = ["--tosa-version", "1.0.2", "--test-type", "positive", "--profile", "tosa-pro-int", "tosa-pro-fp", "--extension",
       *(f"tosa-ext-{e}" for e in ("int16", "bf16", "fft", "controlflow", "variable", "doubleround", "inexactround"))]
DOTS = "(matmul|conv2d|conv3d|depthwise_conv2d|transpose_conv2d|avg_pool2d|reduce_sum|r?fft2d)$"
MOVES = "(concat|pad|reshape|reverse|slice|tile|transpose|identity|const|gather|scatter|select|cond_if.*|while_loop)$"
DENSE, FACTOR = "(avg_pool2d|resize|rescale|pad)$", 2.5          # Ops whose attributes interact have more tests
RUNS = [  # A suffix of the names, the ops, and arguments of the generator
    ("", rf"(?!{DOTS}).*", ["--tensor-dim-range", "1,9", "--fp-values-range", "-10,10", "--max-resize-output-dim", "40"]),
    (".max", rf"(?!{DOTS})(?!{MOVES}).*", ["--tensor-dim-range", "1,9", "--fp-values-range", "-max,max", "--max-resize-output-dim", "40",
                                "--target-dtype", "fp32", "fp16", "bf16"]),
    ("", DOTS, ["--tensor-dim-range", "1,9", "--target-dtype", "bool", "int8", "int16", "int32"]),
    (".dot", "(matmul|conv2d|depthwise_conv2d|transpose_conv2d|avg_pool2d)$",
     ["--tensor-dim-range", "10,12", "--fp-values-range", "-max,max", "--target-dtype", "fp32", "fp16", "bf16"]),
    (".dot", "conv3d$", ["--tensor-dim-range", "5,7", "--fp-values-range", "-max,max", "--target-dtype", "fp32", "fp16", "bf16"]),
    (".dot", "reduce_sum$", ["--tensor-dim-range", "32,35", "--target-rank", "1", "3", "--fp-values-range", "-max,max",
                             "--target-dtype", "fp32", "fp16", "bf16"]),
    (".dot", "r?fft2d$", ["--target-shape", "2,16,32", "1,32,32", "4,8,64", "--fp-values-range", "-max,max", "--target-dtype", "fp32"]),
]


def package(name):
    """The path of a module's file or of a tool of tosa-tools."""
    tool = pathlib.Path(sys.executable).parent / name
    return str(tool) if tool.exists() else str(next(pathlib.Path(str(importlib.resources.files("tosa_reference_model"))).parent.rglob(name)))


def new_ops():
    """The ops that the suite has for a later version of TOSA only."""
    config = json.loads(pathlib.Path(package("cts-config_v1.0.json")).read_text())
    return {name for name, op in config.items() if isinstance(op, dict) and op.get("from_version", "0") > "1.0.2"}


def sample(tests, each):
    """`each` tests of each op and types, evenly spread, special values on their own."""
    groups = collections.defaultdict(list)
    for test in tests:
        types = tuple(re.findall(r"(?:^|_|out|acc|x)(b?f16|f32|i\d+|b)(?=_|x|out|$)", str(test)))
        groups[types, test.isSpecialTest()].append(test)
    return [t for g in groups.values() for t in (g if len(g) <= each else [g[i * (len(g) - 1) // max(1, each - 1)] for i in range(each)])]


def generate(work, each, only, left):
    """Builds the tests below `work`, one folder each, and yields (name, folder)."""
    import generator.tosa_verif_build_tests as build
    from generator.tosa_test_select import TosaTestSelect
    new = new_ops()
    for number, (suffix, ops, arguments) in enumerate(RUNS):
        home = work / str(number)
        line = [*ALL, *arguments, "-o", str(home), "--generate-lib-path", package("libtosa_reference_generate_lib.so")]
        args = build.parseArgs(line)
        made = build.TosaTestGen(args, build._get_tosa_version("1.0.2"))
        for op in made.TOSA_OP_LIST:
            name = made.getOperatorNameStr(op)
            if not re.fullmatch(ops, name) or only and not re.fullmatch(only, name): continue
            if name in new or name.endswith("_shape"):
                left["op newer than TOSA 1.0"] += 1; continue
            found = [TosaTestSelect(t) for t in made.genOpTestList(op, shapeFilter=args.target_shapes, rankFilter=args.target_ranks,
                                                                   dtypeFilter=args.target_dtypes, testType="positive")]
            found = [t for t in found if t.isSupported(args.profile, args.extension)]
            if suffix == ".max": found = [t for t in found if not t.isSpecialTest()]
            for test in sample(found, int(each * FACTOR) if re.fullmatch(DENSE, name) else each):
                try: made.serializeTest(test)
                except Exception as e: left[f"generator: {type(e).__name__}"] += 1; continue
                folder = next(home.rglob(str(test)), None)
                if folder: yield str(test) + suffix, folder
                else: left["generator wrote nothing"] += 1


def run(*line):
    return subprocess.run([str(p) for p in line], capture_output=True, text=True)


def load(path, kind):
    """An array of the suite as lw-run wants it: bf16 as f32."""
    value = np.load(path)
    if value.dtype.kind == "V" and value.dtype.itemsize == 2: value = value.view(ml_dtypes.bfloat16)
    with np.errstate(over="ignore", invalid="ignore"): value = value.astype(TYPES[kind])
    return value.astype(np.float32) if kind == "bf16" else value


def bound(check, bounds):
    """(rtol, atol) of a result, from its compliance record and the reference model's bounds."""
    mode, kind = check.get("mode", "EXACT"), check["data_type"]
    if kind not in BITS: return 0.0, 0.0
    step, tiny = 2.0 ** -BITS[kind], NORMAL[kind]
    finite = np.abs(bounds[np.isfinite(bounds)]) if bounds is not None else np.zeros(0)
    size = float(finite.max()) if finite.size else 0.0
    if mode == "ULP": return (check["ulp_info"]["ulp"] + 0.5) * step, tiny
    if mode == "DOT_PRODUCT": return step, check["dot_product_info"]["ksb"] * step * size + tiny
    if mode == "REDUCE_PRODUCT": return (1 + step) ** check["reduce_product_info"]["n"] - 1, tiny
    if mode == "ABS_ERROR": return 4 * step, min(size, 8.0) * step + tiny  # A bound grows with the argument, which is up to the largest float
    if mode == "MAX_RELATIVE": return check["max_relative_info"]["ulp_bound"] * step, tiny
    if mode == "PRECOMPUTED": return 8 * step, size + tiny
    if mode == "FP_SPECIAL": return 8 * step, tiny
    return 0.0, 0.0


def named(text):
    """The element types by the names of the tensors, in order."""
    return {name: kind for kind, name in re.findall(r'tensor<(?:[\dx?]*x)?(\w+)> \{tosa.tensor_name = "([^"]+)"', text)}


def tolerance(folder, desc):
    """Writes the largest tolerance among the results. A result between two bounds gets their mean as its reference."""
    rtol, atol = 0.0, 0.0
    for name, file in zip(desc["ofm_name"], desc["ofm_file"]):
        bounds = folder / f"suite/bounds_{file}"
        check = desc["meta"].get("compliance", {}).get("tensors", {}).get(name, {"mode": "EXACT", "data_type": "INT32"})
        if check.get("mode") == "RESCALE_INEXACT":                       # The suite's two files are the least and the largest result
            low, high = (np.load(p).astype(np.int64) for p in (folder / f"suite/{file}", bounds))
            out = folder / f"out{desc['ofm_name'].index(name)}.npy"
            np.save(out, ((low + high) // 2).astype(np.load(out).dtype)); atol = max(atol, float((high - low).max() + 1) // 2)
            continue
        r, a = bound(check, np.load(bounds) if bounds.exists() else None)
        rtol, atol = max(rtol, r), max(atol, a)
    (folder / "tolerance").write_text(f"{rtol:.6g} {atol:.6g}\n")


def case(name, source, out, left, schema):
    mlir = source / "tosa.mlir"
    ran = run(package("tosa-opt"), "--tosa-deserialize", f"--tosa-deserialize-filename={source}/test.tosa",
              f"--tosa-deserialize-schema={schema}", os.devnull, "-o", mlir)
    if ran.returncode: left["not translated to MLIR"] += 1; return False
    ins, outs = map(named, re.search(r"func\.func @main\((.*)\) -> (.*) \{\n", mlir.read_text()).groups())
    desc = json.loads((source / "desc.json").read_text())
    other = {t for t in [*ins.values(), *outs.values()] if t not in TYPES}
    if other: left[f"element type {', '.join(sorted(other))}"] += 1; return False
    ran = run(package("tosa_reference_model"), "--test_desc", source / "desc.json", "--operator_fbs", schema, "--precise_mode=1")
    if ran.returncode: left["reference model: " + (ran.stderr.strip().splitlines() or ["?"])[-1][:60]] += 1; return False
    folder = out / name; shutil.rmtree(folder, ignore_errors=True); (folder / "suite").mkdir(parents=True)
    shutil.move(mlir, folder)
    for f in source.iterdir():
        if f.name != "test.tosa": shutil.copy(f, folder / "suite")
    files = dict(zip(desc["ifm_name"] + desc["ofm_name"], desc["ifm_file"] + desc["ofm_file"]))
    for i, (n, t) in enumerate(ins.items()): np.save(folder / f"in{i}.npy", load(source / files[n], t))
    for i, (n, t) in enumerate(outs.items()): np.save(folder / f"out{i}.npy", load(source / files[n], t))
    tolerance(folder, desc)
    return True


def verify(out, command):
    """Checks the results of `command` with the suite's own verifier."""
    found = collections.Counter()
    for folder in sorted(p.parent for p in out.glob("*/tolerance")):
        desc = json.loads((folder / "suite/desc.json").read_text())
        with tempfile.TemporaryDirectory() as work:
            files = [pathlib.Path(work) / f"{i}.npy" for i in range(len(list(folder.glob("out*.npy"))))]
            line = [*command, folder / "tosa.mlir"]
            for i in range(len(list(folder.glob("in*.npy")))): line += ["--input", folder / f"in{i}.npy"]
            for f in files: line += ["--output", f]
            if run(*line).returncode: found["not run"] += 1; continue
            for i, (f, name, ref) in enumerate(zip(files, desc["ofm_name"], desc["ofm_file"])):
                kind = desc["meta"].get("compliance", {}).get("tensors", {}).get(name, {}).get("data_type")
                value = np.load(f)                               # Written again, because tosa_verify reads NumPy's spelling of the header only
                np.save(f, value.astype(np.float32).astype(ml_dtypes.bfloat16) if kind == "BF16" else value)
                bounds = folder / f"suite/bounds_{ref}"
                check = run(package("tosa_verify"), "--test_desc", folder / "suite/desc.json", "--ofm_name", name, "--imp_result_file", f,
                            "--ref_result_file", folder / "suite" / ref, *(["--bnd_result_file", bounds] if bounds.exists() else []))
                found["ok" if check.returncode == 0 else "WRONG"] += 1
                if check.returncode: print("WRONG", folder.name, " ".join((check.stdout + check.stderr).split())[:300], flush=True)
    print(dict(found)); return 1 if found["WRONG"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path); parser.add_argument("--each", type=int, default=2); parser.add_argument("--op")
    parser.add_argument("--verify", nargs=argparse.REMAINDER)
    a = parser.parse_args()
    if a.verify: return verify(a.out, a.verify)
    left = collections.Counter(); schema = package("tosa.fbs"); n = 0
    with tempfile.TemporaryDirectory() as work:
        for name, source in generate(pathlib.Path(work), a.each, a.op, left):
            n += case(name, source, a.out, left, schema)
            shutil.rmtree(source)
    print(f"{n} cases written; left out: {dict(left)}")


if __name__ == "__main__":
    sys.exit(main())
