//===- FormSearchTest.cpp - The search against all alternatives -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random blocks, of which every combination of decisions is priced, one after
// the other.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Sharding/FormSearch.h"

#include "boost-mlir/InitAll.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::boost;

static constexpr AxisMask kAxis = 1;
static constexpr AxisMask kRowAxis = 2;
static constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Random blocks
//===----------------------------------------------------------------------===//

namespace {
/// Writes a loss of matrices: linears, sums, products and functions of what is
/// there already, some of it read several times. Rows are sharded over `axis`.
class RandomBlock {
public:
  explicit RandomBlock(unsigned seed, const std::string &axis = "")
      : random(seed), rowAxes(axis) {
    addArgument("batch", 0);
    unsigned decisions = 1;
    while (decisions < 5 + below(2))
      decisions += addOperation(/*mayAddParameter=*/decisions < 5);
  }

  std::string getText() const {
    const auto &[type, name] = values.back();
    return "func.func @loss(" + arguments + ") -> (" + type +
           " {boost.sharding = #boost.sharding<{" + rowAxes + "}, {}>}) {\n" +
           body + "return " + name + " : " + type + "\n}";
  }

private:
  unsigned below(unsigned n) { return random() % n; }
  std::string getType(unsigned columns) const {
    return "tensor<8x" + std::to_string(columns) + "xf32>";
  }
  unsigned drawColumns() { return std::array{4, 6, 8}[below(3)]; }

  std::string addArgument(const std::string &role, unsigned rows) {
    unsigned columns = drawColumns();
    std::string name = "%a" + std::to_string(numArguments++);
    std::string type = rows ? "tensor<" + std::to_string(rows) + "x" +
                                  std::to_string(columns) + "xf32>"
                            : getType(columns);
    if (!arguments.empty())
      arguments += ", ";
    arguments += name + ": " + type + " {boost.sharding = #boost.sharding<{" +
                 (rows ? "" : rowAxes) +
                 "}, {}>, boost.tensor = #boost.tensor<" + role + " \"" +
                 name.substr(1) + "\">}";
    if (!rows) {
      values.push_back({type, name});
      widths.push_back(columns);
    } else {
      weightColumns = columns;
      weightType = type;
    }
    return name;
  }

  /// The number of decisions that it adds.
  unsigned addOperation(bool mayAddParameter) {
    unsigned input = below(values.size());
    auto [type, name] = values[input];
    std::string result = "%v" + std::to_string(values.size());
    if (mayAddParameter && below(2)) {
      std::string weight = addArgument("param", widths[input]);
      std::string to = getType(weightColumns);
      body += result + " = boost.linear " + name + ", " + weight + " : (" +
              type + ", " + weightType + ") -> " + to + "\n";
      values.push_back({to, result});
      widths.push_back(weightColumns);
      return 2;
    }
    std::vector<unsigned> alike;
    for (unsigned i = 0; i < values.size(); ++i)
      if (widths[i] == widths[input])
        alike.push_back(i);
    std::string other = values[alike[below(alike.size())]].second;
    switch (below(3)) {
    case 0:
      body += result + " = stablehlo.tanh " + name + " : " + type + "\n";
      break;
    case 1:
      body += result + " = stablehlo.add " + name + ", " + other + " : " +
              type + "\n";
      break;
    default:
      body += result + " = stablehlo.multiply " + name + ", " + other + " : " +
              type + "\n";
    }
    values.push_back({type, result});
    widths.push_back(widths[input]);
    return 1;
  }

  std::mt19937 random;
  std::string rowAxes;
  unsigned numArguments = 0;
  std::string arguments, body;
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<unsigned> widths;
  unsigned weightColumns = 0;
  std::string weightType;
};

//===----------------------------------------------------------------------===//
// Every combination
//===----------------------------------------------------------------------===//

/// Prices the decisions of a block as FormSearch.h says.
class Exhaustive {
public:
  /// The rows of the batch and of all results are sharded over `rowAxis`.
  Exhaustive(const FunctionShardings &shardings, const Machine &machine,
             AxisMask rowAxis = 0)
      : shardings(shardings), price(shardings.getMesh(), machine),
        rowAxis(rowAxis) {
    const Mesh &mesh = shardings.getMesh();
    if (rowAxis)
      rows[0].push_back(llvm::countr_zero(rowAxis));
    func::FuncOp func = shardings.getFunction();
    for (BlockArgument argument : func.getArguments()) {
      Split given = argument.getArgNumber() == 0 ? rows : Split(2);
      std::vector<Split> splits = {given};
      for (unsigned dim : {0, 1}) {
        Split split = given;
        split[dim].push_back(0);
        if (getTensorType(argument).getDimSize(dim) %
                mesh.getSize(split[dim]) ==
            0)
          splits.push_back(split);
      }
      arguments.push_back(std::move(splits));
    }
    for (const RuledOp &ruled : shardings.getOps()) {
      std::vector<std::pair<AxisUse, Candidate>> ways;
      std::vector<AxisUse> uses = {{kAxis, kNoLoop, {}}};
      for (int loop : llvm::seq<int>(ruled.rule.getLoops().size()))
        uses.push_back({kAxis, loop, {}});
      for (const auto &passed : ruled.rule.getAdditive())
        uses.push_back({kAxis, kNoLoop, passed});
      for (const AxisUse &use : uses) {
        SmallVector<AxisUse> all;
        if (rowAxis)
          all.push_back({rowAxis, kRowLoop, {}});
        all.push_back(use);
        if (auto way = deriveCandidate(mesh, ruled, all); succeeded(way))
          ways.push_back({use, *way});
      }
      operations.push_back(std::move(ways));
    }
  }

  /// From now on the operations and arguments at the two positions decide
  /// alike.
  void tieOperations(unsigned a, unsigned b) {
    ties.push_back({arguments.size() + a, arguments.size() + b});
  }
  void tieArguments(unsigned a, unsigned b) { ties.push_back({a, b}); }

  /// The least price, with arguments sharded as `fixed` says if it does.
  double getMinimum(ArrayRef<FormSearch::ArgumentForm> fixed = {}) {
    return getMinimumIf([&](ArrayRef<Split> splits) {
      return fixed.empty() ||
             llvm::all_of_zip(fixed, splits,
                              [](const auto &form, const Split &split) {
                                return form.split == split;
                              });
    });
  }

  /// The least price of the forms of arguments that `isAllowed`.
  double getMinimumIf(function_ref<bool(ArrayRef<Split>)> isAllowed) {
    SmallVector<unsigned> sizes;
    for (const auto &splits : arguments)
      sizes.push_back(splits.size());
    for (const auto &ways : operations)
      sizes.push_back(ways.size());
    chosen.assign(sizes.size(), 0);
    double least = kInfinity;
    while (true) {
      bool isTied = llvm::all_of(ties, [&](auto tie) {
        return chosen[tie.first] == chosen[tie.second];
      });
      if (isTied) {
        SmallVector<Split> splits;
        for (size_t i = 0; i < arguments.size(); ++i)
          splits.push_back(getArgument(i));
        if (isAllowed(splits))
          least = std::min(least, getPrice());
      }
      size_t i = 0;
      while (i < sizes.size() && ++chosen[i] == sizes[i])
        chosen[i++] = 0;
      if (i == sizes.size())
        return least;
    }
  }

private:
  const Split &getArgument(size_t index) const {
    return arguments[index][chosen[index]];
  }
  const std::pair<AxisUse, Candidate> &getWay(size_t index) const {
    return operations[index][chosen[arguments.size() + index]];
  }

  double getPrice() {
    /// Each form in which a value is read, and its gradient in that form.
    DenseMap<Value, LocalForm> made;
    DenseMap<Value, SmallVector<std::pair<LocalForm, AxisMask>>> read;
    DenseSet<Value> active;
    func::FuncOp func = shardings.getFunction();
    double sum = 0;
    for (BlockArgument argument : func.getArguments()) {
      made[argument] = {getArgument(argument.getArgNumber())};
      // AdamW touches seven tensors of the size of a parameter.
      if (argument.getArgNumber() == 0)
        continue;
      active.insert(argument);
      sum +=
          7 * price.ofTouching(getTensorType(argument), made[argument].split);
    }
    for (auto [index, ruled] : llvm::enumerate(shardings.getOps())) {
      const AxisUse &use = getWay(index).first;
      const Candidate &way = getWay(index).second;
      unsigned gradients = 0;
      double touched = 0;
      for (auto [i, operand] : llvm::enumerate(ruled.op->getOperands())) {
        bool spread =
            use.loop != kNoLoop &&
            !llvm::is_contained(ruled.rule.getOperands()[i], use.loop);
        spread |= !use.passed.empty() && !llvm::is_contained(use.passed, i);
        AxisMask partial = spread ? kAxis : 0;
        if (!llvm::is_contained(ruled.rule.getOperands()[i], kRowLoop))
          partial |= rowAxis;
        gradients += active.contains(operand);
        touched +=
            price.ofTouching(getTensorType(operand), way.operands[i].split);
        auto &forms = read[operand];
        const LocalForm &wanted = way.operands[i];
        auto *known = llvm::find_if(
            forms, [&](const auto &form) { return form.first == wanted; });
        if (known == forms.end())
          forms.push_back({wanted, partial});
        else
          known->second |= partial;
      }
      Value result = ruled.op->getResult(0);
      made[result] = way.results[0];
      if (gradients)
        active.insert(result);
      touched += price.ofTouching(getTensorType(result), way.results[0].split);
      sum += touched * (gradients ? 3 : 1);
      int64_t ranks = shardings.getMesh().getSize(
          rowAxis | (use.loop == kNoLoop ? 0 : kAxis));
      if (double flops = ruled.rule.getFlops())
        sum += (1 + gradients) *
               price.ofComputing(flops / static_cast<double>(ranks),
                                 getTensorType(result).getElementType());
    }
    Value returned = func.front().getTerminator()->getOperand(0);
    for (auto &[value, forms] : read)
      for (const auto &[form, partial] : forms)
        sum +=
            getMove(value, made[value], form, partial, active.contains(value));
    if (!isa<BlockArgument>(returned))
      sum += getMove(returned, made[returned], {rows}, 0,
                     active.contains(returned));
    return sum;
  }

  double getMove(Value value, const LocalForm &from, const LocalForm &to,
                 AxisMask gradientPartial, bool isActive) const {
    auto argument = dyn_cast<BlockArgument>(value);
    bool isBatch = argument && argument.getArgNumber() == 0;
    if ((to.partial && !from.partial) || (isBatch && !(from == to)))
      return kInfinity;
    double cost = price.ofPlan(getTensorType(value), from, to);
    if (isActive)
      cost += price.ofPlan(getTensorType(value), {to.split, gradientPartial},
                           {from.split});
    return cost;
  }

  const FunctionShardings &shardings;
  ReshardCost price;
  /// The first loop of every operation.
  static constexpr int kRowLoop = 0;
  AxisMask rowAxis;
  Split rows = Split(2);
  std::vector<std::pair<size_t, size_t>> ties;
  std::vector<std::vector<Split>> arguments;
  std::vector<std::vector<std::pair<AxisUse, Candidate>>> operations;
  std::vector<unsigned> chosen;
};

class FormSearchTest : public ::testing::Test {
protected:
  FormSearchTest() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  MLIRContext context;
};

/// A network of some speed beside a unit of memory and of computing.
Machine makeMachine(unsigned seed) {
  std::mt19937 random(seed);
  Machine machine = Machine::getReference();
  machine.links.front().bandwidth =
      std::array{0.1, 1.0, 10.0, 100.0}[random() % 4];
  machine.links.front().latency = std::array{0, 10, 1000}[random() % 3];
  machine.peakFlops["f32"] = std::array{1.0, 100.0, 1000.0}[random() % 3];
  return machine;
}
} // namespace

TEST_F(FormSearchTest, equalsEveryCombination) {
  std::set<std::vector<std::string>> found;
  for (unsigned seed = 0; seed < 160; ++seed) {
    OwningOpRef<ModuleOp> module = parse(RandomBlock(seed).getText());
    ASSERT_TRUE(module);
    Mesh mesh({"tp"}, {seed % 3 ? 2 : 4});
    Machine machine = makeMachine(seed);
    auto shardings = FunctionShardings::get(
        module->lookupSymbol<func::FuncOp>("loss"), mesh);
    ASSERT_TRUE(succeeded(shardings));
    auto result = FormSearch(*shardings, kAxis, machine).find();
    ASSERT_TRUE(result);
    Exhaustive all(*shardings, machine);
    double least = all.getMinimum();
    EXPECT_NEAR(result->seconds, least, 1e-9 * least) << "seed " << seed;
    EXPECT_NEAR(all.getMinimum(result->arguments), least, 1e-9 * least)
        << "seed " << seed;
    std::vector<std::string> forms;
    for (const auto &form : result->arguments)
      for (const AxisList &axes : form.split)
        forms.push_back(mesh.describe(axes));
    found.insert(std::move(forms));
  }
  // The decisions are not the same ones everywhere.
  EXPECT_GT(found.size(), 20u);
}

/// Over another axis the rows are sharded already.
TEST_F(FormSearchTest, keepsWhatIsSharded) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    OwningOpRef<ModuleOp> module = parse(RandomBlock(seed, "\"dp\"").getText());
    ASSERT_TRUE(module);
    Mesh mesh({"tp", "dp"}, {seed % 3 ? 2 : 4, 2});
    Machine machine = makeMachine(seed);
    auto shardings = FunctionShardings::get(
        module->lookupSymbol<func::FuncOp>("loss"), mesh);
    ASSERT_TRUE(succeeded(shardings));
    shardings->propagate();
    auto result = FormSearch(*shardings, kAxis, machine).find();
    ASSERT_TRUE(result);
    Exhaustive all(*shardings, machine, kRowAxis);
    double least = all.getMinimum();
    EXPECT_NEAR(result->seconds, least, 1e-9 * least) << "seed " << seed;
    EXPECT_NEAR(all.getMinimum(result->arguments), least, 1e-9 * least)
        << "seed " << seed;
  }
}

/// Searches a loss of two equal layers, whose body is `text`, and compares it
/// with every combination in which each of the first `count` operations behind
/// the product has the form of the one `count` behind it, and %v that of %w.
class LayersSearchTest : public FormSearchTest {
protected:
  void expectTheBest(const std::string &text, unsigned count) {
    OwningOpRef<ModuleOp> module = parse(R"(
#none = #boost.sharding<{}, {}>
#l0 = #boost.layer<class = 0, index = 0>
#l1 = #boost.layer<class = 0, index = 1>
!t = tensor<8x8xf32>
func.func @loss(
    %x: !t {boost.sharding = #none, boost.tensor = #boost.tensor<batch "x">},
    %p: !t {boost.sharding = #none, boost.tensor = #boost.tensor<param "p">},
    %v: !t {boost.sharding = #none, boost.tensor = #boost.tensor<param "v">},
    %w: !t {boost.sharding = #none, boost.tensor = #boost.tensor<param "w">})
    -> (!t {boost.sharding = #none}) {
  %0 = stablehlo.multiply %x, %p : !t
)" + text + "}");
    ASSERT_TRUE(module);
    Mesh mesh({"tp"}, {2});
    auto shardings = FunctionShardings::get(
        module->lookupSymbol<func::FuncOp>("loss"), mesh);
    ASSERT_TRUE(succeeded(shardings));
    for (unsigned seed = 0; seed < 12; ++seed) {
      Machine machine = makeMachine(seed);
      auto result = FormSearch(*shardings, kAxis, machine).find();
      ASSERT_TRUE(result);
      Exhaustive all(*shardings, machine);
      for (unsigned operation = 1; operation <= count; ++operation)
        all.tieOperations(operation, operation + count);
      all.tieArguments(2, 3);
      double least = all.getMinimum();
      EXPECT_NEAR(result->seconds, least, 1e-9 * least) << "seed " << seed;
      EXPECT_EQ(result->arguments[2].split, result->arguments[3].split);
    }
  }
};

/// Equal layers decide alike: a linear, a function and a sum in each, which are
/// fed by a parameter.
TEST_F(LayersSearchTest, decidesForAllLayers) {
  expectTheBest(R"(
  %1 = boost.linear %0, %v {boost.layer = #l0} : (!t, !t) -> !t
  %2 = stablehlo.tanh %1 {boost.layer = #l0} : !t
  %3 = stablehlo.add %2, %0 {boost.layer = #l0} : !t
  %4 = boost.linear %3, %w {boost.layer = #l1} : (!t, !t) -> !t
  %5 = stablehlo.tanh %4 {boost.layer = #l1} : !t
  %6 = stablehlo.add %5, %3 {boost.layer = #l1} : !t
  return %6 : !t
)",
                3);
}

/// Layers of one linear each, which decide alike: a layer reads what it makes
/// itself.
TEST_F(LayersSearchTest, decidesForLayersThatFeedThemselves) {
  expectTheBest(R"(
  %1 = boost.linear %0, %v {boost.layer = #l0} : (!t, !t) -> !t
  %2 = boost.linear %1, %w {boost.layer = #l1} : (!t, !t) -> !t
  return %2 : !t
)",
                1);
}

/// The cost of an argument's next best form is that of a search without the
/// best form.
TEST_F(FormSearchTest, findsTheNextBestForm) {
  unsigned alternatives = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    OwningOpRef<ModuleOp> module = parse(RandomBlock(seed).getText());
    ASSERT_TRUE(module);
    Mesh mesh({"tp"}, {seed % 3 ? 2 : 4});
    Machine machine = makeMachine(seed);
    auto shardings = FunctionShardings::get(
        module->lookupSymbol<func::FuncOp>("loss"), mesh);
    ASSERT_TRUE(succeeded(shardings));
    auto result = FormSearch(*shardings, kAxis, machine).find(true);
    ASSERT_TRUE(result);
    Exhaustive all(*shardings, machine);
    for (unsigned i = 0; i < result->arguments.size(); ++i) {
      const FormSearch::ArgumentForm &form = result->arguments[i];
      double without = all.getMinimumIf(
          [&](ArrayRef<Split> splits) { return splits[i] != form.split; });
      EXPECT_EQ(form.next.has_value(), without < kInfinity) << "seed " << seed;
      if (!form.next)
        continue;
      ++alternatives;
      EXPECT_NEAR(form.nextSeconds, without - result->seconds, 1e-9 * without)
          << "seed " << seed;
      EXPECT_NE(*form.next, form.split);
      double with = all.getMinimumIf(
          [&](ArrayRef<Split> splits) { return splits[i] == *form.next; });
      EXPECT_NEAR(with, without, 1e-9 * without) << "seed " << seed;
    }
  }
  EXPECT_GT(alternatives, 30u);
}

/// The ranks' maxima of their columns are completed; what is fed to the ranks
/// is then a half.
TEST_F(FormSearchTest, completesMaxima) {
  OwningOpRef<ModuleOp> module = parse(R"(
func.func @loss(%x: tensor<7x64xf32> {boost.sharding = #boost.sharding<{}, {}>,
                                      boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<7xf32> {boost.sharding = #boost.sharding<{}>}) {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %least) applies stablehlo.maximum
      across dimensions = [1] : (tensor<7x64xf32>, tensor<f32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
})");
  ASSERT_TRUE(module);
  Mesh mesh({"tp"}, {2});
  Machine machine = Machine::getReference();
  machine.links.front().bandwidth = 1e15;
  machine.links.front().latency = 0;
  auto shardings =
      FunctionShardings::get(module->lookupSymbol<func::FuncOp>("loss"), mesh);
  ASSERT_TRUE(succeeded(shardings));
  auto result = FormSearch(*shardings, kAxis, machine).find(true);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->arguments[0].split, (Split{{}, {0}}));
  EXPECT_EQ(result->arguments[0].next, (Split{{}, {}}));
  EXPECT_GT(result->arguments[0].nextSeconds, 0);
}

/// A sort along the only dimension that divides needs it whole.
TEST_F(FormSearchTest, findsNoAlternativeWhereThereIsNone) {
  OwningOpRef<ModuleOp> module = parse(R"(
func.func @loss(%x: tensor<7x8xf32> {boost.sharding = #boost.sharding<{}, {}>,
                                     boost.tensor = #boost.tensor<batch "x">})
    -> (tensor<7x8xf32> {boost.sharding = #boost.sharding<{}, {}>}) {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.compare LT, %l, %r
        : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<7x8xf32>) -> tensor<7x8xf32>
  return %0 : tensor<7x8xf32>
})");
  ASSERT_TRUE(module);
  Mesh mesh({"tp"}, {2});
  auto shardings =
      FunctionShardings::get(module->lookupSymbol<func::FuncOp>("loss"), mesh);
  ASSERT_TRUE(succeeded(shardings));
  auto result =
      FormSearch(*shardings, kAxis, Machine::getReference()).find(true);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->arguments[0].split, (Split{{}, {}}));
  EXPECT_FALSE(result->arguments[0].next);
}
