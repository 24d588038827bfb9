//===- Kernels.h - Device code and its launches -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_H
#define BOOST_RUNTIME_CUDA_KERNELS_H

#include "boost-runtime/Runtime.h"
#include "cuda/GPU.h"
#include "cuda/KernelLauncher.h"

#include <map>
#include <string>
#include <vector>

namespace boost_rt {

/// The image that a GPU takes: the latest of its own major architecture, or
/// else the latest one before, whose PTX the driver compiles. Null if there is
/// none.
const boost_rt_device_image *chooseImage(const boost_rt_device_image *images,
                                         int64_t architecture);

/// The kernels of the runtime and of the program.
class Kernels : public KernelLauncher {
public:
  /// Loads the images that the GPU takes from tables that end as
  /// boost_program_device_images does. Throws if there is none.
  Kernels(GPU &gpu, const boost_rt_device_image *runtime,
          const boost_rt_device_image *program);

  void launch(const char *kernel, GridSize blocks, GridSize threads,
              uint32_t dynamicSharedBytes, void **arguments) override;
  void fill(void *data, int value, int64_t bytes) override {
    gpu.fill(data, value, bytes);
  }

  /// Starts a kernel of the program on buffers in device memory.
  void launch(const boost_rt_gpu_kernel &kernel, void **buffers);

private:
  vendor::CudaModule load(const boost_rt_device_image *images,
                          const char *owner);
  void start(vendor::CudaFunction function, const char *name, GridSize blocks,
             GridSize threads, uint32_t dynamicSharedBytes, void **arguments);

  GPU &gpu;
  vendor::CudaModule runtimeModule, programModule;
  std::map<std::string, vendor::CudaFunction, std::less<>> ofRuntime;
  std::map<const boost_rt_gpu_kernel *, vendor::CudaFunction> ofProgram;
  std::vector<void *> parameters;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_H
