// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/integrate/constraints/constraint_job.hpp"
#include "md/particles/tag_map.kernel.hpp"

// From tags to local indices after a sort, and measures of constraint violation.
namespace aureole::md {

/// Groups are ordered by the local index of their first particle.
struct GroupKeys {
    using device_kernel = void;
    const Tag* tags;  ///< [groups][atoms]
    int atoms;
    IndexOfTag index;
    std::uint32_t* key;
    std::int32_t* order;

    AUREOLE_FN void operator()(std::int64_t i) const {
        key[i] = static_cast<std::uint32_t>(index(tags[i * atoms]));
        order[i] = static_cast<std::int32_t>(i);
    }
};

/// Packs of groups, in order; the last group fills what is left of its pack.
struct LocaliseGroups {
    using device_kernel = void;
    const Tag* tags;
    const double* inv_mass_of;  ///< [groups][atoms], or null
    const double* length_of;    ///< [groups][constraints], or null
    const std::int32_t* order;
    IndexOfTag index;
    bool new_order;  ///< or masses and lengths alone are set
    std::int64_t groups;
    int atoms, constraints;
    std::int32_t* atom;
    double* inv_mass;
    double* length;

    AUREOLE_FN void operator()(std::int64_t slot) const {
        const std::int64_t from = order[slot < groups ? slot : groups - 1];
        const std::int64_t pack = slot / pack_lanes, lane = slot % pack_lanes;
        for (int k = 0; k < atoms; ++k) {
            const std::int64_t to = pack_index(pack, atoms, k) + lane;
            if (new_order) atom[to] = index(tags[from * atoms + k]);
            if (inv_mass_of != nullptr) inv_mass[to] = inv_mass_of[from * atoms + k];
        }
        if (length_of == nullptr) return;
        for (int c = 0; c < constraints; ++c)
            length[pack_index(pack, constraints, c) + lane] = length_of[from * constraints + c];
    }
};

/// Violations of constraints, and their largest rotation.
struct Deviations {
    double largest = 0;  ///< |l/d − 1|
    double square = 0;   ///< Σ (l/d − 1)²
    double count = 0;
    double cosine = 1;         ///< smallest, between the two directions of a bond
    std::int64_t turned = -1;  ///< that bond

    AUREOLE_FN friend Deviations operator+(Deviations a, const Deviations& b) {
        if (!(b.largest <= a.largest) && a.largest == a.largest)
            a.largest = b.largest;  // NaN stays
        a.square += b.square, a.count += b.count;
        if (b.turned >= 0 && (a.turned < 0 || !(b.cosine >= a.cosine)))
            a.cosine = b.cosine, a.turned = b.turned;
        return a;
    }
};

/// The rate at which constraints change their length, in parts of the length, times a time.
struct MeasureRate {
    using device_kernel = void;
    OfBox<ImageShift> image;
    const core::Vec3d* position;
    const core::Vec3d* velocity;
    const std::int32_t* index;  ///< [constraints][2]
    double time;

    AUREOLE_FN double operator()(std::int64_t i) const {
        using L = Lanes<double>;
        const std::int32_t *const a = index + 2 * i, *const b = a + 1;
        auto d = L::rows(position, a) - L::rows(position, b);
        d = d - image().of(d);
        const double rate = dot(d, L::rows(velocity, a) - L::rows(velocity, b)) / dot(d, d) * time;
        return rate < 0 ? -rate : rate;
    }
};

struct MeasureConstraint {
    using device_kernel = void;
    OfBox<ImageShift> image;
    const core::Vec3d* position;
    const core::Vec3d* reference;  ///< null: turns are not measured
    const std::int32_t* index;     ///< [constraints][2]
    const double* length;

    AUREOLE_FN Three<double> bond(const core::Vec3d* at, std::int64_t i) const {
        const auto d =
            Lanes<double>::rows(at, index + 2 * i) - Lanes<double>::rows(at, index + 2 * i + 1);
        return d - image().of(d);
    }
    AUREOLE_FN Deviations operator()(std::int64_t i) const {
        const auto now = bond(position, i);
        const double l = std::sqrt(dot(now, now)), off = l / length[i] - 1;
        Deviations one{off < 0 ? -off : off, off * off, 1};
        if (reference == nullptr) return one;
        const auto before = bond(reference, i);
        one.cosine = dot(now, before) / (l * std::sqrt(dot(before, before)));
        one.turned = i;
        return one;
    }
};

/// How long each constraint is, over what it should be.
struct MeasureLength {
    using device_kernel = void;
    MeasureConstraint of;
    double* out;

    AUREOLE_FN void operator()(std::int64_t i) const {
        const auto now = of.bond(of.position, i);
        out[i] = std::sqrt(dot(now, now)) / of.length[i];
    }
};

}  // namespace aureole::md
