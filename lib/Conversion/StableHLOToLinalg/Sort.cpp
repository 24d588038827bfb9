//===- Sort.cpp - Sorts to kernels ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stable merge sort of the places of the elements, one row per thread at a
// time; then every result is gathered by them.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

namespace {

/// Writes the merge sort of one row.
class MergeSort {
public:
  MergeSort(RowsBuilder &builder, hlo::SortOp op, ArrayRef<int64_t> shape)
      : b(builder), op(op), dim(op.getSortedDim()), length(shape[dim]) {
    SmallVector<int64_t> rows(shape);
    rows[dim] = 1;
    row = b.delinearize(b.getRow(), rows);
  }

  void emit() {
    unsigned count = op.getInputs().size();
    Value order = b.getBuffer(count), scratch = b.getBuffer(count + 1);
    Type element = cast<MemRefType>(order.getType()).getElementType();
    b.loop(b.index(0), b.index(length), b.index(1), {},
           [&](Value place, ValueRange) -> SmallVector<Value> {
             Value number =
                 arith::IndexCastOp::create(b, b.getLoc(), element, place);
             b.store(number, order, at(place));
             return {};
           });
    if (length < 2)
      return;
    // Two passes at a time, so that the last one ends in `order`; a pass over
    // one sorted run copies it.
    int64_t pairs = llvm::divideCeil(llvm::Log2_64_Ceil(length), 2);
    b.loop(b.index(0), b.index(pairs), b.index(1), b.index(1),
           [&](Value, ValueRange carried) -> SmallVector<Value> {
             Value width = carried.front();
             Value twice = b.add(width, width);
             emitPass(order, scratch, width);
             emitPass(scratch, order, twice);
             return {b.add(twice, twice)};
           });
  }

private:
  SmallVector<Value> at(Value place) const {
    SmallVector<Value> index(row);
    index[dim] = place;
    return index;
  }

  /// Merges neighboring runs of `width` elements.
  void emitPass(Value from, Value to, Value width) {
    Value end = b.index(length);
    Value step = b.add(width, width);
    b.loop(b.index(0), end, step, {},
           [&](Value start, ValueRange) -> SmallVector<Value> {
             Value middle = b.minimum(b.add(start, width), end);
             Value stop = b.minimum(b.add(start, step), end);
             emitMerge(from, to, start, middle, stop);
             return {};
           });
  }

  /// Merges [start, middle) and [middle, stop); of equal elements the left ones
  /// come first. Places past a run are moved into it, so that loads are safe.
  void emitMerge(Value from, Value to, Value start, Value middle, Value stop) {
    Value one = b.index(1);
    Value lastLeft = b.subtract(middle, one);
    Value lastPlace = b.index(length - 1);
    b.loop(start, stop, one, {start, middle},
           [&](Value place, ValueRange heads) -> SmallVector<Value> {
             Value left = b.load(from, at(b.minimum(heads[0], lastLeft)));
             Value right = b.load(from, at(b.minimum(heads[1], lastPlace)));
             Value hasRight = b.isLess(heads[1], stop);
             Value hasNoLeft = b.isLess(lastLeft, heads[0]);
             Value isBefore = emitComparison(right, left);
             Value takesRight = arith::AndIOp::create(
                 b, b.getLoc(), hasRight,
                 arith::OrIOp::create(b, b.getLoc(), hasNoLeft, isBefore));
             b.store(b.select(takesRight, right, left), to, at(place));
             return {b.select(takesRight, heads[0], b.add(heads[0], one)),
                     b.select(takesRight, b.add(heads[1], one), heads[1])};
           });
  }

  Value emitComparison(Value first, Value second) {
    auto toIndex = [&](Value number) -> Value {
      return arith::IndexCastOp::create(b, b.getLoc(), b.getIndexType(),
                                        number);
    };
    SmallVector<Value> firstPlace = at(toIndex(first));
    SmallVector<Value> secondPlace = at(toIndex(second));
    SmallVector<Value> arguments;
    for (unsigned input = 0; input < op.getInputs().size(); ++input) {
      arguments.push_back(b.load(b.getBuffer(input), firstPlace));
      arguments.push_back(b.load(b.getBuffer(input), secondPlace));
    }
    return lowerScalarRegion(b, b.getLoc(), op.getComparator(), arguments)
        .front();
  }

  RowsBuilder &b;
  hlo::SortOp op;
  int64_t dim, length;
  SmallVector<Value> row;
};

struct SortConverter : OpConversionPattern<hlo::SortOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(hlo::SortOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(adaptor.getInputs().front().getType());
    Value order = buildOrder(rewriter, op, adaptor.getInputs(), type);
    SmallVector<Value> results;
    for (Value input : adaptor.getInputs())
      results.push_back(buildPermuted(rewriter, op, input, order));
    rewriter.replaceOp(op, results);
    return success();
  }

  /// Along the sorted dimension, the places of the elements in their order.
  static Value buildOrder(OpBuilder &builder, hlo::SortOp op, ValueRange inputs,
                          RankedTensorType type) {
    Location loc = op.getLoc();
    RankedTensorType places = type.clone(builder.getI32Type());
    int64_t length = type.getDimSize(op.getSortedDim());
    int64_t rows = length == 0 ? 0 : type.getNumElements() / length;
    SmallVector<Value> outs{buildEmpty(builder, loc, places),
                            buildEmpty(builder, loc, places)};
    return buildRows(builder, loc, rows, inputs, outs,
                     [&](RowsBuilder &body) {
                       MergeSort(body, op, type.getShape()).emit();
                     })
        .front();
  }

  static Value buildPermuted(OpBuilder &builder, hlo::SortOp op, Value input,
                             Value order) {
    auto type = cast<RankedTensorType>(input.getType());
    auto read = [&](OpBuilder &body, Location loc, ValueRange place) -> Value {
      SmallVector<Value> index;
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        index.push_back(linalg::IndexOp::create(body, loc, dim));
      index[op.getSortedDim()] = arith::IndexCastOp::create(
          body, loc, body.getIndexType(), place.front());
      return tensor::ExtractOp::create(body, loc, input, index);
    };
    return buildKernel(builder, op.getLoc(), type, order,
                       builder.getMultiDimIdentityMap(type.getRank()), read);
  }
};

} // namespace

void mlir::boost::populateSortPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<SortConverter>(converter, patterns.getContext());
}
