//===- all_reduce.cpp - Ways to reduce several tensors together -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures how MPI reduces the tensors of one boost.all_reduce best: a call for
// each, one call on a packed buffer, nonblocking calls completed together, or
// one call on a derived datatype. The ways take turns, so that all see the same
// machine; the shortest time of each counts. Prints a Markdown table.
//
//     mpicxx -O2 -std=c++17 benchmarks/all_reduce.cpp -o all_reduce
//     mpirun -np 2 ./all_reduce
//
//===----------------------------------------------------------------------===//

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

/// Tensors of f32, apart from each other as in an arena.
class Tensors {
public:
  explicit Tensors(const std::vector<int> &counts) : counts(counts) {
    constexpr size_t gap = 1024;
    for (int count : counts) {
      offsets.push_back(total);
      total += static_cast<size_t>(count) + gap;
      elements += count;
    }
    arena.assign(total, 1);
    buffer.resize(static_cast<size_t>(elements));
    describe();
  }
  Tensors(const Tensors &) = delete;
  Tensors &operator=(const Tensors &) = delete;
  ~Tensors() {
    MPI_Type_free(&type);
    MPI_Op_free(&sum);
  }

  void reduceEach() {
    for (size_t i = 0; i < counts.size(); ++i)
      MPI_Allreduce(MPI_IN_PLACE, at(i), counts[i], MPI_FLOAT, MPI_SUM,
                    MPI_COMM_WORLD);
  }

  void reducePacked() {
    size_t used = 0;
    for (size_t i = 0; i < counts.size(); used += size(i), ++i)
      std::memcpy(&buffer[used], at(i), size(i) * sizeof(float));
    MPI_Allreduce(MPI_IN_PLACE, buffer.data(), elements, MPI_FLOAT, MPI_SUM,
                  MPI_COMM_WORLD);
    used = 0;
    for (size_t i = 0; i < counts.size(); used += size(i), ++i)
      std::memcpy(at(i), &buffer[used], size(i) * sizeof(float));
  }

  void reduceNonblocking() {
    std::vector<MPI_Request> requests(counts.size());
    for (size_t i = 0; i < counts.size(); ++i)
      MPI_Iallreduce(MPI_IN_PLACE, at(i), counts[i], MPI_FLOAT, MPI_SUM,
                     MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
                MPI_STATUSES_IGNORE);
  }

  void reduceDerived() {
    current = this;
    MPI_Allreduce(MPI_IN_PLACE, arena.data(), 1, type, sum, MPI_COMM_WORLD);
  }

private:
  void describe() {
    std::vector<int> places(offsets.begin(), offsets.end());
    MPI_Type_indexed(static_cast<int>(counts.size()), counts.data(),
                     places.data(), MPI_FLOAT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, /*commute=*/1, &sum);
  }

  static void add(void *in, void *into, int *, MPI_Datatype *) {
    for (size_t i = 0; i < current->counts.size(); ++i) {
      const float *from = static_cast<float *>(in) + current->offsets[i];
      float *to = static_cast<float *>(into) + current->offsets[i];
      for (int j = 0; j < current->counts[i]; ++j)
        to[j] += from[j];
    }
  }

  float *at(size_t i) { return &arena[offsets[i]]; }
  size_t size(size_t i) const { return static_cast<size_t>(counts[i]); }

  /// The tensors that `add` reduces, which MPI cannot pass to it.
  static inline const Tensors *current = nullptr;

  std::vector<int> counts;
  std::vector<size_t> offsets;
  std::vector<float> arena, buffer;
  size_t total = 0;
  int elements = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op sum = MPI_OP_NULL;
};

struct Case {
  std::string name;
  std::vector<int> counts;
};

using Way = void (Tensors::*)();

} // namespace

/// The tensors of one CoLA block: T tokens, rank r.
static std::vector<Case> getCases() {
  std::vector<Case> cases;
  for (int tokens : {64, 512, 4096}) {
    std::string suffix = ", T=" + std::to_string(tokens) + " r=128";
    int latent = tokens * 128;
    cases.push_back({"S and H" + suffix, {tokens, latent}});
    cases.push_back({"S, q, k, v" + suffix, {tokens, latent, latent, latent}});
  }
  cases.push_back({"64 gradients of 1 KiB", std::vector<int>(64, 256)});
  cases.push_back({"64 gradients of 64 KiB", std::vector<int>(64, 16384)});
  cases.push_back({"25 gradients of 1 MiB", std::vector<int>(25, 262144)});
  cases.push_back({"3 gradients of 8 MiB", std::vector<int>(3, 2097152)});
  return cases;
}

/// The shortest of many times of each way, in microseconds, over all ranks.
static std::vector<double> measure(const Case &measured,
                                   const std::vector<Way> &ways) {
  Tensors tensors(measured.counts);
  std::vector<double> best(ways.size(), std::numeric_limits<double>::max());
  double begin = MPI_Wtime();
  constexpr double kSeconds = 3;
  for (int more = 1, round = 0; more; ++round) {
    for (size_t i = 0; i < ways.size(); ++i) {
      MPI_Barrier(MPI_COMM_WORLD);
      double start = MPI_Wtime();
      (tensors.*ways[i])();
      double seconds = MPI_Wtime() - start, slowest = 0;
      MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (round > 2)
        best[i] = std::min(best[i], 1e6 * slowest);
    }
    more = round < 10 || MPI_Wtime() - begin < kSeconds;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  return best;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<Way> ways = {&Tensors::reduceEach, &Tensors::reducePacked,
                                 &Tensors::reduceNonblocking,
                                 &Tensors::reduceDerived};
  if (rank == 0)
    std::printf("| %d ranks, microseconds | one by one | packed | nonblocking "
                "| derived type |\n|---|---|---|---|---|\n",
                ranks);
  for (const Case &measured : getCases()) {
    std::vector<double> best = measure(measured, ways);
    if (rank != 0)
      continue;
    std::printf("| %s |", measured.name.c_str());
    for (double microseconds : best)
      std::printf(" %.0f |", microseconds);
    std::printf("\n");
    std::fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
