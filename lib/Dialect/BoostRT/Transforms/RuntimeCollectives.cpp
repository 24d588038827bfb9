//===- RuntimeCollectives.cpp - Groups and sites --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every group with the mesh and every site with the plan.
//
//===----------------------------------------------------------------------===//

#include "RuntimeCollectives.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

namespace {

class CollectiveVerifier {
public:
  explicit CollectiveVerifier(ModuleOp module)
      : module(module), grid(module.lookupSymbol<shard::GridOp>(kMeshSymbol)) {}

  LogicalResult run();

private:
  LogicalResult verify(RankGroupOpInterface op);
  LogicalResult verifyGroup(Operation *op, AxisMask group);
  LogicalResult verifySite(Operation *op, std::optional<uint32_t> site);
  LogicalResult expectAllSites();
  int64_t getSize(AxisMask group);

  ModuleOp module;
  shard::GridOp grid;
  llvm::DenseMap<uint32_t, Operation *> sites;
};

} // namespace

int64_t CollectiveVerifier::getSize(AxisMask group) {
  int64_t size = 1;
  for (auto [axis, ranks] : llvm::enumerate(grid.getShape()))
    if (group >> axis & 1)
      size *= ranks;
  return size;
}

/// Axes of one rank do not occur; those that do have the names that the op
/// carries.
LogicalResult CollectiveVerifier::verifyGroup(Operation *op, AxisMask group) {
  if (!grid)
    return op->emitOpError("expects a shard.grid @")
           << kMeshSymbol << " in the module";
  auto names = grid->getAttrOfType<ArrayAttr>(kAxesAttr);
  SmallVector<Attribute> axes;
  for (int32_t axis = 0; axis < 31; ++axis) {
    if (!(group >> axis & 1))
      continue;
    bool exists = axis < grid.getRank();
    if (!exists || grid.getShape()[axis] == 1)
      return op->emitOpError()
             << "expects a group of axes of more than one rank, but axis "
             << axis << (exists ? " has one" : " is not in the mesh");
    if (names)
      axes.push_back(names[axis]);
  }
  if (!names)
    return success();
  auto expected = ArrayAttr::get(op->getContext(), axes);
  Attribute own = op->getAttr(kGroupAxesAttr);
  if (own == expected)
    return success();
  auto diag = op->emitOpError()
              << "expects '" << kGroupAxesAttr << "' to be " << expected
              << " for group " << group << ", but got ";
  return own ? diag << own : diag << "none";
}

LogicalResult CollectiveVerifier::verifySite(Operation *op,
                                             std::optional<uint32_t> site) {
  if (!site)
    return op->emitOpError("expects a site; run boostrt-number-collectives");
  auto [it, isNew] = sites.try_emplace(*site, op);
  if (isNew)
    return success();
  auto diag = op->emitOpError() << "expects a unique site, but got " << *site;
  diag.attachNote(it->second->getLoc()) << "which this collective has";
  return diag;
}

LogicalResult CollectiveVerifier::verify(RankGroupOpInterface op) {
  if (failed(verifyGroup(op, op.getGroupAxes())))
    return failure();
  auto collective = dyn_cast<CollectiveOpInterface>(op.getOperation());
  if (collective && failed(verifySite(op, collective.getSite())))
    return failure();
  return verifyGroupSize(op, getSize(op.getGroupAxes()));
}

LogicalResult CollectiveVerifier::expectAllSites() {
  auto expected = module->getAttrOfType<IntegerAttr>(kSitesAttr);
  if (!expected) {
    if (sites.empty())
      return success();
    return module.emitError()
           << "expects the number of sites in '" << kSitesAttr
           << "'; run boostrt-number-collectives";
  }
  for (int64_t site = 0; site < expected.getInt(); ++site)
    if (!sites.contains(site))
      return module.emitError()
             << "expects a collective of site " << site << ", but got none";
  if (static_cast<int64_t>(sites.size()) == expected.getInt())
    return success();
  return module.emitError() << "expects " << expected.getInt()
                            << " sites, but got " << sites.size();
}

LogicalResult CollectiveVerifier::run() {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function->hasAttr(kKernelAttr))
      continue;
    WalkResult result = function.walk([&](RankGroupOpInterface op) {
      return failed(verify(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return failure();
  }
  return expectAllSites();
}

LogicalResult mlir::boost::rt::verifyCollectives(ModuleOp module) {
  return CollectiveVerifier(module).run();
}
