//===- NcclCommunicator.cpp - Collectives through NCCL --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL moves flat buffers. Tensors whose outer dimension is not the one of the
// ranks are packed before or unpacked after, in the workspace.
//
//===----------------------------------------------------------------------===//

#include "common/Failure.h"
#include "common/HostCollectives.h"
#include "cuda/DataCommunicator.h"
#include "cuda/Packing.h"

#include <map>
#include <vector>

using namespace boost_rt;
using namespace boost_rt::vendor;

namespace {

class NcclRanks : public DataCommunicator {
public:
  NcclRanks(const Mesh &mesh, Communicator &communicator, GPU &gpu,
            KernelLauncher &launcher, Workspace workspace)
      : mesh(mesh), communicator(communicator), gpu(gpu), launcher(launcher),
        workspace(workspace) {
    openNccl();
  }
  ~NcclRanks() override;

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
  bool send(uint32_t group, int64_t position, const void *data,
            int64_t bytes) override;
  bool receive(uint32_t group, int64_t position, void *data,
               int64_t bytes) override;
  bool isCapturable() const override { return true; }
  void checkPeers() override;

private:
  NcclCommunicator get(uint32_t group);
  std::vector<char *> placePacked(const PieceList &pieces, int64_t size);
  void transpose(const void *src, void *dst, const BlockTransposition &blocks) {
    cuda::transposeBlocks(launcher, src, dst, blocks.rows, blocks.columns,
                          blocks.bytes);
  }

  const Mesh &mesh;
  Communicator &communicator;
  GPU &gpu;
  KernelLauncher &launcher;
  Workspace workspace;
  std::map<uint32_t, NcclCommunicator> groups;
};

} // namespace

static int dataType(ElementType type) {
  switch (type) {
  case BOOST_RT_F32:
    return ncclFloat32;
  case BOOST_RT_BF16:
    return ncclBFloat16;
  case BOOST_RT_F16:
    return ncclFloat16;
  case BOOST_RT_F64:
    return ncclFloat64;
  case BOOST_RT_I32:
    return ncclInt32;
  case BOOST_RT_I64:
    return ncclInt64;
  case BOOST_RT_I16:
    refuse("NCCL adds no integers of 16 bits; convert them to int32 in the "
           "loss");
  case BOOST_RT_I8:
    return ncclInt8;
  case BOOST_RT_I1:
    return ncclUInt8;
  }
  return ncclInt8;
}

static int operation(boost_rt_reduction reduction) {
  switch (reduction) {
  case BOOST_RT_SUM:
    return ncclSum;
  case BOOST_RT_MAX:
    return ncclMax;
  case BOOST_RT_MIN:
    return ncclMin;
  }
  return ncclSum;
}

/// The first rank of a group invents the name of its communicator.
NcclCommunicator NcclRanks::get(uint32_t group) {
  NcclCommunicator &known = groups[group];
  if (known)
    return known;
  int64_t size = mesh.groupSize(group);
  int64_t position = mesh.groupPosition(communicator.rank(), group);
  NcclId id{};
  if (position == 0)
    checkNccl(functions().ncclGetUniqueId(&id), "name a group of ranks");
  std::vector<NcclId> ids(static_cast<size_t>(size));
  communicator.allGather(group, &id, ids.data(), sizeof(id));
  checkNccl(functions().ncclCommInitRank(&known, static_cast<int>(size), ids[0],
                                         static_cast<int>(position)),
            "connect a group of ranks");
  return known;
}

NcclRanks::~NcclRanks() {
  for (auto [group, connection] : groups)
    functions().ncclCommDestroy(connection);
}

void NcclRanks::checkPeers() {
  for (auto [group, connection] : groups) {
    NcclResult result = ncclSuccess;
    checkNccl(functions().ncclCommGetAsyncError(connection, &result),
              "ask for the state of a group of ranks");
    if (result == ncclSuccess || result == ncclInProgress)
      continue;
    functions().ncclCommAbort(connection);
    checkNccl(result, "go on with a group of ranks");
  }
}

void NcclRanks::allReduce(uint32_t group, boost_rt_reduction reduction,
                          int64_t tensors, void *const *buffers,
                          const int64_t *counts, const int32_t *types) {
  NcclCommunicator connection = get(group);
  checkNccl(functions().ncclGroupStart(), "group collectives");
  for (int64_t i = 0; i < tensors; ++i)
    checkNccl(functions().ncclAllReduce(
                  buffers[i], buffers[i], static_cast<size_t>(counts[i]),
                  dataType(static_cast<ElementType>(types[i])),
                  operation(reduction), connection, gpu.getStream()),
              "all-reduce");
  checkNccl(functions().ncclGroupEnd(), "group collectives");
}

static int64_t alignPacked(int64_t bytes) {
  return (bytes + BOOST_RT_PACKING_ALIGNMENT - 1) / BOOST_RT_PACKING_ALIGNMENT *
         BOOST_RT_PACKING_ALIGNMENT;
}

/// Returns the addresses at which tensors are packed, one behind the other;
/// null for tensors whose pieces are contiguous already.
std::vector<char *> NcclRanks::placePacked(const PieceList &pieces,
                                           int64_t size) {
  std::vector<char *> packed(static_cast<size_t>(pieces.size()));
  int64_t bytes = 0;
  for (int64_t i = 0; i < pieces.size(); ++i)
    if (!pieces[i].isOutermost())
      bytes += alignPacked(size * pieces[i].pieceBytes());
  char *next = workspace.take(bytes);
  for (int64_t i = 0; i < pieces.size(); ++i)
    if (!pieces[i].isOutermost()) {
      packed[static_cast<size_t>(i)] = next;
      next += alignPacked(size * pieces[i].pieceBytes());
    }
  return packed;
}

void NcclRanks::allGather(uint32_t group, const PieceList &pieces) {
  NcclCommunicator connection = get(group);
  int64_t size = mesh.groupSize(group);
  std::vector<char *> packed = placePacked(pieces, size);
  checkNccl(functions().ncclGroupStart(), "group collectives");
  for (int64_t i = 0; i < pieces.size(); ++i) {
    PieceTensor tensor = pieces[i];
    char *received = packed[static_cast<size_t>(i)];
    checkNccl(
        functions().ncclAllGather(tensor.src, received ? received : tensor.dst,
                                  static_cast<size_t>(tensor.pieceBytes()),
                                  ncclInt8, connection, gpu.getStream()),
        "all-gather");
  }
  checkNccl(functions().ncclGroupEnd(), "group collectives");
  // [position, outer, inner] -> [outer, position, inner]
  for (int64_t i = 0; i < pieces.size(); ++i)
    if (const char *received = packed[static_cast<size_t>(i)])
      transpose(received, pieces[i].dst,
                {pieces[i].outer, size, pieces[i].rowBytes()});
}

void NcclRanks::reduceScatter(uint32_t group, boost_rt_reduction reduction,
                              const PieceList &pieces) {
  NcclCommunicator connection = get(group);
  int64_t size = mesh.groupSize(group);
  std::vector<char *> packed = placePacked(pieces, size);
  // [outer, position, inner] -> [position, outer, inner]
  for (int64_t i = 0; i < pieces.size(); ++i)
    if (char *sent = packed[static_cast<size_t>(i)])
      transpose(pieces[i].src, sent,
                {size, pieces[i].outer, pieces[i].rowBytes()});
  checkNccl(functions().ncclGroupStart(), "group collectives");
  for (int64_t i = 0; i < pieces.size(); ++i) {
    PieceTensor tensor = pieces[i];
    const char *sent = packed[static_cast<size_t>(i)];
    checkNccl(functions().ncclReduceScatter(
                  sent ? sent : tensor.src, tensor.dst,
                  static_cast<size_t>(tensor.pieceElements()),
                  dataType(tensor.type), operation(reduction), connection,
                  gpu.getStream()),
              "reduce-scatter");
  }
  checkNccl(functions().ncclGroupEnd(), "group collectives");
}

void NcclRanks::broadcast(uint32_t group, int64_t root, int64_t tensors,
                          void *const *buffers, const int64_t *counts,
                          const int32_t *types) {
  NcclCommunicator connection = get(group);
  checkNccl(functions().ncclGroupStart(), "group collectives");
  for (int64_t i = 0; i < tensors; ++i) {
    int64_t bytes = counts[i] * sizeOf(static_cast<ElementType>(types[i]));
    checkNccl(functions().ncclBroadcast(
                  buffers[i], buffers[i], static_cast<size_t>(bytes), ncclInt8,
                  static_cast<int>(root), connection, gpu.getStream()),
              "broadcast");
  }
  checkNccl(functions().ncclGroupEnd(), "group collectives");
}

void NcclRanks::allToAll(uint32_t group, ElementType type, const void *src,
                         void *dst, int64_t rank, const int64_t *shape,
                         int64_t split, int64_t concat) {
  NcclCommunicator connection = get(group);
  int64_t size = mesh.groupSize(group);
  AllToAllLayout layout(size, type, rank, shape, split, concat);
  auto bytes = static_cast<size_t>(layout.pieceBytes);
  char *sent = workspace.take(2 * size * layout.pieceBytes);
  char *received = sent + size * layout.pieceBytes;
  transpose(src, sent, layout.packing);
  checkNccl(functions().ncclGroupStart(), "group collectives");
  for (int peer = 0; peer < size; ++peer) {
    checkNccl(functions().ncclSend(sent + peer * layout.pieceBytes, bytes,
                                   ncclInt8, peer, connection, gpu.getStream()),
              "send");
    checkNccl(functions().ncclRecv(received + peer * layout.pieceBytes, bytes,
                                   ncclInt8, peer, connection, gpu.getStream()),
              "receive");
  }
  checkNccl(functions().ncclGroupEnd(), "group collectives");
  transpose(received, dst, layout.unpacking);
}

bool NcclRanks::send(uint32_t group, int64_t position, const void *data,
                     int64_t bytes) {
  NcclCommunicator connection = get(group);
  checkNccl(functions().ncclGroupStart(), "group collectives");
  checkNccl(functions().ncclSend(data, static_cast<size_t>(bytes), ncclInt8,
                                 static_cast<int>(position), connection,
                                 gpu.getStream()),
            "send");
  checkNccl(functions().ncclGroupEnd(), "group collectives");
  return true;
}

bool NcclRanks::receive(uint32_t group, int64_t position, void *data,
                        int64_t bytes) {
  NcclCommunicator connection = get(group);
  checkNccl(functions().ncclGroupStart(), "group collectives");
  checkNccl(functions().ncclRecv(data, static_cast<size_t>(bytes), ncclInt8,
                                 static_cast<int>(position), connection,
                                 gpu.getStream()),
            "receive");
  checkNccl(functions().ncclGroupEnd(), "group collectives");
  return true;
}

std::unique_ptr<DataCommunicator>
boost_rt::createNcclCommunicator(const Mesh &mesh, Communicator &communicator,
                                 GPU &gpu, KernelLauncher &launcher,
                                 Workspace workspace) {
  return std::make_unique<NcclRanks>(mesh, communicator, gpu, launcher,
                                     workspace);
}
