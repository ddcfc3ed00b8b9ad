// SPDX-License-Identifier: Apache-2.0
#include "preload/check_collective.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "core/error.hpp"
#include "preload/basic_kinds.hpp"
#include "preload/check_comm.hpp"
#include "preload/check_site.hpp"
#include "preload/datatype.hpp"
#include "preload/world.hpp"

namespace aureole::preload {

namespace {

constexpr char kind[] = "differs between processes";

/// A number for an operation of MPI's own that is the same in all processes; 0 for the program's.
std::uint64_t number_of(Handle op) {
    op = abi().own(op);
    switch (abi().kind) {
        case Abi::Kind::mpich:
            return ((op >> 30) & 3) == 1 ? static_cast<std::uint64_t>(op) : 0;
        case Abi::Kind::standard:
            return op > 0 && op < 4096 ? static_cast<std::uint64_t>(op) : 0;
        default: {  // the address of a symbol
            Dl_info of{};
            const auto* const at = reinterpret_cast<const char*>(op);
            if (dladdr(at, &of) == 0) return 0;
            return static_cast<std::uint64_t>(at - static_cast<const char*>(of.dli_fbase));
        }
    }
}

thread_local std::unique_ptr<CheckedCollective> deferred;

/// "40 bytes", with the types if it is these that another one has not.
std::string text_of(const Signature& s, const Signature& other) {
    const bool are_needed = s.bytes > 0 && are_other_kinds(s.kinds, other.kinds);
    return std::to_string(s.bytes) + " bytes" +
           (are_needed ? " of " + text_of_kinds(s.kinds) : std::string());
}

std::string ours_and_theirs(const std::string& ours, int other, const std::string& theirs) {
    return ours + " here, " + theirs + " on rank " + std::to_string(other);
}

}  // namespace

bool Signature::is_other_than(const Signature& other) const {
    if (bytes < 0 || other.bytes < 0) return false;
    return bytes != other.bytes || (bytes > 0 && are_other_kinds(kinds, other.kinds));
}

CheckedCollective::CheckedCollective(const char* name, const Scope& scope) : scope_(scope) {
    scope_.site = program_site(scope.site);
    if (scope_.site == nullptr || !ranks_of(scope.handle, rank_, size_)) size_ = 1;
    std::strncpy(mine_.name.data(), name, mine_.name.size() - 1);
    // Twins with large counts are the same call.
    const auto length = std::strlen(mine_.name.data());
    if (length > 2 && std::strcmp(mine_.name.data() + length - 2, "_c") == 0)
        mine_.name[length - 2] = 0;
}

void CheckedCollective::operation(Handle op) { mine_.operation = number_of(op); }

Signature CheckedCollective::signature(Count count, Handle type) {
    if (count == 0) return {0, 0};
    if (count < 0 || abi().own(type) == abi().datatype_null) return {};
    try {
        const auto known = datatype(type);
        return {count * known->size, known->kinds};
    } catch (const core::Error&) {
        return {};  // MPI says what is wrong with it
    }
}

void CheckedCollective::report(const std::string& text) const {
    report_mistake(kind, mine_.name.data(), scope_.site, text);
}

template <class Differs, class Text>
bool CheckedCollective::compare_with(int reference, Differs&& differs, Text&& text) {
    const Record& model = all_[static_cast<std::size_t>(reference)];
    int other = -1;
    bool is_any = false;
    for (int k = size_ - 1; k >= 0; --k) {
        if (!differs(all_[static_cast<std::size_t>(k)], model)) continue;
        is_any = true;
        if (rank_ == reference) other = k;
        if (rank_ == k) other = reference;
    }
    if (other >= 0) report(text(other, all_[static_cast<std::size_t>(other)]));
    return is_any;
}

bool CheckedCollective::compare_calls() {
    const auto number = [](std::int64_t n) { return std::to_string(n); };
    if (compare_with(
            0, [](const Record& a, const Record& b) { return a.name != b.name; },
            [&](int k, const Record& r) {
                return "rank " + number(k) + " is in " + r.name.data() +
                       " of this communicator. All processes must make the same collective calls "
                       "in the same order.";
            }))
        return false;
    if (compare_with(
            0, [](const Record& a, const Record& b) { return a.root != b.root; },
            [&](int k, const Record& r) {
                return "the root is " + ours_and_theirs(number(mine_.root), k, number(r.root)) +
                       ".";
            }))
        return false;
    return !compare_with(
        0,
        [](const Record& a, const Record& b) {
            return a.operation != b.operation && a.operation != 0 && b.operation != 0;
        },
        [&](int k, const Record&) {
            return "the operation is another one on rank " + number(k) + ".";
        });
}

void CheckedCollective::compare_blocks() {
    const int reference = std::clamp(static_cast<int>(mine_.root), 0, size_ - 1);
    const bool is_other = compare_with(
        reference, [](const Record& a, const Record& b) { return a.alike.is_other_than(b.alike); },
        [&](int k, const Record& r) {
            return ours_and_theirs(text_of(mine_.alike, r.alike), k,
                                   text_of(r.alike, mine_.alike)) +
                   ".";
        });
    if (!is_other)
        compare_with(
            0, [](const Record& a, const Record& b) { return a.counts != b.counts; },
            [&](int k, const Record&) {
                return "the counts of blocks are others on rank " + std::to_string(k) + ".";
            });
    for (int k = 0; k < size_; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const Signature &sent = all_[at].sent, &expected = all_[at].received;
        const Signature& from = received_.empty() ? mine_.received : received_[at];
        const Signature& to = sent_.empty() ? mine_.sent : sent_[at];
        const std::string other = "rank " + std::to_string(k);
        if (from.is_other_than(sent))
            return report("expects " + text_of(from, sent) + " from " + other + ", which sends " +
                          text_of(sent, from) + ".");
        if (to.is_other_than(expected))
            return report("sends " + text_of(to, expected) + " to " + other + ", which expects " +
                          text_of(expected, to) + ".");
    }
}

void CheckedCollective::compare() {
    const CheckComm comm(scope_.handle);
    all_.resize(static_cast<std::size_t>(size_));
    if (!comm.all_gather(&mine_, all_.data(), sizeof mine_)) return;
    const auto differs = [&](const Record& one) { return one.name != mine_.name; };
    if (is_exchange_ && std::ranges::none_of(all_, differs)) {
        std::vector<Signature> of_peers(all_.size());
        sent_.resize(all_.size()), received_.resize(all_.size());
        if (!comm.exchange(sent_.data(), of_peers.data(), sizeof(Signature))) return;
        for (std::size_t k = 0; k < all_.size(); ++k) all_[k].sent = of_peers[k];
        if (!comm.exchange(received_.data(), of_peers.data(), sizeof(Signature))) return;
        for (std::size_t k = 0; k < all_.size(); ++k) all_[k].received = of_peers[k];
    }
    if (compare_calls()) compare_blocks();
}

void defer(std::unique_ptr<CheckedCollective> check) { deferred = std::move(check); }

void compare_deferred() {
    if (const auto check = std::move(deferred)) check->compare();
}

}  // namespace aureole::preload
