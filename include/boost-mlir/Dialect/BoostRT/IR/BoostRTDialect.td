//===- BoostRTDialect.td - The boostrt dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect and the base class of its operations.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTDIALECT_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTDIALECT_TD

include "boost-mlir/Dialect/BoostRT/IR/RuntimeCallOpInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def BoostRT_Dialect : Dialect {
  let name = "boostrt";
  let cppNamespace = "::mlir::boost::rt";
  let summary = "Calls of functions of the runtime library.";
  let description = [{
    Each operation except `boostrt.launch` is in destination style: it reads its inputs
    and writes its `outs`. On tensors it returns the written tensors. `boostrt-bufferize`
    replaces the tensors by dense row-major memrefs. On memrefs an operation returns
    nothing, and none of its outs is another operand of it.

    The passes of this level exchange discardable attributes:

    | attribute | on | meaning | set by |
    |---|---|---|---|
    | `boostrt.axes` | a collective, `all_slice`, `process_index` | the names of the mesh axes in `group` | `convert-boost-to-runtime` |
    | `boostrt.sites` | the module | the number of sites | `boostrt-number-collectives` |
    | `boostrt.reads` | a call, a load in the body of a kernel | for every operand, the values that it may contain when it is read | `boostrt-bufferize` |
    | `boostrt.writes` | a call | for every out, the values that it contains afterwards | `boostrt-bufferize` |
    | `boostrt.workspace_bytes` | a call | the size of its workspace | `boost-assign-workspace` |
    | `boostrt.workspace` | the module | offset and bytes, in the arena, of the workspace that one call at a time uses; in a program with pipeline stages only the bytes | `boostrt-plan-memory` |
    | `boostrt.results` | a function | for every result, the buffer in which it is returned, then the values that it consists of | `boostrt-bufferize` |
    | `boostrt.buffers` | a function | for every buffer, its offset in the arena and its bytes; for a buffer in the slot of the stash, its offset there, its bytes and 1 | `boostrt-plan-memory` |
    | `boostrt.arguments` | a function | the buffers that contain an argument when the function is called | `boostrt-plan-memory` |
    | `boostrt.buffer` | a view of the arena or of the slot | the buffer that contains it, and the byte of the buffer at which it begins | `boostrt-plan-memory` |
    | `boostrt.extent` | a kernel | the number of its rows | `boostrt-outline-kernels` |

    While `boostrt-merge-equal-operations` runs, `boostrt.body` numbers the bodies of
    loops; equal bodies have equal numbers.

    The values in these attributes are numbered in each function of the program on
    tensors, beginning with its arguments. They record what the program computes, whereas
    the memrefs say in which memory. `boost-verify-runtime` compares the two.
  }];
  let dependentDialects = ["::mlir::boost::BoostDialect"];
  let hasOperationAttrVerify = 1;
}

def BoostRT_Shaped : AnyTypeOf<[
    StaticShapeTensorOf<[AnyType]>, StaticShapeMemRefOf<[AnyType]>],
    "statically shaped tensor or memref", "::mlir::ShapedType">;

/// Base class of calls in destination style. Subclasses list their inputs and
/// `outs`; they have results on tensors only. `callMethods` are the methods of
/// RuntimeCallOpInterface that the operation defines.
class BoostRT_Op<string mnemonic, list<Trait> traits = [], list<string> callMethods = []>
    : Op<BoostRT_Dialect, mnemonic, !listconcat([
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<RuntimeCallOpInterface, callMethods>], traits)> {
  let results = (outs Variadic<BoostRT_Shaped>:$results);
  code dpsDecl = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOutsMutable(); }
  }];
  let extraClassDeclaration = dpsDecl;
  let extraClassDefinition = [{
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      addCallEffects(::llvm::cast<RuntimeCallOpInterface>(getOperation()), effects);
    }
  }];
  let hasVerifier = 1;
}

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTDIALECT_TD
