//===- CudnnGraph.h - Graphs of operations that cuDNN is given --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_CUDNNGRAPH_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_CUDNNGRAPH_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace boost_emu::cudnn {

using Extents = std::vector<int64_t>;

/// The types of tensors are cuDNN's; extents are in elements.
struct Tensor {
  int64_t id = 0;
  int type = 0;
  Extents dims, strides;
  int64_t alignment = 1;
  /// A virtual tensor has no memory. One by value is a number of the host.
  bool isVirtual = false, isByValue = false;

  bool operator==(const Tensor &other) const;
  bool isInMemory() const { return !isVirtual && !isByValue; }
  bool is16Bit() const;
  /// Bytes of an element.
  int64_t getWidth() const;
  int64_t getNumElements() const;
  /// The elements from the first to the last in memory.
  int64_t getSpan() const;
};

enum class OperationKind { Matmul, Pointwise, Reduction, Reshape };

/// Tensors are named by their ids.
struct Operation {
  OperationKind kind;
  /// cuDNN's pointwise mode or reduction operator.
  int mode = 0;
  /// Axis of the mode that generates indices.
  int64_t axis = -1;
  /// Compute type of the descriptor.
  int computeType = 0;
  /// The factors of a product; X, B and the condition T of other operations.
  std::vector<Tensor> inputs;
  Tensor result;
};

/// Returns what is wrong with an operation by itself, or "".
std::string findMistake(const Operation &operation);

/// Operations in an order in which each reads what those before it have made.
struct Graph {
  std::vector<Operation> operations;
  std::map<int64_t, Tensor> tensors;

  /// Returns true if an operation computes the tensor.
  bool isResult(int64_t id) const;
};

/// Makes a graph of operations in any order. Returns what is wrong with them,
/// or "".
std::string assemble(const std::vector<Operation> &operations, Graph &graph);

/// Returns why no engine takes a graph, or "". Engines of cuDNN take fewer
/// graphs than this interpreter could execute; those that would read wrong
/// bytes without saying so are among the reasons.
std::string findUnsupported(const Graph &graph);

/// Bytes that a plan for a graph asks for, as on a Hopper GPU.
int64_t getWorkspaceBytes(const Graph &graph);

/// Executes a graph. `addresses` are of the bytes of all tensors that are not
/// virtual. Sums in tensors of f32 in memory are taken in another order every
/// time, as by atomic additions.
void interpret(const Graph &graph, const std::map<int64_t, char *> &addresses);

} // namespace boost_emu::cudnn

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_CUDNNGRAPH_H
