# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A LLaMA of Hugging Face is converted, trains in a compiled program, and goes back.

The oracle is LLaMA in NumPy, and with BOOST_HUGGING_FACE=1 `transformers` too, where it is installed."""

import json
import os
import re

import numpy as np
import pytest
from harness import relative_error, run, tool
from numpy_llama import CONFIG, loss, random_tensors, read_folder, write_folder

import boost_mlir
from boost_mlir import convert, data, huggingface, models, testing

BATCH, SEQ, STEPS, D = 4, 16, 10, CONFIG["hidden_size"]
SOURCE = CONFIG | dict(tie_word_embeddings=True)
TRANSFORMERS = pytest.param(
    "transformers", marks=pytest.mark.skipif(not os.environ.get("BOOST_HUGGING_FACE"), reason="set BOOST_HUGGING_FACE=1")
)


def write_by_transformers(folder):
    import torch
    import transformers

    torch.manual_seed(1)
    fields = {name: value for name, value in SOURCE.items() if name not in ("architectures", "torch_dtype")}
    config = transformers.LlamaConfig(**fields, initializer_range=0.3)
    transformers.LlamaForCausalLM(config).save_pretrained(folder, max_shard_size="30KB")


def loss_by_numpy(folder, inputs, targets):
    return loss(*read_folder(folder), inputs, targets)


def loss_by_transformers(folder, inputs, targets):
    import torch
    import transformers

    model = transformers.AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=True).double()
    ids = torch.from_numpy(np.concatenate([inputs, targets[:, -1:]], axis=1).astype(np.int64))
    with torch.no_grad():
        return model(input_ids=ids, labels=ids).loss.item()


WRITERS = {
    "numpy": lambda folder: write_folder(folder, SOURCE, random_tensors(SOURCE), shards=2),
    "transformers": write_by_transformers,
}
LOSSES = {"numpy": loss_by_numpy, "transformers": loss_by_transformers}


@pytest.fixture(scope="module", params=["numpy", TRANSFORMERS])
def source(request, tmp_path_factory):
    """A tied LLaMA with grouped queries in two shards, and what computes the loss of a folder."""
    folder = tmp_path_factory.mktemp("source") / "llama"
    WRITERS[request.param](folder)
    assert len(list(folder.glob("model-*.safetensors"))) > 1
    return folder, LOSSES[request.param]


@pytest.fixture(scope="module")
def tokens(tmp_path_factory):
    """A file of tokens, and its first batch."""
    path = tmp_path_factory.mktemp("tokens") / "tokens.bin"
    ids = np.cumsum(np.random.default_rng(2).integers(1, 4, 1000)) % CONFIG["vocab_size"]
    data.write_tokens(path, ids.astype(np.uint16))
    return path, next(testing.sequential_batches(ids, BATCH, SEQ))


def converted(*words):
    assert convert.main([str(word) for word in words]) == 0


#: Options of the conversion, and where `train` leaves its parameters. Factors of full rank are the model.
FORMS = {
    "as it is": ((), "--save"),
    "stacked": (("--scan",), "--save"),
    "full rank": (("--rank", D), "--checkpoint"),
    "d/4": (("--rank", D // 4), "--checkpoint"),
}


@pytest.mark.parametrize("form", FORMS)
def test_ten_steps_between_two_folders(source, tokens, tmp_path, capsys, form):
    (folder, loss_of), (file, batch) = source, tokens
    options, keeps = FORMS[form]
    module, kept, back = tmp_path / "llama.mlir", tmp_path / "kept", tmp_path / "back"
    converted("from-hugging-face", folder, *options, "--batch", BATCH, "--seq", SEQ, "-o", module)
    errors = re.findall(r"^layer \d: relative error of  (.*)$", capsys.readouterr().err, re.MULTILINE)
    assert len(errors) == (2 if "--rank" in options else 0)

    run(tool("boost-compile"), module, "--mesh=tp=2", "-o", tmp_path / "train")
    run(
        *("mpirun", "--oversubscribe", "-np", 2, tmp_path / "train", "train", "--data", file, "--steps", STEPS),
        *("--lr", 1e-3, "--val-data", file, "--val-batches", 1, "--log", tmp_path / "log.jsonl", keeps, kept),
    )
    records = boost_mlir.read_log(tmp_path / "log.jsonl")
    converted("to-hugging-face", kept, "--like", folder, "-o", back)

    first = loss_of(folder, *batch)
    if form == "d/4":
        whole = huggingface.load(folder, rank=D // 4)
        assert abs(records[0]["loss"] - first) > 1e-2
        first = testing.values(whole.loss, whole.params, [batch])[0]
    assert records[0]["loss"] == pytest.approx(first, rel=1e-5)
    last = loss_of(back, *batch)
    assert records[-1]["val_loss"] == pytest.approx(last, rel=1e-5)
    assert last < first - 0.1


def test_the_printed_error_is_that_of_the_factors(source, tmp_path, capsys):
    folder, _ = source
    converted("from-hugging-face", folder, "--rank", 8, "--batch", 1, "--seq", 2, "-o", tmp_path / "llama.mlir")
    printed = capsys.readouterr().err
    full, factored = (huggingface.load(folder, rank=rank).params["layers"] for rank in (None, 8))
    lines = re.findall(r"^layer (\d): relative error of  (.*)$", printed, re.MULTILINE)
    assert [number for number, _ in lines] == ["0", "1"]
    for number, line in lines:
        shown = dict(re.findall(r"(\w+) (\S+)", line))
        layer, factors = full[int(number)], factored[int(number)]
        weights = {name: layer[part][name] for part in layer for name in layer[part] if name != "norm"}
        products = {
            name: factors[part][name]["down"].astype(float) @ factors[part][name]["up"]
            for part in layer for name in layer[part] if name != "norm"
        }  # fmt: skip
        # `up` and `down` are linears of the MLP only, so that names are unique.
        assert set(shown) == set(weights)
        for name, weight in weights.items():
            assert float(shown[name]) == pytest.approx(relative_error(products[name], weight), rel=1e-2)
    assert re.search(r"^all layers: relative error \d\.\d\de-\d\d$", printed, re.MULTILINE)


@pytest.mark.parametrize("kind", ["cola", "lax"])
def test_a_model_of_the_package_goes_to_a_folder(source, tokens, tmp_path, kind):
    _, loss_of = source
    if kind == "lax" and loss_of is loss_by_numpy:
        pytest.skip("LLaMA in NumPy adds no latents of other blocks")
    config = models.ModelConfig.of_size("tiny", kind, kv_heads=2, layers=3)
    params = models.init_params(config)
    boost_mlir.save(tmp_path / "p.safetensors", params)
    model = ("--model", kind, "--kv-heads", 2, "--layers", 3, "--seq", 128)
    converted("to-hugging-face", tmp_path / "p.safetensors", *model, "-o", tmp_path / "out")
    assert json.loads((tmp_path / "out/config.json").read_text())["max_position_embeddings"] == 128
    expected = testing.values(models.make_loss(config), params, [tokens[1]])[0]
    assert loss_of(tmp_path / "out", *tokens[1]) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "words, code, message",
    [
        (("from-hugging-face", "gone", "-o", "m.mlir"), 3, "'gone' has no config.json"),
        (("to-hugging-face", "gone", "--model", "cola", "-o", "out"), 3, "there is no file or folder 'gone'"),
        (("to-hugging-face", "gone", "-o", "out"), 2, "needs either --like or --model"),
        (("from-hugging-face", "gone", "--rank", "0", "-o", "m.mlir"), 2, "must be a whole number of at least 1"),
    ],
)
def test_mistakes(tmp_path, monkeypatch, capsys, words, code, message):
    monkeypatch.chdir(tmp_path)
    try:
        found = convert.main(words)
    except SystemExit as error:
        found = error.code
    assert (found, message in capsys.readouterr().err) == (code, True)
