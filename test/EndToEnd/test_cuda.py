# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs for a GPU, run by the emulator of the tests (test/cuda-emulator): what they compute, what
they count, and what they say where something is missing.

BOOST_CUDA_ALL=1 runs every model in f32 and bf16 on every mesh, which takes most of an hour on two
cores."""

import itertools
import json

import harness
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from checks import PARAMETER_TOLERANCE, check_loss_and_gradients, check_training
from harness import ALL_CUDA, CUDA, compiler, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import testing
from boost_mlir.export import export

REFUSED, USAGE = 3, 2

KINDS = ["full", "svd", "cola", "lax"]
MESHES = ["1", "tp=2", "tp=4", "dp=2,tp=2"]
# Every kind, shape and mesh at least once.
USUAL = [
    ("cola", "odd", "1"),
    ("lax", "tiny", "tp=2"),
    ("svd", "odd", "tp=2"),
    ("full", "tiny", "dp=2,tp=2"),
    ("cola", "tiny", "tp=4"),
]
USUAL_BF16 = [("cola", "bf16", "tp=2"), ("lax", "odd-bf16", "1")]


def combinations(shapes, usual):
    """All of them, without those whose 2 key heads do not divide by 4, or the usual ones."""
    if not ALL_CUDA:
        return usual
    possible = itertools.product(KINDS, shapes, MESHES)
    return [case for case in possible if not (case[1].startswith("odd") and case[2] == "tp=4")]


@pytest.mark.one_in(4, 1)
@pytest.mark.parametrize("kind,shape,mesh", combinations(["tiny", "odd"], USUAL))
def test_models_match_jax(program, kind, shape, mesh):
    """NCCL sums, and from the second step on graphs."""
    compiled = program(kind, shape, mesh, *CUDA)
    check_loss_and_gradients(compiled)
    check_training(compiled)


@pytest.fixture(scope="module")
def pair(program):
    """One program for both targets, each priced on the target's default machine."""
    options = ("cola", "tiny", "tp=2", "--machine=h100")
    return program(*options), program(*options, *CUDA)


def test_counters_are_those_of_the_plan(pair):
    """Replays of graphs count what they replay."""
    reports = []
    for compiled in pair:
        arguments = ("train", "--data", compiled.model.tokens_file, "--steps", 4, "--json")
        reports.append(json.loads(compiled.launch(*arguments).stdout.splitlines()[-1]))
        assert reports[-1]["plan_agrees"]
    assert reports[0]["bytes_per_step"] == reports[1]["bytes_per_step"]
    assert reports[1]["bytes_per_step"]["all_reduce"] > 0


def trained(compiled, directory, *options, steps=3):
    """The checkpoint and the parameters after some steps at a constant rate, as bytes."""
    directory.mkdir(exist_ok=True)
    saved, log = directory / "saved", directory / "log"
    arguments = ("train", "--data", compiled.model.tokens_file, "--lr", 1e-3, "--min-lr", 1e-3)
    arguments += ("--log", log)
    arguments += ("--checkpoint", directory / "checkpoint", "--save", saved, "--steps", steps)
    compiled.launch(*arguments, *options)
    (last,) = directory.glob(f"checkpoint/*{steps}/tensors.safetensors")
    return saved.read_bytes(), last.read_bytes()


def test_runs_repeat_to_the_bit_with_and_without_graphs(pair, tmp_path, monkeypatch):
    """In whatever order the threads run."""
    _, cuda = pair
    expected = trained(cuda, tmp_path / "first")
    monkeypatch.setenv("BOOST_EMULATOR_ORDER", "reverse")
    assert trained(cuda, tmp_path / "second", "--no-graph") == expected


def test_staged_collectives_sum_as_on_the_cpu(pair, tmp_path, monkeypatch):
    """Through the host, f32 sums of two terms are the same as through NCCL."""
    _, cuda = pair
    expected = trained(cuda, tmp_path / "nccl")
    monkeypatch.setenv("BOOST_CUDA_COLLECTIVES", "staged")
    assert trained(cuda, tmp_path / "staged") == expected


def test_checkpoints_continue_on_the_other_target(pair, tmp_path):
    for first, second in (pair, pair[::-1]):
        directory = tmp_path / str(second is pair[0])
        saved, checkpoint = trained(first, directory, steps=2)
        # Nothing changes by being loaded and saved.
        assert trained(second, directory, "--resume", steps=2) == (saved, checkpoint)
        trained(second, directory, "--resume", steps=4)
        assert len(boost_mlir.read_log(directory / "log")) == 4
        trained(first, tmp_path / f"alone{second is pair[0]}", steps=4)
        alone = load_file(tmp_path / f"alone{second is pair[0]}" / "saved")
        continued = load_file(directory / "saved")
        for name, value in alone.items():
            assert harness.relative_error(continued[name], value) < PARAMETER_TOLERANCE, name


def test_verification_reads_tensors_of_the_device(program):
    compiled = program("lax", "tiny", "1", *CUDA, "--verify")
    result = compiled.launch("eval", "--inputs", compiled.model.inputs_file, "--verify", "--json")
    report = json.loads([line for line in result.stdout.splitlines() if line.startswith("{")][-1])
    assert report["verified"], report["first_error"]


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("kind,shape,mesh", combinations(["bf16", "odd-bf16"], USUAL_BF16))
def test_bf16_is_as_near_as_jax(program, kind, shape, mesh):
    compiled = program(kind, shape, mesh, *CUDA)
    loss, gradients = compiled.model.reference
    own_loss, own_gradient = compiled.model.own_precision_errors
    outputs = compiled.evaluate()
    # Each rank rounds its terms, and NCCL the sum.
    assert float(outputs["loss"]) == pytest.approx(loss, rel=2 * own_loss)
    for name, expected in gradients.items():
        error = harness.relative_error(outputs[f"grad.{name}"], expected)
        assert error < 2 * own_gradient, name


def calls(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_ranks_issue_the_same_collectives(pair, tmp_path, monkeypatch):
    """And what a step starts is what the plan says, all of it inside of the arena and its workspace."""
    _, cuda = pair
    monkeypatch.setenv("BOOST_EMULATOR_LOG", str(tmp_path / "log"))
    trained(cuda, tmp_path / "run", steps=2)
    sequences = []
    for rank in range(2):
        logged = calls(tmp_path / f"log{rank}")
        keys = ("call", "communicator", "src_bytes", "dst_bytes")
        sequences.append([[c[k] for k in keys] for c in logged if "communicator" in c])
        assert all(call["pointers"] for call in logged if call["call"] in ("kernel", "gemm"))
    assert sequences[0] and sequences[0] == sequences[1]


def test_exchanged_calls_show(program, tmp_path, monkeypatch):
    """In each of three pairs, the second call reads the result of the first."""
    compiled = program("cola", "tiny", "1", *CUDA)
    monkeypatch.setenv("BOOST_EMULATOR_LOG", str(tmp_path / "log"))
    check_loss_and_gradients(compiled)
    monkeypatch.delenv("BOOST_EMULATOR_LOG")
    # BOOST_EMULATOR_SWAP counts what the device does. Results come last.
    logged = [call for call in calls(tmp_path / "log") if call["call"] != "wait"]
    pairs = [
        number
        for number, (first, second) in enumerate(zip(logged, logged[1:]))
        if first["call"] in ("kernel", "gemm")
        and first["pointers"][-1] in second.get("pointers", ())[:-1]
    ]
    for number in (pairs[0], pairs[len(pairs) // 2], pairs[-1]):
        monkeypatch.setenv("BOOST_EMULATOR_SWAP", str(number))
        with pytest.raises(AssertionError):
            check_loss_and_gradients(compiled)


def test_a_missing_wait_shows(program, tmp_path, monkeypatch):
    """All calls are on one stream, so that only the host waits: for each tensor that it reads."""
    compiled = program("cola", "tiny", "1", *CUDA)
    monkeypatch.setenv("BOOST_EMULATOR_LOG", str(tmp_path / "log"))
    check_loss_and_gradients(compiled)
    monkeypatch.delenv("BOOST_EMULATOR_LOG")
    waits = sum(call["call"] == "wait" for call in calls(tmp_path / "log"))
    # The last one is for the loss that is printed, those before it for gradients.
    for number in (waits - 2, waits - 5):
        monkeypatch.setenv("BOOST_EMULATOR_FORGET_WAIT", str(number))
        with pytest.raises(AssertionError):
            check_loss_and_gradients(compiled)


@pytest.fixture
def shipped(program):
    """A program as users compile it."""
    return program("cola", "tiny", "1", "--target=cuda")


def test_programs_link_no_library_of_the_vendor(pair, shipped):
    for compiled in (pair[1], shipped):
        libraries = run("ldd", compiled.binary).stdout
        for name in ("mpi", "openblas", "cuda", "cublas", "nccl"):
            assert name not in libraries


def failure(compiled, *options):
    arguments = ("eval", "--inputs", compiled.model.inputs_file, *options)
    return run(compiled.binary, *arguments, check=False)


def test_without_a_driver_what_is_missing_is_named(shipped, monkeypatch):
    real = harness.environment
    without = {k: v for k, v in real().items() if k != "BOOST_CUDA_EMULATOR"}
    monkeypatch.setattr(harness, "environment", lambda: without)
    result = failure(shipped)
    assert result.returncode == REFUSED
    assert "the NVIDIA driver cannot be opened: libcuda.so.1" in result.stderr
    assert "or compile the program with --target=cpu" in result.stderr
    # Commands that need no GPU still work.
    assert json.loads(run(shipped.binary, "info").stdout)["mesh"]


@pytest.mark.parametrize(
    "variable,value,message",
    [
        ("DRIVER", "11080", "needs a driver for CUDA 12.0 or later, but this machine's is for CUDA 11.8; install"),
        ("DEVICES", "0", "runs on a GPU, but the driver finds none; is it hidden by CUDA_VISIBLE_DEVICES?"),
    ],
)
def test_a_machine_that_cannot_run_it_is_refused(program, monkeypatch, variable, value, message):
    monkeypatch.setenv(f"BOOST_EMULATOR_{variable}", value)
    result = failure(program("cola", "tiny", "1", *CUDA))
    assert result.returncode == REFUSED
    assert message in result.stderr


def test_the_oldest_driver_is_enough(program, monkeypatch):
    monkeypatch.setenv("BOOST_EMULATOR_DRIVER", "12000")
    assert failure(program("cola", "tiny", "1", *CUDA)).returncode == 0


def test_an_emulator_that_cannot_be_opened_is_named(program, monkeypatch):
    without = harness.environment() | {"BOOST_CUDA_EMULATOR": "/nowhere/emulator.so"}
    monkeypatch.setattr(harness, "environment", lambda: without)
    result = failure(program("cola", "tiny", "1", *CUDA))
    assert result.returncode == REFUSED
    assert "BOOST_CUDA_EMULATOR: /nowhere/emulator.so: cannot open" in result.stderr


def test_shipped_programs_cannot_be_emulated(shipped):
    result = failure(shipped)
    assert result.returncode == REFUSED
    assert "compile the program with boost-test-compile --emulatable" in result.stderr


def test_an_unknown_way_of_collectives_is_refused(pair, monkeypatch):
    _, cuda = pair
    monkeypatch.setenv("BOOST_CUDA_COLLECTIVES", "magic")
    result = cuda.launch("eval", "--inputs", cuda.model.inputs_file, check=False)
    assert result.returncode == USAGE
    assert "BOOST_CUDA_COLLECTIVES expects nccl or staged, but is 'magic'" in result.stderr


def test_the_cpu_has_no_graph(pair):
    cpu, _ = pair
    result = cpu.launch("eval", "--inputs", cpu.model.inputs_file, "--no-graph", check=False)
    assert result.returncode == USAGE
    assert "--no-graph is for programs that were compiled with --target=cuda" in result.stderr


def reductions(params, x):
    """Sums of columns and of everything over many rows, also over a prime number of them, an input that
    lies along another dimension than the result, and positions of maxima."""
    h = x * params["scale"] + params["bias"]
    turned = jnp.tanh(params["weights"] * h.T)
    places = jnp.argmax(h[:512], axis=0)
    late = jnp.where(places > 250, 1.0, 2.0)
    return jnp.mean(turned) + 0.1 * jnp.mean(h[:1021] ** 2) + jnp.mean(late * params["bias"])


def test_large_reductions_match_jax(tmp_path):
    """They are computed in stages, whose partial results the memory plan has."""
    random = np.random.default_rng(1)
    shapes = {"scale": 64, "bias": 64, "weights": (64, 2048)}
    params = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    batch = {"x": random.normal(size=(2048, 64)).astype(np.float32)}
    text, inputs, outputs = (tmp_path / name for name in ("loss.mlir", "in.safetensors", "out.safetensors"))
    text.write_text(export(reductions, params, *batch.values()))
    boost_mlir.save(inputs, params, batch)
    run(compiler(*CUDA), text, *CUDA, "--allow-float-batch", "-o", tmp_path / "program")
    values = harness.evaluate(tmp_path / "program", inputs, outputs)
    loss, gradients = testing.value_and_grad(reductions, params, *batch.values())
    assert float(values["loss"]) == pytest.approx(loss, rel=1e-5)
    for name, expected in gradients.items():
        assert harness.relative_error(values[f"grad.{name}"], expected) < 2e-5, name
    counts = []
    for target in ("cpu", "cuda"):
        plan = run(tool("boost-compile"), text, f"--target={target}", "--emit=plan").stdout
        counts.append(json.loads(plan)["launches"]["gradient"]["launch"])
    assert counts[1] > counts[0]


def norms(params, x):
    """The gradient of a norm's scale sums the columns of the rows that the gradient of its input is computed from."""
    h = x @ params["weights"]
    scaled = h * jax.lax.rsqrt(jnp.mean(h**2, axis=1, keepdims=True) + 1e-5) * params["scale"]
    return jnp.mean(jnp.tanh(scaled) * x)


def test_norms_of_many_rows_match_jax(tmp_path):
    """One kernel computes both, of which each block has eight rows. Values repeat to the byte."""
    random = np.random.default_rng(3)
    shapes = {"weights": (256, 256), "scale": 256}
    params = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    batch = {"x": random.normal(size=(2048, 256)).astype(np.float32)}
    text, inputs = tmp_path / "loss.mlir", tmp_path / "in.safetensors"
    text.write_text(export(norms, params, *batch.values()))
    boost_mlir.save(inputs, params, batch)
    run(compiler(*CUDA), text, *CUDA, "--allow-float-batch", "-o", tmp_path / "program")
    runtime = run(tool("boost-compile"), text, "--target=cuda", "--emit=runtime").stdout
    assert 'iterator_types = ["parallel", "reduction", "parallel"]' in runtime
    values, again = (harness.evaluate(tmp_path / "program", inputs, tmp_path / name) for name in ("a", "b"))
    loss, gradients = testing.value_and_grad(norms, params, *batch.values())
    assert float(values["loss"]) == pytest.approx(loss, rel=1e-5)
    for name, expected in gradients.items():
        assert harness.relative_error(values[f"grad.{name}"], expected) < 2e-5, name
        assert values[f"grad.{name}"].tobytes() == again[f"grad.{name}"].tobytes(), name


def attention(params, x, mask):
    """A learned bias, and keys that a mask hides."""
    q, k, v = (jnp.einsum("bsd,dhe->bshe", x, params[name]) for name in "qkv")
    mixed = jax.nn.dot_product_attention(q, k, v, bias=params["bias"], mask=mask[:, None, None, :])
    return jnp.mean(jnp.sum(mixed, axis=2) ** 2)


def test_attention_with_bias_and_mask_matches_jax(tmp_path):
    random = np.random.default_rng(2)
    shapes = {name: (32, 4, 16) for name in "qkv"} | {"bias": (1, 4, 24, 24)}
    params = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    mask = random.random((3, 24)) < 0.7
    batch = {"x": 0.2 * random.normal(size=(3, 24, 32)).astype(np.float32), "mask": mask}
    text, inputs, outputs = (tmp_path / name for name in ("loss.mlir", "in.safetensors", "out.safetensors"))
    text.write_text(export(attention, params, *batch.values()))
    boost_mlir.save(inputs, params, batch)
    run(compiler(*CUDA), text, *CUDA, "--allow-float-batch", "-o", tmp_path / "program")
    launches = json.loads(run(compiler(*CUDA), text, *CUDA, "--emit=plan").stdout)["launches"]["gradient"]
    assert {"attention_forward", "attention_backward", "attention_bias_backward"} <= launches.keys()
    values = harness.evaluate(tmp_path / "program", inputs, outputs)
    loss, gradients = testing.value_and_grad(attention, params, *batch.values())
    assert float(values["loss"]) == pytest.approx(loss, rel=1e-5)
    for name, expected in gradients.items():
        assert harness.relative_error(values[f"grad.{name}"], expected) < 2e-5, name
