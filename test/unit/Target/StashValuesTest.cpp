//===- StashValuesTest.cpp - What calls keep for later ones ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a pipeline stage keep values in slots of the stash; the values
// of each micro-batch come back.
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

#include <algorithm>

using namespace mlir::boost;

namespace {
class StashValues : public KernelValues {};

/// Forwards keep twice the batch, backwards square what was kept. A schedule
/// says that there are two slots.
const std::string kStage = R"mlir(
  #id = affine_map<(d0) -> (d0)>
  func.func @forward(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">}) attributes {boost.stage = 0 : i64} {
    %empty = tensor.empty() : tensor<4xf32>
    %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
    ^bb0(%a: f32, %out: f32):
      %0 = arith.addf %a, %a : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    return %h : tensor<4xf32>
  }
  func.func @backward(%h: tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">})
      -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">}) attributes {boost.stage = 0 : i64} {
    %empty = tensor.empty() : tensor<4xf32>
    %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%h : tensor<4xf32>) outs(%empty : tensor<4xf32>) {
    ^bb0(%a: f32, %out: f32):
      %0 = arith.mulf %a, %a : f32
      linalg.yield %0 : f32
    } -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
  boost.schedule @evaluate micro_batches 2 {
    boost.call @forward micro_batch 0 slot 0
    boost.call @forward micro_batch 1 slot 1
    boost.call @backward micro_batch 0 slot 0
    boost.call @backward micro_batch 1 slot 1
  }
)mlir";
} // namespace

TEST_P(StashValues, slotsKeepTheirValues) {
  auto feed = [&](float value) {
    return [this, value] { std::fill_n(outputOf<float>("x"), 4, value); };
  };
  std::vector<float> first;
  auto read = [&] {
    first.assign(outputOf<float>("y"), outputOf<float>("y") + 4);
  };
  calls = {{"forward", 0, feed(1)},
           {"forward", 1, feed(3)},
           {"backward", 0},
           {"backward", 1, read}};
  runTensors(kStage, "");
  EXPECT_EQ(first, std::vector<float>(4, 4));
  const float *y = outputOf<float>("y");
  EXPECT_EQ(std::vector<float>(y, y + 4), std::vector<float>(4, 36));
}

INSTANTIATE_TEST_SUITE_P(, StashValues,
                         ::testing::Values(Backend::CPU, Backend::GPU));
