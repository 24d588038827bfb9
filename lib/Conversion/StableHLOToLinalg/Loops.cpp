//===- Loops.cpp - Loops over numbers to kernels --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops that import could not unroll: one row that repeats the body on
// scalars.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "Rows.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

static void emitLoop(RowsBuilder &b, hlo::WhileOp op) {
  Location loc = b.getLoc();
  unsigned count = op->getNumOperands();
  SmallVector<Value> state;
  for (unsigned i = 0; i < count; ++i)
    state.push_back(b.load(b.getBuffer(i), {}));
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange(ValueRange(state)), state,
      [&](OpBuilder &inner, Location, ValueRange now) {
        SmallVector<Value> goesOn =
            lowerScalarRegion(inner, loc, op.getCond(), now);
        scf::ConditionOp::create(inner, loc, goesOn.front(), now);
      },
      [&](OpBuilder &inner, Location, ValueRange now) {
        scf::YieldOp::create(inner, loc,
                             lowerScalarRegion(inner, loc, op.getBody(), now));
      });
  for (unsigned i = 0; i < count; ++i)
    b.store(loop.getResult(i), b.getBuffer(count + i), {});
}

namespace {

struct WhileConverter : OpConversionPattern<hlo::WhileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(hlo::WhileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> outs;
    for (Type type : op.getResultTypes())
      outs.push_back(buildEmpty(rewriter, op.getLoc(),
                                getKernelType(getTypeConverter(), type)));
    rewriter.replaceOp(op, buildRows(rewriter, op.getLoc(), /*extent=*/1,
                                     adaptor.getOperand(), outs,
                                     [&](RowsBuilder &b) { emitLoop(b, op); }));
    return success();
  }
};

} // namespace

void mlir::boost::populateLoopPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<WhileConverter>(converter, patterns.getContext());
}
