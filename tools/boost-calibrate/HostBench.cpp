//===- HostBench.cpp - Measures the cores of this machine -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bench.h"

#include "common/Failure.h"
#include "cpu/CPUDevice.h"

#include <algorithm>
#include <unistd.h>

using namespace boost_rt;
using Json = nlohmann::ordered_json;

namespace {

class HostBench : public Bench {
public:
  explicit HostBench(int64_t ranks)
      : mesh({{"ranks", ranks}}),
        communicator(createCommunicator(mesh, {"boost-calibrate"})), record(1),
        threads(threadsPerRank(communicator->localSize())),
        context(mesh, *communicator, record, threads) {}

  BenchSizes getSizes() const override {
    return {{384, 512, 768}, int64_t(64) << 20, int64_t(1) << 20,
            BOOST_RT_F32,    {1, 512, 4, 64},   {0, 0, 0, 0}};
  }
  boost_rt_context *getContext() override { return &context; }
  const Mesh &getMesh() const override { return mesh; }
  Communicator &getCommunicator() override { return *communicator; }

  /// Zeros would let hardware and libraries take shortcuts; all tensors are of
  /// bytes of which any type makes small numbers.
  void *makeTensor(int64_t count, ElementType type) override {
    return tensors
        .emplace_back(static_cast<size_t>(count * sizeOf(type)), char(0x3b))
        .data();
  }
  void clear() override { tensors.clear(); }
  void synchronize() override {}

  double timeLaunch(const std::function<double(const std::function<void()> &)>
                        &time) override;
  Json describeProducts(Json &peaks,
                        const std::function<double(int64_t, int64_t, int64_t)>
                            &timeProduct) override;

  double getMemoryBytes() const override {
    return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<double>(::sysconf(_SC_PAGESIZE)) /
           static_cast<double>(communicator->localSize());
  }
  std::vector<std::string> getDevices() const override { return {}; }
  std::string describeRank() const override {
    return concat(threads, " thread(s) each");
  }

private:
  Mesh mesh;
  std::unique_ptr<Communicator> communicator;
  RunRecord record;
  int threads;
  boost_rt_context context;
  std::vector<std::vector<char>> tensors;
};

} // namespace

static void computeNothing(int64_t, int64_t, void *const *) {}

double HostBench::timeLaunch(
    const std::function<double(const std::function<void()> &)> &time) {
  void *buffers = nullptr;
  return time([&] {
    boost_rt_launch(&context, reinterpret_cast<void *>(computeNothing),
                    &buffers, threads);
  });
}

/// Measures the overhead of products of few terms, in additional terms.
Json HostBench::describeProducts(
    Json &peaks,
    const std::function<double(int64_t, int64_t, int64_t)> &timeProduct) {
  double peak = peaks["f32"];
  std::vector<double> terms;
  for (int64_t k : {8, 16, 32}) {
    const int64_t m = 512, n = 256;
    double seconds = timeProduct(m, n, k);
    terms.push_back(seconds * peak / (2.0 * m * n) - static_cast<double>(k));
  }
  std::sort(terms.begin(), terms.end());
  return {{"units", 1},
          {"prologue", std::max(0.0, terms[terms.size() / 2])},
          {"tiles", {{1, 1}}}};
}

std::unique_ptr<Bench> Bench::create(int64_t ranks) {
  return std::make_unique<HostBench>(ranks);
}
