//===- LowerPrecision.cpp - f32 programs to mixed precision ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the f32 values of a function the type bf16 where an operation keeps its
// own sums in f32 or only hands values on, and converts them back where they
// are summed or put into a function that widens errors.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::boost {
#define GEN_PASS_DEF_LOWERPRECISIONPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// What operations do with bf16
//===----------------------------------------------------------------------===//

namespace {
enum class Handling {
  /// In bf16, with its sums and statistics in f32.
  Low,
  /// In bf16 if its operands are.
  Follows,
  /// Reads either type, and gives what it gave before.
  Reads,
  /// As before, in f32.
  Wide,
};
} // namespace

static bool isCheapElementwise(Operation *op) {
  return isa<stablehlo::AbsOp, stablehlo::AddOp, stablehlo::ClampOp,
             stablehlo::CompareOp, stablehlo::DivOp, stablehlo::LogisticOp,
             stablehlo::MaxOp, stablehlo::MinOp, stablehlo::MulOp,
             stablehlo::NegOp, stablehlo::SelectOp, stablehlo::SignOp,
             stablehlo::SubtractOp, stablehlo::TanhOp>(op);
}

static bool isMovement(Operation *op) {
  return isa<stablehlo::BroadcastInDimOp, stablehlo::ConcatenateOp,
             stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp,
             stablehlo::GatherOp, stablehlo::PadOp, stablehlo::ReshapeOp,
             stablehlo::ReverseOp, stablehlo::SliceOp, stablehlo::TransposeOp>(
      op);
}

static Handling getHandling(Operation *op) {
  if (isa<AttentionOp, BottleneckOp, EmbeddingOp, LayerNormOp, LinearOp,
          RMSNormOp, stablehlo::DotGeneralOp>(op))
    return Handling::Low;
  if (isCheapElementwise(op) || isMovement(op))
    return Handling::Follows;
  // A conversion of the program's own may be left without anything to do.
  return isa<CrossEntropyOp, stablehlo::ConvertOp>(op) ? Handling::Reads
                                                       : Handling::Wide;
}

static bool hasElement(Value value, Type element) {
  return isa<RankedTensorType>(value.getType()) &&
         getElementTypeOrSelf(value) == element;
}

/// A constant, or one repeated, takes the type of what it meets.
static bool isWeak(Value value) {
  return stablehlo::matchSplat(value).has_value();
}

//===----------------------------------------------------------------------===//
// One function
//===----------------------------------------------------------------------===//

namespace {
class Lowering {
public:
  explicit Lowering(func::FuncOp function)
      : function(function), low(BFloat16Type::get(function.getContext())),
        wide(Float32Type::get(function.getContext())) {}

  void run();

private:
  bool isLowered(Value value) const { return lowered.contains(value); }
  bool isEither(Value value) const {
    return isLowered(value) || hasElement(value, wide);
  }

  void findTrainedValues();
  void findWideValues();
  bool isReadWide(Operation *user) const;
  bool isOnlyReadLow(BlockArgument constant) const;
  void lowerParameters();
  void lower(Value value);
  Value convert(Value value, Type element, Operation *user);
  void convertOperands(Operation *op, Type element);
  void handle(Operation *op);
  void handleLow(Operation *op);
  void handleFollowing(Operation *op);
  void restoreOperands(Operation *op);

  func::FuncOp function;
  Type low, wide;
  /// Values that were f32.
  DenseSet<Value> lowered;
  /// Values that depend on parameters. What is computed of constants and of the
  /// batch alone, like the angles of positions, needs its precision.
  DenseSet<Value> trained;
  /// Values that are only read in f32: better computed in it.
  DenseSet<Value> onlyWide;
  /// Conversions of values, made once each.
  DenseMap<Value, Value> converted;
};
} // namespace

/// Returns true if an operation always reads its operands in f32.
bool Lowering::isReadWide(Operation *user) const {
  switch (getHandling(user)) {
  case Handling::Wide:
    return true;
  case Handling::Follows:
    return isa<stablehlo::CompareOp>(user) ||
           onlyWide.contains(user->getResult(0));
  default:
    return false;
  }
}

void Lowering::findTrainedValues() {
  for (BlockArgument arg : function.getArguments())
    if (isParameter(arg) && !isConstant(arg))
      trained.insert(arg);
  for (Operation &op : function.front()) {
    WalkResult result = op.walk([&](Operation *each) {
      bool isTrained = llvm::any_of(each->getOperands(), [&](Value operand) {
        return trained.contains(operand);
      });
      return isTrained ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      trained.insert(op.result_begin(), op.result_end());
  }
}

void Lowering::findWideValues() {
  for (Operation &op : llvm::reverse(function.front()))
    for (Value result : op.getResults())
      if (!result.use_empty() &&
          llvm::all_of(result.getUsers(), [&](Operation *user) {
            return user->getBlock() != op.getBlock() || isReadWide(user);
          }))
        onlyWide.insert(result);
}

/// Makes an f32 value bf16.
void Lowering::lower(Value value) {
  if (!hasElement(value, wide))
    return;
  value.setType(cast<RankedTensorType>(value.getType()).clone(low));
  lowered.insert(value);
}

/// Returns true if products alone read a constant, all of them in bf16: then it
/// is stored as they read it. A table of angles keeps its precision.
bool Lowering::isOnlyReadLow(BlockArgument constant) const {
  return !constant.use_empty() &&
         llvm::all_of(constant.getUsers(), [&](Operation *user) {
           return isa<BottleneckOp, LinearOp, stablehlo::DotGeneralOp>(user) &&
                  trained.contains(user->getResult(0)) &&
                  llvm::all_of(user->getOperands(), [&](Value operand) {
                    return hasElement(operand, wide);
                  });
         });
}

void Lowering::lowerParameters() {
  for (BlockArgument arg : function.getArguments())
    if (isParameter(arg) && (!isConstant(arg) || isOnlyReadLow(arg)))
      lower(arg);
}

Value Lowering::convert(Value value, Type element, Operation *user) {
  if (hasElement(value, element))
    return value;
  Value &result = converted[value];
  if (result)
    return result;
  ComponentBuilder builder(function.front().findAncestorOpInBlock(*user));
  builder.setInsertionPointAfterValue(value);
  return result = stablehlo::convert(builder, value.getLoc(), value, element);
}

void Lowering::convertOperands(Operation *op, Type element) {
  for (OpOperand &operand : op->getOpOperands())
    if (isEither(operand.get()))
      operand.set(convert(operand.get(), element, op));
}

/// Gives an operation, and what is in its regions, the f32 operands it had.
void Lowering::restoreOperands(Operation *op) {
  op->walk([&](Operation *each) {
    for (OpOperand &operand : each->getOpOperands())
      if (isLowered(operand.get()))
        operand.set(convert(operand.get(), wide, op));
  });
}

void Lowering::handleLow(Operation *op) {
  bool isOurs = llvm::all_of(op->getOperands(), [&](Value operand) {
    return isEither(operand) ||
           !isa<FloatType>(getElementTypeOrSelf(operand.getType()));
  });
  Value first = op->getResult(0);
  if (!isOurs || !trained.contains(first) || !hasElement(first, wide))
    return restoreOperands(op);
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    for (unsigned i : llvm::seq(3))
      op->setOperand(i, convert(op->getOperand(i), low, op));
    if (Value bias = attention.getBias())
      attention.getBiasMutable().assign(convert(bias, wide, op));
    return lower(attention.getResult());
  }
  convertOperands(op, low);
  for (Value result : op->getResults())
    lower(result);
}

/// In bf16 if some operand is and the others are constants. An addition of a
/// bf16 value, like that of a block's output to the residual stream, stays
/// bf16 whatever is added.
void Lowering::handleFollowing(Operation *op) {
  bool hasLow = llvm::any_of(op->getOperands(),
                             [&](Value operand) { return isLowered(operand); });
  if (!hasLow)
    return;
  bool hasWide = llvm::any_of(op->getOperands(), [&](Value operand) {
    return hasElement(operand, wide) && !isWeak(operand);
  });
  bool isBetterWide = isCheapElementwise(op) && op->getNumResults() == 1 &&
                      onlyWide.contains(op->getResult(0));
  if (isBetterWide || (hasWide && !isa<stablehlo::AddOp>(op)))
    return restoreOperands(op);
  convertOperands(op, low);
  lower(op->getResult(0));
}

void Lowering::handle(Operation *op) {
  switch (getHandling(op)) {
  case Handling::Low:
    return handleLow(op);
  case Handling::Follows:
    return handleFollowing(op);
  case Handling::Wide:
    return restoreOperands(op);
  case Handling::Reads:
    return;
  }
}

void Lowering::run() {
  findTrainedValues();
  findWideValues();
  lowerParameters();
  for (Operation &op : function.front())
    handle(&op);
  function.setType(FunctionType::get(function.getContext(),
                                     function.front().getArgumentTypes(),
                                     function.getResultTypes()));
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
struct LowerPrecisionPass
    : public boost::impl::LowerPrecisionPassBase<LowerPrecisionPass> {
  using LowerPrecisionPassBase::LowerPrecisionPassBase;

  void runOnOperation() override {
    if (precision == PrecisionKind::BF16 &&
        getOperation().getBody().hasOneBlock())
      Lowering(getOperation()).run();
  }
};
} // namespace
