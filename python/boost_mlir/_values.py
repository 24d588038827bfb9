# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An exported loss together with the arrays that its parameters start from."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from ._files import replacing

# On the module, and in the metadata of the file of its values.
ATTRIBUTE = "boost.initial_values"


def digest(values: dict[str, np.ndarray]) -> str:
    """Equal for equal names, types, shapes and bytes."""
    result = hashlib.sha256()
    for name in sorted(values):
        value = values[name]
        result.update(f"{name}\0{value.dtype}\0{value.shape}\0".encode())
        result.update(np.ascontiguousarray(value).reshape(-1).view(np.uint8))
    return f"sha256:{result.hexdigest()}"


class Exported(str):
    """StableHLO text of a loss, and the values that `export` was given as arrays.

    `save` writes both. The text alone says that it needs its values: a program that is
    compiled from it trains with `--init FILE` or `--no-init-file`, and not otherwise.
    """

    values: dict[str, np.ndarray]

    def __new__(cls, text: str, values: dict[str, np.ndarray]):
        exported = super().__new__(cls, text)
        exported.values = values
        return exported

    def save(self, path) -> None:
        """Writes `model.mlir` and, if there are values, `model.init.safetensors` beside it,
        where the compiler finds them."""
        path = Path(path)
        if self.values:
            target = path.with_suffix(".init.safetensors")
            with replacing(target) as partial:
                save_file(self.values, partial, metadata={ATTRIBUTE: digest(self.values)})
        path.write_text(self, encoding="utf-8")
