//===- Shard.h - Which part of a global tensor a rank holds -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_SHARD_H
#define BOOST_RUNTIME_COMMON_SHARD_H

#include "common/Program.h"

namespace boost_rt {

/// A box in a global tensor, and how it stands in memory.
struct Shard {
  std::vector<int64_t> shape, begin, extent, strides;

  /// The shard of `tensor` on `rank`.
  static Shard of(const Tensor &tensor, const Mesh &mesh, int64_t rank);

  /// function(global, local, count) for every run of `count` elements that is
  /// contiguous in the global tensor and in the shard, in increasing order.
  /// `global` and `local` are element offsets in the row-major tensor and in
  /// the memory of the shard.
  template <typename Function> void forEachRun(Function &&function) const;
};

/// Elements that lie side by side in the global tensor, in the memory of the
/// shard and in a copy of it without gaps: their first, and how many they are.
struct Piece {
  int64_t global, local, packed, count;
};

/// The runs of a shard in their order, in pieces of at most `most` elements,
/// which threads can share.
std::vector<Piece> getPieces(const Shard &shard, int64_t most);

/// True if `rank` holds the first copy of its shard: coordinate 0 on every axis
/// that does not shard the tensor, and along that of the pipeline the first
/// stage that has it.
bool ownsShard(const Tensor &tensor, const Mesh &mesh, int64_t rank,
               std::optional<unsigned> pipelineAxis = std::nullopt);

template <typename Function> void Shard::forEachRun(Function &&function) const {
  // Whole dimensions at the end join the run, as long as there are no gaps.
  size_t last = shape.size();
  int64_t inner = 1;
  while (last > 0 && extent[last - 1] == shape[last - 1] &&
         (strides[last - 1] == inner || shape[last - 1] == 1))
    inner *= shape[--last];
  if (last == 0) {
    if (inner > 0)
      function(int64_t(0), int64_t(0), inner);
    return;
  }
  // A sharded dimension ends the run; with gaps behind its elements it is none.
  int64_t count = inner, first = 0, wholes = inner;
  if (strides[last - 1] == inner) {
    --last;
    count *= extent[last];
    first = begin[last] * inner;
    wholes *= shape[last];
  }
  int64_t rows = 1;
  for (size_t i = 0; i < last; ++i)
    rows *= extent[i];
  if (count == 0)
    return;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row, global = first, local = 0, whole = wholes;
    for (size_t i = last; i-- > 0;) {
      int64_t index = rest % extent[i];
      global += (begin[i] + index) * whole;
      local += index * strides[i];
      rest /= extent[i];
      whole *= shape[i];
    }
    function(global, local, count);
  }
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_SHARD_H
