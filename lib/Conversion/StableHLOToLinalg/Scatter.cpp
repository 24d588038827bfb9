//===- Scatter.cpp - Scatters to kernels ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads share the work along a dimension in which no two of them can meet: a
// batching dimension, or one of the window that is not indexed. Every element
// then takes its updates in the order of the index vectors, however many
// threads there are.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

namespace {

/// The dimensions of one scatter.
struct ScatterDims {
  explicit ScatterDims(hlo::ScatterOp op)
      : numbers(op.getScatterDimensionNumbers()),
        input(cast<RankedTensorType>(op.getInputs().front().getType())),
        indices(cast<RankedTensorType>(op.getScatterIndices().getType())),
        update(cast<RankedTensorType>(op.getUpdates().front().getType())) {
    for (int64_t dim = 0; dim < update.getRank(); ++dim)
      (llvm::is_contained(numbers.getUpdateWindowDims(), dim) ? window : outer)
          .push_back(dim);
    for (int64_t dim = 0; dim < input.getRank(); ++dim)
      if (!llvm::is_contained(numbers.getInsertedWindowDims(), dim) &&
          !llvm::is_contained(numbers.getInputBatchingDims(), dim))
        windowInputs.push_back(dim);
  }

  bool isIndexed(int64_t inputDim) const {
    return llvm::is_contained(numbers.getScatterDimsToOperandDims(), inputDim);
  }

  /// The position among `outer` of a dimension of the indices.
  int64_t getOuterPosition(int64_t indexDim) const {
    return indexDim - (indexDim > numbers.getIndexVectorDim() ? 1 : 0);
  }

  hlo::ScatterDimensionNumbersAttr numbers;
  RankedTensorType input, indices, update;
  /// Dimensions of the update that run over index vectors, and over windows.
  SmallVector<int64_t> outer, window;
  /// The input's dimension of every entry of `window`.
  SmallVector<int64_t> windowInputs;
};

/// The division of the update into rows: their dimension and length.
struct RowTiling {
  int64_t dim = -1;
  int64_t length = 1;
  int64_t rows = 1;
};

/// Writes the kernel of a scatter: operands are the indices, the updates and,
/// as outs, the inputs.
class ScatterKernel {
public:
  ScatterKernel(RowsBuilder &builder, hlo::ScatterOp op,
                const ScatterDims &dims, RowTiling tiling)
      : b(builder), op(op), dims(dims), tiling(tiling),
        count(op.getInputs().size()), place(dims.update.getRank()) {}

  void emit() {
    enter(dims.outer, [&] {
      SmallVector<Value> start = emitStart();
      enter(dims.window, [&] { emitUpdate(start); });
    });
  }

private:
  /// Loops over some dimensions of the update, in order.
  void enter(ArrayRef<int64_t> loops, llvm::function_ref<void()> body) {
    if (loops.empty())
      return body();
    int64_t dim = loops.front();
    Value begin = b.index(0), end = b.index(dims.update.getDimSize(dim));
    if (dim == tiling.dim) {
      begin = b.multiply(b.getRow(), b.index(tiling.length));
      end = b.minimum(b.add(begin, b.index(tiling.length)), end);
    }
    b.loop(begin, end, b.index(1), {},
           [&](Value position, ValueRange) -> SmallVector<Value> {
             place[dim] = position;
             enter(loops.drop_front(), body);
             return {};
           });
  }

  /// Emits the start of the window of the current index vector.
  SmallVector<Value> emitStart() {
    SmallVector<Value> outer = llvm::map_to_vector(
        dims.outer, [&](int64_t dim) { return place[dim]; });
    SmallVector<Value> start(dims.input.getRank(), b.index(0));
    int64_t vectorDim = dims.numbers.getIndexVectorDim();
    for (auto [component, dim] :
         llvm::enumerate(dims.numbers.getScatterDimsToOperandDims())) {
      SmallVector<Value> indexPlace(outer);
      if (vectorDim < dims.indices.getRank())
        indexPlace.insert(indexPlace.begin() + vectorDim,
                          b.index(static_cast<int64_t>(component)));
      start[dim] = toIndex(b.load(b.getBuffer(0), indexPlace), dim);
    }
    for (auto [inputDim, indexDim] :
         llvm::zip_equal(dims.numbers.getInputBatchingDims(),
                         dims.numbers.getScatterIndicesBatchingDims()))
      start[inputDim] = outer[dims.getOuterPosition(indexDim)];
    return start;
  }

  /// An unsigned number beyond the end stays there: as a signed one it might
  /// be below 0, and a window that begins there might reach inside.
  Value toIndex(Value number, int64_t dim) {
    Type index = b.getIndexType();
    if (!dims.indices.getElementType().isUnsignedInteger())
      return arith::IndexCastOp::create(b, b.getLoc(), index, number);
    Value place = arith::IndexCastUIOp::create(b, b.getLoc(), index, number);
    return arith::MinUIOp::create(b, b.getLoc(), place,
                                  b.index(dims.input.getDimSize(dim)));
  }

  /// Combines one element, unless its place lies outside.
  void emitUpdate(ArrayRef<Value> start) {
    SmallVector<Value> target(start);
    for (auto [dim, inputDim] : llvm::zip_equal(dims.window, dims.windowInputs))
      target[inputDim] = b.add(target[inputDim], place[dim]);
    Value isInside =
        arith::ConstantOp::create(b, b.getLoc(), b.getBoolAttr(true));
    for (int64_t dim : dims.numbers.getScatterDimsToOperandDims()) {
      // A negative place is a large unsigned one.
      Value fits = arith::CmpIOp::create(b, b.getLoc(),
                                         arith::CmpIPredicate::ult, target[dim],
                                         b.index(dims.input.getDimSize(dim)));
      isInside = arith::AndIOp::create(b, b.getLoc(), isInside, fits);
    }
    auto branch = scf::IfOp::create(b, b.getLoc(), isInside);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> arguments;
    for (unsigned i = 0; i < count; ++i)
      arguments.push_back(b.load(b.getBuffer(1 + count + i), target));
    for (unsigned i = 0; i < count; ++i)
      arguments.push_back(b.load(b.getBuffer(1 + i), place));
    SmallVector<Value> values =
        lowerScalarRegion(b, b.getLoc(), op.getUpdateComputation(), arguments);
    for (auto [i, value] : llvm::enumerate(values))
      b.store(value, b.getBuffer(1 + count + static_cast<unsigned>(i)), target);
  }

  RowsBuilder &b;
  hlo::ScatterOp op;
  const ScatterDims &dims;
  RowTiling tiling;
  unsigned count;
  /// The current element of the update.
  SmallVector<Value> place;
};

} // namespace

/// The longest dimension in which different elements of the update go to
/// different elements of the input, in pieces of whole cache lines.
static RowTiling chooseTiling(const ScatterDims &dims) {
  // Enough rows for every thread of a large machine to get some.
  constexpr int64_t kEnoughRows = 64, kCacheLine = 16;
  RowTiling tiling;
  int64_t longest = 1;
  auto consider = [&](int64_t dim, int64_t smallest) {
    int64_t size = dims.update.getDimSize(dim);
    if (size <= longest)
      return;
    longest = size;
    tiling.dim = dim;
    tiling.length = std::max(
        smallest, static_cast<int64_t>(llvm::divideCeil(size, kEnoughRows)));
    tiling.rows = llvm::divideCeil(size, tiling.length);
  };
  for (int64_t indexDim : dims.numbers.getScatterIndicesBatchingDims())
    consider(dims.outer[dims.getOuterPosition(indexDim)], 1);
  for (auto [dim, inputDim] : llvm::zip_equal(dims.window, dims.windowInputs))
    if (!dims.isIndexed(inputDim))
      consider(dim, inputDim == dims.input.getRank() - 1 ? kCacheLine : 1);
  return tiling;
}

namespace {

struct ScatterConverter : OpConversionPattern<hlo::ScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(hlo::ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ScatterDims dims(op);
    RowTiling tiling = chooseTiling(dims);
    SmallVector<Value> inputs{adaptor.getScatterIndices()};
    llvm::append_range(inputs, adaptor.getUpdates());
    rewriter.replaceOp(op,
                       buildRows(rewriter, op.getLoc(), tiling.rows, inputs,
                                 adaptor.getInputs(), [&](RowsBuilder &body) {
                                   ScatterKernel(body, op, dims, tiling).emit();
                                 }));
    return success();
  }
};

} // namespace

void mlir::boost::populateScatterPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<ScatterConverter>(converter, patterns.getContext());
}
