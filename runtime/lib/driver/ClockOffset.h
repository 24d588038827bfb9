//===- ClockOffset.h - The clocks of ranks ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_CLOCKOFFSET_H
#define BOOST_RUNTIME_DRIVER_CLOCKOFFSET_H

#include "common/Communicator.h"

#include <functional>

namespace boost_rt {

/// An estimate of what the clock of rank 0 shows, in nanoseconds.
struct ClockOffset {
  /// When the estimate was made, on this rank's clock.
  int64_t at = 0;
  /// The difference of rank 0's clock from this rank's, and the most by which
  /// the estimate is wrong.
  int64_t offset = 0, error = 0;
};

/// Estimates the clock of rank 0 on every rank, as NTP does: a rank asks rank 0
/// for its time, which is taken for that at half of the round trip. The fastest
/// of several round trips counts. All ranks call this together. `now` reads
/// this rank's clock.
ClockOffset compareClocks(Communicator &communicator,
                          const std::function<int64_t()> &now);

/// Returns rank 0's time of a time of this rank between two estimates: clocks
/// drift evenly.
int64_t convertTime(int64_t time, const ClockOffset &first,
                    const ClockOffset &last);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_CLOCKOFFSET_H
