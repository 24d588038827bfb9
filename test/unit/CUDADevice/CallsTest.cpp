//===- CallsTest.cpp - Functions.def on a GPU -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The oracles are plain loops in double.
//
//===----------------------------------------------------------------------===//

#include "AttentionOracle.h"
#include "ProgramOnGPU.h"
#include "boost-runtime/Factorization.h"
#include "common/Failure.h"
#include "gmock/gmock.h"

#include <cmath>

using namespace boost_rt;

/// No number is off by more than some roundings of this size.
template <typename T>
static void expectNear(const std::vector<T> &actual, const Doubles &expected,
                       double bound) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(static_cast<double>(actual[i]), expected[i],
                bound * (1 + std::fabs(expected[i])))
        << "element " << i;
}

static void *mutableAddress(const float *constant) {
  return const_cast<float *>(constant);
}

//===----------------------------------------------------------------------===//
// Kernels and copies
//===----------------------------------------------------------------------===//

TEST(CUDACalls, launch_takes_the_buffers_in_order) {
  constexpr int64_t count = 96;
  ProgramOnGPU gpu;
  auto a = randomValues<float>(count, "a"), b = randomValues<float>(count, "b");
  void *left = gpu.put(a), *right = gpu.put(b),
       *result = gpu.reserve<float>(count + 1);
  boost_rt_gpu_kernel kernel = {"subtract_twice", 3, 32, 3};
  gpu.run([&](boost_rt_context *context) {
    void *buffers[] = {left, right, result};
    boost_rt_launch(context, &kernel, buffers, 1);
  });
  Doubles expected;
  for (size_t i = 0; i < a.size(); ++i)
    expected.push_back(double(a[i]) - 2 * double(b[i]));
  expected.push_back(-77);
  expectNear(gpu.get<float>(result, count + 1), expected, 1e-6);
}

TEST(CUDACalls, launch_of_no_blocks_does_nothing) {
  ProgramOnGPU gpu;
  void *value = gpu.put<float>({3});
  boost_rt_gpu_kernel kernel = {"double_in_place", 0, 1, 1};
  gpu.run([&](boost_rt_context *context) {
    boost_rt_launch(context, &kernel, &value, 1);
  });
  EXPECT_EQ(gpu.get<float>(value, 1)[0], 3);
}

TEST(CUDACalls, launch_of_an_unknown_kernel_ends_the_process) {
  ProgramOnGPU gpu;
  boost_rt_gpu_kernel kernel = {"no_such_kernel", 1, 1, 0};
  EXPECT_DEATH(gpu.run([&](boost_rt_context *context) {
    boost_rt_launch(context, &kernel, nullptr, 1);
  }),
               "cannot find kernel no_such_kernel");
}

TEST(CUDACalls, copy_moves_the_bytes_that_it_is_told) {
  ProgramOnGPU gpu;
  void *from = gpu.put<int32_t>({1, 2, 3}), *to = gpu.reserve<int32_t>(3);
  gpu.run(
      [&](boost_rt_context *context) { boost_rt_copy(context, to, from, 8); });
  EXPECT_EQ(gpu.get<int32_t>(to, 3), std::vector<int32_t>({1, 2, -77}));
}

TEST(CUDACalls, constants_are_found_by_their_addresses) {
  ProgramOnGPU gpu;
  void *copies = gpu.reserve<float>(8);
  gpu.run([&](boost_rt_context *context) {
    // Every element alone: the beginning, the middle and the end of each.
    for (int i = 0; i < 8; ++i)
      boost_rt_copy(context, static_cast<float *>(copies) + i,
                    mutableAddress(programConstants + i), sizeof(float));
  });
  EXPECT_EQ(gpu.get<float>(copies, 8),
            std::vector<float>(programConstants, programConstants + 8));
}

TEST(CUDACalls, probe_shows_the_elements) {
  ProgramOnGPU gpu;
  void *tensor = gpu.put<BFloat16>({BFloat16(1.5f), BFloat16(-2.0f)});
  Calls probe = [&](boost_rt_context *context) {
    boost_rt_probe(context, 12, BOOST_RT_BF16, tensor, 2);
  };
  // Nobody looks.
  gpu.run(probe);
  int probes = 0;
  gpu.record().onProbe = [&](int32_t site, boost_rt_type type, const void *data,
                             int64_t count) {
    ++probes;
    EXPECT_EQ(site, 12);
    EXPECT_EQ(type, BOOST_RT_BF16);
    ASSERT_EQ(count, 2);
    const auto *values = static_cast<const BFloat16 *>(data);
    EXPECT_EQ(static_cast<float>(values[0]), 1.5f);
    EXPECT_EQ(static_cast<float>(values[1]), -2.0f);
  };
  gpu.run(probe);
  EXPECT_EQ(probes, 1);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

namespace {
/// Matrices as stored: of the rows of one, `leadingDimension` apart, of the
/// matrices `stride`.
struct Stored {
  bool transpose;
  int64_t leadingDimension, stride;

  size_t at(int64_t matrix, int64_t row, int64_t column) const {
    if (transpose)
      std::swap(row, column);
    return static_cast<size_t>(matrix * stride + row * leadingDimension +
                               column);
  }
};
} // namespace

/// Two matrices of 3 x 5 times 5 x 4.
template <typename In, typename Out>
static void checkGemm(ProgramOnGPU &gpu, bool transposeA, bool transposeB,
                      bool accumulate, int64_t alignment = 64) {
  constexpr int64_t m = 3, n = 4, k = 5, batch = 2, elements = 70;
  Stored a{transposeA, 6, 31}, b{transposeB, 7, 36}, c{false, 8, 33};
  auto as = randomValues<In>(elements, "a"),
       bs = randomValues<In>(elements, "b");
  auto before = randomValues<Out>(elements, "c");
  void *left = gpu.put(as, alignment), *right = gpu.put(bs, alignment),
       *result = gpu.put(before, alignment);
  gpu.run([&](boost_rt_context *context) {
    boost_rt_gemm(context, typeOf<In>(), typeOf<Out>(), transposeA, transposeB,
                  m, n, k, left, a.leadingDimension, a.stride, right,
                  b.leadingDimension, b.stride, result, c.leadingDimension,
                  c.stride, batch, accumulate);
  });
  Doubles expected(before.begin(), before.end());
  for (int64_t i = 0; i < batch; ++i)
    for (int64_t row = 0; row < m; ++row)
      for (int64_t column = 0; column < n; ++column) {
        double &sum = expected[c.at(i, row, column)];
        sum = accumulate ? sum : 0;
        for (int64_t l = 0; l < k; ++l)
          sum += static_cast<double>(as[a.at(i, row, l)]) *
                 static_cast<double>(bs[b.at(i, l, column)]);
      }
  expectNear(gpu.get<Out>(result, elements), expected, 2e-6);
}

TEST(CUDACalls, gemm_transposes_and_adds_as_told) {
  ProgramOnGPU gpu;
  for (bool transposeA : {false, true})
    for (bool transposeB : {false, true})
      checkGemm<float, float>(gpu, transposeA, transposeB,
                              /*accumulate=*/transposeA == transposeB);
}

TEST(CUDACalls, gemm_has_a_type_of_its_result) {
  ProgramOnGPU gpu;
  checkGemm<BFloat16, float>(gpu, false, true, /*accumulate=*/false);
}

// An algorithm for aligned matrices does not take others.
TEST(CUDACalls, gemm_chooses_by_the_alignment_of_addresses) {
  ProgramOnGPU gpu;
  for (int64_t alignment : {256, 16, 128, 4}) {
    SCOPED_TRACE(alignment);
    checkGemm<float, float>(gpu, false, false, false, alignment);
  }
  EXPECT_EQ(gpu.record().algorithms.size(), 4u);
  // 256 bytes count as 512 do.
  checkGemm<float, float>(gpu, false, false, false, 512);
  EXPECT_EQ(gpu.record().algorithms.size(), 4u);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

static void checkAttention(ProgramOnGPU &gpu, const AttentionCase &c) {
  AttentionOracle oracle(c);
  int64_t queries = c.getQueries(), keys = c.getKeys(), rows = c.b * c.h * c.sq,
          biases = c.countOf(c.bias);
  auto q = randomValues<float>(queries, "q"),
       k = randomValues<float>(keys, "k"), v = randomValues<float>(keys, "v"),
       bias = randomValues<float>(biases, "bias"),
       dO = randomValues<float>(queries, "dO"),
       dLse = randomValues<float>(rows, "dLse");
  oracle.run(widen(q), widen(k), widen(v), widen(bias), widen(dO), widen(dLse));
  void *Q = gpu.put(q), *K = gpu.put(k), *V = gpu.put(v), *DO = gpu.put(dO),
       *DLse = c.ofLse ? gpu.put(dLse) : nullptr,
       *Bias = biases ? gpu.put(bias) : nullptr,
       *Mask = oracle.masks.empty() ? nullptr : gpu.put(oracle.masks);
  void *o = gpu.reserve<float>(queries), *lse = gpu.reserve<float>(rows),
       *dQ = gpu.reserve<float>(queries), *dK = gpu.reserve<float>(keys),
       *dV = gpu.reserve<float>(keys), *dBias = gpu.reserve<float>(biases + 1);
  int64_t *biasStrides = oracle.biasStrides.data(),
          *maskStrides = oracle.maskStrides.data();
  gpu.run([&](boost_rt_context *context) {
    boost_rt_attention_forward(context, BOOST_RT_F32, Q, K, V, Bias,
                               biasStrides, Mask, maskStrides, o, lse, c.b,
                               c.sq, c.sk, c.h, c.kvh, c.dh, oracle.scale,
                               c.softCap, c.causal);
    boost_rt_attention_backward(context, BOOST_RT_F32, Q, K, V, Bias,
                                biasStrides, Mask, maskStrides, o, lse, DO,
                                DLse, dQ, dK, dV, c.b, c.sq, c.sk, c.h, c.kvh,
                                c.dh, oracle.scale, c.softCap, c.causal, 0);
    if (biases)
      boost_rt_attention_bias_backward(
          context, BOOST_RT_F32, Q, K, V, Bias, biasStrides, Mask, maskStrides,
          o, lse, DO, DLse, dBias, c.b, c.sq, c.sk, c.h, c.kvh, c.dh,
          oracle.scale, c.softCap, c.causal);
  });
  expectNear(gpu.get<float>(o, queries), oracle.o, 1e-5);
  expectNear(gpu.get<float>(lse, rows), oracle.lse, 1e-5);
  expectNear(gpu.get<float>(dQ, queries), oracle.dQ, 1e-5);
  expectNear(gpu.get<float>(dK, keys), oracle.dK, 1e-5);
  expectNear(gpu.get<float>(dV, keys), oracle.dV, 1e-5);
  if (biases)
    expectNear(gpu.get<float>(dBias, biases), oracle.dBias, 1e-5);
}

TEST(CUDACalls, attention_takes_every_argument) {
  ProgramOnGPU gpu;
  AttentionCase c;
  c.b = 2;
  c.sq = 3;
  c.sk = 5;
  c.h = 2;
  c.kvh = 1;
  c.dh = 6;
  c.causal = true;
  c.softCap = 0.5;
  checkAttention(gpu, c);
  c.b = 1;
  c.causal = false;
  c.softCap = 0;
  c.bias = 7;
  c.mask = 11;
  c.ofLse = true;
  checkAttention(gpu, c);
}

//===----------------------------------------------------------------------===//
// Embedding, factorizations and optimizer
//===----------------------------------------------------------------------===//

TEST(CUDACalls, embedding_and_its_gradient) {
  constexpr int64_t rows = 5, columns = 3;
  ProgramOnGPU gpu;
  auto table = randomValues<float>(rows * columns, "table");
  std::vector<int32_t> ids = {4, 0, 2, 4};
  auto count = static_cast<int64_t>(ids.size());
  auto grad = randomValues<float>(count * columns, "grad");
  void *Table = gpu.put(table), *Ids = gpu.put(ids), *Grad = gpu.put(grad);
  void *out = gpu.reserve<float>(count * columns),
       *tableGrad = gpu.reserve<float>(rows * columns);
  gpu.run([&](boost_rt_context *context) {
    boost_rt_embedding(context, BOOST_RT_F32, Table, Ids, out, rows, columns,
                       count);
    boost_rt_embedding_grad(context, BOOST_RT_F32, Ids, Grad, tableGrad, rows,
                            columns, count);
  });
  Doubles expected, expectedGrad(rows * columns);
  for (size_t i = 0; i < ids.size(); ++i)
    for (size_t j = 0; j < columns; ++j) {
      size_t at = static_cast<size_t>(ids[i]) * columns + j;
      expected.push_back(static_cast<double>(table[at]));
      expectedGrad[at] += static_cast<double>(grad[i * columns + j]);
    }
  expectNear(gpu.get<float>(out, count * columns), expected, 0);
  expectNear(gpu.get<float>(tableGrad, rows * columns), expectedGrad, 1e-6);
}

namespace {
/// The elements of row-major matrices, and their products.
struct Dense {
  int64_t rows, columns;
  Doubles data;

  double at(int64_t i, int64_t j) const {
    return data[static_cast<size_t>(i * columns + j)];
  }
};
} // namespace

static Dense multiply(const Dense &a, const Dense &b) {
  Dense result{a.rows, b.columns, {}};
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < b.columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < a.columns; ++k)
        sum += a.at(i, k) * b.at(k, j);
      result.data.push_back(sum);
    }
  return result;
}

static Dense transpose(const Dense &a) {
  Dense result{a.columns, a.rows, {}};
  for (int64_t j = 0; j < a.columns; ++j)
    for (int64_t i = 0; i < a.rows; ++i)
      result.data.push_back(a.at(i, j));
  return result;
}

/// Matrix `index` of a batch.
template <typename T>
static Dense pick(const std::vector<T> &batch, int64_t index, int64_t rows,
                  int64_t columns) {
  auto first = batch.begin() + index * rows * columns;
  return {rows, columns, Doubles(first, first + rows * columns)};
}

static Dense diagonal(const Dense &values) {
  Dense result{values.columns, values.columns, {}};
  for (int64_t i = 0; i < values.columns; ++i)
    for (int64_t j = 0; j < values.columns; ++j)
      result.data.push_back(i == j ? values.at(0, i) : 0);
  return result;
}

/// Symmetric positive definite matrices.
template <typename T>
static std::vector<T> definiteMatrices(int64_t batch, int64_t n) {
  auto random = randomValues<T>(batch * n * n, "definite");
  std::vector<T> result;
  for (int64_t b = 0; b < batch; ++b) {
    Dense a = pick(random, b, n, n), product = multiply(a, transpose(a));
    for (int64_t i = 0; i < n * n; ++i)
      result.push_back(
          T(product.data[static_cast<size_t>(i)] + (i % (n + 1) ? 0 : 1)));
  }
  return result;
}

template <typename T>
static std::vector<std::vector<T>>
factorize(ProgramOnGPU &gpu, boost_rt_factorization kind, int64_t batch,
          int64_t rows, int64_t columns, std::vector<std::vector<T>> operands,
          const std::vector<int64_t> &resultSizes) {
  std::vector<void *> buffers;
  int64_t reflections = std::min(rows, columns);
  for (const std::vector<T> &operand : operands)
    buffers.push_back(gpu.put(operand));
  for (int64_t size : resultSizes)
    buffers.push_back(gpu.reserve<T>(batch * size));
  gpu.run([&](boost_rt_context *context) {
    boost_rt_factorize(context, kind, typeOf<T>(), buffers.data(), rows,
                       columns, reflections, batch);
  });
  std::vector<std::vector<T>> results;
  for (size_t i = 0; i < resultSizes.size(); ++i)
    results.push_back(
        gpu.get<T>(buffers[operands.size() + i], batch * resultSizes[i]));
  return results;
}

TEST(CUDACalls, cholesky_of_a_batch_and_of_one) {
  for (int64_t batch : {1, 3}) {
    ProgramOnGPU gpu;
    auto a = definiteMatrices<double>(batch, 5);
    auto l = factorize<double>(gpu, BOOST_RT_CHOLESKY, batch, 5, 5, {a}, {25});
    for (int64_t i = 0; i < batch; ++i) {
      Dense factor = pick(l[0], i, 5, 5);
      expectNear(multiply(factor, transpose(factor)).data,
                 pick(a, i, 5, 5).data, 1e-12);
      EXPECT_EQ(factor.at(1, 3), 0);
    }
  }
}

TEST(CUDACalls, eigenvectors_of_a_batch) {
  ProgramOnGPU gpu;
  auto a = definiteMatrices<float>(3, 6);
  auto found = factorize<float>(gpu, BOOST_RT_EIGH, 3, 6, 6, {a}, {36, 6});
  for (int64_t i = 0; i < 3; ++i) {
    Dense v = pick(found[0], i, 6, 6), w = pick(found[1], i, 1, 6);
    expectNear(multiply(multiply(v, diagonal(w)), transpose(v)).data,
               pick(a, i, 6, 6).data, 1e-5);
    for (int64_t j = 0; j < 6; ++j) {
      double sum = 0, whole = 0;
      for (int64_t k = 0; k < 6; ++k)
        sum += v.at(k, j) *
               (1 + std::modf(double(k) * 0.6180339887498949, &whole));
      EXPECT_GT(sum, 0);
    }
  }
}

// Where the workspace is too small for the batch, and where it is for a matrix.
TEST(CUDACalls, eigenproblems_share_the_workspace) {
  auto a = definiteMatrices<double>(5, 6);
  auto solve = [&](ProgramOnGPU &gpu) {
    return factorize<double>(gpu, BOOST_RT_EIGH, 5, 6, 6, {a}, {36, 6});
  };
  ProgramOnGPU gpu;
  auto expected = solve(gpu);
  for (const char *bytes : {"300000", "900000"}) {
    ScopedVariable asked("BOOST_EMULATOR_CUSOLVER", bytes);
    ProgramOnGPU small;
    EXPECT_EQ(solve(small), expected);
  }
  EXPECT_DEATH(
      {
        ScopedVariable asked("BOOST_EMULATOR_CUSOLVER", "2000000");
        solve(gpu);
      },
      "cuSOLVER needs a workspace of 2000000 bytes to factorize a matrix of 6 "
      "x 6 of f64, but the program has one of 10[0-9]*; install another "
      "version of cuSOLVER, or compile the program with --target=cpu");
}

TEST(CUDACalls, functions_that_factorize_are_not_recorded) {
  ProgramOnGPU gpu;
  void *a = gpu.put(definiteMatrices<float>(1, 4)), *l = gpu.reserve<float>(16);
  int calls = 0;
  const Function &function = gpu.functionOf(
      [&](boost_rt_context *context) {
        ++calls;
        void *buffers[] = {a, l};
        boost_rt_factorize(context, BOOST_RT_CHOLESKY, BOOST_RT_F32, buffers, 4,
                           4, 4, 1);
      },
      /*usesStash=*/false, {{0}});
  for (int i = 0; i < 3; ++i)
    gpu.run(function);
  gpu.device->synchronize();
  EXPECT_EQ(calls, 3);
}

TEST(CUDACalls, a_program_that_factorizes_needs_cusolver) {
  ScopedVariable absent("BOOST_EMULATOR_CUSOLVER", "0");
  try {
    ProgramOnGPU gpu;
    FAIL();
  } catch (const Failure &failure) {
    EXPECT_THAT(failure.what(), testing::HasSubstr("cannot start cuSOLVER on"));
    EXPECT_EQ(failure.code, ExitCode::inputRefused);
  }
}

TEST(CUDACalls, orthogonal_bases_of_a_batch) {
  ProgramOnGPU gpu;
  auto a = randomValues<double>(2 * 7 * 4, "a");
  auto qr = factorize<double>(gpu, BOOST_RT_QR, 2, 7, 4, {a}, {28, 4});
  auto q =
      factorize<double>(gpu, BOOST_RT_QR_BASIS, 2, 7, 4, {qr[0], qr[1]}, {28});
  for (int64_t i = 0; i < 2; ++i) {
    Dense packed = pick(qr[0], i, 7, 4), r{4, 4, Doubles(16)};
    for (int64_t row = 0; row < 4; ++row)
      for (int64_t column = row; column < 4; ++column)
        r.data[static_cast<size_t>(row * 4 + column)] = packed.at(row, column);
    expectNear(multiply(pick(q[0], i, 7, 4), r).data, pick(a, i, 7, 4).data,
               1e-12);
  }
}

TEST(CUDACalls, singular_vectors_of_tall_and_wide_matrices) {
  for (bool isFull : {false, true})
    for (auto [m, n] : {std::pair<int64_t, int64_t>(7, 4), {4, 7}, {5, 5}}) {
      ProgramOnGPU gpu;
      int64_t k = std::min(m, n), left = isFull ? m : k, right = isFull ? n : k;
      auto a = randomValues<double>(2 * m * n, "a");
      auto found =
          factorize<double>(gpu, isFull ? BOOST_RT_FULL_SVD : BOOST_RT_SVD, 2,
                            m, n, {a}, {k, m * left, right * n});
      for (int64_t i = 0; i < 2; ++i) {
        Dense u = pick(found[1], i, m, left), v = pick(found[2], i, right, n);
        Dense first{m, k, {}}, rows{k, n, {}};
        for (int64_t row = 0; row < m; ++row)
          for (int64_t j = 0; j < k; ++j)
            first.data.push_back(u.at(row, j) *
                                 pick(found[0], i, 1, k).at(0, j));
        for (int64_t j = 0; j < k * n; ++j)
          rows.data.push_back(v.data[static_cast<size_t>(j)]);
        expectNear(multiply(first, rows).data, pick(a, i, m, n).data, 1e-12);
      }
    }
}

TEST(CUDACalls, matrices_without_a_factorization_are_nan) {
  ProgramOnGPU gpu;
  auto a = definiteMatrices<float>(3, 4);
  a[0] = NAN;
  a[2 * 16] = -1;
  auto l = factorize<float>(gpu, BOOST_RT_CHOLESKY, 3, 4, 4, {a}, {16});
  EXPECT_TRUE(std::isnan(l[0][5]));
  EXPECT_FALSE(std::isnan(l[0][16]));
  EXPECT_TRUE(std::isnan(l[0][2 * 16 + 5]));
}

namespace {
/// Two parameters that are updated in one call, the first with decay.
template <typename T> class Updates {
public:
  explicit Updates(ProgramOnGPU &gpu) : gpu(gpu) {
    for (size_t i = 0; i < 2; ++i) {
      p[i] = randomValues<T>(counts[i], "p");
      m[i] = randomValues<float>(counts[i], "m");
      v[i] = std::vector<float>(static_cast<size_t>(counts[i]), 0.25f);
      g[i] = randomValues<float>(counts[i], "g");
    }
  }

  void run() {
    for (double number : numbers)
      buffers.push_back(gpu.put<float>({static_cast<float>(number)}));
    for (size_t i = 0; i < 2; ++i) {
      buffers.push_back(gpu.put(p[i]));
      buffers.push_back(gpu.put(m[i]));
      buffers.push_back(gpu.put(v[i]));
      buffers.push_back(gpu.put(g[i]));
    }
    gpu.run([&](boost_rt_context *context) {
      boost_rt_adamw(context, typeOf<T>(), BOOST_RT_F32, 2, buffers.data(),
                     counts, decays);
    });
  }

  void check(double bound) {
    auto [lr, t, scale, beta1, beta2, share1, share2, eps, epsRoot, decay] =
        numbers;
    for (size_t i = 0; i < 2; ++i) {
      Doubles ps = widen(p[i]), ms = widen(m[i]), vs = widen(v[i]);
      for (size_t j = 0; j < ps.size(); ++j) {
        double gradient = scale * double(g[i][j]);
        ms[j] = beta1 * ms[j] + share1 * gradient;
        vs[j] = beta2 * vs[j] + share2 * gradient * gradient;
        double step =
            ms[j] / (1 - std::pow(beta1, t)) /
            (std::sqrt(vs[j] / (1 - std::pow(beta2, t)) + epsRoot) + eps);
        ps[j] -= lr * (step + (decays[i] ? decay : 0) * ps[j]);
      }
      expectNear(gpu.get<T>(buffers[BOOST_RT_ADAMW_NUMBERS + 4 * i], counts[i]),
                 ps, bound);
      expectNear(gpu.get<float>(buffers[BOOST_RT_ADAMW_NUMBERS + 4 * i + 1],
                                counts[i]),
                 ms, 1e-6);
      expectNear(gpu.get<float>(buffers[BOOST_RT_ADAMW_NUMBERS + 4 * i + 2],
                                counts[i]),
                 vs, 1e-6);
    }
  }

  std::vector<T> p[2];
  std::vector<float> m[2], v[2], g[2];

private:
  ProgramOnGPU &gpu;
  int64_t counts[2] = {7, 4};
  int32_t decays[2] = {1, 0};
  /// By boost_rt_adamw_number, exact in f32.
  double numbers[BOOST_RT_ADAMW_NUMBERS] = {0.125, 3,     0.5,    0.875, 0.75,
                                            0.25,  0.125, 0.0625, 0.5,   0.375};
  std::vector<void *> buffers;
};
} // namespace

TEST(CUDACalls, adamw_updates_every_tensor_by_its_own_gradient) {
  ProgramOnGPU gpu;
  Updates<float> ofF32(gpu);
  ofF32.run();
  ofF32.check(2e-6);
  Updates<BFloat16> ofBF16(gpu);
  ofBF16.run();
  ofBF16.check(0x1p-8);
  EXPECT_FALSE(gpu.record().updatedToNonFinite);
}

TEST(CUDACalls, adamw_notes_what_is_not_finite) {
  ProgramOnGPU gpu;
  Updates<float> updates(gpu);
  updates.g[1][2] = HUGE_VALF;
  updates.run();
  EXPECT_TRUE(gpu.record().updatedToNonFinite);
  // It is noted once.
  gpu.record().updatedToNonFinite = false;
  gpu.device->synchronize();
  EXPECT_FALSE(gpu.record().updatedToNonFinite);
}

TEST(CUDACalls, sum_of_squares_of_several_tensors) {
  ProgramOnGPU gpu;
  auto a = randomValues<float>(7, "a");
  auto b = randomValues<BFloat16>(5, "b");
  std::vector<void *> buffers = {gpu.put(a), gpu.put(b)};
  int64_t counts[] = {7, 5};
  int32_t types[] = {BOOST_RT_F32, BOOST_RT_BF16};
  void *out = gpu.reserve<float>(1);
  gpu.run([&](boost_rt_context *context) {
    boost_rt_sum_of_squares(context, 2, buffers.data(), counts, types, out);
  });
  double sum = 0;
  for (double value : widen(a))
    sum += value * value;
  for (double value : widen(b))
    sum += value * value;
  expectNear(gpu.get<float>(out, 1), {sum}, 1e-6);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

TEST(CUDACalls, other_addresses_end_the_process) {
  ProgramOnGPU gpu;
  void *tensor = gpu.reserve<float>(1);
  float other = 0;
  EXPECT_DEATH(gpu.run([&](boost_rt_context *context) {
    boost_rt_copy(context, tensor, &other, sizeof(other));
  }),
               "neither in the arena nor a constant");
}
