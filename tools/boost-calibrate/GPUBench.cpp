//===- GPUBench.cpp - Measures a GPU --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls go through the runtime for GPUs and the libraries that it opens, as
// those of programs do. On the emulator of the tests everything runs, in small
// sizes, and no speed comes out.
//
//===----------------------------------------------------------------------===//

#include "Bench.h"

#include "common/Failure.h"
#include "common/Random.h"
#include "cuda/Context.h"
#include "cuda/RecordedFunction.h"

#include <algorithm>
#include <cmath>

using namespace boost_rt;
using Json = nlohmann::ordered_json;

/// The workspace of a product by cublasLt, as in programs.
static constexpr int64_t workspaceBytes = int64_t(32) << 20;
static constexpr int64_t alignment = 256;

/// A program without functions, for the memory that it has.
static Program makeProgram(int64_t ranks, int64_t tensorBytes) {
  static constexpr boost_program_function functions[] = {{nullptr, nullptr}};
  Json manifest = {
      {"format", 1},
      {"name", "boost-calibrate"},
      {"mesh", Json::array({{{"name", "ranks"}, {"size", ranks}}})},
      {"arena_bytes", tensorBytes + workspaceBytes},
      {"workspace", {{"offset", tensorBytes}, {"bytes", workspaceBytes}}},
      {"tensors", Json::array()},
      {"functions", Json::object()},
      {"plan",
       {{"collectives",
         Json::array({{{"kind", "all_reduce"}, {"bytes", 0}}})}}}};
  return {manifest.dump().c_str(), functions};
}

/// Enough for three squares of f64, whose sizes the emulator's are a part of.
static int64_t tensorBytesOf(bool isEmulated) {
  return isEmulated ? int64_t(16) << 20 : int64_t(2) << 30;
}

namespace {

class GPUBench : public Bench {
public:
  explicit GPUBench(int64_t ranks)
      : tensorBytes(tensorBytesOf(vendor::isEmulated())),
        program(makeProgram(ranks, tensorBytes)),
        communicator(createCommunicator(program.mesh, {"boost-calibrate"})),
        record(program.collectives.size()),
        context(program, *communicator, record) {}

  BenchSizes getSizes() const override {
    if (vendor::isEmulated())
      return {{32},          int64_t(1) << 16, 1 << 10,
              BOOST_RT_BF16, {1, 64, 2, 128},  {2, 64, 2, 64}};
    return {{4096, 8192},  int64_t(512) << 20, int64_t(64) << 20,
            BOOST_RT_BF16, {1, 4096, 8, 128},  {8, 1024, 32, 64}};
  }
  boost_rt_context *getContext() override { return &context; }
  const Mesh &getMesh() const override { return program.mesh; }
  Communicator &getCommunicator() override { return *communicator; }

  void *makeTensor(int64_t count, ElementType type) override;
  void clear() override { used = 0; }
  void synchronize() override { context.gpu.synchronize(); }

  double timeLaunch(const std::function<double(const std::function<void()> &)>
                        &time) override;
  Json describeProducts(Json &peaks,
                        const std::function<double(int64_t, int64_t, int64_t)>
                            &timeProduct) override;

  double getMemoryBytes() const override {
    size_t available = 0, total = 0;
    vendor::check(vendor::functions().cuMemGetInfo_v2(&available, &total),
                  "read the size of its memory");
    return static_cast<double>(total);
  }
  std::vector<std::string> getDevices() const override {
    return {context.gpu.getName()};
  }
  std::string describeRank() const override {
    return context.gpu.getName() + " each";
  }
  void requireSpeeds() const override {
    if (vendor::isEmulated())
      refuse(
          "all measurements ran, but on an emulated GPU, whose speed is that "
          "of this machine's cores; nothing is written");
  }

private:
  int64_t tensorBytes;
  Program program;
  std::unique_ptr<Communicator> communicator;
  RunRecord record;
  boost_rt_context context;
  int64_t used = 0;
};

} // namespace

/// Normal numbers: what tensor cores draw from the supply, and so their clock,
/// depends on the bits that change.
void *GPUBench::makeTensor(int64_t count, ElementType type) {
  int64_t bytes = count * sizeOf(type), offset = used;
  used += (bytes + alignment - 1) / alignment * alignment;
  if (used > tensorBytes)
    abortProgram("the tensors of a measurement do not fit");
  std::vector<float> values(static_cast<size_t>(count));
  std::vector<char> stored(static_cast<size_t>(bytes));
  NormalStream(0, "tensor").write(offset, count, 0.1, values.data());
  convertElements(BOOST_RT_F32, values.data(), type, stored.data(), count);
  char *address = context.memory.arena() + offset;
  context.gpu.copyToDevice(address, stored.data(), bytes);
  return address;
}

/// One of many in a graph: copies of a few bytes, that do next to nothing.
double GPUBench::timeLaunch(
    const std::function<double(const std::function<void()> &)> &time) {
  constexpr int64_t launches = 200, bytes = 256;
  clear();
  void *dst = makeTensor(bytes / 4, BOOST_RT_F32),
       *src = makeTensor(bytes / 4, BOOST_RT_F32);
  RecordedFunction recorded;
  recorded.recordCalls(context.gpu, record, [&] {
    for (int64_t i = 0; i < launches; ++i)
      boost_rt_copy(&context, dst, src, bytes);
  });
  return time([&] { recorded.replay(context.gpu, record); }) /
         static_cast<double>(launches);
}

/// Tiles, splits and what starting a tile costs are those of
/// machines/h100.json. The peak is such that the formula gives the time of the
/// largest product.
Json GPUBench::describeProducts(
    Json &peaks, const std::function<double(int64_t, int64_t, int64_t)> &) {
  constexpr int deviceMultiprocessorCount = 16;
  constexpr double prologue = 110;
  const std::pair<int64_t, int64_t> tiles[] = {
      {256, 128}, {128, 256}, {128, 128}, {128, 64}, {64, 128}, {64, 64}};
  int count = 0;
  vendor::check(vendor::functions().cuDeviceGetAttribute(
                    &count, deviceMultiprocessorCount, 0),
                "read an attribute");
  auto units = static_cast<double>(std::max(1, count));
  auto size = static_cast<double>(getSizes().squares.back());
  double least = HUGE_VAL;
  for (auto [rows, columns] : tiles) {
    auto m = static_cast<double>(rows), n = static_cast<double>(columns);
    double waves = std::ceil(std::ceil(size / m) * std::ceil(size / n) / units);
    least = std::min(least, waves * units * 2 * m * n * (size + prologue));
  }
  for (Json &peak : peaks)
    peak = peak.get<double>() * least / (2 * size * size * size);
  return {{"source", "units as the driver counts them; tiles, splits and "
                     "prologue as for the H100, not measured"},
          {"units", std::max(1, count)},
          {"prologue", prologue},
          {"tiles", tiles},
          {"splits", {1, 2, 4, 8}}};
}

std::unique_ptr<Bench> Bench::create(int64_t ranks) {
  return std::make_unique<GPUBench>(ranks);
}
