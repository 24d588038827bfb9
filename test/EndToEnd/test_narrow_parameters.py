# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters in bf16 without masters are warned of, and f32 parameters that the loss converts
train as before."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import BATCH, SEQ, run, tool
from safetensors.numpy import load_file

from boost_mlir import data, models, testing
from boost_mlir.export import export, export_model

IDS = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)


def compiled(directory, exported, *options):
    exported.save(directory / "model.mlir")
    binary = directory / "model"
    result = run(tool("boost-compile"), directory / "model.mlir", *options, "-o", binary)
    return binary, result.stderr


@pytest.mark.parametrize("options", [(), ("--mesh=tp=2", "--verify"), ("--accumulate=2",)])
def test_a_program_without_masters_is_warned_of_once(tmp_path, options):
    config = models.ModelConfig.of_size("tiny", "cola", dtype="bf16")
    exported = export_model(config, BATCH, SEQ)
    _, messages = compiled(tmp_path, exported, *options)
    assert "warning:" not in messages
    _, messages = compiled(tmp_path, exported, *options, "--master-weights=false")
    assert messages.count("warning:") == 1
    # Two layers of two norms and seven pairs of factors, embedding, head and last norm.
    assert "35 parameters are 'bf16' without an f32 copy" in messages
    assert "and 32 more" in messages and "master-weights=true keeps f32 copies" in messages
    # At the line where the loss is defined.
    assert "llama.py" in messages.split("warning:")[0]


def test_f32_parameters_that_the_loss_converts_move(tmp_path):
    config = models.ModelConfig.of_size("tiny", "cola")
    loss = models.make_loss(config)

    def mixed(params, tokens, targets):
        return loss(jax.tree.map(lambda p: p.astype(jnp.bfloat16), params), tokens, targets)

    params = models.init_params(config, seed=1)
    binary, messages = compiled(tmp_path, export(mixed, params, IDS, IDS))
    assert "warning:" not in messages
    tokens = np.random.default_rng(3).integers(0, config.vocab, 400).astype(np.uint16)
    data.write_tokens(tmp_path / "tokens.bin", tokens)
    run(
        *(binary, "train", "--data", tmp_path / "tokens.bin", "--steps", 3, "--lr", 1e-3),
        *("--min-lr", 1e-3, "--clip", 0, "--weight-decay", 0, "--save", tmp_path / "end.safetensors"),
    )
    end = load_file(tmp_path / "end.safetensors")
    optimizer = testing.AdamW(steps=3, lr=1e-3, min_lr=1e-3, weight_decay=0.0)
    batches = testing.sequential_batches(tokens, BATCH, SEQ)
    expected = testing.train(loss, params, optimizer, batches, decay=False).params
    for name in (name for name in end if name.endswith("norm")):
        assert end[name].dtype == np.float32
        moved, wanted = end[name] - 1, expected[name] - 1
        # Adam moves by about the rate per step, in the direction of the f64 gradient but
        # where bf16 cannot tell its sign; a bf16 scale of 1 would stay 1.
        assert np.all(moved != 0), name
        assert np.linalg.norm(moved - wanted) < 0.5 * np.linalg.norm(wanted), name
