//===- CudnnTest.cpp - Graphs of operations on the emulated GPU -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulator's interpreter against plain loops, through the runtime's own
// graphs and plans, and what the emulator refuses.
//
//===----------------------------------------------------------------------===//

#include "EmulatedGPU.h"
#include "common/ElementType.h"
#include "cuda/CudnnGraph.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <vector>

using namespace boost_rt;
using namespace boost_rt::cudnn;
using namespace boost_rt::vendor;
using ::testing::HasSubstr;

namespace {

using Values = std::vector<float>;

/// Tensors in the memory of the emulated GPU: id N begins at N times a slot.
class Cudnn : public ::testing::Test {
protected:
  static constexpr int64_t kSlot = 4096;

  Cudnn() {
    EXPECT_EQ(openDnn(), "");
    EXPECT_EQ(functions().cudnnCreate(&handle), dnnSuccess);
    EXPECT_EQ(functions().cudnnSetStream(handle, gpu.getStream()), dnnSuccess);
  }
  ~Cudnn() override { functions().cudnnDestroy(handle); }

  char *at(int64_t id) const { return emulated.memory + id * kSlot; }

  void put(int64_t id, ElementType type, const Values &values) {
    std::vector<char> bytes(values.size() * static_cast<size_t>(sizeOf(type)));
    auto count = static_cast<int64_t>(values.size());
    convertElements(BOOST_RT_F32, values.data(), type, bytes.data(), count);
    gpu.copyToDevice(at(id), bytes.data(), static_cast<int64_t>(bytes.size()));
  }
  Values get(int64_t id, ElementType type, int64_t count) {
    std::vector<char> bytes(static_cast<size_t>(count * sizeOf(type)));
    gpu.copyToHost(bytes.data(), at(id), static_cast<int64_t>(bytes.size()));
    Values values(static_cast<size_t>(count));
    convertElements(type, bytes.data(), BOOST_RT_F32, values.data(), count);
    return values;
  }

  Plan makePlan(Graph &graph) {
    Device device;
    device.handle = handle;
    return Plan(graph, device);
  }

  /// Runs a graph on the tensors of these ids.
  void run(Graph &graph, const std::vector<int64_t> &ids) {
    Plan plan = makePlan(graph);
    ASSERT_EQ(plan.getProblem(), "");
    std::vector<std::pair<int64_t, const void *>> addresses;
    for (int64_t id : ids)
      addresses.emplace_back(id, at(id));
    plan.execute(handle, addresses, emulated.workspace().data);
  }

  EmulatedGPU emulated;
  GPU &gpu = emulated.open();
  DnnHandle handle = nullptr;
};

} // namespace

static Extents rowMajor(const Extents &dims) {
  return {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
}

/// Numbers that bf16 has, of either sign, none of them 0 and few the same.
static Values numbers(int64_t count) {
  Values values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<float>(i * 37 % 101 - 50) / 16 + 0.03125f);
  return values;
}

static GraphTensor dense(Graph &graph, int64_t id, const Extents &dims) {
  return graph.memory(id, dnnFloat, dims, rowMajor(dims));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TEST_F(Cudnn, computes_elements_and_repeats_smaller_tensors) {
  struct Mode {
    int mode;
    std::function<double(double, double)> expected;
  };
  const Mode modes[] = {{dnnAdd, [](double x, double b) { return x + b; }},
                        {dnnSubtract, [](double x, double b) { return x - b; }},
                        {dnnMultiply, [](double x, double b) { return x * b; }},
                        {dnnDivide, [](double x, double b) { return x / b; }}};
  Extents dims = {2, 3, 4, 5}, columns = {2, 3, 4, 1}, one = {1, 1, 1, 1};
  Values x = numbers(120);
  put(1, BOOST_RT_F32, x);
  for (const Mode &mode : modes)
    for (const Extents &smaller : {dims, columns, one}) {
      Values b = numbers(smaller[0] * smaller[1] * smaller[2] * smaller[3]);
      put(2, BOOST_RT_F32, b);
      Graph graph;
      graph.pointwise(mode.mode, dense(graph, 1, dims),
                      dense(graph, 2, smaller), dense(graph, 3, dims));
      run(graph, {1, 2, 3});
      Values y = get(3, BOOST_RT_F32, 120);
      for (size_t i = 0; i < y.size(); ++i) {
        size_t other = smaller == dims ? i : smaller == columns ? i / 5 : 0;
        EXPECT_EQ(y[i], static_cast<float>(mode.expected(x[i], b[other])));
      }
    }
}

TEST_F(Cudnn, computes_functions_of_one_tensor) {
  Extents dims = {1, 1, 4, 5};
  Values x = numbers(20);
  put(1, BOOST_RT_F32, x);
  auto apply = [&](int mode) {
    Graph graph;
    graph.pointwise(mode, dense(graph, 1, dims), std::nullopt,
                    dense(graph, 2, dims));
    run(graph, {1, 2});
    return get(2, BOOST_RT_F32, 20);
  };
  Values exponential = apply(dnnExp);
  EXPECT_EQ(apply(dnnIdentity), x);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_FLOAT_EQ(exponential[i], std::exp(x[i]));
  put(1, BOOST_RT_F32, exponential);
  Values logarithm = apply(dnnLog);
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(logarithm[i], x[i], 1e-6);
}

TEST_F(Cudnn, hides_what_a_comparison_of_positions_says) {
  Extents dims = {2, 1, 3, 4};
  Values x = numbers(24);
  put(1, BOOST_RT_F32, x);
  Graph graph;
  GraphTensor in = dense(graph, 1, dims), row = graph.between(dnnInt32, dims),
              column = graph.between(dnnInt32, dims),
              isSeen = graph.between(dnnBoolean, dims);
  graph.index(2, in, row);
  graph.index(3, in, column);
  graph.greaterOrEqual(row, column, isSeen);
  graph.select(isSeen, in, graph.scalar(2), dense(graph, 3, dims));
  Plan plan = makePlan(graph);
  ASSERT_EQ(plan.getProblem(), "");
  float hidden = -1000;
  plan.execute(handle, {{1, at(1)}, {2, &hidden}, {3, at(3)}},
               emulated.workspace().data);
  hidden = 0; // Read by then.
  Values y = get(3, BOOST_RT_F32, 24);
  for (size_t i = 0; i < y.size(); ++i)
    EXPECT_EQ(y[i], i / 4 % 3 >= i % 4 ? x[i] : -1000);
}

TEST_F(Cudnn, reduces_rows_and_groups_of_heads) {
  Extents dims = {2, 6, 3, 4}, rows = {2, 6, 3, 1}, groups = {2, 2, 3, 4};
  Values x = numbers(144);
  put(1, BOOST_RT_F32, x);
  auto reduce = [&](int operation, const Extents &to, int64_t count) {
    Graph graph;
    graph.reduce(operation, dense(graph, 1, dims), dense(graph, 2, to));
    run(graph, {1, 2});
    return get(2, BOOST_RT_F32, count);
  };
  Values sums = reduce(dnnReduceAdd, rows, 36),
         largest = reduce(dnnReduceMax, rows, 36),
         added = reduce(dnnReduceAdd, groups, 48);
  for (size_t i = 0; i < 36; ++i) {
    EXPECT_EQ(sums[i], x[4 * i] + x[4 * i + 1] + x[4 * i + 2] + x[4 * i + 3]);
    EXPECT_EQ(largest[i], *std::max_element(&x[4 * i], &x[4 * i] + 4));
  }
  for (size_t i = 0; i < 48; ++i) {
    // Heads 0 to 2 of a batch are one group.
    size_t first = i / 24 * 72 + i / 12 % 2 * 36 + i % 12;
    EXPECT_EQ(added[i], x[first] + x[first + 12] + x[first + 24]);
  }
}

TEST_F(Cudnn, multiplies_heads_with_the_keys_of_their_group) {
  constexpr int64_t b = 2, h = 4, kvh = 2, sq = 3, sk = 5, dh = 8;
  Values q = numbers(b * sq * h * dh), k = numbers(b * sk * kvh * dh);
  put(1, BOOST_RT_BF16, q);
  put(2, BOOST_RT_BF16, k);
  Graph graph;
  GraphTensor queries = graph.memory(1, dnnBFloat16, {b, h, sq, dh},
                                     {sq * h * dh, dh, h * dh, 1}),
              keys = graph.memory(2, dnnBFloat16, {b, kvh, dh, sk},
                                  {sk * kvh * dh, dh, 1, kvh * dh});
  Extents scores = {b, h, sq, sk};
  GraphTensor product = graph.between(dnnFloat, scores);
  graph.matmul(queries, keys, product);
  graph.pointwise(dnnIdentity, product, std::nullopt, dense(graph, 3, scores));
  run(graph, {1, 2, 3});
  Values y = get(3, BOOST_RT_F32, b * h * sq * sk);
  size_t at = 0;
  for (int64_t i = 0; i < b; ++i)
    for (int64_t head = 0; head < h; ++head)
      for (int64_t row = 0; row < sq; ++row)
        for (int64_t key = 0; key < sk; ++key, ++at) {
          double sum = 0;
          for (int64_t l = 0; l < dh; ++l)
            sum += double(q[size_t(((i * sq + row) * h + head) * dh + l)]) *
                   k[size_t(((i * sk + key) * kvh + head / 2) * dh + l)];
          EXPECT_FLOAT_EQ(y[at], static_cast<float>(sum));
        }
}

TEST_F(Cudnn, rounds_what_is_between_operations_to_its_type) {
  Extents dims = {1, 1, 2, 2};
  put(1, BOOST_RT_F32, {1.001f, 2, -3.003f, 1e-3f});
  Graph graph;
  GraphTensor rounded = graph.between(dnnBFloat16, dims);
  graph.pointwise(dnnIdentity, dense(graph, 1, dims), std::nullopt, rounded);
  graph.pointwise(dnnIdentity, rounded, std::nullopt, dense(graph, 2, dims));
  run(graph, {1, 2});
  put(3, BOOST_RT_BF16, {1.001f, 2, -3.003f, 1e-3f});
  EXPECT_EQ(get(2, BOOST_RT_F32, 4), get(3, BOOST_RT_BF16, 4));
}

TEST_F(Cudnn, exchanges_dimensions_as_strides_say) {
  Extents dims = {1, 2, 3, 4};
  Values x = numbers(24);
  put(1, BOOST_RT_F32, x);
  Graph graph;
  GraphTensor turned = graph.between(dnnFloat, {1, 2, 4, 3}, {24, 12, 1, 4});
  graph.reshape(dense(graph, 1, dims), turned);
  graph.pointwise(dnnIdentity, turned, std::nullopt,
                  dense(graph, 2, {1, 2, 4, 3}));
  run(graph, {1, 2});
  Values y = get(2, BOOST_RT_F32, 24);
  for (size_t i = 0; i < 24; ++i)
    EXPECT_EQ(y[i], x[i / 12 * 12 + i % 3 * 4 + i / 3 % 4]);
}

// As atomic additions do, which a graph asks for by a sum in memory.
TEST_F(Cudnn, adds_to_memory_in_an_order_that_changes) {
  constexpr int64_t terms = 64, dh = 8;
  put(1, BOOST_RT_F32, numbers(terms));
  put(2, BOOST_RT_BF16, numbers(terms * dh));
  auto multiply = [&] {
    Graph graph;
    GraphTensor p = graph.between(dnnFloat, {1, 1, 1, terms}),
                tiny = graph.scalar(4);
    graph.pointwise(dnnMultiply, dense(graph, 1, {1, 1, 1, terms}), tiny, p);
    graph.matmul(p,
                 graph.memory(2, dnnBFloat16, {1, 1, terms, dh},
                              {terms * dh, terms * dh, dh, 1}),
                 dense(graph, 3, {1, 1, 1, dh}));
    Plan plan = makePlan(graph);
    EXPECT_EQ(plan.getProblem(), "");
    float third = 1.0f / 3;
    plan.execute(handle, {{1, at(1)}, {2, at(2)}, {3, at(3)}, {4, &third}},
                 emulated.workspace().data);
    return get(3, BOOST_RT_F32, dh);
  };
  Values first = multiply(), second = multiply();
  EXPECT_NE(first, second);
  for (size_t i = 0; i < first.size(); ++i)
    EXPECT_NEAR(first[i], second[i], 1e-4);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// y = x + x.
static void doubleElements(Graph &graph) {
  GraphTensor x = dense(graph, 1, {1, 1, 1, 4});
  graph.pointwise(dnnAdd, x, x, dense(graph, 2, {1, 1, 1, 4}));
}

TEST_F(Cudnn, runs_when_the_stream_does_and_again_with_a_recorded_graph) {
  Graph graph;
  doubleElements(graph);
  Plan plan = makePlan(graph);
  ASSERT_EQ(plan.getProblem(), "");
  put(1, BOOST_RT_F32, {1, 2, 3, 4});
  put(2, BOOST_RT_F32, {0, 0, 0, 0});
  CudaStream stream = gpu.getStream();
  ASSERT_EQ(functions().cuStreamBeginCapture_v2(stream, captureThreadLocal),
            cudaSuccess);
  plan.execute(handle, {{1, at(1)}, {2, at(2)}}, emulated.workspace().data);
  CudaGraph recorded;
  CudaGraphExec executable;
  ASSERT_EQ(functions().cuStreamEndCapture(stream, &recorded), cudaSuccess);
  ASSERT_EQ(functions().cuGraphInstantiateWithFlags(&executable, recorded, 0),
            cudaSuccess);
  EXPECT_EQ(get(2, BOOST_RT_F32, 4), Values({0, 0, 0, 0}));
  functions().cuGraphLaunch(executable, stream);
  EXPECT_EQ(get(2, BOOST_RT_F32, 4), Values({2, 4, 6, 8}));
  put(1, BOOST_RT_F32, {5, 6, 7, 8});
  functions().cuGraphLaunch(executable, stream);
  EXPECT_EQ(get(2, BOOST_RT_F32, 4), Values({10, 12, 14, 16}));
  functions().cuGraphExecDestroy(executable);
  functions().cuGraphDestroy(recorded);
}

TEST_F(Cudnn, builds_no_plan_while_a_stream_is_recorded) {
  CudaStream stream = gpu.getStream();
  functions().cuStreamBeginCapture_v2(stream, captureThreadLocal);
  Graph graph;
  doubleElements(graph);
  EXPECT_NE(makePlan(graph).getProblem(), "");
  CudaGraph recorded;
  EXPECT_EQ(functions().cuStreamEndCapture(stream, &recorded),
            cudaCaptureInvalidated);
}

TEST_F(Cudnn, leaves_garbage_in_its_workspace) {
  Graph graph;
  doubleElements(graph);
  Plan plan = makePlan(graph);
  ASSERT_EQ(plan.getWorkspaceBytes(), 256);
  gpu.fill(at(3), 0, 257);
  plan.execute(handle, {{1, at(1)}, {2, at(2)}}, at(3));
  Values values = get(3, BOOST_RT_F32, 64);
  EXPECT_TRUE(std::all_of(values.begin(), values.end(),
                          [](float value) { return std::isnan(value); }));
  char next = 1;
  gpu.copyToHost(&next, at(3) + 256, 1);
  EXPECT_EQ(next, 0);
}

/// Wrong addresses of tensors and the workspace, and the message.
struct WrongMemory {
  const char *name, *message;
  int64_t x, y, workspace;
};

class WrongMemories : public Cudnn,
                      public ::testing::WithParamInterface<WrongMemory> {};

static constexpr int64_t kEnd = EmulatedGPU::bytes;
static const WrongMemory kWrongMemories[] = {
    {"input_beyond",
     "16 bytes at byte 4259840 of an allocation of 4259840 "
     "bytes for tensor 1",
     kEnd, 0, 4096},
    {"result_beyond", "bytes for tensor 2, which is not all allocated", 0, kEnd,
     4096},
    {"workspace_beyond", "bytes for its workspace", 0, 16, kEnd - 128},
    {"result_on_input", "tensor 2 that overlaps with tensor 1", 0, 0, 4096},
    {"workspace_on_input", "its workspace that overlaps with tensor 1", 4096,
     16, 4096 - 240},
    {"workspace_on_result", "its workspace that overlaps with tensor 2", 0,
     4096 + 240, 4096}};

TEST_P(WrongMemories, are_an_error_of_the_device) {
  const WrongMemory &given = GetParam();
  Graph graph;
  doubleElements(graph);
  Plan plan = makePlan(graph);
  char *memory = emulated.memory;
  plan.execute(handle, {{1, memory + given.x}, {2, memory + given.y}},
               memory + given.workspace);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(functions().cuStreamSynchronize(gpu.getStream()), cudaLaunchFailed);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr(given.message));
}

INSTANTIATE_TEST_SUITE_P(Places, WrongMemories,
                         ::testing::ValuesIn(kWrongMemories),
                         [](const auto &each) {
                           return std::string(each.param.name);
                         });

TEST_F(Cudnn, takes_one_aligned_pointer_for_each_tensor_in_memory) {
  Graph graph;
  doubleElements(graph);
  Plan plan = makePlan(graph);
  void *workspace = emulated.workspace().data;
  using Given = std::vector<std::pair<int64_t, const void *>>;
  auto execute = [&](const Given &given, void *space) {
    plan.execute(handle, given, space);
  };
  EXPECT_DEATH(execute({{1, at(1)}}, workspace),
               "no pointer is given for tensor 2");
  EXPECT_DEATH(execute({{1, at(1)}, {2, at(2)}, {3, at(3)}}, workspace),
               "tensor 3, which the graph does not have in memory");
  EXPECT_DEATH(execute({{1, at(1)}, {2, at(2)}, {2, at(3)}}, workspace),
               "an id is given two pointers");
  EXPECT_DEATH(execute({{1, at(1) + 4}, {2, at(2)}}, workspace),
               "the pointer of tensor 1 is not aligned as declared");
  EXPECT_DEATH(execute({{1, at(1)}, {2, at(2)}}, at(3) + 4),
               "a plan is given no aligned workspace");
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

static constexpr DnnStatus notFinalized = 2004, wrongType = 2010;

TEST_F(Cudnn, has_descriptors_that_are_finalized_once_and_complete) {
  const Functions &call = functions();
  DnnDescriptor tensor = nullptr, graph = nullptr;
  EXPECT_NE(call.cudnnBackendCreateDescriptor(999, &tensor), dnnSuccess);
  ASSERT_EQ(call.cudnnBackendCreateDescriptor(dnnTensor, &tensor), dnnSuccess);
  ASSERT_EQ(call.cudnnBackendCreateDescriptor(dnnOperationGraph, &graph),
            dnnSuccess);
  EXPECT_EQ(call.cudnnBackendFinalize(tensor), dnnBadParam);
  int64_t dims[] = {1, 2, 3, 4}, count = 0;
  auto set = [&](int name, int type, int64_t elements, const void *values) {
    return call.cudnnBackendSetAttribute(tensor, name, type, elements, values);
  };
  EXPECT_EQ(set(dnnTensorDimensions, dnnDataTypeType, 4, dims), wrongType);
  EXPECT_EQ(set(dnnTensorDimensions, dnnInt64Type, 0, dims), dnnBadParam);
  EXPECT_EQ(set(dnnTensorDimensions, dnnInt64Type, 4, nullptr), dnnBadParam);
  EXPECT_EQ(set(dnnGraphOperations, dnnDescriptorType, 1, &graph), dnnBadParam);
  int type = dnnFloat;
  EXPECT_EQ(set(dnnTensorType, dnnDataTypeType, 1, &type), dnnSuccess);
  EXPECT_EQ(set(dnnTensorDimensions, dnnInt64Type, 4, dims), dnnSuccess);
  EXPECT_EQ(set(dnnTensorStrides, dnnInt64Type, 3, dims), dnnSuccess);
  EXPECT_EQ(set(dnnTensorId, dnnInt64Type, 1, dims), dnnSuccess);
  EXPECT_EQ(call.cudnnBackendFinalize(tensor), dnnBadParam);
  EXPECT_EQ(set(dnnTensorAlignment, dnnInt64Type, 1, dims), dnnSuccess);
  EXPECT_EQ(call.cudnnBackendFinalize(tensor), dnnBadParam);
  EXPECT_EQ(call.cudnnBackendSetAttribute(graph, dnnGraphOperations,
                                          dnnDescriptorType, 1, &tensor),
            notFinalized);
  EXPECT_EQ(set(dnnTensorStrides, dnnInt64Type, 4, dims), dnnSuccess);
  EXPECT_EQ(call.cudnnBackendGetAttribute(tensor, dnnTensorId, dnnInt64Type, 1,
                                          &count, dims),
            dnnNotInitialized);
  EXPECT_EQ(call.cudnnBackendFinalize(tensor), dnnSuccess);
  EXPECT_EQ(call.cudnnBackendFinalize(tensor), dnnBadParam);
  EXPECT_EQ(set(dnnTensorStrides, dnnInt64Type, 4, dims), dnnBadParam);
  EXPECT_EQ(call.cudnnBackendDestroyDescriptor(tensor), dnnSuccess);
  EXPECT_EQ(call.cudnnBackendDestroyDescriptor(tensor), dnnBadParam);
  EXPECT_EQ(call.cudnnBackendDestroyDescriptor(graph), dnnSuccess);
}

namespace {

/// A graph that is refused, and why.
struct Refused {
  const char *name, *reason;
  void (*build)(Graph &);
};

class RefusedGraphs : public Cudnn,
                      public ::testing::WithParamInterface<Refused> {};

} // namespace

static GraphTensor heads(Graph &graph, int64_t id, int type, int64_t dh) {
  return graph.memory(id, type, {1, 2, 16, dh}, {32 * dh, dh, 2 * dh, 1});
}
static GraphTensor transposed(Graph &graph, int64_t id, int type, int64_t dh) {
  return graph.memory(id, type, {1, 2, dh, 16}, {32 * dh, dh, 1, 2 * dh});
}

static void multiply(Graph &graph, GraphTensor a, GraphTensor b) {
  GraphTensor product = graph.between(dnnFloat, {1, 2, 16, 16});
  graph.matmul(a, b, product);
  graph.pointwise(dnnIdentity, product, std::nullopt,
                  dense(graph, 3, {1, 2, 16, 16}));
}

static const Refused kRefused[] = {
    {"another_inner_dimension", "the product of tensor 1 of \\[1, 2, 16, 8\\]",
     [](Graph &graph) {
       multiply(graph, heads(graph, 1, dnnBFloat16, 8),
                heads(graph, 2, dnnBFloat16, 8));
     }},
    {"heads_that_are_no_groups", "a product of batches",
     [](Graph &graph) {
       multiply(
           graph, heads(graph, 1, dnnBFloat16, 8),
           graph.memory(2, dnnBFloat16, {1, 3, 8, 16}, {16 * 3 * 8, 8, 1, 24}));
     }},
    {"another_shape_of_elements", "becomes tensor 3",
     [](Graph &graph) {
       graph.pointwise(dnnAdd, dense(graph, 1, {1, 1, 4, 4}),
                       dense(graph, 2, {1, 1, 3, 4}),
                       dense(graph, 3, {1, 1, 4, 4}));
     }},
    {"a_forgotten_operand", "inputs that its mode does not read",
     [](Graph &graph) {
       graph.pointwise(dnnAdd, dense(graph, 1, {1, 1, 4, 4}), std::nullopt,
                       dense(graph, 3, {1, 1, 4, 4}));
     }},
    {"an_operand_too_many", "inputs that its mode does not read",
     [](Graph &graph) {
       GraphTensor x = dense(graph, 1, {1, 1, 4, 4});
       graph.pointwise(dnnExp, x, x, dense(graph, 3, {1, 1, 4, 4}));
     }},
    {"an_unknown_mode", "no pointwise mode 12345",
     [](Graph &graph) {
       GraphTensor x = dense(graph, 1, {1, 1, 4, 4});
       graph.pointwise(12345, x, x, dense(graph, 3, {1, 1, 4, 4}));
     }},
    {"rows_of_another_length", "is reduced to tensor 2",
     [](Graph &graph) {
       graph.reduce(dnnReduceAdd, dense(graph, 1, {1, 1, 4, 4}),
                    dense(graph, 2, {1, 1, 4, 3}));
     }},
    {"another_number_of_elements", "is reshaped to",
     [](Graph &graph) {
       graph.reshape(dense(graph, 1, {1, 1, 4, 4}),
                     dense(graph, 2, {1, 1, 4, 3}));
     }},
    {"a_condition_that_is_no_boolean", "a condition that is no boolean",
     [](Graph &graph) {
       GraphTensor x = dense(graph, 1, {1, 1, 4, 4});
       graph.select(x, x, x, dense(graph, 3, {1, 1, 4, 4}));
     }},
    {"one_result_twice", "two operations make tensor 3",
     [](Graph &graph) {
       GraphTensor x = dense(graph, 1, {1, 1, 4, 4}),
                   y = dense(graph, 3, {1, 1, 4, 4});
       graph.pointwise(dnnExp, x, std::nullopt, y);
       graph.pointwise(dnnLog, x, std::nullopt, y);
     }},
    {"one_id_twice", "two different tensors have the id 1",
     [](Graph &graph) {
       graph.pointwise(dnnAdd, dense(graph, 1, {1, 1, 4, 4}),
                       dense(graph, 1, {1, 1, 1, 4}),
                       dense(graph, 3, {1, 1, 4, 4}));
     }},
    {"a_circle", "in a circle",
     [](Graph &graph) {
       GraphTensor x = graph.between(dnnFloat, {1, 1, 4, 4}),
                   y = graph.between(dnnFloat, {1, 1, 4, 4});
       graph.pointwise(dnnExp, x, std::nullopt, y);
       graph.pointwise(dnnLog, y, std::nullopt, x);
     }},
    // The rest has no engine, as in cuDNN, whose list of them is empty then.
    {"nothing_that_makes_a_tensor", "none of the 0 plans",
     [](Graph &graph) {
       graph.pointwise(dnnExp, graph.between(dnnFloat, {1, 1, 4, 4}),
                       std::nullopt, dense(graph, 3, {1, 1, 4, 4}));
     }},
    {"factors_of_f32", "none of the 0 plans",
     [](Graph &graph) {
       multiply(graph, heads(graph, 1, dnnFloat, 8),
                transposed(graph, 2, dnnFloat, 8));
     }},
    {"bf16_and_f16", "none of the 0 plans",
     [](Graph &graph) {
       multiply(graph, heads(graph, 1, dnnBFloat16, 8),
                transposed(graph, 2, dnnHalf, 8));
     }},
    {"heads_of_60", "none of the 0 plans",
     [](Graph &graph) {
       multiply(graph, heads(graph, 1, dnnHalf, 60),
                transposed(graph, 2, dnnHalf, 60));
     }},
    {"heads_of_264", "none of the 0 plans",
     [](Graph &graph) {
       multiply(graph, heads(graph, 1, dnnHalf, 264),
                transposed(graph, 2, dnnHalf, 264));
     }},
    {"rows_between_16_bytes", "none of the 0 plans",
     [](Graph &graph) {
       multiply(graph, graph.memory(1, dnnHalf, {1, 2, 16, 8}, {320, 8, 20, 1}),
                transposed(graph, 2, dnnHalf, 8));
     }},
    {"statistics_with_gaps", "none of the 0 plans",
     [](Graph &graph) {
       GraphTensor x = heads(graph, 1, dnnHalf, 8);
       GraphTensor y = graph.memory(3, dnnFloat, {1, 2, 16, 1}, {64, 32, 2, 1});
       graph.reduce(dnnReduceAdd, x, y);
     }},
};

TEST_P(RefusedGraphs, have_no_plan) {
  Graph graph;
  GetParam().build(graph);
  EXPECT_THAT(makePlan(graph).getProblem(),
              ::testing::ContainsRegex(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(Mistakes, RefusedGraphs, ::testing::ValuesIn(kRefused),
                         [](const auto &each) {
                           return std::string(each.param.name);
                         });

TEST_F(Cudnn, has_one_engine_which_can_be_named) {
  Device device;
  device.handle = handle;
  Graph graph;
  doubleElements(graph);
  Plan named(graph, device, Engine{6, {{dnnKnobStages, 2}}});
  EXPECT_EQ(named.getProblem(), "");
  EXPECT_EQ(named.getEngine(), 6);
  Plan other(graph, device, Engine{5, {{dnnKnobStages, 2}}});
  EXPECT_THAT(other.getProblem(), HasSubstr("the only engine is 6"));
}

TEST_F(Cudnn, knows_no_other_GPU) {
  Graph graph;
  doubleElements(graph);
  Device device;
  device.json = "{}";
  EXPECT_THAT(Plan(graph, device).getProblem(),
              HasSubstr("no GPU but the emulated one"));
}
