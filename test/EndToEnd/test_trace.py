# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traces of `train --trace` hold what the plan says, in the order in which it happens."""

import re
import subprocess
from collections import Counter

import pytest
from harness import CUDA, REPOSITORY, run
from trace_reader import ROUNDING, read_trace

STEPS = 4
PIPELINE = ("--pipeline-schedule=1f1b", "--micro-batches=2")
CASES = [("1",), ("tp=2",), ("dp=2,pp=2", *PIPELINE), ("pp=2", *PIPELINE, *CUDA)]
PARTS = {"gradients", "optimizer", "loss", "block", "forward", "backward"}
CLASSES = ("contraction", "attention_forward", "attention_backward", "memory", "collective")


def train(compiled, path, *options, steps="2:4", check=True):
    words = ("train", "--data", compiled.model.tokens_file, "--steps", STEPS)
    return compiled.launch(*words, "--trace", steps, "--trace-file", path, *options, check=check)


def functions_of(trace, rank, step):
    return [each for each in trace.of("function") if (each.rank, each.args["step"]) == (rank, step)]


def check_calls(compiled, trace):
    """Every call of a function once, in the class that the plan has it in."""
    predicted, launches = compiled.plan["predicted"]["functions"], compiled.plan["launches"]
    for function in trace.of("function"):
        name = function.args["function"]
        calls = [each for each in trace.of(*CLASSES) if each.parent is function]
        assert len(calls) == launches[name]["total"]
        planned = {kind: cost["calls"] for kind, cost in predicted[name]["classes"].items()}
        assert Counter(each.category for each in calls) == planned
        names = Counter(each.name.split()[0] for each in calls)
        assert {"total": len(calls), **names} == launches[name]
        for before, after in zip(calls, calls[1:]):
            assert before.end <= after.begin + ROUNDING


def check_collectives(compiled, trace):
    """Each collective of the plan as often as its function runs, with its bytes."""
    planned = compiled.plan["collectives"]
    for rank in trace.names:
        for step in (2, 3):
            runs = Counter(each.args["function"] for each in functions_of(trace, rank, step))
            expected = Counter()
            for entry in planned:
                expected[entry["site"], entry["name"], entry["bytes"]] = entry["count"] * runs[entry["function"]]
            seen = Counter(
                (each.args["site"], each.args["collective"], each.args["bytes"])
                for each in trace.of("collective")
                if (each.rank, each.args["step"]) == (rank, step)
            )
            assert seen == +expected


def check_common_axis(trace):
    """Two ranks are in a collective at the same time, as far as their clocks are known."""
    error = max(trace.other["clock_error_us"])
    ranks = [[each for each in trace.of("collective") if each.rank == rank] for rank in (0, 1)]
    for one, other in zip(*ranks, strict=True):
        assert one.args == other.args
        assert max(one.begin, other.begin) <= min(one.end, other.end) + error


def check_transfers(compiled, trace):
    """The bytes that a rank of each stage sends are those of the plan; what is sent arrives later."""
    assert len(trace.arrows) == sum("send" in each.name for each in trace.of("transfer") if "to" in each.args)
    error = max(trace.other["clock_error_us"])
    for sent, received in trace.arrows:
        assert (sent.args["from"], sent.args["to"]) == (received.args["from"], received.args["to"])
        assert sent.args.get("micro_batch") == received.args.get("micro_batch")
        assert sent.args["bytes"] == received.args["bytes"] > 0
        assert sent.rank != received.rank and "send to" in sent.name and "receive from" in received.name
        assert sent.begin <= received.end + error
    sums = Counter()
    for sent, _ in trace.arrows:
        sums[sent.args["from"], sent.args["to"]] += sent.args["bytes"]
    ranks = len(trace.names) // len(set(trace.threads.values()))
    planned = {
        (entry["from"], entry["to"]): entry["bytes"] * ranks * 2
        for entry in compiled.plan.get("sends", ())
        if entry["schedule"] == "train"
    }
    assert sums == planned


@pytest.mark.parametrize("mesh, options", [(mesh, options) for mesh, *options in CASES])
def test_a_trace_holds_the_plan(program, tmp_path, mesh, options):
    compiled = program("cola", "tiny", mesh, *options)
    result = train(compiled, tmp_path / "trace.json")
    assert f"trace of steps 2:4: {tmp_path}/trace.json" in result.stdout
    trace = read_trace(tmp_path / "trace.json")
    assert list(trace.names) == list(range(compiled.ranks))
    assert {(each.rank, each.name) for each in trace.of("step")} == {
        (rank, f"step {step}") for rank in trace.names for step in (2, 3)
    }
    for each in trace.slices:
        wanted = {"step": (), "function": ("step",), "transfer": ("step",)}.get(each.category, ("function",))
        assert (each.parent.category,) == wanted if wanted else each.parent is None
        assert each.category in wanted or each.category in (*CLASSES, "step", "function", "transfer")
    check_calls(compiled, trace)
    check_collectives(compiled, trace)
    check_transfers(compiled, trace)
    if mesh == "tp=2":
        check_common_axis(trace)
    # Lines of the model, and the parts of its layers.
    assert all(re.search(r"\.py:\d+$", each.name) for each in trace.of("contraction"))
    for each in trace.of("collective", "memory"):
        assert re.search(r"\.py:\d+$", each.name) or each.name.split()[1] in PARTS, each.name
    assert {each.args.get("layer") for each in trace.of("contraction")} >= {0, 1}
    stages = {rank: name for rank, name in trace.threads.items() if "pp" in mesh}
    assert set(stages.values()) == ({"stage 0", "stage 1"} if stages else set())


def test_a_rank_with_another_clock_is_on_the_same_axis(program, tmp_path):
    """The second rank has a clock that is 5,000 s ahead, as on another machine."""
    compiled, path = program("cola", "tiny", "tp=2"), tmp_path / "trace.json"
    ahead = ("unshare", "--time", "--monotonic", "5000", "--fork")
    if subprocess.run([*ahead, "true"], capture_output=True).returncode:
        pytest.skip("needs the right to make a time namespace")
    words = ("train", "--data", compiled.model.tokens_file, "--steps", STEPS, "--trace", "2:4", "--trace-file", path)
    both = (*("-np", 1, compiled.binary, *words), ":", *("-np", 1, *ahead, compiled.binary, *words))
    run("mpirun", "--oversubscribe", *both)
    trace = read_trace(path)
    check_common_axis(trace)
    assert trace.other["clock_error_us"][0] == 0 < trace.other["clock_error_us"][1] < 1e6


def test_without_the_option_nothing_changes(program, tmp_path, monkeypatch):
    """Nor do the parameters with it."""
    compiled = program("cola", "tiny", "tp=2")
    monkeypatch.chdir(tmp_path)
    saved = []
    for options in ((), ("--trace", "2:4")):
        words = ("--steps", STEPS, "--seed", 0, "--save", tmp_path / "saved.safetensors")
        compiled.launch("train", "--data", compiled.model.tokens_file, *words, *options)
        saved.append((tmp_path / "saved.safetensors").read_bytes())
        assert (tmp_path / "trace.json").exists() == bool(options)
    assert saved[0] == saved[1]


@pytest.mark.parametrize("steps", ["12:10", "3:3", "0:2", "3", "-1:2", "a:b", "2:4:6", "2:", "99999999999999999999:3"])
def test_ranges_that_are_none_are_refused(program, tmp_path, steps):
    compiled = program("cola", "tiny", "1")
    result = train(compiled, tmp_path / "trace.json", steps=steps, check=False)
    assert result.returncode == 2
    assert "--trace: expects FIRST:END, two numbers of steps from 1 on of which END is larger" in result.stderr
    assert f"but got '{steps}'" in result.stderr


def test_what_cannot_be_traced_is_refused(program, tmp_path):
    compiled = program("cola", "tiny", "1")
    result = train(compiled, tmp_path / "trace.json", steps="3:6", check=False)
    assert result.returncode == 2
    assert "--trace 3:6 has steps beyond --steps 4; trace earlier ones" in result.stderr
    result = train(compiled, tmp_path / "missing" / "trace.json", check=False)
    assert result.returncode == 3
    assert f"cannot write {tmp_path}/missing/trace.json" in result.stderr
    result = train(compiled, tmp_path / "log.jsonl", "--log", tmp_path / "log.jsonl", check=False)
    assert result.returncode == 2
    assert "--trace-file and --log name the same file" in result.stderr


def test_a_full_disk_is_told_and_training_goes_on(program, tmp_path):
    """A limit on the size of files stands in for it."""
    compiled = program("cola", "tiny", "1")
    words = (compiled.binary, "train", "--data", compiled.model.tokens_file, "--steps", STEPS)
    words = (*words, "--trace", "2:4", "--trace-file", tmp_path / "trace.json")
    result = run("bash", "-c", "trap '' XFSZ; ulimit -S -f 8; exec " + " ".join(map(str, words)), check=False)
    assert result.returncode == 0, result.stderr
    assert f"warning: no trace: cannot write {tmp_path}/trace.json" in result.stderr
    assert "step 4/4" in result.stdout and "trace of" not in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_ends_early_leaves_what_it_has(program, tmp_path):
    """And one that continues behind the steps leaves their trace."""
    compiled = program("cola", "tiny", "tp=2")
    path, kept = tmp_path / "trace.json", ("--checkpoint", tmp_path / "run", "--schedule", "constant")
    train(compiled, path, "--lr", "1e30", steps="1:4", check=False)
    steps = {each.args["step"] for each in read_trace(path).of("step")}
    assert 1 in steps and 3 not in steps
    train(compiled, path, *kept)
    before = path.read_bytes()
    compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--steps", STEPS + 1, "--resume", *kept),
        *("--trace", "2:4", "--trace-file", path),
    )
    assert path.read_bytes() == before


def test_every_call_of_the_runtime_is_timed():
    """Names of calls follow from their order: one that is not timed would shift those behind it."""
    folder = REPOSITORY / "runtime"
    names = re.findall(r"^BOOST_RT_FUNCTION\((\w+)", (folder / "include/boost-runtime/Functions.def").read_text(), re.M)
    for target in ("cpu", "cuda"):
        source = "".join(path.read_text() for path in (folder / "lib" / target).glob("*.cpp"))
        bodies = dict(re.findall(r'extern "C" void boost_rt_(\w+)\([^{]*{\n(.*)\n', source))
        assert set(bodies) == set(names) if target == "cpu" else set(bodies) <= set(names)
        untimed = {name for name, line in bodies.items() if line != "  TimedCall timed(context->record.timer);"}
        assert untimed == {"probe"}, target
