//===- BoostChoice.td - Calls that a number chooses --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTCHOICE_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTCHOICE_TD

include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "mlir/IR/SymbolInterfaces.td"

def Boost_ChooseOp : Boost_Op<"choose", [HasParent<"::mlir::boost::ScheduleOp">]> {
  let summary = "One call of a schedule, of one of several functions.";
  let description = [{
    Calls `index`, and then the function among `functions` whose position it returns, counted
    from 0. `index` computes this number from states and numbers of the step, which are the
    same on all ranks, so that all ranks call the same function and meet in its collectives.
    Only the function that is called costs anything.

    ```mlir
    func.func @accumulate(
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      %0 = stablehlo.add %s, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @parity(%n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">})
        -> (tensor<i32> {boost.tensor = #boost.tensor<output "choice">}) {
      %two = stablehlo.constant dense<2> : tensor<i32>
      %0 = stablehlo.remainder %n, %two : tensor<i32>
      return %0 : tensor<i32>
    }
    func.func @down(
        %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
        %n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
            tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
            tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.subtract %w, %s : tensor<4xf32>
      %1 = stablehlo.add %n, %one : tensor<i32>
      return %0, %1, %zero : tensor<4xf32>, tensor<i32>, tensor<4xf32>
    }
    func.func @reset(
        %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
        %n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
            tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
            tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.add %n, %one : tensor<i32>
      return %zero, %0, %zero : tensor<4xf32>, tensor<i32>, tensor<4xf32>
    }
    boost.schedule @train {
      boost.call @accumulate micro_batch 0
      boost.choose @parity among [@down, @reset]
    }
    ```

    The verifier of the schedule checks that

    - there are at least two functions, which are different;
    - `index` takes only scalars that are states or hyper-parameters, and returns one scalar
      of i32 of the role `output`;
    - all functions take and give the same tensors, in the same order, with the same types,
      shardings and parts. For the rules of schedules they are one function that is called
      once;
    - none of them reads the batch, keeps values or reads kept ones;
    - all functions belong to the same pipeline stage, or all to none, and `index` belongs to
      none. In a pipeline, each stage has a choice of its own, by the same index.

    `index` returns a number below that of the functions. `train` ends with an error if it
    does not.
  }];
  let arguments = (ins FlatSymbolRefAttr:$index,
                       TypedArrayAttrBase<FlatSymbolRefAttr, "functions">:$functions);
  let assemblyFormat = "$index `among` $functions attr-dict";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the names of the functions, without that of `index`.
    auto getFunctionNames() {
      return ::llvm::map_range(
          getFunctions().getAsRange<::mlir::FlatSymbolRefAttr>(),
          [](::mlir::FlatSymbolRefAttr name) { return name.getAttr(); });
    }
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTCHOICE_TD
