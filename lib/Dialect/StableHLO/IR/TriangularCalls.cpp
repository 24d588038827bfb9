//===- TriangularCalls.cpp - Triangular systems as calls ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/TriangularCalls.h"

#include "boost-mlir/Dialect/StableHLO/IR/FactorizationCalls.h"

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

std::optional<TriangularForm>
stablehlo::matchTriangularCall(CustomCallOp call) {
  DictionaryAttr config = getBackendConfig(call);
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
