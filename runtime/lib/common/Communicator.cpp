//===- Communicator.cpp - One rank, and the choice of communicator --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Communicator.h"
#include "common/ElementType.h"
#include "common/Failure.h"

#include <cstdlib>
#include <cstring>

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

void boost_rt::refuseRankCount(const Mesh &mesh, int64_t ranks,
                               const std::string &program) {
  std::string command = mesh.size() == 1 ? program
                        : launcher() == Launcher::variables
                            ? concat("torchrun --nproc-per-node ", mesh.size(),
                                     " --no-python ", program)
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
boost_rt::createCommunicator(const Mesh &mesh, const RunStart &start) {
  bool isByVariables = launcher() == Launcher::variables;
  if (launcherSize() != mesh.size() && (isByVariables || launcherSize() != 1))
    refuseRankCount(mesh, launcherSize(), start.program);
  if (mesh.size() == 1)
    return createLocalCommunicator();
  if (isByVariables)
    return createTCPCommunicator(mesh, start);
  return createMPICommunicator(mesh, start);
}
