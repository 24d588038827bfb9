//===- Reference.h - The unsharded program in double ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs boost-eval, the compiler's reference evaluator, as another process on
// the program as it was before partitioning, and reads what it has computed, or
// what it has computed for an earlier run.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_REFERENCE_H
#define BOOST_RUNTIME_DRIVER_REFERENCE_H

#include "driver/Evaluator.h"
#include "driver/Session.h"

namespace boost_rt {

/// A tensor of the reference: its elements in double, and how far a correct
/// program may be from one of them, and from all of them by a common factor.
struct ReferenceTensor {
  std::vector<double> values;
  double bound = 0, gainBound = 0;
};

/// A function that is evaluated, from the results of the runs before it and
/// then the tensors of a set of inputs, if it names one.
struct ReferenceRun {
  std::string function;
  std::optional<size_t> inputs;
};

/// The tensors of one evaluation. Only rank 0 holds them; all ranks call what
/// is here, but for get().
class Reference {
public:
  /// Files go to `keep`, or to a temporary folder. If `known` is not empty,
  /// tensors come from this folder, which an earlier run has kept, and nothing
  /// is evaluated.
  Reference(Session &session, const std::string &keep,
            const std::string &known);
  ~Reference() { removeTemporaryFolder(); }
  Reference(const Reference &) = delete;
  Reference &operator=(const Reference &) = delete;

  /// Takes tensors that are in the arena as the set of inputs of this number.
  void saveInputs(size_t set, const std::vector<const Tensor *> &tensors);

  /// Evaluates functions of the program one after the other; the first has a
  /// set of inputs.
  void evaluate(const std::vector<ReferenceRun> &runs);

  /// The tensor "RUN.probe.SITE" or "RUN.result.NAME" of so many elements.
  /// Throws if it is not there.
  ReferenceTensor get(const std::string &name, int64_t elements) const;

private:
  std::string pathOf(const std::string &file) const {
    return folder + "/" + file;
  }
  std::string pathOfInputs(size_t set) const;
  void createFolder(const std::string &keep);
  void removeTemporaryFolder();
  void writeProgram(const std::string &text) const;
  void runEvaluator(const std::vector<ReferenceRun> &runs) const;
  void expectKnown(const std::string &file) const;
  void findTensors(const std::vector<ReferenceRun> &runs);

  Session &session;
  const std::string known;
  std::string folder;
  bool temporary = false;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<SafeTensorsReader> tensors;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_REFERENCE_H
