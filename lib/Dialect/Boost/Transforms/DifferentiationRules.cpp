//===- DifferentiationRules.cpp - Gradients of boost operations -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most operations have a gradient operation of their own; a linear's are a
// linear and a dot_general. Bottlenecks and norms are decomposed before.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/Transforms/DifferentiationRules.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/DifferentiableOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::boost;

static Value toTypeOf(GradientBuilder &b, Value value, Value like) {
  return stablehlo::convert(b, b.getLoc(), value,
                            getTensorType(like).getElementType());
}

/// `lhs + rhs`, where `lhs` may be null for zero.
static Value addIfAny(GradientBuilder &b, Value lhs, Value rhs) {
  return lhs ? stablehlo::AddOp::create(b, b.getLoc(), lhs, rhs).getResult()
             : rhs;
}

/// All products of a row of `input` with a row of `gradient`, summed over the
/// leading dimensions; transposed as the weight is.
static Value getWeightGradient(GradientBuilder &b, Value input, Value gradient,
                               bool transposed) {
  auto leading = llvm::to_vector(
      llvm::seq<int64_t>(0, getTensorType(input).getRank() - 1));
  auto dims = stablehlo::DotDimensionNumbersAttr::get(b.getContext(), {}, {},
                                                      leading, leading);
  if (transposed)
    std::swap(input, gradient);
  return stablehlo::dotGeneral(b, b.getLoc(), input, gradient, dims);
}

static void linearRule(LinearOp op, GradientBuilder &b) {
  // A linear of bf16 with an f32 result has f32 gradients: computed in f32.
  Value gradient = b.ofResult();
  auto widen = [&](Value value) { return toTypeOf(b, value, gradient); };
  if (b.wants(0)) {
    RankedTensorType type = getTensorType(op.getInput());
    Value product = LinearOp::create(
        b, b.getLoc(), type.clone(getTensorType(gradient).getElementType()),
        gradient, widen(op.getWeight()), !op.getTransposed());
    b.set(0, toTypeOf(b, product, op.getInput()));
  }
  if (b.wants(1)) {
    Value product = getWeightGradient(b, widen(op.getInput()), gradient,
                                      op.getTransposed());
    b.set(1, toTypeOf(b, product, op.getWeight()));
  }
}

static void attentionRule(AttentionOp op, GradientBuilder &b) {
  Value gradient = b.ofResult(0), lseGradient = b.ofResult(1);
  if (!gradient)
    gradient = stablehlo::splatLike(b, b.getLoc(), op.getResult(), 0);
  auto inputs = AttentionGradOp::create(
      b, b.getLoc(), op.getQuery().getType(), op.getKey().getType(),
      op.getValue().getType(), op.getQuery(), op.getKey(), op.getValue(),
      op.getBias(), op.getMask(), op.getResult(), op.getLse(), gradient,
      lseGradient, op.getCausalAttr(), op.getScaleAttr(), op.getSoftCapAttr(),
      /*nondeterministic=*/nullptr);
  for (auto [i, each] : llvm::enumerate(inputs.getResults()))
    b.set(i, each);
  if (!op.getBias())
    return;
  unsigned bias = op.getBiasMutable().begin()->getOperandNumber();
  if (b.wants(bias))
    b.set(bias,
          AttentionBiasGradOp::create(
              b, b.getLoc(), op.getBias().getType(), op.getQuery(), op.getKey(),
              op.getValue(), op.getBias(), op.getMask(), op.getResult(),
              op.getLse(), gradient, lseGradient, op.getCausalAttr(),
              op.getScaleAttr(), op.getSoftCapAttr()));
}

static void embeddingRule(EmbeddingOp op, GradientBuilder &b) {
  b.set(0, EmbeddingGradOp::create(b, b.getLoc(), op.getTable().getType(),
                                   op.getIds(), b.ofResult()));
}

/// The gradient of the log-sum-exp of the logits: `gradient * softmax`.
static Value getLseGradient(GradientBuilder &b, CrossEntropyOp op,
                            Value gradient) {
  Location loc = b.getLoc();
  ArrayRef<int64_t> shape = getTensorType(op.getLogits()).getShape();
  Value logits = toTypeOf(b, op.getLogits(), op.getLse());
  Value lse = stablehlo::broadcastTrailing(b, loc, op.getLse(), shape);
  Value log = stablehlo::SubtractOp::create(b, loc, logits, lse);
  Value softmax = stablehlo::ExpOp::create(b, loc, log);
  Value scale = stablehlo::broadcastTrailing(b, loc, gradient, shape);
  Value product = stablehlo::MulOp::create(b, loc, scale, softmax);
  return toTypeOf(b, product, op.getLogits());
}

static void crossEntropyRule(CrossEntropyOp op, GradientBuilder &b) {
  Value ofLogits;
  if (Value gradient = b.ofResult(0))
    ofLogits = CrossEntropyGradOp::create(
        b, b.getLoc(), op.getLogits().getType(), op.getLogits(), op.getLabels(),
        op.getLse(), gradient);
  if (Value gradient = b.ofResult(1))
    ofLogits = addIfAny(b, ofLogits, getLseGradient(b, op, gradient));
  b.set(0, ofLogits);
}

static void sumOfSquaresRule(SumOfSquaresOp op, GradientBuilder &b) {
  Location loc = b.getLoc();
  Value twice = stablehlo::AddOp::create(b, loc, b.ofResult(), b.ofResult());
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    if (!b.wants(i))
      continue;
    Value factor = stablehlo::broadcastScalar(b, loc, toTypeOf(b, twice, input),
                                              getTensorType(input).getShape());
    b.set(i, stablehlo::MulOp::create(b, loc, factor, input));
  }
}

static void bottleneckRule(BottleneckOp, GradientBuilder &b) {
  b.refuse("expects boost-decompose-bottleneck before boost-differentiate");
}

static void rmsNormRule(RMSNormOp, GradientBuilder &b) {
  b.refuse("expects boost-decompose-rms-norm before boost-differentiate");
}

static void layerNormRule(LayerNormOp, GradientBuilder &b) {
  b.refuse("expects boost-decompose-layer-norm before boost-differentiate");
}

void mlir::boost::registerDifferentiationRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, BoostDialect *) {
    attachDifferentiationRule<AttentionOp, attentionRule>(*context);
    attachDifferentiationRule<BottleneckOp, bottleneckRule>(*context);
    attachDifferentiationRule<CrossEntropyOp, crossEntropyRule>(*context);
    attachDifferentiationRule<EmbeddingOp, embeddingRule>(*context);
    attachDifferentiationRule<LayerNormOp, layerNormRule>(*context);
    attachDifferentiationRule<LinearOp, linearRule>(*context);
    attachDifferentiationRule<RMSNormOp, rmsNormRule>(*context);
    attachDifferentiationRule<SumOfSquaresOp, sumOfSquaresRule>(*context);
  });
}
