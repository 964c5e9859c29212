#!/usr/bin/env bash
# All figures of docs/performance.md, one table after the other:
#   [CBLAS=libopenblas.so ONEDNN=libdnnl.so] benches/figures.sh [HARNESS]
# Without a harness or without the two libraries, it skips the comparison tables and prints a note.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

release=${CARGO_TARGET_DIR:-target}/release
cargo build --release --bin lw-bench --bin lw-compile

for threads in 1 2; do
  printf '\n== workloads, threads: %s\n' "$threads"
  "$release/lw-bench" --seconds 0.2 --rounds 5 --threads "$threads"
done

printf '\n== beside other compilers\n'
if [ $# -gt 0 ]; then
  benches/peers.py "$1" --lw-bench "$release/lw-bench" --threads 1,2 --rounds 3 --seconds 0.12
else
  echo "left out: give the folder of a harness"
fi

printf '\n== products of f32 matrices beside libraries\n'
if [ -n "${CBLAS:-}" ] && [ -n "${ONEDNN:-}" ]; then
  benches/gemm.py --cblas "$CBLAS" --onednn "$ONEDNN" --rounds 9 --seconds 0.05
else
  echo "left out: set CBLAS and ONEDNN to the two libraries"
fi

printf '\n== tiles in registers\n'
cargo bench --bench micro

printf '\n== loops that threads share\n'
cargo run --release -p loopwright-runtime --example pool_overhead
