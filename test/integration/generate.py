#!/usr/bin/env python3
"""Writes `conversion/`: small linalg programs with inputs and the outputs that NumPy computes for them.

    python3 -m venv .venv && .venv/bin/pip install numpy ml_dtypes
    .venv/bin/python test/integration/generate.py            # write everything anew
    .venv/bin/python test/integration/generate.py --check    # write nothing, fail if a file would change

The tables are in `cases/`; one row is a case, the words of a row are explained in `cases/case.py`.

    conversion/<case>/main.mlir               the program, function @main
    conversion/<case>/<variant>/in<i>.npy     its i-th argument
    conversion/<case>/<variant>/out<k>.npy    its k-th result; where the function has no results, the final contents
                                              of its k-th argument that is marked {loop.result}

Scalars are 0-d arrays, index is int64, i1 is bool, bf16 is stored as the float32 that equals it. A float of at most 8 bits is
stored as its bit pattern, an integer of 2 or 4 bits as a byte, one of 12 bits as int16.
A NaN in an output means any NaN; all other outputs are exact, with the sign of zeros.
"""

import argparse
import io
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import ml_dtypes
import numpy as np

from cases import CASES
from cases.case import signature, type_of

ROOT = Path(__file__).parent / "conversion"
MAX_ARRAY_BYTES = 800_000


def main():
    options = argparse.ArgumentParser(description="Writes the corpus `conversion/`.")
    options.add_argument("--check", action="store_true", help="write nothing, fail if a file would change")
    files = {path: content for case in CASES for path, content in files_of(case)}
    array_bytes = sum(len(content) for path, content in files.items() if path.endswith(".npy"))
    assert array_bytes <= MAX_ARRAY_BYTES, f"{array_bytes} bytes of arrays"
    if options.parse_args().check:
        found = {str(it.relative_to(ROOT)): it.read_bytes() for it in ROOT.rglob("*") if it.is_file()}
        changed = sorted(it for it in found.keys() | files.keys() if found.get(it) != files.get(it))
        sys.exit("\n".join(["out of date:"] + changed) if changed else 0)
    shutil.rmtree(ROOT, ignore_errors=True)
    for path, content in files.items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_bytes(content)
    print(f"{len(CASES)} cases, {len(files)} files, {array_bytes} bytes of arrays")


def files_of(case):
    """The paths and contents of the files of a case. Checks the arrays against the signature of @main."""
    argument_types, result_types = signature(case.text)
    yield f"{case.name}/main.mlir", f"// {case.about}\n{case.text}".encode()
    for variant, inputs in case.variants.items():
        outputs = case.expected(*inputs)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        for kind, types, arrays in [("in", argument_types, inputs), ("out", result_types, outputs)]:
            arrays = [np.asarray(it) for it in arrays]
            found = [type_of(it) for it in arrays]
            assert len(types) == len(found) and all(map(fits, types, found)), (
                f"{case.name}/{variant}: {kind} is {found}, not {types}"
            )
            for number, array in enumerate(arrays):
                yield f"{case.name}/{variant}/{kind}{number}.npy", npy(array, kind)


def fits(declared, found):
    """Whether an array of type `found` may be passed as `declared`: memref<?x5xf32> takes tensor<7x5xf32>."""
    declared = declared.replace("memref", "tensor").replace("index", "i64").replace("i12", "i16")
    if not declared.startswith("tensor"):
        return f"tensor<{declared}>" == found
    sizes, found_sizes = declared.split("x"), found.replace("tensor<", "").split("x")
    sizes[0] = sizes[0].replace("tensor<", "")
    return len(sizes) == len(found_sizes) and all(a in ("?", b) for a, b in zip(sizes, found_sizes))


def npy(array, kind):
    array = array.astype(np.float32) if array.dtype == ml_dtypes.bfloat16 else array
    if array.dtype.name in ("int2", "int4"):
        # The bytes of the package have zeros in the high bits; results are extended by their sign.
        array = array.view(np.int8) if kind == "in" else array.astype(np.int8)
    elif array.dtype.name.startswith("float") and array.dtype.itemsize == 1:
        array = array.view(np.int8)
    file = io.BytesIO()
    np.save(file, array if array.ndim == 0 else np.ascontiguousarray(array))
    return file.getvalue()


main()
