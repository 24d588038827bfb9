//===- ClockOffset.cpp - The clocks of ranks ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ClockOffset.h"

#include <cmath>

using namespace boost_rt;

static constexpr int roundTrips = 16;

/// Answers the questions of every other rank in turn.
static void answer(Communicator &communicator,
                   const std::function<int64_t()> &now) {
  for (int64_t rank = 1; rank < communicator.size(); ++rank)
    for (int i = 0; i < roundTrips; ++i) {
      char question = 0;
      communicator.receive(&question, sizeof(question), rank);
      int64_t time = now();
      communicator.send(&time, sizeof(time), rank);
    }
}

ClockOffset boost_rt::compareClocks(Communicator &communicator,
                                    const std::function<int64_t()> &now) {
  if (communicator.rank() == 0) {
    answer(communicator, now);
    return {now(), 0, 0};
  }
  ClockOffset best;
  for (int i = 0; i < roundTrips; ++i) {
    const char question = 0;
    int64_t asked = now(), time = 0;
    communicator.send(&question, sizeof(question), 0);
    communicator.receive(&time, sizeof(time), 0);
    int64_t half = (now() - asked + 1) / 2;
    if (i == 0 || half < best.error)
      best = {asked + half, time - (asked + half), half};
  }
  return best;
}

int64_t boost_rt::convertTime(int64_t time, const ClockOffset &first,
                              const ClockOffset &last) {
  if (last.at <= first.at)
    return time + first.offset;
  double part = static_cast<double>(time - first.at) /
                static_cast<double>(last.at - first.at);
  auto change = static_cast<double>(last.offset - first.offset);
  return time + first.offset + std::llround(part * change);
}
