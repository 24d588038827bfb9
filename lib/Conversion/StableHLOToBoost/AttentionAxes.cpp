//===- AttentionAxes.cpp - What the dimensions of attention are -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionAxes.h"

#include <limits>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::DotGeneralOp;

std::pair<AttentionOperand, AttentionOperand>
raise::splitAxes(DotGeneralOp dot, ArrayRef<int64_t> axes, int64_t contracted) {
  auto dims = dot.getDotDimensionNumbers();
  auto assign = [&](Value value, ArrayRef<int64_t> batching,
                    ArrayRef<int64_t> contracting, size_t &next) {
    AttentionOperand operand{
        value, SmallVector<int64_t>(getTensorType(value).getRank(), kUnit)};
    for (int64_t dim : contracting)
      operand.axes[dim] = contracted;
    for (auto [i, dim] : llvm::enumerate(batching))
      operand.axes[dim] = axes[i];
    for (auto [i, axis] : llvm::enumerate(operand.axes))
      if (!llvm::is_contained(contracting, static_cast<int64_t>(i)) &&
          !llvm::is_contained(batching, static_cast<int64_t>(i)))
        axis = axes[next++];
    return operand;
  };
  size_t next = dims.getLhsBatchingDimensions().size();
  AttentionOperand lhs = assign(dot.getLhs(), dims.getLhsBatchingDimensions(),
                                dims.getLhsContractingDimensions(), next);
  AttentionOperand rhs = assign(dot.getRhs(), dims.getRhsBatchingDimensions(),
                                dims.getRhsContractingDimensions(), next);
  return {lhs, rhs};
}

bool raise::matchValueProduct(DotGeneralOp dot, bool probsFirst,
                              const View &probs, Attention &attention) {
  auto dims = dot.getDotDimensionNumbers();
  if (dims.getLhsContractingDimensions().size() != 1)
    return false;
  auto pBatch = dims.getLhsBatchingDimensions();
  auto vBatch = dims.getRhsBatchingDimensions();
  int64_t pContract = dims.getLhsContractingDimensions()[0];
  int64_t vContract = dims.getRhsContractingDimensions()[0];
  if (!probsFirst) {
    std::swap(pBatch, vBatch);
    std::swap(pContract, vContract);
  }
  // probs.dims maps the frame's dimensions to those of the operand.
  SmallVector<int64_t> pAxes(
      getTensorType(probsFirst ? dot.getLhs() : dot.getRhs()).getRank(), kUnit);
  for (auto [axis, dim] : llvm::enumerate(probs.dims))
    if (dim >= 0)
      pAxes[dim] = axis;
  if (pAxes[pContract] != attention.keys)
    return false;

  AttentionOperand &value = attention.value;
  value.value = probsFirst ? dot.getRhs() : dot.getLhs();
  value.axes.assign(getTensorType(value.value).getRank(), kHeadDim);
  value.axes[vContract] = attention.keys;
  for (auto [p, v] : llvm::zip_equal(pBatch, vBatch))
    value.axes[v] = pAxes[p];
  if (llvm::count(value.axes, kHeadDim) != 1)
    return false;

  SmallVector<int64_t> free;
  for (auto [dim, axis] : llvm::enumerate(pAxes))
    if (static_cast<int64_t>(dim) != pContract &&
        !llvm::is_contained(pBatch, static_cast<int64_t>(dim)))
      free.push_back(axis);
  for (int64_t dim : pBatch)
    attention.resultAxes.push_back(pAxes[dim]);
  if (!probsFirst)
    attention.resultAxes.push_back(kHeadDim);
  attention.resultAxes.append(free);
  if (probsFirst)
    attention.resultAxes.push_back(kHeadDim);
  return true;
}

/// Positions of the frame's axes in what `operand` was before transposes: the
/// order in which the program thinks of them.
static int64_t getPosition(const AttentionOperand &operand, int64_t axis) {
  View view(operand.value);
  while (view.value.getDefiningOp<stablehlo::TransposeOp>())
    view.step();
  return view.find(operand.find(axis));
}

/// The dimension that `axis` is a part of in what `operand` was before a
/// reshape and transposes; nothing if there was no reshape.
static std::optional<int64_t> findSplitDim(const AttentionOperand &operand,
                                           int64_t axis) {
  View view(operand.value);
  while (view.value.getDefiningOp<stablehlo::TransposeOp>())
    view.step();
  auto reshape = view.value.getDefiningOp<stablehlo::ReshapeOp>();
  if (!reshape)
    return std::nullopt;
  int64_t dim = view.find(operand.find(axis));
  int64_t before = ShapedType::getNumElements(
      getTensorType(reshape).getShape().take_front(dim));
  int64_t outer = 1;
  for (auto [i, size] :
       llvm::enumerate(getTensorType(reshape.getOperand()).getShape())) {
    outer *= size;
    if (outer > before)
      return i;
  }
  return std::nullopt;
}

/// Moves axes that count blocks of a sequence, which was split into these and
/// the queries, from the heads to the batch.
static void takeBlocks(Attention &attention) {
  std::optional<int64_t> sequence =
      findSplitDim(attention.query, attention.queries);
  if (!sequence)
    return;
  auto isBlock = [&](int64_t axis) {
    return findSplitDim(attention.query, axis) == sequence;
  };
  llvm::copy_if(attention.heads, std::back_inserter(attention.batch), isBlock);
  llvm::erase_if(attention.heads, isBlock);
}

/// Matches a condition that holds where a key is not after the query. Returns
/// the axis of the query, which is one of `own`.
static std::optional<int64_t>
matchCausal(const std::optional<IndexFunction> &function, ArrayRef<int64_t> own,
            int64_t keys, ArrayRef<int64_t> shape) {
  if (!function || function->offset != 0)
    return std::nullopt;
  std::optional<int64_t> queries;
  for (auto [i, c] : llvm::enumerate(function->coefficients)) {
    auto axis = static_cast<int64_t>(i);
    if (c == 1 && llvm::is_contained(own, axis) && !queries)
      queries = axis;
    else if (c != (axis == keys ? -1 : 0))
      return std::nullopt;
  }
  if (!queries || shape[*queries] != shape[keys])
    return std::nullopt;
  return queries;
}

/// Takes the causal mask out of the conditions and biases. Returns its axis of
/// queries, which is one of `own`, also if it stays a bias.
static std::optional<int64_t> takeCausal(Attention &attention,
                                         ArrayRef<int64_t> own,
                                         ArrayRef<int64_t> shape) {
  std::optional<int64_t> queries;
  auto isCausal = [&](const std::optional<IndexFunction> &function) {
    auto found = matchCausal(function, own, attention.keys, shape);
    if (!found || (queries && queries != found))
      return false;
    queries = found;
    return true;
  };
  llvm::erase_if(attention.conditions, [&](const Condition &condition) {
    return isCausal(condition.function);
  });
  attention.causal = queries.has_value();
  // A bias still tells what it hides from each other; where a mask hides all
  // the rest of a row, that is what counts.
  if (!attention.conditions.empty())
    return queries;
  llvm::erase_if(attention.biases, [](const Bias &bias) {
    return bias.mask && bias.mask->function.isConstant() &&
           bias.mask->function.offset >= 0;
  });
  double fill = std::numeric_limits<double>::infinity(), others = 0;
  auto isCausalBias = [&](const Bias &bias) {
    return bias.mask && isCausal(bias.mask->function);
  };
  for (const Bias &bias : attention.biases)
    if (isCausalBias(bias))
      fill = std::min(fill, -bias.mask->fill);
    else
      others += bias.boundMagnitude();
  // Neither does it leave nothing of a key where others lower the rest as much.
  if (!queries || 2 * others > fill)
    return queries;
  llvm::erase_if(attention.biases, isCausalBias);
  attention.causal = true;
  return queries;
}

/// Guesses which of the axes of the queries alone counts queries, where no mask
/// tells. The others are heads. Either choice is correct, but heads are
/// sharded.
static int64_t guessQueries(const Attention &attention, ArrayRef<int64_t> own,
                            ArrayRef<int64_t> shape) {
  if (own.size() == 1)
    return own[0];
  int64_t first = getPosition(attention.query, own[0]);
  // The group stands directly behind the heads that it refines.
  if (!attention.heads.empty()) {
    int64_t heads = getPosition(attention.query, attention.heads.back());
    return first == heads + 1 ? own[1] : own[0];
  }
  auto areAsMany = [&](int64_t axis) {
    return shape[axis] == shape[attention.keys];
  };
  if (areAsMany(own[0]) != areAsMany(own[1]))
    return areAsMany(own[0]) ? own[0] : own[1];
  return first < getPosition(attention.query, own[1]) ? own[0] : own[1];
}

bool raise::classifyAxes(Attention &attention, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> own;    // in the queries only
  SmallVector<int64_t> common; // in all
  for (int64_t axis = 0, rank = shape.size(); axis < rank; ++axis) {
    bool inQuery = attention.query.find(axis) >= 0;
    bool inKey = attention.key.find(axis) >= 0;
    bool inValue = attention.value.find(axis) >= 0;
    if (inKey != inValue && shape[axis] != 1)
      return false;
    if (axis == attention.keys) {
      if (inQuery)
        return false;
    } else if (inQuery && inKey && inValue) {
      common.push_back(axis);
    } else if (inQuery) {
      own.push_back(axis);
    } else if (inKey || inValue) {
      return false;
    }
  }
  llvm::sort(common, [&](int64_t a, int64_t b) {
    return getPosition(attention.query, a) < getPosition(attention.query, b);
  });
  if (own.empty() || own.size() > 2 || common.empty())
    return false;
  // Heads refine a batch: what comes first in the queries of several heads is
  // one, whose keys may have one head that is no dimension.
  attention.heads = common;
  bool isOfOneHead =
      own.size() == 2 && getPosition(attention.query, common.front()) == 0;
  if (common.size() > 1 || isOfOneHead) {
    attention.batch.push_back(common.front());
    attention.heads.erase(attention.heads.begin());
  }

  std::optional<int64_t> queries = takeCausal(attention, own, shape);
  attention.queries = queries ? *queries : guessQueries(attention, own, shape);
  for (int64_t axis : own)
    if (axis != attention.queries)
      attention.groups.push_back(axis);
  takeBlocks(attention);
  return true;
}

/// Returns true if `condition` holds where the indices of queries and keys are
/// equal.
static bool holdsForItself(const Condition &condition,
                           const Attention &attention) {
  if (condition.function) {
    IndexFunction function = *condition.function;
    int64_t &ofQuery = function.coefficients[attention.queries];
    ofQuery += function.coefficients[attention.keys];
    function.coefficients[attention.keys] = 0;
    return function.isConstant() && function.offset >= 0;
  }
  auto compare = condition.view.value.getDefiningOp<stablehlo::CompareOp>();
  if (!compare || condition.negated ||
      compare.getComparisonDirection() != stablehlo::ComparisonDirection::EQ)
    return false;
  // One value of the query and of the key, such as their document.
  View lhs(compare.getLhs(), condition.view.dims);
  View rhs(compare.getRhs(), condition.view.dims);
  while (lhs.step())
    ;
  while (rhs.step())
    ;
  auto getDim = [&](int64_t dim) {
    return dim == attention.keys ? attention.queries : dim;
  };
  return lhs.value == rhs.value &&
         isa<IntegerType>(getElementTypeOrSelf(lhs.value)) &&
         llvm::all_of(llvm::zip_equal(lhs.dims, rhs.dims), [&](auto dims) {
           return getDim(std::get<0>(dims)) == getDim(std::get<1>(dims));
         });
}

bool raise::hidesBy(const Attention &attention, const IndexFunction &mask,
                    ArrayRef<int64_t> shape) {
  return attention.causal &&
         matchCausal(mask, attention.queries, attention.keys, shape);
}

bool raise::seesItself(const Attention &attention, ArrayRef<int64_t> shape) {
  return shape[attention.queries] == shape[attention.keys] &&
         llvm::all_of(attention.conditions, [&](const Condition &condition) {
           return holdsForItself(condition, attention);
         });
}
