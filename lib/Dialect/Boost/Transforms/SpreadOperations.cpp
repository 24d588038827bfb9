//===- SpreadOperations.cpp - What a placement says of operations ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of the table of placements that the sharding of arguments does not
// decide: which loop an operation is spread along is written down, so that what
// is sent does not depend on prices, and so are values that do not follow.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "Decompose.h"

#include "boost-mlir/Dialect/Boost/IR/Factors.h"
#include "boost-mlir/Dialect/Boost/IR/Spread.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"

using namespace mlir;
using namespace mlir::boost;

using Embedding = PlacementRules::Embedding;
using Head = PlacementRules::Head;
using Latents = PlacementRules::Latents;

static constexpr int64_t kNoDim = -1;

static int64_t getLastDim(Value value) {
  return getTensorType(value).getRank() - 1;
}

llvm::SetVector<Operation *>
mlir::boost::findLatentFunctions(func::FuncOp func) {
  // Latents, each with the elements of the product that it is computed from.
  DenseMap<Value, int64_t> latents;
  llvm::SetVector<Operation *> functions;
  for (Operation &op : func.front()) {
    if (op.getNumResults() == 0)
      continue;
    int64_t elements = 0;
    for (Value operand : op.getOperands())
      elements = std::max(elements, latents.lookup(operand));
    int64_t own = getTensorType(op.getResult(0)).getNumElements();
    bool isRepetition = isa<stablehlo::BroadcastInDimOp>(op) && own > elements;
    bool isFunction = elements > 0 && !isa<LinearOp>(op) && !isRepetition;
    if (isFunction)
      functions.insert(&op);
    if (makesLatent(&op))
      elements = own;
    if (isFunction || makesLatent(&op))
      for (Value result : op.getResults())
        latents[result] = elements;
  }
  return functions;
}

int64_t mlir::boost::countBranches(BottleneckOp op) {
  RankedTensorType down = getTensorType(op.getDown());
  return down.getRank() > 2 ? down.getDimSize(1)
                            : static_cast<int64_t>(op.getUps().size());
}

namespace {
/// Writes `boost.spread` of one axis, and collects how values are sharded.
class Spreader {
public:
  Spreader(const Mesh &mesh, AxisMask axis) : mesh(mesh), axis(axis) {}

  void spreadBottleneck(BottleneckOp op, const PlacementRules &rules);
  void repeatLatents(func::FuncOp func);
  void spreadEmbedding(EmbeddingOp op);
  void spreadHead(LinearOp op);

  const DenseMap<Value, Split> &getForms() const { return forms; }

private:
  void spread(Operation *op, StringRef name, ArrayRef<int64_t> dims) {
    setSpread(op, name, mesh.describe(axis), dims);
  }
  void spreadStatistics(Operation *op, RankedTensorType input);
  void shard(Value value, int64_t dim);

  const Mesh &mesh;
  AxisMask axis;
  DenseMap<Value, Split> forms;
};
} // namespace

/// A size that does not divide is left open.
void Spreader::shard(Value value, int64_t dim) {
  RankedTensorType type = getTensorType(value);
  if (type.getDimSize(dim) % mesh.getSize(axis) != 0)
    return;
  Split split(type.getRank());
  split[dim] = mesh.getAxes(axis);
  forms[value] = split;
}

/// Sums over rows of the input, and what repeats numbers per row or column to
/// its size, are spread along its width, as the input is sharded.
void Spreader::spreadStatistics(Operation *op, RankedTensorType input) {
  int64_t width = input.getRank() - 1;
  auto isInput = [&](Value value) {
    return getTensorType(value).getShape() == input.getShape();
  };
  if (auto sum = dyn_cast<stablehlo::ReduceOp>(op)) {
    if (isInput(sum.getInputs().front()) &&
        llvm::equal(sum.getDimensions(), ArrayRef<int64_t>{width}))
      spread(op, kSpreadAttr, {width, kNoDim, kNoDim});
  } else if (auto repeat = dyn_cast<stablehlo::BroadcastInDimOp>(op)) {
    ArrayRef<int64_t> dims = repeat.getBroadcastDimensions();
    auto own = llvm::find(dims, width);
    if (isInput(repeat))
      spread(op, kSpreadAttr,
             {own == dims.end() ? kNoDim : own - dims.begin(), width});
  }
}

/// Latents along the sequence: partial sums are scattered behind the first
/// factor, and latents gathered once before the second ones, as are gradients
/// the other way. Or, with a replicated first factor, its input is gathered;
/// gradients of latents are added up, and then products with them are spread
/// along the input width again.
void Spreader::spreadBottleneck(BottleneckOp op, const PlacementRules &rules) {
  RankedTensorType input = getTensorType(op.getInput());
  int64_t sequence = input.getRank() - 2;
  bool alongSequence = rules.latents == Latents::Sequence && sequence >= 0;
  bool isGathered = rules.replicatesFused && countBranches(op) > 2;
  if (!alongSequence && !isGathered)
    return;
  Operation *before = op->getPrevNode(), *end = op->getNextNode();
  Block *block = op->getBlock();
  BottleneckParts parts = decomposeBottleneck(op);
  for (Operation *product : parts.firstProducts) {
    int64_t width = getLastDim(product->getOperand(0));
    spread(product, isGathered ? kGradientSpreadAttr : kSpreadAttr,
           {width, 0, kNoDim});
    if (isGathered)
      spread(product, kSpreadAttr, {kNoDim, kNoDim, kNoDim});
  }
  if (!alongSequence)
    return;
  for (Operation *part = before ? before->getNextNode() : &block->front();
       part != end; part = part->getNextNode())
    spreadStatistics(part, input);
  shard(parts.product, sequence);
  shard(parts.latent, sequence);
  for (Operation *product : parts.secondProducts)
    if (product->hasAttr(kShardingsAttr))
      spread(product, kSpreadAttr,
             {kNoDim, getLastDim(product->getOperand(1)),
              getLastDim(product->getResult(0))});
}

/// Has every rank compute all operations between the factors of bottlenecks
/// that are linears: sums are taken at first factors, and gradients of latents
/// are added up behind second ones.
void Spreader::repeatLatents(func::FuncOp func) {
  for (Operation *op : findLatentFunctions(func))
    spread(op, kSpreadAttr,
           SmallVector<int64_t>(op->getNumOperands() + op->getNumResults(),
                                kNoDim));
}

/// Rows of a table along the vocabulary: those that other ranks have are added,
/// and scattered along the hidden dimension. The gradient is gathered, and
/// every rank adds up the rows that it has.
void Spreader::spreadEmbedding(EmbeddingOp op) {
  spread(op, kSpreadAttr, {0, kNoDim, kNoDim});
  shard(op.getResult(), getLastDim(op.getResult()));
}

/// A row-parallel head: terms of logits are added, and scattered along the
/// vocabulary if that divides. Their gradient is gathered.
void Spreader::spreadHead(LinearOp op) {
  spread(op, kSpreadAttr,
         {getLastDim(op.getInput()), op.getTransposed() ? 1 : 0, kNoDim});
  shard(op.getResult(), getLastDim(op.getResult()));
}

void mlir::boost::spreadOperations(func::FuncOp func, const Mesh &mesh,
                                   const PlacementRules &rules) {
  AxisMask tp = mesh.getAxisNamed(kTensorAxis) & mesh.getUsedAxes();
  if (!tp)
    return;
  Spreader spreader(mesh, tp);
  auto bottlenecks = llvm::to_vector(func.getOps<BottleneckOp>());
  // The last first, as boost-decompose-bottleneck does.
  for (BottleneckOp op : llvm::reverse(bottlenecks))
    spreader.spreadBottleneck(op, rules);
  if (rules.latents == Latents::Replicated)
    spreader.repeatLatents(func);
  if (rules.embedding == Embedding::Vocabulary)
    for (auto op : func.getOps<EmbeddingOp>())
      spreader.spreadEmbedding(op);
  if (rules.head == Head::Hidden)
    for (auto op : func.getOps<LinearOp>())
      if (op.getShardOutput())
        spreader.spreadHead(op);
  writeForms(func, mesh, spreader.getForms());
}
