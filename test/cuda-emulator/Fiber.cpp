//===- Fiber.cpp - Threads that switch by hand ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <cstdint>
#include <cstring>
#include <new>
#include <sys/mman.h>

#ifndef __x86_64__
#error "the switch between fibers is written for x86-64"
#endif

using namespace boost_emu;

static constexpr size_t kGuardBytes = 4096;
static constexpr size_t kStackBytes = 64 << 10;
static constexpr size_t kMappedBytes = kGuardBytes + kStackBytes;

// boost_emu_switch(void **from, void *to), and where a new fiber begins: its
// stack holds the Fiber for rbx and `enter` for r12.
extern "C" {
void boost_emu_switch(void **from, void *to);
void boost_emu_begin();
}
asm(R"(
  .text
  .globl boost_emu_switch
  .type boost_emu_switch, @function
boost_emu_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size boost_emu_switch, .-boost_emu_switch

  .globl boost_emu_begin
  .type boost_emu_begin, @function
boost_emu_begin:
  movq %rbx, %rdi
  callq *%r12
  ud2
  .size boost_emu_begin, .-boost_emu_begin
)");

Fiber::Fiber() {
  void *mapped = mmap(nullptr, kMappedBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED || mprotect(mapped, kGuardBytes, PROT_NONE))
    throw std::bad_alloc();
  memory = static_cast<char *>(mapped);
}

Fiber::~Fiber() { munmap(memory, kMappedBytes); }

void Fiber::enter(Fiber *fiber) {
  fiber->body(fiber->argument);
  fiber->isEnded = true;
  fiber->suspend();
}

void Fiber::start(void (*newBody)(void *), void *newArgument) {
  body = newBody;
  argument = newArgument;
  isEnded = false;
  // Registers that boost_emu_switch pops: r15, r14, r13, r12, rbx, rbp, and the
  // return address. The stack is then empty, so aligned as calls require.
  void *saved[] = {nullptr,
                   nullptr,
                   nullptr,
                   reinterpret_cast<void *>(&Fiber::enter),
                   this,
                   nullptr,
                   reinterpret_cast<void *>(&boost_emu_begin)};
  stackPointer = memory + kMappedBytes - sizeof(saved);
  std::memcpy(stackPointer, saved, sizeof(saved));
}

void Fiber::resume() { boost_emu_switch(&callerStackPointer, stackPointer); }

void Fiber::suspend() { boost_emu_switch(&stackPointer, callerStackPointer); }

bool Fiber::owns(const void *pointer) const {
  auto at = reinterpret_cast<uintptr_t>(pointer);
  auto begin = reinterpret_cast<uintptr_t>(memory);
  return at >= begin && at < begin + kMappedBytes;
}
