//===- Matmuls.cpp - Matrix products through cublasLt ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasLt knows column-major matrices. A row-major one is its own transpose
// there, so the transposed product C^T = op(B)^T op(A)^T is computed, with the
// factors exchanged and all else as it is.
//
//===----------------------------------------------------------------------===//

#include "cuda/Matmuls.h"
#include "common/Failure.h"

using namespace boost_rt;
using namespace boost_rt::vendor;

static int dataType(ElementType type) {
  switch (type) {
  case BOOST_RT_BF16:
    return realBF16;
  case BOOST_RT_F16:
    return realF16;
  case BOOST_RT_F64:
    return realF64;
  default:
    return realF32;
  }
}

/// Descriptions of a product, and the algorithm for it.
class Matmuls::Plan {
public:
  Plan(BlasHandle handle, const Matmul &product, int64_t workspaceBytes);
  ~Plan();
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;

  void run(BlasHandle handle, const void *a, const void *b, void *c,
           Workspace workspace, CudaStream stream) const;

  /// The algorithm, as cublasLt numbers them.
  ChosenAlgorithm describe() const;

private:
  void choose(BlasHandle handle, const Matmul &product, int64_t workspaceBytes);

  MatmulDescription description = nullptr;
  MatrixLayout a = nullptr, b = nullptr, c = nullptr;
  MatmulAlgorithm algorithm{};
  int64_t usedBytes = 0;
  bool isDouble, accumulate;
};

/// The stored matrix: `rows` of it, each of `columns`, are columns there.
static MatrixLayout createLayout(const Matrix &matrix, int64_t rows,
                                 int64_t columns, int64_t batch) {
  const Functions &blas = functions();
  MatrixLayout layout = nullptr;
  checkBlas(blas.cublasLtMatrixLayoutCreate(
                &layout, dataType(matrix.type), static_cast<uint64_t>(columns),
                static_cast<uint64_t>(rows), matrix.leadingDimension),
            "describe a matrix");
  auto count = static_cast<int32_t>(batch);
  checkBlas(blas.cublasLtMatrixLayoutSetAttribute(layout, layoutBatchCount,
                                                  &count, sizeof(count)),
            "describe a matrix");
  checkBlas(blas.cublasLtMatrixLayoutSetAttribute(layout, layoutBatchStride,
                                                  &matrix.stride,
                                                  sizeof(matrix.stride)),
            "describe a matrix");
  return layout;
}

static MatrixLayout createFactorLayout(const Matrix &matrix, int64_t rows,
                                       int64_t columns, int64_t batch) {
  if (matrix.transpose)
    std::swap(rows, columns);
  return createLayout(matrix, rows, columns, batch);
}

Matmuls::Plan::Plan(BlasHandle handle, const Matmul &product,
                    int64_t workspaceBytes)
    : isDouble(product.a.type == BOOST_RT_F64), accumulate(product.accumulate) {
  if (isDouble != (product.c.type == BOOST_RT_F64))
    abortProgram(concat("cublasLt has no product of ", nameOf(product.a.type),
                        " with a result of ", nameOf(product.c.type)));
  const Functions &blas = functions();
  checkBlas(blas.cublasLtMatmulDescCreate(&description,
                                          isDouble ? computeF64 : computeF32,
                                          isDouble ? realF64 : realF32),
            "describe a product");
  int32_t first = product.b.transpose, second = product.a.transpose;
  checkBlas(blas.cublasLtMatmulDescSetAttribute(description, matmulTransposeA,
                                                &first, sizeof(first)),
            "describe a product");
  checkBlas(blas.cublasLtMatmulDescSetAttribute(description, matmulTransposeB,
                                                &second, sizeof(second)),
            "describe a product");
  a = createFactorLayout(product.a, product.m, product.k, product.batch);
  b = createFactorLayout(product.b, product.k, product.n, product.batch);
  c = createLayout(product.c, product.m, product.n, product.batch);
  choose(handle, product, workspaceBytes);
}

Matmuls::Plan::~Plan() {
  functions().cublasLtMatrixLayoutDestroy(a);
  functions().cublasLtMatrixLayoutDestroy(b);
  functions().cublasLtMatrixLayoutDestroy(c);
  functions().cublasLtMatmulDescDestroy(description);
}

void Matmuls::Plan::choose(BlasHandle handle, const Matmul &product,
                           int64_t workspaceBytes) {
  const Functions &blas = functions();
  MatmulPreference preference = nullptr;
  checkBlas(blas.cublasLtMatmulPreferenceCreate(&preference),
            "choose an algorithm");
  auto prefer = [&](int which, auto value) {
    checkBlas(blas.cublasLtMatmulPreferenceSetAttribute(preference, which,
                                                        &value, sizeof(value)),
              "choose an algorithm");
  };
  prefer(preferMaxWorkspaceBytes, static_cast<uint64_t>(workspaceBytes));
  prefer(preferMinAlignmentA, static_cast<uint32_t>(product.b.alignment));
  prefer(preferMinAlignmentB, static_cast<uint32_t>(product.a.alignment));
  prefer(preferMinAlignmentC, static_cast<uint32_t>(product.c.alignment));
  prefer(preferMinAlignmentD, static_cast<uint32_t>(product.c.alignment));
  MatmulChoice choice{};
  int found = 0;
  BlasStatus status = blas.cublasLtMatmulAlgoGetHeuristic(
      handle, description, b, a, c, c, preference, 1, &choice, &found);
  blas.cublasLtMatmulPreferenceDestroy(preference);
  if (status != blasSuccess || found == 0)
    abortProgram(concat("cublasLt has no algorithm for a product of ",
                        product.m, " x ", product.k, " x ", product.n, " of ",
                        nameOf(product.a.type), " (status ", status, ")"));
  algorithm = choice.algorithm;
  usedBytes = static_cast<int64_t>(choice.workspaceBytes);
}

ChosenAlgorithm Matmuls::Plan::describe() const {
  auto get = [&](int attribute) {
    int32_t value = 0;
    size_t written = 0;
    checkBlas(functions().cublasLtMatmulAlgoConfigGetAttribute(
                  &algorithm, attribute, &value, sizeof(value), &written),
              "describe an algorithm");
    return value;
  };
  ChosenAlgorithm chosen;
  chosen.kind = "product";
  chosen.numbers = {{"id", get(algorithmId)},
                    {"tile", get(algorithmTile)},
                    {"stages", get(algorithmStages)},
                    {"split_k", get(algorithmSplitK)},
                    {"reduction", get(algorithmReduction)},
                    {"workspace_bytes", usedBytes}};
  return chosen;
}

void Matmuls::Plan::run(BlasHandle handle, const void *a, const void *b,
                        void *c, Workspace workspace, CudaStream stream) const {
  static constexpr double doubles[] = {0, 1};
  static constexpr float floats[] = {0, 1};
  auto factor = [&](bool isOne) {
    return isDouble ? static_cast<const void *>(&doubles[isOne])
                    : static_cast<const void *>(&floats[isOne]);
  };
  const void *alpha = factor(true), *beta = factor(accumulate);
  checkBlas(functions().cublasLtMatmul(
                handle, description, alpha, b, this->b, a, this->a, beta, c,
                this->c, c, this->c, &algorithm, workspace.data,
                static_cast<size_t>(workspace.bytes), stream),
            "multiply matrices");
}

/// "4096 x 1024 x 4096 of bf16 to f32, A^T, added": m, k and n.
static std::string describe(const Matmul &product) {
  std::string text =
      concat(product.m, " x ", product.k, " x ", product.n, " of ",
             nameOf(product.a.type), " to ", nameOf(product.c.type));
  if (product.a.transpose)
    text += ", A^T";
  if (product.b.transpose)
    text += ", B^T";
  if (product.batch != 1)
    text += concat(", batch ", product.batch,
                   product.b.stride ? "" : " with one B");
  if (product.accumulate)
    text += ", added";
  return text;
}

Matmuls::Matmuls(GPU &gpu, Workspace workspace, RunRecord &record)
    : gpu(gpu), workspace(workspace), record(record) {
  openBlas();
  if (BlasStatus status = functions().cublasLtCreate(&handle))
    refuse("cannot start cublasLt on ", gpu.getName(), ": it returned ",
           status);
}

Matmuls::~Matmuls() {
  plans.clear();
  functions().cublasLtDestroy(handle);
}

void Matmuls::run(const Matmul &product, const void *a, const void *b,
                  void *c) {
  std::unique_ptr<Plan> &plan = plans[product];
  if (!plan) {
    plan = std::make_unique<Plan>(handle, product, workspace.bytes);
    ChosenAlgorithm chosen = plan->describe();
    chosen.call = describe(product);
    record.algorithms.push_back(std::move(chosen));
  }
  plan->run(handle, a, b, c, workspace, gpu.getStream());
}
