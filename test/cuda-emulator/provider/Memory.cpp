//===- Memory.cpp - Device memory that the host cannot touch --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of device memory are a reservation without access. Its bytes are at
// a fixed distance (Module.h), accessible page by page where they are
// allocated.
//
//===----------------------------------------------------------------------===//

#include "Provider.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

using namespace boost_emu;

/// Address space of the device; no memory until it is written.
static constexpr uint64_t kDeviceSize = uint64_t(1) << 40;
static constexpr uint64_t kPage = 4096;
/// Allocations start at multiples of it, with free pages between them.
static constexpr uint64_t kGap = 16 * kPage;
/// A NaN in every float format; larger allocations stay zero.
static constexpr int kPoison = 0xff;
static constexpr uint64_t kPoisonedBytes = uint64_t(64) << 20;

/// Address and size.
static std::map<uint64_t, uint64_t> &getAllocations() {
  static std::map<uint64_t, uint64_t> allocations;
  return allocations;
}

static uint64_t roundToPages(uint64_t bytes) {
  return (bytes + kPage - 1) / kPage * kPage;
}

static void *getBytes(uint64_t address) {
  return translateDeviceAddress(reinterpret_cast<void *>(address));
}

[[noreturn]] static void reportFault(int signal, siginfo_t *info, void *) {
  auto address = reinterpret_cast<uint64_t>(info->si_addr);
  bool isHost =
      address >= kDeviceMemory && address < kDeviceMemory + kDeviceSize;
  bool isDevice =
      address >= kDeviceBytes && address < kDeviceBytes + kDeviceSize;
  if (isHost)
    report("the host touches device memory at " + describeAddress(address));
  else if (isDevice)
    report("device code touches memory that is not allocated, at " +
           describeAddress(address - kDeviceBytes + kDeviceMemory));
  else
    report("segmentation fault");
  std::fflush(nullptr);
  ::_exit(128 + signal);
}

static void reserve() {
  for (uint64_t start : {kDeviceMemory, kDeviceBytes}) {
    void *wanted = reinterpret_cast<void *>(start);
    void *found = ::mmap(wanted, kDeviceSize, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                             MAP_FIXED_NOREPLACE,
                         -1, 0);
    if (found != wanted) {
      report("the addresses of device memory are taken");
      std::abort();
    }
  }
  struct sigaction action = {};
  action.sa_sigaction = reportFault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &action, nullptr);
}

uint64_t boost_emu::allocateDeviceMemory(uint64_t bytes) {
  static const bool isReserved = (reserve(), true);
  (void)isReserved;
  auto &allocations = getAllocations();
  uint64_t address = kDeviceMemory + kGap;
  if (!allocations.empty()) {
    auto [last, size] = *allocations.rbegin();
    address = last + roundToPages(size) + kGap;
  }
  if (bytes == 0 || address + bytes > kDeviceMemory + kDeviceSize)
    return 0;
  // Ends where a page does not, so that the next byte faults if it can.
  if (::mprotect(getBytes(address), roundToPages(bytes),
                 PROT_READ | PROT_WRITE) != 0)
    return 0;
  int filler = bytes <= kPoisonedBytes ? kPoison : 0;
  if (filler)
    std::memset(getBytes(address), filler, bytes);
  allocations[address] = bytes;
  beginTrace(address, bytes, filler);
  return address;
}

bool boost_emu::freeDeviceMemory(uint64_t address) {
  auto &allocations = getAllocations();
  auto found = allocations.find(address);
  if (found == allocations.end())
    return false;
  ::mmap(getBytes(address), roundToPages(found->second), PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  allocations.erase(found);
  endTrace();
  return true;
}

bool boost_emu::isAllocated(uint64_t address, uint64_t bytes) {
  auto &allocations = getAllocations();
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin())
    return false;
  auto [start, size] = *std::prev(next);
  return address + bytes <= start + size;
}

std::string boost_emu::describeAddress(uint64_t address) {
  auto &allocations = getAllocations();
  auto next = allocations.upper_bound(address);
  char text[96];
  if (next == allocations.begin()) {
    std::snprintf(text, sizeof(text), "0x%llx",
                  static_cast<unsigned long long>(address));
    return text;
  }
  auto [start, size] = *std::prev(next);
  std::snprintf(text, sizeof(text), "byte %llu of an allocation of %llu bytes",
                static_cast<unsigned long long>(address - start),
                static_cast<unsigned long long>(size));
  return text;
}
