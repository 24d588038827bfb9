//===- AgreementTest.cpp - What the ranks of a run must have alike --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Agreement.h"
#include "RuntimeTest.h"
#include "driver/Options.h"
#include "driver/RunConfig.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

using namespace boost_rt;

namespace {

/// Messages between ranks in threads of one process.
struct Post {
  std::mutex mutex;
  std::condition_variable arrived;
  /// By sender and receiver.
  std::map<std::pair<int64_t, int64_t>, std::deque<char>> letters;
  int64_t sentBytes = 0;
};

/// One of these ranks.
class Rank : public Communicator {
public:
  Rank(Post &post, int64_t rank, int64_t ranks)
      : post(post), own(rank), ranks(ranks) {}

  int64_t rank() const override { return own; }
  int64_t size() const override { return ranks; }
  int64_t localSize() const override { return ranks; }
  void send(const void *data, int64_t bytes, int64_t to) override {
    std::lock_guard<std::mutex> lock(post.mutex);
    const char *from = static_cast<const char *>(data);
    auto &queue = post.letters[{own, to}];
    queue.insert(queue.end(), from, from + bytes);
    post.sentBytes += bytes;
    post.arrived.notify_all();
  }
  void receive(void *data, int64_t bytes, int64_t from) override {
    std::unique_lock<std::mutex> lock(post.mutex);
    auto &queue = post.letters[{from, own}];
    post.arrived.wait(
        lock, [&] { return queue.size() >= static_cast<size_t>(bytes); });
    std::copy_n(queue.begin(), bytes, static_cast<char *>(data));
    queue.erase(queue.begin(), queue.begin() + bytes);
  }

  void allReduce(uint32_t, boost_rt_reduction, boost_rt_type, void *,
                 int64_t) override {}
  void reduceScatter(uint32_t, boost_rt_reduction, boost_rt_type, const void *,
                     void *, int64_t) override {}
  void allGather(uint32_t, const void *, void *, int64_t) override {}
  void allToAll(uint32_t, const void *, void *, int64_t) override {}
  void barrier() override {}
  [[noreturn]] void abort(int) override { std::abort(); }

private:
  Post &post;
  const int64_t own, ranks;
};

/// Returns the message of ranks with these facts, which all of them agree on,
/// and the bytes that they send for it.
std::pair<std::string, int64_t> compare(const std::vector<Facts> &byRank) {
  Post post;
  std::vector<std::string> messages(byRank.size());
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < byRank.size(); ++rank)
    threads.emplace_back([&, rank] {
      Rank communicator(post, static_cast<int64_t>(rank),
                        static_cast<int64_t>(byRank.size()));
      messages[rank] = findDisagreement(communicator, byRank[rank]);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &message : messages)
    EXPECT_EQ(message, messages.front());
  for (const auto &[way, queue] : post.letters)
    EXPECT_TRUE(queue.empty());
  return {messages.front(), post.sentBytes};
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
