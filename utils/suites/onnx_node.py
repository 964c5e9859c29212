#!/usr/bin/env python3
"""The ONNX project's own node tests (they ship inside the PyPI package onnx) as cases of run.py.

    onnx_node.py OUT              # OUT/<case>/{model.onnx, in0.npy, .., out0.npy, .., tolerance}; prints how many

Needs: pip install onnx==1.23.2 numpy. Cases with strings, sequences, optionals, random ops, training ops or
complex numbers are left out and counted. A float of at most 8 bits is written as its bit pattern.
"""
import collections, pathlib, sys
import numpy as np

OURS = {"float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"}
# Integers of a few bits, and floats of at most 8, which other importers may lack.
NARROW = {"int2", "uint2", "int4", "uint4", "float4_e2m1fn", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"}
LEFT_OUT = {"SequenceMap", "RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli",
           "Multinomial", "Dropout", "Adam", "Adagrad", "Momentum", "Gradient", "StringNormalizer", "StringConcat", "StringSplit",
           "RegexFullMatch", "TfIdfVectorizer", "ImageDecoder", "Optional", "OptionalHasElement", "OptionalGetElement"}


def array(value, types):
    """A tensor of the suite as an ndarray of one of some types, or None."""
    import onnx
    if isinstance(value, onnx.TensorProto):
        if value.data_type == onnx.TensorProto.STRING:
            return None
        value = onnx.numpy_helper.to_array(value)
    if not isinstance(value, np.ndarray) and not np.isscalar(value):
        return None
    value = np.asarray(value)
    return value if value.dtype.name in types else None


def plain_cases(types=OURS):
    """The cases of tensors of some element types, as (case, its model, inputs, outputs, rtol); and how many are left out, by reason."""
    import onnx
    from onnx.backend.test.loader import load_model_tests
    from onnx.backend.test.case.node import collect_testcases
    left = collections.Counter(); found = []
    for case in load_model_tests(kind="node"):
        model = case.model
        if model is None:
            model = onnx.load(pathlib.Path(case.model_dir) / "model.onnx")
        ops = {node.op_type for node in model.graph.node}
        if ops & LEFT_OUT or any(node.domain not in ("", "ai.onnx") for node in model.graph.node):
            left["strings, random or other domain"] += 1; continue
        sets = case.data_sets
        if not sets:
            left["no data"] += 1; continue
        ins, outs = ([array(v, types) for v in side] for side in sets[0])
        if any(v is None for v in ins + outs) or any(not i.type.HasField("tensor_type") for i in model.graph.input):
            left["element type, sequence or optional"] += 1; continue
        # A bf16 has 8 bits, and the reference rounds each step of a function: results may differ by one unit in the last place.
        rtol = max(case.rtol, 2.0 ** -7) if any(v.dtype.name == "bfloat16" for v in outs) else case.rtol
        found.append((case, model, ins, outs, rtol))
    return found, left


def stored(value):
    """An array of a type that NumPy has."""
    name = value.dtype.name
    if name == "bfloat16":
        return value.astype(np.float32)
    if name not in NARROW:
        return value
    return value.view(np.int8) if name.startswith("float") else value.astype(np.uint8 if name.startswith("u") else np.int8)


def save(folder, case, ins, outs, rtol):
    """Writes all files of a case but the model."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, values in (("in", ins), ("out", outs)):
        for i, value in enumerate(values):
            np.save(folder / f"{kind}{i}.npy", stored(value))
    (folder / "tolerance").write_text(f"{rtol} {case.atol}\n")


def write(out):
    import onnx
    cases, left = plain_cases(OURS | NARROW)
    for case, model, ins, outs, rtol in cases:
        save(out / case.name, case, ins, outs, rtol)
        onnx.save(model, out / case.name / "model.onnx")
    print(f"{len(cases)} cases written of {len(cases) + left.total()}; left out: {dict(left)}")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
