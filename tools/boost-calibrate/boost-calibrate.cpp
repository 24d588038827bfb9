//===- boost-calibrate.cpp - What the ranks of this machine reach ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times the functions of the runtime, on as many ranks as it is started on, and
// prints a machine file: the rates of large products, what small ones pay,
// attention, copies, launches, and all-reduces over the ranks. Each time is the
// shortest of several, which other work on the machine disturbs least. There is
// one such program for each target, and `boost-compile --calibrate` starts it.
//
//===----------------------------------------------------------------------===//

#include "Bench.h"

#include "common/Failure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>

using namespace boost_rt;
using Json = nlohmann::ordered_json;

namespace {

/// The functions of the runtime on one of the ranks.
class Calibration {
public:
  explicit Calibration(std::unique_ptr<Bench> bench)
      : bench(std::move(bench)), context(this->bench->getContext()),
        sizes(this->bench->getSizes()) {}

  /// The machine, as docs/Machines.md describes it.
  Json describe(const std::string &name);

private:
  double time(const std::function<void()> &work);
  double timeProduct(ElementType type, int64_t m, int64_t n, int64_t k);
  double timeAttention(const AttentionSizes &shape, bool backward);
  double timeCopy();
  double timeAllReduce(int64_t count);
  Json describePeaks();
  Json describeAttention(const Json &peaks);
  Json describeLink(double memoryBandwidth);

  std::unique_ptr<Bench> bench;
  boost_rt_context *context;
  BenchSizes sizes;
};

} // namespace

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

/// Seconds of a run of `work`, which all ranks start together. Short work
/// is repeated so often that the clock's resolution does not matter.
double Calibration::time(const std::function<void()> &work) {
  using Clock = std::chrono::steady_clock;
  Communicator &communicator = bench->getCommunicator();
  auto run = [&](int64_t times) {
    bench->synchronize();
    communicator.barrier();
    auto start = Clock::now();
    for (int64_t i = 0; i < times; ++i)
      work();
    bench->synchronize();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  auto takeLargest = [&](double seconds) {
    communicator.allReduce(bench->getMesh().allAxes(), BOOST_RT_MAX,
                           BOOST_RT_F64, &seconds, 1);
    return seconds;
  };
  // All ranks must repeat a collective equally often: the slowest decides.
  double first = run(1);
  double single = takeLargest(std::min(first, run(1)));
  auto times = static_cast<int64_t>(std::clamp(5e-3 / single, 1.0, 1e4));
  double shortest = single;
  for (int repetition = 0; repetition < 9; ++repetition)
    shortest = std::min(shortest, run(times) / static_cast<double>(times));
  return takeLargest(shortest);
}

double Calibration::timeProduct(ElementType type, int64_t m, int64_t n,
                                int64_t k) {
  bench->clear();
  void *a = bench->makeTensor(m * k, type), *b = bench->makeTensor(k * n, type),
       *c = bench->makeTensor(m * n, type);
  return time([&] {
    boost_rt_gemm(context, type, type, 0, 0, m, n, k, a, k, 0, b, n, 0, c, n, 0,
                  1, 0);
  });
}

double Calibration::timeAttention(const AttentionSizes &shape, bool backward) {
  bench->clear();
  ElementType type = sizes.attentionType;
  auto tensor = [&] { return bench->makeTensor(shape.elements(), type); };
  void *q = tensor(), *k = tensor(), *v = tensor(), *o = tensor(),
       *dO = tensor(), *dq = tensor(), *dk = tensor(), *dv = tensor();
  void *lse =
      bench->makeTensor(shape.batch * shape.heads * shape.tokens, BOOST_RT_F32);
  const double scale = 0.125;
  auto forward = [&] {
    boost_rt_attention_forward(context, type, q, k, v, nullptr, nullptr,
                               nullptr, nullptr, o, lse, shape.batch,
                               shape.tokens, shape.tokens, shape.heads,
                               shape.heads, shape.headSize, scale, 0, 1);
  };
  if (!backward)
    return time(forward);
  forward();
  return time([&] {
    boost_rt_attention_backward(
        context, type, q, k, v, nullptr, nullptr, nullptr, nullptr, o, lse, dO,
        nullptr, dq, dk, dv, shape.batch, shape.tokens, shape.tokens,
        shape.heads, shape.heads, shape.headSize, scale, 0, 1, 0);
  });
}

double Calibration::timeCopy() {
  bench->clear();
  // In a type of which any bytes are a number.
  void *src = bench->makeTensor(sizes.copyBytes / 4, BOOST_RT_F32),
       *dst = bench->makeTensor(sizes.copyBytes / 4, BOOST_RT_F32);
  return time([&] { boost_rt_copy(context, dst, src, sizes.copyBytes); });
}

double Calibration::timeAllReduce(int64_t count) {
  bench->clear();
  void *buffer = bench->makeTensor(count, BOOST_RT_F32);
  int32_t type = BOOST_RT_F32;
  return time([&] {
    boost_rt_all_reduce(context, 0,
                        static_cast<int32_t>(bench->getMesh().allAxes()),
                        BOOST_RT_MAX, 1, &buffer, &count, &type);
  });
}

//===----------------------------------------------------------------------===//
// Machine
//===----------------------------------------------------------------------===//

Json Calibration::describePeaks() {
  Json peaks = Json::object();
  const std::pair<const char *, ElementType> types[] = {{"f32", BOOST_RT_F32},
                                                        {"bf16", BOOST_RT_BF16},
                                                        {"f16", BOOST_RT_F16},
                                                        {"f64", BOOST_RT_F64}};
  for (auto [text, type] : types) {
    double best = 0;
    for (int64_t size : sizes.squares) {
      double flops = 2.0 * std::pow(static_cast<double>(size), 3);
      best = std::max(best, flops / timeProduct(type, size, size, size));
    }
    peaks[text] = best;
  }
  return peaks;
}

Json Calibration::describeAttention(const Json &peaks) {
  double peak = peaks[nameOf(sizes.attentionType)];
  // In causal attention, a query sees half of the keys.
  auto share = [&](const AttentionSizes &shape, bool backward) {
    double flops = (backward ? 5.0 : 2.0) *
                   static_cast<double>(shape.elements() * shape.tokens);
    return std::min(1.0, flops / (timeAttention(shape, backward) * peak));
  };
  double forward = share(sizes.attention, false),
         backward = share(sizes.attention, true);
  Json attention = {{"forward", forward}, {"backward", backward}};
  if (const AttentionSizes &narrow = sizes.narrowAttention; narrow.batch > 0) {
    attention["narrow_head"] = narrow.headSize;
    attention["narrow_factor"] = std::min(1.0, share(narrow, false) / forward);
    attention["narrow_backward_factor"] =
        std::min(1.0, share(narrow, true) / backward);
  }
  return attention;
}

Json Calibration::describeLink(double memoryBandwidth) {
  int64_t ranks = bench->getCommunicator().size();
  if (ranks == 1)
    return {{"name", "unknown"},
            {"source", "Not measured: no more than a copy in memory."},
            {"ranks", 65536},
            {"bandwidth", memoryBandwidth},
            {"latency", 0}};
  int64_t large = sizes.messageElements;
  double latency = timeAllReduce(1), whole = timeAllReduce(large);
  double sent = 2.0 * static_cast<double>(ranks - 1) /
                static_cast<double>(ranks) *
                static_cast<double>(large * sizeOf(BOOST_RT_F32));
  return {{"name", "host"},
          {"source", concat("All-reduces of 4 bytes and of ",
                            large * sizeOf(BOOST_RT_F32) >> 20, " MiB.")},
          {"ranks", ranks},
          {"bandwidth", sent / std::max(whole - latency, whole / 100)},
          {"latency", latency}};
}

Json Calibration::describe(const std::string &name) {
  Json peaks = describePeaks();
  Json contraction =
      bench->describeProducts(peaks, [&](int64_t m, int64_t n, int64_t k) {
        return timeProduct(BOOST_RT_F32, m, n, k);
      });
  double bandwidth = 2.0 * static_cast<double>(sizes.copyBytes) / timeCopy();
  Json machine = {{"name", name}};
  if (std::vector<std::string> devices = bench->getDevices(); !devices.empty())
    machine["devices"] = devices;
  machine["source"] = concat(
      "Measured by boost-compile --calibrate on ",
      bench->getCommunicator().size(), " rank(s) with ", bench->describeRank(),
      "; rates are those of a rank while all of them work.");
  machine["peak_flops"] = peaks;
  machine["memory_bandwidth"] = bandwidth;
  machine["memory_bytes"] = bench->getMemoryBytes();
  machine["launch_seconds"] = bench->timeLaunch(
      [&](const std::function<void()> &work) { return time(work); });
  machine["contraction"] = contraction;
  machine["attention"] = describeAttention(peaks);
  machine["links"] = Json::array({describeLink(bandwidth)});
  bench->requireSpeeds();
  return machine;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: boost-calibrate NAME, by mpirun for several ranks\n";
    return 2;
  }
  try {
    Calibration calibration(Bench::create(launcherSize()));
    Json machine = calibration.describe(argv[1]);
    if (launcherRank() == 0)
      std::cout << machine.dump(2) << "\n";
  } catch (const Failure &failure) {
    std::cerr << "boost-calibrate: error: " << failure.what() << "\n";
    return static_cast<int>(failure.code);
  }
  return 0;
}
