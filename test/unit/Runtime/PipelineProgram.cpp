//===- PipelineProgram.cpp - A program with stages, by hand ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// loss = mean over tokens of (scale (table[token] + bias) + bias - target /
// 4)^2 updated by momentum. Built with PIPELINE_STAGES 2, the table is on the
// first stage of a pipeline, the scale on the second, and the bias, as a tied
// parameter, on both. With PIPELINE_STAGES 1 one rank calls the same functions
// one after another. PIPELINE_DP is the number of ranks that share the rows of
// a micro-batch. BOOST_PIPELINE_SIGNAL=STAGE,SIGNAL makes the ranks of a stage
// raise a signal in the backward of the third micro-batch that they see.
//
//===----------------------------------------------------------------------===//

#include "boost-runtime/Runtime.h"

#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

static constexpr int vocabulary = 8, columns = 5;
#if PIPELINE_DP == 2
#define ROWS 1
#define TOKEN_BYTES "20"
#define KEPT_BYTES "16"
#else
#define ROWS 2
#define TOKEN_BYTES "40"
#define KEPT_BYTES "32"
#endif
static constexpr int rows = ROWS, places = rows * (columns - 1);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {

struct alignas(64) Parameter {
  float value[16], momentum[16], accumulated[16], gradient[16];
};

/// A block of the stash; `otherBias` is the part of the second stage.
struct Slot {
  float hidden[16], hiddenGradient[16], otherBias[16];
};

/// What a stage has. Places differ between the stages where they may.
struct First {
  Parameter table, bias;
  float otherBias[16], stepSize[16], momentum[16];
  int32_t tokens[16];
  Slot stash[2];
};
struct Second {
  float loss[16], norm[16];
  int32_t tokens[16];
  float stepSize[16], momentum[16], otherBias[16];
  Parameter scale, bias;
  Slot stash[1];
};
#if PIPELINE_STAGES == 1
struct Both {
  First first;
  Second second;
};
#endif

static_assert(offsetof(First, bias) == 256);
static_assert(offsetof(First, otherBias) == 512);
static_assert(offsetof(First, tokens) == 704);
static_assert(offsetof(First, stash) == 768 && sizeof(First) == 1152);
static_assert(offsetof(Second, tokens) == 128);
static_assert(offsetof(Second, otherBias) == 320);
static_assert(offsetof(Second, scale) == 384);
static_assert(offsetof(Second, bias) == 640);
static_assert(offsetof(Second, stash) == 896 && sizeof(Second) == 1088);

} // namespace

//===----------------------------------------------------------------------===//
// Manifest
//===----------------------------------------------------------------------===//

#if PIPELINE_STAGES == 2
#define ON_FIRST(offset) "\"stages\": [[0, " offset "]]"
#define ON_SECOND(offset) "\"stages\": [[1, " offset "]]"
#define ON_BOTH(first, second) "\"stages\": [[0, " first "], [1, " second "]]"
#else
#define ON_FIRST(offset) "\"offset\": " offset
#define ON_BOTH(first, second) ON_FIRST(first)
#endif

#define TENSOR(name, role, places, rest)                                       \
  "{\"name\": \"" name "\", \"role\": \"" role "\", " places ", " rest "}"
#define F32(shape, bytes)                                                      \
  "\"dtype\": \"f32\", \"shape\": " shape ", \"bytes\": " bytes
#define TABLE F32("[8]", "32")
#define ONE F32("[1]", "4")
#define SCALAR F32("[]", "4")
#define OF(name) ", \"of\": \"" name "\""
#define STATE(name) OF(name) ", \"kind\": \"momentum\", \"init\": \"zeros\""
#define KEPT F32("[2, 4]", KEPT_BYTES) ", \"split\": [[\"dp\"], []]"
#define OPTION(kind, values)                                                   \
  SCALAR ", \"kind\": \"" kind "\", \"option\": {\"help\": \"" kind            \
         "\", \"default\": " values "}"

#define CALL(function, micro_batch, slot)                                      \
  "{\"function\": \"" function "\", \"micro_batch\": " micro_batch             \
  ", \"slot\": " slot "}"
#define MOVE(tensors, micro_batch, from, from_slot, to, to_slot)               \
  "{\"transfer\": [" tensors "], \"micro_batch\": " micro_batch                \
  ", \"from\": " from ", \"from_slot\": " from_slot ", \"to\": " to            \
  ", \"to_slot\": " to_slot "}"
#define DOWN(micro_batch, slot)                                                \
  MOVE("\"kept.hidden\"", micro_batch, "0", slot, "1", "0")
#define UP(tensors, micro_batch, slot)                                         \
  MOVE(tensors, micro_batch, "1", "0", "0", slot)
#define LAST(tensor, from, to)                                                 \
  "{\"transfer\": [\"" tensor "\"], \"from\": " from ", \"to\": " to "}"
#define SCHEDULE(name, micro_batches, calls)                                   \
  "\"" name "\": {\"micro_batches\": " micro_batches ", \"calls\": [" calls "]}"
#define FUNCTION(name, stage, inputs, outputs)                                 \
  "\"" name "\": {\"inputs\": [" inputs "], \"outputs\": [" outputs "]" stage  \
  "}"
#define ON(stage) ", \"stage\": " stage
#define COLLECTIVE(function, axis, bytes)                                      \
  "{\"function\": \"" function                                                 \
  "\", \"kind\": \"all_reduce\", \"axis\": \"" axis "\", \"bytes\": " bytes    \
  "}"

#define OLD_FIRST                                                              \
  "\"table\", \"bias\", \"momentum.table\", \"momentum.bias\", "               \
  "\"acc.table\", \"acc.bias.0\", \"acc.bias.1\""
#define OLD_SECOND                                                             \
  "\"scale\", \"bias\", \"momentum.scale\", \"momentum.bias\", "               \
  "\"acc.scale\", \"acc.bias.0\", \"acc.bias.1\""
#define HYPERS "\"step_size\", \"momentum\""

/* clang-format off */
const char boost_program_manifest[] =
    "{\"format\": 1, \"name\": \"pipeline\", \"hash\": \"1f1b\", "
    "\"mesh\": [{\"name\": \"dp\", \"size\": " TEXT(PIPELINE_DP) "}, "
    "{\"name\": \"pp\", \"size\": " TEXT(PIPELINE_STAGES) "}], "
#if PIPELINE_STAGES == 2
    "\"arena_bytes\": 1152, \"pipeline\": {\"axis\": \"pp\", \"stages\": ["
    "{\"arena_bytes\": 1152, "
    "\"stash\": {\"offset\": 768, \"bytes\": 192, \"slots\": 2}}, "
    "{\"arena_bytes\": 1088, "
    "\"stash\": {\"offset\": 896, \"bytes\": 192, \"slots\": 1}}]}, "
#else
    "\"arena_bytes\": 2240, "
#endif
    "\"tensors\": ["
    TENSOR("table", "param", ON_FIRST("0"), TABLE ", \"init\": \"normal:0.5\"") ", "
#if PIPELINE_STAGES == 2
    TENSOR("scale", "param", ON_SECOND("384"), ONE ", \"init\": \"normal:1\"") ", "
    TENSOR("momentum.scale", "state", ON_SECOND("448"), ONE STATE("scale")) ", "
    TENSOR("acc.scale", "accumulator", ON_SECOND("512"), ONE OF("scale")) ", "
    TENSOR("grad.scale", "gradient", ON_SECOND("576"), ONE OF("scale")) ", "
    TENSOR("loss", "loss", ON_SECOND("0"), SCALAR) ", "
    TENSOR("norm", "metric", ON_SECOND("64"), SCALAR ", \"kind\": \"update_norm\"") ", "
    TENSOR("kept.hidden", "kept", ON_BOTH("768", "896"), KEPT) ", "
    TENSOR("kept.gradient", "kept", ON_BOTH("832", "960"), KEPT) ", "
    TENSOR("kept.bias", "kept", ON_BOTH("896", "1024"), ONE) ", "
#else
    TENSOR("scale", "param", ON_FIRST("1536"), ONE ", \"init\": \"normal:1\"") ", "
    TENSOR("momentum.scale", "state", ON_FIRST("1600"), ONE STATE("scale")) ", "
    TENSOR("acc.scale", "accumulator", ON_FIRST("1664"), ONE OF("scale")) ", "
    TENSOR("grad.scale", "gradient", ON_FIRST("1728"), ONE OF("scale")) ", "
    TENSOR("loss", "loss", ON_FIRST("1152"), SCALAR) ", "
    TENSOR("norm", "metric", ON_FIRST("1216"), SCALAR ", \"kind\": \"update_norm\"") ", "
#endif
    TENSOR("bias", "param", ON_BOTH("256", "640"), ONE ", \"init\": \"normal:0.25\"") ", "
    TENSOR("momentum.table", "state", ON_FIRST("64"), TABLE STATE("table")) ", "
    TENSOR("momentum.bias", "state", ON_BOTH("320", "704"), ONE STATE("bias")) ", "
    TENSOR("acc.table", "accumulator", ON_FIRST("128"), TABLE OF("table")) ", "
    TENSOR("acc.bias.0", "accumulator", ON_BOTH("384", "768"), ONE OF("bias")) ", "
    TENSOR("acc.bias.1", "accumulator", ON_BOTH("512", "320"), ONE OF("bias")) ", "
    TENSOR("grad.table", "gradient", ON_FIRST("192"), TABLE OF("table")) ", "
    TENSOR("grad.bias", "gradient", ON_FIRST("448"), ONE OF("bias")) ", "
    TENSOR("step_size", "hyper", ON_BOTH("576", "192"), OPTION("step_size", "0.1, \"above\": 0")) ", "
    TENSOR("momentum", "hyper", ON_BOTH("640", "256"), OPTION("momentum", "0.5, \"min\": 0")) ", "
    TENSOR("tokens", "batch", ON_BOTH("704", "128"),
           "\"dtype\": \"i32\", \"shape\": [2, 5], \"bytes\": " TOKEN_BYTES
           ", \"split\": [[\"dp\"], []], \"limit\": 8, \"micro_batches\": 2") "], "
#if PIPELINE_STAGES == 2
    "\"functions\": {"
    FUNCTION("forward_0", ON("0"), "\"table\", \"bias\", \"tokens\"", "\"kept.hidden\"") ", "
    FUNCTION("forward_1", ON("1"), "\"scale\", \"bias\", \"tokens\", \"kept.hidden\"",
             "\"loss\"") ", "
    FUNCTION("backward_1", ON("1"),
             "\"scale\", \"bias\", \"tokens\", \"kept.hidden\", \"acc.scale\", \"acc.bias.1\"",
             "\"kept.gradient\", \"acc.scale\", \"acc.bias.1\"") ", "
    FUNCTION("backward_0", ON("0"),
             "\"tokens\", \"kept.gradient\", \"acc.table\", \"acc.bias.0\"",
             "\"acc.table\", \"acc.bias.0\"") ", "
    FUNCTION("gradient_1", ON("1"), "\"scale\", \"bias\", \"tokens\", \"kept.hidden\"",
             "\"kept.gradient\", \"kept.bias\", \"grad.scale\"") ", "
    FUNCTION("gradient_0", ON("0"), "\"tokens\", \"kept.gradient\", \"kept.bias\"",
             "\"grad.table\", \"grad.bias\"") ", "
    FUNCTION("update_0", ON("0"), OLD_FIRST ", " HYPERS, OLD_FIRST) ", "
    FUNCTION("update_1", ON("1"), OLD_SECOND ", " HYPERS, OLD_SECOND ", \"norm\"") "}, "
    "\"schedules\": {"
    SCHEDULE("evaluate", "2",
        CALL("forward_0", "0", "0") ", " DOWN("0", "0") ", "
        CALL("forward_1", "0", "0") ", "
        CALL("forward_0", "1", "1") ", " DOWN("1", "1") ", "
        CALL("forward_1", "1", "0")) ", "
    SCHEDULE("gradients", "2",
        CALL("forward_0", "0", "0") ", " DOWN("0", "0") ", "
        CALL("forward_0", "1", "1") ", "
        CALL("forward_1", "0", "0") ", " CALL("gradient_1", "0", "0") ", "
        UP("\"kept.gradient\", \"kept.bias\"", "0", "0") ", "
        DOWN("1", "1") ", "
        CALL("gradient_0", "0", "0") ", "
        CALL("forward_1", "1", "0") ", " CALL("gradient_1", "1", "0") ", "
        UP("\"kept.gradient\", \"kept.bias\"", "1", "1") ", "
        CALL("gradient_0", "1", "1")) ", "
    SCHEDULE("train", "4",
        CALL("forward_0", "0", "0") ", " DOWN("0", "0") ", "
        CALL("forward_0", "1", "1") ", "
        CALL("forward_1", "0", "0") ", " CALL("backward_1", "0", "0") ", "
        UP("\"kept.gradient\"", "0", "0") ", " DOWN("1", "1") ", "
        CALL("backward_0", "0", "0") ", " CALL("forward_0", "2", "0") ", "
        CALL("forward_1", "1", "0") ", " CALL("backward_1", "1", "0") ", "
        UP("\"kept.gradient\"", "1", "1") ", " DOWN("2", "0") ", "
        CALL("backward_0", "1", "1") ", " CALL("forward_0", "3", "1") ", "
        CALL("forward_1", "2", "0") ", " CALL("backward_1", "2", "0") ", "
        UP("\"kept.gradient\"", "2", "0") ", " DOWN("3", "1") ", "
        CALL("backward_0", "2", "0") ", "
        CALL("forward_1", "3", "0") ", " CALL("backward_1", "3", "0") ", "
        UP("\"kept.gradient\"", "3", "1") ", "
        CALL("backward_0", "3", "1") ", "
        LAST("acc.bias.1", "1", "0") ", " LAST("acc.bias.0", "0", "1") ", "
        "{\"function\": \"update_0\"}, {\"function\": \"update_1\"}") "}, "
#else
    "\"functions\": {"
    FUNCTION("loss", "", "\"table\", \"scale\", \"bias\", \"tokens\"", "\"loss\"") ", "
    FUNCTION("gradient", "", "\"table\", \"scale\", \"bias\", \"tokens\"",
             "\"loss\", \"grad.table\", \"grad.scale\", \"grad.bias\"") ", "
    FUNCTION("accumulate", "",
             "\"table\", \"scale\", \"bias\", \"tokens\", "
             "\"acc.table\", \"acc.scale\", \"acc.bias.0\", \"acc.bias.1\"",
             "\"loss\", \"acc.table\", \"acc.scale\", \"acc.bias.0\", \"acc.bias.1\"") ", "
    FUNCTION("update", "",
             OLD_FIRST ", \"scale\", \"momentum.scale\", \"acc.scale\", " HYPERS,
             OLD_FIRST ", \"scale\", \"momentum.scale\", \"acc.scale\", \"norm\"") "}, "
    "\"schedules\": {"
    SCHEDULE("evaluate", "2", CALL("loss", "0", "0") ", " CALL("loss", "1", "0")) ", "
    SCHEDULE("gradients", "2", CALL("gradient", "0", "0") ", "
                               CALL("gradient", "1", "0")) ", "
    SCHEDULE("train", "4",
        CALL("accumulate", "0", "0") ", " CALL("accumulate", "1", "0") ", "
        CALL("accumulate", "2", "0") ", " CALL("accumulate", "3", "0") ", "
        "{\"function\": \"update\"}") "}, "
#endif
    "\"optimizer\": {\"name\": \"momentum\"}, \"plan\": {\"collectives\": ["
#if PIPELINE_STAGES == 2
    COLLECTIVE("forward_1", "dp", "4") ", " COLLECTIVE("gradient_1", "dp", "4") ", "
    COLLECTIVE("gradient_0", "dp", "36") ", " COLLECTIVE("update_0", "dp", "40") ", "
    COLLECTIVE("update_0", "pp", "4") ", " COLLECTIVE("update_1", "dp", "12") ", "
    COLLECTIVE("update_1", "pp", "4")
#endif
    "]}}";
/* clang-format on */

namespace {

//===----------------------------------------------------------------------===//
// Collectives, of which one rank has none
//===----------------------------------------------------------------------===//

enum Site {
  lossSum,
  secondGradients,
  firstGradients,
  firstUpdate,
  firstNorm,
  secondUpdate,
  secondNorm
};
/// Groups of ranks.
enum Group : int32_t { dp = 1, pp = 2 };

struct Range {
  float *data;
  int64_t count;
};

template <size_t size>
void add(boost_rt_context *context, Site site, Group group,
         const Range (&ranges)[size]) {
#if PIPELINE_STAGES == 2
  void *buffers[size];
  int64_t counts[size];
  int32_t types[size];
  for (size_t i = 0; i < size; ++i) {
    buffers[i] = ranges[i].data;
    counts[i] = ranges[i].count;
    types[i] = BOOST_RT_F32;
  }
  boost_rt_all_reduce(context, site, group, BOOST_RT_SUM, size, buffers, counts,
                      types);
#endif
}

//===----------------------------------------------------------------------===//
// Loss and gradients
//===----------------------------------------------------------------------===//

/// The place of a token in its rows, for those that have a target.
int placeOf(int i) { return i / (columns - 1) * columns + i % (columns - 1); }

constexpr float weight = 1.0f / (places * PIPELINE_DP);

void embed(const First &first, Slot &slot) {
  for (int i = 0; i < places; ++i)
    slot.hidden[i] =
        first.table.value[first.tokens[placeOf(i)]] + first.bias.value[0];
}

float differenceAt(const Second &second, const Slot &slot, int i) {
  float target = static_cast<float>(second.tokens[placeOf(i) + 1]) / 4.0f;
  return second.scale.value[0] * slot.hidden[i] + second.bias.value[0] - target;
}

void computeLoss(boost_rt_context *context, Second &second, const Slot &slot) {
  float loss = 0;
  for (int i = 0; i < places; ++i) {
    float difference = differenceAt(second, slot, i);
    loss += weight * difference * difference;
  }
  second.loss[0] = loss;
  add(context, lossSum, dp, {{second.loss, 1}});
}

/// Adds to the gradients of the scale and of the bias.
void differentiateHead(const Second &second, Slot &slot, float *scale,
                       float *bias) {
  for (int i = 0; i < places; ++i) {
    float change = 2.0f * weight * differenceAt(second, slot, i);
    *scale += change * slot.hidden[i];
    *bias += change;
    slot.hiddenGradient[i] = change * second.scale.value[0];
  }
}

void differentiateTable(const First &first, const Slot &slot, float *table,
                        float *bias) {
  for (int i = 0; i < places; ++i) {
    table[first.tokens[placeOf(i)]] += slot.hiddenGradient[i];
    *bias += slot.hiddenGradient[i];
  }
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

void move(Parameter &parameter, int count, float momentum, float stepSize) {
  for (int i = 0; i < count; ++i) {
    float &speed = parameter.momentum[i];
    speed = momentum * speed + parameter.accumulated[i] / 4.0f;
    parameter.value[i] -= stepSize * speed;
    parameter.accumulated[i] = 0;
  }
}

float squaresOf(const float *values, int count) {
  float squares = 0;
  for (int i = 0; i < count; ++i)
    squares += values[i] * values[i] / 16.0f;
  return squares;
}

/// Returns the squares of the gradients of this stage; the bias counts here.
float addFirst(boost_rt_context *context, First &first) {
  add(context, firstUpdate, dp,
      {{first.table.accumulated, vocabulary},
       {first.bias.accumulated, 1},
       {first.otherBias, 1}});
  first.bias.accumulated[0] += first.otherBias[0];
  return squaresOf(first.table.accumulated, vocabulary) +
         squaresOf(first.bias.accumulated, 1);
}
float addSecond(boost_rt_context *context, Second &second) {
  add(context, secondUpdate, dp,
      {{second.scale.accumulated, 1},
       {second.bias.accumulated, 1},
       {second.otherBias, 1}});
  second.bias.accumulated[0] += second.otherBias[0];
  return squaresOf(second.scale.accumulated, 1);
}

void moveFirst(First &first) {
  move(first.table, vocabulary, first.momentum[0], first.stepSize[0]);
  move(first.bias, 1, first.momentum[0], first.stepSize[0]);
  first.otherBias[0] = 0;
}
void moveSecond(Second &second) {
  move(second.scale, 1, second.momentum[0], second.stepSize[0]);
  move(second.bias, 1, second.momentum[0], second.stepSize[0]);
  second.otherBias[0] = 0;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

#if PIPELINE_STAGES == 2

First &firstOf(void *arena) { return *static_cast<First *>(arena); }
Second &secondOf(void *arena) { return *static_cast<Second *>(arena); }
Slot &slotOf(void *stash) { return *static_cast<Slot *>(stash); }

void raiseSignal(int stage) {
  static int seen = 0;
  int wanted = -1, signal = 0;
  const char *text = std::getenv("BOOST_PIPELINE_SIGNAL");
  if (text && std::sscanf(text, "%d,%d", &wanted, &signal) == 2 &&
      wanted == stage && ++seen == 3)
    std::raise(signal);
}

void forward0(boost_rt_context *, void *arena, void *stash) {
  embed(firstOf(arena), slotOf(stash));
}
void forward1(boost_rt_context *context, void *arena, void *stash) {
  computeLoss(context, secondOf(arena), slotOf(stash));
}
void backward1(boost_rt_context *, void *arena, void *stash) {
  raiseSignal(1);
  Second &second = secondOf(arena);
  differentiateHead(second, slotOf(stash), second.scale.accumulated,
                    second.otherBias);
}
void backward0(boost_rt_context *, void *arena, void *stash) {
  raiseSignal(0);
  First &first = firstOf(arena);
  differentiateTable(first, slotOf(stash), first.table.accumulated,
                     first.bias.accumulated);
}
void gradient1(boost_rt_context *context, void *arena, void *stash) {
  Second &second = secondOf(arena);
  Slot &slot = slotOf(stash);
  slot.otherBias[0] = second.scale.gradient[0] = 0;
  differentiateHead(second, slot, second.scale.gradient, slot.otherBias);
  add(context, secondGradients, dp, {{second.scale.gradient, 1}});
}
void gradient0(boost_rt_context *context, void *arena, void *stash) {
  First &first = firstOf(arena);
  const Slot &slot = slotOf(stash);
  std::memset(first.table.gradient, 0, sizeof(first.table.gradient));
  first.bias.gradient[0] = slot.otherBias[0];
  differentiateTable(first, slot, first.table.gradient, first.bias.gradient);
  add(context, firstGradients, dp,
      {{first.table.gradient, vocabulary}, {first.bias.gradient, 1}});
}
void update0(boost_rt_context *context, void *arena, void *stash) {
  First &first = firstOf(arena);
  float squares = addFirst(context, first);
  add(context, firstNorm, pp, {{&squares, 1}});
  moveFirst(first);
  if (stash)
    std::abort();
}
void update1(boost_rt_context *context, void *arena, void *stash) {
  Second &second = secondOf(arena);
  float squares = addSecond(context, second);
  add(context, secondNorm, pp, {{&squares, 1}});
  second.norm[0] = std::sqrt(squares);
  moveSecond(second);
  if (stash)
    std::abort();
}

#else

/// What both stages have.
void share(Both &both) {
  auto &[first, second] = both;
  second.bias.value[0] = first.bias.value[0];
  second.bias.momentum[0] = first.bias.momentum[0];
  second.stepSize[0] = first.stepSize[0];
  second.momentum[0] = first.momentum[0];
  std::memcpy(second.tokens, first.tokens, sizeof(first.tokens));
}

Both &bothOf(void *arena) {
  share(*static_cast<Both *>(arena));
  return *static_cast<Both *>(arena);
}

void loss(boost_rt_context *context, void *arena, void *) {
  auto &[first, second] = bothOf(arena);
  embed(first, second.stash[0]);
  computeLoss(context, second, second.stash[0]);
}
void accumulate(boost_rt_context *context, void *arena, void *) {
  loss(context, arena, nullptr);
  auto &[first, second] = bothOf(arena);
  differentiateHead(second, second.stash[0], second.scale.accumulated,
                    first.otherBias);
  differentiateTable(first, second.stash[0], first.table.accumulated,
                     first.bias.accumulated);
}
void gradient(boost_rt_context *context, void *arena, void *) {
  loss(context, arena, nullptr);
  auto &[first, second] = bothOf(arena);
  std::memset(first.table.gradient, 0, sizeof(first.table.gradient));
  first.bias.gradient[0] = second.scale.gradient[0] = 0;
  differentiateHead(second, second.stash[0], second.scale.gradient,
                    first.bias.gradient);
  differentiateTable(first, second.stash[0], first.table.gradient,
                     first.bias.gradient);
}
void update(boost_rt_context *context, void *arena, void *) {
  auto &[first, second] = bothOf(arena);
  second.bias.accumulated[0] = second.otherBias[0] = 0;
  float squares = addFirst(context, first);
  squares += addSecond(context, second);
  second.norm[0] = std::sqrt(squares);
  moveFirst(first);
  moveSecond(second);
}

#endif

} // namespace

const boost_program_function boost_program_functions[] = {
#if PIPELINE_STAGES == 2
    {"forward_0", forward0},   {"forward_1", forward1},
    {"backward_1", backward1}, {"backward_0", backward0},
    {"gradient_1", gradient1}, {"gradient_0", gradient0},
    {"update_0", update0},     {"update_1", update1},
#else
    {"loss", loss},     {"gradient", gradient}, {"accumulate", accumulate},
    {"update", update},
#endif
    {nullptr, nullptr},
};
