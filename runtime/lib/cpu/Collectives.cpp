//===- Collectives.cpp - Collectives on tensors in host memory ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything between the tensors of Functions.def and the flat buffers of a
// Communicator: packing, rearranging, reducing 16-bit floats in f32, counting.
//
//===----------------------------------------------------------------------===//

#include "common/Activity.h"
#include "common/ElementType.h"
#include "cpu/Context.h"

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
  Packer(boost_rt_context &context, uint32_t group,
         boost_rt_reduction reduction)
      : context(context), group(group), reduction(reduction) {}

  void add(char *data, ElementType type, int64_t count) {
    // Most launches pack nothing.
    if (!buffer)
      buffer = static_cast<char *>(context.scratch.get(0, packBytes));
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
      context.communicator.allReduce(group, reduction, packedType, buffer,
                                     used);
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

  boost_rt_context &context;
  uint32_t group;
  boost_rt_reduction reduction;
  char *buffer = nullptr;
  ElementType packedType = BOOST_RT_F32;
  int64_t used = 0;
  int64_t pieceCount = 0;
  Piece pieces[maxPieces];
};
} // namespace

extern "C" void boost_rt_all_reduce(boost_rt_context *context, int32_t site,
                                    int32_t group, int32_t reduction,
                                    int64_t tensors, void *buffers,
                                    void *counts, void *types) {
  auto kind = static_cast<boost_rt_reduction>(reduction);
  auto mask = static_cast<uint32_t>(group);
  AtSite atSite(site);
  Packer packer(*context, mask, kind);
  int64_t payload = 0;
  for (int64_t i = 0; i < tensors; ++i) {
    char *data = static_cast<char **>(buffers)[i];
    int64_t count = static_cast<int64_t *>(counts)[i];
    auto type = static_cast<ElementType>(static_cast<int32_t *>(types)[i]);
    int64_t bytes = count * sizeOf(type);
    payload += bytes;
    bool alone = tensors == 1 || bytes >= packedBelowBytes;
    if (reducedType(type) == type && alone)
      context->communicator.allReduce(mask, kind, type, data, count);
    else
      packer.add(data, type, count);
  }
  packer.flush();
  context->record.countCollective(site, payload);
}

//===----------------------------------------------------------------------===//
// Gather, scatter, all-to-all
//===----------------------------------------------------------------------===//

/// dst[i][j] = src[j][i] for blocks of `bytes`; i < rows of dst, j < columns.
static void transposeBlocks(const char *src, char *dst, int64_t rows,
                            int64_t columns, int64_t bytes) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      std::memcpy(dst + (i * columns + j) * bytes, src + (j * rows + i) * bytes,
                  static_cast<size_t>(bytes));
}

static char *scratchBytes(boost_rt_context &context, int64_t bytes) {
  return static_cast<char *>(context.scratch.get(0, bytes));
}

extern "C" void boost_rt_all_gather(boost_rt_context *context, int32_t site,
                                    int32_t group, int32_t type, void *src,
                                    void *dst, int64_t outer, int64_t inner) {
  auto mask = static_cast<uint32_t>(group);
  int64_t row = inner * sizeOf(static_cast<ElementType>(type));
  int64_t size = context->mesh.groupSize(mask);
  context->record.countCollective(site, outer * row);
  AtSite atSite(site);
  if (outer == 1)
    return context->communicator.allGather(mask, src, dst, row);
  char *pieces = scratchBytes(*context, size * outer * row);
  context->communicator.allGather(mask, src, pieces, outer * row);
  // [position, outer, inner] -> [outer, position, inner]
  transposeBlocks(pieces, static_cast<char *>(dst), outer, size, row);
}

extern "C" void boost_rt_reduce_scatter(boost_rt_context *context, int32_t site,
                                        int32_t group, int32_t reduction,
                                        int32_t type, void *src, void *dst,
                                        int64_t outer, int64_t inner) {
  auto mask = static_cast<uint32_t>(group);
  auto kind = static_cast<boost_rt_reduction>(reduction);
  auto elementType = static_cast<ElementType>(type);
  ElementType reduced = reducedType(elementType);
  int64_t size = context->mesh.groupSize(mask);
  int64_t total = size * outer * inner, own = outer * inner;
  int64_t width = sizeOf(elementType);
  context->record.countCollective(site, total * width);
  AtSite atSite(site);
  bool converted = reduced != elementType;
  if (outer == 1 && !converted)
    return context->communicator.reduceScatter(mask, kind, reduced, src, dst,
                                               own);
  ScratchStack stack(scratchBytes(
      *context, ScratchStack::paddedBytes<char>(total * width) +
                    ScratchStack::paddedBytes<char>(total * sizeOf(reduced)) +
                    own * sizeOf(reduced)));
  char *pieces = stack.take<char>(total * width);
  char *sent = stack.take<char>(total * sizeOf(reduced));
  char *received = stack.take<char>(own * sizeOf(reduced));
  // [outer, position, inner] -> [position, outer, inner]
  transposeBlocks(static_cast<char *>(src), pieces, size, outer, inner * width);
  convertElements(elementType, pieces, reduced, sent, total);
  context->communicator.reduceScatter(mask, kind, reduced, sent, received, own);
  convertElements(reduced, received, elementType, dst, own);
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

extern "C" void boost_rt_all_to_all(boost_rt_context *context, int32_t site,
                                    int32_t group, int32_t type, void *src,
                                    void *dst, int64_t rank, void *shape,
                                    int64_t split, int64_t concat) {
  constexpr int64_t maxRank = 16;
  auto mask = static_cast<uint32_t>(group);
  int64_t width = sizeOf(static_cast<ElementType>(type));
  int64_t size = context->mesh.groupSize(mask);
  int64_t pieceShape[maxRank];
  std::copy_n(static_cast<int64_t *>(shape), rank, pieceShape);
  DimensionView from(pieceShape, rank, split);
  pieceShape[split] /= size;
  DimensionView to(pieceShape, rank, concat);
  int64_t pieceBytes = from.outer * from.extent * from.inner / size * width;
  context->record.countCollective(site, size * pieceBytes);
  AtSite atSite(site);
  ScratchStack stack(scratchBytes(
      *context, 2 * ScratchStack::paddedBytes<char>(size * pieceBytes)));
  char *sent = stack.take<char>(size * pieceBytes);
  char *received = stack.take<char>(size * pieceBytes);
  // [outer, position, rest] -> [position, outer, rest]
  transposeBlocks(static_cast<char *>(src), sent, size, from.outer,
                  from.extent / size * from.inner * width);
  context->communicator.allToAll(mask, sent, received, pieceBytes);
  // [position, outer, rest] -> [outer, position, rest]
  transposeBlocks(received, static_cast<char *>(dst), to.outer, size,
                  to.extent * to.inner * width);
}

extern "C" void boost_rt_all_slice(boost_rt_context *context, int32_t group,
                                   int32_t type, void *src, void *dst,
                                   int64_t outer, int64_t inner) {
  auto mask = static_cast<uint32_t>(group);
  int64_t row = inner * sizeOf(static_cast<ElementType>(type));
  int64_t size = context->mesh.groupSize(mask);
  int64_t position =
      context->mesh.groupPosition(context->communicator.rank(), mask);
  for (int64_t i = 0; i < outer; ++i)
    std::memcpy(static_cast<char *>(dst) + i * row,
                static_cast<char *>(src) + (i * size + position) * row,
                static_cast<size_t>(row));
}

extern "C" void boost_rt_process_index(boost_rt_context *context, int32_t group,
                                       void *out) {
  *static_cast<int32_t *>(out) =
      static_cast<int32_t>(context->mesh.groupPosition(
          context->communicator.rank(), static_cast<uint32_t>(group)));
}
