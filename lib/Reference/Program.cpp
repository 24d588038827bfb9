//===- Program.cpp - Evaluating functions on global tensors ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Program.h"

#include "Elements.h"
#include "ProgramRun.h"
#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::reference;

LogicalResult Program::readMesh(ModuleOp module) {
  auto level = module->getAttrOfType<StringAttr>(kLevelAttr);
  isLocal = level && level == kSpmdLevel;
  auto grid = module.lookupSymbol<shard::GridOp>(kMeshSymbol);
  if (!grid || !isLocal)
    return success();
  mesh.assign(grid.getShape().begin(), grid.getShape().end());
  auto axes = grid->getAttrOfType<ArrayAttr>(kAxesAttr);
  if (!axes || axes.size() != mesh.size())
    return grid.emitError() << "expects one name per axis in " << kAxesAttr;
  for (Attribute axis : axes)
    axisNames.push_back(cast<StringAttr>(axis).getValue());
  return success();
}

FailureOr<Program> Program::create(ModuleOp module, StringRef name) {
  Program program;
  program.op = module.lookupSymbol(name);
  auto schedule = dyn_cast_or_null<ScheduleOp>(program.op);
  if (!schedule && !isa_and_nonnull<func::FuncOp>(program.op))
    return module.emitError() << "has no function @" << name;
  if (failed(program.readMesh(module)))
    return failure();
  program.storedValues = getConstants(module);
  SmallVector<func::FuncOp> functions;
  if (schedule)
    for (CalledFunction called : getCalledFunctions(schedule))
      functions.push_back(cast<func::FuncOp>(called.function.getOperation()));
  else
    functions.push_back(cast<func::FuncOp>(program.op));
  for (func::FuncOp function : functions)
    if (failed(program.add(function)))
      return failure();
  program.nameTensors();
  return program;
}

LogicalResult Program::add(func::FuncOp op) {
  Function function{op, {}, {}};
  for (unsigned i : llvm::seq(op.getNumArguments())) {
    FailureOr<Binding> input =
        bind(getArgName(op, i), op.getArgumentTypes()[i], op.getArgAttrDict(i));
    if (failed(input))
      return failure();
    addConstants(*input, op.getArgAttrDict(i));
    function.inputs.push_back(std::move(*input));
  }
  for (unsigned i : llvm::seq(op.getNumResults())) {
    FailureOr<Binding> output = bind(
        getResultName(op, i), op.getResultTypes()[i], op.getResultAttrDict(i));
    if (failed(output))
      return failure();
    function.outputs.push_back(std::move(*output));
  }
  functions.push_back(std::move(function));
  return checkMemory(op, op.getArgumentTypes(),
                     ShapedType::getNumElements(mesh));
}

/// Reads the value of an input that is a constant, or of each in it, if the
/// module has them.
void Program::addConstants(const Binding &input, DictionaryAttr attrs) {
  if (!storedValues || !isConstant(input.logical.tensor))
    return;
  std::optional<StackedRows> rows = getStackedRows(attrs);
  auto addOne = [&](StringRef name, RankedTensorType type) {
    auto value =
        storedValues.getAs<DenseElementsAttr>(rows ? getWholeName(name) : name);
    if (!value)
      return;
    Tensor whole(RankedTensorType::get(value.getType().getShape(),
                                       type.getElementType()));
    readElements(value, whole);
    Index start(type.getRank(), 0);
    if (rows)
      start.front() = rows->first;
    Tensor taken = extract(whole, start, type.getShape());
    roundToType(taken);
    constants[name] = std::move(taken);
  };
  for (PartAttr part : input.parts)
    addOne(part.getName(), input.logical.type.clone(part.getShape()));
  if (input.parts.empty())
    addOne(input.logical.name, input.logical.type);
}

int64_t Program::countMicroBatches() const {
  auto schedule = dyn_cast<ScheduleOp>(op);
  return schedule ? static_cast<int64_t>(schedule.getMicroBatches()) : 1;
}

/// Returns true for what only functions of a schedule tell one another.
bool Program::isHidden(const Binding &binding) const {
  return isa<ScheduleOp>(op) &&
         (hasRole(binding.logical.tensor, TensorRole::Kept) ||
          hasRole(binding.logical.tensor, TensorRole::Accumulator));
}

/// Returns an input as the program takes it: with the rows of all
/// micro-batches.
Program::Binding Program::getWhole(const Binding &input) const {
  Binding whole = input;
  int64_t count = countMicroBatches();
  if (count == 1 || !hasRole(input.logical.tensor, TensorRole::Batch))
    return whole;
  SmallVector<int64_t> shape(input.logical.type.getShape());
  if (shape.empty())
    shape.push_back(1);
  shape.front() *= count;
  whole.logical.type = input.logical.type.clone(shape);
  return whole;
}

/// Names what users give and get, each tensor of a schedule once.
void Program::nameTensors() {
  auto add = [&](const Binding &binding, SmallVector<NamedType> &named) {
    auto addOne = [&](NamedType one) {
      if (!constants.contains(one.name))
        named.push_back(std::move(one));
    };
    for (PartAttr part : binding.parts)
      addOne({part.getName().str(), binding.logical.type.clone(part.getShape()),
              /*idLimit=*/0, binding.logical.tensor, part.getOf()});
    if (binding.parts.empty())
      addOne(binding.logical);
  };
  llvm::StringSet<> given, taken;
  for (const Function &function : functions) {
    for (const Binding &input : function.inputs)
      if (!isHidden(input) && taken.insert(input.logical.name).second)
        add(getWhole(input), namedInputs);
    for (const Binding &output : function.outputs) {
      if (isHidden(output) || !given.insert(output.logical.name).second)
        continue;
      outputs.push_back(output);
      add(output, namedOutputs);
    }
  }
}

LogicalResult Program::findAxes(ArrayAttr names,
                                SmallVectorImpl<int16_t> &axes) const {
  for (auto name : names.getAsRange<StringAttr>()) {
    const auto *found = llvm::find(axisNames, name.getValue());
    if (found == axisNames.end())
      return op->emitError() << "expects a mesh with axis " << name;
    axes.push_back(static_cast<int16_t>(found - axisNames.begin()));
  }
  return success();
}

FailureOr<Program::Binding> Program::bind(std::string name, Type type,
                                          DictionaryAttr attrs) const {
  Binding binding;
  FailureOr<NamedType> logical =
      describe(std::move(name), type, attrs, binding.form);
  if (failed(logical))
    return failure();
  binding.logical = *logical;
  binding.parts = getParts(attrs);
  return binding;
}

FailureOr<NamedType> Program::describe(std::string name, Type type,
                                       DictionaryAttr attrs, Form &form) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return op->emitError()
           << "expects statically shaped tensors to evaluate, but got " << type;
  NamedType named;
  named.name = std::move(name);
  named.tensor = getTensor(attrs);
  named.of = named.tensor ? named.tensor.getOwner() : StringAttr();
  if (auto limit =
          attrs ? attrs.getAs<IntegerAttr>(kIdLimitAttr) : IntegerAttr())
    named.idLimit = limit.getInt();

  form.dims.resize(tensor.getRank());
  SmallVector<int64_t> shape(tensor.getShape());
  auto sharding =
      attrs ? attrs.getAs<ShardingAttr>(kShardingAttr) : ShardingAttr();
  if (isLocal && sharding) {
    if (sharding.getReduction() != Reduction::Sum)
      return op->emitError() << "expects a partial sum, but got " << sharding
                             << " for '" << named.name << "'";
    if (failed(findAxes(sharding.getPartialNames(), form.partial)))
      return failure();
    for (auto [dim, axes] : llvm::enumerate(sharding.getDimAxes())) {
      if (failed(findAxes(axes, form.dims[dim])))
        return failure();
      for (int16_t axis : form.dims[dim])
        if (llvm::MulOverflow(shape[dim], mesh[axis], shape[dim]))
          return op->emitError()
                 << "expects fewer than 2^63 elements in dimension " << dim
                 << " of '" << named.name << "' on all ranks";
    }
  }
  named.type = RankedTensorType::get(shape, tensor.getElementType());
  return named;
}

/// Returns the begin of the part of `rank`, given the extents of a part.
static Index partStart(int64_t rank, ArrayRef<int64_t> sizes,
                       ArrayRef<SmallVector<int16_t, 2>> dims,
                       const Evaluator &evaluator) {
  Index start;
  for (auto [size, axes] : llvm::zip_equal(sizes, dims))
    start.push_back(axes.empty() ? 0 : evaluator.position(rank, axes) * size);
  return start;
}

/// The first of the ranks that hold terms of a sum gets it, the others zero.
RankValues Program::shard(const Tensor &tensor, const Form &form,
                          const Evaluator &evaluator) const {
  SmallVector<int64_t> sizes(tensor.shape());
  for (auto [size, axes] : llvm::zip_equal(sizes, form.dims))
    for (int16_t axis : axes)
      size /= mesh[axis];
  RankValues parts;
  for (int64_t rank = 0; rank < evaluator.ranks(); ++rank) {
    parts.push_back(
        extract(tensor, partStart(rank, sizes, form.dims, evaluator), sizes));
    if (!form.partial.empty() && evaluator.position(rank, form.partial) > 0)
      parts.back() = Tensor(parts.back().type);
  }
  return parts;
}

/// Returns the values that every rank would hold if the terms of sums were
/// added. Ranks of other pipeline stages have none.
static RankValues addTerms(const RankValues &parts, ArrayRef<int16_t> axes,
                           const Evaluator &evaluator) {
  RankValues sums = parts;
  for (auto [rank, sum] : llvm::enumerate(sums)) {
    if (!sum.type)
      continue;
    sum = Tensor(sum.type);
    for (int64_t member : evaluator.group(static_cast<int64_t>(rank), axes)) {
      for (auto [total, term] : llvm::zip_equal(sum.data, parts[member].data))
        total += term;
      for (auto [total, term] :
           llvm::zip_equal(sum.integers, parts[member].integers))
        total = wrapInteger(static_cast<uint64_t>(total) +
                                static_cast<uint64_t>(term),
                            sum.elementType());
    }
  }
  return sums;
}

FailureOr<Tensor> Program::join(const RankValues &parts,
                                const NamedType &result, const Form &form,
                                const Evaluator &evaluator,
                                double agreement) const {
  if (!form.partial.empty())
    return join(addTerms(parts, form.partial, evaluator), result,
                {form.dims, {}}, evaluator, agreement);
  Tensor joined(result.type);
  for (auto [rank, part] : llvm::enumerate(parts))
    if (part.type)
      insert(joined, part,
             partStart(static_cast<int64_t>(rank), part.shape(), form.dims,
                       evaluator));
  // Every rank that has it must hold what was joined: copies agree.
  for (auto [rank, own] : llvm::enumerate(shard(joined, form, evaluator))) {
    if (!parts[rank].type)
      continue;
    double scale = 0;
    for (double value : own.data)
      scale = std::max(scale, std::abs(value));
    for (size_t i = 0; i < own.size(); ++i) {
      const Tensor &part = parts[rank];
      bool differs =
          own.isFloat()
              ? std::abs(own.data[i] - part.data[i]) > agreement * scale
              : agreement < 1 && own.integers[i] != part.integers[i];
      if (differs)
        return op->emitError()
               << "result '" << result.name << "' differs between ranks: rank "
               << rank << " has " << part.spell(i) << " where another has "
               << own.spell(i);
    }
  }
  return joined;
}

/// Returns the begin of a part in its packed tensor, and its extents there.
static std::pair<Index, Index> getBox(PartAttr part, int64_t packedRank) {
  Index start(packedRank, 0), sizes(part.getShape().asArrayRef());
  start[part.getDim()] = part.getOffset();
  if (part.isStacked(packedRank))
    sizes.insert(sizes.begin() + part.getDim(), 1);
  return {start, sizes};
}

FailureOr<const Tensor *> Program::find(const NamedTensors &inputTensors,
                                        StringRef name,
                                        RankedTensorType type) const {
  for (const NamedTensors *tensors : {&constants, &inputTensors}) {
    auto it = tensors->find(name);
    if (it != tensors->end() && it->second.type == type)
      return &it->second;
  }
  return op->emitError() << "expects an input '" << name << "' of type "
                         << type;
}

FailureOr<Tensor> Program::pack(const NamedTensors &inputTensors,
                                const Binding &binding) const {
  if (binding.parts.empty()) {
    FailureOr<const Tensor *> input =
        find(inputTensors, binding.logical.name, binding.logical.type);
    return failed(input) ? FailureOr<Tensor>(failure()) : Tensor(**input);
  }
  Tensor packed(binding.logical.type);
  for (PartAttr part : binding.parts) {
    FailureOr<const Tensor *> input =
        find(inputTensors, part.getName(), packed.type.clone(part.getShape()));
    if (failed(input))
      return failure();
    auto [start, sizes] = getBox(part, packed.rank());
    Tensor box = **input;
    box.type = box.type.clone(sizes);
    insert(packed, box, start);
  }
  return packed;
}

void Program::unpack(Tensor tensor, const Binding &binding,
                     NamedTensors &results) const {
  for (PartAttr part : binding.parts) {
    auto [start, sizes] = getBox(part, tensor.rank());
    Tensor taken = extract(tensor, start, sizes);
    taken.type = taken.type.clone(part.getShape());
    results[part.getName()] = std::move(taken);
  }
  if (binding.parts.empty())
    results[binding.logical.name] = std::move(tensor);
}

FailureOr<NamedTensors> Program::run(const NamedTensors &inputTensors,
                                     const Precision &precision,
                                     double agreement,
                                     ProbeHandler onProbe) const {
  Evaluator evaluator(mesh, precision);
  evaluator.setProbeHandler(std::move(onProbe));
  ProgramRun run(*this, inputTensors, evaluator);
  if (failed(run.run()))
    return failure();
  return run.takeResults(agreement);
}

/// A sum of twelve uniform numbers, of mean 0 and variance 1: near enough to a
/// normal number, and without a function of libm, so that every machine draws
/// the same.
static double drawNormal(std::mt19937_64 &engine) {
  double sum = -6;
  for (int i = 0; i < 12; ++i)
    sum += static_cast<double>(engine() >> 11) * 0x1p-53;
  return sum;
}

NamedTensors mlir::boost::reference::randomInputs(ArrayRef<NamedType> arguments,
                                                  uint64_t seed) {
  NamedTensors inputs;
  for (const NamedType &argument : arguments) {
    Tensor tensor(argument.type);
    std::mt19937_64 engine(seed ^ llvm::xxh3_64bits(argument.name));
    bool positive = hasRole(argument.tensor, TensorRole::State) ||
                    argument.type.getRank() == 0;
    uint64_t limit = argument.idLimit > 0 ? argument.idLimit : 2;
    for (int64_t &value : tensor.integers)
      value = static_cast<int64_t>(engine() % limit);
    // Such numbers have ranges: a decay rate is below 1.
    FloatAttr sample = hasRole(argument.tensor, TensorRole::Hyper)
                           ? argument.tensor.getSample()
                           : FloatAttr();
    for (double &value : tensor.data) {
      value = 0.5 * drawNormal(engine);
      if (sample)
        value = sample.getValueAsDouble() / (1 + std::abs(value));
      else if (positive)
        value = std::abs(value) + 0.5;
    }
    roundToType(tensor);
    inputs[argument.name] = std::move(tensor);
  }
  return inputs;
}
