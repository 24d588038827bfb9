//===- BoostFactorization.td - Factorizations --------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operation of the boost dialect that factorizes matrices, and its kinds,
// which boostrt shares.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTFACTORIZATION_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTFACTORIZATION_TD

include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The numbers are those of boost_rt_factorization in the runtime.
def Boost_Factorization : I32EnumAttr<"Factorization", "factorization of a matrix", [
    I32EnumAttrCase<"Cholesky", 0, "cholesky">,
    I32EnumAttrCase<"QR", 1, "qr">,
    I32EnumAttrCase<"QRBasis", 2, "qr_basis">,
    I32EnumAttrCase<"Eigh", 3, "eigh">,
    I32EnumAttrCase<"SVD", 4, "svd">,
    I32EnumAttrCase<"FullSVD", 5, "full_svd">,
    I32EnumAttrCase<"SingularValues", 6, "singular_values">]> {
  let cppNamespace = "::mlir::boost";
}

def Boost_FactorizeOp : Boost_Op<"factorize", [Pure]> {
  let summary = "Factorizes matrices.";
  let description = [{
    The last two dimensions of the first operand are the rows m and the columns n of matrices,
    the dimensions before them a batch. k is the smaller of m and n. All operands and results
    have one element type, f32 or f64, and the same batch.

    | kind | operands | results |
    |---|---|---|
    | `cholesky` | a [n, n] | l [n, n] |
    | `qr` | a [m, n] | packed [m, n], scales [k] |
    | `qr_basis` | packed [m, n], scales [j], j <= n <= m | q [m, n] |
    | `eigh` | a [n, n] | vectors [n, n], values [n] |
    | `svd` | a [m, n] | values [k], u [m, k], v [k, n] |
    | `full_svd` | a [m, n] | values [k], u [m, m], v [n, n] |
    | `singular_values` | a [m, n] | values [k] |

    - `cholesky` computes a = l . transpose(l) with a lower triangle l and zeros above it.
    - `qr` computes a = q . r by the reflections of Householder, 1 - scale . v . transpose(v),
      as LAPACK's `geqrf` does: `packed` has r in the upper triangle, and below the diagonal
      column i has v of reflection i, of which row i is 1 and the rows above are 0. An element
      on the diagonal of r has the opposite sign of the one that the reflection replaces.
      `qr_basis` computes the first n columns of the product of j such reflections.
    - `eigh` computes a . vectors = vectors . diag(values), with increasing values and the
      vectors as columns. `cholesky` and `eigh` read the lower triangle of a symmetric matrix.
    - The other kinds compute a = u . diag(values) . v, with decreasing values.

    Eigenvectors, and each column of u with its row of v, are unique but for a sign. The sign
    is the one that makes the sum of vector[i] * weight[i] positive, for a column of u in the
    case of pairs, where weight[i] is 1 plus the fractional part of i times the golden ratio.

    If a matrix has elements that are not finite, is not positive definite in the case of
    `cholesky`, or if the iteration does not converge, all results of this matrix are NaN.

    ```mlir
    %v, %w = boost.factorize eigh %a
        : (tensor<3x8x8xf32>) -> (tensor<3x8x8xf32>, tensor<3x8xf32>)
    %q = boost.factorize qr_basis %p, %s : (tensor<8x4xf64>, tensor<4xf64>) -> tensor<8x4xf64>
    ```
  }];
  let arguments = (ins Variadic<Boost_StatTensor>:$inputs, Boost_Factorization:$kind);
  let results = (outs Variadic<Boost_StatTensor>:$results);
  let assemblyFormat = [{
    $kind $inputs attr-dict `:` functional-type($inputs, $results)
  }];
  let hasVerifier = 1;
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTFACTORIZATION_TD
