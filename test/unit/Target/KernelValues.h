//===- KernelValues.h - Kernels that run in a test -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles programs of the runtime level to machine code and loads them. The
// launch function of this test splits every kernel into uneven parts on the
// CPU, and runs its threads in several orders on an emulated GPU.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_TARGET_KERNELVALUES_H
#define BOOST_MLIR_TEST_UNIT_TARGET_KERNELVALUES_H

#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace mlir::boost {

/// The device that programs run on: the CPU, or an emulated GPU.
enum class Backend { CPU, GPU };

/// A loaded program with its arena.
class KernelValues : public ::testing::TestWithParam<Backend> {
protected:
  static constexpr int64_t kArenaBytes = 1 << 22;

  void SetUp() override {
    backend = GetParam();
    arena.assign(kArenaBytes / sizeof(float), 0.0f);
    // Uniform in [-4, 4): draws of the library take ten times as long.
    std::mt19937 random(1);
    for (float &value : arena)
      value = static_cast<float>(static_cast<double>(random()) * 0x1p-29 - 4);
  }

  /// Compiles the body of @f; %arena is its memref<4194304xi8>, and %oN is the
  /// index N MiB / 4.
  void run(const std::string &declarations, const std::string &body);

  /// A call of a function, with this slot of the stash if the program has one,
  /// and what happens before.
  struct Call {
    std::string function;
    int64_t slot = 0;
    std::function<void()> before = nullptr;
  };

  /// Compiles functions on tensors that `boost.tensor` names, after `passes` on
  /// tensors, and makes `calls`; `offsets` has where the memory plan has put
  /// tensors.
  void runTensors(const std::string &text, const std::string &passes);

  /// The tensor of this name before and after the call of runTensors.
  template <typename T> const T *inputOf(const std::string &name) const {
    return reinterpret_cast<const T *>(
        reinterpret_cast<const char *>(before.data()) + offsets.at(name));
  }
  template <typename T> T *outputOf(const std::string &name) {
    return reinterpret_cast<T *>(reinterpret_cast<char *>(arena.data()) +
                                 offsets.at(name));
  }

  /// Part N of the arena before and after the call.
  const float *input(int part) const { return &before[part * (1 << 18)]; }
  const float *output(int part) const { return &arena[part * (1 << 18)]; }

  static void expectNear(double actual, double expected, double tolerance) {
    EXPECT_LE(std::abs(actual - expected),
              tolerance * std::max(1.0, std::abs(expected)))
        << actual << " instead of " << expected;
  }

  /// The device that `run` compiles for.
  Backend backend = Backend::CPU;
  std::vector<float> arena, before;
  /// Errors that the emulator has found.
  std::string launchErrors;
  /// Breaks the device code on purpose.
  std::function<std::string(const std::string &)> changeCode;
  /// Begin of tensors in the arena, in bytes.
  std::map<std::string, int64_t> offsets;
  /// What a program is run as.
  std::vector<Call> calls = {{"f"}};
  /// Kernels that the last run has launched.
  int launches = 0;

private:
  /// Compiles the program by these passes and those of the backend, and runs
  /// it.
  void compileAndRun(const std::string &text, const std::string &passes);
  /// Notes where the memory plan has put tensors, if there is one.
  void readOffsets(mlir::ModuleOp module);
  /// Runs the program in several orders of threads, which must agree.
  void runOnDevice(mlir::ModuleOp module);
  /// Makes the calls on the arena.
  /// Makes a shared library of the module's functions, and returns its path.
  std::string link(mlir::ModuleOp module);
  /// Loads the library for it, and makes the calls on the arena.
  void makeCalls(const std::string &library);

  /// Where in the arena the stash begins, and bytes of one slot.
  int64_t stashOffset = 0, slotBytes = 0;
};

/// A view of part N of the arena.
std::string view(const std::string &name, int part, const std::string &type);

/// Sums of squares of x[8, 16, 64] over the given dimensions.
std::string sumOfSquares(const std::string &outMap,
                         const std::string &iterators,
                         const std::string &outType);

} // namespace mlir::boost

#endif // BOOST_MLIR_TEST_UNIT_TARGET_KERNELVALUES_H
