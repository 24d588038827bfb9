//===- ShardingRuleOpInterface.td - Shardings of ops -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of operations that can be spread over a mesh.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_SHARDINGRULEOPINTERFACE_TD
#define BOOST_MLIR_INTERFACES_SHARDINGRULEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def ShardingRuleOpInterface : OpInterface<"ShardingRuleOpInterface"> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    Describes how the work of an operation can be spread over a mesh. Propagation, the
    choice of collectives, their cost, partial sums and the verification of local types
    all follow from this rule. Every rank computes an operation without the interface
    completely.
  }];
  let methods = [
    InterfaceMethod<[{
        Returns the loops of the operation, and the dimensions of its operands
        and results that these loops run over. The operation may have global or
        local types.
      }],
      "::mlir::boost::ShardingRule", "getShardingRule">,
    InterfaceMethod<[{
        Creates the operations of one rank, which read `local.operands`, and
        appends their results, of the types `local.resultTypes`, to `results`.
        The default creates a clone with other types. Operations whose attributes
        depend on sizes, that depend on the position of the rank, or that
        communicate override it.
      }],
      "void", "buildLocal",
      (ins "::mlir::OpBuilder &":$builder,
           "const ::mlir::boost::LocalBuild &":$local,
           "::llvm::SmallVectorImpl<::mlir::Value> &":$results),
      /*methodBody=*/"",
      /*defaultImplementation=*/[{
        ::mlir::boost::cloneWithTypes(builder, $_op, local, results);
      }]>
  ];
}

#endif // BOOST_MLIR_INTERFACES_SHARDINGRULEOPINTERFACE_TD
