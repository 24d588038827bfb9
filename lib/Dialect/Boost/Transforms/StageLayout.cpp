//===- StageLayout.cpp - The layers of pipeline stages --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageLayout.h"

#include "boost-mlir/Analysis/PipelineLayout.h"

using namespace mlir;
using namespace mlir::boost;

FailureOr<LayerChunks> mlir::boost::assignLayers(func::FuncOp function,
                                                 ArrayRef<int64_t> layout,
                                                 int64_t chunks) {
  LayerChunks layers = findLayerOrder(function);
  auto count = static_cast<int64_t>(layers.size());
  if (std::string problem = checkLayout(layout, count, chunks);
      !problem.empty())
    return emitError(function.getLoc()) << problem;
  SmallVector<int64_t> lengths(layout);
  if (lengths.empty())
    lengths = divideEvenly(SmallVector<double>(count, 1), chunks);
  auto layer = layers.begin();
  for (auto [chunk, length] : llvm::enumerate(lengths))
    for (int64_t i = 0; i < length; ++i, ++layer)
      layer->second = static_cast<int64_t>(chunk);
  return layers;
}
