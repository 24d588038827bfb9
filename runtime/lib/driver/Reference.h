//===- Reference.h - The unsharded program in double ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs boost-eval, the compiler's reference evaluator, as another process on
// the program as it was before partitioning, and reads what it has computed.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_REFERENCE_H
#define BOOST_RUNTIME_DRIVER_REFERENCE_H

#include "driver/Session.h"

namespace boost_rt {

/// A tensor of the reference: its elements in double, and how far a correct
/// program may be from one of them, and from all of them by a common factor.
struct ReferenceTensor {
  std::vector<double> values;
  double bound = 0, gainBound = 0;
};

/// The tensors of one evaluation. Only rank 0 holds them.
class Reference {
public:
  /// Evaluates the program of `session` on the tensors that are in its arena,
  /// the inputs of its function `verify`. Files go to `keep`, or to a temporary
  /// folder. All ranks take part.
  Reference(Session &session, const std::string &keep);
  ~Reference() { removeTemporaryFolder(); }
  Reference(const Reference &) = delete;
  Reference &operator=(const Reference &) = delete;

  /// The tensor "probe.SITE" or "result.NAME" of so many elements. Throws if it
  /// is not there.
  ReferenceTensor get(const std::string &name, int64_t elements) const;

private:
  Reference() = default;

  std::string pathOf(const char *file) const { return folder + "/" + file; }
  void createFolder(const std::string &keep);
  void removeTemporaryFolder();
  void writeProgram(const std::string &text) const;
  void evaluate(const std::string &tools) const;

  std::string folder;
  bool temporary = false;
  std::unique_ptr<SafeTensorsReader> tensors;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_REFERENCE_H
