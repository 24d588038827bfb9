//===- CudnnGraph.h - Operation graphs for cuDNN ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of elementary operations and their execution plans, through cuDNN's
// backend interface. Plans can be made without a GPU, for a device that is
// described in JSON: cuDNN 9.8 and later need no handle then.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_CUDNNGRAPH_H
#define BOOST_RUNTIME_CUDA_CUDNNGRAPH_H

#include "cuda/Vendor.h"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace boost_rt::cudnn {

/// Descriptors of cuDNN that live and end together. The first call that fails
/// is kept; calls after it do nothing.
class Descriptors {
public:
  Descriptors() = default;
  ~Descriptors();
  Descriptors(const Descriptors &) = delete;
  Descriptors &operator=(const Descriptors &) = delete;

  /// Returns null after a failure.
  vendor::DnnDescriptor create(int kind);

  template <typename T>
  void set(vendor::DnnDescriptor descriptor, int attribute, int type,
           const std::vector<T> &values) {
    setValues(descriptor, attribute, type, static_cast<int64_t>(values.size()),
              values.data());
  }
  template <typename T>
  void set(vendor::DnnDescriptor descriptor, int attribute, int type, T value) {
    setValues(descriptor, attribute, type, 1, &value);
  }

  /// `what` is named if cuDNN refuses: "a tensor".
  void finalize(vendor::DnnDescriptor descriptor, const char *what);

  /// Returns what cuDNN refused and why, or an empty string.
  const std::string &getProblem() const { return problem; }
  /// Keeps a call's failure. Returns whether it succeeded.
  bool check(vendor::DnnStatus status, const char *what);

private:
  void setValues(vendor::DnnDescriptor descriptor, int attribute, int type,
                 int64_t count, const void *values);

  std::vector<vendor::DnnDescriptor> created;
  std::string problem;
};

/// Dimensions [batch, heads, rows, columns] or strides of a tensor, in
/// elements.
using Extents = std::array<int64_t, 4>;

struct GraphTensor {
  vendor::DnnDescriptor descriptor;
};

/// A knob of an engine and its value (cudnnBackendKnobType_t).
using Knob = std::pair<int, int64_t>;

/// An engine by its number, in place of the one that cuDNN's heuristics choose.
struct Engine {
  int64_t index;
  std::vector<Knob> knobs;
};

/// The device of plans: the GPU of a handle or, if that is null, a GPU
/// described by `json`, on which nothing runs.
struct Device {
  vendor::DnnHandle handle = nullptr;
  std::string json;
};

/// A graph of operations, in order. Sums are taken in f32.
class Graph {
public:
  /// A tensor in memory, named by `id` when the graph is executed. Its address
  /// must be a multiple of 16 bytes.
  GraphTensor memory(int64_t id, int type, const Extents &dims,
                     const Extents &strides);
  /// One f32 that the host passes when the graph is executed.
  GraphTensor scalar(int64_t id);
  /// A tensor between two operations, which has no memory.
  GraphTensor between(int type, const Extents &dims, const Extents &strides);
  /// Adds a dense, row-major intermediate tensor.
  GraphTensor between(int type, const Extents &dims);

  /// y = a b, over the last two dimensions; a dimension of heads that is a
  /// divisor of the other's is repeated.
  void matmul(GraphTensor a, GraphTensor b, GraphTensor y);
  /// y = mode(x), or mode(x, b).
  void pointwise(int mode, GraphTensor x, std::optional<GraphTensor> b,
                 GraphTensor y);
  /// y = the position of each element of x along dimension `axis`, as i32.
  void index(int64_t axis, GraphTensor x, GraphTensor y);
  /// y = a >= b, as booleans.
  void greaterOrEqual(GraphTensor a, GraphTensor b, GraphTensor y);
  /// y = condition ? x : other.
  void select(GraphTensor condition, GraphTensor x, GraphTensor other,
              GraphTensor y);
  /// y = x reduced over the dimensions in which y is smaller.
  void reduce(int operation, GraphTensor x, GraphTensor y);
  /// y = x in another type or with its last dimensions exchanged, as the
  /// strides of y say.
  void reshape(GraphTensor x, GraphTensor y);

private:
  friend class Plan;

  struct Elementwise {
    int mode, precision;
    std::optional<int64_t> axis;
  };

  GraphTensor tensor(int64_t id, int type, const Extents &dims,
                     const Extents &strides, int flag);
  void add(const Elementwise &how, GraphTensor x, std::optional<GraphTensor> b,
           std::optional<GraphTensor> condition, GraphTensor y);
  void finish(vendor::DnnDescriptor operation, const char *what);

  Descriptors descriptors;
  std::vector<vendor::DnnDescriptor> operations;
  /// Identifiers of tensors between operations, which nobody uses.
  int64_t nextId = 1000;
};

/// cuDNN's plan to execute a graph on a device.
class Plan {
public:
  /// Takes the first of the heuristics' choices that can be built, or `engine`.
  Plan(Graph &graph, const Device &device,
       const std::optional<Engine> &engine = std::nullopt);

  /// Returns why there is no plan, or an empty string.
  const std::string &getProblem() const { return problem; }
  int64_t getWorkspaceBytes() const { return workspaceBytes; }
  int64_t getEngine() const { return engineIndex; }

  /// Runs on the stream that the handle was given. `addresses` are of tensors
  /// in memory and, in host memory, of scalars, which are read before this
  /// returns.
  void execute(vendor::DnnHandle handle,
               const std::vector<std::pair<int64_t, const void *>> &addresses,
               void *workspace) const;

private:
  std::vector<vendor::DnnDescriptor> choose(vendor::DnnDescriptor graph,
                                            const Device &device,
                                            vendor::DnnDescriptor description);
  std::vector<vendor::DnnDescriptor>
  configure(vendor::DnnDescriptor graph, const Engine &engine,
            vendor::DnnDescriptor description);
  void build(vendor::DnnDescriptor config, const Device &device);

  Descriptors descriptors;
  vendor::DnnDescriptor plan = nullptr;
  int64_t workspaceBytes = 0, engineIndex = -1;
  std::string problem;
};

} // namespace boost_rt::cudnn

#endif // BOOST_RUNTIME_CUDA_CUDNNGRAPH_H
