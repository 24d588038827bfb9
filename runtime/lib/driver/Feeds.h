//===- Feeds.h - What each batch argument takes -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program tells of some arguments what they take, the command line of
// others, and before the program. Of arguments of token ids, one may be left:
// then it takes what is missing.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_FEEDS_H
#define BOOST_RUNTIME_DRIVER_FEEDS_H

#include "common/Program.h"
#include "driver/Options.h"

#include <string>
#include <vector>

namespace boost_rt {

/// A batch argument and what it takes.
struct FedArgument {
  const Tensor *tensor;
  Feed feed;
};

/// The data that a batch reads from a corpus: `rows` rows of `length` tokens,
/// and the next token of each row.
struct BatchFeeds {
  /// In the order of the program.
  std::vector<FedArgument> arguments;
  int64_t rows = 0, length = 0;

  bool take(Feed feed) const;
};

/// Returns the feeds of the batch arguments of a schedule. Throws if there are
/// several readings or none, and for a choice that is none.
BatchFeeds findFeeds(const Program &program, const Schedule &schedule,
                     const std::vector<FeedChoice> &choices);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_FEEDS_H
