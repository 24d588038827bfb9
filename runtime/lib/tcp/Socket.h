//===- Socket.h - TCP connections -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_SOCKET_H
#define BOOST_RUNTIME_TCP_SOCKET_H

#include <chrono>
#include <cstdint>
#include <string>
#include <sys/uio.h>
#include <utility>

namespace boost_rt {

/// A file descriptor of its own: closed with the object, not inherited by other
/// programs, and never blocking.
class Socket {
public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor(descriptor) {}
  ~Socket();
  Socket(Socket &&other) noexcept
      : descriptor(std::exchange(other.descriptor, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(descriptor, other.descriptor);
    return *this;
  }

  bool isOpen() const { return descriptor >= 0; }
  int get() const { return descriptor; }

private:
  int descriptor = -1;
};

/// A point in time, or none.
class Deadline {
public:
  /// No deadline if `seconds` is 0.
  explicit Deadline(double seconds);
  bool hasPassed() const { return isSet && Clock::now() >= end; }
  /// For poll(): until the deadline, but no longer than so many milliseconds.
  int millisecondsLeft(int most) const;

private:
  using Clock = std::chrono::steady_clock;
  bool isSet;
  Clock::time_point end;
};

struct Address {
  /// As a number.
  std::string host;
  uint16_t port = 0;

  bool isLoopback() const;
  /// "10.0.0.1:29501", "[::1]:29501".
  std::string str() const;
};

/// The address of this end of a connection or of a listener, and of the other.
Address localAddress(const Socket &socket);
Address peerAddress(const Socket &socket);

/// Listens at a port (0: any free one) of the machine's address `host`, or of
/// all its addresses if `everywhere` or if the machine has no such address. Not
/// open, with `error`, if that is not possible.
Socket listenAt(const std::string &host, uint16_t port, bool everywhere,
                std::string &error);

/// Takes a connection that has come. Not open if there is none.
Socket acceptAt(const Socket &listener);

/// Connects, and tries again until the deadline. Not open, with the last
/// `error`, if that has passed.
Socket connectTo(const std::string &host, uint16_t port,
                 const Deadline &deadline, std::string &error);

/// Receives until all bytes are there, the deadline has passed or the other end
/// has closed the connection. Returns how many there are.
size_t receiveUpTo(const Socket &socket, void *data, size_t bytes,
                   const Deadline &deadline);

/// All bytes, in order. False if the deadline has passed or the other end has
/// closed the connection.
bool sendAll(const Socket &socket, const void *data, size_t bytes,
             const Deadline &deadline);
bool receiveAll(const Socket &socket, void *data, size_t bytes,
                const Deadline &deadline);

/// As many bytes as can be moved at once; -1 if the connection is closed.
int64_t sendSome(int socket, const char *data, int64_t bytes);
int64_t receiveSome(int socket, char *data, int64_t bytes);

/// Send and receive `count` ranges of memory, one behind the other.
int64_t sendRanges(int socket, iovec *ranges, int count);
int64_t receiveRanges(int socket, iovec *ranges, int count);

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_SOCKET_H
