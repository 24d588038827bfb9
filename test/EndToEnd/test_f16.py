# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums over ranks in f16 keep their range, however large the residual stream is."""

import jax
import numpy as np
import pytest
from harness import BATCH, SEQ, own_loss_error, relative_error

import boost_mlir
from boost_mlir import models, testing
from boost_mlir.naming import named_leaves

STREAM, GAMMA = 4e3, 16.0
meshes = pytest.mark.parametrize("mesh", ["tp=2", "tp=4"])


def enlarged(params):
    """A stream whose products with gamma are beyond f16, though what is normalized is not."""
    embed = params["embed"].astype(np.float32)
    layers = [
        {
            part: values | {"norm": np.float16(GAMMA) * values["norm"]}
            for part, values in layer.items()
        }
        for layer in params["layers"]
    ]
    embed *= STREAM / np.std(embed)
    assert GAMMA * np.abs(embed).max() > np.finfo(np.float16).max
    return params | {"embed": embed.astype(np.float16), "layers": layers}


@meshes
def test_large_streams_are_as_exact_as_in_jax(program, tmp_path, mesh):
    """The bounds are twice the errors of JAX's own f16 program against f64."""
    compiled = program("cola", "f16", mesh)
    model = compiled.model
    params, batch = enlarged(model.params), model.batch
    loss = models.make_loss(model.config)
    exact, gradients = testing.value_and_grad(loss, params, *batch)
    own = dict(named_leaves(jax.grad(loss)(params, *batch)))
    bound = 2 * max(relative_error(own[name], gradients[name]) for name in gradients)

    inputs = tmp_path / "inputs.safetensors"
    boost_mlir.save(inputs, params, dict(zip(("tokens", "targets"), batch)))
    outputs = compiled.evaluate(inputs)
    loss_bound = 2 * own_loss_error(loss, loss, params, batch)
    assert float(outputs["loss"]) == pytest.approx(exact, rel=loss_bound)
    for name, expected in gradients.items():
        assert relative_error(outputs[f"grad.{name}"], expected) < bound, name


@meshes
def test_only_the_first_norm_communicates_alone(program, mesh):
    """It has no earlier one that says how large the stream is."""
    compiled = program("cola", "f16", mesh)
    layers, tokens = compiled.model.config.layers, BATCH * SEQ
    for phase in ("forward", "backward"):
        sizes = [
            entry["elements"]
            for entry in compiled.plan["collectives"]
            if (entry["function"], entry["phase"], entry["component"]) == ("step", phase, "block")
        ]
        assert len(sizes) == 4 * layers + 1 and sizes.count(tokens) == 1
