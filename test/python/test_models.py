# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decoders: shapes, published sizes, what each kind computes."""

import jax
import numpy as np
import pytest

from boost_mlir import models
from boost_mlir.naming import named_leaves
from boost_mlir.testing import value_and_grad

ODD = dict(layers=3, d=96, heads=6, kv_heads=2, rank=20, d_ff=248)


def batch(vocab=64, shape=(2, 9)):
    tokens = np.random.default_rng(1).integers(0, vocab, shape, dtype=np.int32)
    return tokens[:, :-1], tokens[:, 1:]


def loss_of(config, params):
    return value_and_grad(models.make_loss(config), params, *batch())


@pytest.mark.parametrize(
    "size, kind, expected",
    [
        ("demo", "cola", 10.27e6),
        ("60m", "full", 58.07e6),
        ("350m", "full", 367.97e6),
        ("7b", "full", 6.738e9),
        ("7b", "cola", 2.821e9),
        ("13b", "full", 13.016e9),
        ("30b", "full", 32.53e9),
    ],
)
def test_parameter_counts_are_the_published_ones(size, kind, expected):
    assert models.parameter_count(models.ModelConfig.of_size(size, kind)) == pytest.approx(
        expected, rel=1e-3
    )


def test_block_parameters_follow_the_formulas():
    d, d_ff, r, layers = 4096, 11008, 1024, 32
    outside = 2 * 32000 * d + d
    full = models.parameter_count(models.ModelConfig.of_size("7b", "full"))
    svd = models.parameter_count(models.ModelConfig.of_size("7b", "svd"))
    assert full == outside + layers * (4 * d * d + 3 * d * d_ff + 2 * d)
    assert svd == outside + layers * (8 * d * r + 3 * (d + d_ff) * r + 2 * d)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", models.KINDS)
@pytest.mark.parametrize("shape", [{}, ODD], ids=["tiny", "odd"])
def test_loss_starts_near_the_logarithm_of_the_vocabulary(kind, shape):
    config = models.ModelConfig.of_size("tiny", kind, **shape)
    value, gradients = loss_of(config, models.init_params(config, 0))
    assert value == pytest.approx(np.log(64), rel=0.02)
    assert all(np.all(np.isfinite(g)) and np.any(g != 0) for g in gradients.values())


@pytest.mark.parametrize("kind", models.KINDS)
def test_values_have_the_abstract_shapes_and_types(kind):
    config = models.ModelConfig.of_size("tiny", kind, kv_heads=2, dtype="bf16")
    describe = lambda tree: jax.tree.map(lambda leaf: (leaf.shape, leaf.dtype), tree)
    assert describe(models.init_params(config)) == describe(models.abstract_params(config))


def test_initial_values_depend_on_seed_and_name_only():
    deep = models.init_params(models.ModelConfig.of_size("tiny", layers=3), 5)
    shallow = models.init_params(models.ModelConfig.of_size("tiny", layers=1), 5)
    other = models.init_params(models.ModelConfig.of_size("tiny", layers=1), 6)
    q = lambda params: params["layers"][0]["attn"]["q"]["down"]
    assert np.array_equal(q(deep), q(shallow))
    assert not np.array_equal(q(shallow), q(other))
    assert not np.array_equal(q(deep), deep["layers"][1]["attn"]["q"]["down"])


def test_initial_values_follow_their_distribution():
    config = models.ModelConfig.of_size("tiny", d=256, vocab=512)
    specs = dict(named_leaves(models.init_specs(config)))
    for name, value in named_leaves(models.init_params(config)):
        if specs[name] == "ones":
            assert np.all(value == 1)
        else:
            assert np.std(value) == pytest.approx(float(specs[name].split(":")[1]), rel=0.05), name


def test_factors_have_the_standard_deviation_of_cola():
    config = models.ModelConfig.of_size("tiny", rank=16)
    layer = models.init_specs(config)["layers"][0]
    assert layer["attn"]["q"]["down"] == layer["attn"]["q"]["up"]
    assert float(layer["attn"]["q"]["down"].split(":")[1]) == pytest.approx((16 * 128) ** -0.25)
    assert float(layer["mlp"]["down"]["up"].split(":")[1]) == pytest.approx(
        (16 * (64 + 172)) ** -0.25
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", models.KINDS)
def test_scan_computes_what_the_loop_computes(kind):
    loop = models.ModelConfig.of_size("tiny", kind)
    scan = models.ModelConfig.of_size("tiny", kind, scan=True)
    params = models.init_params(loop)
    stacked = dict(params, layers=jax.tree.map(lambda *leaves: np.stack(leaves), *params["layers"]))
    assert loss_of(scan, stacked)[0] == pytest.approx(loss_of(loop, params)[0], rel=1e-12)


def test_tied_head_is_the_transposed_embedding():
    tied, untied = (models.ModelConfig.of_size("tiny", tied=flag) for flag in (True, False))
    params = models.init_params(tied)
    assert "head" not in params
    value, gradients = loss_of(tied, params)
    same = dict(params, head=params["embed"].T)
    expected, parts = loss_of(untied, same)
    assert value == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(
        gradients["embed"], parts["embed"] + parts["head"].T, rtol=1e-9, atol=1e-12
    )


def test_grouped_query_attention_repeats_key_and_value_heads():
    grouped = models.ModelConfig.of_size("tiny", "full", kv_heads=2)
    full = models.ModelConfig.of_size("tiny", "full")
    params = models.init_params(grouped)

    def repeat(weight):
        return np.repeat(weight.reshape(64, 2, 16), 2, axis=1).reshape(64, 64)

    spread = [
        dict(
            layer,
            attn=dict(layer["attn"], k=repeat(layer["attn"]["k"]), v=repeat(layer["attn"]["v"])),
        )
        for layer in params["layers"]
    ]
    assert loss_of(full, dict(params, layers=spread))[0] == pytest.approx(
        loss_of(grouped, params)[0], rel=1e-12
    )


def test_lax_adds_the_raw_latent_of_the_previous_block():
    config = models.ModelConfig.of_size("tiny", "lax")
    params = models.init_params(config)
    seen = []
    original = models.llama.project

    def record(config, x, weight, previous=None):
        output, latent = original(config, x, weight, previous)
        expected = (x @ weight["down"] + (0 if previous is None else previous)) @ weight["up"]
        seen.append((previous, latent, np.allclose(output, expected, rtol=1e-5, atol=1e-6)))
        return output, latent

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models.llama, "project", record)
        models.forward(config, params, batch()[0])
    first, second = seen[:7], seen[7:]
    assert all(previous is None for previous, _, _ in first)
    for (_, latent, _), (previous, _, _) in zip(first, second):
        assert previous is latent
    assert all(matches for _, _, matches in seen)


def test_a_linear_of_svd_has_at_most_the_rank_of_its_product():
    rank_of_k = lambda kind: models.abstract_params(
        models.ModelConfig.of_size("tiny", kind, kv_heads=1, rank=48)
    )["layers"][0]["attn"]["k"]["up"].shape
    assert [rank_of_k(kind) for kind in ("svd", "cola", "lax")] == [(16, 16), (48, 16), (48, 16)]


def test_heads_may_have_a_size_of_their_own():
    config = models.ModelConfig.of_size("tiny", "full", head_dim=32)
    attention = models.abstract_params(config)["layers"][0]["attn"]
    assert {name: attention[name].shape for name in "qkvo"} == {
        "q": (64, 128), "k": (64, 128), "v": (64, 128), "o": (128, 64)
    }  # fmt: skip
    value, _ = loss_of(config, models.init_params(config))
    assert value == pytest.approx(np.log(64), rel=0.02)


def test_hosts_of_lax_differ_in_their_activations():
    svd, cola = (models.ModelConfig.of_size("tiny", "lax", host=host) for host in ("svd", "cola"))
    assert (svd.activates_latent, svd.activates_gate) == (False, True)
    assert (cola.activates_latent, cola.activates_gate) == (True, False)


def test_a_token_sees_no_later_token():
    config = models.ModelConfig.of_size("tiny")
    params = models.init_params(config)
    tokens = batch()[0]
    changed = tokens.copy()
    changed[:, 5:] = (changed[:, 5:] + 1) % 64
    before, after = (np.asarray(models.forward(config, params, t)) for t in (tokens, changed))
    assert np.array_equal(before[:, :5], after[:, :5])
    assert not np.allclose(before[:, 5:], after[:, 5:])


@pytest.mark.parametrize(
    "fields, message",
    [
        (dict(kind="lora"), "unknown kind 'lora'; choose one of full, svd, cola, lax"),
        (dict(heads=5), "d = 64 is not a multiple of heads = 5"),
        (dict(kv_heads=3), "heads = 4 is not a multiple of kv_heads = 3"),
        (dict(heads=64), "rotary embedding needs an even head size"),
        (dict(head_dim=15), "rotary embedding needs an even head size, but head_dim is 15"),
        (dict(layers=0), "layers must be at least 1, but is 0"),
        (dict(dtype="f8"), "unknown dtype 'f8'"),
    ],
)
def test_an_impossible_configuration_is_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        models.ModelConfig(**fields)


def test_an_unknown_size_is_refused():
    with pytest.raises(ValueError, match="unknown size '8b'; choose one of tiny, demo, 60m"):
        models.ModelConfig.of_size("8b")
