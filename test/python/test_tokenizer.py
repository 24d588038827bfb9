# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Token files by a Hugging Face tokenizer: the ids are those of the library."""

import sys

import numpy as np
import pytest
from tokenizers import Tokenizer as Library
from tokenizers import decoders, models, pre_tokenizers, processors, trainers

from boost_mlir import data
from boost_mlir import tokenizer as package
from boost_mlir.tokenizer import Tokenizer

EOT = "<|endoftext|>"
TEXTS = [
    "The bottleneck is narrow: what is sent is the latent.\n",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich.\n\n  Indented, 数字 and 🙂.",
    "a" * 300 + " " + "ab " * 200,
]


def train(vocabulary=350):
    """A BPE over bytes, as of GPT-2, with a token for the end of a text."""
    library = Library(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[EOT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    library.train_from_iterator(TEXTS, trainer)
    return library


@pytest.fixture(scope="module")
def library():
    return train()


@pytest.fixture
def file(library, tmp_path):
    library.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "corpus").mkdir()
    for i, text in enumerate(TEXTS):
        (tmp_path / "corpus" / f"{i}.txt").write_text(text, encoding="utf-8")
    return tmp_path / "corpus"


def command(file, corpus, *options):
    output = file.parent / "tokens.bin"
    words = ["--input", corpus, "--tokenizer", file, *options, "-o", output]
    code = data.main([str(word) for word in words])
    return code, data.read_tokens(output) if output.exists() else None


def ids(library, text):
    return library.encode(text, add_special_tokens=False).ids


def test_ids_are_those_of_the_library(library, file, corpus, capsys):
    code, tokens = command(file, corpus)
    assert code == 0 and tokens.dtype == np.uint16
    assert tokens.tolist() == sum((ids(library, text) for text in TEXTS), [])
    assert library.decode(tokens.tolist()) == "".join(TEXTS)
    # Words of several bytes are tokens.
    assert tokens.size < 0.6 * len("".join(TEXTS).encode())
    assert "tokens of 3 files, vocabulary 350" in capsys.readouterr().err


def test_every_document_ends_with_the_token_asked_for(library, file, corpus):
    _, tokens = command(file, corpus, "--eot", EOT)
    end = library.token_to_id(EOT)
    assert tokens.tolist() == sum((ids(library, text) + [end] for text in TEXTS), [])


def test_files_are_split_into_documents(library, file, corpus):
    """At the end of a line, written as a shell gives it; empty documents do not count."""
    _, tokens = command(file, corpus, "--eot", EOT, "--split-at", "\\n")
    documents = [line for text in TEXTS for line in text.split("\n") if line]
    assert len(documents) == 4
    end = library.token_to_id(EOT)
    assert tokens.tolist() == sum((ids(library, text) + [end] for text in documents), [])


@pytest.mark.parametrize("block", [1, 2, 7, 64])
@pytest.mark.parametrize("batch", [1, 50])
def test_where_a_file_is_read_does_not_matter(library, file, corpus, monkeypatch, block, batch):
    monkeypatch.setattr(package, "_BLOCK_BYTES", block)
    monkeypatch.setattr(package, "_BATCH_BYTES", batch)
    path = corpus / "1.txt"
    pieces = [*Tokenizer(file, EOT, split_at=" über ").pieces([path])]
    assert sum(size for _, size in pieces) == path.stat().st_size
    documents = TEXTS[1].split(" über ")
    assert len(documents) == 2
    end = library.token_to_id(EOT)
    assert [token for part, _ in pieces for token in part] == sum(
        (ids(library, text) + [end] for text in documents), []
    )


def test_truncation_and_padding_of_the_file_are_not_applied(library, tmp_path, corpus):
    other = Library.from_str(library.to_str())
    other.enable_truncation(4)
    other.enable_padding(length=1000)
    other.post_processor = processors.TemplateProcessing(
        single=f"{EOT} $A", special_tokens=[(EOT, library.token_to_id(EOT))]
    )
    other.save(str(tmp_path / "tokenizer.json"))
    _, tokens = command(tmp_path / "tokenizer.json", corpus)
    assert tokens.tolist() == sum((ids(library, text) for text in TEXTS), [])


def test_large_vocabularies_have_32_bits(tmp_path, corpus, capsys):
    """Whatever the text holds, so that the shards of a corpus are alike."""
    words = {f"w{i}": i for i in range(70000)} | {"Deich": 70005}
    library = Library(models.WordLevel(words, unk_token="w0"))
    library.pre_tokenizer = pre_tokenizers.Whitespace()
    library.save(str(tmp_path / "tokenizer.json"))
    code, tokens = command(tmp_path / "tokenizer.json", corpus / "0.txt")
    assert code == 0 and tokens.dtype == np.uint32 and set(tokens) == {0}
    # Ids have a gap.
    assert "vocabulary 70006" in capsys.readouterr().err
    _, tokens = command(tmp_path / "tokenizer.json", corpus / "1.txt")
    assert tokens.max() == 70005
    code, _ = command(tmp_path / "tokenizer.json", corpus, "--format", "nanogpt")
    assert code == 3


def test_max_tokens_is_the_number_of_tokens(library, file, corpus):
    """Also where they end within a file."""
    limit = len(ids(library, TEXTS[0])) + 5
    _, tokens = command(file, corpus, "--max-tokens", limit)
    assert tokens.tolist() == sum((ids(library, text) for text in TEXTS), [])[:limit]


def test_progress_reaches_the_total(file, corpus):
    seen = []
    files = data.find_files([corpus])
    data.make_token_file(
        files, file.parent / "t.bin", tokenizer=Tokenizer(file), progress=lambda *pair: seen.append(pair)
    )
    total = sum(path.stat().st_size for path in files)
    assert seen[-1] == (total, total) and len(seen) == 3


@pytest.mark.parametrize(
    "options, code, message",
    [
        (["--eot", "<|endoftxt|>"], 3, f"has no token '<|endoftxt|>'; the nearest is '{EOT}'"),
        (["--split-at", ""], 3, "cannot be split at an empty text"),
        (["--tokenizer", "{tmp}/none.json"], 3, "none.json' is not a readable tokenizer.json"),
        (["--tokenizer", "{tmp}/corpus/0.txt"], 3, "0.txt' is not a readable tokenizer.json"),
        (["--tokenizer", "{tmp}/corpus"], 3, "corpus' is not a readable tokenizer.json"),
        (["--tokenizer", "{tmp}/empty.json"], 3, "empty.json' has an empty vocabulary"),
        (["--input", "{tmp}/latin1.txt"], 3, "latin1.txt: byte 9 is not UTF-8; convert the file"),
        (["--input", "{tmp}/latin1.txt", "--split-at", "ab"], 3, "latin1.txt: byte 9 is not UTF-8"),
        (["--tokenizer", "{tmp}/words.json"], 3, "the tokenizer cannot encode the text"),
        (["--input", "{tmp}/lines.txt", "--split-at", "\\n"], 3, "makes no token of the input"),
        (["--tokenizer", "", "--eot", EOT], 2, "--eot and --split-at are of --tokenizer"),
        (["--tokenizer", "", "--split-at", "x"], 2, "--eot and --split-at are of --tokenizer"),
    ],
)
def test_mistakes_get_a_message(tmp_path, file, corpus, options, code, message, capsys):
    (tmp_path / "latin1.txt").write_bytes("ab ab ab ä".encode("latin1"))
    (tmp_path / "lines.txt").write_text("\n\n\n")
    Library(models.BPE()).save(str(tmp_path / "empty.json"))
    Library(models.WordLevel({"one": 0}, unk_token="[UNK]")).save(str(tmp_path / "words.json"))
    options = [option.format(tmp=tmp_path) for option in options]
    assert command(file, corpus, *options) == (code, None)
    assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("*.partial"))


def test_a_missing_package_is_named(file, corpus, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert command(file, corpus) == (3, None)
    assert "needs the package 'tokenizers'; install it by: pip install" in capsys.readouterr().err


def test_bytes_need_no_package(corpus, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert data.main(["--input", str(corpus), "-o", str(tmp_path / "t.bin")]) == 0
