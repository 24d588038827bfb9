//===- RuntimeCallOpInterface.td - Calls of the runtime ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of operations that call a function of the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_RUNTIMECALLOPINTERFACE_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_RUNTIMECALLOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def RuntimeCallOpInterface : OpInterface<"RuntimeCallOpInterface"> {
  let cppNamespace = "::mlir::boost::rt";
  let description = [{
    Describes the operands that a call of the runtime reads and writes, and its
    workspace. Bufferization, the memory plan, the verification of both and the cost model
    use only this interface of a call.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the operands that the call writes, which are the last ones. The
        call reads all other operands.
      }],
      "::mlir::MutableOperandRange", "getWrittenOperands", (ins),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::llvm::cast<::mlir::DestinationStyleOpInterface>(
                   $_op.getOperation()).getDpsInitsMutable();
      }]>,
    InterfaceMethod<[{
        Returns true if the call reads the previous contents of `written`, one of
        the operands that it writes, and so updates it in place.
      }],
      "bool", "readsWritten", (ins "::mlir::OpOperand &":$written),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the size in bytes of the call's workspace on a GPU.
      }],
      "int64_t", "getDeviceWorkspaceBytes", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<[{
        Returns true if the function of the runtime depends on addresses and
        sizes only, not on the element types of the operands.
      }],
      "bool", "isUntyped", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the operands of each tensor for a call that processes several
        independent tensors, and an empty list for other calls.
      }],
      "::llvm::SmallVector<::llvm::SmallVector<::mlir::Value>>", "getTensors",
      (ins), /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
        Returns the largest number of tensors of one call, or 0 if it has no
        limit.
      }],
      "int64_t", "getMaxTensors", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return 0;">
  ];
}

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_RUNTIMECALLOPINTERFACE_TD
