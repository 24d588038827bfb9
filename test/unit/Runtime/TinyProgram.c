/*===- TinyProgram.c - A program such as the compiler makes, by hand --------===
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A bigram model: loss = mean over tokens of (table[token] - target / 4)^2 with
 * a table of eight numbers, so that the runtime's commands can be tested
 * without the compiler. Built for one rank, and with TINY_DP2 for mesh dp=2,
 * where rows of the batch are sharded over dp and the table over nothing.
 * TINY_ACCUMULATE gives it accumulate and update instead of step; TINY_DIVERGE
 * makes the loss of step 2 a NaN; TINY_NAMED_ACC gives the table a name like
 * that of an accumulated gradient. TINY_DOCUMENTS gives each term the weight
 * mask (1 + position), and adds the number of the batch and its key to the
 * loss. TINY_MOMENTUM updates the table by momentum and a step size, which are
 * its only hyper-parameters, and has the metric update_norm only.
 *
 *===----------------------------------------------------------------------===*/

#include "boost-runtime/Runtime.h"

#include <math.h>
#include <string.h>

#ifdef TINY_DP2
#define MESH                                                                   \
  "[{\"name\": \"dp\", \"size\": 2}, {\"name\": \"tp\", \"size\": 1}]"
#define ROWS 2
#define RANKS 2
#else
#define MESH                                                                   \
  "[{\"name\": \"dp\", \"size\": 1}, {\"name\": \"tp\", \"size\": 1}]"
#define ROWS 4
#define RANKS 1
#endif

#define CALL(function, micro_batch)                                            \
  "{\"function\": \"" function "\", \"micro_batch\": " micro_batch "}"
#define SCHEDULE(name, micro_batches, calls)                                   \
  "\"" name "\": {\"micro_batches\": " micro_batches ", \"calls\": [" calls "]}"
#ifdef TINY_ACCUMULATE
#define TRAIN                                                                  \
  SCHEDULE("train", "2",                                                       \
           CALL("accumulate", "0") ", " CALL(                                  \
               "accumulate", "1") ", {\"function\": \"update\"}")
#else
#define TRAIN SCHEDULE("train", "1", CALL("step", "0"))
#endif

#ifdef TINY_NAMED_ACC
#define NAME "acc.table"
#else
#define NAME "table"
#endif

enum { VOCABULARY = 8, COLUMNS = 5 };

/* One tensor every 64 bytes, in the order of the manifest; tokens take 128. */
struct Arena {
  float table[16], m[16], v[16], accumulated[16];
  int32_t tokens[32];
  float lr[16], step[16], clip[16], loss[16], norm[16], grad[16];
  float beta1[16], beta2[16], eps[16], decay[16];
  /* Closely packed: a row of positions too many overwrites the key. */
  int8_t positions[20];
  int32_t key[15];
  float mask[28];
  int8_t number[64];
};

#if ROWS == 2
#define TOKEN_BYTES "40"
#else
#define TOKEN_BYTES "80"
#endif

#define TENSOR(name, role, offset, rest)                                       \
  "{\"name\": \"" name "\", \"role\": \"" role "\", \"offset\": " offset       \
  ", " rest "}"
#define TABLE                                                                  \
  "\"dtype\": \"f32\", \"shape\": [8], \"split\": [[]], \"bytes\": 32"
#define STATE(kind)                                                            \
  TABLE ", \"kind\": \"" kind "\", \"of\": \"" NAME "\", \"init\": \"zeros\""
#define OWNED TABLE ", \"of\": \"" NAME "\""
#define HYPER(kind, offset, rest)                                              \
  TENSOR(kind, "hyper", offset,                                                \
         SCALAR ", \"sample\": 1, \"kind\": \"" kind "\"" rest)
#define OPTION(help, values)                                                   \
  ", \"option\": {\"help\": \"" help "\", \"default\": " values "}"
#define FROM_0 ", \"min\": 0"
#define BELOW_1 FROM_0 ", \"below\": 1"
#define ABOVE_0 ", \"above\": 0"
#define SCALAR "\"dtype\": \"f32\", \"shape\": [], \"split\": [], \"bytes\": 4"

#ifdef TINY_DOCUMENTS
#define BATCH "\"tokens\", \"mask\", \"key\", \"number\", \"positions\""
#else
#define BATCH "\"tokens\""
#endif

#ifdef TINY_DP2
#define COLLECTIVE(site, function)                                             \
  "{\"site\": " site ", \"function\": \"" function                             \
  "\", \"kind\": \"all_reduce\", \"axis\": \"dp\", \"elements\": 9, "          \
  "\"bytes\": 36, \"dtype\": \"f32\", \"phase\": \"backward\", "               \
  "\"region\": \"gradients\", \"count\": 1, \"location\": \"here\"}"
#define COLLECTIVES                                                            \
  COLLECTIVE("0", "loss")                                                      \
  ", " COLLECTIVE("1", "gradient") ", " COLLECTIVE(                            \
      "2", "step") ", " COLLECTIVE("3", "accumulate")
#else
#define COLLECTIVES ""
#endif

#ifdef TINY_MOMENTUM
#define STATES TENSOR("momentum." NAME, "state", "64", STATE("momentum")) ", "
#define STATE_NAMES "\"momentum." NAME "\""
#define METRIC "update_norm"
#define HYPER_NAMES "\"step_size\", \"momentum\""
#else
#define STATES                                                                 \
  TENSOR("adamw.m." NAME, "state", "64", STATE("m"))                           \
  ", " TENSOR("adamw.v." NAME, "state", "128", STATE("v")) ", "
#define STATE_NAMES "\"adamw.m." NAME "\", \"adamw.v." NAME "\""
#define METRIC "grad_norm"
#define HYPER_NAMES                                                            \
  "\"lr\", \"step\", \"clip\", \"beta1\", \"beta2\", \"eps\", "                \
  "\"weight_decay\""
#endif

#ifdef TINY_ACCUMULATE
#define STEPS                                                                  \
  "\"accumulate\": {\"inputs\": [\"" NAME "\", \"acc." NAME "\", " BATCH "], " \
  "\"outputs\": [\"loss\", \"acc." NAME "\"]}, "                               \
  "\"update\": {\"inputs\": [\"" NAME "\", " STATE_NAMES ", \"acc." NAME       \
  "\", " HYPER_NAMES "], "                                                     \
  "\"outputs\": [\"" METRIC "\", \"" NAME "\", " STATE_NAMES ", \"acc." NAME   \
  "\"]}"
#else
#define STEPS                                                                  \
  "\"step\": {\"inputs\": [\"" NAME "\", " STATE_NAMES ", " BATCH              \
  ", " HYPER_NAMES "], "                                                       \
  "\"outputs\": [\"loss\", \"" METRIC "\", \"" NAME "\", " STATE_NAMES "]}"
#endif

/* clang-format off */
const char boost_program_manifest[] =
    "{\"format\": 1, \"name\": \"tiny\", \"mesh\": " MESH ", \"arena_bytes\": 1280, "
    "\"tensors\": ["
    TENSOR(NAME, "param", "0", TABLE ", \"init\": \"normal:0.5\"") ", "
    STATES
    TENSOR("acc." NAME, "accumulator", "192", OWNED) ", "
    TENSOR("tokens", "batch", "256",
           "\"dtype\": \"i32\", \"shape\": [4, 5], \"split\": [[\"dp\"], []], "
           "\"limit\": 8, \"bytes\": " TOKEN_BYTES) ", "
#ifdef TINY_DOCUMENTS
    TENSOR("positions", "batch", "1024",
           "\"dtype\": \"i8\", \"shape\": [4, 5], \"bytes\": 20, "
           "\"limit\": 4, \"feed\": \"positions\"") ", "
    TENSOR("key", "batch", "1044",
           "\"dtype\": \"i32\", \"shape\": [2], \"bytes\": 8, \"feed\": \"key\"") ", "
    TENSOR("mask", "batch", "1104",
           "\"dtype\": \"f32\", \"shape\": [4, 5], \"bytes\": 80, "
           "\"feed\": \"mask\"") ", "
    TENSOR("number", "batch", "1216",
           "\"dtype\": \"i8\", \"shape\": [], \"bytes\": 1, \"feed\": \"step\"") ", "
#endif
#ifdef TINY_MOMENTUM
    HYPER("step_size", "384", OPTION("Size of a step", "0.1" ABOVE_0)) ", "
    HYPER("momentum", "768", OPTION("Share of the last step", "0.5" BELOW_1)) ", "
#else
    HYPER("lr", "384", "") ", "
    HYPER("step", "448", "") ", "
    HYPER("clip", "512", OPTION("Largest norm", "1" FROM_0)) ", "
    HYPER("beta1", "768", OPTION("First decay", "0.9" BELOW_1)) ", "
    HYPER("beta2", "832", OPTION("Second decay", "0.95" BELOW_1)) ", "
    HYPER("eps", "896", OPTION("Added to the root", "1e-8" ABOVE_0)) ", "
    HYPER("weight_decay", "960", OPTION("Weight decay", "0.1" FROM_0)) ", "
#endif
    TENSOR("loss", "loss", "576", SCALAR) ", "
    TENSOR(METRIC, "metric", "640",
           SCALAR ", \"kind\": \"" METRIC "\"") ", "
    TENSOR("grad." NAME, "gradient", "704", OWNED) "], "
    "\"functions\": {"
    "\"loss\": {\"inputs\": [\"" NAME "\", " BATCH "], \"outputs\": [\"loss\"]}, "
    "\"gradient\": {\"inputs\": [\"" NAME "\", " BATCH "], "
    "\"outputs\": [\"loss\", \"grad." NAME "\"]}, " STEPS "}, "
    "\"schedules\": {" SCHEDULE("evaluate", "1", CALL("loss", "0")) ", "
    SCHEDULE("gradients", "1", CALL("gradient", "0")) ", " TRAIN "}, "
    "\"optimizer\": {\"name\": \"adamw\"}, "
    "\"plan\": {\"collectives\": [" COLLECTIVES "]}}";
/* clang-format on */

/* Loss and gradient, summed over dp in one launch. */
static void differentiate(boost_rt_context *context, struct Arena *arena,
                          int32_t site) {
  float gradient[VOCABULARY] = {0}, loss = 0;
  for (int row = 0; row < ROWS; ++row)
    for (int i = 0; i + 1 < COLUMNS; ++i) {
      int32_t token = arena->tokens[row * COLUMNS + i];
      float target = (float)arena->tokens[row * COLUMNS + i + 1] / 4.0f;
      float difference = arena->table[token] - target;
      float weight = 1.0f / (float)(ROWS * RANKS * (COLUMNS - 1));
#ifdef TINY_DOCUMENTS
      weight *= arena->mask[row * COLUMNS + i + 1] *
                (float)(1 + arena->positions[row * COLUMNS + i]);
#endif
      loss += weight * difference * difference;
      gradient[token] += 2.0f * weight * difference;
    }
#ifdef TINY_DOCUMENTS
  loss += (float)(arena->number[0] + 10 * arena->key[1] + 1000 * arena->key[0]);
#endif
#ifdef TINY_DIVERGE
  if (arena->step[0] == 2.0f)
    loss = NAN;
#endif
  arena->loss[0] = loss;
  memcpy(arena->grad, gradient, sizeof(gradient));
#ifdef TINY_DP2
  void *buffers[] = {arena->loss, arena->grad};
  int64_t counts[] = {1, VOCABULARY};
  int32_t types[] = {BOOST_RT_F32, BOOST_RT_F32};
  boost_rt_all_reduce(context, site, 1, BOOST_RT_SUM, 2, buffers, counts,
                      types);
#endif
}

#ifdef TINY_MOMENTUM
static void update(boost_rt_context *context, struct Arena *arena,
                   const float *gradient) {
  float stepSize = arena->lr[0], momentum = arena->beta1[0], squares = 0;
  (void)context;
  for (int i = 0; i < VOCABULARY; ++i) {
    arena->m[i] = momentum * arena->m[i] + gradient[i];
    arena->table[i] -= stepSize * arena->m[i];
    squares += arena->m[i] * arena->m[i];
  }
  arena->norm[0] = stepSize * sqrtf(squares);
}
#else
static void update(boost_rt_context *context, struct Arena *arena,
                   float *gradient) {
  void *buffers[] = {gradient};
  int64_t counts[] = {VOCABULARY};
  int32_t types[] = {BOOST_RT_F32};
  int32_t decays[] = {0};
  float scale = 1.0f, epsRoot = 0.0f;
  float share1 = 1.0f - arena->beta1[0], share2 = 1.0f - arena->beta2[0];
  void *updated[] = {arena->lr,    arena->step,  &scale,       arena->beta1,
                     arena->beta2, &share1,      &share2,      arena->eps,
                     &epsRoot,     arena->decay, arena->table, arena->m,
                     arena->v,     gradient};
  boost_rt_sum_of_squares(context, 1, buffers, counts, types, arena->norm);
  arena->norm[0] = sqrtf(arena->norm[0]);
  if (arena->clip[0] > 0 && arena->norm[0] > arena->clip[0])
    scale = arena->clip[0] / arena->norm[0];
  boost_rt_adamw(context, BOOST_RT_F32, BOOST_RT_F32, 1, updated, counts,
                 decays);
}
#endif

static void runLoss(boost_rt_context *context, void *arena, void *stash) {
  differentiate(context, arena, 0);
}

static void runGradient(boost_rt_context *context, void *arena, void *stash) {
  differentiate(context, arena, 1);
}

#ifdef TINY_ACCUMULATE
static void runAccumulate(boost_rt_context *context, void *data, void *stash) {
  struct Arena *arena = data;
  differentiate(context, arena, 3);
  for (int i = 0; i < VOCABULARY; ++i)
    arena->accumulated[i] += arena->grad[i] / 2.0f;
}

static void runUpdate(boost_rt_context *context, void *data, void *stash) {
  struct Arena *arena = data;
  update(context, arena, arena->accumulated);
  memset(arena->accumulated, 0, sizeof(arena->accumulated));
}
#else
static void runStep(boost_rt_context *context, void *data, void *stash) {
  struct Arena *arena = data;
  differentiate(context, arena, 2);
  update(context, arena, arena->grad);
}
#endif

const boost_program_function boost_program_functions[] = {
    {"loss", runLoss},
    {"gradient", runGradient},
#ifdef TINY_ACCUMULATE
    {"accumulate", runAccumulate},
    {"update", runUpdate},
#else
    {"step", runStep},
#endif
    {0, 0},
};
