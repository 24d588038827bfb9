//===- RuntimeCosts.cpp - Work of the operations of the runtime -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attaches the cost model to the operations of the boostrt dialect.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostModel.h"

#include "boost-mlir/Dialect/BoostRT/IR/AttentionCalls.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/IR/Factorize.h"
#include "boost-mlir/Interfaces/CostModelOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::boost;

static double bytesOf(Value value) {
  return static_cast<double>(getDenseBytes(cast<ShapedType>(value.getType())));
}

static double bytesOf(ValueRange values) {
  double bytes = 0;
  for (Value value : values)
    bytes += bytesOf(value);
  return bytes;
}

static std::string elementTypeOf(Value value) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(value.getType());
  return name;
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

static OpCost getCollectiveCost(CollectiveOpInterface op, const Mesh &mesh) {
  AxisMask axes = cast<RankGroupOpInterface>(op.getOperation()).getGroupAxes();
  ValueRange whole = op.getWhole();
  OpCost cost;
  cost.kind = OpClass::Collective;
  cost.message = {op.getKind(), bytesOf(whole), mesh.getSize(axes),
                  mesh.getSpan(axes)};
  for (Value buffer : whole)
    cost.tensorBytes.push_back(bytesOf(buffer));
  return cost;
}

/// Returns the cost of operations without a function of their own: a message,
/// or one pass over all operands.
template <typename OpT> static OpCost getCost(OpT op, const Mesh &mesh) {
  if constexpr (OpT::template hasTrait<CollectiveOpInterface::Trait>()) {
    return getCollectiveCost(op, mesh);
  } else {
    OpCost cost;
    cost.memoryBytes = bytesOf(op->getOperands());
    auto call = cast<rt::RuntimeCallOpInterface>(op.getOperation());
    for (ValueRange tensor : call.getTensors())
      cost.tensorBytes.push_back(bytesOf(tensor));
    cost.maxTensors = call.getMaxTensors();
    return cost;
  }
}

static OpCost getCost(rt::GemmOp gemm, const Mesh &mesh) {
  auto size = [](uint64_t extent) { return static_cast<int64_t>(extent); };
  OpCost cost = getCost<rt::GemmOp>(gemm, mesh);
  if (gemm.getAccumulate())
    cost.memoryBytes += bytesOf(gemm.getOuts());
  cost.kind = OpClass::Contraction;
  cost.contraction = {size(gemm.getBatch()), size(gemm.getM()),
                      size(gemm.getN()), size(gemm.getK())};
  cost.flops = cost.contraction->getFlops();
  cost.elementType = elementTypeOf(gemm.getA());
  return cost;
}

template <typename OpT>
static OpCost getAttentionCost(OpT op, OpClass kind, double products) {
  ArrayRef<int64_t> query =
      cast<ShapedType>(op.getQuery().getType()).getShape();
  AttentionShape shape;
  shape.batch = query[0];
  shape.queries = query[1];
  shape.heads = query[2];
  shape.headSize = query[3];
  shape.keys = cast<ShapedType>(op.getKey().getType()).getDimSize(1);
  shape.causal = op.getCausal();
  OpCost cost;
  cost.kind = kind;
  cost.flops = shape.getFlops(products);
  cost.memoryBytes = bytesOf(op->getOperands());
  cost.elementType = elementTypeOf(op.getQuery());
  cost.headSize = shape.headSize;
  return cost;
}

static OpCost getCost(rt::AttentionForwardOp op, const Mesh &) {
  OpCost cost =
      getAttentionCost(op, OpClass::AttentionForward, kForwardProducts);
  cost.ownKernels = boost_rt::whyNotCudnn(rt::getAttentionTraits(op));
  return cost;
}

static OpCost getCost(rt::AttentionBackwardOp op, const Mesh &) {
  OpCost cost =
      getAttentionCost(op, OpClass::AttentionBackward, kBackwardProducts);
  cost.ownKernels = boost_rt::whyNotCudnn(rt::getAttentionTraits(op));
  return cost;
}

/// The scores once more, and their gradient.
static OpCost getCost(rt::AttentionBiasBackwardOp op, const Mesh &) {
  OpCost cost = getAttentionCost(op, OpClass::AttentionBackward, 2);
  cost.ownKernels = true;
  return cost;
}

/// A gather touches rows, not the whole table.
static OpCost getCost(rt::EmbeddingOp op, const Mesh &) {
  OpCost cost;
  cost.memoryBytes = 2 * bytesOf(op.getOuts());
  return cost;
}

/// Most of the work is products with vectors, which read a whole matrix for
/// two operations on each element.
static OpCost getCost(rt::FactorizeOp op, const Mesh &) {
  auto type = cast<ShapedType>(op.getInputs().front().getType());
  OpCost cost;
  cost.elementType = elementTypeOf(op.getInputs().front());
  cost.flops = getFlops(op.getKind(), FactorizedMatrices(type));
  cost.memoryBytes =
      bytesOf(op->getOperands()) +
      cost.flops / 2 *
          static_cast<double>(getElementBytes(type.getElementType()));
  return cost;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

template <typename OpT> static OpCost getCostOf(OpT op, const Mesh &mesh) {
  return getCost(op, mesh);
}

/// A probe is no part of a program that is timed.
template <typename OpT> static void attachCost(MLIRContext &context) {
  if constexpr (!std::is_same_v<OpT, rt::ProbeOp>)
    attachCostModel<OpT, getCostOf<OpT>>(context);
}

template <typename... OpTs> static void attachCosts(MLIRContext &context) {
  (attachCost<OpTs>(context), ...);
}

void mlir::boost::registerCostModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, rt::BoostRTDialect *) {
    attachCosts<
#define GET_OP_LIST
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTOps.cpp.inc"
        , rt::FactorizeOp>(*context);
  });
}
