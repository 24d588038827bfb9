//===- StagedCommunicator.cpp - Collectives through the host --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/HostCollectives.h"
#include "cuda/DataCommunicator.h"

#include <vector>

using namespace boost_rt;
using namespace boost_rt::vendor;

namespace {

/// Host memory that the GPU copies to and from by itself. It grows to the
/// largest request, which the first step reaches.
class PinnedBuffer {
public:
  PinnedBuffer() = default;
  ~PinnedBuffer() {
    if (data)
      functions().cuMemFreeHost(data);
  }
  PinnedBuffer(const PinnedBuffer &) = delete;
  PinnedBuffer &operator=(const PinnedBuffer &) = delete;

  char *get(int64_t bytes) {
    if (bytes <= size)
      return static_cast<char *>(data);
    if (data)
      functions().cuMemFreeHost(data);
    checkInStep(
        functions().cuMemHostAlloc(&data, static_cast<size_t>(bytes), 0),
        "allocate host memory for collectives");
    size = bytes;
    return static_cast<char *>(data);
  }

private:
  void *data = nullptr;
  int64_t size = 0;
};

class StagedCommunicator : public DataCommunicator {
public:
  StagedCommunicator(const Mesh &mesh, Communicator &communicator, GPU &gpu)
      : mesh(mesh), gpu(gpu), collectives(mesh, communicator) {}

  void allReduce(uint32_t group, boost_rt_reduction reduction, int64_t tensors,
                 void *const *buffers, const int64_t *counts,
                 const int32_t *types) override;
  void allGather(uint32_t group, const PieceList &pieces) override;
  void reduceScatter(uint32_t group, boost_rt_reduction reduction,
                     const PieceList &pieces) override;
  void broadcast(uint32_t group, int64_t root, int64_t tensors,
                 void *const *buffers, const int64_t *counts,
                 const int32_t *types) override;
  void allToAll(uint32_t group, ElementType type, const void *src, void *dst,
                int64_t rank, const int64_t *shape, int64_t split,
                int64_t concat) override;
  bool isCapturable() const override { return false; }

private:
  /// Calls `work(tensors)` on copies of tensors in host memory, which replace
  /// them.
  template <typename Work>
  void stageInPlace(int64_t tensors, void *const *buffers,
                    const int64_t *counts, const int32_t *types, Work work);
  /// Calls `work(tensors)` on copies in host memory. Of a piece, sources have
  /// `srcPieces` times the bytes and destinations `dstPieces` times.
  template <typename Work>
  void stage(const PieceList &pieces, int64_t srcPieces, int64_t dstPieces,
             Work work);

  const Mesh &mesh;
  GPU &gpu;
  HostCollectives collectives;
  PinnedBuffer pinned;
};

} // namespace

/// Staging buffers begin at cache lines.
static int64_t padded(int64_t bytes) { return (bytes + 63) / 64 * 64; }

template <typename Work>
void StagedCommunicator::stageInPlace(int64_t tensors, void *const *buffers,
                                      const int64_t *counts,
                                      const int32_t *types, Work work) {
  auto bytesOf = [&](int64_t i) {
    return counts[i] * sizeOf(static_cast<ElementType>(types[i]));
  };
  int64_t total = 0;
  for (int64_t i = 0; i < tensors; ++i)
    total += padded(bytesOf(i));
  char *next = pinned.get(total);
  std::vector<void *> copies;
  for (int64_t i = 0; i < tensors; ++i) {
    gpu.copyToHost(next, buffers[i], bytesOf(i));
    copies.push_back(next);
    next += padded(bytesOf(i));
  }
  work(copies.data());
  for (int64_t i = 0; i < tensors; ++i)
    gpu.copyToDevice(buffers[i], copies[static_cast<size_t>(i)], bytesOf(i));
}

void StagedCommunicator::allReduce(uint32_t group, boost_rt_reduction reduction,
                                   int64_t tensors, void *const *buffers,
                                   const int64_t *counts,
                                   const int32_t *types) {
  stageInPlace(tensors, buffers, counts, types, [&](void *const *staged) {
    collectives.allReduce(group, reduction, tensors, staged, counts, types);
  });
}

void StagedCommunicator::broadcast(uint32_t group, int64_t root,
                                   int64_t tensors, void *const *buffers,
                                   const int64_t *counts,
                                   const int32_t *types) {
  stageInPlace(tensors, buffers, counts, types, [&](void *const *staged) {
    collectives.broadcast(group, root, tensors, staged, counts, types);
  });
}

template <typename Work>
void StagedCommunicator::stage(const PieceList &pieces, int64_t srcPieces,
                               int64_t dstPieces, Work work) {
  int64_t total = 0;
  for (int64_t i = 0; i < pieces.size(); ++i)
    total += padded(srcPieces * pieces[i].pieceBytes()) +
             padded(dstPieces * pieces[i].pieceBytes());
  char *next = pinned.get(total);
  std::vector<void *> copies;
  for (int64_t i = 0; i < pieces.size(); ++i)
    for (int64_t count : {srcPieces, dstPieces}) {
      copies.push_back(next);
      next += padded(count * pieces[i].pieceBytes());
    }
  PieceList staged = pieces.at(copies.data());
  for (int64_t i = 0; i < pieces.size(); ++i)
    gpu.copyToHost(const_cast<char *>(staged[i].src), pieces[i].src,
                   srcPieces * pieces[i].pieceBytes());
  work(staged);
  for (int64_t i = 0; i < pieces.size(); ++i)
    gpu.copyToDevice(pieces[i].dst, staged[i].dst,
                     dstPieces * pieces[i].pieceBytes());
}

void StagedCommunicator::allGather(uint32_t group, const PieceList &pieces) {
  stage(pieces, 1, mesh.groupSize(group),
        [&](const PieceList &staged) { collectives.allGather(group, staged); });
}

void StagedCommunicator::reduceScatter(uint32_t group,
                                       boost_rt_reduction reduction,
                                       const PieceList &pieces) {
  stage(pieces, mesh.groupSize(group), 1, [&](const PieceList &staged) {
    collectives.reduceScatter(group, reduction, staged);
  });
}

void StagedCommunicator::allToAll(uint32_t group, ElementType type,
                                  const void *src, void *dst, int64_t rank,
                                  const int64_t *shape, int64_t split,
                                  int64_t concat) {
  AllToAllLayout layout(mesh.groupSize(group), type, rank, shape, split,
                        concat);
  int64_t bytes = mesh.groupSize(group) * layout.pieceBytes;
  char *sent = pinned.get(padded(bytes) + bytes);
  char *received = sent + padded(bytes);
  gpu.copyToHost(sent, src, bytes);
  collectives.allToAll(group, type, sent, received, rank, shape, split, concat);
  gpu.copyToDevice(dst, received, bytes);
}

std::unique_ptr<DataCommunicator>
boost_rt::createStagedCommunicator(const Mesh &mesh, Communicator &communicator,
                                   GPU &gpu) {
  return std::make_unique<StagedCommunicator>(mesh, communicator, gpu);
}
