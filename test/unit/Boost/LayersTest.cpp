//===- LayersTest.cpp - What patterns hand on -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

/// Makes a tanh of every negation, once the operation before the negation and
/// the negation itself are erased or not.
struct NegateToTanh : OpRewritePattern<stablehlo::NegOp> {
  NegateToTanh(MLIRContext *context, bool eraseBefore, bool eraseRoot)
      : OpRewritePattern(context), eraseBefore(eraseBefore),
        eraseRoot(eraseRoot) {}

  LogicalResult matchAndRewrite(stablehlo::NegOp op,
                                PatternRewriter &rewriter) const override {
    if (eraseBefore)
      rewriter.eraseOp(op->getPrevNode());
    Value operand = op.getOperand();
    Location loc = op.getLoc();
    Operation *user = *op->getUsers().begin();
    if (eraseRoot)
      rewriter.replaceOp(op, operand);
    rewriter.setInsertionPoint(user);
    Value tanh = stablehlo::TanhOp::create(rewriter, loc, operand);
    rewriter.modifyOpInPlace(user, [&] { user->setOperand(0, tanh); });
    if (!eraseRoot)
      rewriter.eraseOp(op);
    return success();
  }

  bool eraseBefore, eraseRoot;
};

/// The index of the layer of the operation that the pattern makes of one of
/// layer 1, behind an unused one of layer 2; -1 if it has none.
int64_t getLayerOfResult(bool eraseBefore, bool eraseRoot) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<BoostDialect, func::FuncDialect,
                      stablehlo::StableHLODialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.abs %x {boost.layer = #boost.layer<class = 0, index = 2>} : tensor<4xf32>
      %1 = stablehlo.negate %x {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
      return %1 : tensor<4xf32>
    })",
                                                             &context);
  RewritePatternSet patterns(&context);
  patterns.add<NegateToTanh>(&context, eraseBefore, eraseRoot);
  LayerPatternListener listener;
  GreedyRewriteConfig config;
  config.setListener(&listener);
  // The driver would erase the unused operation before it applies a pattern.
  SmallVector<Operation *> roots;
  module->walk([&](stablehlo::NegOp op) { roots.push_back(op); });
  EXPECT_TRUE(
      succeeded(applyOpPatternsGreedily(roots, std::move(patterns), config)));
  int64_t index = -1;
  module->walk([&](stablehlo::TanhOp op) {
    if (LayerAttr layer = getLayer(op))
      index = layer.getIndex();
  });
  return index;
}

TEST(LayerPatternListenerTest, HandsOnTheLayerOfTheRoot) {
  EXPECT_EQ(getLayerOfResult(/*eraseBefore=*/false, /*eraseRoot=*/false), 1);
}

TEST(LayerPatternListenerTest, AlsoOnceTheRootIsErased) {
  EXPECT_EQ(getLayerOfResult(/*eraseBefore=*/false, /*eraseRoot=*/true), 1);
}

TEST(LayerPatternListenerTest, NotThatOfWhatElseIsErased) {
  EXPECT_EQ(getLayerOfResult(/*eraseBefore=*/true, /*eraseRoot=*/false), 1);
  EXPECT_EQ(getLayerOfResult(/*eraseBefore=*/true, /*eraseRoot=*/true), 1);
}

} // namespace
