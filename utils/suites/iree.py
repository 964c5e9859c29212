#!/usr/bin/env python3
"""IREE's end-to-end tests of the dialects linalg, tosa and tensor as cases of run.py.

    iree.py OUT --source DIR      # DIR: a checkout of IREE; OUT/<folder>.<file>.<function>/{model.mlir, in*.npy, out*.npy, tolerance}

A test is a function that compares values with constants. Here it becomes a function of arguments and results:
`util.unfoldable_constant` and `flow.tensor.dynamic_constant` are arguments, what `check.expect_*_const` compares is a result, and
`check.expect_eq` of two values is their difference, which is to be zero. `util.optimization_barrier` and `flow.tensor.tie_shape`
are left out, as are the checks inside of a branch: the result of the function says which branch ran.
Needs from PyPI: numpy, ml_dtypes, and torch-mlir (for MLIR's parser of constants).
"""
import argparse, pathlib, re, sys
import ml_dtypes
import numpy as np
from torch_mlir import ir

FOLDERS = ["linalg", "tosa_ops", "tensor_ops"]
# Types of NumPy.
ELEMENTS = "f16 f32 f64 i1 i8 i16 i32 i64".split()
# Floats that NumPy lacks. As results they are extended to f32.
SMALL = {
    "bf16": ml_dtypes.bfloat16, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "f8E5M2": ml_dtypes.float8_e5m2, "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
}
VALUE = r"%[\w$.-]+(?:#\d+)?"


def array_of(attribute):
    with ir.Context():
        value = np.array(ir.DenseElementsAttr(ir.Attribute.parse(attribute)))
    return value.astype(bool) if attribute.rstrip().endswith("xi1>") else value


def widened(bits, small):
    """The f32 of the value of a bit pattern, as a bit pattern."""
    width = np.dtype(SMALL[small]).itemsize
    value = np.array(int(bits, 16), f"u{width}").view(SMALL[small]).astype(np.float32)
    return f"0x{int(value.view(np.uint32)):08X}"


def balanced(text, start):
    """The end of the brackets that open at `start`."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "<[{(") - (text[at] in ">]})" and text[at - 1] != "-")
        if depth == 0:
            return at + 1
    sys.exit(f"iree.py: error: found no end of the brackets at: {text[start : start + 60]}")


def type_at(text, start):
    """The type that begins at `start`, and where it ends."""
    word = re.compile(r"[\w.]+").match(text, start)
    end = balanced(text, word.end()) if text[word.end() : word.end() + 1] == "<" else word.end()
    return text[start:end], end


def element(type):
    return re.sub(r"^tensor<|>$", "", type).split("x")[-1] if type.startswith("tensor") else type


def functions(text):
    """The functions of a module, as (name, private, text)."""
    for head in re.finditer(r"func\.func (private )?@(\w+)", text):
        body = head.end()
        while text[body] != "(":
            body += 1
        body = balanced(text, body)
        while text[body] != "{":
            body = balanced(text, body) if text[body] in "(<" else body + 1
        yield head[2], bool(head[1]), text[head.start() : balanced(text, body)]


class Case:
    """One test function, rewritten op by op."""

    def __init__(self, text):
        self.text, self.arguments, self.inputs, self.results, self.types = text, [], [], [], []
        self.expected, self.exact = [], True

    def take(self, pattern, rewrite):
        """Replaces each match of `pattern` up to the end that `rewrite(match)` gives, by the text that it gives."""
        while found := re.search(pattern, self.text):
            replacement, end = rewrite(found)
            self.text = self.text[: found.start()] + replacement + self.text[end:]

    def constant(self, found):
        start = found.end()
        if not self.text.startswith("dense", start):
            value, type = re.compile(r"(-?\d+) : (\w+)").match(self.text, start).groups()
            if type == "index":
                self.arguments.append(f"{found[1]}: index")
                self.inputs.append(np.int64(value))
            # An i32 is one that only the checks inside of branches read.
            return "", self.text.index("\n", start)
        end = balanced(self.text, start + len("dense"))
        colon = re.compile(r"\s*:\s*").match(self.text, end)
        type, after = type_at(self.text, colon.end())
        attribute = f"{self.text[start:end]} : {type}"
        if arrow := re.compile(r"\s*->\s*").match(self.text, after):
            wanted, after = type_at(self.text, arrow.end())
        else:
            wanted = type
        if element(type) not in ELEMENTS:
            return f"{found[1]} = arith.constant {attribute}", after
        self.arguments.append(f"{found[1]}: {wanted}")
        self.inputs.append(array_of(attribute))
        return "", after

    def forward(self, found):
        type, after = type_at(self.text, found.end())
        if self.text[after : after + 1] == "{":
            after = balanced(self.text, after)
        self.text = re.sub(re.escape(found[1]) + r"(?![\w$.-])", found[2], self.text[:found.start()] + "\n" + self.text[after:])
        return "", found.start()

    def equal_to_constant(self, found):
        end = balanced(self.text, found.end())
        type, attribute_end = type_at(self.text, re.compile(r"\s*:\s*").match(self.text, end).end())
        attribute = f"dense{self.text[found.end():end]} : {type}"
        # `)` and the type of the value
        after = re.compile(r"\s*\)\s*:\s*").match(self.text, attribute_end).end()
        type, after = type_at(self.text, after)
        self.exact &= found[1] == "eq"
        value, lines = found[2], ""
        if element(type) in SMALL:
            wide = type.replace(element(type), "f32")
            name = f"%wide{len(self.results)}"
            lines = f"{name} = arith.extf {value} : {type} to {wide}"
            attribute = re.sub(r"0x[0-9A-F]+", lambda bits: widened(bits[0], element(type)), attribute)
            value, type, attribute = name, wide, attribute.replace(f"x{element(type)}>", "xf32>")
        self.results.append(value)
        self.types.append(type)
        self.expected.append(array_of(attribute))
        return lines, after

    def equal(self, found):
        type, after = type_at(self.text, found.end())
        name = f"%difference{len(self.results)}"
        op = "arith.subf" if element(type).startswith("f") else "arith.subi"
        self.results.append(name)
        self.types.append(type)
        self.expected.append(np.zeros_like(array_of(f"dense<0> : {type}" if op == "arith.subi" else f"dense<0.0> : {type}")))
        return f"{name} = {op} {found[1]}, {found[2]} : {type}", after

    def rewrite(self):
        self.take(rf"({VALUE}) = util\.unfoldable_constant\s+", self.constant)
        self.take(rf"({VALUE}) = flow\.tensor\.dynamic_constant\s+", self.constant)
        self.barriers()
        self.take(rf"check\.expect_(?:true|false)\({VALUE}\) : \w+", lambda found: ("", found.end()))
        self.take(rf"check\.expect_(eq|almost_eq)_const\(({VALUE}), dense", self.equal_to_constant)
        self.take(rf"check\.expect_eq\(({VALUE}), ({VALUE})\)\s*:\s*", self.equal)
        types = ", ".join(self.types)
        self.text = re.sub(r"func\.func @\w+\(\)", lambda _: f"func.func @main({', '.join(self.arguments)}) -> ({types})", self.text, count=1)
        self.text = re.sub(r"return\s*}\s*$", f"return {', '.join(self.results)} : {types}\n}}\n", self.text)

    def barriers(self):
        while found := re.search(rf"({VALUE}) = (?:util\.optimization_barrier|flow\.tensor\.tie_shape) ({VALUE})\s*:\s*", self.text):
            self.forward(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    options = parser.parse_args()
    if not (options.source / "tests/e2e" / FOLDERS[0]).is_dir():
        sys.exit(f"iree.py: error: found no tests/e2e/{FOLDERS[0]} in {options.source}, expected a checkout of IREE")
    if options.out.exists():
        sys.exit(f"iree.py: error: {options.out} exists, expected a new folder for the cases")
    for folder in FOLDERS:
        for file in sorted((options.source / "tests/e2e" / folder).glob("*.mlir")):
            text = re.sub(r"(?m)//.*$| attributes \{ iree.module.export \}", "", file.read_text())
            helpers = "\n".join(line for line in text.splitlines() if re.match(r"#\w+ =", line)) + "\n"
            tests = []
            for name, private, body in functions(text):
                case = Case(body)
                if "flow.tensor.bitcast" in body:
                    print(f"left out: {folder}.{file.stem}.{name} (flow.tensor.bitcast)")
                    continue
                if private:
                    case.barriers()
                    helpers += case.text + "\n"
                    continue
                case.rewrite()
                if not case.results:
                    sys.exit(f"iree.py: error: found no check in {file}, function {name}")
                tests.append((name, case))
            for name, case in tests:
                at = options.out / f"{folder}.{file.stem}.{name}"
                at.mkdir(parents=True)
                used = helpers if "#" in case.text or "call @" in case.text else ""
                (at / "model.mlir").write_text(used + case.text)
                (at / "tolerance").write_text("0 0\n" if case.exact else "0 1e-4\n")
                for kind, arrays in (("in", case.inputs), ("out", case.expected)):
                    for i, array in enumerate(arrays):
                        np.save(at / f"{kind}{i}.npy", array)


if __name__ == "__main__":
    sys.exit(main())
