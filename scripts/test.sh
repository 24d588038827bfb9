#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets up, builds and runs every suite: lit, GoogleTest, pytest. The last line
# is `N passed, M failed` over all of them; exit code 0 when M is 0.
#
#   scripts/test.sh             as users build it (preset ci, build/)
#   scripts/test.sh --sanitize  compiler and compiled programs with address and
#                               undefined-behavior sanitizers (preset asan,
#                               build-asan/)
set -uo pipefail
cd "$(dirname "$0")/.."

preset=ci build=build
prepare() { scripts/setup.sh; }
case "${1:-}" in
  "") ;;
  --sanitize)
    preset=asan build=build-asan
    prepare() {
      scripts/setup.sh --no-build &&
        cmake --preset asan -DBOOST_MLIR_PYTHON="$PWD/.venv/bin/python" >/dev/null &&
        cmake --build --preset asan
    } ;;
  -h|--help) sed -n '3,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "test.sh: error: unknown option $1; see --help" >&2; exit 2 ;;
esac
prepare || { echo "0 passed, 1 failed"; exit 1; }
rm -f $build/test/lit.xml $build/test/pytest.xml

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
status=0
for suite in check-boost-lit check-boost-python; do
  cmake --build --preset $preset --target "$suite" || status=1
done

# A suite that wrote no report has failed as a whole.
.venv/bin/python - $build/test/lit.xml $build/test/pytest.xml "$status" <<'PY'
import sys
import xml.etree.ElementTree as ET

passed = failed = skipped = 0
for path in sys.argv[1:3]:
    try:
        cases = ET.parse(path).getroot().iter("testcase")
    except (OSError, ET.ParseError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        failed += 1
        continue
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
if sys.argv[3] != "0" and failed == 0:
    failed = 1
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(failed != 0)
PY
