//===- HyperOptionTest.cpp - Options of hyper-parameters ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/HyperOption.h"
#include "RuntimeTest.h"

using namespace boost_rt;

TEST(Program, hyperParametersHaveOptions) {
  Program program = programWithHypers(
      {{"lr", ""},
       {"weight_decay", R"("help": "Decay", "default": 0.5, "min": 0)"},
       {"step", ""},
       {"k2", R"("help": "", "default": 3, "above": 1, "below": 4)"}});
  std::vector<const Tensor *> hypers = program.hypersWithOptions();
  ASSERT_EQ(hypers.size(), 2u);
  const HyperOption &decay = *hypers[0]->option, &k2 = *hypers[1]->option;
  EXPECT_EQ(decay.name, "weight-decay");
  EXPECT_EQ(decay.help, "Decay");
  EXPECT_EQ(decay.defaultValue, 0.5);
  EXPECT_EQ(decay.min, 0.0);
  EXPECT_EQ(decay.above, std::nullopt);
  EXPECT_EQ(k2.name, "k2");
  EXPECT_EQ(k2.above, 1.0);
  EXPECT_EQ(k2.below, 4.0);
  EXPECT_EQ(k2.min, std::nullopt);
  EXPECT_EQ(program.find(Role::hyper, "step"), &program.tensor("h2"));
}

TEST(Program, damagedHyperParametersAreRefused) {
  using Hypers = std::vector<std::pair<std::string, std::string>>;
  const std::string option = R"("help": "H", "default": 0.5)";
  auto damage = [](const Hypers &hypers) {
    std::string message = messageOf([&] { programWithHypers(hypers); });
    const std::string begin = "this program's manifest is damaged: ";
    EXPECT_EQ(message.rfind(begin, 0), 0u) << message;
    return message.substr(0, message.rfind(';')).substr(begin.size());
  };
  EXPECT_EQ(damage({{"gain", ""}}),
            "hyper-parameter 'h0' of the kind 'gain' has no option, and "
            "`train` does not compute it");
  for (const char *kind : {"lr", "step"})
    EXPECT_EQ(damage({{kind, option}}),
              concat("hyper-parameter 'h0' of the kind '", kind,
                     "' has an option, but `train` computes it"));
  EXPECT_EQ(damage({{"gain", option}, {"gain", option}}),
            "there are two tensors of the role hyper and the kind 'gain'");
  for (const char *kind : {"", "Gain", "2gain", "ga in", "ga-in", "_gain", "-"})
    EXPECT_EQ(damage({{kind, option}}),
              concat("hyper-parameter 'h0' has the kind '", kind,
                     "', which names no option"));
  EXPECT_EQ(damage({{"gain", option + R"(, "min": 0, "above": 0)"}}),
            "the option --gain has two lower bounds");
  for (const auto &[bound, values] :
       {std::pair(R"("min": 0.75)", "of at least 0.75"),
        {R"("above": 0.5)", "above 0.5"},
        {R"("below": 0.5)", "below 0.5"},
        {R"("min": 0, "below": 0.25)", "in [0, 0.25)"}})
    EXPECT_EQ(damage({{"gain", concat(option, ", ", bound)}}),
              concat("the option --gain takes a number ", values,
                     ", but its default is 0.5"));
  for (const char *bad :
       {R"("help": "H")", R"("default": 1)", R"("help": 1, "default": 1)",
        R"("help": "H", "default": "1")",
        R"("help": "H", "default": 1, "min": null)"})
    damage({{"gain", bad}});
}

TEST(HyperOption, describesItsValues) {
  using Bound = std::optional<double>;
  auto describe = [](Bound min, Bound above, Bound below) {
    return HyperOption{"gain", "", 0, min, above, below}.describeValues();
  };
  EXPECT_EQ(describe({}, {}, {}), "that is finite");
  EXPECT_EQ(describe(0, {}, {}), "that is not negative");
  EXPECT_EQ(describe(1.5, {}, {}), "of at least 1.5");
  EXPECT_EQ(describe({}, 0, {}), "above 0");
  EXPECT_EQ(describe({}, {}, 1e-8), "below 1e-08");
  EXPECT_EQ(describe(0, {}, 1), "in [0, 1)");
  EXPECT_EQ(describe({}, -1, 1), "in (-1, 1)");
  EXPECT_EQ((HyperOption{"gain", "Gain", 0.123456789, {}, {}, {}}.describe()),
            "Gain; default 0.123456789");
}

// Rounded to f32.
TEST(HyperOption, takesValues) {
  HyperOption any{"gain", "", 0, {}, {}, {}};
  for (double good : {-3e38, 0.0, 1e-300, 3e38})
    EXPECT_TRUE(any.takes(good)) << good;
  for (double bad : {1e39, -1e39, HUGE_VAL, std::nan("")})
    EXPECT_FALSE(any.takes(bad)) << bad;
  HyperOption from{"gain", "", 0, 0.0, {}, 1.0};
  EXPECT_TRUE(from.takes(0));
  EXPECT_TRUE(from.takes(0.9999999));
  for (double bad : {-1e-9, 0.99999999, 1.0})
    EXPECT_FALSE(from.takes(bad)) << bad;
  HyperOption above{"gain", "", 0, {}, 0.0, {}};
  EXPECT_TRUE(above.takes(1e-40));
  EXPECT_FALSE(above.takes(0));
  EXPECT_FALSE(above.takes(1e-50));
}
