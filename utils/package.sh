#!/usr/bin/env bash
# Makes the packages (.deb and .tar.gz) and tests them: a second run makes the same bytes, and the tools run from a folder
# into which the .deb is unpacked. The argument is the preset of the build: release (the default) or dev.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

preset=${1:-release}
build=build/$preset
fail() {
  printf 'package: %s\n' "$*" >&2
  exit 1
}
# Of the last packages, and of no others.
sums() { (cd "$build" && sha256sum loopwright_*.deb loopwright-*.tar.gz); }

cmake --preset "$preset"
cmake --build --preset "$preset"
rm -f "$build"/loopwright_*.deb "$build"/loopwright-*.tar.gz
cpack --preset "$preset"
first=$(sums)
sleep 1 # The times of files in packages are in seconds.
cpack --preset "$preset"
second=$(sums)
[ "$second" = "$first" ] || fail "two runs of cpack made different packages: $first, then $second"

unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
deb=("$build"/loopwright_*.deb)
dpkg-deb --extract "${deb[0]}" "$unpacked"
tools=(lw-opt lw-run lw-compile lw-import lw-bench)
usr=$unpacked/usr
for tool in "${tools[@]}"; do
  "$usr/bin/$tool" --version
  [ -s "$usr/share/man/man1/$tool.1" ] || fail "no man page of $tool"
  # The options of lw-opt are those of MLIR's driver, so it has no completions.
  [ "$tool" = lw-opt ] && continue
  for file in bash-completion/completions/"$tool" zsh/vendor-completions/_"$tool" fish/vendor_completions.d/"$tool".fish; do
    [ -s "$usr/share/$file" ] || fail "no completions in $file"
  done
done
for file in lib/libloopwright.so include/loopwright-c/loopwright.h lib/cmake/Loopwright/LoopwrightConfig.cmake \
  share/doc/Loopwright/loopwright.cdx.json share/doc/Loopwright/LICENSES-OF-DEPENDENCIES.txt; do
  [ -s "$usr/$file" ] || fail "no $file"
done
# A build in another folder has the same bytes only if no file names this one.
if named=$(grep --recursive --files-with-matches --fixed-strings "$PWD" "$usr"); then
  fail "these name the folder of the sources: $named"
fi
LOOPWRIGHT_CACHE='' "$usr/bin/lw-run" examples/row_sum.mlir --input examples/row_sum.x.npy \
  --input examples/row_sum.y.npy --check examples/row_sum.out.npy --schedule examples/row_sum.schedule.mlir --target x86

depends=$(dpkg-deb --field "${deb[0]}" Depends | tr ',' '\n' | awk '{ print $1 }' | sort | xargs)
[ "$depends" = "libc6 libgcc-s1 libllvm22 libmlir-22 libstdc++6" ] || fail "the .deb depends on $depends"
echo "$first"
