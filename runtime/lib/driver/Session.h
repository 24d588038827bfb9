//===- Session.h - A program with its ranks and its device -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common parts of the commands: running functions, filling tensors from
// files or from the random generator, gathering tensors into files, counting.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_SESSION_H
#define BOOST_RUNTIME_DRIVER_SESSION_H

#include "common/Agreement.h"
#include "common/Device.h"
#include "common/Failure.h"
#include "common/Program.h"
#include "common/SafeTensors.h"
#include "common/Shard.h"
#include "driver/Watchdog.h"

#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace boost_rt {

class GlobalTensor;
class NormalStream;

/// Prints "error: message" to stderr.
void reportError(const std::string &message);

class Session {
public:
  /// `command` is how the program was called, for remedies. The program ends if
  /// ranks wait for each other for more than `limitSeconds`; 0 is no limit. A
  /// quiet session does not say what takes long. Throws if the ranks do not
  /// agree on `facts`, before anything is computed.
  Session(const Program &program, const std::string &command,
          double limitSeconds, const DeviceOptions &options = {},
          bool isQuiet = false, const Facts &facts = {});

  const Program &getProgram() const { return program; }
  RunRecord &getRecord() { return device->getRecord(); }
  Communicator &getCommunicator() { return *communicator; }
  int64_t rank() const { return communicator->rank(); }
  int64_t ranks() const { return communicator->size(); }
  int threads() const { return device->threads(); }

  /// The stage of the pipeline that this rank is on, and whether it has a
  /// tensor or makes a call.
  int64_t stage() const { return program.stageOf(rank()); }
  bool has(const Tensor &tensor) const { return tensor.isOn(stage()); }
  bool makes(const ScheduledCall &call) const {
    return program.findFunction(call.function)->stage.value_or(stage()) ==
           stage();
  }

  /// Runs a function of the program on the arena and a slot of the stash, and
  /// waits for its end.
  void run(const std::string &function, int64_t slot = 0);

  /// Returns a timer of the device's calls.
  std::unique_ptr<CallTimer> createCallTimer() {
    return device->createCallTimer();
  }

  bool takesPart(const ScheduledTransfer &transfer) const {
    return stage() == transfer.from || stage() == transfer.to;
  }
  /// Does this rank's part of a transfer, in which it takes part. What it sends
  /// may be under way until `finishTransfers` has returned.
  void transfer(const ScheduledTransfer &transfer);
  void finishTransfers();

  /// Returns the value of the ranks of a stage to all others of the pipeline.
  double shareFrom(int64_t stage, double value);

  /// Work that may fail on some ranks only: all ranks throw if one does, and
  /// that one prints its message.
  void together(const std::function<void()> &work);

  /// Runs work that has an alternative, and returns the failure if it fails on
  /// any rank, with the message on the rank that it is from.
  std::optional<Failure> attempt(const std::function<void()> &work);

  /// Throws on all ranks, with exit code 2, unless the facts are equal on all
  /// of them; rank 0 has said by then what differs.
  void requireAgreement(const Facts &facts);

  /// Requires that a file of tensors has the same content on all ranks.
  /// Messages call it `name`.
  void requireSameTensors(const std::string &name, const std::string &path);

  /// Work of one rank beside which the others do something else: if it fails,
  /// this rank prints the message and ends them all.
  void alone(const std::function<void()> &work);

  /// The largest of the ranks' values, none of which is above `most`. A result
  /// that cannot be is a fault of the network: ends all ranks with exit code 7.
  int64_t largest(int64_t value,
                  int64_t most = std::numeric_limits<int64_t>::max());

  /// The largest of the values of the ranks on this stage.
  int64_t largestOfStage(int64_t value);

  /// The elements of this rank's shard, in order, without gaps; `slot` is that
  /// of the stash for what is kept. Its stage has the tensor.
  std::vector<char> pack(const Tensor &tensor, int64_t slot = 0);
  /// Puts them back.
  void unpack(const Tensor &tensor, const std::vector<char> &packed,
              int64_t slot = 0);
  /// This rank's shard where the arena has it, with gaps if it has strides.
  /// With Access::write every element is written.
  Device::Mapping map(const Tensor &tensor, Access access) {
    return device->map(tensor, access);
  }
  /// Sets every byte of the arena.
  void fillArena(int value) { device->fill(value); }
  /// Returns the number that this rank's stage has.
  float readScalar(const Tensor &tensor);
  /// Returns the number of the first stage that has it, on all ranks: they call
  /// this together.
  float shareScalar(const Tensor &tensor);
  /// Does nothing where the stage lacks the tensor.
  void writeScalar(const Tensor &tensor, float value);

  /// Fills the shards that this rank has from global tensors in a file.
  /// `purpose` says in messages what the file must hold, and of a batch that is
  /// computed in parts `microBatch` is the one to load. Each rank checks the
  /// checksums of some tensors, so all must call this, together.
  void load(const SafeTensorsReader &file,
            const std::vector<const Tensor *> &tensors,
            const std::string &purpose, int64_t microBatch = 0);
  /// Loads initial values: a master starts from its parameter's value before
  /// that is rounded to the parameter's type.
  void loadInitial(const SafeTensorsReader &file,
                   const std::vector<const Tensor *> &tensors,
                   const std::string &purpose);

  /// Fills the tensors that this rank has by their initialization rules, or by
  /// those of their parameters. What starts as the same parameter is drawn
  /// once. Throws if a rule is unknown.
  void initialize(const std::vector<const Tensor *> &tensors, uint64_t seed);
  void initialize(const Tensor &tensor, uint64_t seed) {
    initialize(std::vector<const Tensor *>{&tensor}, seed);
  }
  /// Sets a tensor to zero if this rank has it.
  void clear(const Tensor &tensor);

  /// The first parameter, or else the first optimizer state, that is infinite
  /// or NaN somewhere on any rank; null if there is none.
  const Tensor *findNonFinite();

  /// Gathers global tensors and writes them on rank 0, which gets the checksum
  /// of the file's header.
  std::string save(const std::string &path,
                   const std::vector<const Tensor *> &tensors);

  /// Bytes per kind of collective since the start.
  std::map<std::string, int64_t> bytesByKind() const;

  /// The size of the arena, and how far it was used; in a pipeline also those
  /// of every stage. All ranks call this together.
  nlohmann::json arenaAsJson();

  /// The collectives that this rank executed, by site and by kind.
  nlohmann::json countersAsJson() const;

  /// Differences between the plan and what was executed, one per line; empty
  /// if there are none.
  std::string comparePlan() const;

  /// Warns about such differences on the first rank that sees any; true on all
  /// ranks if there are none. They call this together.
  bool warnUnlessPlanned();

private:
  /// Elements that a thread processes at a time; they fit into its cache.
  static constexpr int64_t elementsAtOnce = 4096;

  [[noreturn]] void endByFault(const std::string &message);
  std::vector<const Tensor *>
  ofThisStage(const std::vector<const Tensor *> &tensors) const;
  bool transferOnDevice(const Tensor &tensor, int64_t slot, bool sends,
                        int64_t otherStage);
  void send(const Tensor &tensor, int64_t slot, int64_t toStage);
  void receive(const Tensor &tensor, int64_t slot, int64_t fromStage);
  void copy(const ScheduledTransfer &transfer);
  /// The rank of another stage with the same other coordinates.
  int64_t rankOn(int64_t otherStage) const {
    return program.mesh.memberRank(rank(), pipelineGroup(), otherStage);
  }
  /// The axis of the pipeline as a group, which is empty without one.
  uint32_t pipelineGroup() const {
    return program.pipelineAxis ? 1u << *program.pipelineAxis : 0;
  }
  void checkTensors(const SafeTensorsReader &file,
                    const std::vector<const Tensor *> &tensors);
  void loadTensor(const SafeTensorsReader &file, const Tensor &tensor,
                  const SafeTensorsReader::Entry &entry, int64_t microBatch);
  void gather(const Tensor &tensor, GlobalTensor &global);
  template <typename Function>
  void forEachPiece(const Tensor &tensor, int64_t rank, Function &&function);
  void initializeAlike(const std::vector<const Tensor *> &tensors,
                       uint64_t seed);
  void draw(const std::vector<const Tensor *> &tensors,
            const NormalStream &stream, double deviation);
  void fill(const Tensor &tensor, float value);

  /// Returns true if this rank reports slow work.
  bool speaks() const { return !isQuiet && rank() == 0; }

  const Program &program;
  const bool isQuiet;
  std::unique_ptr<Watchdog> watchdog;
  std::unique_ptr<Communicator> communicator;
  WatchdogConnection connection;
  std::unique_ptr<Device> device;
  std::map<std::string, int64_t> runs;
};

/// Calls function(piece) for all elements of a shard, on all threads of the
/// host.
template <typename Function>
void Session::forEachPiece(const Tensor &tensor, int64_t rank,
                           Function &&function) {
  std::vector<Piece> pieces =
      getPieces(Shard::of(tensor, program.mesh, rank), elementsAtOnce);
  device->hostThreads().tryTasks(
      static_cast<int64_t>(pieces.size()),
      [&](int64_t i, int) { function(pieces[static_cast<size_t>(i)]); });
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_SESSION_H
