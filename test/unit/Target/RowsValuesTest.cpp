//===- RowsValuesTest.cpp - Scatters, windows and sorts compute -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of StableHLO whose loops are written out, and gathers, against
// plain loops.
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

#include <algorithm>
#include <numeric>

using namespace mlir::boost;

namespace {

class RowsValues : public KernelValues {
protected:
  /// Runs `body`, which returns `results`, on parameters `name: type`.
  void compute(const std::vector<std::pair<std::string, std::string>> &inputs,
               const std::vector<std::pair<std::string, std::string>> &outputs,
               const std::string &body, const std::string &results) {
    auto list = [](const auto &values, const std::string &kind, bool named) {
      std::string text;
      for (const auto &[name, type] : values) {
        text += text.empty() ? "" : ", ";
        text += named ? "%" + name + ": " : "";
        text += type + " {boost.tensor = #boost.tensor<" + kind + " \"" + name +
                "\">}";
      }
      return text;
    };
    std::string types;
    for (const auto &[name, type] : outputs)
      types += (types.empty() ? "" : ", ") + type;
    runTensors("func.func @f(" + list(inputs, "param", true) + ") -> (" +
                   list(outputs, "output", false) + ") {\n" + body +
                   "\nreturn " + results + " : " + types + "\n}",
               "convert-stablehlo-to-linalg,");
  }
};

// Index vectors along the first dimension, batches, windows that are shorter
// than their dimension, and an update that depends on those before it.
TEST_P(RowsValues, ScatterOfBatches) {
  compute({{"x", "tensor<3x5x40xf32>"}, {"u", "tensor<3x37x4xf32>"}},
          {{"y", "tensor<3x5x40xf32>"}}, R"mlir(
    %i = stablehlo.constant dense<[[[0, 4, 2, 0], [5, -1, 3, 3], [1, 1, 1, 4]]]>
        : tensor<1x3x4xi32>
    %n = stablehlo.negate %x : tensor<3x5x40xf32>
    %0 = "stablehlo.scatter"(%n, %i, %u) <{scatter_dimension_numbers =
        #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1],
            input_batching_dims = [0], scatter_indices_batching_dims = [1],
            scatter_dims_to_operand_dims = [1], index_vector_dim = 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %half = stablehlo.constant dense<0.5> : tensor<f32>
      %h = stablehlo.multiply %a, %half : tensor<f32>
      %s = stablehlo.add %h, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x5x40xf32>, tensor<1x3x4xi32>, tensor<3x37x4xf32>)
      -> tensor<3x5x40xf32>)mlir",
          "%0");
  const int places[3][4] = {{0, 4, 2, 0}, {5, -1, 3, 3}, {1, 1, 1, 4}};
  const auto *x = inputOf<float>("x"), *u = inputOf<float>("u");
  std::vector<float> expected(3 * 5 * 40);
  std::transform(x, x + expected.size(), expected.begin(), std::negate<>());
  for (int batch = 0; batch < 3; ++batch)
    for (int n = 0; n < 4; ++n)
      for (int w = 0; w < 37; ++w)
        if (int row = places[batch][n]; row >= 0 && row < 5) {
          float &value = expected[(batch * 5 + row) * 40 + w];
          value = value * 0.5f + u[(batch * 37 + w) * 4 + n];
        }
  for (int i = 0; i < 3 * 5 * 40; ++i)
    EXPECT_EQ(outputOf<float>("y")[i], expected[i]) << i;
}

// Columns before rows in the index vectors, windows that lie outside in part,
// and two tensors that read each other's update.
TEST_P(RowsValues, ScatterOfWindows) {
  compute({{"x", "tensor<7x9xf32>"},
           {"z", "tensor<7x9xf32>"},
           {"u", "tensor<5x2x3xf32>"},
           {"v", "tensor<5x2x3xf32>"}},
          {{"p", "tensor<7x9xf32>"}, {"q", "tensor<7x9xf32>"}}, R"mlir(
    %i = stablehlo.constant dense<[[0, 6, -1, 8, 7], [0, 5, 2, -1, 6]]>
        : tensor<2x5xi32>
    %n = stablehlo.negate %x : tensor<7x9xf32>
    %m = stablehlo.negate %z : tensor<7x9xf32>
    %0:2 = "stablehlo.scatter"(%n, %m, %i, %u, %v) <{scatter_dimension_numbers =
        #stablehlo.scatter<update_window_dims = [1, 2],
            scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 0>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %s = stablehlo.subtract %a, %d : tensor<f32>
      %t = stablehlo.add %b, %c : tensor<f32>
      stablehlo.return %s, %t : tensor<f32>, tensor<f32>
    }) : (tensor<7x9xf32>, tensor<7x9xf32>, tensor<2x5xi32>,
          tensor<5x2x3xf32>, tensor<5x2x3xf32>)
      -> (tensor<7x9xf32>, tensor<7x9xf32>))mlir",
          "%0#0, %0#1");
  const int columns[5] = {0, 6, -1, 8, 7}, rows[5] = {0, 5, 2, -1, 6};
  const auto *x = inputOf<float>("x"), *z = inputOf<float>("z");
  std::vector<float> p(63), q(63);
  std::transform(x, x + 63, p.begin(), std::negate<>());
  std::transform(z, z + 63, q.begin(), std::negate<>());
  for (int n = 0; n < 5; ++n)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) {
        int row = rows[n] + i, column = columns[n] + j;
        if (row < 0 || row >= 7 || column < 0 || column >= 9)
          continue;
        p[row * 9 + column] -= inputOf<float>("v")[(n * 2 + i) * 3 + j];
        q[row * 9 + column] += inputOf<float>("u")[(n * 2 + i) * 3 + j];
      }
  for (int i = 0; i < 63; ++i) {
    EXPECT_EQ(outputOf<float>("p")[i], p[i]) << i;
    EXPECT_EQ(outputOf<float>("q")[i], q[i]) << i;
  }
}

// Columns before rows in the index vectors, which lie along the first
// dimension; places are moved inside.
TEST_P(RowsValues, GatherOfBatches) {
  compute({{"x", "tensor<3x7x9xf32>"}}, {{"y", "tensor<3x4x5xf32>"}}, R"mlir(
    %i = stablehlo.constant dense<[
        [[0, 5, 6, -1, 2], [3, 3, 1, 9, 0], [4, 2, 5, 1, 7]],
        [[6, 7, -2, 0, 3], [1, 5, 2, 6, 0], [2, 4, 0, 8, 5]]]>
        : tensor<2x3x5xi32>
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers =
        #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1],
            operand_batching_dims = [0], start_indices_batching_dims = [1],
            start_index_map = [2, 1], index_vector_dim = 0>,
        slice_sizes = array<i64: 1, 1, 4>}>
        : (tensor<3x7x9xf32>, tensor<2x3x5xi32>) -> tensor<3x4x5xf32>)mlir",
          "%0");
  const int columns[3][5] = {
      {0, 5, 6, -1, 2}, {3, 3, 1, 9, 0}, {4, 2, 5, 1, 7}};
  const int rows[3][5] = {{6, 7, -2, 0, 3}, {1, 5, 2, 6, 0}, {2, 4, 0, 8, 5}};
  for (int i = 0; i < 3; ++i)
    for (int w = 0; w < 4; ++w)
      for (int n = 0; n < 5; ++n) {
        int row = std::clamp(rows[i][n], 0, 6);
        int column = std::clamp(columns[i][n], 0, 9 - 4) + w;
        EXPECT_EQ(outputOf<float>("y")[(i * 4 + w) * 5 + n],
                  inputOf<float>("x")[(i * 7 + row) * 9 + column]);
      }
}

// The last of the elements so far, and of those to come, that is not 0.
TEST_P(RowsValues, CumulativeWindows) {
  auto scan = [](const std::string &name, const std::string &padding) {
    return "%" + name + R"mlir( = "stablehlo.reduce_window"(%m, %zero) <{
        window_dimensions = array<i64: 1, 6, 1>,
        padding = dense<[[0, 0], )mlir" +
           padding + R"mlir(, [0, 0]]> : tensor<3x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %none = stablehlo.constant dense<0.0> : tensor<f32>
      %is = stablehlo.compare NE, %b, %none
          : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %s = stablehlo.select %is, %b, %a : tensor<i1>, tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<3x6x2xf32>, tensor<f32>) -> tensor<3x6x2xf32>
  )mlir";
  };
  compute({{"x", "tensor<3x6x2xf32>"}},
          {{"p", "tensor<3x6x2xf32>"}, {"q", "tensor<3x6x2xf32>"}},
          "%zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
          "%zeros = stablehlo.constant dense<0.0> : tensor<3x6x2xf32>\n"
          "%m = stablehlo.maximum %x, %zeros : tensor<3x6x2xf32>\n" +
              scan("0", "[5, 0]") + scan("1", "[0, 5]"),
          "%0, %1");
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 6; ++j) {
        auto lastOf = [&](int begin, int end) {
          float value = 0;
          for (int place = begin; place < end; ++place)
            if (float x = inputOf<float>("x")[(i * 6 + place) * 2 + k]; x > 0)
              value = x;
          return value;
        };
        EXPECT_EQ(outputOf<float>("p")[(i * 6 + j) * 2 + k], lastOf(0, j + 1));
        EXPECT_EQ(outputOf<float>("q")[(i * 6 + j) * 2 + k], lastOf(j, 6));
      }
}

// Dilations of both kinds, strides, padding, and rows that negative padding
// drops; the start is subtracted from.
TEST_P(RowsValues, Windows) {
  compute({{"x", "tensor<2x4x6xf32>"}, {"s", "tensor<f32>"}},
          {{"y", "tensor<2x7x2xf32>"}, {"z", "tensor<f32>"}}, R"mlir(
    %0 = "stablehlo.reduce_window"(%x, %s) <{
        window_dimensions = array<i64: 1, 2, 3>,
        window_strides = array<i64: 1, 1, 2>,
        base_dilations = array<i64: 1, 2, 1>,
        window_dilations = array<i64: 1, 1, 3>,
        padding = dense<[[0, 0], [-1, 2], [0, 3]]> : tensor<3x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %d = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<2x4x6xf32>, tensor<f32>) -> tensor<2x7x2xf32>
    %t = stablehlo.add %s, %s : tensor<f32>
    %1 = "stablehlo.reduce_window"(%s, %t) <{
        window_dimensions = array<i64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %d = stablehlo.subtract %a, %b : tensor<f32>
      stablehlo.return %d : tensor<f32>
    }) : (tensor<f32>, tensor<f32>) -> tensor<f32>)mlir",
          "%0, %1");
  float start = inputOf<float>("s")[0];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 7; ++j)
      for (int k = 0; k < 2; ++k) {
        float expected = start;
        for (int b = 0; b < 2; ++b)
          for (int c = 0; c < 3; ++c) {
            int row = j + b + 1, column = 2 * k + 3 * c;
            if (row % 2 == 0 && row / 2 < 4 && column < 6)
              expected -= inputOf<float>("x")[(i * 4 + row / 2) * 6 + column];
          }
        EXPECT_EQ(outputOf<float>("y")[(i * 7 + j) * 2 + k], expected);
      }
  EXPECT_EQ(outputOf<float>("z")[0], start);
}

// Equal keys keep their order, whatever the number of runs.
TEST_P(RowsValues, StableSort) {
  for (int length : {1, 2, 3, 5, 16, 17, 37}) {
    SetUp();
    std::string type = "tensor<3x" + std::to_string(length) + "x2xf32>";
    compute({{"x", type}, {"v", type}}, {{"p", type}, {"q", type}},
            "%k = stablehlo.floor %x : " + type + R"mlir(
    %0:2 = "stablehlo.sort"(%k, %v) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
      %less = stablehlo.compare LT, %a, %b
          : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) : ()mlir" +
                type + ", " + type + ") -> (" + type + ", " + type + ")",
            "%0#0, %0#1");
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 2; ++k) {
        auto at = [&](int place) { return (i * length + place) * 2 + k; };
        auto keyOf = [&](int place) {
          return std::floor(inputOf<float>("x")[at(place)]);
        };
        std::vector<int> order(length);
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](int a, int b) {
          return std::pair(keyOf(a), a) < std::pair(keyOf(b), b);
        });
        for (int j = 0; j < length; ++j) {
          EXPECT_EQ(outputOf<float>("p")[at(j)], keyOf(order[j]));
          EXPECT_EQ(outputOf<float>("q")[at(j)],
                    inputOf<float>("v")[at(order[j])]);
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, RowsValues,
                         ::testing::Values(Backend::CPU, Backend::GPU),
                         [](const auto &info) {
                           return info.param == Backend::CPU ? "CPU" : "GPU";
                         });

} // namespace
