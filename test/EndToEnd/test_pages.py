# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages whose commands and cells are run from the first to the last."""

import os
import re
import shutil
import sys
from pathlib import Path

import jax
import numpy as np
import pytest
from harness import BATCH, REPOSITORY, SEQ, build_directory, environment, run
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from boost_mlir import data, export, read_log

PAGES = REPOSITORY / "docs/HowTo"


@pytest.fixture
def session(tmp_path, monkeypatch):
    """A folder of one's own, and the environment that the pages ask for."""
    monkeypatch.chdir(tmp_path)
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    # Machines of tests may have one core.
    monkeypatch.setenv("OMPI_MCA_rmaps_base_oversubscribe", "1")
    monkeypatch.setenv("PATH", f"{build_directory() / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("BOOST_BUILD_DIR", raising=False)
    return tmp_path


def all_blocks(page) -> list[tuple[str, str]]:
    """The language and the text of all blocks, in order; no language for what is only shown."""
    found = re.findall(r"^```(\w*)\n(.*?)^```$", (PAGES / page).read_text(), re.DOTALL | re.MULTILINE)
    assert found
    return found


def blocks(page, language) -> list[str]:
    found = [block for each, block in all_blocks(page) if each == language]
    assert found
    return found


def shell(command):
    """Runs a block of commands, each of which has to succeed; what they print."""
    result = run("bash", "-e", "-c", command)
    return result.stdout + result.stderr


def run_in_order(page, names) -> str:
    """Runs all cells, in `names`, and all commands of a page; what the commands print."""
    printed = ""
    for number, (language, block) in enumerate(all_blocks(page)):
        if language == "python":
            source = Path(f"cell{number}.py")
            source.write_text(block)
            exec(compile(block, str(source), "exec"), names)
        elif language == "sh":
            printed += shell(block)
    return printed


@pytest.fixture
def installed(session, monkeypatch):
    """The installed commands, which are beside the interpreter."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


def test_from_python(session, capsys):
    names = {}
    cells = blocks("FromPython.md", "python")
    for number, cell in enumerate(cells):
        # With a file of its own, from which JAX shows lines.
        source = session / f"cell{number}.py"
        source.write_text(cell)
        exec(compile(cell, str(source), "exec"), names)
        if "checkpoint_every=10" in cell:
            first = names["result"]
    assert first.losses[-1] < 0.7 * first.losses[0]
    steps = sorted(path.name for path in Path("run1").iterdir())
    # Of those of 10, 20, 30 and 40 steps three are kept.
    assert steps == ["step-20", "step-30", "step-40"]
    expected = float(names["loss"](names["trained"], **names["batch"]))
    assert names["evaluated"].loss == pytest.approx(expected, rel=1e-5)
    assert expected < 0.7 * first.losses[0]
    # The last run starts from what was loaded, on the first windows of the file, which are this batch.
    assert names["result"].losses[0] == pytest.approx(expected, rel=1e-5)
    assert isinstance(names["trained"]["embed"], jax.Array)
    assert names["refusal"].exit_code and "tp = 7" in capsys.readouterr().out


def library(path):
    """A BPE trained on the corpus, as a file that others would have."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=["<|endoftext|>"], show_progress=False)
    made.train_from_iterator(TEXTS, trainer)
    made.save(str(path))
    return made


TEXTS = [f"The document {i} says that {i} and {i * i} differ.\n" * 20 for i in range(2, 6)]


def loss(params, tokens, targets):
    log_probs = jax.nn.log_softmax(params["embed"][tokens] @ params["head"])
    return -jax.numpy.mean(jax.numpy.take_along_axis(log_probs, targets[..., None], axis=-1))


def test_tokenize_your_data(session, installed):
    (session / "corpus").mkdir()
    for i, text in enumerate(TEXTS):
        (session / f"corpus/{i}.txt").write_text(text)
    tokenizer = library(session / "tokenizer.json")
    vocabulary = tokenizer.get_vocab_size()
    params = {"embed": np.ones((vocabulary, 8), np.float32), "head": np.ones((8, vocabulary), np.float32)}
    ids = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)
    export.export(loss, params, ids, ids).save("train.mlir")
    run("boost-compile", "train.mlir", "-o", "train")
    for command in blocks("TokenizeYourData.md", "sh"):
        shell(command)
    assert bytes(data.read_tokens("bytes.bin").astype(np.uint8)).decode() == "".join(TEXTS)
    end = [tokenizer.token_to_id("<|endoftext|>")]
    expected = sum((tokenizer.encode(text).ids + end for text in TEXTS), [])
    assert data.read_tokens("tokens.bin").tolist() == expected


def test_from_loss_to_model(session, installed, capsys):
    for folder, pages in {"corpus": "HowTo", "heldout": "Rewrites"}.items():
        (session / folder).mkdir()
        for page in (REPOSITORY / "docs" / pages).glob("*.md"):
            (session / folder / page.name).write_text(page.read_text())
    names = {}
    printed = run_in_order("FromLossToModel.md", names)
    # What the page shows of the summary is what is recognized now.
    (shown,) = (block for block in blocks("FromLossToModel.md", "") if "recognized" in block)
    assert [line for line in shown.splitlines() if "recognized" in line][0] in printed
    losses = [float(loss) for loss in re.findall(r"^step .* val loss (\S+)", printed, re.MULTILINE)]
    assert len(losses) == 3 and losses[-1] < 0.7 * np.log(names["VOCAB"])
    assert names["in_log"] == pytest.approx(losses[-1], abs=1e-4)
    assert names["in_jax"] == pytest.approx(names["in_log"], rel=1e-5)
    # Before training every byte is as likely as any other; the corpus is mostly lower-case letters.
    text = names["written"].removeprefix("The compiler ")
    assert sum(letter.islower() or letter == " " for letter in text) > 0.5 * len(text)
    assert text in capsys.readouterr().out


@pytest.fixture
def files_of_a_model(session, installed, model):
    """Under the names that pages use: a small model, its inputs, tokens, and a program for eight ranks."""
    cola = model("cola")
    shutil.copy(cola.text_file, "model.mlir")
    shutil.copy(cola.inputs_file, "in.safetensors")
    for name in ("tokens.bin", "train_0.bin", "train_1.bin", "val.bin"):
        data.write_tokens(name, cola.tokens)
    run("boost-compile", "model.mlir", "--mesh=dp=2,tp=4", "--quiet", "-o", "train")


#: Numbers of long runs, and those of a short one.
SHORTER = {r"--steps \d+": "--steps 6", r"--warmup \d+": "--warmup 2", r"--val-every \d+": "--val-every 3"}


def run_shorter(block) -> str:
    for pattern, short in SHORTER.items():
        block = re.sub(pattern, short, block)
    return shell(block)


def test_readme(files_of_a_model):
    (commands,) = (block for block in blocks("../../README.md", "sh") if "boost-compile" in block)
    compiling, at, reporting = commands.partition("python -m boost_mlir.report")
    printed = run_shorter(compiling)
    assert "placements by their predicted step" in printed and '"collectives":' in printed
    assert Path("out.safetensors").is_file()
    run_shorter("mpirun -np 8 ./train train --data tokens.bin --steps 6 --log log.jsonl")
    run_shorter(at + reporting)
    assert "</html>" in Path("report.html").read_text()


def test_run_a_program(files_of_a_model):
    info, train, verify = blocks("RunAProgram.md", "sh")
    assert '"ranks": 8' in run_shorter(info)
    assert len(read_log("log.jsonl")) == 6
    assert "val loss" in run_shorter(train)
    assert "are within their bounds" in run_shorter(verify)


def test_several_nodes(session):
    params = {"embed": np.ones((256, 8), np.float32), "head": np.ones((8, 256), np.float32)}
    ids = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)
    export.export(loss, params, ids, ids).save("train.mlir")
    data.write_tokens("tokens.bin", np.arange(4000) % 256)
    run("boost-compile", "train.mlir", "--mesh=tp=2", "-o", "train")
    (command,) = blocks("SeveralNodes.md", "sh")
    assert "done: 20 steps" in shell(command)
    assert Path("run1/step-20").is_dir()
    # What a launcher does that does not start MPI: a process alone.
    alone = run("./train", "train", "--data=tokens.bin", "--steps=1", check=False)
    page = (PAGES / "SeveralNodes.md").read_text()
    refusal = re.search(r"`(this program was compiled for [^`]*)`", page)[1]
    assert alone.returncode == 2
    assert refusal.replace("8 ranks (mesh dp=2,tp=4)", "2 ranks (mesh tp=2)") in alone.stderr
