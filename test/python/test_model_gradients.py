# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imported models, differentiated: loss and every gradient are JAX's, in f64.

Nothing is raised here: attention, norms and loss stay StableHLO, and their rules are
tested. `test_partition_values` does the same with raised programs."""

import evaluation
import model_programs
import numpy as np
import pytest

CONFIGURATIONS = {
    **{f"{kind}_odd": (kind, model_programs.ODD) for kind in ("full", "svd", "cola", "lax")},
    "cola_tied": ("cola", {"tied": True}),
    "cola_scan": ("cola", {"scan": True}),
    "lax_cola_scan": ("lax", {"host": "cola", "scan": True}),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_gradients_are_jax_s(name):
    kind, overrides = CONFIGURATIONS[name]
    model = model_programs.make_model(kind, **overrides)
    program = evaluation.load(model.text, "--boost-import-pipeline", "--boost-differentiate", "--cse")
    results = program.run("gradient", model.inputs)
    loss, gradients = model.value_and_grad()
    np.testing.assert_allclose(results["loss"], loss, rtol=1e-12)
    assert set(results) == {"loss"} | {f"grad.{name}" for name in gradients}
    for name, expected in gradients.items():
        error = np.linalg.norm(results[f"grad.{name}"] - expected)
        assert error <= 1e-11 * np.linalg.norm(expected), f"{name}: {error}"
