//===- CollectivesTest.cpp - Collectives of a program on GPUs -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One rank of several that all hold the same.
//
//===----------------------------------------------------------------------===//

#include "AmongEquals.h"
#include "EmulatedGPU.h"
#include "ProgramOnGPU.h"
#include "common/Failure.h"
#include "common/HostCollectives.h"
#include "cuda/DataCommunicator.h"
#include "cuda/KernelImages.h"
#include "cuda/Kernels.h"

using namespace boost_rt;

namespace {

constexpr char meshText[] =
    R"([{"name": "dp", "size": 2}, {"name": "tp", "size": 3}])";
constexpr uint32_t dp = 1, tp = 2, all = 3;

/// Each test holds for both libraries.
class CUDACollectives : public ::testing::TestWithParam<const char *> {
protected:
  ScopedVariable library = {"BOOST_CUDA_COLLECTIVES", GetParam()};
  ProgramOnGPU gpu =
      ProgramOnGPU({}, meshText, std::make_unique<AmongEquals>());
  NcclAmongEquals nccl;

  void expectCounted(size_t site, int64_t bytes) {
    EXPECT_EQ(gpu.record().sites[site].executions, 1);
    EXPECT_EQ(gpu.record().sites[site].bytes, bytes);
    EXPECT_EQ(gpu.record().sites[1 - site].executions, 0);
    EXPECT_EQ(AmongEquals::seenSite, static_cast<int32_t>(site));
  }
};

INSTANTIATE_TEST_SUITE_P(Through, CUDACollectives,
                         ::testing::Values("staged", "nccl"),
                         [](const auto &info) {
                           return std::string(info.param);
                         });

TEST_P(CUDACollectives, all_reduce_of_several_tensors) {
  void *tensors[] = {gpu.put<float>({1, 2, 3}), gpu.put<int32_t>({4, 5})};
  int64_t counts[] = {3, 2};
  int32_t types[] = {BOOST_RT_F32, BOOST_RT_I32};
  gpu.run([&](boost_rt_context *context) {
    boost_rt_all_reduce(context, 1, tp, BOOST_RT_SUM, 2, tensors, counts,
                        types);
  });
  EXPECT_EQ(gpu.get<float>(tensors[0], 3), std::vector<float>({3, 6, 9}));
  EXPECT_EQ(gpu.get<int32_t>(tensors[1], 2), std::vector<int32_t>({12, 15}));
  expectCounted(1, 20);
}

TEST_P(CUDACollectives, all_reduce_takes_its_reduction) {
  void *tensors[] = {gpu.put<float>({1, 2, 3})};
  int64_t counts[] = {3};
  int32_t types[] = {BOOST_RT_F32};
  gpu.run([&](boost_rt_context *context) {
    boost_rt_all_reduce(context, 0, all, BOOST_RT_MAX, 1, tensors, counts,
                        types);
  });
  EXPECT_EQ(gpu.get<float>(tensors[0], 3), std::vector<float>({1, 2, 3}));
  expectCounted(0, 12);
}

TEST_P(CUDACollectives, broadcast_of_several_tensors) {
  void *tensors[] = {gpu.put<float>({1, 2, 3}), gpu.put<int32_t>({4, 5})};
  int64_t counts[] = {3, 2};
  int32_t types[] = {BOOST_RT_F32, BOOST_RT_I32};
  gpu.run([&](boost_rt_context *context) {
    boost_rt_broadcast(context, 1, tp, 2, 2, tensors, counts, types);
  });
  EXPECT_EQ(gpu.get<float>(tensors[0], 3), std::vector<float>({1, 2, 3}));
  EXPECT_EQ(gpu.get<int32_t>(tensors[1], 2), std::vector<int32_t>({4, 5}));
  expectCounted(1, 20);
}

TEST_P(CUDACollectives, all_gather_of_several_tensors) {
  void *buffers[] = {gpu.put<float>({1, 2, 3, 4}), gpu.reserve<float>(12),
                     gpu.put<int32_t>({5, 6}),     gpu.reserve<int32_t>(6),
                     gpu.put<float>({7, 8}),       gpu.reserve<float>(6)};
  int64_t extents[] = {2, 2, 1, 2, 2, 1};
  int32_t types[] = {BOOST_RT_F32, BOOST_RT_I32, BOOST_RT_F32};
  gpu.run([&](boost_rt_context *context) {
    boost_rt_all_gather(context, 1, tp, 3, buffers, extents, types);
  });
  EXPECT_EQ(gpu.get<float>(buffers[1], 12),
            std::vector<float>({1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4}));
  EXPECT_EQ(gpu.get<int32_t>(buffers[3], 6),
            std::vector<int32_t>({5, 6, 5, 6, 5, 6}));
  EXPECT_EQ(gpu.get<float>(buffers[5], 6),
            std::vector<float>({7, 7, 7, 8, 8, 8}));
  expectCounted(1, 32);
}

// Rank 5 is the last of its group of 3.
TEST_P(CUDACollectives, reduce_scatter_of_several_tensors) {
  void *buffers[] = {gpu.put<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}),
                     gpu.reserve<float>(4),
                     gpu.put<int32_t>({1, 2, 3}),
                     gpu.reserve<int32_t>(1),
                     gpu.put<float>({1, 2, 3, 4, 5, 6}),
                     gpu.reserve<float>(2)};
  int64_t extents[] = {2, 2, 1, 1, 2, 1};
  int32_t types[] = {BOOST_RT_F32, BOOST_RT_I32, BOOST_RT_F32};
  gpu.run([&](boost_rt_context *context) {
    boost_rt_reduce_scatter(context, 0, tp, BOOST_RT_SUM, 3, buffers, extents,
                            types);
  });
  EXPECT_EQ(gpu.get<float>(buffers[1], 4),
            std::vector<float>({15, 18, 33, 36}));
  EXPECT_EQ(gpu.get<int32_t>(buffers[3], 1), std::vector<int32_t>({9}));
  EXPECT_EQ(gpu.get<float>(buffers[5], 2), std::vector<float>({9, 18}));
  expectCounted(0, 84);
}

// [2, 4] is split into [2, 2] for each of two ranks and joined to [4, 2].
TEST_P(CUDACollectives, all_to_all_splits_and_joins) {
  void *src = gpu.put<float>({1, 2, 3, 4, 5, 6, 7, 8}),
       *dst = gpu.reserve<float>(8);
  int64_t shape[] = {2, 4};
  gpu.run([&](boost_rt_context *context) {
    boost_rt_all_to_all(context, 1, dp, BOOST_RT_F32, src, dst, 2, shape, 1, 0);
  });
  EXPECT_EQ(gpu.get<float>(dst, 8),
            std::vector<float>({3, 4, 7, 8, 3, 4, 7, 8}));
  expectCounted(1, 32);
}

// Rank 5 is at (1, 2).
TEST_P(CUDACollectives, all_slice_takes_its_own_position) {
  void *src = gpu.put<float>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}),
       *ofTp = gpu.reserve<float>(4), *ofDp = gpu.reserve<float>(6);
  gpu.run([&](boost_rt_context *context) {
    boost_rt_all_slice(context, tp, BOOST_RT_F32, src, ofTp, 2, 2);
    boost_rt_all_slice(context, dp, BOOST_RT_F32, src, ofDp, 3, 2);
  });
  EXPECT_EQ(gpu.get<float>(ofTp, 4), std::vector<float>({4, 5, 10, 11}));
  EXPECT_EQ(gpu.get<float>(ofDp, 6), std::vector<float>({2, 3, 6, 7, 10, 11}));
}

TEST_P(CUDACollectives, process_index_is_the_position_in_the_group) {
  void *out = gpu.reserve<int32_t>(4);
  gpu.run([&](boost_rt_context *context) {
    auto *positions = static_cast<int32_t *>(out);
    boost_rt_process_index(context, dp, positions);
    boost_rt_process_index(context, tp, positions + 1);
    boost_rt_process_index(context, all, positions + 2);
  });
  EXPECT_EQ(gpu.get<int32_t>(out, 4), std::vector<int32_t>({1, 2, 5, -77}));
}

//===----------------------------------------------------------------------===//
// Groups of NCCL
//===----------------------------------------------------------------------===//

/// All-reduces a number over each group.
static void reduceOver(ProgramOnGPU &gpu, const std::vector<uint32_t> &groups) {
  void *tensors[] = {gpu.put<float>({1})};
  int64_t counts[] = {1};
  int32_t types[] = {BOOST_RT_F32};
  gpu.run([&](boost_rt_context *context) {
    for (uint32_t group : groups)
      boost_rt_all_reduce(context, 0, static_cast<int32_t>(group), BOOST_RT_SUM,
                          1, tensors, counts, types);
  });
}

TEST(CUDANcclGroups, are_connected_once_and_named_by_their_first_rank) {
  for (int64_t rank : {0, 5}) {
    ProgramOnGPU gpu({}, meshText, std::make_unique<AmongEquals>(rank));
    NcclAmongEquals nccl;
    reduceOver(gpu, {tp, dp, tp});
    ASSERT_EQ(nccl.connections.size(), 2u);
    EXPECT_EQ(nccl.connections[0].size, 3);
    EXPECT_EQ(nccl.connections[1].size, 2);
    EXPECT_EQ(nccl.connections[0].position, rank == 0 ? 0 : 2);
    EXPECT_EQ(nccl.connections[1].position, rank == 0 ? 0 : 1);
    EXPECT_EQ(nccl.names, rank == 0 ? 2 : 0);
    EXPECT_EQ(nccl.connections[1].name, rank == 0 ? "a name" : "");
    gpu.device.reset();
    EXPECT_EQ(nccl.ended, 2);
  }
}

TEST(CUDANcclGroups, end_the_process_when_a_peer_is_lost) {
  ProgramOnGPU gpu({}, meshText, std::make_unique<AmongEquals>());
  NcclAmongEquals nccl;
  reduceOver(gpu, {dp});
  // Something to wait for.
  void *from = gpu.put<float>({1}), *to = gpu.reserve<float>(1);
  const Function &function = gpu.functionOf([&](boost_rt_context *context) {
    boost_rt_copy(context, to, from, sizeof(float));
  });
  auto wait = [&] {
    gpu.run(function);
    gpu.device->synchronize();
  };
  wait();
  nccl.found = vendor::ncclInProgress;
  wait();
  EXPECT_EQ(nccl.aborted, 0);
  nccl.found = 6;
  EXPECT_DEATH(wait(), "NCCL is aborted(.|\n)*cannot go on with a group of "
                       "ranks on the GPU: NCCL returned 6");
  nccl.found = vendor::ncclSuccess;
  nccl.asked = 3;
  EXPECT_DEATH(wait(), "cannot ask for the state of a group of ranks on the "
                       "GPU: NCCL returned 3");
}

/// The last send or receive of NCCL.
static struct {
  const void *data;
  size_t bytes;
  int peer;
} moved;

// Through the host, the driver does it.
TEST_P(CUDACollectives, transfers_between_stages) {
  bool isNccl = std::string(GetParam()) == "nccl";
  auto &library = const_cast<vendor::Functions &>(vendor::functions());
  library.ncclSend = [](const void *data, size_t bytes, int, int peer,
                        vendor::NcclCommunicator, vendor::CudaStream) {
    moved = {data, bytes, peer};
    return vendor::ncclSuccess + 0;
  };
  library.ncclRecv = [](void *data, size_t bytes, int, int peer,
                        vendor::NcclCommunicator, vendor::CudaStream) {
    moved = {data, bytes, -peer};
    return vendor::ncclSuccess + 0;
  };
  const char *first = static_cast<char *>(gpu.put<float>({1, 2}));
  gpu.program.stages[0].slotBytes = 256;
  Tensor tensor;
  tensor.offsets = {64};
  tensor.bytes = 8;
  for (Role role : {Role::accumulator, Role::kept})
    for (bool sends : {true, false}) {
      tensor.role = role;
      moved = {};
      EXPECT_EQ(gpu.device->transfer(tensor, /*slot=*/2, sends, tp, 1), isNccl);
      if (!isNccl) {
        EXPECT_EQ(moved.data, nullptr);
        continue;
      }
      EXPECT_EQ(moved.data, first + (role == Role::kept ? 512 : 0));
      EXPECT_EQ(moved.bytes, 8u);
      EXPECT_EQ(moved.peer, sends ? 1 : -1);
    }
}

// Tensors are packed, each at a multiple of 64 bytes, unless their outer
// dimension is 1.
TEST(CUDANcclGroups, pack_in_the_workspace) {
  ProgramOnGPU program({}, meshText, std::make_unique<AmongEquals>());
  EmulatedGPU emulated;
  GPU &gpu = emulated.open();
  const boost_rt_device_image none[] = {{0, nullptr, 0}};
  Kernels kernels(gpu, kernelImages(), none);
  auto communicatorWith = [&](int64_t bytes) {
    auto nccl =
        createNcclCommunicator(program.program.mesh, *program.communicator, gpu,
                               kernels, {emulated.workspace().data, bytes});
    NcclAmongEquals replaced;
    return nccl;
  };
  char *memory = emulated.memory;
  void *buffers[] = {memory,        memory + 512,  memory + 1024,
                     memory + 1536, memory + 2048, memory + 2560};
  // Pieces of 16, 120 and 24 bytes.
  const int64_t extents[] = {2, 2, 1, 30, 2, 3};
  const int32_t types[] = {BOOST_RT_F32, BOOST_RT_F32, BOOST_RT_F32};
  PieceList pieces(3, buffers, extents, types);
  auto enough = communicatorWith(64 + 128);
  gpu.fill(memory, 0, 4096);
  enough->allGather(tp, pieces);
  enough->reduceScatter(tp, BOOST_RT_SUM, pieces);
  std::vector<char> behind(512);
  gpu.copyToHost(behind.data(),
                 static_cast<char *>(emulated.workspace().data) + 192, 512);
  EXPECT_EQ(behind, std::vector<char>(512, -1)) << "as new memory is";
  auto little = communicatorWith(64 + 127);
  constexpr char refusal[] = "a call needs a workspace of 192 bytes, but the "
                             "program has one of 191";
  EXPECT_DEATH(little->allGather(tp, pieces), refusal);
  EXPECT_DEATH(little->reduceScatter(tp, BOOST_RT_SUM, pieces), refusal);

  // An all-to-all packs what it sends and what it receives.
  const int64_t shape[] = {2, 6};
  communicatorWith(96)->allToAll(tp, BOOST_RT_F32, buffers[0], buffers[1], 2,
                                 shape, 1, 0);
  EXPECT_DEATH(communicatorWith(95)->allToAll(tp, BOOST_RT_F32, buffers[0],
                                              buffers[1], 2, shape, 1, 0),
               "a call needs a workspace of 96 bytes");
  gpu.synchronize();
}

//===----------------------------------------------------------------------===//
// Memory of the host
//===----------------------------------------------------------------------===//

/// Counts buffers that a GPU copies from and to.
static int allocated, freed;

TEST(CUDAStagedCollectives, keep_a_buffer_for_the_largest) {
  ScopedVariable staged("BOOST_CUDA_COLLECTIVES", "staged");
  {
    ProgramOnGPU gpu({}, meshText, std::make_unique<AmongEquals>());
    auto &driver = const_cast<vendor::Functions &>(vendor::functions());
    allocated = freed = 0;
    driver.cuMemHostAlloc = [](void **result, size_t bytes, unsigned) {
      ++allocated;
      *result = std::malloc(bytes);
      return vendor::cudaSuccess + 0;
    };
    driver.cuMemFreeHost = [](void *data) {
      EXPECT_TRUE(data);
      ++freed;
      std::free(data);
      return vendor::cudaSuccess + 0;
    };
    auto reduce = [&](int64_t count) {
      void *tensor =
          gpu.put(std::vector<float>(static_cast<size_t>(count), 1.0f));
      int32_t type = BOOST_RT_F32;
      gpu.run([&](boost_rt_context *context) {
        boost_rt_all_reduce(context, 0, dp, BOOST_RT_SUM, 1, &tensor, &count,
                            &type);
      });
    };
    // Multiples of 64 bytes.
    for (int64_t count : {16, 8, 16})
      reduce(count);
    EXPECT_EQ(allocated, 1);
    EXPECT_EQ(freed, 0);
    reduce(17);
    EXPECT_EQ(allocated, 2);
    EXPECT_EQ(freed, 1);
  }
  EXPECT_EQ(freed, 2);
}

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

/// Returns true if functions are recorded, which only happens with NCCL.
static bool usesNccl(int64_t localSize) {
  ProgramOnGPU gpu({}, meshText, std::make_unique<AmongEquals>(5, localSize));
  int calls = 0;
  const Function &function =
      gpu.functionOf([&](boost_rt_context *) { ++calls; });
  for (int i = 0; i < 3; ++i)
    gpu.run(function);
  gpu.device->synchronize();
  return calls == 2;
}

TEST(CUDACollectivesLibrary, is_NCCL_where_every_rank_has_a_GPU) {
  ScopedVariable devices("BOOST_EMULATOR_DEVICES", "2");
  EXPECT_TRUE(usesNccl(1));
  EXPECT_TRUE(usesNccl(2));
  EXPECT_FALSE(usesNccl(3));
}

TEST(CUDACollectivesLibrary, is_not_asked_for_by_one_rank) {
  ScopedVariable chosen("BOOST_CUDA_COLLECTIVES", "mpi");
  ProgramOnGPU gpu;
  EXPECT_THROW(ProgramOnGPU({}, R"([{"name": "tp", "size": 2}])",
                            std::make_unique<AmongEquals>()),
               Failure);
}

TEST(CUDACollectivesLibrary, can_be_chosen) {
  ScopedVariable devices("BOOST_EMULATOR_DEVICES", "2");
  {
    ScopedVariable chosen("BOOST_CUDA_COLLECTIVES", "nccl");
    EXPECT_TRUE(usesNccl(3));
  }
  {
    ScopedVariable chosen("BOOST_CUDA_COLLECTIVES", "staged");
    EXPECT_FALSE(usesNccl(1));
  }
  ScopedVariable chosen("BOOST_CUDA_COLLECTIVES", "mpi");
  try {
    usesNccl(1);
    FAIL() << "there is no such library";
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::usage);
    EXPECT_STREQ(failure.what(),
                 "BOOST_CUDA_COLLECTIVES expects nccl or staged, but is 'mpi'");
  }
}

} // namespace
