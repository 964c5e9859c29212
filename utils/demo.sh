#!/usr/bin/env bash
# Runs the main job on real models: show the IR of each stage, execute, compare with the expected output.
# The last line is "demo: N checks passed"; non-zero exit when one fails.
# LOOPWRIGHT_TOOLS is the folder of the tools. By default, a release build makes them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." # cargo reads .cargo/config.toml from here

models=(sub_mul mlp convnet attention encoder_layer)
tolerance=(--rtol 1e-4 --atol 1e-4)
direct=(--execute input) # interprets the linalg model directly, without lowering it
compiled=(--target x86 --time 0.2) # compiles for this processor, and prints the median time of a call

utils/install-deps.sh
# shellcheck source=/dev/null
command -v cargo >/dev/null || . "$HOME/.cargo/env"
tools=${LOOPWRIGHT_TOOLS:-${CARGO_TARGET_DIR:-target}/release}
[ -n "${LOOPWRIGHT_TOOLS:-}" ] || cargo build --release --locked --bins --example resnet
PATH="$(cd "$tools" && pwd):$PATH"

# Each command compiles, and the cache of the user stays as it is.
export LOOPWRIGHT_CACHE=

passed=0
failed=0

heading() { printf '\n== %s\n' "$*"; }

# check PATTERN COMMAND...: the command succeeds and prints a line that matches the pattern.
check() {
  local pattern=$1 output status=0
  shift
  echo "\$ $*"
  output=$("$@" 2>&1) || status=$?
  printf '%s\n' "$output"
  if [ "$status" -ne 0 ]; then
    echo "FAILED: exit $status"
    failed=$((failed + 1))
  elif ! grep -q -- "$pattern" <<<"$output"; then
    echo "FAILED: the output has no '$pattern'"
    failed=$((failed + 1))
  else
    passed=$((passed + 1))
  fi
}

heading "The graph dialect: a fusion group"
check 'graph\.fusion' lw-opt test/models/sub_mul.graph.mlir

heading "The loop dialect: one schedule block an op"
check 'loop\.block "mul"' lw-run test/models/sub_mul.graph.mlir --compile-to loop

heading "The same with the ops of the group fused first: one schedule block"
fused='builtin.module(func.func(convert-graph-to-linalg,linalg-fuse-elementwise-ops),convert-linalg-to-loop)'
check 'loop\.block "mul"' lw-opt test/models/sub_mul.graph.mlir --pass-pipeline="$fused"

for model in "${models[@]}"; do
  at=test/models/$model
  arguments=("$at.linalg.mlir" --input "$at.in0.npy")
  [ ! -e "$at.in1.npy" ] || arguments+=(--input "$at.in1.npy")
  arguments+=(--check "$at.out.npy" "${tolerance[@]}")
  heading "$model: the interpreter runs its loop form"
  check "): passed" lw-run "${arguments[@]}"
  heading "$model: the interpreter runs linalg directly"
  check "): passed" lw-run "${arguments[@]}" "${direct[@]}"
  heading "$model: compiled for x86"
  check "): passed" lw-run "${arguments[@]}" "${compiled[@]}"
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
heading "A whole model, as an ONNX file: a residual network with random weights, and its result"
"$tools/examples/resnet" "$scratch"
check "): passed" lw-run "$scratch/resnet.onnx" --target x86 --fp fast --input "$scratch/image.npy" \
  --check "$scratch/expected.npy" "${tolerance[@]}" --profile --dump-graph "$scratch/resnet.svg"

inputs=(--input "$scratch/a.npy" --input "$scratch/b.npy")
matmul=(examples/matmul.mlir "${inputs[@]}" --threads 1 --rtol 0 --atol 0)
heading "512 x 512 matrices of small whole numbers"
check 'result 1: 512x512xf32' lw-run examples/matmul_inputs.mlir --target x86 \
  --output "$scratch/a.npy" --output "$scratch/b.npy"
heading "Their product, the loops as they are"
check 'GFLOP/s' lw-run "${matmul[@]}" --target x86 --time 0.5 --output "$scratch/c.npy"
heading "The same under a schedule: equal to the last bit"
check "): passed" lw-run "${matmul[@]}" --check "$scratch/c.npy" \
  --schedule examples/matmul.schedule.mlir --target x86 --time 0.5

echo
if [ "$failed" -ne 0 ]; then
  echo "demo: $passed checks passed, $failed failed"
  exit 1
fi
echo "demo: $passed checks passed"
