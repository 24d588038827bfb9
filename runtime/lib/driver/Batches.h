//===- Batches.h - Batches from token files ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files are divided into windows of s tokens and the next one. Row i of batch k
// (from 0) of B rows reads window k B + i, and starts over after the last one:
// an epoch. In random order, every epoch has a permutation of the windows of
// its own. Which argument takes the tokens of a window and which those one
// further, the program tells, or the command line.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_BATCHES_H
#define BOOST_RUNTIME_DRIVER_BATCHES_H

#include "common/Permutation.h"
#include "driver/Options.h"
#include "driver/Session.h"
#include "driver/TokenWindows.h"

#include <memory>
#include <optional>

namespace boost_rt {

class Batches {
public:
  /// A batch argument and what it takes.
  struct Argument {
    const Tensor *tensor;
    Feed feed;
  };

  /// Takes the batch arguments of `function`: one [B, s + 1], or inputs and
  /// targets [B, s]. `choices` go before what the program tells. With a seed
  /// the order is random.
  Batches(Session &session, const std::string &function,
          const std::vector<std::string> &paths,
          const std::vector<FeedChoice> &choices,
          std::optional<uint64_t> shuffleSeed = std::nullopt);

  /// In the order of the program.
  const std::vector<Argument> &getArguments() const { return arguments; }

  const TokenWindows &getWindows() const { return *windows; }
  int64_t tokensPerBatch() const { return rows * length; }
  /// Batches that no window is in twice.
  int64_t batchesPerEpoch() const { return windows->size() / rows; }

  /// Refuses ids out of range in the first `batches` batches. Every rank reads
  /// a part of the files, so call it on all ranks together.
  void checkIds(int64_t batches) const;

  /// Fills this rank's part of batch number `batch`.
  void fill(int64_t batch);

private:
  void findArguments(const std::string &function);
  void assignFeeds(const std::vector<FeedChoice> &choices);
  size_t findArgument(const FeedChoice &choice) const;
  /// The window of a row, counted over all batches.
  int64_t findWindow(int64_t row);

  Session &session;
  std::vector<Argument> arguments;
  /// B and s.
  int64_t rows = 0, length = 0;
  std::unique_ptr<TokenWindows> windows;
  std::optional<uint64_t> shuffleSeed;
  /// Of the epoch that was asked for last.
  int64_t epoch = -1;
  std::optional<Permutation> order;
  std::vector<int64_t> rowBuffer;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_BATCHES_H
