# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports: every kind and size, names, initial distributions, forms, refusals."""

import re
import resource
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from safetensors import safe_open

from boost_mlir import models
from boost_mlir.export import ExportError, export, export_model, main

KINDS = models.KINDS


def tiny(kind="cola", **overrides):
    return models.ModelConfig.of_size("tiny", kind, **overrides)


def expected_names(config):
    factors = [""] if config.kind == "full" else [".down", ".up"]
    names = {"embed", "norm"} | (set() if config.tied else {"head"})
    for layer in [""] if config.scan else [f"{i}." for i in range(config.layers)]:
        names |= {f"layers.{layer}attn.norm", f"layers.{layer}mlp.norm"}
        for linear in ("attn.q", "attn.k", "attn.v", "attn.o", "mlp.gate", "mlp.up", "mlp.down"):
            names |= {f"layers.{layer}{linear}{factor}" for factor in factors}
    return names


@pytest.mark.one_in(7)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", models.SIZES)
def test_every_kind_and_size_exports_without_weights(parse, kind, size):
    config = models.ModelConfig.of_size(size, kind)
    exported = parse(export_model(config, 2, 64, locations=False))
    assert exported.results == ["tensor<f32>"]
    assert {argument.name for argument in exported.params()} == expected_names(config)
    assert exported.named("embed").type == f"tensor<{config.vocab}x{config.d}xf32>"


@pytest.mark.parametrize("form", [{}, {"tied": True}, {"scan": True}, {"kv_heads": 2}], ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_every_argument_has_a_role_and_a_name(parse, kind, form):
    config = tiny(kind, **form)
    exported = parse(export_model(config, 4, 16))
    assert {argument.name for argument in exported.params()} == expected_names(config)
    assert all(argument.init for argument in exported.params())
    batch = [(a.name, a.role, a.init, a.type) for a in exported.arguments if a.role != "param"]
    assert batch == [
        ("tokens", "batch", None, "tensor<4x16xi32>"),
        ("targets", "batch", None, "tensor<4x16xi32>"),
    ]


def test_parameters_that_are_one_array_are_called_params(parse):
    def loss(w, x):
        return jnp.sum((x @ w) ** 2)

    arguments = np.ones((4, 3), np.float32), np.ones((2, 4), np.float32)
    exported = export(loss, *arguments)
    assert [(a.name, a.role) for a in parse(exported).arguments] == [("params", "param"), ("x", "batch")]
    assert list(exported.values) == ["params"]
    named = export(loss, *arguments, names="w", init="zeros", decay=False)
    assert [(a.name, a.init) for a in parse(named).params()] == [("w", "zeros")]
    with pytest.raises(ExportError, match="two arguments have the name 'params'"):
        export(loss, *arguments, batch_names=["params"])


def test_weights_are_stored_input_by_output(parse):
    exported = parse(export_model(tiny(kv_heads=2, rank=20), 4, 16))
    assert exported.named("layers.1.mlp.gate.down").type == "tensor<64x20xf32>"
    assert exported.named("layers.1.mlp.gate.up").type == "tensor<20x172xf32>"
    assert exported.named("layers.0.attn.k.up").type == "tensor<20x32xf32>"
    assert exported.named("head").type == "tensor<64x64xf32>"
    assert (
        parse(export_model(tiny("full"), 4, 16)).named("layers.0.mlp.down").type
        == "tensor<172x64xf32>"
    )


def test_initial_distributions_are_written(parse):
    exported = parse(export_model(tiny(), 4, 16))
    assert exported.named("embed").init == "normal:0.02"
    assert exported.named("layers.0.attn.norm").init == "ones"
    kind, std = exported.named("layers.0.attn.q.down").init.split(":")
    assert kind == "normal" and float(std) == pytest.approx((16 * 128) ** -0.25)


def test_scan_stacks_the_layers_in_one_loop(parse):
    exported = parse(export_model(tiny(scan=True, layers=5), 4, 16))
    assert exported.ops["stablehlo.while"] == 1
    assert exported.named("layers.attn.q.down").type == "tensor<5x64x16xf32>"


def test_size_of_a_scan_does_not_grow_with_depth():
    sizes = [len(export_model(tiny(scan=True, layers=n), 4, 16)) for n in (4, 40)]
    assert sizes[1] < 1.01 * sizes[0]


def test_bf16_keeps_statistics_softmax_and_loss_in_f32(parse):
    text = export_model(tiny("svd", dtype="bf16"), 4, 16, locations=False)
    exported = parse(text)
    assert {argument.type.rstrip(">").rsplit("x", 1)[-1] for argument in exported.params()} == {
        "bf16"
    }
    assert exported.results == ["tensor<f32>"]
    for line in text.splitlines():
        if any(op in line for op in ("stablehlo.rsqrt", "stablehlo.log ", "applies stablehlo.add")):
            assert "bf16" not in line, line


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_model_gives_the_same_text(kind):
    first, second = (export_model(tiny(kind), 4, 16) for _ in range(2))
    assert first == second


def test_locations_lead_to_the_source_of_the_model():
    with_locations, without = (
        export_model(tiny(), 4, 16, locations=flag) for flag in (True, False)
    )
    assert "llama.py" in with_locations and "llama.py" not in without
    assert "loc(" not in without


def test_a_seven_billion_model_takes_little_room():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    text = export_model(models.ModelConfig.of_size("7b"), 4, 4096)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert len(text) < 1e6
    assert grown < 200e3  # kB; the weights would take 11 GB


# A user's own loss.

SCALAR_LOSS = lambda params, x: jnp.sum((x @ params["w"]) ** 2)
X = jax.ShapeDtypeStruct((2, 3), np.float32)
W = {"w": jax.ShapeDtypeStruct((3, 4), np.float32)}
ONES = {"w": np.ones((3, 4), np.float32)}


def test_own_loss_takes_names_from_the_tree_and_the_signature(parse):
    def loss(params, points, *, scale=2.0):
        weights, (bias, unused) = params
        return scale * jnp.mean(points["x"] @ weights["w"] + bias)

    params = ({"w": np.ones((3, 4), np.float32)}, [np.ones(4, np.float32), np.ones(7, np.float32)])
    exported = parse(export(loss, params, {"x": np.ones((2, 3), np.float32)}))
    assert [(a.name, a.role) for a in exported.arguments] == [
        ("0.w", "param"),
        ("1.0", "param"),
        ("1.1", "param"),
        ("points.x", "batch"),
    ]


def test_own_loss_takes_given_names(parse):
    exported = parse(
        export(SCALAR_LOSS, W, X, names={"w": "weight"}, batch_names=["x0"], init={"w": "zeros"})
    )
    assert [(a.name, a.init) for a in exported.arguments] == [("weight", "zeros"), ("x0", None)]


def test_an_unused_argument_keeps_its_place(parse):
    params = {"a": X, "b": X, "c": X}
    exported = parse(export(lambda params, x: jnp.sum(params["c"] * x), params, X, init="default"))
    assert [argument.name for argument in exported.arguments] == ["a", "b", "c", "x"]


def test_variadic_batch_arguments_are_numbered(parse):
    exported = parse(
        export(lambda params, *xs: jnp.sum(params["w"]) + sum(map(jnp.sum, xs)), ONES, X, X)
    )
    assert [argument.name for argument in exported.arguments] == ["w", "xs.0", "xs.1"]


def test_keywords_stand_behind_the_others_in_the_order_of_jax(parse):
    def loss(params, first, *, z, a, **others):
        sums = (jnp.sum(value * (i + 1)) for i, value in enumerate((first, z, a["x"], others["m"])))
        return jnp.sum(params["w"]) * sum(sums)

    shapes = [jax.ShapeDtypeStruct((n, 3), np.float32) for n in range(2, 6)]
    text = export(loss, ONES, shapes[0], z=shapes[1], m=shapes[2], a={"x": shapes[3]})
    assert [(a.name, a.role, a.type) for a in parse(text).arguments] == [
        ("w", "param", "tensor<3x4xf32>"),
        ("first", "batch", "tensor<2x3xf32>"),
        ("a.x", "batch", "tensor<5x3xf32>"),
        ("m", "batch", "tensor<4x3xf32>"),
        ("z", "batch", "tensor<3x3xf32>"),
    ]
    named = export(loss, ONES, shapes[0], z=shapes[1], m=shapes[2], a={"x": shapes[3]}, batch_names=["b"])
    assert [a.name for a in parse(named).arguments] == ["w", "b", "a.x", "m", "z"]


def test_a_positional_argument_may_be_passed_by_keyword(parse):
    loss = lambda params, x, y: jnp.sum(params["w"]) * jnp.sum(x) + jnp.sum(y)
    assert [a.name for a in parse(export(loss, ONES, y=X, x=X)).arguments] == ["w", "x", "y"]
    assert [a.name for a in parse(export(loss, ONES, X, y=X)).arguments] == ["w", "x", "y"]


@pytest.mark.parametrize(
    "arguments, keywords, message",
    [
        (
            (lambda p, x: x @ p["w"], W, X),
            {},
            r"must return one scalar, but returns \(float32\[2, 4\]\)",
        ),
        ((lambda p, x: (1.0, 2.0), W, X), {}, "must return one scalar"),
        ((lambda p, x: jnp.int32(1), W, X), {}, "must be a floating-point number, but is int32"),
        ((SCALAR_LOSS, {}, X), {}, "has no parameters"),
        ((SCALAR_LOSS, W), {}, "cannot take 0 batch arguments"),
        ((SCALAR_LOSS, W, X), {"batchnames": ["a"]}, "cannot take 1 batch arguments, 'batchnames'"),
        ((SCALAR_LOSS, W, X), {"x": X}, "cannot take 1 batch arguments, 'x': multiple values"),
        (
            (SCALAR_LOSS, W, X),
            {"names": {"v": "w"}},
            "'names' must be a tree of the same structure",
        ),
        ((SCALAR_LOSS, W, X), {"names": {"w": "x"}}, "two arguments have the name 'x'"),
        (
            (SCALAR_LOSS, W, X),
            {"init": {"w": "uniform"}},
            "'w' has initialization 'uniform'; use ones",
        ),
        ((SCALAR_LOSS, W, X), {"init": {"w": "normal:abc"}}, "use ones, zeros, constant:VALUE or normal:STD"),
        ((SCALAR_LOSS, W, X), {"init": "zeros"}, "'init' must be a tree of the same structure"),
        ((SCALAR_LOSS, W, X), {"init": None}, "nothing says how 'w' start; pass arrays, or 'init'"),
        ((SCALAR_LOSS, W, X), {"init": {"w": None}}, "nothing says how 'w' start"),
        ((SCALAR_LOSS, W, X), {"decay": True}, "'decay' must be a tree of the same structure"),
        ((SCALAR_LOSS, W, X), {"decay": {"w": 0.1}}, "'w' has decay 0.1; use True or False"),
        ((SCALAR_LOSS, W, X), {"batch_names": ["a", "b"]}, "2 batch names for 1 batch arguments"),
        ((SCALAR_LOSS, W, "text"), {}, "neither an array nor a shape"),
    ],
)
def test_what_cannot_be_exported_is_refused(arguments, keywords, message):
    with pytest.raises(ExportError, match=message):
        export(*arguments, **({"init": "default"} | keywords))


@jax.custom_vjp
def straight_through(x):
    return jnp.round(x)


straight_through.defvjp(lambda x: (x, None), lambda _, g: (g,))


@jax.custom_jvp
def tripled(x):
    return x


tripled.defjvps(lambda g, ans, x: 3 * g)

# Functions of JAX with rules of ours.
rounded = jax.custom_vjp(jnp.floor)
rounded.defvjp(lambda x: (jnp.floor(x), None), lambda _, g: (g,))
sloped = jax.custom_jvp(jnp.floor)
sloped.defjvp(lambda primals, tangents: (jnp.floor(*primals), *tangents))
each_sloped = jax.custom_jvp(jnp.floor)
each_sloped.defjvps(lambda g, ans, x: g)


def solved(w):
    """The root of y^2 = w by ten steps, whose gradient is that of the root."""

    def solve(f, y):
        return jax.lax.fori_loop(0, 10, lambda _, y: y - f(y) / (2 * y), y)

    return jax.lax.custom_root(
        lambda y: y * y - w, jnp.ones_like(w), solve, lambda g, y: y / g(jnp.ones_like(y))
    )


def halved(w):
    return jax.lax.custom_linear_solve(lambda y: 2 * y, w, lambda _, b: b / 2, symmetric=True)


def by_largest(w):
    return w / jax.lax.stop_gradient(jnp.max(jnp.abs(w)))


@pytest.mark.parametrize(
    "function, message",
    [
        (straight_through, r"test_export.py:.*'straight_through' with its own custom_vjp"),
        (tripled, r"test_export.py:.*'tripled' with its own custom_jvp"),
        (rounded, r"test_export.py:.*'floor' with its own custom_vjp"),
        (sloped, r"test_export.py:.*'floor' with its own custom_jvp"),
        (each_sloped, r"test_export.py:.*'floor' with its own custom_jvp"),
        (solved, "test_export.py:.*custom_root"),
        (lambda w: jnp.frexp(w)[0], r"test_export.py:.*frexp' with its own custom_jvp"),
        (lambda w: jnp.ldexp(w, 1), r"test_export.py:.*_frexp' with its own custom_jvp"),
        (halved, r"test_export.py:.*custom_linear_solve"),
        (jax.checkpoint(jax.jit(tripled)), r"'tripled' with its own custom_jvp"),
        (
            lambda w: jax.lax.scan(lambda c, _: (straight_through(c), 0), w, length=2)[0],
            "custom_vjp",
        ),
    ],
)
def test_a_gradient_that_would_get_lost_is_refused(parse, function, message):
    loss = lambda params, x: jnp.sum(x @ function(params["w"]))
    with pytest.raises(ExportError, match=message):
        export(loss, ONES, X)
    assert parse(export(loss, ONES, X, ignore_custom_gradients=True)).named("w")


def test_a_line_that_many_layers_run_is_named_once():
    other = lambda w: tripled(w)
    loss = lambda params, x: sum(jnp.sum(x @ other(params["w"])) for _ in range(2))
    with pytest.raises(ExportError) as caught:
        export(loss, ONES, X)
    assert str(caught.value).count("test_export.py") == 1
    assert "custom_jvp (x2)" in str(caught.value)


@pytest.mark.parametrize(
    "function",
    [
        jax.lax.stop_gradient,
        lambda w: jax.tree.map(jax.lax.stop_gradient, w),
        jax.vmap(jax.lax.stop_gradient),
        jnp.vectorize(jax.lax.stop_gradient),
        jax.jit(jax.lax.stop_gradient),
        jax.checkpoint(jax.lax.stop_gradient),
        by_largest,
        # Not the shift of a softmax, which is subtracted.
        lambda w: jax.lax.stop_gradient(jnp.max(w, axis=-1, keepdims=True)) - w,
        lambda w: jax.lax.scan(lambda c, _: (jax.lax.stop_gradient(c), 0), w, length=2)[0],
        lambda w: jax.lax.cond(w[0, 0] > 0, jax.lax.stop_gradient, jnp.sin, w),
    ],
)
def test_a_stopped_gradient_is_in_the_program(parse, function):
    loss = lambda params, x: jnp.sum(x @ function(params["w"]))
    assert "@boost.stop_gradient" in export(loss, ONES, X)
    assert "@boost.stop_gradient" not in export(loss, ONES, X, ignore_custom_gradients=True)


@pytest.mark.parametrize(
    "function",
    [
        jax.nn.relu,
        jax.nn.gelu,
        jax.nn.softmax,
        jax.nn.log_softmax,
        jax.nn.logsumexp,
        jax.nn.softplus,
        jax.nn.relu6,
        jax.nn.standardize,
        lambda x: jax.scipy.special.xlogy(x, x),
        jax.vmap(jax.nn.softmax),
        jax.checkpoint(jax.nn.softmax),
        lambda x: jax.nn.logsumexp(x, axis=-1, where=x > 0),
        lambda x: jax.nn.dot_product_attention(*[x.reshape(1, -1, 1, x.shape[-1])] * 3),
        jax.scipy.special.expi,
        jax.vmap(lambda x: jax.lax.cond(jnp.sum(x) > 0, jnp.sin, jnp.cos, x)),
        lambda x: x - jax.lax.stop_gradient(jnp.max(x, axis=-1, keepdims=True)),
    ],
)
def test_functions_of_jax_mean_their_true_gradient(parse, function):
    text = export(lambda p, x: jnp.sum(function(x @ p["w"])), ONES, X)
    assert parse(text) and "@boost.stop_gradient" not in text


# Initial values.


def digest_of(text):
    found = re.search(r'boost.initial_values = "(sha256:\w{64})"', text)
    return found and found.group(1)


def test_arrays_are_written_beside_the_module(tmp_path):
    params = {"w": np.arange(12.0).reshape(3, 4), "half": jnp.ones(2, jnp.bfloat16)}
    loss = lambda p, x: jnp.sum(x @ p["w"]) + jnp.sum(p["half"]).astype(jnp.float32)
    exported = export(loss, params, X)
    exported.save(tmp_path / "a.b.mlir")
    assert (tmp_path / "a.b.mlir").read_text() == exported
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.b.init.safetensors", "a.b.mlir"]
    with safe_open(tmp_path / "a.b.init.safetensors", "numpy") as file:
        assert file.metadata() == {"boost.initial_values": digest_of(exported)}
        # As JAX traced them: in f32.
        assert file.get_tensor("w").dtype == np.float32
        assert np.array_equal(file.get_tensor("w"), params["w"])
        assert file.get_tensor("half").dtype == jnp.bfloat16


def test_the_digest_is_that_of_the_values():
    digests = {
        digest_of(export(SCALAR_LOSS, {"w": w}, X))
        for w in (np.ones((3, 4)), np.ones((3, 4)), np.zeros((3, 4)), -np.zeros((3, 4)))
    }
    assert len(digests) == 3 and None not in digests


@pytest.mark.parametrize("init", ["default", {"w": "default"}, {"w": "zeros"}], ids=str)
def test_a_rule_in_place_of_an_array_leaves_it_out(tmp_path, init):
    exported = export(SCALAR_LOSS, ONES, X, init=init)
    exported.save(tmp_path / "model.mlir")
    assert digest_of(exported) is None
    assert [path.name for path in tmp_path.iterdir()] == ["model.mlir"]


def test_an_export_does_not_see_the_one_before(parse):
    first = export(SCALAR_LOSS, W, X, init={"w": "ones"}, decay={"w": True})
    assert parse(first).named("w").init == "ones"
    again = export(SCALAR_LOSS, W, X, init="default")
    assert parse(again).named("w").init is None and "boost.decay" not in again


def test_decay_is_written_where_it_is_given():
    exported = export(SCALAR_LOSS, W, X, init="default", decay={"w": np.bool_(False)})
    assert 'boost.decay = false, boost.name = "w"' in exported
    assert "boost.decay" not in export(SCALAR_LOSS, W, X, init="default")


# The command.


def test_command_writes_a_file(parse, tmp_path, capsys):
    path = tmp_path / "model.mlir"
    options = "--model lax --host cola --layers 3 --d 96 --heads 6 --kv-heads 2 --rank 20 --d-ff 248 --vocab 128"
    assert main([*options.split(), "--batch", "2", "--seq", "8", "-o", str(path)]) == 0
    exported = parse(path.read_text())
    assert exported.named("layers.2.attn.v.up").type == "tensor<20x32xf32>"
    assert exported.named("tokens").type == "tensor<2x8xi32>"
    assert "parameters" in capsys.readouterr().err


def test_command_names_the_nearest_even_width(tmp_path, capsys):
    command = ["--model", "cola", "--size", "1b", "--layers", "1", "-o", str(tmp_path / "model.mlir")]
    assert main(command) == 0
    assert "the width of the MLP, 5461, is odd" in (notes := capsys.readouterr().err)
    assert "--d-ff=5460 would do" in notes
    assert main([*command, "--d-ff=5460"]) == 0
    assert "note:" not in capsys.readouterr().err


def test_command_writes_to_standard_output(parse, capsys):
    assert main(["--model", "svd", "--tied", "--dtype", "bf16"]) == 0
    assert parse(capsys.readouterr().out).named("embed").type == "tensor<64x64xbf16>"


@pytest.mark.parametrize(
    "options, message",
    [
        (
            ["--model", "cola", "--heads", "7"],
            "error: the hidden size d = 64 is not a multiple of heads = 7",
        ),
        (
            ["--model", "cola", "-o", "/nonexistent/x.mlir"],
            "error: [Errno 2] No such file or directory",
        ),
    ],
)
def test_command_refuses_with_a_message(options, message, capsys):
    assert main(options) == 3
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "options, message",
    [
        ([], "--model"),
        (["--model", "lora"], "invalid choice: 'lora'"),
        (["--model", "cola", "--size", "8b"], "invalid choice: '8b'"),
        (["--model", "cola", "--rank", "0"], "must be a whole number of at least 1, but is '0'"),
        (["--model", "cola", "--rank", "r"], "must be a whole number of at least 1, but is 'r'"),
    ],
)
def test_command_explains_its_usage(options, message, capsys):
    with pytest.raises(SystemExit) as exit:
        main(options)
    assert exit.value.code == 2
    assert message in capsys.readouterr().err


def test_the_example_of_the_documentation_works(parse, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = Path(__file__).resolve().parents[2] / "docs" / "HowTo" / "ExportALoss.md"
    example = page.read_text().split("```python\n")[1].split("```")[0]
    scope = {}
    exec(example, scope)
    assert [(a.name, a.role, a.init) for a in parse(scope["text"]).arguments] == [
        ("layers.0.down", "param", "normal:0.1"),
        ("layers.0.up", "param", "normal:0.1"),
        ("x", "batch", None),
        ("y", "batch", None),
    ]
