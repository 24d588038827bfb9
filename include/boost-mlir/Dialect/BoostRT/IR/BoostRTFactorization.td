//===- BoostRTFactorization.td - Calls that factorize ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call of the runtime that factorizes matrices.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTFACTORIZATION_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTFACTORIZATION_TD

include "boost-mlir/Dialect/Boost/IR/BoostFactorization.td"
include "boost-mlir/Dialect/BoostRT/IR/BoostRTDialect.td"

def BoostRT_FactorizeOp : BoostRT_Op<"factorize", [AttrSizedOperandSegments],
                                     ["getDeviceWorkspaceBytes"]> {
  let summary = "Factorizes matrices.";
  let description = [{
    Computes what `boost.factorize` of the same kind does. The outs are its results.

    ```mlir
    %r:2 = boostrt.factorize eigh ins(%a : tensor<3x8x8xf32>)
        outs(%v, %w : tensor<3x8x8xf32>, tensor<3x8xf32>) -> tensor<3x8x8xf32>, tensor<3x8xf32>
    ```
  }];
  let arguments = (ins Variadic<BoostRT_Shaped>:$inputs, Variadic<BoostRT_Shaped>:$outs,
                       Boost_Factorization:$kind);
  let assemblyFormat = [{
    $kind `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outs `:` type($outs) `)` attr-dict
    (`->` type($results)^)?
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTFACTORIZATION_TD
