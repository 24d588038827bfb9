//===- HostCollectives.cpp - Collectives on tensors of the host -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/HostCollectives.h"

#include <algorithm>
#include <cstring>

using namespace boost_rt;

/// Tensors below this size travel packed together, larger ones by themselves:
/// copying them costs more than a message (docs/benchmarks/Collectives.md).
static constexpr int64_t packedBelowBytes = int64_t(64) << 10;
/// The buffer that they, and larger ones of 16-bit floats, are packed into.
static constexpr int64_t packBytes = int64_t(4) << 20;

/// The type that a reduction computes in.
static ElementType reducedType(ElementType type) {
  return type == BOOST_RT_BF16 || type == BOOST_RT_F16 ? BOOST_RT_F32 : type;
}

//===----------------------------------------------------------------------===//
// All-reduce
//===----------------------------------------------------------------------===//

namespace {
/// Part of a tensor in the packing buffer.
struct Piece {
  char *data;
  ElementType type;
  int64_t count, packedOffset;
};

/// Collects pieces of one reduced type and reduces them together.
class Packer {
public:
  Packer(Communicator &communicator, Scratch &scratch, uint32_t group,
         boost_rt_reduction reduction)
      : communicator(communicator), scratch(scratch), group(group),
        reduction(reduction) {}

  void add(char *data, ElementType type, int64_t count) {
    // Most launches pack nothing.
    if (!buffer)
      buffer = static_cast<char *>(scratch.get(0, packBytes));
    ElementType reduced = reducedType(type);
    if (reduced != packedType)
      flush();
    packedType = reduced;
    int64_t capacity = packBytes / sizeOf(reduced);
    while (count > 0) {
      if (used == capacity || pieceCount == maxPieces)
        flush();
      int64_t taken = std::min(count, capacity - used);
      convertElements(type, data, reduced, buffer + used * sizeOf(reduced),
                      taken);
      pieces[pieceCount++] = {data, type, taken, used};
      used += taken;
      data += taken * sizeOf(type);
      count -= taken;
    }
  }

  void flush() {
    if (used > 0)
      communicator.allReduce(group, reduction, packedType, buffer, used);
    for (int64_t i = 0; i < pieceCount; ++i) {
      const Piece &piece = pieces[i];
      convertElements(packedType,
                      buffer + piece.packedOffset * sizeOf(packedType),
                      piece.type, piece.data, piece.count);
    }
    pieceCount = used = 0;
  }

private:
  static constexpr int64_t maxPieces = 256;

  Communicator &communicator;
  Scratch &scratch;
  uint32_t group;
  boost_rt_reduction reduction;
  char *buffer = nullptr;
  ElementType packedType = BOOST_RT_F32;
  int64_t used = 0;
  int64_t pieceCount = 0;
  Piece pieces[maxPieces];
};
} // namespace

void HostCollectives::allReduce(uint32_t group, boost_rt_reduction reduction,
                                int64_t tensors, void *const *buffers,
                                const int64_t *counts, const int32_t *types) {
  Packer packer(communicator, scratch, group, reduction);
  for (int64_t i = 0; i < tensors; ++i) {
    auto type = static_cast<ElementType>(types[i]);
    bool alone = tensors == 1 || counts[i] * sizeOf(type) >= packedBelowBytes;
    if (reducedType(type) == type && alone)
      communicator.allReduce(group, reduction, type, buffers[i], counts[i]);
    else
      packer.add(static_cast<char *>(buffers[i]), type, counts[i]);
  }
  packer.flush();
}

//===----------------------------------------------------------------------===//
// Gather, scatter, all-to-all
//===----------------------------------------------------------------------===//

static void transpose(const void *src, void *dst,
                      const BlockTransposition &blocks) {
  auto [rows, columns, bytes] = blocks;
  const char *from = static_cast<const char *>(src);
  char *to = static_cast<char *>(dst);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      std::memcpy(to + (i * columns + j) * bytes, from + (j * rows + i) * bytes,
                  static_cast<size_t>(bytes));
}

void HostCollectives::allGather(uint32_t group, ElementType type,
                                const void *src, void *dst, int64_t outer,
                                int64_t inner) {
  int64_t row = inner * sizeOf(type), size = mesh.groupSize(group);
  if (outer == 1)
    return communicator.allGather(group, src, dst, row);
  void *pieces = scratch.get(0, size * outer * row);
  communicator.allGather(group, src, pieces, outer * row);
  // [position, outer, inner] -> [outer, position, inner]
  transpose(pieces, dst, {outer, size, row});
}

void HostCollectives::reduceScatter(uint32_t group,
                                    boost_rt_reduction reduction,
                                    ElementType type, const void *src,
                                    void *dst, int64_t outer, int64_t inner) {
  ElementType reduced = reducedType(type);
  int64_t own = outer * inner, total = mesh.groupSize(group) * own;
  int64_t width = sizeOf(type);
  if (outer == 1 && reduced == type)
    return communicator.reduceScatter(group, reduction, reduced, src, dst, own);
  int64_t bytes = ScratchStack::paddedBytes<char>(total * width) +
                  ScratchStack::paddedBytes<char>(total * sizeOf(reduced)) +
                  own * sizeOf(reduced);
  ScratchStack stack(scratch.get(0, bytes));
  char *pieces = stack.take<char>(total * width);
  char *sent = stack.take<char>(total * sizeOf(reduced));
  char *received = stack.take<char>(own * sizeOf(reduced));
  // [outer, position, inner] -> [position, outer, inner]
  transpose(src, pieces, {mesh.groupSize(group), outer, inner * width});
  convertElements(type, pieces, reduced, sent, total);
  communicator.reduceScatter(group, reduction, reduced, sent, received, own);
  convertElements(reduced, received, type, dst, own);
}

namespace {
/// A dense tensor seen as [outer, extent, inner] around one dimension.
struct DimensionView {
  DimensionView(const int64_t *shape, int64_t rank, int64_t dimension)
      : extent(shape[dimension]) {
    for (int64_t i = 0; i < dimension; ++i)
      outer *= shape[i];
    for (int64_t i = dimension + 1; i < rank; ++i)
      inner *= shape[i];
  }
  int64_t outer = 1, extent, inner = 1;
};
} // namespace

AllToAllLayout::AllToAllLayout(int64_t size, ElementType type, int64_t rank,
                               const int64_t *shape, int64_t split,
                               int64_t concat) {
  constexpr int64_t maxRank = 16;
  int64_t width = sizeOf(type);
  int64_t pieceShape[maxRank];
  std::copy_n(shape, rank, pieceShape);
  DimensionView from(pieceShape, rank, split);
  pieceShape[split] /= size;
  DimensionView to(pieceShape, rank, concat);
  pieceBytes = from.outer * from.extent * from.inner / size * width;
  // [outer, position, rest] -> [position, outer, rest]
  packing = {size, from.outer, from.extent / size * from.inner * width};
  // [position, outer, rest] -> [outer, position, rest]
  unpacking = {to.outer, size, to.extent * to.inner * width};
}

void HostCollectives::allToAll(uint32_t group, ElementType type,
                               const void *src, void *dst, int64_t rank,
                               const int64_t *shape, int64_t split,
                               int64_t concat) {
  int64_t size = mesh.groupSize(group);
  AllToAllLayout layout(size, type, rank, shape, split, concat);
  int64_t bytes = size * layout.pieceBytes;
  ScratchStack stack(
      scratch.get(0, 2 * ScratchStack::paddedBytes<char>(bytes)));
  char *sent = stack.take<char>(bytes);
  char *received = stack.take<char>(bytes);
  transpose(src, sent, layout.packing);
  communicator.allToAll(group, sent, received, layout.pieceBytes);
  transpose(received, dst, layout.unpacking);
}
