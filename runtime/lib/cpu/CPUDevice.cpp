//===- CPUDevice.cpp - The cores of one rank ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/CPUDevice.h"
#include "common/Failure.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

extern "C" void openblas_set_num_threads(int threads);

using namespace boost_rt;

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Arena::Arena(int64_t bytes) : length(std::max<int64_t>(bytes, 1)) {
  void *address =
      ::mmap(nullptr, static_cast<size_t>(length), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    throw Failure(
        ExitCode::infeasible,
        concat("cannot reserve the ", bytes, " bytes of the program's arena: ",
               std::strerror(errno), "; use a larger mesh or a smaller batch"));
  this->bytes = static_cast<char *>(address);
}

Arena::~Arena() { ::munmap(bytes, static_cast<size_t>(length)); }

int64_t Arena::touched() const {
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  const int64_t pages = (length + page - 1) / page;
  std::vector<unsigned char> resident(static_cast<size_t>(pages));
  if (::mincore(bytes, static_cast<size_t>(length), resident.data()) != 0)
    return 0;
  int64_t last = pages;
  while (last > 0 && (resident[static_cast<size_t>(last - 1)] & 1) == 0)
    --last;
  return std::min(last * page, length);
}

//===----------------------------------------------------------------------===//
// Device
//===----------------------------------------------------------------------===//

boost_rt_context::boost_rt_context(const Mesh &mesh, Communicator &communicator,
                                   RunRecord &record, int threads)
    : mesh(mesh), communicator(communicator), collectives(mesh, communicator),
      record(record), pool(threads), scratch(threads) {
  // The runtime splits products over its own threads.
  openblas_set_num_threads(1);
}

CPUDevice::CPUDevice(const Program &program, Communicator &communicator)
    : Device(program.collectives.size()),
      context(program.mesh, communicator, record,
              threadsPerRank(communicator.localSize())),
      arena(program.arenaBytes) {}

void CPUDevice::fill(int value) {
  std::memset(arena.data(), value, static_cast<size_t>(arena.size()));
}
