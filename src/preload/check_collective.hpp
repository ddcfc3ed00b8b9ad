// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "preload/abi.hpp"
#include "preload/report.hpp"

namespace aureole::preload {

/// What travels: how many bytes, and of which basic types.
struct Signature {
    Count bytes = -1;         ///< -1: nothing to be compared
    std::uint64_t kinds = 0;  ///< as in basic_kinds.hpp

    bool is_other_than(const Signature& other) const;
};

/// Compares what the processes of a communicator pass to a blocking collective call. It makes a
/// communicator of its own for each of the program's, which goes with that. All processes must have
/// the checks, or they wait for each other.
class CheckedCollective {
  public:
    CheckedCollective(const char* name, const Scope& scope);

    /// Whether there is anything to compare: not with one process, nor between two groups, nor if
    /// the MPI library itself calls.
    bool is_needed() const { return size_ > 1; }

    void root(int rank) { mine_.root = rank; }
    bool is_root() const { return mine_.root == rank_; }
    void operation(Handle op);
    /// A buffer that must have the same elements everywhere.
    template <class N>
    void alike(N count, Handle type) {
        mine_.alike = signature(static_cast<Count>(count), type);
    }
    /// One that is scattered in blocks, whose numbers of elements must be the same everywhere too.
    template <class N>
    void alike_each(const N* counts, Handle type) {
        Count all = 0;
        for (int k = 0; k < size_; ++k) {
            all += counts[k];
            mine_.counts = mine_.counts * 31 + static_cast<std::uint64_t>(counts[k]);
        }
        alike(all, type);
    }
    /// A block that is sent to each, or to the root; one that is received from each, or from it.
    template <class N>
    void sends(const void* buffer, N count, Handle type) {
        if (buffer != abi().in_place) mine_.sent = signature(static_cast<Count>(count), type);
    }
    template <class N>
    void receives(const void* buffer, N count, Handle type) {
        if (buffer != abi().in_place) mine_.received = signature(static_cast<Count>(count), type);
    }
    /// Blocks of their own for each process; `types` is a datatype, or an array of one for each.
    template <class N, class Types>
    void sends_each(const void* buffer, const N* counts, Types types) {
        if (buffer != abi().in_place) sent_ = signatures(counts, types);
    }
    template <class N, class Types>
    void receives_each(const void* buffer, const N* counts, Types types) {
        if (buffer != abi().in_place) received_ = signatures(counts, types);
    }
    /// Whether both are so on all processes: then what each sends to each is exchanged too.
    void exchanges() { is_exchange_ = true; }

    /// Exchanges and reports.
    void compare();

  private:
    /// What all processes get from each.
    struct Record {
        std::array<char, 32> name{};
        std::int64_t root = -1;
        std::uint64_t operation = 0;  ///< 0: one of the program's
        std::uint64_t counts = 0;
        Signature alike, sent, received;
    };

    static Signature signature(Count count, Handle type);
    template <class N>
    std::vector<Signature> signatures(const N* counts, Handle type) {
        std::vector<Signature> all;
        for (int k = 0; k < size_; ++k)
            all.push_back(signature(static_cast<Count>(counts[k]), type));
        return all;
    }
    template <class N>
    std::vector<Signature> signatures(const N* counts, const void* types) {
        std::vector<Signature> all;
        for (int k = 0; k < size_; ++k)
            all.push_back(signature(static_cast<Count>(counts[k]), abi().at(types, k)));
        return all;
    }
    bool compare_calls();
    void compare_blocks();
    /// Reports where a process differs from that of rank `reference`, and there. Whether any does.
    template <class Differs, class Text>
    bool compare_with(int reference, Differs&& differs, Text&& text);
    void report(const std::string& text) const;

    Scope scope_;
    int rank_ = 0, size_ = 1;
    Record mine_;
    std::vector<Record> all_;                 // by rank
    std::vector<Signature> sent_, received_;  // by rank
    bool is_exchange_ = false;
};

/// Until this thread calls `compare_deferred`, which does nothing without one.
void defer(std::unique_ptr<CheckedCollective> check);
void compare_deferred();

/// Compares now, or (`is_deferred`) by `compare_deferred` of this thread: buffers on devices are
/// read before processes wait for each other, as pending work would go on meanwhile. `tell` says
/// what this process passes.
template <class Tell>
[[gnu::noinline, gnu::cold]] void check_collective(const char* name, const Scope& scope,
                                                   bool is_deferred, Tell&& tell) {
    defer(nullptr);  // of a call that failed
    auto check = std::make_unique<CheckedCollective>(name, scope);
    if (!check->is_needed()) return;
    tell(*check);
    if (is_deferred)
        defer(std::move(check));
    else
        check->compare();
}

}  // namespace aureole::preload
