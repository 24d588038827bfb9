//===- StageOptions.h - What can be chosen of a stage -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of the stages, stated once. Each is a field of the options of a
// pass, with the type and the default that Passes.td gives it. The options of
// pipelines, the command line of boost-compile and what it hands to them are
// made from these lists of OPTION(field, name, description) and, for lists
// of texts, LIST(field, name, description).
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_PIPELINES_STAGEOPTIONS_H
#define BOOST_MLIR_PIPELINES_STAGEOPTIONS_H

#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"

/// Options of boost-lower-precision.
#define BOOST_PRECISION_OPTIONS(OPTION)                                        \
  OPTION(precision, "precision", "Precision of f32 programs")

/// Options of boost-split-batch.
#define BOOST_SPLIT_OPTIONS(OPTION)                                            \
  OPTION(                                                                      \
      microBatches, "micro-batches",                                           \
      "Equal parts that a batch is computed in, one after another, to take "   \
      "less memory")

/// Options of boost-place, which also has `explain`.
#define BOOST_PLACE_OPTIONS(OPTION)                                            \
  OPTION(mesh, "mesh",                                                         \
         "Ranks: a number (tensor parallel), or axes with sizes, as in "       \
         "dp=2,tp=4")                                                          \
  OPTION(placement, "placement", "How parameters are sharded")                 \
  OPTION(followHints, "follow-hints",                                          \
         "Shard arguments as the program says by itself, where it does")

/// Options of boost-differentiate.
#define BOOST_GRADIENT_OPTIONS(OPTION)                                         \
  OPTION(nondeterministic, "nondeterministic",                                 \
         "Let gradients of attention on GPUs differ in their last bits from "  \
         "run to run, which takes less memory")

/// Options of boost-add-optimizer.
#define BOOST_OPTIMIZER_OPTIONS(OPTION)                                        \
  OPTION(optimizer, "optimizer", "What updates the parameters")                \
  OPTION(masterWeights, "master-weights",                                      \
         "Update f32 copies of bf16 and f16 parameters")

/// Options of boost-build-step.
#define BOOST_STEP_OPTIONS(OPTION)                                             \
  OPTION(accumulate, "accumulate",                                             \
         "Batches of the exported program whose gradients make one update")

/// Options of boost-shard-optimizer-state.
#define BOOST_STATE_OPTIONS(OPTION)                                            \
  OPTION(zero, "zero",                                                         \
         "Stage of ZeRO: 0, or 1 to shard the optimizer's state over dp")

/// Options of boost-merge-collectives.
#define BOOST_MERGE_OPTIONS(OPTION)                                            \
  OPTION(bucketBytes, "bucket-bytes",                                          \
         "Most bytes of gradients or parameters in one launch")

/// Options of boost-rematerialize. On the command line these are called `remat`
/// and `remat-recompute`; --memory-budget chooses the others.
#define BOOST_REMATERIALIZE_OPTIONS(OPTION, LIST)                              \
  OPTION(mode, "mode",                                                         \
         "Values to recompute instead of keep for the backward pass")          \
  LIST(recompute, "recompute",                                                 \
       "Recompute these instead of what the mode says")                        \
  OPTION(layers, "layers", "Layers that this concerns; -1: all")               \
  LIST(others, "others", "Classes in the layers behind those")                 \
  OPTION(explain, "explain", "Remark every value that is kept")

/// Options of boost-split-stages. On the command line their names begin with
/// `pipeline-`.
#define BOOST_SCHEDULE_OPTIONS(OPTION, LIST)                                   \
  OPTION(order, "order", "The order in which pipeline stages compute")         \
  OPTION(chunks, "chunks",                                                     \
         "Parts of consecutive layers on each pipeline stage")                 \
  LIST(layout, "layout", "Layers of each part; without them, equally many")

#endif // BOOST_MLIR_PIPELINES_STAGEOPTIONS_H
