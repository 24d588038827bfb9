# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A run starts from the arrays that were exported, and says so where it cannot."""

import json
import shutil

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from checks import TRAINING_TOLERANCE
from harness import BATCH, SEQ, STEPS, run, tool
from safetensors.numpy import load_file, save_file
from test_decay import DECAY, RATE, adamw_of_optax, walk_tokens

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import export
from boost_mlir.naming import named_leaves, tree_names

VOCAB, WIDTH = 24, 16


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        mask = nn.make_causal_mask(x[..., 0])
        x = x + nn.MultiHeadDotProductAttention(num_heads=2)(nn.LayerNorm()(x), mask=mask)
        return x + nn.Dense(WIDTH)(nn.gelu(nn.Dense(2 * WIDTH)(nn.LayerNorm()(x))))


class GPT(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        positions = jnp.arange(tokens.shape[1])
        x = nn.Embed(VOCAB, WIDTH)(tokens) + nn.Embed(SEQ, WIDTH)(positions)
        x = nn.LayerNorm()(Block()(x))
        return nn.Dense(VOCAB, use_bias=False)(x)


def loss(params, tokens, targets):
    log_probs = jax.nn.log_softmax(GPT().apply({"params": params}, tokens))
    return -jnp.mean(jnp.take_along_axis(log_probs, targets[..., None], axis=-1))


IDS = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)
TOKENS = walk_tokens(VOCAB)


def initial_params(seed=0):
    params = GPT().init(jax.random.key(seed), jnp.zeros((1, SEQ), jnp.int32))["params"]
    # Biases that start at zero would not show where they come from.
    return jax.tree.map(lambda leaf: leaf + 0.01 * jnp.cos(jnp.arange(leaf.size).reshape(leaf.shape)), params)


def compiled(directory, exported, *options):
    """Saves what was exported and compiles it; returns the program and the messages."""
    directory.mkdir(exist_ok=True)
    data.write_tokens(directory / "tokens.bin", TOKENS)
    exported.save(directory / "gpt.mlir")
    binary = directory / "gpt"
    result = run(
        tool("boost-compile"), directory / "gpt.mlir", "-o", binary, "--quiet", *options
    )
    return binary, result.stderr


def start(binary, *options, check=True):
    """A run that leaves the parameters as they start; what they are, and its messages."""
    saved = binary.parent / "saved.safetensors"
    saved.unlink(missing_ok=True)
    result = run(
        *(binary, "train", "--data", binary.parent / "tokens.bin", "--steps", 1, "--lr", 0),
        *("--save", saved, *options),
        check=check,
    )
    return load_file(saved) if saved.exists() else None, result


def refusal(binary, *options):
    _, result = start(binary, *options, check=False)
    assert result.returncode == 3
    assert "--init FILE" in result.stderr and "--no-init-file" in result.stderr
    return result.stderr


def same(saved, params):
    return all(np.array_equal(saved[name], leaf) for name, leaf in named_leaves(params))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    directory = tmp_path_factory.mktemp("gpt")
    params = initial_params()
    binary, messages = compiled(directory, export(loss, params, IDS, IDS))
    assert messages == ""
    return binary, params


def test_a_flax_model_trains_from_its_arrays_as_optax_does(program):
    binary, params = program
    log = binary.parent / "log.jsonl"
    result = run(
        *(binary, "train", "--data", binary.parent / "tokens.bin", "--steps", STEPS),
        *("--lr", RATE, "--min-lr", RATE, "--clip", 0, "--weight-decay", DECAY, "--log", log),
    )
    assert f"start: {binary.parent / 'gpt.init.safetensors'}" in result.stdout
    losses = [record["loss"] for record in boost_mlir.read_log(log)]
    decays = ("kernel", "embedding")
    mask = jax.tree.map(lambda name: name.rsplit(".", 1)[-1] in decays, tree_names(params))
    batches = testing.sequential_batches(TOKENS, BATCH, SEQ)
    # The positions that Flax looks up by a constant range are a table like the other.
    expected, _ = adamw_of_optax(loss, params, mask, batches)
    assert losses == pytest.approx(expected, rel=TRAINING_TOLERANCE)


def test_every_parameter_starts_from_its_array(program):
    binary, params = program
    assert same(start(binary)[0], params)


def test_rules_replace_the_arrays_on_request(program):
    binary, _ = program
    saved, result = start(binary, "--no-init-file")
    assert "start:" not in result.stdout
    info = json.loads(run(binary, "info").stdout)
    assert info["initial_values"]["file"] == str(binary.parent / "gpt.init.safetensors")
    for each in info["parameters"]["tensors"]:
        value, name = saved[each["name"]], each["name"]
        kind = name.rsplit(".", 1)[-1]
        assert each["init"] == {"scale": "ones", "bias": "zeros"}.get(kind, "normal:0.02"), name
        if kind == "scale":
            assert np.all(value == 1), name
        elif kind == "bias":
            assert np.all(value == 0), name
        else:
            assert np.std(value) == pytest.approx(0.02, rel=0.25), name


def test_a_given_file_replaces_the_arrays(program, tmp_path):
    binary, _ = program
    other = initial_params(seed=1)
    boost_mlir.save(tmp_path / "other.safetensors", other)
    assert same(start(binary, "--init", tmp_path / "other.safetensors")[0], other)


def test_the_file_may_move_with_the_program(program, tmp_path):
    binary, params = program
    for name in ("gpt", "tokens.bin", "gpt.init.safetensors"):
        shutil.copy(binary.parent / name, tmp_path / name)
    hidden = binary.parent / "hidden"
    (binary.parent / "gpt.init.safetensors").rename(hidden)
    try:
        assert same(start(tmp_path / "gpt")[0], params)
        (tmp_path / "gpt.init.safetensors").unlink()
        message = refusal(tmp_path / "gpt")
        assert str(binary.parent / "gpt.init.safetensors") in message
        assert str(tmp_path / "gpt.init.safetensors") in message
    finally:
        hidden.rename(binary.parent / "gpt.init.safetensors")


def test_a_checkpoint_needs_no_arrays(program, tmp_path):
    binary, _ = program
    for name in ("gpt", "tokens.bin"):
        shutil.copy(binary.parent / name, tmp_path / name)
    checkpoint = ("--checkpoint", tmp_path / "run", "--resume")
    start(binary, *checkpoint)
    hidden = binary.parent / "hidden"
    (binary.parent / "gpt.init.safetensors").rename(hidden)
    try:
        run(
            *(tmp_path / "gpt", "train", "--data", binary.parent / "tokens.bin", "--lr", 0),
            *("--steps", 2, *checkpoint),
        )
    finally:
        hidden.rename(binary.parent / "gpt.init.safetensors")


def test_other_arrays_than_the_exported_ones_are_refused(program, tmp_path):
    binary, params = program
    for name in ("gpt", "tokens.bin"):
        shutil.copy(binary.parent / name, tmp_path / name)
    kept = binary.parent / "gpt.init.safetensors"
    original = kept.read_bytes()
    try:
        # A later export of other values to the same place, and a file of no export.
        export(loss, initial_params(seed=1), IDS, IDS).save(binary.parent / "gpt.mlir")
        assert "holds other arrays" in refusal(binary)
        save_file({name: np.asarray(leaf) for name, leaf in named_leaves(params)}, kept)
        assert "holds other arrays" in refusal(binary)
    finally:
        kept.write_bytes(original)


def test_what_is_saved_does_not_replace_the_arrays(program):
    binary, _ = program
    file = binary.parent / "gpt.init.safetensors"
    before = file.read_bytes()
    for option in ("--save", "--log"):
        result = run(
            *(binary, "train", "--data", binary.parent / "tokens.bin", "--steps", 1),
            *(option, file),
            check=False,
        )
        assert result.returncode == 2 and "which would be lost" in result.stderr
    assert file.read_bytes() == before


def test_a_module_without_its_arrays_compiles_but_does_not_train(tmp_path):
    params = initial_params()
    text = export(loss, params, IDS, IDS)
    (tmp_path / "gpt.mlir").write_text(text)
    data.write_tokens(tmp_path / "tokens.bin", TOKENS)
    binary = tmp_path / "gpt"
    result = run(tool("boost-compile"), tmp_path / "gpt.mlir", "-o", binary)
    assert result.stderr.count("warning:") == 1
    assert f"there is no '{tmp_path / 'gpt.init.safetensors'}'" in result.stderr
    assert "was not beside the module when it was compiled" in refusal(binary)
    assert start(binary, "--no-init-file")[0] is not None
    boost_mlir.save(tmp_path / "start.safetensors", params)
    assert same(start(binary, "--init", tmp_path / "start.safetensors")[0], params)


def test_rules_and_arrays_of_one_model(tmp_path):
    """Arrays start what `init` leaves to them."""
    params = initial_params()
    init = jax.tree.map(lambda _: "zeros", params)
    init["Dense_0"]["kernel"] = None
    binary, messages = compiled(tmp_path, export(loss, params, IDS, IDS, init=init))
    assert messages == ""
    assert set(load_file(tmp_path / "gpt.init.safetensors")) == {"Dense_0.kernel"}
    saved, _ = start(binary)
    assert np.array_equal(saved.pop("Dense_0.kernel"), params["Dense_0"]["kernel"])
    assert not any(np.any(value) for value in saved.values())
