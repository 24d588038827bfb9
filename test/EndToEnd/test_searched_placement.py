# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose placement is searched compute what JAX computes, whatever is found."""

import json

import jax
import jax.numpy as jnp
import pytest
from checks import check_loss_and_gradients, check_training
from foreign_models import PROGRAMS
from harness import CUDA, relative_error, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import models, testing
from boost_mlir.export import export, export_model

# A network without latency beside compute that is dear: the residual stream is
# sharded along the sequence, latents are gathered and scattered.
STREAMING = {
    "name": "streaming",
    "source": "No real machine.",
    "peak_flops": {"f32": 1e3},
    "memory_bandwidth": 10,
    "memory_bytes": 1e18,
    "launch_seconds": 0,
    "links": [{"name": "all", "ranks": 1024, "bandwidth": 0.5, "latency": 0}],
}
MESHES = ["tp=2", "tp=4", "dp=2,tp=2"]


@pytest.fixture(scope="module")
def searched(program, tmp_path_factory):
    """`searched(kind, shape, mesh, machine)`: that model, searched on a machine."""
    file = tmp_path_factory.mktemp("machines") / "streaming.json"
    file.write_text(json.dumps(STREAMING))

    def make(kind, shape, mesh, machine, *options):
        on = [f"--machine={file}"] if machine == "streaming" else []
        return program(kind, shape, mesh, "--placement=searched", *on, *options)

    return make


every_case = pytest.mark.parametrize(
    "kind, shape, mesh, machine",
    [(kind, "tiny", mesh, "streaming") for kind in models.KINDS for mesh in MESHES]
    + [("cola", "tiny", "tp=2", "reference"), ("full", "tiny", "dp=2,tp=2", "reference")]
    + [("cola", "odd", "tp=2", "streaming"), ("lax", "odd", "dp=2,tp=2", "streaming")]
    + [("cola", "scan", "tp=2", "streaming")],
)


def kinds_in_blocks(plan):
    return {
        entry["kind"]
        for entry in plan["collectives"]
        if (entry["function"], entry["component"]) == ("step", "block")
    }


@pytest.mark.one_in(2)
@every_case
def test_loss_and_gradients_are_those_of_jax(searched, kind, shape, mesh, machine):
    compiled = searched(kind, shape, mesh, machine)
    check_loss_and_gradients(compiled)
    # Else the case would show nothing that the rules' placements do not.
    assert {"all_gather", "reduce_scatter"} <= kinds_in_blocks(compiled.plan)


@pytest.mark.parametrize("kind, mesh", [("cola", "tp=4"), ("full", "tp=2"), ("lax", "dp=2,tp=2")])
def test_ten_steps_give_the_losses_of_jax(searched, kind, mesh):
    check_training(searched(kind, "tiny", mesh, "streaming"))


def test_sharded_state_trains_alike(searched):
    check_training(searched("svd", "tiny", "dp=2,tp=2", "streaming", "--zero=1"))


def test_gpus_compute_what_jax_computes(searched):
    """On the emulator: parameters and latents gathered and scattered by NCCL, also with rows between."""
    compiled = searched("cola", "tiny", "tp=2", "streaming", *CUDA)
    check_loss_and_gradients(compiled)
    check_training(compiled)


def compile_plan(model, *options):
    out = model.with_suffix(".plan.json")
    run(tool("boost-compile"), model, *options, "--emit=plan", "-o", out)
    return json.loads(out.read_text())


def test_an_mlp_that_does_not_divide_does_not_keep_the_rest_from_being_sharded(tmp_path):
    """1B as published: 5461 columns, which four ranks cannot share."""
    model = tmp_path / "model.mlir"
    config = models.ModelConfig.of_size("1b", "cola", layers=8, dtype="bf16")
    model.write_text(export_model(config, 1, 4096))
    plan = compile_plan(model, "--ranks=4", "--machine=a100-80gb")
    candidates = plan["choice"]["candidates"]
    chosen = candidates[plan["choice"]["chosen"]]
    assert chosen["placement"] == "searched"
    assert plan["predicted"]["seconds"] == pytest.approx(chosen["seconds"], rel=1e-9)
    [megatron] = [
        c for c in candidates if (c["mesh"], c["placement"]) == (chosen["mesh"], "megatron")
    ]
    # Megatron shards attention by heads here, which leaves it the MLP to replicate.
    assert megatron["seconds"] > 1.5 * chosen["seconds"]
    [bottleneck] = [
        c for c in candidates if (c["mesh"], c["placement"]) == (chosen["mesh"], "bottleneck")
    ]
    assert "5461" in bottleneck["problem"]
    # With a mesh, too, what does not divide is said, and another placement is taken.
    out = tmp_path / "plan.json"
    command = [tool("boost-compile"), model, "--mesh=tp=4", "--machine=a100-80gb", "--emit=plan"]
    result = run(*command, "-o", out, check=True)
    assert "--placement=bottleneck is impossible" in result.stderr and "5461" in result.stderr
    assert json.loads(out.read_text())["predicted"]["seconds"] == pytest.approx(chosen["seconds"])
    result = run(*command, "--placement=bottleneck", check=False)
    assert result.returncode == 4 and "5461" in result.stderr


def test_layers_of_a_scan_whose_windows_differ(tmp_path):
    """Stacked parameters, and a mask of its own in each layer: all layers decide alike."""
    layers, width, heads, rank, length = 6, 1024, 8, 256, 1024
    windows = jnp.array([128, length] * (layers // 2))

    def layer(x, given):
        weights, window = given
        queries, keys, values = (
            (x @ weights[name + "a"] @ weights[name + "b"]).reshape(1, length, heads, -1) for name in "qkv"
        )
        scores = jnp.einsum("bqhd,bkhd->bhqk", queries, keys) / 8
        distance = jnp.arange(length)[:, None] - jnp.arange(length)
        seen = (distance >= 0) & (distance < window)
        weighted = jax.nn.softmax(jnp.where(seen, scores, -1e30), axis=-1)
        mixed = jnp.einsum("bhqk,bkhd->bqhd", weighted, values).reshape(x.shape)
        return x + mixed @ weights["oa"] @ weights["ob"], None

    def loss(params, x):
        return (jax.lax.scan(layer, x, (params, windows))[0] ** 2).mean()

    shapes = {"a": (layers, width, rank), "b": (layers, rank, width)}
    params = {
        name + factor: jax.ShapeDtypeStruct(shape, jnp.float32)
        for name in "qkvo"
        for factor, shape in shapes.items()
    }
    model = tmp_path / "model.mlir"
    x = jax.ShapeDtypeStruct((1, length, width), jnp.float32)
    model.write_text(export(loss, params, x, init="default"))
    options = ("--mesh=tp=4", "--machine=a100-80gb", "--allow-float-batch")
    searched, ruled = (
        compile_plan(model, *options, f"--placement={name}") for name in ("searched", "bottleneck")
    )
    assert searched["placement"]["sharded"] == len(searched["placement"]["classes"][0]["arguments"]) - 1
    assert searched["predicted"]["seconds"] <= 1.1 * ruled["predicted"]["seconds"]


def test_layers_that_differ_and_share_stacked_parameters(tmp_path):
    """A scan that is unrolled unevenly: layers have most operations in common, and these decide alike."""
    program = PROGRAMS["llama_scan"]()
    model, inputs, outputs = (tmp_path / name for name in ("model.mlir", "in.safetensors", "out.safetensors"))
    model.write_text(export(program.loss, program.params, *program.batch.values()))
    boost_mlir.save(inputs, program.params, program.batch)
    searched, ruled = (
        compile_plan(model, "--mesh=tp=2", f"--placement={name}") for name in ("searched", "megatron")
    )
    assert searched["predicted"]["seconds"] <= ruled["predicted"]["seconds"]
    binary = tmp_path / "program"
    run(tool("boost-compile"), model, "--mesh=tp=2", "--placement=searched", "-o", binary)
    run(
        *("mpirun", "-np", 2, "--oversubscribe", binary, "eval", "--gradients"),
        *("--inputs", inputs, "--outputs", outputs),
    )
    found = load_file(outputs)
    value, gradients = testing.value_and_grad(program.loss, program.params, *program.batch.values())
    assert found["loss"] == pytest.approx(value, rel=1e-5)
    for name, gradient in gradients.items():
        assert relative_error(found[f"grad.{name}"], gradient) < 2e-5, name


def test_products_without_a_rule_are_placed_by_price(tmp_path):
    """A product for each of three groups of columns, on a machine that nobody has named."""

    def loss(params, x):
        for w in params:
            x = x + jnp.tanh(jnp.einsum("bgi,gio->bgo", x, w))
        return jnp.mean(x**2)

    model = tmp_path / "model.mlir"
    x = jax.ShapeDtypeStruct((1024, 3, 512), jnp.float32)
    params = [jax.ShapeDtypeStruct((3, 512, 512), jnp.float32) for _ in range(2)]
    model.write_text(export(loss, params, x, init="default"))
    plan = compile_plan(model, "--mesh=tp=4", "--allow-float-batch")
    assert plan["recognized"]["other_products"]
    candidates = plan["choice"]["candidates"]
    assert candidates[plan["choice"]["chosen"]]["placement"] == "searched"
    assert plan["placement"]["sharded"] == len(params)
    assert plan["placement"]["local_bytes"] == plan["placement"]["bytes"] / 4
