//===- TriangularCalls.cpp - Triangular systems as calls ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/TriangularCalls.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

bool stablehlo::isTriangularTarget(StringRef target) {
  return target == "lapack_strsm_ffi" || target == "lapack_dtrsm_ffi";
}

TriangularForm stablehlo::getForm(TriangularSolveOp op) {
  return {op.getLeftSide(), op.getLower(), op.getUnitDiagonal(),
          op.getTransposeA() != Transpose::NO_TRANSPOSE};
}

/// The place of the character that LAPACK is given as `key` in `letters`.
static std::optional<size_t> readLetter(DictionaryAttr config, StringRef key,
                                        StringRef letters) {
  auto code = config.getAs<IntegerAttr>(key);
  if (!code || code.getValue().getActiveBits() > 7)
    return std::nullopt;
  size_t place =
      letters.find(static_cast<char>(code.getValue().getZExtValue()));
  return place == StringRef::npos ? std::nullopt : std::optional(place);
}

std::optional<TriangularForm>
stablehlo::matchTriangularCall(CustomCallOp call) {
  // StableHLO has it in one place, and what JAX prints in the other.
  auto config = call->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  if (!config)
    config = call->getAttrOfType<DictionaryAttr>("backend_config");
  if (!isTriangularTarget(call.getCallTargetName()) || !config ||
      call->getNumOperands() != 2 || call->getNumResults() != 1)
    return std::nullopt;
  auto side = readLetter(config, "side", "RL");
  auto triangle = readLetter(config, "uplo", "UL");
  auto diagonal = readLetter(config, "diag", "NU");
  auto transpose = readLetter(config, "trans_x", "NTC");
  auto a = dyn_cast<RankedTensorType>(call->getOperand(0).getType());
  auto b = dyn_cast<RankedTensorType>(call->getOperand(1).getType());
  if (!side || !triangle || !diagonal || !transpose || !a || !b)
    return std::nullopt;
  bool isLeft = *side == 1;
  int64_t rank = a.getRank();
  if (rank < 2 || b.getRank() != rank || call->getResult(0).getType() != b ||
      !isa<Float32Type, Float64Type>(a.getElementType()) ||
      a.getElementType() != b.getElementType() ||
      a.getDimSize(rank - 1) != a.getDimSize(rank - 2) ||
      a.getShape().drop_back(2) != b.getShape().drop_back(2) ||
      b.getDimSize(isLeft ? rank - 2 : rank - 1) != a.getDimSize(rank - 1))
    return std::nullopt;
  return TriangularForm{isLeft, *triangle == 1, *diagonal == 1,
                        *transpose != 0};
}
