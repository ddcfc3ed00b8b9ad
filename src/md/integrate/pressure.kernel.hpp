// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "md/box/longest_cut_off.hpp"
#include "md/coupling/barostat.kernel.hpp"
#include "md/integrate/constraints/constraint_job.hpp"
#include "md/integrate/thermo.kernel.hpp"
#include "md/pair/tails.hpp"

// From the sums of a step to the strain of the box, on the device.
namespace aureole::md {

/// Sums over velocities at the time of the positions, and what constraints bear then.
struct KineticSums {
    MotionSums motion;
    core::Sym3d constraint_virial{};
};

/// Finds the sums from velocities as they are and, where these are of another time than the
/// positions, from velocities half a step on as well.
struct FindKinetics {
    using device_kernel = void;
    const MotionSums* now;
    const MotionSums* other;  ///< null: velocities are of the positions' time
    double kept;              ///< part of the sum of both
    bool mean_momentum;
    const ConstraintSums* constraints;  ///< null: there are none
    double constraint_part;
    KineticSums* out;

    AUREOLE_FN void operator()(std::int64_t) const {
        KineticSums found{*now, {}};
        if (constraints != nullptr) found.constraint_virial = constraint_part * constraints->virial;
        if (other != nullptr) {
            auto& motion = found.motion;
            motion.twice_kinetic = kept * (motion.twice_kinetic + other->twice_kinetic);
            if (mean_momentum) motion.momentum = 0.5 * (motion.momentum + other->momentum);
        }
        *out = found;
    }
};

/// Terms of the pressure.
struct PressureTerms {
    const EnergyVirial* term;  ///< [terms] those of pairs come first
    std::int64_t pairs, terms;
    const core::Sym3d* of_sites;  ///< what virtual sites add, or null
    const KineticSums* moving;
    DispersionTail tail;
    core::Sym3d tails_of_forces;  ///< virial in a volume of 1

    AUREOLE_FN core::Sym3d pressure(double volume) const {
        core::Sym3d virial{};
        for (std::int64_t k = 0; k < pairs; ++k) virial += term[k].virial;
        if (of_sites != nullptr) virial += *of_sites;
        for (std::int64_t k = pairs; k < terms; ++k) virial += term[k].virial;
        return (1 / volume) * (moving->motion.twice_kinetic + virial + moving->constraint_virial +
                               tail.at(volume).virial + (1 / volume) * tails_of_forces);
    }
};

/// The strain of the next step from the pressure of this one.
struct FindStrain {
    using device_kernel = void;
    BarostatView barostat;
    PressureTerms of;
    double initial_volume;
    double of_centres;  ///< degrees of freedom that the box acts on: those of groups' centres
    double fraction;    ///< their fraction of all
    StepState* state;

    AUREOLE_FN void operator()(std::int64_t) const {
        const double volume = state->box.volume();
        const auto pressure = of.pressure(volume);
        const double sum = pressure.xx + pressure.yy + pressure.zz;
        // Forces that are no numbers: the particles that they throw out end the run, by name.
        if (!(sum - sum == 0)) return;
        barostat.apply_barostat({pressure, fraction * of.moving->motion.twice_kinetic, volume,
                                 initial_volume, of_centres},
                                state->step, state->barostat);
    }
};

/// A larger strain in one step means that the barostat is unstable.
inline constexpr double most_strain = 0.1;

/// The strain that the barostat asked for, on the box; particles have followed it already.
struct ChangeBox {
    using device_kernel = void;
    StepState* state;
    double r_cut;
    bool lanes;  ///< as in longest_cut_off()

    AUREOLE_FN void operator()(std::int64_t) const {
        auto& s = *state;
        auto& b = s.barostat;
        const auto step = s.step + 1;  // it is counted when its positions are final
        const double size = b.pending.size();
        if (!(size < most_strain) && s.wild_at == StepState::never)
            s.wild_at = step, s.wild_strain = size;
        s.box = b.pending(s.box);
        const double room = longest_cut_off(s.box, lanes);
        if (!(r_cut <= room) && s.small_at == StepState::never) s.small_at = step, s.room = room;
        b.applied = b.pending;
        b.pending = b.velocity_strain = {};
    }
};

}  // namespace aureole::md
