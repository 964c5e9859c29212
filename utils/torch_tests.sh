#!/usr/bin/env bash
# Runs the tests of the Python package with PyTorch and torch-mlir, which come from PyPI (6 GB) into a virtual environment:
#   utils/torch_tests.sh [FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

venv=${1:-${CARGO_TARGET_DIR:-target}/torch}
[ -d "$venv" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --requirement <(grep -E '^(torch|torch-mlir|numpy|ml_dtypes)==' utils/suites/requirements.txt)
venv=$(cd "$venv" && pwd)
LOOPWRIGHT_PYTHON=$venv/bin/python cargo test --workspace --locked --test python
