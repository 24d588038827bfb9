//===- RuntimeFunctions.cpp - Declarations of boost_rt_* ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the runtime's Functions.def, the one list of what may be called.
//
//===----------------------------------------------------------------------===//

#include "RuntimeFunctions.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

enum ParameterKind { PTR, I64, I32, F64 };

struct Entry {
  llvm::StringLiteral name;
  SmallVector<ParameterKind> parameters;
};

} // namespace

static SmallVector<Entry> getEntries() {
  return {
#define BOOST_RT_FUNCTION(NAME, ...) Entry{#NAME, {__VA_ARGS__}},
#include "boost-runtime/Functions.def"
  };
}

static Type getParameterType(ParameterKind kind, MLIRContext *context) {
  switch (kind) {
  case PTR:
    return LLVM::LLVMPointerType::get(context);
  case I64:
    return IntegerType::get(context, 64);
  case I32:
    return IntegerType::get(context, 32);
  case F64:
    return Float64Type::get(context);
  }
  llvm_unreachable("unknown parameter kind");
}

RuntimeFunctions::RuntimeFunctions(ModuleOp module) : module(module) {
  MLIRContext *context = module.getContext();
  for (const Entry &entry : getEntries()) {
    // The context comes first in every function.
    SmallVector<Type> inputs{LLVM::LLVMPointerType::get(context)};
    for (ParameterKind kind : entry.parameters)
      inputs.push_back(getParameterType(kind, context));
    types[entry.name] =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), inputs);
  }
}

LLVM::LLVMFuncOp RuntimeFunctions::get(StringRef name) {
  LLVM::LLVMFuncOp &function = declared[name];
  if (!function) {
    auto builder = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(builder, module.getLoc(),
                                        ("boost_rt_" + name).str(),
                                        types.lookup(name));
  }
  return function;
}
