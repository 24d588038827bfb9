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
  let summary = "Computes parts of tensors by themselves, so that they can be fused";
  let description = [{
    A slice of what a kernel computes cannot move into the kernel that reads the slice,
    and a kernel that reads joined tensors cannot take what computes them. Here both are
    computed part by part:

    * a slice of an elementwise kernel's result is computed from slices of its inputs,
      if kernels read all of it through slices that are no more than it has elements; and
      if it only moves elements or widens them, whatever kernels read of it;
    * an elementwise kernel that alone reads tensors joined along one dimension, up to
      eight, is computed for each of them, and its results are joined, if each of them
      is computed by an elementwise kernel for this purpose, which then moves into it.

    Slices are views, and what is inserted into a joined tensor is computed in its place.
    A rotary embedding, which takes halves of vectors, turns them in a wider type and
    joins them, is two kernels behind `boostrt-fuse-elementwise`, and one behind
    `boostrt-fuse-siblings`, of the narrow type.

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
    Upstream's elementwise fusion with an own answer to when a producer moves
    into its consumer, so that few passes over memory are left and nothing is
    computed much more often:

    * broadcasts, and short bodies that read at most scalars (masks, counts), move
      into every user; transposes and conversions to wider types do if all users
      are kernels;
    * anything else moves into its single user. Into several, up to four, a body of at
      most 16 operations moves where they all are kernels of the same phase and fewer
      bytes are read and written then; with the option `repeat-functions` costly
      arithmetic and longer bodies do too. Sums of products never move so
      (`boostrt-accumulate-products`);
    * exponentials, divisions and other costly arithmetic move only if the user
      computes each element once: never under a broadcast;
    * a value with several users is computed together with its first one, if that
      is elementwise too: one pass over memory writes both;
    * apart from broadcasts and the like, both together have at most 64 operations
      and 12 operands: where more is computed for an element, little is gained by
      not writing a value and reading it again, and bodies that grow without bound
      take quadratic time.

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
  let options = [
    Option<"repeatFunctions", "repeat-functions", "bool", "false",
           "Recompute exponentials, divisions and similar functions rather than "
           "read them from memory">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseSiblingsPass : Pass<"boostrt-fuse-siblings", "::mlir::func::FuncOp"> {
  let summary = "Computes results that read the same tensor in one kernel";
  let description = [{
    Elementwise kernels, and kernels that reduce along the last loops, become one, which
    reads once what both read, if

    * their loops are the same, they write alike, and both read some tensor whole,
      element by element alike;
    * they have the same attributes, such as the layer, and no `boost.phase` stands
      between them, so that nothing has to be in memory for much longer;
    * all that the later one reads is there at the earlier one, or nothing reads
      what the earlier one computes before the later one: one of them can move;
    * both together are of bounded size, as in `boostrt-fuse-elementwise`.

    Only the last four kernels that read a tensor are considered, so that the time is
    linear.
    The gradients of a product of two tensors are of this kind, and the halves of a
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
  let summary = "Computes large reductions to few results in two stages";
  let description = [{
    A reduction to few results is the work of few blocks of threads: the sum of 4,096
    rows of 64 columns that of one. Here it gets a first stage, which reduces ranges of the
    reduced loops to a tensor of partial results, and a second one, which reduces that
    in the order of the ranges. The memory plan has a place for the partial results
    as for any other tensor.

    A block computes 64 neighboring results, or one where the elements of a result lie
    closer together than those of different results. Reductions that make `blocks`
    blocks by themselves are left alone; others get as many partial results as make `blocks`
    blocks, of at least `elements` elements each. The loops that are slowest in memory are
    divided first: those with few iterations entirely, the last one into ranges. If no
    number of ranges near the wanted one divides its iterations, what is left behind the last range
    is reduced by an operation of its own, before the second stage.

    Partial results are joined by the operation that accumulates, and begin from its neutral
    element. A selection has none: what all its outputs become, the position of a
    maximum and the maximum, is chosen together between what they have so far and an
    element. Its ranges begin from the value that its results begin from, which StableHLO allows
    anywhere in a reduction, and are joined by what chooses. As a thread computes one
    result of it, both stages get about as many elements, and `blocks` and `elements` are
    taken for 64 threads. The order of the elements stays, and with it which of equal
    ones, or which NaN, is chosen.

    Left alone are other reductions whose partial results cannot be joined; sums that
    accumulate in bf16 or f16, which rounded partial results would make less exact; selections that begin from
    a tensor, or that no number of ranges divides; and loops that an input does not have
    as a dimension (windows).

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

    Reassociating: the order of a reduction changes, and does not depend on the run.
    Fails if an option is not positive.
  }];
  let options = [
    Option<"blocks", "blocks", "int64_t", "1024",
           "Blocks of threads that keep the device busy">,
    Option<"elements", "elements", "int64_t", "8192",
           "Elements of the inputs that a block is worth">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MergeEqualOperationsPass : Pass<"boostrt-merge-equal-operations", "::mlir::func::FuncOp"> {
  let summary = "Eliminates common subexpressions, also among many kernels of one value";
  let description = [{
    Does what `cse` does in time linear in the number of operations. The hash of
    `cse` ignores regions, so that it compares the bodies of all kernels with equal
    operands pairwise. Here the bodies are numbered first, and the numbers are
    removed afterwards.

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
  let summary = "Lets products add to what is in memory already";
  let description = [{
    A kernel that only adds up tensors goes away if all of them but one are products
    (`boostrt.gemm`) that nothing else reads: the products `accumulate`, one after
    another, on top of the remaining tensor, their destination. That is a launch, a
    buffer of the product's size and two passes over it less. Residual sums are of this
    kind, and gradients that are sums of products or that are added to those of earlier
    batches. A sum of products alone begins with the first of them.

    The products stay where they are. A sum is left alone where that would need a
    copy of the remaining tensor:

    * it is computed behind the first product, or read there or later by anything but
      the sum;
    * it is a constant, a part of a larger tensor, or an argument that the sum does not
      replace;
    * the sum is inserted into a larger tensor.

    Kernels that do more than to add stay too: they would read the sum as they
    read the product. Runs after `boostrt-fuse-elementwise`, which says what a kernel does.

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

    Reassociating: products begin their sums with what they are added to. Of bf16 and
    f16 that is done in f32, and what is rounded is the sum behind each product, where
    the kernel reads products that are rounded and rounds their sum.
  }];
}

def MergeUpdatesPass : Pass<"boostrt-merge-updates", "::mlir::func::FuncOp"> {
  let summary = "Updates several parameters by one call of AdamW";
  let description = [{
    On a GPU every call is a launch, and a model has a few hundred parameters, most
    of them small. `boostrt.adamw` operations of the same element types and scalars
    become one, up to 64 tensors each, at the place of the first. Later ones
    move up, and no memory is needed for longer: they do if all that they read was
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
  let summary = "Gives every collective of the program its number in the plan";
  let description = [{
    Numbers the communicating boostrt operations in program order over all
    functions of the module, from 0. The number is the operation's `site`: its
    index in the plan and the counter it advances in the training binary.
    `boostrt.sites` on the module says how many there are.
    `boostrt.all_slice` and `boostrt.process_index` send nothing and get none.

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
  let summary = "Gives every tensor of straight-line functions its memory";
  let description = [{
    Every tensor becomes a part of a dense buffer: an argument, a `memref.alloc`
    or a `memref.global`. Since the code is straight-line, the last use of every
    value is known and the pass decides for each result:

    * a destination that is read (`linalg` accumulators, `boostrt.all_reduce`,
      `boostrt.adamw`) is updated in place if its old value is not read again,
      and copied first otherwise;
    * a function result becomes a trailing memref argument, or the argument with
      the same name, which is then updated in place. Values are computed
      straight into it where that is possible and copied at the end otherwise;
    * reshapes and slices are views (`memref.reinterpret_cast`);
      `tensor.insert_slice` into a `tensor.empty` lets the inserted value be
      computed in its part. Runtime calls get dense operands; kernels may read
      and write with static strides;
    * constants become globals, or a `linalg.fill` when large and uniform.

    The pass records the computation for `boost-verify-runtime`. Every argument,
    and every result of an operation, has a number; `boostrt.reads` has the numbers
    that an operand may consist of, `boostrt.writes` those that are there
    afterwards, and `boostrt.results` on the function has the argument in which a
    result is, and its numbers.

    Attributes of arguments and results stay with their memrefs; the function
    records the names of its tensors in order in `boost.inputs` and
    `boost.outputs`.

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
    static shape, and at operations on tensors of other dialects.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::boost::rt::BoostRTDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def PlanMemoryPass : Pass<"boostrt-plan-memory", "::mlir::ModuleOp"> {
  let summary = "Places every buffer of the program in one arena";
  let description = [{
    The arena holds, in this order, the tensors that users know by name
    (by the roles of `boost.tensor`: parameters, states and accumulators, batch,
    hyper-parameters, results that several functions have), then a part that the functions share: transient values, and
    the results that only one function has, which are valid until the next call.

    Lifetimes are exact, the code being straight-line. The output of an
    elementwise operation takes over the buffer of an input that is read there
    last, element by element alike. What remains is packed by best fit with
    coalescing in the order of the program, or with the largest buffers first
    where that needs a smaller arena; offsets are multiples of `alignment`. Behind all
    buffers is room for what one call at a time uses while it runs
    (`boostrt.workspace_bytes`), noted on the module as `boostrt.workspace`, offset and
    bytes.

    Functions then take the arena alone. Every buffer is a `memref.view` of it at
    a constant byte offset, dense; buffers with gaps are a `reinterpret_cast` of
    such a view, with static strides and offset 0. Two buffers of one operation
    have either the same elements or none in common. Buffers are numbered, the
    arguments first, and those that take over each other in place are one:
    `boostrt.buffers` on the function has their offsets and bytes,
    `boostrt.arguments` those that hold something when it is called, and every
    view says in `boostrt.buffer` of which it is a part, and where.

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

    On the module: `boost.tensors` describes the named tensors (the fields of
    `boost.tensor`, dtype, global shape, split, offset, bytes, limit), `boost.arena_bytes` is the
    size, `boost.memory` what it is for when the function that needs most needs most:
    `parameters`, `optimizer`, `batch`, `gradients` (made in the backward pass, read
    by the optimizer or returned), `kept` (made before `boost.phase backward`, read
    after it), `recomputed` (of buffers with `boost.recomputed`), `workspace`
    (that of calls included), `results`, `unused`; they add up to `peak`.
    Its `largest` are the largest buffers, whose views carry their numbers as
    `boost.largest`. Marks of phases and of recomputation are removed.

    Exact: no value changes. Fails on arguments without `boost.tensor`, on two of
    one name, and where functions disagree on what a tensor is.
  }];
  let options = [
    Option<"alignment", "alignment", "int64_t", "64",
           "Bytes of which the offset of every buffer is a multiple; a power of two">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::boost::BoostDialect",
                           "::mlir::memref::MemRefDialect"];
}

def VerifyRuntimePass : Pass<"boost-verify-runtime", "::mlir::ModuleOp"> {
  let summary = "Proves that a program at the runtime level uses its memory rightly";
  let description = [{
    For a program after `boostrt-outline-kernels`, whatever the target:

    * no operation is left that an earlier pass should have removed; each of them
      is reported, with that pass;
    * every buffer of the memory plan lies inside the arena, at a multiple of
      `alignment`, and every view lies inside its buffer, where the plan has it;
      a strided view is of exactly the bytes that it spans;
    * every byte that a call reads was written before, by a call or as an
      argument, and its buffer is live: no other buffer that shares bytes with it
      was written since;
    * these bytes are the values that the call reads in the program on tensors
      (`boostrt.reads`, `boostrt.writes`), a product adds to what is there if it does
      so on tensors, results are where `boostrt.results`
      has them, and arguments that no result replaces are as they were;
    * what calls use while they run is in `boostrt.workspace`, which is inside of the
      arena and shares no bytes with a buffer;
    * an out shares no bytes with another operand, unless a kernel writes every
      element where it reads it;
    * no function writes to the arguments of another one, which stay from call to
      call;
    * the group of a collective is one of axes of the mesh that have more than one
      rank, those in `boostrt.axes`; pieces are of the size that it has; every
      site of the plan occurs once.

    Bytes are sets of strided runs, compared exactly. The pass takes the record of
    what is computed for granted, and the arithmetic of kernels and of the
    runtime; loops that are written out (`boostrt.rows`) are taken to write all of
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
           "Bytes of which the offset of every buffer is a multiple">,
  ];
}

def OutlineKernelsPass : Pass<"boostrt-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Moves linalg operations on memrefs into kernels that are launched";
  let description = [{
    Every linalg operation on memrefs, and every `memref.copy`, becomes a
    `boostrt.launch` of a private function `(index begin, index end, memrefs...)`
    marked `boost.kernel` that holds the operation in a normal form: loops of one
    iteration are gone, loops that walk through all operands alike are one,
    and the loop that the runtime may split between threads comes first (its
    extent is the launch's; a full reduction has extent 1). Only strides
    remain of slices and transposes. A `linalg.fill` of the buffer that the next
    operation accumulates into goes into the same kernel.

    Equal kernels are one function, so their number does not grow with the depth
    of the model. Operands that are the same bytes are one argument; arguments
    that cannot overlap a written one are `llvm.noalias`. The region of a
    `boostrt.rows` becomes a kernel as it is, inside a loop over the rows.

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

    Needs static shapes and strides. Fails at an operation whose indexing is not
    linear. Reassociating: reductions may run in another order.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "BoostRTDialect"];
}

def LowerKernelsPass : Pass<"boostrt-lower-kernels", "::mlir::func::FuncOp"> {
  let summary = "Turns the linalg operations of a kernel into loops";
  let description = [{
    Works on functions marked `boost.kernel`. The loops run in the order of memory,
    the launch loop over [begin, end). Reductions over the innermost loop
    accumulate in registers (with `reassoc`, so that LLVM vectorizes them),
    others in the output. bf16 and f16 are computed in f32 and
    stored rounded, booleans are bytes; elementary functions become polynomials
    (relative error about 1e-7), which LLVM vectorizes, but for sine and cosine,
    which are calls and right for any argument. Kernels whose loops are
    written out keep them; there every operation on bf16 and f16 is rounded.

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

    Approximate to the given error; reductions are reassociated.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES
