//===- HostCollectives.h - Collectives on tensors of the host ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_HOSTCOLLECTIVES_H
#define BOOST_RUNTIME_COMMON_HOSTCOLLECTIVES_H

#include "common/Communicator.h"
#include "common/PieceList.h"
#include "common/Scratch.h"

namespace boost_rt {

struct PieceBundle;

/// The collectives of Functions.def, with its shapes, on tensors in host
/// memory. 16-bit floats are reduced in f32 and rounded once. Small tensors of
/// one launch travel in one message.
class HostCollectives {
public:
  HostCollectives(const Mesh &mesh, Communicator &communicator)
      : mesh(mesh), communicator(communicator), scratch(1) {}

  /// In place.
  void allReduce(uint32_t group, boost_rt_reduction reduction, int64_t tensors,
                 void *const *buffers, const int64_t *counts,
                 const int32_t *types);
  void allGather(uint32_t group, const PieceList &pieces);
  void reduceScatter(uint32_t group, boost_rt_reduction reduction,
                     const PieceList &pieces);
  /// In place, from the rank at position `root`.
  void broadcast(uint32_t group, int64_t root, int64_t tensors,
                 void *const *buffers, const int64_t *counts,
                 const int32_t *types);
  void allToAll(uint32_t group, ElementType type, const void *src, void *dst,
                int64_t rank, const int64_t *shape, int64_t split,
                int64_t concat);

private:
  void broadcastBytes(uint32_t group, int64_t root, void *data, int64_t bytes);
  void gatherAlone(uint32_t group, const PieceTensor &tensor);
  void gatherBundle(uint32_t group, const PieceList &pieces,
                    PieceBundle &bundle);
  void scatterAlone(uint32_t group, boost_rt_reduction reduction,
                    const PieceTensor &tensor);
  void scatterBundle(uint32_t group, boost_rt_reduction reduction,
                     ElementType reduced, const PieceList &pieces,
                     PieceBundle &bundle);

  const Mesh &mesh;
  Communicator &communicator;
  Scratch scratch;
};

/// dst[i][j] = src[j][i] for blocks of `bytes`; i < rows of dst, j < columns.
struct BlockTransposition {
  int64_t rows, columns, bytes;
};

/// The layout of an all-to-all: its tensors are [before, size, after] pieces on
/// the way out and in, of `pieceBytes` for each rank of the group.
struct AllToAllLayout {
  AllToAllLayout(int64_t size, ElementType type, int64_t rank,
                 const int64_t *shape, int64_t split, int64_t concat);

  int64_t pieceBytes;
  /// src to pieces by position, and pieces by position to dst.
  BlockTransposition packing, unpacking;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_HOSTCOLLECTIVES_H
