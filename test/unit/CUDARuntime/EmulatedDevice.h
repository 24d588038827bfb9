//===- EmulatedDevice.h - The runtime's kernels in a test -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_CUDARUNTIME_EMULATEDDEVICE_H
#define BOOST_MLIR_TEST_UNIT_CUDARUNTIME_EMULATEDDEVICE_H

#include "EmulatedCode.h"
#include "RuntimeTest.h"
#include "cuda/KernelLauncher.h"

#include <deque>
#include <functional>
#include <optional>

namespace boost_rt {

/// The orders of an emulated GPU's threads, on which no kernel may depend.
inline constexpr boost_emu::ThreadOrder kThreadOrders[] = {
    boost_emu::ThreadOrder::Forward, boost_emu::ThreadOrder::Reverse,
    boost_emu::ThreadOrder::Shuffled};

/// Bytes of an emulated GPU between two pages that fault. The host cannot reach
/// them unless it opens them.
class DeviceBytes {
public:
  /// `alignment` is that of the first byte; the last one is at the second page,
  /// but for what alignment costs.
  DeviceBytes(size_t bytes, size_t alignment);
  ~DeviceBytes();
  DeviceBytes(const DeviceBytes &) = delete;
  DeviceBytes &operator=(const DeviceBytes &) = delete;

  char *getData() const { return data; }
  void open() const { protect(true); }
  void close() const { protect(false); }

  /// Returns true if no byte around the allocation was written.
  bool isIntact() const;

private:
  void protect(bool isOpen) const;

  char *pages, *data;
  size_t pageBytes, bytes;
};

/// Starts kernels on the emulator.
class EmulatedDevice : public KernelLauncher {
public:
  explicit EmulatedDevice(boost_emu::ThreadOrder order) : order(order) {}

  void launch(const char *kernel, GridSize blocks, GridSize threads,
              uint32_t dynamicSharedBytes, void **arguments) override;
  void fill(void *data, int value, int64_t bytes) override;

  /// Runs this kernel alone, of another module, and keeps errors instead of
  /// failing the test.
  void runOnly(std::string kernel, const boost_emu::EmulatedCode &code);
  /// The first, or "".
  const std::string &getError() const { return error; }

  /// Device memory that is gone with the device.
  template <typename T>
  void *put(const std::vector<T> &values, size_t alignment = 64) {
    DeviceBytes &bytes = allocate(values.size() * sizeof(T), alignment);
    bytes.open();
    std::memcpy(bytes.getData(), values.data(), values.size() * sizeof(T));
    bytes.close();
    return bytes.getData();
  }

  /// Memory for `count` elements that hold nothing useful.
  template <typename T> void *reserve(int64_t count, size_t alignment = 64) {
    return allocate(static_cast<size_t>(count) * sizeof(T), alignment)
        .getData();
  }

  /// Returns `count` values from a pointer that `put` or `reserve` has
  /// returned.
  template <typename T> std::vector<T> get(const void *data, int64_t count) {
    std::vector<T> values(static_cast<size_t>(count));
    const DeviceBytes &bytes = find(data);
    bytes.open();
    EXPECT_TRUE(bytes.isIntact()) << "a kernel has written around a tensor";
    std::memcpy(values.data(), data, values.size() * sizeof(T));
    bytes.close();
    return values;
  }

private:
  DeviceBytes &allocate(size_t bytes, size_t alignment);
  const DeviceBytes &find(const void *data) const;

  boost_emu::ThreadOrder order;
  std::deque<DeviceBytes> memory;
  std::string replacedKernel, error;
  const boost_emu::EmulatedCode *replacement = nullptr;
};

/// Calls `run` on devices with all orders of threads; its results must have the
/// same bits. Returns the first.
template <typename Results>
Results runOnAllSchedules(const std::function<Results(EmulatedDevice &)> &run) {
  std::optional<Results> first;
  for (boost_emu::ThreadOrder order : kThreadOrders) {
    EmulatedDevice device(order);
    Results results = run(device);
    if (!first)
      first = results;
    EXPECT_TRUE(results == *first)
        << "another order of threads gives other values";
  }
  return *first;
}

/// Elements whose bits can be compared.
template <typename T> std::vector<uint8_t> getBits(const std::vector<T> &v) {
  std::vector<uint8_t> bits(v.size() * sizeof(T));
  std::memcpy(bits.data(), v.data(), bits.size());
  return bits;
}

/// Tensors of one type that are compared by their bits.
template <typename T> struct Bits {
  std::vector<T> values;

  bool operator==(const Bits &other) const {
    return getBits(values) == getBits(other.values);
  }
};

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_CUDARUNTIME_EMULATEDDEVICE_H
