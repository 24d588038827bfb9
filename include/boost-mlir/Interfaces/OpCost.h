//===- OpCost.h - The work of one operation on one rank ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cost of an operation in its local form, without its time: a machine
// converts it to seconds.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_OPCOST_H
#define BOOST_MLIR_INTERFACES_OPCOST_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "boost-mlir/Interfaces/CollectiveKind.h.inc"

namespace mlir::boost {

/// Returns true if ranks receive the values of others without combining them.
bool movesValues(CollectiveKind kind);

/// Returns the ratio of the bytes that a rank of a group of `ranks` receives to
/// those that it contributes, for kinds that move values.
int64_t getGrowth(CollectiveKind kind, int64_t ranks);

/// The resource that limits an operation, which selects the efficiency of a
/// machine.
enum class OpClass {
  Contraction,
  AttentionForward,
  AttentionBackward,
  /// Passes over memory that compute little.
  Memory,
  Collective
};

/// "contraction", ...
const char *getName(OpClass kind);

/// `batch` products of an m x k and a k x n matrix.
struct ContractionShape {
  int64_t batch = 1;
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;

  double getFlops() const {
    return 2.0 * static_cast<double>(batch) * static_cast<double>(m) *
           static_cast<double>(n) * static_cast<double>(k);
  }
};

/// Matrix products of queries x keys x head size: scores and outputs; backward,
/// the scores once more and three gradients of which one is of the scores.
inline constexpr double kForwardProducts = 2;
inline constexpr double kBackwardProducts = 5;

/// Attention of `queries` with `keys` of each batch entry and head.
struct AttentionShape {
  int64_t batch = 1;
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t heads = 1;
  int64_t headSize = 0;
  bool causal = false; ///< a query sees half of the keys

  /// Returns the operations of `products` matrix products of queries x keys x
  /// head size.
  double getFlops(double products) const {
    return products * 2 * static_cast<double>(batch) *
           static_cast<double>(heads) * static_cast<double>(queries) *
           static_cast<double>(keys) * static_cast<double>(headSize) *
           (causal ? 0.5 : 1.0);
  }
};

/// One launch of a collective.
struct Message {
  CollectiveKind kind = CollectiveKind::AllReduce;
  /// The size of one rank's whole buffer: of what is reduced, before it is
  /// scattered; of what was gathered; of what is exchanged or broadcast.
  double bytes = 0;
  int64_t ranks = 1;
  /// Ranks from the first to the last of the group, both included.
  int64_t span = 1;

  /// Returns the bytes that every rank sends in a ring: (p - 1) / p of the
  /// buffer, twice that for an all-reduce, and all of it for a broadcast.
  double getSentBytes() const;
};

/// The cost of one operation on one rank.
struct OpCost {
  OpClass kind = OpClass::Memory;
  double flops = 0;
  double memoryBytes = 0; ///< read and written once each
  std::string elementType = "f32";
  /// For contractions whose shape is known.
  std::optional<ContractionShape> contraction;
  /// For attention.
  int64_t headSize = 0;
  /// True if the runtime's own kernels compute the attention, not a library.
  bool ownKernels = false;
  /// For collectives.
  std::optional<Message> message;
  /// For a call with tensors of several layers, the bytes of memory, or of the
  /// message, that each of them adds.
  std::vector<double> tensorBytes;
  /// The most tensors that one call may have; 0 if its kind sets no limit.
  int64_t maxTensors = 0;
};

/// A contraction that reads both matrices and writes the product once.
OpCost makeContractionCost(const ContractionShape &shape, double elementBytes,
                           const std::string &elementType);

/// Attention, forward or backward, that reads and writes each tensor once.
OpCost makeAttentionCost(OpClass kind, const AttentionShape &shape,
                         double elementBytes, const std::string &elementType);

} // namespace mlir::boost

#endif // BOOST_MLIR_INTERFACES_OPCOST_H
