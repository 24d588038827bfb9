//===- CudnnDescriptors.h - Descriptors of cuDNN's backend ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_CUDNNDESCRIPTORS_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_CUDNNDESCRIPTORS_H

#include "CudnnGraph.h"
#include "cuda/VendorTypes.h"

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace boost_emu::cudnn {

/// Values of cudnnStatus_t that the runtime does not name.
enum : boost_rt::vendor::DnnStatus {
  misalignedPointer = 2003,
  notFinalized = 2004,
  duplicatedEntries = 2009,
  wrongAttributeType = 2010,
  allocationFailed = 4003,
};

/// A call that is refused, and why.
class Refusal : public std::runtime_error {
public:
  Refusal(boost_rt::vendor::DnnStatus status, const std::string &reason)
      : std::runtime_error(reason), status(status) {}

  const boost_rt::vendor::DnnStatus status;
};

class Descriptor;
using DescriptorRef = std::shared_ptr<Descriptor>;

/// The values of an attribute. Descriptors among them live as long as this.
struct Attribute {
  std::vector<char> bytes;
  std::vector<DescriptorRef> descriptors;
};

/// A descriptor of any kind. All functions throw a Refusal.
class Descriptor {
public:
  explicit Descriptor(int kind);

  void set(int name, int type, int64_t count, const void *values);
  /// Writes at most `requested` elements, and their number to `count`. Results
  /// that are descriptors become those that the caller has made.
  void get(int name, int type, int64_t requested, int64_t *count,
           void *values) const;
  void finalize();

  int getKind() const { return kind; }
  bool isFinal() const { return isFinalized; }
  bool has(int name) const { return attributes.count(name) != 0; }
  /// Returns the values of an attribute that is set.
  template <typename T> std::vector<T> getAll(int name) const {
    const std::vector<char> &bytes = attributes.at(name).bytes;
    const T *begin = reinterpret_cast<const T *>(bytes.data());
    return std::vector<T>(begin, begin + bytes.size() / sizeof(T));
  }
  template <typename T> T getOne(int name) const {
    return getAll<T>(name).front();
  }
  const std::vector<DescriptorRef> &getDescriptors(int name) const {
    return attributes.at(name).descriptors;
  }

  const Tensor &getTensor() const { return tensor; }
  const Operation &getOperation() const { return operation; }
  /// Returns the graph of a graph descriptor and of those derived from it.
  const std::shared_ptr<Graph> &getGraph() const { return graph; }

private:
  void finalizeTensor();
  void finalizeOperation();
  void finalizeGraph();
  void finalizeHeuristics();
  void finalizeEngine();
  void finalizePlan();
  void finalizePack() const;
  void setNumber(int name, int64_t value);

  const int kind;
  bool isFinalized = false;
  std::map<int, Attribute> attributes;
  Tensor tensor;
  Operation operation{};
  std::shared_ptr<Graph> graph;
};

/// Functions of the handles that the caller sees.
DescriptorRef lookUp(boost_rt::vendor::DnnDescriptor descriptor);
boost_rt::vendor::DnnDescriptor create(int kind);
void destroy(boost_rt::vendor::DnnDescriptor descriptor);

} // namespace boost_emu::cudnn

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_CUDNNDESCRIPTORS_H
