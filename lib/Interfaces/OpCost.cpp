//===- OpCost.cpp - The work of one operation on one rank -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, and the work of operations of which only the shape is known.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Interfaces/OpCost.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir::boost;

#include "boost-mlir/Interfaces/CollectiveKind.cpp.inc"

bool mlir::boost::movesValues(CollectiveKind kind) {
  return kind != CollectiveKind::AllReduce &&
         kind != CollectiveKind::ReduceScatter;
}

int64_t mlir::boost::getGrowth(CollectiveKind kind, int64_t ranks) {
  return kind == CollectiveKind::AllGather ? ranks : 1;
}

double Message::getSentBytes() const {
  if (ranks <= 1)
    return 0;
  if (kind == CollectiveKind::Broadcast)
    return bytes;
  double passes = kind == CollectiveKind::AllReduce ? 2 : 1;
  double size = static_cast<double>(ranks);
  return passes * (size - 1) / size * bytes;
}

const char *mlir::boost::getName(OpClass kind) {
  switch (kind) {
  case OpClass::Contraction:
    return "contraction";
  case OpClass::AttentionForward:
    return "attention_forward";
  case OpClass::AttentionBackward:
    return "attention_backward";
  case OpClass::Memory:
    return "memory";
  case OpClass::Collective:
    return "collective";
  }
  llvm_unreachable("all classes have names");
}

OpCost mlir::boost::makeContractionCost(const ContractionShape &shape,
                                        double elementBytes,
                                        const std::string &elementType) {
  auto size = [&](int64_t rows, int64_t columns) {
    return static_cast<double>(rows) * static_cast<double>(columns);
  };
  OpCost cost;
  cost.kind = OpClass::Contraction;
  cost.flops = shape.getFlops();
  cost.memoryBytes = elementBytes * static_cast<double>(shape.batch) *
                     (size(shape.m, shape.k) + size(shape.k, shape.n) +
                      size(shape.m, shape.n));
  cost.elementType = elementType;
  cost.contraction = shape;
  return cost;
}

OpCost mlir::boost::makeAttentionCost(OpClass kind, const AttentionShape &shape,
                                      double elementBytes,
                                      const std::string &elementType) {
  bool isForward = kind == OpClass::AttentionForward;
  // Two of the length of the queries and two of that of the keys; backward,
  // these and their gradients.
  double rows =
      (isForward ? 2.0 : 4.0) * static_cast<double>(shape.queries + shape.keys);
  OpCost cost;
  cost.kind = kind;
  cost.flops = shape.getFlops(isForward ? kForwardProducts : kBackwardProducts);
  cost.memoryBytes = elementBytes * static_cast<double>(shape.batch) *
                     static_cast<double>(shape.heads) * rows *
                     static_cast<double>(shape.headSize);
  cost.elementType = elementType;
  cost.headSize = shape.headSize;
  return cost;
}
