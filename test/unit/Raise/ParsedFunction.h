//===- ParsedFunction.h - Values of a function written as text --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_RAISE_PARSEDFUNCTION_H
#define BOOST_MLIR_TEST_UNIT_RAISE_PARSEDFUNCTION_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::boost::test {

class ParsedFunction : public ::testing::Test {
protected:
  ParsedFunction() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<BoostDialect, func::FuncDialect,
                        stablehlo::StableHLODialect>();
  }

  /// The first result of the last operation of `body`, which may use
  /// `arguments`; null if there is no operation.
  Value parse(const Twine &arguments, const Twine &body) {
    std::string text =
        ("func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}").str();
    module = parseSourceString<ModuleOp>(text, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse: " << text;
      std::abort();
    }
    function = *module->getOps<func::FuncOp>().begin();
    return fromEnd(1);
  }

  /// The first result of the operation that stands `position` operations before
  /// the end.
  Value fromEnd(int position) {
    Operation *op = function.getBody().front().getTerminator();
    for (int i = 0; i < position && op; ++i)
      op = op->getPrevNode();
    return op ? Value(op->getResult(0)) : Value();
  }

  Value argument(unsigned number) { return function.getArgument(number); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};

} // namespace mlir::boost::test

#endif // BOOST_MLIR_TEST_UNIT_RAISE_PARSEDFUNCTION_H
