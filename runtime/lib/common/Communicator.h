//===- Communicator.h - How ranks talk to each other ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface behind the collectives of Functions.def and behind loading and
// saving. Three implementations: `none` for one rank, `mpi`, and `tcp` for
// ranks that were not started by MPI.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_COMMUNICATOR_H
#define BOOST_RUNTIME_COMMON_COMMUNICATOR_H

#include "boost-runtime/Runtime.h"
#include "common/Launcher.h"
#include "common/Mesh.h"

#include <memory>
#include <vector>

namespace boost_rt {

class Communicator {
public:
  virtual ~Communicator() = default;

  virtual int64_t rank() const = 0;
  virtual int64_t size() const = 0;

  /// Ranks on this machine, to share its cores.
  virtual int64_t localSize() const = 0;

  /// Reduces in place. The order of additions depends on the number of ranks
  /// and elements only. `type` is none of the 16-bit floats.
  virtual void allReduce(uint32_t group, boost_rt_reduction reduction,
                         boost_rt_type type, void *data, int64_t count) = 0;

  /// Reduces pieces of `count` elements; the rank at position p keeps piece p.
  virtual void reduceScatter(uint32_t group, boost_rt_reduction reduction,
                             boost_rt_type type, const void *src, void *dst,
                             int64_t count) = 0;

  /// dst[p] = src of position p; pieces of `bytes`.
  virtual void allGather(uint32_t group, const void *src, void *dst,
                         int64_t bytes) = 0;

  /// Piece p of src goes to position p; pieces of `bytes`.
  virtual void allToAll(uint32_t group, const void *src, void *dst,
                        int64_t bytes) = 0;

  /// Point to point between ranks of the whole mesh, in order.
  virtual void send(const void *data, int64_t bytes, int64_t toRank) = 0;
  virtual void receive(void *data, int64_t bytes, int64_t fromRank) = 0;

  /// Takes over bytes and sends them, in order with the others, while this rank
  /// goes on if it can. All are sent once `finishSends` has returned.
  virtual void startSend(std::vector<char> data, int64_t toRank) {
    send(data.data(), static_cast<int64_t>(data.size()), toRank);
  }
  virtual void finishSends() {}

  virtual void barrier() = 0;

  /// A side channel of small notes, for a second thread while the first one
  /// waits in a call above; false if there is none. Sending waits for nobody.
  virtual bool hasNotes() const { return false; }
  virtual void sendNote(const void *, int64_t, int64_t) {}
  /// Takes a note of `bytes` that has come, and tells from whom; false if none
  /// has.
  virtual bool takeNote(void *, int64_t, int64_t &) { return false; }

  /// Returns true if `rank` is known to have ended, as far as its notes tell.
  virtual bool hasLost(int64_t) const { return false; }

  /// Ends all ranks, for failures that only one of them sees; over TCP the
  /// launcher ends the others.
  [[noreturn]] virtual void abort(int exitCode) = 0;
};

/// The data with which the ranks of a program meet.
struct RunStart {
  /// The command name, for remedies.
  std::string program;
  /// Equal on all ranks of a program, and different for every other program.
  std::string identity = {};
  /// Seconds that ranks wait for others to come; 0 for ever. MPI has no such
  /// limit: the watchdog ends its start.
  double limitSeconds = 0;
};

/// The communicator of a program for `mesh`: `none` for one rank, else the one
/// of the launcher. Throws if the number of started ranks is not that of the
/// mesh.
std::unique_ptr<Communicator> createCommunicator(const Mesh &mesh,
                                                 const RunStart &start);

/// The communicator of one rank by itself, whoever started it.
std::unique_ptr<Communicator> createLocalCommunicator();

/// The MPI communicator, runtime/lib/mpi; throws if MPI cannot be loaded, or if
/// ranks run different programs.
std::unique_ptr<Communicator> createMPICommunicator(const Mesh &mesh,
                                                    const RunStart &start);

/// The communicator over TCP, runtime/lib/tcp; throws if the ranks do not come
/// together.
std::unique_ptr<Communicator> createTCPCommunicator(const Mesh &mesh,
                                                    const RunStart &start);

/// Ends the program: it was started on `ranks` ranks instead of those of
/// `mesh`.
[[noreturn]] void refuseRankCount(const Mesh &mesh, int64_t ranks,
                                  const std::string &program);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_COMMUNICATOR_H
