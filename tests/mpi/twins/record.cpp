// SPDX-License-Identifier: Apache-2.0
#include "record.hpp"

#include <algorithm>
#include <cstdio>
#include <tuple>

namespace twins {
namespace {

/// Which kind of byte of a buffer this is.
enum class Role : unsigned char { gap, value, padding, guard };

const char* name_of(Role role) {
    static const char* const names[] = {"gap or tail", "value", "padding", "guard"};
    return names[static_cast<int>(role)];
}

std::vector<Role> roles_of(const Snapshot& snapshot) {
    std::vector<Role> roles(snapshot.bytes.size(), Role::gap);
    for (const auto& block : snapshot.blocks) {
        for (long i = 0; i < block.count; ++i) {
            for (const auto& piece : block.type->map) {
                const auto at = snapshot.zero + block.at + i * block.type->extent + piece.at;
                const auto& basic = basics()[piece.basic];
                for (int k = 0; k < basic.size; ++k)
                    roles[at + k] = k < basic.value_bytes ? Role::value : Role::padding;
            }
        }
    }
    const auto first = std::find_if(roles.begin(), roles.end(), [](auto r) { return r != Role{}; });
    std::fill(roles.begin(), first, Role::guard);
    const auto last =
        std::find_if(roles.rbegin(), roles.rend(), [](auto r) { return r != Role{}; });
    std::fill(roles.rbegin(), last, Role::guard);
    return roles;
}

/// Whether a byte that differs between the runs is wrong.
bool matters(const Snapshot& host, const Snapshot& twin, std::size_t i, Role role) {
    if (host.compare == Compare::guards) return role == Role::guard;
    const auto offset = static_cast<std::ptrdiff_t>(i) - host.zero;
    if (role != Role::guard && offset >= host.defined) return false;
    // Padding is copied or not, as the library's compiler chose.
    if (role == Role::padding) return false;
    // Some MPI libraries write gaps. The twin need not, as long as it leaves them alone.
    return role != Role::gap || twin.bytes[i] != (*twin.image)[i];
}

std::string layout_of(const Snapshot& s) {
    std::string layout;
    for (std::size_t b = 0; b < std::min<std::size_t>(s.blocks.size(), 4); ++b)
        layout += "; " + std::to_string(s.blocks[b].count) + " x " +
                  s.blocks[b].type->text.substr(0, 300) + " at " + std::to_string(s.blocks[b].at);
    return layout;
}

/// Where guard bytes are not as before the call, or nothing.
std::string broken_guard(const Snapshot& s) {
    const auto size = static_cast<std::ptrdiff_t>(s.bytes.size());
    for (std::ptrdiff_t i = 0; i < size; ++i) {
        if (i == Buffer::guard) i = size - Buffer::guard;
        if (s.bytes[i] == (*s.image)[i]) continue;
        return "the guard byte at offset " + std::to_string(i - s.zero) + " was written";
    }
    return "";
}

std::string compared(const Snapshot& host, const Snapshot& twin) {
    if (const auto broken = broken_guard(host); !broken.empty())
        return broken + " by MPI itself, with a buffer on the host" + layout_of(host);
    if (host.bytes == twin.bytes) return "";
    if (host.bytes.size() != twin.bytes.size()) return "sizes of snapshots differ (harness)";
    if (*host.image != *twin.image) return "buffers were filled differently (harness)";
    const auto roles = roles_of(host);
    std::size_t first = 0;
    long number = 0, old = 0;
    for (std::size_t i = 0; i < roles.size(); ++i) {
        if (host.bytes[i] == twin.bytes[i] || !matters(host, twin, i, roles[i])) continue;
        if (number++ == 0) first = i;
        old += twin.bytes[i] == (*twin.image)[i];
    }
    if (!number) return "";
    char text[300];
    std::snprintf(text, sizeof text,
                  "%ld of %zu bytes differ (in %ld the twin is as before the call); the first at "
                  "offset %ld (%s): host 0x%02x, twin 0x%02x, before the call 0x%02x; twin in %s "
                  "memory",
                  number, roles.size(), old,
                  static_cast<long>(first) - static_cast<long>(host.zero), name_of(roles[first]),
                  host.bytes[first], twin.bytes[first], (*host.image)[first], name_of(twin.kind));
    return text + layout_of(host);
}

}  // namespace

int Record::begin(std::string text) {
    operations_.push_back(std::move(text));
    return static_cast<int>(operations_.size()) - 1;
}

void Record::note(int operation, const char* name, long which, long value) {
    notes_.push_back({operation, name, which, value});
}

void Record::snapshot(int operation, const Buffer& buffer, std::string name, Compare compare) {
    snapshots_.push_back({operation, std::move(name), buffer.kind(), compare, buffer.zero(),
                          buffer.defined(), buffer.contents(), buffer.image(), buffer.blocks()});
}

void Record::spoil(Rng rng) {
    for (int tries = 0; tries < 1000 && !snapshots_.empty(); ++tries) {
        auto& snapshot = snapshots_[rng.below(static_cast<long>(snapshots_.size()))];
        const auto at = rng.below(static_cast<long>(snapshot.bytes.size()));
        const auto role = roles_of(snapshot)[at];
        snapshot.bytes[at] ^= 1;
        if (matters(snapshot, snapshot, at, role)) return;
        snapshot.bytes[at] ^= 1;
    }
    note(0, "nothing to spoil", 0, 0);
}

void Record::take(Record&& other) {
    const int before = static_cast<int>(operations_.size());
    for (auto& text : other.operations_) operations_.push_back(std::move(text));
    for (auto& note : other.notes_) {
        note.operation += before;
        notes_.push_back(note);
    }
    for (auto& snapshot : other.snapshots_) {
        snapshot.operation += before;
        snapshots_.push_back(std::move(snapshot));
    }
}

/// Requests complete in any order, but what each gave has a place of its own.
void Record::sort() {
    std::stable_sort(notes_.begin(), notes_.end(), [](const Note& x, const Note& y) {
        return std::pair(x.operation, x.which) < std::pair(y.operation, y.which);
    });
    std::stable_sort(snapshots_.begin(), snapshots_.end(), [](auto& x, auto& y) {
        return std::tie(x.operation, x.name) < std::tie(y.operation, y.name);
    });
}

std::vector<std::string> Record::differences(Record& host, Record& twin) {
    std::vector<std::string> found;
    if (host.operations_ != twin.operations_) return {"the runs did different operations"};
    host.sort();
    twin.sort();
    const auto where = [&](int operation) { return host.operations_[operation] + "\n      "; };
    const auto &a = host.notes_, &b = twin.notes_;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i].value != 0 && a[i].name == std::string(unexpected_error))
            found.push_back(where(a[i].operation) + "MPI itself failed, with buffers on the host");
        if (a[i] == b[i]) continue;
        found.push_back(where(a[i].operation) + a[i].name + " " + std::to_string(a[i].which) +
                        ": host " + std::to_string(a[i].value) + ", twin " + b[i].name + " " +
                        std::to_string(b[i].value));
        break;
    }
    if (a.size() != b.size()) found.push_back("the runs noted different numbers of results");
    const auto &s = host.snapshots_, &t = twin.snapshots_;
    if (s.size() != t.size()) found.push_back("the runs took different numbers of snapshots");
    for (std::size_t i = 0; i < std::min(s.size(), t.size()); ++i) {
        if (s[i].operation != t[i].operation || s[i].name != t[i].name) break;
        if (const auto text = compared(s[i], t[i]); !text.empty())
            found.push_back(where(s[i].operation) + s[i].name + ": " + text);
    }
    return found;
}

}  // namespace twins
