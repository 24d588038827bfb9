//===- AccessChecker.h - Races of emulated threads --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two threads race for a byte if one of them writes it and nothing orders their
// accesses. Barriers of the block order its threads, barriers of a whole warp
// those of the warp; shuffles and votes order nothing, and neither does
// anything between blocks. Atomic operations do not race with each other.
// Everything races with an asynchronous copy that its thread has not waited
// for.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_ACCESSCHECKER_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_ACCESSCHECKER_H

#include "Module.h"

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace boost_emu {

constexpr uint32_t kWarpSize = 32;

/// Remembers, for every byte touched in a launch, who wrote and read it; takes
/// 25 bytes for each.
class AccessChecker {
public:
  struct Access {
    const char *data;
    uint64_t bytes;
    uint32_t thread;
    bool isWrite, isAtomic;
  };

  void startBlock(const std::vector<SharedBuffer> &shared);
  void passBlockBarrier() { ++interval; }
  void passWarpBarrier(uint32_t warp) { ++warpIntervals[warp]; }

  /// Remembers an access; says what it races with, or returns "".
  std::string record(const Access &access);

  /// Check an access to whole words at some time between the two calls.
  std::string startCopy(const Access &access);
  std::string finishCopy(const Access &access);

private:
  /// One thread at one time.
  struct Moment {
    uint32_t interval;
    uint16_t warpInterval, thread;
  };

  /// The threads that accessed a byte in one way since the last barrier: one
  /// thread, several of one warp since its last barrier, or several warps.
  struct Touch {
    uint32_t interval : 31;          ///< 0: nobody ever
    uint32_t isFromEarlierBlock : 1; ///< also touched there
    uint16_t warpInterval, who;

    void add(const Moment &now, uint32_t blockStart);
    bool isByOtherBlock(uint32_t blockStart) const;
    bool isUnordered(const Moment &now) const;
  };

  struct Byte {
    Touch write, read, atomic;
  };

  /// The access that this one races with, in two parts; null if there is none.
  struct Rival {
    const char *what = nullptr, *where = nullptr;
  };

  static constexpr uint64_t kPageBytes = 1024, kWordBytes = 4;

  /// Most accesses are to whole words: until one is not, the first byte stands
  /// for all.
  struct Word {
    std::array<Byte, kWordBytes> bytes;
    bool isSplit = false;
    /// True while an asynchronous copy to the word has not finished.
    bool isAwaited = false;
  };
  using Page = std::array<Word, kPageBytes / kWordBytes>;

  Word &getWord(uint64_t address);
  void setAwaited(const Access &access, bool isAwaited);
  Rival touch(Byte &byte, const Access &access, const Moment &now);
  /// Records an access to bytes of one word and returns its rival.
  Rival touchWord(uint64_t address, uint64_t bytes, const Access &access,
                  const Moment &now);

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  uint64_t lastPageIndex = 0;
  Page *lastPage = nullptr;
  /// Both count barriers of the block since the launch.
  uint32_t interval = 0, blockStart = 0;
  std::array<uint16_t, 1024 / kWarpSize> warpIntervals = {};
};

} // namespace boost_emu

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_ACCESSCHECKER_H
