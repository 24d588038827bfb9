//===- DeviceMemory.h - All device memory of a rank -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_DEVICEMEMORY_H
#define BOOST_RUNTIME_CUDA_DEVICEMEMORY_H

#include "boost-runtime/Runtime.h"
#include "common/Program.h"
#include "cuda/GPU.h"

#include <vector>

namespace boost_rt {

/// Device memory that one call at a time uses while it runs.
struct Workspace {
  void *data = nullptr;
  int64_t bytes = 0;

  /// Its beginning. Ends the process if it has fewer than `needed` bytes: the
  /// plan asked for too few.
  char *take(int64_t needed) const;
};

/// One allocation: the arena, copies of the program's constants, and a flag.
class DeviceMemory {
public:
  /// Zeros in the arena. `constants` ends as boost_program_constants does.
  DeviceMemory(GPU &gpu, const Stage &stage,
               const boost_rt_constant *constants);

  char *arena() const { return base; }
  int64_t arenaBytes() const { return arenaSize; }
  Workspace workspace() const {
    return {base + workspaceOffset, workspaceBytes};
  }
  /// An int32_t that an update makes nonzero when it gives a number that is not
  /// finite.
  int32_t *nonFinite() const {
    return reinterpret_cast<int32_t *>(base + flagOffset);
  }

  /// Returns the address in device memory of a pointer of generated code, which
  /// points into the arena or to a constant in host memory. Null stays null.
  void *resolve(void *pointer) const;

private:
  struct Constant {
    const char *host;
    int64_t bytes, offset;
  };

  int64_t placeConstants(const boost_rt_constant *table, int64_t offset);

  int64_t arenaSize, workspaceOffset, workspaceBytes, flagOffset = 0;
  char *base = nullptr;
  /// By host address.
  std::vector<Constant> constants;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_DEVICEMEMORY_H
