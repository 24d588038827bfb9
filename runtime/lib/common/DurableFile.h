//===- DurableFile.h - Files that survive a power failure -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_DURABLEFILE_H
#define BOOST_RUNTIME_COMMON_DURABLEFILE_H

#include <cstdint>
#include <string>

namespace boost_rt {

/// A file that gets its name when its bytes are on the disk, so that neither a
/// reader nor a power failure meets half of it. Until then it is called
/// NAME.RANDOM.tmp and locked; what a process that ended left under such a name
/// is removed by the next that writes NAME. Everything throws a message that
/// names the file and the remedy.
class DurableFile {
public:
  explicit DurableFile(const std::string &path);
  ~DurableFile();
  DurableFile(const DurableFile &) = delete;
  DurableFile &operator=(const DurableFile &) = delete;

  void write(const void *data, int64_t bytes, int64_t position);

  /// Syncs the file, gives it its name, and syncs its folder.
  void commit();

private:
  void removeAbandoned() const;
  bool create();

  std::string path, temporaryPath;
  int file = -1;
};

/// Makes the names in a folder durable, where its file system can.
void syncFolder(const std::string &path);

/// Creates a folder and those above it that are missing, and makes its name
/// durable.
void createDurableFolder(const std::string &path);

/// Describes an errno of writing, with a remedy.
std::string describeWriteError(int error);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_DURABLEFILE_H
