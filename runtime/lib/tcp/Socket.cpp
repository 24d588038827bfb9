//===- Socket.cpp - TCP connections ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Socket.h"
#include "common/Failure.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

using namespace boost_rt;

/// The longest sleep of poll() before a deadline is checked again.
static constexpr int pollMilliseconds = 1000;
/// Between two attempts to connect.
static constexpr std::chrono::milliseconds retryPause(20);

Socket::~Socket() {
  if (isOpen())
    ::close(descriptor);
}

//===----------------------------------------------------------------------===//
// Deadlines and addresses
//===----------------------------------------------------------------------===//

Deadline::Deadline(double seconds)
    : isSet(seconds > 0),
      end(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                             std::chrono::duration<double>(seconds))) {}

int Deadline::millisecondsLeft(int most) const {
  if (!isSet)
    return most;
  auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count() + 1, 0, most));
}

bool Address::isLoopback() const {
  return host.compare(0, 4, "127.") == 0 || host == "::1";
}

std::string Address::str() const {
  bool hasColons = host.find(':') != std::string::npos;
  return hasColons ? concat("[", host, "]:", port) : concat(host, ":", port);
}

static Address toAddress(const sockaddr *address, socklen_t length) {
  char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
  ::getnameinfo(address, length, host, sizeof(host), port, sizeof(port),
                NI_NUMERICHOST | NI_NUMERICSERV);
  return {host, static_cast<uint16_t>(std::strtoul(port, nullptr, 10))};
}

template <typename GetName>
static Address addressOf(const Socket &socket, GetName getName) {
  sockaddr_storage storage;
  socklen_t length = sizeof(storage);
  auto *address = reinterpret_cast<sockaddr *>(&storage);
  if (getName(socket.get(), address, &length) != 0)
    return {};
  return toAddress(address, length);
}

Address boost_rt::localAddress(const Socket &socket) {
  return addressOf(socket, ::getsockname);
}

Address boost_rt::peerAddress(const Socket &socket) {
  return addressOf(socket, ::getpeername);
}

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

/// The addresses of a name; null, with `error`, if it has none.
static AddressList resolve(const std::string &host, uint16_t port,
                           std::string &error) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo *found = nullptr;
  int status =
      ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (status != 0)
    error = ::gai_strerror(status);
  return AddressList(status == 0 ? found : nullptr, ::freeaddrinfo);
}

//===----------------------------------------------------------------------===//
// Listening and connecting
//===----------------------------------------------------------------------===//

static Socket openSocket(int family) {
  return Socket(
      ::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

static void setOption(const Socket &socket, int level, int option) {
  int on = 1;
  ::setsockopt(socket.get(), level, option, &on, sizeof(on));
}

/// Any address of the family of `address`, with its port.
static sockaddr_storage anyAddressLike(const addrinfo &address) {
  sockaddr_storage any = {};
  std::memcpy(&any, address.ai_addr, address.ai_addrlen);
  if (address.ai_family == AF_INET6)
    reinterpret_cast<sockaddr_in6 *>(&any)->sin6_addr = in6addr_any;
  else
    reinterpret_cast<sockaddr_in *>(&any)->sin_addr.s_addr = INADDR_ANY;
  return any;
}

Socket boost_rt::listenAt(const std::string &host, uint16_t port,
                          bool everywhere, std::string &error) {
  AddressList addresses = resolve(host, port, error);
  if (!addresses)
    return {};
  const addrinfo &address = *addresses;
  Socket socket = openSocket(address.ai_family);
  // A run that has just ended leaves its port in use for a minute.
  setOption(socket, SOL_SOCKET, SO_REUSEADDR);
  sockaddr_storage any = anyAddressLike(address);
  auto bindTo = [&](const void *where) {
    return ::bind(socket.get(), static_cast<const sockaddr *>(where),
                  address.ai_addrlen) == 0;
  };
  bool isBound = !everywhere && bindTo(address.ai_addr);
  // The name may be that of a gateway to this machine.
  if (!isBound && (everywhere || errno == EADDRNOTAVAIL))
    isBound = bindTo(&any);
  if (isBound && ::listen(socket.get(), SOMAXCONN) == 0)
    return socket;
  error = std::strerror(errno);
  return {};
}

static bool waitFor(int socket, short events, const Deadline &deadline) {
  pollfd entry = {socket, events, 0};
  return ::poll(&entry, 1, deadline.millisecondsLeft(pollMilliseconds)) > 0;
}

/// Ranks answer each other: no message may wait for one behind it.
static void sendAtOnce(const Socket &socket) {
  setOption(socket, IPPROTO_TCP, TCP_NODELAY);
}

Socket boost_rt::acceptAt(const Socket &listener) {
  Socket socket(::accept4(listener.get(), nullptr, nullptr,
                          SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket.isOpen())
    sendAtOnce(socket);
  return socket;
}

/// One attempt.
static Socket tryToConnect(const std::string &host, uint16_t port,
                           const Deadline &deadline, std::string &error) {
  AddressList addresses = resolve(host, port, error);
  for (addrinfo *each = addresses.get(); each; each = each->ai_next) {
    Socket socket = openSocket(each->ai_family);
    int failure = 0;
    socklen_t length = sizeof(failure);
    if (::connect(socket.get(), each->ai_addr, each->ai_addrlen) != 0)
      failure = errno;
    if (failure == EINPROGRESS) {
      while (!waitFor(socket.get(), POLLOUT, deadline) && !deadline.hasPassed())
        ;
      ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &failure, &length);
    }
    Address peer = peerAddress(socket);
    // Where nobody listens, a socket may happen to connect to itself.
    if (failure == 0 && peer.str() != localAddress(socket).str()) {
      sendAtOnce(socket);
      return socket;
    }
    error = std::strerror(failure ? failure : ECONNREFUSED);
  }
  return {};
}

Socket boost_rt::connectTo(const std::string &host, uint16_t port,
                           const Deadline &deadline, std::string &error) {
  while (true) {
    Socket socket = tryToConnect(host, port, deadline, error);
    if (socket.isOpen() || deadline.hasPassed())
      return socket;
    std::this_thread::sleep_for(retryPause);
  }
}

//===----------------------------------------------------------------------===//
// Moving bytes
//===----------------------------------------------------------------------===//

/// Returns the bytes that a nonblocking call on a socket has moved, 0 if none.
static int64_t movedBytes(ssize_t result) {
  if (result >= 0)
    return result;
  bool isLater = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  return isLater ? 0 : -1;
}

int64_t boost_rt::sendSome(int socket, const char *data, int64_t bytes) {
  return movedBytes(
      ::send(socket, data, static_cast<size_t>(bytes), MSG_NOSIGNAL));
}

int64_t boost_rt::receiveSome(int socket, char *data, int64_t bytes) {
  ssize_t result = ::recv(socket, data, static_cast<size_t>(bytes), 0);
  return result == 0 ? -1 : movedBytes(result);
}

static msghdr messageOf(iovec *ranges, int count) {
  msghdr message = {};
  message.msg_iov = ranges;
  message.msg_iovlen = static_cast<size_t>(count);
  return message;
}

int64_t boost_rt::sendRanges(int socket, iovec *ranges, int count) {
  msghdr message = messageOf(ranges, count);
  return movedBytes(::sendmsg(socket, &message, MSG_NOSIGNAL));
}

int64_t boost_rt::receiveRanges(int socket, iovec *ranges, int count) {
  msghdr message = messageOf(ranges, count);
  ssize_t result = ::recvmsg(socket, &message, 0);
  return result == 0 ? -1 : movedBytes(result);
}

bool boost_rt::sendAll(const Socket &socket, const void *data, size_t bytes,
                       const Deadline &deadline) {
  const char *next = static_cast<const char *>(data);
  auto left = static_cast<int64_t>(bytes);
  while (left > 0) {
    int64_t sent = sendSome(socket.get(), next, left);
    if (sent < 0 || (sent == 0 && deadline.hasPassed()))
      return false;
    next += sent;
    left -= sent;
    if (sent == 0)
      waitFor(socket.get(), POLLOUT, deadline);
  }
  return true;
}

size_t boost_rt::receiveUpTo(const Socket &socket, void *data, size_t bytes,
                             const Deadline &deadline) {
  size_t done = 0;
  while (done < bytes) {
    int64_t received =
        receiveSome(socket.get(), static_cast<char *>(data) + done,
                    static_cast<int64_t>(bytes - done));
    if (received < 0 || (received == 0 && deadline.hasPassed()))
      break;
    done += static_cast<size_t>(received);
    if (received == 0)
      waitFor(socket.get(), POLLIN, deadline);
  }
  return done;
}

bool boost_rt::receiveAll(const Socket &socket, void *data, size_t bytes,
                          const Deadline &deadline) {
  return receiveUpTo(socket, data, bytes, deadline) == bytes;
}
