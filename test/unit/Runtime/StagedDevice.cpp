//===- StagedDevice.cpp - A CPU whose arena the host cannot touch ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagedDevice.h"
#include "common/Failure.h"

#include <cstring>
#include <sys/mman.h>

using namespace boost_rt;

StagedDevice::StagedDevice(const Program &program, Communicator &communicator)
    : CPUDevice(program, communicator) {
  protect(true);
}

void StagedDevice::protect(bool isProtected) {
  int protection = isProtected ? PROT_NONE : PROT_READ | PROT_WRITE;
  if (::mprotect(arena.data(), static_cast<size_t>(arena.size()), protection))
    abortProgram("cannot protect the arena");
}

template <typename Work> void StagedDevice::unprotected(Work work) {
  protect(false);
  work();
  protect(true);
}

void StagedDevice::start(const Function &function,
                         std::optional<int64_t> slotOffset) {
  if (!copies.empty())
    abortProgram("a function runs while a part of the arena is mapped");
  unprotected([&] { CPUDevice::start(function, slotOffset); });
}

void StagedDevice::fill(int value) {
  unprotected([&] { CPUDevice::fill(value); });
}

char *StagedDevice::openMapping(int64_t offset, int64_t size, Access access) {
  if (offset < 0 || size < 0 || offset + size > arena.size())
    abortProgram("a mapping is not in the arena");
  auto next = copies.lower_bound(offset);
  bool overlaps = next != copies.end() && next->first < offset + size;
  if (next != copies.begin()) {
    const auto &[before, copy] = *std::prev(next);
    overlaps |= before + static_cast<int64_t>(copy.size()) > offset;
  }
  if (overlaps)
    abortProgram("two mappings overlap");
  std::vector<char> &copy = copies[offset];
  copy.assign(static_cast<size_t>(size), static_cast<char>(unwritten));
  if (access != Access::write)
    unprotected(
        [&] { std::memcpy(copy.data(), arena.data() + offset, copy.size()); });
  return copy.data();
}

void StagedDevice::closeMapping(const Mapping &mapping) {
  auto found = copies.find(mapping.offset);
  if (mapping.access != Access::read)
    unprotected([&] {
      std::memcpy(arena.data() + mapping.offset, found->second.data(),
                  found->second.size());
    });
  copies.erase(found);
}
