// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <vector>

#include "md/longrange/pme.hpp"

// The force between two charges on a spline mesh is 2π f q q Σ_m G(m) Σ_{l,l'} c_l c_l' (m + l n)
// sin(…), of which only l = l' = 0 with c = 1 should be there. For charges at random positions all
// these modes are orthogonal, so the squares of surplus and missing terms add up.
namespace aureole::md {

namespace {

/// A mode exp(2πi k x) along a line of n points, as the mesh has it: Σ_l c_l exp(2πi (k+ln) x),
/// c_l ∝ (k + ln)^−order (Essmann et al., section 4), Σ_l c_l = 1. Moments of c_l² over k + ln.
struct Aliases {
    double own = 0;  ///< c_0
    double sum = 0, mean = 0, variance = 0;
    double next = 0;  ///< Σ_l c_l c_{l+1}
};

Aliases aliases_of(int order, int n, int k) {
    constexpr int images = 8;
    if (k == 0) return {1, 1, 0, 0, 0};
    std::array<double, 2 * images + 1> c{};
    double norm = 0;
    for (int l = -images; l <= images; ++l)
        norm += c[l + images] = std::pow(1 + double(l) * n / k, -order);
    // Odd splines vanish at the Nyquist mode: all that is put there is wrong.
    if (std::abs(norm) < 1e-3) norm = 1;
    Aliases a;
    double first = 0, second = 0;
    for (int l = -images; l <= images; ++l) {
        const double square = c[l + images] * c[l + images] / (norm * norm), q = k + l * n;
        if (l < images) a.next += c[l + images] * c[l + images + 1] / (norm * norm);
        a.sum += square, first += square * q, second += square * q * q;
    }
    a.own = c[images] / norm;
    a.mean = first / a.sum;
    a.variance = std::max(0.0, second / a.sum - a.mean * a.mean);
    return a;
}

std::vector<Aliases> aliases_of(int order, int n) {
    std::vector<Aliases> all;
    for (int k = 0; k < n; ++k) all.push_back(aliases_of(order, n, 2 * k > n ? k - n : k));
    return all;
}

double square_of(const core::Vec3d& v) { return dot(v, v); }

/// Squares of what the splines get wrong, summed over the modes of the mesh: for a pair of charges,
/// where all modes are orthogonal, and for a charge with itself, whose aliases all have the mesh's
/// period and so add up before they are squared.
struct Wrong {
    double pair = 0, self = 0;
};

Wrong aliased(const PmeSpec& spec, const MeshMap& map) {
    const GaussianSplit split{spec.beta};
    const auto& n = spec.grid;
    const auto ax = aliases_of(spec.order, n.x), ay = aliases_of(spec.order, n.y),
               az = aliases_of(spec.order, n.z);
    const auto wave_number = [](int k, int count) { return 2 * k > count ? k - count : k; };
    const double along_x = square_of(map.gradient(1, 0, 0)),
                 along_y = square_of(map.gradient(0, 1, 0)),
                 along_z = square_of(map.gradient(0, 0, 1));
    Wrong total;
    double period_x = 0, period_y = 0, period_z = 0;
    for (int x = 0; x < n.x; ++x)
        for (int y = 0; y < n.y; ++y)
            for (int z = x == 0 && y == 0 ? 1 : 0; z < n.z; ++z) {
                const auto &a = ax[x], &b = ay[y], &c = az[z];
                const double m2 = square_of(
                    map.gradient(wave_number(x, n.x), wave_number(y, n.y), wave_number(z, n.z)));
                const double g = split.reciprocal(m2), all = a.sum * b.sum * c.sum;
                const double mean_square = square_of(map.gradient(a.mean, b.mean, c.mean)) +
                                           a.variance * along_x + b.variance * along_y +
                                           c.variance * along_z;
                const double own = a.own * b.own * c.own, seen = own * own;
                total.pair += g * g * (all * all * mean_square + m2 * (1 - 2 * seen));
                period_x += g * a.next * b.sum * c.sum, period_y += g * a.sum * b.next * c.sum;
                period_z += g * a.sum * b.sum * c.next;
            }
    const auto square = [](double a) { return a * a; };
    total.self = 0.5 * (square(n.x * period_x) * along_x + square(n.y * period_y) * along_y +
                        square(n.z * period_z) * along_z);
    return total;
}

/// Σ over the modes beyond the mesh, out to where nothing is left of them.
double missing(const PmeSpec& spec, const core::Box& box, const MeshMap& map) {
    const GaussianSplit split{spec.beta};
    const auto& n = spec.grid;
    const double farthest = 2.5 * spec.beta;
    const auto extent = [&](const core::Vec3d& edge) {
        return static_cast<int>(std::ceil(farthest * std::sqrt(dot(edge, edge))));
    };
    const int rx = extent(box.lattice(1, 0, 0)), ry = extent(box.lattice(0, 1, 0)),
              rz = extent(box.lattice(0, 0, 1));
    double total = 0;
    for (int x = -rx; x <= rx; ++x)
        for (int y = -ry; y <= ry; ++y)
            for (int z = -rz; z <= rz; ++z) {
                if (2 * std::abs(x) <= n.x && 2 * std::abs(y) <= n.y && 2 * std::abs(z) <= n.z)
                    continue;
                const double m2 = square_of(map.gradient(x, y, z));
                if (m2 > farthest * farthest) continue;
                const double g = split.reciprocal(m2);
                total += g * g * m2;
            }
    return total;
}

}  // namespace

double mesh_force_error(const PmeSpec& spec, const core::Box& box, const ChargeSums& sums,
                        double n) {
    const MeshMap map(box);
    const Wrong wrong = aliased(spec, map);
    // 2π f/(πV) …: a charge feels all others, and the sum of squares is divided among n. Of its
    // own alias, magnitudes are taken to be equal.
    return 2 * spec.coulomb / box.volume() * sums.square *
           std::sqrt((wrong.pair + missing(spec, box, map)) / n + wrong.self / (n * n));
}

}  // namespace aureole::md
