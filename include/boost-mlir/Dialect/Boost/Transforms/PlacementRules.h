//===- PlacementRules.h - The rules of placements ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of each placement that follows rules, as data. Later passes do
// not know placements: they see the shardings of arguments and of values.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEMENTRULES_H
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEMENTRULES_H

#include "boost-mlir/Dialect/Boost/Transforms/Options.h"

namespace mlir::boost {

/// The tensors that a placement shards over `tp`.
struct PlacementRules {
  /// The residual stream.
  enum class Stream { Hidden, Replicated };
  /// The sharding of latents. `Rank`: first factors are column-parallel, second
  /// ones row-parallel; otherwise the other way round.
  enum class Latents { Replicated, Sequence, Rank };
  /// The table of token embeddings. One that is also the head is sharded along
  /// the vocabulary where it would be replicated.
  enum class Embedding { Hidden, Vocabulary, Replicated };
  enum class Head { Vocabulary, Hidden };

  PlacementKind kind;
  Stream stream = Stream::Hidden;
  Latents latents = Latents::Replicated;
  /// First factors that several second ones share, such as those of q, k and v,
  /// are replicated.
  bool replicatesFused = false;
  /// Attention is sharded by heads even if bottlenecks are sharded along their
  /// rank; else every rank computes all heads that these make.
  bool attentionByHeads = true;
  Embedding embedding = Embedding::Hidden;
  Head head = Head::Vocabulary;
};

/// Returns the rules of a placement; null if it does not follow rules.
const PlacementRules *findPlacementRules(PlacementKind kind);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEMENTRULES_H
