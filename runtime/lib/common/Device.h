//===- Device.h - What the functions of a program run on --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's view of a target: it starts functions and sees the arena
// through mappings only. The library of the target that a program is linked
// with, such as runtime/lib/cpu, defines createDevice and the functions of
// Functions.def.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_DEVICE_H
#define BOOST_RUNTIME_COMMON_DEVICE_H

#include "common/Communicator.h"
#include "common/Program.h"
#include "common/RunRecord.h"
#include "common/ThreadPool.h"

#include <memory>

namespace boost_rt {

/// The host's access to mapped bytes.
enum class Access {
  read,
  write, ///< all of them; what they were is undefined in the mapping
  readWrite
};

class Device {
public:
  /// Bytes of the arena in host memory. What the host writes there is in the
  /// arena once the mapping has ended.
  class Mapping {
  public:
    ~Mapping() { device.closeMapping(*this); }
    Mapping(const Mapping &) = delete;
    Mapping &operator=(const Mapping &) = delete;

    char *data() const { return bytes; }

    const int64_t offset, size;
    const Access access;

  private:
    friend class Device;
    Mapping(Device &device, int64_t offset, int64_t size, Access access)
        : offset(offset), size(size), access(access), device(device),
          bytes(device.openMapping(offset, size, access)) {}

    Device &device;
    char *const bytes;
  };

  /// The device of `rank`.
  Device(const Program &program, int64_t rank)
      : record(program.collectives.size(), program.findMeetings()),
        stage(program.stageOf(rank)),
        memory(program.stages[static_cast<size_t>(stage)]) {}
  virtual ~Device() = default;
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  /// Starts a function of the program on the arena, and on a slot of the stash
  /// if it uses that. No mapping is alive.
  void run(const Function &function, int64_t slot = 0) {
    start(function,
          function.usesStash ? std::optional(offsetOf(slot)) : std::nullopt);
  }

  /// Waits until what was started has ended.
  virtual void synchronize() = 0;

  /// Maps `size` bytes from `offset` of the arena, after what was started has
  /// ended. Mappings that are alive at once do not overlap.
  Mapping map(int64_t offset, int64_t size, Access access) {
    return {*this, offset, size, access};
  }

  /// Maps the shard of a tensor that the stage has. `slot` is that of the stash
  /// for what is kept. A strided shard is read even if it is written, since the
  /// gaps belong to other tensors.
  Mapping map(const Tensor &tensor, Access access, int64_t slot = 0);

  /// Sends or receives the dense shard of a tensor behind what was started, if
  /// the device talks to others by itself: to or from the rank at `position` of
  /// a group, in a slot of the stash for what is kept. Returns false if it does
  /// not; then nothing was done.
  virtual bool transfer(const Tensor &, int64_t /*slot*/, bool /*sends*/,
                        uint32_t /*group*/, int64_t /*position*/) {
    return false;
  }

  /// Returns a timer of calls for this device. It may live no longer.
  virtual std::unique_ptr<CallTimer> createCallTimer() {
    return std::make_unique<HostCallTimer>();
  }

  /// Sets every byte of the arena.
  virtual void fill(int value) = 0;

  /// Sets bytes of the arena to zero.
  virtual void clear(int64_t offset, int64_t size);

  /// Bytes of the arena, and bytes up to the end of its last page that was ever
  /// written.
  virtual int64_t arenaBytes() const = 0;
  virtual int64_t touchedBytes() const = 0;

  /// Threads of this rank that compute or feed the device.
  virtual int threads() const = 0;

  /// The threads that the host has for work of its own, while no function runs.
  virtual ThreadPool &hostThreads() = 0;

  RunRecord &getRecord() { return record; }
  const RunRecord &getRecord() const { return record; }

protected:
  /// Starts a function with the slot that begins at an offset of the arena, or
  /// with none.
  virtual void start(const Function &function,
                     std::optional<int64_t> slotOffset) = 0;

  /// The bytes of a new mapping, and what happens at its end.
  virtual char *openMapping(int64_t offset, int64_t size, Access access) = 0;
  virtual void closeMapping(const Mapping &mapping) = 0;

  /// The place in the arena of the shard of a tensor.
  int64_t offsetOf(const Tensor &tensor, int64_t slot) const;

  RunRecord record;
  /// The stage of the pipeline, and its memory.
  const int64_t stage;
  const Stage &memory;

private:
  int64_t offsetOf(int64_t slot) const {
    return memory.stashOffset + slot * memory.slotBytes;
  }
};

/// Options for running the functions of a program.
struct DeviceOptions {
  /// GPUs: a function is recorded once and then replayed as a graph.
  bool graph = true;
};

/// The device of this rank, with an arena of zeros. Throws if it lacks memory
/// for that, cannot be used, or has no such options.
std::unique_ptr<Device> createDevice(const Program &program,
                                     Communicator &communicator,
                                     const DeviceOptions &options);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_DEVICE_H
