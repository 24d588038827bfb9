//===- ArgumentAttrs.h - Attributes of many arguments at once ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To set an attribute of one argument makes the list of all of them anew. Where
// every argument may get one, they are changed together: for 100,000 arguments
// that is the difference between a second and an hour.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_ARGUMENTATTRS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_ARGUMENTATTRS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::boost {

/// The attributes of a function's arguments, or of its results. Changes are
/// seen in the function after `write`.
class ArgumentAttrs {
public:
  static ArgumentAttrs ofArguments(FunctionOpInterface function);
  static ArgumentAttrs ofResults(FunctionOpInterface function);

  Attribute get(unsigned index, StringRef name) const {
    return lists[index].get(name);
  }
  void set(unsigned index, StringRef name, Attribute value) {
    lists[index].set(name, value);
  }
  void remove(unsigned index, StringRef name) { lists[index].erase(name); }
  void write();

private:
  ArgumentAttrs(FunctionOpInterface function, bool isResults)
      : function(function), isResults(isResults) {}

  FunctionOpInterface function;
  bool isResults;
  SmallVector<NamedAttrList> lists;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_ARGUMENTATTRS_H
