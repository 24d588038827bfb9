//===- ShardingAnnotations.cpp - What a program says of shardings ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/Transforms/ShardingAnnotations.h"

#include "boost-mlir/Dialect/StableHLO/IR/SDY.h"
#include "boost-mlir/Dialect/StableHLO/IR/Unsupported.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

bool stablehlo::isAnnotation(CustomCallOp call) {
  return isAnnotationTarget(call.getCallTargetName()) &&
         call->getNumOperands() == 1 &&
         call->getOperandTypes() == call->getResultTypes();
}

namespace {
/// The axes of each dimension as `name=size`.
using Hint = SmallVector<SmallVector<std::string, 1>>;
} // namespace

//===----------------------------------------------------------------------===//
// Shardy
//===----------------------------------------------------------------------===//

/// The sizes of the axes in `<["data"=2, "model"=4]>`.
static llvm::StringMap<std::string> readAxes(StringRef mesh) {
  llvm::StringMap<std::string> sizes;
  while (mesh.contains('"')) {
    auto [name, rest] = mesh.split('"').second.split('"');
    StringRef size = rest.drop_front(rest.starts_with("=") ? 1 : rest.size());
    sizes[name] = size.take_while(llvm::isDigit).str();
    mesh = rest;
  }
  return sizes;
}

/// Takes one dimension, such as `{"data", ?}p1`, from the front of `text`.
static std::optional<SmallVector<std::string, 1>>
takeDimension(StringRef &text, const llvm::StringMap<std::string> &sizes,
              bool &isOpen) {
  if (!text.consume_front("{"))
    return std::nullopt;
  StringRef body = text.take_until([](char c) { return c == '}'; });
  text = text.drop_front(body.size());
  if (!text.consume_front("}"))
    return std::nullopt;
  SmallVector<std::string, 1> axes;
  SmallVector<StringRef> entries;
  body.split(entries, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef entry : entries) {
    entry = entry.trim();
    if (entry == "?") {
      isOpen = true;
      continue;
    }
    // Parts of an axis, `"data":(1)2`, are not found by this name.
    auto size = sizes.find(entry.trim('"'));
    if (size == sizes.end() || size->second.empty())
      return std::nullopt;
    axes.push_back((size->first() + "=" + size->second).str());
  }
  // A priority, which only orders the propagation of Shardy.
  if (text.consume_front("p"))
    text = text.drop_while(llvm::isDigit);
  return axes;
}

/// `sharding<@mesh, [{"data"}, {}]>`.
static std::optional<Hint> readShardy(ModuleOp module, StringRef text) {
  if (!text.consume_front("sharding<"))
    return std::nullopt;
  StringRef meshText = text;
  if (text.consume_front("@")) {
    StringRef name = text.take_until([](char c) { return c == ','; }).trim();
    auto mesh = module.lookupSymbol<sdy::MeshOp>(name);
    if (!mesh)
      return std::nullopt;
    meshText = mesh.getMesh();
    text = text.drop_front(name.size());
  } else {
    meshText = text.take_until([](char c) { return c == '>'; });
    text = text.drop_front(meshText.size());
  }
  llvm::StringMap<std::string> sizes = readAxes(meshText);
  text = text.drop_until([](char c) { return c == '['; });
  if (!text.consume_front("["))
    return std::nullopt;
  Hint hint;
  bool isOpen = false, isCut = false;
  while (!text.consume_front("]")) {
    auto axes = takeDimension(text, sizes, isOpen);
    if (!axes)
      return std::nullopt;
    isCut |= !axes->empty();
    hint.push_back(*axes);
    text.consume_front(",");
    text = text.ltrim();
  }
  // A sharding that is open in every dimension says nothing.
  if (isOpen && !isCut)
    return std::nullopt;
  return hint;
}

//===----------------------------------------------------------------------===//
// GSPMD
//===----------------------------------------------------------------------===//

/// `{devices=[2,1]<=[2]}`, also with a last dimension of copies.
static std::optional<Hint> readGSPMD(StringRef text, int64_t rank) {
  if (text == "{replicated}")
    return Hint(rank);
  if (!text.consume_front("{devices=["))
    return std::nullopt;
  SmallVector<StringRef> tiles;
  text.take_until([](char c) { return c == ']'; }).split(tiles, ',');
  if (text.contains("last_tile_dim"))
    tiles.pop_back();
  Hint hint;
  for (StringRef tile : tiles) {
    SmallVector<std::string, 1> &axes = hint.emplace_back();
    if (tile != "1")
      axes.push_back(("=" + tile).str());
  }
  return hint;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static std::optional<Hint> readHint(ModuleOp module, DictionaryAttr attrs,
                                    int64_t rank) {
  if (auto shardy = attrs.getAs<OpaqueAttr>("sdy.sharding"))
    return readShardy(module, shardy.getAttrData());
  if (auto gspmd = attrs.getAs<StringAttr>("mhlo.sharding"))
    return readGSPMD(gspmd.getValue(), rank);
  return std::nullopt;
}

ArrayAttr stablehlo::readShardingHint(ModuleOp module, DictionaryAttr attrs,
                                      Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!attrs || !tensor)
    return {};
  std::optional<Hint> hint = readHint(module, attrs, tensor.getRank());
  if (!hint || static_cast<int64_t>(hint->size()) != tensor.getRank())
    return {};
  Builder builder(type.getContext());
  SmallVector<Attribute> dims;
  for (const auto &axes : *hint)
    dims.push_back(builder.getStrArrayAttr(
        llvm::map_to_vector(axes, [](StringRef axis) { return axis; })));
  return builder.getArrayAttr(dims);
}
