//===- Factors.cpp - Factors of bottlenecks that are operations -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Factors.h"

using namespace mlir;
using namespace mlir::boost;

/// The names of the factors, in the order of their values.
static constexpr StringLiteral kNames[] = {"first", "middle", "second"};

std::optional<Factor> mlir::boost::parseFactor(Attribute name) {
  auto text = dyn_cast_or_null<StringAttr>(name);
  const auto *found =
      text ? llvm::find(kNames, text.getValue()) : std::end(kNames);
  if (found == std::end(kNames))
    return std::nullopt;
  return static_cast<Factor>(found - std::begin(kNames));
}

std::optional<Factor> mlir::boost::getFactor(Operation *op) {
  return parseFactor(op->getAttr(kFactorAttr));
}

bool mlir::boost::makesLatent(Operation *op) {
  std::optional<Factor> factor = getFactor(op);
  return factor && factor != Factor::Second;
}

void mlir::boost::setFactor(Operation *op, Factor factor) {
  StringRef name = kNames[static_cast<size_t>(factor)];
  op->setAttr(kFactorAttr, StringAttr::get(op->getContext(), name));
}

void mlir::boost::copyFactor(Operation *from, Operation *to) {
  if (std::optional<Factor> factor = getFactor(from))
    setFactor(to, *factor);
}
