# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files of recipes/ are options that the programs of docs/HowTo/Recipes.md take."""

import json

import numpy as np
import optax
import pytest
from harness import REPOSITORY, run, tool

from boost_mlir import data, models, optimizers, read_configs, read_log
from boost_mlir.export import export

RECIPES = sorted((REPOSITORY / "recipes").glob("*.json"))


@pytest.fixture(scope="module")
def train(tmp_path_factory):
    """A program of the tiny model of a recipe, and its tokens."""
    folder = tmp_path_factory.mktemp("recipes")
    data.write_tokens(folder / "tokens.bin", np.arange(2000, dtype=np.int32) % 61)
    batch = np.zeros((2, 16), np.int32)

    def loro(lr):
        return optimizers.loro(optimizers.rewarmed(lr, period=500), period=500)

    kinds = {"cola": ("cola", None), "loro": ("svd", optax.inject_hyperparams(loro)(lr=0.01))}

    def program(name):
        if not (folder / name).exists():
            kind, optimizer = kinds[name]
            config = models.ModelConfig.of_size("tiny", kind, layers=1)
            given = models.abstract_params(config), batch, batch
            init = models.init_specs(config)
            exported = export(models.make_loss(config), *given, init=init, optimizer=optimizer)
            exported.save(folder / f"{name}.mlir")
            run(tool("boost-compile"), folder / f"{name}.mlir", "-o", folder / name)
        return [folder / name, "train", "--data", folder / "tokens.bin"]

    return program


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)
def test_a_program_takes_the_recipe(train, tmp_path, recipe):
    command = train(recipe.stem.partition("-")[0])
    shorter = ("--steps", 4, "--warmup", 2)
    run(*command, "--config", recipe, *shorter, "--log", tmp_path / "log.jsonl")
    (in_effect,) = (each["config"] for each in read_configs(tmp_path / "log.jsonl"))
    assert in_effect.items() >= (json.loads(recipe.read_text()) | {"steps": 4, "warmup": 2}).items()
    assert all(np.isfinite(record["loss"]) for record in read_log(tmp_path / "log.jsonl"))


def test_there_are_recipes():
    assert {path.stem.partition("-")[0] for path in RECIPES} == {"cola", "loro"}
