# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The releases of JAX that `export` is tested with.

It reads what JAX traces, which changes between releases: in a release that it does not know it
would miss gradients that get lost. `python/pyproject.toml` has the same range.
"""

from __future__ import annotations

import jax

OLDEST, BELOW = "0.10", "0.11"
REQUIREMENT = f"jax>={OLDEST},<{BELOW}"


def unsupported_version() -> str | None:
    """Returns why the installed release is not supported, or None."""
    numbers = lambda text: tuple(map(int, text.split(".")))
    if numbers(OLDEST) <= jax.__version_info__ < numbers(BELOW):
        return None
    return (
        f"JAX {jax.__version__} is installed, and export knows those from {OLDEST} to below "
        f"{BELOW} only; pip install '{REQUIREMENT}'"
    )
