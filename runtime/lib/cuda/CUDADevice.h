//===- CUDADevice.h - Functions of a program on a GPU -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_CUDADEVICE_H
#define BOOST_RUNTIME_CUDA_CUDADEVICE_H

#include "common/Device.h"
#include "cuda/Context.h"
#include "cuda/RecordedFunction.h"

namespace boost_rt {

/// The arena is device memory and mappings are copies of its parts. The first
/// run of a function starts every call by itself, which loads and chooses what
/// is needed; later runs replay a graph of them, unless collectives go through
/// the host, tensors are probed, calls are timed or the function factorizes
/// matrices, since not every routine of cuSOLVER can be recorded.
class CUDADevice : public Device {
public:
  CUDADevice(const Program &program, Communicator &communicator,
             const DeviceOptions &options);

  void synchronize() override;
  bool transfer(const Tensor &tensor, int64_t slot, bool sends, uint32_t group,
                int64_t position) override;
  std::unique_ptr<CallTimer> createCallTimer() override;
  void fill(int value) override;
  int64_t arenaBytes() const override { return context.memory.arenaBytes(); }
  int64_t touchedBytes() const override { return arenaBytes(); }
  void clear(int64_t offset, int64_t size) override;
  int threads() const override { return 1; }
  ThreadPool &hostThreads() override { return pool; }

protected:
  void start(const Function &function,
             std::optional<int64_t> slotOffset) override;
  char *openMapping(int64_t offset, int64_t size, Access access) override;
  void closeMapping(const Mapping &mapping) override;

private:
  bool usesGraphs(const Function &function) const;

  const Program &program;
  DeviceOptions options;
  boost_rt_context context;
  /// By function and slot; empty until the second run.
  std::map<std::pair<const Function *, std::optional<int64_t>>,
           RecordedFunction>
      recorded;
  /// Mapped parts of the arena by offset.
  std::map<int64_t, std::unique_ptr<char[]>> copies;
  ThreadPool pool;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_CUDADEVICE_H
