//===- Machine.cpp - Fuzz the description of a machine --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Machine.h"

#include <cmath>
#include <cstdlib>

using namespace mlir::boost;

/// A text is refused with a message, or describes a machine that can be asked.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  llvm::Expected<Machine> machine = Machine::parse(text);
  if (!machine) {
    if (llvm::toString(machine.takeError()).empty())
      std::abort();
    return 0;
  }
  for (int64_t ranks : {1, 2, 8, 1 << 20})
    for (CollectiveKind kind :
         {CollectiveKind::AllReduce, CollectiveKind::AllToAll})
      if (!(machine->getCollectiveSeconds(kind, 1e6, ranks, ranks) >= 0))
        std::abort();
  for (llvm::StringRef type : {"f32", "bf16", "none"})
    if (!(machine->getPeakFlops(type) > 0))
      std::abort();
  return 0;
}
