# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports with an optimizer: the names and rules of states, hyper-parameters, refusals."""

import inspect
import re
from pathlib import Path
from types import SimpleNamespace

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from safetensors.numpy import load_file

from boost_mlir.export import ExportError, export

PARAMS = {
    "layers": [{"down": np.ones((4, 2), np.float32), "up": np.ones((2, 4), np.float32)}],
    "norm": np.ones(4, np.float32),
}
X = np.zeros((3, 4), np.float32)


def loss(params, x):
    layer = params["layers"][0]
    return jnp.sum(jax.nn.silu(x @ layer["down"]) @ layer["up"] * params["norm"])


def described(text, role):
    """The fields of the arguments of the update that have a role, by their name."""
    signature = re.search(r"@update\((.*?)\) -> ", text, re.DOTALL)[1]
    found = re.findall(rf'#boost.tensor<{role} "([^"]*)"((?:, \w+ = [^>{{}}]*?(?:>)?)*)>', signature)
    return {
        name: dict(re.findall(r', (\w+) = (#boost.option<.*>|\["[^]]*\]|"[^"]*"|[^,"]+)', fields))
        for name, fields in found
    }


def of_update(update, init=lambda params: ()):
    return SimpleNamespace(init=init, update=update)


def test_states_are_named_by_their_path_and_belong_to_parameters():
    text = export(loss, PARAMS, X, optimizer=optax.adam(0.1), locations=False)
    states = described(text, "state")
    assert states["optimizer.0.count"] == {"kind": '"0.count"', "init": '"zeros"'}
    assert states["optimizer.0.mu.layers.0.down"] == {
        **{"kind": '"0.mu"', "of": '"layers.0.down"', "init": '"zeros"'},
        "sample": "1.0 : f64",
    }
    assert len(states) == 7
    assert set(described(text, "gradient")) == {f"grad.{name}" for name in described(text, "param")}


def test_states_have_the_names_that_parameters_are_given():
    names = {"layers": [{"down": "a", "up": "b"}], "norm": "c"}
    text = export(loss, PARAMS, X, optimizer=optax.sgd(0.1, momentum=0.9), names=names)
    assert {name: fields["of"] for name, fields in described(text, "state").items()} == {
        f"optimizer.0.trace.{name}": f'"{name}"' for name in "abc"
    }


def test_a_state_of_another_shape_belongs_to_its_parameter_if_all_have_one():
    optimizer = optax.adafactor(0.1, min_dim_size_to_factor=2)
    states = described(export(loss, PARAMS, X, optimizer=optimizer), "state")
    assert states["optimizer.0.v_row.layers.0.down"]["of"] == '"layers.0.down"'
    assert "of" not in states["optimizer.0.count"]


def test_a_tree_of_states_of_some_parameters_belongs_to_these():
    """As Spectron keeps a vector for each factor, and none for other parameters."""

    def init(params):
        vectors = [{name: jnp.ones(2) for name in ("down", "up")}]
        return {"vector": {"layers": vectors}, "mixed": {"layers": vectors, "count": jnp.zeros(())}}

    optimizer = of_update(lambda grads, state, params: (grads, state), init)
    states = described(export(loss, PARAMS | {"skip": PARAMS["layers"][0]["down"]}, X, optimizer=optimizer), "state")
    vector = states["optimizer.vector.layers.0.up"]
    assert (vector["kind"], vector["of"]) == ('"vector"', '"layers.0.up"')
    assert "of" not in states["optimizer.mixed.layers.0.up"]


def test_states_below_the_name_of_a_parameter_belong_to_it():
    """As Shampoo and SOAP keep several for each matrix, and none or another one for a scale."""

    def init(params):
        sides = lambda leaf: {"left": jnp.eye(leaf.shape[0]), "basis": [jnp.eye(leaf.shape[1])]}
        return {
            "average": jax.tree.map(lambda leaf: sides(leaf) if leaf.ndim == 2 else {}, params),
            # Not of a parameter: others have none here.
            "layers": [{"down": {"rate": jnp.ones(3)}}],
        }

    optimizer = of_update(lambda grads, state, params: (grads, state), init)
    states = described(export(loss, PARAMS, X, optimizer=optimizer), "state")
    for name in ("down", "up"):
        left = states[f"optimizer.average.layers.0.{name}.left"]
        assert (left["kind"], left["of"]) == ('"average.left"', f'"layers.0.{name}"')
        assert states[f"optimizer.average.layers.0.{name}.basis.0"]["of"] == f'"layers.0.{name}"'
    assert "of" not in states["optimizer.layers.0.down.rate"]


def test_values_that_no_rule_gives_are_arrays_beside_the_module(tmp_path):
    def init(params):
        return {
            "half": jnp.full((2,), 0.5),
            "table": jnp.arange(3.0),
            "double": jax.tree.map(lambda leaf: 2 * leaf, params),
            "same": jax.tree.map(jnp.copy, params),
            "key": jax.random.PRNGKey(7),
        }

    optimizer = of_update(lambda grads, state, params: (grads, state), init)
    exported = export(loss, PARAMS, X, optimizer=optimizer)
    rules = {name: fields["init"] for name, fields in described(exported, "state").items()}
    assert rules["optimizer.half"] == '"constant:0.5"'
    assert rules["optimizer.table"] == rules["optimizer.key"] == '"array"'
    assert rules["optimizer.same.norm"] == '"param"'
    assert rules["optimizer.double.norm"] == '"constant:2.0"'
    exported.save(tmp_path / "loss.mlir")
    values = load_file(tmp_path / "loss.init.safetensors")
    assert set(values) == {
        *("layers.0.down", "layers.0.up", "norm", "optimizer.table", "optimizer.key"),
    }
    np.testing.assert_array_equal(values["optimizer.table"], [0, 1, 2])


def test_states_of_shapes_start_by_rules_without_an_allocation():
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct((10**6, 10**6), leaf.dtype), PARAMS)

    def large(params, x):
        return sum(jnp.sum(leaf) for leaf in jax.tree.leaves(params)) + jnp.sum(x)

    exported = export(large, shapes, X, init="default", optimizer=optax.adamw(0.1))
    assert not exported.values
    assert all(fields["init"] == '"zeros"' for fields in described(exported, "state").values())


def test_injected_numbers_are_hyper_parameters_and_scheduled_ones_states():
    optimizer = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.inject_hyperparams(optax.sgd)(
            learning_rate=optax.linear_schedule(0.1, 0, 10), momentum=0.9
        ),
    )
    text = export(loss, PARAMS, X, optimizer=optimizer)
    hypers = described(text, "hyper")
    assert set(hypers) == {"hyper.momentum"}
    assert "default = 0.9 : f64" in hypers["hyper.momentum"]["option"]
    rate = described(text, "state")["optimizer.1.hyperparams.learning_rate"]
    assert rate["init"] == '"constant:0.10000000149011612"'


def test_hyper_parameters_of_groups_have_the_name_of_the_group():
    groups = {name: optax.inject_hyperparams(optax.sgd)(learning_rate=0.1) for name in ("a", "b")}
    labels = {"layers": "a", "norm": "b"}
    text = export(loss, PARAMS, X, optimizer=optax.multi_transform(groups, labels))
    assert set(described(text, "hyper")) == {"hyper.a_learning_rate", "hyper.b_learning_rate"}


def test_narrow_parameters_have_masters():
    narrow = jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), PARAMS)
    text = export(loss, narrow, X, optimizer=optax.sgd(0.1, momentum=0.9))
    masters = {
        name: fields
        for name, fields in described(text, "state").items()
        if fields["kind"] == '"master"'
    }
    assert set(masters) == {"master.layers.0.down", "master.layers.0.up", "master.norm"}
    assert masters["master.norm"]["init"] == '"param"'


def extra(grads, state, params, *, value):
    return grads, state


REFUSED = {
    "no optimizer": (
        0.1,
        "expects an optimizer with functions init(params) and update(grads, state, params)",
    ),
    "state": (
        of_update(lambda grads, state, params: (grads, state), lambda params: {"note": "text"}),
        "expects states that are arrays, but 'note' is 'text'",
    ),
    "whole state": (
        of_update(lambda grads, state, params: (grads, state), lambda params: "text"),
        "expects states that are arrays, but the state is 'text'",
    ),
    "shape": (
        of_update(lambda grads, state, params: (jax.tree.map(jnp.sum, grads), state)),
        "expects updates of the shape and type of the old, but 'layers.0.down' is float32[] in place "
        "of float32[4, 2]",
    ),
    "structure": (
        of_update(lambda grads, state, params: (grads["norm"], state)),
        "expects updates in a tree of the structure",
    ),
    "type": (
        of_update(
            lambda grads, state, params: (grads, state.astype(jnp.float16)), lambda params: jnp.ones(())
        ),
        "expects new states of the shape and type of the old, but the state is float16[] in place of "
        "float32[]",
    ),
    "argument": (of_update(extra), "expects an update that takes grads, state and params, but"),
    "operation": (
        of_update(
            lambda grads, state, params: (
                *(jax.tree.map(lambda leaf: jnp.fft.fft(leaf).real, grads), state),
            )
        ),
        "a Fourier transform",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_optimizer_is_refused(name):
    optimizer, message = REFUSED[name]
    with pytest.raises(ExportError) as refusal:
        export(loss, PARAMS, X, optimizer=optimizer)
    assert message in str(refusal.value)
    if name not in ("no optimizer", "operation"):
        line = inspect.unwrap(optimizer.update).__code__.co_firstlineno
        assert str(refusal.value).startswith(f"{Path(__file__)}:{line}: ")


def test_a_state_of_unknown_values_is_refused():
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), PARAMS)
    optimizer = of_update(
        lambda grads, state, params: (grads, state), lambda params: {"twice": 2 * params["norm"]}
    )
    with pytest.raises(ExportError, match="'twice' starts from the values of parameters.*pass arrays"):
        export(loss, shapes, X, init="default", optimizer=optimizer)
