// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "device/gpu/vendor/runtime.hpp"
#include "fft/spectrum.hpp"

// Included by library.hpp. Transforms on the host for emulated GPUs, in the order of a stream.
namespace aureole::fft::vendor {

using Stream = device::gpu::Stream;
using Result = device::gpu::Error;
struct Size {
    int n[3];
    Stream stream;
};
using Plan = Size*;
enum Kind { r2c, c2r, d2z, z2d };
inline constexpr Result success = device::gpu::success;
inline const std::string name = "emulated transforms";

template <class T>
Complex<T>* modes(Complex<T>* data) {
    return data;
}

using Real = long double;
using Amplitudes = std::vector<std::complex<Real>>;

/// Sums of the definition over the smallest factor of the length, and so on.
inline Amplitudes line(const Amplitudes& in, int sign) {
    const std::size_t n = in.size();
    std::size_t factor = 2;
    while (factor < n && n % factor != 0) ++factor;
    if (n == 1) return in;
    const std::size_t rest = n / factor;
    std::vector<Amplitudes> parts;
    for (std::size_t p = 0; p < factor; ++p) {
        Amplitudes part(rest);
        for (std::size_t k = 0; k < rest; ++k) part[k] = in[k * factor + p];
        parts.push_back(line(part, sign));
    }
    Amplitudes out(n);
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t p = 0; p < factor; ++p)
            out[k] += parts[p][k % rest] * std::polar(Real(1), sign * 2 * std::numbers::pi_v<Real> *
                                                                   Real(k * p % n) / Real(n));
    return out;
}

/// Along all axes of [n0][n1][n2].
inline void transform(Amplitudes& a, const int (&n)[3], int sign) {
    const std::size_t stride[] = {std::size_t(n[1]) * n[2], std::size_t(n[2]), 1};
    for (int axis = 0; axis < 3; ++axis) {
        Amplitudes one(n[axis]);
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (i / stride[axis] % n[axis] != 0) continue;
            for (int k = 0; k < n[axis]; ++k) one[k] = a[i + k * stride[axis]];
            const Amplitudes done = line(one, sign);
            for (int k = 0; k < n[axis]; ++k) a[i + k * stride[axis]] = done[k];
        }
    }
}

template <class T>
Result forward(Plan plan, T* grid, Complex<T>* to) {
    return device::gpu::enqueue("transform", plan->stream, [size = *plan, grid, to] {
        const int x = size.n[0], y = size.n[1], z = size.n[2], half = z / 2 + 1;
        Amplitudes a(grid, grid + std::size_t(x) * y * z);
        transform(a, size.n, -1);
        for (std::size_t row = 0; row < std::size_t(x) * y; ++row)
            for (int k = 0; k < half; ++k)
                to[row * half + k] = {T(a[row * z + k].real()), T(a[row * z + k].imag())};
    });
}

template <class T>
Result backward(Plan plan, Complex<T>* from, T* grid) {
    return device::gpu::enqueue("transform", plan->stream, [size = *plan, from, grid] {
        const int x = size.n[0], y = size.n[1], z = size.n[2], half = z / 2 + 1;
        Amplitudes a(std::size_t(x) * y * z);
        for (int i = 0; i < x; ++i)
            for (int j = 0; j < y; ++j)
                for (int k = 0; k < z; ++k) {
                    const bool given = k < half;
                    const int p = given ? i : (x - i) % x, q = given ? j : (y - j) % y;
                    const Complex<T>& m =
                        from[(std::size_t(p) * y + q) * half + (given ? k : z - k)];
                    a[(std::size_t(i) * y + j) * z + k] = {Real(m.re), Real(given ? m.im : -m.im)};
                }
        transform(a, size.n, 1);
        for (std::size_t i = 0; i < a.size(); ++i) grid[i] = T(a[i].real());
    });
}

struct Library {
    Result plan3d(Plan* plan, int x, int y, int z, Kind) const {
        *plan = new Size{{x, y, z}, nullptr};
        return success;
    }
    Result destroy(Plan plan) const { return delete plan, success; }
    Result set_stream(Plan plan, Stream stream) const { return plan->stream = stream, success; }
    template <class T>
    Result r2c(Plan plan, T* grid, Complex<T>* to) const {
        return forward(plan, grid, to);
    }
    template <class T>
    Result c2r(Plan plan, Complex<T>* from, T* grid) const {
        return backward(plan, from, grid);
    }
    Result d2z(Plan plan, double* grid, Complex<double>* to) const {
        return forward(plan, grid, to);
    }
    Result z2d(Plan plan, Complex<double>* from, double* grid) const {
        return backward(plan, from, grid);
    }
    static const Library& get() {
        static const Library functions;
        return functions;
    }
};

}  // namespace aureole::fft::vendor
