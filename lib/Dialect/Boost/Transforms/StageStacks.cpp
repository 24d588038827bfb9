//===- StageStacks.cpp - Parameters stacked over layers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageStacks.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
/// Consecutive rows whose layers are in one chunk.
struct RowRange {
  int64_t chunk, first, count;
};

/// The rows of a stacked parameter, by chunk.
struct Stack {
  SmallVector<RowRange> ranges;

  int64_t getTotal() const { return ranges.back().first + ranges.back().count; }
  bool operator==(const Stack &other) const {
    return llvm::equal(
        ranges, other.ranges, [](const RowRange &one, const RowRange &two) {
          return one.chunk == two.chunk && one.first == two.first &&
                 one.count == two.count;
        });
  }
};

/// Stacked parameters by their names.
using Stacks = llvm::MapVector<StringAttr, Stack>;
} // namespace

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Finding stacks
//===----------------------------------------------------------------------===//

/// Notes the chunks of the rows that slices of a value take. Returns false if
/// it is used in another way.
static bool noteRows(Value value, const LayerChunks &layers,
                     MutableArrayRef<std::optional<int64_t>> rows) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<stablehlo::OptimizationBarrierOp>(user)) {
      if (!noteRows(user->getResult(use.getOperandNumber()), layers, rows))
        return false;
      continue;
    }
    auto slice = dyn_cast<stablehlo::SliceOp>(user);
    auto layer = layers.find(getLayer(user));
    if (!slice || layer == layers.end() || slice.getStrides()[0] != 1)
      return false;
    for (int64_t row :
         llvm::seq(slice.getStartIndices()[0], slice.getLimitIndices()[0])) {
      if (rows[row].value_or(layer->second) != layer->second)
        return false;
      rows[row] = layer->second;
    }
  }
  return true;
}

/// Returns the ranges of rows of one chunk each, or nothing if their chunks do
/// not ascend. Rows that nobody reads are with those before them.
static std::optional<Stack> makeStack(ArrayRef<std::optional<int64_t>> rows) {
  Stack stack;
  for (auto [row, known] : llvm::enumerate(rows)) {
    int64_t last = stack.ranges.empty() ? -1 : stack.ranges.back().chunk;
    int64_t chunk = known.value_or(std::max<int64_t>(last, 0));
    if (chunk < last)
      return std::nullopt;
    if (chunk > last)
      stack.ranges.push_back({chunk, static_cast<int64_t>(row), 0});
    ++stack.ranges.back().count;
  }
  return stack;
}

/// Returns true if the first dimension of an argument or result is neither
/// sharded nor one along which tensors are packed.
static bool hasWholeRows(DictionaryAttr attrs) {
  auto sharding = attrs.getAs<ShardingAttr>(kShardingAttr);
  return (!sharding || sharding.getDimAxes()[0].empty()) &&
         !isPackedAlong(getParts(attrs), 0);
}

static Stacks findStacks(ArrayRef<func::FuncOp> functions,
                         const LayerChunks &layers) {
  llvm::MapVector<StringAttr, SmallVector<std::optional<int64_t>>> rows;
  DenseSet<StringAttr> others;
  for (func::FuncOp function : functions) {
    // Updates read parameters as a whole.
    if (findLayerOrder(function).empty())
      continue;
    for (BlockArgument arg : function.getArguments()) {
      TensorAttr tensor = getArgTensor(function, arg.getArgNumber());
      RankedTensorType type = getTensorType(arg);
      if (!isParameter(tensor) || type.getRank() == 0)
        continue;
      auto &chunks = rows[tensor.getName()];
      chunks.resize(type.getDimSize(0));
      if (!hasWholeRows(function.getArgAttrDict(arg.getArgNumber())) ||
          !noteRows(arg, layers, chunks))
        others.insert(tensor.getName());
    }
  }
  Stacks stacks;
  for (auto &[name, chunks] : rows)
    if (std::optional<Stack> stack = makeStack(chunks);
        stack && stack->ranges.size() > 1 && !others.contains(name))
      stacks[name] = *stack;
  return stacks;
}

//===----------------------------------------------------------------------===//
// Dividing a function
//===----------------------------------------------------------------------===//

namespace {
/// The parts of a value along a dimension, one for each range of rows.
struct Division {
  const Stack *stack = nullptr;
  int64_t dim = 0;
  SmallVector<Value> parts;
};

class StackDivider {
public:
  StackDivider(func::FuncOp function, const Stacks &stacks, const Mesh &mesh)
      : function(function), stacks(stacks), mesh(mesh) {}

  /// Divides the tensors of all stacks. If an operation cannot be divided, sets
  /// `obstacle` to the name of a parameter that it computes with; the function
  /// is then of no use.
  LogicalResult run(StringAttr &obstacle);

private:
  const Stack *findStack(TensorAttr tensor, Type type,
                         DictionaryAttr attrs) const;
  void divideArguments();
  LogicalResult visit(Operation *op);
  LogicalResult visitSlice(stablehlo::SliceOp slice, const Division &input);
  void divideBarrier(stablehlo::OptimizationBarrierOp op);
  void expandOperands(Operation *op);
  LogicalResult divideByRule(Operation *op, const Stack &stack, int loop);
  LogicalResult divideReaders(Operation *op);
  const Division *demand(Value value, const Stack &stack, int64_t dim);
  const Division *divideConcatenation(stablehlo::ConcatenateOp op,
                                      const Stack &stack);
  LogicalResult divideResults(StringAttr &obstacle);
  void divideProbe(ProbeOp probe);
  void eraseDivided();

  func::FuncOp function;
  const Stacks &stacks;
  const Mesh &mesh;
  DenseMap<Value, Division> divisions;
  /// The operations that were divided. Nothing reads them in the end.
  llvm::SetVector<Operation *> replaced;
  SmallVector<unsigned> dividedArgs;
};
} // namespace

static RankedTensorType withDim(RankedTensorType type, int64_t dim,
                                int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return type.clone(shape);
}

/// Returns the attributes of the rows of a range of a tensor with `attrs`.
static DictionaryAttr describeRows(DictionaryAttr attrs, const Stack &stack,
                                   const RowRange &range) {
  MLIRContext *context = attrs.getContext();
  Builder builder(context);
  TensorAttr tensor = getTensor(attrs);
  tensor = tensor.withName(getRowsName(tensor.getName(), range.chunk));
  if (StringAttr owner = tensor.getOwner())
    tensor = tensor.withOf(getRowsName(owner, range.chunk));
  NamedAttrList rows(attrs);
  rows.set(kTensorAttr, tensor);
  rows.set(kRowsAttr,
           builder.getDenseI64ArrayAttr({range.first, stack.getTotal()}));
  SmallVector<Attribute> parts;
  for (PartAttr part : getParts(attrs)) {
    SmallVector<int64_t> shape(part.getShape().asArrayRef());
    shape[0] = range.count;
    parts.push_back(PartAttr::get(
        context, getRowsName(part.getName(), range.chunk),
        part.getOf() ? getRowsName(part.getOf(), range.chunk) : StringAttr(),
        part.getInit(), part.getDim(), part.getOffset(),
        builder.getDenseI64ArrayAttr(shape)));
  }
  if (!parts.empty())
    rows.set(kPartsAttr, builder.getArrayAttr(parts));
  return rows.getDictionary(context);
}

/// Returns the stack that a tensor is divided like, or null.
const Stack *StackDivider::findStack(TensorAttr tensor, Type type,
                                     DictionaryAttr attrs) const {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!tensor || !ranked || ranked.getRank() == 0)
    return nullptr;
  const auto *stack =
      stacks.find(isParameter(tensor) ? tensor.getName() : tensor.getOwner());
  if (stack == stacks.end() ||
      ranked.getDimSize(0) != stack->second.getTotal() || !hasWholeRows(attrs))
    return nullptr;
  return &stack->second;
}

void StackDivider::divideArguments() {
  for (unsigned i = function.getNumArguments(); i-- > 0;) {
    BlockArgument arg = function.getArgument(i);
    DictionaryAttr attrs = function.getArgAttrDict(i);
    const Stack *stack =
        findStack(getArgTensor(function, i), arg.getType(), attrs);
    if (!stack)
      continue;
    Division &division = divisions[arg];
    division.stack = stack;
    for (auto [number, range] : llvm::enumerate(stack->ranges)) {
      unsigned place = i + 1 + number;
      (void)function.insertArgument(
          place, withDim(getTensorType(arg), 0, range.count),
          describeRows(attrs, *stack, range), arg.getLoc());
      division.parts.push_back(function.getArgument(place));
    }
  }
  for (BlockArgument arg : function.getArguments())
    if (divisions.contains(arg))
      dividedArgs.push_back(arg.getArgNumber());
}

/// A slice of the rows of one range is one of that part.
LogicalResult StackDivider::visitSlice(stablehlo::SliceOp slice,
                                       const Division &input) {
  SmallVector<int64_t> starts(slice.getStartIndices());
  SmallVector<int64_t> limits(slice.getLimitIndices());
  int64_t dim = input.dim;
  for (auto [range, part] : llvm::zip_equal(input.stack->ranges, input.parts)) {
    if (starts[dim] < range.first || limits[dim] > range.first + range.count)
      continue;
    starts[dim] -= range.first;
    limits[dim] -= range.first;
    OpBuilder builder(slice);
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
void StackDivider::divideBarrier(stablehlo::OptimizationBarrierOp op) {
  OpBuilder builder(op);
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
void StackDivider::expandOperands(Operation *op) {
  bool hasResults =
      op->getNumResults() == op->getNumOperands() && !isa<SumOfSquaresOp>(op);
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dims");
  SmallVector<Value> operands;
  SmallVector<Type> types;
  SmallVector<int64_t> newDims;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto known = divisions.find(operand);
    SmallVector<Value> parts = known == divisions.end()
                                   ? SmallVector<Value>{operand}
                                   : known->second.parts;
    for (Value part : parts) {
      operands.push_back(part);
      if (dims)
        newDims.push_back(dims[i]);
      if (!hasResults)
        continue;
      RankedTensorType type = getTensorType(op->getResult(i));
      if (known != divisions.end())
        type = withDim(type, known->second.dim,
                       getTensorType(part).getDimSize(known->second.dim));
      types.push_back(type);
    }
  }
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addAttributes(op->getAttrs());
  state.addOperands(operands);
  state.addTypes(hasResults ? TypeRange(types)
                            : TypeRange(op->getResultTypes()));
  if (dims)
    state.attributes.set("dims", builder.getDenseI64ArrayAttr(newDims));
  Operation *expanded = builder.create(state);
  replaced.insert(op);
  if (!hasResults)
    return op->replaceAllUsesWith(expanded), void();
  auto next = expanded->result_begin();
  for (auto [operand, result] :
       llvm::zip_equal(op->getOperands(), op->getResults())) {
    auto known = divisions.find(operand);
    if (known == divisions.end()) {
      result.replaceAllUsesWith(*next++);
      continue;
    }
    Division division = {known->second.stack, known->second.dim, {}};
    for (size_t i = 0; i < division.stack->ranges.size(); ++i)
      division.parts.push_back(*next++);
    divisions[result] = division;
  }
}

/// Replaces an operation by one for each range of rows, which a loop of its
/// sharding rule runs over. Sums over the loop are those of the parts.
LogicalResult StackDivider::divideByRule(Operation *op, const Stack &stack,
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
  OpBuilder builder(op);
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
    for (Operation *built = first; built != op; built = built->getNextNode()) {
      built->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      built->removeDiscardableAttr(kLayerAttr);
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
LogicalResult StackDivider::divideReaders(Operation *op) {
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

LogicalResult StackDivider::visit(Operation *op) {
  auto isDivided = [&](Value value) { return divisions.contains(value); };
  // Only results say of which other values there have to be parts.
  if (llvm::none_of(op->getOperands(), isDivided) || isa<ProbeOp>(op))
    return success();
  if (auto slice = dyn_cast<stablehlo::SliceOp>(op)) {
    Division input = divisions.lookup(slice.getOperand());
    if (slice.getType().getDimSize(input.dim) != input.stack->getTotal())
      return visitSlice(slice, input);
  }
  if (auto barrier = dyn_cast<stablehlo::OptimizationBarrierOp>(op))
    return divideBarrier(barrier), success();
  if (isDivisible(op) || isa<SumOfSquaresOp>(op))
    return expandOperands(op), success();
  return divideReaders(op);
}

/// Joins the operands of a concatenation that belong to a range of rows.
const Division *StackDivider::divideConcatenation(stablehlo::ConcatenateOp op,
                                                  const Stack &stack) {
  auto dim = static_cast<int64_t>(op.getDimension());
  Division division = {&stack, dim, {}};
  auto operand = op->operand_begin();
  OpBuilder builder(op);
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
const Division *StackDivider::demand(Value value, const Stack &stack,
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
    OpBuilder builder(op);
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

/// Returns any of the parameters of a stack.
static StringAttr findParameter(const Stacks &stacks, const Stack *stack) {
  for (const auto &[name, known] : stacks)
    if (&known == stack)
      return name;
  llvm_unreachable("a division has one of the stacks");
}

LogicalResult StackDivider::divideResults(StringAttr &obstacle) {
  Operation *terminator = function.front().getTerminator();
  for (unsigned i = function.getNumResults(); i-- > 0;) {
    DictionaryAttr attrs = function.getResultAttrDict(i);
    const Stack *stack = findStack(getResultTensor(function, i),
                                   function.getResultTypes()[i], attrs);
    auto known = divisions.find(terminator->getOperand(i));
    if (!stack && known == divisions.end())
      continue;
    const Division *division =
        stack ? demand(terminator->getOperand(i), *stack, 0) : nullptr;
    if (!division) {
      obstacle = findParameter(stacks, stack ? stack : known->second.stack);
      return failure();
    }
    SmallVector<Value> parts = division->parts;
    for (auto [number, range] : llvm::enumerate(stack->ranges)) {
      (void)function.insertResult(i + 1 + number, parts[number].getType(),
                                  describeRows(attrs, *stack, range));
      terminator->insertOperands(i + 1 + number, parts[number]);
    }
    (void)function.eraseResult(i);
    terminator->eraseOperand(i);
  }
  return success();
}

/// Shows the parts of a value that is divided by its rows. One that is divided
/// otherwise is put together to be shown.
void StackDivider::divideProbe(ProbeOp probe) {
  auto known = divisions.find(probe.getInput());
  if (known == divisions.end() || known->second.dim != 0)
    return;
  OpBuilder builder(probe);
  const Stack &stack = *known->second.stack;
  for (auto [range, part] :
       llvm::zip_equal(stack.ranges, known->second.parts)) {
    auto rows = cast<ProbeOp>(builder.clone(*probe));
    rows.getInputMutable().assign(part);
    rows.setRows(ArrayRef({range.first, stack.getTotal()}));
  }
  probe.erase();
}

void StackDivider::eraseDivided() {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (replaced.contains(&op) && op.use_empty())
      op.erase();
  for (unsigned i : llvm::reverse(dividedArgs))
    (void)function.eraseArgument(i);
}

LogicalResult StackDivider::run(StringAttr &obstacle) {
  divideArguments();
  for (Operation &op :
       llvm::make_early_inc_range(function.front().without_terminator())) {
    if (succeeded(visit(&op)))
      continue;
    for (Value operand : op.getOperands())
      if (auto known = divisions.find(operand); known != divisions.end())
        obstacle = findParameter(stacks, known->second.stack);
    return failure();
  }
  if (failed(divideResults(obstacle)))
    return failure();
  for (ProbeOp probe : llvm::make_early_inc_range(function.getOps<ProbeOp>()))
    divideProbe(probe);
  eraseDivided();
  return success();
}

void mlir::boost::divideStacks(ArrayRef<func::FuncOp> functions,
                               const LayerChunks &layers, const Mesh &mesh) {
  Stacks stacks = findStacks(functions, layers);
  while (!stacks.empty()) {
    SmallVector<OwningOpRef<func::FuncOp>> divided;
    StringAttr obstacle;
    for (func::FuncOp function : functions) {
      divided.emplace_back(function.clone());
      if (failed(StackDivider(*divided.back(), stacks, mesh).run(obstacle)))
        break;
    }
    if (obstacle) {
      stacks.erase(obstacle);
      continue;
    }
    for (auto [original, copy] : llvm::zip_equal(functions, divided)) {
      func::FuncOp function = original;
      function.setFunctionType(copy->getFunctionType());
      function->setAttrs(copy->getOperation()->getAttrs());
      function.getBody().takeBody(copy->getBody());
    }
    return;
  }
}
