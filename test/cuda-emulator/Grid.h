//===- Grid.h - The threads of a launch, one after the other ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks run one after another; the threads of a block are fibers that switch
// only where they meet: at barriers, and at what a warp does together. A kernel
// whose results depend on the order, or that a GPU could not run to its end, is
// wrong.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_GRID_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_GRID_H

#include "Module.h"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace boost_emu {

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// In what order blocks run, and the threads of a block between two barriers.
enum class ThreadOrder { Forward, Reverse, Shuffled };

struct Launch {
  Dim3 grid, block;
  size_t dynamicSharedBytes = 0;
  ThreadOrder order = ThreadOrder::Forward;
  uint64_t seed = 0;             ///< of ThreadOrder::Shuffled
  std::string kernel = "kernel"; ///< for messages
  std::vector<SharedBuffer> staticShared;
};

/// An error of a kernel; names kernel, block and thread.
class EmulationError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Calls `thread` for all threads of the grid; they find out who they are
/// through the boost_emu_* functions. One grid runs at a time. Throws
/// EmulationError, and what `thread` throws.
void runGrid(const Launch &launch, const std::function<void()> &thread);

/// Runs a kernel of a module: fills in `launch.kernel` and the static shared
/// memory. `arguments` are those of cudaLaunchKernel.
void runKernel(const EmulatedModule &module, const std::string &kernel,
               Launch launch, void **arguments);

/// The functions and variables that retargeted code refers to.
struct EmulatorSymbol {
  const char *name;
  void *address;
};
const std::vector<EmulatorSymbol> &getEmulatorSymbols();

} // namespace boost_emu

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_GRID_H
