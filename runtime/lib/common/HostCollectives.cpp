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
/// The most that travels so in one message. Larger tensors of 16-bit floats are
/// all-reduced in pieces of this size.
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
// Broadcast
//===----------------------------------------------------------------------===//

/// Along a binomial tree: a rank at distance d from the root receives from the
/// one whose distance lacks the lowest bit of d, and sends to those that have
/// one lower bit more.
void HostCollectives::broadcastBytes(uint32_t group, int64_t root, void *data,
                                     int64_t bytes) {
  int64_t size = mesh.groupSize(group), self = communicator.rank();
  int64_t distance = (mesh.groupPosition(self, group) + size - root) % size;
  auto rankAt = [&](int64_t other) {
    return mesh.memberRank(self, group, (other + root) % size);
  };
  int64_t bit = 1;
  while (bit < size && !(distance & bit))
    bit *= 2;
  if (distance > 0)
    communicator.receive(data, bytes, rankAt(distance - bit));
  for (bit /= 2; bit > 0; bit /= 2)
    if (distance + bit < size)
      communicator.send(data, bytes, rankAt(distance + bit));
}

void HostCollectives::broadcast(uint32_t group, int64_t root, int64_t tensors,
                                void *const *buffers, const int64_t *counts,
                                const int32_t *types) {
  auto bytesOf = [&](int64_t i) {
    return counts[i] * sizeOf(static_cast<ElementType>(types[i]));
  };
  for (int64_t begin = 0; begin < tensors;) {
    int64_t end = begin, packed = 0;
    while (end < tensors && bytesOf(end) < packedBelowBytes &&
           packed + bytesOf(end) <= packBytes)
      packed += bytesOf(end++);
    if (end - begin < 2) {
      broadcastBytes(group, root, buffers[begin], bytesOf(begin));
      ++begin;
      continue;
    }
    char *buffer = static_cast<char *>(scratch.get(0, packed)), *next = buffer;
    for (int64_t i = begin; i < end; next += bytesOf(i++))
      std::memcpy(next, buffers[i], static_cast<size_t>(bytesOf(i)));
    broadcastBytes(group, root, buffer, packed);
    next = buffer;
    for (int64_t i = begin; i < end; next += bytesOf(i++))
      std::memcpy(buffers[i], next, static_cast<size_t>(bytesOf(i)));
    begin = end;
  }
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

/// Small tensors of a list that travel in one message, and where the piece of
/// each begins among those of a rank.
struct boost_rt::PieceBundle {
  static constexpr int64_t maxTensors = 256;

  bool isFull() const { return count == maxTensors; }
  void add(int64_t tensor, int64_t length) {
    members[count++] = {tensor, extent};
    extent += length;
  }
  void clear() { count = extent = 0; }

  struct Member {
    int64_t tensor, offset;
  };
  Member members[maxTensors];
  /// Members, and what their pieces take of one rank: bytes or elements.
  int64_t count = 0, extent = 0;
};

void HostCollectives::gatherAlone(uint32_t group, const PieceTensor &tensor) {
  if (tensor.isOutermost())
    return communicator.allGather(group, tensor.src, tensor.dst,
                                  tensor.pieceBytes());
  int64_t size = mesh.groupSize(group);
  void *pieces = scratch.get(0, size * tensor.pieceBytes());
  communicator.allGather(group, tensor.src, pieces, tensor.pieceBytes());
  // [position, outer, inner] -> [outer, position, inner]
  transpose(pieces, tensor.dst, {tensor.outer, size, tensor.rowBytes()});
}

/// Gathers what is in the bundle, which it leaves empty.
void HostCollectives::gatherBundle(uint32_t group, const PieceList &pieces,
                                   PieceBundle &bundle) {
  if (bundle.count == 0)
    return;
  int64_t size = mesh.groupSize(group);
  int64_t sentBytes = ScratchStack::paddedBytes<char>(bundle.extent);
  ScratchStack stack(scratch.get(0, sentBytes + size * bundle.extent));
  char *sent = stack.take<char>(bundle.extent);
  char *received = stack.take<char>(size * bundle.extent);
  for (int64_t i = 0; i < bundle.count; ++i) {
    auto [number, offset] = bundle.members[i];
    PieceTensor tensor = pieces[number];
    std::memcpy(sent + offset, tensor.src,
                static_cast<size_t>(tensor.pieceBytes()));
  }
  communicator.allGather(group, sent, received, bundle.extent);
  for (int64_t i = 0; i < bundle.count; ++i) {
    auto [number, offset] = bundle.members[i];
    PieceTensor tensor = pieces[number];
    int64_t row = tensor.rowBytes();
    for (int64_t position = 0; position < size; ++position)
      for (int64_t o = 0; o < tensor.outer; ++o)
        std::memcpy(tensor.dst + (o * size + position) * row,
                    received + position * bundle.extent + offset + o * row,
                    static_cast<size_t>(row));
  }
  bundle.clear();
}

void HostCollectives::allGather(uint32_t group, const PieceList &pieces) {
  int64_t size = mesh.groupSize(group);
  PieceBundle bundle;
  for (int64_t i = 0; i < pieces.size(); ++i) {
    PieceTensor tensor = pieces[i];
    int64_t bytes = tensor.pieceBytes();
    if (pieces.size() == 1 || size * bytes >= packedBelowBytes) {
      gatherAlone(group, tensor);
      continue;
    }
    if (bundle.isFull() || size * (bundle.extent + bytes) > packBytes)
      gatherBundle(group, pieces, bundle);
    bundle.add(i, bytes);
  }
  gatherBundle(group, pieces, bundle);
}

void HostCollectives::scatterAlone(uint32_t group, boost_rt_reduction reduction,
                                   const PieceTensor &tensor) {
  ElementType type = tensor.type, reduced = reducedType(type);
  int64_t size = mesh.groupSize(group), own = tensor.pieceElements();
  int64_t total = size * own, width = sizeOf(type);
  if (tensor.isOutermost() && reduced == type)
    return communicator.reduceScatter(group, reduction, reduced, tensor.src,
                                      tensor.dst, own);
  int64_t bytes = ScratchStack::paddedBytes<char>(total * width) +
                  ScratchStack::paddedBytes<char>(total * sizeOf(reduced)) +
                  own * sizeOf(reduced);
  ScratchStack stack(scratch.get(0, bytes));
  char *pieces = stack.take<char>(total * width);
  char *sent = stack.take<char>(total * sizeOf(reduced));
  char *received = stack.take<char>(own * sizeOf(reduced));
  // [outer, position, inner] -> [position, outer, inner]
  transpose(tensor.src, pieces, {size, tensor.outer, tensor.rowBytes()});
  convertElements(type, pieces, reduced, sent, total);
  communicator.reduceScatter(group, reduction, reduced, sent, received, own);
  convertElements(reduced, received, type, tensor.dst, own);
}

/// Scatters what is in the bundle, all reduced in `reduced`; leaves it empty.
void HostCollectives::scatterBundle(uint32_t group,
                                    boost_rt_reduction reduction,
                                    ElementType reduced,
                                    const PieceList &pieces,
                                    PieceBundle &bundle) {
  if (bundle.count == 0)
    return;
  int64_t size = mesh.groupSize(group), width = sizeOf(reduced);
  int64_t sentBytes = size * bundle.extent * width;
  ScratchStack stack(scratch.get(0, ScratchStack::paddedBytes<char>(sentBytes) +
                                        bundle.extent * width));
  char *sent = stack.take<char>(sentBytes);
  char *received = stack.take<char>(bundle.extent * width);
  for (int64_t i = 0; i < bundle.count; ++i) {
    auto [number, offset] = bundle.members[i];
    PieceTensor tensor = pieces[number];
    for (int64_t position = 0; position < size; ++position)
      for (int64_t o = 0; o < tensor.outer; ++o)
        convertElements(
            tensor.type, tensor.src + (o * size + position) * tensor.rowBytes(),
            reduced,
            sent +
                (position * bundle.extent + offset + o * tensor.inner) * width,
            tensor.inner);
  }
  communicator.reduceScatter(group, reduction, reduced, sent, received,
                             bundle.extent);
  for (int64_t i = 0; i < bundle.count; ++i) {
    auto [number, offset] = bundle.members[i];
    PieceTensor tensor = pieces[number];
    convertElements(reduced, received + offset * width, tensor.type, tensor.dst,
                    tensor.pieceElements());
  }
  bundle.clear();
}

void HostCollectives::reduceScatter(uint32_t group,
                                    boost_rt_reduction reduction,
                                    const PieceList &pieces) {
  int64_t size = mesh.groupSize(group);
  PieceBundle bundle;
  ElementType bundled = BOOST_RT_F32;
  for (int64_t i = 0; i < pieces.size(); ++i) {
    PieceTensor tensor = pieces[i];
    if (pieces.size() == 1 || size * tensor.pieceBytes() >= packedBelowBytes) {
      scatterAlone(group, reduction, tensor);
      continue;
    }
    ElementType reduced = reducedType(tensor.type);
    int64_t extent = bundle.extent + tensor.pieceElements();
    if (reduced != bundled || bundle.isFull() ||
        size * extent * sizeOf(reduced) > packBytes)
      scatterBundle(group, reduction, bundled, pieces, bundle);
    bundled = reduced;
    bundle.add(i, tensor.pieceElements());
  }
  scatterBundle(group, reduction, bundled, pieces, bundle);
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
