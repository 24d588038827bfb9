//===- InferFeeds.cpp - Which batch argument takes inputs, which targets --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward pass over the loss finds the operations at which ids meet
// parameters or what was computed from them, a backward pass whether
// parameters act on the result. See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_INFERFEEDSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

namespace {

/// A set of what an argument may hold.
enum Roles : unsigned { kNeither = 0, kInputs = 1, kTargets = 2, kEither = 3 };

/// What a value is computed from.
struct Origin {
  /// Parameters.
  bool isLearned = false;
  /// Batch arguments.
  bool isData = false;
  /// The two candidates, as bits: those whose ids the value writes in another
  /// way. Only values that are not learned do.
  unsigned ids = 0;

  bool isWeight() const { return isLearned && !isData; }
};

/// An operation at which ids meet something learned.
struct Meeting {
  Operation *op;
  unsigned ids;
  bool isLookup;
};

/// Infers the roles of two batch arguments of ids.
class RoleInference {
public:
  RoleInference(func::FuncOp function, BlockArgument first,
                BlockArgument second);

  /// What the uses of each of the two allow.
  std::pair<Roles, Roles> infer();

private:
  SmallVector<Value> getInputs(Operation *op) const;
  void visit(Operation *op);
  Origin getCompareOrigin(CompareOp op) const;
  void recordMeeting(Operation *op, ArrayRef<Value> inputs);
  void findActedOn();

  func::FuncOp function;
  DenseMap<Value, Origin> origins;
  SmallVector<Meeting> meetings;
  /// Values that parameters act on, at once or after other operations.
  DenseSet<Value> actedOn;
};

} // namespace

static bool isScalar(Value value) {
  auto type = dyn_cast<ShapedType>(value.getType());
  return !type || type.getNumElements() <= 1;
}

/// One number, perhaps repeated.
static bool isNumber(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isScalar(value) || !isa<BroadcastInDimOp, ReshapeOp, ConvertOp>(op))
      break;
    value = op->getOperand(0);
  }
  return isScalar(value);
}

//===----------------------------------------------------------------------===//
// Forwards: where ids meet what is learned
//===----------------------------------------------------------------------===//

RoleInference::RoleInference(func::FuncOp function, BlockArgument first,
                             BlockArgument second)
    : function(function) {
  for (BlockArgument argument : function.getArguments()) {
    Origin &origin = origins[argument];
    origin.isLearned = hasRole(argument, TensorRole::Param);
    origin.isData = !origin.isLearned;
  }
  origins[first].ids = 1;
  origins[second].ids = 2;
}

/// Operands, and what regions read from around them.
SmallVector<Value> RoleInference::getInputs(Operation *op) const {
  SmallVector<Value> inputs(op->getOperands());
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  llvm::append_range(inputs, captured);
  return inputs;
}

/// Ids compared for equality with varying numbers that the program knows are a
/// one-hot row. Any other comparison is a mask, which says too little of them.
Origin RoleInference::getCompareOrigin(CompareOp op) const {
  Origin left = origins.lookup(op.getLhs()),
         right = origins.lookup(op.getRhs());
  Origin result;
  result.isLearned = left.isLearned || right.isLearned;
  result.isData = left.isData || right.isData;
  bool isEquality = op.getComparisonDirection() == ComparisonDirection::EQ ||
                    op.getComparisonDirection() == ComparisonDirection::NE;
  bool hasNumbers = !(left.isData && right.isData) && !result.isLearned;
  Value numbers = left.isData ? op.getRhs() : op.getLhs();
  if (isEquality && hasNumbers && !matchSplat(numbers))
    result.ids = left.ids | right.ids;
  return result;
}

/// A sum or product of two numbers joins what is learned with the ids of no
/// token; where ids are written to says nothing of what they are.
static bool canMeet(Operation *op) {
  if (isa<ScatterOp, SortOp>(op))
    return false;
  bool isIndexing = isa<GatherOp, DynamicSliceOp>(op);
  return isIndexing || !llvm::all_of(op->getOperands(), isScalar);
}

void RoleInference::recordMeeting(Operation *op, ArrayRef<Value> inputs) {
  Meeting meeting{op, 0, true};
  for (Value input : inputs) {
    Origin origin = origins.lookup(input);
    meeting.ids |= origin.ids;
    meeting.isLookup &= !origin.isLearned || origin.isWeight();
  }
  if (canMeet(op))
    meetings.push_back(meeting);
}

void RoleInference::visit(Operation *op) {
  if (isa<OptimizationBarrierOp>(op)) {
    for (auto [operand, result] :
         llvm::zip_equal(op->getOperands(), op->getResults()))
      origins[result] = origins.lookup(operand);
    return;
  }
  SmallVector<Value> inputs = getInputs(op);
  Origin joined;
  for (Value input : inputs) {
    Origin origin = origins.lookup(input);
    joined.isLearned |= origin.isLearned;
    joined.isData |= origin.isData;
    joined.ids |= origin.ids;
  }
  if (joined.isLearned) {
    recordMeeting(op, inputs);
    joined.ids = 0;
  } else if (auto compare = dyn_cast<CompareOp>(op)) {
    joined = getCompareOrigin(compare);
  }
  for (Value result : op->getResults()) {
    origins[result] = joined;
    // A truth value made of ids without a comparison is a mask too.
    if (isa<ConvertOp, SignOp>(op) &&
        (isa<SignOp>(op) || getElementTypeOrSelf(result).isInteger(1)) &&
        !getElementTypeOrSelf(op->getOperand(0)).isInteger(1))
      origins[result].ids = 0;
  }
}

//===----------------------------------------------------------------------===//
// Backwards: what parameters act on
//===----------------------------------------------------------------------===//

void RoleInference::findActedOn() {
  for (Operation &op : llvm::reverse(function.getBody().front())) {
    SmallVector<Value> inputs = getInputs(&op);
    bool isActedOn = llvm::any_of(
        op.getResults(), [&](Value result) { return actedOn.count(result); });
    // A factor of all losses, such as a learned temperature, or a term added to
    // their mean, such as the decay of weights, acts on no token.
    bool hasWeight =
        op.getNumResults() > 0 && llvm::any_of(inputs, [&](Value input) {
          return origins.lookup(input).isWeight() && !isNumber(input);
        });
    for (Value input : inputs)
      if (isActedOn ||
          (hasWeight && !isScalar(input) && !origins.lookup(input).isWeight()))
        actedOn.insert(input);
  }
}

std::pair<Roles, Roles> RoleInference::infer() {
  for (Operation &op : function.getBody().front())
    visit(&op);
  findActedOn();
  unsigned roles[] = {kEither, kEither};
  for (const Meeting &meeting : meetings) {
    bool isActedOn = llvm::any_of(meeting.op->getResults(), [&](Value result) {
      return actedOn.count(result);
    });
    unsigned allowed = isActedOn          ? kInputs
                       : meeting.isLookup ? kEither
                                          : kTargets;
    for (unsigned i : {0, 1})
      if (meeting.ids & (1u << i))
        roles[i] &= allowed;
  }
  return {Roles(roles[0]), Roles(roles[1])};
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// The batch arguments if a token file can fill them: one or two of ids, of
/// rows of tokens and the same shape. Empty otherwise.
static SmallVector<BlockArgument> getCandidates(func::FuncOp function) {
  SmallVector<BlockArgument> candidates;
  for (BlockArgument argument : function.getArguments()) {
    if (!hasRole(argument, TensorRole::Batch))
      continue;
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getRank() != 2 || type.getElementType().isInteger(1) ||
        !isa<IntegerType>(type.getElementType()))
      return {};
    candidates.push_back(argument);
    if (type.getShape() !=
        cast<RankedTensorType>(candidates.front().getType()).getShape())
      return {};
  }
  return candidates.size() <= 2 ? candidates : SmallVector<BlockArgument>();
}

/// Says what fills an argument; nothing if `feed` is null.
static void setFeed(func::FuncOp function, BlockArgument argument,
                    FeedAttr feed) {
  unsigned i = argument.getArgNumber();
  function.setArgAttr(i, kTensorAttr, getArgTensor(function, i).withFeed(feed));
}

static void inferFeeds(func::FuncOp function) {
  auto feed = [&](BlockArgument argument, Feed feed) {
    setFeed(function, argument, FeedAttr::get(function.getContext(), feed));
  };
  for (BlockArgument argument : function.getArguments())
    if (TensorAttr tensor = getArgTensor(function, argument.getArgNumber());
        tensor && tensor.getFeed())
      setFeed(function, argument, FeedAttr());
  SmallVector<BlockArgument> candidates = getCandidates(function);
  if (candidates.size() == 1)
    feed(candidates.front(), Feed::Tokens);
  if (candidates.size() != 2)
    return;
  auto [first, second] =
      RoleInference(function, candidates[0], candidates[1]).infer();
  bool inOrder = (first & kInputs) && (second & kTargets);
  bool swapped = (first & kTargets) && (second & kInputs);
  if (inOrder == swapped)
    return;
  feed(candidates[0], inOrder ? Feed::Inputs : Feed::Targets);
  feed(candidates[1], inOrder ? Feed::Targets : Feed::Inputs);
}

namespace {

struct InferFeedsPass : stablehlo::impl::InferFeedsPassBase<InferFeedsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!function.isExternal() && function.isPublic())
      inferFeeds(function);
  }
};

} // namespace
