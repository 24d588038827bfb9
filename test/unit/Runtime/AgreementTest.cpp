//===- AgreementTest.cpp - What the ranks of a run must have alike --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Agreement.h"
#include "RuntimeTest.h"
#include "TestRank.h"
#include "driver/Options.h"
#include "driver/RunConfig.h"

#include <set>
#include <sstream>
#include <thread>

using namespace boost_rt;

namespace {

/// Returns the message of ranks with these facts, which all of them agree on,
/// and the bytes that they send for it.
std::pair<std::string, int64_t> compare(const std::vector<Facts> &byRank) {
  Mailbox mailbox;
  std::vector<std::string> messages(byRank.size());
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < byRank.size(); ++rank)
    threads.emplace_back([&, rank] {
      TestRank communicator(mailbox, static_cast<int64_t>(rank),
                            static_cast<int64_t>(byRank.size()));
      messages[rank] = findDisagreement(communicator, byRank[rank]);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &message : messages)
    EXPECT_EQ(message, messages.front());
  EXPECT_TRUE(mailbox.isEmpty());
  return {messages.front(), mailbox.sentBytes()};
}

std::string differences(const std::vector<Facts> &byRank) {
  return compare(byRank).first;
}

std::string message(const std::string &lines) {
  return "the ranks of a run must agree, but these differ:" + lines +
         "\nstart all ranks with the same program, options and files";
}

TEST(Agreement, isCheap) {
  const Facts facts{{"--data", std::string(100'000, 'x')}, {"--lr", "1"}};
  for (size_t ranks : {1, 2, 5})
    EXPECT_EQ(compare(std::vector<Facts>(ranks, facts)),
              std::pair(std::string(), int64_t(25 * (ranks - 1))));
  EXPECT_EQ(differences({{}, {}}), "");
}

TEST(Agreement, namesWhatDiffersAndTheRanks) {
  const Facts usual{{"a", "1"}, {"b", "2"}, {"c", ""}};
  Facts other = usual;
  other[1].value = "";
  EXPECT_EQ(differences({usual, other}),
            message("\n  b: 2 on rank 0, but  on rank 1"));
  EXPECT_EQ(differences({other, usual, usual, other, usual}),
            message("\n  b:  on ranks 0 and 3, but 2 on ranks 1, 2 and 4"));
  Facts third = usual;
  third[0].value = "x";
  third[2].value = "y";
  EXPECT_EQ(differences({usual, usual, other, third}),
            message("\n  a: 1 on ranks 0-2, but x on rank 3"
                    "\n  b: 2 on ranks 0, 1 and 3, but  on rank 2"
                    "\n  c:  on ranks 0-2, but y on rank 3"));
  std::vector<Facts> all;
  for (const char *value : {"1", "2", "3", "4", "5", "2", "6"})
    all.push_back({{"a", value}});
  EXPECT_EQ(differences(all),
            message("\n  a: 1 on rank 0, but 2 on ranks 1 and 5, 3 on rank 2, "
                    "4 on rank 3, and others on ranks 4 and 6"));
}

// Two commands have different options.
TEST(Agreement, leavesOutWhatSomeRanksDoNotHave) {
  EXPECT_EQ(differences({{{"command", "train"}, {"--lr", "1"}},
                         {{"command", "eval"}, {"--inputs", "x"}}}),
            message("\n  command: train on rank 0, but eval on rank 1"));
}

TEST(Agreement, digestIsOfNamesAndValuesApart) {
  std::set<std::string> digests;
  for (const Facts &facts :
       {Facts{}, Facts{{"a", "bc"}}, Facts{{"ab", "c"}}, Facts{{"abc", ""}},
        Facts{{"a", ""}, {"b", "c"}}, Facts{{"b", "c"}, {"a", ""}}})
    digests.insert(digestOf(facts));
  EXPECT_EQ(digests.size(), 6u);
  EXPECT_EQ(digestOf({{"a", "bc"}}), digestOf({{"a", "bc"}}));
}

//===----------------------------------------------------------------------===//
// Of a start, without a communicator
//===----------------------------------------------------------------------===//

/// The facts of a command line.
Facts startOf(const std::string &line, const char *mesh = "2") {
  const boost_program_function functions[] = {{nullptr, nullptr}};
  const std::string manifest =
      concat(R"({"format": 1, "mesh": [{"name": "dp", "size": )", mesh,
             R"(}], "arena_bytes": 64, "functions": {}, "tensors": [
                {"name": "lr", "role": "hyper", "kind": "lr", "dtype": "f32",
                 "shape": [], "offset": 0, "bytes": 4},
                {"name": "momentum", "role": "hyper", "kind": "momentum",
                 "dtype": "f32", "shape": [], "offset": 0, "bytes": 4,
                 "option": {"help": "Momentum", "default": 0.9}}]})");
  Program program(manifest.c_str(), functions);
  std::istringstream stream("./gpt " + line);
  std::vector<std::string> words{std::istream_iterator<std::string>(stream),
                                 {}};
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return describeStart(program, *parseOptions(static_cast<int>(words.size()),
                                              arguments.data(), program));
}

TEST(Agreement, aStartIsThatOfItsEffectiveOptions) {
  const std::string line = "train --data x --steps 8 --lr 1e-3 ";
  const std::string digest = digestOf(startOf(line));
  // Spelled in another way, defaults, paths, and what each rank has of its own.
  for (const char *same : {"", "--min-lr 1e-4", "--seed 0", "--quiet",
                           "--log l --json --timeout 3"})
    EXPECT_EQ(digestOf(startOf(line + same)), digest) << same;
  EXPECT_EQ(digestOf(startOf("train --lr=0.001 --data y --steps 8")), digest);
  for (const char *other :
       {"--min-lr 0", "--seed 1", "--save s", "--init i", "--shuffle"})
    EXPECT_NE(digestOf(startOf(line + other)), digest) << other;
  EXPECT_NE(digestOf(startOf(line, "3")), digest);
  EXPECT_NE(digestOf(startOf("eval --inputs x")), digest);
}

} // namespace
