//===- BoostDialect.td - The boost dialect -----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect, its type constraints and the base class of its operations.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTDIALECT_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTDIALECT_TD

include "mlir/IR/OpBase.td"

def Boost_Dialect : Dialect {
  let name = "boost";
  let cppNamespace = "::mlir::boost";
  let summary = "Blocks of low-rank language models, and their training step.";
  let description = [{
    The dialect has operations for the parts of a low-rank ("bottleneck") language model
    that the compiler decides about: linears, bottlenecks, norms, attention, embedding,
    loss and optimizer. All other operations of a program are StableHLO.

    Operations have value semantics and take ranked tensors of static shape. The same
    operations are used at two levels, on global tensors (graph) and on the tensors of one
    rank (spmd).

    Passes exchange discardable attributes, whose names are in `BoostAttrNames.h`. The dialect
    verifies their values and where they are, and refuses all others that begin with `boost.`:

    | attribute | on | meaning |
    |---|---|---|
    | `boost.tensor` | argument, result | the `#boost.tensor` with its role, name and properties |
    | `boost.parts` | argument, result | the `#boost.part`s that are packed into the tensor |
    | `boost.rows` | argument, result | the tensor consists of rows of one that is stacked over layers, and whose name is what precedes the last `@`: the number of the first row, and that of all rows |
    | `boost.id_limit` | argument | the limit of integer ids, which must be in `[0, limit)` |
    | `boost.micro_batches` | argument | the number of micro-batches in the exported batch; the argument has the rows of one |
    | `boost.hint` | argument | the mesh axes of each dimension that the program requests |
    | `boost.sharding` | argument, result | the `#boost.sharding` of the tensor |
    | `boost.reason` | argument | the reason for the sharding, for people |
    | `boost.optimizer` | module | name and options of the optimizer |
    | `boost.axes` | `shard.grid` | the names of the mesh axes |
    | `boost.kernel` | function | marks a kernel `(begin, end, buffers...)`, which the runtime launches |
    | `boost.kept_bytes` | function | the bytes kept for the backward pass, outside of the layers and then in each layer |
    | `boost.repetitions` | function | the number of repetitions of the layers before some were removed to price a placement |
    | `boost.stage` | function | the pipeline stage that runs it, from 0; every stage runs a function without it |
    | `boost.part_of` | function | the name of the function that was divided among pipeline stages, of which this is a part |
    | `boost.level` | module | `"spmd"` if types are those of one rank |
    | `boost.component` | operation | the part of the model, such as `"block"` or `"embedding"` |
    | `boost.layer` | operation | the `#boost.layer` of the operation |
    | `boost.factor` | `boost.linear`, `boost.embedding` | its place in a bottleneck with another function of the latent than `boost.bottleneck` has: `"first"`, `"middle"` or `"second"`; an embedding that looks up latents is a first factor |
    | `boost.phase` | operation | the phase of a call or a probe, once markers of phases are removed |
    | `boost.recomputed` | operation | marks an operation that computes a value again that was not kept |
    | `boost.shardings` | operation | the inferred `#boost.sharding` of each result |
    | `boost.spread` | operation | a dictionary from mesh axes to the loop that is spread over the axis, given by its dimension in each operand and then in each result; -1 if the tensor does not have the loop |
    | `boost.gradient_spread` | operation | the same for the operations that compute its gradients, if it differs |
    | `boost.one_term` | `stablehlo.reduce`, `stablehlo.gather` | marks a reduction of dimensions of which each rank has one element, and a gather along a dimension that is sharded: its result is a partial sum, and canonicalization keeps it |
    | `boost.inputs`, `boost.outputs` | function | the names of its arguments and results at the runtime level |
    | `boost.tensors` | module | the place of every named tensor in the arena |
    | `boost.arena_bytes`, `boost.memory` | module | the memory plan |
    | `boost.stages` | module | for every pipeline stage, the bytes of its arena, and the places of its stash and of the workspace of calls |
    | `boost.largest` | view | its number among the largest buffers of the memory plan |
    | `boost.constants` | module | the values of constants, which are frozen parameters with `init = "stored"`: a dictionary of dense elements by name. boost-compile writes them to a file beside the program |
    | `boost.program_hash` | module | a hash of the program, which does not depend on the mesh |

    Programs of other tools describe arguments by the following attributes, from which
    `boost-normalize-entry` makes a `boost.tensor`:

    | attribute | on | meaning |
    |---|---|---|
    | `boost.arg` | argument | `"param"`, `"frozen"` or `"batch"` |
    | `boost.name` | argument | its name |
    | `boost.init` | argument | `"normal:STD"`, `"constant:VALUE"`, `"ones"` or `"zeros"` |
    | `boost.decay` | argument | true if weight decay applies |
    | `boost.initial_values` | module | the digest of the initial values, which are in a file beside the module |
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
/// The assembly format of operations can leave out this type.
def Boost_F32Scalar
    : Type<0DTensorOf<[F32]>.predicate, "0D tensor of 32-bit float values",
           "::mlir::RankedTensorType">,
      BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getF32Type())">;

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTDIALECT_TD
