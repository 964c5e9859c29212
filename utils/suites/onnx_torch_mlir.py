#!/usr/bin/env python3
"""The node tests of ONNX (see onnx_node.py), imported and converted by torch-mlir, as cases of run.py.

    onnx_torch_mlir.py OUT [NAME..]     # OUT/<case>/{model.mlir (linalg on tensors), tosa.mlir, in*.npy, out*.npy, tolerance}

A case has the forms that torch-mlir converts it to; one without a form is left out. Prints how many there are of each form, and how
many of each fail, by the step that fails.
Needs from PyPI: torch-mlir, onnx, numpy.
"""
import collections, os, pathlib, signal, sys, warnings

import onnx
from torch_mlir.dialects import torch as torch_d
from torch_mlir.extras import onnx_importer
from torch_mlir.ir import Context
from torch_mlir.passmanager import PassManager

import onnx_node

warnings.filterwarnings("ignore")
TO_TORCH = "builtin.module(torch-onnx-to-torch-backend-pipeline)"
FORMS = {
    "model.mlir": "builtin.module(torch-backend-to-linalg-on-tensors-backend-pipeline)",
    "tosa.mlir": "builtin.module(torch-backend-to-tosa-backend-pipeline)",
}


def convert(model, form, target):
    """Writes a form of a model. Prints each step before it starts, and `done`. Runs in a process of its own, since torch-mlir may abort."""
    with Context() as context:
        torch_d.register_dialect(context)
        print("importer", flush=True)
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
        model.graph.name = "main"
        info = onnx_importer.ModelInfo(model)
        module = info.create_module(context=context)
        onnx_importer.NodeImporter.define_function(info.main_graph, module.operation).import_all()
        for step, pipeline in (("torch", TO_TORCH), (form, FORMS[form])):
            print(step, flush=True)
            PassManager.parse(pipeline).run(module.operation)
    target.write_text(str(module))
    print("done", flush=True)


def last_step(model, form, target):
    """The step at which the conversion stops, or `done`."""
    read, write = os.pipe(); child = os.fork()
    if child == 0:
        os.dup2(write, 1); os.dup2(os.open(os.devnull, os.O_WRONLY), 2); signal.alarm(60)
        try: convert(model, form, target)
        except Exception: pass
        sys.stdout.flush(); os._exit(0)
    os.close(write)
    with os.fdopen(read) as lines: steps = lines.read().split()
    os.waitpid(child, 0)
    return steps[-1] if steps else "start"


def write(out, names):
    cases, left = onnx_node.plain_cases()
    if unknown := set(names) - {case.name for case, *_ in cases}:
        sys.exit(f"onnx_torch_mlir.py: error: found {', '.join(sorted(unknown))}, expected names of ONNX's node tests on plain tensors")
    cases = [it for it in cases if not names or it[0].name in names]
    found = {form: collections.Counter() for form in FORMS}
    for case, model, ins, outs, rtol in cases:
        folder = out / case.name
        folder.mkdir(parents=True, exist_ok=True)
        steps = [last_step(model, form, folder / form) for form in FORMS]
        for form, step in zip(FORMS, steps): found[form][step] += 1
        if "done" in steps: onnx_node.save(folder, case, ins, outs, rtol)
        else: folder.rmdir()
    print(f"left out before: {dict(left)}")
    for form, steps in found.items():
        print(f"{steps.pop('done', 0)} cases of {len(cases)} written as {form}; the others stop at: {dict(steps)}")


if __name__ == "__main__":
    if len(sys.argv) < 2: sys.exit(__doc__)
    write(pathlib.Path(sys.argv[1]), sys.argv[2:])
