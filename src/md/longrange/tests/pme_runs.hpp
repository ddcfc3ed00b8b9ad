// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "device/copy.hpp"
#include "md/longrange/pme.hpp"
#include "md/longrange/tests/ewald_reference.hpp"

namespace aureole::md::testing {

/// A mesh's answer, by way of a column of forces.
template <class T>
Coulomb run_pme(device::Queue& queue, Pme<T>& pme, const Charges& c,
                MeshWant want = MeshWant::forces_and_energy) {
    const auto n = static_cast<std::int64_t>(c.charge.size());
    device::Buffer<Vec3d> position(queue, n);
    device::Buffer<double> charge(queue, n);
    device::Buffer<core::Vec3<T>> force(queue, n);
    device::copy_from_host(queue, position.view(), c.position.data());
    device::copy_from_host(queue, charge.view(), c.charge.data());
    device::fill(queue, force.view(), core::Vec3<T>{});
    pme.compute(queue, {n, position.data(), charge.data()}, c.box,
                ForceSink<T>::column(force.data()), want);
    std::vector<core::Vec3<T>> out(c.charge.size());
    device::copy_to_host(queue, out.data(), force.view());
    Coulomb result;
    if (want == MeshWant::forces_and_energy) result.total = pme.energy(queue);
    for (const auto& f : out) result.force.push_back({double(f.x), double(f.y), double(f.z)});
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
