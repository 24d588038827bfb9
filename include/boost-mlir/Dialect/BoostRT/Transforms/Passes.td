//===- Passes.td - Passes on the runtime level -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tensors in destination style to memrefs in one arena and kernels.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES
#define BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def MoveSlicesPass : Pass<"boostrt-move-slices", "::mlir::func::FuncOp"> {
  let summary = "Computes parts of tensors separately, so that kernels can be fused";
  let description = [{
    A slice of a kernel's result prevents the kernel from moving into the kernel that
    reads the slice, and a kernel that reads joined tensors cannot absorb the kernels
    that compute them. This pass computes both part by part:

    * A slice of an elementwise kernel's result is computed from slices of the kernel's
      inputs if all readers are slices that kernels read, and that together have no more
      elements than the result. For a kernel that only moves or widens elements, other
      readers may be kernels, and the number of elements does not matter.
    * An elementwise kernel that is the only reader of tensors joined along one
      dimension, up to eight, is computed for each of them, and the results are joined.
      Each of the tensors must be computed by an elementwise kernel for this
      purpose, which then moves into the new kernel.

    Slices are views, and a value that is inserted into a joined tensor is computed in
    place. A rotary embedding, which takes halves of vectors, rotates them in a wider
    type and joins them, becomes two kernels of the narrow type after
    `boostrt-fuse-elementwise`, and one after `boostrt-fuse-siblings`.

    ```mlir
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%x: tensor<4x8xbf16>) -> (tensor<4x4xf32>, tensor<4x8xf32>) {
      %e = tensor.empty() : tensor<4x8xf32>
      %h = tensor.empty() : tensor<4x4xf32>
      %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<4x8xbf16>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: bf16, %out: f32):
        %b = arith.extf %a : bf16 to f32
        linalg.yield %b : f32
      } -> tensor<4x8xf32>
      %s = tensor.extract_slice %w[0, 4] [4, 4] [1, 1] : tensor<4x8xf32> to tensor<4x4xf32>
      %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%s : tensor<4x4xf32>) outs(%h : tensor<4x4xf32>) {
      ^bb0(%a: f32, %out: f32):
        %b = arith.negf %a : f32
        linalg.yield %b : f32
      } -> tensor<4x4xf32>
      %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%w : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %out: f32):
        %b = math.exp %a : f32
        linalg.yield %b : f32
      } -> tensor<4x8xf32>
      return %y, %z : tensor<4x4xf32>, tensor<4x8xf32>
    }
    // becomes
    #id = affine_map<(i, j) -> (i, j)>
    func.func @f(%x: tensor<4x8xbf16>) -> (tensor<4x4xf32>, tensor<4x8xf32>) {
      %e = tensor.empty() : tensor<4x8xf32>
      %h = tensor.empty() : tensor<4x4xf32>
      %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<4x8xbf16>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: bf16, %out: f32):
        %b = arith.extf %a : bf16 to f32
        linalg.yield %b : f32
      } -> tensor<4x8xf32>
      %s = tensor.extract_slice %x[0, 4] [4, 4] [1, 1] : tensor<4x8xbf16> to tensor<4x4xbf16>
      %p = tensor.empty() : tensor<4x4xf32>
      %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%s : tensor<4x4xbf16>) outs(%p : tensor<4x4xf32>) {
      ^bb0(%a: bf16, %out: f32):
        %b = arith.extf %a : bf16 to f32
        linalg.yield %b : f32
      } -> tensor<4x4xf32>
      %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%v : tensor<4x4xf32>) outs(%h : tensor<4x4xf32>) {
      ^bb0(%a: f32, %out: f32):
        %b = arith.negf %a : f32
        linalg.yield %b : f32
      } -> tensor<4x4xf32>
      %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%w : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %out: f32):
        %b = math.exp %a : f32
        linalg.yield %b : f32
      } -> tensor<4x8xf32>
      return %y, %z : tensor<4x4xf32>, tensor<4x8xf32>
    }
    ```

    Exact: no value changes.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"boostrt-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuses elementwise linalg operations on tensors";
  let description = [{
    Uses upstream's elementwise fusion, but decides itself when a producer moves
    into its consumer, so that there are few passes over memory and nothing is
    computed much more often than before:

    * Broadcasts, and short bodies that read at most scalars (masks, counts), move
      into every user. Transposes and conversions to wider types do so if all users
      are kernels.
    * Any other producer moves into its single user. If it has several users, up to
      four, a body of at most 16 operations without costly arithmetic moves into all of
      them if they are kernels of the same phase and this reduces the bytes that are read
      and written. Sums of products never move in this way (`boostrt-accumulate-products`).
    * Exponentials, divisions and other costly arithmetic move only if the user
      computes each element once, never under a broadcast.
    * A value with several users is computed together with its first user, if that
      is elementwise too: one pass over memory writes both.
    * Except for broadcasts and the like, the fused kernel has at most 64 operations
      and 12 operands. With more arithmetic per element, fusion gains little,
      and bodies of unbounded size take quadratic time.

    ```mlir
    #all = affine_map<(i, j, k) -> (i, j, k)>
    #rows = affine_map<(i, j, k) -> (i, j)>
    func.func @f(%s: tensor<4x8xf32>, %x: tensor<4x8x64xf32>) -> tensor<4x8x64xf32> {
      %e = tensor.empty() : tensor<4x8x64xf32>
      %b = linalg.generic {indexing_maps = [#rows, #all],
                           iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%s : tensor<4x8xf32>) outs(%e : tensor<4x8x64xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<4x8x64xf32>
      %y = linalg.generic {indexing_maps = [#all, #all, #all],
                           iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%x, %b : tensor<4x8x64xf32>, tensor<4x8x64xf32>) outs(%e : tensor<4x8x64xf32>) {
      ^bb0(%a: f32, %in: f32, %out: f32):
        %p = arith.mulf %a, %in : f32
        linalg.yield %p : f32
      } -> tensor<4x8x64xf32>
      return %y : tensor<4x8x64xf32>
    }
    // becomes
    #all = affine_map<(i, j, k) -> (i, j, k)>
    #rows = affine_map<(i, j, k) -> (i, j)>
    func.func @f(%s: tensor<4x8xf32>, %x: tensor<4x8x64xf32>) -> tensor<4x8x64xf32> {
      %e = tensor.empty() : tensor<4x8x64xf32>
      %y = linalg.generic {indexing_maps = [#all, #rows, #all],
                           iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%x, %s : tensor<4x8x64xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8x64xf32>) {
      ^bb0(%a: f32, %in: f32, %out: f32):
        %p = arith.mulf %a, %in : f32
        linalg.yield %p : f32
      } -> tensor<4x8x64xf32>
      return %y : tensor<4x8x64xf32>
    }
    ```

    Exact: no value changes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseSiblingsPass : Pass<"boostrt-fuse-siblings", "::mlir::func::FuncOp"> {
  let summary = "Fuses kernels that read the same tensor";
  let description = [{
    Two elementwise kernels, or kernels that reduce along the last loops, become one
    kernel, which reads their common inputs once, if

    * their loops are equal, they write with the same pattern, and both read a common
      tensor as a whole with the same pattern;
    * they have the same attributes, such as the layer, and there is no `boost.phase`
      between them, so that nothing has to stay in memory much longer;
    * one of them can move: each input of the later one is available at the earlier
      one, or written by it with the pattern with which it is read, or nothing reads the
      results of the earlier one before the later one;
    * the fused kernel is of bounded size, as in `boostrt-fuse-elementwise`.

    The fused kernel does not write results that only the later one reads. Before, views
    and barriers move up to the values that they are of, but not across a `boost.phase`.

    Only the last four kernels that read a tensor are considered, so that the time is
    linear. Examples are the gradients of a product of two tensors, and the halves of a
    rotary embedding.

    ```mlir
    #id = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %d: tensor<8xf32>)
        -> (tensor<8xf32>, tensor<8xf32>) {
      %e = tensor.empty() : tensor<8xf32>
      %dx = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%d, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32, %out: f32):
        %p = arith.mulf %a, %b : f32
        linalg.yield %p : f32
      } -> tensor<8xf32>
      %dy = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%d, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32, %out: f32):
        %p = arith.mulf %a, %b : f32
        linalg.yield %p : f32
      } -> tensor<8xf32>
      return %dx, %dy : tensor<8xf32>, tensor<8xf32>
    }
    // becomes
    #id = affine_map<(i) -> (i)>
    func.func @f(%x: tensor<8xf32>, %y: tensor<8xf32>, %d: tensor<8xf32>)
        -> (tensor<8xf32>, tensor<8xf32>) {
      %e = tensor.empty() : tensor<8xf32>
      %p = tensor.empty() : tensor<8xf32>
      %q = tensor.empty() : tensor<8xf32>
      %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
          ins(%d, %y, %x : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
          outs(%p, %q : tensor<8xf32>, tensor<8xf32>) {
      ^bb0(%a: f32, %b: f32, %c: f32, %out: f32, %other: f32):
        %s = arith.mulf %a, %b : f32
        %t = arith.mulf %a, %c : f32
        linalg.yield %s, %t : f32, f32
      } -> (tensor<8xf32>, tensor<8xf32>)
      return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
    }
    ```

    Exact: no value changes.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitReductionsPass : Pass<"boostrt-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Computes large reductions with few results in two stages";
  let description = [{
    A reduction with few results occupies few thread blocks: the sum of 4,096
    rows of 64 columns only one. The pass splits it into a first stage, which reduces
    ranges of the reduced loops to a tensor of partial results, and a second stage, which
    reduces this tensor in the order of the ranges. The memory plan has a place for
    the partial results as for any other tensor.

    A block computes 64 neighboring results, or one if the elements of a result are
    closer together in memory than those of different results. Reductions that occupy
    `blocks` blocks are left alone. Others get as many partial results as needed to
    occupy `blocks` blocks, each with at least `elements` elements. The loops with the
    largest strides are divided first: those with few iterations completely, the last
    one into ranges. If no number of ranges near the desired one divides the
    iterations, another operation reduces the remainder before the second stage.

    Partial results are joined by the operation that accumulates, and start from its
    neutral element. A selection has no neutral element: it is a reduction, such as that
    to the position of a maximum and the maximum, whose body chooses all results
    together between the current ones and an element. Its ranges start from the
    initial value of the reduction, which StableHLO allows
    to enter anywhere, and are joined by the same choice. Since one thread computes a
    result of a selection, both stages get about the same number of elements, and
    `blocks` and `elements` are counted for 64 threads. The order of the elements is
    kept, and with it the choice among equal elements or NaNs.

    These reductions are left alone: others whose partial results cannot be joined; sums
    that accumulate in bf16 or f16, which would become less exact; selections that start
    from a tensor, or that no number of ranges divides; and loops that are not a
    dimension of every input (windows).

    ```mlir
    func.func @f(%x: tensor<4096x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
      %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
                           iterator_types = ["reduction", "parallel"]}
          ins(%x : tensor<4096x64xf32>) outs(%init : tensor<64xf32>) {
      ^bb0(%in: f32, %acc: f32):
        %r = arith.addf %acc, %in : f32
        linalg.yield %r : f32
      } -> tensor<64xf32>
      return %s : tensor<64xf32>
    }
    // becomes
    func.func @f(%x: tensor<4096x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
      %chunks = tensor.expand_shape %x [[0, 1], [2]] output_shape [32, 128, 64]
          : tensor<4096x64xf32> into tensor<32x128x64xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<32x64xf32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
      %parts = linalg.generic {indexing_maps = [affine_map<(c, j, i) -> (c, i, j)>,
                                                affine_map<(c, j, i) -> (c, j)>],
                               iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%chunks : tensor<32x128x64xf32>) outs(%z : tensor<32x64xf32>) {
      ^bb0(%in: f32, %acc: f32):
        %r = arith.addf %acc, %in : f32
        linalg.yield %r : f32
      } -> tensor<32x64xf32>
      %s = linalg.generic {indexing_maps = [affine_map<(c, j) -> (c, j)>, affine_map<(c, j) -> (j)>],
                           iterator_types = ["reduction", "parallel"]}
          ins(%parts : tensor<32x64xf32>) outs(%init : tensor<64xf32>) {
      ^bb0(%in: f32, %acc: f32):
        %r = arith.addf %acc, %in : f32
        linalg.yield %r : f32
      } -> tensor<64xf32>
      return %s : tensor<64xf32>
    }
    ```

    Reassociating: the order of a reduction changes, but is the same in every run.
    Fails if an option is not positive.
  }];
  let options = [
    Option<"blocks", "blocks", "int64_t", "1024",
           "Blocks of threads that keep the device busy">,
    Option<"elements", "elements", "int64_t", "8192",
           "Smallest number of input elements that justify a block">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MergeEqualOperationsPass : Pass<"boostrt-merge-equal-operations", "::mlir::func::FuncOp"> {
  let summary = "Eliminates common subexpressions in linear time, kernels included";
  let description = [{
    Does the same as `cse`, in time linear in the number of operations. The hash of
    `cse` ignores regions, so it compares the bodies of all kernels with equal
    operands pairwise. This pass first numbers the bodies and removes the numbers
    afterwards.

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %two = arith.constant 2.0 : f32
      %e = tensor.empty() : tensor<4xf32>
      %a = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%in: f32, %out: f32) {
        %m = arith.mulf %in, %two : f32
        linalg.yield %m : f32
      }
      %b = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%in: f32, %out: f32) {
        %m = arith.mulf %in, %two : f32
        linalg.yield %m : f32
      }
      return %a, %b : tensor<4xf32>, tensor<4xf32>
    }
    // becomes
    func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %two = arith.constant 2.0 : f32
      %e = tensor.empty() : tensor<4xf32>
      %a = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) (%in: f32, %out: f32) {
        %m = arith.mulf %in, %two : f32
        linalg.yield %m : f32
      }
      return %a, %a : tensor<4xf32>, tensor<4xf32>
    }
    ```

    Exact: no value changes.
  }];
}

def AccumulateProductsPass : Pass<"boostrt-accumulate-products", "::mlir::func::FuncOp"> {
  let summary = "Accumulates products into existing buffers";
  let description = [{
    Removes a kernel that only adds tensors if all of them but one are products
    (`boostrt.gemm`) without other readers. The products then `accumulate`, one after
    another, into the remaining tensor, which becomes their destination. This saves a
    launch, a buffer of the product's size and two passes over it. Residual sums are
    examples, and gradients that are sums of products or that are added to those of
    earlier batches. If all terms are products, the first one is the destination.

    The products do not move. A sum is left alone if this would require a
    copy of the remaining tensor:

    * the tensor is computed after the first product, or is read there or later by
      anything but the sum;
    * it is a constant, a part of a larger tensor, or an argument that the sum does not
      replace;
    * the sum is inserted into a larger tensor.

    Kernels that do more than add also stay, since they would read the sum instead of
    the product. Runs after `boostrt-fuse-elementwise`, which determines the kernels.

    ```mlir
    func.func @f(%x: tensor<4x8xf32>, %h: tensor<4x16xf32>, %w: tensor<16x8xf32>)
        -> tensor<4x8xf32> {
      %e = tensor.empty() : tensor<4x8xf32>
      %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      %p = boostrt.gemm ins(%h, %w : tensor<4x16xf32>, tensor<16x8xf32>)
          outs(%e : tensor<4x8xf32>) {batch = 1, m = 4, n = 8, k = 16} -> tensor<4x8xf32>
      %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                                            affine_map<(i, j) -> (i, j)>,
                                            affine_map<(i, j) -> (i, j)>],
                           iterator_types = ["parallel", "parallel"]}
          ins(%y, %p : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
      ^bb0(%a: f32, %b: f32, %out: f32):
        %sum = arith.addf %a, %b : f32
        linalg.yield %sum : f32
      } -> tensor<4x8xf32>
      return %s : tensor<4x8xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x8xf32>, %h: tensor<4x16xf32>, %w: tensor<16x8xf32>)
        -> tensor<4x8xf32> {
      %e = tensor.empty() : tensor<4x8xf32>
      %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      %s = boostrt.gemm ins(%h, %w : tensor<4x16xf32>, tensor<16x8xf32>)
          outs(%y : tensor<4x8xf32>) {accumulate, batch = 1, m = 4, n = 8, k = 16}
          -> tensor<4x8xf32>
      return %s : tensor<4x8xf32>
    }
    ```

    Reassociating: a product starts its sum with the destination. For bf16 and
    f16 this happens in f32, and the sum is rounded once per product, whereas
    the kernel reads rounded products and rounds their sum.
  }];
}

def RoundUpdatesPass : Pass<"boostrt-round-updates", "::mlir::func::FuncOp"> {
  let summary = "Lets AdamW write rounded parameters beside their masters";
  let description = [{
    Parameters of bf16 and f16 have f32 masters, which AdamW updates. A kernel that only
    rounds an updated master would read it again. It is removed, and the update writes
    the rounded parameter as a fourth out of each tensor. An update of several tensors
    does so only if all of them are rounded, to the same type.

    ```mlir
    #id = affine_map<(i) -> (i)>
    func.func @f(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xbf16>,
                 %s: tensor<f32>) -> (tensor<4xf32>, tensor<4xbf16>) {
      %a:3 = boostrt.adamw grads(%g : tensor<4xbf16>)
          ins(%s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
          outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
          {decays = array<i1: true>}
          -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
      %e = tensor.empty() : tensor<4xbf16>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%a#0 : tensor<4xf32>) outs(%e : tensor<4xbf16>) {
      ^bb0(%in: f32, %out: bf16):
        %t = arith.truncf %in : f32 to bf16
        linalg.yield %t : bf16
      } -> tensor<4xbf16>
      return %a#0, %r : tensor<4xf32>, tensor<4xbf16>
    }
    // becomes
    func.func @f(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xbf16>,
                 %s: tensor<f32>) -> (tensor<4xf32>, tensor<4xbf16>) {
      %e = tensor.empty() : tensor<4xbf16>
      %a:4 = boostrt.adamw grads(%g : tensor<4xbf16>)
          ins(%s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
          outs(%p, %m, %v, %e : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>)
          {decays = array<i1: true>}
          -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>
      %u = tensor.empty() : tensor<4xbf16>
      return %a#0, %a#3 : tensor<4xf32>, tensor<4xbf16>
    }
    ```

    Exact: no value changes.
  }];
  let dependentDialects = ["BoostRTDialect", "::mlir::tensor::TensorDialect"];
}

def MergeUpdatesPass : Pass<"boostrt-merge-updates", "::mlir::func::FuncOp"> {
  let summary = "Updates several parameters with one call of AdamW";
  let description = [{
    On a GPU every call is a launch, and a model has a few hundred parameters, most
    of them small. `boostrt.adamw` operations with equal element types and scalars
    become one, with up to 64 tensors, at the place of the first. The later ones
    move up, which needs no additional memory, if all their operands were
    computed before the first, and if nothing in between reads what they overwrite.

    ```mlir
    func.func @f(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xf32>,
                 %q: tensor<2xf32>, %n: tensor<2xf32>, %w: tensor<2xf32>, %h: tensor<2xf32>,
                 %s: tensor<f32>) -> (tensor<4xf32>, tensor<2xf32>) {
      %a:3 = boostrt.adamw grads(%g : tensor<4xf32>)
          ins(%s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
          outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
          {decays = array<i1: true>}
          -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
      %b:3 = boostrt.adamw grads(%h : tensor<2xf32>)
          ins(%s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
          outs(%q, %n, %w : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
          {decays = array<i1: false>}
          -> tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
      return %a#0, %b#0 : tensor<4xf32>, tensor<2xf32>
    }
    // becomes
    func.func @f(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<4xf32>,
                 %q: tensor<2xf32>, %n: tensor<2xf32>, %w: tensor<2xf32>, %h: tensor<2xf32>,
                 %s: tensor<f32>) -> (tensor<4xf32>, tensor<2xf32>) {
      %r:6 = boostrt.adamw grads(%g, %h : tensor<4xf32>, tensor<2xf32>)
          ins(%s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
          outs(%p, %m, %v, %q, %n, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>,
               tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
          {decays = array<i1: true, false>}
          -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<2xf32>,
             tensor<2xf32>
      return %r#0, %r#3 : tensor<4xf32>, tensor<2xf32>
    }
    ```

    Exact: no value changes.
  }];
}

def NumberCollectivesPass : Pass<"boostrt-number-collectives", "::mlir::ModuleOp"> {
  let summary = "Numbers the collectives of the program";
  let description = [{
    Numbers the communicating boostrt operations in program order over all
    functions of the module, from 0. The number is the operation's `site`: its
    index in the plan and in the counters of the training binary.
    `boostrt.sites` on the module is the number of sites.
    `boostrt.all_slice` and `boostrt.process_index` send nothing and get no number.

    ```mlir
    func.func @f(%p: tensor<4xf32>) -> tensor<4xf32> {
      %h = boostrt.all_reduce sum group 2 outs(%p : tensor<4xf32>) -> tensor<4xf32>
      return %h : tensor<4xf32>
    }
    // becomes
    module attributes {boostrt.sites = 1 : i64} {
      func.func @f(%p: tensor<4xf32>) -> tensor<4xf32> {
        %h = boostrt.all_reduce sum group 2 site 0 outs(%p : tensor<4xf32>) -> tensor<4xf32>
        return %h : tensor<4xf32>
      }
    }
    ```

    Exact: no value changes.
  }];
}

def BufferizePass : Pass<"boostrt-bufferize", "::mlir::ModuleOp"> {
  let summary = "Assigns a buffer to every tensor of straight-line functions";
  let description = [{
    Every tensor becomes a part of a dense buffer: an argument, a `memref.alloc`
    or a `memref.global`. Since the code is straight-line, the last use of every
    value is known. The pass decides for each result:

    * A destination that is read (`linalg` accumulators, `boostrt.all_reduce`,
      `boostrt.adamw`) is updated in place if its old value is not read again,
      and copied first otherwise.
    * A function result becomes a trailing memref argument, or is the argument with
      the same name, which is then updated in place. Values are computed
      directly into it if possible, and copied at the end otherwise.
    * Reshapes and slices become views (`memref.reinterpret_cast`). With
      `tensor.insert_slice` into a `tensor.empty`, the inserted value is
      computed in its part. Runtime calls get dense operands; kernels may read
      and write with static strides.
    * Constants become globals, or a `linalg.fill` if they are large and uniform.

    The pass records the computation for `boost-verify-runtime`. Every argument,
    and every result of an operation, has a number. `boostrt.reads` has the numbers
    of which an operand may consist, and `boostrt.writes` the numbers that are available
    afterwards. `boostrt.results` on the function names, for each result, the argument
    that holds it and its numbers.

    Attributes of arguments and results stay with their memrefs. The attributes
    `boost.inputs` and `boost.outputs` of the function list the names of its tensors in
    order.

    ```mlir
    func.func @f(%p: tensor<8xf32> {boost.tensor = #boost.tensor<param "p">},
                 %g: tensor<8xf32> {boost.tensor = #boost.tensor<param "g">})
        -> (tensor<8xf32> {boost.tensor = #boost.tensor<param "p">},
            tensor<8xf32> {boost.tensor = #boost.tensor<output "sum">}) {
      %e = tensor.empty() : tensor<8xf32>
      %s = linalg.add ins(%p, %g : tensor<8xf32>, tensor<8xf32>)
          outs(%e : tensor<8xf32>) -> tensor<8xf32>
      %r = boostrt.all_reduce sum group 1 outs(%p : tensor<8xf32>) -> tensor<8xf32>
      return %r, %s : tensor<8xf32>, tensor<8xf32>
    }
    // becomes
    func.func @f(%p: memref<8xf32> {boost.tensor = #boost.tensor<param "p">},
                 %g: memref<8xf32> {boost.tensor = #boost.tensor<param "g">},
                 %sum: memref<8xf32> {boost.tensor = #boost.tensor<output "sum">})
        attributes {boost.inputs = ["p", "g"], boost.outputs = ["p", "sum"],
                    boostrt.results = [array<i64: 0, 3>, array<i64: 2, 2>]} {
      linalg.add {boostrt.reads = [array<i64: 0>, array<i64: 1>, array<i64>],
                  boostrt.writes = [array<i64: 2>]}
          ins(%p, %g : memref<8xf32>, memref<8xf32>) outs(%sum : memref<8xf32>)
      boostrt.all_reduce sum group 1 outs(%p : memref<8xf32>)
          {boostrt.reads = [array<i64: 0>], boostrt.writes = [array<i64: 3>]}
      return
    }
    ```

    Exact: no value changes. Fails at functions of several blocks, at types without
    static shape, and at tensor operations of other dialects.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::boost::rt::BoostRTDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def PlanMemoryPass : Pass<"boostrt-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Places all buffers of the program in one arena";
  let description = [{
    The arena first holds the named tensors, in the order of their roles
    (`boost.tensor`): parameters, states and accumulators, batch,
    hyper-parameters, and results of several functions. A part follows that all
    functions share. It holds transient values, and the results of
    only one function, which are valid until the next call.

    Lifetimes are exact, since the code is straight-line. The output of an
    elementwise operation reuses the buffer of an input that has its last use
    there and that is read with the same pattern. The remaining buffers are packed by
    best fit with coalescing in program order, or with the largest buffers first if that
    needs a smaller arena. Offsets are multiples of `alignment`. The end of the arena is
    the workspace of the running call (`boostrt.workspace_bytes`), whose offset and
    size are the attribute `boostrt.workspace` of the module.

    Functions then take only the arena as an argument. Every buffer is a `memref.view`
    of it at a constant byte offset and dense. Buffers with gaps are a
    `reinterpret_cast` of such a view, with static strides and offset 0. Two buffers of
    one operation either have the same elements or share none. Buffers are numbered,
    the arguments first, and buffers that reuse each other in place have one number.
    `boostrt.buffers` on the function has their offsets and sizes in bytes, and
    `boostrt.arguments` those that have contents when the function is called.
    `boostrt.buffer` of a view names its buffer and the position in it.

    ```mlir
    func.func @f(%x: memref<4xf32> {boost.tensor = #boost.tensor<param "x">}) {
      %t = memref.alloc() : memref<4xf32>
      boostrt.copy ins(%x : memref<4xf32>) outs(%t : memref<4xf32>)
      return
    }
    // becomes
    module attributes {boost.arena_bytes = 128 : i64, boost.memory = {batch = 0 : i64,
        function = "f", gradients = 0 : i64, kept = 0 : i64, largest = [{bytes = 64 : i64,
        type = "4xf32", what = "workspace"}, {bytes = 16 : i64, type = "4xf32", what = "x"} ],
        masters = 0 : i64, optimizer = 0 : i64, parameters = 64 : i64, peak = 128 : i64, recomputed = 0 : i64,
        results = 0 : i64, unused = 0 : i64, workspace = 64 : i64},
        boost.tensors = [{bytes = 16 : i64, dtype = "f32", name = "x", offset = 0 : i64,
        role = "param", shape = [4], split = [[]]} ]} {
      func.func @f(
          %arena: memref<128xi8>) attributes {boostrt.arguments = array<i64: 0>,
              boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
        %c0 = arith.constant 0 : index
        %view = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0,
            0>} : memref<128xi8> to memref<4xf32>
        %c64 = arith.constant 64 : index
        %view_0 = memref.view %arena[%c64][] {boost.largest = 0 : i64,
            boostrt.buffer = array<i64: 1, 0>} : memref<128xi8> to memref<4xf32>
        boostrt.copy ins(%view : memref<4xf32>) outs(%view_0 : memref<4xf32>)
        return
      }
    }
    ```

    The module gets three attributes. `boost.tensors` describes the named tensors (the
    fields of `boost.tensor`, dtype, global shape, split, offset, bytes, limit).
    `boost.arena_bytes` is the size of the arena. `boost.memory` divides it by purpose,
    at the peak of the function with the highest peak:
    `parameters`, `optimizer`, `batch`, `gradients` (made in the backward pass and read
    by the optimizer or returned), `kept` (made before `boost.phase backward` and read
    after it), `recomputed` (buffers with `boost.recomputed`), `workspace`
    (including that of calls), `results` and `unused`, which add up to `peak`.
    `largest` lists the largest buffers, whose views carry their numbers as
    `boost.largest`. Markers of phases and of recomputation are removed.

    Exact: no value changes. Fails on arguments without `boost.tensor`, on two arguments
    of one name, and if functions disagree about a tensor.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", "64",
           "Alignment in bytes of the offset of every buffer; a power of two">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::boost::BoostDialect",
                           "::mlir::memref::MemRefDialect"];
}

def VerifyRuntimePass : Pass<"boost-verify-runtime", "::mlir::ModuleOp"> {
  let summary = "Proves that a program at the runtime level uses its memory correctly";
  let description = [{
    Checks a program after `boostrt-outline-kernels`, for any target:

    * No operation is left that an earlier pass should have removed; each one
      is reported with the name of that pass.
    * Every buffer of the memory plan is inside the arena, at a multiple of
      `alignment`, and every view is inside its buffer, at the position in the plan;
      a strided view has exactly the bytes that it spans.
    * Every byte that a call reads was written before, by a call or as an
      argument, and its buffer is live: no other buffer that shares bytes with it
      has been written since.
    * These bytes are the values that the call reads in the program on tensors
      (`boostrt.reads`, `boostrt.writes`); a product accumulates if and only if it does
      so on tensors; results are where `boostrt.results` says, and arguments that no
      result replaces are unchanged.
    * The workspace of calls is in `boostrt.workspace`, which is inside the
      arena and shares no bytes with a buffer.
    * An out shares no bytes with another operand, unless a kernel writes every
      element at the position where it reads it.
    * No function writes to the arguments of another one, which stay from call to
      call.
    * The group of a collective consists of mesh axes with more than one
      rank, the ones in `boostrt.axes`; its pieces have the size for this group; and
      every site of the plan occurs once.

    Sets of bytes are represented as strided runs and compared exactly. The pass trusts
    the record of the computation and the arithmetic of kernels and of the
    runtime. Loops that are written out (`boostrt.rows`) are assumed to write all of
    their outs.

    ```mlir
    func.func @f(%arena: memref<128xi8>) attributes {
        boostrt.arguments = array<i64: 0>,
        boostrt.buffers = [array<i64: 0, 16>, array<i64: 64, 16>]} {
      %c64 = arith.constant 64 : index
      %t = memref.view %arena[%c64][] {boostrt.buffer = array<i64: 1, 0>} : memref<128xi8> to memref<4xf32>
      %c0 = arith.constant 0 : index
      %x = memref.view %arena[%c0][] {boostrt.buffer = array<i64: 0, 0>} : memref<128xi8> to memref<4xf32>
      boostrt.copy ins(%t : memref<4xf32>) outs(%x : memref<4xf32>)
      // error: 'boostrt.copy' op expects operand 0 to have been written, but of
      //        bytes [0, 16) of buffer 1 none were
      return
    }
    ```

    Changes nothing.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", "64",
           "Alignment in bytes that is required of every buffer">,
  ];
}

def OutlineKernelsPass : Pass<"boostrt-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Outlines linalg operations on memrefs into kernels";
  let description = [{
    Every linalg operation on memrefs, and every `memref.copy`, becomes a
    `boostrt.launch` of a private function `(index begin, index end, memrefs...)`
    marked `boost.kernel`. The function holds the operation in a normal form: loops of
    one iteration are removed, loops that walk through all operands in the same way
    are merged, and the loop that the runtime may split between threads comes first.
    Its extent is that of the launch; a full reduction has extent 1. Slices and
    transposes become strides. A `linalg.fill` of the buffer into which the next
    operation accumulates becomes part of the same kernel.

    Equal kernels become one function, so the number of kernels does not grow with the
    depth of the model. Operands with the same bytes become one argument; arguments
    that cannot overlap a written one are `llvm.noalias`. The region of a
    `boostrt.rows` becomes a kernel unchanged, inside a loop over the rows.

    ```mlir
    func.func @f(%x: memref<4x8x64xf32>, %y: memref<4x8x64xf32>) {
      linalg.exp ins(%x : memref<4x8x64xf32>) outs(%y : memref<4x8x64xf32>)
      return
    }
    // becomes
    func.func @f(%x: memref<4x8x64xf32>, %y: memref<4x8x64xf32>) {
      boostrt.launch @kernel_0[2048] (%x, %y : memref<4x8x64xf32>, memref<4x8x64xf32>)
          {num_outputs = 1 : i64}
      return
    }
    func.func private @kernel_0(
        %begin: index, %end: index, %x: memref<2048xf32> {llvm.noalias, llvm.readonly},
        %y: memref<2048xf32> {llvm.noalias})
        attributes {boost.kernel, boostrt.extent = 2048 : i64} {
      linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<2048xf32>) outs(%y : memref<2048xf32>) {
      ^bb0(%in: f32, %out: f32):
        %e = math.exp %in : f32
        linalg.yield %e : f32
      }
      return
    }
    ```

    Needs: static shapes and strides. Fails at an operation whose indexing is not
    linear. Reassociating: reductions may run in another order.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "BoostRTDialect"];
}

def JoinRowKernelsPass : Pass<"boostrt-join-row-kernels", "::mlir::ModuleOp"> {
  let summary = "Joins kernels that work on the same rows";
  let description = [{
    A sum along rows, and kernels that use it for each element of its row, read the
    same rows. They become one kernel of several operations. A thread block of a GPU
    performs these one after the other on its row: it finds what an earlier operation
    read or wrote in the cache of its processor, and kernels that compute one number for
    each row need no launch of their own.

    The pass starts at each kernel that reduces at least 256 rows of at least 256
    contiguous elements. Among the twelve calls before and the twelve behind it, a kernel
    joins if

    * it has one operation, whose outermost loop is over the same rows or can be
      divided into them, and whose body does not load from memory;
    * it reads or writes rows that one of the others does, with the same strides;
    * no other memory that they share is written by one of them;
    * it can move to where the others are launched, or they to where it is launched:
      no call in between writes what they read, or reads or writes what they write;
    * it belongs to the same component, layer and phase.

    A joined kernel has at most eight operations and 20 operands. The outermost loop of
    each operation is over rows, and what one operation writes the others access in the
    same row only. Kernels without a launch are erased.

    ```mlir
    func.func @f(%x: memref<256x256xf32>, %s: memref<256xf32>, %y: memref<256x256xf32>) {
      boostrt.launch @kernel_0[256] (%x, %s : memref<256x256xf32>, memref<256xf32>) {num_outputs = 1 : i64}
      boostrt.launch @kernel_1[256] (%x, %s, %y : memref<256x256xf32>, memref<256xf32>, memref<256x256xf32>)
          {num_outputs = 1 : i64}
      return
    }
    func.func private @kernel_0(
        %begin: index, %end: index, %x: memref<256x256xf32> {llvm.noalias, llvm.readonly},
        %s: memref<256xf32> {llvm.noalias}) attributes {boost.kernel, boostrt.extent = 256 : i64} {
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                      iterator_types = ["parallel", "reduction"]}
          ins(%x : memref<256x256xf32>) outs(%s : memref<256xf32>) {
      ^bb0(%in: f32, %out: f32):
        %a = arith.addf %in, %out : f32
        linalg.yield %a : f32
      }
      return
    }
    func.func private @kernel_1(
        %begin: index, %end: index, %x: memref<256x256xf32> {llvm.noalias, llvm.readonly},
        %s: memref<256xf32> {llvm.noalias, llvm.readonly}, %y: memref<256x256xf32> {llvm.noalias})
        attributes {boost.kernel, boostrt.extent = 256 : i64} {
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                       affine_map<(i, j) -> (i, j)>],
                      iterator_types = ["parallel", "parallel"]}
          ins(%x, %s : memref<256x256xf32>, memref<256xf32>) outs(%y : memref<256x256xf32>) {
      ^bb0(%in: f32, %sum: f32, %out: f32):
        %m = arith.mulf %in, %sum : f32
        linalg.yield %m : f32
      }
      return
    }
    // becomes
    func.func @f(%x: memref<256x256xf32>, %s: memref<256xf32>, %y: memref<256x256xf32>) {
      boostrt.launch @kernel_2[256] (%x, %s, %y : memref<256x256xf32>, memref<256xf32>, memref<256x256xf32>)
          {num_outputs = 2 : i64}
      return
    }
    func.func private @kernel_2(
        %begin: index, %end: index, %x: memref<256x256xf32> {llvm.noalias, llvm.readonly},
        %s: memref<256xf32>, %y: memref<256x256xf32> {llvm.noalias})
        attributes {boost.kernel, boostrt.extent = 256 : i64} {
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                      iterator_types = ["parallel", "reduction"]}
          ins(%x : memref<256x256xf32>) outs(%s : memref<256xf32>) {
      ^bb0(%in: f32, %out: f32):
        %a = arith.addf %in, %out : f32
        linalg.yield %a : f32
      }
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
                                       affine_map<(i, j) -> (i, j)>],
                      iterator_types = ["parallel", "parallel"]}
          ins(%x, %s : memref<256x256xf32>, memref<256xf32>) outs(%y : memref<256x256xf32>) {
      ^bb0(%in: f32, %sum: f32, %out: f32):
        %m = arith.mulf %in, %sum : f32
        linalg.yield %m : f32
      }
      return
    }
    ```

    Expects the normal form of `boostrt-outline-kernels`. Only targets whose kernels are
    divided into thread blocks run this pass. Exact: no value changes.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "BoostRTDialect"];
}

def LowerKernelsPass : Pass<"boostrt-lower-kernels", "::mlir::func::FuncOp"> {
  let summary = "Lowers the linalg operations of a kernel to loops";
  let description = [{
    Lowers functions marked `boost.kernel`. The loops follow the order of memory,
    and the launch loop runs over [begin, end). Reductions over the innermost loop
    accumulate in registers (with `reassoc`, so that LLVM vectorizes them), and
    others in the output. bf16 and f16 are computed in f32 and
    rounded when stored; booleans are bytes. Elementary functions become polynomials
    (relative error about 1e-7), which LLVM vectorizes, except for sine and cosine,
    which are calls that are correct for any argument. Kernels whose loops are
    written out keep them; in those, every operation on bf16 and f16 is rounded.

    ```mlir
    func.func private @kernel(%begin: index, %end: index, %x: memref<64xf32>, %y: memref<64xf32>)
        attributes {boost.kernel} {
      linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<64xf32>) outs(%y : memref<64xf32>) {
      ^bb0(%in: f32, %out: f32):
        %n = arith.negf %in : f32
        linalg.yield %n : f32
      }
      return
    }
    // becomes
    func.func private @kernel(%begin: index, %end: index, %x: memref<64xf32>, %y: memref<64xf32>)
        attributes {boost.kernel} {
      %c1 = arith.constant 1 : index
      scf.for %i = %begin to %end step %c1 {
        %a = memref.load %x[%i] : memref<64xf32>
        %n = arith.negf %a : f32
        memref.store %n, %y[%i] : memref<64xf32>
      }
      return
    }
    ```

    Approximate, with the given error; reductions are reassociated.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES
