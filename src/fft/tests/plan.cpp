// SPDX-License-Identifier: Apache-2.0
#include "fft/plan.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/platform.hpp"
#include "device/tests/devices.hpp"

namespace aureole::fft {
namespace {

using Amplitude = std::complex<double>;

/// Sums straight from the definition, one direction after the other: [x][y][z].
std::vector<Amplitude> reference(std::vector<Amplitude> a, GridSize n) {
    const std::int64_t size[] = {n.x, n.y, n.z}, stride[] = {std::int64_t{n.y} * n.z, n.z, 1};
    for (int d = 0; d < 3; ++d) {
        std::vector<Amplitude> b(a.size());
        for (std::int64_t i = 0; i < n.points(); ++i) {
            const std::int64_t k = i / stride[d] % size[d], first = i - k * stride[d];
            for (std::int64_t j = 0; j < size[d]; ++j)
                b[i] += a[first + j * stride[d]] *
                        std::polar(
                            1.0, -2 * std::numbers::pi * double(j * k % size[d]) / double(size[d]));
        }
        a.swap(b);
    }
    return a;
}

std::vector<double> random_grid(GridSize n, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> grid(static_cast<std::size_t>(n.points()));
    for (double& g : grid) g = static_cast<float>(uniform(engine));
    return grid;
}

template <class T>
std::vector<T> laid_out(const std::vector<double>& grid, const RealLayout& layout) {
    std::vector<T> out(static_cast<std::size_t>(layout.size()), T(0));
    std::size_t i = 0;
    for (int x = 0; x < layout.n.x; ++x)
        for (int y = 0; y < layout.n.y; ++y)
            for (int z = 0; z < layout.n.z; ++z) out[layout.index(x, y, z)] = T(grid[i++]);
    return out;
}

// Rounding grows with the logarithm of the number of points; radices above 13 are plain sums, which
// round oftener.
template <class T>
constexpr double rounding = sizeof(T) == 4 ? 20 * 6e-8 : 20 * 1.1e-16;

class Plans : public device::testing::OnDevices {
  protected:
    template <class T>
    void check(GridSize n, Library library = Library::best) {
        SCOPED_TRACE(std::to_string(n.x) + " × " + std::to_string(n.y) + " × " +
                     std::to_string(n.z) + (sizeof(T) == 4 ? ", single" : ", double"));
        const auto plan = make_plan<T>(queue, n, library);
        const auto grid = random_grid(n, 7);
        auto buffer = upload(laid_out<T>(grid, plan->real()));
        device::Buffer<Complex<T>> modes(queue, plan->spectrum().size());
        plan->forward(queue, buffer.view(), modes.view());
        const auto got = download(modes);
        const auto want = reference({grid.begin(), grid.end()}, n);
        const double scale = rounding<T> * std::sqrt(double(n.points()));
        for (std::int64_t i = 0; i < plan->spectrum().size(); ++i) {
            const Mode k = plan->spectrum().mode(i);
            if (k.weight == 0) continue;
            const auto at = [](int mode, int size) { return (mode + size) % size; };
            const Amplitude w =
                want[(std::int64_t{at(k.x, n.x)} * n.y + at(k.y, n.y)) * n.z + at(k.z, n.z)];
            ASSERT_NEAR(got[i].re, w.real(), scale) << k.x << ' ' << k.y << ' ' << k.z;
            ASSERT_NEAR(got[i].im, w.imag(), scale) << k.x << ' ' << k.y << ' ' << k.z;
        }
        plan->backward(queue, modes.view(), buffer.view());
        expect_grid<T>(*plan, download(buffer), grid);
    }

    template <class T>
    void expect_grid(const Plan3<T>& plan, const std::vector<T>& got,
                     const std::vector<double>& want) {
        const auto& n = plan.real().n;
        std::size_t i = 0;
        for (int x = 0; x < n.x; ++x)
            for (int y = 0; y < n.y; ++y)
                for (int z = 0; z < n.z; ++z)
                    ASSERT_NEAR(got[plan.real().index(x, y, z)] / double(n.points()), want[i++],
                                rounding<T>);
    }
};

TEST_P(Plans, AreTheSumsOfTheDefinition) {
    // Every radix, alone and after others; packs that are full, partly full, and longer than lines.
    for (const GridSize n : {GridSize{4, 4, 4}, GridSize{2, 3, 5}, GridSize{12, 10, 14},
                             GridSize{9, 25, 33}, GridSize{22, 17, 26}, GridSize{5, 34, 19},
                             GridSize{16, 16, 48}, GridSize{21, 32, 6}, GridSize{44, 11, 52}}) {
        check<float>(n);
        check<double>(n);
    }
}

TEST_P(Plans, OfFftwAreThoseSumsToo) {
    AUREOLE_HOST_ONLY();
    if (!available(Library::fftw)) GTEST_SKIP() << "FFTW's libraries are not installed";
    if (core::sanitized) GTEST_SKIP() << "FFTW's measuring takes too long here";
    check<float>({12, 10, 14}, Library::fftw);
    check<double>({9, 16, 15}, Library::fftw);
}

TEST_P(Plans, FilterIsForwardTimesFactorBackward) {
    const GridSize n{20, 18, 21};
    const auto plan = make_plan<double>(queue, n);
    const auto grid = random_grid(n, 3);
    auto buffer = upload(laid_out<double>(grid, plan->real()));
    device::Buffer<Complex<double>> modes(queue, plan->spectrum().size());
    plan->forward(queue, buffer.view(), modes.view());
    auto w = download(modes);
    std::vector<double> factor(w.size()), power(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) {
        const Mode k = plan->spectrum().mode(static_cast<std::int64_t>(i));
        factor[i] = k.weight == 0 ? 0 : 1.0 / (1 + k.x * k.x + k.y * k.y + k.z * k.z);
        power[i] = k.weight == 0 ? 0 : w[i].re * w[i].re + w[i].im * w[i].im;
        w[i].re *= factor[i], w[i].im *= factor[i];
    }
    device::copy_from_host(queue, modes.view(), w.data());
    plan->backward(queue, modes.view(), buffer.view());
    const auto want = download(buffer);
    buffer = upload(laid_out<double>(grid, plan->real()));
    const auto table = upload(factor);
    device::Buffer<double> powers(queue, plan->spectrum().size());
    plan->filter(queue, buffer.view(), table.view(), powers.view());
    const auto got = download(buffer), got_power = download(powers);
    for (int x = 0; x < n.x; ++x)
        for (int y = 0; y < n.y; ++y)
            for (int z = 0; z < n.z; ++z)
                ASSERT_NEAR(got[plan->real().index(x, y, z)], want[plan->real().index(x, y, z)],
                            1e-10);
    for (std::size_t i = 0; i < power.size(); ++i) ASSERT_NEAR(got_power[i], power[i], 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Devices, Plans, ::testing::ValuesIn(device::testing::all_setups()),
                         device::testing::name_of);

TEST(PlansOfThreads, AgreeToTheBit) {
    const GridSize n{44, 30, 36};
    std::vector<float> first;
    for (const int threads : {1, 2, 3, 5}) {
        auto device = device::Device::host({.threads = threads, .pin = false});
        device::Queue queue(device);
        const auto plan = make_plan<float>(queue, n);
        const auto grid = laid_out<float>(random_grid(n, 5), plan->real());
        device::Buffer<float> buffer(queue, plan->real().size());
        device::Buffer<Complex<float>> modes(queue, plan->spectrum().size());
        device::copy_from_host(queue, buffer.view(), grid.data());
        plan->forward(queue, buffer.view(), modes.view());
        plan->backward(queue, modes.view(), buffer.view());
        std::vector<float> out(grid.size());
        device::copy_to_host(queue, out.data(), buffer.view());
        for (std::size_t i = 0; i < out.size(); ++i)
            if (i % plan->real().plane >= std::size_t(n.y) * n.z) out[i] = 0;  // padding
        if (first.empty()) first = out;
        EXPECT_EQ(out, first) << threads << " threads";
    }
}

TEST(PlansOfThreads, RefuseGridsWithoutPoints) {
    auto device = device::Device::host({.threads = 1, .pin = false});
    device::Queue queue(device);
    EXPECT_THROW(make_plan<float>(queue, {0, 4, 4}), core::InputError);
}

// Prints; run with --gtest_also_run_disabled_tests --gtest_filter='*Fft*Speed'.
TEST(FftBench, DISABLED_Speed) {
    for (const int threads : {1, 2})
        for (const Library library : {Library::own, Library::fftw})
            for (const GridSize n : {GridSize{32, 32, 32}, GridSize{44, 44, 44},
                                     GridSize{64, 60, 72}, GridSize{96, 96, 96}}) {
                if (!available(library)) continue;
                auto device = device::Device::host({.threads = threads});
                device::Queue queue(device);
                const auto plan = make_plan<float>(queue, n, library);
                device::Buffer<float> grid(queue, plan->real().size()),
                    factor(queue, plan->spectrum().size());
                device::fill(queue, grid.view(), 1.0f);
                device::fill(queue, factor.view(), 1.0f / float(n.points()));
                double best = 1e300;
                for (int k = 0; k < 60; ++k) {
                    const auto start = std::chrono::steady_clock::now();
                    plan->filter(queue, grid.view(), factor.view(), {});
                    queue.synchronize();
                    best = std::min(best, std::chrono::duration<double>(
                                              std::chrono::steady_clock::now() - start)
                                              .count());
                }
                // The customary count for real grids: 2.5 N log2 N each way.
                const double flops = 5.0 * double(n.points()) * std::log2(double(n.points()));
                std::printf("%s %3d × %d × %d, %d threads: %8.1f us both ways, %5.1f GFlop/s\n",
                            library == Library::own ? "own " : "FFTW", n.x, n.y, n.z, threads,
                            1e6 * best, 1e-9 * flops / best);
            }
}

}  // namespace
}  // namespace aureole::fft
