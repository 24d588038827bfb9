//===- Parts.h - Packed tensors and the tensors in them ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes `boost.parts`, with which an argument or result says that it
// holds several tensors that users know by name.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_PARTS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_PARTS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

namespace mlir::boost {

/// The parts of an argument or result with these attributes; none if it is not
/// packed.
SmallVector<PartAttr> getParts(DictionaryAttr attrs);

/// Returns true if tensors are packed along `dim` of a tensor with these parts.
/// That dimension cannot be sharded: ranks hold a shard of every part.
bool isPackedAlong(ArrayRef<PartAttr> parts, int64_t dim);

/// Packs a tensor like the parameter with attributes `like`: each part belongs
/// to a part of the parameter and is called `prefix` and its name.
void setPartsOf(NamedAttrList &attrs, DictionaryAttr like, StringRef prefix,
                StringAttr init = {});

/// `list`, one entry per dimension of the packed tensor, for the dimensions of
/// the part.
template <typename List>
SmallVector<typename List::value_type> takePartDims(const List &list,
                                                    PartAttr part) {
  SmallVector<typename List::value_type> taken(list.begin(), list.end());
  if (part.isStacked(taken.size()))
    taken.erase(taken.begin() + part.getDim());
  return taken;
}

/// The place of a tensor of a few layers in the one that is stacked over all of
/// them.
struct StackedRows {
  int64_t first, total;
};

/// Reads `boost.rows` among the attributes of an argument or result, if it has
/// it.
std::optional<StackedRows> getStackedRows(DictionaryAttr attrs);

/// Returns true if `rows` may be the `boost.rows` of a tensor of this shape.
bool areRowsOf(ArrayRef<int64_t> rows, ArrayRef<int64_t> shape);

/// Returns the name of rows that belong to chunk `chunk` of the layers.
StringAttr getRowsName(StringAttr whole, int64_t chunk);

/// Returns the name of the tensor that rows of this name belong to.
StringRef getWholeName(StringRef rows);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_PARTS_H
