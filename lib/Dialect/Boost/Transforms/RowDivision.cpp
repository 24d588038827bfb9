//===- RowDivision.cpp - Tensors divided by their rows --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowDivision.h"

#include "StageCalls.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::boost;

bool Stack::operator==(const Stack &other) const {
  return llvm::equal(ranges, other.ranges,
                     [](const RowRange &one, const RowRange &two) {
                       return one.group == two.group &&
                              one.first == two.first && one.count == two.count;
                     });
}

RankedTensorType mlir::boost::withDim(RankedTensorType type, int64_t dim,
                                      int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

const Division *RowDivider::find(Value value) const {
  auto known = divisions.find(value);
  return known == divisions.end() ? nullptr : &known->second;
}

bool RowDivider::reads(Operation *op) const {
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return find(operand); });
}

/// A slice of the rows of one range is one of that part.
LogicalResult RowDivider::divideSlice(stablehlo::SliceOp slice,
                                      const Division &input) {
  SmallVector<int64_t> starts(slice.getStartIndices());
  SmallVector<int64_t> limits(slice.getLimitIndices());
  int64_t dim = input.dim;
  for (auto [range, part] : llvm::zip_equal(input.stack->ranges, input.parts)) {
    if (starts[dim] < range.first || limits[dim] > range.first + range.count)
      continue;
    starts[dim] -= range.first;
    limits[dim] -= range.first;
    OpBuilder builder = getBuilder(slice);
    auto rows = cast<stablehlo::SliceOp>(builder.clone(*slice));
    rows.getOperandMutable().assign(part);
    rows.setStartIndices(starts);
    rows.setLimitIndices(limits);
    slice.replaceAllUsesWith(rows.getResult());
    replaced.insert(slice);
    return success();
  }
  return failure();
}

/// Gives the parts of each tensor barriers of their own, since different calls
/// read them.
void RowDivider::divideBarrier(stablehlo::OptimizationBarrierOp op) {
  OpBuilder builder = getBuilder(op);
  SmallVector<Value> others;
  SmallVector<OpResult> otherResults;
  for (auto [operand, result] :
       llvm::zip_equal(op.getOperands(), op->getResults())) {
    auto known = divisions.find(operand);
    if (known == divisions.end()) {
      others.push_back(operand);
      otherResults.push_back(result);
      continue;
    }
    Division division = {known->second.stack, known->second.dim, {}};
    for (Value part : known->second.parts)
      division.parts.push_back(
          stablehlo::OptimizationBarrierOp::create(
              builder, op.getLoc(), TypeRange(part.getType()), part)
              ->getResult(0));
    divisions[result] = division;
  }
  replaced.insert(op);
  if (others.empty())
    return;
  auto rest = stablehlo::OptimizationBarrierOp::create(
      builder, op.getLoc(), ValueRange(others).getTypes(), others);
  rest->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  for (auto [old, result] : llvm::zip_equal(otherResults, rest->getResults()))
    old.replaceAllUsesWith(result);
}

/// Lets an operation that takes any number of tensors take the parts of those
/// that are divided.
void RowDivider::expandOperands(Operation *op) {
  bool hasResults = !isa<SumOfSquaresOp>(op);
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  OpBuilder builder = getBuilder(op);
  /// The operands of an operation, and what they are: each a part of an operand
  /// of this number, or all of it.
  struct Group {
    SmallVector<Value> operands;
    SmallVector<std::pair<unsigned, unsigned>> places;
  };
  llvm::MapVector<int64_t, Group> groups;
  SmallVector<SmallVector<Value>> results;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const Division *division = find(operand);
    ValueRange parts = division ? ValueRange(division->parts) : operand;
    for (auto [number, part] : llvm::enumerate(parts)) {
      Group &group = groups[hasResults && getGroup ? getGroup(part) : 0];
      group.operands.push_back(part);
      group.places.emplace_back(i, number);
    }
    results.emplace_back(parts.size());
  }
  replaced.insert(op);
  for (auto &[number, group] : groups) {
    OperationState state(op->getLoc(), op->getName());
    state.addAttributes(op->getAttrs());
    state.addOperands(group.operands);
    SmallVector<int64_t> groupDims;
    for (auto [operand, place] :
         llvm::zip_equal(group.operands, group.places)) {
      unsigned i = place.first;
      if (dims)
        groupDims.push_back(dims[i]);
      if (!hasResults)
        continue;
      RankedTensorType type = getTensorType(op->getResult(i));
      if (const Division *division = find(op->getOperand(i)))
        type = withDim(type, division->dim,
                       getTensorType(operand).getDimSize(division->dim));
      state.addTypes(type);
    }
    if (dims)
      state.attributes.set("dims", builder.getDenseI64ArrayAttr(groupDims));
    if (!hasResults) {
      state.addTypes(op->getResultTypes());
      return op->replaceAllUsesWith(builder.create(state)), void();
    }
    for (auto [result, place] :
         llvm::zip_equal(builder.create(state)->getResults(), group.places))
      results[place.first][place.second] = result;
  }
  for (auto [i, parts] : llvm::enumerate(results)) {
    Value result = op->getResult(i);
    if (const Division *division = find(op->getOperand(i)))
      set(result, {division->stack, division->dim, parts});
    else
      result.replaceAllUsesWith(parts.front());
  }
}

/// Divides an operation among ranks that leaves the rows as they are.
LogicalResult RowDivider::divideOverRanks(Operation *op,
                                          const Division &input) {
  RankedTensorType type = getTensorType(op->getResult(0));
  if (type.getDimSize(input.dim) != input.stack->getTotal())
    return failure();
  Division division = {input.stack, input.dim, {}};
  OpBuilder builder = getBuilder(op);
  for (auto [range, part] : llvm::zip_equal(input.stack->ranges, input.parts)) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), part);
    Operation *copy = builder.clone(*op, mapping);
    copy->getResult(0).setType(withDim(type, input.dim, range.count));
    division.parts.push_back(copy->getResult(0));
  }
  replaced.insert(op);
  set(op->getResult(0), std::move(division));
  return success();
}

/// Replaces an operation by one for each range of rows, which a loop of its
/// sharding rule runs over. Sums over the loop are those of the parts.
LogicalResult RowDivider::divideByRule(Operation *op, const Stack &stack,
                                       int loop) {
  auto sharded = cast<ShardingRuleOpInterface>(op);
  ShardingRule rule = sharded.getShardingRule();
  LoopKind kind = rule.getLoops()[loop].kind;
  if (kind != LoopKind::Parallel && kind != LoopKind::Sum)
    return failure();
  auto findDim = [&](const DimLoops &dims) -> std::optional<int64_t> {
    const auto *at = llvm::find(dims, loop);
    return at == dims.end() ? std::nullopt
                            : std::optional<int64_t>(at - dims.begin());
  };
  SmallVector<SmallVector<Value>> operands(
      stack.ranges.size(), SmallVector<Value>(op->getOperands()));
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    std::optional<int64_t> dim = findDim(rule.getOperands()[i]);
    if (!dim && !divisions.contains(operand))
      continue;
    const Division *division = dim ? demand(operand, stack, *dim) : nullptr;
    if (!division)
      return failure();
    for (auto [list, part] : llvm::zip_equal(operands, division->parts))
      list[i] = part;
  }
  SmallVector<SmallVector<Value>> results;
  SmallVector<AxisList> axes(rule.getLoops().size());
  SmallVector<Split> splits;
  for (Value operand : op->getOperands())
    splits.emplace_back(getTensorType(operand).getRank());
  OpBuilder builder = getBuilder(op);
  for (auto [range, list] : llvm::zip_equal(stack.ranges, operands)) {
    SmallVector<Type> types;
    for (auto [i, result] : llvm::enumerate(op->getResults())) {
      RankedTensorType type = getTensorType(result);
      if (std::optional<int64_t> dim = findDim(rule.getResults()[i]))
        type = withDim(type, *dim, range.count);
      types.push_back(type);
    }
    LocalBuild local = {mesh, list, splits, axes, types};
    Operation *before = op->getPrevNode();
    sharded.buildLocal(builder, local, results.emplace_back());
    Operation *first =
        before ? before->getNextNode() : &op->getBlock()->front();
    for (Operation *part = first; part != op; part = part->getNextNode()) {
      part->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      part->removeDiscardableAttr(kLayerAttr);
    }
  }
  replaced.insert(op);
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    if (std::optional<int64_t> dim = findDim(rule.getResults()[i])) {
      Division division = {&stack, *dim, {}};
      for (ArrayRef<Value> values : results)
        division.parts.push_back(values[i]);
      divisions[result] = division;
      continue;
    }
    Value sum = results.front()[i];
    for (ArrayRef<Value> values : ArrayRef(results).drop_front()) {
      auto add =
          stablehlo::AddOp::create(builder, op->getLoc(), sum, values[i]);
      add->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      add->removeDiscardableAttr(kLayerAttr);
      sum = add;
    }
    result.replaceAllUsesWith(sum);
  }
  return success();
}

/// Divides an operation that reads divided values by the loop that runs over
/// their rows.
LogicalResult RowDivider::divideReader(Operation *op) {
  auto sharded = dyn_cast<ShardingRuleOpInterface>(op);
  if (!sharded)
    return failure();
  ShardingRule rule = sharded.getShardingRule();
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (auto known = divisions.find(operand); known != divisions.end()) {
      int loop = rule.getOperands()[i][known->second.dim];
      return loop == kNoLoop ? failure()
                             : divideByRule(op, *known->second.stack, loop);
    }
  return success();
}

LogicalResult RowDivider::divide(Operation *op) {
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    Division input = divisions.lookup(slice.getOperand());
    if (slice.getType().getDimSize(input.dim) != input.stack->getTotal())
      return divideSlice(slice, input);
  }
  if (auto barrier = dyn_cast<stablehlo::OptimizationBarrierOp>(op))
    return divideBarrier(barrier), success();
  if (isDivisible(op) || isa<SumOfSquaresOp>(op))
    return expandOperands(op), success();
  if (isa<RankGroupOpInterface>(op) && op->getNumOperands() == 1 &&
      op->getNumResults() == 1)
    return divideOverRanks(op, divisions.lookup(op->getOperand(0)));
  return divideReader(op);
}

/// Joins the operands of a concatenation that belong to a range of rows.
const Division *RowDivider::divideConcatenation(stablehlo::ConcatenateOp op,
                                                const Stack &stack) {
  auto dim = static_cast<int64_t>(op.getDimension());
  Division division = {&stack, dim, {}};
  auto operand = op->operand_begin();
  OpBuilder builder = getBuilder(op);
  for (const RowRange &range : stack.ranges) {
    SmallVector<Value> rows;
    int64_t count = 0;
    while (count < range.count && operand != op->operand_end()) {
      rows.push_back(*operand++);
      count += getTensorType(rows.back()).getDimSize(dim);
    }
    if (count != range.count)
      return nullptr;
    if (rows.size() == 1) {
      division.parts.push_back(rows.front());
      continue;
    }
    auto part = stablehlo::ConcatenateOp::create(
        builder, op.getLoc(), withDim(op.getType(), dim, count), rows, dim);
    // It belongs to no layer, and nothing but the sum of gradients waits for
    // it.
    part->setAttr(kComponentAttr, builder.getStringAttr(kGradientsComponent));
    division.parts.push_back(part);
  }
  replaced.insert(op);
  return &(divisions[op.getResult()] = division);
}

/// Returns the parts of a value, which are made if they are not known yet, or
/// null if that is impossible.
const Division *RowDivider::demand(Value value, const Stack &stack,
                                   int64_t dim) {
  if (auto known = divisions.find(value); known != divisions.end()) {
    bool fits = *known->second.stack == stack && known->second.dim == dim;
    return fits ? &known->second : nullptr;
  }
  Operation *op = value.getDefiningOp();
  if (!op || getTensorType(value).getDimSize(dim) != stack.getTotal())
    return nullptr;
  if (auto concatenation = dyn_cast<stablehlo::ConcatenateOp>(op);
      concatenation &&
      static_cast<int64_t>(concatenation.getDimension()) == dim)
    return divideConcatenation(concatenation, stack);
  auto constant = dyn_cast<stablehlo::ConstantOp>(op);
  if (auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue())
                            : SplatElementsAttr()) {
    Division division = {&stack, dim, {}};
    OpBuilder builder = getBuilder(op);
    for (const RowRange &range : stack.ranges) {
      RankedTensorType type = withDim(getTensorType(value), dim, range.count);
      division.parts.push_back(stablehlo::ConstantOp::create(
          builder, op->getLoc(), splat.resizeSplat(type)));
    }
    replaced.insert(op);
    return &(divisions[value] = division);
  }
  auto sharded = dyn_cast<ShardingRuleOpInterface>(op);
  if (!sharded)
    return nullptr;
  ShardingRule rule = sharded.getShardingRule();
  unsigned number = cast<OpResult>(value).getResultNumber();
  int loop = rule.getResults()[number][dim];
  if (loop == kNoLoop || failed(divideByRule(op, stack, loop)))
    return nullptr;
  return &divisions[value];
}

void RowDivider::eraseReplaced(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (replaced.contains(&op) && op.use_empty())
      op.erase();
}
