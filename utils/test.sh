#!/usr/bin/env bash
# Installs missing dependencies, builds, and runs every test. The last line is "N passed, M failed"; non-zero exit on failure.
# A build that fails, or a test program that dies before its result line, counts as one failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

utils/install-deps.sh
# shellcheck source=/dev/null
command -v cargo >/dev/null || . "$HOME/.cargo/env"

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Fills freed memory, so that a use after free is visible.
export MALLOC_PERTURB_=85
# Default schedules are those for one machine, on whatever machine the tests run.
export LOOPWRIGHT_MACHINE=$PWD/test/machine.json
# Property tests draw the same cases in each run, so that a failure comes from the change under test.
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED:-1}
status=0
cargo test --workspace --locked --no-fail-fast "$@" 2>&1 | tee "$log" || status=$?

# Each test program ends with "test result: ok. 12 passed; 0 failed; ...".
read -r passed failed < <(
  sed -nE 's/.*test result: .* ([0-9]+) passed; ([0-9]+) failed;.*/\1 \2/p' "$log" |
    awk '{ passed += $1; failed += $2 } END { print passed + 0, failed + 0 }'
)

if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
  echo "cargo test failed outside the tests themselves (exit $status): see above"
  failed=1
elif [ "$status" -eq 0 ] && [ "$passed" -eq 0 ]; then
  echo "no test ran"
  status=1
fi
echo "$passed passed, $failed failed"
[ "$status" -eq 0 ] && [ "$failed" -eq 0 ]
