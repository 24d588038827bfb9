//===- ThreadPool.cpp - The threads of one rank
//-----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cpu/ThreadPool.h"
#include "common/Failure.h"

#include <cstdlib>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace boost_rt;

/// Turns of the waiting loop before a worker sleeps, some tens of microseconds:
/// longer than the gap between two kernels, shorter than a collective.
static constexpr int spinTurns = 4000;

static void pauseThread() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

ThreadPool::ThreadPool(int threads) {
  for (int thread = 1; thread < threads; ++thread)
    workers.emplace_back([this, thread] { work(thread); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
    ++generation;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::run(Body newBody, void *newClosure) {
  body.store(newBody, std::memory_order_relaxed);
  closure.store(newClosure, std::memory_order_relaxed);
  running.store(static_cast<int>(workers.size()), std::memory_order_relaxed);
  // Sequentially consistent, as is the worker's announcement of its sleep: one
  // of the two sees the other.
  generation.fetch_add(1);
  if (sleeping.load() > 0) {
    std::lock_guard<std::mutex> lock(mutex);
    wake.notify_all();
  }
  newBody(newClosure, 0);
  for (int turn = 0; running.load(std::memory_order_acquire) > 0; ++turn) {
    if (turn < spinTurns)
      pauseThread();
    else
      std::this_thread::yield();
  }
}

void ThreadPool::work(int thread) {
  uint64_t seen = 0;
  while (true) {
    for (int turn = 0; turn < spinTurns && generation.load() == seen; ++turn)
      pauseThread();
    if (generation.load() == seen) {
      std::unique_lock<std::mutex> lock(mutex);
      ++sleeping;
      wake.wait(lock, [&] { return generation.load() != seen; });
      --sleeping;
    }
    ++seen;
    if (stopping)
      return;
    body.load(std::memory_order_relaxed)(
        closure.load(std::memory_order_relaxed), thread);
    running.fetch_sub(1, std::memory_order_release);
  }
}

Scratch::~Scratch() {
  for (Buffer &buffer : buffers)
    std::free(buffer.data);
}

void *Scratch::get(int thread, int64_t bytes) {
  Buffer &buffer = buffers[static_cast<size_t>(thread)];
  if (buffer.bytes >= bytes)
    return buffer.data;
  std::free(buffer.data);
  buffer.bytes = (bytes + 63) / 64 * 64;
  buffer.data = std::aligned_alloc(64, static_cast<size_t>(buffer.bytes));
  if (!buffer.data)
    abortProgram(concat("out of memory: a runtime function needs ", bytes,
                        " bytes of scratch; use a smaller batch or sequence"));
  return buffer.data;
}
