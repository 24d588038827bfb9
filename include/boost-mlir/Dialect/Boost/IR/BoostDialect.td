//===- BoostDialect.td - The boost dialect -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect, its types constraints and the base class of its operations.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTDIALECT_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTDIALECT_TD

include "mlir/IR/OpBase.td"

def Boost_Dialect : Dialect {
  let name = "boost";
  let cppNamespace = "::mlir::boost";
  let summary = "Low-rank language models: their blocks, their training step.";
  let description = [{
    The dialect names what a low-rank ("bottleneck") language model is made of,
    at the size at which decisions are taken: linears, bottlenecks, norms,
    attention, embedding, loss, optimizer. Everything else stays StableHLO.

    Operations have value semantics on ranked tensors of static shape. They
    stand at two levels: on global tensors (graph) and on one rank's tensors
    (spmd); nothing in an operation depends on which.

    Discardable attributes, spelled once in `BoostAttrNames.h` and verified: the
    dialect refuses any other, another form, and another place. What a tensor of a
    function is stands in one, `boost.tensor`:

    | attribute | on | meaning |
    |---|---|---|
    | `boost.tensor` | argument, result | a `#boost.tensor`: its role, name, parameter and policies |
    | `boost.parts` | argument, result | `#boost.part`s: the tensors that users know, packed into this one |
    | `boost.id_limit` | argument | integer ids must be in `[0, limit)` |
    | `boost.micro_batches` | argument | its rows are those of one micro-batch, and the exported batch has so many |
    | `boost.hint` | argument | the sharding that the program asks for |
    | `boost.sharding` | argument, result | `#boost.sharding`: how the ranks hold it |
    | `boost.reason` | argument | why it is sharded so, for people |
    | `boost.optimizer` | module | what updates are made with: name and options |
    | `boost.axes` | `shard.grid` | names of the mesh axes |
    | `boost.kernel` | function | launched by the runtime, `(begin, end, buffers...)` |
    | `boost.kept_bytes` | function | bytes kept for the backward pass: outside the layers, then of each |
    | `boost.repetitions` | function | how often the layers repeated of which it has some only, for pricing |
    | `boost.level` | module | `"spmd"` once types are local |
    | `boost.component` | operation | part of the model, for reports: block, embedding, ... |
    | `boost.layer` | operation | the `#boost.layer` that it belongs to |
    | `boost.phase` | operation | forward, backward or optimizer, where it is called |
    | `boost.recomputed` | operation | computes for the second time what is not kept |
    | `boost.shardings` | operation | the inferred `#boost.sharding` of each result |
    | `boost.spread` | operation | for each axis that a placement decides over, the dimension of each operand, then of each result, that the loop goes through which is spread over it; -1 for none |
    | `boost.gradient_spread` | operation | the same of what computes its gradients, where that differs |
    | `boost.one_term` | local reduction | reduces a dimension that is sharded into parts of 1: its result is a partial sum |
    | `boost.inputs`, `boost.outputs` | function | names of what it takes and gives, at the runtime level |
    | `boost.tensors` | module | where every named tensor lies in the arena |
    | `boost.arena_bytes`, `boost.memory` | module | the memory plan |
    | `boost.largest` | view | which of the largest buffers of the plan it is |
    | `boost.program_hash` | module | of the loss, the same on every mesh |

    A program that others wrote says the same of its arguments one by one;
    boost-normalize-entry makes a `boost.tensor` of it:

    | attribute | on | meaning |
    |---|---|---|
    | `boost.arg` | argument | `"param"`, `"frozen"` or `"batch"` |
    | `boost.name` | argument | its name |
    | `boost.init` | argument | `"normal:STD"`, `"constant:VALUE"`, `"ones"` or `"zeros"` |
    | `boost.decay` | argument | whether weight decay applies |
    | `boost.initial_values` | module | digest of the arrays that parameters start from, in a file beside the module |
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let dependentDialects = ["::mlir::shard::ShardDialect"];
}

class Boost_Op<string mnemonic, list<Trait> traits = []>
    : Op<Boost_Dialect, mnemonic, traits>;

def Boost_FloatTensor
    : StaticShapeTensorOf<[F32, BF16, F16, F64]>;
def Boost_F32Tensor : StaticShapeTensorOf<[F32]>;
def Boost_StatTensor : StaticShapeTensorOf<[F32, F64]>;
def Boost_BoolTensor : StaticShapeTensorOf<[I1]>;
def Boost_IdTensor : StaticShapeTensorOf<[I32, I64]>;
def Boost_AnyTensor : StaticShapeTensorOf<[AnyType]>;
def Boost_ScalarTensor : 0DTensorOf<[F32, F64]>;
/// Its type need not be written.
def Boost_F32Scalar
    : Type<0DTensorOf<[F32]>.predicate, "0D tensor of 32-bit float values",
           "::mlir::RankedTensorType">,
      BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getF32Type())">;

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTDIALECT_TD
