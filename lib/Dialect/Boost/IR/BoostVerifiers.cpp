//===- BoostVerifiers.cpp - What the operations of boost require ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and element types of every operation. Messages read "expects X, but
// got Y".
//
//===----------------------------------------------------------------------===//

#include "CollectiveModels.h"
#include "Sharding.h"

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// f64 tensors have f64 statistics, all others f32 ones.
static Type getStatType(Type element) {
  return element.isF64() ? element : Float32Type::get(element.getContext());
}

/// `prefix` with `last` appended.
static SmallVector<int64_t> append(ArrayRef<int64_t> prefix, int64_t last) {
  SmallVector<int64_t> shape(prefix);
  shape.push_back(last);
  return shape;
}

static LogicalResult expectRank(Operation *op, StringRef what, Value value,
                                int64_t rank) {
  RankedTensorType type = getTensorType(value);
  if (type.getRank() == rank)
    return success();
  return op->emitOpError() << "expects " << what << " of rank " << rank
                           << ", but got " << type;
}

static LogicalResult expectLastDim(Operation *op, StringRef what, Value value) {
  if (getTensorType(value).getRank() > 0)
    return success();
  return op->emitOpError() << "expects " << what
                           << " of rank 1 or more, but got "
                           << getTensorType(value);
}

static LogicalResult expectType(Operation *op, StringRef what, Value value,
                                ArrayRef<int64_t> shape, Type element) {
  auto expected = RankedTensorType::get(shape, element);
  if (value.getType() == expected)
    return success();
  return op->emitOpError() << "expects " << what << " of type " << expected
                           << ", but got " << value.getType();
}

static LogicalResult expectShape(Operation *op, StringRef what, Value value,
                                 ArrayRef<int64_t> shape) {
  RankedTensorType type = getTensorType(value);
  if (type.getShape() == shape)
    return success();
  auto diag = op->emitOpError() << "expects " << what << " of shape [";
  llvm::interleaveComma(shape, diag);
  return diag << "], but got " << type;
}

static LogicalResult expectElement(Operation *op, StringRef what, Value value,
                                   Type element) {
  Type actual = getTensorType(value).getElementType();
  if (actual == element)
    return success();
  return op->emitOpError() << "expects " << what << " of element type "
                           << element << ", but got " << actual;
}

static LogicalResult expectSize(Operation *op, StringRef what, int64_t expected,
                                int64_t actual) {
  if (actual == expected)
    return success();
  return op->emitOpError() << "expects " << what << " " << expected
                           << ", but got " << actual;
}

/// Verifies gamma or beta of a norm: one number per element of the last
/// dimension, in the activations' type or in f32.
static LogicalResult verifyNormVector(Operation *op, StringRef what,
                                      Value input, Value vector) {
  RankedTensorType type = getTensorType(input);
  if (failed(expectLastDim(op, "an input", input)) ||
      failed(expectShape(op, what, vector, type.getShape().back())))
    return failure();
  Type element = getTensorType(vector).getElementType();
  if (element == type.getElementType() || element.isF32())
    return success();
  return op->emitOpError() << "expects " << what << " of element type "
                           << type.getElementType() << " or f32, but got "
                           << element;
}

static LogicalResult verifyEps(Operation *op, const APFloat &eps) {
  if (eps.isFinite() && !eps.isNegative())
    return success();
  return op->emitOpError() << "expects eps of 0 or more, but got "
                           << eps.convertToDouble();
}

//===----------------------------------------------------------------------===//
// Blocks of the model
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::verify() {
  if (failed(expectLastDim(*this, "an input", getInput())) ||
      failed(expectRank(*this, "a weight", getWeight(), 2)))
    return failure();
  RankedTensorType input = getTensorType(getInput());
  ArrayRef<int64_t> weight = getTensorType(getWeight()).getShape();
  int64_t k = weight[getTransposed() ? 1 : 0];
  int64_t n = weight[getTransposed() ? 0 : 1];
  if (failed(expectElement(*this, "a weight", getWeight(),
                           input.getElementType())) ||
      failed(expectSize(*this, "a contracted weight dimension of size",
                        input.getShape().back(), k)) ||
      failed(expectShape(*this, "a result", getResult(),
                         append(input.getShape().drop_back(), n))))
    return failure();
  Type result = getTensorType(getResult()).getElementType();
  if (result == input.getElementType() || result.isF32())
    return success();
  return emitOpError() << "expects a result of element type "
                       << input.getElementType() << " or f32, but got "
                       << result;
}

LogicalResult RMSNormOp::verify() {
  if (failed(verifyNormVector(*this, "gamma", getInput(), getGamma())))
    return failure();
  return verifyEps(*this, getEps());
}

LogicalResult LayerNormOp::verify() {
  if (failed(verifyNormVector(*this, "gamma", getInput(), getGamma())))
    return failure();
  return verifyEps(*this, getEps());
}

/// The norm is there as a whole or not at all.
static LogicalResult verifyBottleneckNorm(BottleneckOp op) {
  if (bool(op.getGamma()) != op.getEps().has_value())
    return op.emitOpError() << "expects gamma and eps together, but got only "
                            << (op.getGamma() ? "gamma" : "eps");
  if (op.getBeta() && !op.getGamma())
    return op.emitOpError("expects beta with gamma, but got only beta");
  if (!op.getGamma())
    return success();
  if (failed(verifyNormVector(op, "gamma", op.getInput(), op.getGamma())) ||
      (op.getBeta() &&
       failed(verifyNormVector(op, "beta", op.getInput(), op.getBeta()))))
    return failure();
  return verifyEps(op, *op.getEps());
}

/// An up factor of one branch, [r, n], or of several, [branches, r, n].
static LogicalResult verifyUp(BottleneckOp op, Value up, Value result,
                              ArrayRef<int64_t> batch, Type element) {
  RankedTensorType type = getTensorType(up);
  if (type.getRank() != 2 && type.getRank() != 3)
    return op.emitOpError("expects an up factor of rank 2 or 3, but got ")
           << type;
  SmallVector<int64_t> shape(type.getShape().drop_back(2));
  llvm::append_range(shape, batch);
  if (failed(expectElement(op, "an up factor", up, element)))
    return failure();
  return expectType(op, "a result", result,
                    append(shape, type.getShape().back()), element);
}

/// The latents of the branches add up to the width of `down`; every up factor
/// has its result.
static LogicalResult verifyBottleneckBranches(BottleneckOp op,
                                              ArrayRef<int64_t> batch,
                                              ArrayRef<int64_t> latent,
                                              Type element) {
  if (op.getUps().empty())
    return op.emitOpError("expects one up factor or more, but got none");
  if (failed(expectSize(op, "a number of results of", op.getUps().size(),
                        op.getResults().size())))
    return failure();
  int64_t sum = 0;
  for (auto [up, result] : llvm::zip_equal(op.getUps(), op.getResults())) {
    if (failed(verifyUp(op, up, result, batch, element)))
      return failure();
    ArrayRef<int64_t> shape = getTensorType(up).getShape().drop_back();
    if (latent.size() > 1 && failed(expectSize(op, "an up factor of rank",
                                               latent.back(), shape.back())))
      return failure();
    sum += ShapedType::getNumElements(shape);
  }
  return expectSize(op, "ranks of the up factors that add up to",
                    ShapedType::getNumElements(latent), sum);
}

LogicalResult BottleneckOp::verify() {
  if (failed(expectLastDim(*this, "an input", getInput())) ||
      failed(verifyBottleneckNorm(*this)))
    return failure();
  RankedTensorType input = getTensorType(getInput());
  Type element = input.getElementType();
  ArrayRef<int64_t> batch = input.getShape().drop_back();
  ArrayRef<int64_t> down = getTensorType(getDown()).getShape();
  if (down.size() != 2 && down.size() != 3)
    return emitOpError("expects a down factor of rank 2 or 3, but got ")
           << getDown().getType();
  if (failed(expectElement(*this, "a down factor", getDown(), element)) ||
      failed(expectSize(*this, "a first down dimension of size",
                        input.getShape().back(), down[0])) ||
      failed(
          verifyBottleneckBranches(*this, batch, down.drop_front(), element)))
    return failure();
  SmallVector<int64_t> latent(batch);
  llvm::append_range(latent, down.drop_front());
  if (getLatent() &&
      failed(expectType(*this, "a latent", getLatent(), latent, element)))
    return failure();
  if (getLatentOut() && failed(expectType(*this, "a latent result",
                                          getLatentOut(), latent, element)))
    return failure();
  return success();
}

/// A bias or mask of scores: [batch, heads, queries, keys], or 1 for any.
static LogicalResult expectScores(Operation *op, StringRef what, Value value,
                                  ArrayRef<int64_t> scores) {
  RankedTensorType type = getTensorType(value);
  auto fits = [](auto pair) {
    auto [size, full] = pair;
    return size == full || size == 1;
  };
  if (type.getRank() == 4 &&
      llvm::all_of(llvm::zip_equal(type.getShape(), scores), fits))
    return success();
  auto diag = op->emitOpError() << "expects " << what << " of shape [";
  llvm::interleaveComma(scores, diag);
  return diag << "], or 1 in any of them, but got " << type;
}

/// Verifies the operands that attention and its gradients share.
template <typename OpTy> static LogicalResult verifyAttention(OpTy op) {
  if (failed(expectRank(op, "a query", op.getQuery(), 4)) ||
      failed(expectRank(op, "a key", op.getKey(), 4)))
    return failure();
  RankedTensorType query = getTensorType(op.getQuery());
  RankedTensorType key = getTensorType(op.getKey());
  int64_t heads = query.getDimSize(2), keyHeads = key.getDimSize(2);
  if (op.getValue().getType() != key)
    return op.emitOpError() << "expects a value of the key's type " << key
                            << ", but got " << op.getValue().getType();
  if (failed(expectElement(op, "a key", op.getKey(), query.getElementType())) ||
      failed(expectSize(op, "a key of batch size", query.getDimSize(0),
                        key.getDimSize(0))) ||
      failed(expectSize(op, "a key of head size", query.getDimSize(3),
                        key.getDimSize(3))))
    return failure();
  if (keyHeads == 0 || heads % keyHeads != 0)
    return op.emitOpError() << "expects a number of key heads that divides the "
                            << heads << " query heads, but got " << keyHeads;
  if (op.getCausal() &&
      failed(expectSize(op, "with causal a key of length", query.getDimSize(1),
                        key.getDimSize(1))))
    return failure();
  if (std::optional<APFloat> cap = op.getSoftCap();
      cap && (!cap->isFinite() || cap->isNegative() || cap->isZero()))
    return op.emitOpError()
           << "expects a soft_cap above 0, but got " << cap->convertToDouble();
  Type stat = getStatType(query.getElementType());
  SmallVector<int64_t> scores{query.getDimSize(0), heads, query.getDimSize(1),
                              key.getDimSize(1)};
  if (Value bias = op.getBias())
    if (failed(expectElement(op, "a bias", bias, stat)) ||
        failed(expectScores(op, "a bias", bias, scores)))
      return failure();
  if (Value mask = op.getMask())
    if (failed(expectScores(op, "a mask", mask, scores)))
      return failure();
  scores.pop_back();
  if (failed(expectType(op, "lse", op.getLse(), scores, stat)))
    return failure();
  return expectType(op, "a result", op.getResult(), query.getShape(),
                    query.getElementType());
}

/// Verifies the operands that both gradients of attention share.
template <typename OpTy> static LogicalResult verifyAttentionGrad(OpTy op) {
  if (failed(verifyAttention(op)))
    return failure();
  RankedTensorType query = getTensorType(op.getQuery());
  if (failed(expectType(op, "a gradient", op.getGrad(), query.getShape(),
                        query.getElementType())))
    return failure();
  RankedTensorType lse = getTensorType(op.getLse());
  if (Value gradient = op.getLseGrad())
    return expectType(op, "a gradient of lse", gradient, lse.getShape(),
                      lse.getElementType());
  return success();
}

LogicalResult AttentionOp::verify() { return verifyAttention(*this); }

LogicalResult AttentionGradOp::verify() {
  if (failed(verifyAttentionGrad(*this)))
    return failure();
  for (auto [operand, gradient] :
       {std::pair(getQuery(), getDQuery()), std::pair(getKey(), getDKey()),
        std::pair(getValue(), getDValue())}) {
    RankedTensorType type = getTensorType(operand);
    if (failed(expectType(*this, "a result", gradient, type.getShape(),
                          type.getElementType())))
      return failure();
  }
  return success();
}

LogicalResult AttentionBiasGradOp::verify() {
  if (failed(verifyAttentionGrad(*this)))
    return failure();
  if (!getBias())
    return emitOpError("expects a bias, of which it is the gradient");
  RankedTensorType bias = getTensorType(getBias());
  return expectType(*this, "a result", getDBias(), bias.getShape(),
                    bias.getElementType());
}

LogicalResult EmbeddingOp::verify() {
  if (failed(expectRank(*this, "a table", getTable(), 2)))
    return failure();
  RankedTensorType table = getTensorType(getTable());
  return expectType(
      *this, "a result", getResult(),
      append(getTensorType(getIds()).getShape(), table.getDimSize(1)),
      table.getElementType());
}

LogicalResult EmbeddingGradOp::verify() {
  if (failed(expectRank(*this, "a table gradient", getDTable(), 2)))
    return failure();
  RankedTensorType table = getTensorType(getDTable());
  return expectType(
      *this, "a gradient", getGrad(),
      append(getTensorType(getIds()).getShape(), table.getDimSize(1)),
      table.getElementType());
}

/// Verifies logits, labels and a statistic of cross entropy or its gradient.
template <typename OpTy>
static LogicalResult verifyCrossEntropy(OpTy op, StringRef what, Value stat) {
  if (failed(expectLastDim(op, "logits", op.getLogits())))
    return failure();
  RankedTensorType logits = getTensorType(op.getLogits());
  ArrayRef<int64_t> batch = logits.getShape().drop_back();
  Type element = getStatType(logits.getElementType());
  if (failed(expectShape(op, "labels", op.getLabels(), batch)) ||
      failed(expectType(op, "lse", op.getLse(), batch, element)))
    return failure();
  return expectType(op, what, stat, batch, element);
}

LogicalResult CrossEntropyOp::verify() {
  return verifyCrossEntropy(*this, "a loss", getLoss());
}

LogicalResult CrossEntropyGradOp::verify() {
  return verifyCrossEntropy(*this, "a gradient", getGrad());
}

//===----------------------------------------------------------------------===//
// The training step
//===----------------------------------------------------------------------===//

LogicalResult PhaseOp::verify() {
  if (getPhase() == Phase::Forward)
    return emitOpError() << "expects backward or optimizer, but got forward: "
                            "operations before the first marker are forward";
  if (!isa<FunctionOpInterface>((*this)->getParentOp()))
    return emitOpError() << "expects to be in the body of a function, but "
                            "is in '"
                         << (*this)->getParentOp()->getName() << "'";
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode()) {
    auto before = dyn_cast<PhaseOp>(op);
    if (!before)
      continue;
    if (before.getPhase() < getPhase())
      return success();
    InFlightDiagnostic diag =
        emitOpError() << "expects each marker once, backward before optimizer, "
                         "but got "
                      << stringifyPhase(getPhase()) << " behind "
                      << stringifyPhase(before.getPhase());
    diag.attachNote(before.getLoc()) << "the other marker is here";
    return diag;
  }
  return success();
}

LogicalResult SumOfSquaresOp::verify() {
  if (getInputs().empty())
    return emitOpError("expects one input or more, but got none");
  bool isF64 = llvm::any_of(getInputs(), [](Value input) {
    return getTensorType(input).getElementType().isF64();
  });
  Type stat = isF64 ? Type(Float64Type::get(getContext()))
                    : Type(Float32Type::get(getContext()));
  return expectType(*this, "a result", getResult(), {}, stat);
}

LogicalResult AdamWOp::verify() {
  ArrayRef<int64_t> shape = getTensorType(getParam()).getShape();
  if (failed(expectShape(*this, "a gradient", getGrad(), shape)))
    return failure();
  return expectShape(*this, "a first moment", getM(), shape);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static LogicalResult verifyAxes(Operation *op, ArrayRef<int16_t> axes) {
  if (axes.empty())
    return op->emitOpError("expects one mesh axis or more, but got none");
  llvm::SmallSet<int16_t, 4> seen;
  for (int16_t axis : axes)
    if (!seen.insert(axis).second)
      return op->emitOpError()
             << "expects distinct mesh axes, but got axis " << axis << " twice";
  return success();
}

LogicalResult mlir::boost::verifyGroup(Operation *op, FlatSymbolRefAttr name,
                                       ArrayRef<int16_t> axes,
                                       SymbolTableCollection &symbols) {
  auto grid = symbols.lookupNearestSymbolFrom<shard::GridOp>(op, name);
  if (!grid)
    return op->emitOpError()
           << "expects the name of a shard.grid, but got " << name;
  int64_t ranks = 1;
  for (int16_t axis : axes) {
    if (axis >= 0 && axis < grid.getRank()) {
      ranks *= grid.getShape()[axis];
      continue;
    }
    auto diag = op->emitOpError() << "expects mesh axes below "
                                  << grid.getRank() << ", but got " << axis;
    diag.attachNote(grid.getLoc()) << "the mesh is defined here";
    return diag;
  }
  return verifyGroupSize(cast<RankGroupOpInterface>(op), ranks);
}

LogicalResult AllReduceOp::verify() {
  if (getInputs().empty())
    return emitOpError("expects one input or more, but got none");
  return verifyAxes(*this, getGridAxes());
}

/// Every result is the input with dimension `dims[i]` multiplied, of a gather,
/// or divided, of a scatter.
template <typename OpTy>
static LogicalResult verifyPieces(OpTy op, ValueRange wholes,
                                  ValueRange pieces) {
  size_t tensors = op.getInputs().size();
  if (tensors == 0)
    return op.emitOpError("expects one input or more, but got none");
  if (op.getResults().size() != tensors || op.getDims().size() != tensors)
    return op.emitOpError()
           << "expects a result and a dimension for each of " << tensors
           << " inputs, but got " << op.getResults().size() << " results and "
           << op.getDims().size() << " dimensions";
  for (auto [whole, piece, dim] :
       llvm::zip_equal(wholes.getTypes(), pieces.getTypes(), op.getDims())) {
    auto joined = cast<RankedTensorType>(whole);
    auto part = cast<RankedTensorType>(piece);
    if (dim < 0 || dim >= joined.getRank())
      return op.emitOpError() << "expects dimensions in [0, "
                              << joined.getRank() << "), but got " << dim;
    SmallVector<int64_t> shape(part.getShape());
    if (part.getRank() == joined.getRank())
      shape[dim] = joined.getDimSize(dim);
    if (joined != part.clone(shape))
      return op.emitOpError()
             << "expects pieces of " << joined << " along dimension " << dim
             << ", but got " << part;
  }
  return verifyAxes(op, op.getGridAxes());
}

LogicalResult AllGatherOp::verify() {
  return verifyPieces(*this, getResults(), getInputs());
}

LogicalResult ReduceScatterOp::verify() {
  return verifyPieces(*this, getInputs(), getResults());
}

LogicalResult BroadcastOp::verify() {
  if (getInputs().empty())
    return emitOpError("expects one input or more, but got none");
  if (auto root = static_cast<int64_t>(getRoot()); root < 0)
    return emitOpError() << "expects a root of at least 0, but got " << root;
  return verifyAxes(*this, getGridAxes());
}

LogicalResult SumOverStagesOp::verify() {
  if (auto meeting = static_cast<int64_t>(getMeeting()); meeting < 0)
    return emitOpError() << "expects a meeting of at least 0, but got "
                         << meeting;
  return verifyAxes(*this, getGridAxes());
}

LogicalResult ProbeOp::verify() {
  if (std::optional<ArrayRef<int64_t>> rows = getRows();
      rows && !areRowsOf(*rows, getInput().getType().getShape()))
    return emitOpError() << "expects rows of a tensor with at least as many, "
                            "but got ["
                         << *rows << "] for " << getInput().getType();
  if (!getShardingAttr())
    return success();
  return verifySharding(*this, getShardingAttr(), getInput().getType(),
                        [&] { return emitOpError(); });
}

LogicalResult ProcessIndexOp::verify() {
  return verifyAxes(*this, getGridAxes());
}
