#!/usr/bin/env bash
# Installs Loopwright's dependencies except Rust on Debian 12. Safe to run again: it installs only what is missing.
set -euo pipefail

# A minimal list, found by removing packages from a fresh Debian 12 until the build or a check failed.
packages=(
  llvm-22-dev     # headers, llvm-config, static libraries; depends on llvm-22-tools (FileCheck, not), libxml2-dev, libz3-dev
  libmlir-22-dev  # headers, the shared libMLIR, the archives of the C API
  mlir-22-tools   # mlir-tblgen, mlir-opt
  clang-22        # compiles our C++; depends on libclang, with which bindgen reads headers
  libclang-rt-22-dev # AddressSanitizer, for the CMake preset asan
  libpolly-22-dev # llvm-config lists Polly among the static libraries
  libzstd-dev     # the static LLVM libraries ask the linker for zstd and z
  zlib1g-dev
  cmake           # for the CMake build
  ninja-build
  python3-numpy   # for the tests of the Python package; depends on python3
  valgrind        # counts instructions for `cargo bench --bench scale`
)
rust_needed=1.95

fail() {
  printf 'install-deps: %s\n' "$*" >&2
  exit 1
}

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

check_rust() {
  local need="Rust $rust_needed or newer is needed: install it with rustup, then run this again" found
  if ! command -v cargo >/dev/null && [ -f "${HOME:-}/.cargo/env" ]; then
    # shellcheck source=/dev/null
    . "$HOME/.cargo/env"
  fi
  command -v cargo >/dev/null || fail "cargo not found. $need"
  found=$(cargo --version 2>/dev/null | cut -d' ' -f2) || fail "cargo does not run. $need"
  if [ "$(printf '%s\n' "$rust_needed" "$found" | sort -V | head -n 1)" != "$rust_needed" ]; then
    fail "cargo is $found. $need"
  fi
}

check_rust

# Rust links with cc, and a crate that we depend on compiles C++ with c++: g++ provides both.
command -v cc >/dev/null && command -v c++ >/dev/null || packages+=(g++)

missing=()
if command -v dpkg-query >/dev/null; then
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
else
  missing=("${packages[@]}")
fi
if [ ${#missing[@]} -eq 0 ]; then
  echo "install-deps: all present"
  exit 0
fi

system=$(sed -n 's/^ID=//p' /etc/os-release 2>/dev/null | tr -d '"') || true
if [ "$system" != debian ] || ! command -v apt-get >/dev/null; then
  fail "this is not Debian (${system:-unknown system}). Install what corresponds to these Debian packages yourself: ${missing[*]}"
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "neither root nor sudo. Have an administrator install: ${missing[*]}"
  as_root=(sudo)
fi
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)

echo "install-deps: installing ${missing[*]}"
"${apt[@]}" update
for package in "${missing[@]}"; do
  apt-cache show "$package" >/dev/null 2>&1 ||
    fail "apt-get knows no package $package. LLVM 22 is in Debian 12 with its security archive: is that among the sources?"
done
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null
echo "install-deps: done"
