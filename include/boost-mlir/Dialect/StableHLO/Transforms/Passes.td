//===- Passes.td - From a JAX export to one function -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of boost-import-pipeline, in its order.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportCheckPass : Pass<"boost-import-check", "::mlir::ModuleOp"> {
  let summary = "Refuse what the compiler does not support, all of it at once.";
  let description = [{
    Reports every operation outside of the subset, every call of foreign code,
    every tensor of dynamic shape and every constant whose values were left out,
    each at its own place, and one note on what to do at the end. An unsupported
    operation in StableHLO's pretty form does not parse at all; the parser then
    reports in the same way.

    ```mlir
    %0 = "stablehlo.sort"(%x) ...   // error: operation 'stablehlo.sort' is not supported
    %1 = stablehlo.custom_call @f(%0) ...  // error: call of 'f' is not supported
    ```

    Arithmetic: exact, nothing is changed. Fails if there was anything to report.
  }];
}

def NormalizeEntryPass : Pass<"boost-normalize-entry", "::mlir::ModuleOp"> {
  let summary = "Call the loss @loss and give every argument a role and a name.";
  let description = [{
    The one public function becomes `@loss`. Arguments without `boost.arg` are
    parameters if they are floats and batch if they are integers; those without
    `boost.name` are called `arg0`, `arg1`, ... by position. The scalar float
    result is called `loss`, others `out0`, `out1`, .... Attributes of JAX, MHLO
    and TensorFlow are dropped, those that speak of sharding with a remark.

    ```mlir
    // Before
    func.func public @main(%a: tensor<8x8xf32>, %b: tensor<4xi32>) -> tensor<f32>
    // After
    func.func @loss(%a: tensor<8x8xf32> {boost.arg = "param", boost.name = "arg0"},
                    %b: tensor<4xi32> {boost.arg = "batch", boost.name = "arg1"})
        -> (tensor<f32> {boost.name = "loss"})
    ```

    Arithmetic: exact. Fails without exactly one public function, without
    exactly one scalar float result, on unknown roles, and on names that are not
    unique, not UTF-8, or reserved for what training adds: `loss`, `outN`,
    `grad_norm`, `lr`, `step`, `clip_norm`, `grad.*`, `adamw.*`, `acc.*`.
  }];
}

def ExpandCHLOPass : Pass<"boost-expand-chlo", "::mlir::ModuleOp"> {
  let summary = "Write CHLO operations out in StableHLO.";
  let description = [{
    ```mlir
    // Before
    %1 = chlo.square %0 : tensor<4xf32> -> tensor<4xf32>
    // After
    %1 = stablehlo.multiply %0, %0 : tensor<4xf32>
    ```

    `chlo.erf` and `chlo.erfc` become a rational approximation with an absolute
    error below 5e-7, for f16 and bf16 computed in f32. Fails on those of f64.

    Arithmetic: approximate (5e-7) for these two, else exact.
  }];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

def InlineCallsPass : Pass<"boost-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inline private functions everywhere and remove them.";
  let description = [{
    JAX gives `jax.nn.silu`, `jnp.where` and every jitted part a function of its
    own. Calls are replaced by the bodies, also inside the regions of loops;
    locations remember both places.

    ```mlir
    // Before
    %0 = call @silu(%x) : (tensor<4xf32>) -> tensor<4xf32>
    // After
    %0 = stablehlo.negate %x : tensor<4xf32>
    ...
    ```

    Arithmetic: exact. Fails on recursion and on functions of several blocks.
  }];
}

def UnrollWhilePass : Pass<"boost-unroll-while", "::mlir::ModuleOp"> {
  let summary = "Unroll loops whose trip count is known.";
  let description = [{
    A `stablehlo.while` as `lax.scan` and `lax.fori_loop` make it counts an
    integer from a constant by a constant until a comparison with a constant
    fails. Its body is written out once per trip, with the counter as a
    constant; canonicalization then turns reads of stacked tensors into slices.

    ```mlir
    // Before
    %r:2 = stablehlo.while(%i = %c0, %x = %0) : tensor<i32>, tensor<4xf32>
    cond {
      %p = stablehlo.compare LT, %i, %c2, SIGNED : ...
      stablehlo.return %p : tensor<i1>
    } do {
      %w = stablehlo.dynamic_slice %stack, %i, %c0, sizes = [1, 4] : ...
      ...
    }
    // After (canonicalized)
    %w0 = stablehlo.slice %stack [0:1, 0:4] : ...
    ...
    %w1 = stablehlo.slice %stack [1:2, 0:4] : ...
    ```

    Arithmetic: exact. Fails on a loop whose trip count is not known or above
    `max-trips`, at its location.
  }];
  let options = [
    Option<"maxTrips", "max-trips", "int64_t", /*default=*/"1024",
           "Refuse loops of more trips than this">,
  ];
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_PASSES_TD
