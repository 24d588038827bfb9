//===- ProgramRun.h - One evaluation of a program ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the calls and transfers of a schedule with the values that every rank
// holds. A function alone is a schedule of one call.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_REFERENCE_PROGRAMRUN_H
#define BOOST_MLIR_LIB_REFERENCE_PROGRAMRUN_H

#include "boost-mlir/Dialect/Boost/IR/Choice.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Reference/Program.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace mlir::boost::reference {

class ProgramRun {
public:
  ProgramRun(const Program &program, const NamedTensors &inputs,
             Evaluator &evaluator)
      : program(program), inputs(inputs), evaluator(evaluator) {}

  /// Evaluates all calls. Failure has been reported.
  LogicalResult run();

  /// Returns the results, of which all ranks that have one must have the same
  /// within `agreement`.
  FailureOr<NamedTensors> takeResults(double agreement);

private:
  using Function = Program::Function;
  using Binding = Program::Binding;
  /// The name of a tensor, and the slot of a kept one, or kLasting.
  using Place = std::pair<std::string, int64_t>;
  static constexpr int64_t kLasting = -1;

  /// A call of a function; `op` is null where the program is one function, and
  /// for one that was chosen.
  struct Call {
    const Function *function;
    CallOp op;
  };

  LogicalResult load();
  LogicalResult load(const Function &function);
  FailureOr<RankValues> read(const Call &call, const Binding &input);
  void write(const Call &call, const Binding &output, const RankValues &value);
  LogicalResult call(ArrayRef<Call> calls);
  LogicalResult transfer(TransferOp transfer);
  FailureOr<const Function *> choose(ChooseOp choice);
  LogicalResult checkSums();
  const Function &find(StringRef name) const;
  FailureOr<SmallVector<int64_t>> findRanks(int64_t stage) const;
  Place getPlace(const Call &call, const Binding &binding) const;

  const Program &program;
  const NamedTensors &inputs;
  Evaluator &evaluator;
  /// The ranks that run each function.
  llvm::StringMap<SmallVector<int64_t>> ranks;
  /// The rows of all micro-batches.
  NamedTensors batch;
  std::map<Place, RankValues> values;
  /// Results of which every micro-batch has added its own.
  llvm::StringSet<> summed;
};

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_LIB_REFERENCE_PROGRAMRUN_H
