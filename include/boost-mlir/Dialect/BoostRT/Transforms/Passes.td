//===- Passes.td - Passes on the runtime level -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tensors in destination style to memrefs in one arena and kernels.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES
#define BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def NumberCollectivesPass : Pass<"boostrt-number-collectives", "::mlir::ModuleOp"> {
  let summary = "Gives every collective of the program its number in the plan";
  let description = [{
    Numbers the communicating boostrt operations in program order over all
    functions of the module, from 0. The number is the operation's `site`: its
    index in the plan and the counter it advances in the training binary.
    `boostrt.all_slice` and `boostrt.process_index` send nothing and get none.

    ```mlir
    %h = boostrt.all_reduce sum group 2 outs(%p : tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %h = boostrt.all_reduce sum group 2 site 0 outs(%p : tensor<4xf32>) -> tensor<4xf32>
    ```

    Exact: no value changes.
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES
