//===- BufferHints.cpp - What bufferization knows in advance --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last uses of tensor values, and where values are best written to: straight
// into a function result, or into their part of a joined tensor.
//
//===----------------------------------------------------------------------===//

#include "Bufferizer.h"
#include "Utils.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>

using namespace mlir;
using namespace mlir::boost::rt;

SmallVector<std::pair<Value, Value>>
mlir::boost::rt::getAliases(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
          tensor::ExtractSliceOp>(op))
    return {{op->getOperand(0), op->getResult(0)}};
  if (op->getName().getStringRef() == "stablehlo.optimization_barrier")
    return llvm::to_vector(llvm::map_range(
        llvm::zip_equal(op->getOperands(), op->getResults()), [](auto pair) {
          return std::make_pair(Value(std::get<0>(pair)),
                                Value(std::get<1>(pair)));
        }));
  return {};
}

/// The insertions that others continue, in program order: each starts from
/// nothing or continues one of these, and all that reads it inserts into it.
static SmallVector<tensor::InsertSliceOp> findFirstParts(func::FuncOp func) {
  SmallVector<tensor::InsertSliceOp> parts;
  llvm::DenseSet<Value> results;
  for (auto insertion : func.front().getOps<tensor::InsertSliceOp>()) {
    Value dest = insertion.getDest();
    bool isFirst = dest.getDefiningOp<tensor::EmptyOp>() != nullptr;
    bool isContinued = !insertion->use_empty() &&
                       llvm::all_of(insertion->getUses(), [](OpOperand &use) {
                         auto next =
                             dyn_cast<tensor::InsertSliceOp>(use.getOwner());
                         return next && &use == &next.getDestMutable();
                       });
    if (!isContinued || (!isFirst && !results.contains(dest)))
      continue;
    parts.push_back(insertion);
    results.insert(insertion.getResult());
  }
  return parts;
}

/// Gives every use of an insertion one of its own, and with it a joined tensor
/// of its own.
void FunctionBufferizer::separateUses(tensor::InsertSliceOp insertion) {
  for (OpOperand &use : llvm::make_early_inc_range(insertion->getUses())) {
    Operation *user = use.getOwner();
    builder.setInsertionPoint(user);
    Operation *own = builder.clone(*insertion);
    own->setLoc(user->getLoc());
    own->setDiscardableAttrs(user->getDiscardableAttrDictionary());
    use.set(own->getResult(0));
  }
  insertion.erase();
}

/// Earlier passes merge equal tensor.empty operations, equal fills that sums
/// start from, and equal first parts of joined tensors; each use is a buffer of
/// its own again. A joined tensor that lacks parts must not be copied: what is
/// not written yet cannot be read.
void FunctionBufferizer::separateInits() {
  for (auto fill : llvm::to_vector(func.front().getOps<linalg::FillOp>()))
    for (OpOperand &use : llvm::make_early_inc_range(fill->getUses())) {
      auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (fill->hasOneUse() || !user || !user.isDpsInit(&use))
        continue;
      builder.setInsertionPoint(user);
      use.set(builder.clone(*fill)->getResult(0));
    }
  // The last parts first: each of their uses is one more of the part before.
  SmallVector<tensor::InsertSliceOp> parts = findFirstParts(func);
  for (tensor::InsertSliceOp insertion : llvm::reverse(parts))
    if (!insertion->hasOneUse())
      separateUses(insertion);
  // The clones stand further down the block: do not walk into them.
  for (auto empty : llvm::to_vector(func.front().getOps<tensor::EmptyOp>())) {
    for (OpOperand &use : llvm::make_early_inc_range(empty->getUses())) {
      builder.setInsertionPoint(use.getOwner());
      use.set(builder.clone(*empty)->getResult(0));
    }
    empty.erase();
  }
}

void FunctionBufferizer::computeLastUses() {
  Block &body = func.front();
  int64_t position = 0;
  for (Operation &op : body)
    positions[&op] = position++;

  auto lastUse = [&](Value value) {
    int64_t last = -1;
    for (Operation *user : value.getUsers()) {
      Operation *inBody = body.findAncestorOpInBlock(*user);
      last = std::max(last, positions.lookup(inBody));
      for (auto [source, result] : getAliases(inBody))
        if (source == value)
          last = std::max(last, lastUseOf(result));
    }
    return last;
  };
  for (Operation &op : llvm::reverse(body))
    for (Value result : op.getResults())
      lastUses[result] = lastUse(result);
  for (Value argument : body.getArguments())
    lastUses[argument] = lastUse(argument);
}

void FunctionBufferizer::computeHints() {
  Block &body = func.front();
  findWholes();
  for (auto [index, value] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    hints.try_emplace(value, Hint{static_cast<int64_t>(index), {}, {}});
  for (Operation &op : llvm::reverse(body)) {
    passHintBack(&op);
    if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
      hintInsertion(insertion);
  }
}

/// Passes the hint of a result on to the value whose memory it takes over.
void FunctionBufferizer::passHintBack(Operation *op) {
  auto pass = [&](Value result, Value source, bool isAlias) {
    auto it = hints.find(result);
    if (it == hints.end())
      return;
    // Only kernels write with gaps, and a part has one value at a time.
    Hint hint = it->second;
    Operation *writer = source.getDefiningOp();
    bool canBePart = !isAlias && source.hasOneUse() &&
                     isa_and_present<linalg::LinalgOp, tensor::EmptyOp,
                                     tensor::InsertSliceOp>(writer);
    if (!hint.whole || canBePart)
      hints.try_emplace(source, hint);
  };
  if (!isa<tensor::ExtractSliceOp>(op))
    for (auto [source, result] : getAliases(op))
      pass(result, source, /*isAlias=*/true);
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    pass(insertion.getResult(), insertion.getDest(), /*isAlias=*/false);
  else if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpOperand &init : dps.getDpsInitsMutable())
      if (isa<RankedTensorType>(init.get().getType()) &&
          readsDestination(dps, init))
        pass(dps.getTiedOpResult(&init), init.get(), /*isAlias=*/false);
}

//===----------------------------------------------------------------------===//
// Joined tensors
//===----------------------------------------------------------------------===//

/// Returns the bounds of an insertion along one dimension: its first element,
/// and the one past its last.
static std::pair<int64_t, int64_t> getBounds(tensor::InsertSliceOp op,
                                             unsigned dim) {
  int64_t begin = op.getStaticOffset(dim);
  return {begin,
          begin + (op.getStaticSize(dim) - 1) * op.getStaticStride(dim) + 1};
}

/// Returns true if the bounding boxes of both parts are disjoint.
static bool areDisjoint(tensor::InsertSliceOp a, tensor::InsertSliceOp b) {
  return llvm::any_of(llvm::seq<unsigned>(a.getDestType().getRank()),
                      [&](unsigned dim) {
                        auto [beginA, endA] = getBounds(a, dim);
                        auto [beginB, endB] = getBounds(b, dim);
                        return endA <= beginB || endB <= beginA;
                      });
}

namespace {

/// Insertions into one tensor.empty, each into the result of the one before it.
struct InsertionChain {
  Value empty;
  SmallVector<tensor::InsertSliceOp> insertions;
  /// The intervals that they write along every dimension: the end of each, by
  /// its begin.
  SmallVector<std::map<int64_t, int64_t>> stretches;

  void add(tensor::InsertSliceOp insertion);
  bool isApart(tensor::InsertSliceOp insertion) const;

private:
  bool isApartAlong(tensor::InsertSliceOp insertion, unsigned dim) const;
};

} // namespace

void InsertionChain::add(tensor::InsertSliceOp insertion) {
  insertions.push_back(insertion);
  stretches.resize(insertion.getDestType().getRank());
  for (auto [dim, along] : llvm::enumerate(stretches)) {
    auto [begin, end] = getBounds(insertion, dim);
    // One stretch of those that it touches.
    auto it = along.upper_bound(begin);
    if (it != along.begin() && std::prev(it)->second >= begin)
      --it;
    while (it != along.end() && it->first <= end) {
      begin = std::min(begin, it->first);
      end = std::max(end, it->second);
      it = along.erase(it);
    }
    along[begin] = end;
  }
}

bool InsertionChain::isApartAlong(tensor::InsertSliceOp insertion,
                                  unsigned dim) const {
  auto [begin, end] = getBounds(insertion, dim);
  const std::map<int64_t, int64_t> &along = stretches[dim];
  auto it = along.lower_bound(end);
  return it == along.begin() || std::prev(it)->second <= begin;
}

/// Returns true if no insertion of the chain overlaps this one. Intervals are
/// compared first: those of joined tensors are disjoint along one dimension.
bool InsertionChain::isApart(tensor::InsertSliceOp insertion) const {
  return llvm::any_of(
             llvm::seq<unsigned>(stretches.size()),
             [&](unsigned dim) { return isApartAlong(insertion, dim); }) ||
         llvm::all_of(insertions, [&](tensor::InsertSliceOp other) {
           return areDisjoint(other, insertion);
         });
}

/// Finds for every insertion the tensor.empty at the start of its chain, if the
/// values between have no other uses and none of them is written over by it.
void FunctionBufferizer::findWholes() {
  // The chain that a value is the end of so far.
  llvm::DenseMap<Value, InsertionChain> chains;
  for (auto insertion : func.front().getOps<tensor::InsertSliceOp>()) {
    Value dest = insertion.getDest();
    if (!dest.hasOneUse())
      continue;
    InsertionChain chain;
    if (dest.getDefiningOp<tensor::EmptyOp>()) {
      chain.empty = dest;
    } else if (auto it = chains.find(dest); it != chains.end()) {
      chain = std::move(it->second);
      chains.erase(it);
    } else {
      continue;
    }
    if (chain.isApart(insertion))
      wholes[insertion] = chain.empty;
    chain.add(insertion);
    chains[insertion.getResult()] = std::move(chain);
  }
}

std::optional<std::array<int64_t, 3>>
mlir::boost::rt::findResultLayout(GemmOp op, ArrayRef<int64_t> shape,
                                  ArrayRef<int64_t> strides) {
  int64_t m = op.getM(), n = op.getN(), batch = op.getBatch();
  std::array<int64_t, 3> dense = {0, m * n, n};
  if (std::optional<ArrayRef<int64_t>> layout = op.getLayoutC())
    llvm::copy(*layout, dense.begin());
  auto [begin, nextMatrix, nextRow] = dense;
  // Pieces of `width` elements, `pitch` apart.
  SmallVector<Run> runs = getRuns(shape, strides);
  if (runs.size() != 2 || runs[0].stride != 1)
    return std::nullopt;
  int64_t width = runs[0].size, pitch = runs[1].stride;
  // Rows begin in pieces of their own, and so do matrices, or all matrices
  // share the pieces.
  bool sharePieces = nextMatrix % width != 0;
  int64_t last = begin % width + (sharePieces ? (batch - 1) * nextMatrix : 0);
  if (last + n > width || (m > 1 && nextRow % width != 0))
    return std::nullopt;
  auto move = [&](int64_t element) {
    return element / width * pitch + element % width;
  };
  return std::array<int64_t, 3>{
      move(begin), sharePieces ? nextMatrix : move(nextMatrix), move(nextRow)};
}

/// Returns true if the operation that defines `value` can write it with these
/// strides.
static bool canWrite(Value value, ArrayRef<int64_t> strides) {
  Operation *writer = value.getDefiningOp();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  if (isDense(shape, strides))
    return isa_and_present<DestinationStyleOpInterface>(writer);
  if (auto gemm = dyn_cast_or_null<GemmOp>(writer))
    return findResultLayout(gemm, shape, strides).has_value();
  return isa_and_present<linalg::LinalgOp>(writer);
}

/// The inserted value is best computed in place, also behind reshapes.
void FunctionBufferizer::hintInsertion(tensor::InsertSliceOp insertion) {
  Placement whole{nullptr, 0,
                  computeStrides(insertion.getDestType().getShape())};
  ArrayRef<int64_t> shape = insertion.getSourceType().getShape();
  SmallVector<int64_t> strides =
      partOf(whole, insertion, insertion.getDroppedDims()).strides;
  // The value and those that it is a reshape of.
  SmallVector<Value> forms = {insertion.getSource()};
  while (forms.back().hasOneUse() &&
         isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
             forms.back().getDefiningOp()))
    forms.push_back(forms.back().getDefiningOp()->getOperand(0));
  Value source = forms.back();
  auto inSource = reshapeStrides(
      shape, strides, cast<RankedTensorType>(source.getType()).getShape());
  if (!source.hasOneUse() || !inSource || !canWrite(source, *inSource))
    return;
  if (Value empty = wholes.lookup(insertion))
    for (Value form : forms)
      hints.try_emplace(form, Hint{-1, insertion, empty});
}
