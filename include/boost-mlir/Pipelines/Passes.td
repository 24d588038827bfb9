//===- Passes.td - Passes that run stages ------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PIPELINES_PASSES
#define BOOST_MLIR_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def RematerializeToBudgetPass : Pass<"boost-rematerialize-to-budget", "::mlir::ModuleOp"> {
  let summary = "Recompute as little as fits into a memory budget.";
  let description = [{
    Runs the stage `rematerialize` with the cheapest of its options whose program fits
    into `budget` bytes a rank. A candidate is judged by the memory plan and the cost
    model of the program that it becomes: the pass clones the module and runs the stages
    up to `lower` on the clone. Of a pipeline it is the stage that needs most memory.

    The candidates form a ladder. Each rung lets one more class of operations be
    recomputed in one more layer, in the order of the bytes that a class frees per second:
    elementwise operations, up-projections, attention, down-projections. Memory falls and
    time grows along the ladder, so a binary search finds the rung. Collectives are never
    recomputed.

    A module without functions fits into any budget:

    ```mlir
    // boost-opt --boost-rematerialize-to-budget="budget=1000000"
    module attributes {boost.level = "spmd"} {
      shard.grid @mesh(shape = 1) {boost.axes = ["tp"]}
    }
    // becomes
    module attributes {boost.level = "spmd"} {
      shard.grid @mesh(shape = 1) {boost.axes = ["tp"]}
    }
    ```

    Arithmetic: exact, as that of boost-rematerialize. Fails if no candidate fits, with an
    error that says how many bytes are missing, what the largest tensors are, and which
    mesh or batch would fit; and at a machine file that does not exist.
  }];
  let options = [
    Option<"budget", "budget", "int64_t", "0", "Bytes of memory that a rank has">,
    Option<"target", "target", "::mlir::boost::TargetKind", "::mlir::boost::TargetKind::CPU",
           "Target of the program">,
    Option<"machine", "machine", "std::string", "",
           "File of the machine that predicts the time, as a path or a file: URI">,
    Option<"explain", "explain", "bool", "false",
           "Emit a remark on what is recomputed and what it costs">,
    ListOption<"disabledPasses", "disable-pass", "std::string",
               "Passes of the stage to leave out">,
    Option<"order", "order", "::mlir::boost::PipelineSchedule",
           "::mlir::boost::PipelineSchedule::OneForwardOneBackward",
           "Option of the stage schedule, which divides a pipeline">,
    Option<"chunks", "chunks", "int64_t", "1", "Option of the stage schedule">,
    ListOption<"layout", "layout", "int64_t", "Option of the stage schedule">
  ];
}

#endif // BOOST_MLIR_PIPELINES_PASSES
