//===- CudnnGraph.cpp - Operation graphs for cuDNN ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/CudnnGraph.h"
#include "common/Failure.h"

using namespace boost_rt;
using namespace boost_rt::cudnn;
using namespace boost_rt::vendor;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

Descriptors::~Descriptors() {
  for (DnnDescriptor descriptor : created)
    functions().cudnnBackendDestroyDescriptor(descriptor);
}

bool Descriptors::check(DnnStatus status, const char *what) {
  if (status == dnnSuccess || !problem.empty())
    return status == dnnSuccess;
  char reason[512] = {};
  functions().cudnnGetLastErrorString(reason, sizeof(reason) - 1);
  problem = concat("cuDNN refuses ", what, " (status ", status, ")",
                   *reason ? ": " : "", reason);
  return false;
}

DnnDescriptor Descriptors::create(int kind) {
  DnnDescriptor descriptor = nullptr;
  if (!problem.empty() ||
      !check(functions().cudnnBackendCreateDescriptor(kind, &descriptor),
             "a descriptor"))
    return nullptr;
  created.push_back(descriptor);
  return descriptor;
}

void Descriptors::setValues(DnnDescriptor descriptor, int attribute, int type,
                            int64_t count, const void *values) {
  if (problem.empty())
    check(functions().cudnnBackendSetAttribute(descriptor, attribute, type,
                                               count, values),
          concat("attribute ", attribute).c_str());
}

void Descriptors::finalize(DnnDescriptor descriptor, const char *what) {
  if (problem.empty())
    check(functions().cudnnBackendFinalize(descriptor), what);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Bytes of which addresses of tensors are a multiple.
static constexpr int64_t alignment = 16;

/// `flag` is an attribute that is set to true, or 0 for none.
GraphTensor Graph::tensor(int64_t id, int type, const Extents &dims,
                          const Extents &strides, int flag) {
  auto asVector = [](const Extents &extents) {
    return std::vector<int64_t>(extents.begin(), extents.end());
  };
  DnnDescriptor tensor = descriptors.create(dnnTensor);
  descriptors.set(tensor, dnnTensorId, dnnInt64Type, id);
  descriptors.set(tensor, dnnTensorType, dnnDataTypeType, type);
  descriptors.set(tensor, dnnTensorDimensions, dnnInt64Type, asVector(dims));
  descriptors.set(tensor, dnnTensorStrides, dnnInt64Type, asVector(strides));
  descriptors.set(tensor, dnnTensorAlignment, dnnInt64Type, alignment);
  if (flag)
    descriptors.set(tensor, flag, dnnBooleanType, true);
  descriptors.finalize(tensor, "a tensor");
  return {tensor};
}

GraphTensor Graph::memory(int64_t id, int type, const Extents &dims,
                          const Extents &strides) {
  return tensor(id, type, dims, strides, 0);
}

GraphTensor Graph::scalar(int64_t id) {
  Extents ones = {1, 1, 1, 1};
  return tensor(id, dnnFloat, ones, ones, dnnTensorIsByValue);
}

GraphTensor Graph::between(int type, const Extents &dims,
                           const Extents &strides) {
  return tensor(nextId++, type, dims, strides, dnnTensorIsVirtual);
}

GraphTensor Graph::between(int type, const Extents &dims) {
  return between(type, dims,
                 {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1});
}

void Graph::finish(DnnDescriptor operation, const char *what) {
  descriptors.finalize(operation, what);
  operations.push_back(operation);
}

void Graph::matmul(GraphTensor a, GraphTensor b, GraphTensor y) {
  DnnDescriptor description = descriptors.create(dnnMatmul);
  descriptors.set(description, dnnMatmulPrecision, dnnDataTypeType,
                  int{dnnFloat});
  descriptors.finalize(description, "a product");
  DnnDescriptor operation = descriptors.create(dnnMatmulOperation);
  descriptors.set(operation, dnnMatmulDescription, dnnDescriptorType,
                  description);
  descriptors.set(operation, dnnMatmulA, dnnDescriptorType, a.descriptor);
  descriptors.set(operation, dnnMatmulB, dnnDescriptorType, b.descriptor);
  descriptors.set(operation, dnnMatmulC, dnnDescriptorType, y.descriptor);
  finish(operation, "a product");
}

void Graph::add(const Elementwise &how, GraphTensor x,
                std::optional<GraphTensor> b,
                std::optional<GraphTensor> condition, GraphTensor y) {
  DnnDescriptor description = descriptors.create(dnnPointwise);
  descriptors.set(description, dnnPointwiseMode, dnnPointwiseModeType,
                  how.mode);
  descriptors.set(description, dnnPointwisePrecision, dnnDataTypeType,
                  how.precision);
  if (how.axis)
    descriptors.set(description, dnnPointwiseAxis, dnnInt64Type, *how.axis);
  descriptors.finalize(description, "an elementwise operation");
  DnnDescriptor operation = descriptors.create(dnnPointwiseOperation);
  descriptors.set(operation, dnnPointwiseDescription, dnnDescriptorType,
                  description);
  descriptors.set(operation, dnnPointwiseX, dnnDescriptorType, x.descriptor);
  if (b)
    descriptors.set(operation, dnnPointwiseB, dnnDescriptorType, b->descriptor);
  if (condition)
    descriptors.set(operation, dnnPointwiseT, dnnDescriptorType,
                    condition->descriptor);
  descriptors.set(operation, dnnPointwiseY, dnnDescriptorType, y.descriptor);
  finish(operation, "an elementwise operation");
}

void Graph::pointwise(int mode, GraphTensor x, std::optional<GraphTensor> b,
                      GraphTensor y) {
  add({mode, dnnFloat, std::nullopt}, x, b, std::nullopt, y);
}

void Graph::index(int64_t axis, GraphTensor x, GraphTensor y) {
  add({dnnGenerateIndex, dnnFloat, axis}, x, std::nullopt, std::nullopt, y);
}

void Graph::greaterOrEqual(GraphTensor a, GraphTensor b, GraphTensor y) {
  add({dnnGreaterOrEqual, dnnBoolean, std::nullopt}, a, b, std::nullopt, y);
}

void Graph::select(GraphTensor condition, GraphTensor x, GraphTensor other,
                   GraphTensor y) {
  add({dnnSelect, dnnFloat, std::nullopt}, x, other, condition, y);
}

void Graph::reduce(int operation, GraphTensor x, GraphTensor y) {
  DnnDescriptor description = descriptors.create(dnnReduction);
  descriptors.set(description, dnnReductionOperator, dnnReductionOperatorType,
                  operation);
  descriptors.set(description, dnnReductionPrecision, dnnDataTypeType,
                  int{dnnFloat});
  descriptors.finalize(description, "a reduction");
  DnnDescriptor reduction = descriptors.create(dnnReductionOperation);
  descriptors.set(reduction, dnnReductionDescription, dnnDescriptorType,
                  description);
  descriptors.set(reduction, dnnReductionX, dnnDescriptorType, x.descriptor);
  descriptors.set(reduction, dnnReductionY, dnnDescriptorType, y.descriptor);
  finish(reduction, "a reduction");
}

void Graph::reshape(GraphTensor x, GraphTensor y) {
  DnnDescriptor operation = descriptors.create(dnnReshapeOperation);
  descriptors.set(operation, dnnReshapeX, dnnDescriptorType, x.descriptor);
  descriptors.set(operation, dnnReshapeY, dnnDescriptorType, y.descriptor);
  finish(operation, "a reshape");
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// The engines that cuDNN's heuristics propose for a graph, the best first.
std::vector<DnnDescriptor> Plan::choose(DnnDescriptor graph,
                                        const Device &device,
                                        DnnDescriptor description) {
  DnnDescriptor heuristics = descriptors.create(dnnEngineHeuristics);
  descriptors.set(heuristics, dnnHeuristicsGraph, dnnDescriptorType, graph);
  descriptors.set(heuristics, dnnHeuristicsMode, dnnHeuristicModeType,
                  int{dnnHeuristicsA});
  if (!device.handle)
    descriptors.set(heuristics, dnnHeuristicsDevice, dnnDescriptorType,
                    description);
  descriptors.finalize(heuristics, "the graph: no engine takes it");
  if (!descriptors.getProblem().empty())
    return {};
  int64_t count = 0;
  auto get = [&](int64_t requested, void *values) {
    return descriptors.check(functions().cudnnBackendGetAttribute(
                                 heuristics, dnnHeuristicsResults,
                                 dnnDescriptorType, requested, &count, values),
                             "to name engines");
  };
  if (!get(0, nullptr))
    return {};
  std::vector<DnnDescriptor> configs(static_cast<size_t>(count));
  for (DnnDescriptor &config : configs)
    config = descriptors.create(dnnEngineConfig);
  if (count && !get(count, configs.data()))
    return {};
  configs.resize(static_cast<size_t>(count));
  return configs;
}

std::vector<DnnDescriptor> Plan::configure(DnnDescriptor graph,
                                           const Engine &engine,
                                           DnnDescriptor description) {
  DnnDescriptor chosen = descriptors.create(dnnEngine);
  descriptors.set(chosen, dnnEngineGraph, dnnDescriptorType, graph);
  descriptors.set(chosen, dnnEngineIndex, dnnInt64Type, engine.index);
  if (description)
    descriptors.set(chosen, dnnEngineDevice, dnnDescriptorType, description);
  descriptors.finalize(chosen, "an engine");
  std::vector<DnnDescriptor> knobs;
  for (auto [knob, value] : engine.knobs) {
    knobs.push_back(descriptors.create(dnnKnobChoice));
    descriptors.set(knobs.back(), dnnKnobType, dnnKnobTypeType, knob);
    descriptors.set(knobs.back(), dnnKnobValue, dnnInt64Type, value);
    descriptors.finalize(knobs.back(), "a knob of an engine");
  }
  DnnDescriptor config = descriptors.create(dnnEngineConfig);
  descriptors.set(config, dnnConfigEngine, dnnDescriptorType, chosen);
  descriptors.set(config, dnnConfigKnobs, dnnDescriptorType, knobs);
  descriptors.finalize(config, "the knobs of an engine");
  return {config};
}

/// Makes the plan of an engine, unless cuDNN cannot build it.
void Plan::build(DnnDescriptor config, const Device &device) {
  DnnDescriptor candidate = descriptors.create(dnnExecutionPlan);
  if (device.handle)
    descriptors.set(candidate, dnnPlanHandle, dnnHandleType, device.handle);
  descriptors.set(candidate, dnnPlanConfig, dnnDescriptorType, config);
  DnnDescriptor engine = descriptors.create(dnnEngine);
  if (!descriptors.getProblem().empty() ||
      functions().cudnnBackendFinalize(candidate) != dnnSuccess)
    return;
  int64_t count = 0;
  auto get = [&](DnnDescriptor descriptor, int attribute, int type,
                 void *value) {
    descriptors.check(functions().cudnnBackendGetAttribute(
                          descriptor, attribute, type, 1, &count, value),
                      "to describe a plan");
  };
  get(candidate, dnnPlanWorkspaceBytes, dnnInt64Type, &workspaceBytes);
  get(config, dnnConfigEngine, dnnDescriptorType, &engine);
  get(engine, dnnEngineIndex, dnnInt64Type, &engineIndex);
  plan = candidate;
}

Plan::Plan(Graph &graph, const Device &device,
           const std::optional<Engine> &engine) {
  problem = graph.descriptors.getProblem();
  if (!problem.empty())
    return;
  DnnDescriptor description = nullptr;
  if (!device.handle) {
    description = descriptors.create(dnnDeviceProperties);
    descriptors.set(description, dnnDeviceJson, dnnCharType,
                    std::vector<char>(device.json.begin(), device.json.end()));
    descriptors.finalize(description, "the description of a GPU");
  }
  DnnDescriptor operations = descriptors.create(dnnOperationGraph);
  descriptors.set(operations, dnnGraphOperations, dnnDescriptorType,
                  graph.operations);
  if (device.handle)
    descriptors.set(operations, dnnGraphHandle, dnnHandleType, device.handle);
  descriptors.finalize(operations, "a graph");
  std::vector<DnnDescriptor> configs =
      engine ? configure(operations, *engine, description)
             : choose(operations, device, description);
  for (DnnDescriptor config : configs)
    if (!plan)
      build(config, device);
  problem = descriptors.getProblem();
  if (problem.empty() && !plan)
    problem = concat("cuDNN builds none of the ", configs.size(),
                     " plans that it proposes");
}

void Plan::execute(
    DnnHandle handle,
    const std::vector<std::pair<int64_t, const void *>> &addresses,
    void *workspace) const {
  std::vector<int64_t> ids;
  std::vector<const void *> pointers;
  for (auto [id, pointer] : addresses) {
    ids.push_back(id);
    pointers.push_back(pointer);
  }
  Descriptors pack;
  DnnDescriptor given = pack.create(dnnVariantPack);
  pack.set(given, dnnPackIds, dnnInt64Type, ids);
  pack.set(given, dnnPackPointers, dnnPointerType, pointers);
  pack.set(given, dnnPackWorkspace, dnnPointerType, workspace);
  pack.finalize(given, "the addresses of tensors");
  if (pack.getProblem().empty())
    pack.check(functions().cudnnBackendExecute(handle, plan, given),
               "to run a plan");
  if (!pack.getProblem().empty())
    abortProgram(pack.getProblem());
}
