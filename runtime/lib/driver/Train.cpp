//===- Train.cpp - The command `train` ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/FileTimes.h"
#include "common/LearningRate.h"
#include "driver/Batches.h"
#include "driver/Checkpoint.h"
#include "driver/Commands.h"
#include "driver/Constants.h"
#include "driver/Divergence.h"
#include "driver/EventFile.h"
#include "driver/InitialValues.h"
#include "driver/OutputFiles.h"
#include "driver/Progress.h"
#include "driver/RunConfig.h"
#include "driver/RunIdentity.h"
#include "driver/ScheduleRun.h"
#include "driver/Spikes.h"
#include "driver/Tracer.h"
#include "driver/Validation.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numeric>

using namespace boost_rt;

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

namespace {
/// The end of a step. If ranks disagree, the last of these values counts.
enum class Outcome : int64_t { goOn, stop, diverged };

/// A training run. Rank 0 speaks; all ranks compute and decide alike.
class Trainer {
public:
  Trainer(Session &session, const Options &all)
      : session(session), program(session.getProgram()), options(all.train),
        learningRate(learningRateOf(options)), config(describeConfig(all)),
        schedule(program.schedule(trainSchedule)), spikes(options.spike),
        bytes(session.bytesByKind()) {
    for (const Tensor *tensor : program.outputsOf(schedule))
      if (tensor->role == Role::metric)
        metrics.push_back(tensor);
  }

  ExitCode run();

private:
  void checkTrace() const;
  void prepareTrace();
  void prepareData();
  void agreeOnData();
  std::unique_ptr<SafeTensorsReader> openInitialFile();
  void initializeTensors(const SafeTensorsReader *file);
  void loadArrays(const SafeTensorsReader *file);
  void prepareState();
  void checkSpace() const;
  void resume();
  void printHeader() const;
  void giveHypers(int64_t step);
  StepRecord runStep(int64_t step);
  void validate(StepRecord &record);
  void account(const StepRecord &record);
  void logAlgorithms();
  Outcome agreeAfter(const StepRecord &record);
  std::string findFirstTensor(const StepRecord &record);
  void warnOfSpike(const StepRecord &record, Progress &progress);
  std::string describeRows(const char *event, nlohmann::ordered_json facts,
                           int64_t step, std::optional<int64_t> microBatch);
  [[noreturn]] void refuseToGoOn(const StepRecord &record);
  void checkpointAfter(int64_t step, bool isStopping);
  double tokensPerSecond(int64_t steps) const;
  void summarize(bool planAgrees, const nlohmann::json &arena);

  bool speaks() const { return session.rank() == 0; }
  bool talks() const { return speaks() && !options.quiet; }

  Session &session;
  const Program &program;
  const TrainOptions &options;
  const LearningRate learningRate;
  /// The options in effect, which the log and checkpoints repeat.
  const nlohmann::ordered_json config;
  /// The calls of a step.
  const Schedule &schedule;
  /// The metrics that a step returns besides the loss.
  std::vector<const Tensor *> metrics;
  std::unique_ptr<Batches> batches;
  std::unique_ptr<Validation> validation;
  std::unique_ptr<Checkpoints> checkpoints;
  /// The identity of this run, see describeRun().
  nlohmann::ordered_json identity;
  /// On rank 0, which alone writes it, and whether that has a file.
  std::unique_ptr<StepLog> log;
  bool isLogged = false;
  std::unique_ptr<EventFile> events;
  /// With --trace, if a step of it is left to be done.
  std::unique_ptr<Tracer> tracer;
  /// The first micro-batch of the last step whose loss is not finite.
  std::optional<int64_t> nonFiniteBatch;
  /// With --find-non-finite.
  std::unique_ptr<NonFiniteFinder> finder;
  /// On rank 0, which alone warns.
  SpikeWatch spikes;
  /// The number of the device's choices that the log has.
  size_t loggedAlgorithms = 0;
  int64_t firstStep = 1;
  /// The first step whose update was not finite on this rank, 0 if none was.
  int64_t badUpdate = 0;
  /// The file of exported arrays that this run started from, or empty.
  std::string initialFile;
  /// Losses of the first and the last step; JSON has null for a NaN.
  float initialLoss = NAN, finalLoss = NAN;
  std::optional<float> valLoss;
  /// Bytes that this rank sent in steps, by kind of collective.
  std::map<std::string, int64_t> bytes;
  double seconds = 0;
  double firstSeconds = 0;
  /// The number of saved checkpoints, and the seconds of loading and saving.
  int64_t savedCheckpoints = 0;
  double loadSeconds = 0, saveSeconds = 0;
  FileTimes loadTimes, saveTimes;
};
} // namespace

void Trainer::checkTrace() const {
  if (options.trace && options.trace->end - 1 > options.steps)
    throw Failure(ExitCode::usage,
                  concat("--trace ", describe(*options.trace),
                         " has steps beyond --steps ", options.steps,
                         "; trace earlier ones"));
}

/// A run that is resumed leaves the trace of steps that are done.
void Trainer::prepareTrace() {
  if (!options.trace || options.trace->end <= firstStep)
    return;
  tracer = std::make_unique<Tracer>(session, schedule, *options.trace,
                                    options.traceFile);
}

void Trainer::prepareData() {
  Doing doing("reading the data");
  session.together([&] {
    batches = std::make_unique<Batches>(session, schedule, options,
                                        Purpose::training);
  });
  int64_t count = 0, tokens = 0;
  if (__builtin_mul_overflow(options.steps, schedule.microBatches, &count) ||
      __builtin_mul_overflow(count, batches->tokensPerBatch(), &tokens))
    throw Failure(ExitCode::usage,
                  concat("--steps ", options.steps, " of ",
                         schedule.microBatches,
                         schedule.microBatches == 1 ? " batch" : " batches",
                         " with ", batches->tokensPerBatch(),
                         " tokens are more tokens than 64 bits can count; take "
                         "fewer steps"));
  session.together([&] { batches->check(count); });
  if (!options.valData.empty())
    session.together(
        [&] { validation = std::make_unique<Validation>(session, options); });
  agreeOnData();
}

/// Each rank has opened files of its own, under the same names or others.
void Trainer::agreeOnData() {
  Facts facts;
  session.together([&] {
    identity = describeRun(program, learningRate, options, *batches);
    facts = factsOf(program, identity);
    if (validation)
      for (Fact &fact : describeValidation(options, validation->getBatches()))
        facts.push_back(std::move(fact));
  });
  session.requireAgreement(facts);
}

/// Opens the file that parameters start from, the same on all ranks; null if
/// there is none.
std::unique_ptr<SafeTensorsReader> Trainer::openInitialFile() {
  std::unique_ptr<SafeTensorsReader> file;
  session.together([&] {
    if (!options.init.empty()) {
      file = std::make_unique<SafeTensorsReader>(options.init);
    } else if (program.initialValues && !options.noInitFile) {
      file = openInitialValues(*program.initialValues);
      initialFile = file->getPath();
    }
  });
  if (file)
    session.requireAgreement(
        {{initialFile.empty() ? "--init" : "the exported arrays",
          file->describeContent()}});
  return file;
}

/// Loads the states that start from arrays: from the file that the run starts
/// from if it has them, else from the exported arrays.
void Trainer::loadArrays(const SafeTensorsReader *file) {
  std::vector<const Tensor *> given, exported;
  for (const Tensor *tensor : program.withRole(Role::state))
    if (tensor->init == "array")
      (file && file->find(tensor->fileName()) ? given : exported)
          .push_back(tensor);
  if (!given.empty())
    session.loadInitial(*file, given, "training");
  if (exported.empty())
    return;
  if (!program.initialValues)
    refuse("the state '", exported.front()->name,
           "' starts from an array, but the program was exported with none; "
           "add it to the file of --init");
  session.loadInitial(*openInitialValues(*program.initialValues), exported,
                      "training");
}

/// Parameters and optimizer states. What is neither in the file that the run
/// starts from nor starts as a parameter there starts by its rule.
void Trainer::initializeTensors(const SafeTensorsReader *file) {
  std::vector<const Tensor *> stored, drawn;
  for (const Tensor *tensor : program.startingAsParameters()) {
    // A parameter that was exported with a rule is not among the arrays.
    bool isStored = file && (initialFile.empty() ||
                             file->find(program.initialOf(*tensor).fileName()));
    (isStored ? stored : drawn).push_back(tensor);
  }
  if (file)
    session.loadInitial(*file, stored,
                        initialFile.empty() ? "--init" : "training");
  for (const Tensor *tensor : program.withRole(Role::state))
    if (program.initialOf(*tensor).role == Role::state &&
        tensor->init != "array")
      drawn.push_back(tensor);
  loadArrays(file);
  session.initialize(drawn, options.seed);
}

void Trainer::prepareState() {
  Doing doing("preparing parameters");
  loadConstants(session);
  session.together([&] {
    for (const Tensor *tensor : program.withRole(Role::accumulator))
      session.clear(*tensor);
  });
  if (!options.checkpointDirectory.empty()) {
    checkpoints =
        std::make_unique<Checkpoints>(session, options, identity, config);
    catchStopSignals();
    if (options.resume)
      resume();
    else
      checkpoints->requireNone();
  }
  // A checkpoint has them; then what a run starts from may be gone.
  if (firstStep == 1) {
    std::unique_ptr<SafeTensorsReader> file = openInitialFile();
    session.together([&] { initializeTensors(file.get()); });
  }
  session.together([&] {
    prepareTrace();
    if (!speaks())
      return;
    checkOutputs(options, batches->getWindows(), initialFile,
                 pathOfConstants(program));
    // Said now, and not after hours of training.
    if (!options.save.empty())
      DurableFile attempt(options.save);
    if (tracer)
      DurableFile attempt(options.traceFile);
    checkSpace();
    log = std::make_unique<StepLog>(options.log, firstStep);
    log->write(nlohmann::ordered_json{{"config", config},
                                      {"first_step", firstStep},
                                      {"program", program.hash},
                                      {"mesh", program.mesh.str()}});
    events = std::make_unique<EventFile>(options.tensorBoard, firstStep);
  });
  isLogged = session.largest(speaks() && !options.log.empty() ? 1 : 0) != 0;
}

void Trainer::checkSpace() const {
  std::vector<PlannedFiles> planned;
  if (checkpoints)
    planned.push_back(checkpoints->plan(firstStep));
  std::string folder = std::filesystem::path(options.save).parent_path();
  if (!options.save.empty())
    planned.push_back({"--save", folder.empty() ? "." : folder,
                       bytesOfFile(program.parameters()), 1});
  requireSpace(planned);
}

void Trainer::resume() {
  FileTimes before = fileTimes;
  int64_t last = 0;
  {
    TimedScope timed(loadSeconds);
    last = checkpoints->resume();
  }
  loadTimes = fileTimes - before;
  if (last > options.steps)
    throw Failure(ExitCode::usage,
                  concat("the checkpoint is after step ", last,
                         ", beyond --steps ", options.steps,
                         ", which counts the steps in all; raise --steps, or "
                         "give another --checkpoint"));
  firstStep = last + 1;
}

/// The files, what they have and the format that they were read in: nothing in
/// a raw file says what it is.
static std::string describeTokens(const TokenWindows &data) {
  return concat(data.describe(), ", ", data.tokens(), " tokens of ",
                data.describeFormats());
}

void Trainer::printHeader() const {
  int64_t parameters = 0, frozen = 0;
  for (const Tensor *tensor : program.parameters()) {
    parameters += tensor->elements();
    if (tensor->role == Role::frozen)
      frozen += tensor->elements();
  }
  const TokenWindows &data = batches->getWindows();
  std::string text =
      concat(program.name, ": ", parameters, " parameters",
             frozen ? concat(" (", frozen, " frozen)") : "", ", mesh ",
             program.mesh.str(), ", ", session.ranks(),
             session.ranks() == 1 ? " rank" : " ranks", " of ",
             session.threads(), session.threads() == 1 ? " thread" : " threads",
             "\ndata: ", describeTokens(data), ", ",
             batches->tokensPerBatch() * schedule.microBatches, " per step",
             options.shuffle ? ", in random order" : "");
  if (validation)
    text +=
        concat("\nvalidation data: ", describeTokens(validation->getWindows()));
  text += "\nbatch:";
  const char *separator = " '";
  for (const auto &[tensor, feed] : batches->getArguments()) {
    text += concat(separator, tensor->name, "' <- ", nameOf(feed));
    separator = ", '";
  }
  text += "\n";
  if (program.constantsFile) {
    int64_t elements = 0;
    for (const auto &group : groupByFileName(program.withRole(Role::constant)))
      elements += group.front()->elements();
    text += concat("constants: ", elements, " numbers of ",
                   program.constantsFile->name, "\n");
  }
  if (!initialFile.empty())
    text += concat("start: ", initialFile, "\n");
  if (firstStep > 1)
    text += concat("resumed after step ", firstStep - 1, "\n");
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

/// Writes the hyper-parameters of a step: those that options set, the learning
/// rate and the number of the step.
void Trainer::giveHypers(int64_t step) {
  for (const Tensor *hyper : program.withRole(Role::hyper)) {
    double value = hyper->option             ? options.hypers.at(hyper->kind)
                   : hyper->kind == stepKind ? static_cast<double>(step)
                                             : learningRate.rate(step);
    session.writeScalar(*hyper, static_cast<float>(value));
  }
}

StepRecord Trainer::runStep(int64_t step) {
  Doing doing("training a step");
  if (finder)
    finder->keepState();
  Tracer *traced = tracer && tracer->takes(step) ? tracer.get() : nullptr;
  if (traced)
    traced->beginStep(step);
  auto before = session.bytesByKind();
  auto start = Clock::now();
  giveHypers(step);
  StepRecord record;
  record.step = step;
  ScheduleResult result =
      runSchedule(session, schedule, *batches, step - 1, traced);
  record.loss = static_cast<float>(result.loss);
  record.chosen = result.chosen;
  nonFiniteBatch = result.nonFiniteBatch;
  if (program.find(Role::hyper, learningRateKind))
    record.lr = static_cast<float>(learningRate.rate(step));
  for (const Tensor *metric : metrics)
    record.metrics.emplace_back(metric->kind, session.shareScalar(*metric));
  record.seconds = secondsSince(start);
  if (traced)
    traced->endStep();
  record.tokens = batches->tokensPerBatch() * schedule.microBatches;
  record.bytes = session.bytesByKind();
  for (auto &[kind, bytes] : record.bytes)
    bytes -= before[kind];
  return record;
}

/// The update is done, so that this is the loss of the new parameters.
void Trainer::validate(StepRecord &record) {
  bool isDue = options.valEvery && record.step % *options.valEvery == 0;
  if (validation && (isDue || record.step == options.steps))
    record.valLoss = valLoss = validation->run();
}

void Trainer::account(const StepRecord &record) {
  seconds += record.seconds;
  for (const auto &[kind, sent] : record.bytes)
    bytes[kind] += sent;
  if (record.step == firstStep) {
    firstSeconds = record.seconds;
    initialLoss = record.loss;
  }
  finalLoss = record.loss;
  if (log)
    log->write(record);
  if (events)
    events->write(record);
}

static nlohmann::ordered_json toJson(const ChosenAlgorithm &chosen) {
  nlohmann::ordered_json entry = {{chosen.kind, chosen.call}};
  if (!chosen.by.empty())
    entry["by"] = chosen.by;
  if (!chosen.reason.empty())
    entry["reason"] = chosen.reason;
  for (auto [name, value] : chosen.numbers)
    entry[name] = value;
  return entry;
}

/// Notes how calls are computed that were first made in this step, and
/// whether all ranks of its stage do so alike: they run the same functions, but
/// one may have another GPU or another version of the library.
void Trainer::logAlgorithms() {
  const auto &chosen = session.getRecord().algorithms;
  if (!isLogged || chosen.size() == loggedAlgorithms)
    return;
  nlohmann::ordered_json list;
  for (; loggedAlgorithms < chosen.size(); ++loggedAlgorithms)
    list.push_back(toJson(chosen[loggedAlgorithms]));
  auto fingerprint =
      static_cast<int64_t>(std::hash<std::string>()(list.dump()) >> 1);
  bool isShared = session.largestOfStage(fingerprint) ==
                  -session.largestOfStage(-fingerprint);
  if (log)
    log->write(nlohmann::ordered_json{{"algorithms", list},
                                      {"same_on_all_ranks", isShared}});
}

//===----------------------------------------------------------------------===//
// After a step
//===----------------------------------------------------------------------===//

static bool isFinite(const StepRecord &record) {
  return std::isfinite(record.loss) &&
         std::isfinite(record.gradientNorm().value_or(0));
}

/// Ranks see the same loss and norm, but each its own parameters only. They
/// agree on these wherever they agree anyway, and before the end: without
/// checkpoints nothing is written in between.
Outcome Trainer::agreeAfter(const StepRecord &record) {
  Doing doing("agreeing after a step");
  bool isLast = record.step == options.steps;
  if (badUpdate == 0 && session.getRecord().updatedToNonFinite)
    badUpdate = record.step;
  if (!isFinite(record))
    return Outcome::diverged;
  if (!checkpoints && !finder && !isLast && session.ranks() > 1)
    return Outcome::goOn;
  // A signal may reach one rank only, or reach them in different steps.
  Outcome own = badUpdate != 0                   ? Outcome::diverged
                : checkpoints && stopRequested() ? Outcome::stop
                                                 : Outcome::goOn;
  return static_cast<Outcome>(session.largest(
      static_cast<int64_t>(own), static_cast<int64_t>(Outcome::diverged)));
}

/// Says where the rows of a step begin, those of one micro-batch if that is
/// known, and notes all of them in the log with the event and its facts.
std::string Trainer::describeRows(const char *event,
                                  nlohmann::ordered_json facts, int64_t step,
                                  std::optional<int64_t> microBatch) {
  std::vector<TokenWindows::Window> rows = batches->rowsOf(
      (step - 1) * schedule.microBatches + microBatch.value_or(0),
      microBatch ? 1 : schedule.microBatches);
  facts["at_step"] = step;
  facts["rows"] = rowsToJson(rows);
  if (log)
    log->write(nlohmann::ordered_json{{event, facts}});
  return concat("; the rows of step ", step,
                " begin at these tokens: ", listRows(rows));
}

/// Warns of a loss or a norm far above those of the steps before.
void Trainer::warnOfSpike(const StepRecord &record, Progress &progress) {
  if (!speaks() || !isFinite(record))
    return;
  SpikeWatch::Found spike = spikes.add(record);
  if (!spike)
    return;
  progress.finish();
  std::string rows =
      describeRows("spike", spike.toJson(), record.step, std::nullopt);
  std::fprintf(stderr,
               "warning: at step %lld %s%s; if the next steps do not get back, "
               "look at these rows, %s\n",
               static_cast<long long>(record.step), spike.describe().c_str(),
               rows.c_str(), describeRemedies(program).c_str());
}

/// Names the first tensor of the step that is not finite, if the run can find
/// it, and else how to find it.
std::string Trainer::findFirstTensor(const StepRecord &record) {
  if (!finder)
    return "; --find-non-finite names the first tensor of a step that is not "
           "finite";
  Doing doing("looking for what is not finite");
  finder->restoreState();
  giveHypers(record.step);
  // Without a loss that tells, any micro-batch may be the one.
  std::vector<int64_t> microBatches(static_cast<size_t>(schedule.microBatches));
  std::iota(microBatches.begin(), microBatches.end(), 0);
  if (nonFiniteBatch)
    microBatches = {*nonFiniteBatch};
  return finder->describeFirst(microBatches, [&](int64_t microBatch) {
    batches->fill((record.step - 1) * schedule.microBatches + microBatch);
  });
}

/// Ends training that diverged, on all ranks together.
void Trainer::refuseToGoOn(const StepRecord &record) {
  int64_t sinceBad = badUpdate == 0 ? 0 : record.step - badUpdate + 1;
  int64_t badStep = record.step - session.largest(sinceBad, record.step) + 1;
  std::string text = "training diverged: ";
  if (!isFinite(record))
    text += concat("at step ", record.step, " the loss is ", record.loss);
  if (std::optional<float> norm = record.gradientNorm();
      norm && !isFinite(record))
    text += concat(" and the gradient norm ", *norm);
  // An update by gradients that are not finite tells nothing more.
  if (badStep < record.step || (badStep == record.step && isFinite(record))) {
    const Tensor *tensor = session.findNonFinite();
    text += concat(isFinite(record) ? "" : ", since ", "the update of step ",
                   badStep, " made '", tensor ? tensor->name : "",
                   "' infinite or NaN");
  }
  int64_t firstBad = std::min(badStep, record.step);
  text += describeRows("diverged", {}, firstBad,
                       badStep < record.step ? std::nullopt : nonFiniteBatch);
  text += findFirstTensor(record);
  // A finite loss shows that the parameters of the step before were good.
  int64_t lastGood =
      std::min(record.step - (isFinite(record) ? 1 : 2), badStep - 1);
  throw Failure(ExitCode::trainingFailed,
                concat(text, "; ", describeRemedies(program),
                       checkpoints ? findWayBack(*checkpoints, lastGood) : ""));
}

void Trainer::checkpointAfter(int64_t step, bool isStopping) {
  bool isDue = options.checkpointEvery && step % *options.checkpointEvery == 0;
  if (!checkpoints || !(isStopping || isDue || step == options.steps))
    return;
  FileTimes before = fileTimes;
  {
    TimedScope timed(saveSeconds);
    if (log)
      log->sync();
    if (events)
      events->sync();
    checkpoints->save(step);
  }
  ++savedCheckpoints;
  saveTimes += fileTimes - before;
}

ExitCode Trainer::run() {
  checkLearningRate(options);
  checkTrace();
  if (options.findNonFinite)
    finder = std::make_unique<NonFiniteFinder>(session);
  prepareData();
  prepareState();
  if (talks())
    printHeader();
  Progress progress(firstStep, options.steps, !talks());
  for (int64_t step = firstStep; step <= options.steps; ++step) {
    StepRecord record = runStep(step);
    validate(record);
    account(record);
    logAlgorithms();
    progress.report(record);
    warnOfSpike(record, progress);
    Outcome outcome = agreeAfter(record);
    if (tracer && (outcome != Outcome::goOn || !tracer->takes(step + 1)))
      tracer->finish();
    if (outcome == Outcome::diverged)
      refuseToGoOn(record);
    if (checkpoints)
      checkpoints->prune();
    checkpointAfter(step, outcome == Outcome::stop);
    if (outcome != Outcome::stop || step == options.steps)
      continue;
    progress.finish();
    if (speaks())
      std::fprintf(stderr,
                   "stopped by a signal after step %lld; run the same command "
                   "with --resume to continue\n",
                   static_cast<long long>(step));
    return ExitCode::stoppedBySignal;
  }
  progress.finish();
  if (checkpoints)
    checkpoints->prune();
  if (!options.save.empty())
    session.save(options.save, program.parameters());
  bool planAgrees = session.warnUnlessPlanned();
  nlohmann::json arena = session.arenaAsJson();
  if (speaks())
    summarize(planAgrees, arena);
  return ExitCode::done;
}

double Trainer::tokensPerSecond(int64_t steps) const {
  // The first step of several is left out: it faults the arena in.
  int64_t timed = steps > 1 ? steps - 1 : steps;
  double time = steps > 1 ? seconds - firstSeconds : seconds;
  int64_t tokens = timed * batches->tokensPerBatch() * schedule.microBatches;
  return time > 0 ? static_cast<double>(tokens) / time : 0;
}

void Trainer::summarize(bool planAgrees, const nlohmann::json &arena) {
  int64_t steps = options.steps - firstStep + 1;
  for (auto &[kind, total] : bytes)
    total /= std::max<int64_t>(1, steps);
  if (!options.quiet) {
    if (steps == 0)
      std::printf("done: no step was left of %lld\n",
                  static_cast<long long>(options.steps));
    else
      std::printf(
          "done: %lld steps in %.1f s, loss %.4f -> %.4f, %.0f tokens/s\n",
          static_cast<long long>(steps), seconds,
          static_cast<double>(initialLoss), static_cast<double>(finalLoss),
          tokensPerSecond(steps));
    if (valLoss)
      std::printf("validation loss %.4f\n", static_cast<double>(*valLoss));
    for (const auto &[kind, perStep] : bytes)
      std::printf("%s: %lld bytes per step and rank%s\n", kind.c_str(),
                  static_cast<long long>(perStep),
                  planAgrees ? ", as planned" : "");
    if (!options.save.empty())
      std::printf("parameters: %s\n", options.save.c_str());
    if (tracer && tracer->isWritten())
      std::printf("trace of steps %s: %s\n", describe(*options.trace).c_str(),
                  options.traceFile.c_str());
  }
  if (!options.json)
    return;
  nlohmann::ordered_json feeds;
  for (const auto &[tensor, feed] : batches->getArguments())
    feeds[tensor->name] = nameOf(feed);
  nlohmann::ordered_json summary = {
      {"batch", feeds},
      {"initial_loss", initialLoss},
      {"final_loss", finalLoss},
      {"ranks", session.ranks()},
      {"threads_per_rank", session.threads()},
      {"steps", steps},
      {"seconds", seconds},
      {"tokens_per_second", tokensPerSecond(steps)},
      {"all_reduce_bytes_per_step", bytes["all_reduce"]},
      {"bytes_per_step", bytes},
      {"arena", arena},
      {"plan_agrees", planAgrees}};
  if (valLoss)
    summary["val_loss"] = *valLoss;
  if (checkpoints)
    summary["checkpoints"] = {{"saved", savedCheckpoints},
                              {"seconds", saveSeconds},
                              {"checksum_seconds", saveTimes.checksums},
                              {"write_seconds", saveTimes.writes},
                              {"sync_seconds", saveTimes.syncs},
                              {"load_seconds", loadSeconds},
                              {"load_checksum_seconds", loadTimes.checksums}};
  std::puts(summary.dump().c_str());
}

ExitCode boost_rt::train(Session &session, const Options &options) {
  return Trainer(session, options).run();
}
