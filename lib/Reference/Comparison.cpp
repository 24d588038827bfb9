//===- Comparison.cpp - Do two tensors hold the same? ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Comparison.h"

#include <cmath>

using namespace mlir;
using namespace mlir::boost::reference;

/// The distance of two elements: 0 where they are the same number, or no number
/// in both. It is above 0 for integers that are one double.
static double getGap(const Tensor &a, const Tensor &b, size_t i) {
  if (!a.isFloat() && a.elementType() == b.elementType()) {
    auto x = static_cast<uint64_t>(a.integers[i]);
    auto y = static_cast<uint64_t>(b.integers[i]);
    bool isBelow = isLess(a.integers[i], b.integers[i], a.elementType());
    return static_cast<double>(isBelow ? y - x : x - y);
  }
  double x = a.toDouble(i), y = b.toDouble(i);
  if (x == y || (std::isnan(x) && std::isnan(y)))
    return 0;
  double gap = std::abs(x - y);
  return std::isfinite(gap) ? gap : INFINITY;
}

Difference mlir::boost::reference::compareTensors(const Tensor &a,
                                                  const Tensor &b) {
  assert(a.size() == b.size());
  Difference difference;
  for (size_t i = 0; i < a.size(); ++i) {
    double gap = getGap(a, b, i);
    if (std::isfinite(gap))
      for (double value : {a.toDouble(i), b.toDouble(i)})
        if (std::isfinite(value))
          difference.scale = std::max(difference.scale, std::abs(value));
    difference.isEqual &= gap == 0;
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
