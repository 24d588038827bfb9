# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stored programs become the text that an export would have been."""

import json
import os
import re

import jax
import jax.numpy as jnp
import pytest
from boost_mlir.import_artifact import ArtifactError, _apart, import_artifact, main
from jax import export as jax_export
from jax.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo


def shape(*sizes, dtype="float32"):
    return jax.ShapeDtypeStruct(sizes, dtype)


def loss(params, tokens, targets):
    return jnp.mean((params["embed"][tokens] @ params["w"] - targets["y"]) ** 2)


ARGUMENTS = (
    {"embed": shape(8, 4), "unused": shape(2), "w": shape(4, 4)},
    shape(2, 3, dtype="int32"),
    {"y": shape(2, 3, 4)},
)
DESCRIBED = [("param", "embed"), ("param", "w"), ("batch", "tokens"), ("batch", "targets.y")]
ENTRY = re.compile(r"%arg\d+: [^%]*?\{([^}]*)\}")


@pytest.fixture(scope="module")
def exported():
    return jax_export.export(jax.jit(loss), platforms=["cpu"])(*ARGUMENTS)


@pytest.fixture(scope="module")
def artifact(exported):
    return bytes(exported.serialize())


def described(text):
    """Role and name of every argument of `main`."""
    entry = next(line for line in text.splitlines() if "@main" in line)
    attributes = [
        dict(re.findall(r'boost\.(\w+) = "([^"]*)"', found)) for found in ENTRY.findall(entry)
    ]
    return [(each.get("arg"), each.get("name")) for each in attributes]


def test_an_artifact_of_jax_export_brings_its_names(artifact):
    text = import_artifact(artifact, init="default")
    assert described(text) == DESCRIBED
    assert "stablehlo.dot_general" in text and "vhlo" not in text
    assert "test_import_artifact.py" in text
    assert "test_import_artifact.py" not in import_artifact(artifact, locations=False, init="default")


@pytest.mark.parametrize(
    "version", [stablehlo.get_minimum_version(), "1.0.0", stablehlo.get_current_version()]
)
def test_portable_bytecode_of_any_version_becomes_text(exported, version):
    with mlir.make_ir_context():
        plain = ir.Module.parse(exported.mlir_module()).operation.get_asm(enable_debug_info=False)
    portable = stablehlo.serialize_portable_artifact_str(plain, version)
    assert import_artifact(portable, locations=False, init="default") == plain


def test_text_takes_names(exported):
    names = ["a", {"name": "b", "init": "normal:0.1"}, {"name": "c", "arg": "batch"}, "d"]
    text = import_artifact(exported.mlir_module().encode(), names, False, "default")
    assert described(text) == [(None, "a"), (None, "b"), ("batch", "c"), (None, "d")]
    assert 'boost.init = "normal:0.1"' in text


def test_names_may_say_all_of_how_parameters_train(exported):
    names = [
        {"name": "a", "init": "zeros", "decay": False},
        {"name": "b", "init": "normal:0.1", "decay": True},
        "c",
        {"name": "d", "arg": "batch"},
    ]
    text = import_artifact(exported.mlir_module().encode(), names, locations=False)
    assert 'boost.decay = false, boost.init = "zeros", boost.name = "a"' in text
    assert 'boost.decay = true, boost.init = "normal:0.1", boost.name = "b"' in text
    with pytest.raises(ArtifactError, match="nothing says how 'b' start"):
        import_artifact(exported.mlir_module().encode(), [names[0], "b", *names[2:]])


@pytest.mark.parametrize(
    "names, message",
    [
        (["a"], "names of 1 arguments were given, but the program has 4"),
        ([1, 2, 3, 4], "expects a name, or an object of name, arg, init and decay"),
        ([{"name": "a", "role": "x"}] * 4, "expects a name, or an object of name, arg, init and decay"),
        ([{"name": "a", "arg": "state"}] * 4, "is neither 'param', 'frozen' nor 'batch'"),
        ([{"name": "a", "init": "normal"}] * 4, "has initialization 'normal'"),
    ],
)
def test_names_that_do_not_fit_are_refused(exported, names, message):
    with pytest.raises(ValueError, match=message):
        import_artifact(exported.mlir_module().encode(), names)


def test_symbolic_shapes_are_refused():
    size = jax_export.symbolic_shape("b")
    symbolic = jax_export.export(jax.jit(lambda p, x: jnp.sum(p * x)))(shape(4), shape(*size, 4))
    with pytest.raises(ArtifactError, match="its shapes are symbolic; export it with sizes"):
        import_artifact(bytes(symbolic.serialize()))


def by_platform(params, x):
    hidden = jax.lax.platform_dependent(x @ params, cpu=jnp.sin, default=jnp.cos)
    return jnp.mean(hidden**2)


def for_platforms(function, *platforms):
    return jax_export.export(jax.jit(function), platforms=platforms)(shape(4, 4), shape(2, 4))


@pytest.mark.parametrize(
    "platforms, kept",
    [(("cuda", "cpu"), "sine"), (("cpu", "cuda", "tpu"), "sine"), (("cuda", "rocm"), "cosine")],
)
def test_of_several_platforms_cpus_are_chosen_or_the_first(platforms, kept):
    exported = for_platforms(by_platform, *platforms)
    text = import_artifact(bytes(exported.serialize()), init="default", locations=False)
    assert described(text) == [("param", "params"), ("batch", "x")]
    assert re.findall(r"stablehlo\.(sine|cosine|case)\b", text) == [kept]
    names = import_artifact(bytes(exported.serialize()), ["w", "y"], init="default")
    assert described(names) == [(None, "w"), (None, "y")]


def test_text_for_several_platforms_does_not_say_which():
    text = for_platforms(by_platform, "cpu", "cuda").mlir_module()
    with pytest.raises(ArtifactError, match="exported for several platforms and does not say which"):
        import_artifact(text.encode(), init="default")
    # Where nothing depends on it there is no choice.
    text = for_platforms(lambda params, x: jnp.mean(x - params[:2]), "cpu", "cuda").mlir_module()
    assert "_platform_index" in text
    text = import_artifact(text.encode(), init="default", locations=False)
    assert "_platform_index" not in text and text.count("%arg1: tensor<2x4xf32>") == 1


@pytest.mark.parametrize("part", range(0, 100, 9))
def test_truncated_files_are_refused(artifact, exported, tmp_path, capfd, part):
    for whole in (artifact, bytes(exported.mlir_module_serialized)):
        with pytest.raises(ArtifactError, match="damaged|neither StableHLO"):
            import_artifact(whole[: len(whole) * part // 100])


def test_the_command(artifact, tmp_path, capfd):
    source, output = tmp_path / "loss.bin", tmp_path / "loss.mlir"
    names = tmp_path / "names.json"
    source.write_bytes(artifact)
    names.write_text(json.dumps(["a", "b", {"name": "x", "arg": "batch"}, "y"]))
    assert main([str(source), "-o", str(output), "--init", "default"]) == 0
    assert described(output.read_text()) == DESCRIBED
    assert main([str(source), "-o", str(output), "--init", "default", "--names", str(names)]) == 0
    # Options that are not given leave the exported values.
    assert described(output.read_text())[0] == (None, "a")


def test_the_command_refuses(artifact, tmp_path, capfd):
    def refused(content, *options):
        (tmp_path / "in").write_bytes(content)
        assert main([str(tmp_path / "in"), "-o", str(tmp_path / "out"), *options]) == 3
        assert not (tmp_path / "out").exists()
        return capfd.readouterr().err

    assert "neither StableHLO" in refused(artifact[: len(artifact) // 2])
    assert "neither StableHLO" in refused(b"%PDF-1.7 \xff")
    assert "it is not a valid program" in refused(b"module { what }")
    (tmp_path / "names").write_text("{")
    assert "is not JSON" in refused(artifact, "--names", str(tmp_path / "names"))
    assert "No such file" in refused(artifact, "--names", str(tmp_path / "missing"))
    message = refused(artifact)
    assert "nothing says how 'embed', 'w' start" in message and "--init default" in message


def test_a_crash_of_the_reader_is_an_error():
    with pytest.raises(ArtifactError, match="jaxlib crashed on it: it is damaged"):
        _apart(os.abort)
