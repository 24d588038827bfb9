//===- Options.h - What options of passes choose from -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerations of the options of passes, whose names boost-opt and
// boost-compile share.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_OPTIONS_H
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_OPTIONS_H

#include "boost-mlir/Support/NamedValues.h"
#include <cstdint>

namespace mlir::boost {

/// The types that f32 programs are computed in.
enum class PrecisionKind { F32, BF16 };

/// The ways to shard a program. PlacementRules has the rules of those up to
/// `HiddenHead`.
enum class PlacementKind {
  Auto, ///< the driver chooses; no pass takes it
  Bottleneck,
  Megatron,
  Vanilla,
  Sequence,
  Gathered,
  VocabularyEmbedding,
  HiddenHead,
  Searched,
  Replicated,
  Given
};

/// The optimizers that can be added to a gradient.
enum class OptimizerKind { AdamW };

/// Sets of classes of operations that the backward pass recomputes.
enum class RematKind { None, LowRank, FullBlock };

/// Classes of operations by what computing them again takes. Options choose
/// from those between `Never` and `Collective`.
enum class RecomputeClass : uint8_t {
  Never = 0,            ///< effects, or not known to repeat itself
  Elementwise = 1 << 0, ///< a pass over memory
  UpProjection = 1 << 1,
  DownProjection = 1 << 2, ///< a product with fewer elements than its operand
  Attention = 1 << 3,
  Collective = 1 << 4
};

template <> llvm::ArrayRef<NamedValue<PrecisionKind>> getNamedValues();
template <> llvm::ArrayRef<NamedValue<PlacementKind>> getNamedValues();
template <> llvm::ArrayRef<NamedValue<OptimizerKind>> getNamedValues();
template <> llvm::ArrayRef<NamedValue<RematKind>> getNamedValues();
template <> llvm::ArrayRef<NamedValue<RecomputeClass>> getNamedValues();

} // namespace mlir::boost

namespace llvm::cl {

template <>
class parser<mlir::boost::PrecisionKind>
    : public mlir::boost::NamedValueParser<mlir::boost::PrecisionKind> {
  using NamedValueParser::NamedValueParser;
};
template <>
class parser<mlir::boost::PlacementKind>
    : public mlir::boost::NamedValueParser<mlir::boost::PlacementKind> {
  using NamedValueParser::NamedValueParser;
};
template <>
class parser<mlir::boost::OptimizerKind>
    : public mlir::boost::NamedValueParser<mlir::boost::OptimizerKind> {
  using NamedValueParser::NamedValueParser;
};
template <>
class parser<mlir::boost::RematKind>
    : public mlir::boost::NamedValueParser<mlir::boost::RematKind> {
  using NamedValueParser::NamedValueParser;
};
template <>
class parser<mlir::boost::RecomputeClass>
    : public mlir::boost::NamedValueParser<mlir::boost::RecomputeClass> {
  using NamedValueParser::NamedValueParser;
};

} // namespace llvm::cl

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_OPTIONS_H
