//===- PlacementChoiceTest.cpp - Which candidate is taken, and why --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementChoice.h"
#include "boost-mlir/Analysis/CostModel.h"
#include "gtest/gtest.h"

#include <nlohmann/json.hpp>

using namespace mlir::boost;
using Json = nlohmann::ordered_json;

namespace {

constexpr PlacementKind kA = PlacementKind::Bottleneck,
                        kB = PlacementKind::Megatron,
                        kC = PlacementKind::Vanilla,
                        kD = PlacementKind::Sequence;

/// A candidate that is named by its placement.
PlacementCandidate make(PlacementKind placement) {
  PlacementCandidate candidate;
  candidate.mesh = Mesh::ofTensorAxis(2);
  candidate.placement = placement;
  return candidate;
}

/// One whose step takes `seconds`, all of them outside of layers.
PlacementCandidate priced(PlacementKind placement, double seconds,
                          bool fits = true, int64_t peak = 1000000000) {
  PlacementCandidate candidate = make(placement);
  candidate.price = CandidatePrice();
  candidate.price->seconds = seconds;
  candidate.price->peak = peak;
  candidate.price->layers[kOutsideOfLayers] = seconds;
  candidate.fits = fits;
  return candidate;
}

PlacementChoice choose(std::vector<PlacementCandidate> candidates) {
  PlacementChoice choice;
  choice.candidates = std::move(candidates);
  choice.layerCounts = {{kOutsideOfLayers, 0}};
  EXPECT_TRUE(choice.takeBest());
  return choice;
}

std::string because(const PlacementChoice &choice) {
  return Json::parse(choice.getDecisions())["because"];
}

TEST(PlacementCandidate, optionsThatGiveIt) {
  PlacementCandidate candidate = make(kB);
  EXPECT_EQ(candidate.getOptions(), "--mesh=tp=2 --placement=megatron");
  EXPECT_FALSE(candidate.recomputes());
  candidate.microBatches = 2;
  candidate.zero = 1;
  candidate.followHints = true;
  EXPECT_EQ(candidate.getOptions(),
            "--mesh=tp=2 --placement=megatron --follow-hints --zero=1 "
            "--micro-batches=2");
  candidate = make(kB);
  candidate.rematerialize.mode = RematKind::LowRank;
  EXPECT_TRUE(candidate.recomputes());
  EXPECT_EQ(candidate.getOptions(),
            "--mesh=tp=2 --placement=megatron --remat=low-rank");
  candidate.rematerialize.mode = RematerializePassOptions().mode;
  candidate.rematerialize.recompute = {RecomputeClass::Elementwise,
                                       RecomputeClass::Attention};
  EXPECT_TRUE(candidate.recomputes());
  EXPECT_EQ(candidate.getOptions(), "--mesh=tp=2 --placement=megatron "
                                    "--remat-recompute=elementwise,attention");
}

TEST(PlacementChoice, theFastestIsTaken) {
  PlacementChoice choice =
      choose({priced(kA, 3), priced(kB, 1), priced(kC, 2)});
  EXPECT_EQ(choice.chosen, 1u);
  EXPECT_EQ(choice.fastest, 1u);
  EXPECT_EQ(because(choice),
            "2.00 times as fast as the next, --mesh=tp=2 --placement=vanilla");
  choice = choose({priced(kA, 1), priced(kB, 3), priced(kC, 2)});
  EXPECT_EQ(choice.chosen, 0u);
  EXPECT_EQ(because(choice),
            "2.00 times as fast as the next, --mesh=tp=2 --placement=vanilla");
}

TEST(PlacementChoice, ofEqualOnesTheFirstIsTaken) {
  PlacementChoice choice = choose({priced(kA, 1), priced(kB, 1)});
  EXPECT_EQ(choice.fastest, 0u);
  EXPECT_EQ(choice.chosen, 0u);
}

TEST(PlacementChoice, aTieGoesToTheSimplerOne) {
  PlacementChoice choice =
      choose({priced(kA, 2), priced(kB, 1.02), priced(kC, 1)});
  EXPECT_EQ(choice.chosen, 1u);
  EXPECT_EQ(choice.fastest, 2u);
  EXPECT_EQ(because(choice),
            "a tie with --mesh=tp=2 --placement=vanilla, which is "
            "less than 3 % faster; the simpler one is taken");
  // The simplest of all that tie, and none behind the fastest.
  choice = choose(
      {priced(kA, 1.02), priced(kB, 1.01), priced(kC, 1), priced(kD, 1.001)});
  EXPECT_EQ(choice.chosen, 0u);
  EXPECT_EQ(choice.fastest, 2u);
  // At the bound it is no tie.
  choice = choose({priced(kA, 1 + kTie), priced(kB, 1)});
  EXPECT_EQ(choice.chosen, 1u);
}

TEST(PlacementChoice, whatDoesNotFitIsNotTaken) {
  PlacementChoice choice =
      choose({priced(kA, 1, false), priced(kB, 3), make(kC)});
  EXPECT_EQ(choice.chosen, 1u);
  EXPECT_EQ(because(choice), "no other fits or can be compiled");
  choice = choose({priced(kA, 1.01, false), priced(kB, 1)});
  EXPECT_EQ(choice.chosen, 1u);
}

TEST(PlacementChoice, ifNoneFitsTheLeastIsTaken) {
  PlacementChoice choice =
      choose({priced(kA, 1, false, 900), priced(kB, 2, false, 890),
              priced(kC, 3, false, 910)});
  EXPECT_EQ(choice.chosen, 1u);
  EXPECT_EQ(choice.fastest, 1u);
  EXPECT_EQ(because(choice), "nothing fits into memory, and this lacks least");
}

TEST(PlacementChoice, oneAlone) {
  EXPECT_EQ(because(choose({priced(kA, 1)})), "it is the only candidate");
  PlacementChoice choice;
  choice.candidates = {make(kA), make(kB)};
  EXPECT_FALSE(choice.takeBest());
  EXPECT_EQ(because(choice), "the mesh that was asked for");
  choice.candidates.clear();
  EXPECT_FALSE(choice.takeBest());
}

/// Two classes of layers; what the candidates take for them.
PlacementChoice chooseByLayers(std::vector<std::map<int64_t, double>> seconds) {
  std::vector<PlacementCandidate> candidates;
  for (const std::map<int64_t, double> &layers : seconds) {
    double sum = 0;
    for (auto [kind, part] : layers)
      sum += part;
    constexpr PlacementKind kinds[] = {kA, kB, kC, kD};
    candidates.push_back(priced(kinds[candidates.size()], sum));
    candidates.back().price->layers = layers;
  }
  PlacementChoice choice = choose(std::move(candidates));
  choice.layerCounts = {{kOutsideOfLayers, 0}, {0, 1}, {1, 12}};
  return choice;
}

TEST(PlacementChoice, eachClassOfLayersHasAReason) {
  PlacementChoice choice =
      chooseByLayers({{{kOutsideOfLayers, 1}, {0, 2}, {1, 10}},
                      {{kOutsideOfLayers, 1.02}, {0, 1}, {1, 15}},
                      {{0, 4}, {1, 12.5}}});
  ASSERT_EQ(choice.chosen, 0u);
  Json classes = Json::parse(choice.getDecisions())["classes"];
  ASSERT_EQ(classes.size(), 3u);
  EXPECT_TRUE(classes[0]["class"].is_null());
  EXPECT_EQ(classes[0]["layers"], 0);
  EXPECT_EQ(classes[0]["because"],
            "the step is faster, though these layers are not");
  EXPECT_EQ(classes[0]["runner_up"]["options"],
            "--mesh=tp=2 --placement=vanilla");
  EXPECT_EQ(classes[0]["runner_up"]["seconds"], 0);
  EXPECT_EQ(classes[1]["class"], 0);
  EXPECT_EQ(classes[1]["because"],
            "the step is faster, though these layers are not");
  EXPECT_EQ(classes[1]["runner_up"]["seconds"], 1);
  EXPECT_EQ(classes[2]["class"], 1);
  EXPECT_EQ(classes[2]["layers"], 12);
  EXPECT_EQ(classes[2]["chosen"], Json::parse(R"({
      "options": "--mesh=tp=2 --placement=bottleneck", "seconds": 10.0})"));
  EXPECT_EQ(classes[2]["because"], "1.25 times as fast as the next");
}

TEST(PlacementChoice, classesThatTie) {
  auto reason = [](double own, double other) {
    PlacementChoice choice =
        chooseByLayers({{{kOutsideOfLayers, 0}, {0, own}, {1, 1}},
                        {{kOutsideOfLayers, 0}, {0, other}, {1, 100}}});
    EXPECT_EQ(choice.chosen, 0u);
    return Json::parse(choice.getDecisions())["classes"][1]["because"]
        .get<std::string>();
  };
  EXPECT_EQ(reason(1, 1.02), "a tie with the next: less than 3 % apart");
  EXPECT_EQ(reason(1.02, 1), "a tie with the next: less than 3 % apart");
  EXPECT_EQ(reason(1, 1 + kTie), "a tie with the next: less than 3 % apart");
  EXPECT_EQ(reason(1 + kTie, 1), "a tie with the next: less than 3 % apart");
  EXPECT_EQ(reason(1, 1.04), "1.04 times as fast as the next");
  EXPECT_EQ(reason(1.04, 1), "the step is faster, though these layers are not");
}

TEST(PlacementChoice, theNextIsOneThatCouldHaveBeenChosen) {
  std::vector<PlacementCandidate> candidates = {
      priced(kA, 1), priced(kB, 1.5, false), make(kC), priced(kD, 3)};
  PlacementChoice choice = choose(candidates);
  Json classes = Json::parse(choice.getDecisions())["classes"];
  EXPECT_EQ(classes[0]["runner_up"]["options"],
            "--mesh=tp=2 --placement=sequence");
  // Where none fits, any.
  for (PlacementCandidate &candidate : candidates)
    candidate.fits = false;
  choice = choose(candidates);
  classes = Json::parse(choice.getDecisions())["classes"];
  EXPECT_EQ(classes[0]["runner_up"]["options"],
            "--mesh=tp=2 --placement=megatron");
  choice = choose({priced(kA, 1), make(kC)});
  classes = Json::parse(choice.getDecisions())["classes"];
  EXPECT_FALSE(classes[0].contains("runner_up"));
  EXPECT_EQ(classes[0]["because"], "no other fits or can be compiled");
}

TEST(PlacementChoice, candidatesForThePlan) {
  PlacementCandidate first = priced(kA, 2);
  first.price->networkSeconds = 0.5;
  first.price->networkBytes = 7;
  first.price->layerSeconds = 0.25;
  PlacementCandidate impossible = make(kB);
  impossible.problem = "too odd";
  PlacementChoice choice = choose({first, impossible, make(kC)});
  Json decisions = Json::parse(choice.getDecisions());
  EXPECT_EQ(decisions["chosen"], 0);
  EXPECT_EQ(decisions["fastest"], 0);
  EXPECT_FALSE(decisions.contains("memory_limit"));
  EXPECT_EQ(decisions["candidates"][0], Json::parse(R"({
      "options": "--mesh=tp=2 --placement=bottleneck", "mesh": "tp=2",
      "placement": "bottleneck", "zero": 0, "micro_batches": 1, "seconds": 2.0,
      "network_seconds": 0.5, "network_bytes": 7.0, "layer_seconds": 0.25,
      "peak": 1000000000,
      "layers": [{"class": null, "layers": 0, "seconds": 2.0}],
      "fits": true})"));
  EXPECT_EQ(decisions["candidates"][1]["problem"], "too odd");
  EXPECT_FALSE(decisions["candidates"][1].contains("seconds"));
  EXPECT_FALSE(decisions["candidates"][2].contains("problem"));
  choice.memoryLimit = 5e8;
  EXPECT_EQ(Json::parse(choice.getDecisions())["memory_limit"], 5e8);

  PlacementChoice asked;
  asked.candidates = {make(kA)};
  decisions = Json::parse(asked.getDecisions());
  EXPECT_EQ(decisions["classes"], Json::array());
}

TEST(PlacementChoice, candidatesAsATable) {
  PlacementCandidate impossible = make(kB), large = priced(kC, 1, false);
  impossible.problem = "too odd";
  PlacementChoice choice =
      choose({priced(kA, 2.5), impossible, large, make(kD)});
  choice.memoryLimit = 5e8;
  EXPECT_EQ(
      choice.getTable("here"),
      "placements by their predicted step on 'here':\n"
      "         step s    network s    sent GB    peak GB\n"
      "  *         2.5            0          0          1  --mesh=tp=2 "
      "--placement=bottleneck\n"
      "    --mesh=tp=2 --placement=megatron: impossible, too odd\n"
      "              1            0          0          1  --mesh=tp=2 "
      "--placement=vanilla: does not fit into 0.5 GB\n"
      "    --mesh=tp=2 --placement=sequence\n"
      "  chosen: --mesh=tp=2 --placement=bottleneck, no other fits or can be "
      "compiled\n"
      "  of these, by layers, and the least that another takes for "
      "them:\n"
      "            2.5  outside of the layers, chosen because no other "
      "fits or can be compiled\n");
}

TEST(PlacementChoice, classesAsATable) {
  PlacementChoice choice =
      chooseByLayers({{{kOutsideOfLayers, 1}, {0, 1}, {1, 1}},
                      {{kOutsideOfLayers, 2}, {0, 2}, {1, 2}}});
  std::string table = choice.getTable("here");
  EXPECT_NE(table.find("              1            2  outside of the layers, "
                       "chosen because 2.00 times as fast as the next, "
                       "--mesh=tp=2 --placement=megatron\n"
                       "              1            2  1 layer, chosen"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("12 equal layers, chosen"), std::string::npos) << table;
}

} // namespace
