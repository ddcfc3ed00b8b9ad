// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.hpp"
#include "md/integrate/list_strain.kernel.hpp"
#include "md/neighbor/site.hpp"
#include "md/particles/fixed_forces.hpp"

namespace aureole::md {

/// The kernel layout of flat lists: dense columns that stages read forces from and write
/// coordinates to. `Packed` of the cluster kernels has the same members.
template <class T>
struct Dense {
    using device_kernel = void;
    using Number = T;
    static constexpr int cluster = 1;
    static constexpr bool counts_steps = true;  ///< kernels that store final coordinates do
    Site<T>* x;
    Site<T>* reference;  ///< coordinates at the last search
    T* limit;
    FixedForces force;
    const ListStrain* strain;  ///< null: the box is that of the search

    AUREOLE_FN core::Vec3d read_force(std::int64_t i) const { return force.read(i); }
    /// As read_force(), leaving zeros behind.
    AUREOLE_FN core::Vec3d take_force(std::int64_t i) const { return force.take(i); }

    AUREOLE_FN void store(std::int64_t i, const core::Vec3d& r) const {
        x[i].x = static_cast<T>(r.x), x[i].y = static_cast<T>(r.y), x[i].z = static_cast<T>(r.z);
    }
    AUREOLE_FN core::Vec3d coordinates(std::int64_t i) const {
        return {double(x[i].x), double(x[i].y), double(x[i].z)};
    }
    AUREOLE_FN void set_force(std::int64_t i, const core::Vec3d& f) const {
        force.clear(i);
        force.add(i, f);
    }
    AUREOLE_FN void add_force(std::int64_t i, const core::Vec3d& f) const { force.add(i, f); }
    /// Accelerations are used for inner lists, which flat lists do not have.
    AUREOLE_FN void store_acceleration(std::int64_t, T) const {}

    /// Whether the coordinates just stored are within the displacement limit; false for NaN.
    AUREOLE_FN bool within_limit(std::int64_t i) const {
        if (strain != nullptr) return within_strained_limit(i);
        const Site<T> a = x[i], b = reference[i];
        const T dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        return dx * dx + dy * dy + dz * dz <= limit[i] * limit[i];
    }
    /// The displacement since the search.
    AUREOLE_FN core::Vec3d moved(std::int64_t i) const {
        const Site<T> b = reference[i];
        return coordinates(i) - core::Vec3d{double(b.x), double(b.y), double(b.z)};
    }
    AUREOLE_FN void set_outer_limit(std::int64_t i, T d) const {
        reference[i] = x[i];
        limit[i] = d;
    }

  private:
    AUREOLE_FN bool within_strained_limit(std::int64_t i) const {
        const Site<T> b = reference[i];
        const auto from = strain->strain(core::Vec3d{double(b.x), double(b.y), double(b.z)});
        const auto d = coordinates(i) - from;
        const double most = strain->keep * double(limit[i]) - strain->loss;
        return most >= 0 && dot(d, d) <= most * most;
    }
};

}  // namespace aureole::md
