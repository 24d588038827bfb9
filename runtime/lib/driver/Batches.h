//===- Batches.h - Batches from a token file --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file is divided into windows of s tokens and the next one; window w
// starts at token w s. Row i of batch k (from 0) of B rows reads window k B +
// i, and starts over at the end of the file. Which argument takes the tokens of
// a window and which those one further, the program tells, or the command line.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_BATCHES_H
#define BOOST_RUNTIME_DRIVER_BATCHES_H

#include "common/TokenFile.h"
#include "driver/Options.h"
#include "driver/Session.h"

namespace boost_rt {

class Batches {
public:
  /// A batch argument and what it takes.
  struct Argument {
    const Tensor *tensor;
    Feed feed;
  };

  /// Takes the batch arguments of `function`: one [B, s + 1], or inputs and
  /// targets [B, s]. `choices` go before what the program tells.
  Batches(Session &session, const std::string &function,
          const std::string &path, const std::vector<FeedChoice> &choices);

  /// In the order of the program.
  const std::vector<Argument> &getArguments() const { return arguments; }

  const TokenFile &getFile() const { return file; }
  int64_t tokensPerBatch() const { return rows * length; }

  /// Refuses ids out of range in the first `batches` batches. Every rank reads
  /// a part of the file, so call it on all ranks together.
  void checkIds(int64_t batches) const;

  /// Fills this rank's part of batch number `batch`.
  void fill(int64_t batch);

private:
  void findArguments(const std::string &function);
  void assignFeeds(const std::vector<FeedChoice> &choices);
  size_t findArgument(const FeedChoice &choice) const;

  Session &session;
  TokenFile file;
  std::vector<Argument> arguments;
  /// B and s.
  int64_t rows = 0, length = 0;
  int64_t windows = 0;
  std::vector<int64_t> rowBuffer;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_BATCHES_H
