//===- GPU.cpp - The GPU of one rank --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/GPU.h"
#include "common/Communicator.h"
#include "common/Failure.h"

#include <chrono>
#include <thread>

using namespace boost_rt;
using namespace boost_rt::vendor;

/// The first driver for CUDA 12: the code generator's PTX needs it.
static constexpr int oldestDriver = 12000;

static DevicePointer addressOf(const void *pointer) {
  return reinterpret_cast<DevicePointer>(pointer);
}

/// "12.4" of 12040.
static std::string versionText(int version) {
  return concat(version / 1000, ".", version % 1000 / 10);
}

static int attribute(int device, int which) {
  int value = 0;
  check(functions().cuDeviceGetAttribute(&value, which, device),
        "read an attribute");
  return value;
}

void GPU::openDevice() {
  const Functions &cuda = functions();
  CudaResult started = cuda.cuInit(0);
  int version = 0;
  cuda.cuDriverGetVersion(&version);
  if (started == cudaNoDevice)
    refuse("this program runs on a GPU, but the driver finds none; is it "
           "hidden by CUDA_VISIBLE_DEVICES?");
  check(started, "start");
  if (version < oldestDriver)
    refuse("this program needs a driver for CUDA ", versionText(oldestDriver),
           " or later, but this machine's is for CUDA ", versionText(version),
           "; install a newer driver");
  check(cuda.cuDeviceGetCount(&deviceCount), "count devices");
  if (deviceCount == 0)
    refuse("this program runs on a GPU, but the driver finds none; is it "
           "hidden by CUDA_VISIBLE_DEVICES?");
  int device = 0;
  check(cuda.cuDeviceGet(&device, static_cast<int>(launcherLocalRank() %
                                                   int64_t(deviceCount))),
        "open a device");
  char text[256] = {};
  check(cuda.cuDeviceGetName(text, sizeof(text) - 1, device), "read its name");
  name = text;
  architecture = 10 * attribute(device, deviceComputeCapabilityMajor) +
                 attribute(device, deviceComputeCapabilityMinor);
  CudaContext context = nullptr;
  check(cuda.cuDevicePrimaryCtxRetain(&context, device), "create a context");
  check(cuda.cuCtxSetCurrent(context), "use a context");
}

GPU::GPU() {
  openDriver();
  openDevice();
  check(functions().cuStreamCreate(&stream, streamNonBlocking),
        "create a stream");
}

GPU::~GPU() {
  // Resources that cannot be returned end with the process.
  functions().cuStreamDestroy_v2(stream);
  if (memory)
    functions().cuMemFree_v2(memory);
}

char *GPU::allocate(int64_t bytes, const char *purpose) {
  CudaResult result =
      functions().cuMemAlloc_v2(&memory, static_cast<size_t>(bytes));
  if (result == cudaOutOfMemory) {
    size_t available = 0, total = 0;
    functions().cuMemGetInfo_v2(&available, &total);
    throw Failure(ExitCode::infeasible,
                  concat(purpose, " needs ", bytes, " bytes, but ", name,
                         " has ", available, " of ", total,
                         " bytes left; use a larger mesh, a smaller batch or "
                         "--memory-budget"));
  }
  check(result, "allocate memory");
  return reinterpret_cast<char *>(memory);
}

void GPU::copyToHost(void *dst, const void *src, int64_t bytes) {
  check(functions().cuMemcpyDtoHAsync_v2(dst, addressOf(src),
                                         static_cast<size_t>(bytes), stream),
        "copy from its memory");
  synchronize();
}

void GPU::copyToDevice(void *dst, const void *src, int64_t bytes) {
  check(functions().cuMemcpyHtoDAsync_v2(addressOf(dst), src,
                                         static_cast<size_t>(bytes), stream),
        "copy to its memory");
  synchronize();
}

void GPU::copy(void *dst, const void *src, int64_t bytes) {
  checkInStep(functions().cuMemcpyDtoDAsync_v2(addressOf(dst), addressOf(src),
                                               static_cast<size_t>(bytes),
                                               stream),
              "copy memory");
}

void GPU::fill(void *dst, int value, int64_t bytes) {
  checkInStep(functions().cuMemsetD8Async(addressOf(dst),
                                          static_cast<unsigned char>(value),
                                          static_cast<size_t>(bytes), stream),
              "fill memory");
}

void GPU::synchronize() {
  check(functions().cuStreamSynchronize(stream), "run the program");
}

void GPU::synchronize(const std::function<void()> &whileWaiting) {
  CudaResult result;
  while ((result = functions().cuStreamQuery(stream)) == cudaNotReady) {
    whileWaiting();
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  check(result, "run the program");
}
