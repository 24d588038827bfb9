//===- MemoryPlan.cpp - The memory of a compiled program ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/MemoryPlan.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Support/UserLines.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::boost;

func::FuncOp mlir::boost::getLargestFunction(ModuleOp module,
                                             DictionaryAttr memory) {
  auto name = memory.getAs<StringAttr>("function");
  return name ? module.lookupSymbol<func::FuncOp>(name) : func::FuncOp();
}

ArrayRef<int64_t> mlir::boost::getKeptBytes(func::FuncOp function) {
  auto bytes = function
                   ? function->getAttrOfType<DenseI64ArrayAttr>(kKeptBytesAttr)
                   : DenseI64ArrayAttr();
  return bytes ? bytes.asArrayRef() : ArrayRef<int64_t>();
}

llvm::DenseMap<int64_t, std::string>
mlir::boost::getLargestLocations(func::FuncOp function) {
  llvm::DenseMap<int64_t, std::string> locations;
  if (function)
    function.walk([&](Operation *op) {
      if (auto number = op->getAttrOfType<IntegerAttr>(kLargestAttr))
        locations[number.getInt()] = describeUserLine(op->getLoc());
    });
  return locations;
}

/// In the order of the table. Only a program with constants has those.
static constexpr StringRef kMemoryCategories[] = {
    "parameters",  "constants", "masters", "optimizer",
    "batch",       "gradients", "kept",    "recomputed",
    "temporaries", "results",   "unused",  "peak"};

MemoryPlan mlir::boost::getMemoryPlan(ModuleOp module) {
  MemoryPlan plan;
  auto memory = module->getAttrOfType<DictionaryAttr>(kMemoryAttr);
  if (!memory)
    return plan;
  plan.peak = memory.getAs<IntegerAttr>("peak").getInt();
  auto getBytes = [&](StringRef category) -> std::optional<int64_t> {
    auto bytes = memory.getAs<IntegerAttr>(category);
    return bytes ? std::optional(bytes.getInt()) : std::nullopt;
  };
  for (StringRef category :
       {"parameters", "constants", "masters", "optimizer", "gradients"})
    plan.fixed += getBytes(category).value_or(0);
  func::FuncOp function = getLargestFunction(module, memory);
  ArrayRef<int64_t> kept = getKeptBytes(function);
  plan.layers = std::max<int64_t>(0, static_cast<int64_t>(kept.size()) - 1);
  llvm::raw_string_ostream table(plan.table), largest(plan.largest);
  auto writeRow = [&](const std::string &name, int64_t bytes) {
    table << llvm::format("  %-10s %15lld bytes %6.2f %%\n", name.c_str(),
                          static_cast<long long>(bytes),
                          100.0 * static_cast<double>(bytes) /
                              static_cast<double>(plan.peak));
  };
  for (StringRef category : kMemoryCategories)
    if (std::optional<int64_t> bytes = getBytes(category))
      writeRow(category.str(), *bytes);
  if (auto stages = memory.getAs<ArrayAttr>("stages"))
    for (auto [stage, each] :
         llvm::enumerate(stages.getAsRange<DictionaryAttr>()))
      writeRow("stage " + std::to_string(stage),
               each.getAs<IntegerAttr>("peak").getInt());
  auto locations = getLargestLocations(function);
  for (auto [number, attr] :
       llvm::enumerate(memory.getAs<ArrayAttr>("largest"))) {
    auto entry = cast<DictionaryAttr>(attr);
    int64_t bytes = entry.getAs<IntegerAttr>("bytes").getInt();
    largest << llvm::format("  %15lld bytes  ", static_cast<long long>(bytes))
            << entry.getAs<StringAttr>("type").getValue() << "  "
            << entry.getAs<StringAttr>("what").getValue() << "  "
            << locations.lookup(number) << "\n";
  }
  return plan;
}
