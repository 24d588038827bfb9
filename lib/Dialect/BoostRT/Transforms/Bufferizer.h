//===- Bufferizer.h - Where each tensor of a function lives -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of boostrt-bufferize for one straight-line function.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_BUFFERIZER_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_BUFFERIZER_H

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include <deque>

namespace mlir::boost::rt {

/// One dense piece of memory: an argument, an allocation or a constant.
struct Storage {
  Value memref;
  /// The last operation that reads a value kept here.
  int64_t lastUse = -1;
  /// True if operations may update values in place.
  bool writable = false;
};

/// A tensor value in memory: elements of a storage, `offset` and `strides` in
/// elements.
struct Placement {
  Storage *storage = nullptr;
  int64_t offset = 0;
  SmallVector<int64_t> strides;
};

/// A function result: the argument it is written to.
struct Destination {
  Storage *storage = nullptr;
  /// True if the storage is an input that the result replaces.
  bool isUpdate = false;
  /// True if a value other than that input already has the storage.
  bool taken = false;
};

/// The preferred memory of a value, so that no copy is needed later.
struct Hint {
  /// The result that the value becomes, or -1.
  int64_t destination = -1;
  /// The insertion that makes the value a part of `whole`, a tensor.empty.
  tensor::InsertSliceOp insertion;
  Value whole;
};

/// The non-splat constants of the module, as globals.
class ConstantPool {
public:
  explicit ConstantPool(ModuleOp module) : symbols(module) {}
  memref::GlobalOp get(ElementsAttr value, Location loc);

private:
  SymbolTable symbols;
  llvm::DenseMap<Attribute, memref::GlobalOp> globals;
};

/// The sources and results of an operation that renames elements without
/// moving them: reshapes, slices, barriers. Empty for all others.
SmallVector<std::pair<Value, Value>> getAliases(Operation *op);

/// The part of `whole` that an insert_slice or extract_slice names.
Placement partOf(const Placement &whole, OffsetSizeAndStrideOpInterface slice,
                 const llvm::SmallBitVector &droppedDims);

/// Returns the layout `[begin, next matrix, next row]` in which `op` writes its
/// dense result if that has these strides; nullopt if it cannot.
std::optional<std::array<int64_t, 3>>
findResultLayout(GemmOp op, ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);

/// Rewrites one function from tensors to memrefs.
class FunctionBufferizer {
public:
  FunctionBufferizer(func::FuncOp func, ConstantPool &constants)
      : func(func), constants(constants), builder(func.getContext(), &layers) {}
  LogicalResult run();

private:
  // The signature: inputs, then results that replace no input.
  LogicalResult checkSignature();
  void addArguments();
  void finishSignature();

  // Uses and hints, before anything is rewritten (BufferHints.cpp).
  void separateInits();
  void separateUses(tensor::InsertSliceOp insertion);
  void computeLastUses();
  void computeHints();
  void passHintBack(Operation *op);
  void findWholes();
  void hintInsertion(tensor::InsertSliceOp insertion);

  // Rewriting, in program order.
  LogicalResult rewrite(Operation *op);
  void rewriteAlias(Value source, Value result);
  void rewriteExtractSlice(tensor::ExtractSliceOp slice);
  void rewriteInsertSlice(tensor::InsertSliceOp insertion);
  void rewriteDestinationStyle(DestinationStyleOpInterface op);
  void rewriteReturn(func::ReturnOp op);
  void bufferizeCaptures(Operation *clone);

  // Placing values.
  const Placement &place(Value value);
  Placement placeDense(Value value);
  void placeConstant(Value value, ElementsAttr elements);
  void placeFresh(Value value, OpOperand *init);
  bool placeByHint(Value value, OpOperand *init);
  bool isFree(const Destination &destination, OpOperand *init);
  void placeOverDestination(Value result, OpOperand &init);
  bool canUpdate(const Placement &placement, Value result, OpOperand &init);
  void setPlacement(Value value, Placement placement);
  Storage *newStorage(Value memref, bool writable);

  // The values that every operation reads and writes, for boost-verify-runtime.
  DenseI64ArrayAttr getContents(Value tensor);
  DenseI64ArrayAttr newContents();
  void recordContents(Operation *op);
  void recordCall(Operation *call, DestinationStyleOpInterface op);
  void recordResults(func::ReturnOp op);

  // Memrefs.
  Value view(const Placement &placement, RankedTensorType type, Location loc);
  Value viewOf(Value tensor, Location loc, bool dense = false);
  Value viewOfProductInput(Value tensor, DenseI64ArrayAttr &layout,
                           int64_t batch, int64_t rows, int64_t columns,
                           Location loc);
  void narrowProductInputs(GemmOp op, SmallVector<Value> &operands,
                           std::array<DenseI64ArrayAttr, 2> &layouts);
  void copy(Value source, Value target, DenseI64ArrayAttr contents,
            Location loc);
  void fill(Value scalar, Value target, DenseI64ArrayAttr contents,
            Location loc);

  int64_t lastUseOf(Value value) const {
    auto it = lastUses.find(value);
    return it == lastUses.end() ? -1 : it->second;
  }

  func::FuncOp func;
  ConstantPool &constants;
  LayerBuilderListener layers;
  OpBuilder builder;
  unsigned numInputs = 0;
  /// Position of the operation being rewritten.
  int64_t now = -1;

  llvm::DenseMap<Operation *, int64_t> positions;
  llvm::DenseMap<Value, int64_t> lastUses;
  llvm::DenseMap<Value, Hint> hints;
  /// The tensor.empty that an insertion makes a part of, with others that do
  /// not write over it.
  llvm::DenseMap<Operation *, Value> wholes;
  llvm::DenseMap<Value, Placement> placements;
  llvm::DenseMap<Value, Placement> denseCopies;
  llvm::DenseMap<Value, Value> views;
  /// The numbers of the arguments and results of operations that a tensor
  /// consists of, ascending.
  llvm::DenseMap<Value, DenseI64ArrayAttr> contents;
  int64_t nextNumber = 0;
  SmallVector<Attribute> resultContents;
  SmallVector<Destination> destinations;
  std::deque<Storage> storages;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_BUFFERIZER_H
