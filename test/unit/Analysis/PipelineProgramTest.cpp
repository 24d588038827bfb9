//===- PipelineProgramTest.cpp - Lists as schedules of programs -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lists of every schedule, brought into one order, are what the verifier of
// boost.schedule accepts of functions of chunks.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/PipelineSchedule.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace mlir::boost;

namespace {
/// Prints functions of chunks. A forward pass keeps `k` and gives `a`; a
/// backward pass gives the gradient `g` of its input, and `z` for the weights.
class Printer {
public:
  explicit Printer(const PipelineLists &lists) : lists(lists) {}

  std::string print(ArrayRef<PipelineStep> steps) {
    for (int64_t chunk = 0; chunk < lists.shape.getNumChunks(); ++chunk)
      printChunk(chunk);
    text += "boost.schedule @train micro_batches " +
            std::to_string(lists.shape.microBatches) + " {\n";
    for (const PipelineStep &step : steps)
      if (const auto *transfer = std::get_if<PipelineTransfer>(&step))
        printTransfer(*transfer);
      else
        printCall(std::get<PipelineAction>(step));
    for (int64_t chunk = 0; chunk < lists.shape.getNumChunks(); ++chunk)
      if (lists.last != PipelineWork::Forward)
        text += "boost.call @update_" + std::to_string(chunk) + "\n";
    return text + "}\n";
  }

private:
  static std::string getKept(char name, int64_t chunk) {
    return std::string("kept \"") + name + std::to_string(chunk) + "\"";
  }

  void printFunction(const char *name, int64_t chunk,
                     ArrayRef<std::string> arguments,
                     ArrayRef<std::string> results) {
    auto list = [](ArrayRef<std::string> tensors) {
      std::string all;
      for (const std::string &tensor : tensors)
        all += (all.empty() ? "" : ", ") +
               ("tensor<f32> {boost.tensor = #boost.tensor<" + tensor + ">}");
      return all;
    };
    text += std::string("func.func private @") + name + "_" +
            std::to_string(chunk) + "(" + list(arguments) + ") -> (" +
            list(results) + ") attributes {boost.stage = " +
            std::to_string(lists.shape.getStage(chunk)) + " : i64}\n";
  }

  void printChunk(int64_t chunk) {
    bool isLast = chunk + 1 == lists.shape.getNumChunks();
    std::string number = std::to_string(chunk);
    std::string param = "param \"w" + number + "\"";
    std::string sum =
        "accumulator \"s" + number + "\", of = \"w" + number + "\"";
    std::string input = chunk == 0 ? "batch \"x\"" : getKept('a', chunk - 1);
    SmallVector<std::string> forward, backward{getKept('k', chunk)}, given;
    if (!isLast)
      forward.push_back(getKept('a', chunk));
    if (lists.last != PipelineWork::Forward)
      forward.push_back(getKept('k', chunk));
    printFunction("forward", chunk, {param, input}, forward);
    if (lists.last == PipelineWork::Forward)
      return;
    if (!isLast)
      backward.push_back(getKept('g', chunk));
    if (chunk > 0)
      given.push_back(getKept('g', chunk - 1));
    if (lists.last == PipelineWork::Weights) {
      given.push_back(getKept('z', chunk));
      printFunction("weights", chunk,
                    {getKept('k', chunk), getKept('z', chunk), sum}, {sum});
    } else {
      backward.push_back(sum);
      given.push_back(sum);
    }
    printFunction("backward", chunk, backward, given);
    printFunction("update", chunk, {param, sum}, {param, sum});
  }

  void printTransfer(const PipelineTransfer &transfer) {
    bool isForward = transfer.work == PipelineWork::Forward;
    text += std::string("boost.transfer [\"") + (isForward ? 'a' : 'g') +
            std::to_string(transfer.chunk - (isForward ? 0 : 1)) +
            "\"] micro_batch " + std::to_string(transfer.microBatch) +
            " from " + std::to_string(transfer.from) + " slot " +
            std::to_string(transfer.fromSlot) + " to " +
            std::to_string(transfer.to) + " slot " +
            std::to_string(transfer.toSlot) + "\n";
  }

  void printCall(const PipelineAction &action) {
    static constexpr const char *kNames[] = {"forward", "backward", "weights"};
    text += std::string("boost.call @") + kNames[int(action.work)] + "_" +
            std::to_string(action.chunk) + " micro_batch " +
            std::to_string(action.microBatch);
    // A single chunk that computes no gradients keeps nothing.
    if (lists.shape.getNumChunks() > 1 || lists.last != PipelineWork::Forward)
      text += " slot " + std::to_string(action.slot);
    text += "\n";
  }

  const PipelineLists &lists;
  std::string text;
};

/// Checks lists with costs that are equal, and with random ones.
void expectAccepted(const PipelineLists &lists, const std::string &what) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<BoostDialect, func::FuncDialect>();
  std::mt19937 random(1);
  std::uniform_real_distribution<double> seconds(0, 2);
  PipelineCosts costs;
  costs.chunks.assign(lists.shape.getNumChunks(), {1, 1, 1});
  costs.boundaries.assign(lists.shape.getNumChunks() - 1, 0);
  for (int round = 0; round < 3; ++round) {
    auto steps = linearize(lists, simulate(lists, costs));
    EXPECT_TRUE(
        parseSourceString<ModuleOp>(Printer(lists).print(steps), &context))
        << what;
    for (auto &chunk : costs.chunks)
      for (double &cost : chunk)
        cost = seconds(random);
    for (double &cost : costs.boundaries)
      cost = seconds(random);
  }
}
} // namespace

TEST(PipelineProgram, TrainingIsAccepted) {
  for (const auto &named : getNamedValues<PipelineSchedule>())
    for (int64_t p : {1, 2, 4})
      for (int64_t m : {1, 2, 4, 8}) {
        bool isInterleaved = named.value == PipelineSchedule::Interleaved;
        if (isInterleaved && (p == 1 || m % p != 0))
          continue;
        llvm::Expected<PipelineLists> lists =
            makePipelineLists(named.value, {p, isInterleaved ? 2 : 1, m});
        ASSERT_TRUE(bool(lists));
        expectAccepted(*lists, named.name.str());
      }
}

TEST(PipelineProgram, EvaluationIsAccepted) {
  for (PipelineShape shape :
       {PipelineShape{1, 1, 2}, PipelineShape{2, 1, 3}, PipelineShape{4, 1, 4},
        PipelineShape{2, 2, 4}, PipelineShape{4, 3, 8}}) {
    llvm::Expected<PipelineLists> lists = makeForwardLists(shape);
    ASSERT_TRUE(bool(lists));
    expectAccepted(*lists, "forward");
  }
}
