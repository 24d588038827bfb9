//===- ReshapeCuts.cpp - How a reshape changes what is cut ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshapeCuts.h"

using namespace mlir;
using namespace mlir::boost;

/// Whether dimension `dim` has size 1 and so has a neighbour.
static bool isAmongOnes(ArrayRef<int64_t> shape, size_t dim) {
  return shape[dim] == 1 && ((dim > 0 && shape[dim - 1] == 1) ||
                             (dim + 1 < shape.size() && shape[dim + 1] == 1));
}

SmallVector<DimCut, 4> mlir::boost::reshapeCuts(ArrayRef<int64_t> from,
                                                ArrayRef<int64_t> to,
                                                ArrayRef<DimCut> cuts,
                                                const ShardingRule &rule) {
  auto isWhole = [](const DimCut &cut) { return cut && cut->empty(); };
  // A branch of a grouped product: `1x4x16 -> 4x16`.
  size_t dropped = 0;
  while (!from.empty() && !to.empty() && from.front() == 1 && to.front() != 1 &&
         isWhole(cuts.front())) {
    from = from.drop_front();
    cuts = cuts.drop_front();
    ++dropped;
  }
  SmallVector<DimCut, 4> result(to.size());
  size_t prefix = 0, suffix = 0, shorter = std::min(from.size(), to.size());
  auto correspond = [&](size_t dim, size_t toDim) {
    return from[dim] == to[toDim] && !isAmongOnes(from, dim) &&
           !isAmongOnes(to, toDim);
  };
  while (prefix < shorter && correspond(prefix, prefix)) {
    result[prefix] = cuts[prefix];
    ++prefix;
  }
  while (suffix + prefix < shorter &&
         correspond(from.size() - 1 - suffix, to.size() - 1 - suffix)) {
    ++suffix;
    result[to.size() - suffix] = cuts[from.size() - suffix];
  }
  ArrayRef<DimCut> middle = cuts.drop_front(prefix).drop_back(suffix);
  size_t middleEnd = to.size() - suffix;
  bool nextIsWhole = suffix == 0 || isWhole(result[middleEnd]);
  // A dimension of local size 1 may have been split off the cut one after it.
  bool mayHaveSplit =
      !nextIsWhole &&
      llvm::is_contained(to.slice(prefix, middleEnd - prefix), 1);
  if (llvm::all_of(middle, isWhole) && !mayHaveSplit) {
    std::fill(result.begin() + prefix, result.begin() + middleEnd,
              DimCut(AxisList()));
    return result;
  }
  // A cut dimension of local size 1 merged into, or split off, its neighbour.
  if (suffix > 0)
    result[middleEnd] = std::nullopt;
  bool hasOnes = llvm::is_contained(from, 1) || llvm::is_contained(to, 1);
  if (hasOnes || middle.empty())
    return result;
  for (size_t dim = prefix; dim < middleEnd; ++dim) {
    int loop = rule.getResults()[0][dim];
    const auto *found = llvm::find(rule.getOperands()[0], loop);
    result[dim] = loop == kNoLoop
                      ? DimCut(AxisList())
                      : cuts[found - rule.getOperands()[0].begin() - dropped];
  }
  if (suffix > 0)
    result[middleEnd] = cuts[from.size() - suffix];
  return result;
}
