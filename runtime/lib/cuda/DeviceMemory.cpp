//===- DeviceMemory.cpp - All device memory of a rank ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/DeviceMemory.h"
#include "common/Failure.h"

#include <algorithm>

using namespace boost_rt;

/// The plan of the arena aligns to as many bytes.
static constexpr int64_t alignment = 256;

static int64_t align(int64_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

char *Workspace::take(int64_t needed) const {
  if (needed > bytes)
    abortProgram(concat("a call needs a workspace of ", needed,
                        " bytes, but the program has one of ", bytes));
  return static_cast<char *>(data);
}

int64_t DeviceMemory::placeConstants(const boost_rt_constant *table,
                                     int64_t offset) {
  for (const boost_rt_constant *constant = table; constant->data; ++constant) {
    constants.push_back(
        {static_cast<const char *>(constant->data), constant->bytes, offset});
    offset += align(constant->bytes);
  }
  std::sort(
      constants.begin(), constants.end(),
      [](const Constant &a, const Constant &b) { return a.host < b.host; });
  return offset;
}

DeviceMemory::DeviceMemory(GPU &gpu, const Stage &stage,
                           const boost_rt_constant *table)
    : arenaSize(stage.arenaBytes), workspaceOffset(stage.workspaceOffset),
      workspaceBytes(stage.workspaceBytes) {
  flagOffset = placeConstants(table, align(arenaSize));
  base = gpu.allocate(flagOffset + alignment, "this program");
  gpu.fill(base, 0, align(arenaSize));
  gpu.fill(nonFinite(), 0, sizeof(int32_t));
  for (const Constant &constant : constants)
    gpu.copyToDevice(base + constant.offset, constant.host, constant.bytes);
  gpu.synchronize();
}

void *DeviceMemory::resolve(void *pointer) const {
  char *address = static_cast<char *>(pointer);
  if (!address || (address >= base && address < base + arenaSize))
    return address;
  auto next = std::upper_bound(
      constants.begin(), constants.end(), address,
      [](const char *value, const Constant &c) { return value < c.host; });
  if (next != constants.begin())
    if (const Constant &found = *std::prev(next);
        address < found.host + std::max<int64_t>(found.bytes, 1))
      return base + found.offset + (address - found.host);
  abortProgram(concat("a call was given ", pointer,
                      ", which is neither in the arena nor a constant"));
}
