# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""boost.broadcast on real ranks. A pass of the tests has every rank add a 64th of its position to the
parameters that all ranks hold, and broadcasts those of one rank: JAX says what the model computes with these."""

import jax
import pytest
from checks import GRADIENT_TOLERANCE, LOSS_TOLERANCE
from harness import CUDA, relative_error
from launcher import Ranks
from safetensors.numpy import load_file

from boost_mlir import models, testing
from boost_mlir.naming import tree_names

ROOT = 1
INSERTION = f"--insert-pass=after:partition:test-boost-broadcast-parameters{{axis=0 root={ROOT}}}"
TARGETS = {"cpu": (), "cuda": CUDA}


@pytest.fixture(scope="module", params=TARGETS)
def compiled(request, program):
    return program("cola", "tiny", "tp=2", "--placement=megatron", *TARGETS[request.param], INSERTION)


def check(compiled, outputs):
    """The loss and the gradients are those of parameters that are larger by ROOT / 64 where no rank has
    only a part."""
    model, parameters = compiled.model, compiled.info["parameters"]["tensors"]
    whole = {tensor["name"] for tensor in parameters if not any(tensor["split"])}
    assert whole
    moved = jax.tree.map(
        lambda name, value: value + ROOT / 64 if name in whole else value,
        tree_names(model.params),
        model.params,
    )
    loss, gradients = testing.value_and_grad(models.make_loss(model.config), moved, *model.batch)
    values = load_file(outputs)
    assert float(values["loss"]) == pytest.approx(loss, rel=LOSS_TOLERANCE)
    for name, gradient in gradients.items():
        assert relative_error(values[f"grad.{name}"], gradient) < GRADIENT_TOLERANCE, name


def test_over_mpi(compiled, tmp_path):
    inputs, outputs = compiled.model.inputs_file, tmp_path / "outputs.safetensors"
    compiled.launch("eval", "--inputs", inputs, "--outputs", outputs, "--gradients")
    check(compiled, outputs)
    assert any(entry["kind"] == "broadcast" for entry in compiled.info["plan"]["collectives"])


def test_over_tcp(compiled, tmp_path):
    inputs, outputs = compiled.model.inputs_file, tmp_path / "outputs.safetensors"
    ranks = Ranks(compiled, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")
    code, _, errors = ranks.wait()
    assert code == 0, errors
    check(compiled, outputs)
