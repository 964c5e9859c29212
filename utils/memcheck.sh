#!/usr/bin/env bash
# Runs the tests of the runtime, and those of the compiler that reach its unsafe code, under valgrind's memcheck.
# Non-zero exit on a use of freed or undefined memory. Needs valgrind; takes about ten minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

checker="valgrind -q --error-exitcode=9 --leak-check=no --suppressions=$PWD/utils/memcheck.supp"
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=$checker
cargo test --locked -p loopwright-runtime --lib --tests -- --test-threads=1
cargo test --locked --lib -- --test-threads=1 ffi:: ir:: interpreter:: nest:: pipeline:: schedule:: verify::
