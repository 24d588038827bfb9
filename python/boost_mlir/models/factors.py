# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two factors in the place of a dense weight."""

from __future__ import annotations

import numpy as np


def factor(weight, rank: int):
    """Factors a weight [d_in, d_out] by its singular value decomposition.

    Returns the factors as a linear of `boost_mlir.models` holds them, `down` [d_in, r] and `up`
    [r, d_out] with r = min(rank, d_in, d_out), and the squared Frobenius norms of the error of their
    product and of the weight. No product of this rank is nearer. Each factor gets the roots of the
    singular values, so that both have one scale. The factors have the type of the weight, and the
    error includes the rounding to it.
    """
    wide = np.asarray(weight, np.promote_types(weight.dtype, np.float32))
    left, singular, right = np.linalg.svd(wide, full_matrices=False)
    roots = np.sqrt(singular[:rank])
    factors = {
        "down": np.ascontiguousarray(left[:, :rank] * roots).astype(weight.dtype),
        "up": np.ascontiguousarray(roots[:, None] * right[:rank]).astype(weight.dtype),
    }
    product = factors["down"].astype(wide.dtype) @ factors["up"].astype(wide.dtype)
    return factors, (_squared_norm(wide - product), _squared_norm(wide))


def _squared_norm(array) -> float:
    return float(np.sum(np.square(array), dtype=np.float64))
