//===- BoostAttrNames.h - Discardable attribute names -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one spelling of every discardable attribute that passes exchange.
// BoostDialect.td says what each means.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRNAMES_H
#define BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRNAMES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::boost {

// On arguments of the function that a user writes: boost-normalize-entry makes
// a boost.tensor of them.
inline constexpr llvm::StringLiteral kArgAttr = "boost.arg";
inline constexpr llvm::StringLiteral kNameAttr = "boost.name";
inline constexpr llvm::StringLiteral kInitAttr = "boost.init";
inline constexpr llvm::StringLiteral kDecayAttr = "boost.decay";

// On the module that a user writes.
inline constexpr llvm::StringLiteral kInitialValuesAttr =
    "boost.initial_values";

// On arguments and results of functions.
inline constexpr llvm::StringLiteral kTensorAttr = "boost.tensor";
inline constexpr llvm::StringLiteral kIdLimitAttr = "boost.id_limit";
inline constexpr llvm::StringLiteral kMicroBatchesAttr = "boost.micro_batches";
inline constexpr llvm::StringLiteral kHintAttr = "boost.hint";
inline constexpr llvm::StringLiteral kShardingAttr = "boost.sharding";
inline constexpr llvm::StringLiteral kReasonAttr = "boost.reason";
inline constexpr llvm::StringLiteral kPartsAttr = "boost.parts";
inline constexpr llvm::StringLiteral kRowsAttr = "boost.rows";

// On operations.
inline constexpr llvm::StringLiteral kAxesAttr = "boost.axes";
inline constexpr llvm::StringLiteral kComponentAttr = "boost.component";
inline constexpr llvm::StringLiteral kPhaseAttr = "boost.phase";
inline constexpr llvm::StringLiteral kLayerAttr = "boost.layer";
inline constexpr llvm::StringLiteral kShardingsAttr = "boost.shardings";
inline constexpr llvm::StringLiteral kOneTermAttr = "boost.one_term";
inline constexpr llvm::StringLiteral kRecomputedAttr = "boost.recomputed";

// On functions and the module at the runtime level.
inline constexpr llvm::StringLiteral kInputsAttr = "boost.inputs";
inline constexpr llvm::StringLiteral kOutputsAttr = "boost.outputs";
inline constexpr llvm::StringLiteral kTensorsAttr = "boost.tensors";
inline constexpr llvm::StringLiteral kArenaBytesAttr = "boost.arena_bytes";
inline constexpr llvm::StringLiteral kMemoryAttr = "boost.memory";
inline constexpr llvm::StringLiteral kStagesAttr = "boost.stages";
inline constexpr llvm::StringLiteral kLargestAttr = "boost.largest";
inline constexpr llvm::StringLiteral kProgramHashAttr = "boost.program_hash";

// On the module, by boost-add-optimizer: what updates are made with.
inline constexpr llvm::StringLiteral kOptimizerAttr = "boost.optimizer";

// On a loss from which repeated layers were taken: how often they repeated.
inline constexpr llvm::StringLiteral kRepetitionsAttr = "boost.repetitions";

// On functions.
inline constexpr llvm::StringLiteral kKernelAttr = "boost.kernel";
inline constexpr llvm::StringLiteral kKeptBytesAttr = "boost.kept_bytes";
inline constexpr llvm::StringLiteral kStageAttr = "boost.stage";
inline constexpr llvm::StringLiteral kPartOfAttr = "boost.part_of";

// On the module: which level its functions are at.
inline constexpr llvm::StringLiteral kLevelAttr = "boost.level";
inline constexpr llvm::StringLiteral kSpmdLevel = "spmd";

// Values of boost.component.
inline constexpr llvm::StringLiteral kBlockComponent = "block";
inline constexpr llvm::StringLiteral kEmbeddingComponent = "embedding";
inline constexpr llvm::StringLiteral kHeadComponent = "head";
inline constexpr llvm::StringLiteral kLossComponent = "loss";
inline constexpr llvm::StringLiteral kGradientsComponent = "gradients";
inline constexpr llvm::StringLiteral kOptimizerComponent = "optimizer";

// Prefixes of the names of tensors that training makes for a parameter; the
// parameter's name follows. Names are made so and never read.
inline constexpr llvm::StringLiteral kGradientPrefix = "grad.";
inline constexpr llvm::StringLiteral kAccumulatorPrefix = "acc.";
inline constexpr llvm::StringLiteral kMasterPrefix = "master.";

// The kind of a state that holds a parameter in f32, and how it starts.
inline constexpr llvm::StringLiteral kMasterKind = "master";
inline constexpr llvm::StringLiteral kParamInit = "param";

// Names of the functions and symbols that the pipeline agrees on.
inline constexpr llvm::StringLiteral kLossFunction = "loss";
inline constexpr llvm::StringLiteral kGradientFunction = "gradient";
inline constexpr llvm::StringLiteral kStepFunction = "step";
inline constexpr llvm::StringLiteral kAccumulateFunction = "accumulate";
inline constexpr llvm::StringLiteral kUpdateFunction = "update";
inline constexpr llvm::StringLiteral kVerifyFunction = "verify";
inline constexpr llvm::StringLiteral kMeshSymbol = "mesh";
// The module in a module that holds the update that a program brings along.
inline constexpr llvm::StringLiteral kOptimizerSymbol = "optimizer";

// Names of the schedules, which say what the binary runs for a batch.
inline constexpr llvm::StringLiteral kTrainSchedule = "train";
inline constexpr llvm::StringLiteral kGradientsSchedule = "gradients";
inline constexpr llvm::StringLiteral kEvaluateSchedule = "evaluate";
inline constexpr llvm::StringLiteral kProbeSchedule = "probe";

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_BOOSTATTRNAMES_H
