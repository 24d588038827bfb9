//===- ArenaAllocator.h - Offsets in one arena ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Best fit with coalescing, as the memory plan simulates it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_UTILS_ARENAALLOCATOR_H
#define BOOST_MLIR_DIALECT_BOOSTRT_UTILS_ARENAALLOCATOR_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace mlir::boost::rt {

/// Bytes that a buffer takes of an arena with this alignment.
inline int64_t getRoom(int64_t bytes, int64_t alignment) {
  return (std::max<int64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
}

/// Hands out offsets of a growing arena. Every operation takes time logarithmic
/// in the number of free pieces.
class ArenaAllocator {
public:
  /// Offsets are multiples of `alignment`.
  explicit ArenaAllocator(int64_t alignment) : alignment(alignment) {}

  /// The smallest free piece that is large enough, else room at the end.
  int64_t allocate(int64_t bytes) {
    bytes = getRoom(bytes, alignment);
    auto fit = bySize.lower_bound({bytes, 0});
    if (fit == bySize.end())
      return allocateAtEnd(bytes);
    auto [size, offset] = *fit;
    erase(offset, size);
    if (size > bytes)
      insert(offset + bytes, size - bytes);
    return offset;
  }

  /// Gives back what `allocate(bytes)` returned; free neighbors become one.
  void release(int64_t offset, int64_t bytes) {
    int64_t size = getRoom(bytes, alignment);
    auto next = byOffset.lower_bound(offset);
    if (next != byOffset.end() && next->first == offset + size) {
      auto [nextOffset, nextSize] = *next;
      erase(nextOffset, nextSize);
      size += nextSize;
    }
    auto previous = byOffset.lower_bound(offset);
    if (previous != byOffset.begin()) {
      auto [start, length] = *std::prev(previous);
      if (start + length == offset) {
        erase(start, length);
        offset = start;
        size += length;
      }
    }
    insert(offset, size);
  }

  /// Bytes that the arena must have.
  int64_t getSize() const { return end; }

private:
  /// A free piece at the end is made longer.
  int64_t allocateAtEnd(int64_t bytes) {
    int64_t offset = end;
    if (!byOffset.empty()) {
      auto [start, length] = *byOffset.rbegin();
      if (start + length == end) {
        erase(start, length);
        offset = start;
      }
    }
    end = offset + bytes;
    return offset;
  }

  void insert(int64_t offset, int64_t size) {
    byOffset.emplace(offset, size);
    bySize.emplace(size, offset);
  }
  void erase(int64_t offset, int64_t size) {
    byOffset.erase(offset);
    bySize.erase({size, offset});
  }

  int64_t alignment;
  int64_t end = 0;
  std::map<int64_t, int64_t> byOffset;
  std::set<std::pair<int64_t, int64_t>> bySize;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_UTILS_ARENAALLOCATOR_H
