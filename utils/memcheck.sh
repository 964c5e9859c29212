#!/usr/bin/env bash
# Runs the tests of the runtime, of the C API, of the backend of the crate ort, and those of the compiler that reach its unsafe
# code, under valgrind's memcheck.
# Non-zero exit on a use of freed or undefined memory. Needs valgrind; takes a quarter of an hour after the build.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

checker="valgrind -q --error-exitcode=9 --leak-check=no --suppressions=$PWD/utils/memcheck.supp"
export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER=$checker
# valgrind itself rounds conversions of i64 to f32 twice.
cargo test --locked -p loopwright-runtime -p loopwright-pool --lib --tests -- --test-threads=1 --skip i64_is_exact_and_rounds_once_to_f32
cargo test --locked --lib -- --test-threads=1 ffi:: ir:: interpreter:: nest:: pipeline:: schedule:: verify::
# The C API, with leaks: test/linked.rs builds the program.
cargo test --locked --test linked
valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
  --suppressions="$PWD/utils/memcheck.supp" "${CARGO_TARGET_DIR:-target}/tmp/linked/project/capi" test/linked/Inputs \
  "${CARGO_TARGET_DIR:-target}/tmp/linked"
# The backend of the crate ort, with leaks.
CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="${checker/--leak-check=no/--leak-check=full --errors-for-leak-kinds=definite}" \
  cargo test --locked -p loopwright-ort --test leaks
