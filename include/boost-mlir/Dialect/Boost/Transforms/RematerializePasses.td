//===- RematerializePasses.td - Less memory ----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass of the stage rematerialize.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_REMATERIALIZEPASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_REMATERIALIZEPASSES_TD

include "mlir/Pass/PassBase.td"

def RematerializePass : Pass<"boost-rematerialize", "::mlir::func::FuncOp"> {
  let summary = "Recompute forward values in the backward pass.";
  let description = [{
    Decides, in functions with a `boost.phase backward`, which forward values
    are kept until the backward pass, and recomputes the others just before the
    backward pass reads them. A minimum cut selects the kept values: every value is an
    edge whose capacity is its size in bytes, values that may not be recomputed are
    sources, and values that the backward pass reads are connected to the sink.
    Arguments and constants cost nothing. Of several minimum cuts, the one that
    recomputes least is used.

    Operations that may be recomputed have a class:

    | class | operations |
    |---|---|
    | `elementwise` | passes over memory: elementwise operations, reductions, data movement |
    | `up-projection` | products with at least as many elements as their operand |
    | `down-projection` | products with fewer elements |
    | `attention` | `boost.attention` |

    `mode` selects a set of classes: `none` selects none, and `low-rank` all but
    `down-projection`. Collectives are never recomputed, except by `full-block`,
    which keeps only the inputs of layers and recomputes everything else, as
    checkpointing frameworks do, and is meant for comparison. Values that cost no pass
    over memory are recomputed in every mode: views, and functions of one
    value that are fused with their readers (`logistic`, conversions, masks).

    Layers are those of `boost.layer`; without any, the forward pass is one layer. The
    inputs of layers are always kept, since a value of one layer must not be
    recomputed from the layer before. Outside the layers only free values are
    recomputed, because the backward pass reads the values of the head immediately.

    Clones read kept values through `stablehlo.optimization_barrier`, which
    prevents common subexpression elimination from undoing the recomputation.
    The attribute `boost.recomputed` of clones lets the memory plan count their results.
    `boost.kept_bytes` on the function gives the bytes that are kept outside the layers
    and in each layer.

    ```mlir
    // boost-opt --boost-rematerialize="mode=low-rank"
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(%x: tensor<8x4xf32>, %a: tensor<4x3xf32>, %dz: tensor<8x3xf32>)
        -> (tensor<8x3xf32>, tensor<8x3xf32>) {
      %p = boost.linear %x, %a : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
      %h = boost.all_reduce sum %p on @mesh axes = [0] : tensor<8x3xf32>
      %s = stablehlo.logistic %h : tensor<8x3xf32>
      %z = stablehlo.multiply %h, %s : tensor<8x3xf32>
      boost.phase backward
      %ds = stablehlo.multiply %dz, %h : tensor<8x3xf32>
      %dw = stablehlo.multiply %ds, %z : tensor<8x3xf32>
      return %z, %dw : tensor<8x3xf32>, tensor<8x3xf32>
    }
    // becomes
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @f(
        %x: tensor<8x4xf32>,
        %a: tensor<4x3xf32>,
        %dz: tensor<8x3xf32>)
        -> (tensor<8x3xf32>, tensor<8x3xf32>) attributes {boost.kept_bytes = array<i64: 0, 96>} {
      %0 = boost.linear %x, %a : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
      %1 = boost.all_reduce sum %0 on @mesh axes = [0] : tensor<8x3xf32>
      %2 = stablehlo.logistic %1 : tensor<8x3xf32>
      %3 = stablehlo.multiply %1, %2 : tensor<8x3xf32>
      boost.phase backward
      %4 = stablehlo.multiply %dz, %1 : tensor<8x3xf32>
      %5 = stablehlo.optimization_barrier %1 : tensor<8x3xf32>
      %6 = stablehlo.logistic %5 {boost.recomputed} : tensor<8x3xf32>
      %7 = stablehlo.multiply %5, %6 {boost.recomputed} : tensor<8x3xf32>
      %8 = stablehlo.multiply %4, %7 : tensor<8x3xf32>
      return %3, %8 : tensor<8x3xf32>, tensor<8x3xf32>
    }
    ```

    Arithmetic: exact, with the same operations on the same operands. Never fails.
  }];
  let options = [
    Option<"mode", "mode", "::mlir::boost::RematKind", "::mlir::boost::RematKind::None",
           "none, low-rank or full-block">,
    ListOption<"recompute", "recompute", "::mlir::boost::RecomputeClass",
               "Classes that may be recomputed, in place of those of the mode">,
    Option<"layers", "layers", "int64_t", "-1",
           "Number of leading layers to which this applies; negative for all">,
    ListOption<"others", "others", "::mlir::boost::RecomputeClass",
               "Classes that may be recomputed in the remaining layers">,
    Option<"explain", "explain", "bool", "false",
           "Emit a remark for every kept value">
  ];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_REMATERIALIZEPASSES_TD
