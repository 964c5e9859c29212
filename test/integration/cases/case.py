"""What a case is, and the words in which the tables say its MLIR text.

A text is built of lines, `function` around them:

    main("%x: tensor<7x5xf32>", "%sum: tensor<7xf32>",
         fill("%zero", "tensor<7xf32>", "0.0"),
         generic("%sum", "ij", "j", ["%x: tensor<7x5xf32> ij"], ["%zero: tensor<7xf32> i"],
                 "%s = arith.addf %out0, %in0 : f32", "%s"))
"""

import re
from textwrap import dedent, indent
from typing import Callable, NamedTuple

import numpy as np


class Case(NamedTuple):
    name: str
    about: str
    """One line: what the case tests."""
    text: str
    variants: dict[str, list[np.ndarray]]
    """The inputs, by the name of the variant."""
    expected: Callable
    """From the inputs to the output, or to the tuple of outputs."""


ELEMENT_TYPES = {
    "bool": "i1",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "complex<f32>",
    "int2": "i2",
    "int4": "i4",
    "float4_e2m1fn": "f4E2M1FN",
    "float6_e2m3fn": "f6E2M3FN",
    "float6_e3m2fn": "f6E3M2FN",
    "float8_e3m4": "f8E3M4",
    "float8_e4m3": "f8E4M3",
    "float8_e4m3b11fnuz": "f8E4M3B11FNUZ",
    "float8_e4m3fn": "f8E4M3FN",
    "float8_e4m3fnuz": "f8E4M3FNUZ",
    "float8_e5m2": "f8E5M2",
    "float8_e5m2fnuz": "f8E5M2FNUZ",
    "float8_e8m0fnu": "f8E8M0FNU",
}


def type_of(array):
    return f"tensor<{''.join(f'{size}x' for size in array.shape)}{ELEMENT_TYPES[array.dtype.name]}>"


def signature(text):
    """The types of the arguments of @main, and those of its results or else of its {loop.result} arguments."""
    arguments, results = re.search(r"func\.func @main\((.*?)\)(?: -> \(?([^(){]*)\)?)? \{\n", text).groups()
    arguments = [it.split(": ")[1] for it in arguments.split(", ") if it]
    marked = [it.split(" ")[0] for it in arguments if it.endswith(" {loop.result}")]
    return [it.split(" ")[0] for it in arguments], results.split(", ") if results else marked


def function(name, arguments, results, *lines):
    """A function that returns `results`, such as "%a: tensor<7xf32>, %b: tensor<f32>"."""
    pairs = [it.split(": ") for it in results.split(", ") if it]
    names, types = [", ".join(it) for it in zip(*pairs)] if pairs else ("", "")
    arrow = f" -> ({types})" if len(pairs) > 1 else f" -> {types}" if pairs else ""
    lines = [*lines, f"return {names} : {types}" if pairs else "return"]
    body = "\n".join(dedent(it).strip("\n") for it in lines)
    return f"func.func {name}({arguments}){arrow} {{\n{indent(body, '  ')}\n}}\n"


def main(arguments, results, *lines):
    return function("@main", arguments, results, *lines)


def element(type):
    return re.sub(r"^(tensor|memref)<(.*x)?(\w+)>$", r"\3", type)


def constant(name, value, type="index"):
    return f"{name} = arith.constant {value}" + ("" if type == "i1" else f" : {type}")


def dim(name, tensor, type, axis):
    return f"{name}_axis = arith.constant {axis} : index\n{name} = tensor.dim {tensor}, {name}_axis : {type}"


def empty(name, type, sizes=""):
    return f"{name} = tensor.empty({sizes}) : {type}"


def fill(name, type, value, sizes=""):
    """A new tensor full of a constant; `sizes` are the values of its dynamic sizes."""
    lines = [
        constant(f"{name}_value", value, element(type)),
        empty(f"{name}_empty", type, sizes),
        f"{name} = linalg.fill ins({name}_value : {element(type)}) outs({name}_empty : {type}) -> {type}",
    ]
    return "\n".join(lines)


def generic(names, loops, reductions, ins, outs, body, yields):
    """A linalg.generic. An operand is "%name: type map", as in "%x: tensor<7x5xf32> ij"; a map that is more than
    loops in some order is written with commas, "i + k, 0". The body calls its arguments %in0 ... and %out0 ..."""
    operands = [re.fullmatch(r"(%\w+): (\S+) ?(.*)", it).groups() for it in [*ins, *outs]]
    maps = ", ".join(affine_map(loops, results) for _, _, results in operands)
    iterators = ", ".join('"reduction"' if it in reductions else '"parallel"' for it in loops)
    arguments = [f"%in{i}" for i in range(len(ins))] + [f"%out{i}" for i in range(len(outs))]
    elements = [element(type) for _, type, _ in operands]
    listed = lambda part: f"{', '.join(it[0] for it in part)} : {', '.join(it[1] for it in part)}"
    inputs, outputs = operands[: len(ins)], operands[len(ins) :]
    results = [type for _, type, _ in outputs if type.startswith("tensor")]
    lines = [
        f"{names} = " if results else "",
        f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}}",
        f" ins({listed(inputs)})" if ins else "",
        f" outs({listed(outputs)}) {{\n",
        f"^bb0({', '.join(f'{a}: {e}' for a, e in zip(arguments, elements))}):\n",
        indent(dedent(body).strip("\n") + "\n", "  ") if body else "",
        f"  linalg.yield {yields} : {', '.join(elements[len(ins):])}\n}}",
        f" -> ({', '.join(results)})" if len(results) > 1 else "".join(f" -> {it}" for it in results),
    ]
    return "".join(lines)


def affine_map(loops, results):
    results = results if "," in results or " " in results else ", ".join(results)
    return f"affine_map<({', '.join(loops)}) -> ({results})>"


def pointwise(name, type, ins, body, yields, sizes=""):
    """A generic into a new tensor, all of whose loops are parallel. An input without a map is read as the result
    is written, or is a scalar or a 0-d tensor."""
    loops = "ijklm"[: type.count("x")]
    new = f"{name}_empty"
    ins = [f"{it} {loops}" if re.search(r": tensor<.*x\w+>$", it) else it for it in ins]
    return f"{empty(new, type, sizes)}\n{generic(name, loops, '', ins, [f'{new}: {type} {loops}'], body, yields)}"


def each_op(ops, ins, type):
    """Function @main with a result for each op, such as "arith.addf %in0, %in1 : f32"; the inputs are %x0, %x1 ..."""
    arguments = [f"%x{i}: {it}" for i, it in enumerate(ins)]
    lines = [pointwise(f"%r{i}", type, arguments, f"%v = {op}", "%v") for i, op in enumerate(ops)]
    return main(", ".join(arguments), ", ".join(f"%r{i}: {type}" for i in range(len(ops))), *lines)
