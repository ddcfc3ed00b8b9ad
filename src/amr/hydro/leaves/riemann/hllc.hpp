// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "amr/hydro/numbers.hpp"
#include "amr/hydro/state.hpp"

namespace aureole::amr {

/// HLLC (Toro 2009, section 10.4) with the wave speeds of Einfeldt (1988), with which first-order
/// steps keep density and pressure positive (Batten et al. 1997). Differences are taken in pairs
/// and both sides computed alike, so that mirrored states give the mirrored flux to the bit.
struct Hllc {
    /// The flux through a face between two primitive states, whose first velocity is the normal
    /// one.
    template <class N, class Gas>
    AUREOLE_FN static void flux(const Gas& gas, const N* left, const N* right, N* to) {
        const auto speeds = signal_speeds(gas, left, right);
        const Side<N> l(left, gas, speeds.slowest), r(right, gas, speeds.fastest);
        // Speed of the contact and pressure at it (eq. 10.37, 10.36).
        const N contact = ((r.w[at::pressure] - l.w[at::pressure]) +
                           (l.mass * l.w[at::normal] - r.mass * r.w[at::normal])) /
                          (l.mass - r.mass);
        const N between = N(0.5) * (l.pressure_at(contact) + r.pressure_at(contact));

        // The side that the face lies on, and whether inside its wave.
        const auto is_right = contact < N(0.0);
        const auto choose = [&](N a, N b) { return select(is_right, b, a); };
        const N speed = choose(l.speed, r.speed), relative = choose(l.relative, r.relative);
        const auto outside = choose(-l.speed, r.speed) < N(0.0);
        const N u = choose(l.w[at::normal], r.w[at::normal]),
                p = choose(l.w[at::pressure], r.w[at::pressure]);
        const N rho = choose(l.w[at::density], r.w[at::density]),
                energy = choose(l.energy, r.energy);
        const N scale = N(1.0) / (speed - contact);
        const N inner_energy = ((relative * energy - p * u) + between * contact) * scale;

        const N moved = select(outside, u, contact), force = select(outside, p, between);
        const N mass = select(outside, rho, rho * relative * scale) * moved;
        to[at::density] = mass;
        to[at::normal] = mass * moved + force;
        to[at::normal + 1] = mass * choose(l.w[at::normal + 1], r.w[at::normal + 1]);
        to[at::normal + 2] = mass * choose(l.w[at::normal + 2], r.w[at::normal + 2]);
        to[at::pressure] = moved * (select(outside, energy, inner_energy) + force);
    }

  private:
    template <class N>
    struct Side {
        const N* w;
        N speed, relative, mass, energy;  ///< of its signal, also relative to the gas

        template <class Gas>
        AUREOLE_FN Side(const N* state, const Gas& gas, N signal)
            : w(state),
              speed(signal),
              relative(signal - state[at::normal]),
              mass(state[at::density] * relative),
              energy(total_energy(gas, state)) {}
        AUREOLE_FN N pressure_at(N contact) const {
            return w[at::pressure] + mass * (contact - w[at::normal]);
        }
    };
};

}  // namespace aureole::amr
