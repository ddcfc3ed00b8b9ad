// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/box/strain.hpp"
#include "md/checkpoint/packed.hpp"
#include "md/list_plan/drift_buffer.hpp"
#include "md/longrange/pme.hpp"
#include "md/neighbor/site.hpp"
#include "md/system/engine.hpp"

// The members of all structs that more than one file puts into checkpoints.
namespace aureole::md {

template <class T>
struct PackedMembers<core::Vec3<T>> {
    using V = core::Vec3<T>;
    static constexpr std::tuple list{&V::x, &V::y, &V::z};
};
template <class T>
struct PackedMembers<core::Sym3<T>> {
    using S = core::Sym3<T>;
    static constexpr std::tuple list{&S::xx, &S::yy, &S::zz, &S::xy, &S::xz, &S::yz};
};
template <>
struct PackedMembers<core::Box> {
    using B = core::Box;
    static constexpr std::tuple list{&B::lx, &B::ly,         &B::lz,         &B::xy,        &B::xz,
                                     &B::yz, &B::periodic_x, &B::periodic_y, &B::periodic_z};
};
template <>
struct PackedMembers<Strain> {
    using S = Strain;
    static constexpr std::tuple list{&S::xx, &S::yy, &S::zz, &S::xy, &S::xz, &S::yz};
};
template <class T>
struct PackedMembers<Site<T>> {
    using S = Site<T>;
    static constexpr std::tuple list{&S::x, &S::y, &S::z, &S::type};
};
template <>
struct PackedMembers<MotionSpec> {
    using M = MotionSpec;
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
struct PackedMembers<ListSpec> {
    using L = ListSpec;
    static constexpr std::tuple list{&L::exact, &L::tolerance, &L::buffer, &L::inner_lifetime,
                                     &L::outer_lifetime};
};
template <>
struct PackedMembers<ListTuning> {
    using L = ListTuning;
    static constexpr std::tuple list{&L::inner_floor, &L::outer_floor, &L::inner_lifetime,
                                     &L::outer_lifetime};
};
template <>
struct PackedMembers<ListStatistics> {
    using L = ListStatistics;
    static constexpr std::tuple list{&L::searches,       &L::prunings,    &L::steps,
                                     &L::early_prunings, &L::outer_tiles, &L::inner_tiles,
                                     &L::outer_buffer,   &L::inner_buffer};
};
template <>
struct PackedMembers<ListWatch::Whole> {
    using W = ListWatch::Whole;
    static constexpr std::tuple list{&W::lightest, &W::drift, &W::steps_kept};
};
template <>
struct PackedMembers<DriftBuffer::Conditions> {
    using C = DriftBuffer::Conditions;
    static constexpr std::tuple list{&C::kT, &C::volume};
};
template <>
struct PackedMembers<DriftBuffer::Volumes> {
    using V = DriftBuffer::Volumes;
    static constexpr std::tuple list{&V::charges, &V::attraction};
};
template <>
struct PackedMembers<LargestRotation> {
    using L = LargestRotation;
    static constexpr std::tuple list{&L::tag_a, &L::tag_b, &L::angle, &L::step};
};
template <>
struct PackedMembers<RotationCheck> {
    using W = RotationCheck;
    static constexpr std::tuple list{&W::turn, &W::at};
};
/// A RotationCheck of versions whose tags had 32 bits.
struct NarrowRotationCheck {
    std::int32_t tag_a, tag_b;
    double angle;
    std::int64_t step, at;
};
template <>
struct PackedMembers<NarrowRotationCheck> {
    using W = NarrowRotationCheck;
    static constexpr std::tuple list{&W::tag_a, &W::tag_b, &W::angle, &W::step, &W::at};
};
template <>
struct PackedMembers<ElectricField> {
    using E = ElectricField;
    static constexpr std::tuple list{&E::strength, &E::omega, &E::centre, &E::width};
};
template <>
struct PackedMembers<fft::GridSize> {
    using G = fft::GridSize;
    static constexpr std::tuple list{&G::x, &G::y, &G::z};
};
/// The members of MeshSpec that every checkpoint with a mesh has.
struct MeshHeader {
    fft::GridSize grid;
    int order;
    MeshKernels kernels;
    fft::Library library;
};
template <>
struct PackedMembers<MeshHeader> {
    using H = MeshHeader;
    static constexpr std::tuple list{&H::grid, &H::order, &H::kernels, &H::library};
};

}  // namespace aureole::md
