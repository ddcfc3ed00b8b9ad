// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/packed_core.hpp"
#include "md/box/strain.hpp"
#include "md/list_plan/drift_buffer.hpp"
#include "md/longrange/pme.hpp"
#include "md/neighbor/site.hpp"
#include "md/system/engine.hpp"

// The members of all structs that more than one file puts into checkpoints.
namespace aureole::md {

/// A RotationCheck of versions whose tags had 32 bits.
struct NarrowRotationCheck {
    std::int32_t tag_a, tag_b;
    double angle;
    std::int64_t step, at;
};
/// The members of MeshSpec that every checkpoint with a mesh has.
struct MeshHeader {
    fft::GridSize grid;
    int order;
    MeshKernels kernels;
    fft::Library library;
};

}  // namespace aureole::md

namespace aureole::io {

template <>
struct PackedMembers<md::Strain> {
    using S = md::Strain;
    static constexpr std::tuple list{&S::xx, &S::yy, &S::zz, &S::xy, &S::xz, &S::yz};
};
template <class T>
struct PackedMembers<md::Site<T>> {
    using S = md::Site<T>;
    static constexpr std::tuple list{&S::x, &S::y, &S::z, &S::type};
};
template <>
struct PackedMembers<md::MotionSpec> {
    using M = md::MotionSpec;
    static constexpr std::tuple list{&M::dt,
                                     &M::thermostat,
                                     &M::kT,
                                     &M::gamma,
                                     &M::tau,
                                     &M::thermostat_every,
                                     &M::remove_com_every,
                                     &M::longest_move,
                                     &M::scheme,
                                     &M::coupled,
                                     &M::remove_rotation,
                                     &M::dof};
};
template <>
struct PackedMembers<md::ListSpec> {
    using L = md::ListSpec;
    static constexpr std::tuple list{&L::exact, &L::tolerance, &L::buffer, &L::inner_lifetime,
                                     &L::outer_lifetime};
};
template <>
struct PackedMembers<md::ListTuning> {
    using L = md::ListTuning;
    static constexpr std::tuple list{&L::inner_floor, &L::outer_floor, &L::inner_lifetime,
                                     &L::outer_lifetime};
};
template <>
struct PackedMembers<md::ListStatistics> {
    using L = md::ListStatistics;
    static constexpr std::tuple list{&L::searches,       &L::prunings,    &L::steps,
                                     &L::early_prunings, &L::outer_tiles, &L::inner_tiles,
                                     &L::outer_buffer,   &L::inner_buffer};
};
template <>
struct PackedMembers<md::ListWatch::Whole> {
    using W = md::ListWatch::Whole;
    static constexpr std::tuple list{&W::lightest, &W::drift, &W::steps_kept};
};
template <>
struct PackedMembers<md::DriftBuffer::Conditions> {
    using C = md::DriftBuffer::Conditions;
    static constexpr std::tuple list{&C::kT, &C::volume};
};
template <>
struct PackedMembers<md::DriftBuffer::Volumes> {
    using V = md::DriftBuffer::Volumes;
    static constexpr std::tuple list{&V::charges, &V::attraction};
};
template <>
struct PackedMembers<md::LargestRotation> {
    using L = md::LargestRotation;
    static constexpr std::tuple list{&L::tag_a, &L::tag_b, &L::angle, &L::step};
};
template <>
struct PackedMembers<md::RotationCheck> {
    using W = md::RotationCheck;
    static constexpr std::tuple list{&W::turn, &W::at};
};
template <>
struct PackedMembers<md::NarrowRotationCheck> {
    using W = md::NarrowRotationCheck;
    static constexpr std::tuple list{&W::tag_a, &W::tag_b, &W::angle, &W::step, &W::at};
};
template <>
struct PackedMembers<md::ElectricField> {
    using E = md::ElectricField;
    static constexpr std::tuple list{&E::strength, &E::omega, &E::centre, &E::width};
};
template <>
struct PackedMembers<fft::GridSize> {
    using G = fft::GridSize;
    static constexpr std::tuple list{&G::x, &G::y, &G::z};
};
template <>
struct PackedMembers<md::MeshHeader> {
    using H = md::MeshHeader;
    static constexpr std::tuple list{&H::grid, &H::order, &H::kernels, &H::library};
};

}  // namespace aureole::io
