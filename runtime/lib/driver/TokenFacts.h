//===- TokenFacts.h - What the tokens of a row are --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row begins a document, and so does what stands behind an end of one. What
// is told of a token depends on the tokens before it in the row.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_TOKENFACTS_H
#define BOOST_RUNTIME_DRIVER_TOKENFACTS_H

#include "common/Program.h"
#include "driver/Options.h"
#include "driver/TokenWindows.h"

namespace boost_rt {

class TokenFacts {
public:
  explicit TokenFacts(const TrainOptions &options) : options(options) {}

  /// The id that ends a document of a file: that of `--eod`, else of its
  /// header.
  std::optional<int64_t> endOfDocument(const TokenFile &file) const;

  /// One fact of each of `count` tokens from the beginning of a window: the
  /// token itself, or what a mask, positions or segments have for it.
  void read(const TokenWindows::Window &window, int64_t count, Feed feed,
            int64_t *facts) const;

private:
  void readMask(const TokenWindows::Window &window, int64_t count,
                int64_t *facts) const;
  void readPositions(const TokenWindows::Window &window, int64_t count,
                     int64_t *facts) const;
  void readSegments(const TokenWindows::Window &window, int64_t count,
                    int64_t *facts) const;

  const TrainOptions &options;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_TOKENFACTS_H
