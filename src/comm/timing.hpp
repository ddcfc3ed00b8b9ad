// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "comm/mpi/library.hpp"
#include "comm/world.hpp"

namespace aureole::comm {

// Measurements of messages, by the same loops for any link: rank(), size(), send(to, bytes),
// receive(from, bytes), barrier(), add_up(link, numbers). Every rank calls them; times are rank
// 0's.

/// Adds up the numbers of all ranks, on each.
inline void add_up(World& world, std::span<double, 8> numbers) {
    using Eight = std::array<double, 8>;
    Eight mine;
    std::memcpy(&mine, numbers.data(), sizeof mine);
    const Eight sum = world.combine(mine, [](const Eight& a, const Eight& b) {
        Eight c;
        for (std::size_t k = 0; k < c.size(); ++k) c[k] = a[k] + b[k];
        return c;
    });
    std::memcpy(numbers.data(), &sum, sizeof sum);
}
inline void add_up(MpiLibrary& mpi, std::span<double, 8> numbers) { mpi.sum(numbers); }

/// Seconds of one call of f, for each of some batches of calls.
template <class Link, class F>
std::vector<double> time_batches(Link& link, int batches, int repeats, const F& f) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    link.barrier();
    for (int b = 0; b < batches; ++b) {
        const auto begin = Clock::now();
        for (int k = 0; k < repeats; ++k) f();
        times.push_back(std::chrono::duration<double>(Clock::now() - begin).count() / repeats);
    }
    link.barrier();
    return times;
}

/// Seconds of one way of a message between ranks 0 and 1: half of there and back.
template <class Link>
std::vector<double> time_messages(Link& link, std::int64_t bytes, int batches, int repeats) {
    constexpr std::size_t page = 4096;
    std::vector<std::byte> out(static_cast<std::size_t>(bytes) + page, std::byte{1}), in = out;
    const auto message = [&](std::vector<std::byte>& of) {
        const auto past = reinterpret_cast<std::uintptr_t>(of.data()) % page;
        return std::span(of).subspan(page - past, static_cast<std::size_t>(bytes));
    };
    const std::span<const std::byte> mine = message(out);
    const std::span<std::byte> theirs = message(in);
    auto times = time_batches(link, batches, repeats, [&] {
        if (link.rank() == 0) link.send(1, mine), link.receive(1, theirs);
        if (link.rank() == 1) link.receive(0, theirs), link.send(0, mine);
    });
    for (double& t : times) t /= 2;
    return times;
}

/// Seconds of a sum of eight numbers over all ranks.
template <class Link>
std::vector<double> time_sums(Link& link, int batches, int repeats) {
    std::array<double, 8> numbers{};
    return time_batches(link, batches, repeats, [&] {
        numbers.fill(1.0);
        add_up(link, std::span<double, 8>(numbers));
    });
}

/// Seconds of a step of `work` seconds of computing and a message of 8 bytes to the next rank.
template <class Link>
std::vector<double> time_ring(Link& link, double work, int batches, int repeats) {
    using Clock = std::chrono::steady_clock;
    const int next = (link.rank() + 1) % link.size();
    const int before = (link.rank() + link.size() - 1) % link.size();
    // Work is counted, not timed: a rank that has lost its processor has not worked.
    const auto compute = [](std::int64_t rounds) {
        volatile double x = 1;
        for (std::int64_t k = 0; k < rounds; ++k) x = x * 0.999999 + 1e-6;
    };
    constexpr std::int64_t trial = 100'000;
    double shortest = 1e9;
    for (int k = 0; k < 20; ++k) {
        const auto begin = Clock::now();
        compute(trial);
        shortest = std::min(shortest, std::chrono::duration<double>(Clock::now() - begin).count());
    }
    const auto rounds = static_cast<std::int64_t>(double(trial) * work / shortest);
    std::array<std::byte, 8> out{}, in{};
    return time_batches(link, batches, repeats, [&] {
        compute(rounds);
        link.send(next, out);
        link.receive(before, in);
    });
}

// Those of our ranks and of an MPI are compiled beside what they measure, with the same options.
#define AUREOLE_TIMING_OF(Link, prefix)                                               \
    prefix template std::vector<double> time_messages(Link&, std::int64_t, int, int); \
    prefix template std::vector<double> time_sums(Link&, int, int);                   \
    prefix template std::vector<double> time_ring(Link&, double, int, int);
AUREOLE_TIMING_OF(World, extern)
AUREOLE_TIMING_OF(MpiLibrary, extern)

}  // namespace aureole::comm
