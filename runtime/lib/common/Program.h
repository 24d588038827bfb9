//===- Program.h - The manifest of a compiled program -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_PROGRAM_H
#define BOOST_RUNTIME_COMMON_PROGRAM_H

#include "common/ElementType.h"
#include "common/HyperOption.h"
#include "common/Mesh.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace boost_rt {

/// The role of a tensor in training; the dialect's `boost.tensor` explains
/// them.
enum class Role {
  param,
  frozen,   ///< a parameter that is not trained
  constant, ///< a tensor of the program, in the file of its constants
  state,
  accumulator,
  batch,
  hyper,
  gradient,
  loss,
  metric,
  output,
  kept ///< what a micro-batch leaves in the stash, or another stage needs of it
};

/// Returns true for roles whose tensors outlive a call: the arguments of
/// functions.
bool isInput(Role role);

/// The data with which `train` fills a batch argument.
enum class Feed {
  tokens,    ///< rows of tokens and the next one
  inputs,    ///< the tokens alone
  targets,   ///< those one further
  mask,      ///< which targets count
  positions, ///< places in documents
  segments,  ///< numbers of documents
  step,      ///< the number of the batch
  key        ///< the key of random numbers that it makes
};

/// The kinds of hyper-parameters that `train` computes: the learning rate, and
/// the number of the step from 1. All others have options.
inline constexpr char learningRateKind[] = "lr";
inline constexpr char stepKind[] = "step";

/// One tensor of the program, at a fixed place in the arena of every rank whose
/// stage of the pipeline has it.
struct Tensor {
  std::string name;
  Role role;
  /// The kind of a state, hyper-parameter or metric, else empty: "m", "lr".
  std::string kind;
  /// The parameter that it belongs to, a list of several in JSON, or empty.
  std::string of;
  ElementType type;
  /// Global shape, and the shape of every rank's shard.
  std::vector<int64_t> shape, localShape;
  /// Axes that shard each dimension, the slowest first.
  std::vector<std::vector<unsigned>> split;
  /// Axes over which ranks hold terms of a sum.
  uint32_t partial = 0;
  /// By stage: its place in the arena, or nothing if the stage lacks it. What
  /// is kept has its place in slot 0 of the stash.
  std::vector<std::optional<int64_t>> offsets;
  /// Bytes of a shard.
  int64_t bytes;
  /// Integer tensors: valid ids are 0 <= id < limit.
  std::optional<int64_t> limit;
  /// Batch arguments of which the program tells.
  std::optional<Feed> feed;
  /// Batch arguments: parts of their rows that functions take one after
  /// another, of which this is one.
  int64_t microBatches = 1;
  /// "normal:STD", "constant:VALUE", "ones", "zeros", "array" (an exported
  /// one), "param" (as the parameter that it belongs to) or empty.
  std::string init;
  /// States and hyper-parameters: where a step is well conditioned.
  double sample = 0;
  /// Hyper-parameters: another such value, if there is one.
  std::optional<double> nextSample;
  /// Hyper-parameters: the option of `train` that sets it.
  std::optional<HyperOption> option;
  /// True if weight decay applies to the tensor.
  bool decays = false;
  /// Elements from one index to the next of each dimension of a shard; empty if
  /// it is dense. A part of a packed parameter has the steps of the whole.
  std::vector<int64_t> strides;
  /// The packed parameter that this is a part of, or empty.
  std::string packed;
  /// The tensor of files whose rows from `firstRow` on these are, or empty. The
  /// shape is that of the tensor in files.
  std::string stack;
  int64_t firstRow = 0;

  /// The name in files.
  const std::string &fileName() const { return stack.empty() ? name : stack; }

  bool isOn(int64_t stage) const {
    return offsets[static_cast<size_t>(stage)].has_value();
  }
  /// The place in the arena of a stage that has it.
  int64_t offsetOn(int64_t stage) const {
    return offsets[static_cast<size_t>(stage)].value();
  }
  /// The first stage that has it.
  int64_t firstStage() const;

  std::vector<int64_t> localStrides() const;
  /// Bytes from the first element of a shard to the end of its last.
  int64_t localExtent() const;
  int64_t elements() const;
  int64_t localElements() const;
  bool isParameter() const {
    return role == Role::param || role == Role::frozen;
  }
  /// The shape in the exported program, with the rows of all micro-batches.
  std::vector<int64_t> exportedShape() const;
};

/// Returns tensors by their names in files, in the order of the first of each:
/// rows of one stacked tensor are together.
std::vector<std::vector<const Tensor *>>
groupByFileName(const std::vector<const Tensor *> &tensors);

/// Number of elements of a tensor of this shape.
int64_t elementsOf(const std::vector<int64_t> &shape);

/// "[4, 128]".
std::string shapeToString(const std::vector<int64_t> &shape);

/// A call of the runtime that functions make, as traces name it.
struct CallDescription {
  static constexpr char unknownLocation[] = "unknown";

  /// "gemm", and its class in the plan: "contraction".
  std::string call, kind;
  std::string phase, component, location;
  /// The sizes of a matrix product, or the kernel of a launch.
  std::string shape, kernel;
};

/// A call at its place in a function.
struct FunctionCall {
  /// The position of its description among those of the program.
  size_t description = 0;
  std::optional<int64_t> layer = {};
};

struct Function {
  std::vector<std::string> inputs, outputs;
  void (*run)(boost_rt_context *, void *, void *) = nullptr;
  /// The stage of the pipeline that it runs on; nothing if it runs on all.
  std::optional<int64_t> stage = {};
  /// True if it names tensors that are kept: then it runs on a slot.
  bool usesStash = false;
  /// The calls that it makes of the runtime, in order; empty if the program
  /// does not describe them.
  std::vector<FunctionCall> calls = {};
  /// The function that was divided among stages, of which this is a part; its
  /// own name if there is none.
  std::string whole = {};
};

/// The memory of the ranks of a stage. A program without a pipeline is one
/// stage.
struct Stage {
  int64_t arenaBytes = 0;
  /// The part of the arena that single calls use while they run.
  int64_t workspaceOffset = 0, workspaceBytes = 0;
  /// The stash: slots that follow one another, one for each micro-batch of
  /// which something is kept.
  int64_t stashOffset = 0, slotBytes = 0, slots = 0;
};

/// One call of a schedule.
struct ScheduledCall {
  std::string function;
  /// The micro-batch that the call computes on; nothing if it reads none.
  std::optional<int64_t> microBatch = {};
  /// The slot of the stash that it runs on.
  std::optional<int64_t> slot = {};
};

/// Tensors that the ranks of a stage send to those of another one: each its own
/// shards to the rank with the same other coordinates.
struct ScheduledTransfer {
  std::vector<std::string> tensors;
  /// The micro-batch that they are of; nothing if they last.
  std::optional<int64_t> microBatch;
  int64_t from, to;
  /// Where tensors that are kept lie on either stage.
  std::optional<int64_t> fromSlot, toSlot;
};

/// One call of one of several functions, which take and give the same tensors.
struct ScheduledChoice {
  /// The function that computes which: its only result is the position.
  ScheduledCall index;
  std::vector<ScheduledCall> calls;
  /// None of them reads a batch.
  static constexpr std::optional<int64_t> microBatch = std::nullopt;

  /// Returns the call of the index as number 0, and then the others.
  const ScheduledCall &call(size_t number) const {
    return number == 0 ? index : calls[number - 1];
  }
};

using ScheduledAction =
    std::variant<ScheduledCall, ScheduledTransfer, ScheduledChoice>;

/// What a command runs for a batch: a `boost.schedule` of the compiler. A rank
/// does what concerns its stage, in this order. Since it is one order of what
/// all stages do, no two of them wait for each other.
struct Schedule {
  /// The parts that its batches are computed in.
  int64_t microBatches = 1;
  std::vector<ScheduledAction> actions;

  /// Returns the calls in their order, with all that it chooses from.
  std::vector<ScheduledCall> calls() const;

  /// Returns the functions that these call, each once, in their order.
  std::vector<std::string> functions() const;

  /// Returns the actions of one micro-batch, or of none, as a schedule.
  Schedule only(std::optional<int64_t> microBatch) const;
};

inline constexpr char trainSchedule[] = "train";
inline constexpr char gradientsSchedule[] = "gradients";
inline constexpr char evaluateSchedule[] = "evaluate";
/// Calls `verify`, if the program can be verified.
inline constexpr char probeSchedule[] = "probe";

/// A collective of the plan, as far as the runtime counts it.
struct PlannedCollective {
  std::string name, function, kind, axis, phase, region, location;
  int64_t bytes, count;
};

/// A place where a function of the schedule `probe` shows a tensor.
struct Probe {
  /// Name, type and sharding; it has no place in the arena.
  Tensor tensor;
  /// The stage of the pipeline that shows it; nothing if all do.
  std::optional<int64_t> stage = {};
  /// The tensor of the reference that it is compared with.
  int32_t site = 0;
  std::string location, phase;
};

/// The inputs of `eval --verify`.
struct Verification {
  /// The function of which `verify` is a copy with probes.
  std::string function;
  /// The program before it was partitioned, as text.
  std::string program;
  /// Folder of the compiler's tools, and the digest of its boost-eval.
  std::string tools, evaluator;
  /// In the order in which the schedule `probe` reaches them.
  std::vector<Probe> probes;
};

/// The arrays that parameters start from.
struct InitialValues {
  /// The file's own digest, its metadata `boost.initial_values`.
  std::string digest;
  /// Path of the file when the program was compiled, or empty.
  std::string file;
};

/// The file of the constants of a program.
struct ConstantsFile {
  /// Its metadata under BOOST_PROGRAM_CONSTANTS_KEY.
  std::string digest;
  /// Its name in the folder of the program.
  std::string name;
};

/// The tables that the code of a program defines, as Runtime.h describes them.
struct ProgramCode {
  const char *manifest;
  const boost_program_function *functions;
  /// Null in code for CPUs.
  const boost_rt_device_image *deviceImages = nullptr;
  const boost_rt_constant *constants = nullptr;
};

class Program {
public:
  /// Reads and checks the manifest; throws if it does not describe a program.
  explicit Program(const ProgramCode &code);
  Program(const char *manifest, const boost_program_function *functions)
      : Program(ProgramCode{manifest, functions}) {}

  /// Never null.
  const boost_rt_device_image *deviceImages;
  const boost_rt_constant *constants;

  std::string name;
  /// Hash of the loss that was compiled, equal on every mesh.
  std::string hash;
  /// A checksum of the manifest, which tells this program from all others.
  std::string digest;
  Mesh mesh;
  /// The largest of all stages.
  int64_t arenaBytes = 0;
  /// The axis along which the stages of the pipeline lie, if there is one.
  std::optional<unsigned> pipelineAxis;
  /// At least one.
  std::vector<Stage> stages;
  std::vector<Tensor> tensors;
  std::vector<CallDescription> callDescriptions;
  std::map<std::string, Function> functions;
  std::map<std::string, Schedule> schedules;
  std::vector<PlannedCollective> collectives;
  /// As the compiler wrote them, in its order.
  nlohmann::ordered_json optimizer, plan;
  /// Empty if every parameter starts by its own rule.
  std::optional<InitialValues> initialValues;
  /// Empty if the program has no constants.
  std::optional<ConstantsFile> constantsFile;
  /// Empty if the program was not compiled to be verified.
  std::optional<Verification> verification;

  /// Returns, by site, the number that the ranks of all stages have for a
  /// collective: different functions of theirs meet in those along the
  /// pipeline, the first of every stage in one, and so on.
  std::vector<int32_t> findMeetings() const;

  /// Returns the stage of the pipeline that a rank is on.
  int64_t stageOf(int64_t rank) const {
    return pipelineAxis ? mesh.coordinate(rank, *pipelineAxis) : 0;
  }

  /// Return true if a function, or any function of the program, makes a call of
  /// the runtime by this name.
  bool makesCall(const Function &function, std::string_view call) const;
  bool makesCall(std::string_view call) const;

  /// Returns the schedule of this name. Refuses a program without one.
  const Schedule &schedule(const std::string &name) const;

  /// Returns the number of parts that a batch of the exported program is
  /// computed in.
  int64_t microBatches() const;

  /// Returns the inputs of the functions that a schedule calls, and their
  /// outputs, each once and in their order, without what is kept and without
  /// constants.
  std::vector<const Tensor *> inputsOf(const Schedule &schedule) const;
  std::vector<const Tensor *> outputsOf(const Schedule &schedule) const;

  /// Returns whether the function of a call returns the loss.
  bool givesLoss(const ScheduledCall &call) const;

  /// Returns whether the function of a call reads the batch.
  bool readsBatch(const ScheduledCall &call) const;

  /// The tensor of this name, which must exist.
  const Tensor &tensor(const std::string &name) const;

  /// The only tensor of a role, which must exist.
  const Tensor &only(Role role) const;

  /// Returns the tensor of a role and kind, or null.
  const Tensor *find(Role role, const std::string &kind) const;

  /// The function of this name, or null.
  const Function *findFunction(const std::string &name) const;

  /// Tensors of a role, in manifest order.
  std::vector<const Tensor *> withRole(Role role) const;
  /// Returns the parameters in order, trained and frozen ones.
  std::vector<const Tensor *> parameters() const;

  /// Returns the hyper-parameters that options of `train` set.
  std::vector<const Tensor *> hypersWithOptions() const;

  /// The tensor whose initial value this one has: its parameter, or itself.
  const Tensor &initialOf(const Tensor &tensor) const;

  /// Returns the parameter that a tensor belongs to, `of`, as files name it.
  const std::string &ownerInFiles(const Tensor &tensor) const;
  /// Parameters, and what starts as they do.
  std::vector<const Tensor *> startingAsParameters() const;

private:
  void parse(const nlohmann::ordered_json &manifest);
  Tensor parseTensor(const nlohmann::ordered_json &json) const;
  void checkOwners() const;
  void checkNumbers() const;
  void parseConstantsFile(const nlohmann::ordered_json &manifest);
  Tensor parseType(const nlohmann::ordered_json &json) const;
  Probe parseProbe(const nlohmann::ordered_json &json) const;
  void parseVerification(const nlohmann::ordered_json &json);
  void parseStages(const nlohmann::ordered_json &manifest);
  void parsePipeline(const nlohmann::ordered_json &pipeline);
  void parsePlaces(const nlohmann::ordered_json &entry, Tensor &tensor) const;
  void parseCallDescriptions(const nlohmann::ordered_json &json);
  std::vector<FunctionCall> parseCalls(const nlohmann::ordered_json &json,
                                       const std::string &function) const;
  void parseFunctions(const nlohmann::ordered_json &json);
  void parseSchedules(const nlohmann::ordered_json &json);
  Schedule parseSchedule(const nlohmann::ordered_json &json,
                         const std::string &name) const;
  void checkCall(const ScheduledCall &call, const std::string &name) const;
  void checkTransfer(const ScheduledTransfer &transfer,
                     const std::string &name) const;
  ScheduledChoice parseChoice(const nlohmann::ordered_json &json,
                              const std::string &name) const;
  bool hasSlot(int64_t stage, int64_t slot) const;
  std::vector<const Tensor *>
  collect(const Schedule &schedule,
          std::vector<std::string> Function::*list) const;
  void parsePlan(const nlohmann::ordered_json &json);

  std::map<std::string, size_t> index;
};

/// Throws the Failure of a manifest that is damaged, and says how.
[[noreturn]] void refuseManifest(const std::string &damage);

/// "param", "state", ...
const char *nameOf(Role role);

/// "tokens", "inputs", ...
const char *nameOf(Feed feed);

/// Returns nullopt if the name is none of these.
std::optional<Feed> parseFeed(const std::string &name);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_PROGRAM_H
