// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/buffer.hpp"
#include "md/pair/nonbonded.hpp"
#include "md/pair/nonbonded_lanes.kernel.hpp"
#include "md/particles.hpp"

namespace aureole::md {

/// Where the particles of lane kernels are, and who meets whom.
template <class T>
struct LaneParticles {
    const Site<T>* site;
    LaneList list;
    ExcludedPlaces exclusions;
    Images<T> images;
    int lanes;  ///< of a team
};

/// Non-bonded forces of molecules over lists of neighbours, on any device.
template <class T>
class NonbondedLanes {
  public:
    NonbondedLanes(device::Queue& queue, const Nonbonded& nonbonded);

    /// Finds each particle's own numbers, after a sort.
    void place(device::Queue& queue, Particles& particles);
    void forces(device::Queue& queue, const LaneParticles<T>& of, bool add, core::Vec3<T>* force);
    /// What kernels of charges read.
    NonbondedLaneJob<T> job(const LaneParticles<T>& of) const;
    /// Each particle's shares of energy and virial, [n] in device memory.
    void sums(device::Queue& queue, const LaneParticles<T>& of, NonbondedPairSums* sums);
    /// Of all charges with themselves; nothing with Ewald's splitting, where it belongs to the sum
    /// over waves.
    double self_energy() const { return self_energy_; }

  private:
    template <bool energy>
    void run(device::Queue& queue, int lanes, const NonbondedLaneJob<T>& job);

    const Nonbonded& nonbonded_;
    NonbondedTables<T> tables_;
    device::Buffer<T> c6_, c12_;
    device::Buffer<OwnNumbers<T>> of_type_, own_;
    device::Buffer<double> squares_;
    double self_energy_ = 0;
};

extern template class NonbondedLanes<float>;
extern template class NonbondedLanes<double>;

}  // namespace aureole::md
