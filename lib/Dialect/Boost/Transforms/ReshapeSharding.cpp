//===- ReshapeSharding.cpp - Shardings through reshapes -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshapeSharding.h"

using namespace mlir;
using namespace mlir::boost;

/// Returns true if dimension `dim` and one of its neighbors have size 1.
static bool isAmongOnes(ArrayRef<int64_t> shape, size_t dim) {
  return shape[dim] == 1 && ((dim > 0 && shape[dim - 1] == 1) ||
                             (dim + 1 < shape.size() && shape[dim + 1] == 1));
}

SmallVector<DimAxes, 4> mlir::boost::reshapeSharding(ArrayRef<int64_t> from,
                                                     ArrayRef<int64_t> to,
                                                     ArrayRef<DimAxes> dims,
                                                     const ShardingRule &rule) {
  auto isUnsharded = [](const DimAxes &axes) { return axes && axes->empty(); };
  // A branch of a grouped product: `1x4x16 -> 4x16`.
  size_t dropped = 0;
  while (!from.empty() && !to.empty() && from.front() == 1 && to.front() != 1 &&
         isUnsharded(dims.front())) {
    from = from.drop_front();
    dims = dims.drop_front();
    ++dropped;
  }
  SmallVector<DimAxes, 4> result(to.size());
  size_t prefix = 0, suffix = 0, shorter = std::min(from.size(), to.size());
  auto correspond = [&](size_t dim, size_t toDim) {
    return from[dim] == to[toDim] && !isAmongOnes(from, dim) &&
           !isAmongOnes(to, toDim);
  };
  while (prefix < shorter && correspond(prefix, prefix)) {
    result[prefix] = dims[prefix];
    ++prefix;
  }
  while (suffix + prefix < shorter &&
         correspond(from.size() - 1 - suffix, to.size() - 1 - suffix)) {
    ++suffix;
    result[to.size() - suffix] = dims[from.size() - suffix];
  }
  ArrayRef<DimAxes> middle = dims.drop_front(prefix).drop_back(suffix);
  size_t middleEnd = to.size() - suffix;
  bool nextIsUnsharded = suffix == 0 || isUnsharded(result[middleEnd]);
  // A dimension of local size 1 may have been split off the sharded one after
  // it.
  bool mayHaveSplit =
      !nextIsUnsharded &&
      llvm::is_contained(to.slice(prefix, middleEnd - prefix), 1);
  if (llvm::all_of(middle, isUnsharded) && !mayHaveSplit) {
    std::fill(result.begin() + prefix, result.begin() + middleEnd,
              DimAxes(AxisList()));
    return result;
  }
  // A sharded dimension of local size 1 merged into, or split off, its
  // neighbor.
  if (suffix > 0)
    result[middleEnd] = std::nullopt;
  if (llvm::is_contained(from, 1) || llvm::is_contained(to, 1))
    return result;
  for (size_t dim = prefix; dim < middleEnd; ++dim) {
    int loop = rule.getResults()[0][dim];
    const auto *found = llvm::find(rule.getOperands()[0], loop);
    result[dim] = loop == kNoLoop
                      ? DimAxes(AxisList())
                      : dims[found - rule.getOperands()[0].begin() - dropped];
  }
  if (suffix > 0)
    result[middleEnd] = dims[from.size() - suffix];
  return result;
}
