//===- StagesTest.cpp - The stages of a pipeline in a manifest ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"
#include "StagedDevice.h"
#include "TestRank.h"
#include "common/Shard.h"

#include <nlohmann/json.hpp>
#include <set>

using namespace boost_rt;
using nlohmann::json;

namespace {

/// `w` is on stage 0, `tied` on both, and so is `hidden`, in another place of
/// each stash.
const char manifest[] = R"({"format": 1,
  "mesh": [{"name": "dp", "size": 2}, {"name": "pp", "size": 2}],
  "arena_bytes": 128,
  "pipeline": {"axis": "pp", "stages": [
    {"arena_bytes": 128, "workspace_offset": 112,
     "stash": {"offset": 64, "bytes": 16, "slots": 3}},
    {"arena_bytes": 96, "stash": {"offset": 32, "bytes": 32, "slots": 2}}]},
  "workspace": {"bytes": 16},
  "tensors": [
    {"name": "w", "role": "param", "dtype": "f32", "shape": [4],
     "split": [["dp"]], "bytes": 8, "stages": [[0, 8]]},
    {"name": "tied", "role": "param", "dtype": "f32", "shape": [2],
     "bytes": 8, "stages": [[0, 0], [1, 16]]},
    {"name": "x", "role": "batch", "dtype": "i32", "shape": [2, 2],
     "bytes": 16, "stages": [[0, 16]]},
    {"name": "loss", "role": "loss", "dtype": "f32", "shape": [],
     "bytes": 4, "stages": [[1, 0]]},
    {"name": "hidden", "role": "kept", "dtype": "f32", "shape": [2],
     "bytes": 8, "stages": [[0, 72], [1, 56]]}],
  "functions": {
    "first": {"stage": 0, "inputs": ["w", "tied", "x"], "outputs": ["hidden"]},
    "second": {"stage": 1, "inputs": ["tied", "hidden"], "outputs": ["loss"]},
    "both": {"inputs": ["tied"], "outputs": []}},
  "schedules": {"evaluate": {"micro_batches": 2, "calls": [
    {"function": "first", "micro_batch": 0, "slot": 2},
    {"transfer": ["hidden"], "micro_batch": 0, "from": 0, "from_slot": 2,
     "to": 1, "to_slot": 1},
    {"function": "second", "micro_batch": 0, "slot": 1},
    {"transfer": ["tied"], "from": 1, "to": 0},
    {"function": "both"}]}}})";

char *seenStash = nullptr, *seenArena = nullptr;
void look(boost_rt_context *, void *arena, void *stash) {
  seenArena = static_cast<char *>(arena);
  seenStash = static_cast<char *>(stash);
}

Program parse(const json &text) {
  static const boost_program_function functions[] = {
      {"first", look}, {"second", look}, {"both", look}, {nullptr, nullptr}};
  return Program(text.dump().c_str(), functions);
}

json original() { return json::parse(manifest); }

/// The message about a manifest in which the value at `pointer` is another.
std::string messageWith(const char *pointer, const char *value) {
  json text = original();
  text[json::json_pointer(pointer)] = json::parse(value);
  return messageOf([&] { parse(text); });
}

std::string messageWithout(const char *pointer) {
  json text = original();
  json::json_pointer place(pointer);
  text[place.parent_pointer()].erase(place.back());
  return messageOf([&] { parse(text); });
}

} // namespace

TEST(Stages, areReadFromTheManifest) {
  Program program = parse(original());
  EXPECT_EQ(program.arenaBytes, 128);
  ASSERT_EQ(program.stages.size(), 2u);
  for (int64_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(program.stageOf(rank), rank % 2);
  const Stage &first = program.stages[0], &second = program.stages[1];
  EXPECT_EQ(first.arenaBytes, 128);
  EXPECT_EQ(first.workspaceOffset, 112);
  EXPECT_EQ(first.workspaceBytes, 16);
  EXPECT_EQ(second.arenaBytes, 96);
  EXPECT_EQ(second.workspaceBytes, 0);
  EXPECT_EQ(second.stashOffset, 32);
  EXPECT_EQ(second.slotBytes, 32);
  EXPECT_EQ(second.slots, 2);
  const Tensor &w = program.tensor("w"), &tied = program.tensor("tied"),
               &loss = program.tensor("loss");
  EXPECT_TRUE(w.isOn(0));
  EXPECT_FALSE(w.isOn(1));
  EXPECT_EQ(w.offsetOn(0), 8);
  EXPECT_EQ(tied.firstStage(), 0);
  EXPECT_EQ(tied.offsetOn(1), 16);
  EXPECT_EQ(loss.firstStage(), 1);
  const Schedule &schedule = program.schedule(evaluateSchedule);
  EXPECT_EQ(schedule.actions.size(), 5u);
  ASSERT_EQ(schedule.calls().size(), 3u);
  EXPECT_EQ(schedule.calls()[0].slot, 2);
  EXPECT_EQ(schedule.calls()[2].slot, std::nullopt);
  const auto &transfer = std::get<ScheduledTransfer>(schedule.actions[1]);
  EXPECT_EQ(transfer.fromSlot, 2);
  EXPECT_EQ(transfer.toSlot, 1);
  EXPECT_TRUE(program.readsBatch(schedule.calls()[0]));
  EXPECT_FALSE(program.readsBatch(schedule.calls()[1]));
  EXPECT_TRUE(program.givesLoss(schedule.calls()[1]));
}

// Neither loaded nor saved: what is kept is of a single micro-batch.
TEST(Stages, keptTensorsAreNeitherInputsNorOutputs) {
  Program program = parse(original());
  auto namesOf = [](const std::vector<const Tensor *> &tensors) {
    std::vector<std::string> names;
    for (const Tensor *tensor : tensors)
      names.push_back(tensor->name);
    return names;
  };
  const Schedule &schedule = program.schedule(evaluateSchedule);
  EXPECT_EQ(namesOf(program.inputsOf(schedule)),
            (std::vector<std::string>{"w", "tied", "x"}));
  EXPECT_EQ(namesOf(program.outputsOf(schedule)),
            (std::vector<std::string>{"loss"}));
  EXPECT_FALSE(isInput(Role::kept));
}

TEST(Stages, firstStageThatHasATensorOwnsIt) {
  Program program = parse(original());
  auto owners = [&](const char *name) {
    std::vector<int64_t> ranks;
    for (int64_t rank = 0; rank < 4; ++rank)
      if (ownsShard(program.tensor(name), program.mesh, rank,
                    program.pipelineAxis))
        ranks.push_back(rank);
    return ranks;
  };
  EXPECT_EQ(owners("w"), (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(owners("tied"), (std::vector<int64_t>{0}));
  EXPECT_EQ(owners("loss"), (std::vector<int64_t>{1}));
}

// A function gets the slot's address, or none if it keeps nothing; a tensor is
// mapped in that slot.
TEST(Stages, devicesHaveTheMemoryOfTheirStage) {
  ::setenv("BOOST_NUM_THREADS", "1", 1);
  Program program = parse(original());
  for (int64_t stage : {0, 1}) {
    Mailbox mailbox;
    TestRank rank(mailbox, 2 + stage, 4);
    CPUDevice device(program, rank);
    EXPECT_EQ(device.arenaBytes(), stage == 0 ? 128 : 96);
    const Function &function =
        *program.findFunction(stage == 0 ? "first" : "second");
    device.run(function, 1);
    EXPECT_EQ(seenStash - seenArena, stage == 0 ? 64 + 16 : 32 + 32);
    const Tensor &hidden = program.tensor("hidden");
    EXPECT_EQ(device.map(hidden, Access::read).offset, stage == 0 ? 72 : 56);
    EXPECT_EQ(device.map(hidden, Access::read, 1).offset,
              stage == 0 ? 72 + 16 : 56 + 32);
    EXPECT_EQ(device.map(program.tensor("tied"), Access::read, 1).offset,
              stage == 0 ? 0 : 16);
    device.run(*program.findFunction("both"), 1);
    EXPECT_EQ(seenStash, nullptr);
  }
}

TEST(Stages, damagedStagesAreRefused) {
  EXPECT_SAYS(messageWith("/pipeline/axis", R"("tp")"),
              "the pipeline is along the unknown axis tp");
  EXPECT_SAYS(messageWith("/mesh/1/size", "3"),
              "the pipeline has 2 stages, but the axis pp has 3");
  EXPECT_SAYS(messageWith("/arena_bytes", "129"),
              "the largest arena of a stage has 128 bytes, but arena_bytes is "
              "129");
  EXPECT_SAYS(messageWith("/arena_bytes", "-1"), "the arena has -1 bytes");
  EXPECT_SAYS(messageWith("/pipeline/stages/1/arena_bytes", "-1"),
              "stage 1 has an arena of -1 bytes");
  for (const char *stash : {R"({"offset": 32, "bytes": 32, "slots": 3})",
                            R"({"offset": -1, "bytes": 32, "slots": 2})",
                            R"({"offset": 33, "bytes": 32, "slots": 2})",
                            R"({"offset": 32, "bytes": -1, "slots": 2})",
                            R"({"offset": 32, "bytes": 32, "slots": 0})",
                            R"({"offset": 0, "bytes": 4611686018427387904,
                                "slots": 4})"})
    EXPECT_SAYS(messageWith("/pipeline/stages/1/stash", stash),
                "is not inside of the arena of 96");
  EXPECT_SAYS(messageWith("/pipeline/stages/0/workspace_offset", "113"),
              "the workspace of 16 bytes from 113 is not inside of the arena "
              "of 128");
}

TEST(Stages, damagedPlacesAreRefused) {
  EXPECT_SAYS(messageWith("/tensors/0/stages/0/0", "2"),
              "tensor 'w' is on the unknown stage 2");
  EXPECT_SAYS(messageWith("/tensors/0/stages/0/0", "-1"),
              "tensor 'w' is on the unknown stage -1");
  EXPECT_SAYS(messageWith("/tensors/0/stages", "[]"),
              "tensor 'w' is on no stage");
  EXPECT_SAYS(messageWith("/tensors/1/stages/1/1", "89"),
              "tensor 'tied' does not lie in the arena");
  EXPECT_SAYS(messageWith("/tensors/1/stages/1/1", "-1"),
              "tensor 'tied' does not lie in the arena");
  EXPECT_EQ(messageWith("/tensors/1/stages/1/1", "88"), "");
  // A slot of stage 1 is at 32 to 64.
  for (const char *place : {"31", "57", "0"})
    EXPECT_SAYS(messageWith("/tensors/4/stages/1/1", place),
                "tensor 'hidden' does not lie in the stash");
  for (const char *place : {"32", "56"})
    EXPECT_EQ(messageWith("/tensors/4/stages/1/1", place), "");
  EXPECT_SAYS(messageWith("/tensors/0/split", R"([["pp"]])"),
              "tensor 'w' is split over the pipeline");
  EXPECT_SAYS(messageWith("/tensors/0/stages/0", "[0]"), "is damaged");
  EXPECT_SAYS(messageWithout("/tensors/0/stages"), "stages");
  json single = original();
  single.erase("pipeline");
  single["workspace"]["offset"] = 0;
  for (json &tensor : single["tensors"])
    tensor["offset"] = 0;
  EXPECT_SAYS(messageOf([&] { parse(single); }),
              "tensor 'hidden' is kept, but there is no pipeline");
  single["workspace"].erase("offset");
  EXPECT_SAYS(messageOf([&] { parse(single); }), "the workspace has no offset");
}

TEST(Stages, aChoiceIsReadFromTheManifest) {
  json text = original();
  text["tensors"][3]["dtype"] = "i32";
  text["functions"]["second"]["inputs"] = json::array({"tied"});
  text["schedules"]["evaluate"]["calls"].push_back(
      {{"index", "second"}, {"among", {"both", "second"}}});
  Program program = parse(text);
  const Schedule &schedule = program.schedule(evaluateSchedule);
  const auto &choice = std::get<ScheduledChoice>(schedule.actions.back());
  EXPECT_EQ(choice.call(0).function, "second");
  EXPECT_EQ(choice.call(1).function, "both");
  EXPECT_EQ(choice.call(2).function, "second");
  EXPECT_EQ(schedule.calls().size(), 6u);
  EXPECT_EQ(schedule.only(std::nullopt).actions.size(), 3u);
}

TEST(Stages, damagedChoicesAreRefused) {
  auto messageOfChoice = [](const json &choice) {
    json text = original();
    text["tensors"][3]["dtype"] = "i32";
    text["functions"]["second"]["inputs"] = json::array({"tied"});
    text["schedules"]["evaluate"]["calls"].push_back(choice);
    return messageOf([&] { parse(text); });
  };
  EXPECT_SAYS(
      messageOfChoice({{"index", "both"}, {"among", {"both", "second"}}}),
      "schedule 'evaluate' chooses by 'both', which does not return one "
      "number of i32");
  EXPECT_SAYS(
      messageOfChoice({{"index", "second"}, {"among", json::array({"both"})}}),
      "schedule 'evaluate' chooses among 1 functions");
  EXPECT_SAYS(messageOfChoice({{"index", "none"}, {"among", {"both", "both"}}}),
              "schedule 'evaluate' calls 'none', which is no function");
  EXPECT_SAYS(
      messageOfChoice({{"index", "second"}, {"among", {"both", "none"}}}),
      "schedule 'evaluate' calls 'none', which is no function");
}

/// A program in which `w` and `tied` are rows of one tensor of files.
json stacked() {
  json text = original();
  json &w = text["tensors"][0], &tied = text["tensors"][1];
  w["shape"] = tied["shape"] = {5};
  w["split"] = json::array();
  w["rows"] = {{"of", "stack"}, {"first", 0}, {"count", 2}};
  tied["rows"] = {{"of", "stack"}, {"first", 3}, {"count", 2}};
  return text;
}

TEST(Stages, haveRowsOfTensorsThatFilesHaveWhole) {
  Program program = parse(stacked());
  const Tensor &tied = program.tensor("tied");
  EXPECT_EQ(tied.fileName(), "stack");
  EXPECT_EQ(tied.exportedShape(), std::vector<int64_t>{5});
  EXPECT_EQ(tied.localElements(), 2);
  std::vector<std::vector<int64_t>> pieces;
  for (const Piece &piece : getPieces(Shard::of(tied, program.mesh, 0), 8))
    pieces.push_back({piece.global, piece.local, piece.count});
  EXPECT_EQ(pieces, (std::vector<std::vector<int64_t>>{{3, 0, 2}}));

  std::vector<const Tensor *> tensors;
  for (const char *name : {"w", "x", "tied"})
    tensors.push_back(&program.tensor(name));
  auto groups = groupByFileName(tensors);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0], (std::vector<const Tensor *>{tensors[0], tensors[2]}));
  EXPECT_EQ(groups[1], std::vector<const Tensor *>{tensors[1]});
}

TEST(Stages, damagedRowsAreRefused) {
  for (auto [first, count] : {std::pair(4, 2), {-1, 2}, {0, 0}}) {
    json text = stacked();
    text["tensors"][1]["rows"]["first"] = first;
    text["tensors"][1]["rows"]["count"] = count;
    EXPECT_SAYS(messageOf([&] { parse(text); }),
                concat("tensor 'tied' has ", count, " rows from ", first,
                       " on of a tensor of shape [5]"));
  }
}

TEST(Stages, damagedFunctionsAreRefused) {
  for (const char *stage : {"2", "-1"})
    EXPECT_SAYS(messageWith("/functions/first/stage", stage),
                concat("function 'first' runs on the unknown stage ", stage));
  EXPECT_SAYS(messageWith("/functions/first/stage", "1"),
              "function 'first' runs on stage 1, which lacks its tensor 'w'");
  EXPECT_SAYS(messageWith("/functions/both/inputs", R"(["tied", "w"])"),
              "function 'both' runs on stage 1, which lacks its tensor 'w'");
  EXPECT_SAYS(messageWith("/functions/both/inputs", R"(["hidden"])"),
              "function 'both' uses the stash, but names no stage");
  for (const char *place : {"1", "-1"}) {
    json text = original();
    text["calls"] = json::parse(
        R"([{"call": "copy", "class": "memory", "location": "a.py:1"}])");
    text["functions"]["both"]["calls"] = {{json::parse(place), nullptr}};
    EXPECT_SAYS(messageOf([&] { parse(text); }), "which is not described");
  }
}

TEST(Stages, functionsListTheirCalls) {
  json text = original();
  text["calls"] = json::parse(R"([
      {"call": "copy", "class": "memory", "location": "a.py:1"},
      {"call": "gemm", "class": "contraction", "phase": "backward",
       "component": "head", "location": "b.py:2", "shape": "2 x 3 x 4"}])");
  text["functions"]["both"]["calls"] = json::parse("[[1, 3], [0, null]]");
  Program program = parse(text);
  const std::vector<FunctionCall> &calls = program.findFunction("both")->calls;
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].layer, 3);
  EXPECT_EQ(calls[1].layer, std::nullopt);
  const CallDescription &gemm = program.callDescriptions[calls[0].description];
  EXPECT_EQ(gemm.call, "gemm");
  EXPECT_EQ(gemm.kind, "contraction");
  EXPECT_EQ(gemm.phase, "backward");
  EXPECT_EQ(gemm.component, "head");
  EXPECT_EQ(gemm.location, "b.py:2");
  EXPECT_EQ(gemm.shape, "2 x 3 x 4");
  EXPECT_EQ(program.callDescriptions[calls[1].description].call, "copy");
}

TEST(Stages, damagedSchedulesAreRefused) {
  const std::string calls = "/schedules/evaluate/calls/";
  auto with = [&](const char *place, const char *value) {
    return messageWith((calls + place).c_str(), value);
  };
  EXPECT_SAYS(messageWithout((calls + "0/slot").c_str()),
              "calls 'first', which uses the stash, without a slot");
  for (const char *slot : {"3", "-1"})
    EXPECT_SAYS(with("0/slot", slot), concat("calls 'first' on slot ", slot,
                                             ", which stage 0 lacks"));
  EXPECT_SAYS(with("1/micro_batch", "2"), "computes on micro-batch 2");
  // A stage may copy from one slot to another, but not to the same.
  EXPECT_EQ(with("1/to", "0"), "");
  json copy = original();
  copy["schedules"]["evaluate"]["calls"][1]["to"] = 0;
  copy["schedules"]["evaluate"]["calls"][1]["to_slot"] = 2;
  EXPECT_SAYS(messageOf([&] { parse(copy); }),
              "schedule 'evaluate' transfers from stage 0 to 0 of 2");
  for (const char *stage : {"2", "-1"})
    EXPECT_SAYS(with("1/to", stage), concat("schedule 'evaluate' transfers "
                                            "from stage 0 to ",
                                            stage, " of 2"));
  EXPECT_SAYS(with("1/from", "7"), "transfers from stage 7 to 1 of 2");
  EXPECT_SAYS(with("1/transfer", R"(["y"])"),
              "transfers tensor 'y', which is not listed");
  EXPECT_SAYS(with("3/transfer", R"(["w"])"),
              "transfers tensor 'w', which stage 1 lacks");
  EXPECT_SAYS(messageWithout((calls + "1/to_slot").c_str()),
              "transfers tensor 'hidden', which is kept, without a slot of "
              "stage 1");
  EXPECT_SAYS(with("1/from_slot", "3"), "without a slot of stage 0");
  EXPECT_SAYS(messageWith("/schedules/evaluate/calls",
                          R"([{"transfer": ["tied"], "from": 1, "to": 0}])"),
              "schedule 'evaluate' has 2 micro-batches and 0 calls");
}
