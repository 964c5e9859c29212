"""What is in the package: type stubs, help texts, the example, and the backend of torch.compile without torch."""

import ast
import inspect
import pathlib
import runpy
import unittest
from contextlib import redirect_stdout
from io import StringIO

import loopwright
from loopwright import _native

PACKAGE = pathlib.Path(loopwright.__file__).parent


def members(thing):
    """The names of a module or class that its authors have defined."""
    special = ("__version__", "__call__", "__getitem__", "__array_interface__", "__new__")
    defined = (name for name in vars(thing) if not name.startswith("_") or name in special)
    return set(defined) - {"__new__"}


class Stubs(unittest.TestCase):
    def test_native(self):
        tree = ast.parse((PACKAGE / "_native.pyi").read_text())
        stated = {}
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                functions = (it for it in node.body if isinstance(it, ast.FunctionDef))
                stated[node.name] = {it.name for it in functions} - {"__new__"}
            elif isinstance(node, ast.FunctionDef):
                stated[node.name] = [it.arg for it in node.args.args]
            elif isinstance(node, ast.AnnAssign):
                stated[node.target.id] = None
        self.assertEqual(set(stated), members(_native))
        for name, parts in stated.items():
            thing = getattr(_native, name)
            if isinstance(parts, set):
                self.assertEqual(parts, members(thing), name)
            elif isinstance(parts, list):
                self.assertEqual(parts, list(inspect.signature(thing).parameters), name)

    def test_marker(self):
        self.assertTrue((PACKAGE / "py.typed").exists())


class Help(unittest.TestCase):
    def test_public_names_are_documented(self):
        for name in loopwright.__all__:
            self.assertTrue(getattr(loopwright, name).__doc__, name)
        for thing in (loopwright.Compiled, loopwright.Function, loopwright.Schedule):
            for name in members(thing) - {"__call__", "__getitem__"}:
                self.assertTrue(getattr(thing, name).__doc__, f"{thing.__name__}.{name}")

    def test_version(self):
        manifest = pathlib.Path("Cargo.toml").read_text()
        self.assertIn(f'version = "{loopwright.__version__}"', manifest)


class Example(unittest.TestCase):
    def test_compile_and_run(self):
        printed = StringIO()
        with redirect_stdout(printed):
            runpy.run_path("examples/python/compile_and_run.py", run_name="__main__")
        # The result of examples/c/compile_and_run.c.
        self.assertTrue(printed.getvalue().startswith("11.1073 8.15485\n"), printed.getvalue())


if __name__ == "__main__":
    unittest.main()
