//===- Factorizations.h - Factorizations by cuSOLVER ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_FACTORIZATIONS_H
#define BOOST_RUNTIME_CUDA_FACTORIZATIONS_H

#include "boost-runtime/FactorizationWorkspace.h"
#include "cuda/DeviceMemory.h"
#include "cuda/GPU.h"
#include "cuda/KernelLauncher.h"

#include <vector>

namespace boost_rt {

/// Calls cuSOLVER, whose matrices are column-major, on copies of the matrices
/// in the workspace. Its routines are the deterministic ones, which is its
/// default.
class Factorizations {
public:
  /// The name of these calls in the descriptions of a program.
  static constexpr const char *callName = "factorize";

  /// Opens cuSOLVER if the program factorizes matrices. Refuses to start such a
  /// program without it.
  Factorizations(GPU &gpu, KernelLauncher &launcher, Workspace workspace,
                 const Program &program);
  ~Factorizations();
  Factorizations(const Factorizations &) = delete;
  Factorizations &operator=(const Factorizations &) = delete;

  /// Puts the work on the stream. `buffers` are in device memory, the operands
  /// and then the results. Ends the process if cuSOLVER needs a larger
  /// workspace than the program has.
  void run(const MatrixFactorization &call, void *const *buffers);

private:
  struct Scratch;

  Scratch layOut(const MatrixFactorization &call) const;
  void load(const MatrixFactorization &call, void *const *buffers,
            const Scratch &scratch);
  size_t queryWork(const MatrixFactorization &call);
  int64_t chooseBatch(MatrixFactorization call, Scratch &scratch);
  void solve(const MatrixFactorization &call, Scratch scratch);
  void solveCholeskyBatch(const MatrixFactorization &call,
                          const Scratch &scratch);
  void solveEigenproblems(const MatrixFactorization &call,
                          const Scratch &scratch, int64_t first, int64_t count);
  void solveOne(const MatrixFactorization &call, const Scratch &scratch,
                int64_t index);
  void buildBasis(const MatrixFactorization &call, const Scratch &scratch,
                  int64_t index);
  void decompose(const MatrixFactorization &call, const Scratch &scratch,
                 int64_t index);
  void chooseSigns(const MatrixFactorization &call, const Scratch &scratch);
  void store(const MatrixFactorization &call, void *const *results,
             const Scratch &scratch);

  KernelLauncher &launcher;
  const Workspace workspace;
  /// Null if the program factorizes nothing.
  vendor::SolverHandle handle = nullptr;
  vendor::SolverParameters parameters = nullptr;
  /// Memory of the host that cuSOLVER asks for.
  std::vector<char> hostWork;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_FACTORIZATIONS_H
