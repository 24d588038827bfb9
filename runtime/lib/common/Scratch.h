//===- Scratch.h - Buffers that are kept between calls ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_SCRATCH_H
#define BOOST_RUNTIME_COMMON_SCRATCH_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace boost_rt {

/// Buffers that each thread owns. A buffer grows to the largest request, which
/// the first step reaches; later steps allocate nothing.
class Scratch {
public:
  explicit Scratch(int threads) : buffers(static_cast<size_t>(threads)) {}
  ~Scratch();
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  /// At least `bytes` of uninitialized memory on a 64-byte boundary; the next
  /// call for the same thread takes it back.
  void *get(int thread, int64_t bytes);

private:
  struct Buffer {
    void *data = nullptr;
    int64_t bytes = 0;
  };
  std::vector<Buffer> buffers;
};

/// Places arrays one behind another in one scratch buffer.
class ScratchStack {
public:
  explicit ScratchStack(void *base) : next(static_cast<char *>(base)) {}

  template <typename T> T *take(int64_t count) {
    T *array = reinterpret_cast<T *>(next);
    next += paddedBytes<T>(count);
    return array;
  }
  template <typename T> static int64_t paddedBytes(int64_t count) {
    return (count * static_cast<int64_t>(sizeof(T)) + 63) / 64 * 64;
  }

private:
  char *next;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_SCRATCH_H
