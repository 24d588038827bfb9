//===- InferFeeds.cpp - What training fills each batch argument with ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A forward pass over the loss finds the operations at which ids meet
// parameters or what was computed from them, a backward pass whether
// parameters act on the result. A key is told by the cipher that it goes into,
// everything else by its type and name. See the description in Passes.td.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSwitch.h"

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

/// The arguments that a value is computed from.
struct Origin {
  /// Parameters.
  bool isLearned = false;
  /// Batch arguments.
  bool isData = false;
  /// The candidates, as bits: those whose ids the value writes in another way.
  /// Only values that are not learned do.
  unsigned ids = 0;

  bool isWeight() const { return isLearned && !isData; }
};

/// An operation at which ids meet something learned.
struct Meeting {
  Operation *op;
  unsigned ids;
  bool isLookup;
};

/// Infers the roles of batch arguments of ids.
class RoleInference {
public:
  /// As many candidates as `Origin` has bits for.
  static constexpr size_t kMaxCandidates = 32;

  RoleInference(func::FuncOp function, ArrayRef<BlockArgument> candidates);

  /// Returns the roles that the uses of each candidate allow.
  SmallVector<Roles> infer();

private:
  SmallVector<Value> getInputs(Operation *op) const;
  void visit(Operation *op);
  Origin getCompareOrigin(CompareOp op) const;
  void recordMeeting(Operation *op, ArrayRef<Value> inputs);
  void findActedOn();

  func::FuncOp function;
  size_t count;
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

RoleInference::RoleInference(func::FuncOp function,
                             ArrayRef<BlockArgument> candidates)
    : function(function), count(candidates.size()) {
  for (BlockArgument argument : function.getArguments()) {
    Origin &origin = origins[argument];
    origin.isLearned = isParameter(argument);
    origin.isData = !origin.isLearned;
  }
  for (auto [i, candidate] : llvm::enumerate(candidates))
    origins[candidate].ids = 1u << i;
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

SmallVector<Roles> RoleInference::infer() {
  for (Operation &op : function.getBody().front())
    visit(&op);
  findActedOn();
  SmallVector<unsigned> roles(count, kEither);
  for (const Meeting &meeting : meetings) {
    bool isActedOn = llvm::any_of(meeting.op->getResults(), [&](Value result) {
      return actedOn.count(result);
    });
    unsigned allowed = isActedOn          ? kInputs
                       : meeting.isLookup ? kEither
                                          : kTargets;
    for (size_t i = 0; i < count; ++i)
      if (meeting.ids & (1u << i))
        roles[i] &= allowed;
  }
  return llvm::map_to_vector(roles, [](unsigned role) { return Roles(role); });
}

//===----------------------------------------------------------------------===//
// Keys of random numbers
//===----------------------------------------------------------------------===//

/// The values, and what holds elements of them alone: parts, in any shape.
static llvm::SetVector<Value> getViews(ArrayRef<Value> values) {
  llvm::SetVector<Value> views(values.begin(), values.end());
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i].getUsers())
      if (isa<SliceOp, DynamicSliceOp, ReshapeOp, BroadcastInDimOp, TransposeOp,
              ConcatenateOp>(user) &&
          llvm::all_of(user->getOperands(), [&](Value operand) {
            return isScalar(operand) || views.contains(operand);
          }))
        views.insert(user->getResult(0));
  return views;
}

/// The third word of the key schedule of Threefry is `k0 ^ k1 ^
/// kThreefryParity`.
static constexpr double kThreefryParity = 0x1BD11BDA;

/// Returns true if `argument` is the data of a key of `jax.random`, of the kind
/// threefry2x32: two words that are read by the key schedule of the cipher
/// only, or not at all.
static bool isKey(BlockArgument argument) {
  auto type = cast<RankedTensorType>(argument.getType());
  if (!type.getElementType().isUnsignedInteger(32) ||
      type.getShape() != ArrayRef<int64_t>{2})
    return false;
  llvm::SetVector<Value> words = getViews(Value(argument));
  SmallVector<Value> sums;
  for (Value word : words)
    for (Operation *user : word.getUsers())
      if (auto sum = dyn_cast<XorOp>(user);
          sum && words.contains(sum.getLhs()) && words.contains(sum.getRhs()))
        sums.push_back(sum);
  bool isScheduled = llvm::any_of(getViews(sums), [](Value sum) {
    return llvm::any_of(sum.getUsers(), [](Operation *user) {
      return isa<XorOp>(user) &&
             (matchSplat(user->getOperand(0)) == kThreefryParity ||
              matchSplat(user->getOperand(1)) == kThreefryParity);
    });
  });
  return isScheduled || argument.use_empty();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

/// The feeds of a batch. What is told of an argument stays.
class BatchFeeds {
public:
  explicit BatchFeeds(func::FuncOp function);

  /// Tells as many as can be told, and writes them on the arguments.
  void infer();

private:
  /// Returns the arguments of ids without a feed, in order.
  SmallVector<BlockArgument> getUntoldIds() const;
  /// Returns true if the shape is that of `ids`, or has one column less: the
  /// argument holds further facts of each token.
  bool isBesideIds(BlockArgument argument) const;
  std::optional<Feed> tellByName(BlockArgument argument) const;
  void tellStepsAndKeys();
  void tellNamed();
  void tellIds();

  func::FuncOp function;
  SmallVector<BlockArgument> batch;
  DenseMap<Value, Feed> feeds;
  /// The widest of the arguments of ids.
  RankedTensorType ids;
};

} // namespace

static RankedTensorType getTensor(BlockArgument argument) {
  return dyn_cast<RankedTensorType>(argument.getType());
}

static bool isInteger(BlockArgument argument) {
  Type element = getElementTypeOrSelf(argument.getType());
  return isa<IntegerType>(element) && !element.isInteger(1);
}

BatchFeeds::BatchFeeds(func::FuncOp function) : function(function) {
  for (BlockArgument argument : function.getArguments()) {
    if (!hasRole(argument, TensorRole::Batch) || !getTensor(argument))
      continue;
    batch.push_back(argument);
    RankedTensorType type = getTensor(argument);
    if (isInteger(argument) && type.getRank() == 2 &&
        (!ids || ids.getDimSize(1) < type.getDimSize(1)))
      ids = type;
  }
}

SmallVector<BlockArgument> BatchFeeds::getUntoldIds() const {
  return llvm::filter_to_vector(batch, [&](BlockArgument argument) {
    return isInteger(argument) && getTensor(argument).getRank() == 2 &&
           !feeds.count(argument);
  });
}

bool BatchFeeds::isBesideIds(BlockArgument argument) const {
  RankedTensorType type = getTensor(argument);
  return ids && type.getRank() == 2 &&
         type.getDimSize(0) == ids.getDimSize(0) &&
         (type.getDimSize(1) == ids.getDimSize(1) ||
          type.getDimSize(1) + 1 == ids.getDimSize(1));
}

std::optional<Feed> BatchFeeds::tellByName(BlockArgument argument) const {
  TensorAttr tensor = getArgTensor(function, argument.getArgNumber());
  StringRef name = tensor.getName().getValue();
  auto feed =
      llvm::StringSwitch<std::optional<Feed>>(name.substr(name.rfind('.') + 1))
          .Cases({"mask", "loss_mask"}, Feed::Mask)
          .Cases({"positions", "position_ids"}, Feed::Positions)
          .Cases({"segments", "segment_ids"}, Feed::Segments)
          .Case("step", Feed::Step)
          .Default(std::nullopt);
  if (feed && *feed != Feed::Mask && !isInteger(argument))
    return std::nullopt;
  return feed;
}

void BatchFeeds::tellStepsAndKeys() {
  for (BlockArgument argument : batch) {
    if (isKey(argument))
      feeds[argument] = Feed::Key;
    else if (getTensor(argument).getRank() == 0 &&
             tellByName(argument) == Feed::Step)
      feeds[argument] = Feed::Step;
  }
}

void BatchFeeds::tellNamed() {
  for (BlockArgument argument : batch)
    if (auto feed = tellByName(argument); feed && *feed != Feed::Step &&
                                          !feeds.count(argument) &&
                                          isBesideIds(argument))
      feeds[argument] = *feed;
}

/// Gives inputs and targets to those that have them in every reading. Of two
/// arguments that is both or none.
void BatchFeeds::tellIds() {
  SmallVector<BlockArgument> untold = getUntoldIds();
  if (untold.size() == 1)
    feeds[untold.front()] = Feed::Tokens;
  bool areAlike = llvm::all_of(untold, [&](BlockArgument argument) {
    return getTensor(argument).getShape() ==
           getTensor(untold.front()).getShape();
  });
  if (untold.size() < 2 || untold.size() > RoleInference::kMaxCandidates ||
      !areAlike)
    return;
  SmallVector<Roles> allowed = RoleInference(function, untold).infer();
  SmallVector<std::pair<BlockArgument, BlockArgument>> readings;
  for (auto [inputs, first] : llvm::zip_equal(untold, allowed))
    for (auto [targets, second] : llvm::zip_equal(untold, allowed))
      if (inputs != targets && (first & kInputs) && (second & kTargets))
        readings.emplace_back(inputs, targets);
  if (readings.empty())
    return;
  auto [inputs, targets] = readings.front();
  if (llvm::all_equal(llvm::make_first_range(readings)))
    feeds[inputs] = Feed::Inputs;
  if (llvm::all_equal(llvm::make_second_range(readings)))
    feeds[targets] = Feed::Targets;
}

void BatchFeeds::infer() {
  tellStepsAndKeys();
  // Inputs and targets that explain each other need no name.
  if (getUntoldIds().size() == 2)
    tellIds();
  tellNamed();
  tellIds();
  for (BlockArgument argument : batch) {
    unsigned i = argument.getArgNumber();
    auto feed = feeds.find(argument);
    auto attr = feed == feeds.end()
                    ? FeedAttr()
                    : FeedAttr::get(function.getContext(), feed->second);
    function.setArgAttr(i, kTensorAttr,
                        getArgTensor(function, i).withFeed(attr));
  }
}

namespace {

struct InferFeedsPass : stablehlo::impl::InferFeedsPassBase<InferFeedsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    // A declaration is never public.
    if (function.isPublic())
      BatchFeeds(function).infer();
  }
};

} // namespace
