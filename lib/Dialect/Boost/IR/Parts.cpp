//===- Parts.cpp - Packed tensors and the tensors in them -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Parts.h"

using namespace mlir;
using namespace mlir::boost;

SmallVector<PartAttr> mlir::boost::getParts(DictionaryAttr attrs) {
  auto list = attrs ? attrs.getAs<ArrayAttr>(kPartsAttr) : ArrayAttr();
  return list ? llvm::to_vector(list.getAsRange<PartAttr>())
              : SmallVector<PartAttr>();
}

bool mlir::boost::isPackedAlong(ArrayRef<PartAttr> parts, int64_t dim) {
  return llvm::any_of(parts,
                      [&](PartAttr part) { return part.getDim() == dim; });
}

std::optional<StackedRows> mlir::boost::getStackedRows(DictionaryAttr attrs) {
  auto rows =
      attrs ? attrs.getAs<DenseI64ArrayAttr>(kRowsAttr) : DenseI64ArrayAttr();
  return rows ? std::optional(StackedRows{rows[0], rows[1]}) : std::nullopt;
}

bool mlir::boost::areRowsOf(ArrayRef<int64_t> rows, ArrayRef<int64_t> shape) {
  return rows.size() == 2 && !shape.empty() && rows[0] >= 0 &&
         shape[0] <= rows[1] - rows[0];
}

StringAttr mlir::boost::getRowsName(StringAttr whole, int64_t chunk) {
  return StringAttr::get(whole.getContext(),
                         whole.getValue() + "@" + Twine(chunk));
}

StringRef mlir::boost::getWholeName(StringRef rows) {
  return rows.rsplit('@').first;
}

void mlir::boost::setPartsOf(NamedAttrList &attrs, DictionaryAttr like,
                             StringRef prefix, StringAttr init) {
  SmallVector<Attribute> parts;
  for (PartAttr part : getParts(like)) {
    auto name =
        StringAttr::get(like.getContext(), prefix + part.getName().getValue());
    parts.push_back(PartAttr::get(like.getContext(), name, part.getName(), init,
                                  part.getDim(), part.getOffset(),
                                  part.getShape()));
  }
  if (!parts.empty())
    attrs.set(kPartsAttr, ArrayAttr::get(like.getContext(), parts));
}
