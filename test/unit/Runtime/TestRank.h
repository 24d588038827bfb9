//===- TestRank.h - Ranks in one process ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_RUNTIME_TESTRANK_H
#define BOOST_MLIR_TEST_UNIT_RUNTIME_TESTRANK_H

#include "common/Communicator.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <utility>

namespace boost_rt {

/// Messages that ranks of one process have sent to each other.
class Mailbox {
public:
  void send(int64_t from, int64_t to, const void *data, int64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    const char *begin = static_cast<const char *>(data);
    auto &queue = queues[{from, to}];
    queue.insert(queue.end(), begin, begin + bytes);
    sent += bytes;
    arrived.notify_all();
  }

  /// Waits until as many bytes are there.
  void receive(int64_t from, int64_t to, void *data, int64_t bytes) {
    std::unique_lock<std::mutex> lock(mutex);
    auto &queue = queues[{from, to}];
    arrived.wait(lock,
                 [&] { return queue.size() >= static_cast<size_t>(bytes); });
    std::copy_n(queue.begin(), bytes, static_cast<char *>(data));
    queue.erase(queue.begin(), queue.begin() + bytes);
  }

  /// Returns how many bytes were sent so far.
  int64_t sentBytes() const { return sent; }

  /// Returns true if all that was sent has been received.
  bool isEmpty() const {
    return std::all_of(queues.begin(), queues.end(),
                       [](const auto &queue) { return queue.second.empty(); });
  }

private:
  std::mutex mutex;
  std::condition_variable arrived;
  /// By sender and receiver.
  std::map<std::pair<int64_t, int64_t>, std::deque<char>> queues;
  int64_t sent = 0;
};

/// A rank that talks to others through a mailbox. Its collectives do nothing.
class TestRank : public Communicator {
public:
  TestRank(Mailbox &mailbox, int64_t rank, int64_t ranks)
      : mailbox(mailbox), own(rank), ranks(ranks) {}

  int64_t rank() const override { return own; }
  int64_t size() const override { return ranks; }
  int64_t localSize() const override { return ranks; }
  void send(const void *data, int64_t bytes, int64_t to) override {
    mailbox.send(own, to, data, bytes);
  }
  void receive(void *data, int64_t bytes, int64_t from) override {
    mailbox.receive(from, own, data, bytes);
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
  Mailbox &mailbox;
  const int64_t own, ranks;
};

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_RUNTIME_TESTRANK_H
