//===- Evaluator.h - A slow, plain interpreter of tensor IR -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interprets graph- and spmd-level functions (stablehlo subset, boost, shard
// collectives) with all ranks of a mesh in one process. It computes in double
// and shares no code with the lowering: it is the oracle passes are held to.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_EVALUATOR_H
#define BOOST_MLIR_REFERENCE_EVALUATOR_H

#include "boost-mlir/Reference/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace mlir::boost::reference {

class Evaluator;

/// One value on every rank.
using RankValues = SmallVector<Tensor, 1>;

/// What floating-point results are rounded to after every operation.
enum class Rounding {
  None, ///< All arithmetic in double; integers still have their width.
  Typed ///< The element type of the result.
};

/// Computes the results of an operation on one rank. `results` have their types
/// and are zero.
using Rule =
    std::function<LogicalResult(Operation *, ArrayRef<const Tensor *> operands,
                                MutableArrayRef<Tensor> results, Evaluator &)>;

/// Computes the results of an operation on all ranks: operands[i][rank].
using CollectiveRule = std::function<LogicalResult(
    Operation *, ArrayRef<const RankValues *> operands,
    MutableArrayRef<RankValues> results, Evaluator &)>;

/// Which operations can be evaluated, by operation name.
struct RuleSet {
  llvm::StringMap<Rule> local;
  llvm::StringMap<CollectiveRule> collective;
};

void addElementwiseRules(RuleSet &rules);
void addShapeRules(RuleSet &rules);
void addContractionRules(RuleSet &rules);
void addModelRules(RuleSet &rules);
void addOptimizerRules(RuleSet &rules);
void addCollectiveRules(RuleSet &rules);

/// Interprets functions of one module on one mesh.
class Evaluator {
public:
  /// `grid` is the extent of every mesh axis; empty for one rank.
  Evaluator(ArrayRef<int64_t> grid, Rounding rounding);

  /// Evaluates a function of one block on the arguments, each given on every
  /// rank. An operation without a rule is an error at that operation.
  FailureOr<SmallVector<RankValues>> run(func::FuncOp function,
                                         ArrayRef<RankValues> arguments);

  /// Evaluates a region on one rank: the operands of its terminator.
  FailureOr<SmallVector<Tensor>> runRegion(Region &region,
                                           ArrayRef<Tensor> arguments);

  int64_t ranks() const { return numRanks; }
  /// The ranks that differ from `rank` only along `axes`, in order.
  SmallVector<int64_t> group(int64_t rank, ArrayRef<int16_t> axes) const;
  /// The position of `rank` in its group.
  int64_t position(int64_t rank, ArrayRef<int16_t> axes) const;

private:
  using Environment = llvm::DenseMap<Value, RankValues>;

  LogicalResult evaluate(Operation *op, Environment &values);
  FailureOr<SmallVector<RankValues>> runBlock(Block &block,
                                              ArrayRef<RankValues> arguments);

  SmallVector<int64_t> grid;
  int64_t numRanks;
  Rounding rounding;
  RuleSet rules;
  /// Values of enclosing blocks, for regions that capture.
  SmallVector<Environment *> scopes;
};

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_EVALUATOR_H
