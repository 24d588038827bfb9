//===- CostModel.cpp - Seconds and work of a runtime program --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts flops, bytes and messages of every runtime call.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/CostModel.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost;

static double bytesOf(Value value) {
  return static_cast<double>(getDenseBytes(cast<ShapedType>(value.getType())));
}

static double bytesOf(ValueRange values) {
  double bytes = 0;
  for (Value value : values)
    if (isa<ShapedType>(value.getType()))
      bytes += bytesOf(value);
  return bytes;
}

static std::string elementTypeOf(Value value) {
  std::string name;
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(value.getType());
  return name;
}

/// Products of a query with every key that it sees, and the like: `products`
/// matrix products of queries x keys x head size per head and batch entry.
template <typename OpT>
static OpCost getAttentionCost(OpT op, double products) {
  ArrayRef<int64_t> query =
      cast<ShapedType>(op.getQuery().getType()).getShape();
  double batch = query[0], queries = query[1], heads = query[2],
         size = query[3];
  double keys = cast<ShapedType>(op.getKey().getType()).getDimSize(1);
  OpCost cost;
  cost.flops = products * 2 * batch * heads * queries * keys * size *
               (op.getCausal() ? 0.5 : 1.0);
  cost.memoryBytes = bytesOf(op->getOperands());
  cost.elementType = elementTypeOf(op.getQuery());
  return cost;
}

/// `passes` times (p - 1) / p of `bytes`: what a ring makes every rank send.
static OpCost getRingCost(double bytes, double passes, int32_t group,
                          const Mesh &mesh) {
  double ranks = mesh.getSize(group);
  OpCost cost;
  cost.networkBytes = passes * (ranks - 1) / ranks * bytes;
  cost.span = mesh.getSpan(group);
  return cost;
}

static OpCost getMemoryCost(Operation *op) {
  OpCost cost;
  cost.memoryBytes = bytesOf(op->getOperands());
  return cost;
}

std::optional<OpCost> mlir::boost::getOpCost(Operation *op, const Mesh &mesh) {
  return llvm::TypeSwitch<Operation *, std::optional<OpCost>>(op)
      .Case([](rt::GemmOp gemm) {
        OpCost cost = getMemoryCost(gemm);
        cost.flops =
            2.0 * gemm.getBatch() * gemm.getM() * gemm.getN() * gemm.getK();
        cost.elementType = elementTypeOf(gemm.getA());
        return cost;
      })
      .Case([](rt::AttentionForwardOp attention) {
        return getAttentionCost(attention, 2);
      })
      .Case([](rt::AttentionBackwardOp attention) {
        return getAttentionCost(attention, 5);
      })
      .Case([](rt::AttentionBiasBackwardOp attention) {
        return getAttentionCost(attention, 2);
      })
      .Case([&](rt::AllReduceOp reduce) {
        return getRingCost(bytesOf(reduce.getOuts()), 2, reduce.getGroup(),
                           mesh);
      })
      .Case([&](rt::AllGatherOp gather) {
        return getRingCost(bytesOf(gather.getOuts()), 1, gather.getGroup(),
                           mesh);
      })
      .Case([&](rt::ReduceScatterOp scatter) {
        return getRingCost(bytesOf(scatter.getInput()), 1, scatter.getGroup(),
                           mesh);
      })
      .Case([&](rt::AllToAllOp exchange) {
        return getRingCost(bytesOf(exchange.getInput()), 1, exchange.getGroup(),
                           mesh);
      })
      // A gather and a scatter touch rows, not the whole table.
      .Case([](rt::EmbeddingOp embedding) {
        OpCost cost;
        cost.memoryBytes = 2 * bytesOf(embedding.getOuts());
        return cost;
      })
      .Case<rt::LaunchOp, rt::CopyOp, rt::RowsOp, rt::AdamWOp,
            rt::SumOfSquaresOp, rt::EmbeddingGradOp, rt::AllSliceOp,
            rt::ProcessIndexOp>(
          [](Operation *other) { return getMemoryCost(other); })
      .Case([](linalg::LinalgOp kernel) { return getMemoryCost(kernel); })
      .Default([](Operation *) { return std::nullopt; });
}

double mlir::boost::getSeconds(const OpCost &cost, const Machine &machine) {
  if (cost.networkBytes > 0) {
    const Link &link = machine.getLink(cost.span);
    return link.latency + cost.networkBytes / link.bandwidth;
  }
  return machine.launchSeconds +
         std::max(cost.flops / machine.getPeakFlops(cost.elementType),
                  cost.memoryBytes / machine.memoryBandwidth);
}

ProgramCost mlir::boost::getProgramCost(Operation *function, const Mesh &mesh,
                                        const Machine &machine) {
  ProgramCost total;
  function->walk([&](Operation *op) {
    std::optional<OpCost> cost = getOpCost(op, mesh);
    if (!cost)
      return;
    ++total.calls;
    total.flops += cost->flops;
    total.memoryBytes += cost->memoryBytes;
    total.networkBytes += cost->networkBytes;
    (cost->networkBytes > 0 ? total.networkSeconds : total.computeSeconds) +=
        getSeconds(*cost, machine);
  });
  return total;
}
