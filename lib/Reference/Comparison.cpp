//===- Comparison.cpp - Do two tensors hold the same? ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Comparison.h"

#include <cmath>

using namespace mlir;
using namespace mlir::boost::reference;

Difference mlir::boost::reference::compareTensors(const Tensor &a,
                                                  const Tensor &b) {
  Difference difference;
  for (auto [i, pair] : llvm::enumerate(llvm::zip_equal(a.data, b.data))) {
    auto [x, y] = pair;
    if (x == y || (std::isnan(x) && std::isnan(y))) {
      if (std::isfinite(x))
        difference.scale = std::max(difference.scale, std::abs(x));
      continue;
    }
    difference.isEqual = false;
    double gap = std::abs(x - y);
    if (!std::isfinite(gap))
      gap = INFINITY;
    else
      difference.scale = std::max({difference.scale, std::abs(x), std::abs(y)});
    if (gap > difference.absolute) {
      difference.absolute = gap;
      difference.element = i;
    }
  }
  return difference;
}

std::string mlir::boost::reference::describeElement(ArrayRef<int64_t> shape,
                                                    size_t element) {
  Index index(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    index[dim] = static_cast<int64_t>(element) % shape[dim];
    element /= shape[dim];
  }
  std::string text = "[";
  for (auto [i, position] : llvm::enumerate(index))
    text += (i ? ", " : "") + std::to_string(position);
  return text + "]";
}
