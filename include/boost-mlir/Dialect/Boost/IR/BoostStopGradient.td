//===- BoostStopGradient.td - Values that are constants ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTSTOPGRADIENT_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTSTOPGRADIENT_TD

include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Boost_StopGradientOp
    : Boost_Op<"stop_gradient", [Pure, Elementwise, AllTypesMatch<["input", "result"]>]> {
  let summary = "Returns its operand, which counts as a constant.";
  let description = [{
    The result is the operand. `boost-differentiate` takes the result for a constant, so that
    no gradient goes through the operation, and then erases it. `jax.lax.stop_gradient`
    becomes this operation.

    ```mlir
    %0 = boost.stop_gradient %x : tensor<8x4xf32>
    ```
  }];
  let arguments = (ins Boost_FloatTensor:$input);
  let results = (outs Boost_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTSTOPGRADIENT_TD
