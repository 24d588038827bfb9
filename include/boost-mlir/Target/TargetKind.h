//===- TargetKind.h - The targets by name -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_TARGETKIND_H
#define BOOST_MLIR_TARGET_TARGETKIND_H

#include "boost-mlir/Support/NamedValues.h"

namespace mlir::boost {

/// The targets that options choose from; getTarget describes them.
enum class TargetKind { CPU, CUDA };

template <> llvm::ArrayRef<NamedValue<TargetKind>> getNamedValues();

} // namespace mlir::boost

template <>
class llvm::cl::parser<mlir::boost::TargetKind>
    : public mlir::boost::NamedValueParser<mlir::boost::TargetKind> {
  using NamedValueParser::NamedValueParser;
};

#endif // BOOST_MLIR_TARGET_TARGETKIND_H
