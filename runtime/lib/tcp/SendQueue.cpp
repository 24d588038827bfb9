//===- SendQueue.cpp - Messages that a rank sends while it computes -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/SendQueue.h"

#include <chrono>
#include <sys/socket.h>

using namespace boost_rt;

SendQueue::~SendQueue() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopping = true;
    // Wakes the thread if the receiver takes no more: not every kind of socket
    // does so when only one direction ends.
    if (!messages.empty())
      ::shutdown(messages.front().link->socket.get(), SHUT_RDWR);
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

void SendQueue::push(Link &link, int64_t toRank, std::vector<char> data) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    messages.push_back({&link, toRank, std::move(data)});
  }
  if (!thread.joinable())
    thread = std::thread([this] { work(); });
  changed.notify_all();
}

void SendQueue::work() {
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return isStopping || !messages.empty(); });
    if (isStopping)
      return;
    // Others only add behind it.
    const Unsent &message = messages.front();
    lock.unlock();
    ExchangeResult result = exchange(
        MessageKind::pointToPoint, /*site=*/-1,
        {{message.link, message.data.data(),
          static_cast<int64_t>(message.data.size()), nullptr, Transfer::none}});
    lock.lock();
    if (result.state == MessageState::closed)
      lostRank = message.toRank;
    messages.pop_front();
    if (lostRank)
      messages.clear();
    changed.notify_all();
  }
}

std::optional<int64_t> SendQueue::drain(const std::function<bool()> &idle) {
  constexpr auto pause = std::chrono::milliseconds(5);
  std::unique_lock<std::mutex> lock(mutex);
  while (!changed.wait_for(lock, pause, [this] { return messages.empty(); })) {
    lock.unlock();
    idle();
    lock.lock();
  }
  return lostRank;
}
