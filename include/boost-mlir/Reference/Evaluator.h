//===- Evaluator.h - A slow, plain interpreter of tensor IR -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interprets graph- and spmd-level functions (stablehlo subset, boost, shard
// collectives) with all ranks of a mesh in one process. Floats are doubles,
// integers exact. It shares no code with the lowering: it is the oracle passes
// are held to.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_EVALUATOR_H
#define BOOST_MLIR_REFERENCE_EVALUATOR_H

#include "boost-mlir/Dialect/Boost/IR/CollectiveOpInterface.h"
#include "boost-mlir/Reference/Roundoff.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace mlir::boost::reference {

class Evaluator;

/// One value on every rank.
using RankValues = SmallVector<Tensor, 1>;

/// The type to which floating-point results are rounded after every operation.
enum class Rounding {
  None,  ///< Nothing: double throughout; integers still have their width.
  Typed, ///< The element type of the result.
  F32,   ///< f32, or the element type of the result if that is narrower.
  BF16,  ///< bf16.
  Random ///< The element type of the result, up or down by chance (Roundoff.h).
};

/// The arithmetic of floating-point results.
struct Precision {
  Rounding rounding = Rounding::None;
  /// Every rounded result and every argument is multiplied by 1 + noise * u
  /// with u uniform in [-1, 1]. What that does to the results of a program is
  /// what errors of this size in its operations can do: Monte Carlo arithmetic,
  /// after Parker (1997).
  double noise = 0;
  uint64_t seed = 0;

  Precision(Rounding rounding = Rounding::None) : rounding(rounding) {}
};

/// The format that elements of a floating-point type are rounded to; null if
/// they stay doubles, or are rounded by chance.
const llvm::fltSemantics *getRoundingSemantics(Type type, Rounding rounding);

/// Rounds every element as `rounding` asks; integers wrap in any case.
void roundTensor(Tensor &tensor, Rounding rounding);

/// Computes the results of an operation on one rank. `results` have their types
/// and are zero.
using Rule =
    std::function<LogicalResult(Operation *, ArrayRef<const Tensor *> operands,
                                MutableArrayRef<Tensor> results, Evaluator &)>;

/// The operations that can be evaluated, by name. Those of groups of ranks need
/// no rule: they are evaluated by their movements.
struct RuleSet {
  llvm::StringMap<Rule> local;
};

void addElementwiseRules(RuleSet &rules);
void addIntegerRules(RuleSet &rules);
void addShapeRules(RuleSet &rules);
void addContractionRules(RuleSet &rules);
void addModelRules(RuleSet &rules);
void addWindowRules(RuleSet &rules);
void addOptimizerRules(RuleSet &rules);
void addImportRules(RuleSet &rules);
void addLinearRules(RuleSet &rules);

/// Looks at the tensor that a `boost.probe` shows, on every rank.
using ProbeHandler = std::function<void(Operation *, const RankValues &)>;

/// A function, the ranks that run it, and its arguments on these ranks.
struct RankCall {
  func::FuncOp function;
  SmallVector<int64_t> ranks;
  SmallVector<RankValues> arguments;
};

/// Interprets functions of one module on one mesh.
class Evaluator {
public:
  /// `mesh` is the extent of every mesh axis; empty for one rank.
  Evaluator(ArrayRef<int64_t> mesh, const Precision &precision);

  /// Evaluates a function of one block on the arguments, each given on every
  /// rank. An operation without a rule is an error at that operation.
  FailureOr<SmallVector<RankValues>> run(func::FuncOp function,
                                         ArrayRef<RankValues> arguments);

  /// Evaluates functions that different ranks run at the same time, as the
  /// stages of a pipeline do. They meet in collectives of ranks of several of
  /// them. Returns the results of each function; ranks that did not run it have
  /// tensors without a type.
  FailureOr<SmallVector<SmallVector<RankValues>>>
  runTogether(ArrayRef<RankCall> calls);

  /// Evaluates a region on the rank whose rule is running: the operands of its
  /// terminator.
  FailureOr<SmallVector<Tensor>> runRegion(Region &region,
                                           ArrayRef<Tensor> arguments);

  int64_t ranks() const { return numRanks; }
  /// The ranks that differ from `rank` only along `axes`, in order.
  SmallVector<int64_t> group(int64_t rank, ArrayRef<int16_t> axes) const;
  /// The position of `rank` in its group.
  int64_t position(int64_t rank, ArrayRef<int16_t> axes) const;

  const Precision &getPrecision() const { return precision; }
  /// For rules that round inside: draws nothing unless rounding is random.
  const Roundoff &getRoundoff() const { return roundoff; }

  void setProbeHandler(ProbeHandler handler) { onProbe = std::move(handler); }

private:
  using Environment = llvm::DenseMap<Value, RankValues>;
  /// A function that has been evaluated as far as the operation before `next`.
  struct Frame {
    const RankCall &call;
    Environment values;
    Block::iterator next;

    bool isAtEnd() const { return std::next(next) == next->getBlock()->end(); }
  };

  LogicalResult evaluate(Operation *op, Environment &values);
  LogicalResult evaluate(Operation *op, ArrayRef<const RankValues *> operands,
                         Environment &values);
  void enter(Frame &frame);
  LogicalResult runToMeeting(Frame &frame);
  LogicalResult meet(MutableArrayRef<Frame> frames);
  bool needsOtherRanks(Operation *op) const;
  LogicalResult evaluateCall(Operation *op,
                             ArrayRef<const RankValues *> operands,
                             SmallVector<RankValues> &results);
  LogicalResult evaluateInGroup(RankGroupOpInterface op,
                                ArrayRef<const RankValues *> operands,
                                MutableArrayRef<RankValues> results);
  LogicalResult evaluateLocally(Operation *op, const Rule &rule,
                                ArrayRef<const RankValues *> operands,
                                MutableArrayRef<RankValues> results);
  SmallVector<const RankValues *> findOperands(Operation *op) const;
  FailureOr<SmallVector<RankValues>> makeResults(Operation *op) const;
  FailureOr<SmallVector<RankValues>> runBlock(Block &block,
                                              ArrayRef<RankValues> arguments);
  SmallVector<RankValues> getReturned(Block &block) const;
  void round(Operation *op, MutableArrayRef<RankValues> results);
  void disturb(RankValues &values);
  void roundRandomly(Operation *op, RankValues &values) const;

  SmallVector<int64_t> mesh;
  int64_t numRanks;
  Precision precision;
  Roundoff roundoff;
  ProbeHandler onProbe;
  /// Values of enclosing blocks, for regions that capture.
  SmallVector<Environment *> scopes;
  /// Functions that have not returned.
  llvm::SmallPtrSet<Operation *, 4> running;
  /// The ranks that run the function which is evaluated.
  SmallVector<int64_t> present;
  /// The rank whose rule is running.
  int64_t currentRank = 0;
  /// Inside a region there is one rank at a time.
  bool inRegion = false;
  uint64_t numDisturbed = 0;
};

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_EVALUATOR_H
