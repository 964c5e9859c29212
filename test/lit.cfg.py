# Runs the same files as `cargo test --test lit`, with LLVM's own lit: `lit test`.
# LOOPWRIGHT_BIN is the folder of the built tools (target/debug if not set); build them first with cargo.
import os

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
tools = os.path.abspath(os.environ.get("LOOPWRIGHT_BIN", os.path.join(here, "..", "target", "debug")))
llvm = os.path.join(os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22"), "bin")

config.name = "Loopwright"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir"]
config.excludes = ["Inputs", "effect", "models", "integration"]
config.test_source_root = here
config.test_exec_root = os.path.join(tools, "lit")
config.environment["PATH"] = os.pathsep.join([tools, llvm, os.environ["PATH"]])
# `cargo test` refreshes only this copy of the library, not the one beside the tools.
config.substitutions.append(("%{plugin}", os.path.join(tools, "deps", "libloopwright_plugin.so")))
config.substitutions.append(("%{cuda}", os.path.join(tools, "deps", "libptx_emulator_cuda.so")))
