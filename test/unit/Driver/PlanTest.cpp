//===- PlanTest.cpp - Plan and manifest of a program written by hand ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Driver/Plan.h"
#include "boost-mlir/Analysis/Machine.h"
#include "boost-mlir/Analysis/MemoryPlan.h"
#include "boost-mlir/InitAll.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

namespace {

const std::string kMemory =
    "boost.arena_bytes = 448 : i64, boost.tensors = [{name = \"w\", decay = "
    "true, sample = 0.5 : f64}], boost.memory = {parameters = 100, masters = "
    "20, optimizer = 200, batch = "
    "40, gradients = 3, kept = 5, recomputed = 6, temporaries = 7, results = "
    "8, "
    "unused = 50, peak = 400, function = \"step\", largest = [{bytes = 64 : "
    "i64, type = \"4x4xf32\", what = \"kept\"}, {bytes = 16 : i64, type = "
    "\"4xf32\", what = \"results\"}]}";

/// Every collective once, in two functions, with a kernel and a declaration
/// beside them.
const std::string kFunctions = R"(
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func private @declared(memref<4xf32>) attributes {boost.inputs = ["x"]}
  func.func @kernel(%x: memref<4xf32>) attributes {boost.kernel} {
    return
  }
  func.func @loss(%x: memref<4xf32>) attributes {boost.inputs = ["w", "x"], boost.outputs = ["loss"]} {
    boostrt.all_reduce sum group 2 site 0 outs(%x : memref<4xf32>) {boost.component = "head"}
    return
  }
  func.func @step(%x: memref<4xf32>, %b: memref<6xbf16>, %y: memref<16xf32>, %s: memref<4x2xf32>, %t: memref<1x8xf32>)
      attributes {boost.inputs = ["w"], boost.kept_bytes = array<i64: 9, 30, 31>} {
    boostrt.all_reduce sum group 1 site 1 outs(%x, %b : memref<4xf32>, memref<6xbf16>) {boost.layer = #boost.layer<class = 1, index = 2>, boost.phase = "backward"}
    boostrt.all_gather dims [0] group 2 site 2 ins(%x : memref<4xf32>) outs(%y : memref<16xf32>) {boost.largest = 1 : i64, boost.layer = #boost.layer<class = 0, index = 0>} loc("model.py":7:3)
    boostrt.reduce_scatter sum dims [0] group 2 site 3 ins(%y : memref<16xf32>) outs(%x : memref<4xf32>)
    boostrt.all_to_all split_dim 0 concat_dim 1 group 2 site 4 ins(%s : memref<4x2xf32>) outs(%t : memref<1x8xf32>)
    boostrt.all_reduce max group 3 site 5 outs(%x : memref<4xf32>)
    boostrt.all_slice dim 0 group 2 ins(%y : memref<16xf32>) outs(%x : memref<4xf32>)
    boostrt.all_reduce sum group 2 site 6 outs(%x, %y : memref<4xf32>, memref<16xf32>)
    return
  }
  boost.schedule @train micro_batches 2 {
    boost.call @step micro_batch 0
    boost.call @step micro_batch 1
    boost.call @loss
  }
)";

class Plan : public ::testing::Test {
protected:
  Plan() : context(MLIRContext::Threading::DISABLED) {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  ModuleOp parse(const std::string &attributes, const std::string &body) {
    module = parseSourceString<ModuleOp>("module @model attributes {" +
                                             attributes + "} {" + body + "}",
                                         &context);
    EXPECT_TRUE(module) << attributes << body;
    return *module;
  }

  /// Plan and manifest; null if there is none.
  std::pair<Json, Json> describe(ModuleOp module,
                                 const Machine *machine = nullptr,
                                 const Verification &verification = {},
                                 const ProgramInputs &inputs = {},
                                 const PlanNotes &notes = {}) {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    FailureOr<ProgramDescription> text =
        describeProgram(module, machine, verification, inputs, notes);
    if (failed(text))
      return {};
    return {Json::parse(text->plan), Json::parse(text->manifest)};
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::string message;
};

// Arguments and what calls write are read once in a phase, and what calls or
// results need is written once; what one kernel leaves for the next is moved,
// but need not be.
TEST_F(Plan, countsTheBytesOfKernels) {
  auto [plan, manifest] = describe(parse(kMemory, R"(
    func.func private @two(index, index, memref<4xf32>, memref<4xf32>) attributes {boost.kernel}
    func.func private @four(index, index, memref<4xf32>, memref<4xf32>, memref<f32>, memref<4xbf16>) attributes {boost.kernel}
    func.func private @half(index, index, memref<2xf32>, memref<4xbf16>) attributes {boost.kernel}
    func.func @step(%x: memref<4xf32>, %y: memref<4xf32>, %s: memref<f32>, %z: memref<4xbf16>, %h: memref<2xf32>)
        attributes {boostrt.results = [array<i64: 3, 4>]} {
      boostrt.launch @two[4] (%x, %y : memref<4xf32>, memref<4xf32>) {num_outputs = 1 : i64,
          boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 2>]}
      boostrt.sum_of_squares ins(%y : memref<4xf32>) outs(%s : memref<f32>)
          {boostrt.reads = [array<i64: 2>, array<i64>], boostrt.writes = [array<i64: 3>]}
      boostrt.launch @four[4] (%x, %y, %s, %z : memref<4xf32>, memref<4xf32>, memref<f32>, memref<4xbf16>)
          {num_outputs = 1 : i64, boostrt.reads = [array<i64: 0>, array<i64: 2>, array<i64: 3>, array<i64>],
          boostrt.writes = [array<i64: 4>]}
      boostrt.copy ins(%y : memref<4xf32>) outs(%x : memref<4xf32>)
          {boostrt.reads = [array<i64: 2>, array<i64>], boostrt.writes = [array<i64: 5>]}
      boostrt.launch @half[2] (%h, %z : memref<2xf32>, memref<4xbf16>) {boost.phase = "backward", num_outputs = 1 : i64,
          boostrt.reads = [array<i64: 0>, array<i64>], boostrt.writes = [array<i64: 6>]}
      return
    })"));
  EXPECT_EQ(plan["kernels"], Json::parse(R"({
    "step": {"bytes": 124, "needed_bytes": 52, "carried_bytes": 16}
  })"));
}

TEST_F(Plan, listsCollectivesInTheOrderOfTheirSites) {
  auto [plan, manifest] = describe(parse(kMemory, kFunctions));
  const Json &list = plan["collectives"];
  ASSERT_EQ(list.size(), 7u);
  std::vector<std::string> lines;
  for (const Json &entry : list)
    lines.push_back(entry["name"].get<std::string>() + " over " +
                    entry["axis"].get<std::string>() + ": " +
                    entry["elements"].dump() + " " +
                    entry["dtype"].get<std::string>() + ", " +
                    entry["bytes"].dump() + " bytes");
  EXPECT_EQ(lines,
            std::vector<std::string>(
                {"loss.forward.head.all_reduce.0 over tp: 4 f32, 16 bytes",
                 "step.backward.layer2.all_reduce.0 over dp: 10 mixed, 28 "
                 "bytes",
                 "step.forward.layer0.all_gather.0 over tp: 4 f32, 16 bytes",
                 "step.forward.block.reduce_scatter.0 over tp: 16 f32, 64 "
                 "bytes",
                 "step.forward.block.all_to_all.0 over tp: 8 f32, 32 bytes",
                 "step.forward.block.all_reduce.0 over dp,tp: 4 f32, 16 bytes",
                 "step.forward.block.all_reduce.1 over tp: 20 f32, 80 bytes"}));
  EXPECT_EQ(list[1]["tensors"], Json::parse(R"([
      {"elements": 4, "dtype": "f32"}, {"elements": 6, "dtype": "bf16"}])"));
  EXPECT_EQ(list[1]["layer"], 2);
  EXPECT_EQ(list[1]["site"], 1);
  EXPECT_EQ(list[1]["count"], 1);
  EXPECT_TRUE(list[3]["layer"].is_null());
  EXPECT_EQ(list[0]["component"], "head");
  EXPECT_EQ(list[0]["function"], "loss");
  EXPECT_EQ(list[2]["location"], "model.py:7");
  EXPECT_FALSE(list[0].contains("seconds"));
  EXPECT_EQ(plan["mesh"], Json::parse(R"({"dp": 2, "tp": 4})"));
  EXPECT_EQ(plan["layers"], Json::parse("[0, 1]"));
  EXPECT_EQ(plan["predicted"], Json::object());
}

TEST_F(Plan, sitesAreThePlacesInTheList) {
  auto withSite = [&](const std::string &site) {
    message.clear();
    describe(parse(kMemory,
                   "shard.grid @mesh(shape = 2) {boost.axes = [\"tp\"]}\n"
                   "func.func @f(%x: memref<4xf32>) { boostrt.all_reduce sum "
                   "group 1" +
                       site + " outs(%x : memref<4xf32>) return }"));
    return message;
  };
  EXPECT_EQ(withSite(" site 0"), "");
  const char *expected =
      "'boostrt.all_reduce' op expects its place among the collectives as "
      "site; run boostrt-number-collectives";
  EXPECT_EQ(withSite(" site 1"), expected);
  EXPECT_EQ(withSite(""), expected);
}

TEST_F(Plan, needsAMemoryPlan) {
  describe(parse("boost.arena_bytes = 448 : i64", kFunctions));
  EXPECT_EQ(message, "expects a memory plan; run boostrt-plan-memory");
}

TEST_F(Plan, needsTheNamesOfTheAxes) {
  describe(parse(kMemory, "shard.grid @mesh(shape = 2)"));
  EXPECT_EQ(message, "expects 'boost.axes' to name each of its 1 axes");
}

TEST_F(Plan, countsLaunches) {
  auto [plan, manifest] = describe(parse(kMemory, kFunctions));
  EXPECT_EQ(plan["launches"], Json::parse(R"({
      "loss": {"total": 1, "all_reduce": 1},
      "step": {"total": 7, "all_gather": 1, "all_reduce": 3, "all_slice": 1,
               "all_to_all": 1, "reduce_scatter": 1}})"));
}

TEST_F(Plan, namesInputsAndOutputs) {
  auto [plan, manifest] = describe(parse(kMemory, kFunctions));
  EXPECT_EQ(manifest["functions"], Json::parse(R"({
      "loss": {"inputs": ["w", "x"], "outputs": ["loss"], "calls": [[0, null]]},
      "step": {"inputs": ["w"], "outputs": [], "calls": [
          [1, 2], [2, 0], [3, null], [4, null], [5, null], [6, null],
          [7, null]]}})"));
  EXPECT_EQ(manifest["mesh"], Json::parse(R"([
      {"name": "dp", "size": 2}, {"name": "tp", "size": 4}])"));
  EXPECT_EQ(manifest["name"], "model");
  EXPECT_EQ(manifest["format"], 1);
}

// Equal calls are described once, whatever their layers.
TEST_F(Plan, describesCalls) {
  std::string body = R"(
    shard.grid @mesh(shape = 2) {boost.axes = ["tp"]}
    func.func @step(%x: memref<4x4xf32>, %c: memref<2x4xf32>)
        attributes {boost.inputs = []} {
      boostrt.all_slice dim 0 group 1 ins(%x : memref<4x4xf32>) outs(%c : memref<2x4xf32>) {boost.layer = #boost.layer<class = 0, index = 0>} loc("model.py":7:3)
      boostrt.all_reduce sum group 1 site 0 outs(%c : memref<2x4xf32>) {boost.component = "head", boost.phase = "backward"} loc("model.py":8:3)
      boostrt.all_slice dim 0 group 1 ins(%x : memref<4x4xf32>) outs(%c : memref<2x4xf32>) {boost.layer = #boost.layer<class = 0, index = 1>} loc("model.py":7:3)
      return
    })";
  auto [plan, manifest] = describe(parse(kMemory, body));
  EXPECT_EQ(manifest["calls"], Json::parse(R"([
      {"call": "all_slice", "class": "memory", "phase": "forward",
       "component": "", "location": "model.py:7"},
      {"call": "all_reduce", "class": "collective", "phase": "backward",
       "component": "head", "location": "model.py:8"}])"));
  EXPECT_EQ(manifest["functions"]["step"]["calls"],
            Json::parse("[[0, 0], [1, null], [0, 1]]"));
}

TEST_F(Plan, describesMemory) {
  auto [plan, manifest] = describe(parse(kMemory, kFunctions));
  const Json &memory = plan["memory"];
  EXPECT_EQ(memory["peak"], 400);
  EXPECT_EQ(memory["fragmentation"], 0.125);
  EXPECT_EQ(memory["kept_by"],
            Json::parse(R"({"outside": 9, "layers": [30, 31]})"));
  EXPECT_FALSE(memory["largest"][0].contains("location"));
  EXPECT_EQ(memory["largest"][1]["location"], "model.py:7");
}

TEST_F(Plan, largestTensorsHaveBoundedNumbers) {
  auto locations = [&](const std::string &number) {
    auto [plan, manifest] = describe(parse(
        kMemory, "func.func @step(%x: memref<4xf32>) { %0 = memref.alloc() "
                 "{boost.largest = " +
                     number +
                     " : i64} : memref<4xf32> loc(\"a.py\":1:1) return }"));
    return plan["memory"]["largest"].dump();
  };
  EXPECT_NE(locations("0").find("a.py:1"), std::string::npos);
  EXPECT_NE(locations("1").find("a.py:1"), std::string::npos);
  EXPECT_EQ(locations("2").find("a.py:1"), std::string::npos);
}

TEST_F(Plan, tellsPeopleOfMemory) {
  MemoryPlan plan = getMemoryPlan(parse(kMemory, kFunctions));
  EXPECT_EQ(plan.peak, 400);
  EXPECT_EQ(plan.fixed, 100 + 20 + 200 + 3);
  EXPECT_EQ(plan.layers, 2);
  EXPECT_NE(plan.table.find("  parameters             100 bytes  25.00 %\n"),
            std::string::npos)
      << plan.table;
  EXPECT_NE(plan.table.find("  peak                   400 bytes 100.00 %\n"),
            std::string::npos)
      << plan.table;
  EXPECT_EQ(plan.largest,
            "               64 bytes  4x4xf32  kept  \n"
            "               16 bytes  4xf32  results  model.py:7\n");
}

TEST_F(Plan, ofAFunctionWithoutLayers) {
  std::string none = "func.func @step() { return }";
  EXPECT_EQ(getMemoryPlan(parse(kMemory, none)).layers, 0);
  auto [plan, manifest] = describe(*module);
  EXPECT_FALSE(plan["memory"].contains("kept_by"));
  EXPECT_EQ(plan["mesh"], Json::object());
  EXPECT_EQ(getMemoryPlan(parse("", none)).peak, 0);
  std::string outside = "func.func @step() attributes {boost.kept_bytes = "
                        "array<i64: 9>} { return }";
  EXPECT_EQ(getMemoryPlan(parse(kMemory, outside)).layers, 0);
}

TEST_F(Plan, predictsSeconds) {
  Machine machine = Machine::getReference();
  auto [plan, manifest] = describe(parse(kMemory, kFunctions), &machine);
  double sum = 0;
  for (const Json &entry : plan["collectives"]) {
    double seconds = entry["seconds"];
    EXPECT_GT(seconds, 0);
    EXPECT_EQ(entry["exposed_seconds"], seconds);
    sum += entry["function"] == "step" ? seconds : 0;
  }
  const Json &predicted = plan["predicted"];
  EXPECT_EQ(predicted["machine"], machine.name);
  EXPECT_EQ(predicted["functions"].size(), 2u);
  const Json &step = predicted["functions"]["step"];
  EXPECT_GE(step["seconds"].get<double>(), sum);
  double classes = 0;
  for (const Json &each : step["classes"])
    classes += each["seconds"].get<double>();
  EXPECT_NEAR(classes / step["seconds"].get<double>(), 1, 1e-12);
  // Layers 0 and 2, and operations outside of layers, with null.
  double layers = 0;
  for (const Json &each : predicted["layers"]) {
    layers += each["seconds"].get<double>();
    EXPECT_EQ(each["layers"], each["class"].is_null() ? 0 : 1);
  }
  EXPECT_EQ(predicted["layers"].size(), 3u);
  EXPECT_NEAR(layers / predicted["seconds"].get<double>(), 1, 1e-12);
}

TEST_F(Plan, manifestHasWhatTheModuleSays) {
  std::string attributes =
      kMemory +
      ", boost.optimizer = {name = \"sgd\"}"
      ", boostrt.workspace = array<i64: 64, 32>, boost.initial_values = "
      "\"abc\", boost.program_hash = \"123\"";
  auto [plan, manifest] =
      describe(parse(attributes, kFunctions), nullptr, {},
               {"values.safetensors", "folder/p.constants.safetensors"});
  EXPECT_EQ(manifest["arena_bytes"], 448);
  EXPECT_EQ(manifest["tensors"], Json::parse(R"([
      {"decay": true, "name": "w", "sample": 0.5}])"));
  EXPECT_EQ(manifest["optimizer"], Json::parse(R"({"name": "sgd"})"));
  EXPECT_EQ(manifest["schedules"], Json::parse(R"({
      "train": {"micro_batches": 2, "calls": [
          {"function": "step", "micro_batch": 0},
          {"function": "step", "micro_batch": 1},
          {"function": "loss"}]}})"));
  EXPECT_EQ(manifest["workspace"],
            Json::parse(R"({"offset": 64, "bytes": 32})"));
  EXPECT_EQ(manifest["initial_values"],
            Json::parse(R"({"digest": "abc", "file": "values.safetensors"})"));
  EXPECT_EQ(manifest["hash"], "123");
  EXPECT_FALSE(manifest.contains("constants"));
  EXPECT_EQ(manifest["plan"], plan);
  EXPECT_FALSE(manifest.contains("verify"));

  std::tie(plan, manifest) = describe(parse(kMemory, kFunctions));
  EXPECT_EQ(manifest["optimizer"], Json::object());
  for (const char *absent :
       {"workspace", "pipeline", "initial_values", "hash", "verify"})
    EXPECT_FALSE(manifest.contains(absent)) << absent;
}

// The digest is that of the names, types and values; the file is where the
// program is, wherever that is moved.
TEST_F(Plan, manifestNamesTheFileOfConstants) {
  auto getEntry = [&](const std::string &constants) {
    auto [plan, manifest] = describe(
        parse(kMemory + ", boost.constants = {" + constants + "}", kFunctions),
        nullptr, {}, {"", "folder/p.constants.safetensors"});
    return manifest["constants"];
  };
  std::string value = "a = dense<[1.0, 2.0]> : tensor<2xf32>";
  Json entry = getEntry(value);
  EXPECT_EQ(entry["file"], "p.constants.safetensors");
  EXPECT_EQ(getEntry(value), entry);
  for (const char *other : {"b = dense<[1.0, 2.0]> : tensor<2xf32>",
                            "a = dense<[1.0, 3.0]> : tensor<2xf32>",
                            "a = dense<[[1.0, 2.0]]> : tensor<1x2xf32>"})
    EXPECT_NE(getEntry(other)["digest"], entry["digest"]) << other;
}

/// Two stages, of which the first keeps something.
const std::string kStages =
    "boost.arena_bytes = 448 : i64, boost.stages = [{arena_bytes = 384 : i64, "
    "stash = {offset = 64 : i64, bytes = 128 : i64, slots = 2 : i64}}, "
    "{arena_bytes = 448 : i64, workspace_offset = 384 : i64}], "
    "boostrt.workspace = array<i64: 50>, boost.tensors = [{name = \"x\", "
    "stages = [[0, 0], [1, 64]]}, {name = \"q\", packed = \"acc\", bytes = 8 "
    ": i64}, {name = \"k\", packed = \"acc\", bytes = 4 : i64}, {name = "
    "\"h\", bytes = 16 : i64}], boost.memory = {parameters = 0, masters = "
    "0, optimizer = 0, batch = 64, gradients = 0, kept = 0, recomputed = 0, "
    "temporaries = 64, results = 0, unused = 320, peak = 448, largest = [], "
    "stages = [{peak = 384 : i64, unused = 0 : i64}, {peak = 448 : i64, "
    "unused = 320 : i64}]}";

TEST_F(Plan, describesPipelines) {
  std::string body = R"(
    shard.grid @mesh(shape = 2) {boost.axes = ["pp"]}
    func.func @everywhere(%arena: memref<384xi8>) attributes {boost.inputs = []} {
      return
    }
    func.func @forward(%arena: memref<384xi8>, %slot: memref<128xi8>)
        attributes {boost.inputs = ["x"], boost.outputs = ["h"], boost.part_of = "loss", boost.stage = 0 : i64} {
      return
    }
    func.func @backward(%arena: memref<448xi8>, %slot: memref<64xi8>)
        attributes {boost.inputs = ["h"], boost.outputs = ["acc"], boost.stage = 1 : i64} {
      return
    }
    boost.schedule @train micro_batches 2 {
      boost.call @forward micro_batch 0 slot 1
      boost.transfer ["h"] micro_batch 0 from 0 slot 1 to 1 slot 0
      boost.call @backward micro_batch 0 slot 0
      boost.transfer ["acc", "x"] from 1 to 0
      boost.call @everywhere
    })";
  auto [plan, manifest] = describe(parse(kStages, body));
  EXPECT_EQ(manifest["pipeline"], Json::parse(R"({"axis": "pp", "stages": [
      {"arena_bytes": 384, "stash": {"bytes": 128, "offset": 64, "slots": 2}},
      {"arena_bytes": 448, "workspace_offset": 384}]})"));
  EXPECT_EQ(manifest["arena_bytes"], 448);
  EXPECT_EQ(manifest["workspace"], Json::parse(R"({"bytes": 50})"));
  EXPECT_EQ(manifest["tensors"], Json::parse(R"([
      {"name": "x", "stages": [[0, 0], [1, 64]]},
      {"bytes": 8, "name": "q", "packed": "acc"},
      {"bytes": 4, "name": "k", "packed": "acc"}, {"bytes": 16, "name": "h"}])"));
  EXPECT_EQ(plan["sends"], Json::parse(R"([
      {"schedule": "train", "from": 0, "to": 1, "count": 1, "bytes": 16},
      {"schedule": "train", "from": 1, "to": 0, "count": 3, "bytes": 12}])"));
  EXPECT_EQ(manifest["functions"], Json::parse(R"({
      "everywhere": {"inputs": [], "outputs": [], "calls": []},
      "forward": {"inputs": ["x"], "outputs": ["h"], "calls": [], "stage": 0,
                  "part_of": "loss"},
      "backward": {"inputs": ["h"], "outputs": ["acc"], "calls": [],
                   "stage": 1}})"));
  EXPECT_EQ(manifest["schedules"]["train"]["calls"], Json::parse(R"([
      {"function": "forward", "micro_batch": 0, "slot": 1},
      {"transfer": ["h"], "micro_batch": 0, "from": 0, "from_slot": 1, "to": 1,
       "to_slot": 0},
      {"function": "backward", "micro_batch": 0, "slot": 0},
      {"transfer": ["q", "k", "x"], "from": 1, "to": 0},
      {"function": "everywhere"}])"));
  EXPECT_EQ(plan["memory"]["stages"], Json::parse(R"([
      {"peak": 384, "unused": 0}, {"peak": 448, "unused": 320}])"));
  std::string table = getMemoryPlan(*module).table;
  EXPECT_NE(table.find("  stage 0                384 bytes  85.71 %\n"),
            std::string::npos)
      << table;
}

TEST_F(Plan, notesOfEarlierStages) {
  ModuleOp program = parse(kMemory, kFunctions);
  auto [plan, manifest] =
      describe(program, nullptr, {}, {}, {"[1]", "[2]", "[3]"});
  EXPECT_EQ(plan["recognized"], Json::parse("[1]"));
  EXPECT_EQ(plan["placement"], Json::parse("[2]"));
  EXPECT_EQ(plan["choice"], Json::parse("[3]"));
  std::tie(plan, manifest) = describe(program);
  for (const char *absent : {"recognized", "placement", "choice"})
    EXPECT_FALSE(plan.contains(absent)) << absent;
}

TEST_F(Plan, listsProbes) {
  std::string body = R"(
  shard.grid @mesh(shape = 2x4) {boost.axes = ["dp", "tp"]}
  func.func @verify(%x: memref<3x5xbf16>) {
    boostrt.probe %x as "h" site 7 sharding <{}, {"tp"}, partial = sum {"dp"}> {boost.phase = "backward"} : memref<3x5xbf16> loc("model.py":9:1)
    boostrt.probe %x as "w" site 8 sharding <{}, {}> rows [4, 8] : memref<3x5xbf16> loc("model.py":10:1)
    return
  }
  func.func @gradient(%x: memref<3x5xbf16>) {
    return
  })";
  auto [plan, manifest] =
      describe(parse(kMemory, body), nullptr,
               {"module {}", "gradient", "/tools", "digest"});
  EXPECT_EQ(manifest["verify"], Json::parse(R"({
      "function": "gradient", "program": "module {}", "tools": "/tools", "evaluator": "digest",
      "probes": [{"name": "h", "site": 7, "function": "verify",
                  "location": "model.py:9", "phase": "backward",
                  "dtype": "bf16", "shape": [3, 20],
                  "split": [[], ["tp"]], "partial": ["dp"]},
                 {"name": "w", "site": 8, "function": "verify",
                  "location": "model.py:10", "phase": "forward",
                  "dtype": "bf16", "shape": [8, 5],
                  "split": [[], []], "partial": [],
                  "rows": {"of": "w", "first": 4, "count": 3}}]})"));
}

} // namespace
