# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The evaluator itself: collectives as their documentation shows them, indexing, text."""

import ir_eval
import numpy as np
import pytest

GRID = 'shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}\n'
X = np.arange(1.0, 17.0).reshape(4, 4)
SPLIT = '{boost.name = "x", boost.split = [["dp"], ["tp"]]}'


def on_mesh(body, result, split):
    """The global result of `body` on a 4x4 tensor cut both ways."""
    text = f"""{GRID}
func.func @f(%x: tensor<2x2xf32> {SPLIT}) -> (tensor<{result}xf32> {{boost.name = "y", boost.split = {split}}}) {{
  {body}
  return %y : tensor<{result}xf32>
}}"""
    return ir_eval.load(text).run_sharded("f", {"x": X})["y"]


def test_all_gather_restores_the_dimension():
    y = on_mesh(
        "%y = shard.all_gather %x on @mesh grid_axes = [1] gather_axis = 1 "
        ": tensor<2x2xf32> -> tensor<2x4xf32>",
        "2x4",
        '[["dp"], []]',
    )
    np.testing.assert_array_equal(y, X)


def test_all_reduce_adds_over_the_axis():
    y = on_mesh(
        "%y = boost.all_reduce sum %x on @mesh axes = [0] : tensor<2x2xf32>", "2x2", '[[], ["tp"]]'
    )
    np.testing.assert_array_equal(y, X[:2] + X[2:])


def test_reduce_scatter_adds_and_cuts():
    y = on_mesh(
        "%y = shard.reduce_scatter %x on @mesh grid_axes = [1] reduction = max scatter_axis = 0 "
        ": tensor<2x2xf32> -> tensor<1x2xf32>",
        "1x2",
        '[["dp", "tp"], []]',
    )
    np.testing.assert_array_equal(y, np.maximum(X[:, :2], X[:, 2:]))


def test_all_to_all_moves_the_cut():
    y = on_mesh(
        "%y = shard.all_to_all %x on @mesh grid_axes = [1] split_axis = 0 concat_axis = 1 "
        ": tensor<2x2xf32> -> tensor<1x4xf32>",
        "1x4",
        '[["dp", "tp"], []]',
    )
    np.testing.assert_array_equal(y, X)


def test_all_slice_undoes_all_gather():
    y = on_mesh(
        "%g = shard.all_gather %x on @mesh grid_axes = [1] gather_axis = 1 : tensor<2x2xf32> -> tensor<2x4xf32>\n"
        "%y = shard.all_slice %g on @mesh grid_axes = [1] slice_axis = 1 : tensor<2x4xf32> -> tensor<2x2xf32>",
        "2x2",
        '[["dp"], ["tp"]]',
    )
    np.testing.assert_array_equal(y, X)


def test_a_partial_result_is_seen():
    with pytest.raises(AssertionError, match="ranks disagree on 'y'"):
        on_mesh("%y = stablehlo.add %x, %x : tensor<2x2xf32>", "2x2", '[[], ["tp"]]')


def test_payload_counts_elements_per_rank():
    text = f"""{GRID}
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
  %y = boost.all_reduce sum %x on @mesh axes = [1] {{boost.region = "block"}} : tensor<2x3xf32>
  boost.phase backward
  %z = boost.all_reduce sum %y on @mesh axes = [1] {{boost.region = "block"}} : tensor<2x3xf32>
  return %z : tensor<2x3xf32>
}}"""
    assert ir_eval.load(text).payload("f") == {
        ("all_reduce", "forward", "block", ("tp",)): 6,
        ("all_reduce", "backward", "block", ("tp",)): 6,
    }


def test_constants_of_every_spelling():
    text = """
func.func @f() -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1.0, 0xFF800000, 0.1, -1.0e-3]> : tensor<4xf32>
  return %c : tensor<4xf32>
}"""
    value = ir_eval.load(text).run("f", {})["out0"]
    np.testing.assert_array_equal(value, np.float64(np.float32([1.0, -np.inf, 0.1, -1e-3])))


def test_gather_clamps_and_scatter_skips():
    text = """
func.func @f(%x: tensor<4x2xf32> {boost.name = "x"}, %i: tensor<3x1xi32> {boost.name = "i"})
    -> (tensor<3x2xf32>, tensor<4x2xf32>) {
  %g = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 2>}> : (tensor<4x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  %s = "stablehlo.scatter"(%x, %i, %g) <{scatter_dimension_numbers = #stablehlo.scatter<
      update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0],
      index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<4x2xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  return %g, %s : tensor<3x2xf32>, tensor<4x2xf32>
}"""
    x = np.arange(8.0).reshape(4, 2)
    results = ir_eval.load(text).run("f", {"x": x, "i": np.int32([[1], [9], [1]])})
    np.testing.assert_array_equal(results["out0"], x[[1, 3, 1]])
    expected = x.copy()
    expected[1] *= 3
    np.testing.assert_array_equal(results["out1"], expected)
