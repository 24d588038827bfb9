//===- Device.cpp - What the functions of a program run on ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Device.h"

#include <cstring>

using namespace boost_rt;

int64_t Device::offsetOf(const Tensor &tensor, int64_t slot) const {
  int64_t inSlot = tensor.role == Role::kept ? slot * memory.slotBytes : 0;
  return tensor.offsetOn(stage) + inSlot;
}

Device::Mapping Device::map(const Tensor &tensor, Access access, int64_t slot) {
  if (!tensor.strides.empty() && access == Access::write)
    access = Access::readWrite;
  return map(offsetOf(tensor, slot), tensor.localExtent(), access);
}

void Device::clear(int64_t offset, int64_t size) {
  constexpr int64_t grain = int64_t(1) << 16;
  Mapping mapping = map(offset, size, Access::write);
  hostThreads().forRange(size, grain, [&](int64_t begin, int64_t end, int) {
    std::memset(mapping.data() + begin, 0, static_cast<size_t>(end - begin));
  });
}
