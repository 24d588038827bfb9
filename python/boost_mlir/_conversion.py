# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in another type."""

from __future__ import annotations

import numpy as np


def converted(value: np.ndarray, dtype) -> np.ndarray | None:
    """The nearest values in a type; None if a finite value is beyond it."""
    with np.errstate(over="ignore"):
        result = value.astype(dtype, copy=False)
    if result.dtype != value.dtype and np.any(np.isfinite(value) & ~np.isfinite(result)):
        return None
    return result
