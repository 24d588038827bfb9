//===- Batches.h - Batches from token files ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files are divided into windows of s tokens and the next one. Row i of batch k
// (from 0) of B rows reads window k B + i, and starts over after the last one:
// an epoch. In random order, every epoch has a permutation of the windows of
// its own. Feeds.h says which argument takes what of a window.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_BATCHES_H
#define BOOST_RUNTIME_DRIVER_BATCHES_H

#include "common/Permutation.h"
#include "driver/Feeds.h"
#include "driver/Session.h"
#include "driver/TokenFacts.h"

#include <memory>
#include <optional>

namespace boost_rt {

/// The use of batches, which decides which files are read.
enum class Purpose { training, validation };

class Batches {
public:
  /// The batches of a schedule. Those for training are in random order if
  /// `options` ask for it.
  Batches(Session &session, const Schedule &schedule,
          const TrainOptions &options, Purpose purpose);

  /// In the order of the program.
  const std::vector<FedArgument> &getArguments() const {
    return feeds.arguments;
  }
  const TokenFacts &getFacts() const { return facts; }

  const TokenWindows &getWindows() const { return *windows; }
  int64_t tokensPerBatch() const { return feeds.rows * feeds.length; }
  /// Batches that no window is in twice.
  int64_t batchesPerEpoch() const { return windows->size() / feeds.rows; }

  /// Returns the rows of `count` batches from the one with number `first`, in
  /// order.
  std::vector<TokenWindows::Window> rowsOf(int64_t first, int64_t count);

  /// Refuses what is out of range in the first `batches` batches. Every rank
  /// reads a part of the files, so call it on all ranks together.
  void check(int64_t batches);

  /// Fills this rank's part of batch number `batch`. Ends all ranks if ids are
  /// out of range that were not when they were checked.
  void fill(int64_t batch);

private:
  void checkOptions() const;
  void checkEnds() const;
  void checkPlaces(int64_t used);
  /// Returns the number of the exported batch, the value of `step` arguments.
  int64_t numberOf(int64_t batch) const;
  void fillStep(const Tensor &argument, int64_t batch);
  void fillKey(const Tensor &argument, int64_t batch);
  void fillRows(const FedArgument &argument, int64_t batch);
  void checkUnchanged(const FedArgument &fed,
                      const TokenWindows::Window &window, int64_t count) const;
  /// The window of a row, counted over all batches.
  int64_t findWindow(int64_t row);

  Session &session;
  const TrainOptions &options;
  const Purpose purpose;
  TokenFacts facts;
  BatchFeeds feeds;
  /// Ids of the vocabulary are below this.
  int64_t idLimit;
  std::unique_ptr<TokenWindows> windows;
  std::optional<uint64_t> shuffleSeed;
  /// The epoch that was asked for last.
  int64_t epoch = -1;
  std::optional<Permutation> order;
  /// Facts of the tokens of a row, and the same as floats.
  std::vector<int64_t> rowBuffer;
  std::vector<float> floatBuffer;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_BATCHES_H
