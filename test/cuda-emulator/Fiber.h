//===- Fiber.h - Threads that switch by hand --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A switch saves the registers that a callee must keep and nothing else, so
// that thousands of GPU threads are affordable. x86-64 only.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_FIBER_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_FIBER_H

#include <cstddef>

namespace boost_emu {

/// A stack and where its code stands. Can be started again once it has ended or
/// is to be forgotten; destructors of forgotten frames do not run.
class Fiber {
public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Prepares a call of `body`, which must not throw.
  void start(void (*body)(void *), void *argument);

  /// Called outside of all fibers: runs this one until it suspends or ends.
  void resume();

  /// Called inside of this fiber: returns to resume().
  void suspend();

  bool hasEnded() const { return isEnded; }

  /// Returns true if `pointer` is in the fiber's stack.
  bool owns(const void *pointer) const;

private:
  static void enter(Fiber *fiber);

  char *memory; ///< a page that faults, then the stack
  void *stackPointer = nullptr, *callerStackPointer = nullptr;
  void (*body)(void *) = nullptr;
  void *argument = nullptr;
  bool isEnded = true;
};

} // namespace boost_emu

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_FIBER_H
