//===- LocalRanks.h - The processes of this run on this machine -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_LOCALRANKS_H
#define BOOST_RUNTIME_DRIVER_LOCALRANKS_H

#include <cstdint>
#include <map>

namespace boost_rt {

/// For each rank of this run that /proc shows on this machine, whether its
/// process is stopped. Empty if the launcher does not name its runs.
std::map<int64_t, bool> findLocalRanks();

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_LOCALRANKS_H
