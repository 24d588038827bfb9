//===- RuntimeCallOpInterface.td - What calls do -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface through which operations say what the function of the runtime
// does with their operands.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_RUNTIMECALLOPINTERFACE_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_RUNTIMECALLOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def RuntimeCallOpInterface : OpInterface<"RuntimeCallOpInterface"> {
  let cppNamespace = "::mlir::boost::rt";
  let description = [{
    Says what a call of the runtime does with its operands and which memory it
    needs besides. Bufferization, the memory plan, the verification of both, the
    workspace and the cost model know a call by this interface only.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the operands that the call writes, which are the last ones. It
        reads all others.
      }],
      "::mlir::MutableOperandRange", "getWrittenOperands", (ins),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        return ::llvm::cast<::mlir::DestinationStyleOpInterface>(
                   $_op.getOperation()).getDpsInitsMutable();
      }]>,
    InterfaceMethod<[{
        Returns true if the call reads what the operand `written`, one of those
        that it writes, held before: it is updated in place.
      }],
      "bool", "readsWritten", (ins "::mlir::OpOperand &":$written),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns the bytes that the call may use on a GPU while it runs, beside
        its operands.
      }],
      "int64_t", "getDeviceWorkspaceBytes", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return 0;">,
    InterfaceMethod<[{
        Returns true if the call takes addresses and numbers of bytes, so that
        it need not know the element types of its operands.
      }],
      "bool", "isUntyped", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return false;">,
    InterfaceMethod<[{
        Returns, for a call that serves several tensors which could have calls
        of their own, the operands of each tensor; otherwise nothing.
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
