//===- Tensors.cpp - What arguments and results are -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute `boost.tensor`: which fields a role has, where a role may
// stand.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"

#include "Tensors.h"

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ConvertUTF.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;

/// A state that starts from an array beside the module.
static constexpr StringLiteral kArrayInit = "array";

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

TensorAttr TensorAttr::get(TensorRole role, StringAttr name) {
  return get(name.getContext(), role, name, /*kind=*/{}, /*of=*/{}, /*init=*/{},
             /*decay=*/{}, /*feed=*/{}, /*sample=*/{}, /*next_sample=*/{},
             /*option=*/{});
}

TensorAttr TensorAttr::getGradientOf(TensorAttr param) {
  Builder b(param.getContext());
  StringAttr name = param.getName();
  return get(b.getContext(), TensorRole::Gradient,
             b.getStringAttr(kGradientPrefix + name.getValue()), /*kind=*/{},
             name, /*init=*/{}, /*decay=*/{}, /*feed=*/{}, /*sample=*/{},
             /*next_sample=*/{}, /*option=*/{});
}

TensorAttr TensorAttr::getAccumulatorOf(TensorAttr param) {
  Builder b(param.getContext());
  StringAttr name = param.getName();
  return get(b.getContext(), TensorRole::Accumulator,
             b.getStringAttr(kAccumulatorPrefix + name.getValue()), /*kind=*/{},
             name, /*init=*/{}, /*decay=*/{}, /*feed=*/{}, /*sample=*/{},
             /*next_sample=*/{}, /*option=*/{});
}

TensorAttr TensorAttr::getStateOf(TensorAttr param, StringRef prefix,
                                  StringRef kind, StringRef init,
                                  double sample) {
  Builder b(param.getContext());
  StringAttr name = param.getName();
  return get(b.getContext(), TensorRole::State,
             b.getStringAttr(prefix + name.getValue()), b.getStringAttr(kind),
             name, b.getStringAttr(init), /*decay=*/{}, /*feed=*/{},
             sample == 0 ? FloatAttr() : b.getF64FloatAttr(sample),
             /*next_sample=*/{}, /*option=*/{});
}

TensorAttr TensorAttr::getHyper(MLIRContext *context, StringRef kind,
                                double sample, double nextSample,
                                OptionAttr option) {
  Builder b(context);
  return get(context, TensorRole::Hyper, b.getStringAttr("hyper." + kind),
             b.getStringAttr(kind), /*of=*/{}, /*init=*/{}, /*decay=*/{},
             /*feed=*/{}, b.getF64FloatAttr(sample),
             nextSample == sample ? FloatAttr() : b.getF64FloatAttr(nextSample),
             option);
}

TensorAttr TensorAttr::getMetric(MLIRContext *context, StringRef kind) {
  auto name = StringAttr::get(context, kind);
  return get(context, TensorRole::Metric, name, /*kind=*/name, /*of=*/{},
             /*init=*/{}, /*decay=*/{}, /*feed=*/{}, /*sample=*/{},
             /*next_sample=*/{}, /*option=*/{});
}

SmallVector<StringAttr> TensorAttr::getOwners() const {
  if (auto list = dyn_cast_or_null<ArrayAttr>(getOf()))
    return llvm::to_vector(list.getAsRange<StringAttr>());
  StringAttr owner = getOwner();
  return owner ? SmallVector<StringAttr>{owner} : SmallVector<StringAttr>();
}

StringAttr TensorAttr::getOwner() const {
  return dyn_cast_or_null<StringAttr>(getOf());
}

TensorAttr TensorAttr::withName(StringAttr name) const {
  return get(getContext(), getRole(), name, getKind(), getOf(), getInit(),
             getDecay(), getFeed(), getSample(), getNextSample(), getOption());
}

TensorAttr TensorAttr::withOf(Attribute of) const {
  return get(getContext(), getRole(), getName(), getKind(), of, getInit(),
             getDecay(), getFeed(), getSample(), getNextSample(), getOption());
}

TensorAttr TensorAttr::withInit(StringAttr init) const {
  return get(getContext(), getRole(), getName(), getKind(), getOf(), init,
             getDecay(), getFeed(), getSample(), getNextSample(), getOption());
}

TensorAttr TensorAttr::withDecay(BoolAttr decay) const {
  return get(getContext(), getRole(), getName(), getKind(), getOf(), getInit(),
             decay, getFeed(), getSample(), getNextSample(), getOption());
}

TensorAttr TensorAttr::withFeed(FeedAttr feed) const {
  return get(getContext(), getRole(), getName(), getKind(), getOf(), getInit(),
             getDecay(), feed, getSample(), getNextSample(), getOption());
}

bool mlir::boost::isInitRule(StringRef rule) {
  double number = 0;
  if (rule.consume_front("constant:"))
    return !rule.getAsDouble(number) && std::isfinite(number);
  return rule == "ones" || rule == "zeros" ||
         (rule.consume_front("normal:") && !rule.getAsDouble(number) &&
          std::isfinite(number) && number >= 0);
}

namespace {
/// A field that a role may have, or must have.
struct FieldRule {
  StringLiteral field;
  Attribute value;
  ArrayRef<TensorRole> allowed;
  ArrayRef<TensorRole> required;
};
} // namespace

static constexpr TensorRole kKindRoles[] = {
    TensorRole::State, TensorRole::Hyper, TensorRole::Metric};
static constexpr TensorRole kOfRoles[] = {
    TensorRole::Accumulator, TensorRole::Gradient, TensorRole::State};
static constexpr TensorRole kInitRoles[] = {
    TensorRole::Param, TensorRole::Frozen, TensorRole::State};
static constexpr TensorRole kDecayRoles[] = {TensorRole::Param};
static constexpr TensorRole kFeedRoles[] = {TensorRole::Batch};
static constexpr TensorRole kOptionRoles[] = {TensorRole::Hyper};
static constexpr TensorRole kSampleRoles[] = {TensorRole::State,
                                              TensorRole::Hyper};

/// Checks that `of` names a parameter, or several of a state.
static LogicalResult verifyOf(function_ref<InFlightDiagnostic()> emitError,
                              TensorRole role, StringAttr name, Attribute of) {
  if (!of || isa<StringAttr>(of))
    return success();
  auto refuse = [&](StringRef expected) {
    return emitError() << "expects 'of' of the " << stringifyTensorRole(role)
                       << " " << name << " to be " << expected << ", but got "
                       << of;
  };
  if (role != TensorRole::State)
    return refuse("the name of a parameter");
  auto list = dyn_cast<ArrayAttr>(of);
  if (!list || list.size() < 2 ||
      !llvm::all_of(list, llvm::IsaPred<StringAttr>))
    return refuse("the name of a parameter, or a list of several");
  llvm::SmallDenseSet<Attribute> names(list.begin(), list.end());
  return names.size() == list.size() ? success()
                                     : refuse("a list of different names");
}

LogicalResult TensorAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 TensorRole role, StringAttr name,
                                 StringAttr kind, Attribute of, StringAttr init,
                                 BoolAttr decay, FeedAttr feed,
                                 FloatAttr sample, FloatAttr nextSample,
                                 OptionAttr option) {
  if (!name || name.empty())
    return emitError() << "expects a name for the " << stringifyTensorRole(role)
                       << ", but got none";
  if (!isTensorName(name))
    return emitError() << "expects a name of UTF-8 for the "
                       << stringifyTensorRole(role) << ", but got " << name;
  const FieldRule rules[] = {
      {"kind", kind, kKindRoles, kKindRoles},
      {"of", of, kOfRoles, ArrayRef(kOfRoles).take_front(2)},
      {"init", init, kInitRoles, {}},
      {"decay", decay, kDecayRoles, {}},
      {"feed", feed, kFeedRoles, {}},
      {"sample", sample, kSampleRoles, {}},
      {"next_sample", nextSample, kOptionRoles, {}},
      {"option", option, kOptionRoles, {}}};
  for (const FieldRule &rule : rules) {
    if (rule.value && !llvm::is_contained(rule.allowed, role))
      return emitError() << "expects no '" << rule.field << "' of the "
                         << stringifyTensorRole(role) << " " << name
                         << ", but got " << rule.value;
    if (!rule.value && llvm::is_contained(rule.required, role))
      return emitError() << "expects '" << rule.field << "' of the "
                         << stringifyTensorRole(role) << " " << name
                         << ", but got none";
  }
  if (failed(verifyOf(emitError, role, name, of)))
    return failure();
  // Only a state has both 'of' and 'init'.
  bool isTaken = !init || isInitRule(init) ||
                 (isa_and_nonnull<StringAttr>(of) && init == kParamInit) ||
                 (role == TensorRole::State && init == kArrayInit) ||
                 (role == TensorRole::Frozen && init == kStoredInit);
  if (isTaken)
    return success();
  return emitError() << "expects 'init' of the " << stringifyTensorRole(role)
                     << " " << name
                     << " to be \"ones\", \"zeros\", \"constant:VALUE\" or "
                        "\"normal:STD\""
                     << (role == TensorRole::State
                             ? ", \"array\", or \"param\" where 'of' names one"
                         : role == TensorRole::Frozen ? ", or \"stored\""
                                                      : "")
                     << ", but got " << init;
}

LogicalResult OptionAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringAttr help, FloatAttr defaultValue,
                                 FloatAttr min, FloatAttr above,
                                 FloatAttr below) {
  auto number = [](FloatAttr attr) { return attr.getValueAsDouble(); };
  if (min && above)
    return emitError() << "expects 'min' or 'above', but got both";
  double value = number(defaultValue);
  bool isTaken = std::isfinite(value) && (!min || value >= number(min)) &&
                 (!above || value > number(above)) &&
                 (!below || value < number(below));
  if (!isTaken)
    return emitError() << "expects a default that the option takes, but got "
                       << value;
  return success();
}

bool mlir::boost::isTensorName(StringRef name) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(name.begin());
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(name.end());
  return !name.empty() && llvm::isLegalUTF8String(&begin, end);
}

//===----------------------------------------------------------------------===//
// On arguments and results
//===----------------------------------------------------------------------===//

bool mlir::boost::isResultRole(TensorRole role) {
  switch (role) {
  case TensorRole::Gradient:
  case TensorRole::Loss:
  case TensorRole::Metric:
  case TensorRole::Output:
    return true;
  default:
    return false;
  }
}

/// Returns true if a result of a function may have this role.
static bool isReturned(TensorRole role) {
  return isResultRole(role) || role == TensorRole::Param ||
         role == TensorRole::State || role == TensorRole::Accumulator ||
         role == TensorRole::Kept;
}

LogicalResult mlir::boost::verifyTensor(Operation *function, StringRef kind,
                                        unsigned index, Type type,
                                        Attribute attr, bool isResult) {
  auto refuse = [&] {
    return function->emitError()
           << "expects '" << kTensorAttr << "' of " << kind << " " << index;
  };
  auto tensor = dyn_cast<TensorAttr>(attr);
  if (!tensor)
    return refuse() << " to be a #boost.tensor, but got " << attr;
  TensorRole role = tensor.getRole();
  // An update takes gradients.
  bool isPlaced = isResult
                      ? isReturned(role)
                      : !isResultRole(role) || role == TensorRole::Gradient;
  if (isa<TensorType>(type) && !isPlaced)
    return refuse() << " to have a role of " << kind << "s, but got '"
                    << stringifyTensorRole(role) << "'";
  if (isParameter(tensor) && !isConstant(tensor) &&
      !isa<FloatType>(getElementTypeOrSelf(type)))
    return refuse() << " to be of floats as a parameter is, but got " << type;
  return success();
}

TensorAttr mlir::boost::getTensor(DictionaryAttr attrs) {
  return attrs ? attrs.getAs<TensorAttr>(kTensorAttr) : TensorAttr();
}

TensorAttr mlir::boost::getArgTensor(FunctionOpInterface function,
                                     unsigned index) {
  return function.getArgAttrOfType<TensorAttr>(index, kTensorAttr);
}

TensorAttr mlir::boost::getResultTensor(FunctionOpInterface function,
                                        unsigned index) {
  return function.getResultAttrOfType<TensorAttr>(index, kTensorAttr);
}

bool mlir::boost::hasRole(TensorAttr tensor, TensorRole role) {
  return tensor && tensor.getRole() == role;
}

bool mlir::boost::hasRole(FunctionOpInterface function, unsigned arg,
                          TensorRole role) {
  return hasRole(getArgTensor(function, arg), role);
}

bool mlir::boost::hasRole(BlockArgument argument, TensorRole role) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && hasRole(function, argument.getArgNumber(), role);
}

bool mlir::boost::isParameter(TensorAttr tensor) {
  return hasRole(tensor, TensorRole::Param) ||
         hasRole(tensor, TensorRole::Frozen);
}

/// Constants of integers, such as an order of rows, are no parameters of an
/// operation: weights are of floats.
bool mlir::boost::isParameter(FunctionOpInterface function, unsigned arg) {
  TensorAttr tensor = getArgTensor(function, arg);
  return isParameter(tensor) &&
         (!isConstant(tensor) || isa<FloatType>(getElementTypeOrSelf(
                                     function.getArgumentTypes()[arg])));
}

bool mlir::boost::isParameter(BlockArgument argument) {
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function && isParameter(function, argument.getArgNumber());
}

std::string mlir::boost::getArgName(FunctionOpInterface function,
                                    unsigned index) {
  if (TensorAttr tensor = getArgTensor(function, index))
    return tensor.getName().str();
  auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttr);
  return name ? name.str() : "arg" + std::to_string(index);
}

std::string mlir::boost::getResultName(FunctionOpInterface function,
                                       unsigned index) {
  TensorAttr tensor = getResultTensor(function, index);
  return tensor ? tensor.getName().str() : "out" + std::to_string(index);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// A tensor under a name that users know.
struct Named {
  StringAttr name;
  Attribute of;
  TensorAttr tensor;
};
} // namespace

/// A tensor, or those that are packed in it.
static SmallVector<Named> getNamed(DictionaryAttr attrs) {
  SmallVector<Named> all;
  TensorAttr tensor = getTensor(attrs);
  if (!tensor)
    return all;
  for (PartAttr part : getParts(attrs))
    all.push_back({part.getName(), part.getOf(), tensor});
  if (all.empty())
    all.push_back({tensor.getName(), tensor.getOf(), tensor});
  return all;
}

static bool replaces(const Named &result, const Named &argument) {
  return result.of == argument.of &&
         result.tensor.getRole() == argument.tensor.getRole() &&
         result.tensor.getKind() == argument.tensor.getKind();
}

/// Returns true for roles of tensors that the user gives.
static bool isGiven(TensorRole role) {
  return role == TensorRole::Param || role == TensorRole::Frozen ||
         role == TensorRole::Batch;
}

static LogicalResult refuseName(Location loc, const Named &one,
                                Location otherLoc, const Named &other) {
  TensorRole role = other.tensor.getRole();
  auto diag = emitError(loc)
              << "expects unique names, but a "
              << stringifyTensorRole(one.tensor.getRole()) << " and a "
              << stringifyTensorRole(role) << " are both called " << one.name;
  if (isGiven(role))
    diag.attachNote(otherLoc) << "the other argument is here";
  else
    diag.attachNote() << "rename the argument: training uses this name itself";
  return diag;
}

LogicalResult mlir::boost::verifyTensorNames(FunctionOpInterface function) {
  struct Argument {
    Named named;
    Location loc;
  };
  llvm::StringMap<Argument> arguments;
  for (unsigned i : llvm::seq(function.getNumArguments())) {
    Location loc = function.getArgument(i).getLoc();
    for (const Named &named : getNamed(function.getArgAttrDict(i))) {
      auto [other, isNew] =
          arguments.try_emplace(named.name.getValue(), Argument{named, loc});
      if (!isNew)
        return refuseName(other->second.loc, other->second.named, loc, named);
    }
  }
  llvm::StringMap<Named> results;
  for (unsigned i : llvm::seq(function.getNumResults()))
    for (const Named &named : getNamed(function.getResultAttrDict(i))) {
      auto argument = arguments.find(named.name.getValue());
      if (argument != arguments.end() &&
          !replaces(named, argument->second.named))
        return refuseName(argument->second.loc, argument->second.named,
                          function.getLoc(), named);
      auto [other, isNew] = results.try_emplace(named.name.getValue(), named);
      if (!isNew)
        return refuseName(function.getLoc(), other->second, function.getLoc(),
                          named);
    }
  return success();
}
