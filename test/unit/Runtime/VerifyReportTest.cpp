//===- VerifyReportTest.cpp - What `eval --verify` says -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/VerifyReport.h"
#include "TestRank.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

using namespace boost_rt;

static ComparedTensor compared(const std::string &name, double error,
                               double gain) {
  ComparedTensor tensor;
  tensor.name = name;
  tensor.location = "model.py:7";
  tensor.phase = "forward";
  tensor.shape = {2, 3};
  tensor.type = BOOST_RT_F32;
  tensor.error = error;
  tensor.bound = 0.5;
  tensor.scale = 4;
  tensor.gain = gain;
  tensor.gainBound = 0.25;
  return tensor;
}

static VerifyReport reportOf(const std::vector<ComparedTensor> &tensors) {
  VerifyReport report;
  report.tensors = tensors;
  report.functions = {"loss", "step"};
  report.inputSets = 2;
  report.loss = 1.5F;
  return report;
}

static std::string printed(const VerifyReport &report) {
  testing::internal::CaptureStdout();
  report.print();
  return testing::internal::GetCapturedStdout();
}

static std::string said(const VerifyReport &report) {
  testing::internal::CaptureStderr();
  printed(report);
  return testing::internal::GetCapturedStderr();
}

TEST(ComparedTensor, isWithinItsBoundsOrNot) {
  EXPECT_TRUE(compared("x", 0.5, -0.25).isWithinBound());
  EXPECT_FALSE(compared("x", 0.51, 0).isWithinBound());
  EXPECT_FALSE(compared("x", 0, -0.26).isWithinBound());
  EXPECT_FALSE(compared("x", std::nan(""), 0).isWithinBound());
  ComparedTensor tensor = compared("x", 0, 0);
  tensor.bound = HUGE_VAL;
  EXPECT_FALSE(tensor.isWithinBound());
  tensor.bound = 0;
  tensor.gainBound = HUGE_VAL;
  EXPECT_FALSE(tensor.isWithinBound());
}

TEST(ComparedTensor, hasTheLargerShareOfItsBounds) {
  EXPECT_EQ(compared("x", 0.25, 0.1).ratio(), 0.5);
  EXPECT_EQ(compared("x", 0.25, -0.25).ratio(), 1);
  ComparedTensor tensor = compared("x", 0, 0);
  tensor.bound = tensor.gainBound = 0;
  EXPECT_EQ(tensor.ratio(), 0);
  tensor.error = 1e-9;
  EXPECT_EQ(tensor.ratio(), HUGE_VAL);
}

TEST(VerifyReport, needsComparisonsAndFunctions) {
  EXPECT_TRUE(reportOf({compared("x", 0, 0)}).isVerified());
  EXPECT_FALSE(reportOf({}).isVerified());
  VerifyReport report = reportOf({compared("x", 0, 0)});
  report.functions.clear();
  EXPECT_FALSE(report.isVerified());
  report = reportOf({compared("x", 0, 0), compared("y", 1, 0)});
  EXPECT_FALSE(report.isVerified());
  EXPECT_EQ(report.findFirstError(), &report.tensors[1]);
  report = reportOf({compared("x", 0, 0)});
  report.findings = {"something"};
  EXPECT_FALSE(report.isVerified());
  report = reportOf({compared("x", 0, 0)});
  report.tensors[0].isComparable = false;
  EXPECT_FALSE(report.isVerified());
  EXPECT_EQ(report.findIncomparable(), &report.tensors[0]);
}

TEST(VerifyReport, rankZeroGathersFindings) {
  Mailbox mailbox;
  const std::vector<std::string> found[] = {
      {"own"}, {"one of nine letters", ""}, {}};
  VerifyReport report;
  for (int64_t rank : {1, 2, 0}) {
    TestRank communicator(mailbox, rank, 3);
    report = VerifyReport();
    report.findings = found[rank];
    report.gatherFindings(communicator);
  }
  EXPECT_EQ(report.findings,
            (std::vector<std::string>{"own", "rank 1: one of nine letters",
                                      "rank 1: "}));
  EXPECT_TRUE(mailbox.isEmpty());
}

TEST(VerifyReport, isATable) {
  ComparedTensor second = compared("layers.0.q", 0.25, 0.125);
  second.location = "another_model.py:19";
  second.phase = "backward";
  second.held = "terms of a sum over tp";
  second.scale = 0;
  EXPECT_EQ(
      printed(reportOf({compared("x", 0.25, 0.125), second})),
      "tensor      location             type                   error     bound "
      "     gain     bound     ratio\n"
      "-- forward\n"
      "x           model.py:7           f32[2, 3]            6.2e-02   1.2e-01 "
      "  1.2e-01   2.5e-01   5.0e-01  ok\n"
      "-- backward\n"
      "layers.0.q  another_model.py:19  f32[2, 3]            2.5e-01   5.0e-01 "
      "  1.2e-01   2.5e-01   5.0e-01  ok (terms of a sum over tp)\n"
      "loss 1.5\n"
      "verified: 2 functions on 2 sets of inputs, 2 tensors are within their "
      "bounds\n");
}

TEST(VerifyReport, namesAPhaseOnce) {
  std::string text =
      printed(reportOf({compared("x", 0, 0), compared("y", 0, 0)}));
  EXPECT_NE(text.find("-- forward"), std::string::npos);
  EXPECT_EQ(text.find("-- forward"), text.rfind("-- forward"));
}

// As many letters as have room, of what is longer the end.
TEST(VerifyReport, cutsLongNames) {
  std::string name(48, 'n'), location(40, 'l');
  ComparedTensor tensor = compared(name, 0, 0);
  tensor.location = location;
  std::string text = printed(reportOf({tensor}));
  EXPECT_NE(text.find("\n" + name + "  " + location + "  f32"),
            std::string::npos)
      << text;
  tensor.name = "a" + name;
  tensor.location = "bc" + location;
  text = printed(reportOf({tensor}));
  EXPECT_NE(text.find("\n..." + name.substr(3) + "  ..." + location.substr(3) +
                      "  f32"),
            std::string::npos)
      << text;
}

TEST(VerifyReport, namesTheFirstError) {
  VerifyReport report =
      reportOf({compared("x", 0, 0), compared("y", 1, 0), compared("z", 2, 0)});
  report.findings = {"the function 'step' changed its input 'w'"};
  EXPECT_EQ(said(report),
            "error: the function 'step' changed its input 'w'\n"
            "error: the first tensor out of its bounds is 'y' f32[2, 3] of "
            "forward at model.py:7: error 2.5e-01, bound 1.2e-01, relative to "
            "its largest element; gain 0.0e+00, bound 2.5e-01\n");
  std::string text = printed(report);
  EXPECT_EQ(text.substr(text.find("loss")),
            "loss 1.5\nnot verified: 2 of 3 tensors are out of their bounds\n");
  EXPECT_EQ(said(reportOf({compared("x", 0, 0)})), "");
}

TEST(VerifyReport, isJSONToo) {
  VerifyReport report = reportOf({compared("x", 0, 0), compared("y", 1, 0)});
  testing::internal::CaptureStdout();
  report.printJson();
  auto json = nlohmann::json::parse(testing::internal::GetCapturedStdout());
  EXPECT_EQ(json["verified"], false);
  EXPECT_EQ(json["first_error"]["name"], "y");
  EXPECT_EQ(json["tensors"].size(), 2u);
  EXPECT_EQ(json["tensors"][0]["ok"], true);
  EXPECT_EQ(json["input_sets"], 2);
  report.tensors.pop_back();
  testing::internal::CaptureStdout();
  report.printJson();
  json = nlohmann::json::parse(testing::internal::GetCapturedStdout());
  EXPECT_EQ(json["verified"], true);
  EXPECT_TRUE(json["first_error"].is_null());
}
