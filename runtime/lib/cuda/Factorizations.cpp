//===- Factorizations.cpp - Factorizations by cuSOLVER --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices are copied to the workspace as cuSOLVER has them. A symmetric matrix
// is not transposed: its other triangle is read. Nor is a wide matrix whose
// singular values are computed, since cuSOLVER decomposes tall ones.
//
//===----------------------------------------------------------------------===//

#include "cuda/Factorizations.h"
#include "common/Failure.h"
#include "cuda/kernels/FactorizationSizes.h"

#include <algorithm>
#include <limits>

using namespace boost_rt;
using namespace boost_rt::vendor;

/// Addresses in the workspace of a call.
struct Factorizations::Scratch {
  char *a, *vector, *u, *v, *work;
  char **list;
  int32_t *failed, *status;
  size_t workBytes;
};

static ElementType getType(const MatrixFactorization &call) {
  return call.isF64 ? BOOST_RT_F64 : BOOST_RT_F32;
}

Factorizations::Factorizations(GPU &gpu, KernelLauncher &launcher,
                               Workspace workspace, const Program &program)
    : launcher(launcher), workspace(workspace) {
  if (!program.makesCall(callName))
    return;
  openSolver();
  const Functions &solver = functions();
  SolverStatus status = solver.cusolverDnCreate(&handle);
  if (status == solverSuccess)
    status = solver.cusolverDnSetStream(handle, gpu.getStream());
  if (status == solverSuccess)
    status = solver.cusolverDnCreateParams(&parameters);
  if (status != solverSuccess)
    refuse("cannot start cuSOLVER on ", gpu.getName(), ": it returned ",
           status);
}

Factorizations::~Factorizations() {
  if (parameters)
    functions().cusolverDnDestroyParams(parameters);
  if (handle)
    functions().cusolverDnDestroy(handle);
}

Factorizations::Scratch
Factorizations::layOut(const MatrixFactorization &call) const {
  FactorizationLayout layout(call);
  char *base = workspace.take(layout.solver);
  return {base + layout.matrices,
          base + layout.vectors,
          base + layout.left,
          base + layout.right,
          base + layout.solver,
          reinterpret_cast<char **>(base + layout.addresses),
          reinterpret_cast<int32_t *>(base + layout.failed),
          reinterpret_cast<int32_t *>(base + layout.status),
          static_cast<size_t>(workspace.bytes - layout.solver)};
}

//===----------------------------------------------------------------------===//
// Loading and storing
//===----------------------------------------------------------------------===//

void Factorizations::load(const MatrixFactorization &call, void *const *buffers,
                          const Scratch &scratch) {
  static constexpr KernelNames names =
      BOOST_KERNEL_NAMES("boost_load_matrices");
  int64_t flagBytes = call.batch * static_cast<int64_t>(sizeof(int32_t));
  launcher.fill(scratch.failed, 0, flagBytes);
  launcher.fill(scratch.status, 0, flagBytes);
  auto copy = [&](void *from, char *to, int64_t rows, int64_t columns,
                  bool isTransposed, bool isTriangle) {
    launchKernel(
        launcher, names.of(getType(call)), {static_cast<uint32_t>(call.batch)},
        {kernelThreads}, 0, from, to, scratch.failed, rows, columns,
        static_cast<int32_t>(isTransposed), static_cast<int32_t>(isTriangle));
  };
  copy(buffers[0], scratch.a, call.rows, call.columns,
       !call.readsTriangle() && !call.isWideSvd(), call.readsTriangle());
  if (call.kind == BOOST_RT_QR_BASIS)
    copy(buffers[1], scratch.vector, 1, call.reflections, false, false);
}

void Factorizations::chooseSigns(const MatrixFactorization &call,
                                 const Scratch &scratch) {
  static constexpr KernelNames names = BOOST_KERNEL_NAMES("boost_choose_signs");
  TallMatrix tall(call);
  int64_t n = call.columns;
  VectorSizes none{}, eigenvectors{n * n, n, 1, n, n};
  VectorSizes ofU{tall.rows * tall.left, tall.rows, 1, tall.left, tall.rows};
  VectorSizes ofV{tall.columns * tall.columns, 1, tall.columns, tall.columns,
                  tall.columns};
  auto launch = [&](char *left, VectorSizes ofLeft, char *right,
                    VectorSizes ofRight) {
    int64_t pairs = std::max(ofLeft.vectors, ofRight.vectors);
    launchKernel(launcher, names.of(getType(call)),
                 {static_cast<uint32_t>(call.batch),
                  static_cast<uint32_t>(ceilDivide(pairs, kernelThreads))},
                 {kernelThreads}, 0, left, ofLeft, right, ofRight);
  };
  if (call.kind == BOOST_RT_EIGH)
    launch(scratch.a, eigenvectors, scratch.a, none);
  else if (call.hasVectors() && call.isWideSvd())
    launch(scratch.v, ofV, scratch.u, ofU);
  else if (call.hasVectors())
    launch(scratch.u, ofU, scratch.v, ofV);
}

void Factorizations::store(const MatrixFactorization &call,
                           void *const *results, const Scratch &scratch) {
  static constexpr KernelNames names =
      BOOST_KERNEL_NAMES("boost_store_matrices");
  auto copy = [&](char *from, void *to, int64_t rows, int64_t columns,
                  bool isTransposed, bool isTriangle = false) {
    launchKernel(launcher, names.of(getType(call)),
                 {static_cast<uint32_t>(call.batch)}, {kernelThreads}, 0, from,
                 to, scratch.failed, scratch.status, rows, columns,
                 static_cast<int32_t>(isTransposed),
                 static_cast<int32_t>(isTriangle));
  };
  auto copyVector = [&](void *to) {
    copy(scratch.vector, to, 1, call.rank(), false);
  };
  TallMatrix tall(call);
  switch (call.kind) {
  case BOOST_RT_CHOLESKY:
    return copy(scratch.a, results[0], call.rows, call.columns, false, true);
  case BOOST_RT_QR_BASIS:
    return copy(scratch.a, results[0], call.rows, call.columns, true);
  case BOOST_RT_QR:
  case BOOST_RT_EIGH:
    copy(scratch.a, results[0], call.rows, call.columns, true);
    return copyVector(results[1]);
  case BOOST_RT_SVD:
  case BOOST_RT_FULL_SVD: {
    // In memory, a column-major matrix is the transposed row-major one.
    bool wide = call.isWideSvd();
    copy(scratch.u, results[wide ? 2 : 1], wide ? tall.left : tall.rows,
         wide ? tall.rows : tall.left, !wide);
    copy(scratch.v, results[wide ? 1 : 2], tall.columns, tall.columns, !wide);
    return copyVector(results[0]);
  }
  case BOOST_RT_SINGULAR_VALUES:
    return copyVector(results[0]);
  }
}

//===----------------------------------------------------------------------===//
// cuSOLVER
//===----------------------------------------------------------------------===//

static int getRealType(const MatrixFactorization &call) {
  return call.isF64 ? realF64 : realF32;
}

static signed char getJob(const MatrixFactorization &call) {
  return call.kind == BOOST_RT_SVD ? 'S' : call.hasVectors() ? 'A' : 'N';
}

/// Sizes that the routines for one type take as int.
static int narrow(int64_t size) {
  if (size > std::numeric_limits<int>::max())
    abortProgram(concat("a factorization of ", size,
                        " rows is larger than cuSOLVER takes"));
  return static_cast<int>(size);
}

/// Asks cuSOLVER for the device memory that it needs, and provides the memory
/// of the host.
size_t Factorizations::queryWork(const MatrixFactorization &call) {
  const Functions &solver = functions();
  int type = getRealType(call);
  size_t device = 0, host = 0;
  SolverStatus status = solverSuccess;
  switch (call.kind) {
  case BOOST_RT_CHOLESKY:
    if (call.batch == 1)
      status = solver.cusolverDnXpotrf_bufferSize(
          handle, parameters, solverUpper, call.rows, type, nullptr, call.rows,
          type, &device, &host);
    break;
  case BOOST_RT_QR:
    status = solver.cusolverDnXgeqrf_bufferSize(
        handle, parameters, call.rows, call.columns, type, nullptr, call.rows,
        type, nullptr, type, &device, &host);
    break;
  case BOOST_RT_QR_BASIS: {
    int m = narrow(call.rows), n = narrow(call.columns),
        k = narrow(call.reflections), elements = 0;
    status = call.isF64
                 ? solver.cusolverDnDorgqr_bufferSize(handle, m, n, k, nullptr,
                                                      m, nullptr, &elements)
                 : solver.cusolverDnSorgqr_bufferSize(handle, m, n, k, nullptr,
                                                      m, nullptr, &elements);
    device = static_cast<size_t>(elements * call.width());
    break;
  }
  case BOOST_RT_EIGH:
    status = solver.cusolverDnXsyevBatched_bufferSize(
        handle, parameters, solverWithVectors, solverUpper, call.rows, type,
        nullptr, call.rows, type, nullptr, type, &device, &host, call.batch);
    break;
  case BOOST_RT_SVD:
  case BOOST_RT_FULL_SVD:
  case BOOST_RT_SINGULAR_VALUES: {
    TallMatrix tall(call);
    status = solver.cusolverDnXgesvd_bufferSize(
        handle, parameters, getJob(call), getJob(call), tall.rows, tall.columns,
        type, nullptr, tall.rows, type, nullptr, type, nullptr, tall.rows, type,
        nullptr, tall.columns, type, &device, &host);
    break;
  }
  }
  checkSolver(status, "plan a factorization");
  if (hostWork.size() < host)
    hostWork.resize(host);
  return device;
}

/// Returns the number of matrices that `syevBatched` has workspace for at once,
/// or 1 for other kinds, and narrows `scratch` to the memory that it needs.
int64_t Factorizations::chooseBatch(MatrixFactorization call,
                                    Scratch &scratch) {
  size_t needed = queryWork(call);
  if (call.kind != BOOST_RT_EIGH)
    call.batch = 1;
  while (needed > scratch.workBytes && call.batch > 1) {
    call.batch = ceilDivide(call.batch, 2);
    needed = queryWork(call);
  }
  if (needed > scratch.workBytes)
    abortProgram(concat("cuSOLVER needs a workspace of ", needed,
                        " bytes to factorize a matrix of ", call.rows, " x ",
                        call.columns, " of ", nameOf(getType(call)),
                        ", but the program has one of ", scratch.workBytes,
                        "; install another version of cuSOLVER, or compile the "
                        "program with --target=cpu"));
  scratch.workBytes = needed;
  return call.batch;
}

void Factorizations::solveCholeskyBatch(const MatrixFactorization &call,
                                        const Scratch &scratch) {
  launchKernel(launcher, "boost_list_matrices",
               {static_cast<uint32_t>(ceilDivide(call.batch, kernelThreads))},
               {kernelThreads}, 0, scratch.a, scratch.list,
               call.rows * call.columns * call.width(), call.batch);
  int n = narrow(call.rows), batch = narrow(call.batch);
  const Functions &solver = functions();
  checkSolver(call.isF64 ? solver.cusolverDnDpotrfBatched(
                               handle, solverUpper, n,
                               reinterpret_cast<double **>(scratch.list), n,
                               scratch.status, batch)
                         : solver.cusolverDnSpotrfBatched(
                               handle, solverUpper, n,
                               reinterpret_cast<float **>(scratch.list), n,
                               scratch.status, batch),
              "factorize matrices");
}

void Factorizations::solveEigenproblems(const MatrixFactorization &call,
                                        const Scratch &scratch, int64_t first,
                                        int64_t count) {
  int type = getRealType(call);
  int64_t n = call.rows;
  checkSolver(functions().cusolverDnXsyevBatched(
                  handle, parameters, solverWithVectors, solverUpper, n, type,
                  scratch.a + first * n * n * call.width(), n, type,
                  scratch.vector + first * n * call.width(), type, scratch.work,
                  scratch.workBytes, hostWork.data(), hostWork.size(),
                  scratch.status + first, count),
              "factorize matrices");
}

void Factorizations::buildBasis(const MatrixFactorization &call,
                                const Scratch &scratch, int64_t index) {
  const Functions &solver = functions();
  int64_t width = call.width();
  char *a = scratch.a + index * call.rows * call.columns * width;
  char *scales = scratch.vector + index * call.reflections * width;
  int m = narrow(call.rows), n = narrow(call.columns),
      k = narrow(call.reflections),
      elements = narrow(static_cast<int64_t>(scratch.workBytes) / width);
  auto build = [&](auto function, auto *typed) {
    using Pointer = decltype(typed);
    return function(handle, m, n, k, typed, m,
                    reinterpret_cast<Pointer>(scales),
                    reinterpret_cast<Pointer>(scratch.work), elements,
                    scratch.status + index);
  };
  checkSolver(
      call.isF64 ? build(solver.cusolverDnDorgqr, reinterpret_cast<double *>(a))
                 : build(solver.cusolverDnSorgqr, reinterpret_cast<float *>(a)),
      "factorize matrices");
}

void Factorizations::decompose(const MatrixFactorization &call,
                               const Scratch &scratch, int64_t index) {
  TallMatrix tall(call);
  int type = getRealType(call);
  int64_t width = call.width();
  bool hasVectors = call.hasVectors();
  char *u = scratch.u + index * tall.rows * tall.left * width;
  char *v = scratch.v + index * tall.columns * tall.columns * width;
  checkSolver(
      functions().cusolverDnXgesvd(
          handle, parameters, getJob(call), getJob(call), tall.rows,
          tall.columns, type,
          scratch.a + index * tall.rows * tall.columns * width, tall.rows, type,
          scratch.vector + index * tall.columns * width, type,
          hasVectors ? u : nullptr, tall.rows, type, hasVectors ? v : nullptr,
          tall.columns, type, scratch.work, scratch.workBytes, hostWork.data(),
          hostWork.size(), scratch.status + index),
      "factorize matrices");
}

/// Factorizes one matrix of the batch.
void Factorizations::solveOne(const MatrixFactorization &call,
                              const Scratch &scratch, int64_t index) {
  const Functions &solver = functions();
  int type = getRealType(call);
  char *a = scratch.a + index * call.rows * call.columns * call.width();
  char *vector = scratch.vector + index * call.rank() * call.width();
  int32_t *info = scratch.status + index;
  if (call.kind == BOOST_RT_QR_BASIS)
    return buildBasis(call, scratch, index);
  if (call.isSvd())
    return decompose(call, scratch, index);
  checkSolver(
      call.kind == BOOST_RT_CHOLESKY
          ? solver.cusolverDnXpotrf(handle, parameters, solverUpper, call.rows,
                                    type, a, call.rows, type, scratch.work,
                                    scratch.workBytes, hostWork.data(),
                                    hostWork.size(), info)
          : solver.cusolverDnXgeqrf(handle, parameters, call.rows, call.columns,
                                    type, a, call.rows, type, vector, type,
                                    scratch.work, scratch.workBytes,
                                    hostWork.data(), hostWork.size(), info),
      "factorize matrices");
}

/// One call for the batch where cuSOLVER has a routine for batches.
void Factorizations::solve(const MatrixFactorization &call, Scratch scratch) {
  if (call.kind == BOOST_RT_CHOLESKY && call.batch > 1)
    return solveCholeskyBatch(call, scratch);
  int64_t step = chooseBatch(call, scratch);
  for (int64_t i = 0; i < call.batch; i += step)
    if (call.kind == BOOST_RT_EIGH)
      solveEigenproblems(call, scratch, i, std::min(step, call.batch - i));
    else
      solveOne(call, scratch, i);
}

void Factorizations::run(const MatrixFactorization &call,
                         void *const *buffers) {
  if (call.batch == 0)
    return;
  Scratch scratch = layOut(call);
  load(call, buffers, scratch);
  solve(call, scratch);
  chooseSigns(call, scratch);
  store(call, buffers + call.operands(), scratch);
}
