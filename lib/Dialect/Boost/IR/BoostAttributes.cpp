//===- BoostAttributes.cpp - Discardable attributes are verified ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that every attribute of BoostAttrNames.h may have, and where it
// may stand.
//
//===----------------------------------------------------------------------===//

#include "Sharding.h"
#include "Tensors.h"

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Factors.h"
#include "boost-mlir/Dialect/Boost/IR/Spread.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static bool isString(Attribute attr) { return isa<StringAttr>(attr); }

static bool isUnit(Attribute attr) { return isa<UnitAttr>(attr); }

static bool isFlag(Attribute attr) { return isa<BoolAttr>(attr); }

static bool isCount(Attribute attr) {
  auto number = dyn_cast_or_null<IntegerAttr>(attr);
  return number && number.getType().isInteger(64) && number.getInt() >= 0;
}

static bool isCounts(Attribute attr) {
  auto numbers = dyn_cast<DenseI64ArrayAttr>(attr);
  return numbers && llvm::all_of(numbers.asArrayRef(),
                                 [](int64_t number) { return number >= 0; });
}

template <typename AttrT> static bool isListOf(Attribute attr) {
  auto list = dyn_cast<ArrayAttr>(attr);
  return list && llvm::all_of(list, llvm::IsaPred<AttrT>);
}

static bool isDictionary(Attribute attr) { return isa<DictionaryAttr>(attr); }

static bool areConstants(Attribute attr) {
  auto constants = dyn_cast<DictionaryAttr>(attr);
  return constants && llvm::all_of(constants, [](NamedAttribute entry) {
           return isa<DenseElementsAttr>(entry.getValue());
         });
}

/// Returns true if `attr` is what boostrt-plan-memory writes and the plan
/// reads.
static bool isMemoryPlan(Attribute attr) {
  auto memory = dyn_cast<DictionaryAttr>(attr);
  if (!memory || !isCount(memory.get("peak")) || !isCount(memory.get("unused")))
    return false;
  return llvm::all_of(memory, [](NamedAttribute entry) {
    if (entry.getName() == "function")
      return isString(entry.getValue());
    if (entry.getName() == "largest")
      return isListOf<DictionaryAttr>(entry.getValue());
    if (entry.getName() == "stages")
      return isListOf<DictionaryAttr>(entry.getValue()) &&
             llvm::all_of(cast<ArrayAttr>(entry.getValue()), isMemoryPlan);
    return isCount(entry.getValue());
  });
}

/// Returns true if `attr` has each of the fields as a count.
static bool hasCounts(DictionaryAttr attr, ArrayRef<StringRef> fields) {
  return llvm::all_of(
      fields, [&](StringRef field) { return isCount(attr.get(field)); });
}

/// Returns true if `attr` says how large the arena of every stage is and where
/// its stash and the workspace of its calls are, if it has them.
static bool isStageList(Attribute attr) {
  auto isStage = [](DictionaryAttr stage) {
    Attribute stash = stage.get("stash");
    Attribute workspace = stage.get("workspace_offset");
    return hasCounts(stage, {"arena_bytes"}) &&
           (!workspace || isCount(workspace)) &&
           (!stash ||
            (isDictionary(stash) && hasCounts(cast<DictionaryAttr>(stash),
                                              {"offset", "bytes", "slots"})));
  };
  return isListOf<DictionaryAttr>(attr) && !cast<ArrayAttr>(attr).empty() &&
         llvm::all_of(cast<ArrayAttr>(attr).getAsRange<DictionaryAttr>(),
                      isStage);
}

static bool isHint(Attribute attr) {
  return isListOf<ArrayAttr>(attr) &&
         llvm::all_of(cast<ArrayAttr>(attr), isListOf<StringAttr>);
}

static bool isForeignRole(Attribute attr) {
  auto role = dyn_cast<StringAttr>(attr);
  return role && (role == "param" || role == "frozen" || role == "batch");
}

static bool isName(Attribute attr) {
  auto name = dyn_cast<StringAttr>(attr);
  return name && isTensorName(name);
}

static bool isPhase(Attribute attr) {
  auto phase = dyn_cast<StringAttr>(attr);
  return phase && symbolizePhase(phase.getValue());
}

static bool areRows(Attribute attr) {
  auto rows = dyn_cast<DenseI64ArrayAttr>(attr);
  return rows && rows.size() == 2 && rows[0] >= 0 && rows[0] < rows[1];
}

static bool isFactor(Attribute attr) { return parseFactor(attr).has_value(); }

static bool isLevel(Attribute attr) {
  auto level = dyn_cast<StringAttr>(attr);
  return level && level == kSpmdLevel;
}

namespace {
struct AttributeRule {
  StringRef name;
  bool (*holds)(Attribute);
  /// For the message.
  StringRef text;
};
} // namespace

static constexpr AttributeRule kModuleRules[] = {
    {kArenaBytesAttr, isCount, "an i64 of at least 0"},
    {kConstantsAttr, areConstants, "a dictionary of dense elements"},
    {kInitialValuesAttr, isString, "a string"},
    {kLevelAttr, isLevel, "\"spmd\""},
    {kMemoryAttr, isMemoryPlan, "a memory plan"},
    {kOptimizerAttr, isDictionary, "a dictionary"},
    {kProgramHashAttr, isString, "a string"},
    {kStagesAttr, isStageList, "the arenas of one stage or more"},
    {kTensorsAttr, isListOf<DictionaryAttr>, "an array of dictionaries"},
};

static constexpr AttributeRule kFunctionRules[] = {
    {kInputsAttr, isListOf<StringAttr>, "an array of names"},
    {kKeptBytesAttr, isCounts, "a list of i64 of at least 0"},
    {kKernelAttr, isUnit, "a unit"},
    {kOutputsAttr, isListOf<StringAttr>, "an array of names"},
    {kPartOfAttr, isString, "a string"},
    {kRepetitionsAttr, isCount, "an i64 of at least 0"},
    {kStageAttr, isCount, "an i64 of at least 0"},
};

static constexpr AttributeRule kOperationRules[] = {
    {kFactorAttr, isFactor, "\"first\", \"middle\" or \"second\""},
    {kLargestAttr, isCount, "an i64 of at least 0"},
    {kOneTermAttr, isUnit, "a unit"},
    {kPhaseAttr, isPhase, "\"forward\", \"backward\" or \"optimizer\""},
    {kRecomputedAttr, isUnit, "a unit"},
    {kComponentAttr, isString, "a string"},
};

static constexpr AttributeRule kArgumentRules[] = {
    {kArgAttr, isForeignRole, "\"param\", \"frozen\" or \"batch\""},
    {kDecayAttr, isFlag, "true or false"},
    {kHintAttr, isHint, "lists of names of axes"},
    {kIdLimitAttr, isCount, "an i64 of at least 0"},
    {kInitAttr, isString, "a string"},
    {kMicroBatchesAttr, isCount, "an i64 of at least 0"},
    {kNameAttr, isName, "a non-empty string of UTF-8"},
    {kPartsAttr, isListOf<PartAttr>, "an array of #boost.part"},
    {kReasonAttr, isString, "a string"},
    {kRowsAttr, areRows, "the number of a row and a larger one of all rows"},
};

static constexpr AttributeRule kResultRules[] = {
    {kNameAttr, isName, "a non-empty string of UTF-8"},
    {kPartsAttr, isListOf<PartAttr>, "an array of #boost.part"},
    {kRowsAttr, areRows, "the number of a row and a larger one of all rows"},
};

static const AttributeRule *findRule(ArrayRef<AttributeRule> rules,
                                     StringRef name) {
  const auto *rule = llvm::find_if(
      rules, [&](const AttributeRule &rule) { return rule.name == name; });
  return rule == rules.end() ? nullptr : rule;
}

//===----------------------------------------------------------------------===//
// On operations
//===----------------------------------------------------------------------===//

/// Returns true if the operation is a symbol, such as a function or a module.
/// Tests the trait, since looking up an interface that is missing, as on almost
/// every operation, is slow.
static bool isSymbol(Operation *op) {
  return op->hasTrait<SymbolOpInterface::Trait>();
}

static LogicalResult verifyLayer(Operation *op, Attribute attr) {
  if (!isa<LayerAttr>(attr))
    return op->emitError() << "expects '" << kLayerAttr
                           << "' to be a #boost.layer, but got " << attr;
  if (isSymbol(op))
    return op->emitError() << "expects '" << kLayerAttr
                           << "' on operations inside of functions only";
  return success();
}

/// Checks an attribute that is of one kind of operation.
static LogicalResult verifyRule(Operation *op, NamedAttribute attr,
                                const AttributeRule &rule, bool isInPlace,
                                StringRef place) {
  if (!isInPlace)
    return op->emitError() << "expects '" << rule.name << "' on " << place
                           << " only";
  if (!rule.holds(attr.getValue()))
    return op->emitError() << "expects '" << rule.name << "' to be "
                           << rule.text << ", but got " << attr.getValue();
  return success();
}

LogicalResult BoostDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == kLayerAttr)
    return verifyLayer(op, attr.getValue());
  if (name == kShardingsAttr)
    return verifyShardings(op, attr.getValue());
  if (name == kSpreadAttr || name == kGradientSpreadAttr)
    return verifySpread(op, attr);
  if (name == kAxesAttr)
    return verifyAxisNames(op, attr.getValue());
  // The attributes that most operations have come first.
  if (const AttributeRule *rule = findRule(kOperationRules, name))
    return verifyRule(op, attr, *rule, !isSymbol(op),
                      "operations inside of functions");
  if (const AttributeRule *rule = findRule(kModuleRules, name))
    return verifyRule(op, attr, *rule, isa<ModuleOp>(op), "modules");
  if (const AttributeRule *rule = findRule(kFunctionRules, name))
    return verifyRule(op, attr, *rule, isa<FunctionOpInterface>(op),
                      "functions");
  return op->emitError() << "has an attribute '" << name
                         << "' that boost does not know on operations";
}

//===----------------------------------------------------------------------===//
// On arguments and results
//===----------------------------------------------------------------------===//

/// Checks one attribute of an argument or result.
static LogicalResult verifyValueAttribute(Operation *op, NamedAttribute attr,
                                          bool isResult, unsigned index) {
  // The verifier of this interface is who asks.
  auto function = cast<FunctionOpInterface>(op);
  StringRef name = attr.getName(), kind = isResult ? "result" : "argument";
  Type type = isResult ? function.getResultTypes()[index]
                       : function.getArgumentTypes()[index];
  if (name == kShardingAttr)
    return verifySharding(function, kind, index, type, attr.getValue());
  if (name == kTensorAttr)
    return verifyTensor(function, kind, index, type, attr.getValue(), isResult);
  Location loc = isResult || function.isExternal()
                     ? function.getLoc()
                     : function.getArgument(index).getLoc();
  const AttributeRule *rule =
      isResult ? findRule(kResultRules, name) : findRule(kArgumentRules, name);
  if (!rule)
    return emitError(loc) << "has an attribute '" << name << "' on " << kind
                          << " " << index << " that boost does not know there";
  if (!rule->holds(attr.getValue()))
    return emitError(loc) << "expects '" << name << "' of " << kind << " "
                          << index << " to be " << rule->text << ", but got "
                          << attr.getValue();
  return success();
}

LogicalResult BoostDialect::verifyRegionArgAttribute(Operation *op,
                                                     unsigned /*region*/,
                                                     unsigned index,
                                                     NamedAttribute attr) {
  return verifyValueAttribute(op, attr, /*isResult=*/false, index);
}

LogicalResult BoostDialect::verifyRegionResultAttribute(Operation *op,
                                                        unsigned /*region*/,
                                                        unsigned index,
                                                        NamedAttribute attr) {
  return verifyValueAttribute(op, attr, /*isResult=*/true, index);
}
