//===- Windows.cpp - Reductions over windows to kernels -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cumulative windows are one running value per row; for all others every result
// walks through its window. Short floats are accumulated in f32 by the simple
// bodies, as in reductions.
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/Window.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

namespace {

/// Base of the kernels of both kinds of windows: operands are inputs, then
/// initial values, then outputs.
class WindowKernel {
public:
  WindowKernel(RowsBuilder &builder, hlo::ReduceWindowOp op)
      : b(builder), op(op), count(op.getInputs().size()) {
    Type element = getElementTypeOrSelf(op.getInputs().front().getType());
    bool isShort =
        isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
    if (isShort && hlo::matchSimpleCombiner(op.getBody()))
      wide = b.getF32Type();
  }

protected:
  SmallVector<Value> loadInits() {
    SmallVector<Value> values;
    for (unsigned i = 0; i < count; ++i)
      values.push_back(widen(b.load(b.getBuffer(count + i), {})));
    return values;
  }

  SmallVector<Value> loadInputs(ValueRange place) {
    SmallVector<Value> values;
    for (unsigned i = 0; i < count; ++i)
      values.push_back(widen(b.load(b.getBuffer(i), place)));
    return values;
  }

  void storeResults(ValueRange values, ValueRange place) {
    for (auto [i, value] : llvm::enumerate(values)) {
      Value buffer = b.getBuffer(2 * static_cast<size_t>(count) + i);
      Type element = cast<MemRefType>(buffer.getType()).getElementType();
      if (value.getType() != element)
        value = arith::TruncFOp::create(b, b.getLoc(), element, value);
      b.store(value, buffer, place);
    }
  }

  SmallVector<Value> combine(ValueRange first, ValueRange second) {
    SmallVector<Value> arguments(first);
    llvm::append_range(arguments, second);
    return lowerScalarRegion(b, b.getLoc(), op.getBody(), arguments);
  }

  RowsBuilder &b;
  hlo::ReduceWindowOp op;
  unsigned count;

private:
  Value widen(Value value) {
    return wide ? arith::ExtFOp::create(b, b.getLoc(), wide, value).getResult()
                : value;
  }

  Type wide;
};

/// One running value along a dimension; a row for every place in the others.
class ScanKernel : WindowKernel {
public:
  using WindowKernel::WindowKernel;

  void emit(hlo::Scan scan, ArrayRef<int64_t> shape) {
    SmallVector<int64_t> rows(shape);
    rows[scan.dim] = 1;
    SmallVector<Value> row = b.delinearize(b.getRow(), rows);
    Value last = b.index(shape[scan.dim] - 1);
    b.loop(b.index(0), b.index(shape[scan.dim]), b.index(1), loadInits(),
           [&](Value step, ValueRange carried) {
             SmallVector<Value> place(row);
             place[scan.dim] = scan.isReversed ? b.subtract(last, step) : step;
             SmallVector<Value> elements = loadInputs(place);
             SmallVector<Value> values = scan.isReversed
                                             ? combine(elements, carried)
                                             : combine(carried, elements);
             storeResults(values, place);
             return values;
           });
  }
};

/// Every result on its own; a row for every place in all dimensions but the
/// last.
class GeneralKernel : WindowKernel {
public:
  using WindowKernel::WindowKernel;

  void emit(ArrayRef<int64_t> shape, ArrayRef<int64_t> resultShape) {
    if (resultShape.empty())
      return storeResults(combine(loadInits(), loadInputs({})), {});
    SmallVector<hlo::WindowDim> window = hlo::getWindow(op);
    SmallVector<Value> place =
        b.delinearize(b.getRow(), resultShape.drop_back());
    b.loop(b.index(0), b.index(resultShape.back()), b.index(1), {},
           [&](Value last, ValueRange) -> SmallVector<Value> {
             place.push_back(last);
             auto values = b.loops(op.getWindowDimensions(), loadInits(),
                                   [&](ValueRange offset, ValueRange carried) {
                                     return emitElement(window, shape, place,
                                                        offset, carried);
                                   });
             storeResults(values, place);
             place.pop_back();
             return {};
           });
  }

private:
  /// Combines the element at an offset in the window, if there is one.
  SmallVector<Value> emitElement(ArrayRef<hlo::WindowDim> window,
                                 ArrayRef<int64_t> shape, ValueRange place,
                                 ValueRange offset, ValueRange carried) {
    Value isInside =
        arith::ConstantOp::create(b, b.getLoc(), b.getBoolAttr(true));
    auto require = [&](Value condition) {
      isInside = arith::AndIOp::create(b, b.getLoc(), isInside, condition);
    };
    SmallVector<Value> source;
    for (auto [dim, extent, base, inner] :
         llvm::zip_equal(window, shape, place, offset)) {
      Value position =
          b.subtract(b.add(b.multiply(base, b.index(dim.stride)),
                           b.multiply(inner, b.index(dim.dilation))),
                     b.index(dim.low));
      if (dim.baseDilation != 1) {
        Value step = b.index(dim.baseDilation);
        Value rest = arith::RemUIOp::create(b, b.getLoc(), position, step);
        require(arith::CmpIOp::create(b, b.getLoc(), arith::CmpIPredicate::eq,
                                      rest, b.index(0)));
        position = arith::DivUIOp::create(b, b.getLoc(), position, step);
      }
      // Negative places are large unsigned ones.
      require(arith::CmpIOp::create(b, b.getLoc(), arith::CmpIPredicate::ult,
                                    position, b.index(extent)));
      source.push_back(position);
    }
    auto branch = scf::IfOp::create(b, b.getLoc(), carried.getTypes(), isInside,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, b.getLoc(), combine(carried, loadInputs(source)));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, b.getLoc(), carried);
    return branch.getResults();
  }
};

struct ReduceWindowConverter : OpConversionPattern<hlo::ReduceWindowOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(hlo::ReduceWindowOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> outs;
    for (Type type : op.getResultTypes())
      outs.push_back(
          buildEmpty(rewriter, loc, getKernelType(getTypeConverter(), type)));
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(op.getInputs().front().getType()).getShape();
    ArrayRef<int64_t> resultShape =
        cast<RankedTensorType>(op.getResultTypes().front()).getShape();
    std::optional<hlo::Scan> scan = hlo::matchScan(op);
    bool isEmpty = llvm::is_contained(resultShape, 0);
    int64_t elements = llvm::product_of(resultShape);
    int64_t inRow = scan                  ? resultShape[scan->dim]
                    : resultShape.empty() ? 1
                                          : resultShape.back();
    rewriter.replaceOp(
        op, buildRows(rewriter, loc, isEmpty ? 0 : elements / inRow,
                      adaptor.getOperands(), outs, [&](RowsBuilder &body) {
                        if (scan)
                          ScanKernel(body, op).emit(*scan, shape);
                        else
                          GeneralKernel(body, op).emit(shape, resultShape);
                      }));
    return success();
  }
};

} // namespace

void mlir::boost::populateWindowPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<ReduceWindowConverter>(converter, patterns.getContext());
}
