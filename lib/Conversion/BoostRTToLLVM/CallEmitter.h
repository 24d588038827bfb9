//===- CallEmitter.h - Calls of the runtime in one function -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the call of boost_rt_* that a boostrt operation stands for.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_BOOSTRTTOLLVM_CALLEMITTER_H
#define BOOST_MLIR_LIB_CONVERSION_BOOSTRTTOLLVM_CALLEMITTER_H

#include "RuntimeFunctions.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/IR/Builders.h"

namespace mlir::boost::rt {

/// Constant arrays of integers that calls point to, shared in the module.
class ConstantArrays {
public:
  explicit ConstantArrays(ModuleOp module) : module(module) {}

  /// The global that holds `values` as i64 or i32.
  LLVM::GlobalOp get(ArrayRef<int64_t> values, unsigned width);

private:
  ModuleOp module;
  DenseMap<Attribute, LLVM::GlobalOp> globals;
};

/// The function `(base, entries, count, pointers)` that writes addresses into
/// an array: entries are pairs of a position in the array and an offset from
/// the base in bytes, and `count` numbers in all. It is added to the module at
/// its first use.
class AddressLoop {
public:
  explicit AddressLoop(ModuleOp module) : module(module) {}

  LLVM::LLVMFuncOp get();

private:
  ModuleOp module;
  LLVM::LLVMFuncOp function;
};

/// Turns the boostrt operations of one function into calls, in order.
class CallEmitter {
public:
  /// `function` takes the context, the arena and the slot of the stash. The
  /// operations are of a function that takes the latter two, as memrefs.
  CallEmitter(LLVM::LLVMFuncOp function, RuntimeFunctions &functions,
              ConstantArrays &arrays, AddressLoop &addressLoop);

  /// Emits the calls of `op`; fails, with an error at it, if there is none.
  LogicalResult emit(Operation *op);

private:
  using Arguments = SmallVector<Value>;

  /// Specialized for every operation of the dialect.
  template <typename OpT> LogicalResult emitCall(OpT op);

  LogicalResult resolveOperands(RuntimeCallOpInterface op);
  void call(StringRef name, Location loc, ArrayRef<Value> arguments);
  template <typename OpT> void callAttention(StringRef name, OpT op);
  void appendScores(Arguments &arguments, Value scores);

  Value rootPointer(Value root);
  /// The address of an element, counted from the first one.
  Value pointer(Value memref, int64_t element = 0);
  Value i64(int64_t value);
  Value i32(int64_t value);
  Value f64(const APFloat &value);
  Value null();
  Value typeOf(Value memref);
  Value getScratch(int64_t pointers);
  Value pointerArray(ValueRange memrefs, Location loc);
  void fillPointers(ValueRange memrefs, Location loc);
  Value countArray(ValueRange memrefs);
  Value typeArray(ValueRange memrefs);
  Value constantArray(ArrayRef<int64_t> values, unsigned width);
  Value constant(TypedAttr value);

  OpBuilder builder;
  Location functionLoc;
  Value context;
  LLVM::LLVMFuncOp function;
  RuntimeFunctions &functions;
  ConstantArrays &arrays;
  AddressLoop &addressLoop;
  LLVM::LLVMPointerType pointerType;
  /// Scratch for the longest array of buffers; a call has read it when it
  /// returns.
  LLVM::AllocaOp scratch;
  /// Immediates once translated: sharing them costs nothing.
  DenseMap<Attribute, Value> constants;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_CONVERSION_BOOSTRTTOLLVM_CALLEMITTER_H
