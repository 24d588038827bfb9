//===- CPUDevice.h - The cores of one rank ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CPU_CPUDEVICE_H
#define BOOST_RUNTIME_CPU_CPUDEVICE_H

#include "common/Device.h"
#include "cpu/Context.h"

namespace boost_rt {

/// Zeroed pages for the arena.
class Arena {
public:
  explicit Arena(int64_t bytes);
  ~Arena();
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  char *data() const { return bytes; }
  int64_t size() const { return length; }

  /// Bytes up to the end of the last page that was ever written, as the
  /// operating system counts them.
  int64_t touched() const;

private:
  char *bytes;
  int64_t length;
};

/// Functions run on this rank's threads and have ended when `run` returns; a
/// mapping is the arena itself.
class CPUDevice : public Device {
public:
  CPUDevice(const Program &program, Communicator &communicator);

  void synchronize() override {}
  void fill(int value) override;
  int64_t arenaBytes() const override { return arena.size(); }
  int64_t touchedBytes() const override { return arena.touched(); }
  int threads() const override { return context.pool.size(); }
  ThreadPool &hostThreads() override { return context.pool; }

protected:
  void start(const Function &function,
             std::optional<int64_t> slotOffset) override {
    function.run(&context, arena.data(),
                 slotOffset ? arena.data() + *slotOffset : nullptr);
  }
  char *openMapping(int64_t offset, int64_t, Access) override {
    return arena.data() + offset;
  }
  void closeMapping(const Mapping &) override {}

private:
  boost_rt_context context;

protected:
  Arena arena;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CPU_CPUDEVICE_H
