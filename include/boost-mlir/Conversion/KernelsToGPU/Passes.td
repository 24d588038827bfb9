//===- Passes.td - Kernels to the gpu dialect --------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_CONVERSION_KERNELSTOGPU_PASSES
#define BOOST_MLIR_CONVERSION_KERNELSTOGPU_PASSES

include "mlir/Pass/PassBase.td"

def ConvertKernelsToGPUPass : Pass<"convert-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Divides the loops of kernels among the threads of a GPU";
  let description = [{
    Every function marked `boost.kernel` becomes a `gpu.func` in the module
    `boost_device_code`, and a constant of the function's name that describes it to
    the runtime (`boost_rt_gpu_kernel` of Runtime.h). Each kernel has one form:

    | kernel | form | threads |
    |---|---|---|
    | no reduction | `thread` | one for every element, or every vector of them |
    | no reduction, and inputs that are contiguous along another dimension than the outputs | `tile` | a block for every tile of 32 x 32 elements, or of 64 x 64 elements of up to two bytes |
    | a reduction along contiguous elements, at most 1,024 of them | `warp` | a warp for every result |
    | a reduction along more contiguous elements | `block` | a block for every result |
    | a reduction across rows to few results | `columns` | several threads of a block for every result, or every vector of them |
    | another reduction | `thread` | one for every result, or every vector of them |
    | several operations on the same rows (`boostrt-join-row-kernels`) | `row` | a block for every row, or for every chunk of rows whose columns are summed, which performs one operation after the other on a row |
    | loops that are written out | `rows` | one for every row |

    The attribute `form` of a `gpu.func` names its form. Forms in which several threads
    compute one result need partial results that can be combined. A block of the form
    `tile` reads each such input along its contiguous dimension, writes it to
    shared memory, and computes the outputs along their contiguous dimension. A block of
    the form `row` has one thread for each 16 bytes of its row, up to 256, or up to 512 if
    it has several rows. It has more if
    the rows of all blocks that a processor runs at a time would not fit into its cache,
    of which 128 KiB are assumed to be available to 2,048 threads. If columns are
    summed, each thread keeps the sums of its columns in registers from row to row.

    Accesses have 16 bytes if strides, extents and the alignment of the
    buffers, in all launches of the kernel, allow it. Partial results are combined
    in a fixed order: by shuffles within a warp, then by one thread; in columns by
    repeated halving. bf16 and f16 are computed in f32, and booleans are bytes.
    Elementary functions are the polynomials of `boostrt-lower-kernels`, without
    contraction, and roots are correctly rounded, as IEEE 754 requires. Elementwise
    kernels therefore give the bits of the CPU, except for sine, cosine, tangent,
    atan2, cube roots and powers, which are libdevice's.

    ```mlir
    func.func private @kernel(%begin: index, %end: index, %x: memref<60xf32>, %y: memref<60xf32>)
        attributes {boost.kernel} {
      linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<60xf32>) outs(%y : memref<60xf32>) {
      ^bb0(%in: f32, %out: f32):
        %n = arith.negf %in : f32
        linalg.yield %n : f32
      }
      return
    }
    // becomes
    llvm.mlir.global internal constant @boost_name_kernel("kernel\00")
    llvm.mlir.global internal constant @kernel() : !llvm.struct<(ptr, i64, i64, i64)> {
      %none = llvm.mlir.undef : !llvm.struct<(ptr, i64, i64, i64)>
      %name = llvm.mlir.addressof @boost_name_kernel : !llvm.ptr
      %0 = llvm.insertvalue %name, %none[0] : !llvm.struct<(ptr, i64, i64, i64)>
      %blocks = llvm.mlir.constant(1 : i64) : i64
      %1 = llvm.insertvalue %blocks, %0[1] : !llvm.struct<(ptr, i64, i64, i64)>
      %threads = llvm.mlir.constant(256 : i64) : i64
      %2 = llvm.insertvalue %threads, %1[2] : !llvm.struct<(ptr, i64, i64, i64)>
      %buffers = llvm.mlir.constant(2 : i64) : i64
      %3 = llvm.insertvalue %buffers, %2[3] : !llvm.struct<(ptr, i64, i64, i64)>
      llvm.return %3 : !llvm.struct<(ptr, i64, i64, i64)>
    }
    gpu.module @boost_device_code {
      gpu.func @kernel(%x: memref<60xf32>, %y: memref<60xf32>) kernel
          attributes {form = "thread", known_grid_size = array<i32: 1, 1, 1>} {
        %c60 = arith.constant 60 : index
        %c256 = arith.constant 256 : index
        %block = gpu.block_id x
        %first = arith.muli %block, %c256 : index
        %thread = gpu.thread_id x
        %number = arith.addi %first, %thread : index
        %is_needed = arith.cmpi ult, %number, %c60 : index
        scf.if %is_needed {
          %a = memref.load %x[%number] : memref<60xf32>
          %n = arith.negf %a : f32
          memref.store %n, %y[%number] : memref<60xf32>
        }
        gpu.return
      }
    }
    ```

    Needs: the normal form of `boostrt-outline-kernels`. Reassociating: partial
    results of reductions are combined.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // BOOST_MLIR_CONVERSION_KERNELSTOGPU_PASSES
