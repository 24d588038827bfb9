//===- ThreadPool.cpp - The threads of one rank ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/ThreadPool.h"
#include "common/Failure.h"

#include <cstdlib>
#include <sched.h>
#include <system_error>
#include <unistd.h>

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

/// Cores this process may run on: a launcher may have bound it to some.
static int64_t usableCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    return CPU_COUNT(&set);
  return std::max(1u, std::thread::hardware_concurrency());
}

int boost_rt::threadsPerRank(int64_t localRanks) {
  if (const char *text = std::getenv("BOOST_NUM_THREADS")) {
    char *end = nullptr;
    long value = std::strtol(text, &end, 10);
    if (end == text || *end || value < 1 || value > 1024)
      throw Failure(ExitCode::usage,
                    concat("BOOST_NUM_THREADS expects a number of threads per "
                           "rank from 1 to 1024, but is '",
                           text, "'"));
    return static_cast<int>(value);
  }
  // Bound ranks have their own cores; unbound ones share those of the machine.
  int64_t shared = sysconf(_SC_NPROCESSORS_ONLN) / localRanks;
  return static_cast<int>(
      std::max<int64_t>(1, std::min(usableCores(), shared)));
}

// The pool exists before its workers, so that its destructor ends them if one
// of them cannot be started.
ThreadPool::ThreadPool(int threads) : ThreadPool() {
  try {
    for (int thread = 1; thread < threads; ++thread)
      workers.emplace_back([this] { work(); });
  } catch (const std::system_error &error) {
    throw Failure(ExitCode::infeasible,
                  concat("cannot start thread ", size() + 1, " of ", threads,
                         ": ", error.code().message(),
                         "; set BOOST_NUM_THREADS to fewer threads per rank"));
  }
}

ThreadPool::~ThreadPool() {
  stopping = true;
  publish(static_cast<uint64_t>(size()));
  for (std::thread &worker : workers)
    worker.join();
}

/// Begins the next run, whose shares before `firstShare` are taken.
void ThreadPool::publish(uint64_t firstShare) {
  uint64_t run = (state.load(std::memory_order_relaxed) >> shareBits) + 1;
  // Sequentially consistent, as is a worker's announcement of its sleep: one of
  // the two sees the other.
  state.store(run << shareBits | firstShare);
  if (sleeping.load() == 0)
    return;
  std::lock_guard<std::mutex> lock(mutex);
  wake.notify_all();
}

bool ThreadPool::claim(int &share) {
  uint64_t seen = state.load();
  do {
    share = static_cast<int>(seen & ((1u << shareBits) - 1));
    if (share >= size())
      return false;
  } while (!state.compare_exchange_weak(seen, seen + 1));
  return true;
}

void ThreadPool::run(Body newBody, void *newClosure) {
  body.store(newBody, std::memory_order_relaxed);
  closure.store(newClosure, std::memory_order_relaxed);
  finished.store(0, std::memory_order_relaxed);
  publish(1);
  newBody(newClosure, 0);
  for (int share; claim(share); ++finished)
    newBody(newClosure, share);
  int others = size() - 1;
  for (int turn = 0; finished.load(std::memory_order_acquire) < others;
       ++turn) {
    if (turn < spinTurns)
      pauseThread();
    else
      std::this_thread::yield();
  }
}

void ThreadPool::work() {
  uint64_t seen = 0;
  auto current = [this] { return state.load() >> shareBits; };
  while (true) {
    for (int turn = 0; turn < spinTurns && current() == seen; ++turn)
      pauseThread();
    if (current() == seen) {
      std::unique_lock<std::mutex> lock(mutex);
      ++sleeping;
      wake.wait(lock, [&] { return current() != seen; });
      --sleeping;
    }
    seen = current();
    if (stopping)
      return;
    for (int share; claim(share);
         finished.fetch_add(1, std::memory_order_release))
      body.load(std::memory_order_relaxed)(
          closure.load(std::memory_order_relaxed), share);
  }
}
