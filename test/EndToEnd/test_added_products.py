# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products that add to what is in memory already: what that saves."""

import pytest

from boost_mlir.naming import named_leaves


def without_products(model):
    """Parameters whose gradients are no products: scales of norms, and the embedding."""
    return [name for name, value in named_leaves(model.params) if value.ndim == 1 or name == "embed"]


@pytest.mark.parametrize("kind, shape", [("full", "tiny"), ("cola", "tiny"), ("cola", "bf16")])
def test_gradients_of_matrices_need_no_kernel_to_be_added(program, kind, shape):
    compiled = program(kind, shape, "1", "--accumulate=2")
    launches = compiled.plan["launches"]
    added = launches["accumulate"]["launch"] - launches["gradient"]["launch"]
    assert launches["accumulate"]["gemm"] == launches["gradient"]["gemm"]
    expected = without_products(compiled.model)
    # Of bf16, @gradient rounds the gradients of norms where @accumulate adds them.
    assert added == (expected.count("embed") if shape == "bf16" else len(expected))
