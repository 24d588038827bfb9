//===- Cases.cpp - One table of operations for all rules ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/InitAll.h"
#include "boost-mlir/Interfaces/DifferentiableOpInterface.h"
#include "boost-mlir/Reference/Comparison.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::test;
using namespace mlir::boost::reference;

static constexpr llvm::StringLiteral kPositiveAttr = "test.positive";
static constexpr double kLeastPositive = 0.3;

bool test::isFloat(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isa<FloatType>(tensor.getElementType());
}

bool Case::isDifferentiable() {
  return isa<DifferentiableOpInterface>(op) &&
         llvm::any_of(function.getArgumentTypes(), isFloat) &&
         llvm::any_of(function.getResultTypes(), isFloat);
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

CaseTable &CaseTable::get() {
  static CaseTable table;
  return table;
}

CaseTable::CaseTable() : context(MLIRContext::Threading::DISABLED) {
  DialectRegistry registry;
  boost::registerAllDialects(registry);
  boost::registerAllPasses();
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects();

  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(BOOST_MLIR_CASES_DIR, error),
       end;
       !error && entry != end; entry.increment(error))
    if (llvm::sys::path::extension(entry->path()) == ".mlir")
      paths.push_back(entry->path());
  llvm::sort(paths);
  for (const std::string &path : paths) {
    auto module = parseSourceFile<ModuleOp>(path, &context);
    if (!module)
      llvm::report_fatal_error("cannot parse a file of cases");
    add(*module);
    modules.push_back(std::move(module));
  }
}

void CaseTable::add(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    Operation *end = function.front().getTerminator();
    cases.push_back({function, end->getOperand(0).getDefiningOp()});
  }
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

void Tally::add(StringRef op, unsigned column, unsigned count) {
  std::vector<unsigned> &row = rows[op.str()];
  row.resize(columns.size());
  row[column] += count;
}

unsigned Tally::get(StringRef op, unsigned column) const {
  auto row = rows.find(op.str());
  return row == rows.end() ? 0 : row->second[column];
}

void Tally::print(StringRef title) const {
  auto printRow = [](StringRef name, ArrayRef<unsigned> counts) {
    llvm::outs() << llvm::format("%-34s", name.str().c_str());
    for (unsigned count : counts)
      llvm::outs() << llvm::format("%12u", count);
    llvm::outs() << "\n";
  };
  llvm::outs() << llvm::format("%-34s", title.str().c_str());
  for (const std::string &column : columns)
    llvm::outs() << llvm::format("%12s", column.c_str());
  llvm::outs() << "\n";
  std::vector<unsigned> totals(columns.size(), 0);
  for (const auto &[op, counts] : rows) {
    printRow(op, counts);
    for (auto [total, count] : llvm::zip_equal(totals, counts))
      total += count;
  }
  printRow((Twine(rows.size()) + " operations").str(), totals);
  llvm::outs().flush();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> test::makeModule(MLIRContext *context, const Mesh *mesh) {
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  if (!mesh)
    return module;
  builder.setInsertionPointToStart(module->getBody());
  SmallVector<int64_t> sizes;
  SmallVector<Attribute> names;
  for (unsigned axis = 0; axis < mesh->getNumAxes(); ++axis) {
    sizes.push_back(mesh->getAxisSize(axis));
    names.push_back(builder.getStringAttr(mesh->getAxisName(axis)));
  }
  auto grid = shard::GridOp::create(builder, loc, kMeshSymbol, sizes);
  grid->setAttr(kAxesAttr, builder.getArrayAttr(names));
  return module;
}

static TensorAttr describe(MLIRContext *context, TensorRole role,
                           const Twine &name) {
  return TensorAttr::get(role, StringAttr::get(context, name));
}

/// The sum of `value` times a new batch argument, in f64.
static Value addWeighted(func::FuncOp function, OpBuilder &builder,
                         Value value) {
  Location loc = function.getLoc();
  unsigned index = function.getNumArguments();
  TensorAttr tensor =
      describe(builder.getContext(), TensorRole::Batch, "arg" + Twine(index));
  NamedAttribute attr = builder.getNamedAttr(kTensorAttr, tensor);
  if (failed(function.insertArgument(index, value.getType(),
                                     builder.getDictionaryAttr(attr), loc)))
    llvm::report_fatal_error("cannot add an argument");
  Value product = stablehlo::MulOp::create(builder, loc, value,
                                           function.getArgument(index));
  product = stablehlo::convert(builder, loc, product, builder.getF64Type());
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  return stablehlo::reduceSum(builder, loc, product,
                              llvm::to_vector(llvm::seq<int64_t>(0, rank)));
}

func::FuncOp test::addLoss(Case &from, ModuleOp module) {
  func::FuncOp loss = from.function.clone();
  loss.setName(kLossFunction);
  module.push_back(loss);
  OpBuilder builder(loss.front().getTerminator());
  for (BlockArgument arg : loss.getArguments())
    loss.setArgAttr(
        arg.getArgNumber(), kTensorAttr,
        describe(builder.getContext(),
                 isFloat(arg.getType()) ? TensorRole::Param : TensorRole::Batch,
                 "arg" + Twine(arg.getArgNumber())));

  Operation *end = loss.front().getTerminator();
  SmallVector<Value> results = {Value()};
  for (Value value : llvm::to_vector(end->getOperands())) {
    results.push_back(value);
    if (!isFloat(value.getType()))
      continue;
    Value sum = addWeighted(loss, builder, value);
    results[0] = results[0] ? stablehlo::AddOp::create(builder, loss.getLoc(),
                                                       results[0], sum)
                            : sum;
  }
  if (!results[0])
    results.erase(results.begin());
  end->setOperands(results);
  loss.setType(builder.getFunctionType(loss.getArgumentTypes(),
                                       TypeRange(ValueRange(results))));
  for (unsigned i = 0; i < results.size(); ++i)
    loss.setResultAttr(
        i, kTensorAttr,
        i == 0 ? describe(builder.getContext(), TensorRole::Loss, kLossFunction)
               : describe(builder.getContext(), TensorRole::Output,
                          "result" + Twine(i)));
  return loss;
}

LogicalResult test::runPasses(ModuleOp module, StringRef pipeline) {
  PassManager manager(module.getContext());
  return success(succeeded(parsePassPipeline(pipeline, manager)) &&
                 succeeded(manager.run(module)));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

NamedTensors test::makeInputs(const Program &program, Case &from,
                              uint64_t seed) {
  NamedTensors inputs = randomInputs(program.arguments(), seed);
  for (unsigned i = 0; i < from.function.getNumArguments(); ++i)
    if (from.function.getArgAttr(i, kPositiveAttr))
      for (double &value : inputs[program.arguments()[i].name].data)
        value = std::abs(value) + kLeastPositive;
  return inputs;
}

double test::getDifference(const Tensor &a, const Tensor &b) {
  Difference difference = compareTensors(a, b);
  return difference.absolute / std::max(1.0, difference.scale);
}
