//===- LocalValues.cpp - What ranks hold of each value --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/LocalValues.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Spread.h"
#include "boost-mlir/Interfaces/ShardingRuleOpInterface.h"
#include "boost-mlir/Support/TensorTypes.h"
#include <limits>

using namespace mlir;
using namespace mlir::boost;

/// Returns true if `version` can be converted to `form`: partial sums can only
/// be completed.
static bool canBecome(const LocalForm &version, const LocalForm &form) {
  return (form.partial & ~version.partial) == 0 &&
         (!form.partial || form.partialKind == version.partialKind);
}

const LocalVersion *LocalValues::findCheapest(Value global,
                                              const LocalForm &form) const {
  const LocalVersion *best = nullptr;
  double bestCost = std::numeric_limits<double>::infinity();
  for (const LocalVersion &version : get(global)) {
    if (!canBecome(version.form, form))
      continue;
    double cost = price.ofPlan(getTensorType(global), version.form, form);
    if (cost < bestCost) {
      best = &version;
      bestCost = cost;
    }
  }
  return best;
}

double LocalValues::getCost(Value global, const LocalForm &form) const {
  if (generators.contains(global))
    return 0;
  const LocalVersion *version = findCheapest(global, form);
  return version ? price.ofPlan(getTensorType(global), version->form, form)
                 : std::numeric_limits<double>::infinity();
}

void LocalValues::add(Value global, const LocalForm &form, Value local) {
  versions[global].push_back({form, local});
  // Ranks' terms of a maximum cannot be shown as a sum; they are completed at
  // once, and then shown.
  if (form.partial && form.partialKind != LoopKind::Sum)
    return;
  const Mesh &mesh = shardings.getMesh();
  for (const ProbeInfo &probe : probes.lookup(global)) {
    auto shown = ProbeOp::create(
        builder, probe.loc, local, probe.name, probe.site,
        mesh.getShardingAttr(builder.getContext(), form.split, form.partial),
        /*rows=*/DenseI64ArrayAttr());
    shown->setDiscardableAttrs(probe.attrs);
  }
}

//===----------------------------------------------------------------------===//
// Collectives between versions
//===----------------------------------------------------------------------===//

static StringRef componentOf(Operation *op) {
  auto component =
      op ? op->getAttrOfType<StringAttr>(kComponentAttr) : StringAttr();
  return component ? component.getValue() : StringRef();
}

/// Parts of a sum belong to who produced them; other movement to who needs it.
StringRef LocalValues::chooseComponent(Value global, const ReshardStep &step,
                                       Operation *user) const {
  Operation *producer = global.getDefiningOp();
  if (step.isReduction() && producer) {
    if (producer != user && sums.isGradientFor(global, user))
      return kGradientsComponent;
    if (StringRef component = componentOf(producer); !component.empty())
      return component;
  }
  // Arguments that are terms of a sum are accumulated gradients.
  if (step.isReduction() && !producer)
    return kGradientsComponent;
  if (StringRef component = componentOf(user); !component.empty())
    return component;
  StringRef component = componentOf(producer);
  return component.empty() ? StringRef(kBlockComponent) : component;
}

/// A sum belongs to the layer that produced its terms; other movement to the
/// one that needs it.
static LayerAttr chooseLayer(Value global, const ReshardStep &step,
                             Operation *user) {
  bool isForUser =
      !step.isReduction() && !user->hasTrait<OpTrait::IsTerminator>();
  return getLayer(isForUser ? user : global.getDefiningOp());
}

Value LocalValues::materialize(Value global, const LocalForm &form,
                               Operation *user) {
  for (const LocalVersion &version : get(global))
    if (version.form == form)
      return version.value;
  if (const RuledOp *ruled = generators.lookup(global))
    return generate(*ruled, form, user);

  LocalVersion version = *findCheapest(global, form);
  for (const ReshardStep &step : planReshard(version.form, form)) {
    Operation *producer = global.getDefiningOp();
    Operation *blamed = step.isReduction() && producer ? producer : user;
    version.value = buildStep(builder, blamed->getLoc(), shardings.getMesh(),
                              version.form, step, version.value);
    Operation *made = version.value.getDefiningOp();
    made->setAttr(kComponentAttr,
                  builder.getStringAttr(chooseComponent(global, step, user)));
    setLayerIfNone(made, chooseLayer(global, step, user));
    version.form = applyStep(version.form, step);
    add(global, version.form, version.value);
  }
  return version.value;
}

//===----------------------------------------------------------------------===//
// Local operations
//===----------------------------------------------------------------------===//

/// The loops' axes by which the result of a generator gets `form`.
static SmallVector<AxisList> loopAxesFor(const ShardingRule &rule,
                                         const LocalForm &form) {
  SmallVector<AxisList> loopAxes(rule.getLoops().size());
  for (auto [loop, axes] : llvm::zip_equal(rule.getResults()[0], form.split))
    if (loop != kNoLoop)
      loopAxes[loop] = axes;
  return loopAxes;
}

/// Returns the form of a tensor when its loops are sharded over these axes.
static LocalForm formOf(ArrayRef<int> loops, ArrayRef<AxisList> loopAxes) {
  LocalForm form;
  for (int loop : loops)
    form.split.push_back(loop == kNoLoop ? AxisList() : loopAxes[loop]);
  return form;
}

Value LocalValues::generate(const RuledOp &ruled, const LocalForm &form,
                            Operation *user) {
  Value global = ruled.op->getResult(0);
  SmallVector<AxisList> loopAxes = loopAxesFor(ruled.rule, form);
  LocalForm built = formOf(ruled.rule.getResults()[0], loopAxes);
  SmallVector<LocalForm> operands;
  for (const DimLoops &loops : ruled.rule.getOperands())
    operands.push_back(formOf(loops, loopAxes));
  bool exists = llvm::any_of(get(global), [&](const LocalVersion &version) {
    return version.form == built;
  });
  if (!exists)
    build(ruled, operands, loopAxes, built);
  generators.erase(global);
  Value local = materialize(global, form, user);
  generators[global] = &ruled;
  return local;
}

void LocalValues::build(const RuledOp &ruled, ArrayRef<LocalForm> operandForms,
                        ArrayRef<AxisList> loopAxes,
                        ArrayRef<LocalForm> resultForms) {
  const Mesh &mesh = shardings.getMesh();
  SmallVector<Value> operands;
  SmallVector<Split> operandSplits;
  for (auto [operand, form] :
       llvm::zip_equal(ruled.op->getOperands(), operandForms)) {
    operands.push_back(materialize(operand, form, ruled.op));
    operandSplits.push_back(form.split);
  }
  SmallVector<Type> resultTypes;
  for (auto [result, form] :
       llvm::zip_equal(ruled.op->getResults(), resultForms))
    resultTypes.push_back(mesh.getLocalType(getTensorType(result), form.split));

  LocalBuild local{mesh, operands, operandSplits, loopAxes, resultTypes};
  SmallVector<Value> results;
  Block *block = builder.getInsertionBlock();
  Operation *before = block->empty() ? nullptr : &block->back();
  if (auto op = dyn_cast<ShardingRuleOpInterface>(ruled.op))
    op.buildLocal(builder, local, results);
  else
    cloneWithTypes(builder, ruled.op, local, results);

  StringRef component = componentOf(ruled.op);
  for (Operation *op = before ? before->getNextNode() : &block->front(); op;
       op = op->getNextNode()) {
    for (StringRef name : {kShardingsAttr, kSpreadAttr, kGradientSpreadAttr})
      op->removeAttr(name);
    setLayerIfNone(op, getLayer(ruled.op));
    if (!component.empty())
      op->setAttr(kComponentAttr, builder.getStringAttr(component));
  }
  for (auto [global, form, value] :
       llvm::zip_equal(ruled.op->getResults(), resultForms, results))
    add(global, form, value);
}

/// Appends to `axes`, of a dimension of `size`, those of `complete` over which
/// it is wanted sharded, if its axes are then those wanted in their order.
static void scatterAsWanted(AxisList &axes, const AxisList &wanted,
                            AxisMask complete, int64_t size, const Mesh &mesh) {
  AxisList scattered = axes;
  for (int16_t axis : wanted.restrictedTo(complete))
    scattered.push_back(axis);
  // The wanted axes may fail to divide a dimension that is sharded already.
  if (scattered.restrictedTo(wanted.getSet()).isPrefixOf(wanted) &&
      size % mesh.getSize(scattered) == 0)
    axes = scattered;
}

void LocalValues::completeResult(const RuledOp &ruled, Value global) {
  const LocalForm form = get(global).back().form;
  AxisMask now = 0;
  for (int16_t index : shardings.getMesh().getAxes(form.partial))
    if (AxisMask axis = AxisMask(1) << index;
        form.partialKind != LoopKind::Sum || !sums.waits(global, axis))
      now |= axis;
  if (!now || global.use_empty())
    return;

  LocalForm complete = form;
  complete.partial &= ~now;
  if (form.partialKind == LoopKind::Sum)
    for (auto [axes, wanted, size] :
         llvm::zip_equal(complete.split, shardings.getSplit(global),
                         getTensorType(global).getShape()))
      scatterAsWanted(axes, wanted, now, size, shardings.getMesh());
  materialize(global, complete, ruled.op);
  llvm::erase_if(versions[global], [&](const LocalVersion &version) {
    return (version.form.partial & now) != 0;
  });
}
