#!/usr/bin/env python3
"""The ONNX project's own node tests (they ship inside the PyPI package onnx) as cases of run.py.

    onnx_node.py OUT              # OUT/<case>/{model.onnx, in0.npy, .., out0.npy, .., tolerance}; prints how many

Needs: pip install onnx==1.23.2 numpy. Cases with strings, sequences, optionals, random ops, training ops or
element types outside of ours (f32 f64 f16 bf16 i8 u8 i16 u16 i32 u32 i64 u64 bool) are left out and counted.
"""
import collections, pathlib, sys
import numpy as np

OURS = {"float32", "float64", "float16", "bfloat16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool"}
LEFT_OUT = {"SequenceMap", "RandomNormal", "RandomUniform", "RandomNormalLike", "RandomUniformLike", "Bernoulli",
           "Multinomial", "Dropout", "Adam", "Adagrad", "Momentum", "Gradient", "StringNormalizer", "StringConcat", "StringSplit",
           "RegexFullMatch", "TfIdfVectorizer", "ImageDecoder", "Optional", "OptionalHasElement", "OptionalGetElement"}


def array(value):
    """A tensor of the suite as an ndarray, or None."""
    import onnx
    if isinstance(value, onnx.TensorProto):
        if value.data_type == onnx.TensorProto.STRING:
            return None
        value = onnx.numpy_helper.to_array(value)
    if not isinstance(value, np.ndarray) and not np.isscalar(value):
        return None
    value = np.asarray(value)
    return value if value.dtype.name in OURS else None


def write(out):
    import onnx
    from onnx.backend.test.loader import load_model_tests
    from onnx.backend.test.case.node import collect_testcases
    left = collections.Counter(); n = 0
    cases = load_model_tests(kind="node")
    for case in cases:
        model = case.model
        if model is None:
            model = onnx.load(pathlib.Path(case.model_dir) / "model.onnx")
        ops = {node.op_type for node in model.graph.node}
        if ops & LEFT_OUT or any(node.domain not in ("", "ai.onnx") for node in model.graph.node):
            left["strings, random or other domain"] += 1; continue
        sets = case.data_sets
        if not sets:
            left["no data"] += 1; continue
        ins, outs = ([array(v) for v in side] for side in sets[0])
        if any(v is None for v in ins + outs) or any(not i.type.HasField("tensor_type") for i in model.graph.input):
            left["element type, sequence or optional"] += 1; continue
        folder = out / case.name; folder.mkdir(parents=True, exist_ok=True)
        onnx.save(model, folder / "model.onnx")
        for kind, values in (("in", ins), ("out", outs)):
            for i, value in enumerate(values):
                np.save(folder / f"{kind}{i}.npy", value.astype(np.float32) if value.dtype.name == "bfloat16" else value)
        # A bf16 has 8 bits, and the reference rounds each step of a function: results may differ by one unit in the last place.
        rtol = max(case.rtol, 2.0 ** -7) if any(v.dtype.name == "bfloat16" for v in outs) else case.rtol
        (folder / "tolerance").write_text(f"{rtol} {case.atol}\n"); n += 1
    print(f"{n} cases written of {len(cases)}; left out: {dict(left)}")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
