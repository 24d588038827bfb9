//===- BuildAttention.cpp - boost.attention for what was found ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// boost.attention has heads of one size, no sinks, and means of values where a
// query sees no key. Heads of values of another size than those of queries and
// keys are padded, or these are. A sink s takes the weight
// exp(s) / (exp(s) + exp(lse)) of a row, so that logistic(lse - s) of the
// result is left.
//
//===----------------------------------------------------------------------===//

#include "BuildAttention.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::DotGeneralOp;

/// Undoes a repetition of heads that key and value share.
static void dropSharedRepeat(OpBuilder &builder, Location loc, Value &key,
                             Value &value) {
  int64_t repeat = getRepeat(key, 2);
  if (repeat != getRepeat(value, 2))
    return;
  key = dropRepeat(builder, loc, key, 2, repeat);
  value = dropRepeat(builder, loc, value, 2, repeat);
}

/// Replaces `old`, which is `base` with its dimensions permuted, absorbing the
/// transposes and reshapes that read it.
static void replaceTransposed(OpBuilder &builder, Value old, Value base,
                              ArrayRef<int64_t> permutation) {
  for (OpOperand &use : llvm::make_early_inc_range(old.getUses())) {
    Operation *user = use.getOwner();
    OpBuilder::InsertionGuard guard(builder);
    auto transpose = dyn_cast<stablehlo::TransposeOp>(user);
    if (transpose) {
      SmallVector<int64_t> composed;
      for (int64_t dim : transpose.getPermutation())
        composed.push_back(permutation[dim]);
      replaceTransposed(builder, transpose, base, composed);
      continue;
    }
    Value moved = makeTranspose(builder, old.getLoc(), base, permutation);
    if (auto reshape = dyn_cast<stablehlo::ReshapeOp>(user))
      reshape.replaceAllUsesWith(makeReshape(builder, old.getLoc(), moved,
                                             reshape.getType().getShape()));
    else
      use.set(moved);
  }
}

/// `value`, repeated along dimensions where it has size 1.
static Value repeat(OpBuilder &builder, Location loc, Value value,
                    ArrayRef<int64_t> shape) {
  if (getTensorType(value).getShape() == shape)
    return value;
  return stablehlo::broadcastInDim(
      builder, loc, value, shape,
      llvm::to_vector(llvm::seq<int64_t>(0, shape.size())));
}

/// `lhs op rhs`, each repeated along dimensions where it has size 1.
template <typename OpT>
static Value combineScores(OpBuilder &builder, Location loc, Value lhs,
                           Value rhs) {
  if (!lhs)
    return rhs;
  SmallVector<int64_t> common;
  for (auto [l, r] : llvm::zip_equal(getTensorType(lhs).getShape(),
                                     getTensorType(rhs).getShape()))
    common.push_back(std::max(l, r));
  return OpT::create(builder, loc, repeat(builder, loc, lhs, common),
                     repeat(builder, loc, rhs, common));
}

/// `value` with zeros behind its last dimension, up to `size`.
static Value padHeads(OpBuilder &builder, Location loc, Value value,
                      int64_t size) {
  RankedTensorType type = getTensorType(value);
  SmallVector<int64_t> none(type.getRank(), 0), high(none),
      shape(type.getShape());
  high.back() = size - shape.back();
  if (high.back() == 0)
    return value;
  shape.back() = size;
  Value zero = stablehlo::splat(
      builder, loc, RankedTensorType::get({}, type.getElementType()), 0);
  return stablehlo::PadOp::create(builder, loc, type.clone(shape), value, zero,
                                  none, high, none);
}

/// The first `size` elements of the last dimension of `value`.
static Value takeHeads(OpBuilder &builder, Location loc, Value value,
                       int64_t size) {
  RankedTensorType type = getTensorType(value);
  SmallVector<int64_t> begin(type.getRank(), 0), end(type.getShape()),
      strides(type.getRank(), 1);
  if (end.back() == size)
    return value;
  end.back() = size;
  return stablehlo::SliceOp::create(builder, loc, type.clone(end), value, begin,
                                    end, strides);
}

namespace {
class AttentionBuilder {
public:
  AttentionBuilder(DotGeneralOp root, const Attention &attention,
                   ArrayRef<int64_t> shape)
      : root(root), attention(attention), shape(shape), builder(root),
        loc(root.getLoc()), queryHeads(attention.heads) {
    queryHeads.append(attention.groups);
  }

  void build();

private:
  int64_t count(ArrayRef<int64_t> axes) const {
    int64_t product = 1;
    for (int64_t axis : axes)
      product *= shape[axis];
    return product;
  }
  Value buildOperand(const AttentionOperand &operand, int64_t sequence,
                     ArrayRef<int64_t> heads);
  Value mergeAxes(Value value, size_t begin, ArrayRef<int64_t> axes);
  Value buildScores(View view);
  Value buildBias(Type type);
  Value buildMask();
  Value buildSeeing(Value mask);
  Value buildSinkGate(Value lse);
  Value repeatRows(Value rows, Value result);
  void replaceRoot(Value result);

  DotGeneralOp root;
  const Attention &attention;
  ArrayRef<int64_t> shape;
  OpBuilder builder;
  Location loc;
  SmallVector<int64_t> queryHeads;
};
} // namespace

/// `operand` as [batch, `sequence`, heads, head size]; its head axes are
/// `heads`, in order.
Value AttentionBuilder::buildOperand(const AttentionOperand &operand,
                                     int64_t sequence,
                                     ArrayRef<int64_t> heads) {
  SmallVector<int64_t> order;
  for (int64_t axis : attention.batch)
    order.push_back(operand.find(axis));
  order.push_back(operand.find(sequence));
  for (int64_t axis : heads)
    order.push_back(operand.find(axis));
  for (auto [dim, axis] : llvm::enumerate(operand.axes))
    if (axis == kUnit || !llvm::is_contained(order, static_cast<int64_t>(dim)))
      if (axis != kHeadDim)
        order.push_back(dim);
  order.push_back(operand.find(kHeadDim));
  int64_t size =
      getTensorType(operand.value).getDimSize(operand.find(kHeadDim));
  return makeReshape(
      builder, loc, makeTranspose(builder, loc, operand.value, order),
      {count(attention.batch), shape[sequence], count(heads), size});
}

/// Makes one dimension, which is whole or of size 1, of those from `begin` on,
/// which are `axes` or of size 1.
Value AttentionBuilder::mergeAxes(Value value, size_t begin,
                                  ArrayRef<int64_t> axes) {
  SmallVector<int64_t> sizes(getTensorType(value).getShape());
  auto merged = MutableArrayRef<int64_t>(sizes).slice(begin, axes.size());
  bool isRepeated =
      llvm::all_of(merged, [](int64_t size) { return size == 1; });
  if (!isRepeated) {
    for (auto [size, axis] : llvm::zip_equal(merged, axes))
      size = shape[axis];
    value = repeat(builder, loc, value, sizes);
  }
  SmallVector<int64_t> result(sizes.begin(), sizes.begin() + begin);
  result.push_back(isRepeated ? 1 : count(axes));
  result.append(sizes.begin() + begin + axes.size(), sizes.end());
  return makeReshape(builder, loc, value, result);
}

/// `view`, in the frame, as [batch, heads, queries, keys]; any of these is 1 if
/// the view is repeated along it.
Value AttentionBuilder::buildScores(View view) {
  SmallVector<int64_t> axes(attention.batch);
  llvm::append_range(axes, queryHeads);
  axes.append({attention.queries, attention.keys});
  SmallVector<int64_t> order, sizes;
  for (int64_t axis : axes) {
    int64_t dim = view.find(axis);
    if (dim >= 0)
      order.push_back(dim);
    sizes.push_back(dim >= 0 ? shape[axis] : 1);
  }
  for (int64_t dim = 0, rank = view.dims.size(); dim < rank; ++dim)
    if (!llvm::is_contained(order, dim))
      order.push_back(dim); // of size 1
  Value value = makeReshape(
      builder, loc, makeTranspose(builder, loc, view.value, order), sizes);
  return mergeAxes(mergeAxes(value, attention.batch.size(), queryHeads), 0,
                   attention.batch);
}

/// The sum of all biases, of `type`; null if there is none.
Value AttentionBuilder::buildBias(Type type) {
  Value bias;
  for (const Bias &each : attention.biases) {
    Value value =
        stablehlo::convert(builder, loc, buildScores(each.view), type);
    if (each.factor != 1)
      value = stablehlo::MulOp::create(
          builder, loc, value,
          stablehlo::splatLike(builder, loc, value, each.factor));
    bias = combineScores<stablehlo::AddOp>(builder, loc, bias, value);
  }
  return bias;
}

/// The conjunction of all conditions; null if there is none.
Value AttentionBuilder::buildMask() {
  Value mask;
  for (const Condition &each : attention.conditions) {
    Value value = buildScores(each.view);
    if (each.negated)
      value = stablehlo::NotOp::create(builder, loc, value);
    mask = combineScores<stablehlo::AndOp>(builder, loc, mask, value);
  }
  return mask;
}

/// Returns for each query, as [batch, heads, queries], whether it sees a key;
/// null if all do.
Value AttentionBuilder::buildSeeing(Value mask) {
  if (!mask || seesItself(attention, shape))
    return {};
  if (attention.causal) {
    auto type = RankedTensorType::get(
        {1, 1, shape[attention.queries], shape[attention.keys]},
        builder.getI32Type());
    Value query = stablehlo::IotaOp::create(builder, loc, type, 2);
    Value key = stablehlo::IotaOp::create(builder, loc, type, 3);
    Value isBefore = stablehlo::CompareOp::create(
        builder, loc, query, key, stablehlo::ComparisonDirection::GE);
    mask = combineScores<stablehlo::AndOp>(builder, loc, mask, isBefore);
  }
  return stablehlo::reduce(builder, loc, mask, {3},
                           stablehlo::ReductionKind::Or);
}

/// Builds the share of the result of each query that a sink leaves.
Value AttentionBuilder::buildSinkGate(Value lse) {
  RankedTensorType type = getTensorType(lse);
  Value sink;
  if (attention.sink->view) {
    sink = stablehlo::convert(builder, loc, buildScores(*attention.sink->view),
                              type.getElementType());
    ArrayRef<int64_t> sizes = getTensorType(sink).getShape();
    sink =
        repeat(builder, loc, makeReshape(builder, loc, sink, sizes.drop_back()),
               type.getShape());
  } else {
    sink = stablehlo::splat(builder, loc, type, attention.sink->number);
  }
  return stablehlo::LogisticOp::create(
      builder, loc, stablehlo::SubtractOp::create(builder, loc, lse, sink));
}

/// `rows`, as [batch, heads, queries], repeated to the shape of `result`, which
/// is [batch, queries, heads, head size].
Value AttentionBuilder::repeatRows(Value rows, Value result) {
  return stablehlo::broadcastInDim(builder, loc, rows,
                                   getTensorType(result).getShape(), {0, 2, 1});
}

/// Replaces the root by `result`, from [batch, queries, heads, head size] back
/// to its own order.
void AttentionBuilder::replaceRoot(Value result) {
  SmallVector<int64_t> order(attention.batch), sizes;
  order.push_back(attention.queries);
  order.append(queryHeads);
  for (int64_t axis : order)
    sizes.push_back(shape[axis]);
  SmallVector<int64_t> permutation;
  for (int64_t axis : attention.resultAxes) {
    const int64_t *it = llvm::find(order, axis);
    if (axis != kUnit && axis != kHeadDim && it != order.end()) {
      permutation.push_back(it - order.begin());
    } else if (axis == kHeadDim) {
      permutation.push_back(kHeadDim);
    } else {
      permutation.push_back(sizes.size());
      sizes.push_back(1);
    }
  }
  for (int64_t &dim : permutation)
    if (dim == kHeadDim)
      dim = sizes.size();
  sizes.push_back(getTensorType(result).getShape().back());
  replaceTransposed(builder, root, makeReshape(builder, loc, result, sizes),
                    permutation);
}

void AttentionBuilder::build() {
  Value query = buildOperand(attention.query, attention.queries, queryHeads);
  Value key = buildOperand(attention.key, attention.keys, attention.heads);
  Value value = buildOperand(attention.value, attention.keys, attention.heads);
  dropSharedRepeat(builder, loc, key, value);
  int64_t valueSize = getTensorType(value).getShape().back();
  int64_t size = std::max(getTensorType(query).getShape().back(), valueSize);
  query = padHeads(builder, loc, query, size);
  key = padHeads(builder, loc, key, size);
  value = padHeads(builder, loc, value, size);

  RankedTensorType type = getTensorType(query);
  Type stat = type.getElementType().isF64() ? type.getElementType()
                                            : Type(builder.getF32Type());
  auto lseType = RankedTensorType::get(
      {type.getDimSize(0), type.getDimSize(2), type.getDimSize(1)}, stat);
  Value bias = buildBias(stat), mask = buildMask();
  auto op = AttentionOp::create(
      builder, loc, type, lseType, query, key, value, bias, mask,
      attention.causal, APFloat(attention.scale),
      attention.softCap ? builder.getF64FloatAttr(*attention.softCap)
                        : FloatAttr());
  Value result = takeHeads(builder, loc, op.getResult(), valueSize);
  if (attention.sink) {
    Value wide = stablehlo::convert(builder, loc, result, stat);
    Value gate = repeatRows(buildSinkGate(op.getLse()), result);
    result = stablehlo::convert(
        builder, loc, stablehlo::MulOp::create(builder, loc, wide, gate),
        type.getElementType());
  }
  Value seeing = attention.zerosUnseeing ? buildSeeing(mask) : Value();
  if (seeing) {
    RankedTensorType rows = getTensorType(op.getLse());
    seeing = repeat(builder, loc, seeing, rows.getShape());
    result = stablehlo::SelectOp::create(
        builder, loc, repeatRows(seeing, result), result,
        stablehlo::splatLike(builder, loc, result, 0));
  }
  replaceRoot(stablehlo::convert(builder, loc, result,
                                 getTensorType(root).getElementType()));
}

void raise::buildAttention(DotGeneralOp root, const Attention &attention,
                           ArrayRef<int64_t> shape) {
  AttentionBuilder(root, attention, shape).build();
}
