//===- StableHLOFactorization.td - Factorizations ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factorization that StableHLO has an operation for. Import makes an
// operation of the boost dialect of it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOFACTORIZATION_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOFACTORIZATION_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLODialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StableHLO_CholeskyOp : StableHLO_Op<"cholesky", [Pure, AllTypesMatch<["a", "result"]>]> {
  let summary = "Factorizes positive definite matrices.";
  let description = [{
    With `lower`, the result is the lower triangle l of `a = l . transpose(l)`, and otherwise
    the upper triangle u of `a = transpose(u) . u`. Only this triangle of `a` is read; the
    other triangle of the result is 0. The result of a matrix that is not positive definite
    is NaN. The dimensions before the last two are a batch.

    The pass `boost-raise-factorizations` makes a `boost.factorize` of the operation.

    ```mlir
    %1 = stablehlo.cholesky %a, lower = true : tensor<2x8x8xf32>
    ```
  }];
  let arguments = (ins StableHLO_FloatTensor:$a, DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs StableHLO_FloatTensor:$result);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict `:` type($result)
  }];
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOFACTORIZATION_TD
