# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages whose commands and cells are run from the first to the last."""

import os
import re
import sys
from pathlib import Path

import jax
import numpy as np
import pytest
from harness import BATCH, REPOSITORY, SEQ, build_directory, environment, run
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from boost_mlir import data, export

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


def blocks(page, language) -> list[str]:
    found = re.findall(rf"^```{language}\n(.*?)^```$", (PAGES / page).read_text(), re.DOTALL | re.MULTILINE)
    assert found
    return found


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


def test_tokenize_your_data(session, monkeypatch):
    (session / "corpus").mkdir()
    for i, text in enumerate(TEXTS):
        (session / f"corpus/{i}.txt").write_text(text)
    tokenizer = library(session / "tokenizer.json")
    vocabulary = tokenizer.get_vocab_size()
    params = {"embed": np.ones((vocabulary, 8), np.float32), "head": np.ones((8, vocabulary), np.float32)}
    ids = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)
    export.export(loss, params, ids, ids).save("train.mlir")
    run("boost-compile", "train.mlir", "-o", "train")
    # The installed commands are beside the interpreter.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for command in blocks("TokenizeYourData.md", "sh"):
        run("bash", "-e", "-c", command)
    assert bytes(data.read_tokens("bytes.bin").astype(np.uint8)).decode() == "".join(TEXTS)
    end = [tokenizer.token_to_id("<|endoftext|>")]
    expected = sum((tokenizer.encode(text).ids + end for text in TEXTS), [])
    assert data.read_tokens("tokens.bin").tolist() == expected
