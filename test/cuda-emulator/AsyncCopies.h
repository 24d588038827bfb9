//===- AsyncCopies.h - cp.async of emulated threads -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_ASYNCCOPIES_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_ASYNCCOPIES_H

#include <cstdint>
#include <vector>

namespace boost_emu {

/// Bytes on their way to shared memory; those behind `sourceBytes` are zeros.
struct AsyncCopy {
  char *to;
  const char *from;
  uint32_t bytes, sourceBytes;
};

/// The copies of one thread. A GPU may do each of them at any time between its
/// start and the wait for it; here they arrive as late as PTX allows.
class AsyncCopies {
public:
  void clear() {
    pending.clear();
    numGroups = 0;
  }

  void start(const AsyncCopy &copy) { pending.push_back({copy, numGroups}); }

  /// Makes the copies since the last commit a group, which may be empty.
  void commit() { ++numGroups; }

  /// Calls arrive(copy) for all groups but the last `left` ones.
  template <typename Arrive> void waitForGroups(uint32_t left, Arrive arrive) {
    waitWhile(
        [&](const Pending &copy) { return copy.group + left < numGroups; },
        arrive);
  }

  /// Calls arrive(copy) for all copies that were started.
  template <typename Arrive> void waitForAll(Arrive arrive) {
    waitWhile([](const Pending &) { return true; }, arrive);
  }

private:
  struct Pending {
    AsyncCopy copy;
    uint32_t group;
  };

  template <typename Holds, typename Arrive>
  void waitWhile(Holds holds, Arrive arrive) {
    auto end = pending.begin();
    for (; end != pending.end() && holds(*end); ++end)
      arrive(end->copy);
    pending.erase(pending.begin(), end);
  }

  std::vector<Pending> pending; ///< in the order of their groups
  uint32_t numGroups = 0;
};

} // namespace boost_emu

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_ASYNCCOPIES_H
