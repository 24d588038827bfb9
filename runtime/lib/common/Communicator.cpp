//===- Communicator.cpp - One rank, and the choice of communicator --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Communicator.h"
#include "common/ElementType.h"
#include "common/Failure.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

using namespace boost_rt;

namespace {
/// One rank: every collective is a copy, or nothing at all.
class NoneCommunicator : public Communicator {
public:
  int64_t rank() const override { return 0; }
  int64_t size() const override { return 1; }
  int64_t localSize() const override { return 1; }

  void allReduce(uint32_t, boost_rt_reduction, boost_rt_type, void *,
                 int64_t) override {}
  void reduceScatter(uint32_t, boost_rt_reduction, boost_rt_type type,
                     const void *src, void *dst, int64_t count) override;
  void allGather(uint32_t, const void *src, void *dst, int64_t bytes) override {
    std::memcpy(dst, src, static_cast<size_t>(bytes));
  }
  void allToAll(uint32_t, const void *src, void *dst, int64_t bytes) override {
    std::memcpy(dst, src, static_cast<size_t>(bytes));
  }
  void send(const void *, int64_t, int64_t) override {}
  void receive(void *, int64_t, int64_t) override {}
  void barrier() override {}
  [[noreturn]] void abort(int exitCode) override { std::_Exit(exitCode); }
};
} // namespace

void NoneCommunicator::reduceScatter(uint32_t, boost_rt_reduction,
                                     boost_rt_type type, const void *src,
                                     void *dst, int64_t count) {
  std::memcpy(dst, src, static_cast<size_t>(count * sizeOf(type)));
}

/// The first of these environment variables that holds a number.
static int64_t readEnvironment(std::initializer_list<const char *> names,
                               int64_t fallback) {
  for (const char *name : names) {
    const char *text = std::getenv(name);
    if (!text || !*text)
      continue;
    char *end = nullptr;
    long long value = std::strtoll(text, &end, 10);
    if (!*end)
      return value;
  }
  return fallback;
}

int64_t boost_rt::launcherRank() {
  return readEnvironment({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}, 0);
}

int64_t boost_rt::launcherLocalRank() {
  return readEnvironment({"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"},
                         launcherRank());
}

int64_t boost_rt::launcherSize() {
  return readEnvironment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1);
}

void boost_rt::letRankZeroFailFirst() {
  if (launcherRank() != 0)
    std::this_thread::sleep_for(std::chrono::seconds(10));
}

void boost_rt::refuseRankCount(const Mesh &mesh, int64_t ranks,
                               const std::string &program) {
  std::string command = mesh.size() == 1
                            ? program
                            : concat("mpirun -np ", mesh.size(), " ", program);
  throw Failure(ExitCode::usage,
                concat("this program was compiled for ", mesh.size(), " rank",
                       mesh.size() == 1 ? "" : "s", " (mesh ", mesh.str(),
                       "), but ", ranks, ranks == 1 ? " was" : " were",
                       " started; run `", command,
                       " ...`, or compile it for another --mesh"));
}

std::unique_ptr<Communicator> boost_rt::createLocalCommunicator() {
  return std::make_unique<NoneCommunicator>();
}

std::unique_ptr<Communicator>
boost_rt::createCommunicator(const Mesh &mesh, const std::string &program) {
  if (launcherSize() != 1 && launcherSize() != mesh.size())
    refuseRankCount(mesh, launcherSize(), program);
  if (mesh.size() == 1)
    return createLocalCommunicator();
  return createMPICommunicator(mesh, program);
}
