//===- Options.cpp - The command line of a compiled program ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"
#include "common/Communicator.h"
#include "common/Failure.h"
#include "driver/ConfigFile.h"
#include "driver/OptionTable.h"
#include "driver/RunIdentity.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

using namespace boost_rt;
using nlohmann::ordered_json;

/// A finite number that is not negative.
static std::string checkRate(const std::string &text) {
  double value = 0;
  if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) &&
      value >= 0)
    return "";
  return "expects a number that is not negative, but got " + text;
}

static CLI::Validator rate() { return CLI::Validator(checkRate, ""); }

/// A number that a hyper-parameter may have.
static CLI::Validator valueOf(const HyperOption &option) {
  return CLI::Validator(
      [&option](const std::string &text) -> std::string {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && option.takes(value))
          return "";
        return concat("expects a number ", option.describeValues(),
                      " as an f32, but got ", text);
      },
      "");
}

/// A whole number, always decimal: the option parser takes a leading zero for
/// octal and the nearest number for one that does not fit.
static CLI::Validator atLeast(int64_t least) {
  return CLI::Validator(
      [least](std::string &text) -> std::string {
        int64_t value = 0;
        const char *end = text.data() + text.size();
        auto [rest, error] = std::from_chars(text.data(), end, value);
        if (error != std::errc() || rest != end || value < least)
          return concat("expects a whole number from ", least, " to ",
                        std::numeric_limits<int64_t>::max(), ", but got '",
                        text, "'");
        text = std::to_string(value);
        return "";
      },
      "");
}

/// Parses a whole number of at least 1, without a sign or anything around it.
static std::optional<int64_t> parseStep(std::string_view text) {
  int64_t step = 0;
  auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), step);
  bool isStep =
      error == std::errc() && rest == text.data() + text.size() && step > 0;
  return isStep ? std::optional(step) : std::nullopt;
}

static StepRange parseSteps(const std::string &text) {
  size_t colon = text.find(':');
  auto first = parseStep(text.substr(0, colon));
  auto end = colon == std::string::npos ? std::nullopt
                                        : parseStep(text.substr(colon + 1));
  if (!first || !end || *end <= *first)
    throw CLI::ValidationError(
        "--trace", concat("expects FIRST:END, two numbers of steps from 1 on "
                          "of which END is larger, as in 10:12 for the steps "
                          "10 and 11, but got '",
                          text, "'"));
  return {*first, *end};
}

std::string boost_rt::describe(const StepRange &steps) {
  return concat(steps.first, ":", steps.end);
}

static void addTrace(OptionTable &train, TrainOptions &options) {
  auto *trace =
      train
          .addParsed(
              "--trace",
              [&options](const std::vector<std::string> &texts) {
                options.trace = parseSteps(texts.front());
              },
              Agreement::value,
              "Record when each call of these steps runs on each rank, in a "
              "trace for chrome://tracing or Perfetto: 10:12 are the steps 10 "
              "and 11",
              [&options] {
                return options.trace ? toJson(describe(*options.trace))
                                     : ordered_json();
              })
          ->type_name("FIRST:END")
          ->expected(1);
  train
      .add("--trace-file", options.traceFile, Agreement::none,
           "Write the trace here; default trace.json",
           [&options] {
             return options.trace ? toJson(options.traceFile) : ordered_json();
           })
      ->type_name("FILE.json")
      ->needs(trace);
}

static constexpr const char *kFeedForm =
    "NAME=inputs|targets|mask|positions|segments|step|key";

/// "NAME=inputs" and the like; a name may contain "=" too.
static FeedChoice parseFeedChoice(const std::string &text) {
  size_t end = text.find_last_of('=');
  auto feed =
      end == std::string::npos ? std::nullopt : parseFeed(text.substr(end + 1));
  if (!feed || *feed == Feed::tokens || end == 0)
    throw CLI::ValidationError(
        "--batch", concat("expects ", kFeedForm, ", but got '", text, "'"));
  return {text.substr(0, end), *feed};
}

static void addFeeds(OptionTable &train, TrainOptions &options) {
  auto parse = [&options](const std::vector<std::string> &texts) {
    for (const std::string &text : texts)
      options.feeds.push_back(parseFeedChoice(text));
  };
  auto read = [&options] {
    std::vector<std::string> texts;
    texts.reserve(options.feeds.size());
    for (const FeedChoice &choice : options.feeds)
      texts.push_back(concat(choice.argument, "=", nameOf(choice.feed)));
    return toJson(texts);
  };
  train
      .addParsed("--batch", parse, Agreement::value,
                 "Data of a batch argument for which the program names none, "
                 "or the wrong one; may be given for each",
                 read)
      ->type_name(kFeedForm)
      ->allow_extra_args(false)
      ->take_all();
}

/// Adds the options that describe documents, which token files do not.
static void addDocuments(OptionTable &train, TrainOptions &options) {
  train
      .add("--eod", options.endOfDocument, Agreement::value,
           "Token that ends a document, for positions and segments; default: "
           "that of the header of each token file")
      ->transform(atLeast(0))
      ->type_name("ID");
  train
      .add("--pad", options.padding, Agreement::value,
           "Token that fills rows up: no loss, and segment 0")
      ->transform(atLeast(0))
      ->type_name("ID");
  train.addFiles("--mask", options.masks, Agreement::content,
                 "For each file of --data one with a byte for every token: 1 "
                 "if the loss counts it as a target, else 0");
  train.addFlag("--mask-starts", options.maskStarts, Agreement::value,
                "The first token of a document counts in no loss: nothing "
                "before it tells it");
}

static void addValidation(OptionTable &train, TrainOptions &options) {
  auto *valData =
      train.addFiles("--val-data", options.valData, Agreement::content,
                     "Token files to evaluate the loss on, without training");
  train
      .addFiles("--val-mask", options.valMasks, Agreement::content,
                "Masks of --val-data")
      ->needs(valData);
  train
      .add("--val-every", options.valEvery, Agreement::value,
           "Steps between two evaluations; default: only at the end")
      ->transform(atLeast(1))
      ->type_name("N")
      ->needs(valData);
  train
      .add("--val-batches", options.valBatches, Agreement::value,
           "Batches of an evaluation; default: all that --val-data fills")
      ->transform(atLeast(1))
      ->type_name("N")
      ->needs(valData);
}

static void addData(OptionTable &train, TrainOptions &options) {
  train
      .addFiles(
          "--data", options.data, Agreement::content,
          "Token files: llm.c .bin, .npy of NumPy or raw uint16 (nanoGPT); "
          "patterns such as 'train_*.bin' are expanded in the order of "
          "names")
      ->required();
  train.addFlag("--shuffle", options.shuffle, Agreement::value,
                "Take the rows of batches in a random order, of --seed; "
                "another one every time that the data is through");
  addFeeds(train, options);
  addDocuments(train, options);
  addValidation(train, options);
}

/// The name of a schedule, as the number that it has.
static CLI::Validator decay() {
  return CLI::Validator(
      [](std::string &text) -> std::string {
        std::string known;
        size_t number = 0;
        for (const std::string &name : namesOfDecays()) {
          if (name == text) {
            text = std::to_string(number);
            return "";
          }
          known += (number++ == 0 ? "" : ", ") + name;
        }
        return concat("expects one of ", known, ", but got '", text, "'");
      },
      "");
}

static void addLearningRate(OptionTable &train, TrainOptions &options) {
  train
      .add("--lr", options.lr, Agreement::value,
           "Peak learning rate; default 3e-4")
      ->check(rate())
      ->type_name("X");
  train
      .add("--schedule", options.decay, Agreement::value,
           "Learning rate after the warm-up: constant, linear or cosine down "
           "to --min-lr at the last step, or wsd, which is constant up to a "
           "linear decay; default cosine",
           [&options] { return toJson(nameOf(options.decay)); })
      ->transform(decay())
      ->type_name("NAME");
  // The schedules that have neither refuse them.
  train
      .add("--min-lr", options.minLr, Agreement::value,
           "Rate at the end of the schedule; default a tenth of --lr",
           [&options] {
             return options.decay == Decay::constant
                        ? ordered_json()
                        : toJson(learningRateOf(options).floor);
           })
      ->check(rate())
      ->type_name("X");
  train
      .add("--warmup", options.warmup, Agreement::value,
           "Steps of linear warm-up; default 0")
      ->transform(atLeast(0))
      ->type_name("N");
  train
      .add("--decay-steps", options.decaySteps, Agreement::value,
           "Last steps in which wsd decays; default a tenth of --steps",
           [&options] {
             return options.decay == Decay::wsd
                        ? toJson(learningRateOf(options).decaySteps)
                        : ordered_json();
           })
      ->transform(atLeast(1))
      ->type_name("N");
}

/// Adds the options of the learning rate to a program whose optimizer has its
/// own, so that they are refused with the reason.
static void refuseLearningRate(OptionTable &train, const Program &program) {
  std::string remedy = "leave it out";
  for (const Tensor *hyper : program.hypersWithOptions())
    if (hyper->kind.find("learning_rate") != std::string::npos)
      remedy += concat(remedy == "leave it out" ? ", or give --" : " or --",
                       hyper->option->name);
  for (const char *name :
       {"--lr", "--schedule", "--min-lr", "--warmup", "--decay-steps"})
    train
        .addParsed(
            name,
            [name, remedy](const std::vector<std::string> &) {
              throw CLI::ValidationError(
                  name, "the optimizer of this program has its own learning "
                        "rate; " +
                            remedy);
            },
            Agreement::none, "", [] { return ordered_json(); })
        ->group("");
}

/// Adds an option for each hyper-parameter that has one.
static void addHypers(OptionTable &train, TrainOptions &options,
                      const Program &program) {
  for (const Tensor *hyper : program.hypersWithOptions()) {
    const HyperOption &option = *hyper->option;
    double &value = options.hypers[hyper->kind];
    value = option.defaultValue;
    train.add("--" + option.name, value, Agreement::value, option.describe())
        ->check(valueOf(option))
        ->type_name("X");
  }
}

static void addOptimization(OptionTable &train, TrainOptions &options,
                            const Program &program) {
  addData(train, options);
  train
      .add("--steps", options.steps, Agreement::value,
           "Optimizer steps in all; 0 only initializes")
      ->required()
      ->transform(atLeast(0))
      ->type_name("N");
  train
      .add("--seed", options.seed, Agreement::value,
           "Seed of the initial parameters; default 0")
      ->transform(atLeast(0))
      ->type_name("N");
  if (program.find(Role::hyper, learningRateKind))
    addLearningRate(train, options);
  else
    refuseLearningRate(train, program);
  addHypers(train, options, program);
}

static CLI::Option *addAllow(OptionTable &train, TrainOptions &options,
                             const Program &program) {
  std::vector<std::string> names;
  std::string list;
  for (const RunProperty &property : runProperties(program)) {
    if (!property.isRefused)
      continue;
    names.push_back(property.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  return train
      .add("--allow", options.allowed, Agreement::value,
           "Resume although this is not what the checkpoint was made with; may "
           "be given several times: " +
               list)
      ->check(CLI::Validator(
          [names, list](const std::string &name) -> std::string {
            return std::find(names.begin(), names.end(), name) != names.end()
                       ? ""
                       : "expects one of " + list + ", but got '" + name + "'";
          },
          ""))
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->take_all();
}

static void addCheckpoints(OptionTable &train, TrainOptions &options,
                           const Program &program) {
  auto *directory = train.addPath(
      "--checkpoint", options.checkpointDirectory, Agreement::presence,
      "Write checkpoints here, also when stopped by SIGUSR1 "
      "(to mpirun), SIGTERM, SIGINT or SIGHUP",
      "DIR");
  train
      .add("--checkpoint-every", options.checkpointEvery, Agreement::value,
           "Steps between two checkpoints; default: only the last")
      ->transform(atLeast(1))
      ->type_name("N")
      ->needs(directory);
  train
      .add("--keep-last", options.keepLast, Agreement::value,
           "Newest checkpoints that are kept, 0 for all; default 3")
      ->transform(atLeast(0))
      ->type_name("N")
      ->needs(directory);
  train
      .add("--keep-every", options.keepEvery, Agreement::value,
           "Keep also the checkpoints of every M-th step for ever")
      ->transform(atLeast(1))
      ->type_name("M")
      ->needs(directory);
  auto *resume =
      train
          .addFlag("--resume", options.resume, Agreement::value,
                   "Continue from the newest checkpoint, if there is one")
          ->needs(directory);
  addAllow(train, options, program)->needs(resume);
}

static void addTrainFiles(OptionTable &train, TrainOptions &options,
                          const Program &program) {
  train.addPath("--init", options.init, Agreement::content,
                "Start from these parameters instead of those that `info` "
                "tells",
                "FILE.safetensors");
  train
      .addFlag("--no-init-file", options.noInitFile, Agreement::value,
               "Start by the rules that `info` lists, not from the arrays that "
               "were exported with the model")
      ->excludes("--init");
  train.addPath("--save", options.save, Agreement::presence,
                "Write the parameters here at the end", "FILE.safetensors");
  train.addPath("--log", options.log, Agreement::none,
                "Write one JSON object per step", "FILE.jsonl");
  train.addPath("--tensorboard", options.tensorBoard, Agreement::none,
                "Write the numbers of each step as events for TensorBoard",
                "DIR");
  addTrace(train, options);
  train
      .add("--spike", options.spike, Agreement::none,
           "Warn of a loss or gradient norm that is this many times the "
           "deviation of the last 100 steps above their median; default 10, 0 "
           "for no warnings")
      ->check(rate())
      ->type_name("TIMES");
  train.addFlag("--find-non-finite", options.findNonFinite, Agreement::value,
                "Copy the state before each step; if training diverges, name "
                "the first tensor that is not finite; needs boost-compile "
                "--verify");
  addCheckpoints(train, options, program);
}

/// Options of every command that runs functions.
static void addRunning(OptionTable &command, Options &options) {
  command.addInverseFlag("--no-graph", options.device.graph, Agreement::value,
                         "GPUs: start every kernel by itself, not all of a "
                         "step as one graph; functions that factorize matrices "
                         "are never started as a graph, since not every "
                         "routine of cuSOLVER can be recorded");
  command
      .add("--timeout", options.timeout, Agreement::none,
           "Seconds that ranks may wait for one that does not get on before "
           "the program ends with exit code 5; default 1800, 0 for no limit")
      ->check(rate())
      ->type_name("SECONDS");
}

static void addTrain(OptionTable &train, Options &options,
                     const Program &program) {
  addOptimization(train, options.train, program);
  addTrainFiles(train, options.train, program);
  // Options of the file are in effect under their own names, so --config has no
  // value.
  train
      .add("--config", options.train.config, Agreement::none,
           "Options of train as JSON, as in {\"lr\": 3e-4}; the command line "
           "goes before",
           [] { return ordered_json(); })
      ->type_name("FILE.json");
  train.addFlag("--quiet", options.train.quiet, Agreement::none,
                "Print errors only");
  train.addFlag("--json", options.train.json, Agreement::none,
                "Print a summary as JSON in the last line");
  addRunning(train, options);
}

static void addVerify(OptionTable &eval, EvalOptions &options) {
  auto *verify =
      eval.addFlag("--verify", options.verify, Agreement::value,
                   "Run every function and compare all tensors with the "
                   "unsharded program in double")
          ->excludes("--outputs")
          ->excludes("--gradients");
  eval.addPath("--keep", options.keep, Agreement::presence,
               "Keep the program, the inputs and the tensors that --verify "
               "compares with here",
               "DIR")
      ->needs(verify);
  eval.addPath("--reference", options.reference, Agreement::presence,
               "Compare with what --keep has left here, on whatever machine, "
               "and evaluate nothing",
               "DIR")
      ->needs(verify)
      ->excludes("--keep");
}

static void addEval(OptionTable &eval, Options &options) {
  eval.addPath("--inputs", options.eval.inputs, Agreement::content,
               "All parameters and the batch, as `info` lists them",
               "FILE.safetensors")
      ->required();
  eval.addPath("--outputs", options.eval.outputs, Agreement::presence,
               "Write the loss and gradients (grad.NAME) here",
               "FILE.safetensors");
  eval.addFlag("--gradients", options.eval.gradients, Agreement::value,
               "Compute the gradients of all parameters too");
  eval.addFlag("--json", options.eval.json, Agreement::none,
               "Print loss and executed collectives as JSON");
  addVerify(eval, options.eval);
  addRunning(eval, options);
}

LearningRate boost_rt::learningRateOf(const TrainOptions &options) {
  bool isConstant = options.decay == Decay::constant;
  LearningRate learningRate{
      options.decay, options.lr,
      options.minLr.value_or(options.lr / (isConstant ? 1 : 10)),
      options.warmup, options.steps};
  if (options.decay == Decay::wsd)
    learningRate.decaySteps =
        options.decaySteps.value_or(std::max<int64_t>(1, options.steps / 10));
  return learningRate;
}

void boost_rt::checkLearningRate(const TrainOptions &options) {
  LearningRate learningRate = learningRateOf(options);
  auto misuse = [](const auto &...parts) {
    throw Failure(ExitCode::usage, concat(parts...));
  };
  if (options.warmup > options.steps && options.steps > 0)
    misuse("--warmup ", options.warmup, " is longer than --steps ",
           options.steps, "; lower --warmup or raise --steps");
  if (learningRate.floor > learningRate.peak)
    misuse("--min-lr ", learningRate.floor, " is above --lr ",
           learningRate.peak, "; lower --min-lr or raise --lr");
  if (options.decay == Decay::constant && options.minLr)
    misuse("--schedule constant stays at --lr and has no --min-lr; leave one "
           "of them out");
  if (options.decay != Decay::wsd && options.decaySteps)
    misuse("--decay-steps is of --schedule wsd; the other schedules decay from "
           "the warm-up to the last step");
  // Counted from both ends, so that it cannot overflow.
  if (learningRate.decaySteps > options.steps - options.warmup &&
      options.steps > 0)
    misuse("--warmup ", options.warmup, " and --decay-steps ",
           learningRate.decaySteps, " are together longer than --steps ",
           options.steps, "; lower one of them or raise --steps");
}

const char *boost_rt::nameOf(Command command) {
  static constexpr const char *names[] = {"train", "eval", "info"};
  return names[static_cast<int>(command)];
}

/// Refuses a value for an option that takes none. The parser would convert it
/// to a number, and some numbers are more than it can convert.
static void checkFlags(const CLI::App &command,
                       const std::vector<std::string> &arguments) {
  for (const std::string &argument : arguments) {
    size_t end = argument.find('=');
    if (end == std::string::npos || argument.compare(0, 2, "--") != 0)
      continue;
    std::string name = argument.substr(0, end);
    const CLI::Option *option = command.get_option_no_throw(name);
    if (option && option->get_items_expected_max() == 0)
      throw CLI::ValidationError(name, concat("takes no value, but got '",
                                              argument.substr(end + 1), "'"));
  }
}

std::optional<Options> boost_rt::parseOptions(int argc, char **argv,
                                              const Program &program) {
  Options options{};
  CLI::App app("A training program made by boost-mlir. Start it with `mpirun "
               "-np RANKS` if it was compiled for several ranks.");
  app.set_version_flag("--version",
                       "boost-mlir runtime " BOOST_RUNTIME_VERSION);
  app.require_subcommand(1);
  CLI::App *train = app.add_subcommand("train", "Train on a token file.");
  OptionTable trainTable(train);
  try {
    addTrain(trainTable, options, program);
  } catch (const CLI::OptionAlreadyAdded &error) {
    refuseManifest(concat("the option of a hyper-parameter is another one of "
                          "`train`: ",
                          error.what()));
  }
  OptionTable evalTable(app.add_subcommand(
      "eval", "Run the loss once, on named global tensors."));
  addEval(evalTable, options);
  app.add_subcommand("info",
                     "Print parameters, memory and communication as JSON.");
  app.name(argv[0]);
  auto findCommand = [&](const std::string &word) {
    auto commands = app.get_subcommands(
        [&](CLI::App *command) { return command->check_name(word); });
    return commands.empty() ? nullptr : commands.front();
  };
  try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    CLI::App *command = argc > 1 ? findCommand(argv[1]) : nullptr;
    if (argc > 1 && argv[1][0] != '-' && !command)
      throw CLI::ValidationError(
          concat("'", argv[1],
                 "' is not a command of this program; use "
                 "train, eval or info"));
    if (command == train)
      appendConfig(arguments, [&](const std::string &option) {
        return train->get_option_no_throw(option) != nullptr;
      });
    if (command)
      checkFlags(*command, arguments);
    // The parser takes them from the end.
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() != 0)
      throw Failure(ExitCode::usage,
                    concat(error.what(), "\nusage: ", argv[0],
                           " train|eval|info [options]; `", argv[0],
                           " train --help` lists those of train"));
    if (launcherRank() == 0)
      app.exit(error);
    return std::nullopt;
  }
  options.command = app.got_subcommand("train")  ? Command::train
                    : app.got_subcommand("eval") ? Command::eval
                                                 : Command::info;
  if (options.command == Command::train)
    options.effective = trainTable.evaluate();
  if (options.command == Command::eval)
    options.effective = evalTable.evaluate();
  return options;
}
