//===- KernelPasses.td - Generated kernels -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on the kernels that the compiler generates, which end the stage lower or begin the
// stage emit.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_KERNELPASSES_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

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
    contiguous elements, and before that at each that sums the columns of at least 256
    chunks of such rows (`boostrt-split-reductions`). Among the twelve calls before and the twelve behind it, a kernel
    joins if

    * it has one operation, whose outermost loop is over the same rows or can be
      divided into them, and whose body does not load from memory;
    * it reads or writes rows that one of the others does, with the same strides;
    * no other memory that they share is written by one of them;
    * it can move to where the others are launched, or they to where it is launched:
      no call in between writes what they read, or reads or writes what they write;
    * it sums columns of the same chunks, or no columns, and if columns are summed, does
      not read the number of a row;
    * it belongs to the same component and phase. The last addition of a layer and the first
      norm of the next one may become one kernel.

    A joined kernel has at most eight operations and 20 operands. The outermost loop of
    each operation is over rows, and what one operation writes the others access in the
    same row only. If columns are summed, there are two such loops: one over chunks, which
    is divided among blocks, and one over the rows of a chunk, which the sum reduces. A
    block then goes through its rows one after the other. Kernels without a launch are
    erased.

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

#endif // BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_KERNELPASSES_TD
