//===- MemoryPasses.td - From tensors to the arena ---------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the stage lower that assign memory to tensors, and the check of the result.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_MEMORYPASSES_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_MEMORYPASSES_TD

include "mlir/Pass/PassBase.td"

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

    In a program with pipeline stages (`boost.stage`), each stage has an arena of its own,
    with the tensors that its functions or transfers name, the same tensor at another
    offset on each. What functions of every stage name comes first, at the same offset
    everywhere. Between the named tensors and the part that functions share lies the
    stash: as many slots as the calls and transfers of the stage use, each with room for
    all tensors of the role `kept` that the stage has.

    Functions then take only the arena as an argument, and those with kept tensors a slot
    of the stash. Every buffer is a `memref.view` of one of them at a constant byte offset
    and dense. Buffers with gaps are a
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
        type = "4xf32", what = "temporaries"}, {bytes = 16 : i64, type = "4xf32", what = "x"} ],
        masters = 0 : i64, optimizer = 0 : i64, parameters = 64 : i64, peak = 128 : i64, recomputed = 0 : i64,
        results = 0 : i64, temporaries = 64 : i64, unused = 0 : i64},
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
    `boost.arena_bytes` is the size of the arena, or of the largest. `boost.memory`
    divides it by purpose, at the peak of the function with the highest peak:
    `parameters`, `constants` (if the program has some), `masters`, `optimizer`, `batch`,
    `gradients` (made in the backward pass and read by the optimizer or returned), `kept`
    (made before `boost.phase backward` and read after it, and the stash), `recomputed`
    (buffers with `boost.recomputed`), `temporaries` (all others, and the workspace of
    calls), `results` and `unused`, which add up to `peak`.
    `largest` lists the largest buffers, whose views carry their numbers as
    `boost.largest`. Markers of phases and of recomputation are removed.

    With pipeline stages, `boost.tensors` has the offset on each stage in place of one,
    and `stages` of `boost.memory` divides every arena. A fourth attribute,
    `boost.stages`, has the bytes of every arena and the places of its stash and of the
    workspace of calls.

    Exact: no value changes. Fails on arguments without `boost.tensor`, on two arguments
    of one name, if functions disagree about a tensor, on a stage that the axis `pp` of
    the mesh does not have, and on kept tensors in a function without a stage.
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
    * Every buffer of the memory plan is inside the arena or the slot of the stash, at a
      multiple of `alignment`, and every view is inside its buffer, at the position in the plan;
      a strided view has exactly the bytes that it spans.
    * Every byte that a call reads was written before, by a call or as an
      argument, and its buffer is live: no other buffer that shares bytes with it
      has been written since.
    * These bytes are the values that the call reads in the program on tensors
      (`boostrt.reads`, `boostrt.writes`); a product accumulates if and only if it does
      so on tensors; results are where `boostrt.results` says, and arguments that no
      result replaces are unchanged.
    * The workspace of calls is in `boostrt.workspace`, and the stash where
      `boost.stages` says. They are inside the arena of the stage and share no bytes with
      each other or with a buffer, and schedules use only slots that the stash has.
    * An out shares no bytes with another operand, unless a kernel writes every
      element at the position where it reads it.
    * No function writes to the arguments of another one of the same stage, which stay
      from call to call; tensors in the stash are the same or apart.
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

#endif // BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_MEMORYPASSES_TD
