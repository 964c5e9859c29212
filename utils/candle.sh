#!/usr/bin/env bash
# Builds and runs examples/candle: a custom op of candle that Loopwright compiles. It is compared with candle's own ops.
#
# The example is not a member of the workspace and not part of CI: candle-core brings about 60 packages that nothing else here
# needs, and each build of the workspace would compile them. The example has its own Cargo.lock and target folder. The first
# build compiles Loopwright too, and needs access to the registry of Rust packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../examples/candle"

../../utils/install-deps.sh
# shellcheck source=/dev/null
command -v cargo >/dev/null || . "$HOME/.cargo/env"
cargo run --quiet --locked
