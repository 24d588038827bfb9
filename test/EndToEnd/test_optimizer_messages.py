# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ranks send for the update of an optimizer: sums of small matrices, never a factor."""

import json

import numpy as np
import optax
import pytest
from harness import run, tool

from boost_mlir import models, optimizers
from boost_mlir.export import export

RATE = 1e-2


@pytest.fixture(scope="module")
def messages(tmp_path_factory):
    """The collectives of a plan that are computed of gradients or later, and the model."""
    folder = tmp_path_factory.mktemp("messages")

    def plan(name, optimizer, *options, kind="cola"):
        config = models.ModelConfig.of_size("tiny", kind)
        ids = np.zeros((4, 16), np.int32)
        module = folder / f"{name}-{kind}.mlir"
        if not module.exists():
            given = models.abstract_params(config), ids, ids
            init = models.init_specs(config)
            export(models.make_loss(config), *given, init=init, optimizer=optimizer).save(module)
        run(tool("boost-compile"), module, "--emit=plan", "-o", folder / "plan.json", *options)
        plan = json.loads((folder / "plan.json").read_text())
        return config, [entry for entry in plan["collectives"] if entry["phase"] != "forward"]

    return plan


def of_update(entries):
    return [entry for entry in entries if entry["phase"] == "optimizer"]


def sizes_of(entries):
    return [tensor["elements"] for entry in entries for tensor in entry["tensors"]]


@pytest.mark.parametrize("kind", ["cola", "lax"])
@pytest.mark.parametrize("tp", [2, 4])
def test_muon_sends_a_gram_matrix_per_iteration(messages, kind, tp):
    config, entries = messages("muon", optimizers.muon(RATE), f"--mesh=tp={tp}", kind=kind)
    entries = of_update(entries)
    factors = 2 * 7 * config.layers
    assert {entry["kind"] for entry in entries} == {"all_reduce"}
    # One message for all norms, and one in each iteration for all Gram matrices.
    assert len(entries) == 1 + 5
    sizes = sizes_of(entries)
    assert sorted(sizes) == [1] * factors + [config.rank**2] * (5 * factors)


@pytest.mark.parametrize("tp", [2, 4])
def test_spectron_sends_vectors_besides(messages, tp):
    config, entries = messages("spectron", optimizers.spectron(RATE), f"--mesh=tp={tp}")
    entries = of_update(entries)
    factors = 2 * 7 * config.layers
    assert {entry["kind"] for entry in entries} == {"all_reduce"}
    assert len(entries) == 1 + 5
    # Norms of the momentum and of the image of a vector, and the vector that comes back.
    expected = [1] * (2 * factors) + [config.rank] * factors + [config.rank**2] * (5 * factors)
    assert sorted(sizes_of(entries)) == expected


@pytest.mark.parametrize("options", [("--mesh=tp=4",), ("--mesh=dp=2,tp=2",)])
def test_lazy_steps_of_loro_send_nothing(messages, options):
    _, entries = messages("lazy", optimizers.loro(RATE, period=None), *options)
    assert not of_update(entries)


@pytest.mark.parametrize("kind", ["cola", "lax"])
def test_exact_steps_of_loro_send_gram_matrices(messages, kind):
    """Of a pair of factors: those of both, with the directions too, and of what leaves their
    spans."""
    optimizer = optimizers.loro(RATE, period=1)
    config, entries = messages("exact", optimizer, "--mesh=tp=4", kind=kind)
    entries = of_update(entries)
    assert {entry["kind"] for entry in entries} == {"all_reduce"}
    pairs = 7 * config.layers
    assert sum(sizes_of(entries)) <= 6.2 * config.rank**2 * pairs


@pytest.mark.parametrize("kind", ["cola", "lax"])
def test_each_kind_of_step_of_loro_sends_its_own(messages, kind):
    """Of one program: lazy steps what Adam's update does, and only the last of three Gram
    matrices."""
    optimizer = optimizers.loro(RATE, period=3)
    config, entries = messages("both", optimizer, "--mesh=tp=4", kind=kind)
    _, of_adam = messages("adam", optax.adam(RATE), "--mesh=tp=4", kind=kind)
    lazy, exact = (
        [entry for entry in entries if entry["function"] == f"update_{number}"] for number in range(2)
    )
    assert sizes_of(lazy) == sizes_of(of_update(of_adam)) == []
    backward = [entry for entry in entries if entry["phase"] == "backward"]
    assert sorted(sizes_of(backward)) == sorted(sizes_of(of_adam))
    assert {entry["kind"] for entry in exact} == {"all_reduce"}
    assert 0 < sum(sizes_of(exact)) <= 6.2 * config.rank**2 * 7 * config.layers
    assert of_update(entries) == exact


@pytest.mark.parametrize("options", [("--mesh=dp=2,tp=2",), ("--mesh=dp=2,tp=2", "--zero=1")])
def test_lazy_steps_of_loro_send_what_adam_does(messages, options):
    """Each gradient is completed once, in the update of the step."""
    _, entries = messages("both", optimizers.loro(RATE, period=3), *options)
    _, of_adam = messages("adam", optax.adam(RATE), *options)
    lazy = [entry for entry in entries if entry["function"] != "update_1"]
    assert sum(entry["bytes"] for entry in lazy) == sum(entry["bytes"] for entry in of_adam)


@pytest.mark.parametrize("options", [("--mesh=dp=2,tp=2",), ("--mesh=dp=2,tp=2", "--zero=1")])
def test_adamw_of_optax_sends_what_the_built_in_one_does(messages, options):
    """Each gradient is completed once, although its average and its square are kept."""
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(RATE))
    totals = []
    for name, tx in (("built-in", None), ("clipped", optimizer)):
        _, entries = messages(name, tx, *options)
        totals.append(sum(entry["bytes"] for entry in entries))
    assert totals[0] == totals[1]
