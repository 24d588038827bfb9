# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs from Python: compile, run, load and save, against JAX and optax."""

import contextlib
import dataclasses
import gc
import os
import signal
import subprocess
import sys
import textwrap
import time

import jax
import numpy as np
import pytest
from harness import BATCH, SEQ, Model, build_directory, environment, relative_error
from launcher import write_torchrun
from safetensors.numpy import load_file
from test_decay import DECAY, LAYER, adamw_of_optax

import boost_mlir
from boost_mlir import models, testing
from boost_mlir.export import export_model
from boost_mlir.naming import named_leaves

IDS = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)
STEPS, RATE = 5, 1e-3
# The rate of every step, and no clipping: as optax in `adamw_of_optax`.
CONSTANT = {"lr": RATE, "min_lr": RATE, "clip": 0}
MPIRUN = ("mpirun", "--oversubscribe", "-np")
USAGE, REFUSED, CHECKPOINT = 2, 3, 6


@pytest.fixture(autouse=True)
def in_a_session(monkeypatch):
    """The tools of this build, and one thread per rank."""
    monkeypatch.setenv("BOOST_BUILD_DIR", str(build_directory()))
    for name, value in environment().items():
        monkeypatch.setenv(name, value)


def compiled(source: Model, *options, mesh="tp=2", **more):
    loss = models.make_loss(source.config)
    return boost_mlir.compile(loss, source.params, (IDS, IDS), mesh=mesh, options=options, **more)


def start(program, command="train", ranks=2, **flags):
    return boost_mlir.run(program, command, launcher=[*MPIRUN, ranks], **flags)


def loss_in_f64(source, params):
    value, _ = testing.value_and_grad(models.make_loss(source.config), params, *source.batch)
    return value


def loss_of_program(program, source, params, folder):
    batch = dict(zip(("tokens", "targets"), source.batch))
    boost_mlir.save(folder / "in.safetensors", params, batch)
    return start(program, "eval", inputs=folder / "in.safetensors").loss


@pytest.mark.one_in(2)
@pytest.mark.parametrize("shape", ["tiny", "scan"])
def test_the_whole_way_equals_jax(model, shape, tmp_path):
    """Compile, train, load, go on in JAX, save, evaluate: on two ranks, stacked or not."""
    source = model("cola", shape)
    program = compiled(source)
    assert program.info()["ranks"] == 2
    files = {"data": source.tokens_file, "checkpoint": tmp_path / "run"}
    result = start(program, steps=STEPS, weight_decay=DECAY, **files, **CONSTANT)
    loaded = boost_mlir.load(tmp_path / "run", like=source.params)

    mask = {"embed": True, "head": True, "norm": False}
    mask["layers"] = LAYER if source.config.scan else [LAYER] * source.config.layers
    losses, expected = adamw_of_optax(
        models.make_loss(source.config),
        source.params,
        mask,
        testing.sequential_batches(source.tokens, BATCH, SEQ),
        steps=STEPS,
        rate=RATE,
    )
    assert result.losses == pytest.approx(losses, rel=1e-5)
    assert result.loss == pytest.approx(losses[-1], rel=1e-5)
    assert [record["step"] for record in result.records] == [1, 2, 3, 4, 5]
    assert jax.tree.structure(loaded) == jax.tree.structure(source.params)
    started = dict(named_leaves(source.params))
    for name, leaf in named_leaves(loaded):
        assert relative_error(leaf, expected[name]) < 1e-5, name
        assert relative_error(started[name], expected[name]) > 1e-3, name

    loss = loss_of_program(program, source, loaded, tmp_path)
    assert loss == pytest.approx(loss_in_f64(source, loaded), rel=1e-5)
    assert abs(loss - loss_in_f64(source, source.params)) > 1e-2 * loss


def test_a_run_goes_on_from_what_was_saved(model, tmp_path):
    """`train --init` takes the file of `save`, and `--save` writes what `load` reads."""
    source = model("cola", "tiny")
    program = compiled(source)
    changed = jax.tree.map(lambda leaf: 2 * leaf, source.params)
    boost_mlir.save(tmp_path / "start.safetensors", changed)
    files = {"init": tmp_path / "start.safetensors", "save": tmp_path / "end.safetensors"}
    start(program, data=source.tokens_file, steps=0, **files)
    end = boost_mlir.load(tmp_path / "end.safetensors", like=source.params)
    for (name, one), other in zip(named_leaves(end), jax.tree.leaves(changed)):
        assert np.array_equal(one, other), name


def test_masters_of_mixed_precision(model, tmp_path):
    source = model("cola", "tiny")
    program = compiled(source, "--precision=bf16")
    run = tmp_path / "run"
    start(program, data=source.tokens_file, steps=STEPS, checkpoint=run, **CONSTANT)
    file = load_file(run / f"step-{STEPS}/tensors.safetensors")
    masters = boost_mlir.load(run, like=source.params)
    for name, leaf in named_leaves(masters):
        assert leaf.dtype == np.float32 and np.array_equal(leaf, file[f"master.{name}"]), name
        # They hold more than the parameters do.
        assert not np.array_equal(leaf, np.float32(file[name])) or name.endswith("norm"), name
    narrow = jax.tree.map(lambda leaf: leaf.astype(jax.numpy.bfloat16), source.params)
    for name, leaf in named_leaves(boost_mlir.load(run, like=narrow)):
        assert leaf.dtype == jax.numpy.bfloat16 and np.array_equal(leaf, file[name]), name

    # A new run starts from exactly these masters.
    boost_mlir.save(tmp_path / "masters.safetensors", masters)
    again = tmp_path / "again"
    files = {"init": tmp_path / "masters.safetensors", "checkpoint": again}
    start(program, data=source.tokens_file, steps=1, lr=0, **files)
    for name, leaf in named_leaves(boost_mlir.load(again, like=masters)):
        assert np.array_equal(leaf, file[f"master.{name}"]), name


def test_a_damaged_checkpoint_is_passed_over_as_resume_does(model, tmp_path):
    source = model("cola", "tiny")
    program, run = compiled(source), tmp_path / "run"
    flags = {"data": source.tokens_file, "checkpoint": run, "checkpoint_every": 2}
    start(program, steps=4, **flags)
    path = run / "step-4/tensors.safetensors"
    content = bytearray(path.read_bytes())
    content[8 + int.from_bytes(content[:8], "little")] ^= 1
    path.write_bytes(content)
    with pytest.warns(UserWarning, match="skipped checkpoint .*step-4"):
        loaded = boost_mlir.load(run, like=source.params)
    file = load_file(run / "step-2/tensors.safetensors")
    assert all(np.array_equal(leaf, file[name]) for name, leaf in named_leaves(loaded))
    assert "resumed after step 2" in start(program, steps=4, resume=True, **flags).output


def test_the_log_of_a_run_that_goes_on_is_complete(model, tmp_path):
    source = model("cola", "tiny")
    program = compiled(source)
    flags = {"data": source.tokens_file, "checkpoint": tmp_path / "run", "log": tmp_path / "log"}
    first = start(program, steps=2, **flags)
    # `steps` decides on the schedule, so that a longer run is another.
    second = start(program, steps=4, resume=True, lr=1e-4, allow=["lr", "min-lr"], **flags)
    assert len(second.losses) == 4 and second.losses[:2] == first.losses
    assert second.summary["steps"] == 2 and second.summary["plan_agrees"]
    assert second.command.count("--allow=lr") == second.command.count("--allow=min-lr") == 1


def test_a_module_and_what_export_returns_compile_too(model, tmp_path):
    source = model("cola", "tiny")
    program = boost_mlir.compile(source.text_file, options=["--mesh=1"])
    assert boost_mlir.run(program, "train", data=source.tokens_file, steps=1).losses
    config = dataclasses.replace(source.config, layers=1)
    program = boost_mlir.compile(
        export_model(config, BATCH, SEQ), ranks=2, output=tmp_path / "one.v2"
    )
    assert program.info()["ranks"] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.v2", "one.v2.mlir"]
    # A path of a program will do.
    assert start(tmp_path / "one.v2", data=source.tokens_file, steps=1).losses


@pytest.fixture
def torchrun(monkeypatch, tmp_path):
    """A command of that name on PATH."""
    write_torchrun(tmp_path / "bin" / "torchrun")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")


def test_launchers_take_turns(model, tmp_path, torchrun):
    """A run of mpirun goes on under torchrun and then under mpirun again, and ends as one that mpirun did alone."""
    source = model("cola", "tiny")
    program = compiled(source, mesh="dp=2,tp=2")
    flags = {"data": source.tokens_file, **CONSTANT}
    start(program, ranks=4, steps=6, save=tmp_path / "alone", **flags)
    flags |= {"checkpoint": tmp_path / "run", "log": tmp_path / "log"}
    start(program, ranks=4, steps=2, **flags)
    second = boost_mlir.run(program, launcher="torchrun", steps=4, resume=True, **flags)
    assert second.command[0] == "torchrun" and "resumed after step 2" in second.output
    last = start(program, ranks=4, steps=6, resume=True, save=tmp_path / "end", **flags)
    assert "resumed after step 4" in last.output and len(last.losses) == 6
    assert (tmp_path / "end").read_bytes() == (tmp_path / "alone").read_bytes()


def test_errors_under_torchrun_are_those_of_the_program(model, torchrun):
    source = model("cola", "tiny")
    error = run_error(compiled(source), launcher="torchrun", data="none.bin", steps=1)
    assert error.exit_code == REFUSED
    first, *lines = str(error).splitlines()
    assert "torchrun" in first and "ChildFailedError" in error.messages
    assert {line.split(":")[0] for line in lines} == {"error"}, str(error)


def test_a_missing_launcher_is_named(model, monkeypatch, tmp_path):
    source = model("cola", "tiny")
    program = compiled(source)
    monkeypatch.setenv("PATH", str(tmp_path))
    flags = {"data": source.tokens_file, "steps": 1}
    error = run_error(program, **flags)
    assert error.exit_code is None
    assert str(error).startswith("'mpirun', which starts the 2 ranks, is not on PATH; install Open MPI, or")
    assert "pip install torch" in str(run_error(program, launcher="torchrun", **flags))
    with pytest.raises(ValueError, match="launcher expects 'mpirun' or 'torchrun', or a list"):
        boost_mlir.run(program, launcher="slurm", **flags)


def keyword_loss(params, *, tokens, targets):
    logits = params["table"][tokens] @ params["out"]
    log_probs = jax.nn.log_softmax(logits)
    return -jax.numpy.mean(jax.numpy.take_along_axis(log_probs, targets[..., None], axis=-1))


def test_a_batch_by_keyword_and_its_arrays_beside_the_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    params = {"table": np.ones((8, 4), np.float32), "out": np.ones((4, 8), np.float32)}
    batch = {"tokens": np.zeros((2, 4), np.int32), "targets": np.zeros((2, 4), np.int32)}
    program = boost_mlir.compile(keyword_loss, params, batch, output="small")
    assert {each["name"] for each in program.info()["batch"]} == {"tokens", "targets"}
    names = {"small", "small.mlir", "small.init.safetensors"}
    assert {path.name for path in tmp_path.iterdir()} == names
    boost_mlir.save("in.safetensors", params, batch)
    # One rank needs no launcher.
    monkeypatch.setenv("PATH", "")
    files = {"inputs": "in.safetensors", "outputs": "out.safetensors"}
    result = boost_mlir.run("small", "eval", gradients=True, **files)
    assert result.loss == pytest.approx(np.log(8), rel=1e-6)
    assert "grad.table" in load_file("out.safetensors") and result.records == []


def test_a_program_without_a_name_goes_with_its_object(model):
    program = compiled(model("cola", "tiny"), mesh=None)
    folder = program.path.parent
    assert {path.name for path in folder.iterdir()} == {"program", "program.mlir", "program.init.safetensors"}
    del program
    gc.collect()
    assert not folder.exists()


def test_what_programs_print_is_shown(model, capfd):
    """Through Python's streams, which are those of a notebook; the summary is not for people."""
    source = model("cola", "tiny")
    program = compiled(source)
    capfd.readouterr()
    shown, said = StringStream(), StringStream()
    with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(said):
        result = start(program, data=source.tokens_file, steps=3)
    assert [line.split()[1] for line in shown.lines if line.startswith("step ")] == ["1/3", "2/3", "3/3"]
    assert shown.lines[-1].startswith(("all_", "reduce_")) and "plan_agrees" in result.output
    assert capfd.readouterr() == ("", "") and said.lines == []
    assert start(program, data=source.tokens_file, steps=3, quiet=True).losses == result.losses
    assert capfd.readouterr() == ("", "")


class StringStream:
    """Takes lines, as a notebook does."""

    def __init__(self):
        self.lines = []

    def write(self, text):
        self.lines += text.splitlines()

    def flush(self):
        pass


def test_remarks_of_the_compiler_are_shown(model, capsys):
    compiled(model("cola", "tiny"), "--explain")
    assert "embed" in capsys.readouterr().err


def compile_error(*arguments, **options):
    with pytest.raises(boost_mlir.CompileError) as error:
        boost_mlir.compile(*arguments, **options)
    return error.value


def test_errors_of_the_compiler_are_exceptions(model, capfd):
    source = model("cola", "tiny")
    error = compile_error(source.text_file, mesh="tp=7")
    assert error.exit_code not in (None, 0)
    assert "expects a hidden size that tp = 7 divides, but got 64" in str(error)
    assert "--mesh=tp=7" in error.command and str(source.text_file) in error.command
    error = compile_error(source.text_file, options=["--no-such-option"])
    assert error.exit_code == USAGE and "no-such-option" in str(error)
    assert "none.mlir" in str(compile_error("none.mlir"))
    assert "--ranks chooses the mesh" in str(compile_error(source.text_file, mesh="2", ranks=2))
    assert "expects cpu or cuda" in str(compile_error(source.text_file, target="tpu"))
    # The message of an exception is not printed as well.
    assert capfd.readouterr() == ("", "")


def test_a_missing_compiler_is_named(model, monkeypatch, tmp_path):
    monkeypatch.setenv("BOOST_BUILD_DIR", str(tmp_path))
    error = compile_error(model("cola", "tiny").text_file)
    assert f"{tmp_path}/bin/boost-compile is missing" in str(error) and error.exit_code is None
    monkeypatch.delenv("BOOST_BUILD_DIR")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "'boost-compile' is not on PATH" in str(compile_error(model("cola", "tiny").text_file))


def test_the_compiler_on_the_path_is_found(model, monkeypatch):
    monkeypatch.setenv("PATH", f"{build_directory() / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("BOOST_BUILD_DIR")
    assert boost_mlir.compile(model("cola", "tiny").text_file).info()["ranks"] == 1


def run_error(program, command="train", **flags):
    with pytest.raises(boost_mlir.RunError) as error:
        boost_mlir.run(program, command, **flags)
    return error.value


def test_errors_of_programs_are_exceptions(model, tmp_path):
    source = model("cola", "tiny")
    program = compiled(source)
    two = {"launcher": [*MPIRUN, 2], "data": source.tokens_file, "steps": 1}
    error = run_error(program, **two | {"data": tmp_path / "none.bin"})
    assert error.exit_code == REFUSED
    # The report of the launcher says no more than this.
    lines = str(error).splitlines()
    assert len(lines) == 2 and lines[1] == (
        f"error: cannot open token file {tmp_path / 'none.bin'}: No such file or directory; give the "
        "path of a file that exists on every node"
    )
    assert "mpirun" in lines[0] and "mpirun detected" in error.messages
    error = run_error(program, **two, leanring_rate=1)
    assert error.exit_code == USAGE and "--leanring-rate" in str(error)
    error = run_error(program, "trian", launcher=[])
    assert error.exit_code == USAGE and "trian" in str(error)
    error = run_error(program, ranks=1, data=source.tokens_file, steps=1)
    assert error.exit_code == USAGE and "2 ranks" in str(error)
    start(program, data=source.tokens_file, steps=1, checkpoint=tmp_path / "run")
    error = run_error(program, **two, checkpoint=tmp_path / "run")
    assert error.exit_code == CHECKPOINT and "continue that run with --resume" in str(error)


def test_what_is_no_program_is_an_exception(tmp_path, monkeypatch):
    assert "No such file" in str(run_error(tmp_path / "none"))
    (tmp_path / "text").write_text("text")
    assert "cannot run" in str(run_error(tmp_path / "text")) and "text" in str(run_error(tmp_path / "text"))
    error = run_error("none", launcher=["no-such-launcher"])
    assert "cannot run 'no-such-launcher'" in str(error) and "on PATH?" in str(error)


def test_wrong_arguments_are_errors_of_python(model):
    source = model("cola", "tiny")
    with pytest.raises(TypeError, match="those of a function"):
        boost_mlir.compile(source.text_file, source.params)
    with pytest.raises(TypeError, match="those of a function"):
        boost_mlir.compile(export_model(source.config, BATCH, SEQ), batch=(IDS,))
    with pytest.raises(ValueError, match="the loss must return one scalar"):
        boost_mlir.compile(lambda params, x: params["w"] * x, {"w": np.ones(3)}, (np.ones(3),))
    with pytest.raises(AttributeError, match="no attribute 'complie'"):
        boost_mlir.complie  # noqa: B018


def test_an_interrupt_ends_the_program(model, tmp_path):
    """An interrupt of Python alone, as a notebook sends it, leaves no rank behind."""
    source = model("cola", "tiny")
    program = compiled(source)
    script = textwrap.dedent(f"""
        import signal
        import boost_mlir
        # A shell lets what it starts in the background ignore interrupts.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        boost_mlir.run({str(program.path)!r}, launcher={[*MPIRUN, 2]}, data={str(source.tokens_file)!r},
                       steps=10**9, log={str(tmp_path / "log")!r})
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        while not process.stdout.readline().startswith("step "):
            assert process.poll() is None
        assert len(programs_running(program.path)) == 2
        process.send_signal(signal.SIGINT)
        _, messages = process.communicate(timeout=60)
        assert process.returncode and "KeyboardInterrupt" in messages
        deadline = time.monotonic() + 30
        while programs_running(program.path):
            assert time.monotonic() < deadline, "ranks are still there"
            time.sleep(0.1)
    finally:
        process.kill()
        for rank in programs_running(program.path):
            os.kill(rank, signal.SIGKILL)


def programs_running(path) -> list[int]:
    found = []
    for entry in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if entry.isdecimal() and os.readlink(f"/proc/{entry}/exe") == str(path):
                found.append(int(entry))
    return found
