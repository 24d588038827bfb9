//===- Contraction.cpp - Products as BLAS calls ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand is a stack of matrices if its batching, its free and its
// contracted dimensions each make one step through memory, and one of the last
// two stands together; which one is the gemm's transpose flag. Transposes,
// slices and reshapes on the way are read as steps. Only what fits neither way
// is transposed in memory.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "StridedView.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

namespace {

using Dims = SmallVector<int64_t>;

/// The layout by which a gemm reads or writes one operand.
struct Layout {
  int64_t begin, nextMatrix, nextRow;
  /// True if matrices and rows have no gaps and cover all elements.
  bool isDense;
};

/// One operand of a product: its dimensions by role, in the order in which the
/// product pairs and returns them.
struct Operand {
  StridedView view;
  Dims batch, free, contracted;

  int64_t count(ArrayRef<int64_t> dims) const { return view.count(dims); }
  std::optional<Layout> findLayout(ArrayRef<int64_t> rows,
                                   ArrayRef<int64_t> columns) const;
  bool fits() const {
    return findLayout(free, contracted) || findLayout(contracted, free);
  }
};

} // namespace

/// Returns the layout of `rows` x `columns` matrices in memory, if their rows
/// are contiguous.
std::optional<Layout> Operand::findLayout(ArrayRef<int64_t> rows,
                                          ArrayRef<int64_t> columns) const {
  std::optional<int64_t> matrixStep = view.findStep(batch);
  std::optional<int64_t> rowStep = view.findStep(rows);
  std::optional<int64_t> columnStep = view.findStep(columns);
  if (!matrixStep || !rowStep || !columnStep)
    return std::nullopt;
  int64_t height = count(rows), width = count(columns);
  if ((width > 1 && *columnStep != 1) || (height > 1 && *rowStep < width))
    return std::nullopt;
  Layout layout{view.begin, *matrixStep, *rowStep, false};
  if (height == 1)
    layout.nextRow = width;
  if (count(batch) == 1)
    layout.nextMatrix = height * width;
  int64_t elements = count(batch) * height * width;
  layout.isDense =
      view.begin == 0 && layout.nextRow == width &&
      layout.nextMatrix == height * width &&
      cast<ShapedType>(view.value.getType()).getNumElements() == elements;
  return layout;
}

static Operand makeOperand(Value value, ArrayRef<int64_t> batch,
                           ArrayRef<int64_t> contracted) {
  Operand operand{
      StridedView::through(value), Dims(batch), {}, Dims(contracted)};
  for (int64_t dim : llvm::seq<int64_t>(operand.view.sizes.size()))
    if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contracted, dim))
      operand.free.push_back(dim);
  return operand;
}

/// The order of the contracted pairs is free: that of `leader` in memory.
static void orderContracted(Operand &leader, Operand &follower) {
  Dims order = llvm::to_vector(llvm::seq<int64_t>(leader.contracted.size()));
  auto stride = [&](int64_t i) {
    return leader.view.strides[leader.contracted[i]];
  };
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::pair(-stride(a), a) < std::pair(-stride(b), b);
  });
  for (Operand *operand : {&leader, &follower})
    operand->contracted = llvm::map_to_vector(
        order, [&](int64_t i) { return operand->contracted[i]; });
}

/// Chooses the order of pairs that leaves fewer operands to transpose.
static void orderContracted(Operand *lhs, Operand *rhs) {
  auto misfits = [&] { return !lhs->fits() + !rhs->fits(); };
  orderContracted(*lhs, *rhs);
  int byLhs = misfits();
  if (byLhs == 0)
    return;
  orderContracted(*rhs, *lhs);
  if (misfits() >= byLhs)
    orderContracted(*lhs, *rhs);
}

/// Copies an operand that fits no layout into batch, free, contracted order.
static void makeDense(OpBuilder &builder, Location loc, Value value,
                      Operand &operand) {
  Dims permutation(operand.batch);
  llvm::append_range(permutation, operand.free);
  llvm::append_range(permutation, operand.contracted);
  while (auto transpose = value.getDefiningOp<hlo::TransposeOp>()) {
    for (int64_t &dim : permutation)
      dim = transpose.getPermutation()[dim];
    value = transpose.getOperand();
  }
  operand.view =
      StridedView::of(hlo::transpose(builder, loc, value, permutation));
  int64_t next = 0;
  for (Dims *dims : {&operand.batch, &operand.free, &operand.contracted})
    for (int64_t &dim : *dims)
      dim = next++;
}

namespace {
/// A product of two operands, and the result as it will stand in memory.
struct Product {
  Operand lhs, rhs, result;
  /// True if the result is written with the free dimensions of rhs as rows.
  bool swapped = false;

  std::optional<Layout> findResultLayout() const {
    return swapped ? result.findLayout(result.contracted, result.free)
                   : result.findLayout(result.free, result.contracted);
  }
};
} // namespace

/// Lets the product write the result of a transpose that is the only user of
/// `op`, if a gemm can; returns the operation that is then replaced.
static Operation *absorbTranspose(Operation *op, Product &product) {
  int64_t batch = product.lhs.batch.size();
  int64_t free = batch + product.lhs.free.size();
  Operand &result = product.result;
  result.view = StridedView::of(op->getResult(0));
  int64_t rank = result.view.sizes.size();
  result.batch = llvm::to_vector(llvm::seq<int64_t>(0, batch));
  result.free = llvm::to_vector(llvm::seq(batch, free));
  result.contracted = llvm::to_vector(llvm::seq(free, rank));
  if (!op->hasOneUse())
    return op;
  auto transpose = dyn_cast<hlo::TransposeOp>(*op->user_begin());
  if (!transpose)
    return op;
  StridedView plain = result.view;
  StridedView written = StridedView::of(transpose.getResult());
  for (auto [dim, from] : llvm::enumerate(transpose.getPermutation()))
    result.view.strides[from] = written.strides[dim];
  for (bool swapped : {false, true}) {
    product.swapped = swapped;
    if (product.findResultLayout())
      return transpose;
  }
  product.swapped = false;
  result.view = plain;
  return op;
}

static void convertProduct(IRRewriter &rewriter, Operation *op, Operand lhs,
                           Operand rhs) {
  rewriter.setInsertionPoint(op);
  Location loc = op->getLoc();
  Product product{std::move(lhs), std::move(rhs), {}};
  Operation *replaced = absorbTranspose(op, product);
  orderContracted(&product.lhs, &product.rhs);
  for (auto [operand, value] : {std::pair(&product.lhs, op->getOperand(0)),
                                std::pair(&product.rhs, op->getOperand(1))})
    if (!operand->fits())
      makeDense(rewriter, loc, value, *operand);

  Operand &a = product.swapped ? product.rhs : product.lhs;
  Operand &b = product.swapped ? product.lhs : product.rhs;
  auto type = cast<RankedTensorType>(replaced->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  auto plainA = a.findLayout(a.free, a.contracted);
  auto plainB = b.findLayout(b.contracted, b.free);
  auto attr = [&](const Layout &layout) {
    return layout.isDense
               ? DenseI64ArrayAttr()
               : rewriter.getDenseI64ArrayAttr(
                     {layout.begin, layout.nextMatrix, layout.nextRow});
  };
  auto gemm = rt::GemmOp::create(
      rewriter, loc, TypeRange(type), a.view.value, b.view.value, empty,
      a.count(a.batch), a.count(a.free), b.count(b.free), a.count(a.contracted),
      /*transpose_a=*/!plainA, /*transpose_b=*/!plainB,
      attr(plainA ? *plainA : *a.findLayout(a.contracted, a.free)),
      attr(plainB ? *plainB : *b.findLayout(b.free, b.contracted)),
      attr(*product.findResultLayout()));
  gemm->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceAllUsesWith(replaced->getResult(0), gemm->getResult(0));
}

//===----------------------------------------------------------------------===//
// Branches that are needed for different times
//===----------------------------------------------------------------------===//

/// Elements [begin, begin + size) of a dimension.
static Value takePart(OpBuilder &builder, Location loc, Value whole,
                      int64_t dim, int64_t begin, int64_t size) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(whole.getType()).getShape();
  Dims starts(shape.size(), 0), limits(shape), strides(shape.size(), 1);
  starts[dim] = begin;
  limits[dim] = begin + size;
  return hlo::SliceOp::create(builder, loc, whole, starts, limits, strides);
}

/// Returns true if an operation after `mark` reads the value, a part of it, or
/// a reshape of it.
static bool isReadBehind(Value value, Operation *mark) {
  SmallVector<Value> values = {value};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers()) {
      if (isa<hlo::SliceOp, hlo::ReshapeOp>(user))
        values.push_back(user->getResult(0));
      else if (mark->isBeforeInBlock(user))
        return true;
    }
  return false;
}

/// For a product of branches each of which is taken apart by slices: whether
/// the phases from `mark` on read it. Empty for other products.
static SmallVector<bool> findKeptBranches(hlo::DotGeneralOp op, PhaseOp mark) {
  if (op.getDotDimensionNumbers().getLhsBatchingDimensions().size() != 1)
    return {};
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<bool> kept(shape.front(), false);
  for (Operation *user : op->getUsers()) {
    auto slice = dyn_cast<hlo::SliceOp>(user);
    if (!mark || !slice || slice.getType().getDimSize(0) != 1 ||
        slice.getType().getShape().drop_front() != shape.drop_front())
      return {};
    kept[slice.getStartIndices().front()] |= isReadBehind(slice, mark);
  }
  return kept;
}

/// Memory is held as long as any part of it is needed: branches that backward
/// reads are written apart from those it does not.
static bool splitBranches(IRRewriter &rewriter, hlo::DotGeneralOp op,
                          PhaseOp nextPhase) {
  SmallVector<bool> kept = findKeptBranches(op, nextPhase);
  if (kept.empty() || llvm::all_equal(kept))
    return false;
  hlo::DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  Location loc = op.getLoc();
  auto users = llvm::to_vector(op->getUsers());
  for (size_t begin = 0, end = 0; begin < kept.size(); begin = end) {
    while (end < kept.size() && kept[end] == kept[begin])
      ++end;
    rewriter.setInsertionPoint(op);
    int64_t first = begin, size = end - begin;
    Value lhs = takePart(rewriter, loc, op.getLhs(),
                         dims.getLhsBatchingDimensions().front(), first, size);
    Value rhs = takePart(rewriter, loc, op.getRhs(),
                         dims.getRhsBatchingDimensions().front(), first, size);
    auto part = hlo::dotGeneral(rewriter, loc, lhs, rhs, dims,
                                op.getType().getElementType())
                    .getDefiningOp<hlo::DotGeneralOp>();
    part->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    for (Operation *user : users) {
      auto slice = cast<hlo::SliceOp>(user);
      int64_t branch = slice.getStartIndices().front() - first;
      if (branch < 0 || branch >= size)
        continue;
      rewriter.setInsertionPoint(slice);
      Value taken = size == 1
                        ? part.getResult()
                        : takePart(rewriter, loc, part, /*dim=*/0, branch, 1);
      rewriter.replaceAllUsesWith(slice.getResult(), taken);
    }
    convertDotGeneral(rewriter, part, nextPhase);
    for (Operation *left :
         {part.getOperation(), lhs.getDefiningOp(), rhs.getDefiningOp()})
      if (left->use_empty())
        rewriter.eraseOp(left);
  }
  return true;
}

void mlir::boost::convertDotGeneral(IRRewriter &rewriter, hlo::DotGeneralOp op,
                                    PhaseOp nextPhase) {
  if (splitBranches(rewriter, op, nextPhase))
    return;
  hlo::DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  convertProduct(rewriter, op,
                 makeOperand(op.getLhs(), dims.getLhsBatchingDimensions(),
                             dims.getLhsContractingDimensions()),
                 makeOperand(op.getRhs(), dims.getRhsBatchingDimensions(),
                             dims.getRhsContractingDimensions()));
}

void mlir::boost::convertLinear(IRRewriter &rewriter, LinearOp op) {
  int64_t last = cast<RankedTensorType>(op.getInput().getType()).getRank() - 1;
  convertProduct(rewriter, op, makeOperand(op.getInput(), {}, last),
                 makeOperand(op.getWeight(), {}, op.getTransposed() ? 1 : 0));
}
