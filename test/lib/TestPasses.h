//===- TestPasses.h - Passes that exist for tests only ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tools of a build with tests register these beside the real passes. Each
// is named `test-boost-*`. The broken ones do what a bug in partitioning or
// differentiation would do; checks of values prove themselves by naming them.
//
// They run in boost-opt like any pass, and at the end of any stage in
// boost-prove and boost-test-compile:
//
//   boost-test-compile m.mlir --mesh=tp=2 \
//       --insert-pass=after:rematerialize:test-boost-drop-all-reduce -o train
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_LIB_TESTPASSES_H
#define BOOST_MLIR_TEST_LIB_TESTPASSES_H

namespace mlir::boost::test {

/// test-boost-break-memory{function=NAME overwrite}: the function does not
/// write the gradient of the embedding, or writes over an input.
void registerBreakMemoryPass();

/// test-boost-broadcast-parameters{axis=N root=R}: every rank adds a 64th
/// of its position along an axis to the parameters that are not sharded over
/// it, and all ranks go on with those of rank R. Not broken: parameters are
/// R / 64 larger.
void registerBroadcastParametersPass();

/// test-boost-assign-layers{layers=N}: N layers of about as many operations.
/// Not broken.
void registerAssignLayersPass();

/// test-boost-drop-all-reduce{index=N}: the N-th sum over ranks of every
/// function is not taken (N from 0).
void registerDropAllReducePass();

/// test-boost-mutate-runtime{kind=KIND seed=N}: one random change of a lowered
/// program, printed on the error stream.
void registerMutateRuntimePass();

/// test-boost-scale-gradient{parameter=NAME factor=F function=NAME}: the
/// gradient of one parameter is F times what it should be, in every function or
/// in that one.
void registerScaleGradientPass();

/// test-boost-swap-shards{index=N}: the first two parts that the N-th gather of
/// every function joins change places.
void registerSwapShardsPass();

/// All of them.
void registerTestPasses();

} // namespace mlir::boost::test

#endif // BOOST_MLIR_TEST_LIB_TESTPASSES_H
