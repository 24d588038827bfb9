//===- AlikeLayers.cpp - Operations that decide alike ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layers are compared as sequences of operations, of which types and sharding
// rules count. The longest common subsequence of two layers is aligned.
//
//===----------------------------------------------------------------------===//

#include "AlikeLayers.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"

#include <map>

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Kinds of operations
//===----------------------------------------------------------------------===//

using Signature = std::vector<int64_t>;

/// Appends what of a rule decides the choices and prices of an operation.
static void appendRule(Signature &signature, const ShardingRule &rule) {
  auto appendAll = [&](const auto &numbers) {
    signature.push_back(static_cast<int64_t>(numbers.size()));
    for (auto number : numbers)
      signature.push_back(static_cast<int64_t>(number));
  };
  signature.push_back(static_cast<int64_t>(rule.getLoops().size()));
  for (const ShardingLoop &loop : rule.getLoops())
    llvm::append_values(signature, static_cast<int64_t>(loop.kind),
                        loop.extent);
  for (const DimLoops &loops :
       llvm::concat<const DimLoops>(rule.getOperands(), rule.getResults()))
    appendAll(loops);
  for (const auto &operands : rule.getAdditive())
    appendAll(operands);
  llvm::append_values(signature, rule.getPreferredLoop(),
                      rule.hasIndependentOperands(),
                      llvm::bit_cast<int64_t>(rule.getFlops()),
                      llvm::bit_cast<int64_t>(rule.getCompletionBytes()));
}

/// Returns the properties that operations which decide alike share: types and
/// rules. Their attributes may differ, such as the rows that slices take of
/// parameters which are stacked over layers.
static Signature getSignature(const RuledOp &ruled) {
  Signature signature;
  auto append = [&](const void *unique) {
    signature.push_back(reinterpret_cast<intptr_t>(unique));
  };
  append(ruled.op->getName().getAsOpaquePointer());
  for (Type type : ruled.op->getOperandTypes())
    append(type.getAsOpaquePointer());
  for (Type type : ruled.op->getResultTypes())
    append(type.getAsOpaquePointer());
  appendRule(signature, ruled.rule);
  return signature;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

namespace {
/// A layer as a sequence of operations and their kinds.
struct Layer {
  SmallVector<Operation *> ops;
  std::vector<unsigned> kinds;
  /// The arguments of the function that it reads.
  DenseSet<Value> arguments;
};
} // namespace

/// Returns the layers in program order.
static llvm::MapVector<Attribute, Layer>
collectLayers(ArrayRef<const RuledOp *> ops) {
  llvm::MapVector<Attribute, Layer> layers;
  std::map<Signature, unsigned> kinds;
  for (const RuledOp *ruled : ops) {
    LayerAttr attr = getLayer(ruled->op);
    if (!attr)
      continue;
    Layer &layer = layers[attr];
    layer.ops.push_back(ruled->op);
    layer.kinds.push_back(
        kinds.try_emplace(getSignature(*ruled), kinds.size()).first->second);
    for (Value operand : ruled->op->getOperands())
      if (isa<BlockArgument>(operand))
        layer.arguments.insert(operand);
  }
  return layers;
}

static bool readOneArgument(const Layer &layer, const Layer &other) {
  return llvm::any_of(layer.arguments, [&](Value argument) {
    return other.arguments.contains(argument);
  });
}

/// The positions of an operation in two layers.
using Pairs = SmallVector<std::pair<size_t, size_t>>;

/// Returns the longest common subsequence of two layers.
static Pairs align(const Layer &layer, const Layer &other) {
  size_t rows = layer.kinds.size(), columns = other.kinds.size();
  // The length of that of the rest of both layers.
  std::vector<std::vector<unsigned>> length(
      rows + 1, std::vector<unsigned>(columns + 1, 0));
  for (size_t i = rows; i-- > 0;)
    for (size_t j = columns; j-- > 0;)
      length[i][j] = layer.kinds[i] == other.kinds[j]
                         ? length[i + 1][j + 1] + 1
                         : std::max(length[i + 1][j], length[i][j + 1]);
  Pairs pairs;
  for (size_t i = 0, j = 0; i < rows && j < columns;) {
    if (layer.kinds[i] == other.kinds[j])
      pairs.emplace_back(i++, j++);
    else if (length[i + 1][j] >= length[i][j + 1])
      ++i;
    else
      ++j;
  }
  return pairs;
}

DenseMap<Operation *, Operation *>
mlir::boost::findAlikeOperations(ArrayRef<const RuledOp *> ops) {
  DenseMap<Operation *, Operation *> deciding;
  // The first layer of each sequence of kinds.
  std::map<std::vector<unsigned>, const Layer *> first;
  auto layers = collectLayers(ops);
  for (auto &[attr, layer] : layers) {
    auto [known, isNew] = first.try_emplace(layer.kinds, &layer);
    Pairs pairs;
    const Layer *alike = known->second;
    if (!isNew) {
      for (size_t i : llvm::seq(layer.ops.size()))
        pairs.emplace_back(i, i);
    } else {
      for (const auto &[kinds, other] : first) {
        if (other == &layer || !readOneArgument(layer, *other))
          continue;
        Pairs common = align(layer, *other);
        if (common.size() > pairs.size()) {
          pairs = std::move(common);
          alike = other;
        }
      }
    }
    for (Operation *op : layer.ops)
      deciding[op] = op;
    for (auto [own, position] : pairs)
      deciding[layer.ops[own]] = deciding.lookup(alike->ops[position]);
  }
  return deciding;
}
