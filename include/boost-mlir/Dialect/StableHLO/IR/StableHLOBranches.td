//===- StableHLOBranches.td - Branches and composites ------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that import replaces by straight-line code.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOBRANCHES_TD
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOBRANCHES_TD

include "boost-mlir/Dialect/StableHLO/IR/StableHLODialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def StableHLO_BranchIndex : Type<
    And<[RankedTensorOf<[I32]>.predicate, HasAnyRankOfPred<[0]>]>,
    "scalar tensor of i32", "::mlir::RankedTensorType">;
def StableHLO_BranchPredicate : Type<
    And<[RankedTensorOf<[I1]>.predicate, HasAnyRankOfPred<[0]>]>,
    "scalar tensor of booleans", "::mlir::RankedTensorType">;

def StableHLO_CaseOp : StableHLO_Op<"case", [SingleBlock, NoRegionArguments,
    RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Executes one of several regions, selected by an index.";
  let description = [{
    The results are those of region `index`. An index out of range, including a negative
    one, selects the last region.

    ```mlir
    %1 = "stablehlo.case"(%index) ({
      stablehlo.return %a : tensor<4xf32>
    }, {
      stablehlo.return %b : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_BranchIndex:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
}

def StableHLO_IfOp : StableHLO_Op<"if", [SingleBlock, NoRegionArguments,
    RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let summary = "Executes one of two regions.";
  let description = [{
    The results are those of the first region if the predicate is true, and otherwise those
    of the second one.

    ```mlir
    %1 = "stablehlo.if"(%pred) ({
      stablehlo.return %a : tensor<4xf32>
    }, {
      stablehlo.return %b : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins StableHLO_BranchPredicate:$pred);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let hasVerifier = 1;
}

def StableHLO_CompositeOp : StableHLO_Op<"composite"> {
  let summary = "Calls a function of the module under another name.";
  let description = [{
    The results are those of the function `decomposition`, which import inlines.

    ```mlir
    %1 = stablehlo.composite "my.norm" %0 {decomposition = @norm_impl}
        : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition,
                       DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let assemblyFormat = [{
    $name $inputs attr-dict `:` functional-type(operands, results)
  }];
}

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_STABLEHLOBRANCHES_TD
