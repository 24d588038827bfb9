//===- GridImpl.h - A running grid, for the intrinsics ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_GRIDIMPL_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_GRIDIMPL_H

#include "AccessChecker.h"
#include "AsyncCopies.h"
#include "Fiber.h"
#include "Fragments.h"
#include "Grid.h"

#include <cstring>
#include <deque>
#include <exception>
#include <random>
#include <string>

namespace boost_emu {

/// A value from every lane of a warp.
using LaneValues = std::array<uint32_t, kWarpSize>;

class Grid {
public:
  /// The grid that runs; ends the process if there is none.
  static Grid &current();

  Grid(const Launch &launch, const std::function<void()> &body);
  ~Grid();

  void run();

  // Indices of the running thread.
  Dim3 getThreadIndex() const { return unflatten(running, launch.block); }
  Dim3 getBlockIndex() const { return block; }
  uint32_t getLane() const { return running % kWarpSize; }
  WarpFragments &getFragments() { return fragments[running / kWarpSize]; }
  /// Lanes of its warp that the block has.
  uint32_t getWarpMask() const;
  const Launch &getLaunch() const { return launch; }

  /// Waits for all threads of the block. `site` is the place in the code, the
  /// same for all lanes of a warp at a barrier that is aligned.
  void meetBlock(uint32_t barrier, bool isAligned, uint32_t site);

  /// Waits at a barrier whose number of threads the code gives.
  void meetCount(uint32_t barrier, uint32_t count, bool isAligned,
                 uint32_t site);

  /// Waits for the lanes of `mask`, all of which must do the same `operation`;
  /// returns what they gave.
  const LaneValues &meetWarp(const char *operation, uint32_t mask,
                             uint32_t value);

  /// Waits for all lanes and orders their accesses.
  void synchronizeWarp(uint32_t mask);

  void recordAccess(const void *data, uint64_t bytes, bool isWrite,
                    bool isAtomic);

  /// The bytes at an address of shared memory, which is the lower half of a
  /// pointer.
  char *findShared(uint32_t address, uint64_t bytes);

  // Of the running thread: copies that arrive when it waits for them.
  void startCopy(const AsyncCopy &copy);
  void commitCopies() { threads[running].copies.commit(); }
  void waitForCopies(uint32_t groupsLeft);
  void waitForAllCopies();

  /// Ends the launch with an EmulationError that names the running thread.
  [[noreturn]] void fail(const std::string &what);

private:
  enum class State { Ready, AtBarrier, InWarp, Ended };

  /// The operation that threads wait at: one of a warp, or a numbered barrier.
  struct Operation {
    const char *name = "";
    uint32_t number = 0;

    std::string print() const;
    bool operator==(const Operation &other) const {
      return number == other.number &&
             (name == other.name || !std::strcmp(name, other.name));
    }
  };

  struct Thread {
    Fiber fiber;
    State state;
    // The barrier or warp operation that the thread reached last.
    Operation operation;
    uint32_t mask, value, site;
    LaneValues values;
    AsyncCopies copies;
  };

  static std::deque<Thread> &getStacks();
  static void enterThread(void *grid);
  static Dim3 unflatten(uint64_t index, Dim3 size);

  void checkLaunch() const;
  std::vector<uint64_t> getOrder(uint64_t count);
  void runBlock();
  void startBlock();
  void resume(uint32_t thread);
  void endThread();
  void suspend(State state);
  [[noreturn]] void reportDeadlock();
  void checkCanary() const;
  uint32_t getWarpmate(uint32_t lane) const {
    return running - getLane() + lane;
  }
  void checkWarpmate(uint32_t lane);
  void finishCopy(const AsyncCopy &copy);
  void failIfRace(const std::string &rival, const char *what, const void *data,
                  uint64_t bytes);
  void finishWarp();
  uint32_t findThread(State state) const;
  std::string describe(uint32_t thread) const;
  std::string describeAddress(const void *data) const;
  EmulationError getError(const std::string &what) const;

  const Launch &launch;
  const std::function<void()> &body;
  std::deque<Thread> &threads; ///< at least numThreads
  uint32_t numThreads;
  uint32_t running = 0, numEnded = 0, numAtBarrier = 0;
  Dim3 block;
  AccessChecker checker;
  std::vector<WarpFragments> fragments; ///< by warp
  std::vector<SharedBuffer> shared;
  std::mt19937_64 random;
  std::exception_ptr failure;
};

} // namespace boost_emu

/// Behind it, bytes that nobody may write.
extern "C" unsigned char boost_emu_dynamic_shared[];

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_GRIDIMPL_H
