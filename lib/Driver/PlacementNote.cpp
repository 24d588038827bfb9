//===- PlacementNote.cpp - What was placed, for the plan ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementNote.h"

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/Transforms/PlacementTable.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

/// The axes of each dimension: [[], ["tp"]].
static Json toJson(ShardingAttr sharding) {
  Json dims = Json::array();
  for (ArrayAttr axes : sharding.getDimAxes()) {
    Json names = Json::array();
    for (auto axis : axes.getAsRange<StringAttr>())
      names.push_back(axis.str());
    dims.push_back(names);
  }
  return dims;
}

std::string mlir::boost::describePlacement(ModuleOp module) {
  func::FuncOp loss = findLoss(module);
  FailureOr<Mesh> mesh = Mesh::getOrOneRank(module);
  if (!loss || failed(mesh))
    return "";
  PlacementTable table = PlacementTable::get(loss, *mesh);
  Json classes = Json::array();
  for (const PlacementTable::LayerClass &layerClass : table.classes) {
    Json arguments = Json::array();
    for (const PlacementTable::Argument &argument : layerClass.arguments)
      arguments.push_back({{"name", argument.name},
                           {"count", argument.count},
                           {"shape", argument.type.getShape().vec()},
                           {"sharding", toJson(argument.sharding)},
                           {"reason", argument.reason.str()}});
    classes.push_back(
        {{"layers", layerClass.layers}, {"arguments", arguments}});
  }
  Json placement = {{"parameters", table.params},
                    {"sharded", table.sharded},
                    {"bytes", table.bytes},
                    {"local_bytes", table.localBytes},
                    {"classes", classes}};
  // A name may hold any bytes.
  return placement.dump(-1, ' ', /*ensure_ascii=*/false,
                        Json::error_handler_t::replace);
}
