//===- BoostAttrs.td - Attributes of the boost dialect -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of the tensors of entry functions, and the enumerations that the
// operations of boost and boostrt share.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRS_TD

include "boost-mlir/Dialect/Boost/IR/BoostDialect.td"
include "mlir/IR/EnumAttr.td"

def Boost_Activation : I32EnumAttr<"Activation", "what a bottleneck does to its latent", [
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

def Boost_Reduction : I32EnumAttr<"Reduction", "how a collective combines", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">]> {
  let cppNamespace = "::mlir::boost";
  let genSpecializedAttr = 0;
}
def Boost_ReductionAttr : EnumAttr<Boost_Dialect, Boost_Reduction, "reduction"> {
  let assemblyFormat = "$value";
}

def Boost_TensorRole : I32EnumAttr<"TensorRole", "what a tensor is to the training program", [
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

def Boost_Feed : I32EnumAttr<"Feed", "what training fills a batch argument with", [
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
  let summary = "The option of the program that sets a hyper-parameter.";
  let description = [{
    A hyper-parameter `kind = "weight_decay"` with this attribute is the option
    `--weight-decay` of the program's command `train`. It takes numbers of f32
    that are at least `min`, more than `above` and less than `below`, where these
    are given. `help` ends no sentence; the default is added to it.

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
  let summary = "The role and properties of an argument or result of an entry function.";
  let description = [{
    Stands as `boost.tensor` on arguments and results of the functions that a
    program is made of. Passes, the manifest, checkpoints, the memory report, the
    evaluator and `--verify` read from it what a tensor is; a name is only what
    users and files call it.

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

    | role | what it is | on |
    |---|---|---|
    | `param` | what training changes | argument, result |
    | `frozen` | a parameter that training does not change: it has no gradient, no state and no decay | argument |
    | `state` | what the optimizer keeps from step to step | argument, result |
    | `accumulator` | the sum of a gradient over micro-batches: zero at first and after an update; ranks may each keep a term of it | argument, result |
    | `batch` | what the loss is computed of | argument |
    | `hyper` | a number that the caller gives every step | argument |
    | `gradient` | the derivative of the loss by a parameter | result; argument of an update |
    | `loss` | the loss | result |
    | `metric` | another number about the step | result |
    | `output` | another result of the loss | result |
    | `kept` | what one call of a `boost.schedule` keeps for a later one of the same micro-batch | argument, result |

    A result under the name of an argument is what replaces it.

    | field | of | meaning |
    |---|---|---|
    | `kind` | `state`, `hyper`, `metric` | which one it is: `m`, `v` and `master`, `lr`, `grad_norm` |
    | `of` | `accumulator`, `gradient`, perhaps `state` | the name of the parameter that it belongs to; a state may belong to several, `of = ["a", "b"]` |
    | `init` | `param`, `frozen`, `state` | how it starts: `ones`, `zeros`, `constant:VALUE` or `normal:STD`; a state `of` one parameter also as that does (`param`), before it is rounded to the parameter's type; a state also from the arrays that were exported with the program (`array`) |
    | `decay` | `param` | whether weight decay applies |
    | `feed` | `batch` | what `train` fills it with: rows of tokens and the next (`tokens`), or the tokens and those one ahead (`inputs`, `targets`); which targets count (`mask`), places in documents and their numbers (`positions`, `segments`); the number of the batch (`step`), and the key of random numbers made of it (`key`) |
    | `sample` | `state`, `hyper` | a value at which a step is well conditioned: where `--verify` starts |
    | `next_sample` | `hyper` | another such value, which `--verify` goes on with; without it the same |
    | `option` | `hyper` | the option of `train` that sets it, a `#boost.option`. Without one `train` gives it: the learning rate (`lr`) and the number of the step from 1 (`step`) |
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
    /// Tensors that training adds for a parameter. Their names are `prefix`, or
    /// a usual prefix, and the name of the parameter.
    static TensorAttr getGradientOf(TensorAttr param);
    static TensorAttr getAccumulatorOf(TensorAttr param);
    static TensorAttr getStateOf(TensorAttr param, ::llvm::StringRef prefix,
                                 ::llvm::StringRef kind, ::llvm::StringRef init,
                                 double sample);

    /// A number that is called after its kind, apart from what users call
    /// `step`: "hyper.step".
    static TensorAttr getHyper(::mlir::MLIRContext *context,
                               ::llvm::StringRef kind, double sample,
                               double nextSample,
                               ::mlir::boost::OptionAttr option = {});
    /// A number that is called as its kind.
    static TensorAttr getMetric(::mlir::MLIRContext *context,
                                ::llvm::StringRef kind);

    /// Returns the names of the parameters that the tensor belongs to.
    ::llvm::SmallVector<::mlir::StringAttr> getOwners() const;
    /// Returns the name of the only parameter that it belongs to, or null.
    ::mlir::StringAttr getOwner() const;

    /// Return a copy with one field changed; null removes it.
    TensorAttr withInit(::mlir::StringAttr init) const;
    TensorAttr withDecay(::mlir::BoolAttr decay) const;
    TensorAttr withFeed(::mlir::boost::FeedAttr feed) const;
  }];
}

def Boost_ShardingAttr : AttrDef<Boost_Dialect, "Sharding"> {
  let mnemonic = "sharding";
  let summary = "How the ranks of a mesh hold a tensor.";
  let description = [{
    For each dimension the mesh axes over which it is sharded, the most
    significant first: over `{"tp", "dp"}` the parts of `tp` are sharded over
    `dp`, so that to go from `{"tp"}` to `{"tp", "dp"}` sends nothing. Axes are
    those that `boost.axes` of the mesh names. A dimension without axes is
    replicated.

    Along the axes of `partial` a rank holds one term of the sum (or maximum, or
    minimum) that is the tensor.

    ```mlir
    #boost.sharding<{"dp"}, {}, {"tp"}>
    #boost.sharding<{"tp", "dp"}, {}>
    #boost.sharding<{}, {}, partial = sum {"dp"}>
    ```

    No axis may be used twice. As `boost.sharding` of an argument or a result,
    and in `boost.shardings` and `boost.probe`, a sharding has as many dimensions
    as the tensor and names axes of the mesh, if there is one.
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
    /// Every dimension replicated.
    static ShardingAttr getReplicated(::mlir::MLIRContext *context, int64_t rank);
    int64_t getRank() const { return getDimAxes().size(); }
    /// The parts that are lists of names in JSON.
    ::mlir::ArrayAttr getSplitNames() const;
    ::mlir::ArrayAttr getPartialNames() const;
  }];
}

def Boost_PartAttr : AttrDef<Boost_Dialect, "Part"> {
  let mnemonic = "part";
  let summary = "A tensor that users know by name, inside a packed one.";
  let description = [{
    A parameter that passes packed out of several is an argument with
    `boost.parts`, a list of these. Names, initial values, files and optimizer
    rules are those of the parts; only the memory is shared. Gradients and states
    are packed like their parameter: `of` names the part of it. A part of the
    packed tensor's rank takes `shape[dim]` elements of dimension `dim` from
    `offset` on; one of a rank less takes element `offset` of it, and has the
    other dimensions.

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
    `boost-find-layers` gives operations this attribute as `boost.layer`, and
    every later pass hands it on to what it makes of them. Layers are numbered
    from 0 in the order of the forward pass. Layers of one class are the same
    operations on the same types, with other parameters. An operation of the
    backward pass belongs to the layer of the forward operation that it is the
    gradient of. An operation without the attribute is outside the layers.

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
