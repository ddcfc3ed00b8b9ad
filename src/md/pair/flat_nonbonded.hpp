// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/buffer.hpp"
#include "md/pair/flat_nonbonded.kernel.hpp"
#include "md/pair/nonbonded.hpp"
#include "md/particles/particles.hpp"

namespace aureole::md {

/// The particles of flat-list kernels, their neighbours and exclusions.
template <class T>
struct FlatParticles {
    const Site<T>* site;
    FlatList list;
    ExcludedPartners exclusions;
    OfBox<Images<T>> images;
    int lanes;                       ///< of a team
    const std::int64_t* expired_at;  ///< as in FlatJob
};

/// Non-bonded forces of molecules over lists of neighbours, on any device.
template <class T>
class FlatNonbonded {
  public:
    FlatNonbonded(device::Queue& queue, const Nonbonded& nonbonded);

    /// Finds each particle's own numbers, after a sort; those behind `rows` are zero, up to `room`.
    void load_particles(device::Queue& queue, Particles& particles, std::int64_t rows,
                        std::int64_t room = 0);
    /// Adds the forces.
    void forces(device::Queue& queue, const FlatParticles<T>& of, const FixedForces& force);
    /// Data that kernels of charges read.
    FlatNonbondedJob<T> job(const FlatParticles<T>& of) const;
    /// Each particle's contributions to energy and virial, [n] in device memory.
    void sums(device::Queue& queue, const FlatParticles<T>& of, NonbondedPairSums* sums);
    /// Energy of all charges with themselves; 0 with Ewald's splitting, where it belongs to the
    /// reciprocal-space sum.
    double self_energy() const { return self_energy_; }

  private:
    template <bool energy>
    void run(device::Queue& queue, int lanes, const FlatNonbondedJob<T>& job);

    const Nonbonded& nonbonded_;
    NonbondedTables<T> tables_;
    device::Buffer<T> c6_, c12_;
    device::Buffer<OwnNumbers<T>> of_type_, own_;
    device::Buffer<double> squares_;
    double self_energy_ = 0;
};

extern template class FlatNonbonded<float>;
extern template class FlatNonbonded<double>;

}  // namespace aureole::md
