//===- boost-calibrate.cpp - What the ranks of this machine reach ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times the functions of the runtime, on as many ranks as it is started on, and
// prints a machine file: the rates of large products, what small ones pay,
// attention, copies, launches, and all-reduces over the ranks. Each time is the
// shortest of several, which other work on the machine disturbs least.
// `boost-compile --calibrate` starts it.
//
//===----------------------------------------------------------------------===//

#include "common/Communicator.h"
#include "common/Failure.h"
#include "cpu/CPUDevice.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <unistd.h>

using namespace boost_rt;
using Json = nlohmann::ordered_json;

namespace {

/// The functions of the runtime on one of the ranks.
class Calibration {
public:
  explicit Calibration(int64_t ranks)
      : mesh({{"ranks", ranks}}),
        communicator(createCommunicator(mesh, {"boost-calibrate"})), record(1),
        threads(threadsPerRank(communicator->localSize())),
        context(mesh, *communicator, record, threads) {}

  /// The machine, as docs/Machines.md describes it.
  Json describe(const std::string &name);
  bool isFirstRank() const { return communicator->rank() == 0; }

private:
  double time(const std::function<void()> &work);
  double timeProduct(ElementType type, int64_t m, int64_t n, int64_t k);
  double timeAttention(bool backward);
  double timeCopy();
  double timeLaunch();
  double timeAllReduce(int64_t count);
  double measurePrologue(double peak);
  Json describeLink(double memoryBandwidth);

  Mesh mesh;
  std::unique_ptr<Communicator> communicator;
  RunRecord record;
  int threads;
  boost_rt_context context;
};

/// Zeros would let hardware and libraries take shortcuts; all tensors are of
/// bytes of which any type makes small numbers.
std::vector<char> makeTensor(int64_t count, ElementType type) {
  return std::vector<char>(static_cast<size_t>(count * sizeOf(type)), 0x3b);
}

/// Queries and keys, heads and their size, of the attention that is timed.
constexpr int64_t kBatch = 1, kTokens = 512, kHeads = 4, kHeadSize = 64;

constexpr int64_t kCopyBytes = int64_t(64) << 20;

} // namespace

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Seconds of a run of `work`, which all ranks start together. Short work
/// is repeated so often that the clock's resolution does not matter.
double Calibration::time(const std::function<void()> &work) {
  using Clock = std::chrono::steady_clock;
  auto run = [&](int64_t times) {
    communicator->barrier();
    auto start = Clock::now();
    for (int64_t i = 0; i < times; ++i)
      work();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  // All ranks must repeat a collective equally often: the slowest decides.
  double single = std::min(run(1), run(1));
  communicator->allReduce(mesh.allAxes(), BOOST_RT_MAX, BOOST_RT_F64, &single,
                          1);
  auto times = static_cast<int64_t>(std::clamp(5e-3 / single, 1.0, 1e4));
  double shortest = single;
  for (int repetition = 0; repetition < 9; ++repetition)
    shortest = std::min(shortest, run(times) / static_cast<double>(times));
  communicator->allReduce(mesh.allAxes(), BOOST_RT_MAX, BOOST_RT_F64, &shortest,
                          1);
  return shortest;
}

double Calibration::timeProduct(ElementType type, int64_t m, int64_t n,
                                int64_t k) {
  auto a = makeTensor(m * k, type), b = makeTensor(k * n, type),
       c = makeTensor(m * n, type);
  return time([&] {
    boost_rt_gemm(&context, type, type, 0, 0, m, n, k, a.data(), k, 0, b.data(),
                  n, 0, c.data(), n, 0, 1, 0);
  });
}

double Calibration::timeAttention(bool backward) {
  const int64_t count = kBatch * kTokens * kHeads * kHeadSize;
  auto tensor = [&] { return makeTensor(count, BOOST_RT_F32); };
  auto q = tensor(), k = tensor(), v = tensor(), o = tensor(), dO = tensor(),
       dq = tensor(), dk = tensor(), dv = tensor();
  auto lse = makeTensor(kBatch * kHeads * kTokens, BOOST_RT_F32);
  const double scale = 0.125;
  auto forward = [&] {
    boost_rt_attention_forward(&context, BOOST_RT_F32, q.data(), k.data(),
                               v.data(), nullptr, nullptr, nullptr, nullptr,
                               o.data(), lse.data(), kBatch, kTokens, kTokens,
                               kHeads, kHeads, kHeadSize, scale, 0, 1);
  };
  if (!backward)
    return time(forward);
  forward();
  return time([&] {
    boost_rt_attention_backward(
        &context, BOOST_RT_F32, q.data(), k.data(), v.data(), nullptr, nullptr,
        nullptr, nullptr, o.data(), lse.data(), dO.data(), nullptr, dq.data(),
        dk.data(), dv.data(), kBatch, kTokens, kTokens, kHeads, kHeads,
        kHeadSize, scale, 0, 1, 0);
  });
}

double Calibration::timeCopy() {
  auto src = makeTensor(kCopyBytes, BOOST_RT_I8),
       dst = makeTensor(kCopyBytes, BOOST_RT_I8);
  return time(
      [&] { boost_rt_copy(&context, dst.data(), src.data(), kCopyBytes); });
}

static void computeNothing(int64_t, int64_t, void *const *) {}

double Calibration::timeLaunch() {
  void *buffers = nullptr;
  return time([&] {
    boost_rt_launch(&context, reinterpret_cast<void *>(computeNothing),
                    &buffers, threads);
  });
}

double Calibration::timeAllReduce(int64_t count) {
  auto data = makeTensor(count, BOOST_RT_F32);
  void *buffer = data.data();
  int32_t type = BOOST_RT_F32;
  return time([&] {
    boost_rt_all_reduce(&context, 0, static_cast<int32_t>(mesh.allAxes()),
                        BOOST_RT_MAX, 1, &buffer, &count, &type);
  });
}

//===----------------------------------------------------------------------===//
// Machine
//===----------------------------------------------------------------------===//

/// What a product of few terms takes longer than its operations, as further
/// terms.
double Calibration::measurePrologue(double peak) {
  std::vector<double> terms;
  for (int64_t k : {8, 16, 32}) {
    const int64_t m = 512, n = 256;
    double seconds = timeProduct(BOOST_RT_F32, m, n, k);
    terms.push_back(seconds * peak / (2.0 * m * n) - static_cast<double>(k));
  }
  std::sort(terms.begin(), terms.end());
  return std::max(0.0, terms[terms.size() / 2]);
}

Json Calibration::describeLink(double memoryBandwidth) {
  int64_t ranks = communicator->size();
  if (ranks == 1)
    return {{"name", "unknown"},
            {"source", "Not measured: no more than a copy in memory."},
            {"ranks", 65536},
            {"bandwidth", memoryBandwidth},
            {"latency", 0}};
  const int64_t small = 1, large = int64_t(1) << 20;
  double latency = timeAllReduce(small), whole = timeAllReduce(large);
  double sent = 2.0 * static_cast<double>(ranks - 1) /
                static_cast<double>(ranks) *
                static_cast<double>(large * sizeOf(BOOST_RT_F32));
  return {{"name", "host"},
          {"source", "All-reduces of 4 bytes and of 4 MiB."},
          {"ranks", ranks},
          {"bandwidth", sent / std::max(whole - latency, whole / 100)},
          {"latency", latency}};
}

Json Calibration::describe(const std::string &name) {
  Json peaks = Json::object();
  const std::pair<const char *, ElementType> types[] = {{"f32", BOOST_RT_F32},
                                                        {"bf16", BOOST_RT_BF16},
                                                        {"f16", BOOST_RT_F16},
                                                        {"f64", BOOST_RT_F64}};
  for (auto [text, type] : types) {
    double best = 0;
    for (int64_t size : {384, 512, 768})
      best = std::max(best, 2.0 * static_cast<double>(size * size * size) /
                                timeProduct(type, size, size, size));
    peaks[text] = best;
  }
  double peak = peaks["f32"];
  double bandwidth = 2.0 * static_cast<double>(kCopyBytes) / timeCopy();
  // Of causal attention, a query sees half of the keys.
  double products =
      static_cast<double>(kBatch * kHeads * kTokens * kTokens * kHeadSize);
  auto share = [&](double products, double seconds) {
    return std::min(1.0, products / (seconds * peak));
  };
  double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                  static_cast<double>(sysconf(_SC_PAGESIZE));
  return {
      {"name", name},
      {"source", concat("Measured by boost-compile --calibrate on ",
                        communicator->size(), " rank(s) with ", threads,
                        " thread(s) each; rates are those of a rank while all "
                        "of them work.")},
      {"peak_flops", peaks},
      {"memory_bandwidth", bandwidth},
      {"memory_bytes", memory / static_cast<double>(communicator->localSize())},
      {"launch_seconds", timeLaunch()},
      {"contraction",
       {{"units", 1},
        {"prologue", measurePrologue(peak)},
        {"tiles", {{1, 1}}}}},
      {"attention",
       {{"forward", share(2 * products, timeAttention(false))},
        {"backward", share(5 * products, timeAttention(true))}}},
      {"links", Json::array({describeLink(bandwidth)})}};
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: boost-calibrate NAME, by mpirun for several ranks\n";
    return 2;
  }
  try {
    Calibration calibration(launcherSize());
    Json machine = calibration.describe(argv[1]);
    if (calibration.isFirstRank())
      std::cout << machine.dump(2) << "\n";
  } catch (const Failure &failure) {
    std::cerr << "boost-calibrate: error: " << failure.what() << "\n";
    return static_cast<int>(failure.code);
  }
  return 0;
}
