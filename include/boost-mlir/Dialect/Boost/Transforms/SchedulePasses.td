//===- SchedulePasses.td - Pipeline stages -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stage schedule.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_SCHEDULEPASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_SCHEDULEPASSES_TD

include "mlir/Pass/PassBase.td"

def SplitStagesPass : Pass<"boost-split-stages", "::mlir::ModuleOp"> {
  let summary = "Divide functions and schedules by the stages of a pipeline.";
  let description = [{
    Does nothing on a mesh without an axis `pp`. Otherwise the layers are divided
    into `chunks` times as many chunks of consecutive layers as the axis has ranks;
    chunk `c` is on the stage `c` modulo that number. Functions of micro-batches become
    one function for the forward pass of each chunk, and one for its backward pass:

    - Operations of a layer belong to its chunk, or to a later one if they read what is
      known only there. Others belong to the first chunk where all that they read is
      known; in the backward pass to the last. Operations before
      the first layer, such as the embedding, belong to the chunk that reads them.
    - What depends on the batch and on constants only, or on parameters and constants
      only, and belongs to no layer, is computed wherever it is read.
    - Values that another function reads become arguments and results of the role
      `kept`. Where the backward pass of a chunk reads what another chunk recomputes, it
      reads the value that the forward pass computed.

    The update becomes one function for each stage, which updates the parameters whose
    gradients the stage has. Numbers that depend on tensors of several stages, such as
    the norm of all gradients, are summed over `pp`.

    A parameter that is stacked over layers becomes one tensor for each chunk, with
    `boost.rows`, if its rows are read layer by layer and if the sharding rules of all
    operations of the update keep rows apart. Its gradient and its states do so too.

    The schedules call these functions in the order of `order`, and have a
    `boost.transfer` for all values that go from one chunk to another. A parameter that
    several stages read is updated on one of them, which sends it to the others.

    ```mlir
    module attributes {boost.level = "spmd"} {
      shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
      func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">},
                      %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
                      %v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">})
          -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">}) {
        %0 = stablehlo.multiply %x, %w {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
        %1 = stablehlo.multiply %0, %v {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
        return %1 : tensor<4xf32>
      }
      boost.schedule @evaluate {
        boost.call @loss micro_batch 0
      }
    }
    // becomes
    module attributes {boost.level = "spmd"} {
      shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
      func.func @loss_forward_0(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">},
                                %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">})
          -> (tensor<4xf32> {boost.tensor = #boost.tensor<kept "kept.evaluate.0">})
          attributes {boost.part_of = "loss", boost.stage = 0 : i64} {
        %0 = stablehlo.multiply %x, %w {boost.layer = #boost.layer<class = 0, index = 0>} : tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      func.func @loss_forward_1(%v: tensor<4xf32> {boost.tensor = #boost.tensor<param "v">},
                                %0: tensor<4xf32> {boost.tensor = #boost.tensor<kept "kept.evaluate.0">})
          -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "y">})
          attributes {boost.part_of = "loss", boost.stage = 1 : i64} {
        %1 = stablehlo.multiply %0, %v {boost.layer = #boost.layer<class = 0, index = 1>} : tensor<4xf32>
        return %1 : tensor<4xf32>
      }
      boost.schedule @evaluate {
        boost.call @loss_forward_0 micro_batch 0 slot 0
        boost.transfer ["kept.evaluate.0"] micro_batch 0 from 0 slot 0 to 1 slot 0
        boost.call @loss_forward_1 micro_batch 0 slot 0
      }
    }
    ```

    Arithmetic: reassociating (sums over stages). Needs: the spmd level, with
    `boost.layer` on the operations of layers. Fails if there are fewer layers than
    chunks, if a schedule cannot have this order, or if an update combines tensors of
    several stages that are no numbers.
  }];
  let options = [
    Option<"order", "order", "::mlir::boost::PipelineSchedule",
           "::mlir::boost::PipelineSchedule::OneForwardOneBackward",
           "The order in which stages compute: gpipe, 1f1b or interleaved">,
    Option<"chunks", "chunks", "int64_t", "1", "Chunks of layers on each pipeline stage">,
    ListOption<"layout", "layout", "int64_t",
               "Layers of each chunk; without them, equally many">
  ];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_SCHEDULEPASSES_TD
