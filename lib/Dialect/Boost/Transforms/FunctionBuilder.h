//===- FunctionBuilder.h - Functions with described tensors -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FUNCTIONBUILDER_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FUNCTIONBUILDER_H

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::boost {

/// Builds a function argument by argument and result by result, each with the
/// attributes that describe it.
class FunctionBuilder {
public:
  /// Starts an empty function behind another operation of a module.
  FunctionBuilder(Operation *after, StringRef name)
      : builder(after->getContext()) {
    builder.setInsertionPointAfter(after);
    function = func::FuncOp::create(builder, after->getLoc(), name,
                                    builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(function.addEntryBlock());
  }

  Value addArg(Type type, DictionaryAttr attrs, Location loc) {
    argAttrs.push_back(attrs);
    return function.front().addArgument(type, loc);
  }

  /// Lets `copyBody` read `value` where it reads `original`.
  void map(Value original, Value value) { mapping.map(original, value); }

  /// Adds an argument for one of another function, for `copyBody`.
  Value addCopyOf(BlockArgument arg, DictionaryAttr attrs) {
    Value copy = addArg(arg.getType(), attrs, arg.getLoc());
    map(arg, copy);
    return copy;
  }

  /// Appends a copy of an operation whose operands were copied or mapped.
  Operation *copy(Operation &op) { return builder.clone(op, mapping); }

  /// Returns the copy of a value.
  Value get(Value original) const { return mapping.lookup(original); }

  /// Appends the operations of a block whose arguments were added or mapped,
  /// and returns what its terminator reads.
  SmallVector<Value> copyBody(Block &block) {
    for (Operation &op : block.without_terminator())
      builder.clone(op, mapping);
    return llvm::map_to_vector(
        block.getTerminator()->getOperands(),
        [&](Value value) { return mapping.lookup(value); });
  }

  void addResult(Value value, DictionaryAttr attrs) {
    results.push_back(value);
    resultAttrs.push_back(attrs);
  }

  /// Ends the function. Fails if two of its tensors have one name.
  FailureOr<func::FuncOp> finish() {
    func::ReturnOp::create(builder, function.getLoc(), results);
    function.setType(builder.getFunctionType(
        function.front().getArgumentTypes(), TypeRange(ValueRange(results))));
    function.setAllArgAttrs(argAttrs);
    function.setAllResultAttrs(resultAttrs);
    if (failed(verifyTensorNames(function)))
      return failure();
    return function;
  }

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() { return function.getLoc(); }

private:
  OpBuilder builder;
  IRMapping mapping;
  func::FuncOp function;
  SmallVector<DictionaryAttr> argAttrs, resultAttrs;
  SmallVector<Value> results;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_FUNCTIONBUILDER_H
