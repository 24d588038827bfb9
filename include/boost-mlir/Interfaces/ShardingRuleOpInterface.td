//===- ShardingRuleOpInterface.td - How ops shard ----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface through which operations join sharding.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_INTERFACES_SHARDINGRULEOPINTERFACE_TD
#define BOOST_MLIR_INTERFACES_SHARDINGRULEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def ShardingRuleOpInterface : OpInterface<"ShardingRuleOpInterface"> {
  let cppNamespace = "::mlir::boost";
  let description = [{
    Says how the work of an operation can be spread over a mesh. Propagation,
    the choice of collectives, their cost, partial sums and the verification of
    local types all follow from the one rule. An operation without the
    interface is computed completely on every rank.
  }];
  let methods = [
    InterfaceMethod<[{
        The loops of the operation and how its operands and results are indexed
        by them. Holds for global and for local types alike.
      }],
      "::mlir::boost::ShardingRule", "getShardingRule">,
    InterfaceMethod<[{
        Appends to `results` the local results, of the types `local.resultTypes`,
        computed from `local.operands`. The default is a clone with other types;
        operations whose attributes speak of sizes, that need to know where the
        rank stands, or that communicate themselves build their own.
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
