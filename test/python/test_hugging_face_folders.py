# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of Hugging Face as models of the package and back, against LLaMA in NumPy."""

import dataclasses
import json
import re
import shutil

import jax
import ml_dtypes
import numpy as np
import pytest
from numpy_llama import CONFIG, LLAMA3, loss, random_tensors, read_folder, write_folder
from safetensors.numpy import load_file, save_file

from boost_mlir import huggingface, models, testing
from boost_mlir.huggingface import HuggingFaceError

TOKENS, TARGETS = np.random.default_rng(2).integers(0, 64, (2, 3, 20), dtype=np.int32)

#: Changes of the configuration, and the number of files.
FORMS = {
    "untied": ({}, 1),
    "tied": (dict(tie_word_embeddings=True), 2),
    "one head per key": (dict(num_key_value_heads=4), 1),
    "wide heads": (dict(head_dim=16), 2),
    "linear": (dict(rope_scaling=dict(rope_type="linear", factor=4.0)), 1),
    "llama3": (dict(rope_scaling=LLAMA3), 2),
}


def loss_of(loaded):
    return testing.values(loaded.loss, loaded.params, [(TOKENS, TARGETS)])[0]


def loss_of_folder(folder):
    return loss(*read_folder(folder), TOKENS, TARGETS)


@pytest.fixture
def folder(tmp_path):
    return make(tmp_path / "llama")


def make(path, changes={}, shards=1):
    config = CONFIG | changes
    write_folder(path, config, random_tensors(config), shards)
    return path


@pytest.mark.parametrize("scan", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_the_loss_is_that_of_the_folder(tmp_path, form, scan):
    folder = make(tmp_path / "llama", *FORMS[form])
    # Rotary frequencies are f32 here, as in transformers.
    assert loss_of(huggingface.load(folder, scan=scan)) == pytest.approx(loss_of_folder(folder), rel=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_a_model_goes_back_as_it_came(tmp_path, form):
    folder, back = make(tmp_path / "llama", *FORMS[form]), tmp_path / "back"
    loaded = huggingface.load(folder)
    huggingface.save(back, loaded.config, loaded.params, like=folder, shard_bytes=20_000)
    (config, tensors), (theirs, expected) = read_folder(back), read_folder(folder)
    assert config == theirs
    assert {name: value.tobytes() for name, value in tensors.items()} == {
        name: value.tobytes() for name, value in expected.items()
    }
    index = json.loads((back / "model.safetensors.index.json").read_text())
    assert index["weight_map"] == {
        name: path.name for path in back.glob("*.safetensors") for name in load_file(path)
    }
    assert index["metadata"]["total_size"] == sum(value.nbytes for value in tensors.values())
    huggingface.load(back)


@pytest.mark.parametrize("form", FORMS)
def test_a_model_without_an_original_says_what_it_is(tmp_path, form):
    folder, back = make(tmp_path / "llama", *FORMS[form]), tmp_path / "back"
    loaded = huggingface.load(folder, scan=True)
    huggingface.save(back, loaded.config, loaded.params)
    assert huggingface.read_config(back, scan=True) == loaded.config
    assert loss_of_folder(back) == pytest.approx(loss_of_folder(folder), rel=1e-12)


def test_factors_of_full_rank_compute_the_same(folder):
    loaded = huggingface.load(folder, rank=1000)
    assert loss_of(loaded) == pytest.approx(loss_of_folder(folder), rel=1e-5)
    assert all(error <= 1e-10 * norm for error, norm in loaded.errors.values())
    attention = loaded.params["layers"][0]["attn"]
    assert attention["q"]["down"].shape == (32, 32) and attention["k"]["down"].shape == (32, 16)


def test_the_error_of_factors_is_that_of_the_best_ones(folder):
    loaded, (_, tensors) = huggingface.load(folder, rank=8), read_folder(folder)
    assert len(loaded.errors) == 14
    weight = tensors["model.layers.1.mlp.down_proj.weight"].astype(np.float64)
    singular = np.linalg.svd(weight, compute_uv=False)
    error, norm = loaded.errors["layers.1.mlp.down"]
    assert error == pytest.approx(np.sum(singular[8:] ** 2), rel=1e-5)
    assert norm == pytest.approx(np.sum(weight**2), rel=1e-6)


@pytest.mark.parametrize("scan", [False, True])
@pytest.mark.parametrize("tied", [False, True])
def test_a_factored_model_goes_back(tmp_path, tied, scan):
    folder, back = make(tmp_path / "llama", dict(tie_word_embeddings=tied)), tmp_path / "back"
    loaded = huggingface.load(folder, rank=8, scan=scan)
    huggingface.save(back, loaded.config, loaded.params, like=folder)
    assert loss_of_folder(back) == pytest.approx(loss_of(loaded), rel=1e-6)
    assert abs(loss_of_folder(back) - loss_of_folder(folder)) > 1e-2
    again = huggingface.load(back, scan=scan)
    assert again.config == loaded.config
    jax.tree.map(np.testing.assert_array_equal, again.params, loaded.params)
    config = json.loads((back / "config.json").read_text())
    module, name = config["auto_map"]["AutoModelForCausalLM"].split(".")
    assert f"class {name}(" in (back / f"{module}.py").read_text()
    assert config["max_position_embeddings"] == CONFIG["max_position_embeddings"]


@pytest.mark.parametrize("kind", ["full", "cola"])
def test_a_model_of_the_package_becomes_a_folder(tmp_path, kind):
    config = models.ModelConfig.of_size("tiny", kind, kv_heads=2)
    params = models.init_params(config)
    huggingface.save(tmp_path / "out", config, params, length=20)
    value = testing.values(models.make_loss(config), params, [(TOKENS, TARGETS)])[0]
    assert loss_of_folder(tmp_path / "out") == pytest.approx(value, rel=1e-6)


def test_fields_of_transformers_5_are_read(tmp_path):
    old = make(tmp_path / "old", dict(rope_scaling=LLAMA3))
    changes = dict(rope_parameters=LLAMA3 | {"rope_theta": CONFIG["rope_theta"]})
    new = make(tmp_path / "new", changes)
    config = json.loads((new / "config.json").read_text())
    for name in ("rope_theta", "rope_scaling"):
        del config[name]
    (new / "config.json").write_text(json.dumps(config))
    assert huggingface.read_config(new) == huggingface.read_config(old)


def test_files_of_bf16_are_read_without_loss_and_written(tmp_path):
    wide = {name: value.astype(ml_dtypes.bfloat16) for name, value in random_tensors(CONFIG).items()}
    write_folder(tmp_path / "llama", CONFIG, wide)
    loaded = huggingface.load(tmp_path / "llama")
    assert loaded.params["embed"].dtype == np.float32
    huggingface.save(tmp_path / "back", loaded.config, loaded.params, dtype="bf16")
    config, tensors = read_folder(tmp_path / "back")
    assert config["torch_dtype"] == "bfloat16"
    assert {name: value.tobytes() for name, value in tensors.items()} == {
        name: value.tobytes() for name, value in wide.items()
    }


def test_the_tokenizer_comes_along_and_weights_do_not(folder, tmp_path):
    for name in ("tokenizer.json", "tokenizer_config.json", "generation_config.json", "pytorch_model.bin", "README.md"):
        (folder / name).write_text("{}")
    loaded = huggingface.load(folder, rank=8)
    huggingface.save(tmp_path / "back", loaded.config, loaded.params, like=folder)
    assert {path.name for path in (tmp_path / "back").iterdir()} == {
        *("config.json", "model.safetensors", "modeling_boost_low_rank_llama.py"),
        *("tokenizer.json", "tokenizer_config.json", "generation_config.json"),
    }


def test_computed_frequencies_and_a_tied_head_are_passed_over(tmp_path):
    config = CONFIG | dict(tie_word_embeddings=True)
    tensors = random_tensors(config)
    expected = loss(config, tensors, TOKENS, TARGETS)
    tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"].copy()
    tensors["model.layers.0.self_attn.rotary_emb.inv_freq"] = np.ones(4, np.float32)
    write_folder(tmp_path / "llama", config, tensors)
    assert loss_of(huggingface.load(tmp_path / "llama")) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    "changes, message",
    [
        (dict(model_type="gemma3"), "has the model_type 'gemma3'"),
        (dict(model_type=None), "has no 'model_type'"),
        (dict(attention_bias=True), "has attention_bias = true"),
        (dict(mlp_bias=True), "has mlp_bias = true"),
        (dict(hidden_act="gelu"), 'has hidden_act = "gelu"'),
        (dict(sliding_window=4096), "has sliding_window = 4096"),
        (dict(quantization_config={"bits": 4}), "has quantization_config"),
        (dict(rope_scaling=dict(rope_type="yarn", factor=2.0)), 'has the rope scaling "yarn"'),
        (dict(rope_scaling=dict(type="dynamic", factor=2.0)), 'has the rope scaling "dynamic"'),
        (dict(rope_scaling=dict(type="linear")), "has no 'rope_scaling.factor'"),
        (dict(rope_scaling=dict(rope_type="linear", factor=0.5)), "factor of rope scaling must be at least 1"),
        (dict(rope_scaling=LLAMA3 | dict(high_freq_factor=1.0)), "0 < low_freq_factor < high_freq_factor"),
        (dict(hidden_size="32"), "expects int as 'hidden_size', but has \"32\""),
        (dict(hidden_size=True), "expects int as 'hidden_size', but has true"),
        (dict(num_key_value_heads=3), "describes no model: heads = 4 is not a multiple of kv_heads = 3"),
        (dict(num_hidden_layers=3), "lacks 'model.layers.2."),
        (dict(num_hidden_layers=1), "also holds 'model.layers.1."),
        (dict(intermediate_size=40), r"has 'model.layers.0.mlp.down_proj.weight' as float32\[32, 48\]"),
    ],
)
def test_what_the_models_do_not_compute_is_refused_by_name(folder, changes, message):
    (folder / "config.json").write_text(json.dumps(CONFIG | changes))
    with pytest.raises(HuggingFaceError, match=message):
        huggingface.load(folder)


def break_index(folder):
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"lm_head.weight": "../x.safetensors"}}')


def truncate(folder):
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[:-8])


def store_integers(folder):
    tensors = load_file(folder / "model.safetensors")
    tensors["model.norm.weight"] = tensors["model.norm.weight"].astype(np.int32)
    save_file(tensors, folder / "model.safetensors")


@pytest.mark.parametrize(
    "damage, message",
    [
        (lambda folder: shutil.rmtree(folder), "has no config.json; give the folder"),
        (lambda folder: (folder / "config.json").write_text("{"), "config.json is not JSON"),
        (lambda folder: (folder / "config.json").write_text("[]"), "config.json is not an object"),
        (lambda folder: (folder / "model.safetensors").unlink(), "has neither model.safetensors nor"),
        (truncate, "cannot read '.*model.safetensors'.*is not a complete safetensors file"),
        (break_index, "has no 'weight_map' of names of tensors to files beside it"),
        (store_integers, r"has 'model.norm.weight' as int32\[32\], but config.json asks for floats of \[32\]"),
    ],
)
def test_a_damaged_folder_is_refused(folder, damage, message):
    damage(folder)
    with pytest.raises(HuggingFaceError, match=message):
        huggingface.load(folder)


def test_values_beyond_the_type_are_refused(tmp_path):
    tensors = random_tensors(CONFIG)
    tensors["model.norm.weight"][3] = 1e6
    write_folder(tmp_path / "llama", CONFIG, tensors)
    with pytest.raises(HuggingFaceError, match="'model.norm.weight' of .* has values that do not fit float16"):
        huggingface.load(tmp_path / "llama", dtype="f16")
    loaded = huggingface.load(tmp_path / "llama")
    with pytest.raises(HuggingFaceError, match="'norm' has values that do not fit float16"):
        huggingface.save(tmp_path / "back", loaded.config, loaded.params, dtype="f16")


def test_what_cannot_be_saved_is_refused(folder, tmp_path):
    loaded = huggingface.load(folder, rank=8)
    config, params = loaded.config, loaded.params
    refuse = lambda message: pytest.raises(HuggingFaceError, match=re.escape(message))
    with refuse("exists and is not an empty folder"):
        huggingface.save(folder, config, params)
    with refuse("the tree of the parameters is not that of the model"):
        huggingface.save(tmp_path / "a", models.ModelConfig(kind="full"), params)
    with refuse("'embed' has the shape [64, 32], but [63, 32] in the model"):
        huggingface.save(tmp_path / "a", dataclasses.replace(config, vocab=63), params)
    with refuse("is of another model: rope_theta is 500.0, but 10000.0 in the model"):
        other = dataclasses.replace(config, rope_theta=1e4)
        huggingface.save(tmp_path / "a", other, params, like=folder)
    with refuse("is factored already, at the rank 8"):
        huggingface.save(tmp_path / "b", config, params)
        huggingface.load(tmp_path / "b", rank=4)
    assert not (tmp_path / "a").exists()
