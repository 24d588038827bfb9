//===- TensorPasses.td - Calls and kernels on tensors ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stage lower that fuse and merge operations while values are tensors.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_TENSORPASSES_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_TENSORPASSES_TD

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

def FuseElementwisePass : Pass<"boostrt-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuses elementwise linalg operations on tensors";
  let description = [{
    Uses upstream's elementwise fusion, but decides itself when a producer moves
    into its consumer, so that there are few passes over memory and nothing is
    computed much more often than before:

    * Broadcasts, and short bodies that read at most scalars (masks, counts), move
      into every user. Transposes and conversions to wider types do so if all users
      are kernels. What such a conversion widens stays in memory in the narrow type: its
      producer does not move into a conversion with several users.
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
  let summary = "Divides large reductions with few results into two";
  let description = [{
    A reduction with few results occupies few thread blocks: the sum of 4,096
    rows of 64 columns only one. The pass splits it into a first reduction, of ranges of
    the reduced loops to a tensor of partial results, and a second reduction, of this
    tensor in the order of the ranges. The memory plan has a place for
    the partial results as for any other tensor.

    A block computes 64 neighboring results, or one if the elements of a result are
    closer together in memory than those of different results. Reductions that occupy
    `blocks` blocks are left alone. Others get as many partial results as needed to
    occupy `blocks` blocks, each with at least `elements` elements. The loops with the
    largest strides are divided first: those with few iterations completely, the last
    one into ranges. If no number of ranges near the desired one divides the
    iterations, another operation reduces the remainder before the second reduction.

    A sum of the 256 to 8,192 columns of at least 2,048 rows is divided differently if
    another kernel of the same phase works on rows that it reads, such as that of a norm's
    gradient. Up to 512 chunks of at least eight rows get a partial result each, so that
    `boostrt-join-row-kernels` can give a chunk to a block that also does the work of the
    other kernel. The second stage, and what depends on it, moves to the next call or
    phase, since it needs the sums of all blocks.

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
          ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>)
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
          ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>)
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
          ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>)
          outs(%p, %m, %v : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
          {decays = array<i1: true>}
          -> tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
      %b:3 = boostrt.adamw grads(%h : tensor<2xf32>)
          ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>)
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
          ins(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s : tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>,
              tensor<f32>)
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

    Fails if the functions of one pipeline stage have more collectives along `pp` than
    those of another: ranks of all stages meet in them.

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

#endif // BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_TENSORPASSES_TD
