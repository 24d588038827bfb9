//===- Shard.cpp - Which part of a global tensor a rank holds -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Shard.h"

#include <algorithm>

using namespace boost_rt;

Shard Shard::of(const Tensor &tensor, const Mesh &mesh, int64_t rank) {
  Shard shard{tensor.shape, {}, tensor.localShape, tensor.localStrides()};
  for (size_t dim = 0; dim < tensor.shape.size(); ++dim) {
    int64_t position = 0;
    for (unsigned axis : tensor.split[dim])
      position =
          position * mesh.getAxes()[axis].size + mesh.coordinate(rank, axis);
    shard.begin.push_back(position * tensor.localShape[dim] +
                          (dim == 0 ? tensor.firstRow : 0));
  }
  return shard;
}

std::vector<Piece> boost_rt::getPieces(const Shard &shard, int64_t most) {
  std::vector<Piece> pieces;
  int64_t packed = 0;
  shard.forEachRun([&](int64_t global, int64_t local, int64_t count) {
    for (int64_t done = 0; done < count; done += most) {
      int64_t part = std::min(most, count - done);
      pieces.push_back({global + done, local + done, packed, part});
      packed += part;
    }
  });
  return pieces;
}

bool boost_rt::ownsShard(const Tensor &tensor, const Mesh &mesh, int64_t rank,
                         std::optional<unsigned> pipelineAxis) {
  if (pipelineAxis &&
      mesh.coordinate(rank, *pipelineAxis) != tensor.firstStage())
    return false;
  uint32_t sharding = pipelineAxis ? 1u << *pipelineAxis : 0;
  for (const auto &axes : tensor.split)
    for (unsigned axis : axes)
      sharding |= 1u << axis;
  return mesh.groupPosition(rank, mesh.allAxes() & ~sharding) == 0;
}
