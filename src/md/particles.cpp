// SPDX-License-Identifier: Apache-2.0
#include "md/particles.hpp"

#include <algorithm>
#include <numeric>

#include "device/copy.hpp"

namespace aureole::md {

AnyColumn* Particles::find_column(const std::string& name) {
    AnyColumn* found = nullptr;
    for_each_column([&](AnyColumn& column) {
        if (column.spec().name == name) found = &column;
    });
    return found;
}

Particles upload(device::Queue& queue, const ParticleData& data) {
    Particles p;
    p.n = static_cast<std::int64_t>(data.position.size());
    p.position = to_device(queue, data.position);
    p.velocity = to_device(queue, data.velocity);
    p.mass = to_device(queue, data.mass);
    p.image = to_device(queue, data.image);
    p.type = to_device(queue, data.type);
    p.charge = to_device(queue, data.charge);
    std::vector<std::uint32_t> tags(data.position.size());
    std::iota(tags.begin(), tags.end(), 0u);
    p.tag = to_device(queue, tags);
    const bool uniform = !data.mass.empty() && std::ranges::all_of(data.mass, [&](double m) {
        return m == data.mass[0];
    });
    p.uniform_mass = uniform ? data.mass[0] : 0;
    p.generation = 1;
    return p;
}

}  // namespace aureole::md
