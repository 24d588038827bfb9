//===- BoostRTVerifiers.cpp - What the operations of boostrt require ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes, element types and layouts of every operation, alike on tensors and on
// memrefs. Messages read "expects X, but got Y".
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/BoostRT/IR/AccessPattern.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/IR/Factorize.h"
#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"
#include "boost-mlir/Support/Sizes.h"
#include "boost-runtime/Runtime.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

static ShapedType getShaped(Value value) {
  return cast<ShapedType>(value.getType());
}

static Type getElement(Value value) {
  return getShaped(value).getElementType();
}

/// f64 tensors have f64 statistics, all others f32 ones.
static Type getStatType(Type element) {
  return element.isF64() ? element : Float32Type::get(element.getContext());
}

static bool isRuntimeFloat(Type type) {
  return type.isF32() || type.isF64() || type.isBF16() || type.isF16();
}

static bool isRuntimeType(Type type) {
  return isRuntimeFloat(type) || type.isInteger(1) || type.isInteger(8) ||
         type.isInteger(16) || type.isInteger(32) || type.isInteger(64);
}

static LogicalResult expectRank(Operation *op, StringRef what, Value value,
                                int64_t rank) {
  if (getShaped(value).getRank() == rank)
    return success();
  return op->emitOpError() << "expects " << what << " of rank " << rank
                           << ", but got " << value.getType();
}

static LogicalResult expectElement(Operation *op, StringRef what, Value value,
                                   Type element) {
  if (getElement(value) == element)
    return success();
  return op->emitOpError() << "expects " << what << " of element type "
                           << element << ", but got " << value.getType();
}

static LogicalResult expectFloat(Operation *op, StringRef what, Value value) {
  if (isRuntimeFloat(getElement(value)))
    return success();
  return op->emitOpError() << "expects " << what
                           << " of f32, bf16, f16 or f64, but got "
                           << value.getType();
}

static LogicalResult expectShape(Operation *op, StringRef what, Value value,
                                 ArrayRef<int64_t> shape) {
  if (getShaped(value).getShape() == shape)
    return success();
  auto diag = op->emitOpError() << "expects " << what << " of shape [";
  llvm::interleaveComma(shape, diag);
  return diag << "], but got " << value.getType();
}

static LogicalResult expectLike(Operation *op, StringRef what, Value value,
                                ArrayRef<int64_t> shape, Type element) {
  return success(succeeded(expectShape(op, what, value, shape)) &&
                 succeeded(expectElement(op, what, value, element)));
}

static LogicalResult expectCount(Operation *op, StringRef what, size_t expected,
                                 size_t count) {
  if (count == expected)
    return success();
  return op->emitOpError() << "expects " << expected << " " << what
                           << ", but got " << count;
}

static LogicalResult expectDim(Operation *op, StringRef what, Value value,
                               int64_t dim) {
  int64_t rank = getShaped(value).getRank();
  if (dim >= 0 && dim < rank)
    return success();
  return op->emitOpError() << "expects " << what << " in [0, " << rank
                           << "), but got " << dim;
}

/// The result of a product may have gaps if the product says how it lies.
static bool mayHaveGaps(Operation *op, Value operand) {
  auto gemm = dyn_cast<GemmOp>(op);
  return gemm && gemm.getLayoutC() && operand == gemm.getOuts();
}

static LogicalResult verifyMemRefs(Operation *op) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = cast<MemRefType>(operand.get().getType());
    if (!getStaticLayout(type))
      return op->emitOpError() << "expects static strides, but got " << type;
    if (!isDense(type) && !mayHaveGaps(op, operand.get()))
      return op->emitOpError()
             << "expects dense row-major buffers, but got " << type;
  }
  auto style = dyn_cast<DestinationStyleOpInterface>(op);
  if (!style)
    return success();
  for (OpOperand &out : style.getDpsInitsMutable())
    for (OpOperand &other : op->getOpOperands())
      if (&other != &out && other.get() == out.get())
        return op->emitOpError()
               << "expects outs that share no memory with other operands, but "
                  "operands "
               << std::min(out.getOperandNumber(), other.getOperandNumber())
               << " and "
               << std::max(out.getOperandNumber(), other.getOperandNumber())
               << " are one buffer";
  return success();
}

/// On tensors every out has a result of its type, on memrefs there are none.
static LogicalResult verifyStyle(Operation *op) {
  size_t memrefs =
      llvm::count_if(op->getOperandTypes(), llvm::IsaPred<MemRefType>);
  if (memrefs != 0 && memrefs != op->getNumOperands())
    return op->emitOpError("expects either tensors or memrefs, but got both");
  auto style = cast<DestinationStyleOpInterface>(op);
  size_t outs = style.getNumDpsInits();
  if (op->getNumOperands() == 0 || (outs == 0 && !isa<rt::ProbeOp>(op)))
    return op->emitOpError("expects one out or more, but got none");
  if (failed(expectCount(op, memrefs ? "results on memrefs" : "results",
                         memrefs ? 0 : outs, op->getNumResults())))
    return failure();
  if (memrefs)
    return verifyMemRefs(op);
  for (auto [out, result] :
       llvm::zip_equal(style.getDpsInits(), op->getResults()))
    if (out.getType() != result.getType())
      return op->emitOpError()
             << "expects a result of its out's type " << out.getType()
             << ", but got " << result.getType();
  return success();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// The stored matrices of one operand of a product.
struct Matrices {
  StringRef what;
  Value value;
  std::optional<ArrayRef<int64_t>> layout;
  int64_t batch, rows, columns;

  bool isEmpty() const { return batch == 0 || rows == 0 || columns == 0; }
  LogicalResult verify(Operation *op) const;
  LogicalResult verifyDense(Operation *op) const;
  LogicalResult verifyLayout(Operation *op) const;
};
} // namespace

LogicalResult Matrices::verifyDense(Operation *op) const {
  int64_t elements = 0;
  if (!llvm::MulOverflow(batch, rows, elements) &&
      !llvm::MulOverflow(elements, columns, elements) &&
      elements == getShaped(value).getNumElements())
    return success();
  return op->emitOpError() << "expects " << what << " of " << batch << " x "
                           << rows << " x " << columns << " elements, but got "
                           << value.getType();
}

LogicalResult Matrices::verifyLayout(Operation *op) const {
  int64_t begin = (*layout)[0], nextMatrix = (*layout)[1],
          nextRow = (*layout)[2];
  if (begin < 0 || nextMatrix < 0 || nextRow < columns)
    return op->emitOpError()
           << "expects a layout of " << what
           << " with a begin and a next matrix of at least 0 and rows at least "
           << columns << " apart, but got [" << begin << ", " << nextMatrix
           << ", " << nextRow << "]";
  int64_t elements = getShaped(value).getNumElements();
  // On memrefs the operand is what is read, not what it is a part of.
  bool exact = isa<MemRefType>(value.getType());
  if (isEmpty() && exact && elements != 0)
    return op->emitOpError()
           << "expects " << what
           << " without elements, as none is read, but got " << value.getType();
  if (isEmpty())
    return success();
  CheckedSum last;
  last.add(begin);
  last.add(batch - 1, nextMatrix);
  last.add(rows - 1, nextRow);
  last.add(columns);
  if (!last.get() || *last.get() > elements ||
      (exact && (begin != 0 || *last.get() != elements)))
    return op->emitOpError()
           << "expects the layout of " << what
           << (exact ? " to reach from element 0 to element "
                     : " to reach at most to element ")
           << elements - 1 << ", but it reaches "
           << (exact ? "from " + std::to_string(begin) + " " : std::string())
           << "to "
           << (last.get() ? std::to_string(*last.get() - 1)
                          : std::string("beyond 2^63"));
  return success();
}

LogicalResult Matrices::verify(Operation *op) const {
  return layout ? verifyLayout(op) : verifyDense(op);
}

/// The result is written once and nowhere else.
static LogicalResult verifyProductResult(GemmOp op) {
  int64_t batch = op.getBatch(), m = op.getM(), n = op.getN();
  Matrices result{"the result", op.getOuts(), std::nullopt, batch, m, n};
  if (failed(result.verifyDense(op)))
    return failure();
  std::optional<ArrayRef<int64_t>> layout = op.getLayoutC();
  if (!layout || result.isEmpty())
    return success();
  int64_t nextMatrix = (*layout)[1], nextRow = (*layout)[2];
  ShapedType type = getShaped(op.getOuts());
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    memref = MemRefType::get(type.getShape(), type.getElementType());
  AccessPattern written((*layout)[0], {batch, m, n}, {nextMatrix, nextRow, 1});
  if ((*layout)[0] < 0 || nextMatrix < 0 || nextRow < n ||
      written.count() != batch * m * n ||
      written != AccessPattern::get(memref, 0))
    return op.emitOpError()
           << "expects a layout of the result that writes every element of "
           << op.getOuts().getType() << " once, but got [" << (*layout)[0]
           << ", " << nextMatrix << ", " << nextRow << "]";
  return success();
}

LogicalResult GemmOp::verify() {
  if (failed(verifyStyle(*this)))
    return failure();
  auto batch = static_cast<int64_t>(getBatch());
  int64_t m = getM(), n = getN(), k = getK();
  for (auto [name, extent] : {std::pair("batch", batch), std::pair("m", m),
                              std::pair("n", n), std::pair("k", k)})
    if (extent < 0)
      return emitOpError() << "expects " << name << " of at least 0, but got "
                           << extent;
  Type element = getElement(getA());
  if (failed(expectFloat(*this, "a factor", getA())) ||
      failed(expectElement(*this, "a second factor", getB(), element)) ||
      failed(expectFloat(*this, "a result", getOuts())))
    return failure();
  bool ta = getTransposeA(), tb = getTransposeB();
  Matrices a{"a", getA(), getLayoutA(), batch, ta ? k : m, ta ? m : k};
  Matrices b{"b", getB(), getLayoutB(), batch, tb ? n : k, tb ? k : n};
  if (failed(a.verify(*this)) || failed(b.verify(*this)))
    return failure();
  return verifyProductResult(*this);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// A bias or mask: [batch, heads, queries, keys], or 1 for any of them.
static LogicalResult expectScores(Operation *op, StringRef what, Value value,
                                  ArrayRef<int64_t> scores, Type element) {
  ShapedType type = getShaped(value);
  bool fits = type.getRank() == 4;
  for (auto [size, full] : llvm::zip(type.getShape(), scores))
    fits &= size == full || size == 1;
  if (fits)
    return expectElement(op, what, value, element);
  auto diag = op->emitOpError() << "expects " << what << " of shape [";
  llvm::interleaveComma(scores, diag);
  return diag << "], or 1 in any of them, but got " << type;
}

/// [batch, heads, queries, keys]
template <typename OpTy> static SmallVector<int64_t> getScores(OpTy op) {
  ShapedType query = getShaped(op.getQuery()), key = getShaped(op.getKey());
  return {query.getDimSize(0), query.getDimSize(2), query.getDimSize(1),
          key.getDimSize(1)};
}

/// Verifies query, key, value and scores of attention and its gradients.
template <typename OpTy> static LogicalResult verifyAttention(OpTy op) {
  if (failed(verifyStyle(op)) ||
      failed(expectRank(op, "a query", op.getQuery(), 4)) ||
      failed(expectRank(op, "a key", op.getKey(), 4)) ||
      failed(expectFloat(op, "a query", op.getQuery())))
    return failure();
  ShapedType query = getShaped(op.getQuery()), key = getShaped(op.getKey());
  Type element = query.getElementType();
  int64_t heads = query.getDimSize(2), keyHeads = key.getDimSize(2);
  if (keyHeads == 0 || heads % keyHeads != 0)
    return op.emitOpError() << "expects a number of key heads that divides the "
                            << heads << " query heads, but got " << keyHeads;
  int64_t keyShape[] = {query.getDimSize(0), key.getDimSize(1), keyHeads,
                        query.getDimSize(3)};
  if (failed(expectLike(op, "a key", op.getKey(), keyShape, element)) ||
      failed(expectLike(op, "a value", op.getValue(), keyShape, element)))
    return failure();
  if (op.getCausal() && query.getDimSize(1) != key.getDimSize(1))
    return op.emitOpError()
           << "expects with causal as many keys as queries, "
           << query.getDimSize(1) << ", but got " << key.getDimSize(1);
  if (std::optional<APFloat> cap = op.getSoftCap();
      cap && (!cap->isFinite() || cap->isNegative() || cap->isZero()))
    return op.emitOpError()
           << "expects a soft_cap above 0, but got " << cap->convertToDouble();
  SmallVector<int64_t> scores = getScores(op);
  if (Value bias = op.getBias())
    if (failed(expectScores(op, "a bias", bias, scores, getStatType(element))))
      return failure();
  if (Value mask = op.getMask())
    return expectScores(op, "a mask", mask, scores,
                        IntegerType::get(op.getContext(), 1));
  return success();
}

template <typename OpTy>
static LogicalResult expectResultAndLse(OpTy op, Value result, Value lse) {
  ShapedType query = getShaped(op.getQuery());
  SmallVector<int64_t> rows = getScores(op);
  rows.pop_back();
  return success(succeeded(expectLike(op, "a result", result, query.getShape(),
                                      query.getElementType())) &&
                 succeeded(expectLike(op, "an lse", lse, rows,
                                      getStatType(query.getElementType()))));
}

LogicalResult AttentionForwardOp::verify() {
  if (failed(verifyAttention(*this)) ||
      failed(expectCount(*this, "outs", 2, getOuts().size())))
    return failure();
  return expectResultAndLse(*this, getOuts()[0], getOuts()[1]);
}

template <typename OpTy> static LogicalResult verifyAttentionGrad(OpTy op) {
  if (failed(verifyAttention(op)) ||
      failed(expectResultAndLse(op, op.getResult(), op.getLse())))
    return failure();
  ShapedType query = getShaped(op.getQuery()), lse = getShaped(op.getLse());
  if (failed(expectLike(op, "a gradient", op.getGrad(), query.getShape(),
                        query.getElementType())))
    return failure();
  if (Value gradient = op.getLseGrad())
    return expectLike(op, "a gradient of lse", gradient, lse.getShape(),
                      lse.getElementType());
  return success();
}

LogicalResult AttentionBackwardOp::verify() {
  if (failed(verifyAttentionGrad(*this)) ||
      failed(expectCount(*this, "outs", 3, getOuts().size())))
    return failure();
  for (auto [operand, out] :
       {std::pair(getQuery(), getOuts()[0]), std::pair(getKey(), getOuts()[1]),
        std::pair(getValue(), getOuts()[2])})
    if (failed(expectLike(*this, "an out", out, getShaped(operand).getShape(),
                          getElement(operand))))
      return failure();
  return success();
}

LogicalResult AttentionBiasBackwardOp::verify() {
  if (failed(verifyAttentionGrad(*this)) ||
      failed(expectCount(*this, "outs", 1, getOuts().size())))
    return failure();
  if (!getBias())
    return emitOpError("expects a bias, of which it is the gradient");
  return expectLike(*this, "an out", getOuts()[0],
                    getShaped(getBias()).getShape(), getElement(getBias()));
}

//===----------------------------------------------------------------------===//
// Embeddings, factorizations, the optimizer, copies
//===----------------------------------------------------------------------===//

/// Rows of a table, one per id.
static LogicalResult verifyRowsOfTable(Operation *op, Value table, Value ids,
                                       StringRef what, Value rows) {
  if (failed(verifyStyle(op)) || failed(expectRank(op, "a table", table, 2)) ||
      failed(expectFloat(op, "a table", table)) ||
      failed(expectElement(op, "ids", ids,
                           IntegerType::get(op->getContext(), 32))))
    return failure();
  SmallVector<int64_t> shape(getShaped(ids).getShape());
  shape.push_back(getShaped(table).getDimSize(1));
  return expectLike(op, what, rows, shape, getElement(table));
}

LogicalResult rt::EmbeddingOp::verify() {
  return verifyRowsOfTable(*this, getTable(), getIds(), "a result", getOuts());
}

LogicalResult rt::EmbeddingGradOp::verify() {
  return verifyRowsOfTable(*this, getOuts(), getIds(), "a gradient", getGrad());
}

LogicalResult rt::FactorizeOp::verify() {
  if (failed(verifyStyle(*this)))
    return failure();
  return verifyFactorization(getKind(), getInputs().getTypes(),
                             getOuts().getTypes(),
                             [&] { return emitOpError(); });
}

/// A gradient is of the parameter's type or f32, or narrower than f32.
static bool isGradientType(Type gradient, Type param) {
  return gradient == param || gradient.isF32() ||
         (param.isF32() && (gradient.isBF16() || gradient.isF16()));
}

/// The parameter, its moments and its gradient.
static LogicalResult verifyUpdate(rt::AdamWOp op, size_t tensor, Type element,
                                  Type gradient) {
  Value param = op.getParam(tensor);
  ArrayRef<int64_t> shape = getShaped(param).getShape();
  Type f32 = Float32Type::get(op.getContext());
  return success(
      succeeded(expectElement(op, "a parameter", param, element)) &&
      succeeded(
          expectLike(op, "a first moment", op.getM(tensor), shape, f32)) &&
      succeeded(
          expectLike(op, "a second moment", op.getV(tensor), shape, f32)) &&
      succeeded(expectLike(op, "a gradient", op.getGrads()[tensor], shape,
                           gradient)) &&
      (!op.writesRounded() ||
       succeeded(expectLike(op, "a rounded parameter", op.getRounded(tensor),
                            shape, getElement(op.getRounded(0))))));
}

/// Three outs for each tensor, or four.
static LogicalResult verifyOuts(rt::AdamWOp op) {
  if (op.getOuts().size() != 4 * op.getGrads().size())
    return expectCount(op, "outs", 3 * op.getGrads().size(),
                       op.getOuts().size());
  Type param = getElement(op.getParam(0)),
       rounded = getElement(op.getRounded(0));
  if (param.isF32() && (rounded.isBF16() || rounded.isF16()))
    return success();
  return op.emitOpError() << "expects rounded parameters of bf16 or f16 beside "
                             "those of f32, but got "
                          << rounded << " beside " << param;
}

LogicalResult rt::AdamWOp::verify() {
  constexpr size_t most = BOOST_RT_MAX_UPDATES;
  size_t tensors = getGrads().size();
  if (tensors == 0 || tensors > most)
    return emitOpError() << "expects 1 to " << most << " gradients, but got "
                         << tensors;
  if (failed(verifyStyle(*this)) || failed(verifyOuts(*this)) ||
      failed(
          expectCount(*this, "flags of decay", tensors, getDecays().size())) ||
      failed(expectFloat(*this, "a parameter", getParam(0))))
    return failure();
  Type element = getElement(getParam(0)), gradient = getElement(getGrads()[0]);
  if (!isGradientType(gradient, element))
    return emitOpError() << "expects gradients of element type " << element
                         << (element.isF32() ? ", bf16 or f16" : " or 'f32'")
                         << ", but got " << getGrads()[0].getType();
  for (size_t tensor = 0; tensor < tensors; ++tensor)
    if (failed(verifyUpdate(*this, tensor, element, gradient)))
      return failure();
  static constexpr const char *kNumbers[BOOST_RT_ADAMW_NUMBERS] = {
      "a learning rate", "a step", "a factor of the gradients",
      "beta1",           "beta2",  "share1",
      "share2",          "eps",    "eps_root",
      "a weight decay"};
  if (getNumbers().size() != std::size(kNumbers))
    return expectCount(*this, "numbers", std::size(kNumbers),
                       getNumbers().size());
  for (auto [what, scalar] : llvm::zip_equal(kNumbers, getNumbers()))
    if (failed(expectLike(*this, what, scalar, {},
                          Float32Type::get(getContext()))))
      return failure();
  return success();
}

LogicalResult rt::SumOfSquaresOp::verify() {
  if (failed(verifyStyle(*this)))
    return failure();
  if (getInputs().empty())
    return emitOpError("expects one input or more, but got none");
  for (Value input : getInputs())
    if (failed(expectFloat(*this, "an input", input)))
      return failure();
  return expectLike(*this, "an out", getOuts(), {},
                    Float32Type::get(getContext()));
}

LogicalResult CopyOp::verify() {
  if (failed(verifyStyle(*this)))
    return failure();
  ShapedType input = getShaped(getInput()), out = getShaped(getOuts());
  if (input.getElementType() == out.getElementType() &&
      input.getNumElements() == out.getNumElements())
    return success();
  return emitOpError() << "expects an out of " << input.getNumElements()
                       << " elements of type " << input.getElementType()
                       << ", but got " << out;
}

/// The region takes a row, then every operand as a dense memref.
LogicalResult RowsOp::verify() {
  if (failed(verifyStyle(*this)))
    return failure();
  if (auto extent = static_cast<int64_t>(getExtent()); extent < 0)
    return emitOpError() << "expects an extent of at least 0, but got "
                         << extent;
  Block &block = getBody().front();
  if (block.getNumArguments() != getNumOperands() + 1 ||
      !block.getArgument(0).getType().isIndex())
    return emitOpError() << "expects a region that takes an index and "
                         << getNumOperands() << " memrefs, but got "
                         << block.getNumArguments() << " arguments";
  for (auto [operand, argument] :
       llvm::zip_equal(getOperands(), block.getArguments().drop_front())) {
    auto type = cast<ShapedType>(operand.getType());
    auto expected = MemRefType::get(type.getShape(), type.getElementType());
    if (argument.getType() != expected)
      return emitOpError() << "expects a region that takes " << expected
                           << " for an operand of type " << type << ", but got "
                           << argument.getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

template <typename OpTy> static LogicalResult verifyGroup(OpTy op) {
  if (failed(verifyStyle(op)))
    return failure();
  if (auto group = static_cast<int32_t>(op.getGroup()); group <= 0)
    return op.emitOpError()
           << "expects a group of one axis or more, but got " << group;
  for (Value operand : op->getOperands())
    if (!isRuntimeType(getElement(operand)))
      return op.emitOpError() << "expects an element type that the runtime "
                                 "knows, but got "
                              << operand.getType();
  return success();
}

template <typename OpTy> static LogicalResult verifySite(OpTy op) {
  if (std::optional<uint32_t> site = op.getSite();
      site && static_cast<int32_t>(*site) < 0)
    return op.emitOpError() << "expects a site of at least 0, but got "
                            << static_cast<int32_t>(*site);
  return success();
}

/// `whole` is `pieces` along `dim`, and otherwise of its shape.
static LogicalResult expectPieces(Operation *op, Value whole, Value piece,
                                  int64_t dim) {
  ShapedType joined = getShaped(whole), part = getShaped(piece);
  bool fits = joined.getElementType() == part.getElementType() &&
              joined.getRank() == part.getRank();
  for (auto [at, sizes] :
       llvm::enumerate(llvm::zip(joined.getShape(), part.getShape()))) {
    auto [size, own] = sizes;
    fits &= static_cast<int64_t>(at) == dim
                ? (own == 0 ? size == 0 : size % own == 0)
                : size == own;
  }
  if (fits)
    return success();
  return op->emitOpError() << "expects pieces of " << joined
                           << " along dimension " << dim << ", but got "
                           << part;
}

LogicalResult rt::AllReduceOp::verify() {
  return success(succeeded(verifyGroup(*this)) && succeeded(verifySite(*this)));
}

/// Verifies several tensors, each with its dimension.
template <typename OpTy>
static LogicalResult verifyPieces(OpTy op, ValueRange wholes,
                                  ValueRange pieces) {
  size_t tensors = op.getInputs().size();
  if (failed(verifyGroup(op)) || failed(verifySite(op)))
    return failure();
  if (failed(expectCount(op, "outs", tensors, op.getOuts().size())) ||
      failed(expectCount(op, "dims", tensors, op.getDims().size())))
    return failure();
  for (auto [whole, piece, dim] : llvm::zip_equal(wholes, pieces, op.getDims()))
    if (failed(expectDim(op, "dim", whole, dim)) ||
        failed(expectPieces(op, whole, piece, dim)))
      return failure();
  return success();
}

LogicalResult rt::AllGatherOp::verify() {
  return verifyPieces(*this, getOuts(), getInputs());
}

LogicalResult rt::ReduceScatterOp::verify() {
  return verifyPieces(*this, getInputs(), getOuts());
}

LogicalResult rt::BroadcastOp::verify() {
  if (auto root = static_cast<int64_t>(getRoot()); root < 0)
    return emitOpError() << "expects a root of at least 0, but got " << root;
  return success(succeeded(verifyGroup(*this)) && succeeded(verifySite(*this)));
}

LogicalResult AllToAllOp::verify() {
  int64_t split = getSplitDim(), concat = getConcatDim();
  if (failed(verifyGroup(*this)) || failed(verifySite(*this)) ||
      failed(expectDim(*this, "split_dim", getInput(), split)) ||
      failed(expectDim(*this, "concat_dim", getInput(), concat)))
    return failure();
  if (split == concat)
    return emitOpError() << "expects two dimensions, but got " << split
                         << " twice";
  ShapedType from = getShaped(getInput()), to = getShaped(getOuts());
  bool fits = from.getElementType() == to.getElementType() &&
              from.getRank() == to.getRank() &&
              from.getNumElements() == to.getNumElements();
  for (auto [dim, sizes] :
       llvm::enumerate(llvm::zip(from.getShape(), to.getShape()))) {
    auto [before, after] = sizes;
    auto at = static_cast<int64_t>(dim);
    if (at == split)
      fits &= after != 0 && before % after == 0;
    else if (at == concat)
      fits &= before != 0 && after % before == 0;
    else
      fits &= before == after;
  }
  if (fits || from.getNumElements() == 0)
    return success();
  return emitOpError() << "expects an out that is " << from
                       << " split along dimension " << split
                       << " and joined along dimension " << concat
                       << ", but got " << to;
}

LogicalResult AllSliceOp::verify() {
  if (failed(verifyGroup(*this)) ||
      failed(expectDim(*this, "dim", getInput(), getDim())))
    return failure();
  return expectPieces(*this, getInput(), getOuts(), getDim());
}

LogicalResult rt::ProcessIndexOp::verify() {
  if (failed(verifyGroup(*this)))
    return failure();
  return expectLike(*this, "an out", getOuts(), {},
                    IntegerType::get(getContext(), 32));
}

LogicalResult rt::ProbeOp::verify() {
  if (failed(verifyStyle(*this)))
    return failure();
  if (auto site = static_cast<int64_t>(getSite()); site < 0)
    return emitOpError() << "expects a site of at least 0, but got " << site;
  if (std::optional<ArrayRef<int64_t>> rows = getRows();
      rows && !areRowsOf(*rows, getShaped(getInput()).getShape()))
    return emitOpError() << "expects rows of a tensor with at least as many, "
                            "but got ["
                         << *rows << "] for " << getInput().getType();
  return expectCount(*this, "dimensions in sharding",
                     getShaped(getInput()).getRank(), getSharding().getRank());
}
