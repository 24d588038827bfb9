//===- Factors.cpp - Latents between linears ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Factors.h"

#include "boost-mlir/Dialect/Boost/IR/Factors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/ReadValues.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::boost;

static int64_t getWidth(Value value) {
  return getTensorType(value).getShape().back();
}

/// Returns true if the results of an operation are no latents, even if it reads
/// some.
static bool isOtherProduct(Operation &op) {
  return isa<AttentionOp, BottleneckOp, stablehlo::DotGeneralOp>(op);
}

namespace {
/// The latents of a block. At first every result of a linear that is narrower
/// than its input counts as one, and every result of an embedding; those that
/// something else reads are refused until no more are.
class Latents {
public:
  explicit Latents(Block &block);

  bool contains(Value value) const { return sources.contains(value); }

private:
  /// Describes where a latent comes from: the width of what its first factor
  /// reads, and the elements of the last product.
  struct Source {
    int64_t width = 0, elements = 0;

    void join(Source other) {
      width = std::max(width, other.width);
      elements = std::max(elements, other.elements);
    }
  };

  void followProduct(Operation &op, Source source);
  void follow(Operation &op);
  bool isReadByLinears(Value value) const;
  bool isRepetition(Operation *op) const;
  bool leadsUp(Value value) const;
  bool refuse(Operation &op);

  Block &block;
  DenseMap<Value, Source> sources;
  /// Other values that depend on a product or a lookup.
  DenseSet<Value> activations;
  /// Narrow linears and embeddings whose results are no latents.
  DenseSet<Operation *> refused;
  /// Latents that only linears and other latents read, and those of which a
  /// linear makes something wider in the end.
  DenseSet<Value> enclosed, leading;
};
} // namespace

Latents::Latents(Block &block) : block(block) {
  bool isChanged = true;
  while (isChanged) {
    sources.clear();
    activations.clear();
    enclosed.clear();
    leading.clear();
    for (Operation &op : block)
      follow(op);
    isChanged = false;
    for (Operation &op : llvm::reverse(block))
      isChanged |= refuse(op);
  }
}

/// Adds the result of a product whose input, or the latent that it reads, has
/// this source.
void Latents::followProduct(Operation &op, Source source) {
  Value result = op.getResult(0);
  source.elements = getTensorType(result).getNumElements();
  if (getWidth(result) < source.width && !refused.contains(&op))
    sources[result] = source;
  else
    activations.insert(result);
}

/// Adds the results of `op` to the latents or to the activations. What is
/// computed from arguments alone may be combined with latents.
void Latents::follow(Operation &op) {
  if (auto linear = dyn_cast<LinearOp>(op)) {
    auto latent = sources.find(linear.getInput());
    return followProduct(op, latent == sources.end()
                                 ? Source{getWidth(linear.getInput()), 0}
                                 : latent->second);
  }
  // A lookup is the product of its table with as many columns as it has rows.
  if (auto embedding = dyn_cast<EmbeddingOp>(op))
    return followProduct(
        op, {getTensorType(embedding.getTable()).getDimSize(0), 0});
  Source source;
  bool isActivation = isOtherProduct(op) || isRepetition(&op);
  for (Value value : getReadValues(&op)) {
    source.join(sources.lookup(value));
    isActivation |= activations.contains(value);
  }
  if (isActivation)
    activations.insert(op.result_begin(), op.result_end());
  else if (source.width > 0)
    for (Value result : op.getResults())
      sources[result] = source;
}

/// Returns true if `op` repeats a latent, or a part of it, to more elements
/// than its product has. That is a product with ones: a part of the keys that
/// all heads share (MLA), say.
bool Latents::isRepetition(Operation *op) const {
  auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(op);
  if (!broadcast)
    return false;
  auto latent = sources.find(broadcast.getOperand());
  return latent != sources.end() &&
         getTensorType(broadcast).getNumElements() > latent->second.elements;
}

/// Returns true if all readers of a latent multiply it by a weight, repeat it,
/// or make other latents of it. These have been judged.
bool Latents::isReadByLinears(Value value) const {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    Operation *reader = block.findAncestorOpInBlock(*user);
    return isa<LinearOp>(reader) || isRepetition(reader) ||
           (reader->getNumResults() > 0 &&
            llvm::all_of(reader->getResults(), [&](Value result) {
              return enclosed.contains(result);
            }));
  });
}

/// Returns true if a linear makes something wider of a latent, or of another
/// latent that is computed from it.
bool Latents::leadsUp(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    Operation *reader = block.findAncestorOpInBlock(*user);
    auto linear = dyn_cast<LinearOp>(reader);
    return (linear && getWidth(linear) > getWidth(linear.getInput())) ||
           llvm::any_of(reader->getResults(),
                        [&](Value result) { return leading.contains(result); });
  });
}

/// Judges the latents among the results of `op`, whose readers have been
/// judged. Returns true if `op` is a linear or an embedding whose result turns
/// out to be none.
bool Latents::refuse(Operation &op) {
  for (Value result : op.getResults()) {
    if (!contains(result))
      continue;
    if (isReadByLinears(result))
      enclosed.insert(result);
    if (leadsUp(result))
      leading.insert(result);
  }
  if (!isa<EmbeddingOp, LinearOp>(op) || !contains(op.getResult(0)))
    return false;
  Value result = op.getResult(0);
  return !(enclosed.contains(result) && leading.contains(result)) &&
         refused.insert(&op).second;
}

void mlir::boost::raise::markFactors(Block &block) {
  Latents latents(block);
  for (auto embedding : block.getOps<EmbeddingOp>())
    if (latents.contains(embedding))
      setFactor(embedding, Factor::First);
  for (auto linear : block.getOps<LinearOp>()) {
    bool makesLatent = latents.contains(linear);
    if (latents.contains(linear.getInput()))
      setFactor(linear, makesLatent ? Factor::Middle : Factor::Second);
    else if (makesLatent)
      setFactor(linear, Factor::First);
  }
}
