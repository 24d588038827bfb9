//===- DeepStack.cpp - Room for deep recursion ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/DeepStack.h"

#include <pthread.h>

static constexpr size_t kMiB = size_t(1) << 20;

namespace {
struct Task {
  llvm::function_ref<int()> work;
  int result = 0;
};
} // namespace

static void *run(void *argument) {
  auto *task = static_cast<Task *>(argument);
  task->result = task->work();
  return nullptr;
}

/// For all threads that are started from now on; there may be many.
static void setDefaultStack(size_t bytes) {
#ifdef __GLIBC__
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0)
    return;
  if (pthread_attr_setstacksize(&attributes, bytes) == 0)
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
#endif
}

int mlir::boost::runOnDeepStack(llvm::function_ref<int()> work) {
  Task task{work};
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return work();
  setDefaultStack(64 * kMiB);
  pthread_t thread;
  bool isStarted = pthread_attr_setstacksize(&attributes, 256 * kMiB) == 0 &&
                   pthread_create(&thread, &attributes, run, &task) == 0;
  pthread_attr_destroy(&attributes);
  if (!isStarted)
    return work();
  pthread_join(thread, nullptr);
  return task.result;
}
