//===- AccessPattern.h - Which units of memory are touched ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets of addresses as strided runs, and questions about two of them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_ACCESSPATTERN_H
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_ACCESSPATTERN_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <optional>
#include <vector>

namespace mlir::boost::rt {

/// The addresses of a strided layout, in one normal form: runs of `length`
/// units, repeated along dimensions of growing stride. Units are bytes or
/// elements, as the caller likes.
class AccessPattern {
public:
  struct Dim {
    int64_t size, stride;
    bool operator==(const Dim &other) const {
      return size == other.size && stride == other.stride;
    }
  };
  /// [first, second)
  using Interval = std::pair<int64_t, int64_t>;

  AccessPattern() = default;
  /// `unit` units at `begin`, repeated along dimensions of these sizes and
  /// strides; strides are in units as well.
  AccessPattern(int64_t begin, ArrayRef<int64_t> sizes,
                ArrayRef<int64_t> strides, int64_t unit = 1);
  /// Returns the accesses to a memref of a static layout, in units of `unit`
  /// per element, when its first element is at `begin`.
  static AccessPattern get(MemRefType type, int64_t begin, int64_t unit = 1);

  void shift(int64_t units) { begin += units; }

  bool isEmpty() const { return length == 0; }
  /// Returns true if there are no gaps.
  bool isContiguous() const { return dims.empty(); }
  int64_t getBegin() const { return begin; }
  /// Past the last unit.
  int64_t getEnd() const;
  /// Returns the number of units; -1 if they cannot be listed.
  int64_t count() const;
  /// Returns true if there are few enough runs to inspect each of them. No
  /// program needs more; a pattern that is not listable contains only its
  /// equals and intersects every pattern.
  bool isListable() const;
  bool contains(const AccessPattern &other) const;
  bool intersects(const AccessPattern &other) const;
  bool operator==(const AccessPattern &other) const {
    return begin == other.begin && length == other.length && dims == other.dims;
  }
  bool operator!=(const AccessPattern &other) const {
    return !(*this == other);
  }

  /// All runs in order, none of which touch.
  std::vector<Interval> getIntervals() const;
  /// A short form, relative to the begin: equal for equal patterns.
  void appendKey(std::vector<int64_t> &key) const;

private:
  friend class PatternRelations;

  void addDim(int64_t size, int64_t stride);
  /// Returns true if the runs are in order and do not overlap.
  bool isRegular() const;
  /// Two patterns with the same gaps so close that only neighboring runs can
  /// meet: the distance of `other` from this, if that is so.
  std::optional<int64_t> findShift(const AccessPattern &other) const;
  /// The answer if it needs no list of the runs.
  std::optional<bool> containsByForm(const AccessPattern &other) const;
  std::optional<bool> intersectsByForm(const AccessPattern &other) const;
  /// The answers run by run, where the form says nothing.
  bool containsRuns(const AccessPattern &other) const;
  bool intersectsRuns(const AccessPattern &other) const;

  int64_t begin = 0, length = 0;
  SmallVector<Dim, 2> dims;
};

/// Answers about patterns that have to be compared run by run, kept for the
/// next pair that lies alike: layers repeat.
class PatternRelations {
public:
  bool contains(const AccessPattern &outer, const AccessPattern &inner);
  bool intersects(const AccessPattern &a, const AccessPattern &b);

private:
  std::map<std::vector<int64_t>, bool> known;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_ACCESSPATTERN_H
