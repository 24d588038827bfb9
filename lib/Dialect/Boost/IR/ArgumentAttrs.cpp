//===- ArgumentAttrs.cpp - Attributes of many arguments at once -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the attributes of all arguments or results, and writes them back.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/ArgumentAttrs.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::boost;

ArgumentAttrs ArgumentAttrs::ofArguments(FunctionOpInterface function) {
  ArgumentAttrs attrs(function, /*isResults=*/false);
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    attrs.lists.emplace_back(function.getArgAttrDict(i));
  return attrs;
}

ArgumentAttrs ArgumentAttrs::ofResults(FunctionOpInterface function) {
  ArgumentAttrs attrs(function, /*isResults=*/true);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    attrs.lists.emplace_back(function.getResultAttrDict(i));
  return attrs;
}

void ArgumentAttrs::write() {
  SmallVector<DictionaryAttr> dictionaries;
  for (NamedAttrList &list : lists)
    dictionaries.push_back(list.getDictionary(function->getContext()));
  if (isResults)
    function.setAllResultAttrs(dictionaries);
  else
    function.setAllArgAttrs(dictionaries);
}
