//===- Passes.td - Passes on the boost dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that read and write boost and StableHLO operations, in the order of
// the pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

def AnnotateRegionsPass : Pass<"boost-annotate-regions", "::mlir::func::FuncOp"> {
  let summary = "Say of every operation which part of the model it is in.";
  let description = [{
    Sets `boost.region` on the operations of a function, so that collectives,
    bytes and time can later be counted per part:

    | region | operations |
    |---|---|
    | `embedding` | `boost.embedding` and what only prepares its ids |
    | `loss` | `boost.cross_entropy` and everything that follows from it |
    | `head` | the linear that makes the logits, what stands between it and the loss, and the norm read by nothing else |
    | `block` | everything between |

    An operation that does not depend on the embedding (a rotary table, a slice
    of a stacked parameter) belongs where its users are if they agree. Constants
    belong nowhere.

    ```mlir
    // Before
    %e = boost.embedding %t, %ids : ...
    %l = boost.linear %e, %w : ...
    // After
    %e = boost.embedding %t, %ids {boost.region = "embedding"} : ...
    %l = boost.linear %e, %w {boost.region = "block"} : ...
    ```

    Arithmetic: exact, only attributes change. Never fails; existing regions are
    replaced.
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD
