//===- Driver.cpp - The driver's other functions --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid.h"
#include "Provider.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace boost_emu;
using namespace boost_rt::vendor;

static constexpr const char *kName = "an emulated GPU";
/// The CUDA version of the runtime's headers, as cuDriverGetVersion encodes it.
static constexpr int kDriverVersion = 13000;
static constexpr size_t kMemoryBytes = size_t(80) << 30;

namespace {

struct LoadedModule {
  void *library;
  const EmulatedModule *code;
};

struct Function {
  const LoadedModule *module;
  const EmulatedKernel *kernel;
  uint32_t maxDynamicSharedBytes = 48 << 10;
};

} // namespace

static std::map<std::pair<const LoadedModule *, std::string>,
                std::unique_ptr<Function>>
    knownFunctions;

static std::string quote(const std::string &text) { return "\"" + text + "\""; }

template <typename... Fields> static std::string describe(Fields... fields) {
  std::ostringstream line;
  const char *separator = "{";
  auto add = [&](const auto &field) {
    line << separator << '"' << field.first << "\": " << field.second;
    separator = ", ";
  };
  (add(fields), ...);
  line << "}";
  return line.str();
}

static auto call(const char *name) {
  return std::make_pair("call", quote(name));
}
static auto address(const char *name, uint64_t value) {
  return std::make_pair(name, value - kDeviceMemory);
}
template <typename T> static auto number(const char *name, T value) {
  return std::make_pair(name, value);
}

template <typename T> static T *bytesAt(DevicePointer address) {
  return translateDeviceAddress(reinterpret_cast<T *>(address));
}

static std::string refuseRange(const char *call, uint64_t start,
                               uint64_t bytes) {
  return std::string(call) + " of " + std::to_string(bytes) + " bytes at " +
         describeAddress(start) + ", which is not all allocated";
}

static ThreadOrder getOrder() {
  const char *text = std::getenv("BOOST_EMULATOR_ORDER");
  if (text && std::strcmp(text, "reverse") == 0)
    return ThreadOrder::Reverse;
  if (text && std::strcmp(text, "shuffled") == 0)
    return ThreadOrder::Shuffled;
  return ThreadOrder::Forward;
}

extern "C" {

//===----------------------------------------------------------------------===//
// Start-up
//===----------------------------------------------------------------------===//

CudaResult cuInit(unsigned) { return cudaSuccess; }

CudaResult cuDriverGetVersion(int *version) {
  const char *text = std::getenv("BOOST_EMULATOR_DRIVER");
  *version = text ? std::atoi(text) : kDriverVersion;
  return cudaSuccess;
}

CudaResult cuGetErrorString(CudaResult result, const char **text) {
  static const std::map<CudaResult, const char *> texts = {
      {cudaSuccess, "no error"},
      {cudaInvalidValue, "invalid argument"},
      {cudaOutOfMemory, "out of memory"},
      {cudaInvalidImage, "device kernel image is invalid"},
      {cudaNotFound, "named symbol not found"},
      {cudaLaunchFailed, "unspecified launch failure"},
      {cudaCaptureUnsupported,
       "operation not permitted when stream is capturing"},
      {cudaCaptureInvalidated,
       "operation failed due to a previous error during capture"}};
  auto found = texts.find(result);
  *text = found == texts.end() ? "error" : found->second;
  return cudaSuccess;
}

CudaResult cuDeviceGetCount(int *count) {
  const char *text = std::getenv("BOOST_EMULATOR_DEVICES");
  *count = text ? std::atoi(text) : 8;
  return cudaSuccess;
}

CudaResult cuDeviceGet(int *device, int number) {
  *device = number;
  return cudaSuccess;
}

CudaResult cuDeviceGetName(char *name, int bytes, int) {
  const char *text = std::getenv("BOOST_EMULATOR_NAME");
  std::strncpy(name, text ? text : kName, static_cast<size_t>(bytes));
  return cudaSuccess;
}

/// No GPU is of architecture 0.
CudaResult cuDeviceGetAttribute(int *value, int, int) {
  *value = 0;
  return cudaSuccess;
}

CudaResult cuDevicePrimaryCtxRetain(CudaContext *context, int) {
  static int onlyOne;
  *context = reinterpret_cast<CudaContext>(&onlyOne);
  return cudaSuccess;
}

CudaResult cuCtxSetCurrent(CudaContext) { return cudaSuccess; }

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

CudaResult cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = *total = kMemoryBytes;
  return cudaSuccess;
}

CudaResult cuMemAlloc_v2(DevicePointer *result, size_t bytes) {
  if (refusedByCapture("cuMemAlloc"))
    return cudaCaptureUnsupported;
  *result = allocateDeviceMemory(bytes);
  return *result ? cudaSuccess : cudaOutOfMemory;
}

CudaResult cuMemFree_v2(DevicePointer pointer) {
  if (refusedByCapture("cuMemFree"))
    return cudaCaptureUnsupported;
  return freeDeviceMemory(pointer) ? cudaSuccess : cudaInvalidValue;
}

CudaResult cuMemHostAlloc(void **result, size_t bytes, unsigned) {
  if (refusedByCapture("cuMemHostAlloc"))
    return cudaCaptureUnsupported;
  *result = std::malloc(bytes);
  return *result ? cudaSuccess : cudaOutOfMemory;
}

CudaResult cuMemFreeHost(void *pointer) {
  std::free(pointer);
  return cudaSuccess;
}

CudaResult cuMemcpyHtoDAsync_v2(DevicePointer dst, const void *src,
                                size_t bytes, CudaStream stream) {
  return enqueue(stream,
                 describe(call("copy to device"), address("dst", dst),
                          number("bytes", bytes)),
                 [=] {
                   if (!isAllocated(dst, bytes))
                     return refuseRange("a copy", dst, bytes);
                   std::memcpy(bytesAt<void>(dst), src, bytes);
                   return std::string();
                 });
}

CudaResult cuMemcpyDtoHAsync_v2(void *dst, DevicePointer src, size_t bytes,
                                CudaStream stream) {
  return enqueue(stream,
                 describe(call("copy to host"), address("src", src),
                          number("bytes", bytes)),
                 [=] {
                   if (!isAllocated(src, bytes))
                     return refuseRange("a copy", src, bytes);
                   std::memcpy(dst, bytesAt<void>(src), bytes);
                   return std::string();
                 });
}

CudaResult cuMemcpyDtoDAsync_v2(DevicePointer dst, DevicePointer src,
                                size_t bytes, CudaStream stream) {
  return enqueue(stream,
                 describe(call("copy"), address("dst", dst),
                          address("src", src), number("bytes", bytes)),
                 [=] {
                   if (!isAllocated(src, bytes))
                     return refuseRange("a copy", src, bytes);
                   if (!isAllocated(dst, bytes))
                     return refuseRange("a copy", dst, bytes);
                   if (!skipsCompute())
                     std::memcpy(bytesAt<void>(dst), bytesAt<void>(src), bytes);
                   return std::string();
                 });
}

static CudaResult fill(const char *name, DevicePointer dst, unsigned value,
                       size_t width, size_t count, CudaStream stream) {
  size_t bytes = width * count;
  return enqueue(
      stream, describe(call(name), address("dst", dst), number("bytes", bytes)),
      [=] {
        if (!isAllocated(dst, bytes))
          return refuseRange("a fill", dst, bytes);
        // Untouched memory is zero: large arenas need none for that.
        constexpr size_t kLarge = size_t(1) << 30;
        if (value == 0 && bytes >= kLarge && skipsCompute())
          return std::string();
        for (size_t i = 0; i < count && width > 1; ++i)
          std::memcpy(bytesAt<char>(dst) + i * width, &value, width);
        if (width == 1)
          std::memset(bytesAt<void>(dst), static_cast<int>(value), bytes);
        return std::string();
      });
}

CudaResult cuMemsetD8Async(DevicePointer dst, unsigned char value, size_t count,
                           CudaStream stream) {
  return fill("fill", dst, value, 1, count, stream);
}

CudaResult cuMemsetD32Async(DevicePointer dst, unsigned value, size_t count,
                            CudaStream stream) {
  return fill("fill words", dst, value, 4, count, stream);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// An image for the emulator is a shared library; its section headers end it.
static size_t getLibraryBytes(const unsigned char *image) {
  uint64_t sections;
  uint16_t sectionBytes, count;
  std::memcpy(&sections, image + 0x28, sizeof(sections));
  std::memcpy(&sectionBytes, image + 0x3a, sizeof(sectionBytes));
  std::memcpy(&count, image + 0x3c, sizeof(count));
  return sections + size_t(sectionBytes) * count;
}

CudaResult cuModuleLoadData(CudaModule *result, const void *image) {
  if (refusedByCapture("cuModuleLoadData"))
    return cudaCaptureUnsupported;
  const auto *bytes = static_cast<const unsigned char *>(image);
  if (std::memcmp(bytes, "\177ELF", 4) != 0)
    return cudaInvalidImage;
  int file = ::memfd_create("device-code", MFD_CLOEXEC);
  size_t size = getLibraryBytes(bytes);
  for (size_t done = 0; done < size;) {
    ssize_t written = ::write(file, bytes + done, size - done);
    if (written <= 0)
      return cudaOutOfMemory;
    done += static_cast<size_t>(written);
  }
  std::string path = "/proc/self/fd/" + std::to_string(file);
  void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    report(::dlerror());
    return cudaInvalidImage;
  }
  // The linker takes files of the same name for the same library: the number of
  // this one stays taken.
  auto *code =
      static_cast<const EmulatedModule *>(::dlsym(library, "boost_emu_module"));
  if (!code)
    return cudaInvalidImage;
  *result = reinterpret_cast<CudaModule>(new LoadedModule{library, code});
  return cudaSuccess;
}

CudaResult cuModuleUnload(CudaModule module) {
  delete reinterpret_cast<LoadedModule *>(module);
  return cudaSuccess;
}

CudaResult cuModuleGetFunction(CudaFunction *result, CudaModule handle,
                               const char *name) {
  const auto *module = reinterpret_cast<const LoadedModule *>(handle);
  if (!module)
    return cudaInvalidValue;
  for (uint64_t i = 0; i < module->code->numKernels; ++i)
    if (std::strcmp(module->code->kernels[i].name, name) == 0) {
      auto &function = knownFunctions[{module, name}];
      if (!function)
        function = std::make_unique<Function>(
            Function{module, &module->code->kernels[i]});
      *result = reinterpret_cast<CudaFunction>(function.get());
      return cudaSuccess;
    }
  return cudaNotFound;
}

CudaResult cuFuncSetAttribute(CudaFunction handle, int attribute, int value) {
  if (attribute != functionMaxDynamicSharedBytes)
    return cudaInvalidValue;
  reinterpret_cast<Function *>(handle)->maxDynamicSharedBytes =
      static_cast<uint32_t>(value);
  return cudaSuccess;
}

CudaResult cuLaunchKernel(CudaFunction handle, unsigned gridX, unsigned gridY,
                          unsigned gridZ, unsigned blockX, unsigned blockY,
                          unsigned blockZ, unsigned sharedBytes,
                          CudaStream stream, void **parameters, void **) {
  const auto *function = reinterpret_cast<const Function *>(handle);
  if (sharedBytes > function->maxDynamicSharedBytes)
    return cudaInvalidValue;
  const EmulatedKernel &kernel = *function->kernel;
  // Parameters are read now, what they point to when it runs.
  std::vector<std::vector<char>> values;
  std::string pointers;
  for (uint64_t i = 0; i < kernel.numArguments; ++i) {
    const char *value = static_cast<const char *>(parameters[i]);
    values.emplace_back(value, value + kernel.argumentBytes[i]);
    // A parameter may be a table with pointers.
    uint64_t word = 0;
    for (uint64_t at = 0; at + sizeof(word) <= kernel.argumentBytes[i];
         at += sizeof(word)) {
      std::memcpy(&word, value + at, sizeof(word));
      if (isAllocated(word, 1))
        pointers += (pointers.empty() ? "" : ", ") +
                    std::to_string(word - kDeviceMemory);
    }
  }
  Launch launch;
  launch.grid = {gridX, gridY, gridZ};
  launch.block = {blockX, blockY, blockZ};
  launch.dynamicSharedBytes = sharedBytes;
  launch.order = getOrder();
  std::string description =
      describe(call("kernel"), number("name", quote(kernel.name)),
               number("blocks", uint64_t(gridX) * gridY * gridZ),
               number("threads", uint64_t(blockX) * blockY * blockZ),
               number("pointers", "[" + pointers + "]"));
  const EmulatedModule *code = function->module->code;
  return enqueue(stream, description, [=]() mutable {
    if (skipsCompute())
      return std::string();
    std::vector<void *> arguments;
    for (std::vector<char> &value : values)
      arguments.push_back(value.data());
    traceLaunch(kernel.name, launch, values);
    try {
      runKernel(*code, kernel.name, launch, arguments.data());
      traceResult();
    } catch (const EmulationError &error) {
      return std::string(error.what());
    }
    return std::string();
  });
}

} // extern "C"
