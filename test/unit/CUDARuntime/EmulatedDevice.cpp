//===- EmulatedDevice.cpp - The runtime's kernels in a test ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedDevice.h"

#include "llvm/Support/MemoryBuffer.h"

#include <sys/mman.h>

using namespace boost_rt;

static constexpr size_t kPageBytes = 4096;
static constexpr char kCanary = 0x5a;

//===----------------------------------------------------------------------===//
// DeviceBytes
//===----------------------------------------------------------------------===//

static size_t roundUp(size_t bytes, size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

DeviceBytes::DeviceBytes(size_t bytes, size_t alignment)
    : pageBytes(roundUp(bytes + 1, kPageBytes)), bytes(bytes) {
  void *mapped = mmap(nullptr, pageBytes + 2 * kPageBytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    throw std::bad_alloc();
  pages = static_cast<char *>(mapped) + kPageBytes;
  data = pages + pageBytes - roundUp(bytes, alignment);
  open();
  // A NaN in every float format, where the kernels should write.
  std::memset(pages, kCanary, pageBytes);
  std::memset(data, 0xff, bytes);
  close();
}

DeviceBytes::~DeviceBytes() {
  munmap(pages - kPageBytes, pageBytes + 2 * kPageBytes);
}

void DeviceBytes::protect(bool isOpen) const {
  if (mprotect(pages, pageBytes, isOpen ? PROT_READ | PROT_WRITE : PROT_NONE))
    throw std::bad_alloc();
}

bool DeviceBytes::isIntact() const {
  auto isCanary = [](char byte) { return byte == kCanary; };
  return std::all_of(pages, data, isCanary) &&
         std::all_of(data + bytes, pages + pageBytes, isCanary);
}

//===----------------------------------------------------------------------===//
// EmulatedDevice
//===----------------------------------------------------------------------===//

static const boost_emu::EmulatedCode &getKernels() {
  static const boost_emu::EmulatedCode code = [] {
    auto file = llvm::MemoryBuffer::getFile(BOOST_RUNTIME_KERNELS);
    return llvm::cantFail(boost_emu::EmulatedCode::compileBitcode(
        (*file)->getBuffer(), /*checkAccesses=*/true));
  }();
  return code;
}

DeviceBytes &EmulatedDevice::allocate(size_t bytes, size_t alignment) {
  return memory.emplace_back(bytes, alignment);
}

const DeviceBytes &EmulatedDevice::find(const void *data) const {
  return *std::find_if(
      memory.begin(), memory.end(),
      [&](const DeviceBytes &bytes) { return bytes.getData() == data; });
}

void EmulatedDevice::launch(const char *kernel, GridSize blocks,
                            GridSize threads, uint32_t dynamicSharedBytes,
                            void **arguments) {
  EXPECT_LE(dynamicSharedBytes, maxDynamicSharedBytes) << kernel;
  if (replacement && kernel != replacedKernel)
    return;
  boost_emu::Launch launch;
  launch.grid = {blocks.x, blocks.y, blocks.z};
  launch.block = {threads.x, threads.y, threads.z};
  launch.dynamicSharedBytes = dynamicSharedBytes;
  launch.order = order;
  launch.seed = 7;
  for (const DeviceBytes &bytes : memory)
    bytes.open();
  const boost_emu::EmulatedCode &code =
      replacement ? *replacement : getKernels();
  try {
    boost_emu::runKernel(code.getModule(), kernel, launch, arguments);
  } catch (const boost_emu::EmulationError &thrown) {
    if (!replacement)
      ADD_FAILURE() << thrown.what();
    else if (error.empty())
      error = thrown.what();
  }
  for (const DeviceBytes &bytes : memory)
    bytes.close();
}

void EmulatedDevice::runOnly(std::string kernel,
                             const boost_emu::EmulatedCode &code) {
  replacedKernel = std::move(kernel);
  replacement = &code;
}

void EmulatedDevice::fill(void *data, int value, int64_t bytes) {
  for (const DeviceBytes &part : memory)
    part.open();
  std::memset(data, value, static_cast<size_t>(bytes));
  for (const DeviceBytes &part : memory)
    part.close();
}
