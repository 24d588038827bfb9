//===- SendQueue.h - Messages that a rank sends while it computes -*- C++ -*-=//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_SENDQUEUE_H
#define BOOST_RUNTIME_TCP_SENDQUEUE_H

#include "tcp/Message.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace boost_rt {

/// Sends messages from a thread of its own, in their order. While it has some
/// left, no other thread sends over these connections; all may receive.
class SendQueue {
public:
  SendQueue() = default;
  /// Gives up what is left.
  ~SendQueue();
  SendQueue(const SendQueue &) = delete;
  SendQueue &operator=(const SendQueue &) = delete;

  /// Takes over the data of a message to a rank and returns at once.
  void push(Link &link, int64_t toRank, std::vector<char> data);

  /// Waits until all is sent, and calls `idle` now and then. Returns the rank
  /// that closed its connection before, if one did.
  std::optional<int64_t> drain(const std::function<bool()> &idle);

private:
  struct Unsent {
    Link *link;
    int64_t toRank;
    std::vector<char> data;
  };

  void work();

  std::mutex mutex;
  std::condition_variable changed;
  /// The first of them is being sent.
  std::deque<Unsent> messages;
  std::optional<int64_t> lostRank;
  bool isStopping = false;
  /// Started with the first message.
  std::thread thread;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_SENDQUEUE_H
