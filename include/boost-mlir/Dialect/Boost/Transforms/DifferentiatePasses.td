//===- DifferentiatePasses.td - From loss to step ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stages differentiate and probe.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DIFFERENTIATEPASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DIFFERENTIATEPASSES_TD

include "mlir/Pass/PassBase.td"

def DifferentiatePass : Pass<"boost-differentiate", "::mlir::ModuleOp"> {
  let summary = "Add @gradient: the loss and its gradients by the parameters.";
  let description = [{
    Uses reverse-mode differentiation of the single block of `@loss`. `@gradient` takes
    the same arguments. It repeats the forward pass, marks the beginning of the backward
    pass, and returns the loss and one gradient per parameter, with the role `gradient`,
    the name `grad.NAME` and the sharding of the parameter.
    Batch arguments get no gradient, whether they are integers or floats.

    Only operations between a parameter and the loss are differentiated, by the
    `DifferentiableOpInterface` of each operation. Gradient operations get the
    location and the `boost.component` of the operation that they differentiate. If
    `boost.shardings` gives the sharding of a value, its gradient gets the same one. If
    `boost.spread` names the loop along which an operation is spread, the operations that
    compute gradients of its operands from its operands and from gradients of its
    results are spread along the same loop, or along that of its `boost.gradient_spread`. If
    it names no loop, all operations that compute gradients are repeated by all ranks, too.

    ```mlir
    func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
                    %y: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.multiply %x, %y : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    // becomes
    func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
                    %y: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.multiply %x, %y : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    func.func @gradient(
        %x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
        %y: tensor<4xf32> {boost.tensor = #boost.tensor<batch "y">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32>
            {boost.tensor = #boost.tensor<gradient "grad.x", of = "x">}) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.multiply %x, %y : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      boost.phase backward
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %3 = stablehlo.multiply %2, %y : tensor<4xf32>
      return %1, %3 : tensor<f32>, tensor<4xf32>
    }
    ```

    The result of `boost.stop_gradient` counts as a constant. The operation is erased, in the
    loss too.

    With `nondeterministic`, gradients of attention are marked so that a target may
    compute their sums in any order, which needs less memory on GPUs.

    Arithmetic: exact derivatives; JAX's choice at points without one. Sums of
    bf16 values are computed in f32. Needs: decomposed bottlenecks and norms.
    Fails at an operation without a gradient, and names the parameter that needs it.
    A parameter on which the loss does not depend gets zeros, with a remark.
  }];
  let options = [Option<"nondeterministic", "nondeterministic", "bool", [{false}],
                        "Let gradients of attention differ in their last bits from run to run">];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def AddSchedulesPass : Pass<"boost-add-schedules", "::mlir::ModuleOp"> {
  let summary = "Add the schedules of evaluation and of gradients.";
  let description = [{
    Adds the schedules `@evaluate`, which calls `@loss`, and `@gradients`, which
    calls `@gradient`: once for each micro-batch into which boost-split-batch has split
    the batch.

    ```mlir
    func.func @loss(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                    %x: tensor<f32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> tensor<f32> {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func @gradient(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                        %x: tensor<f32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<f32>, tensor<f32>) {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      boost.phase backward
      return %0, %x : tensor<f32>, tensor<f32>
    }
    // becomes
    func.func @loss(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                    %x: tensor<f32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> tensor<f32> {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      return %0 : tensor<f32>
    }
    boost.schedule @evaluate micro_batches 2 {
      boost.call @loss micro_batch 0
      boost.call @loss micro_batch 1
    }
    func.func @gradient(%w: tensor<f32> {boost.tensor = #boost.tensor<param "w">},
                        %x: tensor<f32> {boost.micro_batches = 2 : i64, boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<f32>, tensor<f32>) {
      %0 = stablehlo.multiply %w, %x : tensor<f32>
      boost.phase backward
      return %0, %x : tensor<f32>, tensor<f32>
    }
    boost.schedule @gradients micro_batches 2 {
      boost.call @gradient micro_batch 0
      boost.call @gradient micro_batch 1
    }
    ```

    Arithmetic: exact, functions do not change. Fails without these functions.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

def AddOptimizerPass
    : Pass<"boost-add-optimizer", "::mlir::ModuleOp"> {
  let summary = "Add the update of the parameters, @update.";
  let description = [{
    `@update` takes parameters, states, gradients and hyper-parameters, and returns
    the new parameters and states, and possibly metrics. The `boost.tensor` of every
    argument and result describes it: its role, kind, parameter
    (`of`), initial value and, for a hyper-parameter, the option that sets it.
    `boost.optimizer` on the module names the optimizer.

    A program may contain its own update, in the module `@optimizer`
    (boost-separate-optimizer). Otherwise the update is AdamW (Loshchilov & Hutter 2019,
    Algorithm 2), in plain StableHLO:

    ```mlir
    func.func @gradient(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay = true>},
                        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
            tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.multiply %w, %x : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      boost.phase backward
      return %1, %x : tensor<f32>, tensor<4xf32>
    }
    // becomes
    module attributes {boost.optimizer = {master_weights = false, name = "adamw"}} {
      func.func @gradient(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay =
          true>}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) ->
          (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32> {boost.tensor
          = #boost.tensor<gradient "grad.w", of = "w">}) {
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
        %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] :
            (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        boost.phase backward
        return %1, %arg1 : tensor<f32>, tensor<4xf32>
      }
      func.func @update(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay =
          true>}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind =
          "m", of = "w", init = "zeros">}, %arg2: tensor<4xf32> {boost.tensor =
          #boost.tensor<state "adamw.v.w", kind = "v", of = "w", init = "zeros", sample =
          0.050000000000000044 : f64>}, %arg3: tensor<4xf32> {boost.tensor =
          #boost.tensor<gradient "grad.w", of = "w">}, %arg4: tensor<f32> {boost.tensor =
          #boost.tensor<hyper "hyper.lr", kind = "lr", sample = 1.000000e+00 : f64, next_sample
          = 5.000000e-01 : f64>}, %arg5: tensor<f32> {boost.tensor = #boost.tensor<hyper
          "hyper.step", kind = "step", sample = 1.000000e+00 : f64, next_sample = 2.000000e+00 :
          f64>}, %arg6: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.clip", kind =
          "clip", sample = 1.000000e+00 : f64, next_sample = 1.000000e-02 : f64, option =
          <"Largest gradient norm, 0 for no limit", default = 1.000000e+00 : f64, min =
          0.000000e+00 : f64>>}, %arg7: tensor<f32> {boost.tensor = #boost.tensor<hyper
          "hyper.beta1", kind = "beta1", sample = 9.000000e-01 : f64, option =
          <"Decay of the first moment", default = 9.000000e-01 : f64, min = 0.000000e+00 : f64,
          below = 1.000000e+00 : f64>>}, %arg8: tensor<f32> {boost.tensor = #boost.tensor<hyper
          "hyper.beta2", kind = "beta2", sample = 0.94999999999999996 : f64, option =
          <"Decay of the second moment", default = 0.94999999999999996 : f64, min = 0.000000e+00
          : f64, below = 1.000000e+00 : f64>>}, %arg9: tensor<f32> {boost.tensor =
          #boost.tensor<hyper "hyper.eps", kind = "eps", sample = 1.000000e-08 : f64, option =
          <"Added to the root of the second moment", default = 1.000000e-08 : f64, above =
          0.000000e+00 : f64>>}, %arg10: tensor<f32> {boost.tensor = #boost.tensor<hyper
          "hyper.weight_decay", kind = "weight_decay", sample = 1.000000e-01 : f64, option =
          <"Decoupled weight decay of the parameters that decay, which `info` lists", default =
          1.000000e-01 : f64, min = 0.000000e+00 : f64>>}) -> (tensor<f32> {boost.tensor =
          #boost.tensor<metric "grad_norm", kind = "grad_norm">}, tensor<4xf32> {boost.tensor =
          #boost.tensor<param "w", decay = true>}, tensor<4xf32> {boost.tensor =
          #boost.tensor<state "adamw.m.w", kind = "m", of = "w", init = "zeros">}, tensor<4xf32>
          {boost.tensor = #boost.tensor<state "adamw.v.w", kind = "v", of = "w", init = "zeros",
          sample = 0.050000000000000044 : f64>}) {
        %0 = stablehlo.multiply %arg3, %arg3 : tensor<4xf32>
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] :
            (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        %2 = stablehlo.sqrt %1 : tensor<f32>
        %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
        %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %cst_2 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
        %3 = stablehlo.add %2, %cst_2 : tensor<f32>
        %4 = stablehlo.divide %arg6, %3 : tensor<f32>
        %5 = stablehlo.minimum %cst_0, %4 : tensor<f32>
        %6 = stablehlo.compare GT, %arg6, %cst_1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %7 = stablehlo.select %6, %5, %cst_0 : tensor<i1>, tensor<f32>
        %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
        %8 = stablehlo.subtract %cst_3, %arg7 : tensor<f32>
        %9 = stablehlo.subtract %cst_3, %arg8 : tensor<f32>
        %10 = stablehlo.power %arg7, %arg5 : tensor<f32>
        %11 = stablehlo.subtract %cst_3, %10 : tensor<f32>
        %12 = stablehlo.divide %cst_3, %11 : tensor<f32>
        %13 = stablehlo.power %arg8, %arg5 : tensor<f32>
        %14 = stablehlo.subtract %cst_3, %13 : tensor<f32>
        %15 = stablehlo.divide %cst_3, %14 : tensor<f32>
        %16 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %17 = stablehlo.multiply %16, %arg3 : tensor<4xf32>
        %18 = stablehlo.broadcast_in_dim %arg7, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %19 = stablehlo.multiply %18, %arg1 : tensor<4xf32>
        %20 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %21 = stablehlo.multiply %20, %17 : tensor<4xf32>
        %22 = stablehlo.add %19, %21 : tensor<4xf32>
        %23 = stablehlo.broadcast_in_dim %arg8, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %24 = stablehlo.multiply %23, %arg2 : tensor<4xf32>
        %25 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %26 = stablehlo.multiply %25, %17 : tensor<4xf32>
        %27 = stablehlo.multiply %26, %17 : tensor<4xf32>
        %28 = stablehlo.add %24, %27 : tensor<4xf32>
        %29 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %30 = stablehlo.multiply %29, %28 : tensor<4xf32>
        %31 = stablehlo.sqrt %30 : tensor<4xf32>
        %32 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %33 = stablehlo.multiply %32, %22 : tensor<4xf32>
        %34 = stablehlo.broadcast_in_dim %arg9, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %35 = stablehlo.add %31, %34 : tensor<4xf32>
        %36 = stablehlo.divide %33, %35 : tensor<4xf32>
        %37 = stablehlo.broadcast_in_dim %arg10, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %38 = stablehlo.multiply %37, %arg0 : tensor<4xf32>
        %39 = stablehlo.add %36, %38 : tensor<4xf32>
        %40 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<4xf32>
        %41 = stablehlo.multiply %40, %39 : tensor<4xf32>
        %42 = stablehlo.subtract %arg0, %41 : tensor<4xf32>
        return %2, %42, %22, %28 : tensor<f32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
      }
    }
    ```

    Gradients are scaled to a global norm of at most `clip`, as in PyTorch's
    `clip_grad_norm_`, by `min(1, clip / (norm + 1e-6))`; they are not scaled if `clip`
    is 0 or less. `grad_norm` is the norm before scaling. Decay is decoupled and applies
    to parameters with `decay = true`.

    Parameters of bf16 and f16 have a master: an f32 state of the kind `master`,
    named `master.NAME`, which starts with the value of the parameter (`init = "param"`).
    The update reads and writes the master, and the new parameter is the new master,
    rounded. With `master-weights=false` there are no masters, and the update reads and
    writes these parameters in their own type. A warning then names them, since an
    update of less than half a unit in their last place does not change them.

    Arithmetic: exact. Needs: `@gradient`, and `decay` of every parameter. Fails
    without them, and if a parameter has the name of a tensor that the pass adds.
  }];
  let options = [
    Option<"optimizer", "optimizer", "::mlir::boost::OptimizerKind",
           "::mlir::boost::OptimizerKind::AdamW",
           "The optimizer: adamw">,
    Option<"masterWeights", "master-weights", "bool", "true",
           "Update f32 copies of bf16 and f16 parameters">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def BuildStepPass : Pass<"boost-build-step", "::mlir::ModuleOp"> {
  let summary = "Append the update to the gradient: a training step.";
  let description = [{
    `@step` contains the operations of `@gradient` and then, after
    `boost.phase optimizer`, those of `@update` on the gradients. It returns the
    loss and the results of the update. The schedule `@train` calls it.

    ```mlir
    func.func @gradient(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay = true>},
                        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">},
            tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">}) {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.multiply %w, %x : tensor<4xf32>
      %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      boost.phase backward
      return %1, %x : tensor<f32>, tensor<4xf32>
    }
    func.func @update(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
                      %g: tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">},
                      %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
      %0 = stablehlo.broadcast_in_dim %lr, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %1 = stablehlo.multiply %0, %g : tensor<4xf32>
      %2 = stablehlo.subtract %w, %1 : tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    // becomes
    module {
      func.func @gradient(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay =
          true>}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}) ->
          (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32> {boost.tensor
          = #boost.tensor<gradient "grad.w", of = "w">}) {
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
        %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] :
            (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        boost.phase backward
        return %1, %arg1 : tensor<f32>, tensor<4xf32>
      }
      func.func @step(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w", decay =
          true>}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">}, %arg2:
          tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">}) ->
          (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}, tensor<4xf32> {boost.tensor
          = #boost.tensor<param "w", decay = true>}) {
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %0 = stablehlo.multiply %arg0, %arg1 : tensor<4xf32>
        %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] :
            (tensor<4xf32>, tensor<f32>) -> tensor<f32>
        boost.phase backward
        boost.phase optimizer
        %2 = stablehlo.broadcast_in_dim %arg2, dims = [] {boost.component = "optimizer"} :
            (tensor<f32>) -> tensor<4xf32>
        %3 = stablehlo.multiply %2, %arg1 {boost.component = "optimizer"} : tensor<4xf32>
        %4 = stablehlo.subtract %arg0, %3 {boost.component = "optimizer"} : tensor<4xf32>
        return %1, %4 : tensor<f32>, tensor<4xf32>
      }
      boost.schedule @train {
        boost.call @step micro_batch 0
      }
    }
    ```

    With `accumulate=N`, the pass adds two functions instead of `@step`. `@accumulate`
    adds the gradients of one batch to f32 sums (role `accumulator`, named `acc.NAME`).
    `@update` uses the mean of these sums over N as gradients, and returns zeros for the
    sums. If boost-split-batch has split the batch into K micro-batches, the mean is
    over N * K of them. The schedule `@train` calls `@accumulate` for each. Only the
    update reads the sums, so ranks do not have to complete partial sums before. A
    gradient that is rounded only to be returned is added before rounding. The pass also adds
    these two functions for one batch if a count chooses branches of the update, which
    boost-split-update makes functions of.

    At this point a parameter that the update names may be packed with others. If
    the update is elementwise and equal for all of them, it updates the packed
    parameter with the packed gradient and packed states. Otherwise it reads slices of
    the parameter and its gradient, and its results are joined. A state without a
    sharding gets that of its parameter if it has the same shape, and is replicated
    otherwise.

    Arithmetic: exact. Needs: `@gradient` and an update (boost-add-optimizer). Fails
    without them; if the update names a parameter that the loss does not have, or has
    in another type; if it leaves a parameter without a new value; and if two tensors
    of a function have the same name.
  }];
  let options = [
    Option<"accumulate", "accumulate", "int64_t", "1",
           "Number of batches whose gradients are accumulated for one update">
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def SplitUpdatePass : Pass<"boost-split-update", "::mlir::ModuleOp"> {
  let summary = "Call the branch of an update that a count chooses.";
  let description = [{
    An update may take steps of several kinds, such as an exact one after each `period` steps
    (`lax.cond(count % period == 0, exact, lazy)`). If the index of such a `stablehlo.case`
    or `stablehlo.if` depends on nothing but integer scalars among the states and
    hyper-parameters, it is the same on all ranks, and known before the update runs. The pass
    makes a copy of `@update` for each branch, with all operations of this index fixed to it,
    and a function `@choose_update` that computes the index. The schedule chooses among
    the copies (`boost.choose`), so that a step costs what its own branch does. The copies
    take and give the same tensors.

    ```mlir
    func.func @accumulate(
        %x: tensor<4xf32> {boost.tensor = #boost.tensor<batch "x">},
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      %0 = stablehlo.add %s, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @update(
        %w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
        %n: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind = "count">},
        %s: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
            tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of = "w">}) {
      boost.phase optimizer
      %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
      %five = stablehlo.constant dense<5> : tensor<i32>
      %late = stablehlo.compare GT, %n, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %index = stablehlo.convert %late : (tensor<i1>) -> tensor<i32>
      %0 = "stablehlo.case"(%index) ({
        %1 = stablehlo.subtract %w, %s : tensor<4xf32>
        stablehlo.return %1 : tensor<4xf32>
      }, {
        %1 = stablehlo.sine %s : tensor<4xf32>
        stablehlo.return %1 : tensor<4xf32>
      }) : (tensor<i32>) -> tensor<4xf32>
      return %0, %zeros : tensor<4xf32>, tensor<4xf32>
    }
    boost.schedule @train {
      boost.call @accumulate micro_batch 0
      boost.call @update
    }
    // becomes
    module {
      func.func @accumulate(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<batch
          "x">}, %arg1: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w",
          of = "w">}) -> (tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w",
          of = "w">}) {
        %0 = stablehlo.add %arg1, %arg0 : tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      func.func @choose_update(%arg0: tensor<i32> {boost.tensor = #boost.tensor<state
          "count", kind = "count">}) -> (tensor<i32> {boost.tensor = #boost.tensor<output
          "choice.update">}) {
        %c = stablehlo.constant dense<5> : tensor<i32>
        boost.phase  optimizer
        %0 = stablehlo.compare GT, %arg0, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %1 = stablehlo.convert %0 : (tensor<i1>) -> tensor<i32>
        return %1 : tensor<i32>
      }
      func.func @update_0(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          %arg1: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind =
          "count">}, %arg2: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator
          "acc.w", of = "w">}) -> (tensor<4xf32> {boost.tensor = #boost.tensor<param
          "w">}, tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of =
          "w">}) {
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
        boost.phase  optimizer
        %0 = stablehlo.subtract %arg0, %arg2 : tensor<4xf32>
        return %0, %cst : tensor<4xf32>, tensor<4xf32>
      }
      func.func @update_1(%arg0: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
          %arg1: tensor<i32> {boost.tensor = #boost.tensor<state "count", kind =
          "count">}, %arg2: tensor<4xf32> {boost.tensor = #boost.tensor<accumulator
          "acc.w", of = "w">}) -> (tensor<4xf32> {boost.tensor = #boost.tensor<param
          "w">}, tensor<4xf32> {boost.tensor = #boost.tensor<accumulator "acc.w", of =
          "w">}) {
        %cst = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
        boost.phase  optimizer
        %0 = stablehlo.sine %arg2 : tensor<4xf32>
        return %0, %cst : tensor<4xf32>, tensor<4xf32>
      }
      boost.schedule @train {
        boost.call @accumulate micro_batch 0
        boost.choose @choose_update among [@update_0, @update_1]
      }
    }
    ```

    A sum of gradients that a copy reads more than once is read behind a product with 1, so
    that `boost-partition` completes it once for all readers.

    Only one index is fixed, of at most four positions: of several, the one whose branches
    have most operations. A remark names the other operations that counts choose, which
    `boost-select-branches` computes in each step, as it does all branches where the mesh has
    pipeline stages, each of which updates parameters of its own.

    Arithmetic: exact. Never fails. Changes nothing without such operations.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def ShardOptimizerStatePass
    : Pass<"boost-shard-optimizer-state", "::mlir::ModuleOp"> {
  let summary = "Shard the optimizer state over the data axis (ZeRO-1).";
  let description = [{
    With `zero=1`, every state that belongs to a parameter (`m`, `v`, `master`)
    is also sharded over `dp`, along its first dimension whose shards `dp` divides,
    after the axes that the dimension already has. The placement of parameters does not
    change. The rest follows by propagation: a rank reduces only its shard of a gradient
    (reduce-scatter), updates its shard of the parameter, and gets the others by an
    all-gather, in the type of the parameter. The optimizer state shrinks by a factor of
    `dp`, and a step sends as many bytes as with all-reduces, in buckets of
    several tensors (`boost-merge-collectives`).

    Packed tensors are not sharded along the dimension that they share, nor are
    parameters whose rows alone are read along their first one on a mesh with `pp`:
    pipeline stages divide them by rows. A state with no
    dimension that `dp` divides is not sharded, nor are scalars. Nothing changes without
    an axis `dp` or with `zero=0`.

    This is stage 1 of ZeRO (Rajbhandari et al., 2020). A checkpoint contains whole
    tensors, so that programs of any mesh and stage can read each other's.

    ```mlir
    // boost-opt --boost-shard-optimizer-state="zero=1"
    shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
    func.func @update(%w: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                                           boost.tensor = #boost.tensor<param "w">},
                      %m: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                                           boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w">})
        -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                             boost.tensor = #boost.tensor<param "w">}) {
      %y = stablehlo.subtract %w, %m : tensor<8x4xf32>
      return %y : tensor<8x4xf32>
    }
    // becomes
    shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}
    func.func @update(%w: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                                           boost.tensor = #boost.tensor<param "w">},
                      %m: tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp", "dp"}, {}>,
                                           boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w">})
        -> (tensor<8x4xf32> {boost.sharding = #boost.sharding<{"tp"}, {}>,
                             boost.tensor = #boost.tensor<param "w">}) {
      %0 = stablehlo.subtract %w, %m : tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }
    ```

    Arithmetic: exact, only attributes change. Fails for another `zero`.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
  let options = [
    Option<"zero", "zero", "int64_t", "0",
           "Stage of ZeRO: 0, or 1 to shard the optimizer's state">];
}

def InsertProbesPass : Pass<"boost-insert-probes", "::mlir::ModuleOp"> {
  let summary = "Add the function that `eval --verify` runs.";
  let description = [{
    Copies the training step if the schedule `@train` is one call, and otherwise
    `@gradient`, to `@verify`, which a schedule `@probe` calls for one micro-batch. Adds a
    `boost.probe` after every floating-point tensor
    that is

    - the result of a product, a reduction, or an operation of the model
      (embedding, attention, loss, norm, optimizer);
    - the end of a chain of elementwise operations: one that does not have exactly one
      reader that is elementwise;
    - a gradient of a parameter, or a result of the function.

    Constants and operations that only move elements get no probe: an error there is
    visible at the next operation. The functions used for training do not change.
    `@verify` differs from them in the fusion of elementwise operations, which changes
    no result.

    A probe is named after a result or a gradient (`grad.NAME`), or else after the
    operation and the parameters that it reads.

    ```mlir
    func.func @gradient(%w: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "w">},
                        %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4x2xf32> {boost.tensor = #boost.tensor<output "y">}) {
      %0 = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      %1 = stablehlo.tanh %0 : tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    // becomes
    func.func @gradient(%w: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "w">},
                        %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4x2xf32> {boost.tensor = #boost.tensor<output "y">}) {
      %0 = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      %1 = stablehlo.tanh %0 : tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    func.func @verify(%w: tensor<8x2xf32> {boost.tensor = #boost.tensor<param "w">},
                      %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">})
        -> (tensor<4x2xf32> {boost.tensor = #boost.tensor<output "y">}) {
      %0 = boost.linear %x, %w : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      boost.probe %0 as "linear w" site 0 {boost.phase = "forward"} : tensor<4x2xf32>
      %1 = stablehlo.tanh %0 : tensor<4x2xf32>
      boost.probe %1 as "y" site 1 {boost.phase = "forward"} : tensor<4x2xf32>
      return %1 : tensor<4x2xf32>
    }
    boost.schedule @probe {
      boost.call @verify micro_batch 0
    }
    ```

    Arithmetic: exact. Needs: boost-differentiate before. Fails if there is no
    `@gradient`, or if `@verify` already exists.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_DIFFERENTIATEPASSES_TD
