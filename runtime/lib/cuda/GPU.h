//===- GPU.h - The GPU of one rank ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_GPU_H
#define BOOST_RUNTIME_CUDA_GPU_H

#include "cuda/Vendor.h"

#include <functional>
#include <string>

namespace boost_rt {

/// A GPU and the one stream that everything of this rank runs on, in order.
class GPU {
public:
  /// Opens the driver. Ranks of one machine take its GPUs in turn. Throws if
  /// there is no GPU that can be used, and says what is missing.
  GPU();
  ~GPU();
  GPU(const GPU &) = delete;
  GPU &operator=(const GPU &) = delete;

  const std::string &getName() const { return name; }
  /// Ten times the major and the minor number of the compute capability.
  int64_t getArchitecture() const { return architecture; }
  /// GPUs of this machine that this process sees.
  int getDeviceCount() const { return deviceCount; }
  vendor::CudaStream getStream() const { return stream; }

  /// Device memory for as long as the GPU is open, once. Throws, naming what it
  /// is for, if there is too little.
  char *allocate(int64_t bytes, const char *purpose);

  /// Wait for the stream and for the copy.
  void copyToHost(void *dst, const void *src, int64_t bytes);
  void copyToDevice(void *dst, const void *src, int64_t bytes);

  /// On the stream.
  void copy(void *dst, const void *src, int64_t bytes);
  void fill(void *dst, int value, int64_t bytes);

  /// Waits for the stream. Throws if something that ran on it has failed.
  void synchronize();
  /// Waits for the stream and calls `whileWaiting` now and then.
  void synchronize(const std::function<void()> &whileWaiting);

private:
  void openDevice();

  std::string name;
  int deviceCount = 0;
  int64_t architecture = 0;
  vendor::CudaStream stream = nullptr;
  vendor::DevicePointer memory = 0;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_GPU_H
