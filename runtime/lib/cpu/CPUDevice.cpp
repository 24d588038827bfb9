//===- CPUDevice.cpp - The cores of one rank ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/CPUDevice.h"
#include "common/Failure.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

extern "C" void openblas_set_num_threads(int threads);

using namespace boost_rt;

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
    : Device(program, communicator.rank()),
      context(program.mesh, communicator, record,
              threadsPerRank(communicator.localSize())),
      arena(memory.arenaBytes) {}

void CPUDevice::fill(int value) {
  std::memset(arena.data(), value, static_cast<size_t>(arena.size()));
}
