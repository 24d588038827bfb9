//===- ExplainPlacement.cpp - Remarks on how arguments are sharded --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what a placement has written. Equal layers are placed alike, so that
// what is said of an argument of one of them is said once.
//
//===----------------------------------------------------------------------===//

#include "Placement.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace mlir;
using namespace mlir::boost;

/// The layer whose operations alone read `argument`; null if there is none.
static LayerAttr getLayerOfUsers(BlockArgument argument) {
  LayerAttr layer;
  for (Operation *user : argument.getUsers()) {
    LayerAttr own = getLayer(user);
    if (!own || (layer && own != layer))
      return {};
    layer = own;
  }
  return layer;
}

namespace {
/// Arguments that one remark is about: those at one position of equal layers,
/// with one sharding for one reason.
using GroupKey = std::tuple<int64_t, int64_t, Attribute, Attribute>;

/// Counts for the summary.
struct Totals {
  int64_t params = 0, sharded = 0, bytes = 0, localBytes = 0;
};
} // namespace

static std::string describeBytes(int64_t bytes) {
  return llvm::formatv("{0:f2} MiB", static_cast<double>(bytes) / (1 << 20));
}

static Totals countParams(func::FuncOp func, const Mesh &mesh) {
  Totals totals;
  for (BlockArgument argument : func.getArguments()) {
    if (!hasRole(argument, TensorRole::Param))
      continue;
    auto sharding = func.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(),
                                                        kShardingAttr);
    auto type = cast<RankedTensorType>(argument.getType());
    Split split;
    // The placement itself has written it.
    [[maybe_unused]] std::string problem =
        mesh.parseSharding(sharding, type, split);
    assert(problem.empty() && "expects a sharding that fits");
    int64_t parts = mesh.getSize(getAxesOf(split));
    int64_t bytes = getDenseBytes(type);
    ++totals.params;
    totals.sharded += parts > 1;
    totals.bytes += bytes;
    totals.localBytes += bytes / parts;
  }
  return totals;
}

void mlir::boost::explainPlacement(func::FuncOp func, const Mesh &mesh,
                                   StringRef placement) {
  Totals totals = countParams(func, mesh);
  emitRemark(getUserLocation(func))
      << "placement '" << placement << "' shards " << totals.sharded << " of "
      << totals.params << " parameters: a rank holds "
      << describeBytes(totals.localBytes) << " of "
      << describeBytes(totals.bytes);

  llvm::MapVector<GroupKey, SmallVector<BlockArgument>> groups;
  DenseMap<Attribute, int64_t> sizes;
  for (BlockArgument argument : func.getArguments()) {
    unsigned index = argument.getArgNumber();
    LayerAttr layer = getLayerOfUsers(argument);
    // What belongs to no layer is a group of its own.
    int64_t kind = layer ? layer.getKind() : -1;
    int64_t position = layer ? sizes[layer]++ : index;
    groups[{kind, position, func.getArgAttr(index, kShardingAttr),
            func.getArgAttr(index, kReasonAttr)}]
        .push_back(argument);
  }
  for (auto &[key, arguments] : groups) {
    BlockArgument first = arguments.front();
    auto diag = emitRemark(first.getLoc());
    diag << "'" << getArgName(func, first.getArgNumber()) << "'";
    if (arguments.size() > 1)
      diag << " (the first of " << arguments.size() << " equal layers)";
    diag << ": " << cast<StringAttr>(std::get<3>(key)).getValue();
  }
}
