//===- SummaryTest.cpp - The lines about a compiled program ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summary.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char *kCategories[] = {"parameters", "masters",     "optimizer",
                                       "batch",      "gradients",   "kept",
                                       "recomputed", "temporaries", "results"};

class SummaryTest : public ::testing::Test {
protected:
  SummaryTest() {
    plan["mesh"] = {{"dp", 2}, {"tp", 4}};
    plan["recognized"] = {
        {"parameters", 72},     {"bottlenecks", 0},
        {"groups", 0},          {"linears", 0},
        {"attentions", 0},      {"rms_norms", 0},
        {"layer_norms", 0},     {"embeddings", 0},
        {"cross_entropies", 0}, {"other_products", Json::array()}};
    plan["collectives"] = Json::array();
    plan["memory"]["peak"] = 1000;
    for (const char *category : kCategories)
      plan["memory"][category] = 0;
    plan["predicted"] = {{"seconds", 0.5}, {"machine", "host"}};
    plan["predicted"]["parts"] = {{{"function", "gradient"}, {"count", 3}},
                                  {{"function", "apply"}, {"count", 1}}};
    for (const char *function : {"gradient", "apply", "loss"})
      plan["predicted"]["functions"][function]["classes"] = Json::object();
  }

  /// Returns the lines with a title.
  std::vector<std::string> getLines(StringRef title) {
    std::vector<std::string> lines;
    std::string summary = summarizePlan(plan.dump());
    for (StringRef line : llvm::split(summary, '\n'))
      if (line.consume_front("  ") && line.consume_front(title))
        lines.push_back(line.ltrim().str());
    return lines;
  }

  std::string getLine(StringRef title) {
    std::vector<std::string> lines = getLines(title);
    EXPECT_EQ(lines.size(), 1u);
    return lines.empty() ? "" : lines.front();
  }

  std::string getHeader() {
    std::string summary = summarizePlan(plan.dump());
    return StringRef(summary).split('\n').first.str();
  }

  std::string describeBytes(int64_t bytes) {
    plan["memory"]["peak"] = bytes;
    return getLine("memory");
  }

  void addCollective(StringRef kind, StringRef axis, int64_t bytes,
                     StringRef location, StringRef function = "gradient",
                     StringRef region = "block") {
    plan["collectives"].push_back({{"kind", kind.str()},
                                   {"axis", axis.str()},
                                   {"bytes", bytes},
                                   {"count", 1},
                                   {"function", function.str()},
                                   {"component", region.str()},
                                   {"location", location.str()}});
  }

  Json plan;
};

using Lines = std::vector<std::string>;

TEST_F(SummaryTest, header) {
  EXPECT_EQ(getHeader(), "72 parameters on 8 ranks (dp=2,tp=4)");
  plan["mesh"] = Json::object();
  plan["recognized"]["parameters"] = 2112;
  EXPECT_EQ(getHeader(), "2.11 k parameters on 1 rank");
}

TEST_F(SummaryTest, threeDigits) {
  EXPECT_EQ(describeBytes(999), "999 B a rank");
  EXPECT_EQ(describeBytes(1000), "1.00 kB a rank");
  EXPECT_EQ(describeBytes(9940), "9.94 kB a rank");
  EXPECT_EQ(describeBytes(9960), "10.0 kB a rank");
  EXPECT_EQ(describeBytes(99400), "99.4 kB a rank");
  EXPECT_EQ(describeBytes(99600), "100 kB a rank");
  EXPECT_EQ(describeBytes(999400), "999 kB a rank");
  EXPECT_EQ(describeBytes(999500), "1.00 MB a rank");
  EXPECT_EQ(describeBytes(1500000000000), "1.50 TB a rank");
  EXPECT_EQ(describeBytes(1500000000000000000), "1500 PB a rank");
}

TEST_F(SummaryTest, memoryByCategory) {
  plan["memory"]["peak"] = 100000;
  plan["memory"]["parameters"] = 70000;
  plan["memory"]["masters"] = 999; // less than a percent
  plan["memory"]["kept"] = 1000;
  EXPECT_EQ(getLine("memory"),
            "100 kB a rank: 70.0 kB parameters, 1.00 kB kept");
  plan["memory"]["constants"] = 20000;
  EXPECT_EQ(getLine("memory"), "100 kB a rank: 70.0 kB parameters, 20.0 kB "
                               "constants, 1.00 kB kept");
}

TEST_F(SummaryTest, seconds) {
  plan["predicted"]["functions"]["gradient"]["classes"] = {
      {"contraction", {{"seconds", 0.0001}, {"network_bytes", 0}}},
      {"memory", {{"seconds", 0.0002}, {"network_bytes", 0}}},
      {"collective", {{"seconds", 0.5}, {"network_bytes", 100}}}};
  plan["predicted"]["functions"]["apply"]["classes"] = {
      {"collective", {{"seconds", 0.25}, {"network_bytes", 50}}}};
  // No part of a step.
  plan["predicted"]["functions"]["loss"]["classes"] = {
      {"memory", {{"seconds", 8}, {"network_bytes", 0}}}};
  EXPECT_EQ(getLine("step"), "500.0 ms predicted on 'host': 900 us compute, "
                             "1.75 s collectives");
  addCollective("all_reduce", "tp", 8, "a.py:1");
  EXPECT_EQ(getLine("collectives"),
            "3 all_reduce per step; a rank sends 350 B");
  plan["predicted"]["seconds"] = 1;
  EXPECT_EQ(getLine("step").substr(0, 17), "1.00 s predicted ");
  plan["predicted"]["seconds"] = 0.001;
  EXPECT_EQ(getLine("step").substr(0, 17), "1.0 ms predicted ");
}

TEST_F(SummaryTest, recognized) {
  EXPECT_EQ(getLine("recognized"), "nothing");
  Json &found = plan["recognized"];
  found["bottlenecks"] = 4;
  found["groups"] = 1;
  found["linears"] = 1;
  found["attentions"] = 2;
  found["rms_norms"] = 3;
  found["layer_norms"] = 1;
  found["embeddings"] = 2;
  found["cross_entropies"] = 1;
  EXPECT_EQ(getLine("recognized"),
            "4 bottlenecks in 1 group, 1 linear, 2 attentions, 3 RMS norms, "
            "1 layer norm, 2 embeddings, 1 cross entropy");
  found["cross_entropies"] = 2;
  EXPECT_TRUE(StringRef(getLine("recognized")).ends_with("2 cross entropies"));
}

TEST_F(SummaryTest, otherProducts) {
  EXPECT_EQ(getLines("as written"), Lines());
  Json &products = plan["recognized"]["other_products"];
  products.push_back({{"location", "a.py:1"}, {"count", 1}});
  EXPECT_EQ(getLine("as written"),
            "1 product of matrices that are none of these: a.py:1");
  products.push_back({{"location", "b.py:2"}, {"count", 2}});
  products.push_back({{"location", "c.py:3"}, {"count", 1}});
  EXPECT_EQ(getLine("as written"),
            "4 products of matrices that are none of these: a.py:1, "
            "b.py:2 (x2), c.py:3");
  products.push_back({{"location", "d.py:4"}, {"count", 5}});
  EXPECT_EQ(getLine("as written"),
            "9 products of matrices that are none of these: a.py:1, "
            "b.py:2 (x2), c.py:3, and 1 more place");
  products.push_back({{"location", "e.py:5"}, {"count", 1}});
  EXPECT_TRUE(
      StringRef(getLine("as written")).ends_with("c.py:3, and 2 more places"));
}

TEST_F(SummaryTest, choice) {
  EXPECT_EQ(getLines("placement"), Lines());
  EXPECT_EQ(getLines("because"), Lines());
  plan["choice"] = {
      {"chosen", 1},
      {"because", "it is faster"},
      {"candidates",
       {{{"options", "--mesh=dp=8"}}, {{"options", "--mesh=dp=2,tp=4"}}}}};
  EXPECT_EQ(getLine("placement"), "--mesh=dp=2,tp=4");
  EXPECT_EQ(getLine("because"), "it is faster");
}

TEST_F(SummaryTest, collectives) {
  EXPECT_EQ(getLine("collectives"), "none");
  addCollective("all_reduce", "dp", 8, "a.py:1");
  addCollective("all_reduce", "dp", 8, "a.py:1", "apply");
  addCollective("all_gather", "tp", 8, "a.py:1", "apply");
  // A step does not call it.
  addCollective("reduce_scatter", "tp", 8, "a.py:1", "loss");
  EXPECT_EQ(getLine("collectives"),
            "1 all_gather, 4 all_reduce per step; a rank sends 0 B");
}

TEST_F(SummaryTest, gathersOfActivations) {
  addCollective("all_reduce", "tp", 64, "sum.py:1");
  addCollective("all_gather", "tp", 64, "loss.py:1", "loss");
  addCollective("all_gather", "dp", 64, "sum.py:1", "gradient", "gradients");
  addCollective("all_gather", "dp", 64, "state.py:1", "apply", "optimizer");
  EXPECT_EQ(getLines("gathered"), Lines());

  // Each of 4 ranks has 10 bytes, once; each of 8 has 1, three times. In an
  // exchange a rank gets as much as it has.
  addCollective("all_gather", "tp", 10, "once.py:1", "apply");
  addCollective("all_gather", "dp,tp", 1, "all.py:1");
  EXPECT_EQ(getLines("gathered"),
            (Lines{"40 B per step at once.py:1 (1 launch)",
                   "24 B per step at all.py:1 (3 launches)"}));
  addCollective("all_to_all", "tp", 10, "exchanged.py:1");
  EXPECT_EQ(getLines("gathered"),
            (Lines{"40 B per step at once.py:1 (1 launch)",
                   "30 B per step at exchanged.py:1 (3 launches)",
                   "24 B per step at all.py:1 (3 launches)"}));
}

TEST_F(SummaryTest, largestGathersComeFirst) {
  addCollective("all_gather", "tp", 10, "d.py:1", "apply");
  addCollective("all_gather", "tp", 11, "c.py:1", "apply");
  addCollective("all_gather", "tp", 10, "b.py:1", "apply");
  addCollective("all_gather", "tp", 9, "a.py:1", "apply");
  EXPECT_EQ(getLines("gathered"),
            (Lines{"44 B per step at c.py:1 (1 launch)",
                   "40 B per step at b.py:1 (1 launch)",
                   "40 B per step at d.py:1 (1 launch)"}));
  // Those of a line are added up.
  addCollective("all_gather", "tp", 9, "a.py:1", "apply");
  EXPECT_EQ(getLines("gathered"),
            (Lines{"72 B per step at a.py:1 (2 launches)",
                   "44 B per step at c.py:1 (1 launch)",
                   "40 B per step at b.py:1 (1 launch)"}));
}

} // namespace
