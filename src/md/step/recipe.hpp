// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "md/system/system.hpp"

namespace aureole::md {

enum class Element { kick, drift, noise, forces, mix, power };

/// One line of an integrator as a textbook has it, over a part of the time step.
struct RecipeLine {
    Element element;
    double part = 1;
};

using Recipe = std::vector<RecipeLine>;

/// Swope, Andersen, Berens & Wilson, J. Chem. Phys. 76, 637 (1982).
inline Recipe velocity_verlet() {
    return {{Element::kick, 0.5}, {Element::drift, 1}, {Element::forces}, {Element::kick, 0.5}};
}

/// Velocities are those of half a step before the positions (Hockney & Eastwood, Computer
/// Simulation Using Particles (1988), section 2-4).
inline Recipe leap_frog() { return {{Element::kick, 1}, {Element::drift, 1}, {Element::forces}}; }

/// Leimkuhler & Matthews, Appl. Math. Res. Express 2013, 34; with constraints Proc. R. Soc. A 472,
/// 20160138 (2016).
inline Recipe baoab() {
    return {{Element::kick, 0.5},  {Element::drift, 0.5}, {Element::noise},
            {Element::drift, 0.5}, {Element::forces},     {Element::kick, 0.5}};
}

/// Velocity Verlet with velocities turned towards the forces before each step, or set to zero, as
/// the power of the forces after the step before decides (Bitzek et al., Phys. Rev. Lett. 97,
/// 170201 (2006)).
inline Recipe fire() {
    return {{Element::mix},    {Element::kick, 0.5}, {Element::drift, 1},
            {Element::forces}, {Element::kick, 0.5}, {Element::power}};
}

inline Recipe recipe_of(const MotionSpec& motion) {
    if (motion.scheme == Scheme::fire) return fire();
    if (motion.scheme == Scheme::leap_frog) return leap_frog();
    if (motion.scheme == Scheme::stochastic || motion.thermostat == GlobalThermostat::langevin)
        return baoab();
    return velocity_verlet();
}

}  // namespace aureole::md
