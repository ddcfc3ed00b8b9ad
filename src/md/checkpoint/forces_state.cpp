// SPDX-License-Identifier: Apache-2.0
#include "md/checkpoint/forces_state.hpp"

#include "md/checkpoint/restored_state.hpp"
#include "md/checkpoint/state_blocks.hpp"

namespace aureole::md {

struct ForceHeader {
    std::int32_t n_types, mode, tail;
};

/// The plain numbers of NonbondedSpec.
struct NonbondedHeader {
    std::int32_t n_types, end, shift_vdw, coulomb, shift_coulomb;
    double r_vdw, r_vdw_switch, r_coulomb, coulomb_constant, epsilon_r, epsilon_rf, beta;
};

}  // namespace aureole::md

namespace aureole::io {

template <>
struct PackedMembers<md::ForceHeader> {
    using H = md::ForceHeader;
    static constexpr std::tuple list{&H::n_types, &H::mode, &H::tail};
};
template <>
struct PackedMembers<md::NonbondedHeader> {
    using H = md::NonbondedHeader;
    static constexpr std::tuple list{&H::n_types,      &H::end,           &H::shift_vdw,
                                     &H::coulomb,      &H::shift_coulomb, &H::r_vdw,
                                     &H::r_vdw_switch, &H::r_coulomb,     &H::coulomb_constant,
                                     &H::epsilon_r,    &H::epsilon_rf,    &H::beta};
};

}  // namespace aureole::io

namespace aureole::md {

namespace {

/// Tables of pairs of types are as large as their number says; they are checked before memory is
/// taken.
void require_types(std::int64_t n_types, std::size_t pairs, const std::string& block) {
    require(n_types > 0 && static_cast<std::size_t>(n_types * n_types) == pairs, block,
            "the number of types is invalid");
}

std::string force_name(std::int64_t k, const char* what) {
    return "force." + std::to_string(k) + "." + what;
}

}  // namespace

void add_force(StateBlocks& to, std::int64_t k, const PairForceSpec& spec) {
    const ForceHeader header{spec.n_types, static_cast<std::int32_t>(spec.mode),
                             spec.tail_correction ? 1 : 0};
    put(to, force_name(k, "header"), std::span(&header, 1));
    put(to, force_name(k, "name"), std::span(spec.potential));
    put(to, force_name(k, "parameters"), std::span(spec.parameters));
    put(to, force_name(k, "r_cut"), std::span(spec.r_cut));
    put(to, force_name(k, "r_switch"), std::span(spec.r_switch));
}

PairForceSpec get_force(const StateBlocks& from, std::int64_t k) {
    const auto header = get<ForceHeader>(from, force_name(k, "header"), 1)[0];
    const auto name = get<char>(from, force_name(k, "name"));
    PairForceSpec spec;
    spec.potential.assign(name.begin(), name.end());
    require(header.mode >= 0 && header.mode <= static_cast<int>(EnergyMode::force_shift),
            force_name(k, "header"), "the mode is unknown");
    spec.n_types = header.n_types;
    spec.mode = static_cast<EnergyMode>(header.mode);
    spec.tail_correction = header.tail != 0;
    spec.parameters = get<double>(from, force_name(k, "parameters"));
    spec.r_cut = get<double>(from, force_name(k, "r_cut"));
    spec.r_switch = get<double>(from, force_name(k, "r_switch"));
    require_types(header.n_types, spec.r_cut.size(), force_name(k, "header"));
    return spec;
}

void put_nonbonded(StateBlocks& to, const NonbondedSpec& s) {
    const NonbondedHeader header{s.n_types,
                                 static_cast<std::int32_t>(s.end),
                                 s.shift_vdw ? 1 : 0,
                                 static_cast<std::int32_t>(s.coulomb),
                                 s.shift_coulomb ? 1 : 0,
                                 s.r_vdw,
                                 s.r_vdw_switch,
                                 s.r_coulomb,
                                 s.coulomb_constant,
                                 s.epsilon_r,
                                 s.epsilon_rf,
                                 s.beta};
    put(to, "nonbonded", std::span(&header, 1));
    if (!s.field_of_excluded) {
        constexpr std::int32_t none = 0;
        put(to, "nonbonded.field_of_excluded", std::span(&none, 1));
    }
    put(to, "nonbonded.c6", std::span(s.c6));
    put(to, "nonbonded.c12", std::span(s.c12));
}

NonbondedSpec get_nonbonded(const StateBlocks& from) {
    const auto h = get<NonbondedHeader>(from, "nonbonded", 1)[0];
    require(h.end >= 0 && h.end <= 2 && h.coulomb >= 0 && h.coulomb <= 1, "nonbonded",
            "a functional form is unknown");
    NonbondedSpec s;
    s.n_types = h.n_types;
    s.end = static_cast<VdwEnd>(h.end), s.shift_vdw = h.shift_vdw != 0;
    s.coulomb = static_cast<Coulomb>(h.coulomb), s.shift_coulomb = h.shift_coulomb != 0;
    s.r_vdw = h.r_vdw, s.r_vdw_switch = h.r_vdw_switch, s.r_coulomb = h.r_coulomb;
    s.coulomb_constant = h.coulomb_constant;
    s.epsilon_r = h.epsilon_r, s.epsilon_rf = h.epsilon_rf, s.beta = h.beta;
    if (from.contains("nonbonded.field_of_excluded"))
        s.field_of_excluded = get<std::int32_t>(from, "nonbonded.field_of_excluded", 1)[0] != 0;
    s.c6 = get<double>(from, "nonbonded.c6"), s.c12 = get<double>(from, "nonbonded.c12");
    require_types(h.n_types, s.c6.size(), "nonbonded");
    return s;
}

void put_mesh(StateBlocks& to, const MeshSpec& mesh) {
    const MeshHeader header{mesh.grid, mesh.order, mesh.kernels, mesh.library};
    put(to, "mesh", std::span(&header, 1));
    if (!mesh.both_signs) return;
    constexpr std::int32_t yes = 1;
    put(to, "mesh.both_signs", std::span(&yes, 1));
}

MeshSpec get_mesh(const StateBlocks& from) {
    const auto h = get<MeshHeader>(from, "mesh", 1)[0];
    require(h.kernels >= MeshKernels::best && h.kernels <= MeshKernels::lanes &&
                h.library >= fft::Library::best && h.library <= fft::Library::fftw,
            "mesh", "the kernels or the FFT library are unknown");
    MeshSpec mesh{h.grid, h.order, h.kernels, h.library};
    if (from.contains("mesh.both_signs"))
        mesh.both_signs = get<std::int32_t>(from, "mesh.both_signs", 1)[0] != 0;
    return mesh;
}

}  // namespace aureole::md
