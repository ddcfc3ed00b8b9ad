// SPDX-License-Identifier: Apache-2.0
// Random numbers from which programs are made: the same on every rank and in both runs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

namespace twins {

/// One step of splitmix64; also mixes seeds, indices and ranks.
inline std::uint64_t mixed(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/// A stream of random numbers (splitmix64).
class Rng {
  public:
    explicit Rng(std::uint64_t seed = 0) : state_(mixed(seed)) {}
    Rng(std::uint64_t seed, std::uint64_t part) : state_(mixed(seed ^ mixed(part + 1))) {}

    std::uint64_t next() { return mixed(state_++ * 0xd1342543de82ef95ULL); }

    /// A number in [0, n); 0 for n < 1.
    long below(long n) {
        const auto random = next();
        return n < 1 ? 0 : static_cast<long>(random % static_cast<std::uint64_t>(n));
    }

    /// A number in [low, high].
    long between(long low, long high) { return low + below(high - low + 1); }

    /// True in so many of a hundred cases.
    bool percent(long share) { return below(100) < share; }

    /// A stream of its own, so that what one part draws does not shift the rest.
    Rng fork() { return Rng(next()); }

    template <class T>
    T one_of(std::initializer_list<T> choices) {
        return choices.begin()[below(static_cast<long>(choices.size()))];
    }

    template <class T>
    void shuffle(std::vector<T>& list) {
        for (long i = static_cast<long>(list.size()) - 1; i > 0; --i)
            std::swap(list[i], list[below(i + 1)]);
    }

    /// 0 to n - 1 in random order.
    std::vector<int> permutation(int n) {
        std::vector<int> order(n);
        std::iota(order.begin(), order.end(), 0);
        shuffle(order);
        return order;
    }

  private:
    std::uint64_t state_;
};

}  // namespace twins
