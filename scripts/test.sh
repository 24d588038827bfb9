#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sets up, builds and runs every suite: lit, GoogleTest, pytest. The last line
# is `N passed, M failed` over all of them; exit code 0 when M is 0.
set -uo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh || { echo "0 passed, 1 failed"; exit 1; }
rm -f build/test/lit.xml build/test/pytest.xml

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
status=0
for suite in check-boost-lit check-boost-python; do
  cmake --build build --target "$suite" || status=1
done

# A suite that wrote no report has failed as a whole.
.venv/bin/python - build/test/lit.xml build/test/pytest.xml "$status" <<'PY'
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
