//===- Replay.cpp - Kernels of the emulator on a GPU ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPUCheck.h"
#include "TraceFormat.h"
#include "boost-runtime/Runtime.h"
#include "common/Failure.h"
#include "cuda/KernelImages.h"
#include "cuda/Kernels.h"

#include <cstring>
#include <fstream>
#include <map>

using namespace boost_rt;
using namespace boost_rt::vendor;

namespace {

struct TracedLaunch {
  std::string kernel;
  GridSize blocks, threads;
  uint32_t sharedBytes = 0;
  std::vector<std::vector<char>> arguments;
};

/// Reads a trace, and holds the bytes of device memory at its last record.
class TraceReader {
public:
  explicit TraceReader(const char *path);

  bool hasMore() { return file.peek() != std::ifstream::traits_type::eof(); }
  /// Returns how many bytes are in ranges that have changed.
  uint64_t readChanges();
  TracedLaunch readLaunch();

  uint64_t start;
  std::vector<char> memory;

private:
  void read(void *data, uint64_t bytes) {
    file.read(static_cast<char *>(data), static_cast<std::streamsize>(bytes));
    if (!file)
      refuse("the trace is damaged");
  }
  uint64_t readNumber() {
    uint64_t number = 0;
    read(&number, sizeof(number));
    return number;
  }

  std::ifstream file;
};

/// The kernels of this program and of the runtime by name.
class Modules {
public:
  explicit Modules(GPU &gpu) : gpu(gpu) {
    add(boost_program_device_images);
    add(kernelImages());
  }

  void launch(const TracedLaunch &launch);

private:
  void add(const boost_rt_device_image *images);
  CudaFunction find(const std::string &kernel);

  GPU &gpu;
  std::vector<CudaModule> modules;
};

/// Results of the launches of one kernel.
struct Outcome {
  int64_t launches = 0, equal = 0;
  uint64_t bytes = 0, differentBytes = 0;
};

} // namespace

TraceReader::TraceReader(const char *path) : file(path, std::ios::binary) {
  char magic[sizeof(boost_emu::kTraceMagic)];
  read(magic, sizeof(magic));
  if (std::memcmp(magic, boost_emu::kTraceMagic, sizeof(magic)) != 0)
    refuse("'", path, "' is no trace");
  start = readNumber();
  uint64_t bytes = readNumber();
  memory.assign(bytes, static_cast<char>(readNumber()));
}

uint64_t TraceReader::readChanges() {
  uint64_t sum = 0;
  for (uint64_t ranges = readNumber(); ranges > 0; --ranges) {
    uint64_t offset = readNumber(), bytes = readNumber();
    if (offset > memory.size() || bytes > memory.size() - offset)
      refuse("the trace is damaged");
    read(memory.data() + offset, bytes);
    sum += bytes;
  }
  return sum;
}

TracedLaunch TraceReader::readLaunch() {
  TracedLaunch launch;
  launch.kernel.resize(readNumber());
  read(launch.kernel.data(), launch.kernel.size());
  auto readSize = [&] { return static_cast<uint32_t>(readNumber()); };
  for (GridSize *size : {&launch.blocks, &launch.threads}) {
    size->x = readSize();
    size->y = readSize();
    size->z = readSize();
  }
  launch.sharedBytes = readSize();
  launch.arguments.resize(readNumber());
  for (std::vector<char> &argument : launch.arguments) {
    argument.resize(readNumber());
    read(argument.data(), argument.size());
  }
  return launch;
}

/// Pointers of the emulated device, wherever they stand in an argument, as
/// pointers to `base`. No other number looks like one (Module.h).
static void movePointers(std::vector<char> &argument, const TraceReader &trace,
                         const char *base) {
  constexpr size_t width = sizeof(uint64_t);
  for (size_t at = 0; at + width <= argument.size(); at += width) {
    uint64_t word = 0;
    std::memcpy(&word, argument.data() + at, width);
    if (word < trace.start || word >= trace.start + trace.memory.size())
      continue;
    word += reinterpret_cast<uint64_t>(base) - trace.start;
    std::memcpy(argument.data() + at, &word, width);
  }
}

void Modules::add(const boost_rt_device_image *images) {
  const boost_rt_device_image *image =
      chooseImage(images, gpu.getArchitecture());
  if (!image)
    refuse("there is no code for ", gpu.getName());
  modules.emplace_back();
  check(functions().cuModuleLoadData(&modules.back(), image->data),
        "load the kernels");
}

CudaFunction Modules::find(const std::string &kernel) {
  CudaFunction function = nullptr;
  for (CudaModule module : modules)
    if (functions().cuModuleGetFunction(&function, module, kernel.c_str()) ==
        cudaSuccess)
      return function;
  refuse("there is no kernel '", kernel, "'");
}

void Modules::launch(const TracedLaunch &launch) {
  CudaFunction function = find(launch.kernel);
  std::vector<void *> arguments;
  for (const std::vector<char> &argument : launch.arguments)
    arguments.push_back(const_cast<char *>(argument.data()));
  check(functions().cuFuncSetAttribute(function, functionMaxDynamicSharedBytes,
                                       static_cast<int>(launch.sharedBytes)),
        "reserve shared memory");
  check(functions().cuLaunchKernel(
            function, launch.blocks.x, launch.blocks.y, launch.blocks.z,
            launch.threads.x, launch.threads.y, launch.threads.z,
            launch.sharedBytes, gpu.getStream(), arguments.data(), nullptr),
        "launch a kernel");
}

static Json toJson(const std::map<std::string, Outcome> &outcomes) {
  Outcome total;
  Json kernels = Json::object();
  for (const auto &[kernel, outcome] : outcomes) {
    total.launches += outcome.launches;
    total.equal += outcome.equal;
    total.bytes += outcome.bytes;
    total.differentBytes += outcome.differentBytes;
    kernels[kernel] = {{"launches", outcome.launches},
                       {"bit_equal", outcome.equal},
                       {"bytes", outcome.bytes},
                       {"different_bytes", outcome.differentBytes}};
  }
  return {{"launches", total.launches},
          {"bit_equal", total.equal},
          {"bytes", total.bytes},
          {"different_bytes", total.differentBytes},
          {"kernels", kernels}};
}

Json boost_rt::replayTrace(const char *path) {
  TraceReader trace(path);
  GPU gpu;
  Modules modules(gpu);
  auto size = static_cast<int64_t>(trace.memory.size());
  char *base = gpu.allocate(size, "the trace");
  std::vector<char> actual(trace.memory.size());
  std::map<std::string, Outcome> outcomes;
  while (trace.hasMore()) {
    trace.readChanges();
    TracedLaunch launch = trace.readLaunch();
    gpu.copyToDevice(base, trace.memory.data(), size);
    for (std::vector<char> &argument : launch.arguments)
      movePointers(argument, trace, base);
    modules.launch(launch);
    gpu.copyToHost(actual.data(), base, size);

    Outcome &outcome = outcomes[launch.kernel];
    outcome.bytes += trace.readChanges();
    uint64_t different = 0;
    for (size_t i = 0; i < actual.size(); ++i)
      different += actual[i] != trace.memory[i];
    ++outcome.launches;
    outcome.equal += different == 0;
    outcome.differentBytes += different;
  }
  return toJson(outcomes);
}
