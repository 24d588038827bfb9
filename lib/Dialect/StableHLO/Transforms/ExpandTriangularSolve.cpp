//===- ExpandTriangularSolve.cpp - Triangular systems as products ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every system becomes a lower one with a diagonal of ones. Blocks on its
// diagonal are inverted, all at once and in as many steps as the logarithm of
// their size; between blocks it is solved by substitution.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/TriangularCalls.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_EXPANDTRIANGULARSOLVEPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// The largest block that is inverted. The error of an inverse grows with its
/// condition, that of substitution does not.
static constexpr int64_t kBlockSize = 32;

/// More would be too many operations.
static constexpr int64_t kMaxRows = 16384;

static LogicalResult checkRows(Operation *op) {
  int64_t rows = getTensorType(op->getOperand(0)).getShape().back();
  if (rows <= kMaxRows)
    return success();
  auto diag = op->emitError() << "expects a triangular system of at most "
                              << kMaxRows << " rows, but got " << rows;
  diag.attachNote() << "solve it block by block, in a loop of the loss";
  return diag;
}

namespace {

/// Builds the solution of (I + n) x = b, `n` strictly lower.
class Solver {
public:
  Solver(OpBuilder &builder, Location loc, RankedTensorType matrices)
      : builder(builder), loc(loc), rank(matrices.getRank()),
        size(matrices.getDimSize(rank - 1)),
        blockSize(size > kBlockSize
                      ? kBlockSize
                      : static_cast<int64_t>(llvm::PowerOf2Ceil(size))),
        blocks(llvm::divideCeil(size, blockSize)) {}

  Value solve(Value n, Value b) {
    n = padTo(padTo(n, rank - 2), rank - 1);
    b = padTo(b, rank - 2);
    Value x = blocks == 1 ? multiply(invertBlocks(n), b) : substitute(n, b);
    return slice(x, rank - 2, 0, size);
  }

private:
  /// Zeros up to a multiple of the blocks. A row of zeros says that x is 0.
  Value padTo(Value value, int64_t dim) {
    RankedTensorType type = getTensorType(value);
    SmallVector<int64_t> none(type.getRank(), 0), high(none);
    high[dim] = blocks * blockSize - type.getDimSize(dim);
    if (high[dim] == 0)
      return value;
    Value zero = splat(builder, loc,
                       RankedTensorType::get({}, type.getElementType()), 0);
    return PadOp::create(builder, loc, value, zero, none, high, none);
  }

  Value slice(Value value, int64_t dim, int64_t begin, int64_t end) {
    ArrayRef<int64_t> shape = getTensorType(value).getShape();
    SmallVector<int64_t> starts(shape.size(), 0), limits(shape);
    SmallVector<int64_t> strides(shape.size(), 1);
    starts[dim] = begin;
    limits[dim] = end;
    if (begin == 0 && end == shape[dim])
      return value;
    return SliceOp::create(builder, loc, value, starts, limits, strides);
  }

  /// The product of matrices, the dimensions before them being a batch.
  Value multiply(Value lhs, Value rhs) {
    int64_t last = getTensorType(lhs).getRank() - 1;
    auto batch = llvm::to_vector(llvm::seq<int64_t>(0, last - 1));
    Value product = dotGeneral(
        builder, loc, lhs, rhs,
        DotDimensionNumbersAttr::get(builder.getContext(), batch, batch,
                                     /*lhs_contracting_dimensions=*/last,
                                     /*rhs_contracting_dimensions=*/last - 1));
    auto highest = PrecisionAttr::get(builder.getContext(), Precision::HIGHEST);
    product.getDefiningOp<DotGeneralOp>().setPrecisionConfigAttr(
        builder.getArrayAttr({highest, highest}));
    return product;
  }

  using Mask = function_ref<bool(int64_t, int64_t)>;

  /// Repeated over a batch, a matrix of booleans like those of a block.
  Value buildMask(Value like, Mask isSet, Type element) {
    ArrayRef<int64_t> shape = getTensorType(like).getShape();
    SmallVector<bool> flags;
    for (int64_t row = 0; row < blockSize; ++row)
      for (int64_t column = 0; column < blockSize; ++column)
        flags.push_back(isSet(row, column));
    auto type =
        RankedTensorType::get({blockSize, blockSize}, builder.getI1Type());
    Value mask =
        ConstantOp::create(builder, loc, DenseElementsAttr::get(type, flags));
    auto last = static_cast<int64_t>(shape.size()) - 1;
    return broadcastInDim(builder, loc, convert(builder, loc, mask, element),
                          shape, {last - 1, last});
  }

  /// The inverses of I + n. With those of blocks of half the size, p, the part
  /// c of n between two neighbors makes -p c p between their inverses.
  Value invertBlocks(Value n) {
    RankedTensorType type = getTensorType(n);
    Value zero = splatLike(builder, loc, n, 0);
    Value p = buildMask(
        n, [](int64_t row, int64_t column) { return row == column; },
        type.getElementType());
    for (int64_t half = 1; half < blockSize; half *= 2) {
      auto isBetween = [&](int64_t row, int64_t column) {
        return row / half == column / half + 1 && row / half % 2 == 1;
      };
      Value mask = buildMask(n, isBetween, builder.getI1Type());
      Value between = SelectOp::create(builder, loc, type, mask, n, zero);
      if (half > 1)
        between = multiply(multiply(p, between), p);
      p = SubtractOp::create(builder, loc, p, between);
    }
    return p;
  }

  /// The blocks on the diagonal, as one more dimension of the batch.
  Value getDiagonalBlocks(Value n) {
    ArrayRef<int64_t> batch = getTensorType(n).getShape().drop_back(2);
    SmallVector<int64_t> shape(batch);
    shape.append({1, blockSize, blockSize});
    SmallVector<Value> parts;
    for (int64_t i = 0; i < blocks; ++i)
      parts.push_back(reshape(builder, loc, getBlock(n, i, i, i + 1), shape));
    return ConcatenateOp::create(builder, loc, parts, rank - 2);
  }

  /// Block row `row` of `n` from block column `begin` to `end`.
  Value getBlock(Value n, int64_t row, int64_t begin, int64_t end) {
    Value rows = slice(n, rank - 2, row * blockSize, (row + 1) * blockSize);
    return slice(rows, rank - 1, begin * blockSize, end * blockSize);
  }

  /// Block by block, what is known of x taken off the right side.
  Value substitute(Value n, Value b) {
    Value inverses = invertBlocks(getDiagonalBlocks(n));
    SmallVector<int64_t> shape(getTensorType(n).getShape().drop_back(2));
    shape.append({blockSize, blockSize});
    Value x;
    for (int64_t i = 0; i < blocks; ++i) {
      Value right = slice(b, rank - 2, i * blockSize, (i + 1) * blockSize);
      if (x)
        right = SubtractOp::create(builder, loc, right,
                                   multiply(getBlock(n, i, 0, i), x));
      Value inverse =
          reshape(builder, loc, slice(inverses, rank - 2, i, i + 1), shape);
      Value next = multiply(inverse, right);
      x = x ? ConcatenateOp::create(builder, loc, ValueRange{x, next}, rank - 2)
                  .getResult()
            : next;
    }
    return x;
  }

  OpBuilder &builder;
  Location loc;
  int64_t rank, size, blockSize, blocks;
};

/// Brings the system of an operation into the form that a solver takes.
class Expansion {
public:
  Expansion(Operation *op, TriangularForm form)
      : op(op), form(form), builder(op), loc(op->getLoc()),
        last(getTensorType(op->getOperand(0)).getRank() - 1) {}

  Value build() {
    Value a = op->getOperand(0), b = op->getOperand(1);
    RankedTensorType type = getTensorType(b);
    if (type.getNumElements() == 0)
      return b;
    Type element = type.getElementType();
    Type computed = element.isF64() ? element : builder.getF32Type();
    a = convert(builder, loc, a, computed);
    b = convert(builder, loc, b, computed);
    // x a = b is a^T x^T = b^T.
    if (!form.isLeft)
      b = swapMatrix(b);
    bool isSwapped = form.isTransposed == form.isLeft;
    if (isSwapped)
      a = swapMatrix(a);
    // Read backwards, an upper triangle is a lower one.
    bool isUpper = form.isLower == isSwapped;
    if (isUpper) {
      a = reverse(a, {last - 1, last});
      b = reverse(b, last - 1);
    }
    Value x = solveLower(a, b);
    if (isUpper)
      x = reverse(x, last - 1);
    if (!form.isLeft)
      x = swapMatrix(x);
    return convert(builder, loc, x, element);
  }

private:
  Value swapMatrix(Value value) {
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, last + 1));
    std::swap(order[last - 1], order[last]);
    return transpose(builder, loc, value, order);
  }

  Value reverse(Value value, ArrayRef<int64_t> dims) {
    return ReverseOp::create(builder, loc, value.getType(), value, dims);
  }

  /// Divides rows by the diagonal, of which ones are left.
  Value solveLower(Value a, Value b) {
    RankedTensorType type = getTensorType(a);
    RankedTensorType counts = type.clone(builder.getI32Type());
    Value row = IotaOp::create(builder, loc, counts, last - 1);
    Value column = IotaOp::create(builder, loc, counts, last);
    Value zero = splatLike(builder, loc, a, 0);
    auto where = [&](ComparisonDirection direction) -> Value {
      Value mask = CompareOp::create(builder, loc, row, column, direction);
      return SelectOp::create(builder, loc, type, mask, a, zero);
    };
    Value strict = where(ComparisonDirection::GT);
    if (!form.hasUnitDiagonal) {
      Value diagonal =
          reduceSum(builder, loc, where(ComparisonDirection::EQ), last);
      auto divide = [&](Value rows) -> Value {
        ArrayRef<int64_t> shape = getTensorType(rows).getShape();
        return DivOp::create(builder, loc, rows,
                             broadcastTrailing(builder, loc, diagonal, shape));
      };
      strict = divide(strict);
      b = divide(b);
    }
    return Solver(builder, loc, type).solve(strict, b);
  }

  Operation *op;
  TriangularForm form;
  OpBuilder builder;
  Location loc;
  int64_t last;
};

struct ExpandTriangularSolvePass
    : stablehlo::impl::ExpandTriangularSolvePassBase<
          ExpandTriangularSolvePass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      std::optional<TriangularForm> form;
      if (auto solve = dyn_cast<TriangularSolveOp>(op))
        form = getForm(solve);
      else if (auto call = dyn_cast<CustomCallOp>(op))
        form = matchTriangularCall(call);
      if (!form)
        return WalkResult::advance();
      if (failed(checkRows(op)))
        return WalkResult::interrupt();
      Value solution = Expansion(op, *form).build();
      op->getResult(0).replaceAllUsesWith(solution);
      op->erase();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
