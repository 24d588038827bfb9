# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets every pytest suite import the package of this checkout."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))
