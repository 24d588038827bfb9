//===- FileURITest.cpp - Paths as URIs ------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RFC 8089 (file URIs) and RFC 3986, section 2 (which characters are encoded).
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/FileURI.h"

#include "gtest/gtest.h"

using namespace mlir::boost;

TEST(FileURI, encodesWhatIsReserved) {
  EXPECT_EQ(toFileURI("/a-b/c_d.mlir~"), "file:///a-b/c_d.mlir~");
  EXPECT_EQ(toFileURI("/a b/50%?#"), "file:///a%20b/50%25%3F%23");
  EXPECT_EQ(toFileURI("/\xC3\xA9\x7F"), "file:///%C3%A9%7F");
}

TEST(FileURI, makesPathsAbsolute) {
  std::string uri = toFileURI("model.mlir");
  EXPECT_EQ(uri.rfind("file:///", 0), 0u);
  EXPECT_EQ(uri.substr(uri.size() - 11), "/model.mlir");
}

TEST(FileURI, isReadBack) {
  EXPECT_EQ(fromFileURI("file:///a%20b/50%25%3f"), "/a b/50%?");
  EXPECT_EQ(fromFileURI("file:///a%41"), "/aA");
  EXPECT_EQ(fromFileURI("a b%20c"), "a b%20c");
  for (const char *path : {"/a b", "/50%", "/\xC3\xA9"})
    EXPECT_EQ(fromFileURI(toFileURI(path)), path);
}

TEST(FileURI, refusesOtherMachinesAndBadCodes) {
  for (const char *uri : {"file:/a", "file:a", "file://host/a", "file:///a%",
                          "file:///a%4", "file:///a%4g", "file://"})
    EXPECT_FALSE(fromFileURI(uri)) << uri;
}
