//===- FunctionShardings.cpp - Inferred shardings of a function -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/FunctionShardings.h"
#include "boost-mlir/Support/TensorTypes.h"

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Spread.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::boost;

FailureOr<FunctionShardings>
FunctionShardings::get(func::FuncOp func, const Mesh &mesh,
                       const DenseSet<Attribute> &closed) {
  FunctionShardings shardings(func, mesh);
  if (!func.getBody().hasOneBlock())
    return func.emitError() << "expects a function of one block; run "
                               "boost-import-pipeline first";
  if (failed(shardings.readAbi()))
    return failure();
  for (auto [argument, next] : findOpenSums(func)) {
    if (closed.contains(getArgTensor(func, argument.getArgNumber())))
      continue;
    shardings.openSums.insert(argument);
    shardings.nextSums.insert(next);
  }
  shardings.readOps();
  return shardings;
}

//===----------------------------------------------------------------------===//
// ABI
//===----------------------------------------------------------------------===//

/// "argument 'embed'" or "argument 3"
static std::string describe(StringRef what, unsigned index, TensorAttr tensor) {
  if (tensor)
    return (what + " '" + tensor.getName().getValue() + "'").str();
  return (what + " " + Twine(index)).str();
}

static LogicalResult readSharding(func::FuncOp func, const Mesh &mesh,
                                  const std::string &subject,
                                  DictionaryAttr attrs, Type type,
                                  Split &split) {
  Attribute attr = attrs ? attrs.get(kShardingAttr) : Attribute();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return func.emitError()
           << subject << " is not a tensor of static shape: " << type;
  std::string problem = mesh.parseSharding(attr, tensor, split);
  if (!problem.empty())
    return func.emitError() << subject << ": " << problem;
  auto sharding = cast<ShardingAttr>(attr);
  if (sharding.getReduction() != Reduction::Sum)
    return func.emitError()
           << subject << ": expects a partial sum, but got " << sharding;
  SmallVector<PartAttr> parts = getParts(attrs);
  for (int64_t dim = 0; dim < tensor.getRank(); ++dim)
    if (!split[dim].empty() && isPackedAlong(parts, dim)) {
      auto diag = func.emitError()
                  << subject << ": expects dimension " << dim
                  << ", along which tensors are packed, on every rank, but got "
                  << sharding;
      diag.attachNote() << "shard another dimension, or compile with "
                           "--disable-pass=boost-group-linears";
      return failure();
    }
  return success();
}

LogicalResult FunctionShardings::readAbi() {
  bool ok = true;
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    Split &split = arguments.emplace_back();
    Attribute sharding = func.getArgAttr(index, kShardingAttr);
    ok &= succeeded(readSharding(
        func, mesh, describe("argument", index, getArgTensor(func, index)),
        func.getArgAttrDict(index), type, split));
    splits[func.getArgument(index)] = split;
    partial[func.getArgument(index)] = mesh.getPartialAxes(sharding);
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    ok &= succeeded(readSharding(
        func, mesh, describe("result", index, getResultTensor(func, index)),
        func.getResultAttrDict(index), type, results.emplace_back()));
  return success(ok);
}

SmallVector<OpenSum> mlir::boost::findOpenSums(func::FuncOp func) {
  SmallVector<OpenSum> sums;
  Operation *terminator = func.getBody().front().getTerminator();
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto sharding = func.getArgAttrOfType<ShardingAttr>(index, kShardingAttr);
    bool isOpen = !sharding || sharding.getPartialAxes().empty();
    if (!hasRole(argument, TensorRole::Accumulator) || !isOpen ||
        !argument.hasOneUse())
      continue;
    auto next = dyn_cast<stablehlo::AddOp>(*argument.user_begin());
    if (!next || !next->hasOneUse() || *next->user_begin() != terminator)
      continue;
    sums.push_back({argument, next.getResult()});
  }
  return sums;
}

void FunctionShardings::readOps() {
  returned.insert_range(func.getBody().front().getTerminator()->getOperands());
  Phase phase = Phase::Forward;
  for (Operation &op : func.getBody().front().without_terminator()) {
    if (auto mark = dyn_cast<PhaseOp>(op))
      phase = mark.getPhase();
    auto ruled = dyn_cast<ShardingRuleOpInterface>(op);
    ops.push_back(
        {&op, ruled ? ruled.getShardingRule() : ShardingRule(&op), phase});
    if (ops.back().rule.isGenerator())
      generators.insert_range(op.getResults());
    for (OpResult result : op.getResults())
      if (auto type = dyn_cast<RankedTensorType>(result.getType()))
        splits[result].assign(type.getRank(), {});
  }
}

//===----------------------------------------------------------------------===//
// Inferred splits
//===----------------------------------------------------------------------===//

void FunctionShardings::writeShardings() const {
  for (const RuledOp &ruled : ops) {
    MLIRContext *context = ruled.op->getContext();
    SmallVector<Attribute> attrs;
    bool known = false;
    for (OpResult result : ruled.op->getResults()) {
      ArrayRef<AxisList> split = getSplit(result);
      known |= getAxesOf(split) != 0;
      attrs.push_back(mesh.getShardingAttr(context, split));
    }
    if (known)
      ruled.op->setAttr(kShardingsAttr, ArrayAttr::get(context, attrs));
    else
      ruled.op->removeAttr(kShardingsAttr);
  }
}

/// The one loop that goes through these dimensions of operands, or else of
/// results; kNoLoop if there are none, and a failure if there are several.
static FailureOr<int> findSpreadLoop(const ShardingRule &rule,
                                     ArrayRef<int64_t> dims) {
  llvm::SmallSetVector<int, 2> loops;
  size_t position = 0;
  for (ArrayRef<DimLoops> maps : {rule.getOperands(), rule.getResults()}) {
    bool isKnown = !loops.empty();
    for (const DimLoops &map : maps) {
      int64_t dim = dims[position++];
      if (dim >= 0 && !isKnown)
        loops.insert(map[dim]);
    }
  }
  if (loops.empty())
    return kNoLoop;
  int loop = loops.front();
  if (loops.size() > 1 || loop == kNoLoop ||
      rule.getLoops()[loop].kind == LoopKind::Unshardable)
    return failure();
  return loop;
}

LogicalResult FunctionShardings::readSpread(const RuledOp &ruled) {
  auto spread = ruled.op->getAttrOfType<DictionaryAttr>(kSpreadAttr);
  if (!spread)
    return success();
  for (NamedAttribute entry : spread) {
    std::optional<int16_t> axis = mesh.findAxis(entry.getName());
    if (!axis)
      return ruled.op->emitError()
             << "expects '" << kSpreadAttr << "' of axes of the mesh, but got "
             << entry.getName();
    auto dims = cast<DenseI64ArrayAttr>(entry.getValue());
    FailureOr<int> loop = findSpreadLoop(ruled.rule, dims);
    if (failed(loop))
      return ruled.op->emitError()
             << "expects '" << kSpreadAttr
             << "' to name dimensions of one loop that can be spread over "
             << entry.getName() << ", but got " << dims;
    fixedLoops[{ruled.op, AxisMask(1) << *axis}] = *loop;
  }
  return success();
}

std::optional<int> FunctionShardings::getFixedLoop(Operation *op,
                                                   AxisMask axis) const {
  auto found = fixedLoops.find({op, axis});
  return found == fixedLoops.end() ? std::nullopt
                                   : std::optional(found->second);
}

LogicalResult FunctionShardings::readShardings() {
  for (const RuledOp &ruled : ops) {
    if (failed(readSpread(ruled)))
      return failure();
    auto attrs = ruled.op->getAttrOfType<ArrayAttr>(kShardingsAttr);
    if (!attrs)
      continue;
    for (auto [result, attr] : llvm::zip_equal(ruled.op->getResults(), attrs)) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type)
        continue;
      std::string problem = mesh.parseSharding(attr, type, splits[result]);
      if (!problem.empty())
        return ruled.op->emitError() << problem;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Propagation
//===----------------------------------------------------------------------===//

/// Calls `fn(value, loops)` for every operand and result.
template <typename Fn>
static void forEachTensor(const RuledOp &ruled, Fn &&fn) {
  for (auto [value, loops] :
       llvm::zip_equal(ruled.op->getOperands(), ruled.rule.getOperands()))
    fn(value, loops);
  for (OpResult result : ruled.op->getResults())
    fn(result, ruled.rule.getResults()[result.getResultNumber()]);
}

int FunctionShardings::chooseLoop(const RuledOp &ruled, AxisMask axis,
                                  bool *competing) const {
  if (std::optional<int> fixed = getFixedLoop(ruled.op, axis))
    return *fixed;
  SmallVector<bool> proposed(ruled.rule.getLoops().size(), false);
  forEachTensor(ruled, [&](Value value, ArrayRef<int> loops) {
    if (isGenerated(value))
      return;
    for (auto [axes, loop] : llvm::zip(getSplit(value), loops))
      if (loop != kNoLoop && (axes.getSet() & axis))
        proposed[loop] = true;
  });
  auto proposals = llvm::count(proposed, true);
  if (competing)
    *competing = proposals > 1;
  if (proposals == 0)
    return kNoLoop;
  SmallVector<int64_t> weight(proposed.size(), 0);
  forEachTensor(ruled, [&](Value value, ArrayRef<int> loops) {
    int64_t elements = getTensorType(value).getNumElements();
    for (int loop : loops)
      if (loop != kNoLoop)
        weight[loop] = std::max(weight[loop], elements);
  });
  // Where loops compete for the axis, the one of the biggest tensor wins: what
  // is left unsharded or moved is then small. Loops are listed parallel ones
  // first.
  int best = kNoLoop;
  for (auto [loop, info] : llvm::enumerate(ruled.rule.getLoops()))
    if (proposed[loop] && info.kind != LoopKind::Unshardable &&
        (best == kNoLoop || weight[loop] > weight[best]))
      best = loop;
  return best;
}

/// The order of the axes of a loop: that of the biggest tensors, and of the
/// mesh where no tensor has two axes to compare.
AxisList FunctionShardings::getOrder(const RuledOp &ruled, int loop) const {
  // Among equal sizes the first one.
  SmallVector<std::tuple<int64_t, size_t, const AxisList *>> lists;
  forEachTensor(ruled, [&](Value value, ArrayRef<int> loops) {
    for (auto [axes, dimLoop] : llvm::zip(getSplit(value), loops))
      if (dimLoop == loop && !axes.empty())
        lists.push_back(
            {-cast<RankedTensorType>(value.getType()).getNumElements(),
             lists.size(), &axes});
  });
  llvm::sort(lists);
  AxisList order;
  for (auto [size, index, list] : lists)
    for (int16_t axis : *list)
      if (!llvm::is_contained(order, axis))
        order.insert(axis, *list);
  return order;
}

/// Shards the dimensions of `loop` over `axis` in the tensors that `axis` does
/// not shard yet, but for what the caller gives or gets. Every dimension of the
/// loop has to divide. A value that is read twice, as `dot(x, transpose(x))`
/// is, may have the loop in two dimensions: the first is sharded.
bool FunctionShardings::fill(const RuledOp &ruled, int loop, int16_t axis) {
  AxisMask set = AxisMask(1) << axis;
  llvm::SmallMapVector<Value, AxisList *, 4> open;
  bool divides = true;
  forEachTensor(ruled, [&](Value value, ArrayRef<int> loops) {
    auto found = splits.find(value);
    if (found == splits.end() || (getAxesOf(found->second) & set))
      return;
    auto type = cast<RankedTensorType>(value.getType());
    for (auto [dim, dimLoop] : llvm::enumerate(loops)) {
      if (dimLoop != loop)
        continue;
      AxisList &axes = found->second[dim];
      divides &= type.getDimSize(dim) % mesh.getSize(axes.getSet() | set) == 0;
      if (!isa<BlockArgument>(value) && !isReturned(value))
        open.insert({value, &axes});
    }
  });
  if (!divides || open.empty())
    return false;
  AxisList order = getOrder(ruled, loop);
  for (auto [value, axes] : open)
    axes->insert(axis, order);
  return true;
}

bool FunctionShardings::visit(const RuledOp &ruled, bool resolve) {
  if (ruled.rule.hasIndependentOperands())
    return false;
  bool changed = false;
  for (int16_t index : mesh.getAxes(mesh.getUsedAxes())) {
    bool competing = false;
    int loop = chooseLoop(ruled, AxisMask(1) << index, &competing);
    if (loop != kNoLoop && (resolve || !competing))
      changed |= fill(ruled, loop, index);
  }
  return changed;
}

void FunctionShardings::propagate() {
  Operation *terminator = func.getBody().front().getTerminator();
  for (auto [value, split] :
       llvm::zip_equal(terminator->getOperands(), results))
    if (!isa<BlockArgument>(value) && !getAxesOf(splits[value]))
      splits[value] = split;
  sweep(/*resolve=*/false);
  sweep(/*resolve=*/true);
}

/// Every round but the last shards some value further, and a value is sharded
/// at most once by each axis; in practice two or three rounds do.
void FunctionShardings::sweep(bool resolve) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const RuledOp &ruled : ops)
      changed |= visit(ruled, resolve);
    for (const RuledOp &ruled : llvm::reverse(ops))
      changed |= visit(ruled, resolve);
  }
}
