//===- GroupLinears.cpp - Bottlenecks that share an input -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bottlenecks that read the same value become one: one product on the way down,
// one batched product per kind of way up. Their parameters are packed where
// they are declared, so that nothing is moved when the program runs.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"
#include "PackedParameters.h"

#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::boost {
#define GEN_PASS_DEF_GROUPLINEARSPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Which bottlenecks belong together
//===----------------------------------------------------------------------===//

namespace {

/// Bottlenecks that become one, those of equal shape side by side.
struct Group {
  SmallVector<BottleneckOp> members;

  /// Runs of members whose up factors have the same shape.
  SmallVector<ArrayRef<BottleneckOp>> getRuns() const {
    SmallVector<ArrayRef<BottleneckOp>> runs;
    ArrayRef<BottleneckOp> rest = members;
    while (!rest.empty()) {
      Type first = getUp(rest.front()).getType();
      ArrayRef<BottleneckOp> run = rest.take_while(
          [&](BottleneckOp op) { return getUp(op).getType() == first; });
      runs.push_back(run);
      rest = rest.drop_front(run.size());
    }
    return runs;
  }

  static Value getUp(BottleneckOp op) { return op.getUps().front(); }

  /// Returns true if all first factors have the same shape.
  bool hasEqualRanks() const {
    return llvm::all_equal(llvm::map_range(
        members, [](BottleneckOp op) { return op.getDown().getType(); }));
  }
};

} // namespace

/// Returns true if a factor is the transpose of a stored matrix with one row
/// per output.
static bool isTransposed(Value factor) {
  return bool(factor.getDefiningOp<stablehlo::TransposeOp>());
}

/// Returns a key that bottlenecks of one group share.
static SmallVector<void *> getKey(BottleneckOp op) {
  auto opaque = [](auto each) {
    return const_cast<void *>(each.getAsOpaquePointer());
  };
  auto flag = [&](bool value) {
    return value ? opaque(op.getInput()) : nullptr;
  };
  return {opaque(op.getInput()),
          opaque(op.getGamma()),
          opaque(op.getBeta()),
          opaque(op.getEpsAttr()),
          opaque(op.getActivationAttr()),
          flag(bool(op.getLatent())),
          flag(isTransposed(op.getDown())),
          flag(isTransposed(Group::getUp(op)))};
}

/// Returns true if `matrix` is defined before `group`, or can be moved there: a
/// chain of operations with one operand each, as a layer's matrix is sliced
/// from its argument.
static bool canHoist(Value matrix, Operation *group) {
  Operation *op = matrix.getDefiningOp();
  while (op && group->isBeforeInBlock(op) && op->getNumOperands() == 1)
    op = op->getOperand(0).getDefiningOp();
  return !op || op->isBeforeInBlock(group);
}

/// Groups in program order. A latent or a factor that an operation behind the
/// first member computes keeps its bottleneck out.
static SmallVector<Group> findGroups(Block &block) {
  llvm::MapVector<SmallVector<void *>, Group> groups;
  for (auto op : block.getOps<BottleneckOp>()) {
    if (op.getUps().size() != 1 || getTensorType(op.getDown()).getRank() != 2)
      continue;
    Group &group = groups[getKey(op)];
    Operation *latent =
        op.getLatent() ? op.getLatent().getDefiningOp() : nullptr;
    if (group.members.empty() ||
        ((!latent || latent->isBeforeInBlock(group.members.front())) &&
         canHoist(Group::getUp(op), group.members.front())))
      group.members.push_back(op);
  }
  SmallVector<Group> found;
  for (auto &[key, group] : groups) {
    // Stable: shapes in the order in which they first appear.
    llvm::MapVector<Type, SmallVector<BottleneckOp>> byShape;
    for (BottleneckOp op : group.members)
      byShape[Group::getUp(op).getType()].push_back(op);
    Group sorted;
    for (auto &[type, members] : byShape)
      llvm::append_range(sorted.members, members);
    if (sorted.members.size() > 1)
      found.push_back(std::move(sorted));
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

/// The parameters that a group wants packed.
static SmallVector<PackRequest> getRequests(const Group &group) {
  SmallVector<Value> downs;
  for (BottleneckOp op : group.members)
    downs.push_back(op.getDown());
  SmallVector<PackRequest> requests;
  requests.push_back({downs, /*dim=*/1, /*stacked=*/group.hasEqualRanks()});
  for (ArrayRef<BottleneckOp> run : group.getRuns())
    if (run.size() > 1)
      requests.push_back({llvm::map_to_vector(run, Group::getUp), /*dim=*/0,
                          /*stacked=*/true});
  return requests;
}

/// Keeps the groups whose parameters can be packed with all of their uses.
static ParameterPacker selectGroups(func::FuncOp function,
                                    SmallVectorImpl<Group> &groups) {
  while (true) {
    ParameterPacker packer(function);
    llvm::erase_if(groups, [&](const Group &group) {
      return !packer.request(getRequests(group));
    });
    size_t count = groups.size();
    llvm::erase_if(groups, [&](const Group &group) {
      return !packer.isComplete(getRequests(group));
    });
    if (groups.size() == count)
      return packer;
  }
}

/// Latents of the members as the group reads them.
static Value joinLatents(OpBuilder &builder, Location loc, const Group &group,
                         bool stacked) {
  SmallVector<Value> latents;
  for (BottleneckOp op : group.members) {
    Value latent = op.getLatent();
    SmallVector<int64_t> shape(getTensorType(latent).getShape());
    if (stacked)
      shape.insert(shape.end() - 1, 1);
    latents.push_back(stablehlo::reshape(builder, loc, latent, shape));
  }
  int64_t rank = getTensorType(latents.front()).getRank();
  return stablehlo::ConcatenateOp::create(builder, loc, latents,
                                          stacked ? rank - 2 : rank - 1);
}

/// Elements [begin, begin + size) of `dim` of `whole`, of shape `shape`.
static Value takePart(OpBuilder &builder, Location loc, Value whole,
                      int64_t dim, int64_t begin, int64_t size,
                      ArrayRef<int64_t> shape) {
  RankedTensorType type = getTensorType(whole);
  SmallVector<int64_t> starts(type.getRank(), 0), limits(type.getShape());
  SmallVector<int64_t> strides(type.getRank(), 1);
  starts[dim] = begin;
  limits[dim] = begin + size;
  Value part =
      stablehlo::SliceOp::create(builder, loc, whole, starts, limits, strides);
  return stablehlo::reshape(builder, loc, part, shape);
}

namespace {
/// Replaces the members of one group.
class GroupBuilder {
public:
  GroupBuilder(const Group &group, const ParameterPacker &packer)
      : group(group), packer(packer), first(group.members.front()),
        builder(first), loc(first.getLoc()), stacked(group.hasEqualRanks()) {}

  void run() {
    BottleneckOp grouped = build();
    for (auto [run, result] :
         llvm::zip_equal(group.getRuns(), grouped.getResults()))
      replaceResults(run, result);
    if (Value latent = grouped.getLatentOut())
      replaceLatents(latent);
    for (BottleneckOp op : group.members)
      op.erase();
  }

private:
  BottleneckOp build();
  void replaceResults(ArrayRef<BottleneckOp> run, Value result);
  void replaceLatents(Value latent);

  const Group &group;
  const ParameterPacker &packer;
  BottleneckOp first;
  ComponentBuilder builder;
  Location loc;
  bool stacked;
};
} // namespace

/// Moves what takes a layer's matrix out of its argument in front of the group,
/// as canHoist has found possible.
static void hoist(Value matrix, Operation *group) {
  SmallVector<Operation *> chain;
  for (Operation *op = matrix.getDefiningOp(); op && group->isBeforeInBlock(op);
       op = op->getOperand(0).getDefiningOp())
    chain.push_back(op);
  for (Operation *op : llvm::reverse(chain))
    op->moveBefore(group);
}

BottleneckOp GroupBuilder::build() {
  SmallVector<Value> ups;
  SmallVector<Type> results;
  for (ArrayRef<BottleneckOp> run : group.getRuns()) {
    auto count = static_cast<int64_t>(run.size());
    BottleneckOp op = run.front();
    RankedTensorType type = getTensorType(op.getResults().front());
    SmallVector<int64_t> shape(type.getShape());
    if (count > 1)
      shape.insert(shape.begin(), count);
    results.push_back(type.clone(shape));
    if (count == 1)
      hoist(Group::getUp(op), first);
    ups.push_back(count > 1 ? packer.build(builder, Group::getUp(op))
                            : Group::getUp(op));
  }
  Value down = packer.build(builder, first.getDown());
  Type latentOut;
  if (llvm::any_of(group.members,
                   [](BottleneckOp op) { return bool(op.getLatentOut()); })) {
    RankedTensorType input = getTensorType(first.getInput());
    SmallVector<int64_t> shape(input.getShape().drop_back());
    llvm::append_range(shape, getTensorType(down).getShape().drop_front());
    latentOut = input.clone(shape);
  }
  Value latent;
  if (first.getLatent())
    latent = joinLatents(builder, loc, group, stacked);
  return BottleneckOp::create(builder, loc, results, latentOut,
                              first.getInput(), first.getGamma(),
                              first.getBeta(), down, ups, latent,
                              first.getEpsAttr(), first.getActivation());
}

void GroupBuilder::replaceResults(ArrayRef<BottleneckOp> run, Value result) {
  for (auto [i, member] : llvm::enumerate(run)) {
    Value old = BottleneckOp(member).getResults().front();
    Value part = result;
    if (run.size() > 1)
      part = takePart(builder, loc, result, /*dim=*/0, i, 1,
                      getTensorType(old).getShape());
    old.replaceAllUsesWith(part);
  }
}

void GroupBuilder::replaceLatents(Value latent) {
  int64_t rank = getTensorType(latent).getRank(), begin = 0;
  for (BottleneckOp op : group.members) {
    int64_t size = stacked ? 1 : getTensorType(op.getDown()).getDimSize(1);
    if (Value old = op.getLatentOut())
      old.replaceAllUsesWith(takePart(builder, loc, latent,
                                      stacked ? rank - 2 : rank - 1, begin,
                                      size, getTensorType(old).getShape()));
    begin += size;
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct GroupLinears
    : public mlir::boost::impl::GroupLinearsPassBase<GroupLinears> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!llvm::hasSingleElement(function.getBody()))
      return;
    SmallVector<Group> groups = findGroups(function.front());
    ParameterPacker packer = selectGroups(function, groups);
    packer.addArguments();
    for (const Group &group : groups)
      GroupBuilder(group, packer).run();
    packer.removeArguments();
  }
};
} // namespace
