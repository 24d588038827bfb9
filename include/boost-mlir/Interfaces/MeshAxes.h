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
#include <cstdint>

namespace mlir::boost {

/// A set of mesh axes: bit i is axis i of the mesh.
using AxisMask = uint32_t;

/// Axes over which one dimension is sharded, the most significant first: the
/// parts of the first axis are sharded over the second. No axis occurs twice.
class AxisList {
public:
  AxisList() = default;
  AxisList(std::initializer_list<int16_t> axes) : axes(axes) {}

  /// The axes of a set in the order of the mesh.
  static AxisList inMeshOrder(AxisMask set) {
    AxisList list;
    for (; set; set &= set - 1)
      list.push_back(static_cast<int16_t>(llvm::countr_zero(set)));
    return list;
  }

  operator ArrayRef<int16_t>() const { return axes; }
  auto begin() const { return axes.begin(); }
  auto end() const { return axes.end(); }
  size_t size() const { return axes.size(); }
  bool empty() const { return axes.empty(); }
  int16_t operator[](size_t index) const { return axes[index]; }
  int16_t back() const { return axes.back(); }
  void push_back(int16_t axis) { axes.push_back(axis); }
  void pop_back() { axes.pop_back(); }

  AxisMask getSet() const {
    AxisMask set = 0;
    for (int16_t axis : axes)
      set |= AxisMask(1) << axis;
    return set;
  }

  /// The axes of this list that are in `set`.
  AxisList restrictedTo(AxisMask set) const {
    AxisList list;
    for (int16_t axis : axes)
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
    const auto *found = llvm::find(order.axes, axis);
    ArrayRef<int16_t> before, after;
    if (found != order.end()) {
      before = ArrayRef<int16_t>(order.begin(), found);
      after = ArrayRef<int16_t>(found + 1, order.end());
    }
    size_t position = axes.size();
    while (position > 0 && !llvm::is_contained(before, axes[position - 1]))
      --position;
    while (position < axes.size() && axes[position] < axis &&
           !llvm::is_contained(after, axes[position]))
      ++position;
    axes.insert(axes.begin() + position, axis);
  }

  friend bool operator==(const AxisList &a, const AxisList &b) {
    return a.axes == b.axes;
  }
  friend bool operator!=(const AxisList &a, const AxisList &b) {
    return !(a == b);
  }

private:
  SmallVector<int16_t, 4> axes;
};

/// The axes over which each dimension of a tensor is sharded.
using Split = SmallVector<AxisList, 4>;

} // namespace mlir::boost

#endif // BOOST_MLIR_INTERFACES_MESHAXES_H
