//===- ProgramJson.h - Attributes of a program as JSON ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DRIVER_PROGRAMJSON_H
#define BOOST_MLIR_LIB_DRIVER_PROGRAMJSON_H

#include "boost-mlir/Analysis/Machine.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <nlohmann/json.hpp>

namespace mlir::boost {

using Json = nlohmann::ordered_json;

/// Converts text, flags, numbers, lists and dictionaries of these to JSON. Any
/// other attribute becomes null.
Json toJson(Attribute attribute);

/// Returns the text of the discardable attribute, or `otherwise` if the
/// operation has none.
StringRef getText(Operation *op, StringRef attribute, StringRef otherwise);

/// Returns the functions of the program in order, without kernels and
/// declarations.
SmallVector<func::FuncOp> getFunctions(ModuleOp module);

/// Describes what the program will do, as docs/plan.schema.json says, without
/// the notes of earlier stages. Fails, with an error, for a module without a
/// memory plan or with a collective that has no number.
FailureOr<Json> makePlan(ModuleOp module, const Machine *machine);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DRIVER_PROGRAMJSON_H
