// SPDX-License-Identifier: Apache-2.0
#include "device/emulated/fibers.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/gpu/emulated.hpp"

#if !defined(__x86_64__)
#error "Emulated GPUs need a processor of x86-64: configure with AUREOLE_GPU=OFF."
#endif

// Saves what a function must keep on this stack, and goes on with the other.
extern "C" void aureole_switch_stack(void** save, void* load);
asm(R"(
.text
.globl aureole_switch_stack
.hidden aureole_switch_stack
.type aureole_switch_stack,@function
aureole_switch_stack:
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
    ret
.size aureole_switch_stack,.-aureole_switch_stack
)");

namespace aureole::device::emulated {

namespace {

/// Below each stack lies memory that cannot be used, so that a lane that needs more ends there.
constexpr std::size_t stack_bytes = std::size_t{1} << 20, guard_bytes = 64 << 10;
constexpr std::uint32_t poison_word = 0x7ff7deadu;

/// Where lanes wait for each other: those of a team, or of a block.
struct Gate {
    unsigned size = 0, arrived = 0;
    std::uint64_t phase = 0;
    const char* call = "";
    /// What lanes of a team brought, in even and odd phases: all of them come once more before the
    /// same place is used again.
    unsigned words[2][32];
    bool any[2] = {false, false};  ///< whether one of the block said yes
};

enum class State { fresh, ready, waits, ended };

struct BlockState;

struct Lane {
    LaneIndex place;
    BlockState* block = nullptr;
    State state = State::fresh;
    void* stack_pointer = nullptr;
    std::byte* stack = nullptr;
    const Gate* gate = nullptr;  ///< that it waits at
    std::uint64_t phase = 0;     ///< of the gate when it came
};

struct BlockState {
    std::vector<Lane> lanes;
    std::vector<Gate> teams;  ///< by their first lane
    Gate all;
    std::vector<std::byte> memory = std::vector<std::byte>(block_bytes + 64);
    std::size_t used = 0;
    std::vector<std::pair<const void*, std::size_t>> named;

    std::byte* base() {
        const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
        return memory.data() + (64 - at % 64) % 64;
    }
};

/// What a thread needs to run kernels.
struct Processor {
    std::vector<BlockState> blocks;
    std::vector<std::byte*> free_stacks;
    void* stack_pointer = nullptr;
    const char* kernel = "";
    const std::function<void()>* body = nullptr;
    std::exception_ptr failure;
    bool progress = false, overflows = false;
    std::uint64_t random = 0x9e3779b97f4a7c15u;
    std::vector<std::byte> signal_stack = std::vector<std::byte>(64 << 10);
    stack_t earlier_stack{};

    /// Faults are handled on a stack of their own, as a lane's may be full.
    Processor() {
        const stack_t own{
            .ss_sp = signal_stack.data(), .ss_flags = 0, .ss_size = signal_stack.size()};
        sigaltstack(&own, &earlier_stack);
    }
    ~Processor() {
        sigaltstack(&earlier_stack, nullptr);
        for (std::byte* stack : free_stacks) munmap(stack, stack_bytes);
    }
    std::byte* take_stack() {
        if (!free_stacks.empty()) {
            std::byte* stack = free_stacks.back();
            free_stacks.pop_back();
            return stack;
        }
        void* area = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (area == MAP_FAILED) throw std::bad_alloc();
        if (mprotect(area, guard_bytes, PROT_NONE) != 0) {
            munmap(area, stack_bytes);
            throw std::bad_alloc();
        }
        return static_cast<std::byte*>(area);
    }
};

/// Plain pointers, so that asking for them is cheap.
constinit thread_local Processor* processor = nullptr;
constinit thread_local Lane* running = nullptr;

Processor& processor_of_thread() {
    thread_local Processor owner;
    return owner;
}

void poison(std::byte* memory, std::size_t bytes) {
    for (std::size_t k = 0; k + 4 <= bytes; k += 4) std::memcpy(memory + k, &poison_word, 4);
}

std::string text_of(const Lane& lane, const std::string& what) {
    const LaneIndex& at = lane.place;
    return "kernel \"" + std::string(processor->kernel) + "\", block " +
           std::to_string(at.block.x) +
           (at.grid_size.y > 1 ? "," + std::to_string(at.block.y) : "") + ", lane " +
           std::to_string(at.thread.x) + ": " + what;
}

struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};
[[noreturn]] void fail(const Lane& lane, const std::string& what) {
    throw Fault(text_of(lane, what));
}

void to_scheduler();

/// Where a lane goes on that touched memory it has not, with an empty stack.
[[noreturn]] void end_astray() {
    Lane& lane = *running;
    processor->failure = std::make_exception_ptr(Fault(
        text_of(lane, processor->overflows
                          ? "it needs more than " + std::to_string(stack_bytes) + " bytes of stack"
                          : "it touches memory that is not the device's")));
    lane.state = State::ended;
    to_scheduler();
    std::abort();
}

struct sigaction earlier_segv, earlier_bus;

void on_fault(int signal, siginfo_t* info, void* context) {
    if (running == nullptr) {  // the host's fault: it happens again, and ends the process
        sigaction(signal, signal == SIGSEGV ? &earlier_segv : &earlier_bus, nullptr);
        return;
    }
    const auto* at = static_cast<const std::byte*>(info->si_addr);
    processor->overflows = at >= running->stack && at < running->stack + guard_bytes;
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    registers[REG_RSP] =  // as after a call
        reinterpret_cast<greg_t>(running->stack + stack_bytes - 64) - 8;
    registers[REG_RIP] = reinterpret_cast<greg_t>(&end_astray);
}

void to_scheduler() {
    Lane* lane = running;
    aureole_switch_stack(&lane->stack_pointer, processor->stack_pointer);
}

/// Waits until `size` lanes have come to the gate for the same call, each with a word; returns the
/// parity of the phase that they share.
int pass(Gate& gate, unsigned size, const char* call, unsigned word = 0) {
    Lane& lane = *running;
    if (gate.arrived == 0) {
        gate.size = size, gate.call = call;
    } else if (gate.size != size || gate.call != call) {
        fail(lane, std::string(call) + " of " + std::to_string(size) +
                       " lanes, while others wait in " + gate.call + " of " +
                       std::to_string(gate.size));
    }
    const std::uint64_t phase = gate.phase;
    const int which = static_cast<int>(phase & 1);
    if (size <= 32) gate.words[which][lane.place.thread.x % size] = word;
    gate.any[which] = gate.any[which] || word != 0;
    processor->progress = true;
    if (++gate.arrived == gate.size) {
        gate.arrived = 0;
        gate.any[1 - which] = false;
        ++gate.phase;
        return which;
    }
    lane.gate = &gate, lane.phase = phase, lane.state = State::waits;
    to_scheduler();
    return which;
}

unsigned first_of_team(const Lane& lane, unsigned size) {
    return lane.place.thread.x / size * size;
}

Gate& team_gate(const Lane& lane, unsigned size) {
    const unsigned first = first_of_team(lane, size);
    if (size == 0 || size > 32 || (size & (size - 1)) != 0 ||
        first + size > lane.block->lanes.size())
        fail(lane, "a team of " + std::to_string(size) + " lanes");
    return lane.block->teams[first];
}

/// Where a fiber begins and ends.
void run_lane() {
    try {
        (*processor->body)();
    } catch (const Fault&) {
        processor->failure = std::current_exception();
    } catch (...) {
        processor->failure = std::make_exception_ptr(Fault(text_of(*running, "it throws")));
    }
    running->state = State::ended;
    processor->progress = true;
    to_scheduler();
    std::abort();  // nobody goes on with a lane that ended
}

void begin(Lane& lane) {
    lane.stack = processor->take_stack();
    auto* top = reinterpret_cast<void**>(lane.stack + stack_bytes - 64);
    *--top = nullptr;  // as behind a call: the stack is aligned to 16 with an address on it
    *--top = reinterpret_cast<void*>(&run_lane);
    for (int saved = 0; saved < 6; ++saved) *--top = nullptr;
    lane.stack_pointer = top;
    lane.state = State::ready;
}

/// Lets a lane run until it waits or ends.
void go_on(Lane& lane) {
    if (lane.state == State::fresh) begin(lane);
    lane.state = State::ready;
    running = &lane;
    aureole_switch_stack(&processor->stack_pointer, lane.stack_pointer);
    running = nullptr;
    if (lane.state == State::ended) {
        processor->free_stacks.push_back(lane.stack);
        lane.stack = nullptr;
    }
}

/// A lane that waits where no lane can go on: names one for which it does.
[[noreturn]] void report_waiting(const Lane& waits) {
    const Gate& gate = *waits.gate;
    const unsigned first = &gate == &waits.block->all ? 0 : first_of_team(waits, gate.size);
    for (unsigned k = first; k < first + gate.size; ++k) {
        const Lane& missing = waits.block->lanes[k];
        const bool has_ended = missing.state == State::ended;
        if (!has_ended && missing.gate == &gate) continue;
        fail(missing, (has_ended ? std::string("it has ended")
                                 : std::string("it waits in ") + missing.gate->call) +
                          ", but lane " + std::to_string(waits.place.thread.x) +
                          " waits for it in " + gate.call);
    }
    fail(waits, std::string("it waits in ") + gate.call);
}

/// Gives back what blocks that failed left.
void clear_blocks() {
    for (BlockState& block : processor->blocks)
        for (Lane& lane : block.lanes)
            if (lane.stack != nullptr)
                processor->free_stacks.push_back(std::exchange(lane.stack, nullptr));
    processor->blocks.clear();
}

void run_until_all_ended() {
    for (bool left = true; left;) {
        left = false, processor->progress = false;
        for (BlockState& block : processor->blocks)
            for (Lane& lane : block.lanes) {
                if (lane.state == State::ended) continue;
                left = true;
                if (lane.state == State::waits && lane.gate->phase == lane.phase) continue;
                go_on(lane);
                if (processor->failure)
                    std::rethrow_exception(std::exchange(processor->failure, nullptr));
            }
        if (left && !processor->progress)
            for (const BlockState& block : processor->blocks)
                for (const Lane& lane : block.lanes)
                    if (lane.state == State::waits) report_waiting(lane);
    }
}

}  // namespace

const LaneIndex& here() { return running->place; }

namespace {

unsigned wavefront_named(std::string_view said) {
    if (said == "32") return 32;
    if (said == "64") return 64;
    throw core::DeviceError("waves of " + std::string(said) + " lanes cannot be",
                            "GPUs have waves of 32 or 64", "Set AUREOLE_WAVE to one of these.");
}
std::atomic<unsigned>& wavefront_lanes() {
    static std::atomic<unsigned> lanes = [] {
        const char* text = std::getenv("AUREOLE_WAVE");
        return wavefront_named(text != nullptr ? text : "32");
    }();
    return lanes;
}

}  // namespace

unsigned wavefront() { return wavefront_lanes(); }
void set_wavefront(unsigned lanes) { wavefront_lanes() = wavefront_named(std::to_string(lanes)); }

void run_blocks(const char* name, Index grid, unsigned lanes, std::size_t scratch_bytes,
                bool together, const std::function<void()>& kernel) {
    const unsigned all = grid.x * grid.y, at_once = together ? all : 1;
    processor = &processor_of_thread();
    processor->kernel = name, processor->body = &kernel;
    static const bool watches = [] {
        struct sigaction action {};
        action.sa_sigaction = on_fault;
        action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
        return sigaction(SIGSEGV, &action, &earlier_segv) == 0 &&
               sigaction(SIGBUS, &action, &earlier_bus) == 0;
    }();
    static_cast<void>(watches);
    try {
        for (unsigned first = 0; first < all; first += at_once) {
            processor->blocks.resize(at_once);
            for (unsigned k = 0; k < at_once; ++k) {
                BlockState& block = processor->blocks[k];
                const unsigned index = first + k;
                block.lanes.assign(lanes, {});
                if (block.teams.size() < lanes) block.teams.resize(lanes);
                block.named.clear();
                block.used = (scratch_bytes + 15) / 16 * 16;
                poison(block.base(), block.used);
                for (unsigned t = 0; t < lanes; ++t) {
                    block.lanes[t].block = &block;
                    block.lanes[t].place = {
                        {t}, {index % grid.x, index / grid.x}, {lanes, 1, 1}, {grid.x, grid.y, 1}};
                }
            }
            run_until_all_ended();
        }
    } catch (...) {
        clear_blocks();
        throw;
    }
}

}  // namespace aureole::device::emulated

namespace aureole::core::gpu {

using namespace aureole::device::emulated;  // NOLINT: both are of the emulation

bool in_kernel() noexcept { return running != nullptr; }

unsigned lane() { return running->place.thread.x % wavefront(); }

unsigned exchange(unsigned word, int from, int size) {
    Lane& mine = *running;
    const auto lanes = static_cast<unsigned>(size);
    Gate& gate = team_gate(mine, lanes);
    const int which = pass(gate, lanes, "an exchange", word);
    return gate.words[which][static_cast<unsigned>(from) & (lanes - 1)];
}

unsigned exchange_xor(unsigned word, int bits) {
    return exchange(word, static_cast<int>(running->place.thread.x % 32) ^ bits, 32);
}

Votes votes(bool yes, int size) {
    Lane& mine = *running;
    const auto lanes = static_cast<unsigned>(size);
    Gate& gate = team_gate(mine, lanes);
    const int which = pass(gate, lanes, "a vote", yes);
    // Bits of other teams are what those lanes last had, on GPUs too.
    std::uint64_t& random = processor->random;
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    Votes found = wavefront() == 64 ? random : random & 0xffffffffu;
    const unsigned first = first_of_team(mine, lanes);
    for (unsigned k = 0; k < lanes; ++k) {
        const Votes bit = Votes{1} << (first + k) % wavefront();
        found = gate.words[which][k] != 0 ? found | bit : found & ~bit;
    }
    return found;
}

void sync_team(int size) {
    pass(team_gate(*running, static_cast<unsigned>(size)), static_cast<unsigned>(size),
         "sync of a team");
}

void sync_block() {
    BlockState& block = *running->block;
    pass(block.all, static_cast<unsigned>(block.lanes.size()), "a barrier of the block");
}

bool any_of_block(bool yes) {
    BlockState& block = *running->block;
    const auto lanes = static_cast<unsigned>(block.lanes.size());
    return block.all.any[pass(block.all, lanes, "a vote of the block", yes)];
}

void pause(unsigned) {
    processor->progress = true;
    to_scheduler();
}

unsigned char* block_scratch() { return reinterpret_cast<unsigned char*>(running->block->base()); }

unsigned char* memory_of_block(const void* key, int bytes) {
    BlockState& block = *running->block;
    for (const auto& [known, offset] : block.named)
        if (known == key) return reinterpret_cast<unsigned char*>(block.base() + offset);
    const std::size_t offset = block.used;
    block.used += (static_cast<std::size_t>(bytes) + 15) / 16 * 16;
    if (block.used > block_bytes)
        fail(*running, "the block needs " + std::to_string(block.used) +
                           " bytes of memory and has " + std::to_string(block_bytes));
    poison(block.base() + offset, block.used - offset);
    block.named.emplace_back(key, offset);
    return reinterpret_cast<unsigned char*>(block.base() + offset);
}

}  // namespace aureole::core::gpu
