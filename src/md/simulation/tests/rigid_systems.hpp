// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numeric>
#include <random>

#include "device/copy.hpp"
#include "md/integrate/constraints/constraints.hpp"
#include "md/particles/particles.hpp"
#include "md/particles/tests/tag_maps.hpp"
#include "md/simulation/tests/systems.hpp"

// Small systems of constraints, and a slow solver that is known to be right.
namespace aureole::md::testing {

/// Particles by tag, with positions that satisfy the constraints.
struct Rigid {
    core::Box box{4, 5, 6, 0.2, -0.1, 0.3};
    ConstraintSpec spec;
    std::vector<Vec3d> position;
    std::mt19937_64 random{1};

    std::size_t size() const { return position.size(); }
    double uniform(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    }
    Vec3d normal(double width) {
        std::normal_distribution<double> n(0, width);
        const double x = n(random), y = n(random), z = n(random);
        return {x, y, z};
    }
    Vec3d direction() {
        const auto r = normal(1);
        return (1 / std::sqrt(dot(r, r))) * r;
    }
    Vec3d anywhere() {
        return box.cartesian({uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-0.5, 0.5)});
    }
    std::int32_t atom(const Vec3d& at, double mass) {
        position.push_back(at);
        spec.mass.push_back(mass);
        return static_cast<std::int32_t>(position.size()) - 1;
    }
    Vec3d separation(std::int32_t a, std::int32_t b) const {
        return position[static_cast<std::size_t>(a)] - position[static_cast<std::size_t>(b)];
    }
    /// A constraint of the length that there is.
    void bind(std::int32_t a, std::int32_t b) {
        const auto d = separation(a, b);
        auto& c = spec.constraint;
        c.particles.push_back(a), c.particles.push_back(b);
        c.row.push_back(static_cast<std::int32_t>(c.parameters.size()));
        c.parameters.push_back(std::sqrt(dot(d, d)));
    }
    /// SPC/E water: 0.1 nm and the tetrahedral angle.
    void water(double d_oh = 0.1, double d_hh = 0.16330) {
        const double height = std::sqrt(d_oh * d_oh - 0.25 * d_hh * d_hh);
        const auto x = direction();
        auto y = direction();
        y -= dot(x, y) * x;
        y *= 1 / std::sqrt(dot(y, y));
        const auto o = anywhere();
        auto& s = spec.settle;
        s.particles.push_back(atom(o, 15.9994));
        s.particles.push_back(atom(o + height * x + (0.5 * d_hh) * y, 1.008));
        s.particles.push_back(atom(o + height * x - (0.5 * d_hh) * y, 1.008));
        std::int32_t row = 0;
        while (2 * static_cast<std::size_t>(row) < s.parameters.size() &&
               s.parameters[2 * static_cast<std::size_t>(row)] != d_oh)
            ++row;
        if (2 * static_cast<std::size_t>(row) == s.parameters.size())
            s.parameters.push_back(d_oh), s.parameters.push_back(d_hh);
        s.row.push_back(row);
    }
    /// A point a bond away from an atom, and not close to the given neighbours.
    Vec3d beside(std::int32_t centre, const std::vector<std::int32_t>& neighbours, double length) {
        const auto from = position[static_cast<std::size_t>(centre)];
        for (;;) {
            const auto u = direction();
            bool free = true;
            for (const auto k : neighbours) {
                const auto d = separation(k, centre);
                const double cosine = dot(d, u) / std::sqrt(dot(d, d));
                if (cosine > 0.2 || cosine < -0.8) free = false;
            }
            if (free) return from + length * u;
        }
    }
    /// An atom with n lighter ones, as in OH, CH2, CH3 and CH4.
    void star(int n) {
        const auto centre = atom(anywhere(), uniform(12, 16));
        std::vector<std::int32_t> ends;
        for (int k = 0; k < n; ++k) {
            ends.push_back(atom(beside(centre, ends, uniform(0.095, 0.11)), 1.008));
            bind(centre, ends.back());
        }
    }
    void triangle() {
        const auto a = atom(anywhere(), uniform(5, 20));
        const auto b = atom(beside(a, {}, 0.12), uniform(5, 20));
        const auto c = atom(beside(a, {b}, 0.13), uniform(5, 20));
        bind(a, b), bind(b, c), bind(c, a);
    }
    void tetrahedron() {
        std::vector<std::int32_t> tags{atom(anywhere(), uniform(5, 20))};
        for (const Vec3d& edge : {Vec3d{0.12, 0, 0}, Vec3d{0.05, 0.1, 0}, Vec3d{0.06, 0.03, 0.11}})
            tags.push_back(
                atom(position[static_cast<std::size_t>(tags[0])] + edge, uniform(5, 20)));
        for (const int second : {2, 1, 3})  // in an order of no shape
            for (int first = 0; first < second; ++first)
                bind(tags[static_cast<std::size_t>(second)], tags[static_cast<std::size_t>(first)]);
    }
    /// A tree of n bonds; atoms have up to `most` of them. most = 2 is a chain.
    void tree(int n, int most) {
        std::vector<std::vector<std::int32_t>> of{{}};
        const auto root = atom(anywhere(), 12);
        for (int k = 0; k < n; ++k) {
            int at = k;  // the last atom, or a late one with room
            if (most > 2) {
                do at = static_cast<int>(uniform(std::max(0, k - 6), k + 1));
                while (at > k || static_cast<int>(of[static_cast<std::size_t>(at)].size()) >= most);
            }
            auto& neighbours = of[static_cast<std::size_t>(at)];
            const auto next =
                atom(beside(root + at, neighbours, uniform(0.1, 0.16)), uniform(12, 16));
            bind(root + at, next);
            neighbours.push_back(next);
            of.push_back({root + at});
        }
    }
    /// A chain with every fifth angle constrained too: LINCS cannot do all of them.
    void angled_chain(int atoms) {
        std::vector<std::int32_t> tags;
        Vec3d at = anywhere();
        for (int k = 0; k < atoms; ++k) {
            tags.push_back(atom(at, uniform(12, 16)));
            at += Vec3d{0.12, k % 2 == 0 ? 0.08 : -0.08, 0.01 * (k % 3)};
            if (k > 0) bind(tags[tags.size() - 2], tags.back());
            if (k % 5 == 3) bind(tags[tags.size() - 3], tags.back());
        }
    }
    /// Where particles are after a step of about `width`.
    std::vector<Vec3d> moved(double width) {
        auto to = position;
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] += normal(width / std::sqrt(spec.mass[i] / 12));
        return to;
    }
    std::vector<Vec3d> wrapped(std::vector<Vec3d> r) const {
        Vec3i image{};
        for (auto& one : r) box.wrap(one, image);
        return r;
    }

    struct Pair {
        std::size_t a, b;
        double length;
    };
    std::vector<Pair> pairs() const {
        std::vector<Pair> all;
        const auto add = [&](std::int32_t a, std::int32_t b, double d) {
            all.push_back({static_cast<std::size_t>(a), static_cast<std::size_t>(b), d});
        };
        for (std::size_t k = 0; k < spec.settle.row.size(); ++k) {
            const auto* t = &spec.settle.particles[3 * k];
            const auto* d =
                &spec.settle.parameters[2 * static_cast<std::size_t>(spec.settle.row[k])];
            add(t[0], t[1], d[0]), add(t[0], t[2], d[0]), add(t[1], t[2], d[1]);
        }
        const auto& c = spec.constraint;
        for (std::size_t k = 0; k < c.row.size(); ++k)
            add(c.particles[2 * k], c.particles[2 * k + 1],
                c.parameters[static_cast<std::size_t>(c.row[k])]);
        return all;
    }
};

/// SHAKE (Ryckaert, Ciccotti & Berendsen, J. Comput. Phys. 23, 327 (1977)) until nothing changes:
/// one constraint after the other, along the old directions. Positions must not be wrapped.
inline std::vector<Vec3d> shake(const Rigid& rigid, const std::vector<Vec3d>& reference,
                                std::vector<Vec3d> r) {
    const auto pairs = rigid.pairs();
    for (int round = 0; round < 100000; ++round) {
        double worst = 0;
        for (const auto& p : pairs) {
            const auto d = r[p.a] - r[p.b], old = reference[p.a] - reference[p.b];
            const double off = dot(d, d) - p.length * p.length;
            worst = std::max(worst, std::abs(off) / (p.length * p.length));
            const double ia = 1 / rigid.spec.mass[p.a], ib = 1 / rigid.spec.mass[p.b];
            const double g = off / (2 * (ia + ib) * dot(d, old));
            r[p.a] -= (ia * g) * old, r[p.b] += (ib * g) * old;
        }
        if (worst < 5e-14) break;  // what positions of some units leave of bonds of 0.1
    }
    return r;
}

/// RATTLE (Andersen, J. Comput. Phys. 52, 24 (1983)): velocities, constrained as positions are by
/// shake().
inline std::vector<Vec3d> rattle(const Rigid& rigid, const std::vector<Vec3d>& r,
                                 std::vector<Vec3d> v) {
    const auto pairs = rigid.pairs();
    for (int round = 0; round < 20000; ++round) {
        double worst = 0;
        for (const auto& p : pairs) {
            const auto d = r[p.a] - r[p.b];
            const double along = dot(d, v[p.a] - v[p.b]) / dot(d, d);
            worst = std::max(worst, std::abs(along));
            const double ia = 1 / rigid.spec.mass[p.a], ib = 1 / rigid.spec.mass[p.b];
            v[p.a] -= (ia * along / (ia + ib)) * d, v[p.b] += (ib * along / (ia + ib)) * d;
        }
        if (worst < 1e-15) break;
    }
    return v;
}

inline double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto d = a[i] - b[i];
        const double square = dot(d, d);
        if (!(square <= largest)) largest = square;
    }
    return std::sqrt(largest);
}

/// How constraints are run in a test.
struct Runner {
    int threads;
    Constraints::Path path;
};
inline void PrintTo(const Runner& r, std::ostream* out) {
    *out << (r.path == Constraints::Path::lanes ? "lanes" : "packs") << r.threads;
}
inline std::vector<Runner> runners() {
    using enum Constraints::Path;
    return {{1, packs}, {3, packs}, {2, lanes}};
}

/// Constraints on a device, with particles in a mixed order.
class Bench {
  public:
    Bench(const Rigid& rigid, const Runner& how)
        : rigid_(rigid),
          device_(device::Device::host({.threads = how.threads, .pin = false})),
          queue_(device_),
          constraints(queue_, rigid.spec, how.path),
          index_of_(rigid.size()) {
        std::iota(index_of_.begin(), index_of_.end(), 0);
        std::shuffle(index_of_.begin(), index_of_.end(), std::mt19937_64(5));
        constraints.localise(queue_, map_of_indices(queue_, index_of_));
        for (auto* column : {&reference_, &position_, &velocity_})
            *column = device::Buffer<Vec3d>(queue_, size());
    }

    ConstraintSums move(const std::vector<Vec3d>& reference, std::vector<Vec3d>& position,
                        std::vector<Vec3d>* velocity, double inverse_dt, bool want = true) {
        send(reference, reference_), send(position, position_);
        if (velocity != nullptr) send(*velocity, velocity_);
        ConstraintMove move{rigid_.box, reference_.view(), position_.view()};
        if (velocity != nullptr) move.velocity = velocity_.view();
        move.inverse_dt = inverse_dt, move.want_sums = want;
        const auto sums = constraints.apply(queue_, move);
        fetch(position_, position);
        if (velocity != nullptr) fetch(velocity_, *velocity);
        return sums;
    }
    ConstraintSums stop(const std::vector<Vec3d>& position, std::vector<Vec3d>& velocity,
                        double inverse_time = 0) {
        send(position, position_), send(velocity, velocity_);
        const auto sums = constraints.apply_velocities(
            queue_, {rigid_.box, position_.view(), velocity_.view(), inverse_time, true});
        fetch(velocity_, velocity);
        return sums;
    }
    Constraints::Deviation deviation(const std::vector<Vec3d>& position) {
        send(position, position_);
        return constraints.deviation(queue_, rigid_.box, position_.view());
    }
    Constraints::Rotation rotation(const std::vector<Vec3d>& before,
                                   const std::vector<Vec3d>& after) {
        send(before, reference_), send(after, position_);
        return constraints.worst_rotation(queue_, rigid_.box, reference_.view(), position_.view());
    }
    device::Queue& queue() { return queue_; }

  private:
    std::int64_t size() const { return static_cast<std::int64_t>(rigid_.size()); }
    void send(const std::vector<Vec3d>& by_tag, device::Buffer<Vec3d>& to) {
        std::vector<Vec3d> local(by_tag.size());
        for (std::size_t i = 0; i < by_tag.size(); ++i)
            local[static_cast<std::size_t>(index_of_[i])] = by_tag[i];
        device::copy_from_host(queue_, to.view(), local.data());
    }
    void fetch(const device::Buffer<Vec3d>& from, std::vector<Vec3d>& by_tag) {
        const auto local = download(queue_, from);
        for (std::size_t i = 0; i < by_tag.size(); ++i)
            by_tag[i] = local[static_cast<std::size_t>(index_of_[i])];
    }

    const Rigid& rigid_;
    device::Device device_;
    device::Queue queue_;

  public:
    Constraints constraints;

  private:
    std::vector<std::int32_t> index_of_;
    device::Buffer<Vec3d> reference_, position_, velocity_;
};

}  // namespace aureole::md::testing
