# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters to and from files: names, types, checkpoints, and what is refused."""

import errno
import os
import re
import warnings
from pathlib import Path

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from checkpoint_files import write_checkpoint, write_tensors
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

import boost_mlir
from boost_mlir import _tensor_file
from boost_mlir.export import export

BF16 = ml_dtypes.bfloat16


def normal(*shape, seed=0):
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(np.float32)


def parameters(seed=0):
    layers = [{"down": normal(8, 2, seed=seed), "up": normal(2, 8, seed=seed + i)} for i in range(2)]
    return {"embed": normal(5, 8, seed=seed), "layers": layers, "scale": normal(seed=seed)}


def flat(tree):
    """By names that are spelled out, so that a change of naming shows."""
    down_up = {f"layers.{i}.{name}": tree["layers"][i][name] for i in range(2) for name in ("down", "up")}
    return {"embed": tree["embed"], **down_up, "scale": tree["scale"]}


def assert_same(actual, expected):
    assert jax.tree.structure(actual) == jax.tree.structure(expected)
    for one, other in zip(jax.tree.leaves(actual), jax.tree.leaves(expected)):
        assert one.dtype == other.dtype and one.shape == other.shape
        assert np.array_equal(one, other)


def refused(path, like, **options):
    with pytest.raises(boost_mlir.ParametersError) as error:
        boost_mlir.load(path, like=like, **options)
    return str(error.value)


@pytest.fixture
def saved(tmp_path):
    boost_mlir.save(tmp_path / "p.safetensors", parameters())
    return tmp_path / "p.safetensors"


def test_parameters_survive_a_round_trip(saved):
    like = jax.tree.map(lambda leaf: np.zeros_like(leaf), parameters())
    loaded = boost_mlir.load(saved, like=like)
    assert_same(loaded, parameters())
    assert all(type(leaf) is np.ndarray for leaf in jax.tree.leaves(loaded))


def test_names_are_those_of_export(saved):
    loss = lambda params, x: sum(jnp.sum(leaf) for leaf in jax.tree.leaves(params)) + jnp.sum(x)
    exported = export(loss, parameters(), np.zeros(2, np.float32))
    file = load_file(saved)
    assert set(file) == set(exported.values) == set(flat(parameters()))
    for name, value in flat(parameters()).items():
        assert np.array_equal(file[name], value), name


def test_jax_arrays_stay_jax_arrays(saved):
    like = jax.tree.map(jnp.zeros_like, parameters())
    loaded = boost_mlir.load(saved, like=like)
    assert_same(loaded, parameters())
    for leaf, given in zip(jax.tree.leaves(loaded), jax.tree.leaves(like)):
        assert isinstance(leaf, jax.Array) and leaf.devices() == given.devices()


def test_shapes_are_enough_to_load(saved):
    like = jax.eval_shape(lambda: jax.tree.map(jnp.asarray, parameters()))
    assert_same(boost_mlir.load(saved, like=like), parameters())


def test_parameters_that_are_one_array_are_called_params(tmp_path):
    params, path = np.arange(6, dtype=np.float32), tmp_path / "one.safetensors"
    boost_mlir.save(path, params, {"x": np.ones(6, np.float32)})
    assert set(load_file(path)) == {"params", "x"}
    boost_mlir.save(path, params)
    assert np.array_equal(boost_mlir.load(path, like=params), params)
    boost_mlir.save(path, params, names="w")
    assert set(load_file(path)) == {"w"}


def test_names_of_ones_own(tmp_path):
    params, names = {"a": normal(2), "b": normal(3)}, {"a": "first", "b": "second"}
    boost_mlir.save(tmp_path / "p", params, names=names)
    assert set(load_file(tmp_path / "p")) == {"first", "second"}
    assert_same(boost_mlir.load(tmp_path / "p", like=params, names=names), params)
    assert "'first'" in refused(tmp_path / "p", params)
    assert "'names' must be a tree" in refused(tmp_path / "p", params, names={"a": "first"})


@pytest.mark.parametrize("dtype", [np.float64, np.float16, BF16])
def test_floats_are_written_as_they_are_and_read_as_like(tmp_path, dtype):
    value = normal(64).astype(dtype)
    boost_mlir.save(tmp_path / "p", {"w": value})
    assert load_file(tmp_path / "p")["w"].dtype == dtype
    assert_same(boost_mlir.load(tmp_path / "p", like={"w": value}), {"w": value})
    wide = boost_mlir.load(tmp_path / "p", like={"w": np.zeros(64, np.float32)})
    assert_same(wide, {"w": value.astype(np.float32)})


def test_floats_round_to_the_type_of_like(tmp_path):
    boost_mlir.save(tmp_path / "p", {"w": np.float32([1.0, 1.00390625, 1.01171875])})
    loaded = boost_mlir.load(tmp_path / "p", like={"w": jnp.zeros(3, jnp.bfloat16)})["w"]
    # To nearest, ties to even: bf16 has steps of 1/128 there.
    assert np.asarray(loaded, np.float32).tolist() == [1.0, 1.0, 1.015625]


def test_values_that_do_not_fit_the_type_of_like_are_refused(tmp_path):
    boost_mlir.save(tmp_path / "p", {"w": np.float32([1e6])})
    message = refused(tmp_path / "p", {"w": np.zeros(1, np.float16)})
    assert "'w' has values that do not fit float16" in message and "float32" in message
    boost_mlir.save(tmp_path / "p", {"w": np.float32([np.inf])})
    assert np.isinf(boost_mlir.load(tmp_path / "p", like={"w": np.zeros(1, np.float16)})["w"][0])


def test_kinds_of_types_are_not_converted(tmp_path):
    boost_mlir.save(tmp_path / "p", {"n": np.arange(3, dtype=np.int32)})
    assert "'n' is int32[3], but float32[3] in `like`" in refused(tmp_path / "p", {"n": normal(3)})
    assert "but int64[3]" in refused(tmp_path / "p", {"n": np.arange(3)})
    like = {"n": np.zeros(3, np.int32)}
    assert boost_mlir.load(tmp_path / "p", like=like)["n"].tolist() == [0, 1, 2]


def test_a_batch_goes_under_its_names(tmp_path):
    # Neither contiguous nor an array.
    ids = np.arange(12, dtype=np.int32).reshape(2, 6)[:, ::2]
    params = parameters() | {"scale": np.float32(0.5)}
    boost_mlir.save(tmp_path / "in", params, {"tokens": ids, "extra": {"mask": ids > 2}})
    file = load_file(tmp_path / "in")
    assert set(file) == {*flat(parameters()), "tokens", "extra.mask"}
    assert np.array_equal(file["tokens"], ids) and file["extra.mask"].dtype == bool
    assert file["scale"].shape == () and file["scale"] == np.float32(0.5)


def test_missing_and_additional_names_are_listed_with_the_nearest(tmp_path):
    file = flat(parameters())
    file["layers.1.donw"] = file.pop("layers.1.down")
    file["unrelated"] = normal(4)
    save_file(file, tmp_path / "p")
    message = refused(tmp_path / "p", parameters())
    assert (
        "'layers.1.down', float32[8, 2], is missing; the nearest name is 'layers.1.donw'" in message
    )
    assert "'layers.1.donw', float32[8, 2], is not in `like`; the nearest name is" in message
    assert "'unrelated', float32[4], is not in `like`\n" in message
    assert "layers.0" not in message and str(tmp_path / "p") in message


def test_shapes_that_differ_are_listed(saved):
    like = parameters()
    like["embed"], like["layers"][0]["up"] = normal(8, 5), normal(3, 8)
    message = refused(saved, like)
    assert "'embed' is float32[5, 8], but float32[8, 5] in `like`" in message
    assert "'layers.0.up' is float32[2, 8], but float32[3, 8] in `like`" in message
    assert message.count("\n") == 3


def test_long_lists_are_shortened(tmp_path):
    save_file({f"w{i}": normal(2) for i in range(40)}, tmp_path / "p")
    message = refused(tmp_path / "p", {"w0": normal(2)})
    assert "and 29 more" in message and message.count("\n") == 12


def test_two_leaves_of_one_name_are_refused(tmp_path):
    params = {"a": {"b": normal(2)}, "a.b": normal(2)}
    with pytest.raises(boost_mlir.ParametersError, match="two arrays have the name 'a.b'"):
        boost_mlir.save(tmp_path / "p", params)
    with pytest.raises(boost_mlir.ParametersError, match="two arrays have the name 'tokens'"):
        boost_mlir.save(tmp_path / "p", {"tokens": normal(2)}, {"tokens": normal(2)})
    save_file({"a.b": normal(2)}, tmp_path / "p")
    assert "two arrays have the name 'a.b'" in refused(tmp_path / "p", params)


@pytest.mark.parametrize(
    "leaf", ["relu", jax.nn.relu, jax.ShapeDtypeStruct((2,), np.float32)], ids=["text", "function", "shape"]
)
def test_leaves_that_are_no_arrays_are_not_saved(tmp_path, leaf):
    save_file({"w": normal(2)}, tmp_path / "p")
    before = (tmp_path / "p").read_bytes()
    with pytest.raises(boost_mlir.ParametersError, match="'act' is .* not an array"):
        boost_mlir.save(tmp_path / "p", {"act": leaf, "w": normal(2)})
    assert (tmp_path / "p").read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["p"]


def test_what_cannot_be_written_leaves_the_file(saved, monkeypatch):
    before = saved.read_bytes()
    with pytest.raises(boost_mlir.ParametersError, match="cannot write '.*/none/p'"):
        boost_mlir.save(saved.parent / "none/p", {"w": normal(2)})
    with pytest.raises(boost_mlir.ParametersError, match="cannot write .*int4"):
        boost_mlir.save(saved, {"w": np.zeros(2, ml_dtypes.int4)})

    def fill_the_disk(tensors, path, metadata):
        """As versions of safetensors do that write in place."""
        Path(path).write_bytes(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(_tensor_file, "save_file", fill_the_disk)
    with pytest.raises(boost_mlir.ParametersError, match=f"cannot write '{saved}': .*No space"):
        boost_mlir.save(saved, {"w": normal(2)})
    assert saved.read_bytes() == before and list(saved.parent.iterdir()) == [saved]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x10",
        b"some text that is no header at all",
        b"\xff" * 64,
        b"\x02" + b"\0" * 7 + b"{}x",
        b"\x02" + b"\0" * 7 + b"[]",
    ],
)
def test_what_is_no_safetensors_file_is_refused(tmp_path, content):
    (tmp_path / "p").write_bytes(content)
    assert f"{tmp_path / 'p'} is not a complete safetensors file" in refused(tmp_path / "p", parameters())


def test_a_path_that_is_not_there_is_refused(tmp_path):
    assert "there is no file or folder" in refused(tmp_path / "none", parameters())


def test_truncated_files_are_refused(saved):
    saved.write_bytes(saved.read_bytes()[:-1])
    assert "is not a complete safetensors file" in refused(saved, parameters())


def test_a_changed_byte_of_a_saved_file_is_seen(saved):
    content = bytearray(saved.read_bytes())
    content[-3] ^= 1
    saved.write_bytes(content)
    message = refused(saved, parameters())
    assert re.search("is damaged: the bytes of tensor '.*' do not have their checksum", message)


def test_files_of_others_have_no_checksums(tmp_path):
    save_file(flat(parameters()), tmp_path / "p")
    assert_same(boost_mlir.load(tmp_path / "p", like=parameters()), parameters())


def test_a_header_that_was_changed_is_seen(tmp_path):
    write_tensors(tmp_path / "p", {"w": normal(4)})
    content = (tmp_path / "p").read_bytes()
    (tmp_path / "p").write_bytes(content.replace(b'"w": {', b'"v": {'))
    assert "the header of" in refused(tmp_path / "p", {"v": normal(4)})


def with_moments(tree):
    tensors = flat(tree)
    return tensors | {f"adamw.{kind}.{name}": 0 * value for kind in "mv" for name, value in tensors.items()}


MOMENTS = {f"adamw.{kind}.{name}": (kind, name) for kind in "mv" for name in flat(parameters())}


@pytest.fixture
def run(tmp_path):
    """Steps 2, 10 and 9, so that the order of names is not that of steps."""
    for step in (2, 10, 9):
        write_checkpoint(tmp_path / "run", step, with_moments(parameters(step)), MOMENTS)
    return tmp_path / "run"


def test_the_newest_checkpoint_is_taken(run):
    (run / ".step-11.tmp").mkdir()
    (run / "diverged-12").mkdir()
    (run / "step-013").mkdir()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_same(boost_mlir.load(run, like=parameters()), parameters(10))


def test_a_checkpoint_can_be_named(run):
    assert_same(boost_mlir.load(run / "step-9", like=parameters()), parameters(9))
    (run / "step-9").rename(run / "best")
    assert_same(boost_mlir.load(run / "best", like=parameters()), parameters(9))
    assert_same(boost_mlir.load(run / "best/tensors.safetensors", like=parameters()), parameters(9))


def test_a_renamed_checkpoint_is_named(run):
    """It would be the newest, and is passed over."""
    write_checkpoint(run, 12, flat(parameters(12)))
    (run / "step-12").rename(run / "step-12.bak")
    with pytest.warns(UserWarning, match="passed over .*step-12.bak, which holds a checkpoint") as caught:
        assert_same(boost_mlir.load(run, like=parameters()), parameters(10))
    assert len(caught) == 1 and caught[0].filename == __file__


def flip(path, position):
    content = bytearray(path.read_bytes())
    content[position] ^= 1
    path.write_bytes(content)


def swap_tensors(path):
    tensors = path / "tensors.safetensors"
    tensors.write_bytes((path.parent / "step-9/tensors.safetensors").read_bytes())


def make_pipe(path):
    """Opening one waits for who writes it."""
    path.unlink()
    os.mkfifo(path)


def unseal(path):
    """Without its checksum, and otherwise as it was."""
    text = (path / "state.json").read_text()
    (path / "state.json").write_text(re.sub(r',\s*"xxh3": "[^"]*"', "", text))


DAMAGES = {
    "no state": (lambda path: (path / "state.json").unlink(), "state.json is missing"),
    "no tensors": (lambda path: (path / "tensors.safetensors").unlink(), "is missing"),
    "pipe as state": (lambda path: make_pipe(path / "state.json"), "state.json is not a regular file"),
    "pipe as tensors": (
        lambda path: make_pipe(path / "tensors.safetensors"),
        "tensors.safetensors is not a regular file",
    ),
    "changed state": (lambda path: flip(path / "state.json", 20), "does not have its checksum"),
    "empty state": (lambda path: (path / "state.json").write_text(""), "state.json is damaged"),
    "list as state": (lambda path: (path / "state.json").write_text("[]"), "state.json is damaged"),
    "deep state": (
        lambda path: (path / "state.json").write_text("[" * 200_000),
        "state.json is damaged",
    ),
    "no seal": (unseal, "state.json is damaged"),
    "another step": (
        lambda path: (path / "state.json").write_bytes(
            (path.parent / "step-9/state.json").read_bytes()
        ),
        "is of another step, 9",
    ),
    "other tensors": (swap_tensors, "is not the file that state.json was written with"),
    "changed tensor": (lambda path: flip(path / "tensors.safetensors", -1), "bytes of tensor"),
    "changed header": (lambda path: flip(path / "tensors.safetensors", 30), "the header of"),
    "truncated": (
        lambda path: (path / "tensors.safetensors").write_bytes(
            (path / "tensors.safetensors").read_bytes()[:-4]
        ),
        "is not a complete safetensors file",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_skipped_with_a_warning(run, damage):
    harm, reason = DAMAGES[damage]
    if damage == "changed tensor":
        # The bytes at the end are those of a moment, which is not read.
        write_checkpoint(run, 11, flat(parameters(11)))
        newest = run / "step-11"
    else:
        newest = run / "step-10"
    harm(newest)
    expected = parameters(10 if newest.name == "step-11" else 9)
    with pytest.warns(UserWarning, match="skipped checkpoint") as caught:
        assert_same(boost_mlir.load(run, like=parameters()), expected)
    assert [reason in str(each.message) for each in caught] == [True]
    assert str(newest) in str(caught[0].message)
    # The warning is at the line that loads.
    assert caught[0].filename == __file__
    if (newest / "state.json").exists():
        assert reason in refused(newest, parameters())


def test_a_run_without_a_usable_checkpoint_is_refused(run):
    for path in run.iterdir():
        (path / "state.json").unlink()
    with pytest.warns(UserWarning, match="skipped checkpoint"):
        assert f"no checkpoint in {run} is usable, of 3" in refused(run, parameters())


def test_a_folder_without_checkpoints_is_refused(tmp_path):
    assert "holds no checkpoint, which would be named step-N" in refused(tmp_path, parameters())


def test_a_checkpoint_of_another_model_is_not_skipped(run):
    like = parameters() | {"head": normal(3)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        message = refused(run, like)
    assert "'head', float32[3], is missing" in message and "step-10" in message


def mixed(tree):
    """As a run in bf16 keeps it: parameters, and masters that they are rounded from."""
    tensors = {name: value.astype(BF16) for name, value in flat(tree).items()}
    return tensors | {f"master.{name}": value for name, value in flat(tree).items()}


def test_masters_are_read_in_place_of_what_is_rounded(tmp_path):
    masters = {f"master.{name}": ("master", name) for name in flat(parameters(1))}
    write_checkpoint(tmp_path, 1, mixed(parameters(1)), masters)
    assert_same(boost_mlir.load(tmp_path, like=parameters()), parameters(1))
    narrow = jax.tree.map(lambda leaf: leaf.astype(BF16), parameters(1))
    assert_same(boost_mlir.load(tmp_path, like=narrow), narrow)


def test_a_parameter_may_be_called_master(tmp_path):
    params = {"w": normal(3), "master": {"w": normal(3, seed=1)}}
    write_checkpoint(tmp_path, 1, {"w": params["w"], "master.w": params["master"]["w"]})
    assert_same(boost_mlir.load(tmp_path, like=params), params)


def test_state_of_another_parameter_is_not_ignored(tmp_path):
    write_checkpoint(tmp_path, 1, {"w": normal(3), "adamw.m.v": normal(3)}, {"adamw.m.v": ("m", "v")})
    assert "'adamw.m.v', float32[3], is not in `like`" in refused(tmp_path, {"w": normal(3)})


def test_checksums_are_in_the_metadata(saved):
    with safe_open(saved, framework="numpy") as file:
        assert set(file.metadata()) == {f"xxh3:{name}" for name in flat(parameters())}
