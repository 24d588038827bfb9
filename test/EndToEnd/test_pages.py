# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages are followed: commands and cells are read from the page and run, in order, in a folder of their own.

A block that is neither run by the test of its page nor in `NOT_RUN` fails."""

import json
import os
import re
import shutil
import sys
import types
from pathlib import Path

import jax
import numpy as np
import pytest
from harness import BATCH, REPOSITORY, SEQ, build_directory, environment, run
from launcher import write_torchrun
from numpy_llama import CONFIG, random_tensors, read_folder, write_folder
from pages import COMMANDS, RUN, Page, all_blocks, all_pages, shell, shorter, spans
from safetensors.numpy import load_file
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import boost_mlir
from boost_mlir import data, export, optimizers, read_configs, read_log, testing
from boost_mlir.export import export_model
from boost_mlir.models import ModelConfig

HOSTS = "needs several nodes"
TORCH = "needs PyTorch, with which test_torch.py, test_hugging_face.py and test_convert.py run what the page says"
#: Blocks that nothing here runs, by page and by how they begin, and why.
NOT_RUN = {
    "README.md": {"scripts/demo.sh": "sets a machine up and runs this suite"},
    "CONTRIBUTING.md": {"scripts/setup.sh": "sets a machine up, builds, and runs this suite"},
    "docs/HowTo/FromHuggingFace.md": {"from transformers": TORCH, "pip install 'torch==2.11": TORCH},
    "docs/HowTo/FromPyTorch.md": {
        "pip install 'torch<2.12'": "installs",
        "import jax, jax.numpy": TORCH,
        "from safetensors.torch": TORCH,
        "def loss(": TORCH,
        "from transformers": TORCH,
        "pip install 'torch==2.11": TORCH,
    },
    "docs/HowTo/FromPython.md": {"pip install": "installs; test_install.py does it"},
    "docs/HowTo/InstallAWheel.md": {
        "scripts/setup.sh": "builds; test_wheel.py does it",
        "python3 -m venv": "installs; test_wheel.py does it",
    },
    "docs/HowTo/SeveralNodes.md": {
        "mpirun -np 8 --hostfile": HOSTS,
        "#!/bin/bash": "needs Slurm",
        "torchrun --nnodes": HOSTS,
        "export BOOST_RUN_SECRET_FILE": "needs openssl; test_network.py reads such a file",
    },
    "docs/HowTo/WatchARun.md": {"pip install tensorboard": "installs, and runs test_tensorboard.py"},
    "docs/Report.md": {"chromium": "needs a browser"},
    "docs/Testing.md": {
        "apt-get": "takes hours",
        "scripts/runtime_mutations.py": "takes minutes; test_runtime_mutations.py runs a few",
    },
    "docs/benchmarks/GPU.md": {"scripts/gpu_check.sh": "needs a GPU; test_gpu_check.py runs it on the emulator"},
    "docs/benchmarks/GPUKernels.md": {
        "boost-compile KIND.mlir": "for four kinds; test_gpu_kernels.py does it and compares the page"
    },
}
FOLLOWED = {}


def follows(name):
    """The test of a page."""

    def register(test):
        FOLLOWED[name] = test
        return test

    return register


@pytest.fixture
def session(tmp_path, monkeypatch):
    """A folder of one's own, and the environment that pages ask for."""
    monkeypatch.chdir(tmp_path)
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    # Machines of tests may have one core.
    monkeypatch.setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
    # The tools of the build, and the installed commands, which are beside the interpreter.
    folders = [build_directory() / "bin", Path(sys.executable).parent, os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    monkeypatch.delenv("BOOST_BUILD_DIR", raising=False)
    return tmp_path


@pytest.fixture
def page(session, request):
    """The page that a test follows, of which no block may be left."""
    (name,) = (name for name, test in FOLLOWED.items() if test is request.function)
    page = Page(name, tuple(NOT_RUN.get(name, ())))
    yield page
    assert not page.left, f"blocks of {name} that were not run: {[block.line for block in page.left]}"


@pytest.fixture
def torchrun(session, monkeypatch):
    """A command of this name on PATH."""
    write_torchrun(session / "bin" / "torchrun")
    monkeypatch.setenv("PATH", f"{session / 'bin'}{os.pathsep}{os.environ['PATH']}")


def test_every_block_is_run_or_says_why_not():
    for name in all_pages():
        blocks = all_blocks(name)
        for block in blocks:
            where = f"{name}:{block.line}"
            assert block.language or not re.match(COMMANDS, block.text), f"{where}: is this no 'sh'?"
        starts = [block.commands for block in blocks if block.language in RUN]
        for start in NOT_RUN.get(name, ()):
            assert sum(each.startswith(start) for each in starts) == 1, f"{name}: '{start}'"
        run_here = [each for each in starts if not each.startswith(tuple(NOT_RUN.get(name, ())))]
        assert not run_here or name in FOLLOWED, f"no test follows {name}"
    assert {*NOT_RUN, *FOLLOWED} <= set(all_pages())


def test_quoted_sources_are_those_of_the_file():
    """A block of C++ begins with the path that it is from."""
    quoted = [(name, each.text) for name in all_pages() for each in all_blocks(name) if each.language == "cpp"]
    assert len(quoted) >= 2
    for name, text in quoted:
        path = re.match(r"// ([\w/]+\.cpp)", text)[1]
        lines = [line for line in text.splitlines() if not line.startswith("//")]
        assert "\n".join(lines) in (REPOSITORY / path).read_text(), f"{name} does not quote {path} as it is"


def test_json_of_pages_is_json():
    for name in all_pages():
        for block in all_blocks(name):
            if block.language == "json":
                json.loads(block.text.replace(", ...", "").replace('"..."', '""'))


# Commands in the text and in tables.

TOOLS = ("boost-compile", "boost-opt", "boost-eval", "boost-prove", "boost-calibrate")
MODULES = ("export", "data", "import_artifact", "report", "convert from-hugging-face", "convert to-hugging-face")
#: Options of launchers, of lit and of other commands that pages name.
FOREIGN = (
    "--bind-to --cpus-per-task --filter --gtest_filter --kill-on-bad-exit --logdir --max-restarts --mca --mpi "
    "--no-python --rdzv-id --report-bindings --signal --standalone"
)


@pytest.fixture(scope="module")
def options(program):
    """Returns the options of tools, scripts and compiled programs."""
    binary = program("cola", "tiny", "dp=2,tp=4").binary
    commands = [(build_directory() / "bin" / tool, "--help-hidden") for tool in TOOLS]
    commands += [(sys.executable, "-m", *f"boost_mlir.{module}".split(), "--help") for module in MODULES]
    commands += [(binary, command, "--help") for command in ("train", "eval", "info")]
    helps = [run(*command).stdout for command in commands]
    scripts = [*(REPOSITORY / "scripts").rglob("*.[ps][yh]"), *(REPOSITORY / "benchmarks").glob("*.py")]
    helps += [path.read_text() for path in scripts]
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", "\n".join([*helps, FOREIGN])))


def missing_of(span, options):
    """Returns the names in a command that do not exist."""
    names = [each for each in re.findall(r"(?<![\w-])--[a-z][\w-]*", span) if each not in options]
    words = span.split()
    files = [each for each in words if re.match(r"(scripts|benchmarks|test)/[\w/.-]*\.\w+$", each)]
    names += [each for each in files if not (REPOSITORY / each).exists()]
    tests = REPOSITORY / "test"
    if "lit" in words and (filtered := re.search(r"--filter=(\S+)", span)):
        paths = (str(path.relative_to(tests)) for path in tests.rglob("*") if path.suffix in (".mlir", ".test"))
        names += [] if any(re.search(filtered[1], path) for path in paths) else [filtered[1]]
    if unit := re.search(r"--gtest_filter=(\w+)", span):
        sources = (path.read_text() for path in (tests / "unit").rglob("*.cpp"))
        names += [] if any(f"({unit[1]}, " in source for source in sources) else [unit[1]]
    if "pytest" in words and (chosen := re.search(r" -k (\w+)", span)):
        names += [] if chosen[1] in (REPOSITORY / files[0]).read_text() else [chosen[1]]
    return names


@pytest.mark.parametrize("name", [name for name in all_pages() if name != "CHANGELOG.md"])
def test_what_the_text_names_is_there(name, options):
    """Options, scripts, and what tests are chosen by."""
    assert {span: missing for span in spans(name) if (missing := missing_of(span, options))} == {}


# Programs and files that several pages speak of.


def loss(params, tokens, targets):
    log_probs = jax.nn.log_softmax(params["embed"][tokens] @ params["head"])
    return -jax.numpy.mean(jax.numpy.take_along_axis(log_probs, targets[..., None], axis=-1))


def masked_loss(params, tokens, targets, mask):
    log_probs = jax.nn.log_softmax(params["embed"][tokens] @ params["head"])
    losses = -jax.numpy.take_along_axis(log_probs, targets[..., None], axis=-1)[..., 0]
    return jax.numpy.sum(losses * mask) / jax.numpy.maximum(jax.numpy.sum(mask), 1)


def loss_with_dropout(params, tokens, targets, key):
    keep = jax.random.bernoulli(key, 0.9, params["embed"].shape)
    return loss(params | {"embed": params["embed"] * keep}, tokens, targets)


def factors(vocabulary=256):
    return {"embed": np.ones((vocabulary, 8), np.float32), "head": np.ones((8, vocabulary), np.float32)}


def rows(batch=BATCH):
    return jax.ShapeDtypeStruct((batch, SEQ), np.int32)


def compile_small(*options, params=None, of=loss, batch=None, optimizer=None):
    """`train`, of a program that compiles in no time."""
    given = params or factors(), *(batch or (rows(), rows()))
    export.export(of, *given, optimizer=optimizer).save("small.mlir")
    run("boost-compile", "small.mlir", "--quiet", *options, "-o", "train")


@pytest.fixture
def small_model(session, model):
    """Under the names that pages use: a model, its inputs and tokens."""
    cola = model("cola")
    shutil.copy(cola.text_file, "model.mlir")
    for name in ("in.safetensors", "inputs.safetensors"):
        shutil.copy(cola.inputs_file, name)
    for name in ("tokens.bin", "train_0.bin", "train_1.bin", "val.bin"):
        data.write_tokens(name, cola.tokens)
    return cola


@pytest.fixture
def eight_ranks(small_model, program):
    """A small model, and a program of it for eight ranks."""
    shutil.copy(program("cola", "tiny", "dp=2,tp=4").binary, "train")


def write_pages_to(folder, pages):
    """A corpus."""
    Path(folder).mkdir()
    for page in (REPOSITORY / "docs" / pages).glob("*.md"):
        (Path(folder) / page.name).write_text(page.read_text())


def assert_shown(shown, printed, skip=()):
    """Checks that the output has the lines that a page shows, except those that depend on the
    machine."""
    for line in shown:
        if line.strip() not in ("", "...") and not line.startswith(skip):
            assert line in printed, f"shown, but not printed: {line}\n{printed}"


def without_folders(printed):
    return re.sub(r"at /\S*/(?=\w+\.py:)", "at ", printed)


# The pages.


@follows("README.md")
def test_readme(page, eight_ranks):
    demo, path, commands, notebook = page.blocks
    shutil.copy("train", "train_of_8")
    data.write_tokens("tokens.bin", np.arange(20000) % 251)
    printed = page.run(demo, shorter)
    # Bytes of the module depend on the folder; speed, and what follows from it, on the machine.
    exported, *shown = demo.shown
    assert exported.rsplit(", ", 1)[0] in printed
    assert_shown(shown, printed, skip=("step 1/", "done:"))
    page.run(path)
    shutil.copy("train_of_8", "train")
    make_report = "python -m boost_mlir.report"
    train = "mpirun -np 8 ./train train --data tokens.bin --steps 6 --log log.jsonl\n"
    data.write_tokens("tokens.bin", np.arange(1000) % 64)
    printed = page.run(commands, lambda text: text.replace(make_report, train + make_report))
    assert "placements by their predicted step" in printed and '"collectives":' in printed
    assert Path("out.safetensors").is_file() and "</html>" in Path("report.html").read_text()
    page.names |= {"boost_mlir": boost_mlir, "loss": loss, "params": factors()}
    page.names |= {"tokens": rows(), "targets": rows()}
    page.run(notebook, shorter)
    assert len(page.names["result"].losses) == 6 and page.names["params"]["embed"].std() > 0


@follows("docs/HowTo/FromLossToModel.md")
def test_from_loss_to_model(page, capsys):
    write_pages_to("corpus", "HowTo")
    write_pages_to("heldout", "Rewrites")
    printed = page.run_all()
    summary = [line.split(" at ")[0] for line in page.shown("recognized")]
    assert_shown(summary, printed)
    losses = [float(loss) for loss in re.findall(r"^step .* val loss (\S+)", printed, re.MULTILINE)]
    names = page.names
    assert len(losses) == 3 and losses[-1] < 0.7 * np.log(names["VOCAB"])
    assert names["in_log"] == pytest.approx(losses[-1], abs=1e-4)
    assert names["in_jax"] == pytest.approx(names["in_log"], rel=1e-5)
    # Before training every byte is as likely as any other; the corpus is mostly lower-case letters.
    text = names["written"].removeprefix("The compiler ")
    assert sum(letter.islower() or letter == " " for letter in text) > 0.5 * len(text)
    assert text in capsys.readouterr().out


@follows("docs/HowTo/FromPython.md")
def test_from_python(page, capsys):
    names, results = page.names, []
    for block in page.blocks:
        page.run(block)
        if "boost_mlir.run(" in block.text:
            results.append(names.get("result"))
    first, last = results[0], results[-1]
    assert first.losses[-1] < 0.7 * first.losses[0]
    steps = sorted(path.name for path in Path("run1").iterdir())
    # Three of the checkpoints of 10, 20, 30 and 40 steps are kept.
    assert steps == ["step-20", "step-30", "step-40"]
    expected = float(names["loss"](names["trained"], **names["batch"]))
    assert names["evaluated"].loss == pytest.approx(expected, rel=1e-5)
    assert expected < 0.7 * first.losses[0]
    # The last run starts from what was loaded, on the first windows of the file, which are this batch.
    assert last.losses[0] == pytest.approx(expected, rel=1e-5)
    assert isinstance(names["trained"]["embed"], jax.Array)
    assert names["refusal"].exit_code and "tp = 7" in capsys.readouterr().out


@follows("docs/HowTo/ExportALoss.md")
def test_export_a_loss(page):
    model, own, mixed, adapters, closed, keys, given, artifact, check = page.blocks
    assert "parameters" in page.run(model)
    page.run(own)
    assert Path("loss.mlir").is_file()

    tokens, targets = np.random.default_rng(1).integers(0, 64, (2, BATCH, SEQ)).astype(np.int32)
    page.names |= {"params": factors(64), "tokens": tokens, "targets": targets, "loss": loss, "np": np}
    page.run(mixed)
    assert page.names["mixed"](factors(64), tokens, targets) == pytest.approx(np.log(64), rel=1e-2)
    page.names |= {"params": {"base": factors(64), "head": factors(64)["head"]}}
    page.names["loss"] = lambda params, *batch: loss(params["base"] | {"head": params["head"]}, *batch)
    page.run(adapters)
    assert str(page.names["text"]).count('boost.arg = "frozen"') == 2
    np.save("head.npy", np.arange(8 * 4096, dtype=np.float32).reshape(8, 4096))
    a, b = np.ones((8, 2), np.float32), np.ones((2, 4096), np.float32)
    page.names |= {"params": {"embed": factors(64)["embed"], "a": a, "b": b}, "loss": loss}
    page.run(closed)
    run("boost-compile", "loss.mlir", "--quiet", "-o", "train")
    assert [*load_file("train.constants.safetensors")] == ["constant.0"]
    page.names |= {"params": factors(64), "loss": loss, "loss_with_dropout": loss_with_dropout}
    page.run(keys)

    # The axes of the mesh and the sharding are those of the page.
    (shown,) = (block.text for block in all_blocks(page.name) if block.language == "mlir")
    f32 = lambda *shape: np.ones(shape, np.float32)
    ids = np.zeros((8, 64), np.int32)
    text = export.export(lambda params, ids: (params["w"][ids] ** 2).mean(), {"w": f32(512, 128)}, ids)
    for name, sharding in re.findall(r'(boost.name = "\w+")(, boost.sharding = #boost.sharding<.*?>)}', shown):
        assert text.count(name) == 1
        text = text.replace(name, name + sharding)
    Path("loss.mlir").write_text(text)
    page.run(given)
    (w,) = json.loads(run("./train", "info").stdout)["parameters"]["tensors"]
    assert (w["name"], w["split"]) == ("w", [["model"], []])

    Path("loss.bin").write_bytes(jax.export.export(jax.jit(loss))(factors(), rows(), rows()).serialize())
    page.run(artifact)
    assert '"embed"' in Path("loss.mlir").read_text()

    random = np.random.default_rng(2).standard_normal((2, 64, 8)).astype(np.float32)
    page.names |= {"params": {"embed": random[0], "head": random[1].T}, "loss": loss}
    compile_small("--mesh=dp=2,tp=2", params=page.names["params"])
    page.run(check)
    shell(re.search(r"^# (mpirun .*)", check.text, re.MULTILINE)[1])
    results = load_file("out.safetensors")
    assert results["loss"] == pytest.approx(page.names["value"], rel=1e-5)
    for name, gradient in page.names["gradients"].items():
        np.testing.assert_allclose(results[f"grad.{name}"], gradient, rtol=1e-4, atol=1e-7)


@follows("docs/HowTo/BringAnOptimizer.md")
def test_bring_an_optimizer(page):
    (given,) = page.blocks
    page.run(given)
    # Batches of floats are no token files.
    run("boost-compile", "loss.mlir", "--allow-float-batch", "-o", "train")
    said = run("./train", "train", "--help").stdout
    for option in ("--learning-rate", "--weight-decay", "--b1", "--b2"):
        assert f"{option} X" in said


@follows("docs/HowTo/OptimizeFactors.md")
def test_optimize_factors(page):
    compiled, pairs = page.blocks
    page.run(compiled)
    run("boost-compile", "loss.mlir", "--mesh=tp=2", "--emit=plan", "-o", "plan.json")
    collectives = json.loads(Path("plan.json").read_text())["collectives"]
    assert sum(entry["phase"] == "optimizer" for entry in collectives) == 7
    page.run(pairs)
    assert [leaf.shape for leaf in jax.tree.leaves(page.names["state"].mu)] == [(64, 16), (16, 64)]


#: The sizes of recipes, and those of a quick test.
SMALL_RECIPE = {
    "--size 60m --batch 512 --seq 256": "--size tiny --layers 1",
    'of_size("60m", "svd")': 'of_size("tiny", "svd", layers=1)',
    "(512, 256)": "(4, 16)",
    "--log": "--steps 4 --warmup 2 --log",
}


def small_recipe(text):
    for old, new in SMALL_RECIPE.items():
        text = text.replace(old, new)
    return text


@follows("docs/HowTo/Recipes.md")
def test_recipes(page, small_model):
    (Path.cwd() / "recipes").symlink_to(REPOSITORY / "recipes")
    cola, lax, loro, trained = page.blocks
    for block in (cola, lax, loro, trained):
        page.run(block, small_recipe)
    for name in ("cola", "lax", "loro"):
        assert len(read_log(f"{name}.jsonl")) == 4


def library(path, texts):
    """A BPE trained on these, as a file that others would have."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=["<|endoftext|>"], show_progress=False)
    made.train_from_iterator(texts, trainer)
    made.save(str(path))
    return made


@follows("docs/HowTo/TokenizeYourData.md")
def test_tokenize_your_data(page):
    texts = [f"The document {i} says that {i} and {i * i} differ.\n" * 20 for i in range(2, 6)]
    Path("corpus").mkdir()
    for i, text in enumerate(texts):
        Path(f"corpus/{i}.txt").write_text(text)
    tokenizer = library("tokenizer.json", texts)
    compile_small(params=factors(tokenizer.get_vocab_size()))
    page.run_all()
    assert bytes(data.read_tokens("bytes.bin").astype(np.uint8)).decode() == "".join(texts)
    end = [tokenizer.token_to_id("<|endoftext|>")]
    expected = sum((tokenizer.encode(text).ids + end for text in texts), [])
    assert data.read_tokens("tokens.bin").tolist() == expected
    assert data.read_tokens("chats.bin").tolist() == [12, 7, 9, 4, 31, 2, 8, 5, 17, 2]
    assert Path("chats.mask").read_bytes() == bytes([0, 0, 0, 1, 1, 1, 0, 0, 1, 1])


@follows("docs/HowTo/FromHuggingFace.md")
def test_from_hugging_face(page):
    tensors = random_tensors(CONFIG)
    write_folder(Path("llama"), CONFIG, tensors, shards=2)
    data.write_tokens("tokens.bin", np.arange(500, dtype=np.uint16) * 3 % CONFIG["vocab_size"])
    to_compiler, back, from_scratch, cell = page.blocks
    printed = page.run(to_compiler).splitlines()
    assert [line for line in page.shown("layer 0") if line not in printed] == []
    page.run(back, shorter)
    page.run(from_scratch, shorter)
    page.run(cell)
    # What the command writes is what Python writes.
    (config, command), (again, python) = (read_folder(Path(name)) for name in ("trained", "again"))
    assert config == again and command.keys() == python.keys()
    assert all(np.array_equal(value, python[name]) for name, value in command.items())
    assert Path("again.mlir").is_file() and Path("again.init.safetensors").is_file()
    assert read_folder(Path("cola"))[0]["low_rank_kind"] == "cola"


class FakeRun(list):
    """A run of W&B that keeps what it is sent."""

    def log(self, numbers, step):
        self.append((step, numbers))

    def finish(self):
        self.append("finished")


@follows("docs/HowTo/WatchARun.md")
def test_watch_a_run(page, small_model, monkeypatch):
    compile_small("--mesh=tp=2")
    trained, script, traced, drawn = page.blocks
    page.run(trained, shorter)
    assert len(list(Path("events/run1").iterdir())) == 1
    sent = FakeRun()
    wandb = types.ModuleType("wandb")
    wandb.init = lambda project, config: sent if config["steps"] == 6 else None
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    page.run(script)
    *steps, end = sent
    assert end == "finished" and [step for step, _ in steps] == list(range(1, 7))
    assert [numbers["loss"] for _, numbers in steps] == [each["loss"] for each in read_log("log.jsonl")]
    page.run(traced, shorter)
    page.run(drawn)
    assert "steps 4 to 5" in Path("report.html").read_text()


#: Signals the launcher once it has started a step, and looks at its exit code.
WAITING = (
    ("run1 &\n", "run1 > printed &\nuntil grep -q 'step 1/' printed; do sleep 0.1; done\n"),
    ("kill -USR1 $!", "kill -USR1 $!; wait $! || test $? -eq 75 #"),
)


def stopping(text):
    for old, new in WAITING:
        assert old in text
        text = text.replace(old, new)
    return text


@follows("docs/HowTo/RunAProgram.md")
def test_run_a_program(page, eight_ranks):
    info, train, masks, dropout, verify, stop, probe = page.blocks
    assert '"ranks": 8' in page.run(info, shorter)
    assert len(read_log("log.jsonl")) == 6
    assert "val loss" in page.run(train, shorter)
    assert "are within their bounds" in page.run(verify)
    config = json.loads(next(each.text for each in all_blocks(page.name) if each.language == "json"))
    Path("run.json").write_text(json.dumps(config))
    shell("mpirun -np 8 ./train train --config run.json --steps 2 --warmup 1 --log with_config.jsonl")
    (in_effect,) = (each["config"] for each in read_configs("with_config.jsonl"))
    assert in_effect.items() >= (config | {"steps": 2, "warmup": 1}).items()
    # As many steps as are not over when the signal arrives.
    printed = page.run(stop, lambda text: stopping(text).replace("--steps 1000", "--steps 300"))
    assert "resumed after step" in printed and "done:" in printed
    printed = page.run(probe, lambda text: text.replace("--steps 1000", "--steps 302"))
    assert "resumed after step 300" in printed and "done: 2 steps" in printed

    ids = np.random.default_rng(3).integers(0, 50264, 4000)
    for name in ("chats", "books"):
        data.write_tokens(f"{name}.bin", np.where(np.arange(4000) % 100, ids, 50256))
    data.write_mask("chats.mask", ids % 3 > 0)
    batch = (rows(8), rows(8), jax.ShapeDtypeStruct((8, SEQ), np.bool_))
    compile_small("--mesh=dp=8", params=factors(50264), of=masked_loss, batch=batch)
    assert page.run(masks, shorter).count("'mask' <- mask") == 2

    page.names |= {"loss_with_dropout": loss_with_dropout, "jax": jax, "export": export.export}
    page.names |= {"params": factors(), "tokens": rows(), "targets": rows()}
    page.run(dropout)

    Path("train.mlir").write_text(export_model(ModelConfig.of_size("tiny", "cola"), 2, 16))
    summary = run("boost-compile", "train.mlir", "--mesh=tp=2", "--emit=summary").stdout
    assert_shown([line.removeprefix("train: ") for line in page.shown("recognized")], without_folders(summary))


@follows("docs/HowTo/SeveralNodes.md")
def test_several_nodes(page, small_model, torchrun):
    portable, on_one, by_torchrun, restarted = page.blocks
    page.run(portable)
    # A launcher that does not start MPI starts processes alone.
    alone = run("./train", "train", "--data=tokens.bin", "--steps=1", check=False)
    refusal = re.search(r"`(this program was compiled for [^`]*)`", (REPOSITORY / page.name).read_text())[1]
    assert alone.returncode == 2 and refusal in alone.stderr
    compile_small("--mesh=tp=2")
    assert "done: 20 steps" in page.run(on_one)
    assert Path("run1/step-20").is_dir()
    shutil.rmtree("run1")
    assert "done: 6 steps" in page.run(by_torchrun, shorter)
    assert Path("run1/step-6").is_dir()
    assert "done: 6 steps" in page.run(restarted, shorter)
    assert len(read_log("log.jsonl")) == 6


@follows("docs/Placement.md")
def test_placement(page, small_model):
    chosen, compared = page.blocks
    printed = page.run(chosen)
    assert "placements by their predicted step on 'a100-80gb'" in printed and "on 8 ranks" in printed
    table = page.run(compared)
    for name in ("bottleneck", "vanilla", "megatron", "replicated"):
        assert f"--mesh=tp=4 --placement={name}\n" in table


@follows("docs/PipelineParallelism.md")
def test_pipeline_parallelism(page, small_model):
    (commands,) = page.blocks
    assert "done: 10 steps" in page.run(commands)


@follows("docs/Verify.md")
def test_verify(page, small_model):
    (commands,) = page.blocks
    printed = [line.split() for line in page.run(commands).splitlines()]
    *table, end = (line.split() for line in page.shown("-- forward"))
    assert end in printed
    for row in table:
        # Errors depend on the machine; the first of the row, its type and its verdict do not.
        same = [line for line in printed if line[:2] == row[:2] and line[-1:] == row[-1:]]
        assert same or row == ["..."], row


def emulated(text):
    """For the GPU of the tests, and a few steps, since that one is slow."""
    text = text.replace("--steps 1000", "--steps 2").replace("boost-compile", "boost-test-compile")
    return text.replace("--target=cuda", "--target=cuda --emulatable")


@follows("docs/GPU.md")
def test_gpu(page, small_model, torchrun):
    (commands,) = page.blocks
    printed = page.run(commands, emulated)
    losses = re.findall(r"^done: 2 steps .* (loss .*?),", printed, re.MULTILINE)
    assert len(losses) == 2 and losses[0] == losses[1]


@follows("docs/Machines.md")
def test_machines(page):
    (price,) = page.blocks
    operations = next(each.text for each in all_blocks(page.name) if each.language == "json")
    Path("ops.json").write_text(operations)
    priced = json.loads(page.run(price))
    assert [each["name"] for each in priced["operations"]] == ["q, k, v", "flash", "norm", "latents"]


@follows("docs/Report.md")
def test_report(page):
    (commands,) = page.blocks
    write_pages_to("text", "HowTo")
    page.run(commands, shorter)
    text = Path("report.html").read_text().replace("\u00a0", " ")
    sections = re.findall(r'<a href="#\w+">(\w+)</a>', text)
    assert sections == ["Step", "Measured", "Memory", "Collectives", "Placements", "Training"]
    assert "as planned." in text and "median of 6 steps" in text


@follows("docs/Testing.md")
def test_testing(page, small_model):
    prove, emulate = page.blocks
    Path("build").symlink_to(build_directory())
    assert "loss" in page.run(emulate)
    # By every pass; models take longer.
    export.export(loss, factors(16), rows(), rows()).save("model.mlir")
    assert "0 mismatches, 0 refused" in page.run(prove)
