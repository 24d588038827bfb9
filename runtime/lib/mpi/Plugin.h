//===- Plugin.h - The functions of MPI that programs call -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI is no dependency of a program. The only code that includes <mpi.h> and
// links libmpi is a shared library, Plugin.cpp, whose file is embedded in every
// program; one of several ranks opens it at start. A C table keeps it free of
// the program's classes, exceptions and state.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_MPI_PLUGIN_H
#define BOOST_RUNTIME_MPI_PLUGIN_H

#include "boost-runtime/Runtime.h"

extern "C" {

/// Functions that return `int` return 0 or an error of MPI. A group is a number
/// that `splitRanks` gave; counts are of elements, or of bytes where there is
/// no type.
struct boost_mpi_functions {
  /// `takesThreads`: whether two threads may call MPI at once, as notes need.
  int (*start)(int *rank, int *size, int *takesThreads);
  int (*end)(void);
  void (*abort)(int exitCode);
  void (*describeError)(int error, char *text, int length);

  /// Ranks that share this machine.
  int (*countLocalRanks)(int *count);
  /// A group of the ranks that give the same color, in the order of their keys.
  int (*splitRanks)(int color, int key, int *group);

  /// In place.
  int (*allReduce)(int group, enum boost_rt_reduction reduction,
                   enum boost_rt_type type, void *data, int count);
  int (*reduceScatter)(int group, enum boost_rt_reduction reduction,
                       enum boost_rt_type type, const void *src, void *dst,
                       int count);
  int (*allGather)(int group, const void *src, void *dst, int bytes);
  int (*allToAll)(int group, const void *src, void *dst, int bytes);

  /// Between ranks of the program, in order.
  int (*send)(const void *data, int bytes, int toRank);
  int (*receive)(void *data, int bytes, int fromRank);
  /// Starts to send what stays where it is until the send has ended, and gives
  /// its number.
  int (*startSend)(const void *data, int bytes, int toRank, int *number);
  /// Tells whether a send has ended, which frees its number, or waits for that.
  int (*testSend)(int number, int *done);
  int (*waitForSend)(int number);
  /// Enters a barrier of all ranks, and tells whether all have.
  int (*enterBarrier)(void);
  int (*testBarrier)(int *done);

  /// Apart from all other messages; waits for nobody.
  void (*sendNote)(const void *data, int bytes, int toRank);
  /// 1 if there was a note and it was taken.
  int (*takeNote)(void *data, int bytes, int *fromRank);
};

/// Defined by the plugin.
extern const struct boost_mpi_functions boost_mpi_plugin;
}

namespace boost_rt {

/// Opens the embedded plugin. Throws if it was not built, or if the libraries
/// of MPI are not on this machine; `ranks` is how many the program needs.
const boost_mpi_functions &openMPIPlugin(int64_t ranks);

} // namespace boost_rt

#endif // BOOST_RUNTIME_MPI_PLUGIN_H
