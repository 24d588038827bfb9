//===- ClassifyParameters.cpp - How parameters start, and which decay -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives `boost.init` and `boost.decay` to the parameters that do not say.
//
//===----------------------------------------------------------------------===//

#include "ParameterUses.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/Boost/IR/ParameterAttrs.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include <cmath>

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_CLASSIFYPARAMETERSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

/// Weights are drawn around zero, so that decay towards zero suits them.
static bool isWeight(uint8_t uses) {
  return uses & (kContracted | kLookedUp | kPositions);
}

/// What a parameter starts from. No scale starts at zero.
static StringRef getDefaultInit(uint8_t uses) {
  if (isWeight(uses))
    return "normal:0.02";
  if (uses & kScale)
    return "ones";
  if (uses == 0 || (uses & (kShiftedScale | kAdded)))
    return "zeros";
  return "normal:0.02";
}

/// "ones", "zeros" or "normal:STD" with a deviation that is no less than 0.
static bool isInit(Attribute attr) {
  auto text = dyn_cast<StringAttr>(attr);
  if (!text)
    return false;
  StringRef rule = text.getValue();
  double deviation = 0;
  return rule == "ones" || rule == "zeros" ||
         (rule.consume_front("normal:") && !rule.getAsDouble(deviation) &&
          std::isfinite(deviation) && deviation >= 0);
}

/// Checks what a parameter says of itself.
static LogicalResult checkGiven(Location loc, DictionaryAttr given) {
  Attribute name = given.get(kNameAttr);
  if (Attribute init = given.get(kInitAttr); init && !isInit(init))
    return emitError(loc) << "expects " << kInitAttr << " of parameter " << name
                          << " to be \"ones\", \"zeros\" or \"normal:STD\", "
                             "but got "
                          << init;
  Attribute decay = given.get(kDecayAttr);
  if (decay && !isa<BoolAttr>(decay))
    return emitError(loc) << "expects " << kDecayAttr << " of parameter "
                          << name << " to be true or false, but got " << decay;
  return success();
}

/// `given` with what it does not say of a parameter that is used so.
static DictionaryAttr complete(DictionaryAttr given, uint8_t uses) {
  Builder builder(given.getContext());
  NamedAttrList attrs(given);
  if (!given.contains(kInitAttr))
    attrs.set(kInitAttr, builder.getStringAttr(getDefaultInit(uses)));
  if (!given.contains(kDecayAttr))
    attrs.set(kDecayAttr, builder.getBoolAttr(isWeight(uses)));
  return attrs.getDictionary(given.getContext());
}

static LogicalResult classify(func::FuncOp function) {
  ParameterUses uses(function);
  // Written at once: one by one would copy the list for every argument.
  SmallVector<DictionaryAttr> all;
  for (BlockArgument argument : function.getArguments()) {
    unsigned i = argument.getArgNumber();
    DictionaryAttr given = function.getArgAttrDict(i);
    auto role = given ? given.getAs<StringAttr>(kArgAttr) : StringAttr();
    if (!role || role.getValue() != kParamArg) {
      all.push_back(given ? given : DictionaryAttr::get(function.getContext()));
      continue;
    }
    if (failed(checkGiven(argument.getLoc(), given)))
      return failure();
    all.push_back(complete(given, uses.of(argument)));
  }
  function.setAllArgAttrs(all);
  return success();
}

namespace {

struct ClassifyParametersPass
    : stablehlo::impl::ClassifyParametersPassBase<ClassifyParametersPass> {
  void runOnOperation() override {
    if (failed(classify(getOperation())))
      signalPassFailure();
  }
};

} // namespace
