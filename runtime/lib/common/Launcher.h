//===- Launcher.h - Who started the ranks -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the environment for the other ranks, before any communicator exists.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_LAUNCHER_H
#define BOOST_RUNTIME_COMMON_LAUNCHER_H

#include <cstdint>
#include <string>

namespace boost_rt {

enum class Launcher {
  /// One process by itself.
  none,
  /// `mpirun`, `srun --mpi=...`: ranks talk through MPI.
  mpi,
  /// torchrun, or whoever sets RANK and WORLD_SIZE: ranks talk over TCP.
  variables,
};

/// torchrun goes before MPI, inside of which it may run; RANK and WORLD_SIZE
/// without torchrun go behind it.
Launcher launcher();

/// Rank and number of ranks; 0 and 1 without a launcher.
int64_t launcherRank();
int64_t launcherSize();

/// Returns the number of this rank among those on this machine, as far as the
/// launcher tells.
int64_t launcherLocalRank();

/// The address at which ranks that a launcher of the kind `variables` started
/// meet.
struct MeetingPlace {
  /// Name or address of rank 0's machine.
  std::string host;
  uint16_t port;
  /// True if ranks run on several machines.
  bool severalMachines;
  /// torchrun's name for the run; empty under another launcher.
  std::string launcherRun;
};

/// Reads MASTER_ADDR and the port: BOOST_MASTER_PORT or else the one after
/// MASTER_PORT, which torchrun itself listens at. Throws if a variable is
/// missing, or if RANK, WORLD_SIZE or a port is no such number.
MeetingPlace readMeetingPlace();

/// Called by a rank other than 0 that is about to fail, probably like all
/// others, before any communicator exists. A launcher ends all ranks as soon as
/// one fails, and rank 0, which tells why, may be slower than the others: they
/// wait to be ended, for ten seconds at most. A rank that is not ended by then
/// may be the only one that fails.
void letRankZeroFailFirst();

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_LAUNCHER_H
