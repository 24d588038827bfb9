//===- CublasLt.cpp - Products through the runtime for CPUs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Provider.h"
#include "common/Mesh.h"
#include "cpu/Context.h"

#include <cstring>
#include <map>
#include <optional>
#include <sstream>

using namespace boost_emu;
using namespace boost_rt::vendor;

namespace {

struct Description {
  int computeType, scaleType;
  int32_t transposeA = 0, transposeB = 0;
};

/// Column-major.
struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t leadingDimension;
  int32_t batch = 1;
  int64_t stride = 0;
};

struct Preference {
  uint64_t workspaceBytes = 0;
  uint32_t alignments[4] = {256, 256, 256, 256};
};

/// The alignments that the algorithm was chosen for, stored in MatmulAlgorithm.
struct Choice {
  uint32_t alignments[4];
};
static_assert(sizeof(Choice) <= sizeof(MatmulAlgorithm));

/// Workspace of the algorithm.
constexpr size_t kAlgorithmBytes = size_t(1) << 20;

/// One rank that computes with the runtime for CPUs.
class Host {
public:
  Host()
      : mesh({{"one", 1}}), communicator(boost_rt::createLocalCommunicator()),
        record(0), context(mesh, *communicator, record, 1) {}

  boost_rt_context *get() { return &context; }

private:
  boost_rt::Mesh mesh;
  std::unique_ptr<boost_rt::Communicator> communicator;
  boost_rt::RunRecord record;
  boost_rt_context context;
};

} // namespace

static std::optional<boost_rt_type> getType(int type) {
  switch (type) {
  case realF32:
    return BOOST_RT_F32;
  case realF64:
    return BOOST_RT_F64;
  case realF16:
    return BOOST_RT_F16;
  case realBF16:
    return BOOST_RT_BF16;
  default:
    return std::nullopt;
  }
}

static int64_t getBytes(const Layout &layout) {
  int64_t width = boost_rt::sizeOf(*getType(layout.type));
  int64_t last =
      (layout.batch - 1) * layout.stride +
      (static_cast<int64_t>(layout.columns) - 1) * layout.leadingDimension +
      static_cast<int64_t>(layout.rows);
  return last * width;
}

template <typename T>
static BlasStatus setField(T &field, const void *value, size_t bytes) {
  if (bytes != sizeof(T))
    return blasInvalidValue;
  std::memcpy(&field, value, bytes);
  return blasSuccess;
}

template <typename Handle> static auto *cast(Handle handle) {
  if constexpr (std::is_same_v<Handle, MatmulDescription>)
    return reinterpret_cast<Description *>(handle);
  else if constexpr (std::is_same_v<Handle, MatrixLayout>)
    return reinterpret_cast<Layout *>(handle);
  else
    return reinterpret_cast<Preference *>(handle);
}

/// A number that the host gives in the type of the description.
static double getFactor(const Description &description, const void *factor) {
  return description.scaleType == realF64 ? *static_cast<const double *>(factor)
                                          : *static_cast<const float *>(factor);
}

/// Types that cublasLt multiplies with these descriptions.
static bool isSupported(const Description &description, const Layout &a,
                        const Layout &b, const Layout &c) {
  if (a.type != b.type || !getType(a.type) || !getType(c.type))
    return false;
  if (description.computeType == computeF64)
    return a.type == realF64 && c.type == realF64 &&
           description.scaleType == realF64;
  return description.computeType == computeF32 &&
         description.scaleType == realF32 && a.type != realF64 &&
         (c.type == a.type || c.type == realF32);
}

/// Returns true if the shapes are those of C = op(A) op(B).
static bool isProduct(const Description &description, const Layout &a,
                      const Layout &b, const Layout &c) {
  uint64_t m = description.transposeA ? a.columns : a.rows;
  uint64_t k = description.transposeA ? a.rows : a.columns;
  uint64_t n = description.transposeB ? b.rows : b.columns;
  uint64_t depth = description.transposeB ? b.columns : b.rows;
  bool isDense = true;
  for (const Layout *layout : {&a, &b, &c})
    isDense &= layout->leadingDimension >= static_cast<int64_t>(layout->rows);
  return isDense && c.rows == m && c.columns == n && k == depth &&
         a.batch == c.batch && b.batch == c.batch && c.rows && c.columns && k;
}

extern "C" {

BlasStatus cublasLtCreate(BlasHandle *handle) {
  *handle = reinterpret_cast<BlasHandle>(new Host);
  return blasSuccess;
}

BlasStatus cublasLtDestroy(BlasHandle handle) {
  delete reinterpret_cast<Host *>(handle);
  return blasSuccess;
}

BlasStatus cublasLtMatmulDescCreate(MatmulDescription *result, int computeType,
                                    int scaleType) {
  *result = reinterpret_cast<MatmulDescription>(
      new Description{computeType, scaleType});
  return blasSuccess;
}

BlasStatus cublasLtMatmulDescSetAttribute(MatmulDescription handle,
                                          int attribute, const void *value,
                                          size_t bytes) {
  if (attribute == matmulTransposeA)
    return setField(cast(handle)->transposeA, value, bytes);
  if (attribute == matmulTransposeB)
    return setField(cast(handle)->transposeB, value, bytes);
  return blasInvalidValue;
}

BlasStatus cublasLtMatmulDescDestroy(MatmulDescription handle) {
  delete cast(handle);
  return blasSuccess;
}

BlasStatus cublasLtMatrixLayoutCreate(MatrixLayout *result, int type,
                                      uint64_t rows, uint64_t columns,
                                      int64_t leadingDimension) {
  *result = reinterpret_cast<MatrixLayout>(
      new Layout{type, rows, columns, leadingDimension});
  return blasSuccess;
}

BlasStatus cublasLtMatrixLayoutSetAttribute(MatrixLayout handle, int attribute,
                                            const void *value, size_t bytes) {
  if (attribute == layoutBatchCount)
    return setField(cast(handle)->batch, value, bytes);
  if (attribute == layoutBatchStride)
    return setField(cast(handle)->stride, value, bytes);
  return blasInvalidValue;
}

BlasStatus cublasLtMatrixLayoutDestroy(MatrixLayout handle) {
  delete cast(handle);
  return blasSuccess;
}

BlasStatus cublasLtMatmulPreferenceCreate(MatmulPreference *result) {
  *result = reinterpret_cast<MatmulPreference>(new Preference);
  return blasSuccess;
}

BlasStatus cublasLtMatmulPreferenceSetAttribute(MatmulPreference handle,
                                                int attribute,
                                                const void *value,
                                                size_t bytes) {
  if (attribute == preferMaxWorkspaceBytes)
    return setField(cast(handle)->workspaceBytes, value, bytes);
  int which = attribute - preferMinAlignmentA;
  if (which < 0 || which > 3)
    return blasInvalidValue;
  return setField(cast(handle)->alignments[which], value, bytes);
}

BlasStatus cublasLtMatmulPreferenceDestroy(MatmulPreference handle) {
  delete cast(handle);
  return blasSuccess;
}

BlasStatus cublasLtMatmulAlgoGetHeuristic(BlasHandle,
                                          MatmulDescription description,
                                          MatrixLayout a, MatrixLayout b,
                                          MatrixLayout c, MatrixLayout,
                                          MatmulPreference preference, int,
                                          MatmulChoice *results, int *found) {
  *found = 0;
  if (!isSupported(*cast(description), *cast(a), *cast(b), *cast(c)))
    return blasNotSupported;
  if (!isProduct(*cast(description), *cast(a), *cast(b), *cast(c)))
    return blasInvalidValue;
  if (cast(preference)->workspaceBytes < kAlgorithmBytes)
    return blasSuccess;
  Choice choice;
  std::memcpy(choice.alignments, cast(preference)->alignments,
              sizeof(choice.alignments));
  *results = {};
  std::memcpy(&results->algorithm, &choice, sizeof(choice));
  results->workspaceBytes = kAlgorithmBytes;
  *found = 1;
  return blasSuccess;
}

BlasStatus cublasLtMatmulAlgoConfigGetAttribute(const MatmulAlgorithm *,
                                                int attribute, void *value,
                                                size_t bytes, size_t *written) {
  static const std::map<int, int32_t> numbers = {{algorithmId, 66},
                                                 {algorithmTile, 20},
                                                 {algorithmSplitK, 1},
                                                 {algorithmReduction, 0},
                                                 {algorithmStages, 9}};
  auto found = numbers.find(attribute);
  if (found == numbers.end() || bytes != sizeof(int32_t))
    return blasInvalidValue;
  std::memcpy(value, &found->second, bytes);
  *written = bytes;
  return blasSuccess;
}

BlasStatus cublasLtMatmul(BlasHandle handle, MatmulDescription description,
                          const void *alpha, const void *a,
                          MatrixLayout aLayout, const void *b,
                          MatrixLayout bLayout, const void *beta, const void *c,
                          MatrixLayout cLayout, void *d, MatrixLayout,
                          const MatmulAlgorithm *algorithm, void *workspace,
                          size_t workspaceBytes, CudaStream stream) {
  Description how = *cast(description);
  Layout la = *cast(aLayout), lb = *cast(bLayout), lc = *cast(cLayout);
  Choice choice;
  std::memcpy(&choice, algorithm, sizeof(choice));
  const void *pointers[] = {a, b, c, d};
  for (int i = 0; i < 4; ++i)
    if (reinterpret_cast<uintptr_t>(pointers[i]) % choice.alignments[i]) {
      report("a product is given less aligned matrices than it was chosen for");
      return blasInvalidValue;
    }
  double product = getFactor(how, alpha), old = getFactor(how, beta);
  if (c != d || kAlgorithmBytes > workspaceBytes || product != 1 ||
      (old != 0 && old != 1))
    return blasInvalidValue;
  auto *host = reinterpret_cast<Host *>(handle);
  std::ostringstream line;
  auto offset = [](const void *pointer) {
    return reinterpret_cast<uint64_t>(pointer) - kDeviceMemory;
  };
  line << "{\"call\": \"gemm\", \"m\": " << lc.columns << ", \"n\": " << lc.rows
       << ", \"k\": " << (how.transposeA ? la.rows : la.columns)
       << ", \"batch\": " << lc.batch
       << ", \"accumulate\": " << (old ? "true" : "false")
       << ", \"workspace\": [" << offset(workspace) << ", " << workspaceBytes
       << "], \"pointers\": [" << offset(b) << ", " << offset(a) << ", "
       << offset(d) << "]}";
  auto run = [=]() -> std::string {
    const std::pair<const void *, int64_t> ranges[] = {
        {a, getBytes(la)},
        {b, getBytes(lb)},
        {d, getBytes(lc)},
        {workspace, static_cast<int64_t>(workspaceBytes)}};
    for (auto [pointer, bytes] : ranges)
      if (!isAllocated(reinterpret_cast<uint64_t>(pointer),
                       static_cast<uint64_t>(bytes)))
        return "a product touches " + std::to_string(bytes) + " bytes at " +
               describeAddress(reinterpret_cast<uint64_t>(pointer)) +
               ", which is not all allocated";
    if (skipsCompute())
      return "";
    // Column-major matrices are transposed row-major ones.
    boost_rt_gemm(
        host->get(), *getType(la.type), *getType(lc.type), how.transposeB,
        how.transposeA, static_cast<int64_t>(lc.columns),
        static_cast<int64_t>(lc.rows),
        static_cast<int64_t>(how.transposeA ? la.rows : la.columns),
        translateDeviceAddress(const_cast<void *>(b)), lb.leadingDimension,
        lb.stride, translateDeviceAddress(const_cast<void *>(a)),
        la.leadingDimension, la.stride, translateDeviceAddress(d),
        lc.leadingDimension, lc.stride, lc.batch, old != 0);
    return "";
  };
  return enqueue(stream, line.str(), run) == cudaSuccess ? blasSuccess
                                                         : blasInvalidValue;
}

} // extern "C"
