#!/usr/bin/env bash
# Runs other projects' test suites through lw-run, and compares with the cases that passed before: one that fails now is an
# error, and new ones are added to the list (utils/suites/SUITE.FORM.txt). SUITE.FORM.wrong.txt has the cases that the exporter
# made wrong: the interpreter gives the same for the program as exported, or an assertion of the exporter fails.
#
#   utils/suites.sh [SUITE..]
#
#   onnx_node      the node tests of ONNX, as ONNX files, on x86
#   onnx_torch_mlir   the same tests converted by torch-mlir, as linalg and TOSA, on x86
#   torch_ops      PyTorch's operator database, as linalg, on x86
#   torch_models   architectures of torchvision, timm and transformers, as linalg, TOSA and ONNX on x86, and the language
#                  models as linalg on the emulator of GPUs
#   stablehlo      functions of JAX, through utils/stablehlo.py, on x86
#   tosa_conformance   the conformance tests of TOSA, on x86
#   iree           IREE's end-to-end tests of the dialects linalg, tosa and tensor, on x86
#
# Default: all. The packages come from PyPI into virtual environments: the script needs Python 3.11 and a network.
#   SUITES_FOLDER   cases and environments (default: target/suites); cases that are there are not made again
#   SUITES_PYTHON   a Python that has the packages, so that none are installed
#   SUITES_IREE   a checkout of IREE; default: it is cloned
#   LOOPWRIGHT_TOOLS   the folder of the tools (default: a release build makes them)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." # cargo reads .cargo/config.toml from here

scripts=utils/suites
folder=${SUITES_FOLDER:-${CARGO_TARGET_DIR:-target}/suites}
jobs=${SUITES_JOBS:-2}
all=(onnx_node onnx_torch_mlir torch_ops torch_models stablehlo tosa_conformance iree)
[ $# -gt 0 ] || set -- "${all[@]}"
for suite in "$@"; do
  case " ${all[*]} " in
    *" $suite "*) ;;
    *)
      echo "suites.sh: error: found the suite '$suite', expected one of ${all[*]}" >&2
      exit 2
      ;;
  esac
done
mkdir -p "$folder"

[ -n "${LOOPWRIGHT_TOOLS:-}" ] || cargo build --release --locked --bin lw-run
# Each case is compiled, and the cache of the user stays as it is.
export LOOPWRIGHT_CACHE=
run=${LOOPWRIGHT_TOOLS:-${CARGO_TARGET_DIR:-target}/release}/lw-run

# environment NAME REQUIREMENTS: sets `python` to that of a virtual environment with these packages.
environment() {
  python=${SUITES_PYTHON:-$folder/$1/bin/python}
  [ -z "${SUITES_PYTHON:-}" ] || return 0
  [ -d "$folder/$1" ] || python3 -m venv "$folder/$1"
  "$python" -m pip install --quiet --requirement "$scripts/$2"
}

# The tests are of this commit.
iree_commit=b48a5955575cf8924ffc191f3b0804976e5738b9

# checkout_of_iree: sets `iree` to a checkout.
checkout_of_iree() {
  iree=${SUITES_IREE:-$folder/iree_source}
  [ ! -d "$iree" ] || return 0
  rm -rf "$iree.part"
  git clone --quiet --filter=blob:none --no-checkout https://github.com/iree-org/iree "$iree.part"
  git -C "$iree.part" sparse-checkout set tests/e2e
  git -C "$iree.part" checkout --quiet "$iree_commit"
  mv "$iree.part" "$iree"
}

failed=0

# The models that run on the emulator, which is slow.
language=bert,roberta,distilbert,gpt2,llama,qwen2,mistral,phi,opt,t5_encoder,albert,electra,mamba

# compare SUITE FORM NAME CASES OPTION..: runs the cases of a suite that have a form; CASES is empty for all.
compare() {
  local suite=$1 form=$2 name=$3 cases=$4
  shift 4
  echo "== $suite, $name"
  "$python" "$scripts/run.py" --jobs "$jobs" --timeout 300 --form "$form" --only "$cases" \
    --pass-list "$scripts/$suite.$name.txt" "$folder/$suite" "$run" "$@" || failed=1
}

# make SUITE ARGUMENT..: makes the cases of a suite that has none. A run that is interrupted leaves none.
make() {
  local suite=$1
  shift
  [ ! -d "$folder/$suite" ] || return 0
  rm -rf "$folder/$suite.part"
  "$python" "$scripts/$suite.py" "$folder/$suite.part" "$@"
  mv "$folder/$suite.part" "$folder/$suite"
}

for suite in "$@"; do
  case $suite in
    # Its generator needs an older numpy than the others.
    tosa_conformance) environment venv-tosa requirements_tosa.txt ;;
    *) environment venv requirements.txt ;;
  esac
  case $suite in
    onnx_node)
      make onnx_node
      compare onnx_node model.onnx onnx "" --target x86
      ;;
    onnx_torch_mlir)
      make onnx_torch_mlir
      compare onnx_torch_mlir model.mlir linalg "" --target x86
      compare onnx_torch_mlir tosa.mlir tosa "" --target x86
      ;;
    torch_ops)
      make torch_ops --samples 2
      compare torch_ops model.mlir linalg "" --target x86
      ;;
    torch_models)
      make torch_models
      compare torch_models model.mlir linalg "" --target x86
      compare torch_models tosa.mlir tosa "" --target x86
      compare torch_models model.onnx onnx "" --target x86
      compare torch_models model.mlir emulator "$language" --target sm_80 --device emulator
      ;;
    stablehlo)
      make stablehlo
      compare stablehlo model.mlir linalg "" --target x86
      ;;
    tosa_conformance)
      make tosa_conformance
      compare tosa_conformance tosa.mlir tosa "" --target x86
      ;;
    iree)
      [ -d "$folder/iree" ] || checkout_of_iree
      make iree --source "${iree:-}"
      compare iree model.mlir linalg "" --target x86
      ;;
  esac
done
exit "$failed"
