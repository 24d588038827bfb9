//===- ShardingRule.h - How an operation can be sharded ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The declaration of which propagation, partition and verification of
// shardings are consequences.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_SHARDINGRULE_H
#define BOOST_MLIR_INTERFACES_SHARDINGRULE_H

#include "boost-mlir/Interfaces/MeshAxes.h"
#include "mlir/IR/Operation.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace mlir::boost {

/// The effect of spreading the iterations of a loop over ranks.
enum class LoopKind {
  /// Every result has the loop; ranks compute different elements.
  Parallel,
  /// Local results without the loop are parts of a sum (maximum, minimum) over
  /// the ranks; of one that has it, ranks compute different elements.
  Sum,
  Max,
  Min,
  /// No result has the loop, but `buildLocal` itself completes the results.
  Completed,
  /// May not be spread.
  Unshardable
};

struct ShardingLoop {
  LoopKind kind;
  int64_t extent;
};

bool isReduction(LoopKind kind);

/// A dimension that no loop runs over: it must not be sharded.
inline constexpr int kNoLoop = -1;

/// The loop that runs over each dimension. Where a dimension merges several
/// loops (`h * dh` of a reshape), the most significant one is meant, so that a
/// sharding of the loop is one of the dimension into contiguous parts.
using DimLoops = SmallVector<int, 4>;

/// The loops of an operation and how its tensors are read by them.
///
///   // dot_general of [m, k] and [k, n]
///   ShardingRule rule(op);
///   rule.addLoop(LoopKind::Parallel, m).operand(0, 0).result(0, 0);
///   rule.addLoop(LoopKind::Parallel, n).operand(1, 1).result(0, 1);
///   rule.addLoop(LoopKind::Sum, k).operand(0, 1).operand(1, 0);
///   rule.setAdditive({0}).setAdditive({1});
class ShardingRule {
public:
  /// A rule without loops: every operand and result of `op` is replicated.
  explicit ShardingRule(Operation *op);

  /// Names the dimensions that the loop just added runs over.
  class LoopBuilder {
  public:
    LoopBuilder &operand(unsigned index, unsigned dim);
    /// Adds an operand's dimension of size 1, for a loop of one iteration: on
    /// one rank it is either the rank's part of a dimension that the loop runs
    /// over, or repeated along it.
    LoopBuilder &operandOrRepeated(unsigned index, unsigned dim);
    LoopBuilder &result(unsigned index, unsigned dim);
    unsigned getIndex() const { return loop; }

  private:
    friend class ShardingRule;
    LoopBuilder(ShardingRule &rule, unsigned loop) : rule(rule), loop(loop) {}
    ShardingRule &rule;
    unsigned loop;
  };
  LoopBuilder addLoop(LoopKind kind, int64_t extent);

  /// One parallel loop per dimension of the first result, over every operand
  /// and result of its rank; operands of rank 0 are read completely.
  static ShardingRule pointwise(Operation *op);

  /// States that op(a + a', rest) = op(a, rest) + op(a', rest) where `a` are
  /// the given operands together. Partial sums of exactly these may pass.
  ShardingRule &setAdditive(ArrayRef<unsigned> operands);

  /// The operation creates its result from next to nothing (a constant, an
  /// iota): it is built anew in every form that is asked for.
  ShardingRule &setGenerator() {
    generator = true;
    return *this;
  }
  /// Spreads this loop where operands would be read along a Sum loop: what
  /// reads the result works on its parts.
  ShardingRule &setPreferredLoop(int loop) {
    preferredLoop = loop;
    return *this;
  }
  /// Operands share no iterations: each may be sharded in its own way, and
  /// `buildLocal` deals with all of them.
  ShardingRule &setIndependentOperands() {
    independentOperands = true;
    return *this;
  }
  ShardingRule &setFlops(double count) {
    flops = count;
    return *this;
  }
  /// Bytes (of the logical operation) that `buildLocal` all-reduces over the
  /// axes of Completed loops.
  ShardingRule &setCompletionBytes(double count) {
    completionBytes = count;
    return *this;
  }

  ArrayRef<ShardingLoop> getLoops() const { return loops; }
  ArrayRef<DimLoops> getOperands() const { return operands; }
  ArrayRef<DimLoops> getResults() const { return results; }
  bool mayRepeat(unsigned operand, unsigned dim) const {
    return llvm::is_contained(repeatable, std::pair(operand, dim));
  }
  ArrayRef<SmallVector<unsigned, 2>> getAdditive() const { return additive; }
  int getPreferredLoop() const { return preferredLoop; }
  bool isGenerator() const { return generator; }
  bool hasIndependentOperands() const { return independentOperands; }
  double getFlops() const { return flops; }
  double getCompletionBytes() const { return completionBytes; }

  /// Returns true if the operation is additive in a set that contains all of
  /// `partial` and otherwise only operands of `zero`.
  bool isAdditiveIn(ArrayRef<bool> partial, ArrayRef<bool> zero) const;

  /// Returns true if result `index` is a term of a reduction where loop `loop`
  /// is spread over ranks.
  bool isReducedOver(unsigned index, unsigned loop) const {
    return isReduction(loops[loop].kind) &&
           !llvm::is_contained(results[index], static_cast<int>(loop));
  }

  /// Checks the rule against the operation it speaks of: every loop occurs at
  /// most once per tensor, a parallel one in some result, a reduction not in
  /// all, one that is completed in none.
  /// Emits an error naming what is wrong.
  LogicalResult verify(Operation *op) const;

private:
  SmallVector<ShardingLoop, 4> loops;
  SmallVector<DimLoops, 3> operands;
  SmallVector<DimLoops, 1> results;
  SmallVector<std::pair<unsigned, unsigned>, 0> repeatable;
  SmallVector<SmallVector<unsigned, 2>, 2> additive;
  int preferredLoop = kNoLoop;
  bool generator = false;
  bool independentOperands = false;
  double flops = 0;
  double completionBytes = 0;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_INTERFACES_SHARDINGRULE_H
