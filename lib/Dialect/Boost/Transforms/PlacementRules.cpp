//===- PlacementRules.cpp - The placements to choose from -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of placements, and what follows from its rows for arguments, and
// for values that do not follow from arguments; what is between is propagated.
//
//===----------------------------------------------------------------------===//

#include "Adapters.h"
#include "Placement.h"
#include "ShardedValues.h"

#include "boost-mlir/Dialect/Boost/IR/Batch.h"
#include "boost-mlir/Dialect/Boost/IR/Factors.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::boost;

using Stream = PlacementRules::Stream;
using Latents = PlacementRules::Latents;
using Embedding = PlacementRules::Embedding;
using Head = PlacementRules::Head;

static PlacementRules makeVariant(PlacementKind kind,
                                  void (*change)(PlacementRules &)) {
  PlacementRules rules{kind};
  change(rules);
  return rules;
}

const PlacementRules *mlir::boost::findPlacementRules(PlacementKind kind) {
  static const PlacementRules all[] = {
      {PlacementKind::Bottleneck},
      {PlacementKind::Megatron, Stream::Replicated, Latents::Rank,
       /*replicatesFused=*/false, /*attentionByHeads=*/true,
       Embedding::Replicated, Head::Vocabulary},
      {PlacementKind::Vanilla, Stream::Replicated, Latents::Rank,
       /*replicatesFused=*/false, /*attentionByHeads=*/false,
       Embedding::Replicated, Head::Vocabulary},
      {PlacementKind::Sequence, Stream::Hidden, Latents::Sequence},
      {PlacementKind::Gathered, Stream::Hidden, Latents::Replicated,
       /*replicatesFused=*/true},
      makeVariant(PlacementKind::VocabularyEmbedding,
                  [](PlacementRules &variant) {
                    variant.embedding = Embedding::Vocabulary;
                  }),
      makeVariant(PlacementKind::HiddenHead, [](PlacementRules &variant) {
        variant.head = Head::Hidden;
      })};
  const auto *found = llvm::find_if(
      all, [&](const PlacementRules &rules) { return rules.kind == kind; });
  return found == std::end(all) ? nullptr : found;
}

void mlir::boost::shardBatch(func::FuncOp func, AxisMask axes,
                             Placement &placement) {
  SmallVector<BlockArgument> rows = getBatchRows(func);
  StringRef what = countMicroBatches(func) > 1 ? "micro-batch" : "batch";
  for (BlockArgument arg : func.getArguments()) {
    int64_t rank = getTensorType(arg).getRank();
    if (!hasRole(arg, TensorRole::Batch) || rank == 0)
      continue;
    if (llvm::is_contained(rows, arg))
      placement.shard(arg, 0, axes, what, "batch: every rank its own rows");
    else
      placement.keep(arg.getArgNumber(), Split(rank),
                     "batch: no rows of sequences, all ranks share it");
  }
}

/// Shards a linear along its output width (columns) or its input width (rows).
static void shardLinear(LinearOp op, bool columns, AxisMask axes,
                        StringRef what, StringRef reason,
                        Placement &placement) {
  placement.shard(op.getWeight(), columns != op.getTransposed() ? 1 : 0, axes,
                  what, reason);
}

/// Returns true if all heads of the queries read one head of keys and values.
static bool isMultiQuery(AttentionOp op) {
  return getTensorType(op.getKey()).getDimSize(2) == 1 &&
         getTensorType(op.getQuery()).getDimSize(2) != 1;
}

/// Attention is sharded by heads: none is split between ranks. One head of keys
/// and values is whole on all of them.
static void requireHeads(AttentionOp op, AxisMask axes, Placement &placement) {
  placement.require(op.getLoc(), "number of attention heads",
                    getTensorType(op.getQuery()).getDimSize(2), axes);
  if (!isMultiQuery(op))
    placement.require(op.getLoc(), "number of key and value heads",
                      getTensorType(op.getKey()).getDimSize(2), axes);
}

static constexpr StringRef kFirstFactorReason =
    "first factor: row-parallel, the sum is taken at the rank";
static constexpr StringRef kSecondFactorReason =
    "second factor: column-parallel, the latent is replicated";

static constexpr StringRef kSharedKeysReason =
    "keys and values of one head: every rank computes them whole";

/// Adds the results of linears and bottlenecks that `values` are made of by
/// other operations, through values that `isFollowed`.
static void collectProducts(
    SmallVector<Value> values, llvm::DenseSet<Value> &products,
    function_ref<bool(Value)> isFollowed = [](Value) { return true; }) {
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (!op || !isFollowed(value) || !seen.insert(value).second)
      continue;
    if (isa<BottleneckOp, LinearOp>(op))
      products.insert(value);
    else if (!isa<AttentionOp, EmbeddingOp, stablehlo::DotGeneralOp>(op))
      llvm::append_range(values, op->getOperands());
  }
}

/// The products that keys and values are made of where there is one head of
/// them: narrower than the queries, and read as a whole by every rank.
static llvm::DenseSet<Value> findSharedKeys(func::FuncOp func) {
  llvm::DenseSet<Value> shared;
  for (auto attention : func.getOps<AttentionOp>()) {
    if (!isMultiQuery(attention))
      continue;
    RankedTensorType query = getTensorType(attention.getQuery());
    int64_t width = query.getDimSize(2) * query.getDimSize(3);
    llvm::DenseSet<Value> products;
    collectProducts({attention.getKey(), attention.getValue()}, products);
    for (Value product : products)
      if (getTensorType(product).getShape().back() < width)
        shared.insert(product);
  }
  return shared;
}

/// The products that queries, keys and values are made of.
static llvm::DenseSet<Value> findHeads(func::FuncOp func) {
  llvm::DenseSet<Value> products;
  for (auto attention : func.getOps<AttentionOp>())
    collectProducts(
        {attention.getQuery(), attention.getKey(), attention.getValue()},
        products);
  return products;
}

/// The products that logits are made of by operations of as many elements: not
/// those that the scale of a norm, by which logits may be multiplied, is of.
static llvm::DenseSet<Value> findLogits(func::FuncOp func) {
  llvm::DenseSet<Value> products;
  for (auto loss : func.getOps<CrossEntropyOp>()) {
    int64_t elements = getTensorType(loss.getLogits()).getNumElements();
    collectProducts({loss.getLogits()}, products, [&](Value value) {
      return getTensorType(value).getNumElements() == elements;
    });
  }
  return products;
}

/// Returns true if a linear has few columns that `axes` do not divide, as a
/// gate or a router does. Its sums are smaller than its input.
static bool isNarrow(LinearOp op, AxisMask axes, const Mesh &mesh) {
  int64_t width = getTensorType(op.getResult()).getShape().back();
  int64_t parts = mesh.getSize(axes);
  int64_t inputWidth = getTensorType(op.getInput()).getShape().back();
  return width % parts != 0 && width < inputWidth && inputWidth % parts == 0;
}

/// Linears of the blocks, alternating.
static void shardBlockLinear(LinearOp op, AxisMask axes, const Mesh &mesh,
                             const llvm::DenseSet<Value> &sharedKeys,
                             ShardedValues &sharded, Placement &placement) {
  if (sharded.contains(op.getInput())) {
    shardLinear(
        op, /*columns=*/false, axes, "linear input width",
        "linear with a sharded input: row-parallel, partial sums are added",
        placement);
    return;
  }
  if (sharedKeys.contains(op.getResult())) {
    placement.replicate(op.getWeight(), kSharedKeysReason);
    return;
  }
  if (isNarrow(op, axes, mesh)) {
    shardLinear(op, /*columns=*/false, axes, "linear input width",
                "linear of few columns: row-parallel, partial sums are added",
                placement);
    return;
  }
  shardLinear(op, /*columns=*/true, axes, "linear output width",
              getFactor(op) == Factor::Second
                  ? kSecondFactorReason
                  : "linear with a replicated input: column-parallel",
              placement);
  sharded.insertResults(op);
}

/// Shards a linear that makes a latent. Whatever function the latent passes
/// through on the way to its second factors, every rank has it completely.
static void shardLatentLinear(LinearOp op, AxisMask axes,
                              Placement &placement) {
  if (getFactor(op) == Factor::Middle)
    return placement.replicate(
        op.getWeight(), "between the factors of a bottleneck: every rank "
                        "computes the latent whole");
  shardLinear(op, /*columns=*/false, axes, "bottleneck input width",
              kFirstFactorReason, placement);
}

static void shardHead(LinearOp op, Head head, AxisMask axes,
                      ShardedValues &sharded, Placement &placement) {
  if (head == Head::Hidden)
    return shardLinear(op, /*columns=*/false, axes, "hidden size",
                       "head: row-parallel, logits are added", placement);
  shardLinear(op, /*columns=*/true, axes, "vocabulary",
              "head: vocabulary-parallel, logits are never gathered",
              placement);
  sharded.insertResults(op);
}

static void shardEmbedding(EmbeddingOp op, Embedding embedding, AxisMask axes,
                           Placement &placement) {
  if (embedding == Embedding::Hidden && makesLatent(op))
    placement.shard(op.getTable(), 1, axes, "width of an embedding",
                    "embedding of latents: sharded along these, which are "
                    "gathered");
  else if (embedding == Embedding::Hidden)
    placement.shard(op.getTable(), 1, axes, "hidden size",
                    "embedding: sharded along the hidden dimension, as the "
                    "residual stream");
  else if (embedding == Embedding::Vocabulary)
    placement.shard(op.getTable(), 0, axes, "vocabulary",
                    "embedding: sharded along the vocabulary, rows that "
                    "another rank has are added");
}

/// The width of the residual stream: that of embeddings, unless they look up
/// latents, or else of the first norm outside of the functions `ofLatents`.
static int64_t getHiddenSize(func::FuncOp func,
                             const llvm::SetVector<Operation *> &ofLatents) {
  int64_t hidden = 0;
  func.walk([&](EmbeddingOp op) {
    if (!makesLatent(op))
      hidden = getTensorType(op.getResult()).getShape().back();
  });
  if (hidden)
    return hidden;
  func.walk([&](Operation *op) {
    if (!hidden && isa<LayerNormOp, RMSNormOp>(op) && !ofLatents.contains(op))
      hidden = getTensorType(op->getOperand(0)).getShape().back();
  });
  return hidden;
}

//===----------------------------------------------------------------------===//
// The stream along the hidden dimension
//===----------------------------------------------------------------------===//

/// Requires latents that are sharded along the sequence. The latent of a vector
/// has no sequence.
static void requireSequence(BottleneckOp op, AxisMask axes,
                            Placement &placement) {
  RankedTensorType type = getTensorType(op.getInput());
  if (type.getRank() < 2)
    return;
  placement.require(op.getLoc(), "sequence length",
                    type.getDimSize(type.getRank() - 2), axes);
  for (OpResult result : op->getResults())
    if (result != op.getLatentOut())
      placement.constrain(result, getTensorType(result).getRank() - 1, axes);
}

static void shardDown(BottleneckOp op, const PlacementRules &rules,
                      AxisMask axes, Placement &placement) {
  if (rules.replicatesFused && countBranches(op) > 2)
    return placement.replicate(
        op.getDown(), "first factor of several: replicated, so that the "
                      "input is gathered in place of the sums");
  placement.shard(op.getDown(), 0, axes, "bottleneck input width",
                  kFirstFactorReason);
}

static void shardBottleneck(BottleneckOp op, const PlacementRules &rules,
                            AxisMask axes,
                            const llvm::DenseSet<Value> &sharedKeys,
                            ShardedValues &sharded, Placement &placement) {
  if (op.getGamma())
    placement.shard(op.getGamma(), 0, axes, "hidden size",
                    "the residual stream is sharded along the hidden "
                    "dimension: so is gamma");
  if (op.getBeta())
    placement.shard(op.getBeta(), 0, axes, "hidden size",
                    "the residual stream is sharded along the hidden "
                    "dimension: so is beta");
  shardDown(op, rules, axes, placement);
  if (rules.latents == Latents::Sequence)
    requireSequence(op, axes, placement);
  for (auto [up, result] : llvm::zip_equal(op.getUps(), op.getResults())) {
    if (sharedKeys.contains(result)) {
      placement.replicate(up, kSharedKeysReason);
      continue;
    }
    placement.shard(up, getTensorType(up).getRank() - 1, axes,
                    "bottleneck output width", kSecondFactorReason);
    sharded.insert(result);
  }
}

/// The vectors of a norm of the residual stream.
static void shardNorm(Operation *norm, int64_t hidden, AxisMask axes,
                      Placement &placement) {
  RankedTensorType type = getTensorType(norm->getOperand(0));
  if (type.getShape().back() != hidden || type.getRank() > 3)
    return;
  for (Value vector : norm->getOperands().drop_front())
    placement.shard(vector, 0, axes, "hidden size",
                    "the residual stream is sharded along the hidden "
                    "dimension: so are the vectors of its norms");
}

/// The residual stream is sharded along the hidden dimension.
static void placeHiddenStream(func::FuncOp func, const Mesh &mesh, AxisMask tp,
                              const PlacementRules &rules,
                              Placement &placement) {
  llvm::DenseSet<Value> sharedKeys = findSharedKeys(func);
  llvm::SetVector<Operation *> ofLatents = findLatentFunctions(func);
  int64_t hidden = getHiddenSize(func, ofLatents);
  // A table that is also the head stays sharded as the embedding. One of
  // latents has no dimension of the stream: as the second factor of a head it
  // is sharded along the vocabulary.
  auto shardEmbeddings = [&](bool ofLatents) {
    func.walk([&](EmbeddingOp op) {
      if (makesLatent(op) == ofLatents)
        shardEmbedding(op, rules.embedding, tp, placement);
    });
  };
  shardEmbeddings(/*ofLatents=*/false);
  ShardedValues sharded(func);
  for (Operation &op : func.front()) {
    if (ofLatents.contains(&op))
      continue;
    if (auto bottleneck = dyn_cast<BottleneckOp>(op)) {
      shardBottleneck(bottleneck, rules, tp, sharedKeys, sharded, placement);
    } else if (isa<LayerNormOp, RMSNormOp>(op)) {
      shardNorm(&op, hidden, tp, placement);
    } else if (isa<EmbeddingOp>(op)) {
      if (!makesLatent(&op))
        sharded.insertResults(&op);
    } else if (auto linear = dyn_cast<LinearOp>(op)) {
      if (linear.getShardOutput())
        shardHead(linear, rules.head, tp, sharded, placement);
      else if (makesLatent(linear))
        shardLatentLinear(linear, tp, placement);
      else
        shardBlockLinear(linear, tp, mesh, sharedKeys, sharded, placement);
    } else {
      if (auto attention = dyn_cast<AttentionOp>(op))
        requireHeads(attention, tp, placement);
      sharded.visit(&op, tp, mesh, placement);
    }
  }
  sharded.visitWeights(func.front(), tp, mesh, placement);
  shardEmbeddings(/*ofLatents=*/true);
}

//===----------------------------------------------------------------------===//
// A replicated stream
//===----------------------------------------------------------------------===//

/// A bottleneck as two alternating linears: sharded along its latent. Branches
/// of different ranks side by side have no common dimension to shard: they stay
/// replicated. Results that `heads` has are column-parallel all the same, and
/// so is the input of the first factor if it is sharded: latents are gathered
/// and scattered.
static void shardLatent(BottleneckOp op, AxisMask axes,
                        const llvm::DenseSet<Value> &heads,
                        ShardedValues &sharded, Placement &placement) {
  int64_t rank = getTensorType(op.getDown()).getRank();
  bool isAlone = rank > 2 || op.getUps().size() == 1;
  if (sharded.contains(op.getInput()) && !heads.empty())
    placement.shard(op.getDown(), 0, axes, "bottleneck input width",
                    "first factor of sharded heads: row-parallel");
  else if (isAlone)
    placement.shard(op.getDown(), rank - 1, axes, "bottleneck rank",
                    "first factor: column-parallel, the latent is sharded");
  for (auto [up, result] : llvm::zip_equal(op.getUps(), op.getResults())) {
    int64_t columns = getTensorType(up).getRank() - 1;
    if (heads.contains(result)) {
      placement.shard(up, columns, axes, "bottleneck output width",
                      "second factor of heads: column-parallel, the latent is "
                      "gathered");
      sharded.insert(result);
    } else if (isAlone) {
      placement.shard(up, columns - 1, axes, "bottleneck rank",
                      "second factor: row-parallel, partial sums are added");
    }
  }
}

/// The factors of an adapter, so that its result is what the linear beside it
/// makes: of a sharded input, sums at the rank and a replicated output; of a
/// replicated one, a replicated latent and a sharded output.
static void shardAdapter(Operation *op, Value input, AxisMask axes,
                         ShardedValues &sharded, Placement &placement) {
  bool isRowParallel = sharded.contains(input);
  auto shardFirst = [&](Value weight, int64_t inputDim) {
    if (isRowParallel)
      placement.shard(weight, inputDim, axes, "adapter input width",
                      "first factor beside a row-parallel linear: "
                      "row-parallel");
    else
      placement.replicate(weight, "first factor beside a column-parallel "
                                  "linear: the latent is replicated");
  };
  auto shardSecond = [&](Value weight, int64_t outputDim, Value result) {
    if (isRowParallel)
      return placement.replicate(weight, "second factor beside a row-parallel "
                                         "linear: the latent is replicated");
    placement.shard(weight, outputDim, axes, "adapter output width",
                    "second factor beside a column-parallel linear: "
                    "column-parallel");
    sharded.insert(result);
  };
  if (auto bottleneck = dyn_cast<BottleneckOp>(op)) {
    shardFirst(bottleneck.getDown(), 0);
    for (auto [up, result] :
         llvm::zip_equal(bottleneck.getUps(), bottleneck.getResults()))
      shardSecond(up, getTensorType(up).getRank() - 1, result);
    return;
  }
  auto linear = cast<LinearOp>(op);
  bool isTransposed = linear.getTransposed();
  switch (*getFactor(linear)) {
  case Factor::First:
    return shardFirst(linear.getWeight(), isTransposed ? 1 : 0);
  case Factor::Middle:
    return placement.replicate(linear.getWeight(),
                               "between the factors of an adapter: every rank "
                               "computes the latent whole");
  case Factor::Second:
    return shardSecond(linear.getWeight(), isTransposed ? 0 : 1,
                       linear.getResult());
  }
}

// The residual stream is replicated, and so is an embedding of its own; a
/// table that is also the head is sharded along the vocabulary.
static void placeReplicatedStream(func::FuncOp func, const Mesh &mesh,
                                  AxisMask tp, const PlacementRules &rules,
                                  Placement &placement) {
  llvm::DenseSet<Value> sharedKeys = findSharedKeys(func);
  // Attention is sharded by its heads, and logits along the vocabulary.
  llvm::DenseSet<Value> heads;
  if (rules.attentionByHeads) {
    heads = findHeads(func);
    heads.insert_range(findLogits(func));
  }
  for (Value product : sharedKeys)
    heads.erase(product);
  Adapters adapters(func);
  ShardedValues sharded(func);
  for (Operation &op : func.front()) {
    if (Value input = adapters.getInput(&op)) {
      shardAdapter(&op, input, tp, sharded, placement);
    } else if (auto bottleneck = dyn_cast<BottleneckOp>(op)) {
      shardLatent(bottleneck, tp, heads, sharded, placement);
    } else if (auto linear = dyn_cast<LinearOp>(op)) {
      if (linear.getShardOutput())
        shardHead(linear, rules.head, tp, sharded, placement);
      else
        shardBlockLinear(linear, tp, mesh, sharedKeys, sharded, placement);
    } else {
      auto attention = dyn_cast<AttentionOp>(op);
      if (attention && sharded.contains(attention.getQuery()))
        requireHeads(attention, tp, placement);
      sharded.visit(&op, tp, mesh, placement);
    }
  }
  sharded.visitWeights(func.front(), tp, mesh, placement);
}

void mlir::boost::placeByRules(func::FuncOp func, const Mesh &mesh,
                               const PlacementRules &rules,
                               Placement &placement) {
  AxisMask tp = mesh.getAxisNamed(kTensorAxis);
  shardBatch(func, mesh.getAxisNamed(kDataAxis), placement);
  if (rules.stream == Stream::Hidden)
    placeHiddenStream(func, mesh, tp, rules, placement);
  else
    placeReplicatedStream(func, mesh, tp, rules, placement);
}

//===----------------------------------------------------------------------===//
// Replicated
//===----------------------------------------------------------------------===//

LogicalResult mlir::boost::placeGiven(func::FuncOp func, const Mesh &mesh,
                                      Placement &placement) {
  for (BlockArgument arg : func.getArguments()) {
    unsigned index = arg.getArgNumber();
    Attribute given = func.getArgAttr(index, kShardingAttr);
    if (!given)
      continue;
    Split split;
    std::string problem = mesh.parseSharding(given, getTensorType(arg), split);
    if (!problem.empty())
      return emitError(arg.getLoc()) << "argument " << index << ": " << problem;
    placement.keep(index, split, "as the program says");
  }
  return success();
}

void mlir::boost::placeReplicated(func::FuncOp func, const Mesh &mesh,
                                  Placement &placement) {
  shardBatch(func,
             mesh.getAxisNamed(kDataAxis) | mesh.getAxisNamed(kTensorAxis),
             placement);
}
