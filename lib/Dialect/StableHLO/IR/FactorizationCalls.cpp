//===- FactorizationCalls.cpp - Factorizations of programs ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/FactorizationCalls.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

#define GET_OP_CLASSES
#include "boost-mlir/Dialect/StableHLO/IR/StableHLOFactorization.cpp.inc"

LogicalResult CholeskyOp::verify() {
  ArrayRef<int64_t> shape = getA().getType().getShape();
  if (shape.size() < 2 || shape.back() != shape.end()[-2])
    return emitOpError() << "expects square matrices, but got "
                         << getA().getType();
  return success();
}

DictionaryAttr stablehlo::getBackendConfig(CustomCallOp call) {
  if (auto config = call->getAttrOfType<DictionaryAttr>("mhlo.backend_config"))
    return config;
  return call->getAttrOfType<DictionaryAttr>("backend_config");
}

std::optional<size_t> stablehlo::readLetter(DictionaryAttr config,
                                            StringRef key, StringRef letters) {
  auto code = config.getAs<IntegerAttr>(key);
  if (!code || code.getValue().getActiveBits() > 7)
    return std::nullopt;
  size_t place =
      letters.find(static_cast<char>(code.getValue().getZExtValue()));
  return place == StringRef::npos ? std::nullopt : std::optional(place);
}

namespace {
/// One function of LAPACK, in one of its modes.
struct Function {
  /// The name without its prefix, its letter of the type and its suffix.
  StringRef name;
  FactorizationCall call;
  /// Entries of the configuration that choose the mode, by their letters.
  SmallVector<std::pair<StringRef, StringRef>, 2> letters;
};
} // namespace

/// The functions, as JAX calls them: matrices that are symmetric have their
/// lower triangle read. `gesdd` also returns the overwritten matrix, and, for
/// singular values alone, matrices that it does not write.
static ArrayRef<Function> getFunctions() {
  using Kind = Factorization;
  static const Function functions[] = {
      {"potrf", {Kind::Cholesky, {0}, 1}, {{"uplo", "L"}}},
      {"geqrf", {Kind::QR, {0, 1}, std::nullopt}, {}},
      {"orgqr", {Kind::QRBasis, {0}, std::nullopt}, {}},
      {"syevd", {Kind::Eigh, {0, 1}, 2}, {{"mode", "V"}, {"uplo", "L"}}},
      {"gesdd", {Kind::SVD, {1, 2, 3}, 4}, {{"mode", "S"}}},
      {"gesdd", {Kind::FullSVD, {1, 2, 3}, 4}, {{"mode", "A"}}},
      {"gesdd", {Kind::SingularValues, {1}, 4}, {{"mode", "N"}}},
  };
  return functions;
}

/// Returns the name of a function without its prefix, its letter of the type
/// and its suffix, or an empty string for other targets.
static StringRef getFunctionName(StringRef target) {
  if (!target.consume_front("lapack_") || !target.consume_back("_ffi") ||
      (!target.starts_with("s") && !target.starts_with("d")))
    return {};
  return target.drop_front();
}

bool stablehlo::isFactorizationTarget(StringRef target) {
  StringRef name = getFunctionName(target);
  return llvm::any_of(getFunctions(), [&](const Function &function) {
    return function.name == name;
  });
}

/// Returns true if nothing reads the other results of a call.
static bool readsOnly(CustomCallOp call, const FactorizationCall &form) {
  return llvm::all_of(call->getResults(), [&](OpResult result) {
    unsigned number = result.getResultNumber();
    return result.use_empty() || number == form.status ||
           llvm::is_contained(form.results, number);
  });
}

/// Returns true if operands and results are what the function takes and
/// returns.
static bool isComplete(CustomCallOp call, const FactorizationCall &form) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  unsigned last = form.results.back();
  if (form.status)
    last = std::max(last, *form.status);
  if (!llvm::all_of(call->getOperandTypes(), isStatic) ||
      !llvm::all_of(call->getResultTypes(), isStatic) ||
      call->getNumResults() != last + 1 || !readsOnly(call, form))
    return false;
  SmallVector<Type> results = llvm::map_to_vector(
      form.results, [&](unsigned i) { return call->getResult(i).getType(); });
  ScopedDiagnosticHandler silence(call.getContext(),
                                  [](Diagnostic &) { return success(); });
  if (failed(verifyFactorization(form.kind, call->getOperandTypes(), results,
                                 [&] { return emitError(call.getLoc()); })))
    return false;
  if (!form.status)
    return true;
  auto matrices = cast<RankedTensorType>(call->getOperand(0).getType());
  auto status = cast<RankedTensorType>(call->getResult(*form.status).getType());
  return status.getElementType().isInteger(32) &&
         status.getShape() == matrices.getShape().drop_back(2);
}

std::optional<FactorizationCall>
stablehlo::matchFactorizationCall(CustomCallOp call) {
  // Operands say the type: where boost-prove makes a program one of f64, the
  // letter is still that of f32.
  StringRef name = getFunctionName(call.getCallTargetName());
  DictionaryAttr config = getBackendConfig(call);
  for (const Function &function : getFunctions()) {
    bool isMode = llvm::all_of(function.letters, [&](const auto &entry) {
      return config && readLetter(config, entry.first, entry.second);
    });
    if (function.name == name && isMode && isComplete(call, function.call))
      return function.call;
  }
  return std::nullopt;
}
