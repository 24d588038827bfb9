# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets every pytest suite import the package of this checkout, and JAX compile quickly."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

# Most functions of the oracles run once or a few times, so that compiling takes longer than running.
os.environ.setdefault(
    "XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
)
