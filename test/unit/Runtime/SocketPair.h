//===- SocketPair.h - Two ends of a connection, for tests -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_RUNTIME_SOCKETPAIR_H
#define BOOST_MLIR_TEST_UNIT_RUNTIME_SOCKETPAIR_H

#include "tcp/Socket.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

struct SocketPair {
  SocketPair() {
    int ends[2];
    int type = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
    EXPECT_EQ(::socketpair(AF_UNIX, type, 0, ends), 0);
    near = boost_rt::Socket(ends[0]);
    far = boost_rt::Socket(ends[1]);
  }
  boost_rt::Socket near, far;
};

#endif // BOOST_MLIR_TEST_UNIT_RUNTIME_SOCKETPAIR_H
