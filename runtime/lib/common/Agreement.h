//===- Agreement.h - What the ranks of a run must have alike ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks are processes that were started one by one, each with options, files
// and a program of its own. What has to be equal is a list of facts, which the
// ranks compare before they rely on it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_AGREEMENT_H
#define BOOST_RUNTIME_COMMON_AGREEMENT_H

#include "common/Communicator.h"

#include <string>
#include <vector>

namespace boost_rt {

/// Something that must be equal on all ranks, and its value on this one.
struct Fact {
  /// The name in messages, such as "--lr". Names in a list are unique.
  std::string name;
  std::string value;
};
using Facts = std::vector<Fact>;

/// A checksum of names and values, in their order: two ranks have the same if
/// they agree. Needs no communicator.
std::string digestOf(const Facts &facts);

/// Compares the facts of all ranks, which must all call it. Returns the same
/// text on all of them: nothing if they agree, else a message with every fact
/// that differs, its values and the ranks that have them. Sends one short
/// message from each rank to rank 0 and one back; the facts themselves travel
/// only if they differ.
std::string findDisagreement(Communicator &communicator, const Facts &facts);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_AGREEMENT_H
