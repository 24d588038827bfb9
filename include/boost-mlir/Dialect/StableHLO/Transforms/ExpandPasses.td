//===- ExpandPasses.td - Operations in other words ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of boost-import-pipeline that write operations out by others, or make
// calls operations of the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_EXPANDPASSES_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_EXPANDPASSES_TD

include "mlir/Pass/PassBase.td"

def ExpandCHLOPass : Pass<"boost-expand-chlo", "::mlir::ModuleOp"> {
  let summary = "Expand CHLO operations into StableHLO.";
  let description = [{
    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = chlo.square %x : tensor<4xf32> -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.multiply %x, %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    Circular and hyperbolic functions, `chlo.digamma` and `chlo.lgamma` become
    formulas that are as exact as their type, computed in f32 for f16 and bf16.
    `chlo.erf`, `chlo.erfc` and `chlo.erf_inv` become approximations for f32 with an
    error below 5e-7 (absolute, and relative for the last). `chlo.top_k` becomes a slice
    of a stable sort in decreasing total order, in which true booleans come first.

    Arithmetic: approximate (5e-7) for these three, otherwise reassociating. Fails on
    the error functions of f64.
  }];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

def ExpandConvolutionPass : Pass<"boost-expand-convolution", "::mlir::ModuleOp"> {
  let summary = "Expand convolutions into products.";
  let description = [{
    The resulting operations have gradients, sharding rules and kernels. The
    input is first padded and dilated.

    A depthwise convolution (as many groups as features, at most 64
    elements per channel), such as the short causal ones of Mamba and Hyena, becomes
    a sum of shifted products:

    ```mlir
    func.func @f(%x: tensor<2x16x8xf32>, %w: tensor<2x1x8xf32>) -> tensor<2x16x8xf32> {
      %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
          window = {pad = [[1, 0]]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64}
          : (tensor<2x16x8xf32>, tensor<2x1x8xf32>) -> tensor<2x16x8xf32>
      return %0 : tensor<2x16x8xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<2x16x8xf32>, %arg1: tensor<2x1x8xf32>) -> tensor<2x16x8xf32> {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %0 = stablehlo.pad %arg0, %cst, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 0, 0] :
          (tensor<2x16x8xf32>, tensor<f32>) -> tensor<2x17x8xf32>
      %1 = stablehlo.slice %0 [0:2, 0:16, 0:8] : (tensor<2x17x8xf32>) -> tensor<2x16x8xf32>
      %2 = stablehlo.slice %arg1 [0:1, 0:1, 0:8] : (tensor<2x1x8xf32>) -> tensor<1x1x8xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x1x8xf32>) -> tensor<8xf32>
      %4 = stablehlo.broadcast_in_dim %3, dims = [2] : (tensor<8xf32>) -> tensor<2x16x8xf32>
      %5 = stablehlo.multiply %1, %4 : tensor<2x16x8xf32>
      %6 = stablehlo.slice %0 [0:2, 1:17, 0:8] : (tensor<2x17x8xf32>) -> tensor<2x16x8xf32>
      %7 = stablehlo.slice %arg1 [1:2, 0:1, 0:8] : (tensor<2x1x8xf32>) -> tensor<1x1x8xf32>
      %8 = stablehlo.reshape %7 : (tensor<1x1x8xf32>) -> tensor<8xf32>
      %9 = stablehlo.broadcast_in_dim %8, dims = [2] : (tensor<8xf32>) -> tensor<2x16x8xf32>
      %10 = stablehlo.multiply %6, %9 : tensor<2x16x8xf32>
      %11 = stablehlo.add %5, %10 : tensor<2x16x8xf32>
      return %11 : tensor<2x16x8xf32>
    }
    ```

    For other convolutions the windows are gathered (im2col), one dimension after
    the other, and multiplied by the kernel in one product. If a window moves by
    its size, as over the patches of a picture, the windows are a reshape; otherwise
    they are a concatenation of slices, or a gather if there are more than 64 of them.
    The windows need the memory of the input times the elements of a kernel, divided by
    the strides.

    Arithmetic: reassociating. Needs: static shapes. Fails on windows of more
    than 2^53 bytes.
  }];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

def ExpandSelectAndScatterPass
    : Pass<"boost-expand-select-and-scatter", "::mlir::ModuleOp"> {
  let summary = "Expand select-and-scatter into a reduction and a scatter.";
  let description = [{
    JAX uses `stablehlo.select_and_scatter` for the gradient of a maximum over
    windows. It becomes a reduction over windows that carries the position of the
    selected element, and a scatter to these positions. Positions count along the
    dimensions along which the window moves. The padding has position -1, which loses
    against every other position and is skipped by the scatter.

    ```mlir
    func.func @f(%x: tensor<2x8xf32>, %s: tensor<2x4xf32>, %zero: tensor<f32>) -> tensor<2x8xf32> {
      %0 = "stablehlo.select_and_scatter"(%x, %s, %zero) <{
          window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %p = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      }, {
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %t = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %t : tensor<f32>
      }) : (tensor<2x8xf32>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x8xf32>
      return %0 : tensor<2x8xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<2x8xf32>, %arg1: tensor<2x4xf32>, %arg2: tensor<f32>) ->
        tensor<2x8xf32> {
      %0 = stablehlo.iota dim = 1 : tensor<2x8xi32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %c = stablehlo.constant dense<-1> : tensor<i32>
      %1:2 = "stablehlo.reduce_window"(%arg0, %0, %cst, %c) <{base_dilations = array<i64: 1, 1>,
          padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>,
          window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<i32>, %arg5: tensor<f32>, %arg6: tensor<i32>):
        %5 = stablehlo.compare GE, %arg3, %arg5 : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %c_0 = stablehlo.constant dense<-1> : tensor<i32>
        %6 = stablehlo.compare NE, %arg4, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %7 = stablehlo.compare EQ, %arg6, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %8 = stablehlo.and %6, %5 : tensor<i1>
        %9 = stablehlo.or %7, %8 : tensor<i1>
        %10 = stablehlo.select %9, %arg3, %arg5 : tensor<i1>, tensor<f32>
        %11 = stablehlo.select %9, %arg4, %arg6 : tensor<i1>, tensor<i32>
        stablehlo.return %10, %11 : tensor<f32>, tensor<i32>
      }) : (tensor<2x8xf32>, tensor<2x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x4xf32>,
          tensor<2x4xi32>)
      %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
      %3 = stablehlo.reshape %1#1 : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
      %4 = "stablehlo.scatter"(%2, %3, %arg1) <{indices_are_sorted = false,
          scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
          input_batching_dims = [0], scatter_indices_batching_dims = [0],
          scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
      ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
        %5 = stablehlo.add %arg3, %arg4 : tensor<f32>
        stablehlo.return %5 : tensor<f32>
      }) : (tensor<2x8xf32>, tensor<2x4x1xi32>, tensor<2x4xf32>) -> tensor<2x8xf32>
      return %4 : tensor<2x8xf32>
    }
    ```

    Arithmetic: exact. Needs: static shapes. Fails on operands of more
    than 2^50 elements.
  }];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

def ExpandTriangularSolvePass
    : Pass<"boost-expand-triangular-solve", "::mlir::ModuleOp"> {
  let summary = "Expand triangular systems into products.";
  let description = [{
    `stablehlo.triangular_solve`, and the LAPACK call that JAX makes of it for
    CPUs, become products of matrices. Transposing and reversing turn every
    system into a lower triangular one on the left, and dividing by the diagonal makes
    it unit triangular. A matrix of up to 32 rows is inverted in a number of steps that
    is logarithmic in its size: if p contains the inverses of the blocks on the
    diagonal, and c is the part of the matrix between two neighboring blocks, the block
    between their inverses is -p c p. Larger systems use block substitution with the
    inverses of the diagonal blocks of 32 rows. The other triangle is never read, so it
    has no gradient either.

    ```mlir
    func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true,
          transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}>
          : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      return %0 : tensor<2x3xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<2x2xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %0 = stablehlo.iota dim = 0 : tensor<2x2xi32>
      %1 = stablehlo.iota dim = 1 : tensor<2x2xi32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x2xf32>
      %2 = stablehlo.compare GT, %0, %1 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
      %3 = stablehlo.select %2, %arg0, %cst : tensor<2x2xi1>, tensor<2x2xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<2x2xf32>
      %c = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
      %4 = stablehlo.convert %c : (tensor<2x2xi1>) -> tensor<2x2xf32>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2xf32>
      %c_1 = stablehlo.constant dense<[[false, false], [true, false]]> : tensor<2x2xi1>
      %6 = stablehlo.broadcast_in_dim %c_1, dims = [0, 1] : (tensor<2x2xi1>) -> tensor<2x2xi1>
      %7 = stablehlo.select %6, %3, %cst_0 : tensor<2x2xi1>, tensor<2x2xf32>
      %8 = stablehlo.subtract %5, %7 : tensor<2x2xf32>
      %9 = stablehlo.dot_general %8, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST,
          HIGHEST] : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      return %9 : tensor<2x3xf32>
    }
    ```

    f16 and bf16 are computed in f32. Arithmetic: reassociating. Needs: static
    shapes. Fails on more than 16384 rows.
  }];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

def RaiseFactorizationsPass
    : Pass<"boost-raise-factorizations", "::mlir::ModuleOp"> {
  let summary = "Make factorizations operations of the compiler.";
  let description = [{
    `stablehlo.cholesky`, and the LAPACK calls that JAX makes of factorizations for CPUs,
    become `boost.factorize`. The status of a call is 1 where the results of the operation
    are NaN, which tells that there is no factorization.

    ```mlir
    func.func @f(%a: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>) {
      %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}}
          : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>)
      return %0#0, %0#1 : tensor<2x4x4xf32>, tensor<2xi32>
    }
    // becomes
    func.func @f(%arg0: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>) {
      %0 = boost.factorize cholesky %arg0 : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
      %1 = stablehlo.slice %0 [0:2, 0:1, 0:1] : (tensor<2x4x4xf32>) -> tensor<2x1x1xf32>
      %2 = stablehlo.reshape %1 : (tensor<2x1x1xf32>) -> tensor<2xf32>
      %3 = stablehlo.compare NE, %2, %2 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
      %4 = stablehlo.convert %3 : (tensor<2xi1>) -> tensor<2xi32>
      return %0, %4 : tensor<2x4x4xf32>, tensor<2xi32>
    }
    ```

    f16 and bf16 are computed in f32. Arithmetic: exact, but for the signs of eigenvectors
    and singular vectors. Needs: static shapes. Calls of other forms stay.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect",
                           "::mlir::boost::stablehlo::StableHLODialect"];
}

def RaiseStopGradientsPass
    : Pass<"boost-raise-stop-gradients", "::mlir::ModuleOp"> {
  let summary = "Make stopped gradients operations of the compiler.";
  let description = [{
    StableHLO has no operation through which no gradient goes. `boost_mlir.export` writes
    `jax.lax.stop_gradient` as a call, which becomes `boost.stop_gradient`.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.custom_call @boost.stop_gradient(%x) : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
      %0 = boost.stop_gradient %arg0 : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    Arithmetic: exact. Needs: nothing. Calls of other forms stay.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
}

def ExpandDotAlgorithmPass
    : Pass<"boost-expand-dot-algorithm", "::mlir::ModuleOp"> {
  let summary = "Make the roundings of a product's algorithm explicit.";
  let description = [{
    A `stablehlo.dot_general` with an `algorithm` rounds its operands to the
    precision types, accumulates in the accumulation type and converts the sum to
    the type of the result. The compiler's products accumulate in f32, those of f64 in
    f64, so only the roundings have to become explicit, as conversions and, for tf32,
    a `reduce_precision`.

    ```mlir
    func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
      %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0],
          algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16,
                       accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
                       num_primitive_operations = 1, allow_imprecise_accumulation = false>
          : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
      return %0 : tensor<4x2xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>) -> tensor<4x2xf32> {
      %0 = stablehlo.convert %x : (tensor<4x8xf32>) -> tensor<4x8xbf16>
      %1 = stablehlo.convert %w : (tensor<8x2xf32>) -> tensor<8x2xbf16>
      %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0]
          : (tensor<4x8xbf16>, tensor<8x2xbf16>) -> tensor<4x2xf32>
      return %2 : tensor<4x2xf32>
    }
    ```

    Arithmetic: exact. Fails on algorithms that accumulate in another type, or that
    consist of several products (`num_primitive_operations`, component counts).
  }];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

def ExpandInnerProductsPass
    : Pass<"boost-expand-inner-products", "::mlir::func::FuncOp"> {
  let summary = "Write products of a row and a column as sums.";
  let description = [{
    A `stablehlo.dot_general` of which each side has batch and contracted dimensions alone
    (others of one element do not count) becomes a product of elements and a sum over
    them. `jnp.einsum("bsv,bsv->", onehot, logp)` and `x[..., None, :] @ x[..., None]` become
    what the losses and the norms of others are, which later passes recognize and fuse. A
    matrix product of one row and one column reads as many numbers as it computes with.

    ```mlir
    func.func @f(%x: tensor<2x4x8xf32>, %y: tensor<2x4x8xf32>) -> tensor<2x4xf32> {
      %0 = stablehlo.dot_general %x, %y, batching_dims = [0, 1] x [0, 1],
          contracting_dims = [2] x [2] : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }
    // becomes
    func.func @f(%x: tensor<2x4x8xf32>, %y: tensor<2x4x8xf32>) -> tensor<2x4xf32> {
      %0 = stablehlo.multiply %x, %y : tensor<2x4x8xf32>
      %c = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [2]
          : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4xf32>
      return %1 : tensor<2x4xf32>
    }
    ```

    Arithmetic: reassociating. Types narrower than f32 are multiplied and added up in f32, as
    in a product. Needs: attention raised, whose products have one row where a sequence has
    one token. Products with an `algorithm` or of booleans stay.
  }];
  let dependentDialects = ["::mlir::boost::stablehlo::StableHLODialect"];
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_TRANSFORMS_EXPANDPASSES_TD
