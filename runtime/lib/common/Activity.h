//===- Activity.h - What a rank is doing, for those that wait ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept by the thread that runs the program, read by the one that watches it
// (driver/Watchdog.h). It takes no clock: the watching thread sees by itself
// how long nothing has changed.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_ACTIVITY_H
#define BOOST_RUNTIME_COMMON_ACTIVITY_H

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace boost_rt {

class Activity {
public:
  /// Returns the activity of this process, which is one rank.
  static Activity &ofThisRank() {
    static Activity activity;
    return activity;
  }

  /// Something was done: bytes were written, a tensor was read. Work of one
  /// rank that lasts while others wait says so now and then.
  void advance() { ticks.fetch_add(2, std::memory_order_release); }

  /// Changes whenever the rank does something; odd while it waits for others.
  uint64_t getTicks() const { return ticks.load(std::memory_order_acquire); }
  static bool isWaiting(uint64_t ticks) { return ticks % 2 != 0; }

  /// The collective of the plan that it is in, or -1.
  int32_t getSite() const { return site.load(std::memory_order_relaxed); }
  /// The transfer between stages that it is in, as in "a transfer of
  /// micro-batch 3 from stage 1"; empty if it is in none.
  std::string getTransfer() const;
  /// "saving", ...: what the driver does.
  const char *getTask() const { return task.load(std::memory_order_relaxed); }
  /// "an all-reduce", ...: the call that it waits in.
  const char *getCall() const { return call.load(std::memory_order_relaxed); }

private:
  friend class Waiting;
  friend class AtSite;
  friend class Doing;
  friend class Transferring;

  std::atomic<uint64_t> ticks{0};
  std::atomic<int32_t> site{-1};
  /// The other stage and the micro-batch of a transfer; -1 if there is none.
  std::atomic<int64_t> otherStage{-1}, microBatch{-1};
  std::atomic<bool> sends{false};
  std::atomic<const char *> task{"starting"}, call{""};
};

/// While it lives, the rank waits for others in `call`, a literal.
class Waiting {
public:
  explicit Waiting(const char *call) {
    Activity &activity = Activity::ofThisRank();
    activity.call.store(call, std::memory_order_relaxed);
    activity.ticks.fetch_add(1, std::memory_order_release);
  }
  ~Waiting() {
    Activity::ofThisRank().ticks.fetch_add(1, std::memory_order_release);
  }
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;
};

/// While it lives, what the rank waits in belongs to a collective of the plan.
class AtSite {
public:
  explicit AtSite(int32_t site) {
    Activity::ofThisRank().site.store(site, std::memory_order_relaxed);
  }
  ~AtSite() {
    Activity::ofThisRank().site.store(-1, std::memory_order_relaxed);
  }
  AtSite(const AtSite &) = delete;
  AtSite &operator=(const AtSite &) = delete;
};

/// While it lives, what the rank waits in belongs to a transfer between stages
/// of the pipeline.
class Transferring {
public:
  /// Without a micro-batch, tensors that last are transferred.
  Transferring(bool sends, int64_t otherStage,
               std::optional<int64_t> microBatch) {
    Activity &activity = Activity::ofThisRank();
    activity.sends = sends;
    activity.microBatch = microBatch.value_or(-1);
    activity.otherStage = otherStage;
  }
  ~Transferring() { Activity::ofThisRank().otherStage = -1; }
  Transferring(const Transferring &) = delete;
  Transferring &operator=(const Transferring &) = delete;
};

inline std::string Activity::getTransfer() const {
  int64_t stage = otherStage, batch = microBatch;
  if (stage < 0)
    return "";
  std::string text = "a transfer";
  if (batch >= 0)
    text += " of micro-batch " + std::to_string(batch);
  return text + (sends ? " to stage " : " from stage ") + std::to_string(stage);
}

/// While it lives, the driver does `task`, a literal that follows "while".
class Doing {
public:
  explicit Doing(const char *task)
      : before(Activity::ofThisRank().task.exchange(task)) {}
  ~Doing() { Activity::ofThisRank().task = before; }
  Doing(const Doing &) = delete;
  Doing &operator=(const Doing &) = delete;

private:
  const char *before;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_ACTIVITY_H
