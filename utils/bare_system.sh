#!/usr/bin/env bash
# Installs the .deb in a new Debian 12 that has nothing else, and runs a model there:
#   utils/bare_system.sh build/release/loopwright_0.1.0_amd64.deb [SOURCES.list|MIRROR]..
# Needs root and mmdebstrap. The other arguments are where Debian's packages are, as mmdebstrap takes them; by default, the usual
# mirrors. LLVM 22 is in the security archive.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

deb=${1:?the path of a .deb}
shift
model="lw-run row_sum.mlir --input row_sum.x.npy --input row_sum.y.npy --check row_sum.out.npy"
mmdebstrap --variant=minbase --format=null bookworm /dev/null "$@" \
  --customize-hook="mkdir \"\$1/model\" && cp $(printf '%q' "$deb") examples/row_sum.* \"\$1/model\"" \
  --customize-hook='chroot "$1" sh -ec "cd /model && ! command -v cc && apt-get install -y --no-install-recommends ./*.deb"' \
  --customize-hook="chroot \"\$1\" sh -ec 'cd /model && lw-run --version && $model --schedule row_sum.schedule.mlir --target x86 && $model --target sm_80 --device emulator'"
echo "$deb runs on a bare system"
