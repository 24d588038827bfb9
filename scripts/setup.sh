#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs what boost-mlir needs on Debian 12 and builds it. Idempotent: says
# what it installs and does nothing where everything is there.
#
#   scripts/setup.sh            install, configure, build everything
#   scripts/setup.sh --no-build install only
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  # compiler
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22 liblld-22-dev
  g++ cmake ninja-build ccache nlohmann-json3-dev libcli11-dev
  # runtime
  libopenblas-dev libopenmpi-dev libsodium-dev libxxhash-dev openmpi-bin
  # tests and formatting
  libgtest-dev libgmock-dev libclang-rt-22-dev clang-format-22 clang-tidy-22 python3-venv
)
# ptxas and libdevice for GPU targets, where no CUDA toolkit is.
cuda_packages=(
  nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88
  nvidia-cuda-cccl==13.0.85
)

say() { printf '\033[1m[setup]\033[0m %s\n' "$*"; }
die() { printf 'setup.sh: error: %s\n' "$*" >&2; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "installing packages needs root; run as root or install sudo"; fi
}

install_packages() {
  local missing=()
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null |
      grep -q 'ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && { say "Debian packages: all ${#packages[@]} present"; return; }
  command -v apt-get >/dev/null ||
    die "needs these packages, and apt-get is not here to install them: ${missing[*]}"
  say "Installing Debian packages: ${missing[*]}"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# What python/pyproject.toml requires, for the tests too, that is not there in a version it allows.
missing_python() {
  .venv/bin/python - <<'PYTHON'
import tomllib
from importlib import metadata
from pip._vendor.packaging.requirements import Requirement

with open("python/pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
for text in sorted({*project["dependencies"], *project["optional-dependencies"]["test"]}):
    requirement = Requirement(text)
    try:
        found = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        found = None
    if found is None or not requirement.specifier.contains(found, prereleases=True):
        print(text)
PYTHON
}

install_python() {
  [ -x .venv/bin/python ] || { say "Creating the Python environment .venv"; python3 -m venv .venv; }
  local missing
  mapfile -t missing < <(missing_python)
  local pip=(.venv/bin/python -m pip install --quiet --disable-pip-version-check)
  if [ ${#missing[@]} = 0 ]; then say "Python packages: all present"
  else
    say "Installing Python packages into .venv: ${missing[*]}"
    "${pip[@]}" "${missing[@]}"
  fi
  # -I: what PYTHONPATH shows is not there for other commands.
  .venv/bin/python -I -c "import boost_mlir" 2>/dev/null && return
  say "Installing boost_mlir itself into .venv, as a link to python/"
  "${pip[@]}" --no-deps --editable python
}

install_cuda() {
  local toolkit
  for toolkit in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda .venv/lib/python3*/site-packages/nvidia/cu13; do
    # Two of its parts: libdevice, and <nv/target>, which its headers include.
    [ -f "$toolkit/nvvm/libdevice/libdevice.10.bc" ] &&
      { [ -f "$toolkit/include/nv/target" ] || [ -f "$toolkit/include/cccl/nv/target" ]; } &&
      { say "CUDA toolkit: $toolkit"; return; }
  done
  say "Installing the CUDA compiler into .venv (107 MB): ${cuda_packages[*]}"
  .venv/bin/python -m pip install --quiet --disable-pip-version-check "${cuda_packages[@]}"
}

build() {
  say "Building (preset ci, into build/)"
  cmake --preset ci -DBOOST_MLIR_PYTHON="$PWD/.venv/bin/python" >build-configure.log 2>&1 ||
    { cat build-configure.log; die "configuring failed"; }
  rm -f build-configure.log
  # ccache takes sources with a precompiled header only if it is told so.
  CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros \
    cmake --build build --target all
}

install_packages
install_python
install_cuda
[ "${1:-}" = --no-build ] || build
