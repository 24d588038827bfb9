//===- RandomProgramTest.cpp - Ranges of the values of random programs ----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs stay well conditioned as long as every element lies in the
// range that the operation that made it has stated.
//
//===----------------------------------------------------------------------===//

#include "Random/ProgramBuilder.h"
#include "boost-mlir/Reference/Evaluator.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;

namespace {

class RandomProgramTest
    : public ::testing::TestWithParam<ArrayRef<RandomOperation>> {
protected:
  /// Values of an argument: floats between -3 and 3, which come close to both,
  /// ids of any table.
  reference::Tensor draw(RankedTensorType type) {
    reference::Tensor tensor(type);
    for (double &x : tensor.data)
      x = std::uniform_int_distribution<int>(-12, 12)(engine) / 4.0;
    for (int64_t &id : tensor.integers)
      id = std::uniform_int_distribution<int>(0, 1)(engine);
    return tensor;
  }

  /// The elements of all values that operations of the program may read.
  SmallVector<reference::RankValues> evaluate(ProgramBuilder &program) {
    SmallVector<Value> values;
    for (const Pooled &pooled : program.getPool())
      values.push_back(pooled.value);
    auto end = func::ReturnOp::create(program.b, program.loc, values);
    auto function = cast<func::FuncOp>(end->getParentOp());
    function.setType(program.b.getFunctionType(
        function.front().getArgumentTypes(), ValueRange(values).getTypes()));
    SmallVector<reference::RankValues> arguments;
    for (Type type : function.front().getArgumentTypes())
      arguments.push_back({draw(cast<RankedTensorType>(type))});
    reference::Evaluator evaluator({}, reference::Precision());
    auto results = evaluator.run(function, arguments);
    EXPECT_TRUE(succeeded(results));
    return succeeded(results) ? *results : SmallVector<reference::RankValues>();
  }

  MLIRContext context;
  std::mt19937_64 engine{1};
};

/// One operation of a table, again and again: what it reads are its own results
/// and arguments, so that their ranges are wide.
TEST_P(RandomProgramTest, ElementsLieInTheirRange) {
  for (const RandomOperation &operation : GetParam())
    for (uint64_t seed = 0; seed < 24; ++seed) {
      SCOPED_TRACE(operation.name.str() + " with seed " + std::to_string(seed));
      Choices choices(seed);
      ProgramBuilder program(&context, choices);
      for (int i = 0; i < 4; ++i)
        operation.apply(program);
      SmallVector<reference::RankValues> results = evaluate(program);
      for (auto [pooled, result] : llvm::zip(program.getPool(), results)) {
        EXPECT_LE(pooled.magnitude(), 8);
        for (double x : result[0].data) {
          EXPECT_GE(x, pooled.low - 1e-9);
          EXPECT_LE(x, pooled.high + 1e-9);
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Tables, RandomProgramTest,
                         ::testing::Values(getElementwiseOperations(),
                                           getShapeOperations(),
                                           getContractions(),
                                           getModelPieces()));

} // namespace
