//===- Passes.td - From a JAX export to one function -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of boost-import-pipeline, in its order, but for those of
// ExpandPasses.td.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD

include "boost-mlir/Dialect/StableHLO/Transforms/ExpandPasses.td"
include "mlir/Pass/PassBase.td"

def ImportCheckPass : Pass<"boost-import-check", "::mlir::ModuleOp"> {
  let summary = "Report everything that the compiler does not support.";
  let description = [{
    Reports, each at its location, every operation outside of the subset, every call of
    foreign code, every tensor of dynamic shape or of more than 2^53 bytes, every
    constant whose values are omitted or do not match its type, every body that is not
    elementwise, every requested accuracy, and every product with an unsupported
    algorithm. One note at the end gives the remedy. An unsupported operation in
    StableHLO's pretty form does not parse at all; the parser then
    reports it in the same way.

    ```mlir
    func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
      // error: call of 'cu_threefry2x32' is not supported
      %0 = stablehlo.custom_call @cu_threefry2x32(%x) : (tensor<4xf32>) -> tensor<4xf32>
      // error: operation 'arith.addf' is not supported
      %1 = arith.addf %0, %x : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```

    Arithmetic: exact, nothing is changed. Fails if it reported anything.
  }];
}

def ReadResourcesPass : Pass<"boost-read-resources", "::mlir::ModuleOp"> {
  let summary = "Replace values in the resources of a file by dense ones.";
  let description = [{
    A `stablehlo.constant` may refer to a resource at the end of the file. Its bytes
    become a dense attribute, which all later passes, the evaluator and the kernels
    read. A boolean in a resource is either a byte, in which any value but 0 is true, or
    a bit, the first of eight being the lowest; the number of bytes tells which.

    ```mlir
    func.func @loss() -> tensor<2xi32> {
      %0 = stablehlo.constant dense_resource<ids> : tensor<2xi32>
      return %0 : tensor<2xi32>
    }
    {-#
      dialect_resources: { builtin: { ids: "0x040000000100000002000000" } }
    #-}
    // becomes
    func.func @loss() -> tensor<2xi32> {
      %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
      return %0 : tensor<2xi32>
    }
    ```

    Arithmetic: exact. Needs: resources of the right size, which boost-import-check
    checks.
  }];
}

def SeparateOptimizerPass : Pass<"boost-separate-optimizer", "::mlir::ModuleOp"> {
  let summary = "Separate an update that the program contains from its loss.";
  let description = [{
    A function that takes gradients is an update of the parameters. It goes into a
    module `@optimizer` of its own, with copies of the functions that it calls: import
    makes it straight-line like the loss, and later passes leave it alone until
    boost-add-optimizer takes it.

    ```mlir
    func.func public @main(%w: tensor<4xf32> {boost.arg = "param", boost.name = "w"}, %x: tensor<4xi32>)
        -> tensor<f32> {
      %0 = stablehlo.constant dense<0.0> : tensor<f32>
      return %0 : tensor<f32>
    }
    func.func public @sgd(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
                          %g: tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">})
        -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
      %0 = stablehlo.subtract %w, %g : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func public @main(%w: tensor<4xf32> {boost.arg = "param", boost.name = "w"}, %x: tensor<4xi32>)
        -> tensor<f32> {
      %0 = stablehlo.constant dense<0.0> : tensor<f32>
      return %0 : tensor<f32>
    }
    module @optimizer {
      func.func public @sgd(%w: tensor<4xf32> {boost.tensor = #boost.tensor<param "w">},
                            %g: tensor<4xf32> {boost.tensor = #boost.tensor<gradient "grad.w", of = "w">})
          -> (tensor<4xf32> {boost.tensor = #boost.tensor<param "w">}) {
        %0 = stablehlo.subtract %w, %g : tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    }
    ```

    Arithmetic: exact. Fails if several functions take gradients, and if the update
    has several blocks.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

def NormalizeEntryPass : Pass<"boost-normalize-entry", "::mlir::ModuleOp"> {
  let summary = "Name the loss @loss and describe every argument and result.";
  let description = [{
    The one public function becomes `@loss`. The attributes `boost.arg`, `boost.name`,
    `boost.init` and `boost.decay` of its arguments become one
    `boost.tensor` each; later passes read nothing else. Arguments without `boost.arg`
    are parameters if they are floats and batch if they are integers; those
    without `boost.name` are called `arg0`, `arg1`, ... by position. An argument
    that has a `boost.tensor` keeps it. The scalar float result is the `loss`, and
    the others are the outputs `out0`, `out1`, ....

    Attributes of JAX, MHLO and TensorFlow are dropped. Shardings of arguments
    become `boost.hint`, which boost-place may follow: for each dimension, a hint lists
    the axes that shard it as `"name=size"`, from `sdy.sharding`, or as `"=size"`, from
    `mhlo.sharding`, which has no names. A program in which no argument is sharded is
    one for a single device and gets no hints. Sharding constraints inside of the
    program and calls that only annotate (`@Sharding`, `@annotate_device_placement`,
    ...) are dropped with a remark.

    ```mlir
    sdy.mesh @mesh = <["data"=2]>
    func.func public @main(
        %a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {} ]>},
        %b: tensor<4xi32>, %c: tensor<f32> {boost.init = "ones", boost.name = "scale"}) -> tensor<f32> {
      return %c : tensor<f32>
    }
    // becomes
    func.func public @loss(
        %a: tensor<8x8xf32> {boost.hint = [["data=2"], []], boost.tensor = #boost.tensor<param "arg0">},
        %b: tensor<4xi32> {boost.tensor = #boost.tensor<batch "arg1">},
        %c: tensor<f32> {boost.tensor = #boost.tensor<param "scale", init = "ones">})
        -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
      return %c : tensor<f32>
    }
    ```

    Arithmetic: exact. Fails unless there is exactly one public function with exactly
    one scalar float result; on more than `max-arguments` arguments; on arguments
    that JAX passes itself (the index of one of several platforms); on unknown roles; on
    `init` and `decay` that are malformed or that the argument cannot have; and on names
    that are not UTF-8 or not unique among arguments and results. Passes that
    add named tensors for training (`hyper.lr`, `grad.NAME`, ...) refuse names that are
    already in use.
  }];
  let options = [
    Option<"maxArguments", "max-arguments", "unsigned", /*default=*/"32768",
           "Refuse programs with more arguments than this">,
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

def InlineCallsPass : Pass<"boost-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inline all private functions and remove them.";
  let description = [{
    JAX puts `jax.nn.silu`, `jnp.where` and every jitted part into a separate
    function. Calls are replaced by the bodies, also inside the regions of loops;
    locations record both places. A `stablehlo.composite` is a call of its
    decomposition.

    ```mlir
    func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @silu(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func private @silu(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.logistic %x : tensor<4xf32>
      %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    // becomes
    func.func @loss(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.logistic %x : tensor<4xf32>
      %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```

    Arithmetic: exact. Fails on recursion, on functions of several blocks, on
    types that differ from those of the callee, and, before anything is inlined, on
    programs that would have more than `max-operations` operations, or calls or regions
    nested more than 512 deep.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "uint64_t", /*default=*/"1000000",
           "Refuse programs with more operations than this">,
  ];
}

def ExpandScansPass : Pass<"boost-expand-scans", "::mlir::ModuleOp"> {
  let summary = "Expand cumulative windows into logarithmically many steps.";
  let description = [{
    `jnp.cumprod` and `lax.cumlogsumexp` are windows over all elements up to each
    position. They can only be differentiated if the body is applied to whole
    tensors: once per power of two, to the values and to the values shifted by as many
    positions. Cumulative sums, maxima and minima stay, since `stablehlo.reduce_window`
    has rules for them. So do integers, and windows that are not cumulative.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %one = stablehlo.constant dense<1.0> : tensor<f32>
      %0 = "stablehlo.reduce_window"(%x, %one) <{padding = dense<[[3, 0]]> : tensor<1x2xi64>,
          window_dimensions = array<i64: 4>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %p = stablehlo.multiply %a, %b : tensor<f32>
        stablehlo.return %p : tensor<f32>
      }) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %0 = stablehlo.pad %x, %cst, low = [1], high = [-1], interior = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %1 = stablehlo.multiply %0, %x : tensor<4xf32>
      %2 = stablehlo.pad %1, %cst, low = [2], high = [-2], interior = [0]
          : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
      %3 = stablehlo.multiply %2, %1 : tensor<4xf32>
      return %3 : tensor<4xf32>
    }
    ```

    Arithmetic: reassociating.
  }];
}

def UnrollWhilePass : Pass<"boost-unroll-while", "::mlir::ModuleOp"> {
  let summary = "Unroll loops with a known trip count.";
  let description = [{
    `lax.scan` and `lax.fori_loop` make a `stablehlo.while` that counts an
    integer from a constant by a constant until a comparison with a constant
    fails. The body is repeated once per trip, with the counter as a
    constant; canonicalization then turns reads of stacked tensors into slices.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %two = stablehlo.constant dense<2> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<4xf32>
      cond {
        %p = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %t = stablehlo.tanh %y : tensor<4xf32>
        %next = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %next, %t : tensor<i32>, tensor<4xf32>
      }
      return %r#1 : tensor<4xf32>
    }
    // becomes
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %c_0 = stablehlo.constant dense<1> : tensor<i32>
      %c_1 = stablehlo.constant dense<2> : tensor<i32>
      %0 = stablehlo.tanh %x : tensor<4xf32>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.tanh %0 : tensor<4xf32>
      %c_3 = stablehlo.constant dense<2> : tensor<i32>
      return %1 : tensor<4xf32>
    }
    ```

    A loop with an unknown trip count, or one above `max-trips`, stays if its state
    and everything that it computes are scalars. The values and constants that it reads
    from outside become part of its state. It has no gradient.

    Arithmetic: exact. Fails, at their locations, on other loops with an unknown trip
    count or one above `max-trips`, and on a loop that would give the program more than
    `max-operations` operations.
  }];
  let options = [
    Option<"maxOperations", "max-operations", "int64_t", /*default=*/"1000000",
           "Refuse programs with more operations than this">,
    Option<"maxTrips", "max-trips", "int64_t", /*default=*/"1024",
           "Refuse loops with more trips than this">,
  ];
}

def SelectBranchesPass : Pass<"boost-select-branches", "::mlir::ModuleOp"> {
  let summary = "Compute every branch and select the results of one.";
  let description = [{
    JAX lowers `lax.cond` and `lax.switch` to `stablehlo.case`. Its regions are pure, so
    all of them may be computed. If a constant chooses the branch, as in an
    unrolled loop, only that branch is computed. An index out of range chooses the last.

    ```mlir
    func.func @f(%index: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %1 = "stablehlo.case"(%index) ({
        %2 = stablehlo.log %x : tensor<4xf32>
        stablehlo.return %2 : tensor<4xf32>
      }, {
        stablehlo.return %x : tensor<4xf32>
      }) : (tensor<i32>) -> tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    // becomes
    func.func @f(%index: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %0 = stablehlo.compare EQ, %index, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %1 = stablehlo.select %0, %x, %cst : tensor<i1>, tensor<4xf32>
      %2 = stablehlo.log %1 : tensor<4xf32>
      %3 = stablehlo.not %0 : tensor<i1>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
      %4 = stablehlo.select %3, %x, %cst_0 : tensor<i1>, tensor<4xf32>
      %5 = stablehlo.select %0, %2, %4 : tensor<i1>, tensor<4xf32>
      return %5 : tensor<4xf32>
    }
    ```

    Floats that a branch reads from outside are replaced by 1 if the branch is not
    taken. A function such as a logarithm of 0 is then not infinite in this branch, and
    neither is its gradient, which would give NaN when it is multiplied by the zero that
    flows back. Parameters are not replaced, so that linears in branches
    are found and placed.

    In the module of an optimizer, a branch that only counts and hyper-parameters choose
    stays: `boost-split-update` makes functions of such branches, of which a step calls
    one. It runs again behind that pass, for the branches which that has left.

    Arithmetic: exact. Never fails. The cost is that of all branches.
  }];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

def InferFeedsPass : Pass<"boost-infer-feeds", "::mlir::func::FuncOp"> {
  let summary = "Infer how training fills each batch argument.";
  let description = [{
    `train` fills the batch from a token file: one argument with rows of tokens
    and the next token (`feed = tokens` in its `boost.tensor`), or two, of which the
    targets are one token ahead of the inputs. The order of arguments does not tell
    which is which, since JAX sorts the keys of a dictionary. The pass therefore looks
    at the loss.

    It follows ids through conversions, views and arithmetic, also as one-hot
    rows, to the operations in which they meet learned values. A comparison with a
    number is a mask and does not count. Each such meeting allows

    - inputs, if parameters act on its result: an embedding, a positional code;
    - targets, if no parameters do and the ids select from values computed from the
      batch: a gather from logits, a one-hot row times log-probabilities;
    - either, if no parameters do and the ids look up rows of a parameter.

    Two arguments get a `feed` if their meetings allow exactly one assignment.
    Otherwise neither gets one: for example if both are looked up (tokens and types), or
    if one is both inputs and targets beside another.
    The program still compiles; `train` then asks for `--batch`.

    If inputs and targets alone do not explain the batch, other data of a token file is
    identified by the type and the name of an argument, of which the last part counts
    (`batch.loss_mask`):

    | feed | type | names |
    |---|---|---|
    | `mask` | as many rows as the ids, and as many columns or one less; any element type | `mask`, `loss_mask` |
    | `positions` | like `mask`, integers | `positions`, `position_ids` |
    | `segments` | like `mask`, integers | `segments`, `segment_ids` |
    | `step` | an integer | `step` |

    A random key (`key`) needs no name: it is a `tensor<2xui32>` whose
    words are either read only by the key schedule of Threefry, `k0 ^ k1 ^ 0x1BD11BDA`,
    or not at all.

    If more than two arguments of ids remain, one gets `inputs` or `targets`
    if no assignment gives that to another.

    ```mlir
    func.func @loss(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">},
                    %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                    %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a">},
                    %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b">})
        -> tensor<2x3xf32> {
      %x = boost.embedding %table, %b : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
      %y = stablehlo.dot_general %x, %head, contracting_dims = [2] x [0]
          : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
      %l = "stablehlo.gather"(%y, %a) <{
          dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2],
              operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1],
              start_index_map = [2], index_vector_dim = 2>,
          slice_sizes = array<i64: 1, 1, 1>}>
          : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
      return %l : tensor<2x3xf32>
    }
    // becomes
    func.func @loss(%table: tensor<8x4xf32> {boost.tensor = #boost.tensor<param "table">},
                    %head: tensor<4x8xf32> {boost.tensor = #boost.tensor<param "head">},
                    %a: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "a", feed = targets>},
                    %b: tensor<2x3xi32> {boost.tensor = #boost.tensor<batch "b", feed = inputs>})
        -> tensor<2x3xf32> {
      %0 = boost.embedding %table, %b
          : (tensor<8x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
      %1 = stablehlo.dot_general %0, %head, contracting_dims = [2] x [0]
          : (tensor<2x3x4xf32>, tensor<4x8xf32>) -> tensor<2x3x8xf32>
      %2 = "stablehlo.gather"(%1, %a)
          <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2],
          operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1],
          start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}>
          : (tensor<2x3x8xf32>, tensor<2x3xi32>) -> tensor<2x3xf32>
      return %2 : tensor<2x3xf32>
    }
    ```

    Arguments that a token file cannot fill (other floats, other shapes) get no
    `feed`. An existing `feed` is replaced.

    Arithmetic: exact, only attributes change. Never fails.
  }];
}

def ClassifyParametersPass
    : Pass<"boost-classify-parameters", "::mlir::func::FuncOp"> {
  let summary = "Infer how every parameter starts, and whether it decays.";
  let description = [{
    A parameter whose `boost.tensor` has no `init` or no `decay` gets them from its
    uses. Its name, its rank and the way it is stacked do not
    matter: slices, reshapes, transposes, conversions and other values that are computed
    from parameters only count as the parameter.

    | use | decays | starts from |
    |---|---|---|
    | contracted: a product of tensors sums over one of its dimensions | yes | `normal:0.02` |
    | looked up: ids of the batch choose its rows | yes | `normal:0.02` |
    | positions: added, with two dimensions or more, to what a lookup returns | yes | `normal:0.02` |
    | multiplied by values of the batch, or repeated and multiplied: a scale | no | `ones` |
    | a scale with a constant added to it, or its exponential taken, before that | no | `zeros` |
    | added to values of the batch: a bias | no | `zeros` |
    | any other use | no | `normal:0.02` |

    The first row that applies counts. A parameter that is never read starts from zeros
    and does not decay. A selection by values that are computed from parameters,
    such as the choice of an expert, is a slice and not a lookup.

    ```mlir
    func.func @loss(%x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
                    %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "g">},
                    %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">})
        -> tensor<4x8xf32> {
      %0 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
      %1 = stablehlo.multiply %x, %0 : tensor<4x8xf32>
      %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0]
          : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      return %2 : tensor<4x8xf32>
    }
    // becomes
    func.func @loss(
        %x: tensor<4x8xf32> {boost.tensor = #boost.tensor<batch "x">},
        %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "g", init = "ones", decay = false>},
        %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w", init = "normal:0.02",
            decay = true>})
        -> tensor<4x8xf32> {
      %0 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>
      %1 = stablehlo.multiply %x, %0 : tensor<4x8xf32>
      %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0]
          : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      return %2 : tensor<4x8xf32>
    }
    ```

    Arithmetic: exact, operations do not change. Needs: one block, as the other
    passes of import leave. Never fails.
  }];
}

def StoreConstantsPass : Pass<"boost-store-constants", "::mlir::ModuleOp"> {
  let summary = "Make large constants of the loss arguments that the program stores.";
  let description = [{
    An array that a loss closes over, such as a frozen weight or a table, would become part of
    the code of the program, whole on every rank. Each constant of at least `min-bytes`
    whose elements differ becomes an argument of `@loss`: a frozen parameter with
    `init = "stored"`. As such it is sharded by its readers, and counted in the memory
    plan. `boost.constants` of the module keeps the values, by name, until
    boost-compile writes them to a file beside the program. Equal constants are one
    argument. Names are `constant.0`, `constant.1`, ..., in program order, without those
    that the loss has.

    The default of `min-bytes` is 64 KiB: less adds little to a program of megabytes, and an
    argument costs every stage of the compiler, and the start of the program, some time.
    Masks, which are booleans and triangles of two numbers, are stored with `masks` only,
    after the raise passes, since these read their values.

    ```mlir
    // boost-opt --boost-store-constants="min-bytes=16"
    func.func @loss(%x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">}) -> tensor<4xf32> {
      %0 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    // becomes
    module attributes {boost.constants = {constant.0 = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>}} {
      func.func @loss(
          %x: tensor<4xf32> {boost.tensor = #boost.tensor<param "x">},
          %0: tensor<4xf32> {boost.tensor = #boost.tensor<frozen "constant.0", init = "stored">})
          -> tensor<4xf32> {
        %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
        return %1 : tensor<4xf32>
      }
    }
    ```

    Arithmetic: exact. Leaves alone constants inside of regions. Fails if an argument is
    a constant already, but `boost.constants` lacks its value.
  }];
  let options = [
    Option<"minBytes", "min-bytes", "int64_t", /*default=*/"65536",
           "Leave alone constants of fewer bytes">,
    Option<"masks", "masks", "bool", /*default=*/"false",
           "Store booleans and triangles too">,
  ];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD
