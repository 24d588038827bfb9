//===- Program.h - Evaluating functions on global tensors -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a function or a schedule of a module at graph or spmd level on named
// global tensors: arguments are sharded and results joined as `boost.sharding`
// says.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_REFERENCE_PROGRAM_H
#define BOOST_MLIR_REFERENCE_PROGRAM_H

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Reference/Evaluator.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::boost::reference {

/// An argument or result of a program: its name and its global type.
struct NamedType {
  std::string name;
  RankedTensorType type;
  /// Exclusive upper bound of integer ids; 0 when there is none.
  int64_t idLimit = 0;
  /// The tensor's `boost.tensor`, if it has one; a part has that of the packed
  /// tensor.
  TensorAttr tensor = {};
  /// The only parameter that it belongs to, or null.
  StringAttr of = {};
};

/// Global tensors by name.
using NamedTensors = llvm::StringMap<Tensor>;

/// A function of a module, or a schedule, seen through global tensors.
///
/// The batch of a schedule of several micro-batches has their rows one behind
/// the other; a number of the batch is a row. Losses, metrics and gradients are
/// means over the micro-batches. Accumulators are zero before and after a
/// schedule, and neither arguments nor results.
class Program {
public:
  /// Fails with a diagnostic when there is no function or schedule of this
  /// name, or annotations do not fit the mesh.
  static FailureOr<Program> create(ModuleOp module, StringRef name);

  /// The tensors that users know: parts in place of a packed tensor, and no
  /// constants whose values the module has.
  ArrayRef<NamedType> arguments() const { return namedInputs; }
  ArrayRef<NamedType> results() const { return namedOutputs; }

  /// Evaluates on all ranks. Replicated results must agree on all ranks within
  /// `agreement` (relative), else it is an error naming result and ranks.
  /// Probes are shown to `onProbe`.
  FailureOr<NamedTensors> run(const NamedTensors &inputs,
                              const Precision &precision, double agreement,
                              ProbeHandler onProbe = {}) const;

private:
  friend class ProgramRun;

  /// The form in which ranks hold a tensor, by mesh axes (their indices): those
  /// that shard each dimension, and those over which ranks hold terms of a sum.
  struct Form {
    SmallVector<SmallVector<int16_t, 2>, 2> dims;
    SmallVector<int16_t, 2> partial;
  };

  /// An argument or result of the function.
  struct Binding {
    NamedType logical;
    Form form;
    SmallVector<PartAttr> parts;
  };
  /// A function that the program calls.
  struct Function {
    func::FuncOp op;
    std::vector<Binding> inputs, outputs;
  };

  LogicalResult readMesh(ModuleOp module);
  LogicalResult add(func::FuncOp function);
  void addConstants(const Binding &input, DictionaryAttr attrs);
  FailureOr<Binding> bind(std::string name, Type type,
                          DictionaryAttr attrs) const;
  Binding getWhole(const Binding &input) const;
  bool isHidden(const Binding &binding) const;
  int64_t countMicroBatches() const;
  void nameTensors();
  FailureOr<const Tensor *> find(const NamedTensors &inputTensors,
                                 StringRef name, RankedTensorType type) const;
  FailureOr<Tensor> pack(const NamedTensors &inputTensors,
                         const Binding &binding) const;
  void unpack(Tensor tensor, const Binding &binding,
              NamedTensors &results) const;
  FailureOr<NamedType> describe(std::string name, Type type,
                                DictionaryAttr attrs, Form &form) const;
  LogicalResult findAxes(ArrayAttr names, SmallVectorImpl<int16_t> &axes) const;
  RankValues shard(const Tensor &tensor, const Form &form,
                   const Evaluator &evaluator) const;
  FailureOr<Tensor> join(const RankValues &parts, const NamedType &result,
                         const Form &form, const Evaluator &evaluator,
                         double agreement) const;

  /// The function or the schedule.
  Operation *op = nullptr;
  bool isLocal = false;
  SmallVector<int64_t> mesh;
  SmallVector<StringRef> axisNames;
  std::vector<Function> functions;
  /// The results of all functions that are not hidden, each name once.
  std::vector<Binding> outputs;
  /// The values of constants in the module, by the names of attributes, or
  /// null.
  DictionaryAttr storedValues;
  /// The constants that functions take, as they take them.
  NamedTensors constants;
  /// The tensors that users know.
  SmallVector<NamedType> namedInputs, namedOutputs;
};

/// Deterministic values for every argument: ids below their limit, weights and
/// activations nearly normal, optimizer states and hyperparameters positive.
/// They depend on the seed, the name and the position only, on any machine.
NamedTensors randomInputs(ArrayRef<NamedType> arguments, uint64_t seed);

} // namespace mlir::boost::reference

#endif // BOOST_MLIR_REFERENCE_PROGRAM_H
