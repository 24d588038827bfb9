//===- Agreement.cpp - What the ranks of a run must have alike ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Agreement.h"
#include "common/Checksum.h"
#include "common/Failure.h"

#include <algorithm>
#include <cstring>

using namespace boost_rt;

/// Values of one fact that a message lists with their ranks.
static constexpr size_t listedValues = 4;

//===----------------------------------------------------------------------===//
// Facts as bytes
//===----------------------------------------------------------------------===//

// Neither arguments nor file names hold a zero.
static std::string encode(const Facts &facts) {
  std::string text;
  for (const auto &[name, value] : facts)
    text.append(name).append(1, '\0').append(value).append(1, '\0');
  return text;
}

static Facts decode(const std::string &text) {
  std::vector<std::string> parts;
  for (size_t begin = 0, end = 0;
       (end = text.find('\0', begin)) != std::string::npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  Facts facts;
  for (size_t i = 0; i + 1 < parts.size(); i += 2)
    facts.push_back({parts[i], parts[i + 1]});
  return facts;
}

std::string boost_rt::digestOf(const Facts &facts) {
  return checksumOf(encode(facts));
}

//===----------------------------------------------------------------------===//
// The message
//===----------------------------------------------------------------------===//

/// The value of a fact, or null if it is not in the list.
static const std::string *find(const Facts &facts, const std::string &name) {
  auto found = std::find_if(facts.begin(), facts.end(), [&](const Fact &fact) {
    return fact.name == name;
  });
  return found == facts.end() ? nullptr : &found->value;
}

/// "0.1 on ranks 0 and 2, but 0.2 on rank 1"; empty if all have the same value,
/// or if a rank does not have the fact: then an earlier one says why.
static std::string describeValues(const std::string &name,
                                  const std::vector<Facts> &byRank) {
  // By the lowest rank that has the value.
  std::vector<std::pair<std::string, std::vector<int64_t>>> values;
  for (size_t rank = 0; rank < byRank.size(); ++rank) {
    const std::string *value = find(byRank[rank], name);
    if (!value)
      return "";
    auto known =
        std::find_if(values.begin(), values.end(),
                     [&](const auto &each) { return each.first == *value; });
    if (known == values.end())
      known = values.insert(known, {*value, {}});
    known->second.push_back(static_cast<int64_t>(rank));
  }
  if (values.size() == 1)
    return "";
  std::string text;
  std::vector<int64_t> others;
  for (size_t i = 0; i < values.size(); ++i) {
    const auto &[value, ranks] = values[i];
    if (i < listedValues)
      text += concat(i == 0   ? ""
                     : i == 1 ? ", but "
                              : ", ",
                     value, " on ", describeRanks(ranks));
    else
      others.insert(others.end(), ranks.begin(), ranks.end());
  }
  std::sort(others.begin(), others.end());
  if (!others.empty())
    text += concat(", and others on ", describeRanks(others));
  return text;
}

static std::string describeDifferences(const std::vector<Facts> &byRank) {
  std::string lines;
  for (const Fact &fact : byRank.front())
    if (std::string values = describeValues(fact.name, byRank); !values.empty())
      lines += concat("\n  ", fact.name, ": ", values);
  return concat("the ranks of a run must agree, but these differ:", lines,
                "\nstart all ranks with the same program, options and files");
}

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

namespace {
/// From every rank to rank 0.
struct Summary {
  char digest[16];
  /// Length of the facts as text.
  int64_t bytes;
};
} // namespace

static void sendText(Communicator &communicator, const std::string &text,
                     int64_t toRank) {
  auto bytes = static_cast<int64_t>(text.size());
  communicator.send(&bytes, sizeof(bytes), toRank);
  communicator.send(text.data(), bytes, toRank);
}

static std::string receiveText(Communicator &communicator, int64_t bytes,
                               int64_t fromRank) {
  std::string text(static_cast<size_t>(bytes), '\0');
  communicator.receive(text.data(), bytes, fromRank);
  return text;
}

static Summary summarize(const Facts &facts) {
  Summary summary{};
  std::string digest = digestOf(facts);
  std::memcpy(summary.digest, digest.data(),
              std::min(digest.size(), sizeof(summary.digest)));
  summary.bytes = static_cast<int64_t>(encode(facts).size());
  return summary;
}

/// Rank 0 hears all others before it answers the first.
static std::string compareAll(Communicator &communicator, const Facts &facts) {
  const Summary own = summarize(facts);
  std::vector<Summary> summaries(static_cast<size_t>(communicator.size()), own);
  bool isSame = true;
  for (int64_t rank = 1; rank < communicator.size(); ++rank) {
    Summary &summary = summaries[static_cast<size_t>(rank)];
    communicator.receive(&summary, sizeof(summary), rank);
    isSame &= std::memcmp(&summary, &own, sizeof(own)) == 0;
  }
  char isAsked = isSame ? 0 : 1;
  for (int64_t rank = 1; rank < communicator.size(); ++rank)
    communicator.send(&isAsked, 1, rank);
  if (isSame)
    return "";
  std::vector<Facts> byRank{facts};
  for (int64_t rank = 1; rank < communicator.size(); ++rank)
    byRank.push_back(decode(receiveText(
        communicator, summaries[static_cast<size_t>(rank)].bytes, rank)));
  std::string message = describeDifferences(byRank);
  for (int64_t rank = 1; rank < communicator.size(); ++rank)
    sendText(communicator, message, rank);
  return message;
}

std::string boost_rt::findDisagreement(Communicator &communicator,
                                       const Facts &facts) {
  if (communicator.rank() == 0)
    return compareAll(communicator, facts);
  Summary summary = summarize(facts);
  communicator.send(&summary, sizeof(summary), 0);
  char isAsked = 0;
  communicator.receive(&isAsked, 1, 0);
  if (!isAsked)
    return "";
  std::string text = encode(facts);
  communicator.send(text.data(), summary.bytes, 0);
  int64_t bytes = 0;
  communicator.receive(&bytes, sizeof(bytes), 0);
  return receiveText(communicator, bytes, 0);
}
