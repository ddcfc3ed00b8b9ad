// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

// The inner loop of a cluster pair list (4 × 4 pairs a tile) for one Lennard-Jones type, written
// once; each probe brings the SIMD operations it rests on as `Ops`:
//   Tile            16 numbers
//   repeat(p)       p0 p1 p2 p3, four times over        spread(p)  p0 ×4, p1 ×4, p2 ×4, p3 ×4
//   sub_blocks(q,v) q[j] -= sum over i of v[4 i + j]    rows(q,v)  q[i] += sum over j of v[4 i + j]
//   recip(a), zero_unless_less(a, b, v)
struct Problem {
    int clusters = 192, neighbours = 48;
    std::vector<float> x, f;  // [clusters][3][4]
    std::vector<int> j;       // [clusters][neighbours]
};

inline float* aligned(std::vector<float>& v) {
    return reinterpret_cast<float*>((reinterpret_cast<std::size_t>(v.data()) + 63) / 64 * 64);
}

inline Problem make_problem() {
    Problem p;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> place(0, 9);
    p.x.resize(p.clusters * 16 + 16), p.f.assign(p.clusters * 16 + 16, 0.0F);
    for (int c = 0; c < p.clusters; ++c) {
        const float o[3] = {place(random), place(random), place(random)};
        for (int k = 0; k < 12; ++k) aligned(p.x)[c * 16 + k] = o[k / 4] + 0.4F * place(random) / 9;
    }
    for (int k = 0; k < p.clusters * p.neighbours; ++k)
        p.j.push_back(static_cast<int>(random() % p.clusters));
    return p;
}

template <class Ops>
void forces(Problem& p) {
    using Tile = typename Ops::Tile;
    const float* x = aligned(p.x);
    float* f = aligned(p.f);
    const Tile cut2(6.25F), a(48.0F), b(24.0F), tiny(0.5F);
    for (int c = 0; c < p.clusters; ++c) {
        const Tile xi = Ops::spread(x + 16 * c), yi = Ops::spread(x + 16 * c + 4),
                   zi = Ops::spread(x + 16 * c + 8);
        Tile fx(0.0F), fy(0.0F), fz(0.0F);
        for (int k = 0; k < p.neighbours; ++k) {
            const int j = 16 * p.j[c * p.neighbours + k];
            const Tile dx = xi - Ops::repeat(x + j), dy = yi - Ops::repeat(x + j + 4),
                       dz = zi - Ops::repeat(x + j + 8);
            const Tile r2 = Ops::max(dx * dx + dy * dy + dz * dz, tiny);
            const Tile s = Ops::recip(r2);
            const Tile s3 = s * s * s;
            const Tile g = Ops::zero_unless_less(r2, cut2, s * s3 * (a * s3 - b));
            const Tile gx = g * dx, gy = g * dy, gz = g * dz;
            fx = fx + gx, fy = fy + gy, fz = fz + gz;
            Ops::sub_blocks(f + j, gx), Ops::sub_blocks(f + j + 4, gy);
            Ops::sub_blocks(f + j + 8, gz);
        }
        Ops::rows(f + 16 * c, fx), Ops::rows(f + 16 * c + 4, fy), Ops::rows(f + 16 * c + 8, fz);
    }
}

/// Prints the picoseconds per pair of one timing (about 0.2 s) and the forces' checksum.
template <class Ops>
int measure(const char* name) {
    Problem p = make_problem();
    forces<Ops>(p);
    double checksum = 0;
    for (int k = 0; k < p.clusters * 16; ++k) checksum += std::abs(aligned(p.f)[k]);
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    long passes = 0;
    double seconds = 0;
    while (seconds < 0.2) {
        for (int k = 0; k < 20; ++k) forces<Ops>(p);
        passes += 20;
        seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    const double pairs = 16.0 * p.clusters * p.neighbours * static_cast<double>(passes);
    std::printf("%s %.1f %.6g\n", name, seconds / pairs * 1e12, checksum);
    return 0;
}
