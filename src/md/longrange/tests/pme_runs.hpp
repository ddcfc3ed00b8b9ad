// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "device/copy.hpp"
#include "md/longrange/pme.hpp"
#include "md/longrange/tests/ewald_reference.hpp"
#include "md/particles/tests/fixed_force_reads.hpp"

namespace aureole::md::testing {

/// Exponent of the unit of forces: finer than double precision for forces above 10⁻⁴.
inline constexpr int force_exponent = -66;

/// A mesh's answer, by way of a column of forces.
template <class T>
Coulomb run_pme(device::Queue& queue, Pme<T>& pme, const Charges& c,
                MeshWant want = MeshWant::forces_and_energy) {
    const auto n = static_cast<std::int64_t>(c.charge.size());
    device::Buffer<Vec3d> position(queue, n);
    device::Buffer<double> charge(queue, n);
    FixedForceColumn force(queue, force_exponent);
    force.resize(queue, n);
    device::copy_from_host(queue, position.view(), c.position.data());
    device::copy_from_host(queue, charge.view(), c.charge.data());
    pme.compute(queue, {n, position.data(), charge.data()}, c.box, ForceSink<T>{force.view()},
                want);
    Coulomb result;
    if (want == MeshWant::forces_and_energy) result.total = pme.energy(queue);
    result.force = read_forces(queue, force, n);
    return result;
}

template <class T = double>
Coulomb run_pme(const Charges& c, const PmeSpec& spec, int threads = 1) {
    auto device = device::Device::host({.threads = threads, .pin = false, .team_threads = 1});
    device::Queue queue(device);
    Pme<T> pme(queue, spec);
    return run_pme(queue, pme, c);
}

/// R.m.s. difference of forces, and r.m.s. force.
inline double rms_difference(const Coulomb& a, const Coulomb& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.force.size(); ++i) {
        const auto d = a.force[i] - b.force[i];
        sum += dot(d, d);
    }
    return std::sqrt(sum / double(a.force.size()));
}
inline double rms_force(const Coulomb& a) {
    Coulomb none;
    none.force.resize(a.force.size());
    return rms_difference(a, none);
}

inline std::vector<double> components(const core::Sym3d& v) {
    return {v.xx, v.yy, v.zz, v.xy, v.xz, v.yz};
}

}  // namespace aureole::md::testing
