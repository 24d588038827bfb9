//===- PassArithmetic.cpp - What passes do to arithmetic ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Prove/PassArithmetic.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::boost::prove;

static const llvm::StringMap<PassArithmetic> &getTable() {
  static const llvm::StringMap<PassArithmetic> table = {
#define BOOST_PASS_ARITHMETIC(FLAG, TAG, BOUND)                                \
  {FLAG, {PassArithmetic::Tag::TAG, BOUND}},
#include "PassArithmetic.inc"
  };
  return table;
}

std::optional<PassArithmetic>
mlir::boost::prove::getArithmetic(StringRef flag) {
  auto it = getTable().find(flag);
  if (it != getTable().end()) {
    PassArithmetic arithmetic = it->second;
    if (arithmetic.tag == PassArithmetic::Tag::reassociating)
      arithmetic.bound = kReassociationBound;
    return arithmetic;
  }
  bool isOurs = flag.starts_with("boost") || flag.starts_with("convert-");
  if (isOurs)
    return std::nullopt;
  return PassArithmetic{PassArithmetic::Tag::exact, 0};
}
