//===- DataCommunicator.h - Collectives on device memory --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Beside the communicator of the driver, which moves small things between
// hosts.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_DATACOMMUNICATOR_H
#define BOOST_RUNTIME_CUDA_DATACOMMUNICATOR_H

#include "common/Communicator.h"
#include "common/PieceList.h"
#include "cuda/DeviceMemory.h"
#include "cuda/GPU.h"
#include "cuda/KernelLauncher.h"

#include <memory>

namespace boost_rt {

/// The collectives of Functions.def, with its shapes. They run on the stream,
/// in the same order on all ranks.
class DataCommunicator {
public:
  virtual ~DataCommunicator() = default;

  virtual void allReduce(uint32_t group, boost_rt_reduction reduction,
                         int64_t tensors, void *const *buffers,
                         const int64_t *counts, const int32_t *types) = 0;
  virtual void allGather(uint32_t group, const PieceList &pieces) = 0;
  virtual void reduceScatter(uint32_t group, boost_rt_reduction reduction,
                             const PieceList &pieces) = 0;
  /// In place.
  virtual void broadcast(uint32_t group, int64_t root, int64_t tensors,
                         void *const *buffers, const int64_t *counts,
                         const int32_t *types) = 0;
  virtual void allToAll(uint32_t group, ElementType type, const void *src,
                        void *dst, int64_t rank, const int64_t *shape,
                        int64_t split, int64_t concat) = 0;

  /// Send to, or receive from, the rank at a position of a group. Return false,
  /// and do nothing, where the communicator of the driver has to do it.
  virtual bool send(uint32_t, int64_t, const void *, int64_t) { return false; }
  virtual bool receive(uint32_t, int64_t, void *, int64_t) { return false; }

  /// Returns true if a graph can hold the collectives.
  virtual bool isCapturable() const = 0;

  /// Ends the process if the library has found a peer dead; called while the
  /// rank waits for its stream.
  virtual void checkPeers() {}
};

/// Through the memory of the host and `communicator`. Ranks may share a GPU.
std::unique_ptr<DataCommunicator>
createStagedCommunicator(const Mesh &mesh, Communicator &communicator,
                         GPU &gpu);

/// NCCL. Its communicators are created, with the help of `communicator`, when a
/// group is first seen. It adds bf16 and f16 in these types.
std::unique_ptr<DataCommunicator>
createNcclCommunicator(const Mesh &mesh, Communicator &communicator, GPU &gpu,
                       KernelLauncher &launcher, Workspace workspace);

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_DATACOMMUNICATOR_H
