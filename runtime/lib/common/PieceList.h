//===- PieceList.h - Tensors of which each rank has a piece -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_PIECELIST_H
#define BOOST_RUNTIME_COMMON_PIECELIST_H

#include "common/ElementType.h"

namespace boost_rt {

/// A tensor that is gathered or scattered: a piece is [outer, inner], all of it
/// [outer, position in the group, inner].
struct PieceTensor {
  const char *src;
  char *dst;
  ElementType type;
  int64_t outer, inner;

  int64_t rowBytes() const { return inner * sizeOf(type); }
  int64_t pieceElements() const { return outer * inner; }
  int64_t pieceBytes() const { return outer * rowBytes(); }
  /// Returns true if the pieces are contiguous in the tensor.
  bool isOutermost() const { return outer == 1; }
};

/// The arrays that generated code passes to all_gather and reduce_scatter, as
/// Functions.def describes them.
class PieceList {
public:
  PieceList(int64_t tensors, void *const *buffers, const int64_t *extents,
            const int32_t *types)
      : tensors(tensors), buffers(buffers), extents(extents), types(types) {}

  int64_t size() const { return tensors; }
  PieceTensor operator[](int64_t i) const {
    return {static_cast<const char *>(buffers[2 * i]),
            static_cast<char *>(buffers[2 * i + 1]),
            static_cast<ElementType>(types[i]), extents[2 * i],
            extents[2 * i + 1]};
  }
  /// Returns the bytes of one piece of every tensor.
  int64_t pieceBytes() const {
    int64_t bytes = 0;
    for (int64_t i = 0; i < tensors; ++i)
      bytes += (*this)[i].pieceBytes();
    return bytes;
  }
  /// Returns the list with the tensors at other addresses.
  PieceList at(void *const *others) const {
    return {tensors, others, extents, types};
  }

private:
  int64_t tensors;
  void *const *buffers;
  const int64_t *extents;
  const int32_t *types;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_PIECELIST_H
