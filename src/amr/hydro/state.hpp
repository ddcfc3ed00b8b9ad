// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "amr/hydro/numbers.hpp"
#include "amr/mesh.hpp"

namespace aureole::amr {

/// Places of fields. At a face the first component of velocity or momentum is the normal one.
namespace at {
inline constexpr int density = 0, normal = 1, pressure = 4, energy = 4;
}

/// Where a field stands in states at faces across an axis: velocities in the order normal, next
/// axis, the one after it.
AUREOLE_FN int turned(int field, int axis) {
    return field == at::density || field == at::energy ? field : 1 + (field + 2 - axis) % 3;
}

/// The field that stands there.
AUREOLE_FN int turned_back(int place, int axis) {
    return place == at::density || place == at::energy ? place : 1 + (place - 1 + axis) % 3;
}

/// Total energy per volume of a primitive state.
template <class Gas, class N>
AUREOLE_FN N total_energy(const Gas& gas, const N* w) {
    const N twice = (w[1] * w[1] + w[2] * w[2]) + w[3] * w[3];
    return gas.energy(w[at::density], w[at::pressure]) + N(0.5) * w[at::density] * twice;
}

template <class Gas, class N>
AUREOLE_FN void to_primitive(const Gas& gas, const N* u, N* w) {
    const N inverse = N(1.0) / u[at::density];
    w[at::density] = u[at::density];
    for (int k = 1; k <= 3; ++k) w[k] = u[k] * inverse;
    const N twice = (u[1] * w[1] + u[2] * w[2]) + u[3] * w[3];
    w[at::pressure] = gas.pressure(u[at::density], u[at::energy] - N(0.5) * twice);
}

template <class Gas, class N>
AUREOLE_FN void to_conserved(const Gas& gas, const N* w, N* u) {
    u[at::density] = w[at::density];
    for (int k = 1; k <= 3; ++k) u[k] = w[at::density] * w[k];
    u[at::energy] = total_energy(gas, w);
}

/// The flux along the first velocity, of a state that is given as primitive and conserved.
template <class N>
AUREOLE_FN void flux_of(const N* w, const N* u, N* to) {
    for (int f = 0; f < fields; ++f) to[f] = w[at::normal] * u[f];
    to[at::normal] = to[at::normal] + w[at::pressure];
    to[at::energy] = w[at::normal] * (u[at::energy] + w[at::pressure]);
}

/// The slowest and the fastest wave between two states: with Roe's averages of velocity and speed
/// of sound (Einfeldt 1988) no wave falls behind the contact, however strong the collision.
template <class N>
struct SignalSpeeds {
    N slowest, fastest;
};
template <class Gas, class N>
AUREOLE_FN SignalSpeeds<N> signal_speeds(const Gas& gas, const N* left, const N* right) {
    const N c_left = gas.sound_speed(left[at::density], left[at::pressure]);
    const N c_right = gas.sound_speed(right[at::density], right[at::pressure]);
    const N root_left = sqrt(left[at::density]), root_right = sqrt(right[at::density]);
    const N inverse = N(1.0) / (root_left + root_right);
    const N jump = right[at::normal] - left[at::normal];
    const N mean = (root_left * left[at::normal] + root_right * right[at::normal]) * inverse;
    const N c_mean =
        sqrt((root_left * (c_left * c_left) + root_right * (c_right * c_right)) * inverse +
             N(0.5) * (root_left * root_right) * (inverse * inverse) * (jump * jump));
    return {smaller(left[at::normal] - c_left, mean - c_mean),
            larger(right[at::normal] + c_right, mean + c_mean)};
}

/// Σ over axes of (|v| + c) / Δx; a time step must not exceed its inverse.
template <class Gas, class N>
AUREOLE_FN N signal_rate(const Gas& gas, const N* w, const std::array<double, 3>& inverse_spacing,
                         int dims) {
    const N c = gas.sound_speed(w[at::density], w[at::pressure]);
    N rate = (absolute(w[1]) + c) * N(inverse_spacing[0]);
    for (int axis = 1; axis < dims; ++axis)
        rate = rate + (absolute(w[1 + axis]) + c) * N(inverse_spacing[axis]);
    return rate;
}

/// Value after a Runge-Kutta stage: a weighted mean of the start of the step and an Euler step from
/// the stage's input (Shu & Osher 1988).
template <class N>
AUREOLE_FN N advanced(N base, N input, N rate, N dt, N weight) {
    return base + weight * ((input - base) + dt * rate);
}

/// The states at both faces of a cell become the cell's own where the reconstruction gives no
/// positive density or pressure at one of them.
template <class N>
AUREOLE_FN void keep_positive(const N* cell, N* low, N* high) {
    const N zero(0.0);
    const auto fine = (zero < low[at::density]) & (zero < high[at::density]) &
                      (zero < low[at::pressure]) & (zero < high[at::pressure]);
    for (int f = 0; f < fields; ++f) {
        low[f] = select(fine, low[f], cell[f]);
        high[f] = select(fine, high[f], cell[f]);
    }
}

}  // namespace aureole::amr
