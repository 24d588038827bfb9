//===- Manifest.cpp - Fuzz the manifest and plan of a program -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Failure.h"
#include "common/Program.h"

#include <cstdint>
#include <cstdlib>

using namespace boost_rt;

static void run(boost_rt_context *, void *, void *) {}

/// A manifest is refused with a message, or every tensor lies in the arena of
/// each stage that has it and every option takes its default.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const boost_program_function functions[] = {
      {"loss", run}, {"gradient", run}, {"step", run}, {nullptr, nullptr}};
  std::string manifest(reinterpret_cast<const char *>(data), size);
  try {
    Program program(manifest.c_str(), functions);
    for (const Tensor &tensor : program.tensors)
      for (size_t i = 0; i < program.stages.size(); ++i)
        if (int64_t bytes = program.stages[i].arenaBytes;
            tensor.offsets[i] &&
            (*tensor.offsets[i] < 0 || tensor.bytes < 0 ||
             tensor.bytes > bytes || *tensor.offsets[i] > bytes - tensor.bytes))
          std::abort();
    for (const Tensor *hyper : program.hypersWithOptions())
      if (!hyper->option->takes(hyper->option->defaultValue) ||
          hyper->option->describe().empty())
        std::abort();
  } catch (const Failure &failure) {
    if (!*failure.what())
      std::abort();
  }
  return 0;
}
