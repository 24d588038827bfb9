# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products that add to what is in memory already: what that saves, and that the log says how they
are computed."""

import json

import pytest
from harness import CUDA

import boost_mlir
from boost_mlir.naming import named_leaves


def without_products(model):
    """Parameters whose gradients are no products: scales of norms, and the embedding."""
    return [name for name, value in named_leaves(model.params) if value.ndim == 1 or name == "embed"]


@pytest.mark.parametrize("kind, shape", [("full", "tiny"), ("cola", "tiny"), ("cola", "bf16")])
def test_gradients_of_matrices_need_no_kernel_to_be_added(program, kind, shape):
    compiled = program(kind, shape, "1", "--accumulate=2")
    launches = compiled.plan["launches"]
    added = launches["accumulate"]["launch"] - launches["gradient"]["launch"]
    assert launches["accumulate"]["gemm"] == launches["gradient"]["gemm"]
    expected = without_products(compiled.model)
    # In bf16, @gradient rounds the gradients of norms where @accumulate adds them.
    assert added == (expected.count("embed") if shape == "bf16" else len(expected))


def test_algorithms_are_in_the_log_and_the_same_in_every_run(program, tmp_path):
    compiled = program("cola", "tiny", "tp=2", *CUDA)
    logs = [tmp_path / name for name in ("first.jsonl", "second.jsonl")]
    for log in logs:
        options = ("--data", compiled.model.tokens_file, "--lr", "1e-3", "--log", log)
        compiled.launch("train", *options, "--steps", 2)
    first, second = (boost_mlir.read_algorithms(log) for log in logs)
    assert first == second
    # One for each form of product, chosen in the first step.
    chosen = [each for each in first if "product" in each]
    products = [each["product"] for each in chosen]
    assert len(set(products)) > 5
    assert all(" of f32 to f32" in product for product in products)
    assert {(each["id"], each["tile"], each["split_k"]) for each in chosen} == {(66, 20, 1)}
    # Attention of f32 is for the kernels of the runtime.
    assert {each["by"] for each in first if "attention" in each} == {"kernels"}
    lines = [json.loads(line) for line in logs[0].read_text().splitlines()]
    assert [line["same_on_all_ranks"] for line in lines if "algorithms" in line] == [True]
    assert [key for line in lines for key in ("step", "algorithms") if key in line] == [
        "step", "algorithms", "step",
    ]  # fmt: skip
    assert [record["step"] for record in boost_mlir.read_log(logs[0])] == [1, 2]
