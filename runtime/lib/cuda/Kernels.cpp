//===- Kernels.cpp - Device code and its launches -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Kernels.h"
#include "common/Failure.h"

using namespace boost_rt;
using namespace boost_rt::vendor;

/// Dynamic shared memory that every kernel may have without asking.
static constexpr uint32_t plainSharedBytes = 48u << 10;

const boost_rt_device_image *
boost_rt::chooseImage(const boost_rt_device_image *images,
                      int64_t architecture) {
  const boost_rt_device_image *best = nullptr;
  for (const boost_rt_device_image *image = images; image->data; ++image) {
    // The emulator's code is for nothing else, and it takes nothing else.
    bool fits = image->architecture <= architecture &&
                (image->architecture == 0) == (architecture == 0);
    if (fits && (!best || image->architecture > best->architecture))
      best = image;
  }
  return best;
}

CudaModule Kernels::load(const boost_rt_device_image *images,
                         const char *owner) {
  if (!images->data)
    return nullptr;
  const boost_rt_device_image *image =
      chooseImage(images, gpu.getArchitecture());
  if (!image && gpu.getArchitecture() == 0)
    refuse(owner, " has no code for the emulator of a GPU; compile the program "
                  "with boost-test-compile --emulatable");
  if (!image)
    refuse(owner, " has no code for ", gpu.getName(),
           ", of compute capability ", gpu.getArchitecture() / 10, ".",
           gpu.getArchitecture() % 10, "; it needs 8.0 or later");
  CudaModule module = nullptr;
  CudaResult result = functions().cuModuleLoadData(&module, image->data);
  if (result == cudaNoBinaryForGPU || result == cudaInvalidImage) {
    int version = 0;
    functions().cuDriverGetVersion(&version);
    refuse("the driver, for CUDA ", version / 1000, ".", version % 1000 / 10,
           ", cannot load the code of ", owner, ": ", describe(result),
           "; install a newer driver");
  }
  check(result, "load the kernels");
  return module;
}

Kernels::Kernels(GPU &gpu, const boost_rt_device_image *runtime,
                 const boost_rt_device_image *program)
    : gpu(gpu), runtimeModule(load(runtime, "the runtime")),
      programModule(load(program, "the program")) {}

static CudaFunction findFunction(CudaModule module, const char *name) {
  CudaFunction function = nullptr;
  checkInStep(functions().cuModuleGetFunction(&function, module, name),
              concat("find kernel ", name).c_str());
  return function;
}

void Kernels::start(CudaFunction function, const char *name, GridSize blocks,
                    GridSize threads, uint32_t dynamicSharedBytes,
                    void **arguments) {
  if (blocks.x == 0 || blocks.y == 0 || blocks.z == 0)
    return;
  checkInStep(functions().cuLaunchKernel(function, blocks.x, blocks.y, blocks.z,
                                         threads.x, threads.y, threads.z,
                                         dynamicSharedBytes, gpu.getStream(),
                                         arguments, nullptr),
              concat("launch kernel ", name).c_str());
}

void Kernels::launch(const char *kernel, GridSize blocks, GridSize threads,
                     uint32_t dynamicSharedBytes, void **arguments) {
  auto known = ofRuntime.find(std::string_view(kernel));
  if (known == ofRuntime.end()) {
    CudaFunction function = findFunction(runtimeModule, kernel);
    known = ofRuntime.emplace(kernel, function).first;
  }
  if (dynamicSharedBytes > plainSharedBytes)
    checkInStep(functions().cuFuncSetAttribute(
                    known->second, functionMaxDynamicSharedBytes,
                    static_cast<int>(dynamicSharedBytes)),
                "reserve shared memory");
  start(known->second, kernel, blocks, threads, dynamicSharedBytes, arguments);
}

void Kernels::launch(const boost_rt_gpu_kernel &kernel, void **buffers) {
  CudaFunction &function = ofProgram[&kernel];
  if (!function)
    function = findFunction(programModule, kernel.name);
  parameters.clear();
  for (int64_t i = 0; i < kernel.buffers; ++i)
    parameters.push_back(buffers + i);
  start(function, kernel.name, {static_cast<uint32_t>(kernel.blocks)},
        {static_cast<uint32_t>(kernel.threads)}, 0, parameters.data());
}
