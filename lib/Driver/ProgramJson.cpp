//===- ProgramJson.cpp - Attributes of a program as JSON ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramJson.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost;

Json mlir::boost::toJson(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, Json>(attribute)
      .Case([](StringAttr text) { return Json(text.str()); })
      .Case([](BoolAttr flag) { return Json(flag.getValue()); })
      .Case([](IntegerAttr number) { return Json(number.getInt()); })
      .Case([](FloatAttr number) { return Json(number.getValueAsDouble()); })
      .Case([](ArrayAttr list) {
        Json items = Json::array();
        for (Attribute item : list)
          items.push_back(toJson(item));
        return items;
      })
      .Case([](DictionaryAttr dictionary) {
        Json fields = Json::object();
        for (NamedAttribute field : dictionary)
          fields[field.getName().str()] = toJson(field.getValue());
        return fields;
      })
      .Default([](Attribute) { return Json(); });
}

StringRef mlir::boost::getText(Operation *op, StringRef attribute,
                               StringRef otherwise) {
  auto text = op->getAttrOfType<StringAttr>(attribute);
  return text ? text.getValue() : otherwise;
}

SmallVector<func::FuncOp> mlir::boost::getFunctions(ModuleOp module) {
  SmallVector<func::FuncOp> functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function->hasAttr(kKernelAttr) && !function.isExternal())
      functions.push_back(function);
  return functions;
}
