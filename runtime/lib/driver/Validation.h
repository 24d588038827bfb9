//===- Validation.h - The loss on data that is not trained on ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_VALIDATION_H
#define BOOST_RUNTIME_DRIVER_VALIDATION_H

#include "driver/Batches.h"

namespace boost_rt {

/// Evaluates the loss of the parameters as they are, between steps.
class Validation {
public:
  /// Takes the files of `options.valData`, whose ids it checks: call it on all
  /// ranks together. Throws if they do not fill a batch.
  Validation(Session &session, const TrainOptions &options);

  const Batches &getBatches() const { return batches; }

  /// The mean over the first `--val-batches` batches of the data, or over all
  /// that no window is in twice.
  float run();

  const TokenWindows &getWindows() const { return batches.getWindows(); }

private:
  Session &session;
  const Schedule &schedule;
  Batches batches;
  /// How many batches of the exported program are evaluated.
  int64_t count;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_VALIDATION_H
