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
#include "llvm/ADT/TypeSwitch.h"

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
  LogicalResult verify(Operation *op);
  LogicalResult verifyGroup(Operation *op, int32_t group);
  LogicalResult verifySite(Operation *op, std::optional<uint32_t> site);
  LogicalResult expectRatio(Operation *op, Value whole, Value piece,
                            int64_t dim, int32_t group);
  template <typename OpTy>
  LogicalResult verifyPieces(OpTy op, ValueRange wholes, ValueRange pieces);
  LogicalResult expectAllSites();
  int64_t getSize(int32_t group);

  ModuleOp module;
  shard::GridOp grid;
  llvm::DenseMap<uint32_t, Operation *> sites;
};

} // namespace

int64_t CollectiveVerifier::getSize(int32_t group) {
  int64_t size = 1;
  for (auto [axis, ranks] : llvm::enumerate(grid.getShape()))
    if (group >> axis & 1)
      size *= ranks;
  return size;
}

/// Axes of one rank do not occur; those that do have the names that the op
/// carries.
LogicalResult CollectiveVerifier::verifyGroup(Operation *op, int32_t group) {
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

LogicalResult CollectiveVerifier::expectRatio(Operation *op, Value whole,
                                              Value piece, int64_t dim,
                                              int32_t group) {
  int64_t size = cast<ShapedType>(whole.getType()).getDimSize(dim);
  int64_t part = cast<ShapedType>(piece.getType()).getDimSize(dim);
  if (part * getSize(group) == size)
    return success();
  return op->emitOpError() << "expects dimension " << dim << " of " << size
                           << " in " << getSize(group)
                           << " pieces, one per rank of the group, but got "
                           << part;
}

/// Verifies several tensors, each along its dimension.
template <typename OpTy>
LogicalResult CollectiveVerifier::verifyPieces(OpTy op, ValueRange wholes,
                                               ValueRange pieces) {
  if (failed(verifyGroup(op, op.getGroup())) ||
      failed(verifySite(op, op.getSite())))
    return failure();
  for (auto [whole, piece, dim] : llvm::zip_equal(wholes, pieces, op.getDims()))
    if (failed(expectRatio(op, whole, piece, dim, op.getGroup())))
      return failure();
  return success();
}

LogicalResult CollectiveVerifier::verify(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](rt::AllReduceOp each) {
        return success(succeeded(verifyGroup(op, each.getGroup())) &&
                       succeeded(verifySite(op, each.getSite())));
      })
      .Case([&](rt::AllGatherOp each) {
        return verifyPieces(each, each.getOuts(), each.getInputs());
      })
      .Case([&](rt::ReduceScatterOp each) {
        return verifyPieces(each, each.getInputs(), each.getOuts());
      })
      .Case([&](AllToAllOp each) {
        return success(
            succeeded(verifyGroup(op, each.getGroup())) &&
            succeeded(verifySite(op, each.getSite())) &&
            succeeded(expectRatio(op, each.getInput(), each.getOuts(),
                                  each.getSplitDim(), each.getGroup())) &&
            succeeded(expectRatio(op, each.getOuts(), each.getInput(),
                                  each.getConcatDim(), each.getGroup())));
      })
      .Case([&](AllSliceOp each) {
        return success(
            succeeded(verifyGroup(op, each.getGroup())) &&
            succeeded(expectRatio(op, each.getInput(), each.getOuts(),
                                  each.getDim(), each.getGroup())));
      })
      .Case([&](rt::ProcessIndexOp each) {
        return verifyGroup(op, each.getGroup());
      })
      .Default([](Operation *) { return success(); });
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
    WalkResult result = function.walk([&](Operation *op) {
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
