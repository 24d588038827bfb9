//===- StageStacks.cpp - Parameters stacked over layers -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageStacks.h"

#include "RowDivision.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
/// Stacked parameters by their names.
using Stacks = llvm::MapVector<StringAttr, Stack>;
} // namespace

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
    int64_t last = stack.ranges.empty() ? -1 : stack.ranges.back().group;
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
class StackDivider {
public:
  StackDivider(func::FuncOp function, const Stacks &stacks, const Mesh &mesh)
      : function(function), stacks(stacks), rows(mesh) {}

  /// Divides the tensors of all stacks. If an operation cannot be divided, sets
  /// `obstacle` to the name of a parameter that it computes with; the function
  /// is then of no use.
  LogicalResult run(StringAttr &obstacle);

private:
  const Stack *findStack(TensorAttr tensor, Type type,
                         DictionaryAttr attrs) const;
  void divideArguments();
  LogicalResult divideResults(StringAttr &obstacle);
  void divideProbe(ProbeOp probe);

  func::FuncOp function;
  const Stacks &stacks;
  RowDivider rows;
  SmallVector<unsigned> dividedArgs;
};
} // namespace

/// Returns the attributes of the rows of a range of a tensor with `attrs`.
static DictionaryAttr describeRows(DictionaryAttr attrs, const Stack &stack,
                                   const RowRange &range) {
  MLIRContext *context = attrs.getContext();
  Builder builder(context);
  TensorAttr tensor = getTensor(attrs);
  tensor = tensor.withName(getRowsName(tensor.getName(), range.group));
  if (StringAttr owner = tensor.getOwner())
    tensor = tensor.withOf(getRowsName(owner, range.group));
  NamedAttrList rows(attrs);
  rows.set(kTensorAttr, tensor);
  rows.set(kRowsAttr,
           builder.getDenseI64ArrayAttr({range.first, stack.getTotal()}));
  SmallVector<Attribute> parts;
  for (PartAttr part : getParts(attrs)) {
    SmallVector<int64_t> shape(part.getShape().asArrayRef());
    shape[0] = range.count;
    parts.push_back(PartAttr::get(
        context, getRowsName(part.getName(), range.group),
        part.getOf() ? getRowsName(part.getOf(), range.group) : StringAttr(),
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
    Division division = {stack, 0, {}};
    for (auto [number, range] : llvm::enumerate(stack->ranges)) {
      unsigned place = i + 1 + number;
      (void)function.insertArgument(
          place, withDim(getTensorType(arg), 0, range.count),
          describeRows(attrs, *stack, range), arg.getLoc());
      division.parts.push_back(function.getArgument(place));
    }
    rows.set(arg, std::move(division));
  }
  for (BlockArgument arg : function.getArguments())
    if (rows.find(arg))
      dividedArgs.push_back(arg.getArgNumber());
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
    Value value = terminator->getOperand(i);
    if (!stack && !rows.find(value))
      continue;
    const Division *division = stack ? rows.demand(value, *stack, 0) : nullptr;
    if (!division) {
      obstacle = findParameter(stacks, stack ? stack : rows.find(value)->stack);
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
  const Division *division = rows.find(probe.getInput());
  if (!division || division->dim != 0)
    return;
  OpBuilder builder(probe);
  const Stack &stack = *division->stack;
  for (auto [range, part] : llvm::zip_equal(stack.ranges, division->parts)) {
    auto copy = cast<ProbeOp>(builder.clone(*probe));
    copy.getInputMutable().assign(part);
    copy.setRows(ArrayRef({range.first, stack.getTotal()}));
  }
  probe.erase();
}

LogicalResult StackDivider::run(StringAttr &obstacle) {
  divideArguments();
  for (Operation &op :
       llvm::make_early_inc_range(function.front().without_terminator())) {
    // Only results say of which other values there have to be parts.
    if (!rows.reads(&op) || isa<ProbeOp>(op) || succeeded(rows.divide(&op)))
      continue;
    for (Value operand : op.getOperands())
      if (const Division *division = rows.find(operand))
        obstacle = findParameter(stacks, division->stack);
    return failure();
  }
  if (failed(divideResults(obstacle)))
    return failure();
  for (ProbeOp probe : llvm::make_early_inc_range(function.getOps<ProbeOp>()))
    divideProbe(probe);
  rows.eraseReplaced(function.front());
  for (unsigned i : llvm::reverse(dividedArgs))
    (void)function.eraseArgument(i);
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
