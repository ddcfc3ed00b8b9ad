// SPDX-License-Identifier: Apache-2.0
#include "md/checkpoint/molecules_state.hpp"

#include <algorithm>
#include <array>

#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/state_blocks.hpp"

namespace aureole::md {

/// The plain numbers of the coupling.
struct CouplingHeader {
    std::int32_t thermostat, every, chain, groups, barostat, shape, barostat_every, tail;
    double start, tau, first_volume, heat, work;
    core::Sym3d compressibility, pressure;
    Strain rate, pending, velocity_strain;
};

struct GroupHeader {
    double kT, tau, dof;
    std::int64_t points, periodic;
};

}  // namespace aureole::md

namespace aureole::io {

template <>
struct PackedMembers<md::CouplingHeader> {
    using H = md::CouplingHeader;
    static constexpr std::tuple list{
        &H::thermostat,   &H::every,          &H::chain,          &H::groups,          &H::barostat,
        &H::shape,        &H::barostat_every, &H::tail,           &H::start,           &H::tau,
        &H::first_volume, &H::heat,           &H::work,           &H::compressibility, &H::pressure,
        &H::rate,         &H::pending,        &H::velocity_strain};
};
template <>
struct PackedMembers<md::GroupHeader> {
    using H = md::GroupHeader;
    static constexpr std::tuple list{&H::kT, &H::tau, &H::dof, &H::points, &H::periodic};
};

}  // namespace aureole::io

namespace aureole::md {

namespace {

void put_terms(StateBlocks& to, const std::string& name, const TermColumns& terms) {
    if (terms.size() == 0) return;
    put(to, name + ".tags", terms.particles);
    put(to, name + ".row", terms.row);
    put(to, name + ".parameters", terms.parameters);
}

TermColumns get_terms(const StateBlocks& from, const std::string& name, std::int64_t n) {
    TermColumns terms;
    if (!from.contains(name + ".row")) return terms;
    terms.particles = get_tags(from, name + ".tags", name + ".particles");
    terms.row = get<std::int32_t>(from, name + ".row");
    terms.parameters = get<double>(from, name + ".parameters");
    for (const auto tag : terms.particles)
        require(tag >= 0 && tag < n, name, "a particle is unknown");
    for (const auto row : terms.row)
        require(row >= 0 && row < static_cast<std::int64_t>(terms.parameters.size() + 1), name,
                "a parameter row is unknown");
    require(!terms.row.empty() && terms.particles.size() % terms.row.size() == 0, name,
            "particles and rows do not match");
    require(all_finite(std::span(terms.parameters)), name, "a parameter is not a number");
    return terms;
}

using Sites = TermColumns SiteSpec::*;
constexpr std::array<std::pair<const char*, Sites>, 9> site_blocks{
    {{"sites.1", &SiteSpec::vsite1},
     {"sites.2", &SiteSpec::vsite2},
     {"sites.2fd", &SiteSpec::vsite2fd},
     {"sites.3", &SiteSpec::vsite3},
     {"sites.3fd", &SiteSpec::vsite3fd},
     {"sites.3fad", &SiteSpec::vsite3fad},
     {"sites.3out", &SiteSpec::vsite3out},
     {"sites.4fdn", &SiteSpec::vsite4fdn},
     {"sites.n", &SiteSpec::vsiten}}};

bool finite(const Strain& s) { return std::isfinite(s.size()); }

ConstraintSpec get_constraints(const StateBlocks& from, std::int64_t n) {
    ConstraintSpec constraints;
    constraints.settle = get_terms(from, "settle", n);
    constraints.constraint = get_terms(from, "constraint", n);
    if (from.contains("constraint.solver")) {
        const auto solver = get<std::int32_t>(from, "constraint.solver", 2);
        require(solver[0] >= 1 && solver[0] <= 64 && solver[1] >= 0 && solver[1] <= 64,
                "constraint.solver", "the order or the number of iterations is invalid");
        constraints.order = solver[0], constraints.iterations = solver[1];
    }
    if (from.contains("constraint.tolerance")) {
        const auto tolerance = get<double>(from, "constraint.tolerance", 1)[0];
        require(tolerance > 0 && tolerance < 1, "constraint.tolerance", "the tolerance is invalid");
        constraints.tolerance = tolerance;
    }
    return constraints;
}

SiteSpec get_sites(const StateBlocks& from, std::int64_t n) {
    SiteSpec sites;
    std::int64_t count = 0;
    for (const auto& [name, kind] : site_blocks) {
        sites.*kind = get_terms(from, name, n);
        count += (sites.*kind).size();
    }
    sites.n = count > 0 ? n : 0;
    return sites;
}

CouplingHeader get_header(const StateBlocks& from) {
    const auto h = get<CouplingHeader>(from, "coupling", 1)[0];
    require(h.thermostat >= 0 && h.thermostat <= static_cast<int>(Thermostat::berendsen) &&
                h.barostat >= 0 && h.barostat <= static_cast<int>(Barostat::berendsen) &&
                h.shape >= 0 && h.shape <= static_cast<int>(BoxShape::anisotropic) && h.tail >= 0 &&
                h.tail <= static_cast<int>(TailCorrection::of_all_pairs),
            "coupling", "a kind is unknown");
    require(h.groups >= 0 && h.groups < 256 && h.chain >= 1 && h.chain <= longest_chain, "coupling",
            "a count is invalid");
    require(finite(h.rate) && finite(h.pending) && finite(h.velocity_strain) &&
                std::isfinite(h.heat + h.work + h.start + h.first_volume),
            "coupling", "a number is not finite");
    return h;
}

std::vector<TemperatureGroup> get_groups(const StateBlocks& from, std::int32_t number) {
    std::vector<TemperatureGroup> found;
    const auto groups = get<GroupHeader>(from, "coupling.groups", static_cast<std::size_t>(number));
    const auto points = get<double>(from, "coupling.annealing");
    require(all_finite(std::span(points)), "coupling.annealing", "a point is not a number");
    std::size_t at = 0;
    for (const auto& g : groups) {
        const auto count = static_cast<std::size_t>(g.points);
        require(g.points >= 0 && count <= points.size() && at + 2 * count <= points.size(),
                "coupling.annealing", "points are missing");
        const auto first = points.begin() + static_cast<std::ptrdiff_t>(at);
        const auto middle = first + static_cast<std::ptrdiff_t>(count);
        found.push_back({g.kT,
                         g.tau,
                         g.dof,
                         {first, middle},
                         {middle, middle + static_cast<std::ptrdiff_t>(count)},
                         g.periodic != 0});
        at += 2 * count;
    }
    return found;
}

}  // namespace

void put_molecules(StateBlocks& to, const System& system) {
    put_terms(to, "settle", system.constraints.settle);
    put_terms(to, "constraint", system.constraints.constraint);
    const std::array<std::int32_t, 2> solver{system.constraints.order,
                                             system.constraints.iterations};
    if (!system.constraints.empty()) put(to, "constraint.solver", std::span(solver));
    for (const auto& [name, kind] : site_blocks) put_terms(to, name, system.sites.*kind);
    if (system.constraints.tolerance > 0)
        put(to, "constraint.tolerance", std::span(&system.constraints.tolerance, 1));
    if (!system.drift_group.empty()) put(to, "drift.group", system.drift_group);
    if (!system.field.none()) put(to, "field", std::span(&system.field, 1));
    const auto& s = system.coupling;
    const auto& c = system.coupled;
    const auto& b = s.barostat;
    const CouplingHeader header{static_cast<std::int32_t>(s.thermostat),
                                s.every,
                                s.chain,
                                static_cast<std::int32_t>(s.groups.size()),
                                static_cast<std::int32_t>(b.kind),
                                static_cast<std::int32_t>(b.shape),
                                b.every,
                                static_cast<std::int32_t>(system.tail),
                                s.start,
                                b.tau,
                                system.first_volume,
                                c.heat,
                                c.barostat.work,
                                b.compressibility,
                                b.pressure,
                                c.barostat.rate,
                                c.barostat.pending,
                                c.barostat.velocity_strain};
    put(to, "coupling", std::span(&header, 1));
    put(to, "coupling.chains", c.chains);
    put(to, "coupling.barostat_at", std::span(&c.barostat_at, 1));
    std::vector<GroupHeader> groups;
    std::vector<double> points;
    for (const auto& g : s.groups) {
        groups.push_back(
            {g.kT, g.tau, g.dof, static_cast<std::int64_t>(g.times.size()), g.periodic ? 1 : 0});
        points.insert(points.end(), g.times.begin(), g.times.end());
        points.insert(points.end(), g.kTs.begin(), g.kTs.end());
    }
    put(to, "coupling.groups", groups);
    put(to, "coupling.annealing", points);
}

void get_molecules(const StateBlocks& from, System& system) {
    const auto n = system.particles.n;
    system.constraints = get_constraints(from, n);
    system.sites = get_sites(from, n);
    if (from.contains("drift.group")) {
        system.drift_group = get<std::uint8_t>(from, "drift.group", static_cast<std::size_t>(n));
        system.drift_groups = count_drift_groups(system.drift_group);
    }
    if (from.contains("field")) {
        system.field = get<ElectricField>(from, "field", 1)[0];
        const double* numbers = &system.field.strength.x;
        require(all_finite(std::span(numbers, 12)), "field", "a number is not finite");
    }
    const auto h = get_header(from);
    auto& s = system.coupling;
    s.thermostat = static_cast<Thermostat>(h.thermostat);
    s.every = h.every, s.chain = h.chain, s.start = h.start;
    s.barostat = {static_cast<Barostat>(h.barostat),
                  static_cast<BoxShape>(h.shape),
                  h.barostat_every,
                  h.tau,
                  h.compressibility,
                  h.pressure};
    auto& c = system.coupled;
    c.heat = h.heat;
    c.barostat = {};
    c.barostat.rate = h.rate, c.barostat.pending = h.pending,
    c.barostat.velocity_strain = h.velocity_strain;
    c.barostat.work = h.work;
    c.chains = get<double>(from, "coupling.chains");
    require(c.chains.empty() || c.chains.size() == static_cast<std::size_t>(h.groups) * h.chain,
            "coupling.chains", "the chains do not match the groups");
    require(all_finite(std::span(c.chains)), "coupling.chains", "a value is not a number");
    c.barostat_at = system.step;  // versions before it was written never began with the barostat
    if (from.contains("coupling.barostat_at"))
        c.barostat_at = get<std::int64_t>(from, "coupling.barostat_at", 1)[0];
    system.first_volume = h.first_volume;
    s.groups = get_groups(from, h.groups);
    try {
        check(s);
    } catch (const core::InputError& error) {
        require(false, "coupling", error.what());
    }
}

int count_drift_groups(const std::vector<std::uint8_t>& group_of_tag) {
    int count = 0;
    for (const auto g : group_of_tag)
        if (g != no_drift_group) count = std::max(count, g + 1);
    return count;
}

TailCorrection tail_of(const StateBlocks& from) {
    return static_cast<TailCorrection>(get<CouplingHeader>(from, "coupling", 1)[0].tail);
}

DispersionTail make_tail(device::Queue& queue, const System& system) {
    if (!system.nonbonded || system.tail == TailCorrection::none) return {};
    const auto types = to_tag_order(download(queue, system.particles.type),
                                    download_tags(queue, system.particles));
    return {system.tail, system.nonbonded->spec(), types, system.exclusions};
}

}  // namespace aureole::md
