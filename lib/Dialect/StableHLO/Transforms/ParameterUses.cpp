//===- ParameterUses.cpp - What a program does with its parameters --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two passes over the operations: forward for what each value is computed from,
// backward for what each value is used for.
//
//===----------------------------------------------------------------------===//

#include "ParameterUses.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Dimensions along which a value has more than one element.
static int64_t countWideDims(Value value) {
  return llvm::count_if(getTensorType(value).getShape(),
                        [](int64_t size) { return size != 1; });
}

/// The number that all elements of a constant are, if it is one.
static std::optional<double> matchNumber(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<BroadcastInDimOp, ConvertOp, ReshapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat() ||
      !isa<FloatType>(constant.getElementType()))
    return std::nullopt;
  return constant.getSplatValue<APFloat>().convertToDouble();
}

static bool isContraction(DotGeneralOp dot) {
  return !dot.getDotDimensionNumbers().getLhsContractingDimensions().empty();
}

/// Returns true if the result has the elements of the first operand in another
/// form.
static bool isView(Operation *op) {
  return isa<ConvertOp, DynamicSliceOp, PadOp, ReducePrecisionOp, ReshapeOp,
             ReverseOp, SliceOp, TransposeOp>(op);
}

/// Returns true if every element of the only result is computed from one
/// element.
static bool isUnary(Operation *op) {
  return op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         op->hasTrait<OpTrait::Elementwise>();
}

/// Returns true if an operation combines its operands element by element, or
/// side by side, into values of the same kind.
static bool isMixture(Operation *op) {
  return isa<ClampOp, ConcatenateOp, DynamicUpdateSliceOp, MaxOp, MinOp, PowOp,
             ScatterOp, SelectOp>(op);
}

//===----------------------------------------------------------------------===//
// What values are computed from
//===----------------------------------------------------------------------===//

/// Ids of the batch choose rows. What the program computes from its parameters,
/// such as the choice of an expert, chooses among parameters instead.
bool ParameterUses::isLookup(GatherOp gather) const {
  Sources ids = sources.lookup(gather.getStartIndices());
  return ids.batch && !ids.params;
}

bool ParameterUses::isFloatOfBatch(Value value) const {
  return readsBatch(value) && isa<FloatType>(getElementTypeOrSelf(value));
}

ParameterUses::Sources ParameterUses::getSources(Operation *op) const {
  Sources result;
  for (Value operand : op->getOperands()) {
    Sources source = sources.lookup(operand);
    result.batch |= source.batch;
    result.params |= source.params;
  }
  auto isRows = [&](Value value) { return sources.lookup(value).lookup; };
  if (auto gather = dyn_cast<GatherOp>(op))
    result.lookup =
        isLookup(gather) && sources.lookup(gather.getOperand()).params;
  else if (isView(op) || isa<BroadcastInDimOp>(op))
    result.lookup = isRows(op->getOperand(0));
  // Rows out of range may have been replaced.
  else if (isa<AddOp, SubtractOp, MulOp, DivOp, SelectOp>(op))
    result.lookup = llvm::any_of(op->getOperands(), isRows) &&
                    llvm::all_of(op->getOperands(), [&](Value operand) {
                      return isRows(operand) || !isFloatOfBatch(operand);
                    });
  return result;
}

//===----------------------------------------------------------------------===//
// What values are used for
//===----------------------------------------------------------------------===//

uint8_t ParameterUses::follow(Value result, State state) const {
  return uses.lookup(result)[state.index()];
}

uint8_t ParameterUses::getProductUses(Value result, Value other,
                                      State state) const {
  uint8_t scale = state.shifted ? kShiftedScale : kScale;
  if (readsBatch(other) || (state.repeated && !matchNumber(other)))
    return scale;
  return follow(result, state);
}

uint8_t ParameterUses::getSumUses(Value value, Value result, Value other,
                                  State state) const {
  Sources source = sources.lookup(other);
  if (source.batch)
    return source.lookup && countWideDims(value) >= 2 ? kPositions : kAdded;
  if (source.params)
    return state.repeated ? uint8_t(kAdded) : follow(result, state);
  state.shifted |= matchNumber(other).value_or(1) != 0;
  return follow(result, state);
}

uint8_t ParameterUses::getBroadcastUses(BroadcastInDimOp op,
                                        State state) const {
  state.repeated |= getTensorType(op.getOperand()).getNumElements() !=
                    op.getType().getNumElements();
  uint8_t result = follow(op.getResult(), state);
  // A vector that is repeated for every position is none of positions.
  if ((result & kPositions) && countWideDims(op.getOperand()) < 2)
    result = (result & ~kPositions) | kAdded;
  return result;
}

/// Returns true if an operation combines the operand with one of the
/// `floatsOfBatch` that are values of the batch.
bool ParameterUses::isMixedWithBatch(OpOperand &operand,
                                     int64_t floatsOfBatch) const {
  return floatsOfBatch > (isFloatOfBatch(operand.get()) ? 1 : 0);
}

uint8_t ParameterUses::getUses(OpOperand &operand, State state,
                               bool mixed) const {
  Operation *op = operand.getOwner();
  unsigned index = operand.getOperandNumber();
  auto dot = dyn_cast<DotGeneralOp>(op);
  if (dot && isContraction(dot))
    return kContracted;
  if (dot || isa<MulOp, DivOp>(op))
    return getProductUses(op->getResult(0), op->getOperand(1 - index), state);
  if (isa<AddOp, SubtractOp>(op))
    return getSumUses(operand.get(), op->getResult(0),
                      op->getOperand(1 - index), state);
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
    return getBroadcastUses(broadcast, state);
  if (auto gather = dyn_cast<GatherOp>(op); gather && index == 0)
    return isLookup(gather) ? uint8_t(kLookedUp)
                            : follow(gather.getResult(), state);
  if (isa<OptimizationBarrierOp>(op))
    return follow(op->getResult(index), state);
  if ((isView(op) && index == 0) || isUnary(op)) {
    state.shifted |= isa<ExpOp>(op);
    return follow(op->getResult(0), state);
  }
  if (isMixture(op) && op->getNumResults() == 1 && !mixed)
    return follow(op->getResult(0), state);
  return kOtherUse;
}

ParameterUses::ParameterUses(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    bool isParam = isParameter(argument);
    sources[argument] = {/*batch=*/!isParam, /*params=*/isParam};
  }
  Block &body = function.front();
  for (Operation &op : body) {
    Sources source = getSources(&op);
    for (Value result : op.getResults())
      sources[result] = source;
  }
  for (Operation &op : llvm::reverse(body)) {
    int64_t floatsOfBatch = llvm::count_if(
        op.getOperands(), [&](Value value) { return isFloatOfBatch(value); });
    for (OpOperand &operand : op.getOpOperands()) {
      bool mixed = isMixedWithBatch(operand, floatsOfBatch);
      // Looked up first: an insertion moves what is looked at.
      Uses found;
      for (bool repeated : {false, true})
        for (bool shifted : {false, true}) {
          State state{repeated, shifted};
          found[state.index()] = getUses(operand, state, mixed);
        }
      Uses &all = uses[operand.get()];
      for (auto [use, more] : llvm::zip(all, found))
        use |= more;
    }
  }
}

uint8_t ParameterUses::of(BlockArgument argument) const {
  return follow(argument, State());
}
