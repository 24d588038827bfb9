//===- Cudnn.cpp - Graphs of operations, interpreted ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudnnDescriptors.h"
#include "Provider.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>

using namespace boost_emu;
using namespace boost_emu::cudnn;
using namespace boost_rt::vendor;

namespace {

struct Handle {
  CudaStream stream = nullptr;
};

/// Addresses of the tensors of a graph when it is executed.
struct Arguments {
  /// Addresses of tensors in memory.
  std::map<int64_t, uint64_t> addresses;
  std::map<int64_t, float> numbers;
  uint64_t workspace = 0;
  uint64_t workspaceBytes = 0;
};

} // namespace

static size_t getVersion() {
  const char *text = std::getenv("BOOST_EMULATOR_CUDNN");
  return text ? static_cast<size_t>(std::atoll(text)) : 91901;
}

/// The reason of the last call that failed.
static std::string lastReason;

static DnnStatus answer(const std::function<void()> &call) {
  try {
    call();
    return dnnSuccess;
  } catch (const Refusal &refusal) {
    lastReason = refusal.what();
    return refusal.status;
  }
}

/// Takes what a pack says of the tensors of a graph, no more and no less.
static Arguments takeArguments(const Graph &graph, const Descriptor &pack,
                               uint64_t workspaceBytes) {
  auto ids = pack.getAll<int64_t>(dnnPackIds);
  auto pointers = pack.getAll<void *>(dnnPackPointers);
  Arguments arguments;
  for (size_t i = 0; i < ids.size(); ++i) {
    auto found = graph.tensors.find(ids[i]);
    if (found == graph.tensors.end() || found->second.isVirtual)
      throw Refusal(dnnBadParam, "a pointer is given for the tensor " +
                                     std::to_string(ids[i]) +
                                     ", which the graph does not have in "
                                     "memory");
    const Tensor &tensor = found->second;
    auto address = reinterpret_cast<uint64_t>(pointers[i]);
    // Numbers of the host need no alignment.
    if (!address || (tensor.isInMemory() &&
                     address % static_cast<uint64_t>(tensor.alignment) != 0))
      throw Refusal(misalignedPointer, "the pointer of tensor " +
                                           std::to_string(ids[i]) +
                                           " is not aligned as declared");
    if (tensor.isByValue && isAllocated(address, 1))
      throw Refusal(dnnBadParam, "the number " + std::to_string(ids[i]) +
                                     " is in device memory");
    if (tensor.isByValue)
      arguments.numbers[ids[i]] = *static_cast<const float *>(pointers[i]);
    else
      arguments.addresses[ids[i]] = address;
  }
  for (const auto &[id, tensor] : graph.tensors)
    if (!tensor.isVirtual && !arguments.addresses.count(id) &&
        !arguments.numbers.count(id))
      throw Refusal(dnnBadParam,
                    "no pointer is given for tensor " + std::to_string(id));
  if (pack.has(dnnPackWorkspace))
    arguments.workspace =
        reinterpret_cast<uint64_t>(pack.getOne<void *>(dnnPackWorkspace));
  arguments.workspaceBytes = workspaceBytes;
  constexpr uint64_t kWorkspaceAlignment = 16;
  if (!arguments.workspace || arguments.workspace % kWorkspaceAlignment != 0)
    throw Refusal(misalignedPointer, "a plan is given no aligned workspace");
  return arguments;
}

/// A line for the log: what is read comes first, then what is written.
static std::string describe(const Graph &graph, const Arguments &arguments) {
  std::ostringstream line;
  line << "{\"call\": \"cudnn\", \"operations\": " << graph.operations.size()
       << ", \"workspace\": [" << arguments.workspace - kDeviceMemory << ", "
       << arguments.workspaceBytes << "], \"pointers\": [";
  const char *separator = "";
  for (bool isResult : {false, true})
    for (auto [id, address] : arguments.addresses)
      if (graph.isResult(id) == isResult) {
        line << separator << address - kDeviceMemory;
        separator = ", ";
      }
  line << "]}";
  return line.str();
}

namespace {

/// Bytes that a plan touches.
struct Range {
  std::string name;
  uint64_t begin, bytes;
  bool isWritten;

  bool overlaps(const Range &other) const {
    return begin < other.begin + other.bytes && other.begin < begin + bytes;
  }
};

} // namespace

/// Engines write in any order: nothing may overlap with a result or with the
/// workspace.
static std::string findWrongRange(const Graph &graph,
                                  const Arguments &arguments) {
  std::vector<Range> ranges = {
      {"its workspace", arguments.workspace, arguments.workspaceBytes, true}};
  for (auto [id, address] : arguments.addresses) {
    const Tensor &tensor = graph.tensors.at(id);
    ranges.push_back(
        {"tensor " + std::to_string(id), address,
         static_cast<uint64_t>(tensor.getSpan() * tensor.getWidth()),
         graph.isResult(id)});
  }
  for (const Range &range : ranges) {
    if (!isAllocated(range.begin, range.bytes))
      return "cuDNN touches " + std::to_string(range.bytes) + " bytes at " +
             describeAddress(range.begin) + " for " + range.name +
             ", which is not all allocated";
    for (const Range &other : ranges)
      if (&other != &range && range.isWritten && range.overlaps(other))
        return "cuDNN is given memory for " + range.name +
               " that overlaps with " + other.name;
  }
  return "";
}

static char *bytesAt(uint64_t address) {
  return translateDeviceAddress(reinterpret_cast<char *>(address));
}

static std::string execute(const Graph &graph, Arguments arguments) {
  std::string problem = findWrongRange(graph, arguments);
  if (!problem.empty() || skipsCompute())
    return problem;
  std::map<int64_t, char *> addresses;
  for (auto [id, address] : arguments.addresses)
    addresses[id] = bytesAt(address);
  for (auto &[id, number] : arguments.numbers)
    addresses[id] = reinterpret_cast<char *>(&number);
  constexpr int kGarbage = 0xff;
  std::memset(bytesAt(arguments.workspace), kGarbage, arguments.workspaceBytes);
  interpret(graph, addresses);
  return "";
}

extern "C" {

size_t cudnnGetVersion() { return getVersion(); }

void cudnnGetLastErrorString(char *message, size_t bytes) {
  std::strncpy(message, lastReason.c_str(), bytes);
  message[bytes - 1] = '\0';
}

DnnStatus cudnnCreate(DnnHandle *handle) {
  if (refusedByCapture("cudnnCreate") || getVersion() == 0)
    return dnnNotInitialized;
  *handle = reinterpret_cast<DnnHandle>(new Handle);
  return dnnSuccess;
}

DnnStatus cudnnDestroy(DnnHandle handle) {
  delete reinterpret_cast<Handle *>(handle);
  return dnnSuccess;
}

DnnStatus cudnnSetStream(DnnHandle handle, CudaStream stream) {
  reinterpret_cast<Handle *>(handle)->stream = stream;
  return dnnSuccess;
}

DnnStatus cudnnBackendCreateDescriptor(int kind, DnnDescriptor *result) {
  return answer([&] { *result = create(kind); });
}

DnnStatus cudnnBackendDestroyDescriptor(DnnDescriptor descriptor) {
  return answer([&] { destroy(descriptor); });
}

DnnStatus cudnnBackendSetAttribute(DnnDescriptor descriptor, int name, int type,
                                   int64_t count, const void *values) {
  return answer([&] { lookUp(descriptor)->set(name, type, count, values); });
}

DnnStatus cudnnBackendGetAttribute(DnnDescriptor descriptor, int name, int type,
                                   int64_t requested, int64_t *count,
                                   void *values) {
  return answer(
      [&] { lookUp(descriptor)->get(name, type, requested, count, values); });
}

DnnStatus cudnnBackendFinalize(DnnDescriptor descriptor) {
  return answer([&] { lookUp(descriptor)->finalize(); });
}

DnnStatus cudnnBackendExecute(DnnHandle handle, DnnDescriptor planned,
                              DnnDescriptor given) {
  return answer([&] {
    DescriptorRef plan = lookUp(planned), pack = lookUp(given);
    if (plan->getKind() != dnnExecutionPlan ||
        pack->getKind() != dnnVariantPack || !plan->isFinal() ||
        !pack->isFinal())
      throw Refusal(dnnBadParam, "a plan and a variant pack are executed");
    std::shared_ptr<Graph> graph = plan->getGraph();
    auto bytes = plan->getOne<int64_t>(dnnPlanWorkspaceBytes);
    Arguments arguments =
        takeArguments(*graph, *pack, static_cast<uint64_t>(bytes));
    CudaResult result = enqueue(
        reinterpret_cast<Handle *>(handle)->stream, describe(*graph, arguments),
        [graph, arguments] { return execute(*graph, arguments); });
    if (result != cudaSuccess)
      throw Refusal(dnnBadParam, "the handle has no stream that works");
  });
}

} // extern "C"
