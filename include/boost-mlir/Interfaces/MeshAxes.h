//===- MeshAxes.h - Sets and lists of mesh axes -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which axes of a mesh: as a set where their order means nothing, as a list
// where it does.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_MESHAXES_H
#define BOOST_MLIR_INTERFACES_MESHAXES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

namespace mlir::boost {

/// A set of mesh axes: bit i is axis i of the mesh.
using AxisMask = uint32_t;

/// The largest number of axes of a mesh: sets of them are bit masks, in the
/// runtime too.
inline constexpr size_t kMaxMeshAxes = 31;

/// Axes over which one dimension is sharded, the most significant first: the
/// parts of the first axis are sharded over the second. No axis occurs twice.
/// Trivial to copy: the partitioner compares many forms of every operation.
class AxisList {
public:
  AxisList() = default;
  AxisList(std::initializer_list<int16_t> axes) {
    for (int16_t axis : axes)
      push_back(axis);
  }

  /// The axes of a set in the order of the mesh.
  static AxisList inMeshOrder(AxisMask set) {
    AxisList list;
    for (; set; set &= set - 1)
      list.push_back(static_cast<int16_t>(llvm::countr_zero(set)));
    return list;
  }

  const uint8_t *begin() const { return axes.data(); }
  const uint8_t *end() const { return begin() + count; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  int16_t operator[](size_t index) const { return axes[index]; }
  int16_t back() const { return axes[count - 1]; }
  void push_back(int16_t axis) {
    assert(size() < kMaxMeshAxes && "expects every axis once");
    axes[count++] = static_cast<uint8_t>(axis);
  }
  void pop_back() { --count; }

  /// The list as attributes of operations have it.
  SmallVector<int16_t> getGridAxes() const {
    return llvm::to_vector_of<int16_t>(*this);
  }

  AxisMask getSet() const {
    AxisMask set = 0;
    for (int16_t axis : *this)
      set |= AxisMask(1) << axis;
    return set;
  }

  /// The axes of this list that are in `set`.
  AxisList restrictedTo(AxisMask set) const {
    AxisList list;
    for (int16_t axis : *this)
      if (set >> axis & 1)
        list.push_back(axis);
    return list;
  }

  bool isPrefixOf(const AxisList &other) const {
    return size() <= other.size() && std::equal(begin(), end(), other.begin());
  }

  /// Adds an axis where `order` has it among the axes of this list; where
  /// `order` does not say, where the mesh has it.
  void insert(int16_t axis, const AxisList &order) {
    const uint8_t *found = llvm::find(order, axis);
    ArrayRef<uint8_t> before, after;
    if (found != order.end()) {
      before = ArrayRef<uint8_t>(order.begin(), found);
      after = ArrayRef<uint8_t>(found + 1, order.end());
    }
    size_t position = size();
    while (position > 0 && !llvm::is_contained(before, axes[position - 1]))
      --position;
    while (position < size() && axes[position] < axis &&
           !llvm::is_contained(after, axes[position]))
      ++position;
    push_back(axis);
    std::rotate(axes.begin() + position, axes.begin() + count - 1,
                axes.begin() + count);
  }

  friend bool operator==(const AxisList &a, const AxisList &b) {
    return a.size() == b.size() && a.isPrefixOf(b);
  }
  friend bool operator!=(const AxisList &a, const AxisList &b) {
    return !(a == b);
  }

private:
  std::array<uint8_t, kMaxMeshAxes> axes;
  uint8_t count = 0;
};

/// The axes over which each dimension of a tensor is sharded.
using Split = SmallVector<AxisList, 4>;

} // namespace mlir::boost

#endif // BOOST_MLIR_INTERFACES_MESHAXES_H
