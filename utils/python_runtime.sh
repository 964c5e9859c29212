#!/usr/bin/env bash
# Builds the Python module without the compiler, and checks that it needs no LLVM, and runs a library that lw-compile has made.
# LOOPWRIGHT_TOOLS names the folder of lw-compile; by default, cargo builds it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
  printf 'python_runtime: %s\n' "$*" >&2
  exit 1
}
# In a folder of its own: with other features, cargo would build the libraries of the usual target folder again each time.
build=${CARGO_TARGET_DIR:-target}/python_runtime
CARGO_TARGET_DIR=$build cargo build --locked -p loopwright-python --no-default-features --lib \
  --config profile.dev.package.ptx-emulator.opt-level=1
if [ -z "${LOOPWRIGHT_TOOLS:-}" ]; then
  cargo build --locked --bin lw-compile
  LOOPWRIGHT_TOOLS=${CARGO_TARGET_DIR:-target}/debug
fi
for python in "${LOOPWRIGHT_PYTHON:-python3}" /usr/bin/python3; do
  "$python" -c 'import numpy' 2>/dev/null && break
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r crates/loopwright-python/python/loopwright "$work/loopwright"
cp "$build/debug/libloopwright_python.so" "$work/loopwright/_native.abi3.so"
needed=$(ldd "$work/loopwright/_native.abi3.so")
grep -E 'LLVM|MLIR' <<<"$needed" && fail "the module needs the libraries above"
LOOPWRIGHT_CACHE='' "$LOOPWRIGHT_TOOLS/lw-compile" examples/row_sum.mlir --name row_sum -o "$work/row_sum.so"
PYTHONPATH=$work "$python" -W error - "$work/row_sum.so" <<'EOF'
import sys

import loopwright
import numpy

x, y, sums = (numpy.load(f"examples/row_sum.{name}.npy") for name in ("x", "y", "out"))
row_sum = loopwright.load(sys.argv[1])
numpy.testing.assert_allclose(row_sum(x, y), sums, rtol=1e-6)
for refused in (loopwright.compile, loopwright.Schedule):
    try:
        refused("examples/row_sum.mlir")
        sys.exit("found no error, expected one: there is no compiler")
    except RuntimeError as error:
        assert "has no compiler" in str(error), error
print(row_sum)
EOF
