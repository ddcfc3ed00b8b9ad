// SPDX-License-Identifier: Apache-2.0
#include "fft/sizes.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace aureole::fft {

std::vector<int> radices(int n) {
    std::vector<int> factors;
    while (n % 4 == 0) factors.push_back(4), n /= 4;
    for (int p = 2; n > 1; ++p) {
        if (p * p > n) p = n;
        while (n % p == 0) factors.push_back(p), n /= p;
    }
    std::sort(factors.rbegin(), factors.rend());
    return factors;
}

bool fast_size(int n) {
    if (n < 1) return false;
    const auto factors = radices(n);
    return std::all_of(factors.begin(), factors.end(), [](int p) { return p <= 13; });
}

int gromacs_size(int least) {
    // The sizes stand in its calcgrid.cpp: a list of small ones, then multiples of 4 by powers of
    // two of the second list, all with one power (the lowest that reaches far enough), without 140.
    constexpr int small[] = {6, 8, 10, 12, 14, 16, 20, 24, 25, 28, 32, 36, 40, 42, 44};
    constexpr int large[] = {48, 50, 52, 54, 56, 60, 64, 70, 72, 75, 80, 81, 84};
    if (least <= *std::rbegin(small))
        return *std::lower_bound(std::begin(small), std::end(small), least);
    int power = 1;
    while (power * *std::rbegin(large) < least) power *= 2;
    int best = std::numeric_limits<int>::max();
    for (const int base : large) {
        const int n = power * base;
        if (n % 4 == 0 && n != 140 && n >= least) best = std::min(best, n);
    }
    return best;
}

int gromacs_size(double length, double spacing, int least, int largest_factor) {
    constexpr double most = 1e8;  // more than any memory holds
    const double points = length / spacing + 0.999;
    int n = gromacs_size(std::max(least, static_cast<int>(points < most ? points : most)));
    while (radices(n).front() > largest_factor) n = gromacs_size(n + 1);
    return n;
}

}  // namespace aureole::fft
