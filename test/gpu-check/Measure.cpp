//===- Measure.cpp - Times on a GPU ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "GPUCheck.h"
#include "common/Failure.h"
#include "cuda/Context.h"
#include "cuda/RecordedFunction.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace boost_rt;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

static double secondsOf(GPU &gpu, const std::function<void()> &work,
                        int64_t runs) {
  auto begin = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < runs; ++i)
    work();
  gpu.synchronize();
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  return time.count() / static_cast<double>(runs);
}

Json boost_rt::measureSeconds(GPU &gpu, const std::function<void()> &work) {
  double once = secondsOf(gpu, work, 1);
  if (vendor::isEmulated())
    return nullptr;
  constexpr double enough = 0.05;
  // The first run loads and chooses; the second tells how many are enough.
  once = secondsOf(gpu, work, 1);
  return secondsOf(gpu, work,
                   1 + static_cast<int64_t>(enough / std::max(once, 1e-6)));
}

Json boost_rt::rate(double amount, const Json &seconds, double unit) {
  if (seconds.is_null() || amount == 0)
    return nullptr;
  return amount / seconds.get<double>() / unit;
}

//===----------------------------------------------------------------------===//
// The machine
//===----------------------------------------------------------------------===//

Json boost_rt::measureMachine() {
  GPU gpu;
  int driver = 0;
  vendor::functions().cuDriverGetVersion(&driver);
  const bool isEmulated = vendor::isEmulated();
  const int64_t size = isEmulated ? 64 : 8192;
  const int64_t matrix = size * size * sizeOf(BOOST_RT_BF16);
  const int64_t copied = isEmulated ? 1 << 16 : int64_t(1) << 30;
  const int64_t room = std::max(3 * matrix, 2 * copied);
  // As much as the plan of a program has for its products.
  const int64_t workspace = int64_t(32) << 20;
  char *base = gpu.allocate(room + workspace, "the measurement");
  // Small numbers of many bits: a product of zeros takes less power.
  std::vector<uint16_t> values(static_cast<size_t>(2 * size * size));
  uint32_t state = 1;
  for (uint16_t &value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<uint16_t>(0x3c00 | (state >> 16 & 0x81ff));
  }
  gpu.copyToDevice(base, values.data(), 2 * matrix);
  RunRecord record(0);
  Matmuls matmuls(gpu, {base + room, workspace}, record);
  Matrix dense{BOOST_RT_BF16, false, size, 0, 256};
  Matmul product{size, size, size, 1, dense, dense, dense};
  Json multiply = measureSeconds(gpu, [&] {
    matmuls.run(product, base, base + matrix, base + 2 * matrix);
  });
  Json copy =
      measureSeconds(gpu, [&] { gpu.copy(base + copied, base, copied); });
  auto edge = static_cast<double>(size);
  return {{"name", gpu.getName()},
          {"compute_capability",
           concat(gpu.getArchitecture() / 10, ".", gpu.getArchitecture() % 10)},
          {"driver_for_cuda", concat(driver / 1000, ".", driver % 1000 / 10)},
          {"devices", gpu.getDeviceCount()},
          {"emulated", isEmulated},
          {"cube", size},
          {"cube_tflops", rate(2 * edge * edge * edge, multiply, 1e12)},
          // A copy reads and writes.
          {"copy_gbps", rate(2.0 * static_cast<double>(copied), copy, 1e9)}};
}

//===----------------------------------------------------------------------===//
// A function
//===----------------------------------------------------------------------===//

namespace {

/// One rank of a mesh whose other ranks are not there.
class LoneRank : public Communicator {
public:
  explicit LoneRank(int64_t ranks) : ranks(ranks) {}
  int64_t rank() const override { return 0; }
  int64_t size() const override { return ranks; }
  int64_t localSize() const override { return 1; }
  void allReduce(uint32_t, boost_rt_reduction, boost_rt_type, void *,
                 int64_t) override {}
  void reduceScatter(uint32_t, boost_rt_reduction, boost_rt_type, const void *,
                     void *, int64_t) override {}
  void allGather(uint32_t, const void *, void *, int64_t) override {}
  void allToAll(uint32_t, const void *, void *, int64_t) override {}
  void send(const void *, int64_t, int64_t) override {}
  void receive(void *, int64_t, int64_t) override {}
  void barrier() override {}
  [[noreturn]] void abort(int exitCode) override { std::_Exit(exitCode); }

private:
  int64_t ranks;
};

/// Its collectives: none, so that times are those of one rank's own work.
class NoCollectives : public DataCommunicator {
public:
  void allReduce(uint32_t, boost_rt_reduction, int64_t, void *const *,
                 const int64_t *, const int32_t *) override {}
  void allGather(uint32_t, const PieceList &) override {}
  void reduceScatter(uint32_t, boost_rt_reduction, const PieceList &) override {
  }
  void broadcast(uint32_t, int64_t, int64_t, void *const *, const int64_t *,
                 const int32_t *) override {}
  void allToAll(uint32_t, ElementType, const void *, void *, int64_t,
                const int64_t *, int64_t, int64_t) override {}
  bool isCapturable() const override { return true; }
};

} // namespace

/// Ordinary numbers: uniform in +-0.02 for what starts at random, 1 for scales,
/// ids in their range, and rates of a first step.
static double valueOf(const Tensor &tensor, uint32_t &state) {
  state = state * 1664525u + 1013904223u;
  if (tensor.limit)
    return static_cast<double>(state % static_cast<uint32_t>(*tensor.limit));
  if (tensor.role == Role::hyper || tensor.role == Role::state)
    return tensor.sample;
  if (tensor.init == "ones")
    return 1;
  return (static_cast<double>(state >> 8) * 0x1p-24 - 0.5) * 0.04;
}

/// Fills the tensors of a stage of the pipeline, of which a program without one
/// has one.
static void fillInputs(const Program &program, int64_t stage,
                       boost_rt_context &context) {
  uint32_t state = 1;
  std::vector<char> bytes;
  for (const Tensor &tensor : program.tensors) {
    if (!isInput(tensor.role) || !tensor.packed.empty() || !tensor.isOn(stage))
      continue;
    bytes.resize(static_cast<size_t>(tensor.bytes));
    int64_t width = sizeOf(tensor.type);
    for (int64_t i = 0; i < tensor.bytes / width; ++i) {
      double value = valueOf(tensor, state);
      convertElements(BOOST_RT_F64, &value, tensor.type,
                      bytes.data() + i * width, 1);
    }
    context.gpu.copyToDevice(context.memory.arena() + tensor.offsetOn(stage),
                             bytes.data(), tensor.bytes);
  }
}

static Json describeCalls(GPU &gpu, const std::vector<Call> &calls) {
  Json list = Json::array();
  for (const Call &call : calls) {
    Json seconds = measureSeconds(gpu, call.repeat);
    list.push_back({{"call", call.function},
                    {"form", call.form},
                    {"count", call.count},
                    {"seconds", seconds},
                    {"bytes", call.bytes},
                    {"tflops", rate(call.flops, seconds, 1e12)},
                    {"gbps", rate(call.bytes, seconds, 1e9)}});
  }
  return list;
}

Json boost_rt::measureFunction(const char *name) {
  Program program({boost_program_manifest, boost_program_functions,
                   boost_program_device_images, boost_program_constants});
  const Function *function = program.findFunction(name);
  if (!function)
    refuse("this program has no function '", name, "'");
  // Which needs no library; replaced below.
  ::setenv("BOOST_CUDA_COLLECTIVES", "staged", 1);
  LoneRank communicator(program.mesh.size());
  RunRecord record(program.collectives.size());
  boost_rt_context context(program, communicator, record);
  if (context.collectives)
    context.collectives = std::make_unique<NoCollectives>();
  int64_t stage = function->stage.value_or(0);
  fillInputs(program, stage, context);
  char *arena = context.memory.arena();
  char *stash = arena + program.stages[static_cast<size_t>(stage)].stashOffset;
  auto start = [&] { function->run(&context, arena, stash); };
  std::vector<Call> calls = collectCalls(start);
  Json eager = measureSeconds(context.gpu, start);
  RecordedFunction recorded;
  recorded.recordCalls(context.gpu, record, start);
  Json graph = measureSeconds(context.gpu,
                              [&] { recorded.replay(context.gpu, record); });
  return {{"function", name},
          {"mesh", program.mesh.str()},
          {"arena_bytes", program.arenaBytes},
          {"seconds_eager", eager},
          {"seconds_graph", graph},
          {"calls", describeCalls(context.gpu, calls)}};
}
