//===- DiskSpace.h - Whether what a run writes fits -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_DISKSPACE_H
#define BOOST_RUNTIME_DRIVER_DISKSPACE_H

#include "common/Program.h"

#include <string>
#include <vector>

namespace boost_rt {

/// Files that a run is going to write.
struct PlannedFiles {
  /// The option that asks for them, and an existing folder on their disk.
  std::string option, folder;
  /// Bytes of one, and how many there are at most at a time.
  int64_t bytes, count;
};

/// The size of a file of these tensors, or little more.
int64_t bytesOfFile(const std::vector<const Tensor *> &tensors);

/// Throws unless the disks have room for all of these and files may be that
/// large. Quotas are not known before they are reached.
void requireSpace(const std::vector<PlannedFiles> &planned);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_DISKSPACE_H
