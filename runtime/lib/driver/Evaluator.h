//===- Evaluator.h - The reference evaluator of the compiler ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_EVALUATOR_H
#define BOOST_RUNTIME_DRIVER_EVALUATOR_H

#include "common/Program.h"

namespace boost_rt {

/// The boost-eval that the compiler of this program had beside it, to the byte:
/// another one may judge otherwise, and whatever else has its name is not run.
class Evaluator {
public:
  /// Looks at BOOST_EVAL alone if that is set, and else where the compiler was
  /// and in PATH. Throws if that build is not there.
  explicit Evaluator(const Verification &verification);
  ~Evaluator();
  Evaluator(const Evaluator &) = delete;
  Evaluator &operator=(const Evaluator &) = delete;

  const std::string &getPath() const { return path; }

  /// Runs it to its end and returns its exit code; its messages go to stderr.
  int run(const std::vector<std::string> &arguments) const;

private:
  /// Opens a candidate; whether it is the one. Otherwise says what it is.
  bool take(const std::string &candidate, const std::string &build,
            std::string &others);

  std::string path;
  /// The file that was looked at is the one that is run.
  int file = -1;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_EVALUATOR_H
