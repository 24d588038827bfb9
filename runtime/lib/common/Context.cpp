//===- Context.cpp - What generated code passes to every call -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Context.h"
#include "common/Failure.h"

#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <unistd.h>

extern "C" void openblas_set_num_threads(int threads);

using namespace boost_rt;

boost_rt_context::boost_rt_context(const Mesh &mesh, Communicator &communicator,
                                   int threads, size_t sites)
    : mesh(mesh), communicator(communicator), pool(threads), scratch(threads),
      sites(sites) {
  // The runtime splits products over its own threads.
  openblas_set_num_threads(1);
}

/// Cores this process may run on: a launcher may have bound it to some.
static int64_t usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return CPU_COUNT(&set);
  return std::max(1u, std::thread::hardware_concurrency());
}

int boost_rt::threadsPerRank(int64_t localRanks) {
  if (const char *text = std::getenv("BOOST_NUM_THREADS")) {
    char *end = nullptr;
    long value = std::strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > 1024)
      throw Failure(ExitCode::usage,
                    concat("BOOST_NUM_THREADS expects a number of threads per "
                           "rank from 1 to 1024, but is '",
                           text, "'"));
    return static_cast<int>(value);
  }
  // Bound ranks have their own cores; unbound ones share those of the machine.
  int64_t shared = sysconf(_SC_NPROCESSORS_ONLN) / localRanks;
  return static_cast<int>(
      std::max<int64_t>(1, std::min(usableCores(), shared)));
}

void boost_rt_probe(boost_rt_context *context, int32_t site, int32_t type,
                    void *data, int64_t count) {
  if (context->onProbe)
    context->onProbe(site, static_cast<boost_rt_type>(type), data, count);
}

void boost_rt::abortProgram(const std::string &message) {
  std::fprintf(stderr, "error: rank %lld: %s\n",
               static_cast<long long>(launcherRank()), message.c_str());
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::trainingFailed));
}
