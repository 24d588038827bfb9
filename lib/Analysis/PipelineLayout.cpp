//===- PipelineLayout.cpp - The layers of pipeline stages -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/PipelineLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::boost;

SmallVector<int64_t> mlir::boost::divideEvenly(ArrayRef<double> weights,
                                               int64_t parts) {
  auto count = static_cast<int64_t>(weights.size());
  SmallVector<double> sums(count + 1);
  std::partial_sum(weights.begin(), weights.end(), sums.begin() + 1);
  // most[p][n]: the largest run of the first n elements in p runs; last[p][n]:
  // where the last of these begins.
  constexpr double kImpossible = std::numeric_limits<double>::infinity();
  SmallVector<double> most(count + 1, kImpossible);
  most[0] = 0;
  SmallVector<SmallVector<int64_t>> last;
  for ([[maybe_unused]] int64_t part : llvm::seq(parts)) {
    SmallVector<double> next(count + 1, kImpossible);
    SmallVector<int64_t> begins(count + 1);
    for (int64_t end : llvm::seq_inclusive<int64_t>(1, count))
      for (int64_t begin : llvm::seq(end)) {
        double largest = std::max(most[begin], sums[end] - sums[begin]);
        if (largest < next[end]) {
          next[end] = largest;
          begins[end] = begin;
        }
      }
    most = std::move(next);
    last.push_back(std::move(begins));
  }
  SmallVector<int64_t> lengths(parts);
  for (int64_t part = parts - 1, end = count; part >= 0; --part) {
    lengths[part] = end - last[part][end];
    end = last[part][end];
  }
  return lengths;
}

std::string mlir::boost::checkLayout(ArrayRef<int64_t> layout, int64_t layers,
                                     int64_t chunks) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (layers < chunks) {
    os << "expects at least one layer for each of " << chunks
       << " parts of the pipeline, but found " << layers
       << "; use fewer stages";
    return text;
  }
  int64_t sum = std::accumulate(layout.begin(), layout.end(), int64_t(0));
  bool arePositive = llvm::all_of(layout, [](int64_t n) { return n > 0; });
  if (layout.empty() || (static_cast<int64_t>(layout.size()) == chunks &&
                         sum == layers && arePositive))
    return text;
  os << "expects a layout of " << chunks << " positive numbers whose sum is "
     << layers << ", the number of layers, but got ";
  llvm::interleaveComma(layout, os);
  return text;
}
