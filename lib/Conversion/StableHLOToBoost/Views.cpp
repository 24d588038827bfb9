//===- Views.cpp - Tensors seen through operations that move no data ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Views.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::BroadcastInDimOp;
using stablehlo::ConvertOp;
using stablehlo::ReshapeOp;
using stablehlo::TransposeOp;

static bool isFloat(Value value) {
  return isa<FloatType>(getTensorType(value).getElementType());
}

/// The operand of a conversion between float types; null otherwise.
static Value getConverted(Value value) {
  auto convert = value.getDefiningOp<ConvertOp>();
  if (!convert || !isFloat(value) || !isFloat(convert.getOperand()))
    return {};
  return convert.getOperand();
}

Value raise::peelConverts(Value value) {
  while (Value operand = getConverted(value))
    value = operand;
  return value;
}

static unsigned getWidth(Value value) {
  return getTensorType(value).getElementTypeBitWidth();
}

Value raise::peelWidening(Value value) {
  while (Value operand = getConverted(value)) {
    if (getWidth(operand) > getWidth(value))
      break;
    value = operand;
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

View::View(Value value) : value(value) {
  dims = llvm::to_vector(llvm::seq<int64_t>(0, getTensorType(value).getRank()));
}

View::View(Value value, ArrayRef<int64_t> dims) : value(value), dims(dims) {}

int64_t View::find(int64_t dim) const {
  auto it = llvm::find(dims, dim);
  return it == dims.end() ? -1 : it - dims.begin();
}

/// For each dimension of `from` the dimension of `to` that it becomes when only
/// dimensions of size 1 come and go, or -1; nullopt if more happens.
static std::optional<SmallVector<int64_t>> matchUnitDims(ArrayRef<int64_t> from,
                                                         ArrayRef<int64_t> to) {
  SmallVector<int64_t> map;
  size_t j = 0;
  for (int64_t size : from) {
    while (j < to.size() && to[j] != size && to[j] == 1)
      ++j;
    if (j < to.size() && to[j] == size)
      map.push_back(j++);
    else if (size == 1)
      map.push_back(-1);
    else
      return std::nullopt;
  }
  for (; j < to.size(); ++j)
    if (to[j] != 1)
      return std::nullopt;
  return map;
}

static SmallVector<int64_t> compose(ArrayRef<int64_t> inner,
                                    ArrayRef<int64_t> outer) {
  return llvm::map_to_vector(
      inner, [&](int64_t dim) { return dim < 0 ? -1 : outer[dim]; });
}

bool View::step() {
  Operation *op = value.getDefiningOp();
  if (auto transpose = dyn_cast_or_null<TransposeOp>(op)) {
    SmallVector<int64_t> next(dims.size());
    for (auto [i, dim] : llvm::enumerate(transpose.getPermutation()))
      next[dim] = dims[i];
    *this = View(transpose.getOperand(), next);
    return true;
  }
  if (auto broadcast = dyn_cast_or_null<BroadcastInDimOp>(op)) {
    RankedTensorType from = getTensorType(broadcast.getOperand());
    RankedTensorType to = getTensorType(value);
    SmallVector<int64_t> next;
    for (auto [i, dim] : llvm::enumerate(broadcast.getBroadcastDimensions()))
      next.push_back(from.getDimSize(i) == to.getDimSize(dim) ? dims[dim] : -1);
    *this = View(broadcast.getOperand(), next);
    return true;
  }
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op)) {
    auto map = matchUnitDims(getTensorType(reshape.getOperand()).getShape(),
                             getTensorType(value).getShape());
    if (!map)
      return false;
    *this = View(reshape.getOperand(), compose(*map, dims));
    return true;
  }
  return false;
}

void View::peel() {
  do
    value = peelConverts(value);
  while (step());
}

//===----------------------------------------------------------------------===//
// Constants and reductions
//===----------------------------------------------------------------------===//

/// The limit of values that a matcher inspects, far more than a loss needs.
/// Values that two operands lead to are counted twice.
static constexpr unsigned kMaxSteps = 1000;

static std::optional<double> matchScalar(Value value, unsigned &steps) {
  if (++steps > kMaxSteps)
    return std::nullopt;
  if (std::optional<double> splat = stablehlo::matchSplat(value))
    return splat;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() == 0 || op->getNumOperands() > 2 ||
      op->getNumRegions() != 0)
    return std::nullopt;
  // Only arithmetic on scalars: looking into a tensor would be quadratic.
  if (getTensorType(value).getNumElements() != 1 &&
      !isa<BroadcastInDimOp, ReshapeOp, ConvertOp>(op))
    return std::nullopt;
  std::optional<double> lhs = matchScalar(op->getOperand(0), steps);
  if (!lhs)
    return std::nullopt;
  if (isa<BroadcastInDimOp, ReshapeOp, ConvertOp>(op))
    return lhs;
  if (isa<stablehlo::SqrtOp>(op))
    return std::sqrt(*lhs);
  if (isa<stablehlo::RsqrtOp>(op))
    return 1 / std::sqrt(*lhs);
  if (isa<stablehlo::NegOp>(op))
    return -*lhs;
  if (op->getNumOperands() == 1)
    return std::nullopt;
  std::optional<double> rhs = matchScalar(op->getOperand(1), steps);
  if (!rhs || !isFloat(value))
    return std::nullopt;
  if (isa<stablehlo::MulOp>(op))
    return *lhs * *rhs;
  if (isa<stablehlo::DivOp>(op))
    return *lhs / *rhs;
  if (isa<stablehlo::AddOp>(op))
    return *lhs + *rhs;
  if (isa<stablehlo::SubtractOp>(op))
    return *lhs - *rhs;
  return std::nullopt;
}

std::optional<double> raise::matchScalar(Value value) {
  unsigned steps = 0;
  return ::matchScalar(value, steps);
}

bool raise::isScalar(Value value, double expected) {
  std::optional<double> scalar = matchScalar(value);
  // Constants come rounded to f32 or bf16.
  double slack = getTensorType(value).getElementType().isBF16() ? 4e-3 : 1e-6;
  return scalar && std::abs(*scalar - expected) <= slack * std::abs(expected);
}

Value raise::matchSum(Value value, int64_t dim) {
  auto reduce = value.getDefiningOp<stablehlo::ReduceOp>();
  if (!reduce || reduce.getInputs().size() != 1 ||
      reduce.getDimensions() != ArrayRef<int64_t>({dim}) ||
      stablehlo::matchSimpleReduction(reduce) !=
          stablehlo::ReductionKind::Add ||
      stablehlo::matchSplat(reduce.getInitValues().front()) != 0.0)
    return {};
  return reduce.getInputs().front();
}

std::optional<std::pair<Value, Value>> raise::matchRowDot(Value value) {
  Value input = matchSum(value, getTensorType(value).getRank());
  if (!input)
    return std::nullopt;
  input = peelConverts(input);
  if (auto mul = input.getDefiningOp<stablehlo::MulOp>())
    return std::pair<Value, Value>(mul.getLhs(), mul.getRhs());
  if (auto power = input.getDefiningOp<stablehlo::PowOp>())
    if (isScalar(power.getRhs(), 2))
      return std::pair<Value, Value>(power.getLhs(), power.getLhs());
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Repetition
//===----------------------------------------------------------------------===//

/// The dimensions of the operand of a reshape that merge into `dim` of its
/// result, as a half-open range; nullopt if `dim` is not made of whole ones.
static std::optional<std::pair<int64_t, int64_t>>
getMergedDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to, int64_t dim) {
  int64_t before = 1;
  for (int64_t size : to.take_front(dim))
    before *= size;
  int64_t begin = 0, outer = 1;
  while (begin < static_cast<int64_t>(from.size()) && outer < before)
    outer *= from[begin++];
  if (outer != before)
    return std::nullopt;
  int64_t end = begin, product = 1;
  while (end < static_cast<int64_t>(from.size()) && product < to[dim])
    product *= from[end++];
  if (product != to[dim])
    return std::nullopt;
  return std::pair(begin, end);
}

int64_t raise::getRepeat(Value value, int64_t dim) {
  Operation *op = value.getDefiningOp();
  ArrayRef<int64_t> shape = getTensorType(value).getShape();
  if (!op)
    return 1;
  if (auto convert = dyn_cast<ConvertOp>(op))
    return getRepeat(convert.getOperand(), dim);
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return getRepeat(transpose.getOperand(), transpose.getPermutation()[dim]);
  if (auto constant = dyn_cast<stablehlo::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue()) ? shape[dim] : 1;
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    RankedTensorType from = getTensorType(broadcast.getOperand());
    auto it = llvm::find(broadcast.getBroadcastDimensions(), dim);
    int64_t i = it - broadcast.getBroadcastDimensions().begin();
    if (i == from.getRank() || from.getDimSize(i) == 1)
      return shape[dim];
    return getRepeat(broadcast.getOperand(), i);
  }
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!reshape)
    return 1;
  ArrayRef<int64_t> from = getTensorType(reshape.getOperand()).getShape();
  auto merged = getMergedDims(from, shape, dim);
  if (!merged)
    return 1;
  int64_t repeat = 1;
  for (int64_t i = merged->second - 1; i >= merged->first; --i) {
    int64_t inner = getRepeat(reshape.getOperand(), i);
    repeat *= inner;
    if (inner != from[i])
      break;
  }
  return repeat;
}

bool raise::isConstantAlong(Value value, int64_t dim) {
  return getRepeat(value, dim) == getTensorType(value).getDimSize(dim);
}

Value raise::dropRepeat(OpBuilder &builder, Location loc, Value value,
                        int64_t dim, int64_t repeat) {
  if (repeat == 1)
    return value;
  SmallVector<int64_t> shape(getTensorType(value).getShape());
  shape[dim] /= repeat;
  Operation *op = value.getDefiningOp();
  if (auto convert = dyn_cast<ConvertOp>(op))
    return stablehlo::convert(
        builder, loc,
        dropRepeat(builder, loc, convert.getOperand(), dim, repeat),
        getTensorType(value).getElementType());
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return makeTranspose(builder, loc,
                         dropRepeat(builder, loc, transpose.getOperand(),
                                    transpose.getPermutation()[dim], repeat),
                         transpose.getPermutation());
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op)) {
    Value operand = broadcast.getOperand();
    auto it = llvm::find(broadcast.getBroadcastDimensions(), dim);
    int64_t i = it - broadcast.getBroadcastDimensions().begin();
    RankedTensorType from = getTensorType(operand);
    if (i < from.getRank() && from.getDimSize(i) != 1)
      operand = dropRepeat(builder, loc, operand, i, repeat);
    if (matchUnitDims(getTensorType(operand).getShape(), shape) &&
        llvm::is_sorted(broadcast.getBroadcastDimensions()))
      return makeReshape(builder, loc, operand, shape);
    return stablehlo::broadcastInDim(builder, loc, operand, shape,
                                     broadcast.getBroadcastDimensions());
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    Value operand = reshape.getOperand();
    ArrayRef<int64_t> from = getTensorType(operand).getShape();
    auto merged = getMergedDims(from, getTensorType(value).getShape(), dim);
    for (int64_t i = merged->second - 1; i >= merged->first; --i) {
      int64_t inner = std::gcd(repeat, getRepeat(operand, i));
      operand = dropRepeat(builder, loc, operand, i, inner);
      repeat /= inner;
    }
    return makeReshape(builder, loc, operand, shape);
  }
  SmallVector<int64_t> start(shape.size(), 0), strides(shape.size(), 1);
  strides[dim] = repeat;
  return stablehlo::SliceOp::create(
      builder, loc,
      RankedTensorType::get(shape, getTensorType(value).getElementType()),
      value, start, getTensorType(value).getShape(), strides);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value raise::makeTranspose(OpBuilder &builder, Location loc, Value value,
                           ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> dims(permutation);
  while (auto inner = value.getDefiningOp<TransposeOp>()) {
    for (int64_t &dim : dims)
      dim = inner.getPermutation()[dim];
    value = inner.getOperand();
  }
  return stablehlo::transpose(builder, loc, value, dims);
}

Value raise::makeReshape(OpBuilder &builder, Location loc, Value value,
                         ArrayRef<int64_t> shape) {
  while (auto inner = value.getDefiningOp<ReshapeOp>())
    value = inner.getOperand();
  return stablehlo::reshape(builder, loc, value, shape);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

BlockArgument raise::getParameter(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ConvertOp, ReshapeOp, TransposeOp, stablehlo::SliceOp>(op))
      return {};
    value = op->getOperand(0);
  }
  auto arg = cast<BlockArgument>(value);
  return isParameter(arg) ? arg : BlockArgument();
}

//===----------------------------------------------------------------------===//
// Traversal
//===----------------------------------------------------------------------===//

void raise::visitBackwards(Block &block,
                           function_ref<void(Operation *)> callback) {
  Operation *op = block.empty() ? nullptr : &block.back();
  while (op) {
    if (isOpTriviallyDead(op)) {
      Operation *previous = op->getPrevNode();
      op->erase();
      op = previous;
      continue;
    }
    // Operations that the callback adds are before `op`; those that it replaces
    // are dead by the time the walk reaches them.
    callback(op);
    bool dead = isOpTriviallyDead(op);
    Operation *previous = op->getPrevNode();
    if (dead)
      op->erase();
    op = previous;
  }
}
