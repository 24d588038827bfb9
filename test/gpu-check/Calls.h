//===- Calls.h - The calls of a function, one by one ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program is linked with --wrap, so that what generated code calls comes
// here before the runtime gets it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_GPU_CHECK_CALLS_H
#define BOOST_MLIR_TEST_GPU_CHECK_CALLS_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace boost_rt {

/// A call that was made, and what doing it again takes.
struct Call {
  /// "gemm", "launch"; and what tells it from others: a kernel or a shape.
  std::string function, form;
  /// Operations of a matrix product or attention, else 0.
  double flops = 0;
  /// Bytes of tensors that it reads and writes at least; 0 if unknown.
  double bytes = 0;
  int64_t count = 1;
  std::function<void()> repeat;
};

/// The calls of `function` while it runs, equal ones once.
std::vector<Call> collectCalls(const std::function<void()> &function);

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_GPU_CHECK_CALLS_H
