// SPDX-License-Identifier: Apache-2.0
// What tools/checks/machine.py compiles to learn how fast a machine is: templates and headers of
// the standard library, as most of our units. A change of it needs another SECONDS_ON_ZEN_5 there.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

template <int N>
struct Step {
    std::array<double, N + 1> values{};
    std::vector<std::string> names;
    std::map<int, std::vector<double>> lists;

    double run(double start) {
        for (int i = 0; i <= N; ++i) {
            values[static_cast<std::size_t>(i)] = start + i * 0.5;
            lists[i % 3].push_back(start);
            names.push_back(std::to_string(i));
        }
        std::sort(names.begin(), names.end(), [](auto const& a, auto const& b) { return a > b; });
        std::function<double(double)> const f = [this](double x) { return x * values[N] + N; };
        std::transform(values.begin(), values.end(), values.begin(), f);
        return std::accumulate(values.begin(), values.end(), 0.0) +
               static_cast<double>(lists.size());
    }
};

template <int... N>
double all(double start, std::integer_sequence<int, N...>) {
    return (Step<N>{}.run(start) + ...);
}

}  // namespace

double factor_of_machine(double start) { return all(start, std::make_integer_sequence<int, 3>{}); }
