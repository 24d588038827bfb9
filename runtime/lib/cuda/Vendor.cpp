//===- Vendor.cpp - NVIDIA's libraries, opened at run time ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/Vendor.h"
#include "common/Failure.h"

#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>

using namespace boost_rt;
using namespace boost_rt::vendor;

static Functions table;

const Functions &vendor::functions() { return table; }

static const char *emulatorPath() { return std::getenv("BOOST_CUDA_EMULATOR"); }

bool vendor::isEmulated() { return emulatorPath() != nullptr; }

namespace {

/// A library, and what to do where it is missing.
struct Library {
  const char *title;
  std::initializer_list<const char *> names;
  const char *remedy;
};

} // namespace

static const Library driver{
    "the NVIDIA driver",
    {"libcuda.so.1"},
    "install the driver of this machine's GPU, or compile the program with "
    "--target=cpu"};
static const Library blas{
    "cublasLt",
    {"libcublasLt.so.13", "libcublasLt.so.12"},
    "install the CUDA libraries, or `pip install nvidia-cublas` and add its "
    "folder lib to LD_LIBRARY_PATH"};
static const Library dnn{
    "cuDNN",
    {"libcudnn.so.9"},
    "install cuDNN 9, or `pip install nvidia-cudnn-cu13` and add its folder "
    "lib to LD_LIBRARY_PATH"};
static const Library solver{
    "cuSOLVER",
    {"libcusolver.so.12", "libcusolver.so.11"},
    "install the CUDA libraries, or `pip install nvidia-cusolver` and add its "
    "folder lib to LD_LIBRARY_PATH"};
static const Library nccl{
    "NCCL",
    {"libnccl.so.2"},
    "install NCCL, or `pip install nvidia-nccl-cu13` and add its folder lib to "
    "LD_LIBRARY_PATH, or set BOOST_CUDA_COLLECTIVES=staged"};

/// Opens the first library of the names that there is. Returns null if there is
/// none, with the reasons in `reasons`.
static void *tryOpen(const Library &library, std::string &reasons) {
  if (const char *path = emulatorPath()) {
    // Device code looks for the emulator's symbols among the global ones.
    void *handle = ::dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!handle)
      refuse("BOOST_CUDA_EMULATOR: ", ::dlerror());
    return handle;
  }
  for (const char *name : library.names) {
    if (void *handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL))
      return handle;
    reasons += concat(reasons.empty() ? "" : "; ", ::dlerror());
  }
  return nullptr;
}

static void *open(const Library &library) {
  std::string reasons;
  if (void *handle = tryOpen(library, reasons))
    return handle;
  refuse("this program runs on a GPU, but ", library.title,
         " cannot be opened: ", reasons, "; ", library.remedy);
}

template <typename Function>
static void find(void *handle, const Library &library, const char *symbol,
                 Function *&function) {
  function = reinterpret_cast<Function *>(::dlsym(handle, symbol));
  if (!function)
    refuse("this program runs on a GPU, but ", library.title,
           " of this machine has no function ", symbol,
           ": it is too old; the program needs CUDA 12 or later");
}

void vendor::openDriver() {
  void *handle = open(driver);
#define BOOST_VENDOR_CUDA(SYMBOL, ...)                                         \
  find(handle, driver, #SYMBOL, table.SYMBOL);
#include "cuda/VendorFunctions.def"
}

void vendor::openBlas() {
  void *handle = open(blas);
#define BOOST_VENDOR_BLAS(SYMBOL, ...)                                         \
  find(handle, blas, #SYMBOL, table.SYMBOL);
#include "cuda/VendorFunctions.def"
}

std::string vendor::openDnn() {
  std::string reasons;
  void *handle = tryOpen(dnn, reasons);
  if (!handle)
    return concat(reasons, "; ", dnn.remedy);
#define BOOST_VENDOR_DNN(TYPE, SYMBOL, ...)                                    \
  table.SYMBOL =                                                               \
      reinterpret_cast<TYPE (*)(__VA_ARGS__)>(::dlsym(handle, #SYMBOL));       \
  if (!table.SYMBOL)                                                           \
    return concat(dnn.title, " of this machine has no function ", #SYMBOL);
#include "cuda/VendorFunctions.def"
  return "";
}

void vendor::openSolver() {
  void *handle = open(solver);
#define BOOST_VENDOR_SOLVER(SYMBOL, ...)                                       \
  find(handle, solver, #SYMBOL, table.SYMBOL);
#include "cuda/VendorFunctions.def"
}

void vendor::openNccl() {
  void *handle = open(nccl);
#define BOOST_VENDOR_NCCL(SYMBOL, ...)                                         \
  find(handle, nccl, #SYMBOL, table.SYMBOL);
#include "cuda/VendorFunctions.def"
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

std::string vendor::describe(CudaResult result) {
  const char *text = nullptr;
  if (!table.cuGetErrorString || table.cuGetErrorString(result, &text) || !text)
    text = "unknown error";
  return concat(text, " (", result, ")");
}

void vendor::check(CudaResult result, const char *what) {
  if (result == cudaSuccess)
    return;
  ExitCode code =
      result == cudaOutOfMemory ? ExitCode::infeasible : ExitCode::inputRefused;
  throw Failure(code,
                concat("cannot ", what, " on the GPU: ", describe(result)));
}

void vendor::checkInStep(CudaResult result, const char *what) {
  if (result != cudaSuccess)
    abortProgram(concat("cannot ", what, " on the GPU: ", describe(result)));
}

void vendor::checkBlas(BlasStatus status, const char *what) {
  if (status != blasSuccess)
    abortProgram(
        concat("cannot ", what, " on the GPU: cublasLt returned ", status));
}

void vendor::checkSolver(SolverStatus status, const char *what) {
  if (status != solverSuccess)
    abortProgram(
        concat("cannot ", what, " on the GPU: cuSOLVER returned ", status));
}

void vendor::checkNccl(NcclResult result, const char *what) {
  if (result != ncclSuccess)
    abortProgram(
        concat("cannot ", what, " on the GPU: NCCL returned ", result));
}
