// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/dual.hpp"
#include "md/box/of_box.hpp"
#include "md/integrate/constraints/numbers.hpp"

// Virtual sites: their construction and the spreading of their forces. Definitions as in the
// GROMACS reference manual, section "Virtual interaction sites"; in its notation i, j, k, l are the
// parents, and all vectors here start at i: u = r_ij, v = r_ik, w = r_il.
namespace aureole::md {

enum class SiteKind : std::int32_t {
    copy,       ///< vsite1
    linear2,    ///< vsite2: a
    distance2,  ///< vsite2fd: distance
    linear3,    ///< vsite3: a, b
    distance3,  ///< vsite3fd: a, distance
    angle3,     ///< vsite3fad: distance · cos θ, distance · sin θ
    out3,       ///< vsite3out: a, b, c
    normal4,    ///< vsite4fdn: a, b, distance
    mean        ///< vsiten: weights of the parents
};

inline constexpr int most_parents = 4;  ///< of all kinds but `mean`

/// A site's definition.
struct SiteDefinition {
    SiteKind kind;
    std::int32_t parents;
    std::int64_t first;   ///< of its parents in the columns of them
    std::int32_t number;  ///< in the column of sites
    std::int32_t unused = 0;
    double p[3];
};

/// Vector from parent i to the site.
template <class R>
AUREOLE_FN Three<R> site_offset(const SiteDefinition& s, const Three<R>* to) {
    const R a(s.p[0]), b(s.p[1]), c(s.p[2]), zero(0.0);
    const auto unit = [](const Three<R>& r) { return core::rsqrt(dot(r, r)) * r; };
    switch (s.kind) {
        case SiteKind::linear2:
            return a * to[0];
        case SiteKind::distance2:
            return a * unit(to[0]);
        case SiteKind::linear3:
            return a * to[0] + b * to[1];
        case SiteKind::distance3:
            return b * unit(to[0] + a * (to[1] - to[0]));
        case SiteKind::angle3: {
            const auto &u = to[0], &v = to[1];
            const auto across = v - (dot(u, v) * core::recip(dot(u, u))) * u;
            return a * unit(u) + b * unit(across);
        }
        case SiteKind::out3:
            return a * to[0] + b * to[1] + c * cross(to[0], to[1]);
        case SiteKind::normal4:
            return c * unit(cross(a * to[1] - to[0], b * to[2] - to[0]));
        default:
            return {zero, zero, zero};
    }
}

/// Transposed derivative of a vector of fixed length d along r: d/|r| (f − n (n · f)).
AUREOLE_FN Three<double> along_unit(double d, const Three<double>& r, const Three<double>& f) {
    const double square = 1 / dot(r, r);
    return (d * std::sqrt(square)) * (f - (dot(r, f) * square) * r);
}

/// Forces on the parents behind i, for force f on the site: f times the derivatives of the offset.
/// Parent i gets the rest of f.
AUREOLE_FN void site_pulls(const SiteDefinition& s, const Three<double>* to, const Three<double>& f,
                           Three<double>* on) {
    const double a = s.p[0], b = s.p[1], c = s.p[2];
    switch (s.kind) {
        case SiteKind::linear2:
            on[0] = a * f;
            break;
        case SiteKind::distance2:
            on[0] = along_unit(a, to[0], f);
            break;
        case SiteKind::linear3:
            on[0] = a * f, on[1] = b * f;
            break;
        case SiteKind::distance3: {
            const auto g = along_unit(b, to[0] + a * (to[1] - to[0]), f);
            on[0] = (1 - a) * g, on[1] = a * g;
            break;
        }
        case SiteKind::angle3: {
            const auto &u = to[0], &v = to[1];
            const double u2 = 1 / dot(u, u), uv = dot(u, v) * u2;
            const auto g = along_unit(b, v - uv * u, f);
            const double ug = dot(u, g) * u2;
            on[0] = along_unit(a, u, f) - ug * v + (2 * uv * ug) * u - uv * g;
            on[1] = g - ug * u;
            break;
        }
        case SiteKind::out3:
            on[0] = a * f + c * cross(to[1], f);
            on[1] = b * f + c * cross(f, to[0]);
            break;
        case SiteKind::normal4: {
            const auto ja = a * to[1] - to[0], jb = b * to[2] - to[0];
            const auto g = along_unit(c, cross(ja, jb), f);
            const auto on_a = cross(jb, g), on_b = cross(g, ja);
            on[0] = (-1.0) * (on_a + on_b);
            on[1] = a * on_a, on[2] = b * on_b;
            break;
        }
        default:
            break;
    }
}

struct SiteTables {
    const SiteDefinition* site;
    const std::int32_t* index;         ///< [sites]
    const std::int32_t* parent_index;  ///< [parents]
    const double* weight;              ///< [parents], of `mean`
};

/// Positions of a site's parents.
template <class R>
struct SiteParents {
    core::Vec3d origin;
    Three<R> to[most_parents - 1];

    AUREOLE_FN SiteParents(const SiteTables& t, const SiteDefinition& s, const ImageShift& image,
                           const core::Vec3d* position, const core::Vec3d* velocity) {
        const std::int32_t* parent = t.parent_index + s.first;
        origin = position[parent[0]];
        if (s.kind == SiteKind::mean) return;
        for (int k = 1; k < s.parents; ++k) {
            const auto d =
                Lanes<double>::rows(position, parent + k) - Lanes<double>::rows(position, parent);
            const auto r = d - image.of(d);
            if constexpr (std::is_same_v<R, double>) {
                to[k - 1] = r;
            } else {
                const auto v = velocity[parent[k]] - velocity[parent[0]];
                to[k - 1] = {R(r.x, v.x), R(r.y, v.y), R(r.z, v.z)};
            }
        }
    }
};

/// Constructs the sites of one level, and their velocities if wanted.
struct ConstructSites {
    using device_kernel = void;
    SiteTables t;
    OfBox<ImageShift> box;
    core::Vec3d* position;
    core::Vec3d* velocity;  ///< null: left
    std::int64_t begin;     ///< first site of the level

    AUREOLE_FN void operator()(std::int64_t i) const {
        const SiteDefinition s = t.site[begin + i];
        const ImageShift image = box();
        const std::int32_t self = t.index[s.number];
        core::Vec3d r, v{};
        if (velocity == nullptr) {
            const SiteParents<double> from(t, s, image, position, nullptr);
            const auto d =
                s.kind == SiteKind::mean ? mean_offset(s, image) : site_offset(s, from.to);
            r = from.origin + core::Vec3d{d.x, d.y, d.z};
        } else {
            using D = core::Dual<double>;
            const SiteParents<D> from(t, s, image, position, velocity);
            v = velocity[t.parent_index[s.first]];
            if (s.kind == SiteKind::mean) {
                const auto d = mean_offset(s, image);
                r = from.origin + core::Vec3d{d.x, d.y, d.z};
                v = mean_velocity(s);
            } else {
                const auto d = site_offset(s, from.to);
                r = from.origin + core::Vec3d{d.x.value, d.y.value, d.z.value};
                v += core::Vec3d{d.x.slope, d.y.slope, d.z.slope};
            }
            velocity[self] = v;
        }
        // The image nearest to its previous position, so that lists and image counts stay valid.
        const auto jump = r - position[self];
        const auto shift = image.of(Three<double>{jump.x, jump.y, jump.z});
        position[self] = r - core::Vec3d{shift.x, shift.y, shift.z};
    }

  private:
    AUREOLE_FN Three<double> mean_offset(const SiteDefinition& s, const ImageShift& image) const {
        const std::int32_t* parent = t.parent_index + s.first;
        Three<double> sum{0, 0, 0};
        for (int k = 1; k < s.parents; ++k) {
            const auto d =
                Lanes<double>::rows(position, parent + k) - Lanes<double>::rows(position, parent);
            sum = sum + t.weight[s.first + k] * (d - image.of(d));
        }
        return sum;
    }
    AUREOLE_FN core::Vec3d mean_velocity(const SiteDefinition& s) const {
        core::Vec3d sum{};
        for (int k = 0; k < s.parents; ++k)
            sum += t.weight[s.first + k] * velocity[t.parent_index[s.first + k]];
        return sum;
    }
};

/// Forces in a plain column; other layouts provide the same three functions.
struct ForceColumn {
    using device_kernel = void;
    core::Vec3d* force;

    AUREOLE_FN core::Vec3d read(std::int64_t i) const { return force[i]; }
    AUREOLE_FN void add(std::int64_t i, const core::Vec3d& f) const { force[i] += f; }
    AUREOLE_FN void clear(std::int64_t i) const { force[i] = {}; }
};

/// Spreads the forces on sites to their parents. The sites of one launch have no parent in common.
template <class Forces>
struct SpreadSites {
    using device_kernel = typename Forces::device_kernel;
    SiteTables t;
    OfBox<ImageShift> box;
    const core::Vec3d* position;
    Forces forces;
    core::Sym3d* virial;  ///< [sites] what spreading adds to Σ r ⊗ F, or null
    std::int64_t begin;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const SiteDefinition s = t.site[begin + i];
        const ImageShift image = box();
        const std::int32_t self = t.index[s.number];
        const std::int32_t* parent = t.parent_index + s.first;
        const core::Vec3d f = forces.read(self);
        forces.clear(self);
        core::Sym3d change{};
        if (s.kind == SiteKind::mean) {  // linear: the virial is as before
            for (int k = 0; k < s.parents; ++k) forces.add(parent[k], t.weight[s.first + k] * f);
        } else {
            const Three<double> pull{f.x, f.y, f.z};
            const SiteParents<double> from(t, s, image, position, nullptr);
            Three<double> on[most_parents - 1] = {};
            site_pulls(s, from.to, pull, on);
            Three<double> left = pull;
            for (int k = 1; k < s.parents; ++k) {
                left = left - on[k - 1];
                forces.add(parent[k], {on[k - 1].x, on[k - 1].y, on[k - 1].z});
                change += product(from.to[k - 1], on[k - 1]);
            }
            forces.add(parent[0], {left.x, left.y, left.z});
            const auto offset = site_offset(s, from.to);
            change += product((-1.0) * offset, pull);
        }
        if (virial != nullptr) virial[begin + i] = change;
    }

  private:
    AUREOLE_FN static core::Sym3d product(const Three<double>& r, const Three<double>& f) {
        return symmetric_outer(core::Vec3d{r.x, r.y, r.z}, core::Vec3d{f.x, f.y, f.z});
    }
};

/// Reads the virial of one site, for the total of all.
struct ReadSiteVirial {
    using device_kernel = void;
    const core::Sym3d* from;

    AUREOLE_FN core::Sym3d operator()(std::int64_t i) const { return from[i]; }
};

}  // namespace aureole::md
