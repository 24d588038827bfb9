//===- CudnnDescriptors.cpp - Descriptors of cuDNN's backend --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudnnDescriptors.h"
#include "Provider.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace boost_emu;
using namespace boost_emu::cudnn;
using namespace boost_rt::vendor;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {

struct Rule {
  int type;
  bool isRequired;
};

using Rules = std::map<int, Rule>;

} // namespace

/// The attributes of each kind. Those of results are never set.
static const std::map<int, Rules> &getRules() {
  static const std::map<int, Rules> rules = {
      {dnnTensor,
       {{dnnTensorId, {dnnInt64Type, true}},
        {dnnTensorType, {dnnDataTypeType, true}},
        {dnnTensorDimensions, {dnnInt64Type, true}},
        {dnnTensorStrides, {dnnInt64Type, true}},
        {dnnTensorAlignment, {dnnInt64Type, true}},
        {dnnTensorIsVirtual, {dnnBooleanType, false}},
        {dnnTensorIsByValue, {dnnBooleanType, false}}}},
      {dnnMatmul, {{dnnMatmulPrecision, {dnnDataTypeType, true}}}},
      {dnnMatmulOperation,
       {{dnnMatmulDescription, {dnnDescriptorType, true}},
        {dnnMatmulA, {dnnDescriptorType, true}},
        {dnnMatmulB, {dnnDescriptorType, true}},
        {dnnMatmulC, {dnnDescriptorType, true}}}},
      {dnnPointwise,
       {{dnnPointwiseMode, {dnnPointwiseModeType, true}},
        {dnnPointwisePrecision, {dnnDataTypeType, true}},
        {dnnPointwiseAxis, {dnnInt64Type, false}}}},
      {dnnPointwiseOperation,
       {{dnnPointwiseDescription, {dnnDescriptorType, true}},
        {dnnPointwiseX, {dnnDescriptorType, true}},
        {dnnPointwiseB, {dnnDescriptorType, false}},
        {dnnPointwiseT, {dnnDescriptorType, false}},
        {dnnPointwiseY, {dnnDescriptorType, true}}}},
      {dnnReduction,
       {{dnnReductionOperator, {dnnReductionOperatorType, true}},
        {dnnReductionPrecision, {dnnDataTypeType, true}}}},
      {dnnReductionOperation,
       {{dnnReductionDescription, {dnnDescriptorType, true}},
        {dnnReductionX, {dnnDescriptorType, true}},
        {dnnReductionY, {dnnDescriptorType, true}}}},
      {dnnReshapeOperation,
       {{dnnReshapeX, {dnnDescriptorType, true}},
        {dnnReshapeY, {dnnDescriptorType, true}}}},
      {dnnOperationGraph,
       {{dnnGraphHandle, {dnnHandleType, true}},
        {dnnGraphOperations, {dnnDescriptorType, true}}}},
      {dnnEngineHeuristics,
       {{dnnHeuristicsGraph, {dnnDescriptorType, true}},
        {dnnHeuristicsMode, {dnnHeuristicModeType, true}},
        {dnnHeuristicsResults, {dnnDescriptorType, false}}}},
      {dnnEngine,
       {{dnnEngineGraph, {dnnDescriptorType, true}},
        {dnnEngineIndex, {dnnInt64Type, true}}}},
      {dnnKnobChoice,
       {{dnnKnobType, {dnnKnobTypeType, true}},
        {dnnKnobValue, {dnnInt64Type, true}}}},
      {dnnEngineConfig,
       {{dnnConfigEngine, {dnnDescriptorType, true}},
        {dnnConfigKnobs, {dnnDescriptorType, false}}}},
      {dnnExecutionPlan,
       {{dnnPlanHandle, {dnnHandleType, true}},
        {dnnPlanConfig, {dnnDescriptorType, true}},
        {dnnPlanWorkspaceBytes, {dnnInt64Type, false}}}},
      {dnnVariantPack,
       {{dnnPackIds, {dnnInt64Type, true}},
        {dnnPackPointers, {dnnPointerType, true}},
        {dnnPackWorkspace, {dnnPointerType, false}}}}};
  return rules;
}

static size_t getElementBytes(int type) {
  switch (type) {
  case dnnBooleanType:
    return 1;
  case dnnHandleType:
  case dnnInt64Type:
  case dnnPointerType:
  case dnnDescriptorType:
    return 8;
  default:
    return 4;
  }
}

static std::string nameOf(int attribute) {
  return "attribute " + std::to_string(attribute);
}

/// Throws unless the attribute is one of this kind and type.
static void checkAttribute(int kind, int name, int type) {
  const Rules &rules = getRules().at(kind);
  auto rule = rules.find(name);
  if (rule == rules.end())
    throw Refusal(dnnBadParam, nameOf(name) +
                                   " is none of a descriptor of kind " +
                                   std::to_string(kind));
  if (rule->second.type != type)
    throw Refusal(wrongAttributeType, nameOf(name) + " has another type");
}

void Descriptor::set(int name, int type, int64_t count, const void *values) {
  if (isFinalized)
    throw Refusal(dnnBadParam, "a finalized descriptor is changed");
  checkAttribute(kind, name, type);
  if (count <= 0 || !values)
    throw Refusal(dnnBadParam, nameOf(name) + " is given no values");
  Attribute attribute;
  if (type == dnnDescriptorType) {
    const auto *handles = static_cast<const DnnDescriptor *>(values);
    for (int64_t i = 0; i < count; ++i) {
      attribute.descriptors.push_back(lookUp(handles[i]));
      if (!attribute.descriptors.back()->isFinalized)
        throw Refusal(notFinalized,
                      nameOf(name) + " is a descriptor that is not finalized");
    }
  } else {
    const char *bytes = static_cast<const char *>(values);
    attribute.bytes.assign(bytes, bytes + static_cast<size_t>(count) *
                                              getElementBytes(type));
  }
  attributes[name] = std::move(attribute);
}

void Descriptor::get(int name, int type, int64_t requested, int64_t *count,
                     void *values) const {
  if (!isFinalized)
    throw Refusal(dnnNotInitialized, "a descriptor is not finalized");
  checkAttribute(kind, name, type);
  auto found = attributes.find(name);
  if (found == attributes.end()) {
    *count = 0;
    return;
  }
  const Attribute &attribute = found->second;
  bool areDescriptors = type == dnnDescriptorType;
  size_t available = areDescriptors
                         ? attribute.descriptors.size()
                         : attribute.bytes.size() / getElementBytes(type);
  if (requested == 0 || !values) {
    *count = static_cast<int64_t>(available);
    return;
  }
  size_t taken = std::min(available, static_cast<size_t>(requested));
  *count = static_cast<int64_t>(taken);
  if (!areDescriptors) {
    std::memcpy(values, attribute.bytes.data(), taken * getElementBytes(type));
    return;
  }
  const auto *handles = static_cast<const DnnDescriptor *>(values);
  for (size_t i = 0; i < taken; ++i) {
    DescriptorRef target = lookUp(handles[i]);
    const Descriptor &source = *attribute.descriptors[i];
    if (target->kind != source.kind || target->isFinalized)
      throw Refusal(dnnBadParam, nameOf(name) + " needs descriptors of kind " +
                                     std::to_string(source.kind));
    target->attributes = source.attributes;
    target->graph = source.graph;
    target->isFinalized = true;
  }
}

void Descriptor::setNumber(int name, int64_t value) {
  const char *bytes = reinterpret_cast<const char *>(&value);
  attributes[name].bytes.assign(bytes, bytes + sizeof(value));
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

Descriptor::Descriptor(int kind) : kind(kind) {
  if (kind == dnnDeviceProperties)
    throw Refusal(dnnNotSupported, "no GPU but the emulated one is known");
  if (!getRules().count(kind))
    throw Refusal(allocationFailed,
                  "no descriptor of kind " + std::to_string(kind));
}

/// Returns the descriptor that an attribute names, which must be of one kind.
static const Descriptor &getReferenced(const Descriptor &from, int name,
                                       int kind) {
  const Descriptor &found = *from.getDescriptors(name).front();
  if (found.getKind() != kind)
    throw Refusal(dnnBadParam, nameOf(name) + " is no descriptor of kind " +
                                   std::to_string(kind));
  return found;
}

void Descriptor::finalizeTensor() {
  tensor.id = getOne<int64_t>(dnnTensorId);
  tensor.type = getOne<int>(dnnTensorType);
  tensor.dims = getAll<int64_t>(dnnTensorDimensions);
  tensor.strides = getAll<int64_t>(dnnTensorStrides);
  tensor.alignment = getOne<int64_t>(dnnTensorAlignment);
  auto isSet = [&](int name) { return has(name) && getOne<bool>(name); };
  tensor.isVirtual = isSet(dnnTensorIsVirtual);
  tensor.isByValue = isSet(dnnTensorIsByValue);
  if (tensor.dims.size() != tensor.strides.size())
    throw Refusal(dnnBadParam, "a tensor has more dimensions than strides, or "
                               "less");
  auto isPositive = [](int64_t value) { return value > 0; };
  if (!std::all_of(tensor.dims.begin(), tensor.dims.end(), isPositive) ||
      !std::all_of(tensor.strides.begin(), tensor.strides.end(), isPositive))
    throw Refusal(dnnBadParam, "a tensor has a dimension or stride of 0");
  static const std::set<int> types = {dnnFloat, dnnHalf, dnnInt32, dnnBFloat16,
                                      dnnBoolean};
  if (!types.count(tensor.type))
    throw Refusal(dnnNotSupported, "a tensor has an unknown type");
  bool isNumber = tensor.getNumElements() == 1 && tensor.type == dnnFloat;
  if (tensor.isByValue && (tensor.isVirtual || !isNumber))
    throw Refusal(dnnBadParam, "a tensor by value is not one f32");
}

void Descriptor::finalizeOperation() {
  auto use = [&](int name) -> const Tensor & {
    return getReferenced(*this, name, dnnTensor).tensor;
  };
  auto describedBy = [&](int name,
                         int kindOfDescription) -> const Descriptor & {
    return getReferenced(*this, name, kindOfDescription);
  };
  if (kind == dnnMatmulOperation) {
    const Descriptor &how = describedBy(dnnMatmulDescription, dnnMatmul);
    operation.kind = OperationKind::Matmul;
    operation.computeType = how.getOne<int>(dnnMatmulPrecision);
    operation.inputs = {use(dnnMatmulA), use(dnnMatmulB)};
    operation.result = use(dnnMatmulC);
  } else if (kind == dnnPointwiseOperation) {
    const Descriptor &how = describedBy(dnnPointwiseDescription, dnnPointwise);
    operation.kind = OperationKind::Pointwise;
    operation.computeType = how.getOne<int>(dnnPointwisePrecision);
    operation.mode = how.getOne<int>(dnnPointwiseMode);
    if (how.has(dnnPointwiseAxis))
      operation.axis = how.getOne<int64_t>(dnnPointwiseAxis);
    for (int name : {dnnPointwiseX, dnnPointwiseB, dnnPointwiseT})
      if (has(name))
        operation.inputs.push_back(use(name));
    operation.result = use(dnnPointwiseY);
  } else if (kind == dnnReductionOperation) {
    const Descriptor &how = describedBy(dnnReductionDescription, dnnReduction);
    operation.kind = OperationKind::Reduction;
    operation.computeType = how.getOne<int>(dnnReductionPrecision);
    operation.mode = how.getOne<int>(dnnReductionOperator);
    operation.inputs = {use(dnnReductionX)};
    operation.result = use(dnnReductionY);
  } else {
    operation.kind = OperationKind::Reshape;
    operation.inputs = {use(dnnReshapeX)};
    operation.result = use(dnnReshapeY);
  }
  std::string mistake = findMistake(operation);
  if (!mistake.empty())
    throw Refusal(dnnBadParam, mistake);
}

void Descriptor::finalizeGraph() {
  std::vector<Operation> operations;
  static const std::set<int> kinds = {dnnMatmulOperation, dnnPointwiseOperation,
                                      dnnReductionOperation,
                                      dnnReshapeOperation};
  for (const DescriptorRef &each : getDescriptors(dnnGraphOperations)) {
    if (!kinds.count(each->kind))
      throw Refusal(dnnBadParam, "a graph of what is no operation");
    operations.push_back(each->operation);
  }
  graph = std::make_shared<Graph>();
  std::string mistake = assemble(operations, *graph);
  if (!mistake.empty())
    throw Refusal(dnnBadParam, mistake);
}

/// The one engine.
static constexpr int64_t kEngineIndex = 6;

/// A graph that no engine takes has no results, as in cuDNN.
void Descriptor::finalizeHeuristics() {
  if (getOne<int>(dnnHeuristicsMode) != dnnHeuristicsA)
    throw Refusal(dnnNotSupported, "the heuristics have one mode");
  graph = getReferenced(*this, dnnHeuristicsGraph, dnnOperationGraph).graph;
  attributes[dnnHeuristicsResults];
  std::string problem = findUnsupported(*graph);
  if (!problem.empty()) {
    report("cuDNN has no engine for a graph: " + problem);
    return;
  }
  auto engine = std::make_shared<Descriptor>(dnnEngine);
  engine->attributes[dnnEngineGraph] = attributes.at(dnnHeuristicsGraph);
  engine->setNumber(dnnEngineIndex, kEngineIndex);
  engine->finalize();
  auto config = std::make_shared<Descriptor>(dnnEngineConfig);
  config->attributes[dnnConfigEngine].descriptors = {engine};
  config->finalize();
  attributes[dnnHeuristicsResults].descriptors = {config};
}

void Descriptor::finalizeEngine() {
  graph = getReferenced(*this, dnnEngineGraph, dnnOperationGraph).graph;
  if (getOne<int64_t>(dnnEngineIndex) != kEngineIndex)
    throw Refusal(dnnNotSupported,
                  "the only engine is " + std::to_string(kEngineIndex));
  std::string problem = findUnsupported(*graph);
  if (!problem.empty())
    throw Refusal(dnnNotSupported, problem);
}

void Descriptor::finalizePlan() {
  if (refusedByCapture("building a plan of cuDNN"))
    throw Refusal(dnnNotSupported, "a plan is built during a capture");
  graph = getReferenced(*this, dnnPlanConfig, dnnEngineConfig).graph;
  setNumber(dnnPlanWorkspaceBytes, cudnn::getWorkspaceBytes(*graph));
}

void Descriptor::finalizePack() const {
  auto ids = getAll<int64_t>(dnnPackIds);
  if (ids.size() != getAll<void *>(dnnPackPointers).size())
    throw Refusal(dnnBadParam, "more ids than pointers, or less");
  if (std::set<int64_t>(ids.begin(), ids.end()).size() != ids.size())
    throw Refusal(duplicatedEntries, "an id is given two pointers");
}

void Descriptor::finalize() {
  if (isFinalized)
    throw Refusal(dnnBadParam, "a descriptor is finalized twice");
  for (const auto &[name, rule] : getRules().at(kind))
    if (rule.isRequired && !has(name))
      throw Refusal(dnnBadParam, nameOf(name) + " is not set");
  switch (kind) {
  case dnnTensor:
    finalizeTensor();
    break;
  case dnnMatmulOperation:
  case dnnPointwiseOperation:
  case dnnReductionOperation:
  case dnnReshapeOperation:
    finalizeOperation();
    break;
  case dnnOperationGraph:
    finalizeGraph();
    break;
  case dnnEngineHeuristics:
    finalizeHeuristics();
    break;
  case dnnEngine:
    finalizeEngine();
    break;
  case dnnEngineConfig:
    graph = getReferenced(*this, dnnConfigEngine, dnnEngine).graph;
    break;
  case dnnExecutionPlan:
    finalizePlan();
    break;
  case dnnVariantPack:
    finalizePack();
    break;
  default:
    break;
  }
  isFinalized = true;
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

static std::map<DnnDescriptor, DescriptorRef> &getLiving() {
  static std::map<DnnDescriptor, DescriptorRef> living;
  return living;
}

DescriptorRef boost_emu::cudnn::lookUp(DnnDescriptor descriptor) {
  auto found = getLiving().find(descriptor);
  if (found == getLiving().end())
    throw Refusal(dnnBadParam, "a descriptor that there is not");
  return found->second;
}

DnnDescriptor boost_emu::cudnn::create(int kind) {
  auto descriptor = std::make_shared<Descriptor>(kind);
  getLiving()[descriptor.get()] = descriptor;
  return descriptor.get();
}

void boost_emu::cudnn::destroy(DnnDescriptor descriptor) {
  lookUp(descriptor);
  getLiving().erase(descriptor);
}
