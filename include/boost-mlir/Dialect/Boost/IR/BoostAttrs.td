//===- BoostAttrs.td - Attributes of the boost dialect -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of named tensors, and the enumerations that the operations of boost
// and boostrt share.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD

include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "mlir/IR/EnumAttr.td"

def Boost_Activation : I32EnumAttr<"Activation", "activation of the latent of a bottleneck", [
    I32EnumAttrCase<"Identity", 0, "identity">,
    I32EnumAttrCase<"Silu", 1, "silu">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}
def Boost_ActivationAttr : EnumAttr<Boost_Dialect, Boost_Activation, "activation"> {
  let assemblyFormat = "$value";
}

def Boost_Phase : I32EnumAttr<"Phase", "part of a training step", [
    I32EnumAttrCase<"Forward", 0, "forward">,
    I32EnumAttrCase<"Backward", 1, "backward">,
    I32EnumAttrCase<"Optimizer", 2, "optimizer">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}
def Boost_PhaseAttr : EnumAttr<Boost_Dialect, Boost_Phase, "phase"> {
  let assemblyFormat = "$value";
}

def Boost_Reduction : I32EnumAttr<"Reduction", "reduction of a collective", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}
def Boost_ReductionAttr : EnumAttr<Boost_Dialect, Boost_Reduction, "reduction"> {
  let assemblyFormat = "$value";
}

def Boost_TensorRole : I32EnumAttr<"TensorRole", "purpose of a named tensor", [
    I32EnumAttrCase<"Param", 0, "param">,
    I32EnumAttrCase<"State", 1, "state">,
    I32EnumAttrCase<"Accumulator", 2, "accumulator">,
    I32EnumAttrCase<"Batch", 3, "batch">,
    I32EnumAttrCase<"Hyper", 4, "hyper">,
    I32EnumAttrCase<"Gradient", 5, "gradient">,
    I32EnumAttrCase<"Loss", 6, "loss">,
    I32EnumAttrCase<"Metric", 7, "metric">,
    I32EnumAttrCase<"Output", 8, "output">,
    I32EnumAttrCase<"Kept", 9, "kept">,
    I32EnumAttrCase<"Frozen", 10, "frozen">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}

def Boost_Feed : I32EnumAttr<"Feed", "input that training provides for a batch argument", [
    I32EnumAttrCase<"Tokens", 0, "tokens">,
    I32EnumAttrCase<"Inputs", 1, "inputs">,
    I32EnumAttrCase<"Targets", 2, "targets">,
    I32EnumAttrCase<"Mask", 3, "mask">,
    I32EnumAttrCase<"Positions", 4, "positions">,
    I32EnumAttrCase<"Segments", 5, "segments">,
    I32EnumAttrCase<"Step", 6, "step">,
    I32EnumAttrCase<"Key", 7, "key">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}
def Boost_FeedAttr : EnumAttr<Boost_Dialect, Boost_Feed, "feed"> {
  let assemblyFormat = "$value";
}

def Boost_OptionAttr : AttrDef<Boost_Dialect, "Option"> {
  let mnemonic = "option";
  let summary = "The option of the training program that sets a hyper-parameter.";
  let description = [{
    The option belongs to the command `train` of the program. Its name is the `kind` of the
    hyper-parameter, with dashes in place of underscores: `--weight-decay` sets the one with
    `kind = "weight_decay"`. It accepts f32 numbers that are at least `min`, greater than
    `above` and less than `below`, as far as these are given; only one of `min` and `above`
    may be. The default satisfies the bounds. `help` is a phrase without a full stop, to
    which the help text of `train` adds the default.

    ```mlir
    func.func @update(%b: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.momentum", kind = "momentum",
        option = #boost.option<"Share of the last step that is taken again", default = 0.9 : f64, min = 0.0 : f64, below = 1.0 : f64>>}) {
      return
    }
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$help,
                        "::mlir::FloatAttr":$defaultValue,
                        OptionalParameter<"::mlir::FloatAttr">:$min,
                        OptionalParameter<"::mlir::FloatAttr">:$above,
                        OptionalParameter<"::mlir::FloatAttr">:$below);
  let assemblyFormat = [{
    `<` $help `,` `default` `=` $defaultValue (`,` struct($min, $above, $below)^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Boost_TensorAttr : AttrDef<Boost_Dialect, "Tensor"> {
  let mnemonic = "tensor";
  let summary = "Role, name and properties of a named tensor.";
  let description = [{
    Arguments and results of the functions that a program consists of have this attribute as
    `boost.tensor`. Passes, the manifest, checkpoints, the memory report, the evaluator and
    `--verify` learn the purpose of a tensor from it. They do not parse its name, by which
    only users and files refer to it.

    ```mlir
    func.func @step(
        %w: tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w", init = "normal:0.02", decay = true>},
        %m: tensor<8x8xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w", init = "zeros">},
        %ids: tensor<4x8xi32> {boost.tensor = #boost.tensor<batch "ids", feed = tokens>},
        %lr: tensor<f32> {boost.tensor = #boost.tensor<hyper "hyper.lr", kind = "lr">})
        -> (tensor<8x8xf32> {boost.tensor = #boost.tensor<param "w">},
            tensor<8x8xf32> {boost.tensor = #boost.tensor<state "adamw.m.w", kind = "m", of = "w">}) {
      return %w, %m : tensor<8x8xf32>, tensor<8x8xf32>
    }
    ```

    | role | purpose | on |
    |---|---|---|
    | `param` | a parameter, which training changes | argument, result |
    | `frozen` | a parameter that training does not change; it has no gradient, no state and no decay | argument |
    | `state` | a tensor that the optimizer keeps from one step to the next | argument, result |
    | `accumulator` | the sum of a gradient over micro-batches, which is zero at first and after each update; each rank may hold a term of it | argument, result |
    | `batch` | input data of the loss | argument |
    | `hyper` | a number that the caller provides for every step | argument |
    | `gradient` | the derivative of the loss with respect to a parameter | result; argument of an update |
    | `loss` | the loss | result |
    | `metric` | another number that describes the step | result |
    | `output` | another result of the loss function | result |
    | `kept` | a value that one call of a `boost.schedule` keeps for a later call of the same micro-batch | argument, result |

    A result replaces the argument of the same name. Every name is a non-empty string of
    UTF-8.

    | field | roles | meaning |
    |---|---|---|
    | `kind` | `state`, `hyper`, `metric`; required | distinguishes tensors of one role: `m`, `v` and `master`, `lr`, `grad_norm` |
    | `of` | `accumulator`, `gradient`; optional for `state` | the name of the parameter that the tensor belongs to; a state may belong to several, `of = ["a", "b"]` |
    | `init` | `param`, `frozen`, `state` | the initial value: `ones`, `zeros`, `constant:VALUE`, or `normal:STD` for normally distributed values. A state can also start from an array that was exported with the program (`array`), and a state of one parameter from that parameter before it is rounded to its type (`param`). A frozen parameter of floats or integers whose value belongs to the program is a constant (`stored`): the module has the value in `boost.constants` |
    | `decay` | `param` | true if weight decay applies |
    | `feed` | `batch` | the input that `train` provides: rows of tokens, each with the token that follows it (`tokens`); the tokens, and separately the tokens that follow (`inputs`, `targets`); 1 for each target that counts (`mask`); positions in documents, and the numbers of the documents (`positions`, `segments`); the number of the batch (`step`); a key of random numbers that depends on it (`key`) |
    | `sample` | `state`, `hyper` | a value at which a step is well conditioned; `--verify` starts with it |
    | `next_sample` | `hyper` | the value with which `--verify` continues, if it differs from `sample` |
    | `option` | `hyper` | the option of `train` that sets the number, a `#boost.option`. Without one, `train` provides the number: the learning rate (`lr`), or the number of the step, counted from 1 (`step`) |
  }];
  let parameters = (ins EnumParameter<Boost_TensorRole>:$role,
                        "::mlir::StringAttr":$name,
                        OptionalParameter<"::mlir::StringAttr">:$kind,
                        OptionalParameter<"::mlir::Attribute">:$of,
                        OptionalParameter<"::mlir::StringAttr">:$init,
                        OptionalParameter<"::mlir::BoolAttr">:$decay,
                        OptionalParameter<"::mlir::boost::FeedAttr">:$feed,
                        OptionalParameter<"::mlir::FloatAttr">:$sample,
                        OptionalParameter<"::mlir::FloatAttr">:$next_sample,
                        OptionalParameter<"::mlir::boost::OptionAttr">:$option);
  let builders = [
    AttrBuilderWithInferredContext<(ins "::mlir::boost::TensorRole":$role,
                                        "::mlir::StringAttr":$name)>];
  let assemblyFormat = [{
    `<` $role $name (`,` struct($kind, $of, $init, $decay, $feed, $sample, $next_sample, $option)^)? `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Return the attributes of tensors that training adds for a parameter.
    /// Their names consist of a prefix and the name of the parameter.
    static TensorAttr getGradientOf(TensorAttr param);
    static TensorAttr getAccumulatorOf(TensorAttr param);
    static TensorAttr getStateOf(TensorAttr param, ::llvm::StringRef prefix,
                                 ::llvm::StringRef kind, ::llvm::StringRef init,
                                 double sample);

    /// Returns the attribute of a hyper-parameter. Its name is "hyper." and its
    /// kind, so that it differs from the names that users choose.
    static TensorAttr getHyper(::mlir::MLIRContext *context,
                               ::llvm::StringRef kind, double sample,
                               double nextSample,
                               ::mlir::boost::OptionAttr option = {});
    /// Returns the attribute of a metric, whose name is its kind.
    static TensorAttr getMetric(::mlir::MLIRContext *context,
                                ::llvm::StringRef kind);

    /// Returns the names of the parameters that the tensor belongs to.
    ::llvm::SmallVector<::mlir::StringAttr> getOwners() const;
    /// Returns the name of the only parameter that it belongs to, or null.
    ::mlir::StringAttr getOwner() const;

    /// Return a copy with one field changed; null removes it.
    TensorAttr withName(::mlir::StringAttr name) const;
    TensorAttr withOf(::mlir::Attribute of) const;
    TensorAttr withInit(::mlir::StringAttr init) const;
    TensorAttr withDecay(::mlir::BoolAttr decay) const;
    TensorAttr withFeed(::mlir::boost::FeedAttr feed) const;
  }];
}

def Boost_ShardingAttr : AttrDef<Boost_Dialect, "Sharding"> {
  let mnemonic = "sharding";
  let summary = "How the ranks of a mesh hold a tensor.";
  let description = [{
    Gives for each dimension the mesh axes over which it is sharded, the most significant
    axis first: a dimension with `{"tp", "dp"}` is divided among the ranks of `tp`, and each
    of these parts among the ranks of `dp`. Changing `{"tp"}` to `{"tp", "dp"}` therefore
    sends nothing. A dimension without axes is not sharded.

    With `partial`, the tensor is the sum (or maximum, or minimum) of one term for each rank
    along the given axes, and every rank holds its term.

    ```mlir
    #boost.sharding<{"dp"}, {}, {"tp"}>
    #boost.sharding<{"tp", "dp"}, {}>
    #boost.sharding<{}, {}, partial = sum {"dp"}>
    ```

    No axis occurs twice. A sharding in `boost.sharding` of an argument or result, in
    `boost.shardings` or in a `boost.probe` has as many dimensions as the tensor. If the
    module has a mesh, the axes are among those that `boost.axes` of the mesh names.
  }];
  let parameters = (ins
      ArrayRefParameter<"::mlir::ArrayAttr", "axes of each dimension">:$dimAxes,
      OptionalArrayRefParameter<"::mlir::StringAttr">:$partialAxes,
      "::mlir::boost::Reduction":$reduction);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<::mlir::ArrayAttr>":$dimAxes), [{
    return $_get($_ctxt, dimAxes, ::llvm::ArrayRef<::mlir::StringAttr>(),
                 ::mlir::boost::Reduction::Sum);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Returns the sharding of a replicated tensor of rank `rank`.
    static ShardingAttr getReplicated(::mlir::MLIRContext *context, int64_t rank);
    int64_t getRank() const { return getDimAxes().size(); }
    /// Return the axes of each dimension, and those of `partial`, as names.
    ::mlir::ArrayAttr getSplitNames() const;
    ::mlir::ArrayAttr getPartialNames() const;
  }];
}

def Boost_PartAttr : AttrDef<Boost_Dialect, "Part"> {
  let mnemonic = "part";
  let summary = "A parameter, state or gradient inside a packed tensor.";
  let description = [{
    If a pass packs several parameters into one, the argument has the attribute
    `boost.parts`, a list of these. Names, initial values, files and rules of the optimizer
    are still those of the parts; only the memory is shared. Gradients and states are packed
    like their parameter, and `of` of a part names the part of the parameter.

    A part with as many dimensions as the packed tensor consists of `shape[dim]` elements of
    dimension `dim`, beginning at `offset`. A part with one dimension less is element
    `offset` of dimension `dim`, and `shape` gives its remaining dimensions.

    ```mlir
    func.func @packed(
        %aqk: tensor<64x2x16xf32> {boost.tensor = #boost.tensor<param "{q,k}.down">, boost.parts = [
            #boost.part<name = "q.down", dim = 1, offset = 0, shape = [64, 16]>,
            #boost.part<name = "k.down", dim = 1, offset = 1, shape = [64, 16]>]}) {
      return
    }
    ```
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
                        OptionalParameter<"::mlir::StringAttr">:$of,
                        OptionalParameter<"::mlir::StringAttr">:$init,
                        "int64_t":$dim, "int64_t":$offset,
                        "::mlir::DenseI64ArrayAttr":$shape);
  let assemblyFormat = "`<` struct(params) `>`";
  let extraClassDeclaration = [{
    /// Returns true if the part lacks the dimension along which it was packed.
    bool isStacked(int64_t packedRank) const {
      return getShape().size() < packedRank;
    }
    /// Returns the extent of the part along `dim`.
    int64_t getExtent(int64_t packedRank) const {
      return isStacked(packedRank) ? 1 : getShape()[getDim()];
    }
  }];
}

def Boost_LayerAttr : AttrDef<Boost_Dialect, "Layer"> {
  let mnemonic = "layer";
  let summary = "The layer of the model that an operation belongs to.";
  let description = [{
    `boost-find-layers` sets this attribute as `boost.layer`, and later passes set it on the
    operations by which they replace others. Layers are numbered from 0 in the order of the
    forward pass. Layers of one class consist of the same operations on the same types, with
    different parameters. An operation of the backward pass belongs to the layer of the
    forward operation whose gradient it computes. Operations without the attribute are
    outside of the layers.

    ```mlir
    %h = boost.linear %x, %w {boost.layer = #boost.layer<class = 0, index = 3>}
        : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    ```
  }];
  let parameters = (ins "int64_t":$kind, "int64_t":$index);
  let assemblyFormat = "`<` `class` `=` $kind `,` `index` `=` $index `>`";
  let genVerifyDecl = 1;
}

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD
