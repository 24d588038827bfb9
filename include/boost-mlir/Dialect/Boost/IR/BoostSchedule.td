//===- BoostSchedule.td - Schedules of the boost dialect ---*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules, and the calls and transfers that they consist of.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTSCHEDULE_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTSCHEDULE_TD

include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "mlir/IR/SymbolInterfaces.td"

def Boost_ScheduleOp : Boost_Op<"schedule", [
    Symbol, NoTerminator, SingleBlock, NoRegionArguments,
    HasParent<"::mlir::ModuleOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "The functions that the program calls for one batch, in order.";
  let description = [{
    A module has up to three schedules:

    | schedule | computes for a batch |
    |---|---|
    | `@train` | a training step |
    | `@gradients` | the loss and its gradients |
    | `@evaluate` | the loss |

    The batch of a run of the schedule consists of `micro_batches` parts of equal size.
    The cost model, the plan, the manifest, `train`, `eval`, `--verify` and the prover
    read from the schedule which functions run, how often, and in which order. They know
    no function by its name.

    ```mlir
    func.func @accumulate(
        %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">},
        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      %0 = stablehlo.add %s, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @update(
        %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
            tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
      %0 = stablehlo.subtract %w, %s : tensor<4xf32>
      return %0, %zero : tensor<4xf32>, tensor<4xf32>
    }
    boost.schedule @train micro_batches 2 {
      boost.call @accumulate micro_batch 0
      boost.call @accumulate micro_batch 1
      boost.call @update
    }
    ```

    In a program with pipeline stages, `boost.stage` of a function is the stage that runs
    it; every stage runs a function without the attribute. A stage holds the tensors that
    its functions name, and has its own stash. The body lists what all stages do, in one
    order. A rank runs the calls of its stage, and the transfers that its stage takes part
    in, in this order. As a transfer is one operation for both of its stages, the earliest
    operation that is not complete can always go on. No schedule deadlocks, even if every
    send waits for its receive.

    ```mlir
    func.func @forward_0(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">})
        attributes {boost.stage = 0 : i64} {
      return %x : tensor<4xf32>
    }
    func.func @forward_1(%h: tensor<4xf32> {boost.tensor = #boost.tensor<kept "h">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "out0">})
        attributes {boost.stage = 1 : i64} {
      return %h : tensor<4xf32>
    }
    boost.schedule @evaluate micro_batches 2 {
      boost.call @forward_0 micro_batch 0 slot 0
      boost.transfer ["h"] micro_batch 0 from 0 slot 0 to 1 slot 0
      boost.call @forward_0 micro_batch 1 slot 0
      boost.call @forward_1 micro_batch 0 slot 0
      boost.transfer ["h"] micro_batch 1 from 0 slot 0 to 1 slot 0
      boost.call @forward_1 micro_batch 1 slot 0
    }
    ```

    The verifier checks that calls and transfers fit together. At the runtime level, where
    functions have no results, it checks only that the functions exist:

    - The body contains at least one operation: `boost.call`, `boost.choose`, `boost.transfer`.
      Every call names a function of the module, and `boost.tensor` describes each argument
      of the function.
    - A call has a `micro_batch` if and only if its function reads the batch, or keeps
      values or reads kept ones. The calls of one function have the micro-batches from 0 to
      `micro_batches - 1`, each once and in order.
    - A call has a `slot` if and only if its function keeps values or reads kept ones. It
      reads a kept value from its slot, where an earlier call or transfer of the same
      micro-batch and stage has kept it. A kept value is read before another value replaces
      it in its slot, and before the schedule ends.
    - If calls with a micro-batch add to an accumulator, one later call without a
      micro-batch reads the sum on each stage that has it. No call adds to it afterwards.
      Only the calls of one stage add to an accumulator.
    - A schedule replaces a parameter or a state at most once on each stage. No call with a
      micro-batch reads a parameter after its stage has replaced it. If a schedule replaces
      one parameter or state, it replaces all parameters that its calls read, on every stage
      that reads them.
    - Functions of both stages of a transfer name its tensors, with one role and one type.
      `boost.transfer` and `boost.choose` have rules of their own besides.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$micro_batches);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`micro_batches` $micro_batches^)? $body attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the calls of all stages in the order in which they run.
    ::llvm::SmallVector<::mlir::boost::CallOp> getCalls();
  }];
}

def Boost_CallOp : Boost_Op<"call", [HasParent<"::mlir::boost::ScheduleOp">]> {
  let summary = "One call of a schedule.";
  let description = [{
    Calls a function. Arguments and results of the function refer to tensors by the names in
    their `boost.tensor`; those of the role `batch` are the part of the batch that
    `micro_batch` numbers. `slot` is the number of the place in the stash where the call
    leaves its results of the role `kept`, or finds its arguments of this role.

    ```mlir
    func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<output "out0">}) {
      return %x : tensor<4xf32>
    }
    boost.schedule @evaluate {
      boost.call @loss micro_batch 0
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$micro_batch,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$slot);
  let assemblyFormat = [{
    $callee (`micro_batch` $micro_batch^)? (`slot` $slot^)? attr-dict
  }];
}

def Boost_TransferOp : Boost_Op<"transfer", [HasParent<"::mlir::boost::ScheduleOp">]> {
  let summary = "A transfer of tensors from one pipeline stage to another.";
  let description = [{
    Every rank of stage `from` sends its part of the tensors to the rank of stage `to` that
    has the same coordinates on the other mesh axes.

    With a micro-batch, the tensors are kept values. The transfer reads them from
    `from_slot` in the stash of the sending stage, and keeps them in `to_slot` of the
    receiving stage, as calls read and keep values. It may copy them between two slots of
    one stage, which has several chunks of the layers.

    Without a micro-batch, the tensors last, and an earlier call of the sending stage has
    computed them:

    - The sum in an accumulator. No later call of either stage adds to it. The receiving
      stage has not added to it, and reads the sum in a later call. Gradients of a parameter
      that two stages hold are added in this way: the stages have accumulators of different
      names, and send them to each other.
    - A parameter or a state after the sending stage has replaced it. The transfer replaces
      it on the receiving stage.
    - A gradient, the loss, a metric or an output.

    ```mlir
    func.func @backward_1(
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">},
        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
        attributes {boost.stage = 1 : i64} {
      %0 = stablehlo.add %s, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @update_0(%s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
        attributes {boost.stage = 0 : i64} {
      %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
      return %zero : tensor<4xf32>
    }
    func.func @update_1(%s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w.1", of = "w">})
        attributes {boost.stage = 1 : i64} {
      %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
      return %zero : tensor<4xf32>
    }
    boost.schedule @train {
      boost.call @backward_1 micro_batch 0
      boost.transfer ["acc.w.1"] from 1 to 0
      boost.call @update_0
      boost.call @update_1
    }
    ```
  }];
  let arguments = (ins StrArrayAttr:$tensors,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$micro_batch,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$from,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$from_slot,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$to,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$to_slot);
  let assemblyFormat = [{
    $tensors (`micro_batch` $micro_batch^)? `from` $from (`slot` $from_slot^)?
    `to` $to (`slot` $to_slot^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the names of the tensors.
    auto getNames() {
      return getTensors().getAsRange<::mlir::StringAttr>();
    }
  }];
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTSCHEDULE_TD
