// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"

namespace aureole::comm {

using Bytes = std::vector<std::byte>;

/// Bytes for a rank, or from one.
struct Parcel {
    int rank;
    Bytes bytes;
};

/// Adds plain values behind those there.
template <class Value>
void append(Bytes& to, std::span<const Value> values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    const auto bytes = std::as_bytes(values);
    to.insert(to.end(), bytes.begin(), bytes.end());
}
template <class Value>
void append(Bytes& to, const std::vector<Value>& values) {
    append(to, std::span<const Value>(values));
}
template <class Value>
void append(Bytes& to, const Value& value) {
    append(to, std::span<const Value>(&value, 1));
}

template <class... Values>
Bytes bytes_of(const Values&... values) {
    Bytes bytes;
    (append(bytes, values), ...);
    return bytes;
}

/// Reads the values of a parcel in their order. Throws core::RankError where there are fewer.
class ParcelReader {
  public:
    explicit ParcelReader(const Parcel& parcel) : rank_(parcel.rank), left_(parcel.bytes) {}

    std::span<const std::byte> left() const { return left_; }
    std::span<const std::byte> bytes(std::size_t n) {
        if (n > left_.size()) refuse();
        const auto taken = left_.first(n);
        left_ = left_.subspan(n);
        return taken;
    }
    template <class Value>
    std::vector<Value> values(std::size_t n) {
        if (n > left_.size() / sizeof(Value)) refuse();
        const auto from = bytes(n * sizeof(Value));
        std::vector<Value> to(n);
        if (n > 0) std::memcpy(to.data(), from.data(), from.size());
        return to;
    }
    template <class Value>
    Value value() {
        Value to;
        std::memcpy(&to, bytes(sizeof to).data(), sizeof to);
        return to;
    }
    /// All that is left.
    template <class Value>
    std::vector<Value> rest() {
        if (left_.size() % sizeof(Value) != 0) refuse();
        return values<Value>(left_.size() / sizeof(Value));
    }
    /// For values that cannot be.
    [[noreturn]] void refuse() const {
        throw core::RankError("a message from rank " + std::to_string(rank_) +
                              " has unexpected content. Please report this.");
    }

  private:
    int rank_;
    std::span<const std::byte> left_;
};

}  // namespace aureole::comm
