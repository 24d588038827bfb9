//===- ProgramOnGPU.h - A program on the emulator, call by call -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_CUDADEVICE_PROGRAMONGPU_H
#define BOOST_MLIR_TEST_UNIT_CUDADEVICE_PROGRAMONGPU_H

#include "common/Device.h"
#include "common/Random.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace boost_rt {

/// The constants of boost_program_constants: [0, 2), [2, 5) and [5, 8).
extern const float programConstants[8];

template <typename T> ElementType typeOf();
template <> inline ElementType typeOf<float>() { return BOOST_RT_F32; }
template <> inline ElementType typeOf<double>() { return BOOST_RT_F64; }
template <> inline ElementType typeOf<BFloat16>() { return BOOST_RT_BF16; }
template <> inline ElementType typeOf<int32_t>() { return BOOST_RT_I32; }

/// Normal numbers, rounded to the type they are stored in.
template <typename T>
std::vector<T> randomValues(int64_t count, const char *name) {
  std::vector<T> values(static_cast<size_t>(count));
  NormalStream(7, name).generate(0, count, [&](int64_t i, double value) {
    values[static_cast<size_t>(i)] = T(static_cast<float>(value));
  });
  return values;
}

/// An environment variable that is as it was once the object is gone.
class ScopedVariable {
public:
  ScopedVariable(const char *name, const char *value) : name(name) {
    ::setenv(name, value, 1);
  }
  ~ScopedVariable() { ::unsetenv(name); }

private:
  const char *name;
};

/// The calls of Functions.def that generated code makes.
using Calls = std::function<void(boost_rt_context *)>;

/// A device and tensors in its arena.
class ProgramOnGPU {
public:
  static constexpr int64_t tensorBytes = 1 << 16, workspaceBytes = 1 << 20;
  static constexpr const char *oneRank = R"([{"name": "tp", "size": 1}])";

  /// By default on one rank.
  explicit ProgramOnGPU(const DeviceOptions &options = {},
                        const char *mesh = oneRank,
                        std::unique_ptr<Communicator> ranks = nullptr)
      : program({manifest(mesh).c_str(), functions, boost_program_device_images,
                 boost_program_constants}),
        communicator(ranks ? std::move(ranks) : createLocalCommunicator()) {
    // Death tests want no other thread.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ::setenv("BOOST_CUDA_EMULATOR", BOOST_CUDA_EMULATOR_LIBRARY, 1);
    device = createDevice(program, *communicator, options);
  }

  /// Runs a function that makes these calls, for the first time, and waits.
  void run(Calls calls) {
    run(functionOf(std::move(calls)));
    device->synchronize();
  }

  /// A function that may run more than once.
  const Function &functionOf(Calls calls, bool usesStash = false,
                             std::vector<FunctionCall> described = {}) {
    bodies.push_back({{{}, {}, callBody, {}, usesStash, std::move(described)},
                      std::move(calls)});
    return bodies.back().function;
  }
  void run(const Function &function, int64_t slot = 0) {
    for (Body &body : bodies)
      if (&body.function == &function)
        current = {&body, this};
    device->run(function, slot);
  }
  /// The slot of the stash that the last function was given.
  char *lastSlot() const { return stash; }

  /// A tensor in device memory, which the host cannot read. `alignment` is the
  /// largest power of two that divides its address.
  template <typename T>
  void *put(const std::vector<T> &values, int64_t alignment = 64) {
    auto bytes = static_cast<int64_t>(values.size() * sizeof(T));
    int64_t offset = reserveBytes(bytes, alignment);
    void *address = findArena() + offset;
    auto mapping = device->map(offset, bytes, Access::write);
    std::memcpy(mapping.data(), values.data(), static_cast<size_t>(bytes));
    return address;
  }
  template <typename T> void *reserve(int64_t count) {
    return put(std::vector<T>(static_cast<size_t>(count), T(-77)));
  }
  template <typename T> std::vector<T> get(const void *data, int64_t count) {
    std::vector<T> values(static_cast<size_t>(count));
    auto bytes = count * static_cast<int64_t>(sizeof(T));
    auto mapping = device->map(offsetOf(data), bytes, Access::read);
    std::memcpy(values.data(), mapping.data(), static_cast<size_t>(bytes));
    return values;
  }

  RunRecord &record() { return device->getRecord(); }

  Program program;
  std::unique_ptr<Communicator> communicator;
  std::unique_ptr<Device> device;

private:
  struct Body {
    Function function;
    Calls calls;
  };
  struct Current {
    const Body *body;
    ProgramOnGPU *program;
  };

  static constexpr boost_program_function functions[] = {{nullptr, nullptr}};

  static std::string manifest(const char *mesh) {
    return std::string(R"({"format": 1, "name": "device", "mesh": )") + mesh +
           R"(, "arena_bytes": )" +
           std::to_string(tensorBytes + workspaceBytes) +
           R"(, "workspace": {"offset": )" + std::to_string(tensorBytes) +
           R"(, "bytes": )" + std::to_string(workspaceBytes) +
           R"(}, "tensors": [], "functions": {},
               "calls": [{"call": "factorize", "class": "contraction",
                          "location": "unknown"}],
               "plan": {"collectives": [{"kind": "all_reduce", "bytes": 0},
                                        {"kind": "all_gather", "bytes": 0}]}})";
  }

  static void callBody(boost_rt_context *context, void *arena, void *stash) {
    current.program->arena = static_cast<char *>(arena);
    current.program->stash = static_cast<char *>(stash);
    current.body->calls(context);
  }

  /// Returns the address of the arena, which functions get.
  char *findArena() {
    if (!arena)
      run([](boost_rt_context *) {});
    return arena;
  }
  int64_t offsetOf(const void *data) {
    return static_cast<const char *>(data) - findArena();
  }
  int64_t reserveBytes(int64_t bytes, int64_t alignment) {
    int64_t offset = (used + 511) / 512 * 512 + alignment;
    used = offset + bytes;
    EXPECT_LE(used, tensorBytes);
    return offset;
  }

  inline static Current current;
  std::deque<Body> bodies;
  char *arena = nullptr, *stash = nullptr;
  int64_t used = 0;
};

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_CUDADEVICE_PROGRAMONGPU_H
