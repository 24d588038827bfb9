//===- Validation.cpp - The loss on data that is not trained on -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Validation.h"

#include <algorithm>

using namespace boost_rt;

static const char *const kLoss = "loss";

/// The function that validation runs; older programs may have none.
static const char *findLoss(const Session &session) {
  if (!session.getProgram().findFunction(kLoss))
    refuse("--val-data needs the function '", kLoss,
           "', which this program does not have; compile it again");
  return kLoss;
}

Validation::Validation(Session &session, const TrainOptions &options)
    : session(session),
      batches(session, findLoss(session), options, Purpose::validation),
      count(batches.batchesPerEpoch()) {
  // Exported batches, each of which the program may compute in parts.
  int64_t parts = session.getProgram().microBatches();
  count /= parts;
  if (count < 1)
    refuse("--val-data has ", batches.getWindows().tokens(),
           " tokens, which are not enough for a batch of ",
           batches.tokensPerBatch() * parts, "; use more data");
  if (options.valBatches)
    count = std::min(count, *options.valBatches);
  count *= parts;
  batches.check(count);
}

float Validation::run() {
  Doing doing("validating");
  const Tensor &loss = session.getProgram().only(Role::loss);
  double sum = 0;
  for (int64_t batch = 0; batch < count; ++batch) {
    batches.fill(batch);
    session.run(kLoss);
    sum += static_cast<double>(session.readScalar(loss));
  }
  return static_cast<float>(sum / static_cast<double>(count));
}
