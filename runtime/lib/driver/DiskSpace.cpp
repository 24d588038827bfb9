//===- DiskSpace.cpp - Whether what a run writes fits ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/DiskSpace.h"
#include "common/Failure.h"

#include <cstdio>
#include <map>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

using namespace boost_rt;

int64_t boost_rt::bytesOfFile(const std::vector<const Tensor *> &tensors) {
  // Entries of the header for a tensor, and blocks that are not full.
  constexpr int64_t entryBytes = 256, blocks = 8192;
  int64_t bytes = blocks;
  for (const auto &group : groupByFileName(tensors)) {
    const Tensor &tensor = *group.front();
    bytes += entryBytes + tensor.elements() * sizeOf(tensor.type);
  }
  return bytes;
}

static std::string describeBytes(double bytes) {
  const char *units[] = {"kB", "MB", "GB", "TB"};
  size_t unit = 0;
  bytes /= 1e3;
  for (; bytes >= 1e3 && unit + 1 < std::size(units); ++unit)
    bytes /= 1e3;
  char text[48];
  std::snprintf(text, sizeof(text), "%.1f %s", bytes, units[unit]);
  return text;
}

static void requireFileSize(const PlannedFiles &files) {
  // Without a limit it is the largest number.
  struct rlimit limit;
  if (files.count == 0 || ::getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
      limit.rlim_cur >= static_cast<rlim_t>(files.bytes))
    return;
  refuse(files.option, " writes files of ",
         describeBytes(static_cast<double>(files.bytes)),
         ", but files may have ",
         describeBytes(static_cast<double>(limit.rlim_cur)),
         " at most; raise that limit (ulimit -f)");
}

void boost_rt::requireSpace(const std::vector<PlannedFiles> &planned) {
  struct Disk {
    double needed = 0, free = 0;
    std::string files, folder;
  };
  std::map<dev_t, Disk> disks;
  for (const PlannedFiles &files : planned) {
    requireFileSize(files);
    struct stat status;
    struct statvfs space;
    // Some file systems do not say.
    if (::stat(files.folder.c_str(), &status) != 0 ||
        ::statvfs(files.folder.c_str(), &space) != 0 || space.f_blocks == 0)
      continue;
    Disk &disk = disks[status.st_dev];
    disk.folder = files.folder;
    disk.free = static_cast<double>(space.f_bavail) *
                static_cast<double>(space.f_frsize);
    disk.needed +=
        static_cast<double>(files.bytes) * static_cast<double>(files.count);
    disk.files += concat(disk.files.empty() ? "" : ", ", files.count, " of ",
                         describeBytes(static_cast<double>(files.bytes)),
                         " for ", files.option);
  }
  for (const auto &[device, disk] : disks)
    if (disk.needed > disk.free)
      refuse("the disk of ", disk.folder, " has ", describeBytes(disk.free),
             " free, but this run writes up to ", describeBytes(disk.needed),
             " there (", disk.files,
             "); free space, write elsewhere, or keep fewer checkpoints with "
             "--keep-last");
}
